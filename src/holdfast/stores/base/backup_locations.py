"""Locations of backups: their protocol, the files of a backup, and the location that is a folder."""

from __future__ import annotations

import shutil
from collections.abc import Collection, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path
from stat import S_ISREG
from typing import Protocol

from holdfast.core.errors import StoreError
from holdfast.stores.base.whole_file import write_whole

NOTE = ".json"
"""Ending of the note next to a copy, which makes it a backup."""
MAKING = ".making"
"""Ending of the mark in a bucket for a backup that is being made."""
COPIED = ("", ".head", ".secret")
"""Endings of the files that a backup consists of."""
SMALL_MAX = 1_000_000
"""The most bytes of a file that is read as a whole, such as a note; a larger one is none."""
BESIDE = (*COPIED, NOTE, MAKING, ".replays", "-wal", "-shm")
"""Endings of all files that may be next to a copy."""


class BackupLocation(Protocol):
    """Keeps backups under flat names: each is a file with others next to it, and the note that makes it one.
    Every method raises OSError, or StoreError with a code of its own for a bucket."""

    @property
    def address(self) -> str:
        """Returns the folder, or the address of the bucket with its prefix."""

    @property
    def folder(self) -> Path | None:
        """Returns the folder; None for a bucket."""

    def address_of(self, name: str) -> str:
        """Returns the path or the address of a file."""

    def names(self) -> dict[str, int]:
        """Returns the files, each with the time at which it was written last."""

    def read(self, names: Collection[str]) -> Mapping[str, bytes | None]:
        """Returns the contents of small files, without those that are gone or larger than `SMALL_MAX`; None
        for one that the file system does not let read, which may pass."""

    def write(self, name: str, content: bytes) -> None:
        """Writes a small file as a whole."""

    def drafting(self, name: str, scratch: Path) -> AbstractContextManager[Path]:
        """Yields the path at which a new copy is to be made. Nothing of it is left if the body raises. What
        has to be on this machine for it alone goes into the folder `scratch`."""

    def publish(self, draft: Path, note: bytes) -> None:
        """Makes a finished draft a backup by its note, once all of it has arrived as it was sent."""

    def fetch(self, name: str, target: Path) -> None:
        """Copies a backup, without its note, to a path. Raises FileNotFoundError."""

    def delete(self, name: str) -> None:
        """Deletes a backup or a draft with all that is next to it."""


class FolderLocation:
    """Backups in a folder, where they are made in place."""

    def __init__(self, folder: Path) -> None:
        self.folder: Path | None = folder
        self._folder = folder

    @property
    def address(self) -> str:
        return str(self._folder)

    def address_of(self, name: str) -> str:
        return str(self._folder / name)

    def names(self) -> dict[str, int]:
        modified: dict[str, int] = {}
        try:
            for path in self._folder.iterdir():
                with suppress(OSError):
                    modified[path.name] = path.stat().st_mtime_ns // 1_000_000
        except (FileNotFoundError, NotADirectoryError):  # a folder that is not there has none
            return {}
        except OSError as error:
            raise StoreError(
                f"the folder of backups {self._folder} cannot be listed: {error.strerror}",
                code="store_io",
                hint="check the rights of the folder and its disk, then try again",
            ) from error
        return modified

    def read(self, names: Collection[str]) -> dict[str, bytes | None]:
        contents: dict[str, bytes | None] = {}
        for name in names:
            path = self._folder / name
            try:
                if S_ISREG(path.stat().st_mode):  # a pipe would be waited for
                    with path.open("rb") as file:
                        content = file.read(SMALL_MAX + 1)
                    if len(content) <= SMALL_MAX:
                        contents[name] = content
            except (FileNotFoundError, NotADirectoryError):
                continue
            except OSError:
                contents[name] = None
        return contents

    def write(self, name: str, content: bytes) -> None:
        write_whole(self._folder / name, content, synced=True)

    @contextmanager
    def drafting(self, name: str, scratch: Path) -> Iterator[Path]:
        try:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            yield self._folder / name
        except BaseException:
            with suppress(OSError):
                self.delete(name)
            raise

    def publish(self, draft: Path, note: bytes) -> None:
        self.write(f"{draft.name}{NOTE}", note)

    def fetch(self, name: str, target: Path) -> None:
        shutil.copyfile(self._folder / name, target)
        for ending in COPIED[1:]:
            with suppress(FileNotFoundError):
                shutil.copyfile(self._folder / f"{name}{ending}", f"{target}{ending}")

    def delete(self, name: str) -> None:
        failed: OSError | None = None
        for ending in BESIDE:
            try:
                (self._folder / f"{name}{ending}").unlink(missing_ok=True)
            except NotADirectoryError:
                return
            except OSError as error:
                failed = failed or error
        if failed is not None:
            raise failed
