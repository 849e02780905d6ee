"""Watching: folders whose changes are told, many at once as one, for as long as nobody says stop."""

from __future__ import annotations

import os
import queue
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from holdfast.extractors.apart import Apart
from holdfast.extractors.extras import missing

WHOLE: frozenset[str] = frozenset(("",))
"""What is told where any file may have changed: the folder is to be walked again."""
MAX_PATHS = 10_000
"""Changed paths that are told one by one; more of them are `WHOLE`."""

_TICK = 0.2
_LONGEST_WAIT = 30.0
"""Seconds after which changes are told although more keep coming."""
_LOOKED_AFTER = 1.0
"""Seconds between two looks at which roots there are."""
_POLLED = 5_000
"""Milliseconds between two looks at a folder for which the system has no watches left."""


def watch(
    roots: Mapping[str, Path],
    told: Callable[[str, frozenset[str]], None],
    stop: threading.Event,
    debounce_ms: int = 1_500,
    *,
    store: str | None = None,
) -> None:
    """Tells what changes below each root until `stop` is set; returns soon after (S1.67).

    `told` is called in this thread with the id of a source and relative paths (forward slashes): created,
    changed, deleted or renamed; the receiver looks at the disk. A path may be that of a folder, whose
    contents then came or went with it. Changes are gathered until `debounce_ms` pass without another one, so
    that a burst is one call. `WHOLE` is told first when the watching of a root begins, so that nothing that
    happened before is missed, also when its folder comes back or goes away; and when a .gitignore changes.
    What is excluded by default (`extractors.defaults`) is not told, nor what happens to `store`, whatever
    it is called: telling of the store would change it, and that would be told.

    `roots` is read again every second: what is added or removed is followed. Raises InvalidInput
    `extra_missing`, and whatever `told` raises.
    """
    try:
        import watchfiles  # noqa: F401
    except ModuleNotFoundError as error:
        raise missing(error, "code") from error
    heard: queue.SimpleQueue[tuple[str, object, frozenset[str]]] = queue.SimpleQueue()
    watched: dict[str, _Watched] = {}
    gathered: dict[str, _Gathered] = {}
    # while changes keep coming they come in batches, which must not look like silence
    batch = max(20, min(400, debounce_ms // 3))
    tick = max(0.01, min(_TICK, debounce_ms / 2_000))
    looked = float("-inf")
    try:
        while not stop.is_set():
            now = time.monotonic()
            if now - looked >= _LOOKED_AFTER:
                looked = now
                for id in _follow(dict(roots), watched, heard, batch, store):
                    gathered.setdefault(id, _Gathered(now)).add(WHOLE, now)
            try:
                id, which, paths = heard.get(timeout=tick)
                if id in watched and watched[id].key is which:
                    gathered.setdefault(id, _Gathered(now)).add(paths, time.monotonic())
            except queue.Empty:
                pass
            for id in [id for id, one in gathered.items() if one.is_due(debounce_ms / 1_000)]:
                paths = gathered.pop(id).paths
                if id in roots:
                    told(id, paths)
    finally:
        for one in watched.values():
            one.stop.set()
        for one in watched.values():
            one.thread.join()


@dataclass(slots=True)
class _Gathered:
    """What changed in one source and was not yet told."""

    first: float
    last: float = 0.0
    paths: frozenset[str] = frozenset()

    def add(self, paths: frozenset[str], now: float) -> None:
        self.last = now
        together = self.paths | paths
        self.paths = WHOLE if "" in together or len(together) > MAX_PATHS else together

    def is_due(self, quiet: float) -> bool:
        now = time.monotonic()
        return now - self.last >= quiet or now - self.first >= _LONGEST_WAIT


@dataclass(slots=True)
class _Watched:
    """A root with the thread that listens for it; `state` is what the folder was when it began."""

    path: Path
    state: tuple[int, int]
    thread: threading.Thread
    key: object
    stop: threading.Event = field(default_factory=threading.Event)


def _follow(
    roots: dict[str, Path],
    watched: dict[str, _Watched],
    heard: queue.SimpleQueue[tuple[str, object, frozenset[str]]],
    batch: int,
    store: str | None,
) -> list[str]:
    """Begins and ends the watching of roots as they are now; the ids of those whose folder went away."""
    gone: list[str] = []
    for id, one in list(watched.items()):
        if roots.get(id) == one.path and _state(one.path) == one.state and one.thread.is_alive():
            continue
        one.stop.set()
        one.thread.join()
        del watched[id]
        if id in roots and _state(one.path) is None:
            gone.append(id)
    for id, path in roots.items():
        if id in watched or (state := _state(path)) is None:
            continue
        key, end = object(), threading.Event()
        thread = threading.Thread(
            target=_listen, args=(id, path, key, end, heard, batch, store), name=f"holdfast-watch-{id}",
            daemon=True,
        )  # fmt: skip
        watched[id] = _Watched(path, state, thread, key, end)
        thread.start()
    return gone


def _listen(
    id: str,
    path: Path,
    key: object,
    stop: threading.Event,
    heard: queue.SimpleQueue[tuple[str, object, frozenset[str]]],
    batch: int,
    store: str | None,
) -> None:
    """Passes on what changes below one root; ends when told to, or when the folder cannot be watched."""
    from watchfiles import watch as changes_of

    top = os.path.realpath(path)
    apart = Apart(top, store=store)

    def is_wanted(_change: object, changed: str) -> bool:
        relative = _relative(top, changed)
        return relative is not None and not apart.holds(relative)

    for is_polling in (False, True):
        is_first = True
        try:
            for changes in changes_of(
                top, watch_filter=is_wanted, debounce=batch, step=min(50, batch // 2), stop_event=stop,
                rust_timeout=250, yield_on_timeout=True, raise_interrupt=False,
                force_polling=is_polling or None, poll_delay_ms=_POLLED if is_polling else 300,
                ignore_permission_denied=True,
            ):  # fmt: skip
                if is_first:  # the watch stands: what happened before it is found by a walk
                    is_first = False
                    heard.put((id, key, WHOLE))
                paths = {_relative(top, changed) or "" for _, changed in changes}
                if any(name.rpartition("/")[2] == ".gitignore" for name in paths):
                    paths.add("")
                if paths:
                    heard.put((id, key, frozenset(paths)))
            return
        except (OSError, RuntimeError):
            if stop.is_set() or is_polling:
                return  # its folder is looked for again in a second


def _relative(top: str, path: str) -> str | None:
    """The path below the root with forward slashes, "" for the root; None for what stands elsewhere."""
    if path == top:
        return ""
    inside = path.removeprefix(top.rstrip(os.sep) + os.sep)
    return None if inside == path else inside


def _state(path: Path) -> tuple[int, int] | None:
    """Which folder stands at a path; None for none."""
    try:
        found = os.stat(path)
        return (found.st_dev, found.st_ino) if os.path.isdir(path) else None
    except OSError:
        return None
