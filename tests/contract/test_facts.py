"""The store contract, facts: taken from messages, edited, asked for, isolated (S1.10–S1.39)."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import apsw
import hypothesis.strategies as st
import pytest
from hypothesis import HealthCheck, given, settings

from holdfast import AsyncMemory, InvalidInput, Memory, NotFound, Outcome
from holdfast.core.errors import Refusal
from holdfast.core.facts import Answer, Fact
from holdfast.core.places import Role
from holdfast.features.access.access import Grant
from holdfast.features.access.keys import service_for
from holdfast.language.facts.topics import with_custom
from holdfast.stores.base.ports import Store
from tests.fakes import ManualClock
from tests.profiles import PATIENT, examples
from tests.support import memory_on, open_store, service_on

NOT_STORED = "I don't have that stored yet."
COLORS = "My favorite colors are 1) Blue, 2) Green, 3) Black"


def say(memory: Memory, *texts: str, session: str = "chat", **options: Any) -> list[str]:
    """Messages of the user; returns their ids."""
    options.setdefault("project", "p")
    result = memory.add_messages(
        [{"role": "user", "content": text} for text in texts], session=session, **options
    )
    return [one.memory.id for one in result if one.memory is not None]


def colors(memory: Memory, **place: Any) -> list[str]:
    """The favorite colors of a place, by rank."""
    facts = [fact for fact in memory.facts.list("colors", **(place or {"session": "chat"})) if fact.rank]
    assert [fact.rank for fact in facts] == list(range(1, len(facts) + 1))
    return [fact.value for fact in facts]


def has_gap(facts: Sequence[Fact]) -> bool:
    return [fact.rank for fact in facts] != list(range(1, len(facts) + 1))


def answer_parts(answer: Answer) -> tuple[str, bool, bool, bool]:
    return answer.text, answer.used_facts, answer.fact_not_found, answer.clarification


# storing


def test_s1_19_a_list_in_a_message_becomes_one_fact_for_each_rank(memory: Memory, clock: ManualClock) -> None:
    (id,) = say(memory, COLORS)
    facts = memory.facts.list("colors", session="chat")
    assert [(f.topic, f.kind, f.rank, f.value) for f in facts] == [
        ("favorite_colors", "ranked", 1, "Blue"),
        ("favorite_colors", "ranked", 2, "Green"),
        ("favorite_colors", "ranked", 3, "Black"),
    ]
    assert {(f.message, f.project, f.session, f.at) for f in facts} == {(id, "p", "chat", clock())}


def test_s1_11_what_was_said_in_a_chat_answers_no_question_to_facts(memory: Memory) -> None:
    """Neither an assistant's list nor a question that repeats one, though recall finds both."""
    messages = [
        {"role": "assistant", "content": "Your favorite colors are 1) Blue, 2) Green"},
        {"role": "user", "content": "Are my favorite colors 1) Blue, 2) Green?"},
    ]
    memory.add_messages(messages, session="chat")
    answer = memory.ask("What is my second favorite color?", session="chat")
    assert (answer.text, answer.fact_not_found) == ("I don't have that stored yet.", True)
    assert len(memory.recall("favorite colors", session="chat")) == 2
    memory.add_messages(
        [{"role": "user", "content": "My favorite colors are 1) Red, 2) Tan"}], session="chat"
    )
    assert "**Tan**" in memory.ask("What is my second favorite color?", session="chat").text


def test_s1_19_a_list_without_a_topic_or_a_topic_without_a_list_is_no_fact(memory: Memory) -> None:
    say(memory, "1) Blue, 2) Green, 3) Black", "I like colors", "What is my favorite color?")
    assert memory.facts.list(session="chat") == ()


def test_s1_23_only_what_a_user_said_states_facts(memory: Memory) -> None:
    for role in ("assistant", "system", "tool"):
        memory.add_messages([{"role": role, "content": COLORS}], session="chat")
    memory.add_episode("hello", COLORS, session="chat")
    memory.remember(COLORS, session="chat", kind="message", role="user", origin="web")
    assert memory.facts.list(session="chat") == ()
    memory.remember(COLORS, session="chat", kind="message", role="user")
    assert colors(memory) == ["Blue", "Green", "Black"]


MUD = "My favorite colors are 1) Mud 2) Rust"


