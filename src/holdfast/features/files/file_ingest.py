"""Reads, cuts, validates and embeds files, in worker processes if there are many."""

from __future__ import annotations

import logging
import os
from collections import deque
from collections.abc import Callable, Generator, Iterable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from holdfast.core.errors import HoldfastError
from holdfast.core.folders import PRIVATE_PART, File, FileState, Folder
from holdfast.core.ids import uuid7
from holdfast.core.staleness import symbol_key
from holdfast.core.values import changed
from holdfast.features.admission.admission import Admission
from holdfast.features.admission.digests import SHORT, keyed_digest
from holdfast.features.admission.pickling import pickle_by_values, pickled
from holdfast.features.files.passages import Cut, Passage, Reading, passages_of, with_vectors
from holdfast.features.jobs.worker_pool import CannotStart, WorkerDied, WorkerPool, cores
from holdfast.features.memories.embed import is_shipped
from holdfast.features.service import Service
from holdfast.language.masking import MaskedText, masked
from holdfast.stores.base.clock import wall_clock
from holdfast.stores.base.ports import Clock, Embedder

if TYPE_CHECKING:
    from holdfast.features.reading.chunking import Symbol
    from holdfast.features.reading.file_reader import Extracted

log = logging.getLogger("holdfast")

pickle_by_values(Passage, Reading)

FAILED = frozenset({"unreadable", "broken", "failed", "timeout", "extra_missing"})
"""Reasons that may be temporary: such a file is retried."""
ALONE = 2 << 20
"""Bytes up to which no worker process is started, since starting takes longer than reading them."""
PROCESSES_MAX = 4
AHEAD = 2
"""Batches that are submitted beyond those in progress, so that no worker waits."""


@dataclass(frozen=True, slots=True)
class Item:
    """A file to read, as found by the walk; `digest` is that of the stored text, None without any."""

    path: str
    size: int
    modified_at: int
    digest: str | None = None


def skipped_file(folder: Folder, item: Item, code: str, now: int) -> File:
    """Returns the row of a file that is not read, with the reason."""
    state = FileState.ERROR if code in FAILED else FileState.SKIPPED
    return File(folder.id, item.path, state, item.size, item.modified_at, now, reason=code)


@dataclass(frozen=True, slots=True)
class Preparer:
    """A processor of a folder's files in the calling process."""

    admission: Admission
    embedder: Embedder
    folder: Folder
    clock: Clock
    new_id: Callable[[int], str]
    key: bytes
    """The key of the store, by which files and their parts are digested."""

    def __call__(self, items: Iterable[Item]) -> list[Reading]:
        """Returns the outcome of each file; none for a file that is gone."""
        return with_vectors(self.embedder, self._readings(list(items)))

    def _readings(self, items: Sequence[Item]) -> list[Reading]:
        """Returns outcomes without vectors; a file that causes an unexpected error harms no other one."""
        try:
            return self._passages(items)
        except HoldfastError:
            raise  # not of a file
        except Exception as error:
            if len(items) == 1:
                log.warning("a file could not be read: %s", type(error).__name__)
            else:
                return [reading for item in items for reading in self._readings([item])]
            return [Reading(skipped_file(self.folder, items[0], "failed", self.clock()))]

    def _passages(self, items: Sequence[Item]) -> list[Reading]:
        """Reads and cuts files, and masks secrets in them."""
        from holdfast.features.reading.chunking import cut

        outcomes = [outcome for outcome in map(self._read, items) if outcome is not None]
        files: list[tuple[File, MaskedText, Sequence[Cut]]] = []
        unclosed: list[int] = []
        for outcome in outcomes:
            if not isinstance(outcome, Reading):
                file, read = outcome
                is_page = read.filetype in ("html", "page")
                text = masked(read.text, entropy=self.admission.entropy, is_page=is_page)
                cuts, symbols = cut(text.text, read.filetype, read.language, read.lines)
                reason = PRIVATE_PART if text.private else None
                files.append((changed(file, symbols=self._hashes(symbols), reason=reason), text, cuts))
                unclosed.append(text.unclosed + read.unclosed)
        passages = passages_of(
            self.admission, self.folder, files, now=self.clock(), new_id=self.new_id, key=self.key
        )
        made = (
            Reading(file, tuple(own), lost)
            for (file, _, _), own, lost in zip(files, passages, unclosed, strict=True)
        )
        return [outcome if isinstance(outcome, Reading) else next(made) for outcome in outcomes]

    def _read(self, item: Item) -> Reading | tuple[File, Extracted] | None:
        """Returns a file and what was read of it, or another outcome; None for a file that is gone."""
        from holdfast.features.reading.file_reader import read_file
        from holdfast.features.reading.skip_reasons import Skipped

        extracted, now = read_file(Path(self.folder.root), item.path), self.clock()
        if isinstance(extracted, Skipped):
            if extracted.reason_code == "vanished":
                return None
            return Reading(skipped_file(self.folder, item, extracted.reason_code, now))
        digest = keyed_digest(self.key, extracted.sha256)
        file = File(
            self.folder.id, item.path, FileState.INDEXED, extracted.size, extracted.modified_at, now,
            filetype=extracted.filetype, language=extracted.language, digest=digest,
        )  # fmt: skip
        return Reading(file, None) if item.digest == digest else (file, extracted)

    def _hashes(self, symbols: Iterable[Symbol]) -> dict[str, str]:
        """Returns the keyed digests of a file's definitions by the hash of their name.

        Names are the qualified one, and the last part of it if that is unique.
        """
        by_name: dict[str, str] = {}
        short: dict[str, set[str]] = {}
        for symbol in symbols:
            digest = keyed_digest(self.key, symbol.sha256)[:SHORT]
            by_name[symbol_key(symbol.name)] = digest
            short.setdefault(symbol.name.rpartition(".")[2], set()).add(digest)
        for name, digests in short.items():
            if len(digests) == 1:
                by_name.setdefault(symbol_key(name), digests.pop())
        return by_name


