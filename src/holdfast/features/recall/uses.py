"""Counts of recalled memories, written in batches off the read path (S2.6, S2.33, S2.41)."""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Iterable

from holdfast.core.errors import StoreError
from holdfast.core.times import DAY
from holdfast.core.usage import KEPT_DAYS, DeliveredContext, Tally
from holdfast.core.views import personal_view
from holdfast.features.service import Service
from holdfast.stores.base.ports import Use, Writer

BATCH = 64
"""Number of requests of one principal after which the counts are written."""

PATIENCE = 3_000
"""Milliseconds that the counts wait for others who write."""

log = logging.getLogger("holdfast")


OUTSIDE = ""
"""The key of what was given outside of sessions; those have digests."""


def note(
    service: Service, ids: Iterable[str], now: int, work: tuple[int, Tally] | None = None, *,
    injected: Iterable[str] = (), citations: DeliveredContext | None = None,
) -> None:  # fmt: skip
    """Counts each memory once for this request (S2.33) and writes the batch when it is full. `work` is what
    was given outside of sessions, with its project, 0 for none (S4.60); `injected` are the memories that a
    prompt was given, whether they count as used or not (S2.41), and `citations` says what its citations stand
    for (S1.52)."""
    pending = service.pending
    with pending.lock:
        pending.injected.update(injected)
        if citations is not None:
            pending.citations.append(citations)
        if work is not None:
            project, tally = work
            pending.work[project] = pending.work.get(project, Tally()) + tally
        for id in ids:
            use = pending.uses.get(id)
            pending.uses[id] = Use(id, (use.count if use else 0) + 1, now)
        pending.requests += 1
        full = pending.requests >= BATCH
    if full:
        flush(service)


def unwritten(service: Service, project: int | None) -> list[Tally]:
    """Returns what was given outside of sessions and is not written yet, in one project or in all."""
    pending = service.pending
    with pending.lock:
        return [tally for number, tally in pending.work.items() if project in (None, number)]


def unwritten_citations(service: Service, context: str) -> dict[int, str]:
    """Returns the ids by the citations of a context whose record is not written yet."""
    pending = service.pending
    with pending.lock:
        return next((dict(delivery.ids) for delivery in pending.citations if delivery.context == context), {})


def flush(service: Service) -> None:
    """Writes the counts in a transaction of their own, unless others keep writing: a reader that closes does
    not wait for them. A failure never breaks a reader."""
    pending = service.pending
    with pending.lock:
        is_any = bool(pending.uses or pending.work or pending.injected or pending.citations)
    if is_any:
        with contextlib.suppress(StoreError), service.store.write(patience=PATIENCE) as tx:
            write(service, tx)


def write(service: Service, tx: Writer) -> None:
    """Writes the counts as part of a transaction: on the memories, and one event (S2.41)."""
    pending = service.pending
    with pending.lock:
        uses, requests = list(pending.uses.values()), pending.requests
        work, injected = sorted(pending.work.items()), dict(pending.injected)
        contexts = list(pending.citations)
        pending.citations.clear()
        pending.work.clear()
        pending.injected.clear()
        pending.uses.clear()
        pending.requests = 0
    now, view = service.clock(), personal_view(service.principal)
    for context in contexts:
        tx.cite(view, context)
    for project, tally in work:
        tx.deliver(
            view, project, OUTSIDE, [], tally, actor=service.principal.label, now=now,
            before=now - KEPT_DAYS * DAY,
        )  # fmt: skip
    if not uses and not injected:
        return
    try:
        if uses:
            tx.use(personal_view(service.principal), uses)
        detail: dict[str, object] = {"requests": requests, "uses": {use.id: use.count for use in uses}}
        tx.add_event(
            at=max((use.at for use in uses), default=now),
            actor=service.principal.label,
            action="use",
            subject=None,
            detail={**detail, "injected": injected} if injected else detail,
        )
    except StoreError:
        log.warning("%d uses were not recorded", len(uses))
        raise
