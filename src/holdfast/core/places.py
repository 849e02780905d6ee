"""Places of memories, and the pools that decide who can read them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import field, replace
from enum import StrEnum

from holdfast.core.arguments import safe_repr
from holdfast.core.errors import InvalidInput
from holdfast.core.kinds import KINDS, Nature
from holdfast.core.text import has_ink, normalise
from holdfast.core.value_classes import value_class
from holdfast.core.wire import Plain, wire

ANYWHERE = "*"
"""As a project or workspace of a context: all that the principal may read."""

NAME_MAX = 200
"""Maximum number of characters in the name of a project, session, workspace, scope, branch or external id."""

SCOPE_GLOBAL = "global"

MAIN_BRANCHES = frozenset({"main", "master", "trunk"})
"""Branches whose memories hold on all branches (S4.31)."""

_USER = "user:"
RUNNER = "runner:"
"""Prefix of the label of an agent that runs by itself: insights, roadmap, PR review, ideation."""


class Visibility(StrEnum):
    """The group of users who may read a memory."""

    PRIVATE = "private"
    """Its owner only."""
    TEAM = "team"
    """Every user of the tenant."""
    PROJECT = "project"
    """Every user who may open its project."""


class Reach(StrEnum):
    """The contexts within a workspace from which a memory is recalled."""

    PROJECT = "project"
    """Only from inside its project."""
    SHARED = "shared"
    """From conversations without a project, and from nowhere else."""
    EVERYWHERE = "everywhere"
    """From all projects and from none: knowledge about the person."""
    SOURCE = "source"
    """From inside every project that its folder is connected to, and from nowhere else."""


class Role(StrEnum):
    """The permissions of a principal; a person is the owner of their own file."""

    OWNER = "owner"
    MEMBER = "member"
    ADMIN = "admin"
    SERVICE = "service"


def user_of(label: str) -> str:
    """Returns the user in the label of an actor: `user:ana@example.com`, `agent:coder@ana@example.com`."""
    return label.removeprefix(_USER) if label.startswith(_USER) else label.partition("@")[2]


@value_class
class Principal:
    """The user, role and agent on whose behalf an operation runs. Comes from the operating system or a
    credential, never from a request body. `alone`: its user shares nothing with others. `agreed`: the user of
    this agent was asked, and agreed to what it is about to do with their words."""

    user: str
    role: Role = Role.OWNER
    agent: str | None = None
    alone: bool = False
    agreed: bool = False

    @property
    def label(self) -> str:
        """Returns the name of the actor in events and memories: `user:ana`, or `agent:coder@ana` for an agent
        of ana. An agent called `runner:insights` or the like is a runner and keeps that name. The first `@`
        ends the name of an agent, so that nobody's label is that of another."""
        if not self.agent:
            return f"{_USER}{self.user}"
        kind = "" if self.agent.startswith(RUNNER) else "agent:"
        return f"{kind}{self.agent.replace('@', '%40')}@{self.user}"

    @property
    def is_machine(self) -> bool:
        """Returns whether an agent or a service acts, not a person. A machine makes no decision reserved to
        people, and its text does not count as a person's statement."""
        return self.agent is not None or self.role is Role.SERVICE

    @property
    def reviews(self) -> bool:
        """Returns whether the principal decides about what other users wrote: an admin in person."""
        return self.role is Role.ADMIN and not self.is_machine


@value_class
class Scope(Plain):
    """A narrower scope within a place: type and id, such as ("paper", "2301.1")."""

    type: str = SCOPE_GLOBAL
    id: str | None = None


@value_class
class Pool:
    """The unit of isolation: all memories that exactly the same views can read.

    Every memory is in one pool. A view is a set of pools; it knows nothing of other pools, neither for search
    nor for the statistics used in ranking. `owner` is set only for private memories, `project` (its internal
    number) only within a project, `source` (its id) only for passages of a folder and for descriptions of
    what a source holds, which its readers alone may see.
    """

    visibility: Visibility
    owner: str | None
    workspace: str | None
    reach: Reach
    project: int | None
    source: str | None = None

    def moved(self, project: int | None, owner: str) -> Pool:
        """Returns the pool of the same evidence when its conversation moves into a project or out of all.

        Memories that the members of a project could see become the owner's own when they leave the project
        for none.
        """
        if project is not None:
            return replace(self, reach=Reach.PROJECT, project=project)
        if self.visibility is Visibility.PROJECT:
            return Pool(Visibility.PRIVATE, owner, self.workspace, Reach.SHARED, None)
        return replace(self, reach=Reach.SHARED, project=None)


