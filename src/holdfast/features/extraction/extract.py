"""Extracts candidate memories from a user's messages, by rules, once per message (S2.23, S4.45)."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field, replace

from holdfast.core.arguments import checked_flag, safe_repr
from holdfast.core.errors import InvalidInput, NotFound
from holdfast.core.places import usable_name
from holdfast.core.record import Kept, Memory, Origin
from holdfast.core.views import Filter, personal_view
from holdfast.features.admission.draft import Draft
from holdfast.features.extraction.candidates import (
    Candidate,
    Extracted,
    Extraction,
    is_web,
    redacted,
    statements_in,
)
from holdfast.features.extraction.quality import quality_of
from holdfast.features.memories.browse import in_order
from holdfast.features.memories.remember import remember_many
from holdfast.features.service import Service
from holdfast.stores.base.ports import Reader

ACTOR = "extraction"
"""The name of the extracting agent, unless one is set already; it may not change what a person pinned or
edited."""
READ = "extract"
"""The event that marks a message as read, so that it is not read again."""
PAGE = 1_000
_MESSAGES = frozenset({"message"})


@dataclass(slots=True)
class _Reading:
    """The messages read so far: those of the user that state something, with their candidates."""

    messages: int = 0
    stating: list[tuple[Memory, tuple[Candidate, ...], bool]] = field(default_factory=list)
    lengths: list[tuple[str | None, int]] = field(default_factory=list)


def extract(
    service: Service,
    *,
    session: str | None = None,
    source: str | None = None,
    text: str | None = None,
    project: str | None = None,
    workspace: str | None = None,
    redact: bool = True,
    dry_run: bool = False,
) -> Extraction:
    """Extracts candidates from the user's messages of a session or of an import, or from a text.

    Candidates below the confidence for approval, with personal data, or after a web search wait for review;
    so do all candidates of a `text`, whose author is unknown (S2.35). With `redact` e-mail addresses and
    telephone numbers are removed (S2.19). Raises InvalidInput, NotFound.
    """
    if sum(option is not None for option in (session, source, text)) != 1:
        raise InvalidInput(
            "give exactly one of session, source and text", code="argument_invalid",
            hint="such as session=\"chat-1\"",
        )  # fmt: skip
    for name, value in (("redact", redact), ("dry_run", dry_run)):
        checked_flag(value, name)
    if text is not None:
        return _of_text(service, text, project, workspace, redact=redact, dry_run=dry_run)
    if project is not None or workspace is not None:
        raise InvalidInput(
            "project and workspace apply to a text only: messages have their own", code="argument_invalid"
        )
    with service.store.read() as snap:
        reading = _of_source(snap, service, source) if source else _of_session(snap, service, session or "")
        fresh, before = _unread(snap, service, reading)
    quality = quality_of(reading.lengths) if session is not None else None
    outcomes = _keep(service, fresh, redact=redact, dry_run=dry_run)
    return Extraction(reading.messages, outcomes, before, dry_run, quality)


def extract_from(service: Service, session: str, ids: Collection[str]) -> Extraction:
    """Extracts candidates from some stored messages of a session."""
    with service.store.read() as snap:
        reading = _of_session(snap, service, session, frozenset(ids))
        fresh, before = _unread(snap, service, reading)
    return Extraction(reading.messages, _keep(service, fresh, redact=True, dry_run=False), before)


def _of_session(snap: Reader, service: Service, name: str, only: Collection[str] | None = None) -> _Reading:
    """Returns the messages of a session that can be read. Raises NotFound."""
    known_session = snap.session(personal_view(service.principal), usable_name(name, "session"))
    if known_session is None:
        raise NotFound(f"there is no session {name!r}", code="session_not_found")
    reading = _Reading()
    _read(reading, service, messages_in(snap, service, known_session.number), only)
    return reading


def _of_source(snap: Reader, service: Service, id: str) -> _Reading:
    """Reads the messages of an import, each in its conversation, because earlier messages matter."""
    usable_name(id, "source")
    reading = _Reading()
    sessions: dict[int, set[str]] = {}
    alone: list[Memory] = []
    if not any(known_source.id == id for known_source in snap.sources(personal_view(service.principal))):
        raise NotFound(
            f"there is no source {safe_repr(id)}", code="source_not_found",
            hint="`holdfast sources list` shows them (`Memory.sources.list`)",
        )  # fmt: skip
    view = personal_view(service.principal, Filter(kinds=_MESSAGES))
    after = 0
    while page := snap.owned(view, after=after, limit=PAGE):
        after = page[-1][0]
        for _, memory in page:
            if memory.source == id and memory.place.session is not None:
                sessions.setdefault(memory.place.session, set()).add(memory.id)
            elif memory.source == id:
                alone.append(memory)
    for number, ids in sessions.items():
        _read(reading, service, messages_in(snap, service, number), ids)
    for memory in alone:
        _read(reading, service, iter([memory]), None)
    return reading


def messages_in(snap: Reader, service: Service, number: int) -> Iterator[Memory]:
    """Yields the messages of a session of the caller, by its number, oldest first."""
    view = personal_view(service.principal, Filter(kinds=_MESSAGES, session=number))
    return in_order(snap, view, now=service.clock())


def _read(
    reading: _Reading, service: Service, messages: Iterator[Memory], only: Collection[str] | None
) -> None:
    """Reads one conversation in order, to know what follows a web search (S4.45)."""
    after_web = False
    for message in messages:
        reading.lengths.append((message.role, len(message.text)))
        after_web = after_web or is_web(message.role, message.name, message.origin)
        is_own = message.role == "user" and message.place.owner == service.principal.user
        if not is_own or not message.origin.is_trusted or (only is not None and message.id not in only):
            continue
        reading.messages += 1
        candidates = statements_in(message.text)
        if candidates:
            reading.stating.append((message, candidates, after_web))


def _unread(
    snap: Reader, service: Service, reading: _Reading
) -> tuple[list[tuple[Memory, tuple[Candidate, ...], bool]], int]:
    """Returns the messages whose current version was not read before, and the number of the others."""
    ids = [message.id for message, _, _ in reading.stating]
    seen: set[tuple[str, int]] = set()
    for start in range(0, len(ids), PAGE):
        for event in snap.events_about(personal_view(service.principal), ids[start : start + PAGE]):
            if event.action == READ and event.subject is not None:
                seen.add((event.subject, event.detail["version"]))
    fresh = [item for item in reading.stating if (item[0].id, item[0].version) not in seen]
    return fresh, len(ids) - len(fresh)


def _keep(
    service: Service,
    stating: list[tuple[Memory, tuple[Candidate, ...], bool]],
    *,
    redact: bool,
    dry_run: bool,
) -> tuple[Extracted, ...]:
    """Stores candidates of messages, or says what would be stored. Returns the outcomes."""
    once: dict[tuple[object, ...], tuple[Memory, Candidate, Draft]] = {}
    for message, candidates, after_web in stating:
        for candidate in candidates:
            place = (message.place.project, message.place.workspace)
            draft = _draft(candidate, message, after_web=after_web, redact=redact)
            once.setdefault((*place, *candidate.key), (message, candidate, draft))
    results = remember_many(_as_machine(service), [draft for _, _, draft in once.values()], rehearse=dry_run)
    if stating and not dry_run:
        now = service.clock()
        actor = _as_machine(service).principal.label
        with service.store.write() as tx:
            for message, candidates, _ in stating:
                detail = {"version": message.version, "candidates": len(candidates)}
                tx.add_event(at=now, actor=actor, action=READ, subject=message.id, detail=detail)
    pairs = zip(once.values(), results, strict=True)
    return tuple(
        _outcome(candidate, message.id, result, dry_run) for (message, candidate, _), result in pairs
    )


def _of_text(
    service: Service, text: str, project: str | None, workspace: str | None, *, redact: bool, dry_run: bool
) -> Extraction:
    """Extracts from a text that belongs to no message."""
    now = service.clock()
    draft = Draft(text, kind="message", role="user")
    clean = service.admission.admit(draft, id=service.new_id(now), now=now).memory.text
    candidates = statements_in(clean)
    drafts = [
        Draft(
            redacted(candidate.text) if redact else candidate.text, kind=candidate.kind, project=project,
            workspace=workspace, visibility="private", taken_from=Origin.EXTRACTION,
            confidence=candidate.confidence, status="pending",
            evidence={"pattern": candidate.rule, "span": [candidate.start, candidate.end]},
        )
        for candidate in candidates
    ]  # fmt: skip
    results = remember_many(_as_machine(service), drafts, rehearse=dry_run)
    outcomes = tuple(
        _outcome(candidate, None, result, dry_run)
        for candidate, result in zip(candidates, results, strict=True)
    )
    return Extraction(1, outcomes, dry_run=dry_run)


def _outcome(candidate: Candidate, message: str | None, result: Kept, dry_run: bool) -> Extracted:
    # the id of a rehearsed memory refers to nothing
    memory = result.related if dry_run else result.memory.id if result.memory else None
    return Extracted(candidate, message, result.outcome, result.reason, memory)


def _draft(candidate: Candidate, message: Memory, *, after_web: bool, redact: bool) -> Draft:
    """Returns a candidate as a draft in the place of its message."""
    is_of_agent = message.origin is Origin.AGENT
    return Draft(
        text=redacted(candidate.text) if redact else candidate.text,
        kind=candidate.kind,
        project=message.project,
        workspace=message.place.workspace,
        visibility="private",  # never more visible than the message
        # what an agent wrote in the role of the user is the agent's word for it
        taken_from=Origin.WEB if after_web else Origin.AGENT if is_of_agent else Origin.EXTRACTION,
        confidence=candidate.confidence,
        status="pending" if message.flags or is_of_agent else None,
        at=message.at,
        evidence={
            "pattern": candidate.rule,
            "message": message.id,
            "version": message.version,
            "span": [candidate.start, candidate.end],
        },
    )


def _as_machine(service: Service) -> Service:
    """Returns the service acting as a machine for its user (S4.53)."""
    principal = replace(service.principal, agent=service.principal.agent or ACTOR)
    return service.acting_as(principal)
