"""Learns from the log of a session: candidate memories, module confidence and a summary (S4.42)."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any

from holdfast.core.arguments import checked_flag
from holdfast.core.errors import InvalidInput, NotFound, Refusal
from holdfast.core.module_map import LIST_MAX
from holdfast.core.pages import each
from holdfast.core.places import MAIN_BRANCHES, usable_name
from holdfast.core.record import Kept, Memory, Origin, Outcome, Status
from holdfast.core.sources import DISCOVERY, Source
from holdfast.core.usage import Tally, session_key
from holdfast.core.views import Filter, View, personal_view
from holdfast.features.access.permission import is_own
from holdfast.features.access.places import Selection, view_of
from holdfast.features.admission.admission import Admission
from holdfast.features.admission.draft import Draft
from holdfast.features.admission.names import checked_name
from holdfast.features.learning.positions import cursor_of
from holdfast.features.learning.rules.discovery import discovery_of
from holdfast.features.learning.rules.lessons import (
    bullets_of,
    candidates_in,
    is_after_web,
    outdated_in,
    web_from,
    withdrawn_in,
)
from holdfast.features.learning.rules.log import (
    Learned,
    Lesson,
    SessionLog,
    SessionType,
    WorkCandidate,
    session_type_named,
)
from holdfast.features.learning.rules.rules import FEEDBACK
from holdfast.features.memories.forget import forget, restore
from holdfast.features.memories.remember import remember_many
from holdfast.features.modulemap.module_maps import get_map, note_opened
from holdfast.features.service import Service

ACTOR = "learning"
"""The name of the learning agent, unless one is set already."""
TAG = "learned"
"""The tag of all memories that were learned from a log."""
TAKEN_BACK = "taken back in the session that taught it"
"""Why a lesson was forgotten that its user took back."""
OUTDATED = "the command worked later in the session that taught it"
"""Why a lesson was forgotten that a command fails."""
WORKED_ON = "worked_on"
"""The entry of the evidence that says what was worked on: it is compared with tasks, and no headline."""
LINE_MAX = 240
"""Most characters of a lesson that is given in full: a shortened one may lack its reason."""
CERTAIN = 0.7
"""Confidence from which the words of a person need no review."""
PAGE = 1_000


def learn(
    service: Service,
    log: SessionLog,
    *,
    project: str,
    session_type: str = "build",
    failed: bool = False,
    dry_run: bool = False,
) -> Learned:
    """Extracts what a session taught from its log, by rules, and marks its files in the project's module map.

    The setting `learning_trust` says which candidates enter at once; those after web content wait in any
    case and have the origin `web`, which lowers their confidence by the factor 0.7 (S4.45). The session type
    limits their number (S4.73), and of a session that `failed`, by the log or by this argument, only dead
    ends remain. Reading the same log again adds nothing, and forgotten or rejected memories are not restored.
    How far a file that grows was read is kept. With `dry_run` nothing is stored. Raises InvalidInput.
    """
    type_ = session_type_named(session_type)
    for name, value in (("failed", failed), ("dry_run", dry_run)):
        checked_flag(value, name)
    checked_name(project, "project")
    admission = service.admission
    log = _clean(admission, log, failed)
    cursor = cursor_of(service, log.position)
    candidates, left_out = candidates_in(log, type_, before=cursor.metadata.get("lessons", 0))
    web = web_from(log)
    drafts = [
        _draft(service, candidate, log, project, type_, after_web=is_after_web(candidate, web))
        for candidate in candidates
    ]
    if not dry_run:
        _withdraw(service, log, project)
    new_candidates = _without_forgotten(
        service, project, zip(candidates, drafts, strict=True), restores=not dry_run
    )
    machine = _as_machine(service, type_)
    results = remember_many(machine, [draft for _, draft in new_candidates], rehearse=dry_run)
    lessons = tuple(
        _lesson(candidate, draft, result, dry_run)
        for (candidate, draft), result in zip(new_candidates, results, strict=True)
    )
    mapped: tuple[str, ...] = ()
    if not dry_run and (log.position is None or len(log.steps) > log.read_before):
        _record_event(machine, log, lessons)
        mapped = _raise_confidence(machine, log, project)
    if not dry_run:
        _keep_position(service, log, project, cursor, len(lessons))
    return Learned(
        session=log.id,
        session_type=type_.name,
        failed=log.failed,
        steps=len(log.steps) - log.read_before,
        files=len(log.files),
        skipped=log.skipped,
        lessons=lessons,
        left_out=left_out,
        bullets=bullets_of(log, _summary_of(lessons)),
        mapped=mapped,
        dry_run=dry_run,
        more=log.position is not None and log.position.more,
    )


def _without_forgotten(
    service: Service, project: str, candidates: Iterable[tuple[WorkCandidate, Draft]], *, restores: bool
) -> list[tuple[WorkCandidate, Draft]]:
    """Returns the candidates that nobody has forgotten. A lesson that went because it was taken back, or
    because a command worked later, is said or shown again: it counts, and with `restores` it is restored."""
    forgotten = _forgotten(service, project)
    results = []
    for candidate, draft in candidates:
        lesson = forgotten.get(draft.external_id)
        if lesson is not None and lesson.deleted_reason not in (TAKEN_BACK, OUTDATED):
            continue
        if lesson is not None and restores:
            restore(service, lesson.id)
        results.append((candidate, draft))
    return results


def _keep_position(service: Service, log: SessionLog, project: str, cursor: Source, lessons: int) -> None:
    """Keeps how far a log is read now, and how far its session had to look."""
    position = log.position
    if position is None or position.offset == cursor.metadata.get("offset"):
        return
    view = personal_view(service.principal)
    with service.store.write() as tx:
        stored = next((source for source in tx.sources(view) if source.digest == cursor.digest), cursor)
        count = stored.metadata.get("lessons", 0) + lessons
        number = view_of(tx, service.principal, Selection(project)).context.project
        tally = sum(tx.tallies(view, number, session_key(log.id)), Tally())
        discovery = discovery_of(
            stored.metadata.get(DISCOVERY, {}), log.steps[log.read_before :],
            with_memory=tally.memories_injected + tally.memory_hits > 0, project=number,
        )  # fmt: skip
        metadata = {"offset": position.offset, "lessons": count, DISCOVERY: discovery}
        tx.put_source(replace(stored, metadata=metadata))


def _clean(admission: Admission, log: SessionLog, failed: bool) -> SessionLog:
    """Returns the log without secrets and private blocks, so that no memory is made of them (S4.20)."""
    texts = {text for step in log.steps for text in (step.target, step.output, *step.symbols)}
    clean = admission.clean_texts(texts)
    steps = []
    for step in log.steps:
        target = clean[step.target]
        failed_ = step.failed or not target
        symbols = tuple(name for name in step.symbols if clean[name] == name)
        steps.append(replace(step, target=target, output=clean[step.output], failed=failed_, symbols=symbols))
    return replace(log, id=_name_of(admission, log.id), steps=tuple(steps), failed=log.failed or failed)


def _name_of(admission: Admission, id: str) -> str:
    """Returns the session's own name, or a digest of one that is not a valid name."""
    try:
        return usable_name(admission.clean_text(id), "session")
    except InvalidInput:
        return f"log-{hashlib.sha256(id.encode('utf-8', 'surrogatepass')).hexdigest()[:16]}"


