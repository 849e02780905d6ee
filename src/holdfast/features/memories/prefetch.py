"""Preparation of the next batch of an import in a worker process, while the previous one is stored."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import Any

from holdfast.features.admission.admission import Admission
from holdfast.features.admission.draft import Draft
from holdfast.features.admission.pickling import pickled
from holdfast.features.jobs.worker_pool import WorkerDied, WorkerPool, cores
from holdfast.features.memories.embed import is_shipped
from holdfast.features.memories.exclusions import gate_of
from holdfast.features.memories.prepare import Prepared, prepare
from holdfast.features.service import Service

ALONE = 2
"""Number of batches up to which no process is started: starting one would take longer."""


@dataclass(frozen=True, slots=True)
class _PrepareTask:
    """The preparation of drafts as a task for a worker process."""

    admission: Admission
    dimensions: int

    def start(self) -> Callable[[tuple[Sequence[Draft], Sequence[str], int]], Prepared]:
        from holdfast.embeddings.static import StaticEmbedder

        embedder = StaticEmbedder(self.dimensions)
        return lambda request: prepare(self.admission, embedder, *request)

    def pack(self, result: Prepared) -> bytes:
        return pickled(result)


class Prefetcher:
    """Prepares batches of drafts ahead of their storage; must be closed."""

    def __init__(self, service: Service) -> None:
        self._service = service
        self._gate = gate_of(service)
        self._batches = 0
        self._processes: WorkerPool[Any, Prepared] | None = None
        self._pool: ThreadPoolExecutor | None = None
        self._is_closed = False

    @property
    def lookahead(self) -> int:
        """Returns the number of batches that may be submitted before the first of them is stored."""
        return 0 if self._processes is None else 2

    def submit(self, drafts: Sequence[Draft]) -> Callable[[], Prepared]:
        """Starts the preparation of a batch; returns a function that waits for the result."""
        self._batches += 1
        service = self._service
        if self._pool is None and self._batches > ALONE and cores() > 1 and is_shipped(service.embedder):
            self._processes = WorkerPool(_PrepareTask(self._gate, service.embedder.dim), 1)
            self._pool = ThreadPoolExecutor(1, thread_name_prefix="holdfast-prefetch")
        now = service.clock()
        ids = [service.new_id(now) for _ in drafts]
        if self._pool is None or self._processes is None:
            return partial(prepare, self._gate, service.embedder, drafts, ids, now)
        return self._pool.submit(self._prepare_in_process, drafts, ids, now).result

    def _prepare_in_process(self, drafts: Sequence[Draft], ids: Sequence[str], now: int) -> Prepared:
        """Prepares drafts in a process of the pool."""
        assert self._processes is not None
        try:
            return self._processes.run((drafts, ids, now))
        except WorkerDied:
            if self._is_closed:
                raise
            return prepare(self._gate, self._service.embedder, drafts, ids, now)

    def close(self) -> None:
        """Stops the worker process."""
        self._is_closed = True
        if self._processes is not None:
            self._processes.close()
        if self._pool is not None:
            self._pool.shutdown(wait=True, cancel_futures=True)
