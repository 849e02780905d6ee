"""Scanning: today's rules over what was stored before, proposals to redact what they find, and the decisions.

The rules grow, and what was admitted under older ones stays as it was until a person decides. A scan reads
every version that is kept, with all that belongs to it, and changes nothing.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from holdfast.core.arguments import LIMIT_MAX, checked_flag, checked_limit, checked_list
from holdfast.core.errors import HoldfastError, InvalidInput
from holdfast.core.record import Memory
from holdfast.core.review import Decision, Result, refused_decision
from holdfast.core.scanning import KEEP_FOUND, REOPEN_FOUND, Finding, ScanMatch, Scanned, ScannedName
from holdfast.core.views import GONE, View, personal_view
from holdfast.features.access.permission import check_in_person, check_may_change
from holdfast.features.admission.recheck import Recheck, Rechecked
from holdfast.features.memories.naming import checked_id, memory_not_found
from holdfast.features.memories.redact import clean_version
from holdfast.features.service import Service
from holdfast.stores.base.ports import Reader, Writer

SHOWN = 120
"""Characters of the clean text that a proposal shows."""
TEXTS = ("description", "notes", "system_prompt")
"""Settings of a project that are texts."""
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
    with service.store.read() as snap:
        page = snap.page(own_view(service), limit=limit, cursor=cursor, now=0)
        looked = proposals(snap, service, recheck, page.memories)
        names = () if cursor is not None else (*found_projects(snap, service, recheck),
                                               *found_sessions(snap, service, recheck))  # fmt: skip
    proposed = tuple(shown.proposal for shown in looked.proposals)
    return Scanned(len(page.memories), looked.versions, proposed, looked.dismissed, page.cursor, names)


@dataclass(frozen=True, slots=True)
class Shown:
    """A memory without what was found in it, and the redaction that is proposed."""

    memory: Memory
    proposal: ScanMatch


@dataclass(frozen=True, slots=True)
class Looked:
    """The proposals about some memories of the user, with how many versions they have, and how many of the
    memories a person keeps as they are."""

    proposals: tuple[Shown, ...]
    versions: int
    dismissed: int


def proposals(reader: Reader, service: Service, recheck: Recheck, memories: Sequence[Memory]) -> Looked:
    """Looks at every version of some memories of the user."""
    view = own_view(service)
    versions = _versions(reader, view, memories)
    findings = _findings(recheck, versions)
    dismissed = _dismissed_findings(reader, view, findings)
    open_ = {id: changes for id, changes in findings.items() if not _is_kept(changes, dismissed.get(id, {}))}
    on_hold = set(reader.ids_on_hold(view, list(open_)))
    present = {memory.id: memory for memory in memories}
    shown = (_proposal(present[id], case, is_held=id in on_hold) for id, case in open_.items())
    return Looked(tuple(shown), len(versions), len(findings) - len(open_))


def found_projects(reader: Reader, service: Service, recheck: Recheck) -> Iterator[ScannedName]:
    """Yields the projects in whose names or settings something is found."""
    for project in reader.projects(personal_view(service.principal)):
        result = recheck.find_in({name: getattr(project, name) for name in ("name", *TEXTS)})
        if result.types:
            yield _found_name("project", result.values.get("name", project.name), result)


def found_sessions(reader: Reader, service: Service, recheck: Recheck) -> Iterator[ScannedName]:
    """Yields the sessions of the user in whose ids or names something is found."""
    for session in reader.sessions(own_view(service)):
        result = recheck.find_in({"id": session.external_id, "name": session.name})
        if result.types:
            yield _found_name("session", result.values.get("id", session.external_id), result)


def decide(
    service: Service, accept: Collection[str] | str = (), refuse: Collection[str] | str = (), *,
    reopen: Collection[str] | str = (), personal: bool = False,
) -> list[Decision]:  # fmt: skip
    """Takes what a scan finds out of every version of the memories to `accept`, every byte of it, notes of
    those to `refuse` that they stay as they are, and takes that back of those to `reopen`, which wait again.
    Personal data counts if `personal` is true, or the scan that proposed it looked for it. Returns one result
    each, in order; a failure is reported as refused and does not stop the others. Raises InvalidInput,
    Refusal `person_needed`."""
    check_in_person(service.principal, "decides what is redacted")
    requested = [(id, _accept) for id in checked_list(accept, "accept")]
    requested += [(id, _refuse) for id in checked_list(refuse, "refuse")]
    requested += [(id, _reopen) for id in checked_list(reopen, "reopen")]
    if not 0 < len(requested) <= LIMIT_MAX:
        raise InvalidInput(f"name 1 to {LIMIT_MAX} memories", code="limit_invalid")
    checked_flag(personal, "personal")
    results: list[Decision] = []
    for start in range(0, len(requested), GROUP):
        with service.store.write() as tx:
            for id, act in requested[start : start + GROUP]:
                try:
                    with tx.attempt():
                        results.append(_decide(service, tx, id, act, personal=personal))
                except HoldfastError as error:
                    results.append(refused_decision(id if isinstance(id, str) else "", error))
    cleaned = [result.id for result in results if result.result is Result.APPROVED]
    if cleaned:
        service.drop_counts(cleaned)
        service.bell.ring()
        service.store.scrub()
    return results


@dataclass(frozen=True, slots=True)
class _Case:
    """A memory in which something is found, and whether personal data was looked for."""

    memory: Memory
    findings: _Findings
    personal: bool


_Act = Callable[[Service, Writer, _Case], Decision]


def _decide(service: Service, tx: Writer, id: str, act: _Act, *, personal: bool) -> Decision:
    """Scans the versions of a memory again and acts on what is found now; the decision is refused with
    `nothing_to_change` if nothing is. Raises NotFound, Refusal."""
    view = own_view(service)
    memory = tx.get(view, checked_id(id))
    if memory is None or memory.place.owner != service.principal.user:
        raise memory_not_found(id)
    check_may_change(service.principal, memory)
    personal = personal or any(finding.personal for finding in tx.findings(view, id=memory.id))
    recheck = Recheck(service.admission, personal=personal)
    changes = _findings(recheck, _versions(tx, view, [memory])).get(memory.id, [])
    if not changes:
        tx.drop_finding(memory.id)
        error = InvalidInput(f"nothing is found in memory {memory.id}", code="nothing_to_change")
        return refused_decision(memory.id, error)  # raised, it would bring the proposal back
    return act(service, tx, _Case(memory, changes, personal))


def _accept(service: Service, tx: Writer, case: _Case) -> Decision:
    """Redacts every version in which something is found, and drops the proposal."""
    id, changes = case.memory.id, case.findings
    for old, cleaned in changes:
        clean_version(service, tx, case.memory, old, cleaned)
    tx.drop_finding(id)
    versions = f"{len(changes):,} version{'' if len(changes) == 1 else 's'}"
    reason = f"redacted in {versions}: {_in_words(changes)}"
    return Decision(id, Result.APPROVED, tx.get(own_view(service), id), reason)


def _refuse(service: Service, tx: Writer, case: _Case) -> Decision:
    """Leaves the memory as it is, and records how many findings of each type its versions keep, so that only
    more or other ones are proposed again."""
    detail = {"versions": {str(old.version): dict(cleaned.types) for old, cleaned in case.findings}}
    _add_event(service, tx, KEEP_FOUND, case.memory, detail)
    tx.drop_finding(case.memory.id)
    reason = f"stays as it is, and is not proposed again: {_in_words(case.findings)}"
    return Decision(case.memory.id, Result.REJECTED, None, reason)


def _reopen(service: Service, tx: Writer, case: _Case) -> Decision:
    """Withdraws the decision to keep what is found: it waits again. Raises InvalidInput if there is none."""
    memory = case.memory
    if not _is_kept(
        case.findings, _dismissed_findings(tx, own_view(service), [memory.id]).get(memory.id, {})
    ):
        raise InvalidInput(f"nobody keeps what is found in memory {memory.id}", code="nothing_to_change")
    _add_event(service, tx, REOPEN_FOUND, memory, {})
    tx.put_finding(Finding(memory.id, memory.place.owner, service.clock(), case.personal))
    return Decision(memory.id, Result.PENDING, None, f"waits again: {_in_words(case.findings)}")


def _add_event(service: Service, tx: Writer, action: str, memory: Memory, detail: dict[str, Any]) -> None:
    tx.add_event(
        at=service.clock(), actor=service.principal.label, action=action, subject=memory.id, detail=detail
    )


def _in_words(findings: _Findings) -> str:
    return ", ".join(f"{name} ({count:,})" for name, count in _types(findings).items())


def own_view(service: Service) -> View:
    """Returns the view of all that the user owns, closed projects and forgotten memories included."""
    return personal_view(service.principal, replace(GONE, owner=service.principal.user), closed=True)


def _versions(reader: Reader, view: View, memories: Sequence[Memory]) -> list[Memory]:
    """Returns all versions of some memories that are kept."""
    changed = [memory.id for memory in memories if memory.version > 1]
    single = [memory for memory in memories if memory.version == 1]
    return single + (reader.versions(view, changed) if changed else [])


def _findings(recheck: Recheck, versions: Sequence[Memory]) -> dict[str, _Findings]:
    """Returns the versions in which something is found, by memory."""
    findings: defaultdict[str, _Findings] = defaultdict(list)
    for version, cleaned in zip(versions, recheck.find(versions), strict=True):
        if cleaned.types:
            findings[version.id].append((version, cleaned))
    return findings


def _dismissed_findings(reader: Reader, view: View, ids: Iterable[str]) -> dict[str, dict[str, Counter[str]]]:
    """Returns what people decided to keep, by memory and version."""
    dismissed: defaultdict[str, dict[str, Counter[str]]] = defaultdict(dict)
    for event in reader.events_about(view, list(ids)):
        if event.action == KEEP_FOUND and event.subject is not None:
            dismissed[event.subject] |= {
                version: Counter(types) for version, types in event.detail["versions"].items()
            }
        elif event.action == REOPEN_FOUND and event.subject is not None:
            dismissed.pop(event.subject, None)
    return dismissed


def _is_kept(findings: _Findings, dismissed: Mapping[str, Counter[str]]) -> bool:
    return all(cleaned.types <= dismissed.get(str(old.version), Counter()) for old, cleaned in findings)


def _types(findings: _Findings) -> dict[str, int]:
    total: Counter[str] = Counter()
    for _, cleaned in findings:
        total += cleaned.types
    return dict(sorted(total.items()))


def _proposal(memory: Memory, findings: _Findings, *, is_held: bool) -> Shown:
    """Returns the proposal for a memory, and the memory as it would be: clean, if something is found in its
    present version."""
    old, last = findings[-1]
    parts = dict.fromkeys(part for _, cleaned in findings for part in cleaned.values)
    proposal = ScanMatch(
        memory.id, memory.kind, memory.project, tuple(version.version for version, _ in findings),
        _types(findings), tuple(parts), str(last.values.get("text", old.text))[:SHOWN],
        memory.deleted_at is not None, is_held,
    )  # fmt: skip
    values = last.values if old.version == memory.version else {}
    return Shown(replace(memory, **values), proposal)


def _found_name(kind: str, name: str, findings: Rechecked) -> ScannedName:
    return ScannedName(kind, name, dict(sorted(findings.types.items())), tuple(findings.values))