def _is_trusted(service: Service, candidate: WorkCandidate) -> bool:
    """Returns whether a candidate enters without review, by the setting `learning_trust`: `all` do, or none
    (`review`), or what a person said to correct the work and what exit codes proved (`standard`), unless it
    is an agent that hands over the log, which may say anything."""
    if service.learning_trust == "standard":
        return not service.principal.is_machine and _is_certain(candidate)
    return service.learning_trust == "all"


def _is_certain(candidate: WorkCandidate) -> bool:
    """Returns whether the log itself shows it: exit codes, or a person in plain words."""
    is_said = candidate.rule == FEEDBACK or (candidate.kind == "decision" and candidate.confidence >= CERTAIN)
    return candidate.is_proved or (is_said and candidate.confidence >= CERTAIN)


def _origin(candidate: WorkCandidate, *, after_web: bool) -> Origin:
    if after_web:
        return Origin.WEB
    return Origin.EXTRACTION if candidate.kind == "human_feedback" else Origin.AGENT


def _draft(
    service: Service,
    candidate: WorkCandidate,
    log: SessionLog,
    project: str,
    type_: SessionType,
    *,
    after_web: bool,
) -> Draft:
    """Returns a lesson as a draft in the place of its project."""
    text = service.admission.clean_text(candidate.text)
    last = log.steps[max(candidate.steps) - 1]
    metadata: dict[str, Any] = {"symbols": list(candidate.symbols)} if candidate.symbols else {}
    if candidate.files:
        metadata |= {"file": candidate.files[0], "files": list(candidate.files)}
    return Draft(
        text=text,
        summary=text if len(text) <= LINE_MAX else None,
        kind=candidate.kind,
        project=project,
        branch=None if log.branch in MAIN_BRANCHES else log.branch,  # what holds there holds everywhere
        external_id=_key(candidate, text),
        taken_from=_origin(candidate, after_web=after_web),
        confidence=candidate.confidence,
        status="approved" if _is_trusted(service, candidate) else "pending",
        tags=(TAG,),
        metadata=metadata or None,
        at=last.at,
        evidence={
            "rule": candidate.rule,
            "reason": candidate.reason,
            "session": log.id,
            "session_type": type_.name,
            "steps": list(candidate.steps),
            "quote": candidate.quote,
            **({} if candidate.task is None else {WORKED_ON: service.admission.clean_text(candidate.task)}),
        },
    )


