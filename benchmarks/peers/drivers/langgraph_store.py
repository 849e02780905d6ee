"""LangGraph's SqliteStore, the long-term memory of its agents: the project is a namespace."""

# mypy: disable-error-code="import-not-found,import-untyped"

from __future__ import annotations

import uuid
from collections.abc import Sequence
from pathlib import Path

from langgraph.store.base import PutOp
from langgraph.store.sqlite import SqliteStore

from benchmarks.peers.drivers.driver import DIM, Driver, Text, floats

_PAGE = 1_000


class LangGraph(Driver):
    """It calls an embedder on its own: here one that looks vectors up."""

    def open(self, folder: Path) -> None:
        index = {
            "dims": DIM,
            "embed": lambda texts: [floats(self.vector_of(text)) for text in texts],
            "fields": ["text"],
            # Version 3.1 reads this name, not the documented one; without it, it embeds the whole value.
            "text_fields": ["text"],
        }
        self._opened = SqliteStore.from_conn_string(str(folder / "store.db"), index=index)
        self._store = self._opened.__enter__()
        self._store.setup()

    def add(self, project: str, items: Sequence[Text]) -> None:
        if len(items) == 1:
            self._store.put(("memory", project), uuid.uuid4().hex, {"text": items[0].text})
        else:
            self._store.batch(
                [PutOp(("memory", project), uuid.uuid4().hex, {"text": item.text}) for item in items]
            )

    def recall(self, project: str, query: Text, limit: int) -> list[str]:
        found = self._store.search(("memory", project), query=query.text, limit=limit)
        return [item.value["text"] for item in found]

    def texts(self) -> set[str]:
        held: set[str] = set()
        start = 0
        while page := self._store.search(("memory",), limit=_PAGE, offset=start):
            held.update(item.value["text"] for item in page)
            start += len(page)
        return held

    def close(self) -> None:
        self._opened.__exit__(None, None, None)
