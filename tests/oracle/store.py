"""The store of the oracle: a transaction works on a copy."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from holdfast.core.errors import Damaged, StoreError
from holdfast.stores.base.derived import Derive
from holdfast.stores.base.ports import Reader, Writer
from tests.oracle.state import Contents
from tests.oracle.writer import OracleTransaction


class OracleStore:
    """A store in memory: one transaction writes at a time."""

    def __init__(self) -> None:
        self._state = Contents()
        self._closed = False
        self._writing = threading.RLock()
        self._key = os.urandom(32)

    @property
    def location(self) -> str:
        return "memory"

    @property
    def encryption(self) -> str | None:
        return None

    @property
    def digest_key(self) -> bytes:
        return self._key

    @property
    def reads(self) -> None:
        return None

    @property
    def lost(self) -> Damaged | None:
        return None

    @contextmanager
    def read(self) -> Iterator[Reader]:
        self._check_open()
        yield OracleTransaction(self._state, self._state)

    @contextmanager
    def write(self, *, patience: int | None = None) -> Iterator[Writer]:
        self._check_open()
        with self._writing:
            draft = self._state.copied()
            yield OracleTransaction(draft, self._state)
            self._state = draft

    def check(self, *, thorough: bool, derive: Derive | None = None) -> list[str]:
        return []

    def scrub(self) -> None:
        return None

    def reindex(self) -> None:
        return None

    def compact(self) -> int:
        return 0

    def accept(self) -> None:
        return None

    def close(self) -> None:
        self._closed = True

    def _check_open(self) -> None:
        if self._closed:
            raise StoreError("this memory was closed", code="store_closed")
