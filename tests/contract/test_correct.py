"""The store contract, correcting beliefs: what is true is believed, and what was said stays as evidence."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from holdfast import HoldfastError, Memory
from holdfast.core.claims import Belief
from holdfast.stores.base.ports import Store
from holdfast.workers import read_names
from tests.support import memory_on

SAID = "Hi! I live in Porto and I'm allergic to peanuts. I have a boat. I have a canoe."


def say(memory: Memory, text: str, days: int = 0) -> str:
    """Stores what a person said so many days after the first, and returns its id."""
    at = datetime(2025, 1, 7, tzinfo=UTC) + timedelta(days=days)
    (message,) = memory.add_messages([{"role": "user", "content": text, "at": at}], session="chat")
    assert message.memory is not None
    return message.memory.id


def believed(memory: Memory, name: str | None = None) -> dict[str, Belief]:
    return {belief.text: belief for belief in memory.about(name).beliefs}


def corrected(memory: Memory, was: str, text: str, name: str | None = None) -> str:
    """Corrects what is believed, and returns the id of what says so."""
    kept = memory.correct(believed(memory, name)[was].id, text, was=was, name=name)
    assert kept.memory is not None
    return kept.memory.id


def code_of(memory: Memory, *args: str, **options: str) -> str:
    with pytest.raises(HoldfastError) as error:
        memory.correct(*args, **options)
    return error.value.code


@pytest.mark.parametrize(
    ("was", "text", "now"),
    [
        ("Lives in Porto", "Lives in Braga", "Lives in Braga"),
        ("Lives in Porto", "I moved to Braga", "I moved to Braga"),
        ("Lives in Porto", "Does not live in Porto", "Does not live in Porto"),
        ("Lives in Porto", "Formerly: lives in Porto", "Formerly: lives in Porto"),
        ("Lives in Porto", "On a ship, all year round", "On a ship, all year round"),
        ("Lives in Porto", "I live in Braga-Sul, Rua Nova", "I live in Braga-Sul, Rua Nova"),
        ("Is allergic to peanuts", "is allergic to hazelnuts.", "Is allergic to hazelnuts"),
        ("Is allergic to peanuts", "Tested in May: no allergy at all", "Tested in May: no allergy at all"),
        ("Is allergic to peanuts", "Has epileptic fits", "Has epileptic fits"),
        ("Has a boat", "Has a kayak", "Has a kayak"),
        ("Has a boat", "Has a canoe", "Has a canoe"),
    ],
)
def test_what_is_true_is_believed_with_its_history(memory: Memory, was: str, text: str, now: str) -> None:
    """In the words that are shown, in a person's own, and in words that no rule reads. What else the message
    says is still believed, and the message says what it said."""
    message = say(memory, SAID)
    before = believed(memory)
    corrected(memory, was, text)
    after = believed(memory)
    assert was not in after
    assert [(other.text, other.source.memory, other.reason) for other in after[now].replaced] == [
        (was, message, "corrected")
    ]
    assert after.keys() - {now} == before.keys() - {was, now}
    assert (after[now].type, after[now].contradicts) == (before[was].type, ())
    assert after[now].confidence >= 0.95
    assert (memory.get(message).text, memory.get(message).version) == (SAID, 1)
    (hit,) = [hit for hit in memory.recall("Porto peanuts boat", disputes=True) if hit.memory.id == message]
    other = [] if now in before else [(now, "corrected")]  # of what it says as well it is no contradiction
    assert [(one.text, one.reason) for one in hit.contradicted_by] == other


def test_a_correction_keeps_its_words_when_the_same_is_said_again(memory: Memory) -> None:
    say(memory, SAID)
    corrected(memory, "Lives in Porto", "I live in Braga now")
    say(memory, "I've lived in Braga since May.", days=5_000)
    (home,) = [belief for belief in memory.about().beliefs if belief.attribute == "lives_in"]
    assert (home.text, home.value) == ("I live in Braga now", "Braga")


def test_a_correction_is_corrected_forgotten_and_outlived(memory: Memory) -> None:
    message = say(memory, SAID)
    first = corrected(memory, "Has a boat", "Has a kayak")
    assert corrected(memory, "Has a kayak", "Has a raft") == first, "it is the statement itself"
    assert [one.text for one in memory.history(first) if one.text] == ["Has a kayak", "Has a raft"]
    assert [other.text for other in believed(memory)["Has a raft"].replaced] == ["Has a boat"]
    assert [link.memory.id for link in memory.related(first).links] == [message]
    memory.forget(first)
    assert "Has a boat" in believed(memory)
    memory.restore(first)
    assert "Has a boat" not in believed(memory)
    memory.forget(message, hard=True)
    assert list(believed(memory)) == ["Has a raft"], "it needs no ground"
    assert memory.get(first).status == "approved"
    say(memory, "Now I live in Faro.", days=5_000)
    assert "Lives in Faro" in believed(memory)


def test_what_is_repeated_is_corrected_in_every_wording(memory: Memory) -> None:
    for day, text in enumerate(("I have a boat.", "I have a sailing boat.", "I have a boat!")):
        say(memory, text, day)
    corrected(memory, "Has a sailing boat", "Has a kayak")
    assert list(believed(memory)) == ["Has a kayak"]
    say(memory, "I have a boat.", days=9_000)
    assert set(believed(memory)) == {"Has a kayak", "Has a boat"}, "a later statement stands beside it"


def test_a_memory_that_is_the_statement_gets_another_version(memory: Memory) -> None:
    stored = memory.remember("Mornings before noise", kind="preference").memory
    assert stored is not None
    (was,) = believed(memory)
    assert corrected(memory, was, "Evenings before noise") == stored.id
    assert list(believed(memory)) == ["Evenings before noise"]
    assert memory.get(stored.id).version == 2


def test_a_list_gets_other_values(memory: Memory) -> None:
    memory.facts.replace("colors", ["red", "green"])
    (was,) = believed(memory)
    fact = believed(memory)[was].id
    assert code_of(memory, fact, "I like blue") == "argument_invalid"
    corrected(memory, was, was.replace("red, green", "blue, green"))
    assert [one.value for one in memory.facts.list("colors")] == ["blue", "green"]
    assert list(believed(memory)) == [was.replace("red, green", "blue, green")]


def test_a_sentence_about_a_thing_is_corrected_by_a_note_of_it(memory: Memory) -> None:
    was, now = "The train of Tamsin arrives on Friday.", "The train of Tamsin arrives on Sunday."
    said = ["My sister Tamsin lives in Utrecht.", f"{was} I have the tickets."]
    sent = memory.add_messages(
        [{"role": "user", "content": text} for text in said], session="chat", project="home"
    )
    message = sent[1].memory
    assert message is not None
    read_names(memory._service)
    note = corrected(memory, was, now, name="Tamsin")
    found = believed(memory, "Tamsin")
    assert [other.source.memory for other in found[now].replaced] == [message.id]
    assert was not in found
    assert memory.get(note).kind == "observation"
    assert memory.get(message.id).text == said[1]


def test_an_agent_does_not_correct_what_a_person_said(store: Store) -> None:
    person, agent = memory_on(store), memory_on(store, agent="coder")
    say(person, SAID)
    agent.correct(believed(agent)["Has a boat"].id, "Has a kayak", was="Has a boat")
    found = believed(person)
    assert "Has a boat" in found
    assert found["Has a boat"].replaced == ()


def test_what_cannot_be_corrected_says_why(memory: Memory) -> None:
    message = say(memory, SAID)
    assert code_of(memory, message, "Lives in Braga") == "argument_invalid"  # it says several things
    assert code_of(memory, message, "Lives in Braga", was="Lives in Faro") == "changed_meanwhile"
    assert code_of(memory, "0" * 36, "Lives in Braga") == "memory_not_found"
    assert code_of(memory, message, " ", was="Lives in Porto") == "text_empty"
    assert memory.doctor().problems == ()


@pytest.mark.parametrize("text", ["Nonsense, delete", "That's wrong.", "stimmt nicht", "No!"])
def test_a_correction_that_states_nothing_names_what_to_do(memory: Memory, text: str) -> None:
    message = say(memory, SAID)
    with pytest.raises(HoldfastError) as error:
        memory.correct(message, text, was="Lives in Porto")
    assert error.value.hint is not None
    assert f"holdfast dismiss {message}" in error.value.hint


def test_a_correction_in_own_words_leaves_the_other_values_of_its_attribute(memory: Memory) -> None:
    say(memory, "My husband Tobias is a baker.")
    say(memory, "My wife Albrecht has a new knee.")
    (wrong,) = [belief for belief in memory.about().beliefs if belief.text == "Married: wife Albrecht"]
    memory.correct(wrong.id, "Ms Albrecht is my client", was=wrong.text)
    assert "Married: husband Tobias" in believed(memory)


def test_a_correction_of_a_misreading_answers_what_it_speaks_of(memory: Memory) -> None:
    """What it says of another attribute replaces what was said of that, and answers questions."""
    say(memory, SAID)
    corrected(memory, "Has a boat", "I live in Braga-Sul, Rua Nova")
    now = believed(memory)
    assert "I live in Braga-Sul, Rua Nova" in now
    assert not {"Has a boat", "Lives in Porto"} & now.keys()
    assert memory.ask("Where do I live?").text.startswith("I live in Braga-Sul, Rua Nova")


@pytest.mark.parametrize(
    ("was", "text", "question"),
    [
        ("Has a boat", "I gave my boat away, sold it really", "do I have a boat?"),
        ("Has a boat", "My boat sank", "do I have a boat?"),
        ("Is allergic to peanuts", "Never allergic to peanuts", "am I allergic to peanuts?"),
        ("Is allergic to peanuts", "Never allergic to peanuts", "am I allergic to cats?"),
    ],
)
def test_a_correction_that_was_not_read_proves_nothing(
    memory: Memory, was: str, text: str, question: str
) -> None:
    say(memory, SAID)
    corrected(memory, was, text)
    assert text in believed(memory)
    assert not memory.ask(question).used_facts


def test_a_correction_that_ends_a_job_names_none(memory: Memory) -> None:
    say(memory, "I work at Kornblume.")
    corrected(memory, "Works at Kornblume", "I don't work at Kornblume any more")
    assert "I don't work at Kornblume any more" in believed(memory)
    assert not memory.ask("where do I work?").used_facts


@pytest.mark.parametrize(
    ("text", "now"),
    [
        ("nein, ich wohne in Faro", "Ich wohne in Faro"),
        ("Actually, I live in\n  Faro.", "I live in Faro"),
        ("I live in Faro near the yard of Sail Co.", "I live in Faro near the yard of Sail Co."),
    ],
)
def test_a_correction_is_shown_without_its_opening_in_one_line(memory: Memory, text: str, now: str) -> None:
    say(memory, SAID)
    corrected(memory, "Lives in Porto", text)
    assert now in believed(memory)


def test_a_correction_tells_its_time_once(memory: Memory) -> None:
    say(memory, SAID)
    corrected(memory, "Lives in Porto", "I live in Faro since 2023.")
    assert memory.ask("where do I live?").text.startswith("I live in Faro since 2023 (before: ")


def test_a_favourite_is_corrected_in_the_words_that_are_shown(memory: Memory) -> None:
    say(memory, "My favourite bird is the wren.")
    corrected(memory, "Favourite bird: the wren", "Favourite bird: the owl")
    assert list(believed(memory)) == ["Favourite bird: the owl"]