@pytest.mark.parametrize("origin", ["web", "tool"])
def test_s1_23_no_revision_puts_words_of_the_web_into_the_users_mouth(store: Store, origin: str) -> None:
    """Neither by a machine, whatever it changes, nor by a person who changes anything but the text."""
    person = memory_on(store)
    machines = [memory_on(store, agent="coder"), memory_on(store, role=Role.SERVICE)]
    stored = person.remember(MUD, session="chat", kind="message", role="user", origin=origin).memory
    assert stored is not None
    for machine in machines:
        machine.revise(stored.id, title=f"Colors {machine._service.principal.label}")
        machine.revise(stored.id, text=f"{MUD} 3) {machine._service.principal.label}")
        assert person.facts.list(session="chat") == ()
    machines[0].revise(stored.id, text=MUD)
    person.revise(stored.id, tags=["colors"], confidence=1.0)
    person.review.edit(stored.id, title="What I like")
    found = person.get(stored.id)
    assert (found.text, found.origin.value, found.confidence) == (MUD, origin, 1.0)
    assert person.facts.list(session="chat") == ()


def test_s1_23_a_person_who_rewrites_words_of_the_web_states_them(store: Store) -> None:
    """Whoever rewrites a text in person answers for it; what is kept of the export and the import agrees."""
    person, agent = memory_on(store), memory_on(store, agent="coder")
    stored = person.remember(MUD, session="chat", kind="message", role="user", origin="web").memory
    assert stored is not None
    mine = person.revise(stored.id, text="My favorite colors are 1) Teal").memory
    assert mine is not None
    assert mine.origin.value == "user"
    assert colors(person) == ["Teal"]
    person.revise(stored.id, title="What I like")
    assert colors(person) == ["Teal"]
    with pytest.raises(Refusal):
        agent.revise(stored.id, text=MUD)


def test_s1_23_a_failing_index_loses_no_fact(store: Store) -> None:
    class Broken:
        model, dim, local = "broken", 8, True

        def embed(self, *_: Any, **__: Any) -> Any:
            raise RuntimeError("no embedding today")

    memory = memory_on(store, embedder=Broken())
    say(memory, COLORS)
    assert colors(memory) == ["Blue", "Green", "Black"]
    assert memory.ask("my second favorite color?", session="chat").used_facts


def test_s1_20_the_later_value_of_a_rank_counts_whatever_comes_first(memory: Memory) -> None:
    memory.facts.set("colors", "Red", 1, session="chat", at="2026-05-02")
    memory.facts.set("colors", "Blue", 1, session="chat", at="2026-05-01")
    assert colors(memory) == ["Red"]
    memory.facts.set("colors", "Teal", 1, session="chat", at="2026-05-03")
    assert colors(memory) == ["Teal"]


def test_s1_41_the_same_message_again_changes_nothing(memory: Memory) -> None:
    message = {"role": "user", "content": COLORS, "id": "m1"}
    for _ in range(3):
        memory.add_messages([message], session="chat")
    assert len(memory.facts.list("colors", session="chat")) == 3
    assert len(memory.facts.history("colors", session="chat")) == 3
    changed = {**message, "content": "My favorite colors are 1) Red, 2) Tan"}
    assert memory.add_messages([changed], session="chat")[0].outcome is Outcome.SUPERSEDED
    assert colors(memory) == ["Red", "Tan"]


def test_s1_21_a_shorter_list_takes_the_place_of_a_longer_one(memory: Memory, clock: ManualClock) -> None:
    say(memory, COLORS)
    clock.forward(days=1)
    say(memory, "My favorite colors: 1) Red, 2) Tan")
    assert colors(memory) == ["Red", "Tan"]
    history = memory.facts.history("colors", session="chat")
    assert [(c.act, c.value, c.before, c.after) for c in history[3:]] == [
        ("drop", "Blue", 1, None),
        ("drop", "Green", 2, None),
        ("drop", "Black", 3, None),
        ("list", "Red", None, 1),
        ("list", "Tan", None, 2),
    ]
    before = clock() - 1
    assert colors(memory, session="chat", as_of=before) == ["Blue", "Green", "Black"]


def test_s1_22_the_last_single_preference_counts(memory: Memory, clock: ManualClock) -> None:
    say(memory, "My favorite color is blue.")
    clock.forward(days=1)
    (id,) = say(memory, "Actually, my favorite color is teal because it is calm.")
    fact = memory.facts.get("colors", session="chat")
    assert (fact.kind, fact.rank, fact.value, fact.message) == ("single", None, "teal", id)
    assert memory.facts.list("colors", session="chat") == (fact,)
    assert [(c.value, c.replaced) for c in memory.facts.history("color", session="chat")] == [
        ("blue", None),
        ("teal", "blue"),
    ]


