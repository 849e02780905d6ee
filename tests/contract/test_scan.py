"""Scans: today's rules find what older ones let through, and a person decides what is redacted."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from holdfast import InvalidInput, Refusal
from holdfast.api.importing import import_bytes
from holdfast.api.memory import Memory
from holdfast.core.places import Role
from holdfast.core.scanning import ScanMatch
from holdfast.stores.base.ports import Store
from tests.fakes import ManualClock
from tests.oracle import OracleStore
from tests.support import memory_on, open_store, service_on

TOKEN = "9fK2xQ7vLm3RtZ8pWs4NbY6cHd5J"
BADGE = (("badge", r"EMP-\d{5}"),)
LAX = 8.0
"""An entropy that no token reaches: under it a token of no known form is stored as it is."""


@pytest.fixture
def before(store: Store, clock: ManualClock) -> Memory:
    """The memory as it was under older rules."""
    return Memory.over(replace(service_on(store, clock=clock), secret_entropy=LAX))


@pytest.fixture
def now(store: Store, clock: ManualClock) -> Memory:
    """The same memory under today's."""
    return Memory.over(service_on(store, clock=clock))


def stored(memory: Memory, text: str, **more: Any) -> str:
    kept = memory.remember(text, **more).memory
    assert kept is not None
    return kept.id


def everything(memory: Memory) -> Iterator[ScanMatch]:
    """What all pages of a scan find."""
    cursor = None
    while True:
        page = memory.scan(limit=2, cursor=cursor)
        yield from page.found
        cursor = page.cursor
        if cursor is None:
            return


def test_every_version_and_part_is_looked_at_and_nothing_is_shown(before: Memory, now: Memory) -> None:
    first = stored(before, f"The pump is opened with {TOKEN}", project="shop")
    before.revise(first, text="The pump stands open")
    second = stored(
        before, "The lamp is red", title=f"Lamp {TOKEN}", tags=[TOKEN], metadata={"made by": ["Ana", TOKEN]},
        evidence={"log": TOKEN},
    )  # fmt: skip
    before.forget(stored(before, f"The oar is kept with {TOKEN}"), reason=f"It is kept with {TOKEN}")
    stored(before, "The boat is blue")
    before.add_messages([{"role": "user", "content": f"Remember {TOKEN}, will you?"}], session="talk")
    before.projects.archive("shop")
    found = {one.becomes: one for one in everything(now)}
    assert TOKEN not in repr(found)
    assert len(found) == 4
    old = found["The pump is opened with [REDACTED: high_entropy]"]
    assert (old.id, old.versions, old.parts, old.types, old.project) == (
        first, (1,), ("text",), {"high_entropy": 1}, "shop",
    )  # fmt: skip
    lamp = found["The lamp is red"]
    assert (lamp.id, set(lamp.parts)) == (second, {"title", "tags", "metadata", "evidence"})
    oar = found["The oar is kept with [REDACTED: high_entropy]"]
    assert oar.forgotten
    assert set(oar.parts) == {"text", "deleted_reason"}
    page = now.scan()
    assert (page.memories, page.versions, page.kept, page.cursor) == (5, 6, 0, None)


