"""A store that is restricted to some projects: what it passes on, with which view, and what it keeps back.

What comes of that with a real store, `tests/contract/test_limited.py` and `tests/http/test_access.py` say.
"""

from __future__ import annotations

from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any

import pytest

from holdfast import AccessDenied
from holdfast.core.folders import Folder
from holdfast.core.places import Pool, Principal, Reach, Visibility
from holdfast.core.views import Context, Filter, View, personal_view
from holdfast.features.access.scoped_store import (
    PASSED_THROUGH,
    REFUSED,
    ScopedStore,
    ScopedView,
    methods_with_view,
    unlimited,
)

ANA = Principal("ana")
VIEW = View(
    "ana", Context("lab", project=1), Filter(pinned=True), frozenset({"note"}), author="x", closed=True
)
MINE = frozenset({1, 2})
NARROW = ScopedView(**{name: getattr(VIEW, name) for name in View.__dataclass_fields__}, projects=MINE)
PROJECTS = {"shop": 1, "till": 2, "barn": 3}
SHARE = [SimpleNamespace(project=number) for number in (1, 3, 2)]


ANSWERS: dict[str, Any] = {
    "projects": [SimpleNamespace(number=number, name=name) for name, number in PROJECTS.items()],
    "folders": [
        Folder("f", "ana", "f", "f", "/f", 0, projects=("barn", "shop"), numbers=frozenset({1, 3})),
    ],
    "sessions": [SimpleNamespace(project_number=number) for number in (1, None, 3, 2)],
    "deliveries": SHARE,
    "citations": SHARE,
    "tallies": ["tally"],
    "retag": 4,
    "put_project": SimpleNamespace(number=7),
}


class Inner:
    """A store that notes what it is asked for and answers with what it has."""

    def __init__(self) -> None:
        self.asked: list[Any] = []

    def project(self, view: View, name: str) -> Any:
        assert view == personal_view(ANA)
        return SimpleNamespace(number=PROJECTS[name]) if name in PROJECTS else None

    def __getattr__(self, name: str) -> Any:
        def method(*args: Any, **more: Any) -> Any:
            self.asked.append((name, args, more))
            return ANSWERS.get(name, name)

        return method

    @contextmanager
    def read(self) -> Any:
        yield self

    @contextmanager
    def write(self, *, patience: int | None = None) -> Any:
        self.patience = patience
        yield self


@pytest.fixture
def inner() -> Inner:
    return Inner()


@pytest.fixture
def scoped(inner: Inner) -> Any:
    store: Any = inner
    with ScopedStore(store, ANA, frozenset({"shop", "till", "new"})).write() as tx:
        return tx


def of(project: int | None) -> Any:
    """What is in a project, as a memory, session, source or record of something given."""
    place = SimpleNamespace(project=project)
    return SimpleNamespace(
        memory=SimpleNamespace(place=place), project=project, project_number=project, visibility="team"
    )


A: Any = object()
B: Any = object()


@pytest.mark.parametrize(
    ("name", "args", "more", "view"),
    [
        ("insert", (of(1), A, "m"), {"home": of(2)}, None), ("insert_all", ([(of(1), A)], "m"), {}, None),
        ("insert_version", (VIEW, of(1), A, "m"), {}, NARROW),
        ("insert_versions", (VIEW, [(of(1), A)], "m"), {}, NARROW),
        ("redact", (VIEW, of(1), A, "m"), {}, NARROW), ("put_session", (of(1),), {}, None),
        ("put_source", (of(1),), {}, None), ("retag", (VIEW, frozenset({"note"}), 1, 2), {}, NARROW),
        ("move", (VIEW, "id", of(1)), {"external_id": "x"}, NARROW), ("drop_session", (VIEW, 5), {}, VIEW),
        ("delivered", (VIEW, 1, "s"), {}, VIEW), ("cite", (VIEW, of(1)), {}, VIEW),
        ("deliver", (VIEW, 1, A), {"at": B}, VIEW), ("get", (VIEW, A), {"b": B}, NARROW),
        ("add_job", (A,), {"b": B}, None),
    ],
)  # fmt: skip
def test_what_is_in_the_projects_is_passed_on(
    inner: Inner, scoped: Any, name: str, args: Any, more: Any, view: View | None
) -> None:
    answer = getattr(scoped, name)(*args, **more)
    passed = args if view is None else (view, *args[1:])
    assert inner.asked == [(name, passed, more)]
    assert answer == (None if name in ("insert_all", "insert_versions", "redact", "cite", "deliver") else
                      ANSWERS.get(name, name))  # fmt: skip
    assert all(type(one) is type(two) for one, two in zip(inner.asked[0][1], passed, strict=True))


