"""What recall reads from texts and questions: headings of code, times in a question, repetitions."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.core.headings import LONGEST, heading_of
from holdfast.core.times import DAY
from holdfast.features.recall.diversity import Candidate, diversify
from holdfast.language.dates.points import Period
from holdfast.language.dates.read import periods_in
from holdfast.language.terms import emphasis, query_terms, term_of
from tests.cases import each

NOW = round(datetime(2023, 11, 21, 12, tzinfo=UTC).timestamp() * 1000)


@each(
    "text, heading",
    [
        ('def load(path):\n    """Reads a file.\n\n    Slowly.\n    """', "load Reads a file."),
        ("@cached\nasync def load(path):\n    # Reads it once\n    pass", "load Reads it once"),
        ("export async function loadUser(id: string) {\n  // Loads a user\n", "loadUser Loads a user"),
        ("// Serves one request.\nfunc (s *Server) Handle(w Writer) error {", "Handle Serves one request."),
        ("pub(crate) fn parse(x: &str) -> u8 {", "parse"),
        ("/** Adds two. */\npublic static int add(int a, int b) {", "add Adds two."),
        ("class Cart:\n    '''What will be bought.'''", "Cart What will be bought."),
        ("# Deploying\n\nRun make.", "Deploying"),
        ("type of thing we talk about", None),
        ("class is at nine", None),
        ("Let us define the plan.", None),
        ("", None),
    ],
)  # fmt: skip
def test_the_heading_of_code_and_documents(text: str, heading: str | None) -> None:
    assert heading_of(text) == heading


@given(st.text(max_size=300) | st.text("#/*@\n def(){}\"' ", max_size=300))
def test_a_heading_is_short_or_nothing(text: str) -> None:
    heading = heading_of(text)
    assert heading is None or 0 < len(heading) <= LONGEST


@each(
    "question, first_day, days",
    [
        ("what did we do last week?", "2023-11-13", 7),
        ("What did Ann say on May 3, 2023?", "2023-05-03", 1),
        ("on 3rd of May 2023", "2023-05-03", 1),
        ("in May 2023", "2023-05-01", 31),
        ("what happened in September", "2023-09-01", 30),
        ("since 2023-11-08", "2023-11-08", 14),
        ("what happened since yesterday", "2023-11-20", 2),
        ("after last week", "2023-11-20", 2),
        ("three days ago today", "2023-11-18", 1),
        ("during 2022", "2022-01-01", 365),
        ("yesterday", "2023-11-20", 1),
        ("two weeks ago", "2023-11-04", 7),
        ("in the past three months", "2023-08-21", 93),
        ("last Friday", "2023-11-17", 1),
        ("last month", "2023-10-01", 31),
        ("2023年5月8日说了什么", "2023-05-08", 1),
        ("昨天说了什么", "2023-11-20", 1),
    ],
)
def test_times_in_a_question(question: str, first_day: str, days: int) -> None:
    last = periods_in(question, NOW)[-1]
    start = datetime.fromtimestamp(last.start / 1000, UTC).date().isoformat()
    assert (start, (last.end - last.start) // DAY) == (first_day, days)


@each(
    "question",
    [
        "what may I do",
        "march on",
        "version 3.12",
        "in May 2031",
        "30 February 2023",
        "the last straw",
        "before May 2022",
        "the last year of the contract",
        "the last minute of the call",
    ],
)
def test_what_only_looks_like_a_time(question: str) -> None:
    assert periods_in(question, NOW) == ()


@given(
    st.text(max_size=100) | st.from_regex(r"(last|\d{1,4}|in|may|weeks|ago|the past|-){1,6}"),
    st.integers(0, 2**41),
)
def test_any_question_is_read(question: str, now: int) -> None:
    assert all(period.start < period.end and period.start <= now for period in periods_in(question, now))


def test_nearness_is_whole_inside_and_fades_outside() -> None:
    period = Period(10 * DAY, 12 * DAY)
    near = period.nearness(np.array([10 * DAY, 12 * DAY - 1, 14 * DAY - 1, 8 * DAY, 100 * DAY]))
    assert near[:2].tolist() == [1.0, 1.0]
    assert near[2:4] == pytest.approx([0.5, 0.5])
    assert near[4] < 1e-6


def candidate(text: str, speaker: str = "Ann") -> Candidate:
    return Candidate(text, text, speaker)


def test_repetitions_go_behind_and_novelty_can_count() -> None:
    hits = [candidate("a b c d"), candidate("a b c d"), candidate("a b c e"), candidate("x y")]
    scores = [1.0, 0.99, 0.9, 0.5]
    assert diversify(scores, hits, mmr=1.0, limit=9) == [0, 2, 3, 1]
    assert diversify(scores, hits, mmr=0.3, limit=9) == [0, 3, 2, 1]


LONG = (
    "The staging gateway of the payment team listens on port 8080 and is reached through the proxy in Kiel by"
    " everybody who has asked for a key in the last quarter and is not a contractor."
)


@pytest.mark.parametrize(
    ("other", "is_repeated"),
    [
        (candidate(LONG.replace("The staging", "the  staging").removesuffix(".")), True),
        (candidate(LONG.replace("8080", "8081")), False),
        (candidate(LONG.replace("is not a", "is a")), False),
        (candidate(LONG.replace("Kiel", "Bonn")), False),
        (candidate(LONG, speaker="Bob"), False),
        (Candidate(LONG + " And more follows.", LONG, "Ann"), False),
    ],
)
def test_only_what_says_the_same_is_a_repetition(other: Candidate, is_repeated: bool) -> None:
    hits = [candidate(LONG), other, candidate("Something else.")]
    assert diversify([1.0, 0.9, 0.1], hits, mmr=1.0, limit=9) == ([0, 2, 1] if is_repeated else [0, 1, 2])


@given(st.lists(st.tuples(st.floats(0.01, 1), st.text("ab ", max_size=6)), max_size=8), st.floats(0, 1))
def test_every_hit_is_given_once_but_what_two_others_say(hits: list[tuple[float, str]], mmr: float) -> None:
    hits = sorted(hits, key=lambda hit: -hit[0])
    scores, texts = [score for score, _ in hits], [candidate(text) for _, text in hits]
    order = diversify(scores, texts, mmr=mmr, limit=9)
    assert len(set(order)) == len(order)
    said = [tuple(word for word in hit.text.split() if word != "a") or hit.text for hit in texts]
    assert Counter(said[i] for i in order) == {one: min(count, 2) for one, count in Counter(said).items()}
    assert all(diversify(scores, texts, mmr=mmr, limit=n) == order[:n] for n in range(1, 9))


def marginal(scores: list[float], texts: list[str], mmr: float) -> list[int]:
    """Returns the order of maximal marginal relevance, as its definition says it."""
    words = [set(text.lower().split()) for text in texts]

    def value(i: int, chosen: list[int]) -> float:
        likeness = max(len(words[i] & words[c]) / max(len(words[i] | words[c]), 1) for c in chosen)
        return mmr * scores[i] / (scores[0] or 1.0) - (1 - mmr) * likeness

    order = [0]
    while rest := [i for i in range(len(texts)) if i not in order]:
        order.append(max(rest, key=lambda i: value(i, order)))
    return order


@given(
    st.lists(st.integers(0, 90), min_size=3, max_size=7),
    st.lists(
        st.text("aAbBcd ", max_size=9),
        min_size=7,
        max_size=7,
        unique_by=lambda text: frozenset(text.lower().split()),
    ),
    st.sampled_from([0.0, 0.125, 0.25, 0.5, 0.75, 0.875]),
)
def test_novelty_is_maximal_marginal_relevance(scores: list[int], texts: list[str], mmr: float) -> None:
    """Texts without words come in once, so that no hit repeats another."""
    ranked = sorted((score / 10 for score in scores), reverse=True)
    hits = [candidate(text, speaker=str(i)) for i, text in enumerate(texts[: len(ranked)])]
    expected = marginal(ranked, [hit.text for hit in hits], mmr)
    assert diversify(ranked, hits, mmr=mmr, limit=9) == expected
    assert diversify([8 * score for score in ranked], hits, mmr=mmr, limit=3) == expected[:3]


def test_words_are_weighed_by_their_terms() -> None:
    question = "What is the configFile of Ann?"
    terms = query_terms(question)
    weights = [0.25 if term == term_of("ann") else 1.0 for term in terms]
    assert emphasis(question, terms, weights) == {"configfile": 1.0, "ann": 0.5}
