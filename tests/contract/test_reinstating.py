"""What another memory replaced is made current again by a person, whether or not that one is forgotten."""

from __future__ import annotations

from typing import Any

import pytest

from holdfast import HoldfastError, Memory
from holdfast.core.errors import Conflict, Refusal
from holdfast.stores.base.ports import Store
from tests.support import memory_on

OLD, NEW = "The gate opens at nine", "The gate opens at ten"


def replaced(memory: Memory, **options: Any) -> tuple[str, str]:
    """The ids of a memory and of the one that replaced it."""
    old = memory.remember(OLD, project="shop", visibility="private", **options).memory
    assert old is not None
    new = memory.remember(NEW, project="shop", visibility="private", supersedes=old.id).memory
    assert new is not None
    return old.id, new.id


@pytest.mark.parametrize("hard", [False, True])
def test_what_a_forgotten_memory_replaced_is_restored(memory: Memory, hard: bool) -> None:
    old, new = replaced(memory)
    memory.forget(new, hard=hard)
    assert memory.list(project="shop").memories == []
    back = memory.restore(old)
    assert (back.text, back.status, back.superseded_by, back.valid_until) == (OLD, "approved", None, None)
    assert [record.id for record in memory.list(project="shop").memories] == [old]
    assert [hit.memory.id for hit in memory.recall("when does the gate open?", project="shop").items] == [old]
    last = memory.history(old)[-1]
    assert (last.action, last.actor) == ("restore", "user:ana")
    assert last.detail["was"] == "superseded"
    memory.audit.verify()


def test_it_holds_as_long_as_it_did_before(memory: Memory) -> None:
    old, new = replaced(memory, valid_until="2099-01-01T00:00:00Z")
    assert memory.get(old).valid_until != 4_070_908_800_000
    memory.forget(new)
    assert memory.restore(old).valid_until == 4_070_908_800_000


def test_both_hold_if_the_replacement_stays(memory: Memory) -> None:
    old, new = replaced(memory)
    memory.restore(old)
    assert {record.id for record in memory.list(project="shop").memories} == {old, new}
    with pytest.raises(Conflict) as error:
        memory.restore(old)
    assert error.value.code == "not_deleted"


def test_what_was_stored_again_meanwhile_is_not_there_twice(memory: Memory) -> None:
    old, new = replaced(memory)
    memory.forget(new)
    memory.remember(OLD, project="shop", visibility="private")
    with pytest.raises(Conflict) as error:
        memory.restore(old)
    assert error.value.code == "duplicate_text"


def test_only_who_may_decide_about_it_makes_it_current(store: Store) -> None:
    old, _ = replaced(memory_on(store))
    with pytest.raises(Refusal) as error:
        memory_on(store, agent="coder").restore(old)
    assert error.value.code == "review_by_person"
    with pytest.raises(HoldfastError):
        memory_on(store, user="ben").restore(old)
