"""Chroma as a library and as a server: one collection, the project as metadata to filter by."""

# mypy: disable-error-code="import-not-found,import-untyped"

from __future__ import annotations

import uuid
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import chromadb

from benchmarks.peers.drivers.driver import EVERYWHERE, Driver, Text, address, floats

_PAGE = 5_000


class Chroma(Driver):
    """Exactly the words of its tutorial, with vectors that are given."""

    def open(self, folder: Path) -> None:
        self._collection = self.client(folder).get_or_create_collection(
            "memory", embedding_function=None, configuration={"hnsw": {"space": "cosine"}}
        )

    def client(self, folder: Path) -> Any:
        """What speaks to the store."""
        return chromadb.PersistentClient(path=str(folder))

    def add(self, project: str, items: Sequence[Text]) -> None:
        self._collection.add(
            ids=[uuid.uuid4().hex for _ in items],
            documents=[item.text for item in items],
            embeddings=[floats(item.vector) for item in items],
            metadatas=[{"project": project} for _ in items],
        )

    def recall(self, project: str, query: Text, limit: int) -> list[str]:
        found = self._collection.query(
            query_embeddings=[floats(query.vector)],
            n_results=limit,
            where=None if project == EVERYWHERE else {"project": project},
            include=["documents"],
        )
        return list(found["documents"][0])

    def texts(self) -> set[str]:
        held: set[str] = set()
        for start in range(0, self._collection.count(), _PAGE):
            page = self._collection.get(limit=_PAGE, offset=start, include=["documents"])
            held.update(page["documents"])
        return held


class Server(Chroma):
    """The same over HTTP."""

    def client(self, folder: Path) -> Any:
        where = urlsplit(address(folder))
        return chromadb.HttpClient(host=str(where.hostname), port=int(where.port or 0))
