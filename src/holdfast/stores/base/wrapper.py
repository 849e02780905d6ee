"""A store around another one, for parts that change a few of its calls."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from holdfast.core.errors import Damaged
    from holdfast.stores.base.derived import Derive
    from holdfast.stores.base.ports import Reader, Store, Writer
    from holdfast.stores.base.read_counts import ReadCounts


class StoreWrapper:
    """A store that passes every call on to another store. Subclasses change some of them."""

    def __init__(self, store: Store) -> None:
        self._store = store

    @property
    def location(self) -> str:
        return self._store.location

    @property
    def encryption(self) -> str | None:
        return self._store.encryption

    @property
    def lost(self) -> Damaged | None:
        return self._store.lost

    @property
    def digest_key(self) -> bytes:
        return self._store.digest_key

    @property
    def reads(self) -> ReadCounts | None:
        return self._store.reads

    def read(self) -> AbstractContextManager[Reader]:
        return self._store.read()

    def write(self, *, patience: int | None = None) -> AbstractContextManager[Writer]:
        return self._store.write(patience=patience)

    def check(self, *, thorough: bool, derive: Derive | None = None) -> list[str]:
        return self._store.check(thorough=thorough, derive=derive)

    def scrub(self) -> None:
        self._store.scrub()

    def reindex(self) -> None:
        self._store.reindex()

    def compact(self) -> int:
        return self._store.compact()

    def accept(self) -> None:
        self._store.accept()

    def close(self) -> None:
        self._store.close()
