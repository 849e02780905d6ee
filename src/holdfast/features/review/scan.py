"""Scanning: today's rules over what was stored before, proposals to redact what they find, and the decisions.

The rules grow, and what was admitted under older ones stays as it was until a person decides. A scan reads
every version that is kept, with all that belongs to it, and changes nothing.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace

from holdfast.core.arguments import LIMIT_MAX, checked_flag, checked_limit, checked_list
from holdfast.core.errors import HoldfastError, InvalidInput
from holdfast.core.record import Memory
from holdfast.core.review import Decision, Result
from holdfast.core.scanning import KEEP_FOUND, Found, Scanned
from holdfast.core.views import GONE, View, personal_view
from holdfast.features.access.permission import check_in_person, check_may_change
from holdfast.features.admission.recheck import Recheck, Rechecked
from holdfast.features.memories.naming import checked_id, memory_not_found
from holdfast.features.memories.redact import clean_version
from holdfast.features.review.review import refused_decision
from holdfast.features.service import Service
from holdfast.stores.base.ports import Reader, Writer

SHOWN = 120
"""Characters of the clean text that a proposal shows."""
GROUP = 50
"""Decisions of one transaction."""

_Findings = list[tuple[Memory, Rechecked]]
"""The versions of a memory that hold something, oldest first."""


def scan(
    service: Service, *, personal: bool = False, limit: int = LIMIT_MAX, cursor: str | None = None
) -> Scanned:
    """Looks at a page of what the user owns, forgotten memories included, the newest first. With `personal`
    also for personal data that no setting describes. Raises InvalidInput."""
    checked_limit(limit)
    recheck = Recheck(service.admission, personal=checked_flag(personal, "personal"))
    view = _view(service)
    with service.store.read() as snap:
        page = snap.page(view, limit=limit, cursor=cursor, now=0)
        memories = page.memories
        versions = _versions(snap, view, memories)
        findings = _findings(recheck, versions)
        kept = _kept(snap, view, findings)
        open_ = {id: found for id, found in findings.items() if not _is_kept(found, kept.get(id, {}))}
        held = set(snap.held(view, list(open_)))
    present = {memory.id: memory for memory in memories}
    found = tuple(_proposal(present[id], one, held=id in held) for id, one in open_.items())
    return Scanned(len(memories), len(versions), found, len(findings) - len(open_), page.cursor)


def decide(
    service: Service, accept: Collection[str] | str = (), refuse: Collection[str] | str = (), *,
    personal: bool = False,
) -> list[Decision]:  # fmt: skip
    """Takes what a scan finds out of every version of the memories to `accept`, every byte of it, and notes
    of those to `refuse` that they stay as they are. Returns one result each, in order; a failure is reported
    as refused and does not stop the others. Raises InvalidInput, Refusal `person_needed`."""
    check_in_person(service.principal, "decides what is redacted")
    wanted = [(id, True) for id in checked_list(accept, "accept")]
    wanted += [(id, False) for id in checked_list(refuse, "refuse")]
    if not 0 < len(wanted) <= LIMIT_MAX:
        raise InvalidInput(f"name 1 to {LIMIT_MAX} memories", code="limit_invalid")
    recheck = Recheck(service.admission, personal=checked_flag(personal, "personal"))
    results: list[Decision] = []
    for start in range(0, len(wanted), GROUP):
        with service.store.write() as tx:
            for id, accepted in wanted[start : start + GROUP]:
                try:
                    with tx.attempt():
                        results.append(_decide(service, tx, recheck, id, accepted=accepted))
                except HoldfastError as error:
                    results.append(refused_decision(id if isinstance(id, str) else "", error))
    cleaned = [one.id for one in results if one.result is Result.APPROVED]
    if cleaned:
        service.drop_counts(cleaned)
        service.bell.ring()
        service.store.scrub()
    return results


def _decide(service: Service, tx: Writer, recheck: Recheck, id: str, *, accepted: bool) -> Decision:
    view = _view(service)
    memory = tx.get(view, checked_id(id))
    if memory is None or memory.place.owner != service.principal.user:
        raise memory_not_found(id)
    check_may_change(service.principal, memory)
    found = _findings(recheck, _versions(tx, view, [memory])).get(memory.id, [])
    if not found:
        raise InvalidInput(f"nothing is found in memory {memory.id}", code="nothing_to_change")
    types = _types(found)
    what = ", ".join(f"{name} ({count:,})" for name, count in types.items())
    if not accepted:
        detail = {"versions": {str(old.version): dict(one.types) for old, one in found}}
        tx.add_event(
            at=service.clock(), actor=service.principal.label, action=KEEP_FOUND, subject=memory.id,
            detail=detail,
        )  # fmt: skip
        return Decision(
            memory.id, Result.REJECTED, None, f"stays as it is, and is not proposed again: {what}"
        )
    for old, one in found:
        clean_version(service, tx, memory, old, one)
    versions = f"{len(found):,} version{'' if len(found) == 1 else 's'}"
    return Decision(memory.id, Result.APPROVED, tx.get(view, memory.id), f"redacted in {versions}: {what}")


def _view(service: Service) -> View:
    """Returns the view of all that the user owns, closed projects and forgotten memories included."""
    return personal_view(service.principal, replace(GONE, owner=service.principal.user), closed=True)


def _versions(reader: Reader, view: View, memories: Sequence[Memory]) -> list[Memory]:
    """Returns all versions of some memories that are kept."""
    changed = [memory.id for memory in memories if memory.version > 1]
    single = [memory for memory in memories if memory.version == 1]
    return single + (reader.versions(view, changed) if changed else [])


def _findings(recheck: Recheck, versions: Sequence[Memory]) -> dict[str, _Findings]:
    findings: defaultdict[str, _Findings] = defaultdict(list)
    for version, one in zip(versions, recheck.find(versions), strict=True):
        if one.types:
            findings[version.id].append((version, one))
    return findings


def _kept(reader: Reader, view: View, ids: Iterable[str]) -> dict[str, dict[str, Counter[str]]]:
    """Returns what people decided to keep, by memory and version."""
    kept: defaultdict[str, dict[str, Counter[str]]] = defaultdict(dict)
    for event in reader.events_about(view, list(ids)):
        if event.action == KEEP_FOUND and event.subject is not None:
            kept[event.subject] |= {
                version: Counter(types) for version, types in event.detail["versions"].items()
            }
    return kept


def _is_kept(found: _Findings, kept: Mapping[str, Counter[str]]) -> bool:
    return all(one.types <= kept.get(str(old.version), Counter()) for old, one in found)


def _types(found: _Findings) -> dict[str, int]:
    total: Counter[str] = Counter()
    for _, one in found:
        total += one.types
    return dict(sorted(total.items()))


def _proposal(memory: Memory, found: _Findings, *, held: bool) -> Found:
    old, last = found[-1]
    parts = dict.fromkeys(part for _, one in found for part in one.values)
    return Found(
        memory.id, memory.kind, memory.project, tuple(one.version for one, _ in found), _types(found),
        tuple(parts), str(last.values.get("text", old.text))[:SHOWN], memory.deleted_at is not None, held,
    )  # fmt: skip
