"""The head file: the last acknowledged event, kept next to the database to notice when history is lost.

Damage to a write-ahead log can silently drop committed rows while the database still looks sound. The head
is written after each commit, which is synced, so a database that ends before it has lost something. The head
itself reaches the disk in the system's own time: a loss of power may leave it behind, never ahead.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import threading
import time
from collections.abc import Iterator
from pathlib import Path

from holdfast.core.errors import Damaged, StoreBusy
from holdfast.core.events import GENESIS, Head
from holdfast.stores.sqlite.safe_files import open_beside

_LENGTH = 20 + 1 + len(GENESIS) + 1
REPLACED_TIMEOUT = 30.0
"""Seconds for which an opening waits until a store is replaced, by a restore or under another key."""
_LOCKS: dict[Path, threading.Lock] = {}


def head_line(head: Head) -> bytes:
    """Returns the content of a head file."""
    return f"{head.sequence:020d} {head.hash}\n".encode()


def history_lost(path: Path, acknowledged: Head, last: Head) -> Damaged:
    """Returns the error of a store that ends with another event than the one that was acknowledged last."""
    lost = acknowledged.sequence - last.sequence
    what = (
        f"{lost} acknowledged event{'s are' if lost > 1 else ' is'} missing from {path}, as"
        f" {path}.head tells: it was deleted or rolled back, or its write-ahead log was damaged"
        if lost > 0
        else f"{path} is not what was written last: event {acknowledged.sequence} is another,"
        " so it is a copy that was written elsewhere"
    )
    hint = (
        "restore a backup, or accept the loss, as where it was deleted on purpose:"
        " `holdfast doctor --accept-loss`, `Memory.accept_loss`"
    )
    return Damaged(what, code="history_lost", hint=hint)


class HeadFile:
    """The head of one store, and the lock by which processes see that others have it open."""

    def __init__(self, path: Path, *, writable: bool) -> None:
        """Opens the file if there is one, as soon as nobody replaces the store. Raises StoreBusy."""
        self._path, self._writable = path, writable
        # a lock on a file is lost when the process closes any handle on it: one thread at a time
        self._lock = _LOCKS.setdefault(path.resolve(), threading.Lock())
        self._handle: int | None = None
        self.is_alone = False
        self._open(0)

    def create(self) -> None:
        """Makes the file if there is none. Raises StoreBusy."""
        if self._handle is None and self._writable:
            self._open(os.O_CREAT)

    def _open(self, flags: int) -> None:
        with contextlib.suppress(OSError):
            self._handle = open_beside(self._path, flags | (os.O_RDWR if self._writable else os.O_RDONLY))
        try:
            self.is_alone = self._shared()
        except BaseException:
            self.close()
            raise

    @classmethod
    @contextlib.contextmanager
    def alone(cls, path: Path) -> Iterator[bool]:
        """Locks a store against every other process and opening while the context lasts, if nobody has it
        open. Yields whether it did. Raises OSError.
        """
        with _LOCKS.setdefault(path.resolve(), threading.Lock()):
            handle = open_beside(path, os.O_RDWR | os.O_CREAT)
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                os.close(handle)
                handle = -1
            try:
                yield handle >= 0
            finally:
                if handle >= 0:
                    os.close(handle)

    def read(self) -> Head:
        """Returns the acknowledged head; the beginning of the chain if the file is missing or unreadable."""
        if self._handle is None:
            return Head()
        with self._lock:
            # locked, so that half of another process's write is never seen
            fcntl.lockf(self._handle, fcntl.LOCK_SH)
            try:
                return self._read_head()
            finally:
                fcntl.lockf(self._handle, fcntl.LOCK_UN)

    def write(self, head: Head, *, force: bool = False) -> None:
        """Records a committed head, unless a later one is already recorded. Raises OSError."""
        if self._handle is None:
            return
        with self._lock:
            fcntl.lockf(self._handle, fcntl.LOCK_EX)
            try:
                if force or self._read_head().sequence < head.sequence:
                    os.pwrite(self._handle, head_line(head), 0)
            finally:
                fcntl.lockf(self._handle, fcntl.LOCK_UN)

    def close(self) -> None:
        """Closes the file and its lock; its content is synced."""
        if self._handle is not None:
            with self._lock:
                with contextlib.suppress(OSError):
                    getattr(os, "fdatasync", os.fsync)(self._handle)  # macOS has no fdatasync
                os.close(self._handle)
            self._handle = None

    def _read_head(self) -> Head:
        """Returns the head in the file, which the caller locks; the beginning of the chain if unreadable."""
        assert self._handle is not None
        try:
            sequence, _, digest = os.pread(self._handle, _LENGTH, 0).decode("ascii").strip().partition(" ")
            return Head(int(sequence), digest) if len(digest) == len(GENESIS) else Head()
        except (OSError, ValueError):
            return Head()

    def _shared(self) -> bool:
        """Returns whether nobody else has the store open, and takes a shared lock from then on, as soon as
        nobody replaces it. Raises StoreBusy if that takes long."""
        if self._handle is None:
            return False
        try:
            fcntl.flock(self._handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            alone = True
        except OSError:
            alone = False
        until = time.monotonic() + REPLACED_TIMEOUT
        while True:
            try:
                fcntl.flock(self._handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
            except BlockingIOError as error:
                if time.monotonic() > until:
                    raise StoreBusy(
                        f"the store of {self._path} is being restored, or gets another key",
                        code="store_busy",
                        hint="try again when that is done",
                    ) from error
                time.sleep(0.02)
            except OSError:  # a file system without locks
                return alone
            else:
                return alone
