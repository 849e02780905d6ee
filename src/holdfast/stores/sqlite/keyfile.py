"""The file of API keys: their digests beside the store, never in it, in its backups or its exports."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from holdfast.core.errors import StoreError
from holdfast.stores.base.keys import Key, key_of
from holdfast.stores.sqlite.cipher import StoreKey
from holdfast.stores.sqlite.sealed import read_sealed, write_sealed

VERSION = 1


class KeyFile:
    """Keys as one small JSON file, readable by its owner only, and encrypted where the store is.

    It is replaced as a whole, synced, and read again when it has changed, so that a key revoked by one
    process ends in all.
    """

    def __init__(self, path: Path, key: StoreKey | None = None) -> None:
        self.path = path
        self._key = key
        self._stamp: tuple[int, int, int] | None = None
        self._keys: tuple[Key, ...] = ()

    def all(self) -> Sequence[Key]:
        """Returns all keys in the file now. Raises StoreError."""
        try:
            state = os.stat(self.path)
        except FileNotFoundError:
            return ()
        except OSError as error:
            raise self._unusable(error) from error
        seen = (state.st_ino, state.st_mtime_ns, state.st_size)
        if seen != self._stamp:
            self._keys, self._stamp = self._read(), seen
        return self._keys

    def put(self, key: Key) -> None:
        """Adds a key or replaces the one with its id. Raises StoreError."""
        self._write([*(stored for stored in self.all() if stored.id != key.id), key])

    def drop(self, id: str) -> None:
        """Removes a key, if there is one. Raises StoreError."""
        if any(key.id == id for key in self.all()):
            self._write([key for key in self.all() if key.id != id])

    def _write(self, keys: Sequence[Key]) -> None:
        """Writes all keys to the file. Raises StoreError."""
        keys = sorted(keys, key=lambda key: (key.created_at, key.id))
        document = json.dumps({"version": VERSION, "keys": [asdict(key) for key in keys]}, indent=1)
        try:
            write_sealed(self.path, document.encode(), self._key)
        except OSError as error:
            raise self._unusable(error) from error
        self._stamp = None

    def _read(self) -> tuple[Key, ...]:
        """Reads all keys from the file. Raises StoreError."""
        try:
            document = json.loads(read_sealed(self.path, self._key))
            if document["version"] != VERSION:
                raise ValueError(f"version {document['version']}")
            return tuple(key_of(key) for key in document["keys"])
        except (OSError, ValueError, TypeError, KeyError, StoreError) as error:
            raise self._unusable(error) from error

    def _unusable(self, error: Exception) -> StoreError:
        """Returns the error for a file that cannot be read or written; of its cause it tells the type."""
        return StoreError(
            f"the keys in {self.path} cannot be used: {type(error).__name__}",
            code="keys_unusable",
            hint="check the file and its folder; without it no key is valid",
        )
