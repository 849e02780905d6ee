"""Sameness: no false merge or contradiction on the labelled pairs, and rules that hold for any text."""

from __future__ import annotations

import re
from collections import Counter

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from holdfast.language.statements.compare import STATEMENT_MAX, Comparison, Verdict, compare
from tests.growth import grows_at_most
from tests.unit.sameness_pairs import Pair, load

PAIRS = load()
PARTS = ("development", "held-out")

NAMES = ("Ada", "Bram", "Chidi", "Ida", "Uma", "Acme", "Globex", "Berlin", "Lisbon")
THINGS = ("parser", "gateway", "lighthouse", "importer", "billing service", "cache", "nightly report")
VERBS = (
    "keeps",
    "calls",
    "owns",
    "waits for",
    "depends on",
    "reviews",
    "replaces",
    "is kept by",
    "is owned by",
)
IDENTIFIERS = (
    "user_id",
    "src/auth/login.py",
    "loadUser()",
    "--dry-run",
    "eu-west-1",
    "`parse_date`",
    "v1.2.3",
)

sentences = st.builds(
    lambda name, verb, thing, place, number: f"{name} {verb} the {thing} {place} in room {number}.",
    st.sampled_from(NAMES),
    st.sampled_from(VERBS),
    st.sampled_from(THINGS),
    st.sampled_from(IDENTIFIERS),
    st.integers(0, 9999),
)
statements = st.one_of(sentences, st.sampled_from([text for pair in PAIRS for text in (pair.old, pair.new)]))
texts = st.one_of(st.text(max_size=300), statements)


def verdicts(part: str) -> Counter[tuple[str, str]]:
    return Counter((p.expected, str(compare(p.old, p.new).verdict)) for p in PAIRS if p.part == part)


def share(counts: Counter[tuple[str, str]], label: str) -> float:
    return counts[label, label] / sum(n for (expected, _), n in counts.items() if expected == label)


# --- the labelled pairs


def test_s4_24_the_labelled_set_is_large_and_mixed() -> None:
    assert len(PAIRS) >= 260
    assert len({(p.old, p.new) for p in PAIRS}) == len(PAIRS)
    for part in PARTS:
        counts = Counter(p.expected for p in PAIRS if p.part == part)
        assert set(counts) == {str(v) for v in Verdict}
        assert min(counts.values()) >= 30


def false(verdict: Verdict) -> list[Pair]:
    return [p for p in PAIRS if p.expected != verdict and compare(p.old, p.new).verdict is verdict]


def test_s4_24_no_false_merge() -> None:
    assert false(Verdict.SAME) == []


def test_s4_24_no_false_merge_when_the_order_of_arrival_is_reversed() -> None:
    wrong = [p for p in PAIRS if p.expected != "same" and compare(p.new, p.old).verdict is Verdict.SAME]
    assert wrong == []


def test_s4_25_no_false_contradiction() -> None:
    assert false(Verdict.CONTRADICTS) == []


@pytest.mark.parametrize(
    ("part", "same", "contradicts"),
    [("development", 0.84, 0.93), ("held-out", 0.78, 0.80)],
)
def test_s4_24_s4_25_what_is_recognised(part: str, same: float, contradicts: float) -> None:
    counts = verdicts(part)
    print(f"{part}: same {share(counts, 'same'):.3f}, contradicts {share(counts, 'contradicts'):.3f}")
    assert share(counts, "same") >= same
    assert share(counts, "contradicts") >= contradicts


@pytest.mark.parametrize("similarity", [-1.0, 0.0, 0.5, 0.92, 0.999, 1.0, float("nan")])
def test_s4_24_similarity_never_makes_a_verdict(similarity: float) -> None:
    for pair in PAIRS:
        alone = compare(pair.old, pair.new)
        told = compare(pair.old, pair.new, similarity=similarity)
        assert told == alone or (alone.verdict is Verdict.CONTRADICTS and told.verdict is Verdict.DIFFERENT)
        if similarity > 0.5:
            assert told == alone


def test_s4_25_a_contradiction_tells_what_changed() -> None:
    assert compare("use tabs", "use spaces") == Comparison(Verdict.CONTRADICTS, "'tabs' became 'spaces'")
    assert compare("The timeout is 30 seconds.", "the timeout is 45 seconds").reason == "'30' became '45'"
    assert compare("I live in New York", "I live in New Orleans").reason == "'York' became 'Orleans'"
    assert (
        compare("We deploy on Fridays", "We don't deploy on Fridays").reason
        == "what was stated is now denied"
    )


def test_s4_25_a_text_of_two_sentences_may_change_in_one_only() -> None:
    old = "The gateway is written in Go. The request timeout is 30 seconds."
    assert compare(old, old.replace("30", "60")).verdict is Verdict.CONTRADICTS
    assert compare(old, old.replace("30", "60").replace("Go", "Rust")).verdict is Verdict.DIFFERENT


# --- what holds for any text


@given(texts)
def test_s4_24_a_text_is_the_same_as_itself(text: str) -> None:
    assert compare(text, text).verdict is Verdict.SAME
    assert compare(text, f" {text} ").verdict is Verdict.SAME or "\n" in text


@given(st.text(), st.text())
def test_any_two_strings_are_compared_without_an_error(old: str, new: str) -> None:
    assert compare(old, new).reason


