"""Projects and sessions: made, listed, changed, moved, removed (S0.1, S0.2, S0.16–S0.19, S0.30)."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import fields, replace
from typing import Any

from holdfast.domain.arguments import checked_count, checked_names
from holdfast.domain.errors import InvalidInput, NotFound
from holdfast.domain.graph import LINKS
from holdfast.domain.kinds import EVIDENCE, KINDS, kind_named
from holdfast.domain.places import usable_name
from holdfast.domain.projects import Project, Removed, Session
from holdfast.domain.stats import session_key
from holdfast.domain.views import ANY_STATE, personal_view
from holdfast.engine.admit import clean_json, clean_text
from holdfast.engine.graph_links import own_entities
from holdfast.engine.locate import Places
from holdfast.engine.permit import check_may_change_all
from holdfast.engine.ports import Page, Reader, Writer
from holdfast.engine.recall import checked_limit
from holdfast.engine.service import Service

SETTINGS = ("description", "colour", "icon", "notes", "system_prompt")
"""What a project says about itself (S0.2)."""
SETTING_MAX = 20_000


def create_project(service: Service, name: str, settings: dict[str, str | None]) -> Project:
    """The project with this name and these settings: made if there is none, else returned with the given
    settings changed and all others left (S0.40)."""
    now = service.clock()
    with service.store.write() as tx:
        found = Places(service, tx, now).project(usable_name(name, "project"))
        return _settle(service, tx, found, settings, now)


def update_project(service: Service, name: str, settings: dict[str, str | None]) -> Project:
    """Changes settings of a project; what is not named stays (S0.40). Raises NotFound."""
    now = service.clock()
    with service.store.write() as tx:
        found = _project(tx, service, name)
        if not found.listed:
            found = Places(service, tx, now).project(found.name)
        return _settle(service, tx, found, settings, now)


def list_projects(service: Service) -> list[Project]:
    """All projects of the tenant, by name."""
    with service.store.read() as snap:
        return snap.projects(personal_view(service.principal))


def get_project(service: Service, name: str) -> Project:
    """One project. Raises NotFound."""
    with service.store.read() as snap:
        return _project(snap, service, name)


def delete_project(service: Service, name: str) -> Removed:
    """Removes a project from the list, with its settings: the caller's sessions live on in the shared pool
    with their evidence, all else that the caller kept in it is forgotten (S0.30). Raises NotFound.

    What others keep in it stays theirs: it remains in sight for those who still see something in it, and
    whoever keeps something in it anew puts it back on the list. The outcome counts what was the caller's, and
    does not tell whether there is anything of others (S2.7).
    """
    now = service.clock()
    with service.store.write() as tx:
        project = _project(tx, service, name)
        view = personal_view(service.principal)
        # what was said in a session stays with it
        check_may_change_all(
            service.principal,
            tx,
            view,
            lambda m: (
                m.place.project == project.number
                and not (KINDS[m.kind].is_evidence and m.place.session is not None)
            ),
        )
        sessions, memories = tx.drop_project(view, project.number, now=now)
        tx.take_back(view, project=project.number)
        _event(service, tx, now, "delete_project", project.id, {"sessions": sessions, "memories": memories})
        known = {field.name: getattr(project, field.name) for field in fields(Project)}
        return Removed(**known, sessions=sessions, memories=memories)


def retag(service: Service, source: str, target: str, kinds: Collection[str] = ("entity",)) -> int:
    """Moves memories of some kinds, by default entities, from one project to another: the only way in which
    their project ever changes (S0.18, S0.19). Returns how many. Evidence moves with its session instead."""
    now = service.clock()
    names = frozenset(kind_named(kind).name for kind in checked_names(kinds, "kinds"))
    if any(KINDS[name].is_evidence for name in names):
        raise InvalidInput("evidence moves with its session", code="argument_invalid", hint="sessions move")
    if names & LINKS:
        raise InvalidInput("what speaks of an entity moves with it", code="argument_invalid")
    with service.store.write() as tx:
        here = _project(tx, service, source)
        there = Places(service, tx, now).project(target)
        view = personal_view(service.principal)
        concerned = names | (LINKS if "entity" in names else frozenset())
        check_may_change_all(
            service.principal, tx, view, lambda m: m.place.project == here.number and m.kind in concerned
        )
        entities = own_entities(tx, service.principal, here.number) if "entity" in names else []
        moved = tx.retag(view, names, here.number, there.number)
        tx.settle_links(view, entities, now=now)
        detail = {"from": here.id, "to": there.id, "count": moved, "kinds": sorted(names)}
        _event(service, tx, now, "retag", None, detail)
        return moved


def create_session(
    service: Service, id: str, *, project: str | None = None, name: str | None = None,
    metadata: dict[str, Any] | None = None,
) -> Session:  # fmt: skip
    """The caller's session with this id, made if there is none. Raises `session_in_other_project`."""
    now = service.clock()
    with service.store.write() as tx:
        session = Places(service, tx, now).session(id, project)
        if name is None and metadata is None:
            return session
        kept = session.metadata if metadata is None else clean_json(metadata)
        changed = replace(session, name=_clean(name) or session.name, metadata=kept)
        return tx.put_session(replace(changed, updated_at=now))