@value_class
class Place(Plain):
    """The location of a memory.

    `project`, `session` and `file` are internal numbers that the store resolved. Passages of a folder
    belong to its `source`, and to no project of their own; descriptions of a source's content to both.
    """

    owner: str
    visibility: Visibility
    workspace: str | None = None
    project: int | None = field(default=None, metadata=wire(hidden=True))
    session: int | None = field(default=None, metadata=wire(hidden=True))
    scope: Scope = Scope()
    branch: str | None = None
    source: str | None = field(default=None, metadata=wire(hidden=True))
    file: int | None = field(default=None, metadata=wire(hidden=True))

    @property
    def only_branch(self) -> str | None:
        """Returns the branch whose state a memory is about, None for all branches."""
        return None if self.branch in MAIN_BRANCHES else self.branch

    def pool(self, kind: str) -> Pool:
        """Returns the pool of a memory of this kind here; only knowledge without a project is visible
        everywhere."""
        nature = KINDS[kind].nature
        if self.source is not None and nature is not Nature.DERIVED:
            reach = Reach.SOURCE
        elif self.project is not None:
            reach = Reach.PROJECT
        else:
            is_general = nature in (Nature.KNOWLEDGE, Nature.DERIVED)
            reach = Reach.EVERYWHERE if is_general else Reach.SHARED
        owner = self.owner if self.visibility is Visibility.PRIVATE else None
        return Pool(self.visibility, owner, self.workspace, reach, self.project, self.source)


def default_visibility(
    principal: Principal, kind: str, *, in_project: bool, of_project: Visibility | None
) -> Visibility:
    """Returns the visibility of a memory that is kept without one: that of its project, if that has one, else
    private for a person and project for an agent. Evidence, such as what is said in a conversation, stays
    private to its user, whoever writes it down."""
    if not in_project or KINDS[kind].is_evidence:
        return Visibility.PRIVATE
    return of_project or (Visibility.PROJECT if principal.agent else Visibility.PRIVATE)


_LINE_ENDS = re.compile("[\t\n\v\f\r\x85\u2028\u2029]")


def usable_name(value: object, label: str) -> str:
    """Returns the name of a project, session, workspace, scope, branch or external id unchanged.

    Names are stored exactly as received, so invisible characters are refused: controls, line ends, zero-width
    and bidirectional characters (InvalidInput `place_invalid`). Joiners that emoji and scripts need are
    allowed.
    """
    if not isinstance(value, str):
        raise InvalidInput(f"{label} must be text, not {type(value).__name__}", code="place_invalid")
    if len(value) > NAME_MAX or value == ANYWHERE or not _is_visible(value):
        raise InvalidInput(
            f"{label} {safe_repr(value)} is not a valid name",
            code="place_invalid",
            hint=f"use 1 to {NAME_MAX} visible characters, not just {ANYWHERE!r}",
        )
    return value


def _is_visible(name: str) -> bool:
    if name.isascii():
        return name.isprintable() and bool(name.strip())
    return has_ink(name) and not _LINE_ENDS.search(name) and not normalise(name).removed


_GLOBAL = Scope()


def scope_of(value: object) -> Scope:
    """Returns the scope of None, a Scope, a text that names one (`scope_named`), or a (type, id) pair.
    Raises InvalidInput `place_invalid`."""
    if value is None:
        return _GLOBAL
    if isinstance(value, Scope):
        return value
    if isinstance(value, str):
        return scope_named(value)
    if isinstance(value, tuple | list) and len(value) == 2:
        kind = usable_name(value[0], "scope type")
        return Scope(kind, None if value[1] is None else usable_name(value[1], "scope id"))
    raise InvalidInput(
        "scope must be a (type, id) pair", code="place_invalid", hint='such as ("paper", "2301.1")'
    )


SCOPES_MAX = 100
"""Maximum number of scopes in one filter."""


def scope_named(text: str) -> Scope:
    """Returns the scope that a text names: `paper:2301.1`, or `paper` for all of that type; `global` stands
    for what has no scope. Raises InvalidInput `place_invalid`."""
    type, colon, id = text.partition(":")
    if not type or (colon and not id):
        raise InvalidInput(
            f"{safe_repr(text)} names no scope", code="place_invalid",
            hint="such as paper:2301.1, paper for all of that type, or global for what has none",
        )  # fmt: skip
    return scope_of((type, id or None))


def scope_list(values: Iterable[Scope]) -> str:
    """Returns scopes as the JSON that a filter holds. Raises InvalidInput `argument_invalid`."""
    pairs = sorted({(scope.type, scope.id or "") for scope in values})
    if len(pairs) > SCOPES_MAX:
        raise InvalidInput(f"at most {SCOPES_MAX} scopes can be searched at once", code="argument_invalid")
    return json.dumps([[type, id or None] for type, id in pairs])


def visibility_of(value: object) -> Visibility:
    """Returns the visibility of this name. Raises InvalidInput `visibility_unknown`."""
    try:
        return Visibility(value)  # type: ignore[arg-type]
    except Exception:  # the enumeration describes what it refuses, which may fail as well
        raise InvalidInput(
            f"there is no visibility {safe_repr(value)}",
            code="visibility_unknown",
            hint="private, team or project",
        ) from None


def approves(principal: Principal) -> bool:
    """Returns whether a principal may share private memories with the team: an owner or admin in person."""
    return not principal.is_machine and principal.role in (Role.OWNER, Role.ADMIN)
