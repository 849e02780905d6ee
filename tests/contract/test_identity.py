"""What makes two texts one memory: the whole place of an external id, and nothing that others keep."""

from __future__ import annotations

from typing import Any

import pytest

from holdfast import Conflict, Memory, NotFound
from holdfast.api.importing import import_bytes
from holdfast.core.kinds import KINDS
from holdfast.core.places import Principal, Role
from holdfast.features.access.access import Grant
from holdfast.features.access.keys import service_for
from holdfast.stores.base.ports import Store
from tests.support import memory_on

APART: list[tuple[dict[str, Any], dict[str, Any]]] = [
    ({"scope": ("file", "a.xlsx")}, {"scope": ("file", "b.xlsx")}),
    ({"scope": ("file", "a")}, {"scope": ("paper", "a")}),
    ({}, {"scope": ("file", "a")}),
    ({"branch": "main"}, {"branch": "topic"}),
    ({}, {"branch": "topic"}),
    ({"kind": "fact"}, {"kind": "decision"}),
    ({"kind": "message", "session": "s"}, {"kind": "message", "session": "t"}),
    ({"kind": "message", "session": "s"}, {"kind": "episode", "session": "s"}),
    ({"kind": "message", "session": "s"}, {"kind": "message", "session": "s", "branch": "topic"}),
    ({"session": "s"}, {"session": "t"}),
    ({"project": "shop"}, {"project": "barn"}),
    ({"workspace": "home"}, {"workspace": "work"}),
    ({"visibility": "private"}, {"visibility": "team"}),
]


@pytest.mark.parametrize(("one", "other"), APART)
def test_the_same_external_id_elsewhere_is_another_memory(
    memory: Memory, one: dict[str, Any], other: dict[str, Any]
) -> None:
    first = memory.remember("The sum of all boats is 41", external_id="A1", **one).memory
    second = memory.remember("Nobody sails on Sundays", external_id="A1", **other)
    assert second.outcome == "created"
    assert second.memory is not None
    assert first is not None
    assert memory.get(first.id).text == "The sum of all boats is 41"
    again = memory.remember("Nobody sails on Mondays", external_id="A1", **other)
    assert (again.outcome, again.memory and again.memory.id) == ("superseded", second.memory.id)
    assert memory.get(first.id).version == 1


@pytest.mark.parametrize("kind", [name for name, kind in KINDS.items() if kind.is_derived])
def test_summaries_of_two_things_with_one_text_are_two_memories(memory: Memory, kind: str) -> None:
    ids = ("table-1", "table-2")
    kept = [memory.remember("It holds the orders", kind=kind, external_id=id) for id in ids]
    assert [one.outcome for one in kept] == ["created", "created"]
    assert len(memory.list(kinds=[kind]).memories) == 2
    like = memory.remember("It holds the orders.", kind=kind, external_id="table-3")
    assert like.outcome == "created"
    assert memory.remember("It holds the orders", kind=kind, external_id="table-2").outcome == "duplicate"


def test_own_keys_with_one_text_are_two_memories_and_a_text_without_a_key_is_known(memory: Memory) -> None:
    kept = [memory.remember("Backups run at night", external_id=id) for id in ("k1", "k2")]
    assert [one.outcome for one in kept] == ["created", "created"]
    assert memory.remember("Backups run at night").outcome == "duplicate"
    assert memory.remember("Backups run at night", external_id="k1").outcome == "duplicate"


def test_knowledge_keeps_its_external_id_when_its_session_is_deleted(memory: Memory) -> None:
    stored = memory.remember("Backups run at night", external_id="k1", session="s").memory
    free = memory.remember("The cellar is damp", external_id="k1").memory
    alone = memory.remember("The roof is new", external_id="k2", session="s").memory
    assert stored is not None
    assert free is not None
    assert alone is not None
    memory.sessions.delete("s")
    assert memory.get(stored.id).external_id is None  # the id names another memory there
    assert memory.remember("The roof is old", external_id="k2").memory.id == alone.id  # type: ignore[union-attr]
    assert memory.remember("The cellar is dry", external_id="k1").memory.id == free.id  # type: ignore[union-attr]
    assert memory.doctor().problems == ()


@pytest.mark.parametrize("change", ["pending", "rejected", "forgotten", "private", "approved"])
def test_what_a_member_keeps_is_theirs_whatever_others_keep(store: Store, change: str) -> None:
    ben, ana = memory_on(store, user="ben"), memory_on(store)
    options: dict[str, Any] = {"visibility": "private" if change == "private" else "team", "external_id": "x"}
    if change == "pending":
        options["confidence"] = 0.2
    theirs = ben.remember("Deploys happen on Fridays", **options).memory
    assert theirs is not None
    if change == "rejected":
        ben.review.reject(theirs.id)
    if change == "forgotten":
        ben.forget(theirs.id)
    mine = ana.remember("Deploys happen on Fridays", visibility="team", external_id="x")
    assert mine.outcome == "created"
    assert mine.memory is not None
    if change == "approved":
        ben.forget(theirs.id, hard=True)
    assert mine.memory.id in [hit.memory.id for hit in ana.recall("when do deploys happen").items]


# a credential that is limited to projects


def limited(store: Store, user: str = "ana", role: Role = Role.MEMBER) -> Memory:
    grant = Grant(Principal(user, role), projects=frozenset({"shop"}))
    return Memory.over(service_for(memory_on(store, user=user)._service, grant))


