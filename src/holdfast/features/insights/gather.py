"""Gathers the insights of a conversation: one memory for each topic of a place (S3.26-S3.30).

Each topic is planned on a snapshot, admitted and embedded, and stored in one transaction that first checks
that its insight is still as it was planned on.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any

from holdfast.core.arguments import checked_flag
from holdfast.core.errors import InvalidInput, NotFound
from holdfast.core.insights import InsightChange, Insights
from holdfast.core.places import Place, Scope, Visibility, scope_of, usable_name, visibility_of
from holdfast.core.projects import Session
from holdfast.core.record import Memory
from holdfast.core.views import Filter, personal_view
from holdfast.features.extraction.quality import Quality, quality_of
from holdfast.features.insights.find import StatementCandidate, is_read, statements_of
from holdfast.features.insights.keep import Keeper, Topic
from holdfast.features.memories.browse import in_order
from holdfast.features.reconcile.sources import SCOPE, described_place, why_not_reconcile
from holdfast.features.service import Service
from holdfast.language.topics import read_topic
from holdfast.stores.base.ports import Reader, Writer

ACTOR = "insights"
"""The name of the agent that gathers, unless one is set already."""
PAGE = 1_000
_MESSAGES = frozenset({"message"})


def gather(
    service: Service, session: str, *, scope: object = None, visibility: str | None = None,
    dry_run: bool = False, hold: Callable[[Writer], None] | None = None,
) -> Insights:  # fmt: skip
    """Gathers what was found, decided and corrected in one of the caller's conversations, by rules.

    `hold` is called in each transaction and may raise, to stop. Raises InvalidInput,
    NotFound `session_not_found`, Conflict for a closed project.
    """
    checked_flag(dry_run, "dry_run")
    where = Destination(scope, visibility)
    with service.store.read() as snap:
        session_record, messages = conversation(snap, service, session)
        quality = quality_of((message.role, len(message.text)) for message in messages)
        statements = list(statements_of(messages)) if quality is Quality.VALUABLE else []
        topics = where.topics(snap, service, session_record, messages, statements)
    changes, count = keep(service, topics, dry_run=dry_run, hold=hold)
    return Insights(sum(map(is_read, messages)), quality.value, changes, count, dry_run)


def conversation(snap: Reader, service: Service, session: str) -> tuple[Session, list[Memory]]:
    """Returns one of the caller's sessions and its messages, oldest first. Raises NotFound."""
    view = personal_view(service.principal)
    session_record = snap.session(view, usable_name(session, "session"))
    if session_record is None:
        raise NotFound(f"there is no session {session!r:.60}", code="session_not_found")
    inside = view.narrowed(Filter(kinds=_MESSAGES, session=session_record.number))
    messages = in_order(snap, inside, now=service.clock())
    return session_record, [message for message in messages if message.place.owner == service.principal.user]


def keep(
    service: Service, topics: Iterable[Topic], *, dry_run: bool = False, origin: str = "extraction",
    agent: str = ACTOR, hold: Callable[[Writer], None] | None = None,
) -> tuple[tuple[InsightChange, ...], int]:  # fmt: skip
    """Stores the statements of topics as a machine. Returns what changed, and how many were known."""
    principal = replace(service.principal, agent=service.principal.agent or agent)
    machine = service.acting_as(principal)
    keeper = Keeper(machine, service.principal, origin, dry_run=dry_run, hold=hold)
    for topic in topics:
        keeper.keep(topic)
    return tuple(keeper.changes), keeper.known_count


class Destination:
    """The place of insights: private unless it is said otherwise, and in the scope of the file that a
    conversation is about, but for what is said of all files."""

    def __init__(self, scope: object, visibility: str | None) -> None:
        self._scope = scope_of(scope)
        if self._scope != Scope() and self._scope.id is None:
            raise InvalidInput(
                "a scope other than global needs an id", code="place_invalid", hint='("file", "sales.xlsx")'
            )
        self._visibility = Visibility.PRIVATE if visibility is None else visibility_of(visibility)

    @property
    def pair(self) -> tuple[str, str | None]:
        """Returns the scope as type and id."""
        return self._scope.type, self._scope.id

    def topics(
        self, snap: Reader, service: Service, session: Session, messages: Sequence[Memory],
        statements: Iterable[StatementCandidate],
    ) -> list[Topic]:  # fmt: skip
        """Returns statements by topic and place, those that a person stands behind first."""
        if self._visibility is Visibility.PROJECT and session.project_number is None:
            raise InvalidInput("visibility project needs a project", code="place_invalid")
        workspaces = {message.id: message.place.workspace for message in messages}
        groups: defaultdict[tuple[Any, ...], list[StatementCandidate]] = defaultdict(list)
        for found_statement in statements:
            scope = Scope() if found_statement.team else self._scope
            workspace = workspaces.get(found_statement.statement.message or "")
            groups[
                not found_statement.sure,
                scope.type,
                scope.id or "",
                workspace,
                read_topic(found_statement.statement.topic).key,
            ].append(found_statement)
        return [
            Topic(
                self._place(snap, service, session, workspace, Scope(type, id or None)),
                session.project,
                group,
            )
            for (_, type, id, workspace, _), group in sorted(groups.items(), key=lambda item: item[0][0])
        ]

    def _place(
        self, snap: Reader, service: Service, session: Session, workspace: str | None, scope: Scope
    ) -> Place:
        """Returns the place of an insight. What is shared about a file whose content is described goes where
        its descriptions are, so that its readers alone see it (S3.41)."""
        home = Place(
            service.principal.user, self._visibility, workspace, project=session.project_number, scope=scope
        )
        if scope.type != SCOPE or self._visibility is Visibility.PRIVATE or workspace is not None:
            return home
        sources = [
            source for source in snap.described(personal_view(service.principal))
            if source.deleted_at is None and source.metadata.get("scope") == scope.id
            and source.project == session.project_number
            and why_not_reconcile(service.principal, source) is None
        ]  # fmt: skip
        return described_place(sources[0], SCOPE) if len(sources) == 1 else home
