"""Sessions: creating, listing, naming, moving and erasing with their evidence (S0.3, S0.16–S0.18, S0.39)."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from holdfast.core.arguments import checked_flag, checked_limit, safe_repr
from holdfast.core.cursors import session_cursor, session_mark
from holdfast.core.episodes import EpisodePage, episode_of
from holdfast.core.errors import InvalidInput, NotFound, Refusal
from holdfast.core.kinds import EVIDENCE, KINDS, SAID
from holdfast.core.places import NAME_MAX, usable_name
from holdfast.core.project_results import SessionPage
from holdfast.core.projects import Session
from holdfast.core.record import Memory, Status
from holdfast.core.times import to_iso, to_millis
from holdfast.core.usage import session_key
from holdfast.core.views import ANY_STATE, GONE, personal_view
from holdfast.features.access.permission import check_may_take_away_all
from holdfast.features.access.places import PlaceResolver
from holdfast.features.memories import titles
from holdfast.features.memories.browse import pages
from holdfast.features.memories.exclusions import gate_of
from holdfast.features.memories.insight_sources import withdraw
from holdfast.features.memories.name_sources import withdraw_names
from holdfast.features.memories.naming import checked_id, memory_not_found
from holdfast.features.memories.tombstones import Tombstones
from holdfast.features.projects.projects import existing_project
from holdfast.features.recall.neighbours import around as neighbours
from holdfast.features.service import Service
from holdfast.stores.base.ports import Page, Reader, Writer

if TYPE_CHECKING:
    from holdfast.features.sessions.conversations import SessionMessages

SHORT_ID = 8
"""Minimum number of characters by which a session is found."""
SOURCE = "source"
"""The entry of a session's metadata that names the import it came from."""
VERSION = "updated_at"
"""The entry of a session's metadata that says when the conversation was changed that was imported last."""
DIGEST = "digest"
"""The entry of an imported session's metadata by which the same conversation is known again as a whole."""
NAMED = "named_here"
"""The entry of an imported session's metadata that says that it was named here: imports leave its name."""
CHANGES = ("name", "project", "archived")
"""The fields of a session that can be changed."""


def create_session(
    service: Service, id: str, *, project: str | None = None, name: str | None = None,
    metadata: dict[str, Any] | None = None,
) -> Session:  # fmt: skip
    """Returns the caller's session with this id; creates it if there is none, else sets the passed name and
    metadata. Raises Conflict `session_in_other_project`."""
    now = service.clock()
    changes: dict[str, Any] = {} if name is None else {"name": session_name(service, name)}
    if metadata is not None:
        changes["metadata"] = gate_of(service).clean_json(metadata)
    with service.store.write() as tx:
        places = PlaceResolver(service, tx, now)
        session = places.session(id, project)
        changed = _named_here(session, replace(session, **changes))
        if changed == session:
            return session
        if session.number not in places.created_sessions:
            _add_event(
                service, tx, now, "update_session", {"session": session.number, "set": sorted(changes)}
            )
        stored = tx.put_session(replace(changed, updated_at=now))
        _title(service, tx, session, stored)
        return stored


def get_session(service: Service, id: str) -> Session:
    """Returns one session of the caller, by its id or the beginning of it. Raises NotFound, or InvalidInput
    `id_ambiguous`."""
    with service.store.read() as snap:
        return session_beginning(snap, service, id)


def list_sessions(
    service: Service, *, project: str | None = None, limit: int | None = None, cursor: str | None = None,
    archived: bool = False,
) -> SessionPage:  # fmt: skip
    """Returns the caller's sessions, last changed first; all of them without a limit (S0.25, S0.39);
    archived ones, or the others."""
    if limit is not None:
        checked_limit(limit)
    after = session_mark(cursor)
    view = personal_view(service.principal)
    with service.store.read() as snap:
        number = None if project is None else existing_project(snap, service, project).number
        fetch_limit = None if limit is None else limit + 1
        sessions = snap.sessions(
            view, project=number, limit=fetch_limit, after=after, archived=checked_flag(archived, "archived")
        )
    page = tuple(sessions[:limit])
    return SessionPage(page, session_cursor(page[-1]) if len(sessions) > len(page) else None)