def test_what_is_elsewhere_is_refused_or_does_not_exist(inner: Inner, scoped: Any) -> None:
    for project in (3, None):
        there = of(project)
        for name, args in (
            ("insert", (there, A, "m")), ("insert_all", ([(of(1), A), (there, A)], "m")),
            ("insert_version", (VIEW, there, A, "m")), ("redact", (VIEW, there, A, "m")),
            ("insert_versions", (VIEW, [(of(1), A), (there, A)], "m")), ("put_session", (there,)),
            ("put_source", (there,)), ("retag", (VIEW, frozenset(), 1, project)),
            ("retag", (VIEW, frozenset(), project, 1)), ("move", (VIEW, "id", there)),
        ):  # fmt: skip
            with pytest.raises(AccessDenied):
                getattr(scoped, name)(*args)
        with pytest.raises(AccessDenied):
            scoped.insert(of(1), A, "m", home=there)
    with pytest.raises(AccessDenied):
        scoped.put_source(SimpleNamespace(visibility=None, project=1))
    with pytest.raises(AccessDenied):
        scoped.put_project(SimpleNamespace(name="barn"))
    assert scoped.delivered(VIEW, 3, "s") == frozenset()
    scoped.cite(VIEW, of(3))
    scoped.deliver(VIEW, 3, A)
    assert scoped.project(VIEW, "barn") is None
    assert inner.asked == []
    for name in REFUSED:
        with pytest.raises(AccessDenied):
            getattr(scoped, name)
    with pytest.raises(AttributeError, match="nothing"):
        scoped.nothing  # noqa: B018
    assert not hasattr(scoped, "close")


def test_lists_hold_what_is_in_the_projects(inner: Inner, scoped: Any) -> None:
    assert [project.name for project in scoped.projects(VIEW)] == ["shop", "till"]
    (folder,) = scoped.folders(VIEW)
    assert (folder.projects, folder.numbers) == (("shop",), frozenset({1}))
    assert [
        session.project_number
        for session in scoped.sessions(VIEW, project=A, limit=1, after=B, archived=True)
    ] == [1]
    assert [session.project_number for session in scoped.sessions(VIEW)] == [1, 2]
    assert [delivery.project for delivery in scoped.deliveries(VIEW, "id")] == [1, 2]
    assert [citation.project for citation in scoped.citations(VIEW, "c")] == [1, 2]
    assert scoped.tallies(VIEW, None, "s") == ["tally"] * 2
    assert scoped.tallies(VIEW, 2, "s") == ["tally"]
    assert scoped.tallies(VIEW, 3, "s") == []
    scoped.take_back(VIEW, session="s")
    scoped.take_back(VIEW, project=2)
    scoped.take_back(VIEW, project=3)
    assert inner.asked == [
        ("projects", (VIEW,), {}), ("projects", (personal_view(ANA),), {}), ("folders", (NARROW,), {}),
        ("sessions", (VIEW,), {"project": A, "after": B, "archived": True}),
        ("sessions", (VIEW,), {"project": None, "after": None, "archived": None}),
        ("deliveries", (VIEW, "id"), {}), ("citations", (VIEW, "c"), {}),
        *(("tallies", (VIEW, number, "s"), {}) for number in (1, 2, 2)),
        *(("take_back", (VIEW,), {"project": number, "session": "s"}) for number in (1, 2)),
        ("take_back", (VIEW,), {"project": 2, "session": None}),
    ]  # fmt: skip


def test_a_project_that_was_created_is_one_of_them(inner: Inner, scoped: Any) -> None:
    scoped.put_project(SimpleNamespace(name="new"))
    scoped.insert(of(7), A, "m")
    assert [name for name, _, _ in inner.asked] == ["put_project", "insert"]
    assert unlimited(scoped) is inner
    assert unlimited(A) is A
    assert not methods_with_view() & PASSED_THROUGH
    assert {"get", "page", "candidates"} & methods_with_view()
    assert "add_event" not in methods_with_view()


def test_a_view_of_projects_shows_pools_in_them() -> None:
    view = ScopedView("ana", Context(any_project=True), Filter(), projects=MINE)
    of_projects: tuple[tuple[int | None, Any, Any, Any, bool], ...] = (
        (1, (), (), None, True), (3, (), (), None, False), (None, (), (), None, False),
        (1, (), (1,), None, False), (1, (), (), ("ben",), False), (1, (), (), ("ana",), True),
    )  # fmt: skip
    for project, connected, closed, readers, shown in of_projects:
        pool = Pool(Visibility.TEAM, None, None, Reach.PROJECT, project)
        assert view.allows(pool, connected, closed, readers) is shown
    source = Pool(Visibility.TEAM, None, None, Reach.SOURCE, None, "s")
    of_sources: tuple[tuple[Any, Any, Any, bool], ...] = (
        ((1,), (), None, True), ((3,), (), None, False), ((), (), None, False), ((1, 3), (1,), None, False),
        ((1,), (), ("ben",), False), ((1,), (), ("ana",), True),
    )  # fmt: skip
    for connected, closed, readers, shown in of_sources:
        assert view.allows(source, connected, closed, readers) is shown
    assert [view.opens(project) for project in (1, 3, None)] == [True, False, False]
    assert not view.owns("ana")
