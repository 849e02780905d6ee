"""Embedding of memories: at once, by a job, or by the repair of missing vectors."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from holdfast.core.errors import Conflict
from holdfast.core.jobs import DEAD, EMBED, Job, State
from holdfast.core.kinds import KINDS
from holdfast.core.record import Memory
from holdfast.core.views import ANY_STATE, GONE, View, personal_view
from holdfast.features.jobs import jobs
from holdfast.features.service import Service
from holdfast.language.passages import passages_of
from holdfast.stores.base.ports import Embedder, Writer

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from holdfast.features.jobs.worker import Progress
    from holdfast.stores.base.admitted import Admitted

log = logging.getLogger("holdfast")

QUIET = frozenset({State.QUEUED, *DEAD})
"""States of jobs that no worker is running."""
CHANGES_MAX = 5
"""Maximum number of times a memory may change while it is embedded, before the job is put off."""
ROUND = 256
"""Maximum number of memories in one repair."""


def embed_now(embedder: Embedder, admitted: list[Admitted]) -> list[NDArray[np.float32] | None]:
    """Returns the vectors of each text, one row a passage; None for all if the embedder is remote or fails.

    The texts are stored all the same, and a job embeds them later (S0.21, S4.27).
    """
    if not embedder.local or not admitted:
        return [None] * len(admitted)
    texts = [passage for text in admitted for passage in text.texts]
    if not texts:
        return [None] * len(admitted)
    try:
        rows = embedder.embed(texts)
    except Exception as error:
        log.warning(
            "embedding failed, %d memories have no vectors yet: %s", len(admitted), type(error).__name__
        )
        return [None] * len(admitted)
    vectors: list[NDArray[np.float32] | None] = []
    start = 0
    for text in admitted:
        vectors.append(rows[start : start + len(text.spans)])
        start += len(text.spans)
    return vectors


def queue(service: Service, tx: Writer, memory: Memory, rows: NDArray[np.float32] | None, now: int) -> None:
    """Queues a job that embeds a memory, if recall is to find it and vectors are missing: of the embedder, or
    of the next one. The caller rings the bell after the commit."""
    if not KINDS[memory.kind].recalled or (rows is not None and service.next_embedder is None):
        return
    jobs.enqueue(service, tx, EMBED, subject=memory.id, units=len(passages_of(memory.text)), now=now)


def make(service: Service, job: Job, progress: Progress) -> dict[str, int]:
    """Runs a job: embeds its memory, forgotten or not, by each embedder that has not. Returns the number of
    vectors."""
    return {"made": sum(_make(service, embedder, job, progress) for embedder in service.embedders)}


def _make(service: Service, embedder: Embedder, job: Job, progress: Progress) -> int:
    """Computes the missing vectors of a memory. Returns how many were stored."""
    view = personal_view(service.principal, GONE, closed=True)
    for _ in range(CHANGES_MAX):
        with service.store.read() as snap:
            memory = snap.get(view, job.subject or "")
            if memory is None or not snap.lacks_vectors(view, memory.id, embedder.model):
                return 0
        rows = embedder.embed(_passage_texts(memory))
        with service.store.write() as tx:
            progress.check_held(tx)
            if _store_vectors(tx, view, memory, rows, embedder.model):
                return len(rows)
        progress.check()
    raise Conflict(f"memory {job.subject} changes too often", code="changed_meanwhile")


def repair(service: Service, *, limit: int = ROUND) -> tuple[int, int]:
    """Embeds memories that lack vectors of an embedder, whether their jobs are due or not. Returns (made,
    failed) (S0.29)."""
    made = failed = 0
    for embedder in service.embedders:
        done, undone = _repair(service, embedder, limit)
        made, failed = made + done, failed + undone
    _finish_jobs(service)
    return made, failed


def _repair(service: Service, embedder: Embedder, limit: int) -> tuple[int, int]:
    """Computes missing vectors of up to `limit` memories. Returns how many were made and how many failed."""
    view = personal_view(service.principal, ANY_STATE, closed=True)
    with service.store.read() as snap:
        missing = snap.unembedded(view, embedder.model, limit=limit)
    made = failed = 0
    for memory in missing:
        try:
            rows = embedder.embed(_passage_texts(memory))
        except Exception as error:
            failed += 1
            jobs.note_failure(service, memory.id, EMBED, type(error).__name__)
            continue
        with service.store.write() as tx:
            # if it was changed meanwhile, the next round makes the vectors of the new text
            made += _store_vectors(tx, view, memory, rows, embedder.model)
    return made, failed


def _finish_jobs(service: Service) -> None:
    """Finishes the jobs whose vectors were made in another way."""
    view = personal_view(service.principal, GONE, closed=True)
    with service.store.read() as snap:
        waiting = snap.jobs(view, states=QUIET, kind=EMBED, limit=ROUND)
        over = [
            job
            for job in waiting
            if not any(
                snap.lacks_vectors(view, job.subject or "", embedder.model) for embedder in service.embedders
            )
        ]
    if over:
        with service.store.write() as tx:
            jobs.finish(service, tx, over)


def _store_vectors(tx: Writer, view: View, memory: Memory, rows: NDArray[np.float32], model: str) -> bool:
    """Stores vectors unless the text has changed since. Returns whether it stored them."""
    current = tx.get(view, memory.id)
    if current is None or any(getattr(current, name) != getattr(memory, name) for name in _EMBEDDED):
        return False
    tx.put_vectors(view, memory.id, rows, model)
    return True


_EMBEDDED = ("version", "text", "title")
"""What vectors are computed from, and the version."""


def _passage_texts(memory: Memory) -> list[str]:
    return [memory.lead + memory.text[start:end] for start, end in passages_of(memory.text)]


def is_shipped(embedder: Embedder) -> bool:
    """Returns whether another process can embed in the same way: with the model in the package."""
    from holdfast.embeddings.static import StaticEmbedder

    return type(embedder) is StaticEmbedder
