"""The spool: payloads of jobs, as files next to the store, encrypted with its key if it has one."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from holdfast.core.errors import NotFound, StoreError
from holdfast.stores.sqlite.cipher import StoreKey, sync_folder
from holdfast.stores.sqlite.sealed import read_sealed, write_sealed


class Spool:
    """One file for each job in a folder of its own, written whole and synced before it counts."""

    def __init__(self, folder: Path, key: StoreKey | None = None) -> None:
        self.folder = folder
        self.key = key

    def put(self, id: str, content: bytes) -> None:
        """Stores a payload under an id. Raises StoreError."""
        try:
            self.folder.mkdir(mode=0o700, exist_ok=True)
            write_sealed(self.folder / id, content, self.key)
            sync_folder(self.folder.parent)
        except OSError as error:
            raise self._unusable(error) from error

    def read(self, id: str) -> bytes:
        """Returns a payload. Raises NotFound `job_payload_gone`, or StoreError."""
        try:
            return read_sealed(self.folder / id, self.key)
        except FileNotFoundError:
            raise NotFound(
                "the payload of the job no longer exists", code="job_payload_gone", hint="send it again"
            ) from None
        except OSError as error:
            raise self._unusable(error) from error

    def drop(self, id: str) -> None:
        """Removes a payload, if there is one. Raises StoreError."""
        try:
            (self.folder / id).unlink(missing_ok=True)
        except FileNotFoundError:  # the folder itself
            return
        except OSError as error:
            raise self._unusable(error) from error

    def entries(self) -> list[tuple[str, int]]:
        """Returns ids and when each was stored (UTC epoch milliseconds), including incomplete ones."""
        payloads: list[tuple[str, int]] = []
        with suppress(FileNotFoundError), os.scandir(self.folder) as entries:
            for entry in entries:
                with suppress(FileNotFoundError):
                    payloads.append((entry.name, entry.stat().st_mtime_ns // 1_000_000))
        return payloads

    def _unusable(self, error: OSError) -> StoreError:
        """Returns the error for a folder that fails, with the reason that the system gives."""
        return StoreError(
            f"{self.folder} cannot be used: {error.strerror or type(error).__name__}",
            code="store_io",
            hint="check the folder of the store",
        )
