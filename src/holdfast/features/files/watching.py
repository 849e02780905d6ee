"""Watches folders and reports their changes in bursts until stopped."""

from __future__ import annotations

import os
import platform
import queue
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import closing, suppress
from dataclasses import dataclass, field
from pathlib import Path

from holdfast.features.reading.exclusions import Exclusions
from holdfast.features.reading.optional_packages import missing_extra

WHOLE: frozenset[str] = frozenset(("",))
"""Reported if any file may have changed: the folder is to be scanned completely."""
MAX_PATHS = 10_000
"""Most changed paths that are reported one by one; more of them are `WHOLE`."""

_TICK = 0.2
_LONGEST_WAIT = 30.0
"""Seconds after which changes are reported although more keep coming."""
_ROOTS_INTERVAL = 1.0
"""Seconds between two reads of the roots."""
_RESCAN_AFTER = 600.0
"""Seconds after a change until its folder is scanned completely again: not every file system reports
everything, and unreadable files may have become readable."""
_STOP_CHECK_INTERVAL = 0.25
"""Seconds between two checks of the stop event."""
_POLLED = 5_000
"""Milliseconds between two polls of a folder for which the system has no watches left."""


def watch(
    roots: Mapping[str, Path],
    on_change: Callable[[str, frozenset[str]], None],
    stop: threading.Event,
    debounce_ms: int = 1_500,
    *,
    store: str | None = None,
) -> None:
    """Reports changes below each root until `stop` is set; returns soon after (S1.67).

    `on_change` is called in this thread with the id of a source and relative paths (forward slashes):
    created, changed, deleted or renamed; the receiver looks at the disk. A path may be that of a folder,
    whose contents then came or went with it. Changes are collected until `debounce_ms` pass without another
    one, so that a burst is one call. `WHOLE` is reported first when watching a root begins, so that nothing
    earlier is missed; also when its folder comes back or goes away, when the system lost changes, when a
    .gitignore changes, and once more ten minutes after changes, for what no system reports.

    Default exclusions (`reading.defaults`) are not reported, nor changes of `store`: reporting those would
    change the store and never end. `roots` is read again every second: additions and removals are followed.
    Raises InvalidInput `extra_missing`, and whatever `on_change` raises.
    """
    try:
        import watchfiles  # noqa: F401
    except ModuleNotFoundError as error:
        raise missing_extra(error, "code") from error
    events: queue.SimpleQueue[tuple[str, object, frozenset[str]]] = queue.SimpleQueue()
    watched: dict[str, _RootWatch] = {}
    pending: dict[str, _Pending] = {}
    # continuous changes arrive in batches, and the gaps between them must not look like silence
    batch = max(20, min(400, debounce_ms // 3))
    tick = max(0.01, min(_TICK, debounce_ms / 2_000))
    roots_checked = float("-inf")
    try:
        while not stop.is_set():
            now = time.monotonic()
            if now - roots_checked >= _ROOTS_INTERVAL:
                roots_checked = now
                for id in _follow(dict(roots), watched, events, batch, store):
                    pending.setdefault(id, _Pending(now)).add(WHOLE, now)
            with suppress(queue.Empty):
                id, which, paths = events.get(timeout=tick)
                while True:
                    if id in watched and watched[id].key is which:
                        now = time.monotonic()
                        pending.setdefault(id, _Pending(now)).add(paths, now)
                        watched[id].changed_at = watched[id].changed_at or now
                    id, which, paths = events.get_nowait()
            for id, root_watch in watched.items():
                if root_watch.changed_at and time.monotonic() - root_watch.changed_at > _RESCAN_AFTER:
                    root_watch.changed_at = 0.0
                    pending.setdefault(id, _Pending(time.monotonic())).add(WHOLE, time.monotonic())
            for id in [id for id, root_watch in pending.items() if root_watch.is_due(debounce_ms / 1_000)]:
                paths = frozenset(pending.pop(id).paths)
                if id in roots:
                    on_change(id, paths)
    finally:
        for root_watch in watched.values():
            root_watch.stop.set()
        for root_watch in watched.values():
            root_watch.thread.join()


@dataclass(slots=True)
class _Pending:
    """The unreported changes of one source."""

    first: float
    last: float = 0.0
    paths: set[str] = field(default_factory=set)

    def add(self, paths: frozenset[str], now: float) -> None:
        self.last = now
        self.paths |= paths
        if "" in self.paths or len(self.paths) > MAX_PATHS:
            self.paths = set(WHOLE)

    def is_due(self, quiet: float) -> bool:
        now = time.monotonic()
        return now - self.last >= quiet or now - self.first >= _LONGEST_WAIT


@dataclass(slots=True)
class _RootWatch:
    """A root with its listener thread.

    `state` identifies the folder at the start; `stirred` is the time of the first change since the last
    complete scan, 0 for none.
    """

    path: Path
    state: tuple[int, int]
    thread: threading.Thread
    key: object
    stop: threading.Event = field(default_factory=threading.Event)
    changed_at: float = 0.0


def _follow(
    roots: dict[str, Path],
    watched: dict[str, _RootWatch],
    events: queue.SimpleQueue[tuple[str, object, frozenset[str]]],
    batch: int,
    store: str | None,
) -> list[str]:
    """Starts and stops listeners for the current roots; returns the ids of those whose folder disappeared."""
    disappeared: list[str] = []
    for id, root_watch in list(watched.items()):
        if (
            roots.get(id) == root_watch.path
            and _state(root_watch.path) == root_watch.state
            and root_watch.thread.is_alive()
        ):
            continue
        root_watch.stop.set()
        root_watch.thread.join()
        del watched[id]
        if id in roots and _state(root_watch.path) is None:
            disappeared.append(id)
    for id, path in roots.items():
        if id in watched or (state := _state(path)) is None:
            continue
        key, end = object(), threading.Event()
        thread = threading.Thread(
            target=_listen, args=(id, path, key, end, events, batch, store), name=f"holdfast-watch-{id}",
            daemon=True,
        )  # fmt: skip
        watched[id] = _RootWatch(path, state, thread, key, end)
        thread.start()
    return disappeared


def _listen(
    id: str,
    path: Path,
    key: object,
    stop: threading.Event,
    events: queue.SimpleQueue[tuple[str, object, frozenset[str]]],
    batch: int,
    store: str | None,
) -> None:
    """Forwards the changes below one root.

    Ends when stopped, when the folder cannot be watched or is gone, or when changes were lost: then a new
    listener is started.
    """
    top = os.path.realpath(path)
    exclusions = Exclusions(top, store=store)

    def report(paths: Iterable[str]) -> None:
        changed = frozenset(paths)
        if any(name.rpartition("/")[2] == ".gitignore" for name in changed):
            changed |= WHOLE
        if changed:
            events.put((id, key, changed))

    try:
        if _is_linux():
            _by_inotify(top, exclusions, stop, report)
        else:
            _by_watchfiles(top, exclusions, stop, report, batch, is_polling=False)
    except (FileNotFoundError, NotADirectoryError):
        return  # its folder is checked again in a second
    except (OSError, RuntimeError):
        with suppress(OSError, RuntimeError):
            _by_watchfiles(top, exclusions, stop, report, batch, is_polling=True)


def _is_linux() -> bool:
    """Returns whether this is Linux, and not inside Windows (WSL), where inotify does not report all
    changes."""
    return platform.system() == "Linux" and "microsoft" not in platform.release().lower()


def _by_inotify(
    top: str, exclusions: Exclusions, stop: threading.Event, report: Callable[[Iterable[str]], None]
) -> None:
    """Reports changes by inotify. Raises OSError if no watches are left."""
    from holdfast.features.reading.inotify import Inotify

    with closing(Inotify(top, exclusions.covers, stop.is_set)) as watches:
        report(WHOLE)  # the watches are set: earlier changes are found by a scan
        while not stop.is_set() and not watches.is_over:
            report(watches.changes(_STOP_CHECK_INTERVAL))


def _by_watchfiles(
    top: str,
    exclusions: Exclusions,
    stop: threading.Event,
    report: Callable[[Iterable[str]], None],
    batch: int,
    *,
    is_polling: bool,
) -> None:
    """Reports changes on other systems, or by polling every file. Raises OSError, RuntimeError."""
    from watchfiles import Change
    from watchfiles import watch as changes_of

    def is_included(_change: object, changed: str) -> bool:
        relative = _relative(top, changed)
        return relative is not None and not exclusions.covers(relative)

    # without a timeout, at whose end watchfiles would drop events
    for changes in changes_of(
        top, watch_filter=is_included, debounce=batch, step=min(50, batch // 2), rust_timeout=0,
        stop_event=_StopFlag(stop, report), raise_interrupt=False, force_polling=is_polling or None,
        poll_delay_ms=_POLLED if is_polling else 300, ignore_permission_denied=True,
    ):  # fmt: skip
        report(_relative(top, changed) or "" for _, changed in changes)
        if (Change.deleted, top) in changes:  # a folder there now, if any, is another one
            return


class _StopFlag:
    """A stop flag for a watch, which reads it at every step. The first read shows that the watch is set, so a
    complete scan is reported."""

    def __init__(self, stop: threading.Event, report: Callable[[Iterable[str]], None]) -> None:
        self._stop = stop
        self._report = report
        self._is_first = True

    def is_set(self) -> bool:
        """Returns whether the watch is to end."""
        if self._is_first:
            self._is_first = False
            self._report(WHOLE)
        return self._stop.is_set()


def _relative(top: str, path: str) -> str | None:
    """Returns the path below the root with forward slashes, "" for the root; None for paths elsewhere."""
    if path == top:
        return ""
    inside = path.removeprefix(top.rstrip(os.sep) + os.sep)
    return None if inside == path else inside


def _state(path: Path) -> tuple[int, int] | None:
    """Returns the identity of the folder at a path; None without one."""
    try:
        state = os.stat(path)
        return (state.st_dev, state.st_ino) if os.path.isdir(path) else None
    except OSError:
        return None
