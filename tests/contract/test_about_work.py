"""The store contract: of what is kept outside of projects, agents in projects get what is about work."""

from __future__ import annotations

import pytest

from holdfast import Memory
from holdfast.api.importing import import_bytes
from holdfast.stores.base.ports import Store
from tests.support import memory_on

WORK = """
    I prefer short commit messages
    Ana prefers tabs over spaces
    I like my functions small and pure
    Never force-push to the main branch
    I always want type annotations in Python
    Prefers pytest to unittest
    No emojis in answers
    I prefer short answers
    Always answer in English
    Answer me in German, please
    Explain things step by step
    Call me Kim
    Please don't ask me before you run the tests
    Use `uv` for everything
    I name things in snake_case, like user_id
    Ich bevorzuge kurze Antworten
    Antworte mir auf Deutsch
    Commit-Nachrichten bitte im Imperativ
    Ich schreibe lieber Funktionen als Klassen
    Keine Kommentare im Quelltext
    Rust over Go for new services
    Please keep replies under five sentences
    Write tests first
    I want you to be concise
    Nutze lieber uv statt pip
"""
PERSONAL = """
    I prefer oat milk
    I like to go to the beach in spring
    I can't stand airports on Mondays
    No meetings before ten
    I am allergic to peanuts
    I prefer window seats
    I like English breakfast with strong coffee
    My favourite film is Jaws
    I love Java, the island
    I prefer to be called on my mobile
    I would rather live in a short street than a long one
    I prefer trains to planes
    We never eat pork
    I like reading crime novels in the bath
    I want to marry Robin
    I am scared of blood tests
    I prefer my steak rare and my words short
    I want to be brave
    Ich trinke am liebsten Hafermilch
    Ich mag keine Pilze
    Ich fahre lieber mit der Bahn
    Ich schlafe gern lange
    Am liebsten lese ich Krimis
"""


def lines(text: str) -> list[str]:
    return [line.strip() for line in text.strip().splitlines()]


def agent_context(memory: Memory) -> set[str]:
    """Returns what an agent in the project gets, which is the same however it asks."""
    listed = {record.text for record in memory.list(project="shop", personal=False, limit=100).memories}
    matches = memory.recall("what do I like and prefer?", project="shop", personal=False, limit=100)
    assert {hit.memory.text for hit in matches} <= listed
    return listed


@pytest.mark.parametrize("kind", ["preference", "constraint"])
def test_agents_in_a_project_get_what_is_about_work(memory: Memory, kind: str) -> None:
    memory.remember("We sell lamps", project="shop")
    for text in (*lines(WORK), *lines(PERSONAL)):
        memory.remember(text, kind=kind)
    assert agent_context(memory) - {"We sell lamps"} == {*lines(WORK)}


def test_a_tag_decides_whatever_the_words(memory: Memory) -> None:
    def keep(text: str, *tags: str, kind: str = "preference") -> str:
        result = memory.remember(text, kind=kind, tags=tags)
        assert result.memory is not None
        return result.memory.id

    keep("I prefer oat milk", "for-agents")
    keep("I prefer short commit messages", "personal")
    keep("My working hours are nine to five", "for-agents", kind="fact")
    keep("I was born in Braga", "for-agents", "personal", kind="fact")
    milk = keep("I prefer rye bread")
    memory.remember("Is oat milk on the list?", kind="message", role="user", tags=["for-agents"])
    assert agent_context(memory) == {"I prefer oat milk", "My working hours are nine to five"}

    memory.revise(milk, tags=["for-agents"])
    assert "I prefer rye bread" in agent_context(memory)
    memory.revise(milk, tags=[])
    assert "I prefer rye bread" not in agent_context(memory)


def test_the_tag_counts_only_if_a_person_set_it(store: Store) -> None:
    ana, agent = memory_on(store), memory_on(store, agent="coder")
    note = b"---\ntags: [for-agents]\n---\n# Lunch\n\nThe soup of the day is red\n"
    assert import_bytes(ana, note, filename="lunch.md").outcomes["created"] == 1
    stored = agent.remember("The soup of tomorrow is green", visibility="private", tags=["for-agents"]).memory
    assert stored is not None
    assert agent_context(ana) == set()
    ana.revise(stored.id, text="The soup of tomorrow is blue")
    assert agent_context(ana) == {"The soup of tomorrow is blue"}


def test_the_answer_says_whether_agents_get_it(memory: Memory) -> None:
    def seen(text: str, **more: object) -> str | None:
        return memory.remember(text, **more).visible_to  # type: ignore[arg-type]

    assert seen("I prefer oat milk", kind="preference") == (
        "only you; agents in projects do not get it, unless it has the tag for-agents"
    )
    assert seen("I prefer short commit messages", kind="preference") == (
        "only you; agents in projects get it, unless it has the tag personal"
    )
    assert seen("The tea is cold") == "only you"
    assert seen("We prefer rye bread", kind="preference", project="shop") == "only you"


def test_what_held_then_is_judged_by_what_it_said_then(memory: Memory) -> None:
    stored = memory.remember("I prefer oat milk", kind="preference", valid_from="2026-01-01").memory
    assert stored is not None
    memory.revise(stored.id, text="I prefer short commit messages", valid_from="2026-02-01")
    (then,) = memory.list(kinds=["preference"], as_of="2026-01-02").memories
    assert then.text == "I prefer oat milk"
    assert not memory.list(project="shop", personal=False, as_of="2026-01-02").memories
    assert agent_context(memory) == {"I prefer short commit messages"}
