"""Documents, on which the adapters to frameworks are built: what is stored comes back to the character."""

from __future__ import annotations

import asyncio
from pathlib import Path

import hypothesis.strategies as st
import pytest
from hypothesis import given, settings

from holdfast import AsyncMemory
from holdfast.core.errors import InvalidInput
from holdfast.integrations.documents import Documents, text_of
from holdfast.integrations.filters import compares
from holdfast.stores.base.ports import Store
from tests.fakes import ManualClock
from tests.oracle import OracleStore
from tests.profiles import examples
from tests.support import memory_on

TEXTS = st.text(st.characters(codec="utf-8"), max_size=60) | st.sampled_from(
    ["", "\n", " a\r\nb\t\n\n", "e\u0301", "a\u200bb", "\ufeffx", "(empty)", '"json"', "\x00"]
)


@settings(max_examples=examples(60), deadline=None)
@given(st.lists(st.tuples(st.sampled_from("abc"), TEXTS), max_size=6))
def test_the_last_text_of_each_key_comes_back(puts: list[tuple[str, str]]) -> None:
    documents = Documents(memory_on(OracleStore()), "test")
    for key, text in puts:
        documents.put(key, text, {})
    expected = dict(puts)
    assert {key: text_of(record) for key in "abc" if (record := documents.get(key))} == expected
    assert len(list(documents.all())) == len(expected)


def test_documents_are_replaced_found_and_deleted(store: Store, clock: ManualClock) -> None:
    memory = memory_on(store, clock=clock)
    documents, others = Documents(memory, "one"), Documents(memory, "two")
    documents.put("a", "Bread and butter\r\n", {"n": 1})
    documents.put("a", "Bread and honey\r\n", {"n": 2})
    documents.put("b", "The same", {"n": 2})
    others.put("a", "Bread for others", {})
    record = documents.get("a")
    assert record is not None
    assert (text_of(record), record.metadata["n"], record.version) == ("Bread and honey\r\n", 2, 2)
    assert [hit.memory.id for hit in documents.search("bread")] == [record.id]
    assert len(list(documents.all({"n": 2}))) == 2
    assert documents.delete("a")
    assert not documents.delete("a")
    assert documents.get("a") is None
    assert others.get("a") is not None


def test_a_deleted_document_may_be_written_again(store: Store, clock: ManualClock) -> None:
    person = memory_on(store, clock=clock)
    agent = Documents(memory_on(store, clock=clock, agent="bot"), "test")
    for documents, text in ((Documents(person, "test"), "Bread"), (agent, "Butter")):
        for _ in range(2):
            documents.put("a", text, {})
            assert documents.delete("a")
    agent.put("a", "The door code is on the fridge", {})
    person.forget(next(agent.all()).id)
    with pytest.raises(InvalidInput, match="it was forgotten"):
        agent.put("a", "The door code is on the fridge", {})
    agent.put("a", "The door is open", {})
    assert [text_of(one) for one in agent.all()] == ["The door is open"]


def test_an_expired_document_is_gone_until_it_is_put_again(store: Store, clock: ManualClock) -> None:
    documents = Documents(memory_on(store, clock=clock), "test")
    record = documents.put("a", "For a day", {}, expires_at="2026-01-02")
    clock.forward(days=0.5)
    documents.extend(record, "2026-01-03")
    clock.forward(days=1)
    assert documents.get("a") is not None
    clock.forward(days=1)
    assert documents.get("a") is None
    assert list(documents.all()) == []
    documents.extend(record, "2026-01-09")
    documents.put("a", "For good", {})
    assert [text_of(one) for one in documents.all()] == ["For good"]


def test_a_document_that_is_too_long_is_refused(store: Store) -> None:
    with pytest.raises(InvalidInput, match="characters"):
        Documents(memory_on(store), "test").put("a", "x" * 1_000_001, {})


def test_comparisons_of_nested_values() -> None:
    value = {"a": {"b": 3}, "tags": ["x"]}
    assert compares(value, {"a": {"b": {"$gte": 3}}}, prefix="$")
    assert not compares(value, {"a": {"b": {"$gt": 3, "$lt": 9}}}, prefix="$")
    assert compares(value, {"tags": ["x"]}, prefix="$")
    assert not compares("text", {"$gt": 3}, prefix="$")
    with pytest.raises(ValueError, match="Unsupported operator"):
        compares(3, {"$near": 3}, prefix="$")


def test_an_asynchronous_memory_is_refused_at_once(tmp_path: Path) -> None:
    memory = AsyncMemory(tmp_path / "notes.db")
    with pytest.raises(TypeError, match=r"holdfast\.Memory is needed, not AsyncMemory"):
        Documents(memory, "test")  # type: ignore[arg-type]
    asyncio.run(memory.close())