def test_s1_10_a_topic_has_one_value_for_a_rank_in_a_chat_and_outside_all(memory: Memory) -> None:
    """Uniqueness holds without a session and without a rank too."""
    for value in ("Blue", "Red", "Tan"):
        memory.remember(f"My favorite color is {value}.", kind="message", role="user")
        memory.facts.set("colors", value, 1)
    facts = memory.facts.list("colors")
    assert [(fact.rank, fact.value) for fact in facts] == [(1, "Tan"), (None, "Tan")]


def test_s1_39_values_are_clamped_and_lose_their_controls(memory: Memory) -> None:
    memory.facts.set("colors", "x" * 2_000, 1, session="chat")
    memory.facts.set("candies", "y" * 2_000, session="chat")
    assert len(memory.facts.get("colors", 1, session="chat").value) == 256
    assert len(memory.facts.get("candies", session="chat").value) == 1_000
    memory.facts.set("tv", "a\x07\tb\x00c", 1, session="chat")
    assert memory.facts.get("tv", 1, session="chat").value == "a b c"
    for bad in ("", " ", "M1", "##"):
        with pytest.raises(InvalidInput):
            memory.facts.set("tv", bad, session="chat")
    with pytest.raises(InvalidInput):
        memory.facts.set("x" * 201, "Blue")


@pytest.mark.parametrize("value", ["\U00020b9f\u91ce\u5bb6", "\U0002a6a5", "Caf\u00e9 \U00030edd"])
@pytest.mark.parametrize("emoji", ["\U0001f98a", "\u2b50", "\U0001f3f4\U000e0067\U000e0062\U000e007f"])
def test_s1_39_emoji_beside_a_value_are_removed_but_rare_letters_are_not(
    memory: Memory, value: str, emoji: str
) -> None:
    for text in (value, f"{value} {emoji}", f"{emoji}{value}"):
        memory.remember(f"My favourite dish is {text}", kind="message", role="user")
        assert [fact.value for fact in memory.facts.list()] == [value]


def test_s4_20_a_secret_never_becomes_a_fact(memory: Memory) -> None:
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    say(memory, f"My favorite colors are 1) {secret}, 2) Green")
    memory.facts.add("colors", [f"token {secret}"], session="chat")
    stated = memory.facts.list("colors", session="chat")
    assert secret not in repr(stated)
    assert [(fact.rank, fact.value) for fact in stated] == [
        (2, "Green"),
        (3, "token [REDACTED: github_token]"),
    ]


# editing


def test_s1_35_values_are_appended_moved_inserted_and_stay_contiguous(memory: Memory) -> None:
    say(memory, COLORS)
    edit = memory.facts.add("colors", ["Red", "“blue.”"], session="chat")
    assert edit.notes == ("Blue is already at #1",)
    assert colors(memory) == ["Blue", "Green", "Black", "Red"]
    say(memory, "My #2 favorite color is Red.")
    assert colors(memory) == ["Blue", "Red", "Green", "Black"]
    say(memory, "My second favorite color is Tan")
    assert colors(memory) == ["Blue", "Tan", "Red", "Green", "Black"]
    memory.facts.move("colors", "Grey", 40, session="chat")
    assert colors(memory) == ["Blue", "Tan", "Red", "Green", "Black", "Grey"]
    assert memory.facts.move("colors", "tan", 2, session="chat").notes == ("Tan is already at #2",)
    say(memory, "Please add pink, and purple to my favorite colors.")
    say(memory, "Remove Red from my favorite colors.")
    assert colors(memory) == ["Blue", "Tan", "Green", "Black", "Grey", "pink", "purple"]
    assert [f.value for f in memory.facts.list("colors", session="chat", limit=2)] == ["Blue", "Tan"]
    memory.facts.replace("colors", ["Solo"], session="chat")
    assert colors(memory) == ["Solo"]
    memory.facts.remove("colors", "Solo", session="chat")
    assert memory.facts.remove("colors", "Solo", session="chat").notes == ("Solo is not in the list",)
    assert colors(memory) == []


def test_s1_37_a_move_finds_a_value_by_most_of_its_words(memory: Memory) -> None:
    memory.facts.replace("tv", ["Dark", "The Big Bang Theory", "Lost"], session="chat")
    memory.facts.move("tv", "Big Bang Theory!", 1, session="chat")
    assert [f.value for f in memory.facts.list("tv", session="chat")] == [
        "The Big Bang Theory",
        "Dark",
        "Lost",
    ]


