"""The router of facts: what it sends to facts, what it leaves to recall, the labelled sets (S1.24–S1.33)."""

from __future__ import annotations

from collections.abc import Callable

import hypothesis.strategies as st
import pytest
from hypothesis import given, settings

from holdfast.core.facts import QuestionType, Request
from holdfast.language.facts.phrases import read_words
from holdfast.language.facts.route import route
from holdfast.language.facts.topics import plural, singular_of, with_custom
from tests.cases import each
from tests.profiles import examples
from tools.evaluation.routing import PARTS, labelled, measure, topics_of

TOPICS = with_custom(
    {"books": ["novels"], "board games": [], "actors": [], "numbers": [], "days of the week": []}
)


def ordinal(topic: str | None, rank: int, from_end: bool = False) -> Request:
    return Request(QuestionType.ORDINAL, topic and f"favorite_{topic}", rank, from_end=from_end)


def best(topic: str) -> Request:
    return Request(QuestionType.BEST, f"favorite_{topic}", 1)


def least(topic: str) -> Request:
    return Request(QuestionType.LEAST, f"favorite_{topic}", 1, from_end=True)


def several(topic: str, rank: int | None = None, limit: int | None = None, from_end: bool = False) -> Request:
    return Request(QuestionType.LIST, f"favorite_{topic}", rank, limit, from_end)


def count(topic: str) -> Request:
    return Request(QuestionType.COUNT, f"favorite_{topic}")


@each(
    "text, request_",
    [
        ("What is my second favorite color?", ordinal("colors", 2)),
        ("my 3rd favorite candy", ordinal("candies", 3)),
        ("what's my #2 crypto", ordinal("cryptos", 2)),
        ("number 4 on my list of favorite shows", ordinal("tv", 4)),
        ("Who is my favorite actor?", best("actors")),
        ("what's my favorite color", best("colors")),
        ("which color do I like the most?", best("colors")),
        ("what's my preferred board game", best("board_games")),
        ("List my favorite colors", several("colors")),
        ("in what order did I rank the books?", several("books")),
        ("what are my top three cryptos?", several("cryptos", limit=3)),
        ("Wait a second, what is my favorite color?", best("colors")),
        ("what is my second favorite?", ordinal(None, 2)),
        ("what's in the number 5 spot?", ordinal(None, 5)),
        ("which book is at the top of my list?", ordinal("books", 1)),
        ("My favorite number, what is it?", best("numbers")),
        ("I told you my favorite book last week. What was it?", best("books")),
        ("I gave you six books. What's the sixth?", ordinal("books", 6)),
    ],
)
def test_s1_25_to_s1_28_what_is_routed_to_facts(text: str, request_: Request) -> None:
    assert route(text, TOPICS) == (request_,)


@each(
    "text, request_",
    [
        ("what's last on my list of books?", ordinal("books", 1, True)),
        (
            "who's at the bottom of my list of actors",
            ordinal("actors", 1, True),
        ),
        ("the second to last of my books?", ordinal("books", 2, True)),
        (
            "what is the penultimate book on my list",
            ordinal("books", 2, True),
        ),
        (
            "third from the bottom of my books list?",
            ordinal("books", 3, True),
        ),
        ("what's my least favorite book", least("books")),
        ("which book do I like the least?", least("books")),
        ("what are the last two on my books list?", several("books", None, 2, True)),
        ("my bottom three books", several("books", None, 3, True)),
        ("give me items 2 to 4 of my books list", several("books", 2, 4)),
        ("my third to fifth favorite books?", several("books", 3, 5)),
        ("show me #2-#4 on my list of books", several("books", 2, 4)),
        ("how many favorite books do I have?", count("books")),
        ("how many books did I rank?", count("books")),
    ],
)
def test_s1_25_and_s1_28_ends_ranges_and_counts(text: str, request_: Request) -> None:
    assert route(text, TOPICS) == (request_,)


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("my favorites: color, book and actor", [best("colors"), best("books"), best("actors")]),
        ("what's my favorite book and who's my favorite actor?", [best("books"), best("actors")]),
        ("my top 2 books, my bottom 2 actors", [several("books", None, 2), several("actors", None, 2, True)]),
        ("What are my favorite colors and books?", [several("colors"), several("books")]),
        ("what's my second... sorry, my third favorite book?", [ordinal("books", 3)]),
        ("numbers 2 and 4 on my list of books?", [ordinal("books", 2), ordinal("books", 4)]),
    ],
)
def test_s1_29_several_things_in_one_sentence(text: str, asked: list[Request]) -> None:
    assert route(text, TOPICS) == tuple(asked)


