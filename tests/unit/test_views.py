"""Views, pools and places: who reads what from where, over all combinations."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import pytest

from holdfast import InvalidInput
from holdfast.core.kinds import ENTITIES
from holdfast.core.places import (
    Place,
    Pool,
    Principal,
    Reach,
    Role,
    Scope,
    Visibility,
    approves,
    scope_list,
    scope_named,
    scope_of,
    usable_name,
    user_of,
)
from holdfast.core.projects import Session
from holdfast.core.views import (
    ANY_STATE,
    Context,
    Filter,
    View,
    compile_view,
    personal_view,
    place_view,
    seen_branches,
)
from tests.cases import each

ANA = Principal("ana")
HERE = Pool(Visibility.PROJECT, None, None, Reach.PROJECT, 1)


def is_seen(
    view: View, pool: Pool, connected: frozenset[int], closed: frozenset[int], readers: frozenset[str] | None
) -> bool:
    """The rule of isolation in plain words."""
    context = view.context
    if readers is not None and view.user not in readers:
        return False
    if pool.project in closed and not view.closed:
        return False
    if view.filter.visibilities and pool.visibility not in view.filter.visibilities:
        return False
    if pool.visibility is Visibility.PRIVATE and pool.owner != view.user:
        return False
    if pool.reach is Reach.SOURCE:
        joined = connected if view.closed else connected - closed
        return bool(joined) if context.any_project else context.project in joined
    if context.any_project:
        return True
    if context.project is None:
        return pool.project is None
    return pool.project == context.project or pool.reach is Reach.EVERYWHERE


def test_the_rule_of_isolation_over_all_combinations() -> None:
    """Sources, archived projects and readers; `test_m_8` of `test_domain` has workspaces."""
    views = [
        View(
            "ana", Context(project=project, any_project=any_project), Filter(visibilities=only), closed=closed
        )
        for project, any_project, only, closed in product(
            (None, 1, 2), (False, True), (None, frozenset({Visibility.TEAM})), (False, True)
        )
    ]
    pools = [
        Pool(visibility, owner, None, reach, project, "s" if reach is Reach.SOURCE else None)
        for (visibility, owner), (reach, project) in product(
            ((Visibility.PRIVATE, "ana"), (Visibility.PRIVATE, "ben"), (Visibility.TEAM, None)),
            ((Reach.PROJECT, 1), (Reach.SHARED, None), (Reach.EVERYWHERE, None), (Reach.SOURCE, None)),
        )
    ]
    some = (frozenset[int](), frozenset({1}), frozenset({1, 2}))
    readers = (None, frozenset({"ana"}), frozenset({"ben"}))
    for view, pool, joined, closed, who in product(views, pools, some, some, readers):
        connected = joined if pool.reach is Reach.SOURCE else frozenset[int]()
        assert view.allows(pool, connected, closed, who) == is_seen(view, pool, connected, closed, who), (
            view, pool, connected, closed, who,
        )  # fmt: skip
    only = replace(views[0], only=HERE)
    assert only.allows(HERE, (), (1,), ("ben",))
    assert not only.allows(replace(HERE, owner="ana"))
    assert not views[0].allows(HERE, closed=(1,))
    assert views[0].holds(1) == views[0].allows(HERE)


@pytest.mark.parametrize(
    ("context", "workspaces"),
    [
        (Context(), {None}),
        (Context("acme"), {None, "acme"}),
        (Context("acme", strict_workspace=True), {"acme"}),
        (Context("acme/*"), {None, "acme/a"}),
        (Context("acme/*", strict_workspace=True), {"acme/a"}),
        (Context("*", strict_workspace=True), {"acme", "acme/a", "beta"}),
        (Context(any_workspace=True, strict_workspace=True), {None, "acme", "acme/a", "beta"}),
    ],
)
def test_s2_8_what_a_workspace_reaches(context: Context, workspaces: set[str | None]) -> None:
    assert {one for one in (None, "acme", "acme/a", "beta") if context.reaches(one)} == workspaces


def test_what_becomes_of_a_view() -> None:
    """Each function changes what it says, and nothing else."""
    agent, service = Principal("ana", agent="coder"), Principal("ana", Role.SERVICE)
    context, narrow = Context("lab", project=1), Filter(kinds=frozenset({"note"}), session=7)
    view = compile_view(agent, context, narrow)
    assert view == View("ana", context, narrow, author="agent:coder@ana")
    assert compile_view(service, context).author == "user:ana"
    assert compile_view(Principal("ana", Role.ADMIN), context) == View("ana", context, Filter(), reviews=True)
    for place, hidden in (
        (Context(in_session=True), ENTITIES), (Context(in_session=True, project=1), frozenset()),
        (Context(in_session=True, any_project=True), frozenset()), (Context(), frozenset()),
    ):  # fmt: skip
        assert compile_view(ANA, place).hidden_kinds == hidden
    anywhere = Context(any_project=True, any_workspace=True)
    assert personal_view(agent) == View("ana", anywhere, ANY_STATE, author="agent:coder@ana")
    assert personal_view(agent, narrow, closed=True) == View("ana", anywhere, narrow, closed=True)
    assert place_view(Place("ana", Visibility.PRIVATE, "lab"), "note", narrow) == View(
        "ana",
        Context(),
        narrow,
        only=Pool(Visibility.PRIVATE, "ana", "lab", Reach.EVERYWHERE, None),
        reviews=True,
    )
    limited = replace(view, only=HERE, hidden_kinds=ENTITIES)
    assert limited.everywhere() == View("ana", anywhere, Filter(), author=view.author, closed=True)
    working = limited.narrowed(Filter(for_work=True))
    assert working.everywhere() == View("ana", context, Filter(), author=view.author, closed=True)
    assert view.in_project(2) == replace(view, context=replace(context, project=2))
    assert view.without_kinds("note", "fact").without_kinds("todo") == replace(
        view, hidden_kinds=frozenset({"note", "fact", "todo"})
    )
    assert view.without_archived(frozenset({7, 8})) == view.narrowed(replace(narrow, archived=frozenset({8})))
    for one, archived in (
        (view, frozenset({7})),
        (view, frozenset()),
        (replace(view, closed=True), frozenset({8})),
    ):
        assert one.without_archived(archived) is one
    assert (view.owns("ana"), view.owns("ben"), view.opens(None)) == (True, False, True)
    assert seen_branches(None) is None
    assert seen_branches("x") == frozenset({None, "main", "master", "trunk", "x"})


def test_of_sessions_with_one_id_the_one_of_the_project_is_meant() -> None:
    class Limited(View):
        def opens(self, project: int | None) -> bool:
            return project != 3

    first, second, third = (Session("s", "ana", 0, 0, project_number=number) for number in (3, None, 1))
    for view, oldest in ((View, first), (Limited, second)):
        for project, sessions, meant in (
            (1, [first, second, third], third), (2, [first, second, third], oldest),
            (None, [first, second, third], oldest), (None, [], None), (1, [], None),
        ):  # fmt: skip
            assert view("ana", Context(project=project), Filter()).session_among(sessions) is meant


@each("visibility", Visibility)
@each(
    "kind, project, source, reach",
    [
        ("note", None, None, Reach.EVERYWHERE), ("session_summary", None, None, Reach.EVERYWHERE),
        ("message", None, None, Reach.SHARED), ("entity", None, None, Reach.SHARED),
        ("note", 1, None, Reach.PROJECT), ("message", 1, None, Reach.PROJECT),
        ("passage", None, "s", Reach.SOURCE), ("session_summary", 1, "s", Reach.PROJECT),
    ],
)  # fmt: skip
def test_the_pool_of_a_memory(
    visibility: Visibility, kind: str, project: int | None, source: str | None, reach: Reach
) -> None:
    place = Place("ana", visibility, "lab", project, 5, source=source)
    owner = "ana" if visibility is Visibility.PRIVATE else None
    assert place.pool(kind) == Pool(visibility, owner, "lab", reach, project, source)


def test_where_evidence_is_once_its_conversation_has_moved() -> None:
    def pool(visibility: Visibility, owner: str | None, reach: Reach, project: int | None) -> Pool:
        return Pool(visibility, owner, "lab", reach, project)

    private, shared = (Visibility.PRIVATE, "ana"), (Visibility.TEAM, None)
    for visibility, owner in (private, shared, (Visibility.PROJECT, None)):
        assert pool(visibility, owner, Reach.PROJECT, 1).moved(2, "ben") == pool(
            visibility, owner, Reach.PROJECT, 2
        )
    for visibility, owner in (private, shared):
        assert pool(visibility, owner, Reach.PROJECT, 1).moved(None, "ben") == pool(
            visibility, owner, Reach.SHARED, None
        )
        assert pool(visibility, owner, Reach.SHARED, None).moved(2, "ben") == pool(
            visibility, owner, Reach.PROJECT, 2
        )
    left = pool(Visibility.PROJECT, None, Reach.PROJECT, 1).moved(None, "ben")
    assert left == pool(Visibility.PRIVATE, "ben", Reach.SHARED, None)


@pytest.mark.parametrize(
    ("principal", "label", "is_machine", "reviews", "may_approve"),
    [
        (Principal("ana"), "user:ana", False, False, True),
        (Principal("a@b.c", Role.ADMIN), "user:a@b.c", False, True, True),
        (Principal("ana", Role.MEMBER), "user:ana", False, False, False),
        (Principal("ana", Role.SERVICE), "user:ana", True, False, False),
        (Principal("a@b.c", Role.ADMIN, "x@y@z"), "agent:x%40y%40z@a@b.c", True, False, False),
        (Principal("ana", agent="runner:insights"), "runner:insights@ana", True, False, False),
        (Principal("ana", agent=""), "user:ana", True, False, False),
    ],
)
def test_who_acts(
    principal: Principal, label: str, is_machine: bool, reviews: bool, may_approve: bool
) -> None:
    assert (principal.label, user_of(principal.label)) == (label, principal.user)
    assert (principal.is_machine, principal.reviews, approves(principal)) == (
        is_machine,
        reviews,
        may_approve,
    )


def test_s2_9_a_scope_in_every_form() -> None:
    for value, scope in (
        (None, Scope()), (Scope("paper", "1"), Scope("paper", "1")),
        (("paper", "a:1"), Scope("paper", "a:1")), (["paper", None], Scope("paper")),
        ("paper:a:1", Scope("paper", "a:1")), ("paper", Scope("paper")),
        ("global", Scope()),
    ):  # fmt: skip
        assert scope_of(value) == scope
    assert scope_named("x:y") == Scope("x", "y")
    for wrong in ("", ":x", "x:", (), ("x",), ("x", "y", "z"), {"x": "y"}, 7):
        with pytest.raises(InvalidInput) as error:
            scope_of(wrong)
        assert error.value.code == "place_invalid"
    some = [Scope("b", "1"), Scope("a"), Scope("a", "2"), Scope("a"), Scope()]
    assert scope_list(some) == '[["a", null], ["a", "2"], ["b", "1"], ["global", null]]'
    assert scope_list([Scope("a", str(number)) for number in range(100)]).count("[") == 101
    assert usable_name("x" * 200, "name") == "x" * 200
    assert Place("ana", Visibility.TEAM, branch="main").only_branch is None
    assert Place("ana", Visibility.TEAM, branch="dev").only_branch == "dev"
