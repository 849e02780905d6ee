"""Preparing: files are read, cut, admitted and embedded, by other processes where there is much of it."""

from __future__ import annotations

import os
import pickle
import queue
import subprocess
import sys
from collections import deque
from collections.abc import Generator, Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from holdfast.domain.folders import File, FileState, Folder, symbol_key
from holdfast.domain.places import Principal
from holdfast.engine.index_files import Reading, passages_of, with_vectors
from holdfast.engine.service import Service

if TYPE_CHECKING:
    from holdfast.extractors.chunking import Symbol

FAILED = frozenset({"unreadable", "broken", "timeout", "extra_missing"})
"""Reasons that may not hold the next time: such a file is tried again."""
ALONE = 2 << 20
"""Bytes up to which no process is started: that takes longer than reading them."""
PROCESSES_MAX = 4
AHEAD = 2
"""Batches that are asked for beyond those in work, so that nobody waits."""


@dataclass(frozen=True, slots=True)
class Item:
    """A file to read, as the walk found it; `sha256` is that of the text that is known, None for none."""

    path: str
    size: int
    modified_at: int
    sha256: str | None = None


def left(folder: Folder, item: Item, code: str, now: int) -> File:
    """The row of a file that is not read, for a reason."""
    state = FileState.ERROR if code in FAILED else FileState.SKIPPED
    return File(folder.id, item.path, state, item.size, item.modified_at, now, reason=code)


class Preparer:
    """Prepares files in this process."""

    def __init__(self, service: Service, folder: Folder) -> None:
        self._service = service
        self._folder = folder
        self._root = Path(folder.root)

    def __call__(self, items: Iterable[Item]) -> list[Reading]:
        """What became of each file; nothing for one that went away."""
        return with_vectors(self._service, [one for one in map(self._read, items) if one is not None])

    def _read(self, item: Item) -> Reading | None:
        from holdfast.extractors.chunking import cut
        from holdfast.extractors.left import Left
        from holdfast.extractors.reading import read_file

        one, now = read_file(self._root, item.path), self._service.clock()
        if isinstance(one, Left):
            if one.reason_code == "vanished":
                return None
            return Reading(left(self._folder, item, one.reason_code, now))
        file = File(
            self._folder.id, item.path, FileState.INDEXED, one.size, one.modified_at, now,
            filetype=one.filetype, language=one.language, sha256=one.sha256,
        )  # fmt: skip
        if item.sha256 == one.sha256:
            return Reading(file, None)
        cuts, symbols = cut(one.text, one.filetype, one.language)
        file = replace(file, symbols=_hashes(symbols))
        return Reading(file, tuple(passages_of(self._service, self._folder, file, one.text, cuts)))


def _hashes(symbols: Iterable[Symbol]) -> dict[str, str]:
    """The hashes of what a file defines, by the hash of the name: the qualified one, and the last part of it
    where that names one thing only."""
    found: dict[str, str] = {}
    short: dict[str, set[str]] = {}
    for one in symbols:
        found[symbol_key(one.name)] = one.sha256[:16]
        short.setdefault(one.name.rpartition(".")[2], set()).add(one.sha256[:16])
    for name, digests in short.items():
        if len(digests) == 1:
            found.setdefault(symbol_key(name), digests.pop())
    return found


def prepared(
    service: Service, folder: Folder, batches: list[list[Item]]
) -> Generator[tuple[list[Item], list[Reading]], None, None]:
    """Each batch with what became of its files, in order. Much is done by processes of our own, one for each
    core; a file on which such a process fails is left as "broken". Close the iterator to stop early."""
    size = sum(item.size for batch in batches for item in batch)
    processes = min(PROCESSES_MAX, _cores(), len(batches))
    if size <= ALONE or processes < 2 or not _is_shipped(service):
        prepare = Preparer(service, folder)
        yield from ((batch, prepare(batch)) for batch in batches)
        return
    setting = pickle.dumps((service.principal, service.secret_entropy, folder))
    helpers = _Helpers(setting, processes)
    pool = ThreadPoolExecutor(processes, thread_name_prefix="holdfast-preparing")
    asked: deque[tuple[list[Item], Future[list[Reading]]]] = deque()
    waiting = iter(batches)
    try:
        while True:
            while len(asked) < processes + AHEAD and (batch := next(waiting, None)) is not None:
                asked.append((batch, pool.submit(helpers.prepare, service, folder, batch)))
            if not asked:
                return
            batch, answer = asked.popleft()
            yield batch, answer.result()
    finally:
        helpers.close()
        pool.shutdown(wait=True, cancel_futures=True)


