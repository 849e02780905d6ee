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
    stored = memory.remember("My favourite hiking boots are Lowa and Meindl.", kind=kind).memory
    assert stored is not None
    assert values(memory, "hiking boots") == ["Lowa", "Meindl"]
    assert memory.facts.list("hiking boots")[0].message == stored.id
    assert "**Meindl**" in memory.ask("what is my second favourite hiking boot?").text
    memory.forget(stored.id)
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


STATED = [
    ("My favourite ranges are the Alps, the Andes and the Tatras.", "ranges", ["Alps", "Andes", "Tatras"]),
    ("Meine liebsten Monate sind der Mai und der September.", "Monate", ["Mai", "September"]),
    ("My favourite novels are Pride and Prejudice, War and Peace, and Dracula", "novels",
     ["Pride and Prejudice", "War and Peace", "Dracula"]),
    ("My favourite band is Florence and the Machine.", "band", ["Florence and the Machine"]),
    ("Meine Lieblingsblume ist die Nelke, denn sie duftet.", "Blume", ["Nelke"]),
    ("My favourite bird is the wren - tiny but loud.", "bird", ["wren"]),
    ("My favourite kinds of bread are rye and spelt.", "breads", ["rye", "spelt"]),
    ("Meine liebsten Arten von Tee sind Oolong und Assam.", "Tee", ["Oolong", "Assam"]),
    ("Lieblingsbiere: 🥇 Augustiner 🥈 Jever 🥉 Rothaus", "Bier", ["Augustiner", "Jever", "Rothaus"]),
    ("My favourite areas: gold: Ith, silver: Frankenjura", "areas", ["Ith", "Frankenjura"]),
    ("Mein Lieblingsberg ist der Watzmann, auf Platz 2 die Zugspitze.", "Berg", ["Watzmann", "Zugspitze"]),
    ("Favourite airports:\n1. Changi - best food\n2. Haneda - so clean", "airports", ["Changi", "Haneda"]),
    ("Favourite rivers:\n- Elbe [wide]\n- Rhine [long]\n- Inn (blue)", "rivers", ["Elbe", "Rhine", "Inn"]),
    ("Favourite rivers: 1) [REDACTED: token] 2) <b>Rhine</b> 3) <i>Inn</i>", "rivers", ["Rhine", "Inn"]),
    ("Favourite authors: Le Guin, Ursula; Borges, Jorge; and Calvino", "authors",
     ["Le Guin, Ursula", "Borges, Jorge", "Calvino"]),
    ("Favourites by category. Shoes: Vans, Puma. Watches: Casio, Seiko.", "watches", ["Casio", "Seiko"]),
    ("I love hiking, and my favourite trails are the GR20 and the E5.", "trails", ["GR20", "E5"]),
    ("My wife's favourite wine is Riesling and mine is Barolo.", "wine", ["Barolo"]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "topic", "stated"), STATED)
def test_values_are_the_things_that_are_named(
    memory: Memory, text: str, topic: str, stated: list[str]
) -> None:
    memory.add_messages([{"role": "user", "content": text}], session="chat")
    assert values(memory, topic, session="chat") == stated


@pytest.mark.parametrize(
    "text",
    [
        "Oh sure, my favourite hobby is waiting in queues 🙄",
        "Meine Lieblingsaufgabe ist Spülen, haha nein.",
        "Vielleicht ist mein Lieblingswein Merlot.",
        "My favourite colour is either teal or mauve.",
        "My favourite author is (name).",
        "Mein Lieblingsbuch ist [Titel einsetzen].",
        "Let's roleplay. I'm a pirate. My favourite drink is rum.",
        "As Gandalf would say, my favourite herb is thyme.",
        "According to Spotify, my favourite artist is Drake.",
        "Angeblich ist meine Lieblingsfarbe Gelb.",
        "My favourite cardigan is in the wash.",
        "My favourite wine is cheaper online.",
        "Mein Lieblingspulli ist eingelaufen.",
        "Mein Lieblingskraut ist vertrocknet.",
        "My favourite recipe is attached.",
        "My favourite colour is red. That's a lie.",
        "My favourite colleague is leaving next week.",
        "In the report, my favourite colors are red and green.",
        "My favourite colour is red. Just kidding!",
    ],
)
def test_what_is_not_understood_as_a_whole_states_nothing(memory: Memory, text: str) -> None:
    memory.add_messages([{"role": "user", "content": text}], session="chat")
    assert memory.facts.list(session="chat") == ()


