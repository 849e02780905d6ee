"""The store contract, language models: forms of requests, disclosure, budgets, the ledger, answers."""

from __future__ import annotations

import json
import ssl
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from holdfast.api.memory import Memory
from holdfast.core.errors import AccessDenied, Conflict, HoldfastError, InvalidInput, NotFound, Refusal
from holdfast.core.places import Role
from holdfast.stores.base.ports import Store
from tests.fakes import ManualClock
from tests.models.providers import KEYS, Provider, provider
from tests.support import memory_on

PRICES = {"price_in": 2.0, "price_out": 8.0}


def with_key(memory: Memory, server: Provider, folder: Path, **options: Any) -> Memory:
    """A memory whose key for a server is in a file, with the server's model added."""
    file = folder / "model.key"
    file.write_text("sk-1\n")
    memory._service.model_key_files = ((server.url, str(file)),)
    memory.models.add("m", "some-model", provider=server.kind, url=server.url, **options)
    return memory


def answer_of(memory: Memory, text: str, **options: Any) -> tuple[str, dict[str, Any]]:
    """The text of an answer, and its last line."""
    lines = [json.loads(line) for line in memory.answer(text, **options)]
    return "".join(line["text"] for line in lines[:-1]), lines[-1]


def usage_of(memory: Memory) -> list[tuple[str, str, int, int, int, float]]:
    return [
        (one.operation, one.outcome, one.calls, one.tokens_in, one.tokens_out, one.cost)
        for one in memory.models.usage()
    ]


@pytest.mark.parametrize("kind", KEYS)
def test_every_provider_gets_requests_in_its_own_form(memory: Memory, tmp_path: Path, kind: str) -> None:
    """A schema by its own way, the key in its header, streams in its events; each call in the ledger."""

    def says(prompt: str, schema: dict[str, Any] | None) -> str:
        return '{"sum": 42}' if schema else "It opens at six [M1], says [M7]."

    with provider(kind, says) as server:
        with_key(memory, server, tmp_path, **PRICES)
        assert memory.models.test("m").keeps_schema is True
        stored = memory.remember("The harbour opens at six").memory
        assert stored is not None
        text, end = answer_of(memory, "When does the harbour open?")
    assert server.wrong == []
    assert text == "It opens at six [M1], says [M7]."
    assert end["citations"] == [{"citation": "[M1]", "id": stored.id, "provenance": stored.provenance}]
    assert (end["model"], end["unknown"]) == ("m", ["[M7]"])
    assert "The harbour opens at six" in json.dumps(server.requests[1]["body"])
    assert "harbour" not in json.dumps(server.requests[0]["body"])
    cost = (70 * 2 + 7 * 8) / 1_000_000
    assert usage_of(memory) == [("answer", "success", 1, 70, 7, cost), ("test", "success", 1, 70, 7, cost)]


def test_s4_69_nothing_leaves_the_machine_before_an_owner_has_accepted(store: Store) -> None:
    memory = memory_on(store)
    memory.remember("The harbour opens at six")
    model = memory.models.add("far", "some-model", url="https://model.invalid/v1")
    assert not model.is_ready
    assert "model.invalid" in model.disclosure
    with pytest.raises(Conflict, match="nobody has accepted") as caught:
        next(memory.answer("When does the harbour open?"))
    assert caught.value.code == "model_not_accepted"
    assert memory.models.usage() == []
    with pytest.raises(AccessDenied):
        memory_on(store, user="ada", role=Role.ADMIN).models.accept("far")
    with pytest.raises(Refusal):
        memory_on(store, agent="coder").models.accept("far")
    assert memory.models.accept("far").is_ready
    event = memory.audit.list()[-1]
    assert (event.action, event.actor) == ("accept_disclosure", "user:ana")
    assert event.detail == {"model": "far", "provider": "openai", "host": "model.invalid"}
    with pytest.raises(HoldfastError) as unknown:  # accepted, so it is called: nobody is there
        next(memory.answer("When does the harbour open?"))
    assert unknown.value.code == "model_unreachable"
    memory.models.remove("far")
    memory.models.add("far", "some-model", url="https://other.invalid/v1")
    with pytest.raises(Conflict, match="nobody has accepted"):
        next(memory.answer("When does the harbour open?"))


