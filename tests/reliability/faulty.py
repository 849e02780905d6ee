"""A disk that fails: a file system for SQLite, written in Python, that errs, fills up, tears writes,
kills the process, or keeps a record from which any loss of power can be played back."""

from __future__ import annotations

import os
import random
import signal
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import apsw

SECTOR = 512
"""Bytes that a disk writes whole or not at all."""
FAULTS = ("io", "full", "short")
"""An error of the device, no space left, and a write of which only half arrived."""


@dataclass(slots=True)
class Trouble:
    """What goes wrong: at the n-th write, sync or truncation, and for how many from there on."""

    at: int
    fault: str
    lasting: int = 1
    only_main: bool = False
    seen: int = 0
    struck: int = 0

    def strikes(self, file: str) -> bool:
        """Counts one act on a file; whether it goes wrong."""
        if self.only_main and file.endswith(("-wal", "-journal")):
            return False
        self.seen += 1
        if self.at <= self.seen < self.at + self.lasting:
            self.struck += 1
            return True
        return False


@dataclass(frozen=True, slots=True)
class Act:
    """One change of a file, or a mark (`name` empty) that the test set."""

    what: str
    name: str
    offset: int = 0
    data: bytes = b""


@dataclass(slots=True)
class Record:
    """All acts on the files of a store, in their order."""

    acts: list[Act] = field(default_factory=list)

    def mark(self, what: str) -> None:
        """Notes a moment, such as an acknowledgement."""
        self.acts.append(Act(what, ""))


class Disk(apsw.VFS):
    """The file system that SQLite sees; the methods have SQLite's names."""

    def __init__(self, name: str, *, trouble: Trouble | None = None, record: Record | None = None) -> None:
        self.vfs_name = name
        self.trouble = trouble
        self.record = record
        super().__init__(name, "")

    def xOpen(self, name: Any, flags: list[int]) -> DiskFile:
        return DiskFile(self, name, flags)

    def xDelete(self, name: str, sync: bool) -> None:
        if self.record is not None:
            self.record.acts.append(Act("delete", os.path.basename(name)))
        super().xDelete(name, sync)


class DiskFile(apsw.VFSFile):
    """One file of it."""

    def __init__(self, disk: Disk, name: Any, flags: list[int]) -> None:
        self._disk = disk
        path = name if isinstance(name, str) or name is None else name.filename()
        self._name = os.path.basename(path or "")
        super().__init__("", name, flags)

    def xWrite(self, data: bytes, offset: int) -> None:
        def half() -> None:
            super(DiskFile, self).xWrite(data[: len(data) // 2], offset)

        self._meet(apsw.SQLITE_IOERR_WRITE, half)
        self._note(Act("write", self._name, offset, bytes(data)))
        super().xWrite(data, offset)

    def xSync(self, flags: int) -> None:
        self._meet(apsw.SQLITE_IOERR_FSYNC)
        super().xSync(flags)
        self._note(Act("sync", self._name))

    def xTruncate(self, size: int) -> None:
        self._meet(apsw.SQLITE_IOERR_TRUNCATE)
        self._note(Act("truncate", self._name, size))
        super().xTruncate(size)

    def _note(self, act: Act) -> None:
        if self._disk.record is not None and self._name:
            self._disk.record.acts.append(act)

    def _meet(self, code: int, half: Callable[[], None] | None = None) -> None:
        trouble = self._disk.trouble
        if trouble is None or not trouble.strikes(self._name):
            return
        if half is not None and trouble.fault in ("short", "kill"):
            half()
        if trouble.fault == "kill":
            os.kill(os.getpid(), signal.SIGKILL)
        raise apsw.FullError("no space left") if trouble.fault == "full" else _io_error(code)


def _io_error(code: int) -> apsw.IOError:
    error = apsw.IOError("the device failed")
    error.extendedresult = code  # type: ignore[attr-defined]  # apsw reads it
    return error


def after_power_loss(acts: list[Act], rng: random.Random, folder: Path) -> None:
    """Writes the files as a disk could hold them if the power failed after these acts: all that was synced,
    and of the rest any sectors, written in any order. A deletion is sure when a file made later was synced,
    because SQLite then syncs the folder too."""
    files: dict[str, bytearray] = {}
    loose: dict[str, list[Act]] = {}
    deleted: dict[str, bytearray] = {}
    for act in acts:
        if act.what == "delete":
            _settle(files.setdefault(act.name, bytearray()), loose.pop(act.name, []), rng)
            deleted[act.name] = files.pop(act.name)
        elif act.what == "sync":
            if act.name not in files:
                deleted.clear()
            durable = files.setdefault(act.name, bytearray())
            for one in loose.pop(act.name, []):
                _put(durable, one)
        elif act.name:
            loose.setdefault(act.name, []).append(act)
    for name, rest in loose.items():
        _settle(files.setdefault(name, bytearray()), rest, rng)
    for name, content in deleted.items():
        if name not in files and rng.random() < 0.5:
            files[name] = content
    for name, content in files.items():
        (folder / name).write_bytes(content)


def _settle(file: bytearray, acts: list[Act], rng: random.Random) -> None:
    """Puts some sectors of unsynced writes into a file, in any order."""
    share = rng.choice((0.0, 0.3, 0.7, 1.0))
    sectors: list[Act] = []
    for act in acts:
        if act.what == "truncate":
            sectors.append(act)
            continue
        sectors += [
            Act("write", act.name, act.offset + start, act.data[start : start + SECTOR])
            for start in range(0, len(act.data), SECTOR)
        ]
    rng.shuffle(sectors)
    for sector in sectors:
        if rng.random() < share:
            _put(file, sector)


def _put(file: bytearray, act: Act) -> None:
    if act.what == "truncate":
        del file[act.offset :]
        file.extend(bytes(act.offset - len(file)))
        return
    end = act.offset + len(act.data)
    file.extend(bytes(max(0, end - len(file))))
    file[act.offset : end] = act.data