@each(
    "text",
    [
        "Wait a second, I need my keys", "issue #12", "first things first", "show me the code", "list files",
        "what are the tests doing", "TV show colors", "meet me at 10:30", "version 2.3",
        "What is your favorite color?",
        "what is my second favorite movie?", "My favorite color is blue", "paint it in my favorite color",
        "what was the last book I read?", "what was my first book", "how many books have I read?",
        "how many books do I have?", "the top 10 books of all time", "which book should I read first?",
        "what's my favorite zebra?", "who wrote my favorite book?", "sort my list of books",
        "print the last two books in the array", "what does my sister like best?",
        "translate: what is my favorite book?", "I ranked the books, third is Emma",
        "What is my favorite color called in French?", "what will be my next favorite book?",
    ],
)  # fmt: skip
def test_s1_26_and_s1_27_what_is_left_to_recall(text: str) -> None:
    assert route(text, TOPICS) == ()


@pytest.mark.parametrize(
    "text",
    [
        "waht is my second favorite book", "what is my secnd favorite book", "my second favuorite book?",
        "wht's my second favourit book", "wich book is second on my lsit?",
        "tell me teh second book on my list",
    ],
)  # fmt: skip
def test_s1_25_small_misspellings_are_understood(text: str) -> None:
    assert route(text, TOPICS) == (ordinal("books", 2),)


@each("word", ["seconds", "chat", "lost", "fist", "seventy", "banking", "numbers", "past", "hat"])
def test_a_word_that_exists_is_no_misspelling(word: str) -> None:
    assert [one.text for one in read_words(word, TOPICS)] == [word]


# sentences made of a frame, a rank and a topic


NOUNS = st.sampled_from([noun for topic in TOPICS.all for noun in topic.nouns if singular_of(noun) == noun])
RANKS = st.sampled_from(
    [("second", 2, False), ("3rd", 3, False), ("#4", 4, False), ("number five", 5, False),
     ("tenth", 10, False),
     ("bottom", 1, True), ("second to last", 2, True), ("third from last", 3, True), ("penultimate", 2, True)]
)  # fmt: skip
OPENINGS = st.sampled_from(
    ["", "hey, ", "ok so ", "Wait a second, ", "quick question: ", "I'm back. ", "First things first: ",
     "My wife is asking, ", "Issue #12 is closed, so ", "It is 10:30. ", "sorry, "]
)  # fmt: skip
ENDS = st.sampled_from([("top", False), ("first", False), ("last", True), ("bottom", True)])
FRAMES = st.sampled_from(
    ["what is {}", "what's {} again", "tell me {}", "can you tell me {}", "do you remember {}", "{}",
     "remind me what {} is", "I forgot {}", "could you please give me {}", "would you mind telling me {}"]
)  # fmt: skip
PHRASES = st.sampled_from(
    ["my {rank} favorite {noun}", "the {rank} {noun} on my list", "the {rank} of my favorite {many}"]
)
CLOSINGS = st.sampled_from(["?", "", " please", ", please?", " then?", ". Thanks!"])


@given(OPENINGS, FRAMES, PHRASES, RANKS, NOUNS, CLOSINGS)
@settings(max_examples=examples(300))
def test_s1_25_a_rank_is_understood_in_every_frame(
    opening: str, frame: str, phrase: str, rank: tuple[str, int, bool], noun: str, closing: str
) -> None:
    said, number, from_end = rank
    text = opening + frame.format(phrase.format(rank=said, noun=noun, many=plural(noun))) + closing
    topic = TOPICS.resolve(noun).key
    assert route(text, TOPICS) == (Request(QuestionType.ORDINAL, topic, number, from_end=from_end),), text


@given(OPENINGS, FRAMES, ENDS, st.integers(2, 9), NOUNS, CLOSINGS)
@settings(max_examples=examples(200))
def test_s1_28_a_slice_is_understood_in_every_frame(
    opening: str, frame: str, end: tuple[str, bool], count: int, noun: str, closing: str
) -> None:
    said, from_end = end
    text = opening + frame.format(f"the {said} {count} {plural(noun)} on my list") + closing
    asked = Request(QuestionType.LIST, TOPICS.resolve(noun).key, None, count, from_end)
    assert route(text, TOPICS) == (asked,), text


