"""txtai as a library: hybrid search (words and vectors) over one index, the project as a column."""

# mypy: disable-error-code="import-not-found,import-untyped"

from __future__ import annotations

import uuid
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from txtai import Embeddings

from benchmarks.peers.drivers.driver import Driver, Text

_SEARCH = "SELECT text FROM txtai WHERE similar(:query, {candidates}) AND project = :project"
_opened: list[Driver] = []


def look_up(texts: Sequence[str]) -> Any:
    """The embedder of the index, which txtai finds by its name."""
    vector_of = _opened[-1].vector_of
    return np.stack([np.frombuffer(vector_of(text), np.float32) for text in texts])


class Txtai(Driver):
    """It is durable only by `save`, which writes the whole index: each add is followed by one."""

    def open(self, folder: Path) -> None:
        _opened.append(self)
        self._path = str(folder / "index")
        self._index = Embeddings(
            method="external", transform=f"{__name__}.look_up", content=True, hybrid=True
        )
        if self._index.exists(self._path):
            self._index.load(self._path)

    def add(self, project: str, items: Sequence[Text]) -> None:
        rows = [(uuid.uuid4().hex, {"text": item.text, "project": project}, None) for item in items]
        self._index.upsert(rows)
        self._index.save(self._path)

    def recall(self, project: str, query: Text, limit: int) -> list[str]:
        # Its filter follows the search: without all candidates, one project of fifty would come back short.
        statement = f"{_SEARCH.format(candidates=self._index.count())} LIMIT {limit}"
        asked = {"query": query.text, "project": project}
        found = self._index.search(statement, parameters=asked)
        return [row["text"] for row in found]

    def texts(self) -> set[str]:
        if not self._index.exists(self._path):
            return set()
        return {row["text"] for row in self._index.search("SELECT text FROM txtai LIMIT 1000000")}

    def close(self) -> None:
        self._index.close()