def session_messages(
    service: Service, id: str, *, limit: int = 50, cursor: str | None = None, around: str | None = None
) -> Page:
    """Returns a page of the evidence in one of the caller's sessions, by time, and by order of storage for
    equal times; a changed text keeps its position (S0.39). With `around`, a message and its neighbours.
    Raises NotFound."""
    checked_limit(limit)
    with service.store.read() as snap:
        session = session_beginning(snap, service, id)
        statuses = frozenset(Status) - {Status.SUPERSEDED}
        evidence_filter = replace(ANY_STATE, session=session.number, kinds=SAID, statuses=statuses)
        view = personal_view(service.principal, evidence_filter)
        now = service.clock()
        if around is None:
            return snap.conversation(view, limit=limit, cursor=cursor, now=now)
        message = snap.get(view, checked_id(around))
        if message is None:
            raise memory_not_found(around)
        before, after = neighbours(snap, view, message, limit, now)
        return Page([*before, message, *after], None)


def session_memories(service: Service, id: str) -> list[Memory]:
    """Returns what was taken from one of the caller's sessions, by its evidence, oldest first. Raises
    NotFound."""
    with service.store.read() as snap:
        session = session_beginning(snap, service, id)
        view = personal_view(service.principal, ANY_STATE)
        inside = view.narrowed(replace(ANY_STATE, session=session.number, kinds=SAID))
        ids = [session.external_id, *(memory.id for memory in pages(snap, inside))]
        memories = snap.related(view, ids, now=service.clock())
        return [memory for memory in memories if memory.kind not in EVIDENCE]


def session_episodes(service: Service, id: str, *, limit: int = 50, cursor: str | None = None) -> EpisodePage:
    """Returns a page of the exchanges in one of the caller's sessions, each in its parts, by time (S0.3).
    Raises NotFound."""
    checked_limit(limit)
    with service.store.read() as snap:
        session = _existing_session(snap, service, id)
        narrowing = replace(ANY_STATE, session=session.number, kinds=frozenset({"episode"}))
        view = personal_view(service.principal, narrowing)
        page = snap.conversation(view, limit=limit, cursor=cursor, now=service.clock())
    episodes = (
        episode_of(memory.id, session.external_id, memory.text, memory.position or 0, memory.at)
        for memory in page.memories
    )
    return EpisodePage(tuple(episodes), page.cursor)


def update_session(service: Service, id: str, changes: Mapping[str, Any]) -> Session:
    """Changes the `name` of a session, moves it into a `project` (None: the shared pool), puts it away or
    back (`archived`): all of it or nothing (S0.39, S1.51). Its messages and episodes move and are hidden with
    it; entities and knowledge stay (S0.16–S0.18). Raises NotFound, InvalidInput."""
    if not changes or changes.keys() - set(CHANGES):
        raise InvalidInput("pass a name, a project or archived", code="argument_invalid")
    now = service.clock()
    with service.store.write() as tx:
        session = changed = _existing_session(tx, service, id)
        if "name" in changes:
            named = replace(changed, name=session_name(service, changes["name"], tx))
            changed = _named_here(session, named)
            if changed != session:
                _add_event(service, tx, now, "rename_session", {"session": session.number})
        if "archived" in changes:
            changed = replace(changed, archived=checked_flag(changes["archived"], "archived"))
            if changed.archived != session.archived:
                _check_may_take_along(service, tx, session)
                action = "archive_session" if changed.archived else "unarchive_session"
                _add_event(service, tx, now, action, {"session": session.number})
        if "project" in changes:
            places = PlaceResolver(service, tx, now)
            changed = _moved(service, tx, places, changed, changes["project"], now)
        if changed == session:
            return session
        stored = tx.put_session(replace(changed, updated_at=now))
        _title(service, tx, session, stored)
        return stored


def delete_session(service: Service, id: str) -> int:
    """Erases a session with its messages and episodes, their words and vectors; knowledge stays (S0.3,
    S0.30). Returns the number of memories erased. Raises NotFound."""
    now = service.clock()
    with service.store.write() as tx:
        session = _existing_session(tx, service, id)
        view = personal_view(service.principal, closed=True)
        inside = view.narrowed(replace(view.filter, session=session.number))
        check_may_take_away_all(service.principal, tx, inside, lambda m: KINDS[m.kind].is_evidence)
        everything = replace(GONE, session=session.number, kinds=EVIDENCE)
        Tombstones(service, tx).bury(pages(tx, view.narrowed(everything)))
        erased = tx.drop_session(view, session.number)
        withdraw(service, tx, erased)
        tx.take_back(view, session=session_key(id))
        _add_event(service, tx, now, "delete_session", {"session": session.number, "erased": len(erased)})
    service.store.scrub()
    return len(erased)


