"""Rates: so many requests a minute for each principal, told with how long to wait."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

import hypothesis.strategies as st
import pytest
from hypothesis import given

from holdfast import AccessDenied, config
from holdfast.api import import_session
from holdfast.bootstrap import open_service
from holdfast.core.places import Principal
from holdfast.features.access.access import Grant
from holdfast.http.app import create_app
from holdfast.http.rates import Rates
from holdfast.http.signin import Entrance
from holdfast.http.write_rates import WriteRates
from tests.http.direct import DirectClient
from tests.http.support import URL, site

ANA, BEN = Principal("ana"), Principal("ben")


@dataclass
class Watch:
    """Seconds that pass when they are told to."""

    now: float = 0.0

    def __call__(self) -> float:
        return self.now


def test_a_minute_holds_so_many_requests_and_no_more() -> None:
    watch = Watch()
    rates = Rates(60, seconds=watch)
    assert [rates.wait(ANA) for _ in range(61)] == [None] * 60 + [1]
    assert rates.wait(BEN) is None, "each principal has a bucket of their own"
    assert rates.wait(Principal("ana", agent="coder")) is None
    watch.now += 1.0
    assert [rates.wait(ANA) for _ in range(2)] == [None, 1]
    watch.now += 3600
    assert [rates.wait(ANA) for _ in range(61)] == [None] * 60 + [1]


def test_without_a_limit_there_is_none() -> None:
    rates = Rates()
    assert all(rates.wait(ANA) is None for _ in range(10_000))


@given(st.integers(1, 1000), st.lists(st.floats(0, 30), min_size=1, max_size=200))
def test_never_more_than_a_bucket_and_what_flowed_in(per_minute: int, pauses: list[float]) -> None:
    """Over any time; and who waits as long as they are told is let in."""
    watch = Watch()
    rates = Rates(per_minute, seconds=watch)
    allowed = 0
    for pause in pauses:
        watch.now += pause
        wait = rates.wait(ANA)
        allowed += wait is None
        assert allowed <= per_minute + watch.now * per_minute / 60 + 1e-6
        if wait is not None:
            assert 1 <= wait <= 60
    watch.now += 60 if wait is None else wait
    assert rates.wait(ANA) is None


def test_too_many_requests_are_a_problem_that_says_how_long_to_wait(tmp_path: Path) -> None:
    """Before anything is read or done; for each key its principal counts, and the client raises it."""
    with site(tmp_path, local=False, rates=Rates(3, seconds=lambda: 0.0)) as team:
        ana, again, ben = team.key("ana"), team.key("ana"), team.key("ben")
        for key in (ana, again, ana):
            assert team.call("GET", "/v1/kinds", key=key).status_code == 200
        refused = team.call("POST", "/v1/memories", {"text": "The shop opens at nine"}, key=again)
        assert (refused.status_code, refused.json()["code"]) == (429, "rate_limited")
        assert refused.headers["retry-after"] == "20"
        assert refused.json()["hint"] == "try again in 20 s"
        with pytest.raises(AccessDenied) as raised:
            team.client(ana).count()
        assert raised.value.code == "rate_limited"
        assert team.call("GET", "/health/live").status_code == 200
        assert team.client(ben).count() == 0


def test_the_document_tells_of_the_limit(tmp_path: Path) -> None:
    with site(tmp_path) as here:
        for method, path, told in here.operations():
            if told["security"]:
                assert "Retry-After" in told["responses"]["429"]["headers"], f"{method} {path}"


def test_who_adds_too_often_in_a_minute_may_still_read_and_forget(tmp_path: Path) -> None:
    """Agents and persons of a user count together, and a refused memory is not kept."""
    service = open_service(config.load(store=tmp_path / "a.db", user="ana"))
    rates = WriteRates(Rates(2, seconds=lambda: 0.0))
    entrance = Entrance(service, service.keys, local=Grant(service.principal), write_rates=rates)
    with DirectClient(create_app(entrance), base_url=URL) as http:
        for name, headers in (("north", {}), ("south", {"Holdfast-Agent": "coder"}), ("east", {})):
            text = f"The till of the {name} shop is emptied at noon"
            last = http.post("/v1/memories", json={"text": text}, headers=headers)
        assert (last.status_code, last.json()["code"]) == (429, "rate_limited")
        assert last.headers["retry-after"] == "30"
        with_key = {"Idempotency-Key": "k"}
        again = [http.post("/v1/memories", json={"text": text}, headers=with_key) for _ in range(2)]
        assert [one.status_code for one in again] == [429, 429]
        assert "idempotent-replayed" not in again[1].headers, "what asks to try again is not kept"
        listed = http.get("/v1/memories").json()["memories"]
        assert len(listed) == 2
        assert http.delete(f"/v1/memories/{listed[0]['id']}").status_code == 204


def test_an_import_counts_once_and_is_not_stopped_midway(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(import_session, "BATCH", 2)
    service = open_service(config.load(store=tmp_path / "a.db", user="ana"))
    rates = WriteRates(Rates(2, seconds=lambda: 0.0))
    entrance = Entrance(service, service.keys, local=Grant(service.principal), write_rates=rates)
    parts = {
        str(n): {
            "id": str(n), "parent": str(n - 1) if n else None, "children": [str(n + 1)] if n < 9 else [],
            "message": {
                "id": f"m{n}", "author": {"role": "user"}, "create_time": 1_700_000_000 + n,
                "content": {"content_type": "text", "parts": [f"Ship {n} is {n * 7} metres long"]},
            },
        }
        for n in range(10)
    }  # fmt: skip
    said = [{"title": "Ships", "conversation_id": "c", "create_time": 1_700_000_000, "mapping": parts}]
    with DirectClient(create_app(entrance), base_url=URL) as http:
        imported = http.post("/v1/import", json={"content": json.dumps(said)})
        assert imported.status_code < 300, imported.text
        assert http.get("/v1/memories", params={"limit": 50}).text.count("metres long") >= 10
        texts = ("The harbour is closed", "The market is closed")
        added = [http.post("/v1/memories", json={"text": text}).status_code for text in texts]
        assert added == [201, 429]
