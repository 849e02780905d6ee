"""Confirming: what is said of code that has changed since is looked for, and said to hold as before."""

from __future__ import annotations

from dataclasses import replace

from holdfast.domain.cursors import cursor_after
from holdfast.domain.errors import InvalidInput
from holdfast.domain.kinds import EVIDENCE, KINDS
from holdfast.domain.memories import Memory
from holdfast.domain.staleness import remaining
from holdfast.domain.views import ANY_STATE, personal_view
from holdfast.engine.browse import known
from holdfast.engine.locate import Where, view_of
from holdfast.engine.permit import check_may_change
from holdfast.engine.ports import Page, Patch
from holdfast.engine.recall import LIMIT_MAX
from holdfast.engine.service import Service
from holdfast.engine.staleness import compared, renewed


def confirm(service: Service, id: str) -> Memory:
    """Says that a memory about a file holds for the file as it is now: it is stale no more, until the file
    changes again. One that is not stale stays as it is. Raises NotFound; Refusal for what somebody else owns
    or a person settled; InvalidInput `nothing_to_change` where no indexed file is what it is about."""
    now, principal = service.clock(), service.principal
    view = personal_view(principal, ANY_STATE)
    with service.store.write() as tx:
        memory = known(tx, service, id)
        check_may_change(principal, memory)
        found = renewed(tx, principal, memory)
        if found is not None:
            memory = tx.patch(view, memory.id, Patch(anchors=found), now=now)
            tx.add_event(at=now, actor=principal.label, action="confirm", subject=memory.id, detail={})
        told, change = compared(tx, view, [memory])[0]
    if remaining(change) < 1 or "file_sha256" not in memory.evidence:
        path = memory.about_file
        why = told.stale or (f"no folder of its project has {path}" if path else "it names no file")
        raise InvalidInput(
            f"memory {memory.id} cannot be confirmed: {why}", code="nothing_to_change",
            hint="revise it, or forget it",
        )  # fmt: skip
    return told


def stale_page(service: Service, where: Where, *, limit: int, cursor: str | None) -> Page:
    """Memories of one view about files that have changed since, newest recorded first; a rename alone is no
    such change."""
    now = service.clock()
    kinds = tuple(KINDS.keys() - EVIDENCE) if where.kinds is None else where.kinds
    found: list[Memory] = []
    with service.store.read() as snap:
        view = view_of(snap, service.principal, replace(where, kinds=kinds))
        while True:
            page = snap.page(view, limit=LIMIT_MAX, cursor=cursor, now=now)
            found += [one for one, change in compared(snap, view, page.memories) if remaining(change) < 1]
            cursor = page.cursor
            if cursor is None or len(found) > limit:
                break
    return Page(found[:limit], cursor_after(found, limit))