def _named_here(before: Session, changed: Session) -> Session:
    """Returns a changed session with a note of a new name, if an import made it."""
    if changed.name == before.name or SOURCE not in changed.metadata:
        return changed
    return replace(changed, metadata={**changed.metadata, NAMED: True})


def _title(service: Service, tx: Writer, before: Session, after: Session) -> None:
    """Makes the name of a session the title of its first message, if it or who sees that has changed."""
    if (after.name, after.project_number) != (before.name, before.project_number):
        titles.settle(service, tx, [after.number], former={after.number: before.name})
        if not service.embedder.local:
            service.bell.ring()


def session_name(service: Service, value: object, reader: Reader | None = None) -> str:
    """Returns the clean form of a session name: one line of visible text, without secrets and what is never
    to be remembered. Raises InvalidInput, Refusal `excluded`."""
    return gate_of(service, reader).clean_text(usable_name(value, "session name"))


def name_sessions(service: Service, talks: Sequence[SessionMessages], source: str | None) -> None:
    """Names the sessions that have no name yet by the titles of their conversations, records their source and
    the times of the conversations, with one event for all of them (S2.4)."""
    view = personal_view(service.principal)
    now = service.clock()
    known_talks = {talk.session: talk for talk in talks if _is_usable(talk.session, "session")}
    with service.store.read() as snap:
        fresh = [
            id
            for id, talk in known_talks.items()
            if (session := snap.session(view, id))
            and _imported(service, snap, session, talk, source) != session
        ]
    if not fresh:
        return
    with service.store.write() as tx:
        named = 0
        former: dict[int, str | None] = {}
        for id in fresh:
            session = tx.session(view, id)  # it may have been named in between
            if session is None:
                continue
            changed = _imported(service, tx, session, known_talks[id], source)
            if changed != session:
                tx.put_session(changed)
                named += 1
            if changed.name != session.name:
                former[session.number] = session.name
        titles.settle(service, tx, former, former=former)
        if named:
            _add_event(service, tx, now, "update_session", {"count": named, "source": source})


def known_sessions(service: Service, talks: Sequence[SessionMessages]) -> frozenset[str]:
    """Returns the names of those sessions that exist, and so have a project of their own, or none."""
    view = personal_view(service.principal)
    with service.store.read() as snap:
        names = {talk.session for talk in talks if _is_usable(talk.session, "session")}
        return frozenset(name for name in names if snap.session(view, name) is not None)


def version_here(session: Session) -> int | None:
    """Returns when the conversation was changed that was imported last and in full, if its export tells."""
    try:
        return to_millis(session.metadata[VERSION]) if SOURCE in session.metadata else None
    except (KeyError, InvalidInput):
        return None


def versions_here(service: Service, ids: Collection[str]) -> dict[str, int | None]:
    """Returns the versions of those of some sessions that exist, by their names."""
    view = personal_view(service.principal)
    with service.store.read() as snap:
        sessions = [snap.session(view, id) for id in ids if _is_usable(id, "session")]
    return {memory.external_id: version_here(memory) for memory in sessions if memory is not None}


def _imported(
    service: Service, reader: Reader, session: Session, talk: SessionMessages, source: str | None
) -> Session:
    """Returns a session as an import leaves it: one that it made gets the title, the source and the times of
    the conversation, a later import its new title, unless it was named here, and of a longer conversation its
    new end; both its version."""
    if session.name is None and not session.metadata:
        session = replace(
            session,
            name=_session_title(service, reader, talk.title),
            metadata={} if source is None else {SOURCE: source},
            created_at=session.created_at if talk.began_at is None else talk.began_at,
            updated_at=session.updated_at if talk.ended_at is None else talk.ended_at,
        )
    elif SOURCE in session.metadata:
        is_another = talk.title is not None and titles.title_of(talk.title) != session.name
        if is_another and NAMED not in session.metadata:
            name = _session_title(service, reader, talk.title)
            session = session if name is None else replace(session, name=name)
        if talk.ended_at is not None and talk.ended_at > session.updated_at:
            session = replace(session, updated_at=talk.ended_at)
    if (
        talk.version is not None
        and SOURCE in session.metadata
        and (version_here(session) or 0) < talk.version
    ):
        session = replace(session, metadata={**session.metadata, VERSION: to_iso(talk.version)})
    if talk.digest is not None and SOURCE in session.metadata:
        session = replace(session, metadata={**session.metadata, DIGEST: talk.digest})
    return session


