"""Words: what a text is found by."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import holdfast.language.terms as words_module
from holdfast.language.terms import (
    MAX_TERM,
    TITLE_WEIGHT,
    Terms,
    idf,
    query_terms,
    saturated,
    term_of,
    terms_of,
    terms_of_all,
    words_of,
)
from tests.cases import each
from tests.growth import costs_at_most, grows_at_most
from tests.profiles import examples


@each(
    "text, words",
    [
        ("Running tests", ["run", "test"]),
        ("auth_service", ["auth", "servic", "auth_service"]),
        ("parseHTTPResponse", ["pars", "http", "respons", "parsehttpresponse"]),
        ("src/auth/login_test.py", ["src", "auth", "login", "test", "py", "src/auth/login_test.py"]),
        ("release v2.10.3", ["releas", "v", "2", "10", "3", "v2.10.3"]),
        ("port 8080", ["port", "8080"]),
        ("2023-05-07", ["2023", "05", "07", "2023-05-07"]),
        ("Caroline's and the boys’ dog", ["carolin", "and", "the", "boy", "dog"]),
        ("they don't", ["they", "don"]),
        ("C++ and C#", ["c", "and", "c"]),
        ("naïve Café", ["naïv", "café"]),
        ("ＡＰＩ", ["api"]),
        ("東京都", ["東", "京", "都", "東京", "京都"]),
        ("Tokyo東京", ["tokyo", "東", "京", "東京"]),
        ("서울", ["서", "울", "서울"]),
        ("", []),
        ("... !?", []),
    ],
)
def test_s2_28_words_of(text: str, words: list[str]) -> None:
    assert words_of(text) == words


@given(st.text(st.characters(max_codepoint=127), max_size=80))
def test_a_text_of_ascii_alone_is_read_like_any_other(text: str) -> None:
    beside_an_accent = Counter(words_of(f"{text} é"))
    assert beside_an_accent - Counter(["é"]) == Counter(words_of(text))


@given(st.text(max_size=120), st.text(max_size=20), st.lists(st.text(max_size=12), max_size=3))
def test_terms_count_the_words_of_all_fields(text: str, title: str, others: list[str]) -> None:
    expected = Counter(map(term_of, words_of(text)))
    for word in words_of(title):
        expected[term_of(word)] += TITLE_WEIGHT
    for other in others:
        expected.update(map(term_of, words_of(other)))
    terms = terms_of(text, title, others)
    assert dict(zip(terms.ids.tolist(), terms.counts.tolist(), strict=True)) == expected
    assert terms.ids.tolist() == sorted(expected)
    assert terms.length == expected.total()


CODE = st.text("aAbZstdmrevl09''_.-/:@#+ \n(\"é中", max_size=60)
FIELDS = st.tuples(CODE | st.text(max_size=60), st.none() | CODE, st.lists(CODE, max_size=2))


@settings(max_examples=examples(300))
@given(st.lists(FIELDS, max_size=5), st.sampled_from([0, 40, 1 << 20]))
def test_terms_are_the_same_among_many_texts(fields: list[words_module.Fields], together: int) -> None:
    """S2.28: alone a text is read by patterns, among others by the classes of its bytes: it is the same."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(words_module, "LITTLE", 0)
        patch.setattr(words_module, "AT_ONCE", together)
        assert terms_of_all(fields) == [terms_of(*field) for field in fields]


def test_long_words_are_told_apart_among_many() -> None:
    long = [f"{'x' * 63}{end} {'y1' * 40}{end} a_{'b' * 90}{end} c_d{'+' * 70}{end}" for end in "pqq"]
    fields = [(f"{text} " * 60, None, ()) for text in long]
    assert terms_of_all(fields) == [terms_of(*field) for field in fields]


@given(st.text(max_size=120))
def test_terms_survive_storing_and_reading_again(text: str) -> None:
    terms = terms_of(text)
    assert Terms.from_bytes(terms.to_bytes()) == terms
    assert terms_of(text) == terms


def test_repeats_beyond_255_count_as_255() -> None:
    assert terms_of("tick " * 300).counts.tolist() == [255]


def test_only_the_beginning_of_a_word_without_end_counts() -> None:
    assert words_of("x" * 200) == ["x" * MAX_TERM]


def test_many_distinct_words_do_not_change_what_earlier_ones_mean() -> None:
    before = terms_of("the gateway times out")
    for start in range(0, 40_000, 1_000):
        terms_of(" ".join(f"w{i}x" for i in range(start, start + 1_000)))
    assert terms_of("the gateway times out") == before
    many = [(f"q{i}z is new", None, ()) for i in range(70_000)]
    assert terms_of_all(many)[-1] == terms_of(*many[-1])


def test_s2_28_a_question_is_asked_without_its_stop_words() -> None:
    assert query_terms("What did we decide about the sessions?") == query_terms("decide sessions")
    assert query_terms("who are you") != ()
    assert query_terms("port port PORT") == query_terms("port")
    assert query_terms("?!") == ()
    assert query_terms("Was meine Oma über den Garten sagt") == query_terms("Oma Garten sagt")
    assert query_terms("What did Jack Welch say about the war?") == query_terms("Jack Welch say war")
    assert query_terms("Was habe ich über Herrn Öztürk gesagt?") == query_terms("Herrn Öztürk gesagt")
    assert query_terms("Und wie?") != ()
    assert len(query_terms("the MIT bin, die hard")) == 4


def test_a_rare_word_weighs_more_and_a_long_text_counts_less() -> None:
    assert idf(1, 100) > idf(50, 100) > idf(100, 100) > 0
    counts = np.array([1, 2, 50, 1], np.float32)
    lengths = np.array([10, 10, 10, 100], np.float32)
    shares = saturated(counts, lengths, 10.0).tolist()
    assert shares[3] < shares[0] < shares[1] < shares[2] < 2.2


@pytest.mark.parametrize("use", [terms_of, query_terms])
@pytest.mark.parametrize(
    "unit", ["\u0301\u0323", "\uff9e\u0301", "\u0f73\u0f81", "a\u0301\u0323", "㌖", "1-", "中"]
)
def test_s2_28_time_grows_with_the_length_of_hostile_text(use: Callable[[str], object], unit: str) -> None:
    text = unit * 8_000
    assert grows_at_most(
        lambda count: use(text[: len(unit) * count]), 1_000, 8_000, factor=32, floor=5e-4
    )  # 8 is linear, 64 quadratic


@pytest.mark.parametrize("use", [terms_of, query_terms])
@pytest.mark.parametrize("char", ["\ufdfa", "\ufdfb"])
def test_s2_28_a_character_that_stands_for_a_phrase_costs_no_more_than_a_word(
    use: Callable[[str], object], char: str
) -> None:
    """NFKC makes 18 characters of U+FDFA: a hundred thousand of them took over a second."""
    ordinary = " ".join(f"é{number}" for number in range(4_000))
    phrases = char * len(ordinary)
    assert costs_at_most(lambda: use(phrases), lambda: use(ordinary), factor=3, floor=0)


def test_s2_28_the_sign_for_a_phrase_is_found_by_itself() -> None:
    assert query_terms("\ufdfa") == (term_of("\ufdfa"),)
    assert words_of("abc \ufdfa") == ["abc", "\ufdfa"]
