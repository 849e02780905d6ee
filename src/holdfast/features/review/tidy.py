"""Tidying: merges what says the same in one place, and puts away descriptions that nobody keeps or uses.

Nothing is destroyed: a merged memory is superseded, one that is put away is forgotten, and both come back by
one call. What a person pinned, edited or rejected is never touched, nor is a connection, nor what others own.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice
from typing import Any

from holdfast.core.arguments import checked_count, checked_flag
from holdfast.core.errors import InvalidInput
from holdfast.core.jobs import TIDY, Job
from holdfast.core.kinds import KINDS, Nature
from holdfast.core.record import Memory, Status
from holdfast.core.sources import Source
from holdfast.core.tidying import BROUGHT_BACK, KEPT_APART, MERGED, UNUSED, Tidied, TidyAct
from holdfast.core.times import DAY
from holdfast.core.views import ANY_STATE, Filter, personal_view
from holdfast.features.access.permission import why_not_change
from holdfast.features.jobs.schedule import plan
from holdfast.features.jobs.worker import Progress
from holdfast.features.memories.browse import pages
from holdfast.features.service import Service
from holdfast.language.statements.compare import Verdict, compare
from holdfast.stores.base.ports import Patch, Writer

ACTS = 200
"""Acts of one tidying. What is left follows in another job after those that wait, so that a user with very
much to tidy holds up nobody's work for longer."""
ACTS_AT_ONCE = 25
"""Acts of one transaction, which others who write in the tenant wait for."""
OVERLAP = 0.4
"""Least share of common words of two texts that are compared."""
COMMON = 200
"""Most texts of one place that a rarer word is in."""
SHOWN = 120
CONNECTIONS = frozenset({"connection_summary"})
MOST = 1_000_000
"""The most acts, and days."""
_WORD = re.compile(r"\w+")


def tidy(
    service: Service, *, dry_run: bool = True, older_than: int = 90, limit: int = ACTS,
    hold: Callable[[Writer], None] = lambda _: None,
) -> Tidied:  # fmt: skip
    """Merges what says the same and puts away unused descriptions of sources that were not reconciled for
    `older_than` days; with `dry_run` returns what it would do. At most `limit` acts. `hold` is called in each
    transaction and may raise, to stop. Raises InvalidInput."""
    checked_flag(dry_run, "dry_run")
    for name, value in (("older_than", older_than), ("limit", limit)):
        if not checked_count(value, name, MOST):
            raise InvalidInput(f"{name} must be a whole number from 1", code="argument_invalid")
    user, before = service.principal.user, service.clock() - older_than * DAY
    with service.store.read() as snap:
        view = personal_view(service.principal, Filter(owner=user))
        own = {memory.id: memory for memory in pages(snap, view) if memory.place.owner == user}
        sources = {source.id: source for source in snap.described(personal_view(service.principal))}
    proposed = chain(_merges(service, list(own.values())), _unused(service, own.values(), sources, before))
    acts = tuple(islice(proposed, limit))
    if not dry_run:
        acts = tuple(_perform(service, acts, own, hold))
    stale = [
        str(source.filename)
        for source in sources.values()
        if source.deleted_at is None and source.ingested_at < before
    ]
    return Tidied(dry_run, len(own), acts, tuple(stale))


def run(service: Service, _: Job, progress: Progress) -> Mapping[str, Any]:
    """Runs a job: tidies the memories of its user, or only counts what would be done, as the setting says.
    The next one follows a day later, as long as there are memories, or at once if more is to be done."""
    progress(0)
    result = tidy(service, dry_run=service.tidy != "apply", limit=ACTS, hold=progress.check_held)
    with service.store.write() as tx:
        progress.check_held(tx)
        if result.looked_at and service.tidy != "off":
            has_more = len(result.acts) == ACTS and not result.dry_run
            plan(service, tx, TIDY, due=service.clock() + (0 if has_more else DAY))
    counts = Counter(act.action for act in result.acts)
    return {"dry_run": result.dry_run, "looked_at": result.looked_at, "stale": len(result.stale), **counts}