@pytest.mark.parametrize(
    "value",
    ["Love, Death & Robots", "Dr. Who. Then 2) Lost", 'The "big" one', "A (because) - of, B", "S.W.A.T."],
)
def test_s1_72_any_value_is_stored_as_it_is_given(memory: Memory, value: str) -> None:
    memory.facts.set("tv", value, session="chat")
    memory.facts.replace("tv", [value, "Other"], session="chat")
    memory.facts.add("candies", [value, "Twix"], session="chat")
    kept = [f.value for f in memory.facts.list(session="chat")]
    assert kept.count(value.rstrip(".") if value.endswith("Lost.") else value) == 3, kept


@settings(max_examples=examples(60), suppress_health_check=[*PATIENT, HealthCheck.function_scoped_fixture])
@given(
    st.lists(st.tuples(st.sampled_from("armsl"), st.sampled_from("ABCDE"), st.integers(1, 9)), max_size=12)
)
def test_s1_35_whatever_is_edited_values_stand_once_and_no_edit_of_a_list_makes_a_gap(
    edits: list[tuple[str, str, int]],
) -> None:
    memory = memory_on(open_store("oracle", Path()))
    facts = memory.facts
    before: Sequence[Fact] = ()
    has_end = False
    for act, value, rank in edits:
        if act == "a":
            facts.add("colors", [value], session="chat")
        elif act == "r":
            facts.remove("colors", value, session="chat")
        elif act == "m":
            facts.move("colors", value, rank, session="chat")
        elif act == "s":
            facts.set("colors", value, rank, session="chat")
        else:
            facts.replace("colors", [value, "Z"], session="chat")
        listed = facts.list("colors", session="chat")
        assert len({one.value for one in listed}) == len({one.rank for one in listed}) == len(listed)
        assert sorted(one.rank or 0 for one in listed) == [one.rank for one in listed]
        has_end = bool(listed) and (has_end or act in "al")
        assert not has_end or has_gap(before) or not has_gap(listed)
        before = listed


# asking


def test_s1_31_answers_are_worded_exactly(memory: Memory) -> None:
    (id,) = say(memory, COLORS)
    answer = memory.ask("What is my second favorite color?", session="chat")
    assert answer_parts(answer) == (
        "Your favorite color ranked second is **Green**. [M1]",
        True,
        False,
        False,
    )
    assert [(hit.citation, hit.memory.id) for hit in answer.hits] == [("[M1]", id)]
    assert answer.label == "Memory"
    answer = memory.ask("List my favorite colors", session="chat")
    assert answer_parts(answer) == ("1) Blue\n2) Green\n3) Black", True, False, False)
    assert memory.ask("what are my top 2 colors?", session="chat").text == "1) Blue\n2) Green"
    best = memory.ask("wait a second, what is my favorite color?", session="chat")
    assert best.text == "Your favorite color ranked first is **Blue**. [M1]"
    both = memory.ask("What are my first and third favorite colors?", session="chat")
    assert both.text.splitlines() == [
        "Your favorite color ranked first is **Blue**. [M1]",
        "Your favorite color ranked third is **Black**. [M1]",
    ]


def test_s1_31_ends_ranges_and_counts_are_worded_exactly(memory: Memory) -> None:
    (id,) = say(memory, COLORS)
    for question, text in {
        "What is last on my list of colors?": "Your favorite color ranked last is **Black**. [M1]",
        "my second to last favorite color?": "Your favorite color ranked second to last is **Green**. [M1]",
        "What's my least favorite color?": "Your favorite color ranked last is **Black**. [M1]",
        "What are the last two on my color list?": "2) Green\n3) Black",
        "items 2 to 3 of my favorite colors": "2) Green\n3) Black",
        "items 2 to 9 of my favorite colors": "2) Green\n3) Black",
        "How many favorite colors do I have?": "You have 3 favorite colors stored.",
    }.items():
        answer = memory.ask(question, session="chat")
        assert answer_parts(answer) == (text, True, False, False), question
        assert [hit.memory.id for hit in answer.hits] == [id]


def test_s1_33_ends_and_ranges_beyond_a_list_say_how_many_there_are(memory: Memory) -> None:
    say(memory, COLORS, "My favorite candy is Twix.")
    for question, what in {
        "fifth from the bottom of my favorite colors?": "fifth one from the end",
        "items 5 to 7 of my favorite colors": "fifth one",
    }.items():
        text = f"I only have 3 favorite colors stored, so there is no {what} yet."
        assert answer_parts(memory.ask(question, session="chat")) == (text, False, True, False)
    for question in (
        "what's last on my candy list?",
        "my least favorite crypto",
        "how many cryptos did I rank?",
    ):
        assert answer_parts(memory.ask(question, session="chat")) == (NOT_STORED, False, True, False)
    assert memory.ask("how many favorite candies do I have?", session="chat").text == (
        "You have 1 favorite candy stored."
    )


