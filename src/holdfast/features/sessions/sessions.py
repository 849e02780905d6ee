"""Sessions: creating, listing, naming, moving and erasing with their evidence (S0.3, S0.16–S0.18, S0.39)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from holdfast.core.arguments import checked_count, checked_limit
from holdfast.core.errors import InvalidInput, NotFound
from holdfast.core.kinds import EVIDENCE, KINDS
from holdfast.core.places import NAME_MAX, usable_name
from holdfast.core.projects import Session
from holdfast.core.usage import session_key
from holdfast.core.views import ANY_STATE, GONE, personal_view
from holdfast.features.access.permission import check_may_change_all
from holdfast.features.access.places import PlaceResolver
from holdfast.features.memories.browse import pages
from holdfast.features.memories.tombstones import Tombstones
from holdfast.features.projects.projects import existing_project
from holdfast.features.service import Service
from holdfast.stores.base.ports import Page, Reader, Writer

if TYPE_CHECKING:
    from holdfast.features.sessions.conversations import SessionMessages

CHANGES = ("name", "project")
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
        changes["metadata"] = service.admission.clean_json(metadata)
    with service.store.write() as tx:
        places = PlaceResolver(service, tx, now)
        session = places.session(id, project)
        changed = replace(session, **changes)
        if changed == session:
            return session
        if session.number not in places.created_sessions:
            _add_event(
                service, tx, now, "update_session", {"session": session.number, "set": sorted(changes)}
            )
        return tx.put_session(replace(changed, updated_at=now))


def get_session(service: Service, id: str) -> Session:
    """Returns one session of the caller. Raises NotFound."""
    with service.store.read() as snap:
        return _existing_session(snap, service, id)


def has_session(service: Service, id: str) -> bool:
    """Returns whether the caller has this session."""
    try:
        get_session(service, id)
    except NotFound:
        return False
    return True


def list_sessions(
    service: Service, *, project: str | None = None, limit: int | None = None, offset: int = 0
) -> list[Session]:
    """Returns the caller's sessions, last changed first; all of them without a limit (S0.25, S0.39)."""
    if limit is not None:
        checked_limit(limit)
    checked_count(offset, "offset")
    view = personal_view(service.principal)
    with service.store.read() as snap:
        number = None if project is None else existing_project(snap, service, project).number
        return snap.sessions(view, project=number, limit=limit, offset=offset)


def session_messages(service: Service, id: str, *, limit: int = 50, cursor: str | None = None) -> Page:
    """Returns a page of the evidence in one of the caller's sessions, by time, and by order of storage for
    equal times; a changed text keeps its position (S0.39). Raises NotFound."""
    checked_limit(limit)
    with service.store.read() as snap:
        session = _existing_session(snap, service, id)
        evidence_filter = replace(ANY_STATE, session=session.number, kinds=EVIDENCE)
        view = personal_view(service.principal, evidence_filter)
        return snap.conversation(view, limit=limit, cursor=cursor, now=service.clock())


def update_session(service: Service, id: str, changes: Mapping[str, Any]) -> Session:
    """Changes the `name` of a session, moves it into a `project` (None: the shared pool), or both: all of it
    or nothing (S0.39). Its messages and episodes move with it; entities and knowledge stay (S0.16–S0.18).
    Raises NotFound, InvalidInput."""
    if not changes or changes.keys() - set(CHANGES):
        raise InvalidInput("pass a name, a project or both", code="argument_invalid")
    now = service.clock()
    with service.store.write() as tx:
        session = changed = _existing_session(tx, service, id)
        if "name" in changes:
            changed = replace(changed, name=session_name(service, changes["name"]))
            if changed != session:
                _add_event(service, tx, now, "rename_session", {"session": session.number})
        if "project" in changes:
            project = changes["project"]
            home = None if project is None else PlaceResolver(service, tx, now).project(project)
            number = home.number if home else None
            if number != session.project_number:
                changed = replace(changed, project_number=number, project=home.name if home else None)
                detail = {"session": session.number, "project": home.id if home else None}
                _add_event(service, tx, now, "move_session", detail)
        return session if changed == session else tx.put_session(replace(changed, updated_at=now))


def delete_session(service: Service, id: str) -> int:
    """Erases a session with its messages and episodes, their words and vectors; knowledge stays (S0.3,
    S0.30). Returns the number of memories erased. Raises NotFound."""
    now = service.clock()
    with service.store.write() as tx:
        session = _existing_session(tx, service, id)
        view = personal_view(service.principal)
        inside = view.narrowed(replace(view.filter, session=session.number))
        check_may_change_all(service.principal, tx, inside, lambda m: KINDS[m.kind].is_evidence)
        everything = replace(GONE, session=session.number, kinds=EVIDENCE)
        Tombstones(service, tx).bury(pages(tx, view.narrowed(everything)))
        erased = tx.drop_session(view, session.number)
        tx.take_back(view, session=session_key(id))
        _add_event(service, tx, now, "delete_session", {"session": session.number, "erased": len(erased)})
    service.store.scrub()
    return len(erased)


def session_name(service: Service, value: object) -> str:
    """Returns the clean form of a session name: one line of visible text, without secrets. Raises
    InvalidInput."""
    return service.admission.clean_text(usable_name(value, "session name"))


def name_sessions(service: Service, talks: Sequence[SessionMessages], source: str | None) -> None:
    """Names the sessions that have no name yet by the titles of their conversations, and records their
    source, with one event for all of them (S2.4)."""
    view = personal_view(service.principal)
    now = service.clock()
    titles = {talk.session: talk.title for talk in talks if _is_usable(talk.session, "session")}
    with service.store.read() as snap:
        fresh = [
            id for id, title in titles.items() if (title or source) and _if_unnamed(snap.session(view, id))
        ]
    if not fresh:
        return
    metadata = {} if source is None else {"source": source}
    with service.store.write() as tx:
        named = 0
        for id in fresh:
            session = _if_unnamed(tx.session(view, id))  # it may have been named in between
            title = _session_title(service, titles[id])
            if session and (title or metadata):
                tx.put_session(replace(session, name=title, metadata=metadata, updated_at=now))
                named += 1
        if named:
            _add_event(service, tx, now, "update_session", {"count": named, "source": source})


def known_sessions(service: Service, talks: Sequence[SessionMessages]) -> frozenset[str]:
    """Returns the names of those sessions that exist, and so have a project of their own, or none."""
    view = personal_view(service.principal)
    with service.store.read() as snap:
        names = {talk.session for talk in talks if _is_usable(talk.session, "session")}
        return frozenset(name for name in names if snap.session(view, name) is not None)


def _if_unnamed(session: Session | None) -> Session | None:
    """Returns the session if it has neither name nor metadata."""
    return session if session is not None and session.name is None and not session.metadata else None


def _session_title(service: Service, text: str | None) -> str | None:
    """Converts the title of an imported conversation to a session name; None if it cannot be one."""
    line = " ".join(service.admission.clean_text(text or "").split())[:NAME_MAX].strip()
    return session_name(service, line) if _is_usable(line, "session name") else None


def _is_usable(name: str, label: str) -> bool:
    try:
        return bool(usable_name(name, label))
    except InvalidInput:
        return False


def _existing_session(reader: Reader, service: Service, id: str) -> Session:
    session = reader.session(personal_view(service.principal), usable_name(id, "session"))
    if session is None:
        raise NotFound(f"there is no session {id!r}", code="session_not_found")
    return session


def _add_event(service: Service, tx: Writer, now: int, action: str, detail: dict[str, Any]) -> None:
    tx.add_event(at=now, actor=service.principal.label, action=action, subject=None, detail=detail)