def _merges(service: Service, memories: Sequence[Memory]) -> Iterator[TidyAct]:
    """Yields merges within one place and kind. Only knowledge is merged: descriptions are the same by what
    they describe."""
    groups: defaultdict[tuple[object, str], list[Memory]] = defaultdict(list)
    for memory in memories:
        if KINDS[memory.kind].nature is Nature.KNOWLEDGE and not memory.about:
            groups[memory.place, memory.kind].append(memory)
    for group in groups.values():
        merged: set[str] = set()
        for first, second in _candidates(group):
            if merged & {first.id, second.id} or KEPT_APART in (first.status_reason, second.status_reason):
                continue
            comparison = compare(first.embedding_text, second.embedding_text)
            if comparison.verdict is not Verdict.SAME:
                continue
            stays, loser = sorted((first, second), key=_worth, reverse=True)
            if _is_held(service, loser):
                continue
            merged.add(loser.id)
            yield TidyAct(
                "merge", loser.id, loser.text[:SHOWN], stays.id, stays.text[:SHOWN], comparison.reason,
                f"holdfast review approve {loser.id}",
            )  # fmt: skip


def _candidates(group: Sequence[Memory]) -> Iterator[tuple[Memory, Memory]]:
    """Yields the pairs of a group that share enough words, of all and of the rarer ones, the older first:
    what many texts have in common makes no pair by itself."""
    words = [frozenset(_WORD.findall(memory.embedding_text.lower())) for memory in group]
    counts = Counter(chain.from_iterable(words))
    rarer = [frozenset(word for word in own if counts[word] <= COMMON) for own in words]
    holders: defaultdict[str, list[int]] = defaultdict(list)
    for at, own in enumerate(rarer):
        shared: Counter[int] = Counter()
        for word in own:
            shared.update(holders[word])
            holders[word].append(at)
        for other, count in shared.items():
            if count >= OVERLAP * len(own | rarer[other]) and _overlap(words[at], words[other]):
                yield group[other], group[at]


def _overlap(first: frozenset[str], second: frozenset[str]) -> bool:
    return len(first & second) >= OVERLAP * len(first | second)


def _worth(memory: Memory) -> tuple[object, ...]:
    """Returns what decides which of two stays: what a person holds, then versions, uses, confidence, age."""
    protected = memory.pinned or memory.edited
    return protected, memory.version, memory.use_count, memory.confidence, -memory.recorded_at, memory.id


def _is_held(service: Service, memory: Memory) -> bool:
    protected = memory.pinned or memory.edited or memory.status is not Status.APPROVED
    return protected or why_not_change(service.principal, memory) is not None


def _unused(
    service: Service, memories: Iterable[Memory], sources: Mapping[str, Source], before: int
) -> Iterator[TidyAct]:
    """Yields descriptions in their first version that nobody used, of sources that nobody reconciled since
    (S3.36)."""
    for memory in memories:
        source = sources.get(memory.place.source or "")
        if source is None or memory.kind in CONNECTIONS or _is_held(service, memory):
            continue
        if memory.status_reason == BROUGHT_BACK:
            continue
        is_old = max(memory.updated_at, memory.last_used_at or 0, source.ingested_at) < before
        if memory.version == 1 and is_old and not memory.use_count:
            yield TidyAct(
                "prune", memory.id, memory.text[:SHOWN], None, None, UNUSED, f"holdfast restore {memory.id}"
            )


def _perform(
    service: Service, acts: Iterable[TidyAct], memories: Mapping[str, Memory], hold: Callable[[Writer], None]
) -> Iterator[TidyAct]:
    """Does acts, a few in each transaction, and yields those that were done."""
    left = iter(acts)
    while batch := list(islice(left, ACTS_AT_ONCE)):
        with service.store.write() as tx:
            hold(tx)
            done = [act for act in batch if _do(service, tx, act, memories)]
        yield from done


def _do(service: Service, tx: Writer, act: TidyAct, memories: Mapping[str, Memory]) -> bool:
    """Does one act, unless one of its memories has changed since it was planned; `act.undo` undoes it."""
    now, view = service.clock(), personal_view(service.principal, ANY_STATE)
    ids = [id for id in (act.memory, act.into) if id is not None]
    stored = {memory.id: memory for memory in tx.several(view, ids, now=0)}
    if any(id not in stored or _state(stored[id]) != _state(memories[id]) for id in ids):
        return False
    if act.into is None:
        patch = Patch(deleted_at=now, deleted_reason=UNUSED)
        action, detail = "forget", {}
    else:
        reason = MERGED + act.evidence
        patch = Patch(status=Status.SUPERSEDED, status_reason=reason, superseded_by=act.into)
        action, detail = "supersede", {"by": act.into}
    tx.patch(view, act.memory, patch, now=now)
    tx.add_event(
        at=now, actor=service.principal.label, action=action, subject=act.memory, detail=dict(detail)
    )
    return True


def _state(memory: Memory) -> tuple[object, ...]:
    """Returns what an act rests on."""
    flags = memory.pinned, memory.edited
    return memory.version, memory.status, memory.deleted_at, memory.use_count, memory.place, *flags