def test_a_budget_refuses_the_call_that_could_exceed_it(store: Store, tmp_path: Path) -> None:
    """Before the call, for tokens and money, by day and month; failed calls that may be billed count."""
    clock = ManualClock()
    memory = memory_on(store, clock=clock)
    with provider("openai", lambda *_: "Six [M1].") as server:
        with_key(memory, server, tmp_path, tokens_per_day=2_000, cost_per_month=0.02, **PRICES)
        memory.remember("The harbour opens at six")

        def asked_until(period: str) -> int:
            """How many answers there are until the budget of a period refuses one."""
            for number in range(100):
                try:
                    answer_of(memory, "When does the harbour open?")
                except Conflict as refused:
                    if refused.code == "model_budget" and period in refused.message:
                        return number
                    clock.forward(days=1)
            raise AssertionError

        answers = asked_until("of this day")
        assert len(server.requests) == answers > 0
        clock.forward(days=1)
        assert asked_until("of this month") > 1
        clock.forward(days=31)
        answer_of(memory, "When does the harbour open?")
        spent = sum(one.cost for one in memory.models.usage(since="2020-01-01"))
    assert spent < 0.04


@pytest.mark.on_a_file
def test_certificates_are_loaded_once_for_all_calls(
    memory: Memory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    loaded: list[Any] = []
    load = ssl.create_default_context

    def noted(**given: Any) -> ssl.SSLContext:
        loaded.append(given)
        return load(**given)

    monkeypatch.setattr(ssl, "create_default_context", noted)
    memory.remember("The harbour opens at six")
    with provider("openai", lambda *_: "Six [M1].") as server:
        with_key(memory, server, tmp_path)
        for _ in range(3):
            answer_of(memory, "When does the harbour open?")
    assert len(server.requests) == 3
    assert len(loaded) <= 1


def test_what_facts_answer_and_what_is_not_known_is_sent_to_no_model(memory: Memory, tmp_path: Path) -> None:
    with provider("openai") as server:
        with_key(memory, server, tmp_path)
        memory.facts.set("colors", "Blue", 1)
        text, end = answer_of(memory, "What is my favorite color?")
        assert "Blue" in text
        assert end["model"] is None
        assert answer_of(memory, "Who mends the sails?", project="*", workspace="none")[1]["model"] is None
    assert server.requests == []


def test_only_owners_and_admins_in_person_manage_models(store: Store) -> None:
    memory = memory_on(store)
    memory.models.add("m", "some-model", url="http://127.0.0.1:9")
    acts: list[Callable[[Memory], object]] = [
        lambda one: one.models.add("n", "some-model"),
        lambda one: one.models.remove("m"),
        lambda one: one.models.accept("m"),
    ]
    for other in (memory_on(store, user="ben", role=Role.MEMBER), memory_on(store, agent="coder")):
        for act in acts:
            with pytest.raises((AccessDenied, Refusal)):
                act(other)
    with pytest.raises(Conflict, match="already"):
        memory.models.add("m", "other-model")
    with pytest.raises(NotFound):
        memory.models.remove("n")
    assert [model.name for model in memory.models.list()] == ["m"]


@pytest.mark.parametrize(
    "url",
    [
        "http://model.example/v1", "ftp://model.example", "model.example", "https://me:pw@model.example", "https://",
        "https://model.example/v1?key=1", "http://", "https://model.example:99999", "http://169.254.169.254.example/",
    ],
)  # fmt: skip
def test_an_address_is_encrypted_or_of_this_machine(memory: Memory, url: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        memory.models.add("m", "some-model", url=url)
    assert caught.value.code == "model_address_invalid"


@pytest.mark.parametrize(
    "url", ["http://169.254.169.254/latest", "https://169.254.169.254/v1", "http://0.0.0.0:80"]
)
def test_addresses_that_serve_credentials_of_the_machine_are_never_called(memory: Memory, url: str) -> None:
    memory.models.add("m", "some-model", url=url)
    with pytest.raises(AccessDenied) as caught:
        memory.models.test("m")
    assert caught.value.code == "model_address_refused"


def test_a_key_is_sent_to_its_own_address_only(memory: Memory, tmp_path: Path) -> None:
    with provider("openai") as server, provider("openai") as other:
        with_key(memory, server, tmp_path)
        memory.models.add("other", "some-model", url=other.url)
        with pytest.raises(HoldfastError):
            memory.models.test("other")
    assert "Authorization" not in other.requests[0]["headers"]
    assert "sk-1" not in json.dumps(other.requests)


def test_over_a_service_only_listed_addresses_are_added(store: Store) -> None:
    memory = memory_on(store)
    by_key = Memory.over(replace(memory._service, by_credential=True))
    with pytest.raises(AccessDenied) as caught:
        by_key.models.add("m", "some-model", url="https://10.0.0.8/v1")
    assert caught.value.code == "model_address_refused"
    listed = replace(memory._service, by_credential=True, model_addresses=("https://10.0.0.8",))
    assert Memory.over(listed).models.add("m", "some-model", url="https://10.0.0.8/v1").host == "10.0.0.8"
