"""Exporting over HTTP: streamed, one's own only, and not for credentials limited to projects (S4.54)."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import anyio
import pytest

from holdfast import HoldfastError, InvalidInput, Memory, NotFound, StoreError
from holdfast.api.importing import import_bytes
from holdfast.features.access.keys import create_key, revoke_key
from holdfast.http.signin import Entrance
from holdfast.stores.base.clock import wall_clock
from tests.http.direct import answered
from tests.http.support import Site, site
from tests.oracle import OracleStore
from tests.support import memory_on


def test_s4_54_everything_of_ones_own_is_streamed(here: Site) -> None:
    here.call("POST", "/v1/memories", {"text": "The boat is red", "project": "shop"})
    messages = [{"role": "user", "content": f"line {n}\u2028 and on", "id": str(n)} for n in range(450)]
    here.call("POST", "/v1/sessions/s/messages", {"messages": messages})
    answer = here.call("GET", "/v1/export?user_data=true")
    assert answer.headers["content-type"].startswith("application/x-ndjson")
    records = [json.loads(line) for line in answer.text.split("\n") if line]
    assert (records[0]["type"], records[-1]["type"]) == ("header", "end")
    assert records[-1]["records"]["memory"] == 451
    assert records[-1]["records"]["event"] > 0
    drawn = here.call("GET", "/v1/export?format=markdown")
    assert drawn.headers["content-type"].startswith("text/markdown")
    assert here.call("GET", "/v1/export?format=xml").status_code == 422


def test_s4_54_the_client_gives_the_lines_of_memory(here: Site) -> None:
    client = here.client()
    client.remember("The boat is red\nand has\u2028two masts")
    for format, name in (("jsonl", "x.jsonl"), ("markdown", "x.md")):
        lines = list(client.export(format=format))
        assert all(line.endswith("\n") for line in lines)
        other = memory_on(OracleStore(), user=here.service.principal.user)
        assert import_bytes(other, "".join(lines).encode(), filename=name).outcomes == {"created": 1}
        assert other.list().memories[0].text == client.list().memories[0].text
    with pytest.raises(InvalidInput):
        list(client.export(format="xml"))


@pytest.mark.parametrize(
    ("options", "status"), [({}, 200), ({"write": False}, 200), ({"projects": ["a"]}, 403)]
)
def test_s4_53_who_may_export(here: Site, options: dict[str, Any], status: int) -> None:
    """Reading suffices; a credential that sees only some projects has no whole to export."""
    here.call("POST", "/v1/memories", {"text": "The owner's boat", "visibility": "team"})
    key = here.key("ben", **options)
    answer = here.call("GET", "/v1/export?user_data=true", key=key)
    assert answer.status_code == status
    assert "boat" not in answer.text
    if status == 403:
        with pytest.raises(HoldfastError, match="limited to projects"):
            list(here.client(key).export())


def exported(here: Site, secret: str, meanwhile: Callable[[], object]) -> list[str]:
    """Returns the types of the lines of an export of many messages; `meanwhile` is called after each part."""
    messages = [{"role": "user", "content": f"line {n}"} for n in range(450)]
    here.call("POST", "/v1/sessions/s/messages", {"messages": messages}, key=secret)

    async def interrupted(scope: Any, receive: Any, send: Any) -> None:
        async def sent(message: Any) -> None:
            await send(message)
            if message.get("more_body"):
                meanwhile()

        await here.app(scope, receive, sent)

    headers = {"Authorization": f"Bearer {secret}"}
    response = anyio.run(
        partial(answered, interrupted, "GET", "/v1/export", query={}, headers=headers, body=None)  # type: ignore[arg-type]
    )
    return [json.loads(line)["type"] for line in response.text.splitlines()]


def test_an_export_ends_with_its_key(here: Site) -> None:
    """What is not on its way when the key is revoked is not sent, nor the line of the end."""
    key, secret = create_key(here.service, user="ben")
    types = exported(here, secret, lambda: revoke_key(here.service, key.id))
    assert types[0] == "header"
    assert len(types) == 200


def test_an_export_goes_on_when_its_key_expires_but_not_when_it_is_revoked_then(tmp_path: Path) -> None:
    now = [wall_clock()]
    with site(tmp_path, clock=lambda: now[0]) as team:
        for revoked in (False, True):
            key, secret = create_key(team.service, user="ben", expires_at=now[0] + 60_000)

            def later(id: str = key.id, revoked: bool = revoked) -> None:
                now[0] += 3_600_000
                if revoked:
                    revoke_key(team.service, id)

            types = exported(team, secret, later)
            assert (types[-1] == "end", len(types) == 200) == (not revoked, revoked)
            assert team.call("GET", "/v1/export", key=secret).status_code == 401


def test_an_export_ends_when_its_user_leaves_the_team_after_the_key_expired(tmp_path: Path) -> None:
    now = [wall_clock()]
    with site(tmp_path, clock=lambda: now[0]) as team:
        owner = Memory.over(team.service)
        owner.members.add("ana", "owner")
        owner.members.add("ben")
        _, secret = create_key(team.service, user="ben", expires_at=now[0] + 60_000)

        def leaves() -> None:
            now[0] += 3_600_000
            with suppress(NotFound):
                owner.members.remove("ben")

        assert len(exported(team, secret, leaves)) == 200


def test_an_export_during_which_the_store_fails_breaks_off_and_is_logged(
    here: Site, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    _, secret = create_key(here.service, user="ben")

    def fails(*_: Any) -> None:
        raise StoreError("the disk is gone", code="store_io")

    with caplog.at_level("ERROR", "holdfast.http"):
        types = exported(here, secret, lambda: monkeypatch.setattr(Entrance, "bound", fails))
    assert "end" not in types
    failed = next(record for record in caplog.records if record.message == "failed")
    assert (failed.code, failed.reason) == ("store_io", "the disk is gone")  # type: ignore[attr-defined]