def test_what_is_accepted_is_cleaned_in_its_place(before: Memory, now: Memory, clock: ManualClock) -> None:
    """Its author, times, state and the rest of it stay, and so does its place in a conversation."""
    before.add_messages(
        [{"role": "user", "content": text, "at": "2026-03-01"} for text in
         (f"My favourite words are 1) {TOKEN} 2) oar", "second", "third")], session="talk",
    )  # fmt: skip
    id = stored(before, f"The pump is opened with {TOKEN}", title="Pump", metadata={"key": TOKEN, "floor": 2})
    before.pin(id)
    clock.now += 60_000
    before.revise(id, tags=["pump"])
    was = before.get(id)
    memories = before.sessions.messages("talk").memories
    results = now.scan_decide([id, memories[0].id])
    assert [result.result for result in results] == ["approved", "approved"]
    assert TOKEN not in repr(results)
    one = now.get(id)
    assert one.text == "The pump is opened with [REDACTED: high_entropy]"
    assert one.metadata == {"key": "[REDACTED: high_entropy]", "floor": 2}
    same = ("version", "title", "tags", "at", "recorded_at", "updated_at", "created_by", "pinned", "status")
    assert [getattr(one, name) for name in same] == [getattr(was, name) for name in same]
    assert one.redactions.count("high_entropy") == 2
    history = now.history(id)
    assert TOKEN not in repr(history)
    assert [step.action for step in history][-2:] == ["clean", "clean"]
    messages = [each.text for each in now.sessions.messages("talk").memories]
    assert messages == ["My favourite words are 1) [REDACTED: high_entropy] 2) oar", "second", "third"]
    assert TOKEN not in repr(now.facts.list())
    assert now.recall("What opens the pump?")[0].memory.id == id
    assert now.scan().found == ()
    assert now.doctor().problems == ()
    assert now.audit.verify() > 0


def test_what_is_refused_is_not_proposed_again(before: Memory, now: Memory, store: Store) -> None:
    id = stored(before, f"The pump is opened with {TOKEN} by EMP-12345")
    (one,) = now.scan_decide(refuse=id)
    assert (one.result, one.memory) == ("rejected", None)
    page = now.scan()
    assert (page.found, page.kept) == ((), 1)
    assert now.get(id).text.count(TOKEN) == 1
    # a rule that came later finds something else in it
    later = Memory.over(replace(service_on(store), pii_patterns=BADGE))
    (found,) = later.scan().found
    assert found.types == {"badge": 1, "high_entropy": 1}


def test_personal_data_counts_where_it_is_described_or_asked_for(now: Memory, store: Store) -> None:
    badge = stored(now, "Lena has badge EMP-12345", metadata={"badge": "EMP-12345"})
    mail = stored(now, "Lena is at lena@harbour.example", metadata={"card": 4111111111111111})
    assert now.scan().found == ()
    (found,) = Memory.over(replace(service_on(store), pii_patterns=BADGE)).scan().found
    assert (found.id, found.becomes) == (badge, "Lena has badge [REDACTED_BADGE]")
    (found,) = now.scan(personal=True).found
    assert (found.id, found.types) == (mail, {"card": 1, "email": 1})
    assert now.scan_decide(mail)[0].code == "nothing_to_change"
    now.scan_decide(mail, personal=True)
    one = now.get(mail)
    assert one.text == "Lena is at [REDACTED_EMAIL]"
    assert one.metadata == {"card": "[REDACTED_CARD]"}


def test_tags_and_lists_are_cleaned_part_by_part(before: Memory, now: Memory, store: Store) -> None:
    """What a part holds beside it stays, and a part without anything does not end the search."""
    lamp = stored(before, "The lamp is red", tags=["lamp", TOKEN], evidence={"log": [TOKEN, "Ana"]})
    badge = stored(
        now, "Lena is on duty", tags=["EMP-12345", "duty"], metadata={"badges": ["EMP-12345", "red"]}
    )
    (found,) = now.scan().found
    assert (found.id, found.types, set(found.parts)) == (lamp, {"high_entropy": 2}, {"tags", "evidence"})
    now.scan_decide(lamp)
    one = now.get(lamp)
    assert one.tags == ("lamp", "[REDACTED: high_entropy]")
    assert one.evidence == {"log": ["[REDACTED: high_entropy]", "Ana"]}
    described = Memory.over(replace(service_on(store), pii_patterns=BADGE))
    (found,) = described.scan().found
    assert (found.id, found.types) == (badge, {"badge": 2})
    described.scan_decide(badge)
    one = now.get(badge)
    assert one.tags == ("[REDACTED_BADGE]", "duty")
    assert one.metadata == {"badges": ["[REDACTED_BADGE]", "red"]}


