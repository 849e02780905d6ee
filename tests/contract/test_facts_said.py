"""The store contract, facts by whatever way they are said: episodes, knowledge, agents, imports (S1.23)."""

from __future__ import annotations

from typing import Any

import pytest

from holdfast import Memory
from holdfast.stores.base.ports import Store
from tests.support import memory_on

COLORS = "My favorite colors are 1) Blue, 2) Green"


def values(memory: Memory, topic: str = "colors", **place: Any) -> list[str]:
    return [fact.value for fact in memory.facts.list(topic, **place)]


def test_the_users_part_of_an_episode_states_facts_and_the_answer_none(memory: Memory) -> None:
    memory.add_episode(COLORS, "My favorite bands are 1) Can, 2) Low", session="chat")
    assert values(memory, session="chat") == ["Blue", "Green"]
    assert values(memory, "bands", session="chat") == []
    memory.add_episode("hello", COLORS, session="other")
    assert values(memory, session="other") == []


@pytest.mark.parametrize("kind", ["preference", "profile", "fact", "note"])
def test_knowledge_states_facts(memory: Memory, kind: str) -> None:
    kept = memory.remember("My favourite hiking boots are Lowa and Meindl.", kind=kind).memory
    assert kept is not None
    assert values(memory, "hiking boots") == ["Lowa", "Meindl"]
    assert memory.facts.list("hiking boots")[0].message == kept.id
    assert "**Meindl**" in memory.ask("what is my second favourite hiking boot?").text
    memory.forget(kept.id)
    assert values(memory, "hiking boots") == []


def test_what_an_agent_notes_of_the_user_is_a_fact_of_the_user(store: Store) -> None:
    agent, person = memory_on(store, agent="coder"), memory_on(store)
    agent.remember("The user's favorite editor is Helix", kind="preference", visibility="private")
    (fact,) = person.facts.list("editor")
    assert (fact.value, fact.by, fact.origin) == ("Helix", "agent:coder@ana", "agent")


@pytest.mark.parametrize("origin", ["web", "tool", "file"])
def test_what_nobody_said_states_nothing(memory: Memory, origin: str) -> None:
    memory.remember(COLORS, kind="preference", origin=origin)
    assert memory.facts.list() == ()
