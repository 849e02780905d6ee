"""Redacting: one version of a memory is erased from its history, and that there was one stays."""

from __future__ import annotations

from pathlib import Path

import pytest

from holdfast import Conflict, NotFound
from holdfast.api.memory import Memory
from holdfast.stores.base.ports import Store
from tests.support import memory_on

CANARY = "zanzibar"


def remembered(memory: Memory, text: str, **more: object) -> str:
    stored = memory.remember(text, **more).memory  # type: ignore[arg-type]
    assert stored is not None
    return stored.id


def test_a_version_is_erased_and_its_place_in_the_history_stays(memory: Memory) -> None:
    id = remembered(
        memory, f"The boat sails to {CANARY}", title=CANARY, tags=[CANARY], metadata={"to": CANARY},
        kind="fact",
    )  # fmt: skip
    memory.revise(id, text="The boat sails to Lisbon", title="Trip", tags=[], metadata={"to": "Lisbon"})
    memory.revise(id, text="The boat sails to Porto")
    before = memory.history(id)
    memory.redact(id, 1)
    after = memory.history(id)
    assert [one.text for one in after if one.version] == [
        "[redacted]", "The boat sails to Lisbon", "The boat sails to Porto",
    ]  # fmt: skip
    assert [(one.at, one.actor, one.action) for one in after[:3]] == [
        (one.at, one.actor, one.action) for one in before
    ]
    assert (after[0].metadata, after[1].metadata) == ({}, {"to": "Lisbon"})
    assert (after[-1].action, after[-1].detail) == ("redact", {"version": 1})
    assert CANARY not in repr(after)
    assert memory.get(id).version == 3
    assert memory.recall("Where does the boat sail to?")[0].memory.text == "The boat sails to Porto"
    assert memory.audit.verify() > 0
    assert memory.doctor().problems == ()


def test_a_project_with_a_redacted_memory_is_purged(store: Store) -> None:
    memory = memory_on(store)
    id = remembered(memory, f"The boat sails to {CANARY}", project="trips")
    memory.revise(id, text="The boat sails to Lisbon")
    memory.redact(id, 1, project="trips")
    memory.projects.purge("trips")
    assert memory.projects.list() == []
    assert memory.doctor().problems == ()


def test_the_present_version_goes_only_once_the_memory_is_forgotten(memory: Memory) -> None:
    id = remembered(memory, f"The boat sails to {CANARY}")
    with pytest.raises(Conflict) as caught:
        memory.redact(id, 1)
    assert caught.value.code == "version_current"
    with pytest.raises(NotFound):
        memory.redact(id, 2)
    memory.forget(id)
    memory.redact(id, 1)
    assert memory.restore(id).text == "[redacted]"
    assert memory.doctor().problems == ()


@pytest.mark.parametrize("kind", ["fact", "passage", "entity", "observation", "exclusion"])
def test_versions_of_every_nature_can_be_redacted(memory: Memory, kind: str) -> None:
    if kind == "entity":
        id = memory.entities.create(CANARY, "place").memory.id  # type: ignore[union-attr]
        memory.revise(id, title="Lisbon")
    elif kind == "observation":
        memory.entities.create("Lena", "person")
        id = memory.entities.observe("Lena", [f"knows {CANARY}"])[0].memory.id  # type: ignore[union-attr]
        memory.revise(id, text="knows Lisbon")
    else:
        id = remembered(memory, f"My favourite towns are 1) {CANARY} 2) Rome", kind=kind)
        memory.revise(id, text="My favourite towns are 1) Lisbon 2) Rome")
    memory.redact(id, 1)
    assert CANARY not in repr(memory.history(id))
    assert memory.doctor().problems == ()


def test_nobody_redacts_what_is_not_theirs(store: Store) -> None:
    ana, ben = memory_on(store), memory_on(store, user="ben")
    id = remembered(ana, f"The boat sails to {CANARY}")
    ana.revise(id, text="The boat sails to Lisbon")
    with pytest.raises(NotFound):
        ben.redact(id, 1)
    assert CANARY in repr(ana.history(id))


def test_no_byte_of_a_redacted_version_is_left_in_the_files(tmp_path: Path) -> None:
    with Memory(tmp_path / "store.db", user="ana") as memory:
        id = remembered(memory, f"The boat sails to {CANARY}", title=CANARY, metadata={"to": CANARY})
        memory.revise(id, text="The boat sails to Lisbon", title="Trip", metadata={})
        memory.recall(CANARY)
        memory.redact(id, 1)
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert [path.name for path in files if CANARY.encode() in path.read_bytes()] == []
