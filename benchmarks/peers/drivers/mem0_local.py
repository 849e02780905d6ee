"""mem0 without a language model (`infer=False`) over its local vector stores: the project is the user."""

# mypy: disable-error-code="import-not-found,import-untyped"

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from mem0 import Memory

from benchmarks.peers.drivers.driver import DIM, Driver, Text, floats

_ALL = 100_000


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
        store: dict[str, Any] = {"path": str(folder / "vectors"), "embedding_model_dims": DIM}
        unused = {"provider": "openai", "config": {"api_key": "unused"}}
        self._memory = Memory.from_config(
            {
                "vector_store": {"provider": self.provider, "config": {**store, **self.options()}},
                "embedder": unused,
                "llm": unused,
                "history_db_path": str(folder / "history.db"),
            }
        )
        self._memory.embedding_model = _Lookup(self)

    def options(self) -> dict[str, Any]:
        return {"on_disk": True}

    def add(self, project: str, items: Sequence[Text]) -> None:
        messages = [{"role": "user", "content": item.text} for item in items]
        added = self._memory.add(messages, user_id=project, infer=False)
        if len(added["results"]) != len(items):
            raise RuntimeError(f"kept {len(added['results'])} of {len(items)} texts")

    def recall(self, project: str, query: Text, limit: int) -> list[str]:
        found = self._memory.search(query.text, filters={"user_id": project}, top_k=limit, threshold=0.0)
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

    def options(self) -> dict[str, Any]:
        return {"distance_strategy": "cosine"}