def test_s1_32_the_least_favourite_is_known_of_a_ranked_list_only(memory: Memory) -> None:
    say(memory, "My favorite colors are red and tan.")
    assert memory.ask("What's my least favorite color?", session="chat").text == NOT_STORED
    assert "**tan**" in memory.ask("What's last on my list of colors?", session="chat").text
    say(memory, COLORS)
    assert "**Black**" in memory.ask("What's my least favorite color?", session="chat").text
    say(memory, "Add lime to my favorite colors")
    assert memory.ask("Which color do I like least?", session="chat").text == NOT_STORED


def test_s1_32_what_is_not_stored_is_said_to_be_so_and_nothing_else(memory: Memory) -> None:
    say(memory, "I think my best friend likes the color orange most of all.")
    for question in ("What is my second favorite color?", "list my favorite colors", "my favorite color?"):
        answer = memory.ask(question, session="chat")
        assert answer_parts(answer) == (NOT_STORED, False, True, False)
        assert len(answer.hits) == 0
        assert answer.label == "Memory"


def test_s1_33_a_rank_beyond_the_end_says_how_many_there_are(memory: Memory) -> None:
    say(memory, COLORS)
    for question in ("What's my #7 favorite color?", "my 250th favorite color?"):
        answer = memory.ask(question, session="chat")
        assert "3 favorite colors" in answer.text
        assert answer_parts(answer)[1:] == (False, True, False)
    say(memory, "My favorite candy is Twix.")
    assert "1 favorite candy stored" in memory.ask("my 2nd favorite candy", session="chat").text


def test_s1_30_a_question_without_a_topic_takes_the_last_of_this_chat_or_asks(memory: Memory) -> None:
    say(memory, COLORS, "My favorite candies: 1) Twix 2) Mars")
    say(memory, "My cryptos: #1 XMR, #2 BTC", session="other")
    assert "**Mars**" in memory.ask("What is my second favorite?", session="chat").text
    assert "**BTC**" in memory.ask("What is my second favorite?", session="other").text
    assert "**Green**" in memory.ask("What is my second favorite color?", session="chat").text
    question = "Which category (colors/cryptos/tv/candies)?"
    places: tuple[dict[str, Any], ...] = ({"session": "new"}, {"project": "p"}, {})
    for place in places:
        assert answer_parts(memory.ask("What is my second favorite?", **place)) == (
            question,
            False,
            False,
            True,
        )
    assert memory.ask("What is my second favorite crypto?", session="chat").text == NOT_STORED


def test_s1_25_a_single_preference_answers_for_the_favourite(memory: Memory, clock: ManualClock) -> None:
    say(memory, "My favorite candy is Twix.")
    expected = "Your favorite candy is **Twix**. [M1]"
    assert memory.ask("what's my favorite candy?", session="chat").text == expected
    clock.forward(days=1)
    say(memory, "My favorite candies: 1) Mars 2) Twix")
    assert "**Mars**" in memory.ask("what's my favorite candy?", session="chat").text


@pytest.mark.parametrize("turned", [False, True])
def test_s1_29_the_favourite_counts_as_rank_1_beside_lower_ranks(memory: Memory, turned: bool) -> None:
    texts = ["My favourite colour is dark green.", "My second favourite colour is ochre."]
    ids = say(memory, *(texts[::-1] if turned else texts))
    best, second = ids[::-1] if turned else ids
    listed = memory.facts.list("colors", session="chat")
    assert [(fact.rank, fact.value, fact.message) for fact in listed] == [
        (1, "dark green", best),
        (2, "ochre", second),
    ]
    for question, text, id in (
        (
            "what is my second favourite colour?",
            "Your favourite colour ranked second is **ochre**. [M1]",
            second,
        ),
        ("my first favourite colour?", "Your favourite colour ranked first is **dark green**. [M1]", best),
    ):
        answer = memory.ask(question, session="chat")
        assert (answer.text, [hit.memory.id for hit in answer.hits]) == (text, [id])
    answer = memory.ask("what is my favourite colour?", session="chat")
    assert ("**dark green**" in answer.text, [hit.memory.id for hit in answer.hits]) == (True, [best])
    assert memory.ask("list my favourite colours", session="chat").text == "1) dark green\n2) ochre"
    assert memory.facts.get("colors", session="chat").value == "dark green"
    say(memory, "My favourite colour is teal.")
    assert colors(memory) == ["teal", "ochre"]
    say(memory, "My favourite colour is ochre.")
    assert colors(memory) == ["ochre"]
    say(memory, "My #1 favourite colour is red.")
    assert colors(memory) == ["red", "ochre"]


