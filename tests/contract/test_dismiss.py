"""The store contract, dismissing beliefs: what is not true is not believed again, and what was said stays."""

from __future__ import annotations

import pytest

from holdfast import HoldfastError, Memory
from holdfast.core.claims import Belief
from holdfast.core.places import Principal, Role
from holdfast.features.access.access import Grant
from holdfast.features.access.keys import service_for
from holdfast.stores.base.ports import Store
from tests.support import memory_on

SAID = {"role": "user", "content": "My sister is Britta. I live in Porto and I have a boat.", "id": "m1"}


def believed(memory: Memory) -> dict[str, Belief]:
    return {belief.text: belief for belief in memory.about().beliefs}


def test_what_is_dismissed_comes_back_by_undo_alone(store: Store) -> None:
    """Not when the same is imported or said again; the message stays, with all else that it says."""
    memory = memory_on(store)
    (message,) = memory.add_messages([SAID], session="s")
    assert message.memory is not None
    before = believed(memory)
    dismissed = memory.dismiss(message.memory.id, was="Has a boat").memory
    assert dismissed is not None
    assert (dismissed.kind, dismissed.text) == ("exclusion", "Not believed: Has a boat")
    left = before.keys() - {"Has a boat"}
    assert believed(memory).keys() == left
    assert memory.get(message.memory.id).text == SAID["content"]
    assert memory.recall("who has a boat?", session="s")[0].memory.id == message.memory.id
    memory.add_messages([SAID, {"role": "user", "content": "I have a boat.", "id": "m2"}], session="s")
    assert believed(memory).keys() == left
    assert memory.remember("My boat is red").memory is not None, "it is no rule of what is remembered"
    assert memory_on(store, user="ben").about().beliefs == ()
    memory.forget(dismissed.id)
    assert "Has a boat" in believed(memory)


def test_only_what_was_read_is_dismissed_and_by_a_person(store: Store) -> None:
    memory = memory_on(store)
    (message,) = memory.add_messages([SAID], session="s")
    own = memory.remember("Ana climbs on Sundays", kind="profile").memory
    assert message.memory is not None
    assert own is not None
    for id, options in ((message.memory.id, {}), (own.id, {}), (message.memory.id, {"was": "Has a car"})):
        with pytest.raises(HoldfastError):
            memory.dismiss(id, **options)
    agent = memory_on(store, agent="coder")
    assert agent.dismiss(message.memory.id, was="Has a boat").outcome == "pending"
    assert "Has a boat" in believed(memory)
    assert memory.dismiss(message.memory.id, was="Has a boat").memory is not None
    assert "Has a boat" not in believed(memory), "a person who says the same approves it"


def test_what_is_dismissed_is_so_for_a_credential_of_a_project_too(store: Store) -> None:
    memory = memory_on(store)
    (message,) = memory.add_messages([SAID], session="s", project="p")
    assert message.memory is not None
    limited = Grant(Principal("ana", Role.MEMBER), projects=frozenset({"p"}), credential="key:1")
    fenced = Memory.over(service_for(memory._service, limited))
    before = {belief.text for belief in fenced.about(project="p").beliefs}
    memory.dismiss(message.memory.id, was="Has a boat", project="p")
    assert before - {belief.text for belief in fenced.about(project="p").beliefs} == {"Has a boat"}
