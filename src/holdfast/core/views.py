"""Views: what one principal may read in one context, the only way to read."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import field, replace

from holdfast.core.kinds import ENTITIES
from holdfast.core.places import ANYWHERE, MAIN_BRANCHES, Place, Pool, Principal, Reach, Visibility
from holdfast.core.predicates import Op, narrows
from holdfast.core.projects import Session
from holdfast.core.record import Status
from holdfast.core.value_classes import value_class


@value_class
class Context:
    """The context from which a principal reads. `project` is an internal number that the store resolved.

    `any_project` includes all projects and memories without one, `any_workspace` all workspaces and memories
    without one; neither implies the other.
    """

    workspace: str | None = None
    strict_workspace: bool = False
    project: int | None = None
    in_session: bool = False
    any_project: bool = False
    any_workspace: bool = False

    def reaches(self, workspace: str | None) -> bool:
        """Returns whether memories of a workspace, or of none, are visible from here (S2.8). `acme/*` is
        every workspace whose name begins so."""
        if self.any_workspace or workspace == self.workspace:
            return True
        pattern = self.workspace or ""
        if pattern.endswith(ANYWHERE) and workspace is not None and workspace.startswith(pattern[:-1]):
            return True
        return workspace is None and not self.strict_workspace


@value_class
class Filter:
    """Conditions that narrow a view. None means: no condition. Times are epoch milliseconds.

    `scopes` are those of `core/places.scope_list`, of which a memory has one.
    `outside` are sessions whose memories are left out; `files` are numbers of files whose passages alone
    pass. `since` is inclusive and `until` exclusive, both over the time a memory speaks of. `statuses` of
    None means what recall returns: approved, not expired, still
    valid. `as_of` selects what held and had not expired at that time instead, earlier versions and superseded
    memories included. `deleted` None includes forgotten memories. `for_work` selects memories
    of projects and preferences about work. `archived` are sessions whose messages are hidden: the store
    fills them in. `core/filter_rule` is the rule that all of these are part of; `visibilities` decide about
    whole pools.
    """

    kinds: frozenset[str] | None = field(default=None, metadata=narrows("kind", Op.AMONG, frozenset))
    scopes: str | None = field(default=None, metadata=narrows("scope", Op.SCOPED))
    branches: frozenset[str | None] | None = field(
        default=None, metadata=narrows("branch", Op.AMONG, frozenset)
    )
    visibilities: frozenset[Visibility] | None = None
    tags: frozenset[str] | None = field(default=None, metadata=narrows("tags", Op.COVERS, frozenset))
    session: int | None = field(default=None, metadata=narrows("session", holds=int))
    outside: frozenset[int] | None = field(default=None, metadata=narrows("session", Op.NOT_AMONG, frozenset))
    sources: frozenset[str] | None = field(default=None, metadata=narrows("source", Op.AMONG, frozenset))
    since: int | None = field(default=None, metadata=narrows("at", Op.FROM, int))
    until: int | None = field(default=None, metadata=narrows("at", Op.BEFORE, int))
    as_of: int | None = None
    statuses: frozenset[Status] | None = None
    deleted: bool | None = field(default=False, metadata=narrows("deleted", holds=bool))
    pinned: bool | None = field(default=None, metadata=narrows("pinned", holds=bool))
    owner: str | None = field(default=None, metadata=narrows("owner"))
    origins: frozenset[str] | None = field(default=None, metadata=narrows("origin", Op.AMONG, frozenset))
    described: str | None = field(default=None, metadata=narrows("metadata", Op.MEETS))
    files: frozenset[int] | None = field(default=None, metadata=narrows("file", Op.AMONG, frozenset))
    for_work: bool | None = None
    archived: frozenset[int] | None = None


ANY_STATE = Filter(statuses=frozenset(Status))
"""All memories that are not deleted, in any status: for addressing a memory by its id."""
GONE = Filter(statuses=frozenset(Status), deleted=None)
"""All memories in any status, forgotten ones included."""


def seen_branches(branch: str | None) -> frozenset[str | None] | None:
    """Returns the branches whose memories are visible from one: itself, main, and memories without one
    (S4.31)."""
    return None if branch is None else frozenset({None, *MAIN_BRANCHES, branch})


@value_class
class View:
    """The readable memories: the pools that `allows` accepts, narrowed by `filter`.

    Built only by the functions below. Stores accept nothing else for reading.
    """

    user: str
    context: Context
    filter: Filter
    hidden_kinds: frozenset[str] = frozenset()
    only: Pool | None = None
    reviews: bool = False
    """Whether its user decides about texts of others that wait for review, and so reads them."""
    author: str | None = None
    """The label of an agent: it reads pending, rejected and forgotten memories only if it wrote them."""
    alone: bool = False
    """True if the user shares nothing with other users: projects created by others are then not visible."""
    closed: bool = False
    """Includes archived sessions and projects, and projects that are switched off."""

    def allows(
        self,
        pool: Pool,
        connected: Collection[int] = (),
        closed: Collection[int | None] = (),
        readers: Collection[str] | None = None,
    ) -> bool:
        """Returns whether memories of a pool exist for this view: the one rule of isolation.

        `connected` are the numbers of the projects that the folder of a source's pool is connected to; for
        every other pool it is empty. `closed` are those of archived projects and of those switched off.
        `readers` are the users who may read what a source holds; None if it limits nobody.
        """
        if self.only is not None:
            return pool == self.only
        if readers is not None and self.user not in readers:
            return False
        if not self.closed:
            if pool.project in closed:
                return False
            connected = [number for number in connected if number not in closed]
        if self.filter.visibilities is not None and pool.visibility not in self.filter.visibilities:
            return False
        if pool.visibility is Visibility.PRIVATE and pool.owner != self.user:
            return False
        context = self.context
        if not context.reaches(pool.workspace):
            return False
        if pool.reach is Reach.SOURCE:
            return bool(connected) if context.any_project else context.project in connected
        if context.any_project:
            return True
        if context.project is not None:
            return pool.project == context.project or pool.reach is Reach.EVERYWHERE
        return pool.project is None

    def everywhere(self) -> View:
        """Returns the view of all places from which the user may ever read, or whoever works in one project
        for them. A version that was written outside them stays hidden, wherever its memory is now."""
        anywhere = Context(any_project=True, any_workspace=True)
        return replace(
            self,
            context=self.context if self.filter.for_work else anywhere,
            filter=Filter(),
            hidden_kinds=frozenset(),
            only=None,
            closed=True,
        )

    def without_archived(self, sessions: frozenset[int]) -> View:
        """Returns a view without what was said in archived sessions, except the session that it names."""
        hidden = sessions - {self.filter.session}
        if self.closed or not hidden:
            return self
        return self.narrowed(replace(self.filter, archived=hidden))

    def owns(self, owner: str) -> bool:
        """Returns whether this view's user is the owner, in any place."""
        return owner == self.user

    def opens(self, project: int | None) -> bool:
        """Returns whether the sessions of a project, or of none, exist for this view."""
        return True

    def session_among(self, sessions: Sequence[Session]) -> Session | None:
        """Returns the session that an id means, of those with the id, oldest first: the one in the project of
        the context, else the oldest."""
        opened = [session for session in sessions if self.opens(session.project_number)]
        here = [session for session in opened if session.project_number == self.context.project]
        return next(iter([*here, *opened] if self.context.project is not None else opened), None)

    def in_project(self, number: int | None) -> View:
        """Returns the same view from the context of a project."""
        return replace(self, context=replace(self.context, project=number))

    def holds(self, project: int, closed: Collection[int | None] = ()) -> bool:
        """Returns whether what belongs to a project as a whole, such as its module map, is visible."""
        pool = Pool(Visibility.PROJECT, None, self.context.workspace, Reach.PROJECT, project)
        return self.allows(pool, (), closed)

    def narrowed(self, narrower: Filter) -> View:
        """Returns the same view with another filter."""
        return replace(self, filter=narrower)

    def without_kinds(self, *kinds: str) -> View:
        """Returns the same view without some kinds."""
        return replace(self, hidden_kinds=self.hidden_kinds.union(kinds))


def compile_view(principal: Principal, context: Context, narrowing: Filter | None = None) -> View:
    """Builds the view of a principal in a context.

    A conversation outside every project sees no entities (S0.11).
    """
    outside = context.in_session and context.project is None and not context.any_project
    return View(
        user=principal.user,
        context=context,
        filter=narrowing or Filter(),
        hidden_kinds=ENTITIES if outside else frozenset(),
        reviews=principal.reviews,
        author=principal.label if principal.is_machine else None,
        alone=principal.alone,
    )


def personal_view(principal: Principal, narrowing: Filter = ANY_STATE, *, closed: bool = False) -> View:
    """Builds the view of everything the principal may read anywhere: for addressing a memory by its id. With
    `closed` it includes what is archived or switched off: for what takes all with it."""
    view = compile_view(principal, Context(any_project=True, any_workspace=True), narrowing)
    return replace(view, closed=True, author=None) if closed else view


def place_view(place: Place, kind: str, narrowing: Filter) -> View:
    """Builds the view of exactly the pool of one place, with which a new memory there is compared."""
    return View(place.owner, Context(), narrowing, only=place.pool(kind), reviews=True)
