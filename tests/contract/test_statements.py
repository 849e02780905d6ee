"""The store contract, statements of facts by calls: events with their own provenance, no messages (S1.11)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from holdfast import InvalidInput, Memory
from holdfast.api.importing import import_bytes
from holdfast.core.facts import Fact
from holdfast.core.places import Role
from holdfast.stores.base.ports import Store
from tests.support import memory_on

PLACE: dict[str, Any] = {"session": "chat", "project": "p"}


def values(memory: Memory, topic: str = "colors", **place: Any) -> list[str]:
    return [fact.value for fact in memory.facts.list(topic, **(place or PLACE)) if fact.rank]


def edit_all(memory: Memory) -> None:
    """Makes every edit that there is."""
    memory.facts.set("colors", "Teal", **PLACE)
    memory.facts.replace("colors", ["Red", "Green", "Blue"], **PLACE)
    memory.facts.set("colors", "Ochre", 2, **PLACE)
    memory.facts.add("colors", ["Tan"], **PLACE)
    memory.facts.move("colors", "Tan", 1, **PLACE)
    memory.facts.remove("colors", "Blue", **PLACE)


def test_s1_11_no_edit_makes_a_message_or_anything_that_recall_finds(memory: Memory) -> None:
    memory.add_messages([{"role": "user", "content": "The shop paints its door"}], **PLACE)
    edit_all(memory)
    assert values(memory) == ["Tan", "Red", "Ochre"]
    assert [record.text for record in memory.sessions.messages("chat").memories] == [
        "The shop paints its door"
    ]
    assert memory.sessions.get("chat").message_count == 1
    for mode in ("hybrid", "words"):
        hits = memory.recall("my favorite colors: Tan, Red, Ochre", mode=mode, project="p", limit=20)
        assert {hit.memory.kind for hit in hits} <= {"message"}
    assert "Ochre" not in memory.context("paint it in my favorite color Ochre", project="p").text


def test_a_statement_is_told_with_who_made_it_how_and_when(store: Store) -> None:
    person, agent = memory_on(store), memory_on(store, agent="coder")
    person.facts.set("colors", "Teal", 1, at="2026-03-01", **PLACE)
    agent.facts.add("colors", ["Red"], at="2026-03-02", **PLACE)
    teal, red = person.facts.list("colors", **PLACE)
    assert (teal.by, teal.origin, teal.message) == ("user:ana", "user", None)
    assert (red.by, red.origin, red.message) == ("agent:coder@ana", "agent", None)
    record = person.get(teal.statement or "")
    assert (record.kind, record.role, record.metadata) == ("statement", None, {"via": "library"})
    assert record.created_by == "user:ana"
    (first, second) = person.facts.history("colors", **PLACE)
    assert (first.statement, second.statement) == (teal.statement, red.statement)
    assert (first.by, second.by) == ("user:ana", "agent:coder@ana")
    assert {teal.statement, red.statement} <= {event.subject for event in person.audit.list()}
    assert [change.action for change in person.history(teal.statement or "")] == ["remember"]


def test_a_fact_that_was_said_points_to_the_message(memory: Memory) -> None:
    (message,) = memory.add_messages([{"role": "user", "content": "My favorite color is Teal"}], **PLACE)
    (fact,) = memory.facts.list("colors", **PLACE)
    assert message.memory is not None
    assert (fact.message, fact.statement) == (message.memory.id, None)


def test_no_edit_touches_the_message_whose_external_id_it_names(memory: Memory) -> None:
    """Each value of one message may be stored by a call of its own, as the seed's client does (S1.19)."""
    memory.add_messages([{"role": "user", "content": "dentist on Friday", "id": "m1"}], **PLACE)
    for rank, value in enumerate(("Red", "Green", "Blue"), 1):
        memory.facts.set("colors", value, rank, external_id="m1", **PLACE)
    assert values(memory) == ["Red", "Green", "Blue"]
    assert [record.text for record in memory.sessions.messages("chat").memories] == ["dentist on Friday"]
    changes = len(memory.facts.history("colors", **PLACE))
    memory.facts.set("colors", "Green", 2, external_id="m1", **PLACE)
    assert len(memory.facts.history("colors", **PLACE)) == changes
    memory.facts.set("colors", "Pink", 2, external_id="m1", **PLACE)
    assert values(memory) == ["Red", "Pink", "Blue"]