def prepared_batches(
    service: Service, folder: Folder, batches: list[list[Item]]
) -> Generator[tuple[list[Item], list[Reading]], None, None]:
    """Yields each batch with the outcomes of its files, in order.

    Large amounts are processed by worker processes, one per core; a file on which a worker crashes is marked
    "broken". Close the iterator to stop early.
    """
    size = sum(item.size for batch in batches for item in batch)
    processes = min(PROCESSES_MAX, cores(), len(batches))
    key = service.store.digest_key
    local = Preparer(service.admission, service.embedder, folder, service.clock, service.new_id, key)
    if size <= ALONE or processes < 2 or not is_shipped(service.embedder):
        yield from ((batch, local(batch)) for batch in batches)
        return
    helpers: WorkerPool[list[Item], list[Reading]] = WorkerPool(
        _Files(service.admission, service.embedder.dim, folder, key), processes
    )
    pool = ThreadPoolExecutor(processes, thread_name_prefix="holdfast-preparing")
    submitted: deque[tuple[list[Item], Future[list[Reading]]]] = deque()
    waiting = iter(batches)
    try:
        while True:
            while len(submitted) < processes + AHEAD and (batch := next(waiting, None)) is not None:
                submitted.append((batch, pool.submit(_in_worker, helpers, local, batch)))
            if not submitted:
                return
            batch, future = submitted.popleft()
            yield batch, future.result()
    finally:
        helpers.close()
        pool.shutdown(wait=True, cancel_futures=True)


def _in_worker(
    processes: WorkerPool[list[Item], list[Reading]], local: Preparer, batch: list[Item]
) -> list[Reading]:
    """Returns a batch processed by a worker; if it crashes, each file is retried alone."""
    try:
        return processes.run(batch)
    except CannotStart:
        return local(batch)
    except WorkerDied:
        pass
    readings: list[Reading] = []
    for item in batch:
        try:
            readings += processes.run([item])
        except WorkerDied:
            if processes.is_closed:
                raise
            readings.append(Reading(skipped_file(local.folder, item, "broken", local.clock())))
    return readings


@dataclass(frozen=True, slots=True)
class _Files:
    """The task of a worker process: files of one folder."""

    admission: Admission
    dimensions: int
    folder: Folder
    key: bytes

    def start(self) -> Preparer:
        from holdfast.embeddings.static import StaticEmbedder

        embedder = StaticEmbedder(self.dimensions)
        return Preparer(
            self.admission,
            embedder,
            self.folder,
            wall_clock,
            lambda now: uuid7(now, os.urandom(10)),
            self.key,
        )

    def pack(self, answer: list[Reading]) -> bytes:
        return pickled(answer)