def test_a_legal_hold_keeps_what_is_found(before: Memory, now: Memory) -> None:
    id = stored(before, f"The pump is opened with {TOKEN}")
    now.retention.hold("court")
    (found,) = now.scan().found
    assert found.held
    (one,) = now.scan_decide(id)
    assert (one.result, one.code) == ("refused", "legal_hold")
    assert TOKEN in now.get(id).text
    now.retention.lift("court")
    now.scan_decide(id)
    assert TOKEN not in now.get(id).text


def test_of_what_is_the_same_without_it_one_stays(before: Memory, now: Memory) -> None:
    """Two memories that differ only in the secret, and one that is nothing else."""
    first = stored(before, f"The pump is opened with {TOKEN}")
    second = stored(before, f"The pump is opened with {TOKEN[::-1]}")
    results = now.scan_decide([first, second])
    assert [result.result for result in results] == ["approved", "approved"]
    listed = [memory.text for memory in now.list().memories]
    assert listed == ["The pump is opened with [REDACTED: high_entropy]"]
    assert now.restore(second).text == "[redacted]"
    assert now.doctor().problems == ()


@pytest.mark.parametrize("kind", ["entity", "observation", "passage", "exclusion"])
def test_memories_of_every_nature_are_cleaned(before: Memory, now: Memory, kind: str) -> None:
    if kind == "entity":
        id = before.entities.create(f"Mark {TOKEN}", "sign").memory.id  # type: ignore[union-attr]
    elif kind == "observation":
        before.entities.create("Lena", "person")
        id = before.entities.observe("Lena", [f"signs with {TOKEN}"])[0].memory.id  # type: ignore[union-attr]
    else:
        id = stored(before, f"The mark is {TOKEN} on the hull", kind=kind, title="Mark")
    assert [one.result for one in now.scan_decide(id)] == ["approved"]
    one = now.get(id)
    assert TOKEN not in repr(one)
    assert "[REDACTED: high_entropy]" in one.text
    assert now.doctor().problems == ()


def test_decisions_do_not_keep_a_memory_from_another_store(before: Memory, now: Memory) -> None:
    """What was kept passes the gate of the other store, which has the rules of today."""
    cleaned = stored(before, f"The pump is opened with {TOKEN}")
    kept = stored(before, f"The lamp is turned with {TOKEN[::-1]}")
    now.scan_decide([cleaned], [kept])
    lines = "\n".join(now.export())
    other = memory_on(OracleStore())
    report = import_bytes(other, lines.encode(), filename="out.jsonl", vouched=True)
    assert report.as_dict()["outcomes"].get("refused", 0) == 0
    assert TOKEN not in repr(other.list().memories)
    assert other.get(cleaned).text == now.get(cleaned).text
    assert [step.action for step in other.history(cleaned)] == ["remember", "clean"]
    assert other.get(kept).text == "The lamp is turned with [REDACTED: high_entropy]"


def test_nobody_decides_for_others(before: Memory, now: Memory, store: Store) -> None:
    id = stored(before, f"The pump is opened with {TOKEN}", visibility="team")
    ben = memory_on(store, user="ben", role=Role.ADMIN)
    assert ben.scan().memories == 0
    assert ben.scan_decide(id)[0].code == "memory_not_found"
    agent = memory_on(store, agent="helper")
    assert len(agent.scan().found) == 1
    with pytest.raises(Refusal) as refused:
        agent.scan_decide(id)
    assert refused.value.code == "person_needed"
    for wrong in ({"cursor": "x"}, {"limit": 0}, {"personal": 1}):
        with pytest.raises(InvalidInput):
            now.scan(**wrong)
    with pytest.raises(InvalidInput):
        now.scan_decide()


def test_no_byte_of_it_is_left_in_the_files(tmp_path: Path) -> None:
    store = open_store("sqlite", tmp_path)
    before = Memory.over(replace(service_on(store), secret_entropy=LAX))
    id = stored(before, f"The pump is opened with {TOKEN}", title=TOKEN, metadata={"key": TOKEN})
    before.recall(TOKEN)
    before.revise(id, text=f"The pump is shut with {TOKEN}")
    Memory.over(service_on(store)).scan_decide(id)
    store.close()
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert [path.name for path in files if TOKEN.encode() in path.read_bytes()] == []