def get_session(service: Service, id: str) -> Session:
    """One session of the caller. Raises NotFound."""
    with service.store.read() as snap:
        return _session(snap, service, id)


def list_sessions(
    service: Service, *, project: str | None = None, limit: int | None = None, offset: int = 0
) -> list[Session]:
    """The caller's sessions, last changed first; all of them unless a limit is given (S0.25, S0.39)."""
    if limit is not None:
        checked_limit(limit)
    checked_count(offset, "offset")
    view = personal_view(service.principal)
    with service.store.read() as snap:
        number = None if project is None else _project(snap, service, project).number
        return snap.sessions(view, project=number, limit=limit, offset=offset)


def session_messages(service: Service, id: str, *, limit: int = 50, cursor: str | None = None) -> Page:
    """What was said in one of the caller's sessions, in its order, page by page: by time, and what has the
    same time as it was kept; a text that was changed stays at its place (S0.39). Raises NotFound."""
    checked_limit(limit)
    with service.store.read() as snap:
        session = _session(snap, service, id)
        said = replace(ANY_STATE, session=session.number, kinds=EVIDENCE)
        view = personal_view(service.principal, said)
        return snap.conversation(view, limit=limit, cursor=cursor, now=service.clock())


def move_session(service: Service, id: str, project: str | None) -> Session:
    """Moves a session into a project, or with None back to the shared pool. Its messages and episodes move
    with it at once; entities and knowledge stay where they were made (S0.16–S0.18). Raises NotFound."""
    now = service.clock()
    with service.store.write() as tx:
        session = _session(tx, service, id)
        target = None if project is None else Places(service, tx, now).project(project)
        if (target.number if target else None) == session.project_number:
            return session
        moved = tx.put_session(
            replace(
                session,
                project_number=target.number if target else None,
                project=target.name if target else None,
                updated_at=now,
            )
        )
        detail = {"session": session.number, "project": target.id if target else None}
        _event(service, tx, now, "move_session", None, detail)
        return moved


def rename_session(service: Service, id: str, name: str) -> Session:
    """Gives a session a name for people (S0.39). Raises NotFound."""
    now = service.clock()
    with service.store.write() as tx:
        session = _session(tx, service, id)
        clean = _clean(usable_name(name, "session name"))
        return tx.put_session(replace(session, name=clean, updated_at=now))


def delete_session(service: Service, id: str) -> int:
    """Erases a session with its messages and episodes, their words and vectors; knowledge stays (S0.3,
    S0.30). Returns how many memories went. Raises NotFound."""
    now = service.clock()
    with service.store.write() as tx:
        session = _session(tx, service, id)
        view = personal_view(service.principal)
        inside = view.narrowed(replace(view.filter, session=session.number))
        check_may_change_all(service.principal, tx, inside, lambda m: KINDS[m.kind].is_evidence)
        gone = tx.drop_session(view, session.number)
        tx.take_back(view, session=session_key(id))
        _event(service, tx, now, "delete_session", None, {"session": session.number, "erased": len(gone)})
    service.store.scrub()
    return len(gone)


def _settle(
    service: Service, tx: Writer, project: Project, settings: dict[str, str | None], now: int
) -> Project:
    unknown = settings.keys() - set(SETTINGS)
    if unknown:
        raise InvalidInput(
            f"a project has no setting {sorted(unknown)[0]!r}",
            code="argument_invalid",
            hint=f"settings: {', '.join(SETTINGS)}",
        )
    clean = {name: _clean(value) for name, value in settings.items()}
    changed = replace(project, **clean, updated_at=now)  # type: ignore[arg-type]
    if replace(changed, updated_at=project.updated_at) == project:
        return project
    _event(service, tx, now, "update_project", project.id, {"settings": sorted(clean)})
    return tx.put_project(changed)


def _clean(value: str | None) -> str | None:
    if value is None:
        return None
    if not isinstance(value, str) or len(value) > SETTING_MAX:
        raise InvalidInput(
            f"a setting is text of at most {SETTING_MAX:,} characters", code="argument_invalid"
        )
    return clean_text(value)


def _project(reader: Reader, service: Service, name: str) -> Project:
    found = reader.project(personal_view(service.principal), usable_name(name, "project"))
    if found is None:
        raise NotFound(
            f"there is no project {name!r}",
            code="project_not_found",
            hint="projects are listed by `holdfast projects` and `Memory.projects.list`",
        )
    return found


def _session(reader: Reader, service: Service, id: str) -> Session:
    found = reader.session(personal_view(service.principal), usable_name(id, "session"))
    if found is None:
        raise NotFound(f"there is no session {id!r}", code="session_not_found")
    return found


def _event(
    service: Service, tx: Writer, now: int, action: str, subject: str | None, detail: dict[str, Any]
) -> None:
    tx.add_event(at=now, actor=service.principal.label, action=action, subject=subject, detail=detail)
