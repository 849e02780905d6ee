"""Embedding: vectors for what is written, and the repair of those that could not be made at once."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from holdfast.domain.passages import passages_of
from holdfast.domain.times import DAY
from holdfast.domain.views import ANY_STATE, personal_view
from holdfast.engine.ports import Job, Writer
from holdfast.engine.service import Service

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from holdfast.engine.admit import Admitted

log = logging.getLogger("holdfast")

JOB = "embed"
ATTEMPTS = 20
"""Tries before a job is buried; it can still be repaired by `maintain`."""


def embed_now(service: Service, admitted: list[Admitted]) -> list[NDArray[np.float32] | None]:
    """Vectors for each text, one row a passage; None for all where the embedder is remote or fails: the
    text is safe first, the vector comes by a job (S0.21, S4.27)."""
    if not service.embedder.local or not admitted:
        return [None] * len(admitted)
    texts = [text for one in admitted for text in one.texts]
    try:
        rows = service.embedder.embed(texts)
    except Exception as error:
        log.warning(
            "embedding failed, %d memories wait for their vectors: %s", len(admitted), type(error).__name__
        )
        return [None] * len(admitted)
    vectors: list[NDArray[np.float32] | None] = []
    start = 0
    for one in admitted:
        vectors.append(rows[start : start + len(one.spans)])
        start += len(one.spans)
    return vectors


def queue(tx: Writer, id: str, now: int) -> None:
    """Asks for the vectors of a memory to be made later."""
    tx.add_job(JOB, id, due_at=now)


def repair(service: Service, *, limit: int = 256, now: int | None = None) -> tuple[int, int]:
    """Makes missing vectors: those of due jobs and those of another model. Returns (made, failed) (S0.29)."""
    moment = service.clock() if now is None else now
    view = personal_view(service.principal, ANY_STATE)
    model = service.embedder.model
    with service.store.read() as snap:
        jobs = {job.subject: job for job in snap.jobs(view, due_by=moment, limit=limit) if job.kind == JOB}
        missing = snap.unembedded(view, model, limit=limit)
    made = failed = 0
    for memory in missing:
        texts = [memory.lead + memory.text[start:end] for start, end in passages_of(memory.text)]
        try:
            rows = service.embedder.embed(texts)
        except Exception as error:
            failed += 1
            _postpone(service, jobs.get(memory.id), error, moment)
            continue
        with service.store.write() as tx:
            current = tx.get(view, memory.id)
            if current is None or (current.version, current.text) != (memory.version, memory.text):
                continue  # it was changed meanwhile: the next round makes the vectors of the new text
            tx.put_vectors(view, memory.id, rows, model)
            if job := jobs.pop(memory.id, None):
                tx.settle_job(job)
        made += 1
    waiting = {memory.id for memory in missing}
    with service.store.read() as snap:  # jobs of what others own or what is forgotten for now stay
        mine = {subject for subject in jobs if snap.get(view, subject) is not None}
    for subject, job in jobs.items():
        if subject not in waiting and subject in mine:
            with service.store.write() as tx:
                tx.settle_job(job)
    return made, failed


def _postpone(service: Service, job: Job | None, error: Exception, now: int) -> None:
    if job is None:
        return
    wait = min(DAY, 30_000 * 2 ** min(job.attempts, 12))
    with service.store.write() as tx:
        due = None if job.attempts + 1 >= ATTEMPTS else now + wait
        tx.settle_job(job, due_at=due, error=type(error).__name__)
