"""mcp-memory-service: the storage behind its MCP tools, called directly; the project is a store partition."""

# mypy: disable-error-code="import-not-found,import-untyped"

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from mcp_memory_service.models.memory import Memory
from mcp_memory_service.storage.sqlite_vec import SqliteVecMemoryStorage
from mcp_memory_service.utils.hashing import generate_content_hash

from benchmarks.peers.drivers.driver import DIM, Driver, Text


class _Lookup:
    """Stands where the service keeps its embedding model."""

    embedding_dimension = DIM

    def __init__(self, driver: Driver) -> None:
        self._driver = driver

    def encode(self, texts: Sequence[str], **_: Any) -> Any:
        return np.stack([np.frombuffer(self._driver.vector_of(text), np.float32) for text in texts])


class Semantic(Driver):
    """Its default search, by vectors. Merging of similar texts is switched off (see the environment)."""

    def open(self, folder: Path) -> None:
        lookup = _Lookup(self)

        class Storage(SqliteVecMemoryStorage):  # type: ignore[misc,unused-ignore]
            async def _initialize_embedding_model(self) -> None:
                self.embedding_model = lookup
                self.embedding_dimension = DIM

        self._loop = asyncio.new_event_loop()
        self._storage = Storage(str(folder / "memory.db"))
        self._await(self._storage.initialize())

    def add(self, project: str, items: Sequence[Text]) -> None:
        memories = [
            Memory(
                content=item.text, content_hash=generate_content_hash(item.text), tags=[], memory_type="note"
            )
            for item in items
        ]
        if len(memories) == 1:
            outcomes = [self._await(self._storage.store(memories[0], store=project))]
        else:
            outcomes = self._await(self._storage.store_batch(memories, store=project))
        for kept, reason in outcomes:
            if not kept:
                raise RuntimeError(reason)

    def recall(self, project: str, query: Text, limit: int) -> list[str]:
        found = self._await(self._storage.retrieve(query.text, n_results=limit, store=project))
        return [result.memory.content for result in found]

    def texts(self) -> set[str]:
        return {memory.content for memory in self._await(self._storage.get_all_memories(store=None))}

    def close(self) -> None:
        self._await(self._storage.close())
        self._loop.close()

    def _await(self, task: Coroutine[Any, Any, Any]) -> Any:
        return self._loop.run_until_complete(task)


class Hybrid(Semantic):
    """Its search by words and vectors, which a caller may ask for."""

    def recall(self, project: str, query: Text, limit: int) -> list[str]:
        found = self._await(self._storage.retrieve_hybrid(query.text, n_results=limit, store=project))
        return [result.memory.content for result in found]
