"""mem0 without a language model (`infer=False`) over its vector stores: the project is the user."""

# mypy: disable-error-code="import-not-found,import-untyped"

from __future__ import annotations

import hashlib
import uuid
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from mem0 import Memory
from mem0.utils.lemmatization import lemmatize_for_bm25

from benchmarks.peers.drivers.driver import DIM, EVERYWHERE, Driver, Text, address, floats

_ALL = 100_000
_AGENT = "team"
"""Whom all of it belongs to: mem0 wants some name in each search, so all projects are those of one agent."""


class _Lookup:
    """Stands where mem0 keeps its embedder."""

    def __init__(self, driver: Driver) -> None:
        self._driver = driver

    def embed(self, text: str, memory_action: str | None = None) -> list[float]:
        return floats(self._driver.vector_of(text))

    def embed_batch(self, texts: Sequence[str], memory_action: str | None = None) -> list[list[float]]:
        return [self.embed(text) for text in texts]


class Qdrant(Driver):
    """Its default store, qdrant, in a local folder. The language model is configured and never called."""

    provider = "qdrant"

    def open(self, folder: Path) -> None:
        unused = {"provider": "openai", "config": {"api_key": "unused"}}
        self._memory = Memory.from_config(
            {
                "vector_store": {"provider": self.provider, "config": self.options(folder)},
                "embedder": unused,
                "llm": unused,
                "history_db_path": str(folder / "history.db"),
            }
        )
        self._memory.embedding_model = _Lookup(self)

    def options(self, folder: Path) -> dict[str, Any]:
        """How its store is set."""
        return {"path": str(folder / "vectors"), "embedding_model_dims": DIM, "on_disk": True}

    def add(self, project: str, items: Sequence[Text]) -> None:
        messages = [{"role": "user", "content": item.text} for item in items]
        added = self._memory.add(messages, user_id=project, agent_id=_AGENT, infer=False)
        if len(added["results"]) != len(items):
            raise RuntimeError(f"kept {len(added['results'])} of {len(items)} texts")

    def recall(self, project: str, query: Text, limit: int) -> list[str]:
        whose = {"agent_id": _AGENT} if project == EVERYWHERE else {"user_id": project}
        found = self._memory.search(query.text, filters=whose, top_k=limit, threshold=0.0)
        return [memory["memory"] for memory in found["results"]]

    def texts(self) -> set[str]:
        held: set[str] = set()
        for project in (f"p{number}" for number in range(50)):
            page = self._memory.get_all(filters={"user_id": project}, top_k=_ALL)
            held.update(memory["memory"] for memory in page["results"])
        return held

    def close(self) -> None:
        self._memory.close()


class Faiss(Qdrant):
    """The same over faiss."""

    provider = "faiss"

    def options(self, folder: Path) -> dict[str, Any]:
        path = str(folder / "vectors")
        return {"path": path, "embedding_model_dims": DIM, "distance_strategy": "cosine"}


class Pgvector(Qdrant):
    """The same over its own store in PostgreSQL, as it sets that up: with an HNSW index. Several texts go to
    that store directly, in the form in which `add` would write each: by `add`, 100,000 take an hour."""

    provider = "pgvector"

    def add(self, project: str, items: Sequence[Text]) -> None:
        if len(items) == 1:
            super().add(project, items)
            return
        now = datetime.now(UTC).isoformat()
        whose = {"user_id": project, "agent_id": _AGENT, "role": "user", "created_at": now, "updated_at": now}
        self._memory.vector_store.insert(
            vectors=[floats(item.vector) for item in items],
            ids=[str(uuid.uuid4()) for _ in items],
            payloads=[
                {
                    "data": item.text,
                    "hash": hashlib.md5(item.text.encode(), usedforsecurity=False).hexdigest(),
                    "text_lemmatized": lemmatize_for_bm25(item.text),
                    **whose,
                }
                for item in items
            ],
        )

    def options(self, folder: Path) -> dict[str, Any]:
        return {"connection_string": address(folder), "embedding_model_dims": DIM}
