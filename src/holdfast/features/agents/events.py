"""The answer to an event in the session of a coding agent: what memory has to say then, or nothing."""

from __future__ import annotations

from collections.abc import Collection
from enum import StrEnum

from holdfast.core.arguments import safe_repr
from holdfast.core.errors import InvalidInput, NotFound, StoreError
from holdfast.core.places import ANYWHERE
from holdfast.core.times import DAY
from holdfast.core.usage import KEPT_DAYS, Tally, session_key
from holdfast.core.views import personal_view
from holdfast.features.access.places import Selection
from holdfast.features.context.context import context
from holdfast.features.context.packing import Context, checked_budget, role_named
from holdfast.features.recall.recall import QUERY_MAX
from holdfast.features.service import Service

BUDGET = 2_000
"""Tokens of an answer (default)."""
CONFIDENCE = 0.6
"""Confidence from which a memory is given to a prompt that did not ask for it."""
TRAPS = frozenset({
    "gotcha", "error_pattern", "pr_gotcha", "pr_finding", "human_feedback", "environment_quirk", "constraint",
    "decision", "dependency_relation", "session_insight",
})  # fmt: skip
"""Kinds that an agent gets when it opens the file that they are about."""
FILES_MAX = 100
"""Files that one event may name."""


class Event(StrEnum):
    """A moment in a session. Each client's own events are translated into these."""

    START = "start"
    """The session starts, or goes on after a compaction."""
    PROMPT = "prompt"
    """The user sends a prompt."""
    FILE = "file"
    """Files are read or changed."""
    FAILURE = "failure"
    """A command failed; `prompt` is what it was and what it said."""
    COMPACT = "compact"
    """The session loses what it was given: it may be given again."""


def respond(
    service: Service,
    event: str,
    *,
    project: str | None,
    session: str | None,
    branch: str | None = None,
    prompt: str | None = None,
    files: Collection[str] = (),
    budget: int = BUDGET,
) -> Context:
    """Returns what an agent gets at an event in its session, empty if nothing is worth it. Raises
    InvalidInput."""
    happened, tokens = event_named(event), checked_budget(budget)
    if project == ANYWHERE:
        raise InvalidInput("an agent works in one project, not in all", code="argument_invalid")
    if len(files) > FILES_MAX:
        raise InvalidInput(f"at most {FILES_MAX} files in one event", code="argument_invalid")
    where = Selection(project, session, branch=branch)
    if happened is Event.COMPACT:
        _take_back(service, project, session)
    elif happened is Event.START and project is not None:
        return context(service, None, where, role="coder", budget=tokens, personal=False)
    elif happened is Event.FILE and project is not None and files:
        answer = context(
            service, None, where, role="coder", budget=tokens, files=files, personal=False,
            is_included=lambda memory: memory.kind in TRAPS,
        )  # fmt: skip
        _note_opened(service, project, files, session)
        return answer
    elif happened in (Event.PROMPT, Event.FAILURE) and (text := (prompt or "").strip()[:QUERY_MAX]):
        return context(
            service, text, where, role="coder", budget=tokens, min_confidence=CONFIDENCE, personal=False
        )  # fmt: skip
    return Context("", 0, tokens, role_named("coder").name)


def event_named(name: object) -> Event:
    """Returns the event with this name. Raises InvalidInput `argument_invalid`."""
    try:
        return Event(name)  # type: ignore[arg-type]
    except ValueError:
        raise InvalidInput(
            f"there is no event {safe_repr(name)}", code="argument_invalid", hint=", ".join(Event)
        ) from None


def _take_back(service: Service, project: str | None, session: str | None) -> None:
    """Forgets what a session was given, but not how much that was."""
    if session is None:
        return
    view, key, now = personal_view(service.principal), session_key(session), service.clock()
    with service.store.write() as tx:
        home = None if project is None else tx.project(view, project)
        number = home.number if home else 0
        work = sum(tx.tallies(view, number, key), Tally())
        tx.take_back(view, project=number, session=key)
        tx.deliver(
            view, number, key, [], work, actor=service.principal.label, now=now, before=now - KEPT_DAYS * DAY
        )


def _note_opened(service: Service, project: str, files: Collection[str], session: str | None) -> None:
    """Records files that a session opened in the module map of the project, if there is one. A failure to
    record never breaks a reader (S4.41)."""
    from holdfast.features.modulemap.module_maps import note_opened

    if session is None:
        return
    try:
        note_opened(service, project, list(files), session)
    except (NotFound, StoreError, InvalidInput):
        return
