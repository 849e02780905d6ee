"""The storage of CrewAI's memory, with its own embedder."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from holdfast import Memory

pytest.importorskip("crewai")

from crewai import Memory as CrewMemory
from crewai.memory.storage.backend import StorageBackend
from crewai.memory.types import MemoryRecord

from holdfast.integrations.crewai import HoldfastStorage


def crew_memory(memory: Memory, **place: Any) -> Any:
    storage = HoldfastStorage(memory, **place)
    return CrewMemory(storage=storage, embedder=storage.embedder, llm="gpt-4o-mini")


def remember(memory: Any, text: str, scope: str = "/kitchen") -> None:
    memory.remember(text, scope=scope, categories=["notes"], importance=0.5)


def recall(memory: Any, query: str, **options: Any) -> list[str]:
    return [match.record.content for match in memory.recall(query, depth="shallow", **options)]


def test_what_is_remembered_is_recalled_by_its_meaning(host: Memory) -> None:
    memory = crew_memory(host)
    remember(memory, "Alex is allergic to nuts")
    remember(memory, "The bus leaves at nine", scope="/travel")
    assert recall(memory, "which allergies are there?")[0] == "Alex is allergic to nuts"
    assert recall(memory, "when does the bus leave?", scope="/travel") == ["The bus leaves at nine"]
    assert recall(memory, "when does the bus leave?", scope="/kitchen/oven") == []
    assert host.recall("allergic")[0].memory.text == "Alex is allergic to nuts"


def test_users_and_projects_are_apart(host: Memory) -> None:
    alex, kim = host.as_user("alex"), host.as_user("kim")
    remember(crew_memory(alex, project="cooking"), "The code of the oven is 4711")
    assert recall(crew_memory(alex, project="cooking"), "the code of the oven")
    for other in (crew_memory(kim, project="cooking"), crew_memory(alex, project="work"), crew_memory(alex)):
        assert recall(other, "the code of the oven") == []
        assert other.list_records() == []
        other.reset()
    assert recall(crew_memory(alex, project="cooking"), "the code of the oven")


def test_a_vector_that_stands_for_no_text_is_refused(host: Memory) -> None:
    with pytest.raises(ValueError, match="embedder"):
        HoldfastStorage(host).search([0.5] * 1536)


def test_it_is_a_storage_and_its_calls_are_awaited_too(host: Memory) -> None:
    storage = HoldfastStorage(host)
    assert isinstance(storage, StorageBackend)
    records = [MemoryRecord(content=f"Oven {n} is hot", scope="/a/b", metadata={"n": n}) for n in range(3)]

    async def run() -> tuple[Any, int]:
        await storage.asave(records)
        (vector,) = storage.embedder(["Is the oven hot?"])
        matches = await storage.asearch(vector, scope_prefix="/a", metadata_filter={"n": 1})
        return matches, await storage.adelete(record_ids=[records[0].id])

    matches, deleted = asyncio.run(run())
    assert [record.id for record, _ in matches] == [records[1].id]
    assert (deleted, storage.count("/a"), storage.list_scopes()) == (1, 2, ["/a"])
    assert storage.get_record(records[2].id) == records[2]


def test_an_update_replaces_a_record_or_leaves_it_as_it_was(host: Memory) -> None:
    storage = HoldfastStorage(host)
    record = MemoryRecord(content="The oven is hot", scope="/a")
    storage.save([record])
    changed = record.model_copy(update={"content": "The oven is cold", "scope": "/b"})
    storage.update(changed)
    assert storage.list_records() == [changed]
    assert storage.count("/a") == 0
    with pytest.raises(TypeError):
        storage.update(record.model_copy(update={"metadata": {"parts": {1, 2}}}))
    assert storage.get_record(record.id) == changed
