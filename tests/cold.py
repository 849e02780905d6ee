"""A store of which every read is that of a new process: it opens the index from blocks, small ones."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from unittest.mock import patch

from holdfast.stores.base.ports import Reader
from holdfast.stores.sqlite import blocks
from holdfast.stores.sqlite.store import SqliteStore


class ColdStore(SqliteStore):
    """Writes blocks after every third transaction, and forgets its segments before each read."""

    def __init__(self, *args: object, **options: object) -> None:
        self._writes = 0
        super().__init__(*args, **options)  # type: ignore[arg-type]

    @contextmanager
    def read(self) -> Iterator[Reader]:
        with self._index.lock:
            self._index.drop(list(self._index._segments))
        with super().read() as snap:
            yield snap

    def _write_blocks_if_due(self) -> None:
        self._writes += 1
        if self._writes % 3 == 0:
            with patch.object(blocks, "BLOCK_ROWS", 3), self._write_lock:
                self._write_blocks()

    def close(self) -> None:
        if not self._closed:
            with self.read() as snap:
                assert list(blocks.wrong_blocks(snap.connection)) == []  # type: ignore[attr-defined]
        super().close()
