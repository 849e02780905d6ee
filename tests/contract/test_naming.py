"""What names a memory: its id, a short form of it, or an external id with its place."""

from __future__ import annotations

from typing import Any

import pytest

from holdfast import InvalidInput, Memory, NotFound
from holdfast.core.ids import short_id
from holdfast.stores.base.ports import Store
from tests.support import memory_on


def keyed(memory: Memory, text: str, **options: object) -> str:
    stored = memory.remember(text, **{"external_id": "k1", **options}).memory  # type: ignore[arg-type]
    assert stored is not None
    return stored.id


def test_an_external_id_names_a_memory_in_each_operation(memory: Memory) -> None:
    id = keyed(memory, "Backups run at night")
    assert memory.get("k1").id == id
    assert memory.revise("k1", text="Backups run at noon").memory.version == 2  # type: ignore[union-attr]
    assert [change.version for change in memory.history("k1") if change.text] == [1, 2]
    assert memory.pin("k1").pinned
    memory.forget("k1")
    with pytest.raises(NotFound):
        memory.get("k1")
    assert memory.restore("k1").id == id
    memory.forget("k1", hard=True)
    assert memory.count(project="*") == 0


def test_an_external_id_in_several_places_is_named_with_one(memory: Memory) -> None:
    places: tuple[dict[str, Any], ...] = (
        {"scope": ("file", "a.xlsx")}, {"scope": ("file", "b.xlsx")}, {"branch": "topic"},
        {"kind": "decision"}, {"project": "shop"}, {"workspace": "home"}, {"visibility": "team"},
    )  # fmt: skip
    ids = [keyed(memory, f"Cell number {number}", **place) for number, place in enumerate(places)]
    for id, place in zip(ids, places, strict=True):
        where = {name if name != "kind" else "kinds": value for name, value in place.items()}
        assert memory.get("k1", **where).id == id
        assert memory.resolve_id("k1", **where) == id
    with pytest.raises(InvalidInput, match=short_id(ids[0])) as error:
        memory.get("k1")
    assert error.value.code == "id_ambiguous"
    memory.forget("k1", scope=("file", "b.xlsx"))
    assert memory.restore("k1", scope=("file", "b.xlsx")).id == ids[1]
    with pytest.raises(NotFound):
        memory.get("k1", project="barn")


def test_ids_are_listed_for_a_name_that_looks_like_a_login(memory: Memory) -> None:
    for name in ("login", "password", "token"):
        ids = [
            keyed(memory, f"Rule of {name} in {kind}", external_id=name, kind=kind)
            for kind in ("note", "decision")
        ]
        with pytest.raises(InvalidInput, match=short_id(ids[0])) as error:
            memory.get(name)
        assert "REDACTED" not in str(error.value)


def test_ids_are_listed_whatever_their_letters_and_digits_are(memory: Memory) -> None:
    for number in range(40):
        name = f"k{number}"
        ids = [
            keyed(memory, f"Boat {number} is a {kind}", external_id=name, kind=kind, project="shop")
            for kind in ("note", "decision")
        ]
        with pytest.raises(InvalidInput) as by_name:
            memory.get(name)
        assert all(short_id(id) in by_name.value.message for id in ids)
        if ids[0][:8] == ids[1][:8]:  # stored in the same minute
            with pytest.raises(InvalidInput) as by_start:
                memory.get(ids[0][:8])
            assert by_start.value.code == "id_ambiguous"
            assert "REDACTED" not in by_start.value.message


def test_a_short_id_names_a_memory_everywhere(memory: Memory) -> None:
    kept = [memory.remember(f"Boat number {number} is red").memory for number in range(30)]
    ids = [one.id for one in kept if one is not None]
    assert len({short_id(id)[:6] for id in ids}) == len(ids)
    for id in ids[:3]:
        assert memory.get(short_id(id)).id == memory.get(short_id(id).upper()).id == id
    name = short_id(ids[0])
    assert memory.pin(name).id == ids[0]
    memory.review.reject(name)
    memory.review.approve(name)
    memory.forget(name)
    assert memory.restore(name).id == ids[0]
    for start in ("", "zz", "@1"):
        with pytest.raises(NotFound):
            memory.get(start)
    with pytest.raises(InvalidInput, match="several memories"):
        memory.get(ids[0][:8])  # ids begin with their time


def test_names_find_nothing_of_others(store: Store) -> None:
    ana, ben = memory_on(store), memory_on(store, user="ben")
    id = keyed(ben, "The till is stuck")
    for name in (id, short_id(id), "k1"):
        with pytest.raises(NotFound):
            ana.get(name)
    own = keyed(ana, "The till is fine", visibility="team")
    assert keyed(ben, "The till is fine", visibility="team") != own
    assert ana.get("k1").id == own  # one's own first