def test_s1_29_a_rank_that_was_told_is_kept_as_told(memory: Memory) -> None:
    say(memory, "My second favourite colour is ochre.")
    answers = {
        "what is my second favourite colour?": "Your favourite colour ranked second is **ochre**. [M1]",
        "what is my favourite colour?": NOT_STORED,
        "what is my first favourite colour?": NOT_STORED,
        "my third favourite colour?": "I only have 1 favourite colour stored, so there is no third one yet.",
        "what is my least favourite colour?": NOT_STORED,
        "list my favourite colours": "2) ochre",
        "my top 2 colours": "2) ochre",
        "my top 1 colours": NOT_STORED,
        "how many favourite colours do I have?": "You have 1 favourite colour stored.",
    }
    for question, text in answers.items():
        assert memory.ask(question, session="chat").text == text, question
    assert memory.facts.get("colors", 2, session="chat").value == "ochre"
    with pytest.raises(NotFound):
        memory.facts.get("colors", 1, session="chat")
    say(memory, "My favorite colors: 4) Red")
    assert memory.ask("items 2 to 4 of my favorite colors", session="chat").text == "2) ochre\n4) Red"
    assert memory.ask("second to last of my favorite colors", session="chat").text == NOT_STORED


def test_s1_35_a_rank_beyond_the_end_of_a_list_is_the_end_and_the_edit_tells_it(memory: Memory) -> None:
    say(memory, COLORS)
    assert memory.facts.move("colors", "Grey", 9, session="chat").notes == (
        "Grey is at #4, the end of the list",
    )
    assert memory.facts.set("colors", "Pink", 7, session="chat").notes == (
        "Pink is at #5, the end of the list",
    )
    assert memory.facts.move("colors", "Blue", 40, session="chat").notes == (
        "Blue is at #5, the end of the list",
    )
    assert colors(memory) == ["Green", "Black", "Grey", "Pink", "Blue"]


def test_s1_22_what_is_added_stands_behind_the_favourite(memory: Memory) -> None:
    say(memory, "My favorite candy is Twix.", "Add Mars and Twix to my favorite candies")
    answer = memory.ask("list my favorite candies", session="chat")
    assert answer.text == "1) Twix\n2) Mars"
    say(memory, "Remove Twix from my favorite candies")
    assert [(fact.rank, fact.value) for fact in memory.facts.list("candies", session="chat")] == [(1, "Mars")]
    say(
        memory,
        "My favorite color is teal.",
        "My favorite colors: 1) Blue 2) Green",
        "My favorite color is tan",
    )
    say(memory, "Add red to my favorite colors")
    assert "**tan**" in memory.ask("my favorite color?", session="chat").text


def test_s1_24_a_rank_of_a_topic_that_is_not_stored_is_not_stored(memory: Memory) -> None:
    say(memory, "I love movies, most of all the second one of them")
    for question in ("what is my second favorite movie?", "Was ist mein zweitliebster Film?"):
        assert answer_parts(memory.ask(question, session="chat")) == (NOT_STORED, False, True, False)


@pytest.mark.parametrize(
    ("last", "rank", "is_answered"),
    [
        ("Issue #12 is about the login page", "what is #12?", False),
        ("Issue #12 is about the login page", "the third one", False),
        ("Issue #12 is about the login page", "what is my third favorite crypto?", True),
        ("thanks!", "and the third one?", True),
        ("what is my second favorite crypto?", "and the third one?", True),
        ("move DOGE to the end", "what is #3?", True),
    ],
)
def test_s1_27_a_bare_rank_is_one_of_the_list_that_the_conversation_is_about(
    memory: Memory, last: str, rank: str, is_answered: bool
) -> None:
    say(memory, "My favorite cryptos: 1) DOGE 2) XMR 3) ADA", last)
    answer = memory.ask(rank, session="chat")
    assert answer.used_facts is is_answered
    assert ("**ADA**" in answer.text or "**DOGE**" in answer.text) is is_answered


def test_s1_27_a_number_beyond_the_list_is_that_of_what_was_said(memory: Memory) -> None:
    say(memory, "Ticket #12 is about exports", "My favorite cryptos: 1) DOGE 2) XMR")
    assert "exports" in memory.ask("what is #12?", session="chat").text
    assert "no seventh one" in memory.ask("what is #7?", session="chat").text
    assert "**XMR**" in memory.ask("what is #2?", session="chat").text