FALSE = st.sampled_from(
    ["your {rank} favorite {noun}", "Anna's {rank} favorite {noun}", "the {rank} {noun} in the array",
     "the {rank} {noun} of all time", "my brother's {rank} favorite {noun}", "the {rank} {noun} she liked",
     "the price of my {rank} favorite {noun}", "the history of my {rank} favorite {noun}",
     "my {rank} favorite {noun} in Spanish", "my {rank} favorite {noun} worth", "the {rank} {noun} I saw"]
)  # fmt: skip


@given(OPENINGS, FRAMES, FALSE, RANKS, NOUNS, CLOSINGS)
@settings(max_examples=examples(300))
def test_s1_27_a_false_friend_is_understood_in_no_frame(
    opening: str, frame: str, phrase: str, rank: tuple[str, int, bool], noun: str, closing: str
) -> None:
    text = opening + frame.format(phrase.format(rank=rank[0], noun=noun)) + closing
    assert route(text, TOPICS) == (), text


ABOUT = st.sampled_from(
    ["who made", "why do I like", "where can I buy", "when did I choose", "play", "buy", "remove",
     "is Anna fond of", "compare Emma with", "write about", "how old is", "add Emma to"]
)  # fmt: skip


@given(ABOUT, PHRASES, RANKS, NOUNS, CLOSINGS)
@settings(max_examples=examples(200))
def test_s1_27_what_is_asked_about_a_fact_is_not_the_fact(
    frame: str, phrase: str, rank: tuple[str, int, bool], noun: str, closing: str
) -> None:
    text = f"{frame} {phrase.format(rank=rank[0], noun=noun, many=plural(noun))}{closing}"
    assert route(text, TOPICS) == (), text


# questions with clauses around them


BEFORE = st.sampled_from(
    ["", "I'm filling in a form for the bank, ", "Before I forget, we never wrote it down: ",
     "I'm at the florist's and they close in five minutes - ", "The playlist is nearly done. ",
     "My sister keeps asking, so ", "It's 10:30, the second meeting is over, and I'm bored. ",
     "my phone died again but ", "Got a new laptop (finally!), ", "let's see if your memory works: ",
     "Anna says you can't know, ", "In other words, ", "Alright, last thing: ", "uhh ", "ok new paragraph "]
)  # fmt: skip
QUESTIONS = st.sampled_from(
    [("what's my favorite {noun}", best), ("tell me my second favorite {noun}", lambda t: ordinal(t, 2)),
     ("what's the third {noun} on my list", lambda t: ordinal(t, 3)),
     ("which {noun} is next to last on my list", lambda t: ordinal(t, 2, True)),
     ("which {noun} do I like least", least), ("what did I say my favorite {noun} was", best),
     ("my second favorite {noun} please", lambda t: ordinal(t, 2)),
     ("how many {many} are on my list", count), ("how many {many} does my list contain", count),
     ("could I have numbers 2 to 4 off my list of {many}", lambda t: several(t, 2, 4)),
     ("what are my top 3 {many}", lambda t: several(t, None, 3)), ("show me my list of {many}", several)]
)  # fmt: skip
AFTER = st.sampled_from(
    ["?", "", ", I need it for a form", " please, the waiter is waiting", ", I forgot",
     "? My husband's asking.",
     "? I want to know it tonight.", " so I can tell Anna", " because the bank wants to know",
     " (it's for a quiz)?", "? It's for a quiz.", ", she wants to know", " for the form", " before I go",
     ", no need to explain", ", or did I never tell you?", " if you still have it", " by now?", " out loud"]
)  # fmt: skip


@given(BEFORE, QUESTIONS, AFTER, NOUNS)
@settings(max_examples=examples(500))
def test_s1_25_a_complete_question_is_understood_between_other_clauses(
    before: str, question: tuple[str, Callable[[str], Request]], after: str, noun: str
) -> None:
    asked, expected = question
    text = before + asked.format(noun=noun, many=plural(noun)) + after
    topic = TOPICS.resolve(noun).key.removeprefix("favorite_")
    assert route(text, TOPICS) == (expected(topic),), text