def _key(candidate: WorkCandidate, text: str) -> str:
    """Returns a key that identifies a candidate when a log shows it again, be it the same or that of another
    session."""
    whole = "\n".join((candidate.rule, candidate.kind, text))
    return f"learned:{hashlib.sha256(whole.encode('utf-8', 'surrogatepass')).hexdigest()[:32]}"


def _forgotten(service: Service, project: str) -> Mapping[str | None, Memory]:
    """Returns the memories that were learned here and then forgotten, by key."""
    forgotten = _learned(service, project, Filter(deleted=True))
    return {memory.external_id: memory for memory in forgotten}


def _learned(service: Service, project: str, narrowing: Filter) -> list[Memory]:
    """Returns what was learned in a project, whatever was decided about it."""
    narrowing = replace(narrowing, tags=frozenset({TAG}), statuses=frozenset(Status))
    with service.store.read() as snap:
        view: View = view_of(snap, service.principal, Selection(project)).narrowed(narrowing)
        now = service.clock()
        return [*each(lambda cursor: snap.page(view, limit=PAGE, cursor=cursor, now=now))]


def _withdraw(service: Service, log: SessionLog, project: str) -> None:
    """Forgets what this session taught before and its user takes back now, unless somebody has edited it, or
    what its commands refute, as long as it waits for review. An agent leaves what replaced a person's words.
    """
    reasons = {
        _key(one, service.admission.clean_text(one.text)): reason
        for found, reason in ((withdrawn_in(log), TAKEN_BACK), (outdated_in(log), OUTDATED))
        for one in found
    }
    if not reasons:
        return
    for memory in _learned(service, project, Filter()):
        is_ours = memory.external_id in reasons and memory.evidence.get("session") == log.id
        is_changed = memory.edited or memory.pinned or memory.status is Status.REJECTED
        if is_ours and not is_changed and is_own(service.principal, memory):
            reason = reasons[str(memory.external_id)]
            if reason != OUTDATED or memory.status is Status.PENDING:
                with suppress(Refusal):
                    forget(service, memory.id, reason=reason)


def _lesson(candidate: WorkCandidate, draft: Draft, result: Kept, dry_run: bool) -> Lesson:
    """Returns a lesson with its outcome."""
    # the id of a rehearsed memory refers to nothing
    memory = result.related if dry_run else result.memory.id if result.memory else None
    return Lesson(
        replace(candidate, text=draft.text),
        draft.taken_from is Origin.WEB,
        result.outcome,
        result.reason,
        memory,
    )


def _summary_of(lessons: tuple[Lesson, ...]) -> list[tuple[str, str]]:
    """Returns kind and text of the lessons that were not refused, for the summary."""
    return [
        (lesson.candidate.kind, lesson.candidate.text)
        for lesson in lessons
        if lesson.outcome is not Outcome.REFUSED
    ]


def _record_event(service: Service, log: SessionLog, lessons: tuple[Lesson, ...]) -> None:
    """Records one event for the whole log: counts only."""
    with service.store.write() as tx:
        detail = {
            "steps": len(log.steps),
            "files": len(log.files),
            "candidates": len(lessons),
            "failed": log.failed,
        }
        tx.add_event(
            at=service.clock(), actor=service.principal.label, action="learn", subject=None, detail=detail
        )


def _raise_confidence(service: Service, log: SessionLog, project: str) -> tuple[str, ...]:
    """Records the session's files in the module map (S4.8) and returns the modules whose confidence rose
    (S4.9).

    Does nothing without a map.
    """
    files = log.files[:LIST_MAX]
    if not files:
        return ()
    try:
        before = get_map(service, project)
        after = note_opened(service, project, files, log.id)
    except NotFound:
        return ()
    levels = {name: module.confidence for name, module in before.modules.items()}
    return tuple(name for name, module in after.modules.items() if module.confidence is not levels.get(name))


def _as_machine(service: Service, type_: SessionType) -> Service:
    """Returns the service acting as a machine for its user; a runner under its session type (S4.44)."""
    own = f"runner:{type_.name}" if type_.runner else ACTOR
    principal = replace(service.principal, agent=service.principal.agent or own)
    return service.acting_as(principal)
