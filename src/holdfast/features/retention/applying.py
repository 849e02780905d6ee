"""Memories that retention policies let go: shown beforehand, and erased when their time is over."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from holdfast.core.arguments import checked_limit
from holdfast.core.kinds import EVIDENCE
from holdfast.core.places import Principal, Role
from holdfast.core.retention import (
    Cutoff,
    Due,
    DueGroup,
    Example,
    Outdated,
    Policy,
    cutoffs,
)
from holdfast.core.usage import session_key
from holdfast.core.views import GONE, personal_view
from holdfast.features.memories import titles
from holdfast.features.memories.tombstones import Tombstones
from holdfast.features.retention.policies import (
    check_administers,
    checked_days,
    checked_kind,
    policies,
    project_id,
    project_names,
)
from holdfast.features.service import Service
from holdfast.stores.base.ports import Reader, Writer

BATCH = 500
TEXT_MAX = 120


def preview(
    service: Service, days: int | None = None, *, kind: str | None = None, project: str | None = None,
    limit: int = 10,
) -> Due:  # fmt: skip
    """Returns what the policies would erase now; with `days` as if such a policy was set for a kind and
    project. Raises InvalidInput, NotFound, AccessDenied, Refusal."""
    check_administers(service)
    checked_limit(limit)
    now = service.clock()
    with service.store.read() as snap:
        existing = policies(snap, service)
        if days is not None:
            place = checked_kind(kind), project_id(snap, service, project)
            proposed = Policy(*place, checked_days(days), service.principal.label, now)
            existing = _with(existing, proposed)
        candidates = list(_outdated(snap, service, cutoffs(existing, now, grace=0)))
        due = [outdated for outdated in candidates if outdated.is_due]
        names = project_names(snap, service)
        return Due(
            len(due),
            sum(outdated.held for outdated in candidates),
            sum(outdated.protected and not outdated.held for outdated in candidates),
            tuple(_groups(due, names)),
            tuple(_examples(snap, service, due[:limit], names)),
        )


def count_due(snap: Reader, service: Service, now: int) -> int:
    """Returns the number of memories that the policies let go by a time."""
    existing = policies(snap, service)
    return sum(item.is_due for item in _outdated(snap, service, cutoffs(existing, now))) if existing else 0


def apply_policies(service: Service, hold: Callable[[], None] = lambda: None) -> int:
    """Erases what policies let go, of everybody, so that no byte is left, and returns the number of memories.
    What a legal hold covers, and what a person pinned or edited, stays. `hold` is called before each batch
    and may raise."""
    with service.store.read() as snap:
        if not policies(snap, service):
            return 0
    now, after, erased = service.clock(), 0, list[str]()
    view = personal_view(service.principal)
    while True:
        hold()
        with service.store.write() as tx:
            page = tx.outdated(view, cutoffs(policies(tx, service), now), after=after, limit=BATCH)
            if not page:
                break
            after = page[-1].number
            due = [outdated for outdated in page if outdated.is_due]
            for owner in sorted({outdated.owner for outdated in due}):
                erased += _erase(
                    service, tx, owner, [outdated for outdated in due if outdated.owner == owner], now
                )
    if erased:
        service.drop_counts(erased)
        service.store.scrub()
    return len(erased)


def _erase(service: Service, tx: Writer, owner: str, due: Sequence[Outdated], now: int) -> list[str]:
    """Erases memories of an owner, and conversations that have nothing left; an import does not bring them
    back. Returns their ids."""
    own = service.acting_as(Principal(owner, Role.SERVICE))
    view = personal_view(own.principal, GONE, closed=True)
    memories = tx.several(view, [outdated.id for outdated in due], now=0)
    Tombstones(own, tx).bury(memories)
    ids = [memory.id for memory in memories]
    tx.erase(view, ids)
    titles.pass_on(own, tx, memories)
    numbers = {outdated.session for outdated in due} - {None}
    for session in tx.sessions(view) if numbers else ():
        inside = replace(GONE, session=session.number, kinds=EVIDENCE)
        if session.number in numbers and not tx.count(view.narrowed(inside), now=0):
            tx.take_back(view, session=session_key(session.external_id))
            tx.drop_session(view, session.number)
    kinds = Counter(memory.kind for memory in memories)
    detail = {"owner": owner, "memories": len(ids), "kinds": dict(sorted(kinds.items()))}
    tx.add_event(at=now, actor=service.principal.label, action="apply_retention", subject=None, detail=detail)
    return ids


def _with(policies: list[Policy], new_policy: Policy) -> list[Policy]:
    """Returns the policies with another one in place of that of the same kind and project."""
    rest = [policy for policy in policies if policy.rank != new_policy.rank]
    return sorted([*rest, new_policy], key=lambda policy: policy.rank)


def _outdated(snap: Reader, service: Service, cutoffs: Sequence[Cutoff]) -> Iterator[Outdated]:
    view, after = personal_view(service.principal), 0
    while page := snap.outdated(view, cutoffs, after=after, limit=BATCH * 20):
        yield from page
        after = page[-1].number


def _groups(due: Sequence[Outdated], names: dict[str, str]) -> Iterator[DueGroup]:
    """Yields what is due, by owner, kind and project."""
    groups: dict[tuple[str, str, str], list[Outdated]] = {}
    for outdated in due:
        groups.setdefault((outdated.owner, outdated.kind, outdated.project or ""), []).append(outdated)
    for (owner, kind, project), inside in sorted(groups.items()):
        oldest = min(place.changed_at for place in inside)
        yield DueGroup(owner, kind, names.get(project, project) or None, len(inside), oldest)


def _examples(
    snap: Reader, service: Service, due: Sequence[Outdated], names: dict[str, str]
) -> Iterator[Example]:
    """Yields some of what is due, with its text."""
    view = personal_view(service.principal, GONE)
    texts = {
        memory.id: memory.text for memory in snap.several(view, [outdated.id for outdated in due], now=0)
    }
    for outdated in due:
        text = texts.get(outdated.id)
        project = None if outdated.project is None else names.get(outdated.project, outdated.project)
        shown = None if text is None else text[:TEXT_MAX]
        yield Example(outdated.id, outdated.owner, outdated.kind, project, outdated.changed_at, shown)