@given(
    st.lists(st.sampled_from([*"`'\"«»“”.,;:!?()[]{}=-+@#%&/\\\n\t 1aA", "the ", "not ", "a ", "am ", "10 "]))
)
def test_any_heap_of_signs_is_compared_without_an_error(parts: list[str]) -> None:
    text = "".join(parts)
    assert compare(text, "We use tabs. " + text).reason
    assert compare("We use tabs " + text, "We use spaces " + text).reason


@given(statements, statements)
def test_s4_24_same_is_symmetric(old: str, new: str) -> None:
    there, back = compare(old, new).verdict, compare(new, old).verdict
    assert (there is Verdict.SAME) == (back is Verdict.SAME)


def test_s4_24_same_is_symmetric_on_the_pairs() -> None:
    same = [p for p in PAIRS if compare(p.old, p.new).verdict is Verdict.SAME]
    assert [p for p in same if compare(p.new, p.old).verdict is not Verdict.SAME] == []


@given(statements, st.integers(1, 9), st.data())
def test_s4_24_another_digit_is_never_the_same(text: str, shift: int, data: st.DataObject) -> None:
    places = [m.start() for m in re.finditer("[0-9]", text)]
    assume(places)
    at = data.draw(st.sampled_from(places))
    other = text[:at] + str((int(text[at]) + shift) % 10) + text[at + 1 :]
    assert compare(text, other).verdict is not Verdict.SAME


@given(sentences, st.sampled_from(NAMES))
def test_s4_24_another_name_is_never_the_same(text: str, name: str) -> None:
    assume(not text.startswith(name))
    other = name + text[text.index(" ") :]
    assert compare(text, other).verdict is not Verdict.SAME


@given(sentences, st.sampled_from(IDENTIFIERS), st.data())
def test_s4_24_an_identifier_that_differs_in_one_character_is_never_the_same(
    text: str, identifier: str, data: st.DataObject
) -> None:
    letters = [n for n, sign in enumerate(identifier) if sign.isalnum()]
    at = data.draw(st.sampled_from(letters))
    sign = data.draw(st.sampled_from("abcXYZ019"))
    assume(sign != identifier[at])
    old = f"{text[:-1]} with {identifier}"
    new = f"{text[:-1]} with {identifier[:at]}{sign}{identifier[at + 1 :]}"
    assert compare(old, new).verdict is not Verdict.SAME


@given(statements, st.sampled_from(["not", "never", "no", "only", "all", "some", "if", "unless"]), st.data())
def test_s4_24_one_more_word_of_weight_is_never_the_same(text: str, word: str, data: st.DataObject) -> None:
    row = text.split(" ")
    at = data.draw(st.integers(0, len(row)))
    assert compare(text, " ".join([*row[:at], word, *row[at:]])).verdict is not Verdict.SAME


@given(st.sampled_from(NAMES), st.sampled_from(NAMES), st.sampled_from(VERBS))
def test_s4_24_the_direction_counts(one: str, other: str, verb: str) -> None:
    assume(one != other)
    assert compare(f"{one} {verb} {other}", f"{other} {verb} {one}").verdict is not Verdict.SAME


@pytest.mark.parametrize(
    "piece",
    [
        "a",
        "a ",
        "a. ",
        "a-",
        "a/",
        "'s",
        "'a ",
        '"',
        "` ",
        "(",
        "([{",
        "the ",
        "not ",
        "and, ",
        "1,",
        "Ada ",
        "\n",
        "你 ",
    ],
)
def test_a_hostile_text_takes_time_in_proportion_to_its_length(piece: str) -> None:
    def read(size: int) -> None:
        text = piece * (size // len(piece))
        compare(text + "x", text + "y")

    # Eight times the text: 8 when linear, 64 when quadratic.
    for size in (STATEMENT_MAX - 8, 1_024_000):
        assert grows_at_most(read, size // 8, size, factor=32, floor=1e-4)


def test_s4_24_a_text_too_long_for_a_statement_is_the_same_only_word_for_word() -> None:
    """Documents are not read word by word: that would cost more with each that is kept."""
    sentences = [f"Lighthouse {n} stands on the coast of the northern isles" for n in range(200)]
    for count, told in ((20, Verdict.CONTRADICTS), (200, Verdict.DIFFERENT)):
        before = [*sentences[:count], "The retry limit is 3"]
        text = ". ".join(before)
        assert (len(text) > STATEMENT_MAX) == (count == 200)
        assert compare(text, ". ".join([*before[:-1], "The retry limit is 5"])).verdict is told
        assert compare(text, text.replace(" ", "  ")).verdict is Verdict.SAME


def test_s4_24_two_notes_that_share_their_words_are_told_apart_without_being_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def read(_old: str, _new: str) -> None:
        raise AssertionError("it was read")

    monkeypatch.setattr("holdfast.language.statements.compare.read", read)
    words = "harbour crane tide winter ledger pilot".split()
    one, other = (" ".join(w for n, w in enumerate(words) for _ in range(1 + (n + k) % 6)) for k in (0, 3))
    assert {*one.split()} == {*other.split()}
    assert compare(f"{one} {one}", f"{other} {other}").verdict is Verdict.DIFFERENT


def test_s4_24_other_languages_are_the_same_only_when_equal() -> None:
    for pair in PAIRS:
        if pair.topic == "other languages":
            assert (compare(pair.old, pair.new).verdict is Verdict.SAME) == (pair.expected == "same")
            assert compare(pair.old, pair.new).verdict is not Verdict.CONTRADICTS
