"""A store restricted to the projects of a credential. Nothing outside them exists."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import fields
from functools import cache
from typing import TYPE_CHECKING, Any, cast

from holdfast.core.errors import AccessDenied
from holdfast.core.folders import Folder
from holdfast.core.places import Place, Pool, Principal, Reach
from holdfast.core.projects import Project, Session
from holdfast.core.record import Memory
from holdfast.core.usage import Cited, DeliveredContext, Delivery, Tally
from holdfast.core.value_classes import value_class
from holdfast.core.views import View, personal_view
from holdfast.stores.base.ports import Reader, Store, Writer
from holdfast.stores.base.wrapper import StoreWrapper

if TYPE_CHECKING:
    from holdfast.core.cursors import SessionMark
    from holdfast.core.sources import Source
    from holdfast.stores.base.admitted import Admitted


@value_class
class ScopedView(View):
    """A view that allows only pools of some projects, by their numbers."""

    projects: frozenset[int] = frozenset()

    def allows(
        self,
        pool: Pool,
        connected: Collection[int] = (),
        closed: Collection[int | None] = (),
        readers: Collection[str] | None = None,
    ) -> bool:
        """Returns whether the pool is in one of the projects, or connected to one, and the view allows it."""
        if pool.reach is Reach.SOURCE:
            shared = self.projects.intersection(connected)
            return bool(shared) and View.allows(self, pool, shared, closed, readers)
        return pool.project in self.projects and View.allows(self, pool, (), closed, readers)

    def opens(self, project: int | None) -> bool:
        """Returns whether the project is one of these."""
        return project in self.projects

    def owns(self, owner: str) -> bool:
        """Returns False: what is in none of the projects is invisible, whoever owns it."""
        return False


PASSED_THROUGH = frozenset(
    {
        "attempt", "add_event", "add_job", "plan_job", "put_model_call", "put_request", "drop_request",
        "put_finding", "drop_finding",
    }
)  # fmt: skip
"""Methods that neither read nor name a place: unrestricted."""
REFUSED = frozenset(
    {
        "add_metrics", "backlog", "chunks", "claim_job", "connect", "drop_files", "drop_folder",
        "forgotten_with_projects", "hasten_jobs", "ids_on_hold", "outdated", "owners",
        "drop_language_model", "drop_project", "drop_source", "erase_chunks", "events",
        "has_jobs_after", "head",
        "job", "jobs", "lacks_vectors", "metrics", "next_job_at", "prune_jobs", "purge_project",
        "grown", "projects_apart", "projects_due", "put_file", "put_folder", "put_job", "put_language_model",
        "put_member", "rejoin_project", "release_chunks", "sources", "storage", "storage_of_all",
        "unembedded", "unfinished_jobs", "watched_folders",
    }
)  # fmt: skip
"""Methods that reach beyond projects; `authorise` prevents their operations, and this is the second
barrier."""
OVERRIDDEN = frozenset({"folders", "project", "projects", "sessions", "insert", "insert_all",
                     "insert_version", "insert_versions",
                     "put_project",
                     "put_session", "put_source",
                     "retag", "move", "drop_session", "delivered", "deliveries", "citations", "tallies",
                     "deliver", "cite", "take_back"})  # fmt: skip
"""Methods that `_Scoped` implements itself."""


@cache
def methods_with_view() -> frozenset[str]:
    """Returns the methods of the protocol whose first parameter is a view: they get a narrower one."""
    parts = [part for part in reversed(Writer.__mro__) if part.__module__.startswith("holdfast.")]
    members = {name: member for part in parts for name, member in vars(part).items()}
    methods = {name for name, member in members.items() if _takes_view(member)}
    return frozenset(methods) - REFUSED - OVERRIDDEN


def _takes_view(member: object) -> bool:
    return inspect.isfunction(member) and "view" in list(inspect.signature(member).parameters)[1:2]


class ScopedStore(StoreWrapper):
    """Any store, restricted for one principal to some projects by name.

    Reading uses narrower views, so that the rule of isolation holds for scores and word statistics too.
    Writing elsewhere raises AccessDenied `not_permitted`.
    """

    def __init__(self, store: Store, principal: Principal, projects: frozenset[str]) -> None:
        super().__init__(store)
        self._principal = principal
        self._projects = projects

    @property
    def projects(self) -> frozenset[str]:
        """Returns the names of the projects."""
        return self._projects

    @contextmanager
    def read(self) -> Iterator[Reader]:
        with self._store.read() as snap:
            yield cast(Reader, _Scoped(snap, self._principal, self._projects))

    @contextmanager
    def write(self, *, patience: int | None = None) -> Iterator[Writer]:
        with self._store.write(patience=patience) as tx:
            yield cast(Writer, _Scoped(tx, self._principal, self._projects))

    def accept(self) -> None:
        raise _outside_projects()


class _Scoped:
    """One restricted snapshot or transaction. Unknown methods are refused."""

    def __init__(self, inner: Any, principal: Principal, names: frozenset[str]) -> None:
        self._inner = inner
        self._names = names
        self._everything = personal_view(principal)
        projects = (inner.project(self._everything, name) for name in names)
        self._numbers = frozenset(project.number for project in projects if project is not None)

    def __getattr__(self, name: str) -> Any:
        if name in PASSED_THROUGH:
            return getattr(self._inner, name)
        if name in methods_with_view():
            return self._with_narrow_view(getattr(self._inner, name))
        if name in REFUSED:
            raise _outside_projects()
        raise AttributeError(name)

    def _with_narrow_view(self, method: Callable[..., Any]) -> Callable[..., Any]:
        return lambda view, *args, **more: method(self._narrow(view), *args, **more)

    def _narrow(self, view: View) -> ScopedView:
        parts = {field.name: getattr(view, field.name) for field in fields(View)}
        return ScopedView(**parts, projects=self._numbers)

    def project(self, view: View, name: str) -> Project | None:
        return self._inner.project(view, name) if name in self._names else None

    def projects(self, view: View) -> list[Project]:
        return [project for project in self._inner.projects(view) if project.number in self._numbers]

    def folders(self, view: View) -> list[Folder]:
        names = {project.number: project.name for project in self.projects(self._everything)}
        folders = self._inner.folders(self._narrow(view))
        return [
            folder.within({number: names[number] for number in folder.numbers & names.keys()})
            for folder in folders
        ]

    def sessions(
        self, view: View, *, project: int | None = None, limit: int | None = None,
        after: SessionMark | None = None, archived: bool | None = None,
    ) -> list[Session]:  # fmt: skip
        sessions = self._inner.sessions(view, project=project, after=after, archived=archived)
        return [session for session in sessions if session.project_number in self._numbers][:limit]

    def insert(self, admitted: Admitted, vectors: Any, model: str, *, home: Place | None = None) -> Any:
        for place in (admitted.memory.place, home or admitted.memory.place):
            self._check_project(place.project)
        return self._inner.insert(admitted, vectors, model, home=home)

    def insert_all(self, memories: Sequence[tuple[Admitted, Any]], model: str) -> None:
        for admitted, _ in memories:
            self._check_project(admitted.memory.place.project)
        self._inner.insert_all(memories, model)

    def insert_version(self, view: View, admitted: Admitted, vectors: Any, model: str) -> Any:
        self._check_project(admitted.memory.place.project)
        return self._inner.insert_version(self._narrow(view), admitted, vectors, model)

    def insert_versions(self, view: View, versions: Sequence[tuple[Admitted, Any]], model: str) -> None:
        for admitted, _ in versions:
            self._check_project(admitted.memory.place.project)
        self._inner.insert_versions(self._narrow(view), versions, model)

    def redact(self, view: View, admitted: Admitted, vectors: Any, model: str) -> None:
        self._check_project(admitted.memory.place.project)
        self._inner.redact(self._narrow(view), admitted, vectors, model)

    def put_project(self, project: Project) -> Project:
        if project.name not in self._names:
            raise _outside_projects()
        stored: Project = self._inner.put_project(project)
        self._numbers |= {stored.number}
        return stored

    def put_session(self, session: Session) -> Session:
        self._check_project(session.project_number)
        return cast(Session, self._inner.put_session(session))

    def put_source(self, source: Source) -> Source:
        if source.visibility is None:
            raise _outside_projects()
        self._check_project(source.project)
        return cast("Source", self._inner.put_source(source))

    def retag(self, view: View, kinds: frozenset[str], source: int, target: int) -> int:
        self._check_project(source)
        self._check_project(target)
        return int(self._inner.retag(self._narrow(view), kinds, source, target))

    def move(self, view: View, id: str, place: Place, *, external_id: str | None = None) -> Memory:
        self._check_project(place.project)
        return cast(Memory, self._inner.move(self._narrow(view), id, place, external_id=external_id))

    def drop_session(self, view: View, number: int) -> list[str]:
        # the session was read through this snapshot, so its evidence is in its project
        return cast(list[str], self._inner.drop_session(view, number))

    def delivered(self, view: View, project: int, session: str) -> frozenset[str]:
        return self._inner.delivered(view, project, session) if project in self._numbers else frozenset()

    def deliveries(self, view: View, id: str) -> list[Delivery]:
        return [
            delivery for delivery in self._inner.deliveries(view, id) if delivery.project in self._numbers
        ]

    def citations(self, view: View, context: str) -> list[Cited]:
        return [cited for cited in self._inner.citations(view, context) if cited.project in self._numbers]

    def cite(self, view: View, citations: DeliveredContext) -> None:
        if citations.project in self._numbers:  # elsewhere nothing was given
            self._inner.cite(view, citations)

    def tallies(self, view: View, project: int | None, session: str | None) -> list[Tally]:
        numbers = self._numbers if project is None else self._numbers & {project}
        return [tally for number in sorted(numbers) for tally in self._inner.tallies(view, number, session)]

    def deliver(self, view: View, project: int, *args: Any, **more: Any) -> None:
        if project in self._numbers:  # elsewhere nothing was delivered
            self._inner.deliver(view, project, *args, **more)

    def take_back(self, view: View, *, project: int | None = None, session: str | None = None) -> None:
        for number in sorted(self._numbers if project is None else self._numbers & {project}):
            self._inner.take_back(view, project=number, session=session)

    def _check_project(self, project: int | None) -> None:
        if project not in self._numbers:
            raise _outside_projects()


def unlimited(reader: Reader) -> Reader:
    """Returns what a reader of a `ScopedStore` restricts, and any other reader itself: for what only takes
    away from a credential, and is not shown to it."""
    return cast(Reader, reader._inner) if isinstance(reader, _Scoped) else reader


def _outside_projects() -> AccessDenied:
    return AccessDenied(
        "the credential is limited to its projects", code="not_permitted", hint="use one of its projects"
    )