def test_s1_26_favorite_things_are_a_list(memory: Memory) -> None:
    say(memory, "My favorite cryptos: 1) DOGE 2) XMR")
    for question in ("list my favorite things", "What are my favourite things?"):
        assert memory.ask(question, session="chat").text == "1) DOGE\n2) XMR"


def test_s1_24_everything_else_is_recalled(memory: Memory) -> None:
    say(memory, "We paint the kitchen green", "issue #12 is about the second page")
    for question in (
        "what do we paint?",
        "issue #12",
        "show me the kitchen",
        "what is #12?",
        "the third one",
    ):
        answer = memory.ask(question, session="chat")
        assert answer_parts(answer)[1:] == (False, False, False)
        assert answer.label is None
    answer = memory.ask("issue #12", session="chat", limit=1)
    assert re.fullmatch(r"\[M1\] \(person, [\d-]{10}\) issue #12 is about the second page", answer.text)
    assert answer.hits == memory.recall("issue #12", session="chat", limit=1)
    with pytest.raises(InvalidInput):
        memory.ask(" ")


# places


def test_s1_34_facts_stand_in_their_project_and_chat(memory: Memory) -> None:
    say(memory, COLORS)
    say(memory, "My favorite colors: 1) Red 2) Tan", session="side")
    say(memory, "My favorite colors: 1) Pink 2) Gold", session="far", project="q")
    say(memory, "My favorite colors: 1) Grey 2) White", session="free", project=None)
    assert colors(memory) == ["Blue", "Green", "Black"]
    assert colors(memory, project="p") == ["Red", "Tan"]
    assert colors(memory, project="q") == ["Pink", "Gold"]
    assert colors(memory, session="free") == ["Grey", "White"]
    assert memory.facts.list(project="none") == memory.facts.list(session="none") == ()
    memory.facts.add("colors", ["Lime"], project="p")
    assert colors(memory, project="p") == ["Red", "Tan", "Lime"]
    assert colors(memory) == ["Blue", "Green", "Black"]


def test_s1_34_a_session_that_moves_takes_its_facts_along(memory: Memory) -> None:
    say(memory, COLORS)
    memory.projects.create("q")
    memory.sessions.update("chat", project="q")
    assert memory.facts.list(project="p") == ()
    assert colors(memory, project="q") == ["Blue", "Green", "Black"]
    assert {fact.project for fact in memory.facts.list(project="q")} == {"q"}
    memory.sessions.update("chat", project=None)
    assert memory.facts.list(project="q") == ()
    assert colors(memory, session="chat") == ["Blue", "Green", "Black"]


def test_s1_34_what_somebody_else_likes_is_not_mine(store: Store) -> None:
    ana, ben = memory_on(store), memory_on(store, user="ben")
    say(ana, COLORS, visibility="team")
    assert ben.facts.list(project="p") == ()
    assert ben.ask("my favorite color?", project="p").text == NOT_STORED
    assert ben.facts.history("colors", project="p") == ()


def test_s4_53_a_key_for_one_project_sees_and_writes_its_facts_only(store: Store) -> None:
    service = service_on(store)
    ana = Memory.over(service)
    say(ana, COLORS)
    say(ana, "My favorite colors: 1) Red 2) Tan", session="far", project="q")
    limited = Memory.over(service_for(service, Grant(service.principal, projects=frozenset({"q"}))))
    assert colors(limited, project="q") == ["Red", "Tan"]
    assert limited.facts.list(project="p") == limited.facts.list(session="chat") == ()
    assert [fact.value for fact in limited.facts.list(project="*")] == ["Red", "Tan"]


def test_s1_69_facts_go_with_their_session_and_their_message(memory: Memory) -> None:
    (id, other) = say(memory, COLORS, "My favorite colors: 1) Red 2) Tan")
    memory.forget(other)
    assert colors(memory) == ["Blue", "Green", "Black"]
    memory.restore(other)
    assert colors(memory) == ["Red", "Tan"]
    memory.forget(other, hard=True)
    assert colors(memory) == ["Blue", "Green", "Black"]
    memory.sessions.delete("chat")
    assert memory.facts.list(project="p") == ()
    with pytest.raises(NotFound):
        memory.get(id)


def test_s1_69_no_row_of_a_fact_outlives_its_message(tmp_path: Path) -> None:
    with Memory(tmp_path / "store.db", user="ana") as memory:
        (id,) = say(memory, COLORS)
        say(memory, "My favorite candy is Twix.", session="side")
        memory.revise(id, text="My favorite colors are 1) Red, 2) Tan")
        memory.forget(id, hard=True)
        memory.sessions.delete("side")
    count = apsw.Connection(str(tmp_path / "store.db")).execute("SELECT count(*) FROM facts").get
    assert count == 0


