"""The store contract, selections: which view a request becomes, and which place what is kept gets."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from holdfast.core.kinds import ENTITIES
from holdfast.core.metadata_filter import metadata_conditions
from holdfast.core.places import Place, Principal, Scope, Visibility
from holdfast.core.record import Status
from holdfast.core.times import DAY, to_millis
from holdfast.core.views import Context, Filter, View
from holdfast.features.access.places import NOWHERE, PlaceResolver, Selection, listed_view, view_of
from holdfast.features.admission.draft import Draft
from holdfast.features.audit.audit import list_events
from holdfast.stores.base.ports import Store
from tests.fakes import ManualClock
from tests.support import gate_of, memory_on, service_on

pytestmark = pytest.mark.on_a_file
FIRST = to_millis("2026-02-01")
NAMES = frozenset({"a", "b"})


@pytest.mark.parametrize(
    ("selection", "narrows"),
    [
        ({}, {}),
        ({"kinds": "note"}, {"kinds": frozenset({"note"})}),
        ({"kinds": ["note", "fact"]}, {"kinds": frozenset({"note", "fact"})}),
        ({"scope": ("paper", "1"), "scopes": "book"}, {"scopes": '[["book", null], ["paper", "1"]]'}),
        ({"branch": "dev"}, {"branches": frozenset({None, "main", "master", "trunk", "dev"})}),
        ({"visibility": "team"}, {"visibilities": frozenset({Visibility.TEAM})}),
        ({"visibility": ["team", "private"]},
         {"visibilities": frozenset({Visibility.TEAM, Visibility.PRIVATE})}),
        ({"tags": ["a", " b\u200b"]}, {"tags": frozenset({"a", "b"})}),
        ({"tags": []}, {}),
        ({"tags": [str(n) for n in range(12)]}, {"tags": frozenset(str(n) for n in range(12))}),
        ({"since": FIRST, "until": FIRST}, {"since": FIRST, "until": FIRST}),
        ({"since": "2026-02-01", "until": "2026-02-01"}, {"since": FIRST, "until": FIRST + DAY}),
        ({"as_of": FIRST}, {"as_of": FIRST}),
        ({"include": "pending"}, {"statuses": frozenset({Status.PENDING, Status.APPROVED})}),
        ({"include": ["expired", "rejected"]}, {"statuses": frozenset({Status.REJECTED, Status.APPROVED})}),
        ({"include": "deleted"}, {"statuses": frozenset(Status), "deleted": None}),
        ({"status": "pending"}, {"statuses": frozenset({Status.PENDING})}),
        ({"status": "deleted"}, {"statuses": frozenset(Status), "deleted": True}),
        ({"status": ["deleted", "pending"]}, {"statuses": frozenset(Status), "deleted": None}),
        ({"pinned": True}, {"pinned": True}),
        ({"pinned": False}, {"pinned": False}),
        ({"metadata": {"a": 1}}, {"described": metadata_conditions({"a": 1})}),
        ({"sources": ["a", "b"]}, {"sources": NAMES}),
        ({"origins": "user"}, {"origins": frozenset({"user"})}),
        ({"owner": "ben"}, {"owner": "ben"}),
        ({"personal": False}, {"for_work": True}),
        ({"exclude_sessions": ["talk", "none"]}, {"outside": "talk"}),
    ],
)  # fmt: skip
def test_a_selection_narrows_what_it_names(
    store: Store, selection: dict[str, Any], narrows: dict[str, Any]
) -> None:
    talk = memory_on(store).sessions.create("talk")
    if "outside" in narrows:
        with store.read() as snap:
            narrows = {"outside": frozenset({_number(snap, "talk")})}
    assert talk.external_id == "talk"
    with store.read() as snap:
        view = view_of(snap, Principal("ana"), Selection(**selection))
        listed = listed_view(snap, Principal("ana"), Selection(**selection))
    assert view == View("ana", Context(), Filter(**narrows))
    assert listed == (view if "kinds" in selection else view.without_kinds("exclusion"))


def _number(snap: Any, session: str) -> int:
    found = snap.session(View("ana", Context(any_project=True, any_workspace=True), Filter()), session)
    return int(found.number)


def test_a_selection_reads_from_where_it_says(store: Store) -> None:
    memory = memory_on(store)
    memory.projects.create("shop")
    memory.projects.create("till")
    memory.sessions.create("talk", project="shop")
    memory.sessions.create("desk", project="till")
    memory.sessions.create("alone")
    with store.read() as snap:
        everything = View("ana", Context(any_project=True, any_workspace=True), Filter())
        shop, till = (snap.project(everything, name).number for name in ("shop", "till"))  # type: ignore[union-attr]
        alone = _number(snap, "alone")
        of_till = _number(snap, "desk")
        for selection, context in (
            ({"project": "shop"}, Context(project=shop)),
            ({"project": "none"}, Context(project=NOWHERE)),
            ({"project": "*"}, Context(any_project=True)),
            ({"workspace": "lab", "strict_workspace": True}, Context("lab", strict_workspace=True)),
            ({"workspace": "*"}, Context(any_workspace=True)),
            ({"session": "talk"}, Context(project=shop, in_session=True)),
            ({"session": "desk", "project": "till"}, Context(project=till, in_session=True)),
            ({"session": "talk", "project": "*"}, Context(project=shop, in_session=True, any_project=True)),
            ({"session": "none", "project": "till"}, Context(project=till, in_session=True)),
            ({"session": "alone"}, Context(in_session=True)),
            ({"session": "none"}, Context(in_session=True)),
        ):
            view = view_of(snap, Principal("ana"), Selection(**selection))
            outside = context.in_session and context.project is None and not context.any_project
            assert view == View("ana", context, Filter(), ENTITIES if outside else frozenset())
        for selection, number in (
            ({"session": "alone"}, alone), ({"session": "desk", "project": "till"}, of_till),
        ):  # fmt: skip
            listed = listed_view(snap, Principal("ana"), Selection(**selection))  # type: ignore[arg-type]
            assert listed.filter == Filter(session=number)
        files = view_of(snap, Principal("ana"), Selection("shop", path="src"))
        assert files == View(
            "ana", Context(project=shop), Filter(kinds=frozenset({"passage"}), files=frozenset())
        )


def test_what_is_kept_gets_its_place_and_what_that_creates_is_recorded(
    store: Store, clock: ManualClock
) -> None:
    ana = service_on(store, clock=clock)
    coder = replace(ana, principal=Principal("ana", agent="coder"))
    admit = gate_of("ana").admit
    note = admit(Draft("The boat is red", scope=("paper", "1"), workspace="lab", branch="dev"), id="a", now=1)
    personal = admit(Draft("Write to ann.smith@example.com", visibility="team"), id="b", now=1)
    private = admit(Draft("Write to ann.smith@example.com", visibility="private"), id="c", now=1)
    said = admit(Draft("The boat is red", kind="message", role="user"), id="d", now=1)
    with store.write() as tx:
        resolver = PlaceResolver(ana, tx, clock.now + 5)
        plain = resolver.place(note, None, None).memory
        assert (plain.project, plain.session) == (None, None)
        assert plain.place == Place("ana", Visibility.PRIVATE, "lab", scope=Scope("paper", "1"), branch="dev")
        assert (resolver.created_projects, resolver.created_sessions) == (set(), set())
        placed = resolver.place(note, "shop", "talk").memory
        shop, talk = resolver.project("shop"), resolver.session("talk", "shop")
        assert (placed.project, placed.session) == ("shop", "talk")
        assert placed.place == replace(plain.place, project=shop.number, session=talk.number)
        assert (shop.owner, shop.created_at, shop.updated_at) == ("ana", clock.now + 5, clock.now + 5)
        assert (talk.owner, talk.created_at, talk.updated_at) == ("ana", clock.now + 5, clock.now + 5)
        assert (talk.project, talk.project_number) == ("shop", shop.number)
        assert (resolver.created_projects, resolver.created_sessions) == ({shop.number}, {talk.number})
        again = resolver.place(said, None, "talk").memory
        assert again.place == Place("ana", Visibility.PRIVATE, None, shop.number, talk.number)
        alone = resolver.place(said, None, "alone").memory
        assert (alone.project, alone.place.project, alone.session) == (None, None, "alone")
        waits = resolver.place(personal, None, None)
        assert (waits.memory.status, waits.memory.place.visibility) == (Status.PENDING, Visibility.TEAM)
        assert "personal data" in (waits.memory.status_reason or "")
        assert waits.facts == ()
        kept = resolver.place(private, None, None)
        assert (kept.memory.status, kept.memory.status_reason) == (Status.APPROVED, None)
        assert kept.facts == private.facts != ()
        by_agent = PlaceResolver(coder, tx, 0)
        assert by_agent.place(note, "shop", None).memory.place.visibility is Visibility.PROJECT
        assert by_agent.place(note, None, None).memory.place.visibility is Visibility.PRIVATE
        apart = PlaceResolver(replace(coder, sharing="off"), tx, 0)
        assert apart.place(note, "shop", None).memory.place.visibility is Visibility.PRIVATE
        assert apart.created_projects == apart.created_sessions == set()
    assert [
        (event.at, event.actor, event.action, event.subject, event.detail) for event in list_events(ana)
    ] == [
        (clock.now + 5, "user:ana", "create_project", shop.id, {}),
        (clock.now + 5, "user:ana", "create_session", None, {"project": shop.id}),
        (clock.now + 5, "user:ana", "create_session", None, {"project": None}),
    ]
    with store.write() as tx:
        later = PlaceResolver(ana, tx, clock.now + 9)
        assert later.place(note, "shop", "talk").memory == placed
        assert later.created_projects == later.created_sessions == set()