@pytest.mark.parametrize("elsewhere", [False, True])
def test_a_limited_credential_gets_the_same_session_whatever_is_elsewhere(
    store: Store, elsewhere: bool
) -> None:
    ana = memory_on(store)
    ana.projects.create("shop")
    if elsewhere:
        ana.add_messages([{"role": "user", "content": "A secret boat"}], session="s", project="barn")
    narrow = limited(store)
    session = narrow.sessions.create("s", project="shop")
    assert (session.external_id, session.project) == ("s", "shop")
    narrow.add_messages([{"role": "user", "content": "The till is stuck"}], session="s", project="shop")
    assert [memory.text for memory in narrow.sessions.messages("s").memories] == ["The till is stuck"]
    assert narrow.sessions.get("s").project == "shop"
    if elsewhere:
        assert ana.sessions.get("s").project == "barn"
        assert [memory.text for memory in ana.sessions.messages("s").memories] == ["A secret boat"]


@pytest.mark.parametrize("elsewhere", [False, True])
def test_a_limited_credential_imports_the_same_whatever_is_elsewhere(store: Store, elsewhere: bool) -> None:
    ana, ben = memory_on(store), memory_on(store, user="ben")
    for memory in (ana, ben):
        memory.projects.create("shop")
    note = ana.remember("The till is stuck", project="barn").memory
    assert note is not None
    lines = "".join(ana.export()).replace('"barn"', '"shop"')
    if not elsewhere:
        ana.forget(note.id, hard=True)
    narrow = limited(store, role=Role.OWNER)
    first = import_bytes(narrow, lines.encode(), filename="a.jsonl").outcomes
    again = import_bytes(narrow, lines.encode(), filename="a.jsonl").outcomes
    assert (first["created"], first["refused"], again["created"]) == (1, 0, 0)
    stored = narrow.list(project="shop").memories
    assert [one.text for one in stored] == ["The till is stuck"]
    assert stored[0].id != note.id  # never the one of the export, so that it tells nothing


def test_an_import_does_not_tell_that_somebody_else_has_an_id(store: Store) -> None:
    ana, ben = memory_on(store), memory_on(store, user="ben")
    note = ben.remember("The till is stuck").memory
    assert note is not None
    lines = "".join(ben.export()).replace('"ben"', '"ana"')
    assert import_bytes(ana, lines.encode(), filename="a.jsonl").outcomes["created"] == 1
    assert import_bytes(ana, lines.encode(), filename="a.jsonl").outcomes == {"duplicate": 1}
    assert [memory.text for memory in ana.list().memories] == ["The till is stuck"]
    assert ana.list().memories[0].id != note.id


def test_s0_19_what_the_target_has_already_is_told_and_nothing_is_moved(memory: Memory) -> None:
    for project, name in (("one", "Ada"), ("one", "Boat"), ("two", "Ada")):
        memory.entities.create(name, type="person", project=project)
    memory.entities.observe("Ada", ["sings"], project="one")
    with pytest.raises(Conflict, match="Ada") as error:
        memory.projects.retag("one", "two")
    assert error.value.code == "duplicate_text"
    assert [entity.memory.title for entity in memory.entities.list(project="one").entities] == ["Boat", "Ada"]
    memory.forget(memory.entities.get("Ada", project="two").memory.id)
    assert memory.projects.retag("one", "two") == 2


def test_a_text_is_stored_only_if_its_external_id_is_free(memory: Memory) -> None:
    first = memory.remember("The boat is red", external_id="boat", if_absent=True).memory
    assert first is not None
    with pytest.raises(Conflict) as caught:
        memory.remember("The boat is blue", external_id="boat", if_absent=True)
    assert caught.value.code == "external_id_taken"
    assert memory.get(first.id).version == 1
    memory.forget(first.id)
    assert memory.remember("The boat is blue", external_id="boat", if_absent=True).memory is not None


def test_a_revision_gives_a_memory_another_external_id(memory: Memory) -> None:
    boat = memory.remember("The boat is red", kind="passage", external_id="boat").memory
    car = memory.remember("The car is red", kind="passage", external_id="car").memory
    assert boat is not None
    assert car is not None
    with pytest.raises(Conflict) as caught:
        memory.revise(boat.id, external_id="car")
    assert caught.value.code == "external_id_taken"
    moved = memory.revise(boat.id, external_id="ship").memory
    assert moved is not None
    assert (moved.id, moved.version, moved.external_id) == (boat.id, 2, "ship")
    assert memory.get("ship", kinds="passage").id == boat.id
    other = memory.remember("The boat is new", kind="passage", external_id="boat", if_absent=True).memory
    assert other is not None
    assert other.id != boat.id
    assert memory.doctor().problems == ()


def test_only_the_version_that_was_read_is_pinned_or_forgotten(memory: Memory) -> None:
    boat = memory.remember("The boat is red").memory
    assert boat is not None
    memory.revise(boat.id, text="The boat is blue")
    for hard in (False, True):
        with pytest.raises(Conflict) as caught:
            memory.forget(boat.id, hard=hard, if_version=1)
        assert caught.value.code == "version_mismatch"
    with pytest.raises(Conflict) as caught:
        memory.pin(boat.id, if_version=1)
    assert caught.value.code == "version_mismatch"
    assert memory.pin(boat.id, False, if_version=2) == memory.get(boat.id)
    memory.forget(boat.id, if_version=2)
    with pytest.raises(NotFound):
        memory.history(boat.id)
    steps = memory.history(boat.id, deleted=True)
    assert [(step.action, step.text) for step in steps] == [
        ("remember", "The boat is red"), ("revise", "The boat is blue"), ("forget", None),
    ]  # fmt: skip