# topics and errors


def test_s1_17_topics_are_added_by_settings(store: Store) -> None:
    service = service_on(store)
    service.topics = with_custom({"board games": ["tabletop games"]})
    memory = Memory.over(service)
    say(memory, "My favorite board games are: 1) Go 2) Catan", "My favorite tabletop game is Go")
    assert "**Catan**" in memory.ask("what's my second favorite board game?", session="chat").text
    assert [t.key for t in memory.facts.topics()][-1] == "favorite_board_games"
    assert memory.ask("my second favorite", session="new").text == (
        "Which category (colors/cryptos/tv/candies/board games)?"
    )


def test_s1_72_facts_are_read_by_rank_and_singly(memory: Memory) -> None:
    edit = memory.facts.set("favorite_colors", "Blue", 1, session="chat", project="p", external_id="m9")
    again = memory.facts.set("favorite_colors", "Blue", 1, session="chat", project="p", external_id="m9")
    assert edit == again
    assert memory.facts.get("colors", 1, session="chat") == edit.facts[0]
    assert memory.get(edit.facts[0].memory).metadata == {"via": "library", "message": "m9"}
    for rank in (2, None):
        with pytest.raises(NotFound) as missing:
            memory.facts.get("colors", rank, session="chat")
        assert missing.value.code == "fact_not_found"
    for call in (
        lambda: memory.facts.get("?!"),
        lambda: memory.facts.get("colors", 0),
        lambda: memory.facts.set("colors", "x", True),
        lambda: memory.facts.add("colors", "Blue"),
        lambda: memory.facts.add("colors", []),
        lambda: memory.facts.add("colors", [1]),  # type: ignore[list-item]
        lambda: memory.facts.set("colors", 1),  # type: ignore[arg-type]
        lambda: memory.facts.list("colors", limit=0),
        lambda: memory.ask("my favorite color?", limit=-1),
    ):
        with pytest.raises(InvalidInput):
            call()


def test_facts_are_there_for_asyncio(tmp_path: Path) -> None:
    async def use() -> str:
        async with AsyncMemory(tmp_path / "store.db") as memory:
            await memory.facts.add("colors", ["Blue", "Green"], project="p")
            answer: Answer = await memory.ask("my second favorite color?", project="p")
            return answer.text

    assert "**Green**" in asyncio.run(use())


def test_an_answer_names_the_agent_that_stated_a_fact(store: Store) -> None:
    person, agent = memory_on(store), memory_on(store, agent="coder")
    agent.facts.set("colors", "Mud", rank=1, project="p")
    answer = person.ask("What is my favorite color?", project="p").text
    assert answer == (
        "Your favorite color ranked first is **Mud**. [M1]\n[M1] was stated by agent:coder@ana, not by you."
    )
    say(person, COLORS)
    assert "stated by" not in person.ask("What is my favorite color?", project="p").text


@pytest.mark.parametrize("how", ["pin", "edit"])
def test_s4_53_an_agent_does_not_override_the_facts_of_a_message_that_a_person_pinned_or_edited(
    store: Store, how: str
) -> None:
    person, agent = memory_on(store), memory_on(store, agent="coder")
    (said,) = say(person, COLORS)
    if how == "pin":
        person.pin(said)
    else:
        person.revise(said, text=COLORS + ".")
    edits: dict[str, Callable[[], object]] = {
        "set": lambda: agent.facts.set("colors", "Red", rank=2, session="chat"),
        "replace": lambda: agent.facts.replace("colors", ["Red"], session="chat"),
        "move": lambda: agent.facts.move("colors", "Black", 1, session="chat"),
        "remove": lambda: agent.facts.remove("colors", "Green", session="chat"),
    }
    for edit in edits.values():
        with pytest.raises(Refusal) as caught:
            edit()
        assert caught.value.code == "edited_by_person"
    assert colors(person) == ["Blue", "Green", "Black"]
    agent.facts.add("colors", ["Red"], session="chat")
    agent.facts.set("colors", "Green", rank=2, session="chat")
    agent.facts.set("colors", "White", session="chat")
    agent.facts.set("colors", "Pink", session="chat")
    assert colors(person) == ["Blue", "Green", "Black", "Red"]
    person.facts.set("colors", "Gold", rank=2, session="chat")
    assert colors(person) == ["Blue", "Gold", "Black", "Red"]
