"""Reports changes below a folder by inotify, with a watch on every folder that is not excluded."""

from __future__ import annotations

import ctypes
import errno
import os
import select
import struct
import time
from collections.abc import Callable

_OPENED = os.O_CLOEXEC | os.O_NONBLOCK
_MODIFY, _ATTRIB, _CLOSE_WRITE = 0x2, 0x4, 0x8
_MOVED_FROM, _MOVED_TO, _CREATE, _DELETE = 0x40, 0x80, 0x100, 0x200
_DELETE_SELF, _MOVE_SELF, _UNMOUNT, _OVERFLOW, _IGNORED = 0x400, 0x800, 0x2000, 0x4000, 0x8000
_ONLY_FOLDERS, _THROUGH_NO_LINK, _NOT_AFTER_UNLINK = 0x1000000, 0x2000000, 0x4000000
_IS_FOLDER = 0x40000000
_MASK = (
    _MODIFY | _ATTRIB | _CLOSE_WRITE | _MOVED_FROM | _MOVED_TO | _CREATE | _DELETE | _DELETE_SELF | _MOVE_SELF
    | _ONLY_FOLDERS | _THROUGH_NO_LINK | _NOT_AFTER_UNLINK
)  # fmt: skip
_HEAD = struct.Struct("iIII")
_GOES_ON = frozenset((errno.ENOENT, errno.ENOTDIR, errno.EACCES, errno.ELOOP, errno.ENAMETOOLONG))
"""Errors for which a folder below the root is skipped: it is gone or unreadable."""
_READS = 16
"""Most reads of 64 KiB of events for one report."""
_SETTLES = 0.01
"""Seconds of waiting for more of the same burst, so that there are few reports."""


class Inotify:
    """A source of changes below `root`, a real path; all watches are set when it is created (S1.67).

    `is_apart` checks whether a relative path is excluded; such a folder takes no watch. A new folder is
    reported once it is watched itself: what was written into it before is found by the following scan, what
    is written later is reported. Raises OSError if the system has no watches left, also from `changes`.
    `is_stopped` is called at every folder that is walked; once it returns true, watching is over.
    """

    def __init__(
        self, root: str, is_apart: Callable[[str], bool], is_stopped: Callable[[], bool] = lambda: False
    ) -> None:
        self._root = root
        self._is_apart = is_apart
        self._is_stopped = is_stopped
        self._system = ctypes.CDLL(None, use_errno=True)
        self._watched: dict[int, str] = {}
        self._unread: set[str] = set()
        """Folders that could not be watched or listed for lack of permission."""
        self._descriptor = self._checked(self._system.inotify_init1(_OPENED))
        self.is_over = False
        """Whether reporting has ended: the root was removed or moved, changes were lost, or it was stopped.
        The caller starts a new watch and then scans everything."""
        try:
            self._top = self._watch("")
            self._watch_below("")
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Releases the watches."""
        os.close(self._descriptor)

    def changes(self, seconds: float) -> set[str]:
        """Waits for changes and returns the paths that were created, changed, moved or removed.

        Paths are relative with forward slashes; "" means any path. Waits at most `seconds` for the first.
        """
        poll = select.poll()
        poll.register(self._descriptor, select.POLLIN)
        if not poll.poll(seconds * 1_000):
            return set()
        time.sleep(_SETTLES)
        changed: set[str] = set()
        touched: set[str] = set()
        for _ in range(_READS):
            try:
                data = os.read(self._descriptor, 1 << 16)
            except BlockingIOError:
                break
            at = 0
            while at < len(data) and not self.is_over:
                watch, mask, _, length = _HEAD.unpack_from(data, at)
                at += _HEAD.size + length
                self._hear(watch, mask, data[at - length : at].rstrip(b"\0"), changed, touched)
            if self.is_over:
                break
        if touched and self._unread:
            self._try_again(touched)
        return changed

    def _hear(self, watch: int, mask: int, name: bytes, changed: set[str], touched: set[str]) -> None:
        """Adds the path of one event to `changed`, and to `touched` a folder whose permissions changed."""
        is_root = watch == self._top
        if mask & _OVERFLOW or (is_root and mask & (_DELETE_SELF | _MOVE_SELF | _UNMOUNT | _IGNORED)):
            self.is_over = True
            changed.add("")
            return
        if mask & _IGNORED:
            self._watched.pop(watch, None)
            return
        folder = self._watched.get(watch)
        if folder is None or not name:
            return  # events of a folder itself are reported by its parent
        path = f"{folder}/{os.fsdecode(name)}" if folder else os.fsdecode(name)
        if self._is_apart(path):
            return
        if mask & _IS_FOLDER:
            if mask & (_MOVED_FROM | _DELETE):
                self._unread = {unread for unread in self._unread if not _is_within(unread, path)}
            if mask & _MOVED_FROM:
                self._forget(path)
            elif mask & (_MOVED_TO | _CREATE):
                self._watch(path)
                self._watch_below(path)
            elif mask & _ATTRIB:
                touched.add(path)
        changed.add(path)

    def _watch(self, path: str) -> int:
        """Watches one folder and returns its watch, or -1 if it cannot be watched.

        A folder that was watched under another path is known by this one from now on.
        """
        self._unread.discard(path)
        full = os.fsencode(os.path.join(self._root, path))
        try:
            watch = self._checked(self._system.inotify_add_watch(self._descriptor, full, _MASK))
        except OSError as error:
            if path and error.errno in _GOES_ON:
                if error.errno == errno.EACCES:
                    self._unread.add(path)
                return -1
            raise
        self._watched[watch] = path
        return watch

    def _watch_below(self, path: str) -> None:
        """Watches every folder below a watched one, so that no new folder is missed."""
        waiting = [path]
        while waiting:
            if self._is_stopped():
                self.is_over = True
                return
            above = waiting.pop()
            try:
                with os.scandir(os.path.join(self._root, above)) as listing:
                    names = [entry.name for entry in listing if entry.is_dir(follow_symlinks=False)]
            except PermissionError:
                self._unread.add(above)
                continue
            except OSError:
                continue
            for name in names:
                place = f"{above}/{name}" if above else name
                if not self._is_apart(place) and self._watch(place) >= 0:
                    waiting.append(place)

    def _try_again(self, touched: set[str]) -> None:
        """Retries unreadable folders if attributes of them or of a folder above them have changed.

        Everything else is watched already, so touched folders are not walked again.
        """
        for path in sorted(self._unread):
            if self.is_over:
                return
            parts = path.split("/")
            is_touched = any("/".join(parts[:end]) in touched for end in range(1, len(parts) + 1))
            if is_touched and path in self._unread and self._watch(path) >= 0:
                self._watch_below(path)

    def _forget(self, path: str) -> None:
        """Ends the watches of a moved folder and of those in it."""
        for watch, watched_path in list(self._watched.items()):
            if _is_within(watched_path, path):
                del self._watched[watch]
                self._system.inotify_rm_watch(self._descriptor, watch)

    def _checked(self, result: int) -> int:
        if result < 0:
            code = ctypes.get_errno()
            raise OSError(code, os.strerror(code))
        return result


def _is_within(path: str, folder: str) -> bool:
    return path == folder or path.startswith(f"{folder}/")