NO_QUESTIONS = st.sampled_from(
    ["what's Anna's favorite {noun}", "tell me his second favorite {noun}",
     "what's the third {noun} on her list",
     "who made my favorite {noun}", "play my second favorite {noun}", "my favorite {noun} is Heat",
     "is Heat my favorite {noun}", "what's my favorite zebra", "my second favorite zebra, which one was it",
     "add Heat to my list of {many}", "remove the second {noun} from my list",
     "change my favorite {noun} to Heat",
     "what's the price of my favorite {noun}", "why is my favorite {noun} so long",
     "I told Anna my favorite {noun}",
     "what should my favorite {noun} be", "the last {noun} I saw, which one was it",
     "my brother's favorite {noun}, any idea", "the team's top 3 {many} please",
     "I changed my favorite {noun}",
     "my second favorite {noun} is wrong", "if I drop Heat, what's my favorite {noun}",
     "suppose I drop Heat, what's my second favorite {noun}",
     "how do you say in German: what's my favorite {noun}",
     "the teacher said: what is my favorite {noun}"]
)  # fmt: skip


@given(BEFORE, NO_QUESTIONS, AFTER, NOUNS)
@settings(max_examples=examples(500))
def test_s1_27_no_clause_makes_a_question_of_what_is_none(
    before: str, said: str, after: str, noun: str
) -> None:
    text = before + said.format(noun=noun, many=plural(noun)) + after
    assert route(text, TOPICS) == (), text


@each(
    "text",
    [
        "My favorite book? Probably Heat.", "what's my favorite book? It's Heat.",
        "My top three books? Heat, It.",
        "My favorite book? I'd say Heat", "My second favorite book? That would be Heat.",
        "what's my favorite book? Heat!", "And my favorite book? Heat, hands down.",
        "my favorite book is Hello", "I love Heat, my favorite book.",
    ],
)  # fmt: skip
def test_s1_27_a_question_that_its_speaker_answers_is_none(text: str) -> None:
    assert route(text, TOPICS) == ()


@each(
    "text, asked",
    [
        ("The form wants my favorite book, what did I tell you it was?", [best("books")]),
        ("My son wants to know what my favorite book is, can you tell him?", [best("books")]),
        ("I need my two favorite books for the site, what are they?", [several("books", None, 2)]),
        ("last two actors on my list, who are they", [several("actors", None, 2, True)]),
        ("How many books are on my list and which one is first?", [count("books"), ordinal("books", 1)]),
        ("my favorite and least favorite book", [best("books"), least("books")]),
        (
            "what's at the top and at the bottom of my books list",
            [ordinal("books", 1), ordinal("books", 1, True)],
        ),
        ("my top 3 books and actors", [several("books", None, 3), several("actors", None, 3)]),
        ("What's my favorite book? And actor?", [best("books"), best("actors")]),
        ("Remember my list of books? What's third on it?", [ordinal("books", 3)]),
        ("Anna ranked her books. Which one is second?", []),
        ("My brother's favorite actor is Ben. Which one is second?", []),
        ("my favorite actor has a new book, what is it?", []),
        ("The price of my favorite book, what is it?", []),
    ],
)
def test_s1_29_what_was_named_before_is_asked_for(text: str, asked: list[Request]) -> None:
    assert route(text, TOPICS) == tuple(asked)


# the labelled sets


def test_the_labelled_set_is_large_enough_and_no_utterance_stands_in_two_parts() -> None:
    parts = [[text.lower() for _, text in labelled(part)] for part in PARTS]
    assert sum(map(len, parts)) >= 400
    together = [text for texts in parts for text in texts]
    assert len(set(together)) == len(together)
    for part in PARTS:
        asked = sum(label != "-" for label, _ in labelled(part))
        assert 0.3 < asked / len(labelled(part)) < 0.7
    assert "favorite_dog_breeds" in topics_of("tuned_topics")


@pytest.mark.parametrize("part", PARTS)
def test_the_router_is_right(part: str) -> None:
    """Precision of at least 0.99 and recall of at least 0.95, on each part of docs/measured/facts.md."""
    result = measure(part)
    assert result.precision >= 0.99, result.wrong
    assert result.recall >= 0.95, result.wrong