def _cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _is_shipped(service: Service) -> bool:
    """Whether another process can embed as this one does: with what the package ships."""
    from holdfast.embeddings.static import StaticEmbedder

    return type(service.embedder) is StaticEmbedder


class _Helpers:
    """Processes that prepare, each with one batch at a time."""

    def __init__(self, setting: bytes, number: int) -> None:
        self._setting = setting
        self._free: queue.SimpleQueue[_Helper | None] = queue.SimpleQueue()
        self._all: list[_Helper] = []
        self._is_over = False
        for _ in range(number):
            self._free.put(None)

    def prepare(self, service: Service, folder: Folder, batch: list[Item]) -> list[Reading]:
        """A batch prepared by a free process; where it dies of it, each file by itself."""
        helper = self._free.get()
        try:
            helper = helper or self._started()
            try:
                return helper.prepare(batch)
            except _CannotStart:
                helper = None
                return Preparer(service, folder)(batch)
            except _Died:
                helper, readings = None, []
            for item in batch:
                helper = helper or self._started()
                try:
                    readings += helper.prepare([item])
                except _Died:
                    helper = None
                    readings.append(Reading(left(folder, item, "broken", service.clock())))
            return readings
        finally:
            self._free.put(helper)

    def _started(self) -> _Helper:
        if self._is_over:
            raise _Died
        helper = _Helper(self._setting)
        self._all.append(helper)
        return helper

    def close(self) -> None:
        """Ends all processes, whatever they do."""
        self._is_over = True
        for helper in self._all:
            helper.close()


class _Died(Exception):
    """A process ended without an answer."""


class _CannotStart(_Died):
    """No process can be started here, as in a program that is packed into one file."""


class _Helper:
    """One process that prepares batches for as long as it is asked."""

    def __init__(self, setting: bytes) -> None:
        self._process = subprocess.Popen(
            # -P: no module is taken from the folder we happen to stand in
            [sys.executable, "-P", "-m", "holdfast.preparing"], cwd="/",
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        self._setting: bytes | None = setting

    def prepare(self, batch: list[Item]) -> list[Reading]:
        asked, answers = self._process.stdin, self._process.stdout
        assert asked is not None
        assert answers is not None
        try:
            if self._setting is not None:
                self._begin(self._setting)
                self._setting = None
            pickle.dump(batch, asked)
            asked.flush()
            return cast("list[Reading]", pickle.load(answers))
        except (OSError, EOFError, ValueError, pickle.UnpicklingError):
            raise _Died from None

    def _begin(self, setting: bytes) -> None:
        asked, answers = self._process.stdin, self._process.stdout
        assert asked is not None
        assert answers is not None
        try:
            asked.write(setting)
            asked.flush()
            pickle.load(answers)
        except (OSError, EOFError, ValueError, pickle.UnpicklingError):
            raise _CannotStart from None

    def close(self) -> None:
        self._process.kill()
        for pipe in (self._process.stdin, self._process.stdout):
            with suppress(OSError, ValueError):
                if pipe is not None:
                    pipe.close()
        self._process.wait()


def serve(asked: Any, answers: Any) -> None:
    """What a process of `_Helper` does until nobody asks any more."""
    from holdfast.embeddings.static import StaticEmbedder

    setting: tuple[Principal, float, Folder] = pickle.load(asked)
    principal, entropy, folder = setting
    service = Service(cast(Any, None), StaticEmbedder(), principal, secret_entropy=entropy)
    prepare = Preparer(service, folder)
    pickle.dump("ready", answers)
    answers.flush()
    with suppress(EOFError, BrokenPipeError, KeyboardInterrupt):
        while True:
            pickle.dump(prepare(pickle.load(asked)), answers, pickle.HIGHEST_PROTOCOL)
            answers.flush()


if __name__ == "__main__":
    from holdfast import preparing

    preparing.serve(sys.stdin.buffer, sys.stdout.buffer)