def test_statements_go_with_their_session_and_are_erased_with_it(memory: Memory) -> None:
    edit_all(memory)
    memory.sessions.move("chat", project="q")
    assert values(memory, project="q") == ["Tan", "Red", "Ochre"]
    assert values(memory, project="p") == []
    memory.sessions.delete("chat")
    assert memory.facts.list(project="q") == ()


def test_a_forgotten_statement_is_taken_back(memory: Memory) -> None:
    memory.facts.replace("colors", ["Red", "Green"], **PLACE)
    edit = memory.facts.set("colors", "Blue", 1, **PLACE)
    assert values(memory) == ["Blue", "Green"]
    memory.forget(edit.facts[0].memory)
    assert values(memory) == ["Red", "Green"]
    memory.restore(edit.facts[0].memory)
    assert values(memory) == ["Blue", "Green"]


def test_statements_are_exported_and_imported_with_their_provenance(memory: Memory, tmp_path: Path) -> None:
    edit_all(memory)
    before = [_plain(fact) for fact in memory.facts.list("colors", **PLACE)]
    lines = "".join(memory.export()).encode()
    with Memory(tmp_path / "other.db", user="ana") as other:
        import_bytes(other, lines, filename="all.jsonl", vouched=True)
        assert [_plain(fact) for fact in other.facts.list("colors", **PLACE)] == before
        assert other.sessions.messages("chat").memories == []
        assert other.doctor().problems == ()


def _plain(fact: Fact) -> tuple[object, ...]:
    return fact.value, fact.rank, fact.message, fact.at


def test_clear_empties_a_topic_and_only_that(memory: Memory) -> None:
    memory.facts.replace("hiking boots", ["Lowa", "Meindl"], **PLACE)
    memory.facts.replace("colors", ["Red"], **PLACE)
    edit = memory.facts.clear("hiking boot", **PLACE)
    assert edit.facts == ()
    assert [fact.topic for fact in memory.facts.list(**PLACE)] == ["favorite_colors"]
    assert memory.ask("what is my favorite hiking boot?", session="chat").fact_not_found
    assert [change.act for change in memory.facts.history("hiking boots", **PLACE)][-2:] == ["drop", "drop"]


def test_a_position_is_removed_and_moved(memory: Memory) -> None:
    memory.facts.replace("teas", ["Sencha", "Assam", "Rooibos"], **PLACE)
    memory.facts.remove("teas", "#2", **PLACE)
    assert values(memory, "teas") == ["Sencha", "Rooibos"]
    memory.facts.move("teas", "#2", 1, **PLACE)
    assert values(memory, "teas") == ["Rooibos", "Sencha"]
    assert memory.facts.remove("teas", "#7", **PLACE).notes == ("#7 is not in the list",)


def test_what_is_disliked_is_a_list_of_its_own(memory: Memory) -> None:
    memory.facts.replace("colors", ["Red"], **PLACE)
    memory.facts.replace("disliked colors", ["Brown", "Mud"], **PLACE)
    assert values(memory) == ["Red"]
    assert values(memory, "disliked colors") == values(memory, "least favorite colors") == ["Brown", "Mud"]


def test_no_text_but_the_notation_is_a_statement(memory: Memory) -> None:
    with pytest.raises(InvalidInput) as refused:
        memory.remember("My favorite color is blue", kind="statement", **PLACE)
    assert refused.value.code == "fact_unclear"


def test_machines_state_facts_as_themselves_and_take_nothing_from_people(store: Store) -> None:
    service = memory_on(store, role=Role.SERVICE)
    service.facts.set("colors", "Red", 1, **PLACE)
    (fact,) = memory_on(store).facts.list("colors", **PLACE)
    assert fact.value == "Red"