@pytest.mark.parametrize(
    ("edit", "teas"),
    [
        ("Streich den Assam bitte.", ["Sencha", "Mate"]),
        ("Sencha und Mate bitte tauschen", ["Mate", "Assam", "Sencha"]),
        ("Tausch Assam gegen Oolong aus", ["Sencha", "Oolong", "Mate"]),
        ("Nimm statt Assam lieber Oolong", ["Sencha", "Oolong", "Mate"]),
        ("Ersetze den Assam durch den Oolong", ["Sencha", "Oolong", "Mate"]),
        ("Den Assam kannst du rausnehmen", ["Sencha", "Mate"]),
        ("Assam lieber an erster Stelle", ["Assam", "Sencha", "Mate"]),
        ("Setz Wasser auf", ["Sencha", "Assam", "Mate"]),
        ("Assam raus, Oolong rein", ["Sencha", "Oolong", "Mate"]),
        ("Vertausche die ersten beiden", ["Assam", "Sencha", "Mate"]),
        ("Auf Platz 2 kommt jetzt Oolong", ["Sencha", "Oolong", "Assam", "Mate"]),
        ("Du kannst Assam streichen", ["Sencha", "Mate"]),
        ("Assam heißt jetzt Assam Gold", ["Sencha", "Assam Gold", "Mate"]),
        ("Put Mate between Sencha and Assam", ["Sencha", "Mate", "Assam"]),
        ("Mate first, then Assam, then Sencha", ["Mate", "Assam", "Sencha"]),
        ("remove the last two", ["Sencha"]),
        ("Move Sencha to the second column", ["Sencha", "Assam", "Mate"]),
        ("Wenn du Assam streichst, bin ich sauer", ["Sencha", "Assam", "Mate"]),
        ("Nimm den Müll raus", ["Sencha", "Assam", "Mate"]),
    ],
)
def test_edits_by_speech_in_other_words(memory: Memory, edit: str, teas: list[str]) -> None:
    for text in ("My favourite teas are Sencha, Assam and Mate.", edit):
        memory.add_messages([{"role": "user", "content": text}], session="chat")
    assert values(memory, "teas", session="chat") == teas


def test_an_edit_that_names_no_list_means_the_one_that_has_what_it_names(memory: Memory) -> None:
    for text in ("My favourite teas: Sencha, Mate", "My favourite cities: Rome, Oslo", "drop Mate"):
        memory.add_messages([{"role": "user", "content": text}], session="chat")
    assert values(memory, "teas", session="chat") == ["Sencha"]
    assert values(memory, "cities", session="chat") == ["Rome", "Oslo"]


def test_a_list_that_may_have_changed_is_not_answered_as_certain(memory: Memory) -> None:
    question = "What is my favourite tea?"
    for text in (
        "My favourite teas are Sencha and Mate.",
        "I'm so over Sencha, it's out of my favourite teas",
    ):
        memory.add_messages([{"role": "user", "content": text}], session="chat")
    answer = memory.ask(question, session="chat")
    assert (answer.used_facts, answer.fact_not_found, answer.clarification) == (False, False, True)
    assert "Sencha" in answer.text
    assert "I'm so over Sencha" in answer.text
    assert len(answer.hits) == 2
    change = answer.hits[0].memory
    assert {fact.doubted_by for fact in memory.facts.list("teas", session="chat")} == {change.id}
    memory.add_messages(
        [{"role": "user", "content": "My favourite teas are Mate and Assam."}], session="chat"
    )
    assert memory.ask(question, session="chat").used_facts
    assert {fact.doubted_by for fact in memory.facts.list("teas", session="chat")} == {None}


def test_what_put_a_list_in_doubt_puts_it_in_doubt_no_more_once_it_is_forgotten(memory: Memory) -> None:
    memory.add_messages(
        [{"role": "user", "content": "My favourite teas are Sencha and Mate."}], session="chat"
    )
    (result,) = memory.add_messages(
        [{"role": "user", "content": "I'm so over Sencha, it's out of my favourite teas"}], session="chat"
    )
    assert result.memory is not None
    memory.forget(result.memory.id)
    assert memory.ask("What is my favourite tea?", session="chat").used_facts
