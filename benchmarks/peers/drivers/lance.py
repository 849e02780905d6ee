"""LanceDB as a library: one table, searched exactly behind a filter by project."""

# mypy: disable-error-code="import-not-found,import-untyped"

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import lancedb
import pyarrow

from benchmarks.peers.drivers.driver import DIM, Driver, Text, floats


class Lance(Driver):
    """No index by vector: within one project an exact scan is small, and an index would be approximate."""

    def open(self, folder: Path) -> None:
        schema = pyarrow.schema(
            [
                ("project", pyarrow.string()),
                ("text", pyarrow.string()),
                ("vector", pyarrow.list_(pyarrow.float32(), DIM)),
            ]
        )
        self._table = lancedb.connect(str(folder)).create_table("memory", schema=schema, exist_ok=True)

    def add(self, project: str, items: Sequence[Text]) -> None:
        self._table.add(
            [{"project": project, "text": item.text, "vector": floats(item.vector)} for item in items]
        )

    def settle(self) -> None:
        self._table.create_scalar_index("project")
        self._table.optimize()

    def recall(self, project: str, query: Text, limit: int) -> list[str]:
        search = self._table.search(floats(query.vector)).distance_type("cosine")
        found = search.where(f"project = '{project}'", prefilter=True).select(["text", "_distance"])
        return [row["text"] for row in found.limit(limit).to_list()]

    def texts(self) -> set[str]:
        return set(self._table.to_arrow()["text"].to_pylist())
