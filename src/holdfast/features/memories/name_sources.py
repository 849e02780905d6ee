"""Entities and relations read from messages: when they are read, and what becomes of them without these."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from itertools import islice

from holdfast.core.graph import messages_naming
from holdfast.core.jobs import NAMES
from holdfast.core.record import Memory
from holdfast.core.views import GONE, personal_view
from holdfast.features.jobs.schedule import plan
from holdfast.features.service import Service
from holdfast.stores.base.ports import Patch, Writer

WAIT = 60_000
"""Milliseconds until new messages are read, so that a conversation makes one job."""
ENOUGH = 50
"""New messages that are read at once."""
BATCH = 500


def plan_names(service: Service, tx: Writer, messages: Iterable[Memory]) -> None:
    """Plans within the transaction that stores messages that their names are read: soon, or at once if there
    are many. Messages in no project are not read (S0.11). The setting `names` turns it off."""
    count = sum(message.role == "user" and message.project is not None for message in messages)
    if count and service.names == "on":
        plan(service, tx, NAMES, due=service.clock() + WAIT, units=count, threshold=ENOUGH)


def withdraw_names(service: Service, tx: Writer, erased_ids: Collection[str]) -> list[str]:
    """Erases the entities and relations that rest on no message but some that are being erased, except what a
    person pinned or edited and entities that others speak of. Returns the ids of the erased."""
    view, now = personal_view(service.principal, GONE, closed=True), service.clock()
    erased: list[str] = []
    for ids in _batches(erased_ids):
        # relations first: what is left of them tells whether their entities are spoken of
        named = [memory for memory in tx.related(view, ids, now=0) if messages_naming(memory)]
        for memory in sorted(named, key=lambda memory: memory.kind == "entity"):
            left = [id for id in messages_naming(memory) if id not in erased_ids]
            if left or memory.pinned or memory.edited or _is_spoken_of(tx, service, memory):
                tx.patch(view, memory.id, Patch(evidence={**memory.evidence, "messages": left}), now=now)
                continue
            tx.erase(view, [memory.id])
            tx.add_event(at=now, actor=service.principal.label, action="erase", subject=memory.id, detail={})
            erased.append(memory.id)
    return erased


def _is_spoken_of(tx: Writer, service: Service, memory: Memory) -> bool:
    """Returns whether an entity has observations or relations left."""
    view = personal_view(service.principal, GONE, closed=True)
    return memory.kind == "entity" and bool(tx.links(view, [memory.id], limit=1, now=0))


def _batches(ids: Iterable[str]) -> Iterator[list[str]]:
    rest = iter(ids)
    while batch := list(islice(rest, BATCH)):
        yield batch