def move_sessions(service: Service, ids: Collection[str], project: str | None) -> int:
    """Moves those of some sessions that exist to a project, or with None to the shared pool, and returns how
    many were moved."""
    now, view, moved = service.clock(), personal_view(service.principal), 0
    with service.store.write() as tx:
        places = PlaceResolver(service, tx, now)
        for id in ids:
            session = tx.session(view, id) if _is_usable(id, "session") else None
            if session is not None and session.project != project:
                tx.put_session(_moved(service, tx, places, session, project, now))
                moved += 1
    return moved


def sessions_of_source(reader: Reader, service: Service, source: str) -> list[str]:
    """Returns the names of the sessions that an import made."""
    sessions = reader.sessions(personal_view(service.principal))
    return [session.external_id for session in sessions if session.metadata.get(SOURCE) == source]


def _moved(
    service: Service, tx: Writer, places: PlaceResolver, session: Session, project: str | None, now: int
) -> Session:
    """Returns a session in another project, with an event if it is another."""
    home = None if project is None else places.project(project)
    number = home.number if home else None
    if number == session.project_number:
        return session
    _check_may_take_along(service, tx, session)
    detail = {"session": session.number, "project": home.id if home else None}
    _add_event(service, tx, now, "move_session", detail)
    view = personal_view(service.principal, closed=True)
    inside = view.narrowed(replace(GONE, session=session.number, kinds=EVIDENCE))
    # what only its messages name stays in no project that they have left
    withdraw_names(service, tx, {memory.id for memory in pages(tx, inside)})
    return replace(session, project_number=number, project=home.name if home else None)


def _check_may_take_along(service: Service, tx: Writer, session: Session) -> None:
    """Raises Refusal `edited_by_person` for a machine that would hide or move, with the conversation, what a
    person pinned or edited in it."""
    view = personal_view(service.principal, closed=True)
    inside = view.narrowed(replace(ANY_STATE, session=session.number, kinds=EVIDENCE))
    check_may_take_away_all(service.principal, tx, inside, lambda _: True)


def _session_title(service: Service, reader: Reader, text: str | None) -> str | None:
    """Converts the title of an imported conversation to a session name; None if it cannot be one."""
    try:
        line = " ".join(gate_of(service, reader).clean_text(text or "").split())[:NAME_MAX].strip()
        return session_name(service, line, reader) if _is_usable(line, "session name") else None
    except Refusal:
        return None


def _is_usable(name: str, label: str) -> bool:
    try:
        return bool(usable_name(name, label))
    except InvalidInput:
        return False


def session_beginning(reader: Reader, service: Service, id: str) -> Session:
    """Returns the session with this id, else the only one whose id begins with it, as lists show it: at least
    8 characters, and perhaps an ellipsis."""
    view, name = personal_view(service.principal), usable_name(id, "session")
    exact = reader.session(view, name)
    start = name.removesuffix("…")
    if exact is not None or len(start) < SHORT_ID:
        return exact if exact is not None else _existing_session(reader, service, name)
    sessions = reader.sessions(view)
    matches = [session for session in sessions if session.external_id.startswith(start)]
    if len(matches) > 1:
        raise InvalidInput(
            f"{len(matches)} sessions begin with {safe_repr(start)}",
            code="id_ambiguous",
            hint="use more characters",
        )
    return matches[0] if matches else _existing_session(reader, service, name)


def _existing_session(reader: Reader, service: Service, id: str) -> Session:
    session = reader.session(personal_view(service.principal), usable_name(id, "session"))
    if session is None:
        raise NotFound(f"there is no session {id!r}", code="session_not_found")
    return session


def _add_event(service: Service, tx: Writer, now: int, action: str, detail: dict[str, Any]) -> None:
    tx.add_event(at=now, actor=service.principal.label, action=action, subject=None, detail=detail)
