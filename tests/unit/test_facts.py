"""Facts in the domain: lists in texts, topics, editing, routing, the labelled set (S1.12–S1.38)."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import hypothesis.strategies as st
import pytest
from hypothesis import given, settings

from holdfast.core.errors import InvalidInput
from holdfast.core.facts import LAST, Act, QuestionType, Request, Stated, Statement
from holdfast.language.facts import notation
from holdfast.language.facts.boards import boards
from holdfast.language.facts.lists import folded, nearest
from holdfast.language.facts.route import route
from holdfast.language.facts.sentences import pre_clean
from holdfast.language.facts.statements import may_state, statements_of
from holdfast.language.facts.topics import BUILT_IN, canonical, plural, singular, with_custom
from holdfast.language.facts.values import clean_value, items_of, marked_values
from holdfast.language.facts.words import word_of_rank
from tests.cases import each
from tests.growth import grows_at_most
from tests.profiles import examples


@each(
    "text, pairs",
    [
        ("1) Blue, 2) Green, 3) Black", [(1, "Blue"), (2, "Green"), (3, "Black")]),
        ("2. Green\n1. Blue", [(1, "Blue"), (2, "Green")]),
        ("1: Blue\n2: Green", [(1, "Blue"), (2, "Green")]),
        ("#1 XMR, #2 BTC", [(1, "XMR"), (2, "BTC")]),
        ("1) A 2) B 3) C", [(1, "A"), (2, "B"), (3, "C")]),
        ("first: Red, second: Tan\ntenth: Lime", [(1, "Red"), (2, "Tan"), (10, "Lime")]),
        ("1) Love, Death & Robots\n2) Dr. Who", [(1, "Love, Death & Robots"), (2, "Dr. Who")]),
        ("1) Blue, 1) Red", [(1, "Blue")]),
        ("1) Area 51. It is far", [(1, "Area 51")]),
        ("0) None, 1) Blue", [(1, "Blue")]),
        ("1) Blue [M1], 2) Green [M1, M2], 3) Black M3", [(1, "Blue"), (2, "Green"), (3, "Black")]),
        ("1) M1, 2) ##, 3) Model: x, 4) ", []),
    ],
)
def test_s1_12_to_s1_16_ranked_lists(text: str, pairs: list[tuple[int, str]]) -> None:
    assert sorted(marked_values(pre_clean(text), in_lines="\n" in text)) == pairs


@pytest.mark.parametrize(
    "text",
    ["at 10:30 and 3.5 times", "v1.2.3 and 2.0", "on 12.05.2025 at 9:15", "It costs 3.50. Fine", "issue #12"],
)
def test_s1_16_times_decimals_versions_and_dates_are_no_ranks(text: str) -> None:
    assert statements_of(f"I like my favorite colors {text}.", BUILT_IN) == ()


def test_s1_13_headings_models_and_footers_are_dropped() -> None:
    text = "## Colors\nModel: gpt\n1) Blue [1]\n12 Dec 2025\n#1 Red"
    assert pre_clean(text) == "1) Blue \n#1 Red"


def stated_in(text: str) -> list[Statement]:
    """What a text states, without the sentences that change a list if there is one."""
    return [one for one in statements_of(text, BUILT_IN) if one.act is not Act.CHANGE]


def ranked(text: str) -> list[tuple[int | None, str]]:
    return [(one.rank, one.value) for one in stated_in(text)]


@pytest.mark.parametrize(
    "marked",
    [
        "1) Blue, 2) Green",
        "1. Blue, 2. Green",
        "1: Blue, 2: Green",
        "#1 Blue, #2 Green",
        "first: Blue, second: Green",
        "1) Blue\n2) Green",
    ],
)
def test_s1_14_every_marker_of_a_rank_is_read(marked: str) -> None:
    assert ranked(f"My favorite colors: {marked}") == [(1, "Blue"), (2, "Green")]


@each(
    "text",
    [
        "My favorite colors are not 1) Black, 2) Grey",
        "My favorite colors aren’t 1) Black, 2) Grey",
        "My favorite colors are no longer 1) Black, 2) Grey",
        "My favorite colors were 1) Black, 2) Grey",
        "Back then my favorite colors used to be:\n1) Black\n2) Grey",
        "Am I right that my favorite colors are 1) Black, 2) Grey",
        "Can you verify that my favorite colors are 1) Black, 2) Grey",
        "Imagine that my favorite colors are:\n1) Black\n2) Grey",
        "If my favorite colors are 1) Black, 2) Grey, what should I wear",
        "What are my favorite colors? 1) Black 2) Grey",
        "Do you remember my favorite colors?\n1) Black\n2) Grey",
        "For example, my favorite colors are 1) Black, 2) Grey",
        "Translate: my favorite colors are 1) Black, 2) Grey",
        "Are my favorite colors 1) Black, 2) Grey?",
        "My favorite colors are 1) Black, 2) Grey, right",
        "My favorite colors are 1) Black, 2) Grey, isn't it",
        "My favorite colors are 1) Black, 2) Grey if I were you",
        "He said my favorite colors are 1) Black, 2) Grey",
        "My ex claimed my favorite colors are 1) Black, 2) Grey",
        "I hate it when people say my favorite colors are 1) Black, 2) Grey",
        "The user says: my favorite colors are 1) Black, 2) Grey",
        "My favorite colors are 1) Black, 2) Grey, said Tom.",
        "I lied: my favorite colors are 1) Black, 2) Grey",
        "Don’t save this: my favorite colors are 1) Black, 2) Grey",
        "Forget that my favorite colors are 1) Black, 2) Grey",
        "In the story, my favorite colors are 1) Black, 2) Grey",
        "Write a short poem where my favorite colors are 1) Black, 2) Grey",
        "Act as a pirate. My favorite colors are 1) Black, 2) Grey",
        "When I was a child my favorite colors: 1) Black, 2) Grey",
        "Last year, my favorite colors: 1) Black, 2) Grey",
        "My favorite colors are 1) Black, 2) Grey is false.",
        "My favorite colors are 1) Black, 2) Grey. Just kidding!",
        "My favorite colors are:\n1) Black\n2) Grey\nbut not any more",
        "My favorite colors are:\n1) Black\n2) Grey\n\nIs that right?",
    ],
)
def test_s1_19_a_list_that_is_asked_denied_supposed_or_past_is_no_fact(text: str) -> None:
    assert stated_in(text) == []


@each(
    "text",
    [
        "I don't think I told you: my favorite colors are 1) Black, 2) Grey",
        "As you know, my favorite colors are now 1) Black, 2) Grey. What do you think?",
        "Are you there? My favorite colors are 1) Black, 2) Grey",
        "Can you save my favorite colors: 1) Black, 2) Grey",
        "I would say my favorite colors are:\n1) Black\n2) Grey",
        "I have updated my favorite colors. They are now: 1) Black, 2) Grey",
        "1) Black, 2) Grey are my favorite colors",
        "You asked for my favorite colors: 1) Black, 2) Grey",
        "I already told you, my favorite colors are 1) Black, 2) Grey",
        "I changed my mind last week: my favorite colors are 1) Black, 2) Grey",
        "I wrote a poem yesterday. My favorite colors are 1) Black, 2) Grey",
    ],
)
def test_s1_19_a_list_that_is_told_is_a_fact_whatever_stands_around_it(text: str) -> None:
    assert ranked(text) == [(1, "Black"), (2, "Grey")]


def test_s1_14_many_marks_in_one_line_are_read_in_linear_time() -> None:
    def read(size: int) -> None:
        statements_of("my favorite color " + "1. " * (size // 3), BUILT_IN)

    assert grows_at_most(read, 2_000, 16_000, factor=32, floor=1e-3)  # 8 is linear, 64 quadratic


def test_s1_14_ordinal_words_mark_ranks_to_the_tenth() -> None:
    assert ranked("My favorite colors: ninth: Ash, tenth: Teal") == [(9, "Ash"), (10, "Teal")]


@pytest.mark.parametrize("value", ["M2", "##", " ", "Model: gpt"])
def test_s1_15_what_is_no_value_is_left_out(value: str) -> None:
    assert ranked(f"My favorite colors: 1) Blue, 2) {value}, 3) Green") == [(1, "Blue"), (3, "Green")]


def test_s1_15_tokens_behind_a_value_go_and_the_first_value_of_a_rank_wins() -> None:
    assert ranked("My favorite colors: 1) Blue [M1], 2) Green M3") == [(1, "Blue"), (2, "Green")]
    assert ranked("My favorite colors: 0) Pink, 1) Blue, 1) Red, 2) Green") == [(1, "Blue"), (2, "Green")]


def test_s1_17_topics_have_one_key() -> None:
    for key, nouns in {
        "favorite_colors": ("color", "Colors", "colours", "my favorite colors"),
        "favorite_cryptos": ("crypto", "cryptos", "cryptocurrency", "cryptocurrencies", "favorite_cryptos"),
        "favorite_tv": ("tv", "TV shows", "tv show", "television show", "show", "shows"),
        "favorite_candies": ("candy", "candies", "chocolate"),
    }.items():
        assert {BUILT_IN.resolve(noun).key for noun in nouns} == {key}
    for unknown in ("", None, "x" * 500, "?!"):
        with pytest.raises(InvalidInput):
            BUILT_IN.resolve(unknown)


@each(
    "text, key",
    [
        ("My favorite TV show colors: 1) Red 2) Blue", "favorite_tv"),
        ("My cryptos: 1) XMR 2) BTC", "favorite_cryptos"),
        ("Here are my top shows:\n1. Dark\n2. The Color Purple", "favorite_tv"),
        ("1) Blue 2) Green are my favorite colors", "favorite_colors"),
        ("Show me the code: 1) a 2) b", None),
        ("Ana's favorite colors: 1) Red 2) Blue", None),
        ("Fix the colors of the page: 1) header 2) footer", None),
        ("My least favorite colors: 1) Red 2) Blue", "disliked_colors"),
    ],
)
def test_s1_18_a_topic_comes_from_nouns_and_the_longest_wins(text: str, key: str | None) -> None:
    found = {one.topic for one in statements_of(text, BUILT_IN)}
    assert found == ({key} if key else set())


@each(
    "text, said",
    [
        ("My favorite color is blue.", [(Act.SINGLE, "blue", None)]),
        ("Teal is my favorite color", [(Act.SINGLE, "Teal", None)]),
        ("my favourite colour is now teal, because it is calm", [(Act.SINGLE, "teal", None)]),
        ("My #2 favorite color is red", [(Act.PLACE, "red", 2)]),
        ("My second favorite color is red!", [(Act.PLACE, "red", 2)]),
        (
            "My favorite colors are red and tan.",
            [(Act.CLEAR, "", None), (Act.ADD, "red", None), (Act.ADD, "tan", None)],
        ),
        ("My favorite colors: 2) Green, 3) Black", [(Act.SET, "Green", 2), (Act.SET, "Black", 3)]),
        ("What is my favorite color?", []),
        ("If my favorite color is blue, paint it", []),
        ("She said my favorite color is blue", []),
        ("My favorite color isn't blue", []),
        ("My favorite color is not blue", []),
        ("My favorite color is in the rainbow", []),
        ("Your favorite color is blue", []),
        ("Add a color picker to my app", []),
        ("Add red to the colors of my theme", []),
    ],
)  # fmt: skip
def test_s1_22_and_s1_35_what_a_sentence_states(text: str, said: list[tuple[Act, str, int | None]]) -> None:
    assert [(one.act, one.value, one.rank) for one in stated_in(text)] == said


def test_s1_36_a_list_in_running_text() -> None:
    assert items_of('A, "B", and C.') == ["A", "B", "C"]
    assert items_of("A and B") == ["A", "B"]
    assert items_of("red, Red, 'tan'.") == ["red", "tan"]


def test_s1_37_values_are_compared_without_case_quotes_and_marks() -> None:
    assert folded(" “Blue”!! ") == folded("blue") == folded("ＢＬＵＥ.")
    assert nearest(["light blue", "blue"], "blue") == 1
    assert nearest(["the big bang theory", "bang"], "big bang theory") == 0
    assert nearest(["light blue"], "blue") is None


@each(
    "name, form",
    [
        ("My favorite Board Games", "board_game"), ("cookies", "cookie"), ("boxes", "box"), ("classes",
        "class"),
        ("heroes", "hero"), ("TV series", "tv_series"), ("news", "news"), ("digital currency", "crypto"),
        ("cryptocurrencies", "crypto"), ("hobbies", "hobby"), ("favourite colours", "color"), ("my", ""),
    ],
)  # fmt: skip
def test_s1_38_topics_have_a_canonical_form(name: str, form: str) -> None:
    assert canonical(name) == form


def test_s1_38_singular_and_plural() -> None:
    for one, many in {"box": "boxes", "color": "colors", "candy": "candies", "series": "series"}.items():
        assert (plural(one), singular(many), plural(many)) == (many, one, many)


def test_s1_17_settings_add_topics_and_may_not_take_nouns() -> None:
    topics = with_custom({"books": ["novels"], "board games": []})
    assert [t.category for t in topics.all][-2:] == ["books", "board games"]
    assert route("what's my second favorite novel?", topics) == (
        Request(QuestionType.ORDINAL, "favorite_books", 2),
    )
    wrong: Any = ({"colors": []}, {"books": "novels"}, {"": []}, {"a1": []}, {"books": ["shows"]}, {"b": [1]})
    for bad in wrong:
        with pytest.raises(InvalidInput) as error:
            with_custom(bad)
        assert error.value.code == "config_invalid"


def test_s1_39_a_value_is_cut_and_keeps_no_controls() -> None:
    assert clean_value("a\x00\n b\x1f" + "c" * 300, 10) == "a b cccccc"


@given(st.text(max_size=300))
@settings(max_examples=examples(200))
def test_any_text_is_read_without_an_error(text: str) -> None:
    for one in statements_of(f"My favorite colors are {text}", BUILT_IN):
        assert one.value or one.act in (Act.CLEAR, Act.REMOVE)
        assert one.rank is None or 1 <= one.rank <= 100 or one.rank == LAST
    route(f"my favorite color {text}", BUILT_IN)


@given(
    st.lists(
        st.builds(
            Statement,
            st.sampled_from(["favorite_tv", "disliked_hiking_boots", "favorite_städte"]),
            st.sampled_from([Act.ADD, Act.REMOVE, Act.SINGLE]),
            st.text(min_size=1).filter(str.strip),
        ),
        min_size=1,
    )
)
@settings(max_examples=examples(200))
def test_what_a_call_states_is_read_back_from_its_record(statements: list[Statement]) -> None:
    assert notation.read(notation.written(statements)) == tuple(statements)


@pytest.mark.parametrize(
    "statement",
    [
        Statement("favorite_tv", Act.LIST, 'The "Wire" #2', 1),
        Statement("favorite_tv", Act.PLACE, "Lost", -1),
        Statement("favorite_tv", Act.SWAP, "#1", None, "Lost \\ Found"),
        Statement("favorite_tv", Act.CLEAR),
    ],
)
def test_each_operation_has_a_notation(statement: Statement) -> None:
    assert notation.read(notation.written([statement])) == (statement,)


@pytest.mark.parametrize(
    "text", ["", "add favorite_tv", 'add favorite_tv #1 "a"', 'set favorite_tv "a"', "I like tea"]
)
def test_what_is_not_in_the_notation_states_nothing(text: str) -> None:
    assert notation.read(text) == ()


def test_the_word_of_a_rank() -> None:
    assert [word_of_rank(n) for n in (1, 10, 11, 12, 13, 21, 22, 103)] == [
        "first", "tenth", "11th", "12th", "13th", "21st", "22nd", "103rd",
    ]  # fmt: skip


@pytest.mark.parametrize(
    "piece",
    [
        "1) ",
        "#1 ",
        "my favorite color ",
        ", and ",
        "  ",
        '"',
        "is my ",
        "[M1, ",
        "second ",
        "add a to ",
        ". ",
    ],
)
def test_hostile_texts_take_time_in_proportion_to_their_length(piece: str) -> None:
    """Four times the text takes at most about four times as long: no catastrophic backtracking."""

    def read(size: int) -> None:
        statements_of(("my favorite colors: " + piece * size)[:size], BUILT_IN)

    assert grows_at_most(read, 4_750, 19_000, factor=12, floor=0.002)


def calls_of(act: Callable[[], object]) -> int:
    """How many calls Python makes: what something costs, the same on every machine."""
    calls = 0

    def count(frame: Any, event: str, argument: Any) -> None:
        nonlocal calls
        calls += 1

    sys.setprofile(count)
    try:
        act()
    finally:
        sys.setprofile(None)
    return calls


@pytest.mark.parametrize("mark", ["-", ", ", " and ", "first, ", "- color and "])
def test_a_sentence_of_nothing_but_commas_is_no_question(mark: str) -> None:
    """Found by fuzzing: every comma may divide a sentence, and 300 of them took eight seconds."""
    text = mark * (500 // len(mark)) + " list my top 3 colors"
    assert route(text, BUILT_IN) == ()
    assert calls_of(lambda: route(text, BUILT_IN)) < 100_000  # it was 30 million


def items_after(said: list[Statement]) -> list[str | None]:
    """A list as it stands after some statements, in the plainest words: rules only, no index of what is in
    it. None is a rank that nobody told."""
    items: list[str | None] = []
    is_list = False
    for one in said:
        if one.act is Act.CLEAR or (one.act is Act.LIST and one.rank == 1):
            items, is_list = [], False
        if one.act is Act.CLEAR:
            continue
        known = next((i for i, old in enumerate(items) if old and folded(old) == folded(one.value)), None)
        if known is None and one.act not in (Act.SET, Act.LIST, Act.ADD):
            known = nearest([old and folded(old) for old in items], folded(one.value))
        other = (
            None if one.other is None else nearest([old and folded(old) for old in items], folded(one.other))
        )
        if one.act in (Act.REPLACE, Act.SWAP, Act.BEFORE, Act.AFTER) and other is None:
            continue
        if one.act in (Act.LIST, Act.ADD):
            is_list = True
            items += [] if known is not None else [one.value]
        elif one.act is Act.REMOVE:
            items = [old for i, old in enumerate(items) if i != known]
        elif one.act is Act.SWAP:
            if known is not None and other is not None:
                items[known], items[other] = items[other], items[known]
        elif one.act is Act.REPLACE:
            value = one.value if known in (None, other) else items[known]
            items = [
                value if i == other else old for i, old in enumerate(items) if i not in {known} - {other}
            ]
        elif one.act in (Act.BEFORE, Act.AFTER):
            if known != other and other is not None:
                value, anchor = one.value if known is None else items[known], items[other]
                items = [old for i, old in enumerate(items) if i != known]
                items.insert(items.index(anchor) + (one.act is Act.AFTER), value)
        else:
            value = one.value if known is None else items[known]
            at = (one.rank or 1) - 1
            if is_list and None not in items:
                at = min(at, len(items) - (known is not None))
            if one.act is Act.SET and known is None and at < len(items):
                items[at] = None
            if known is not None:
                items[known] = None
            if at >= len(items):
                items += [None] * (at - len(items)) + [value]
            else:
                lower = known is not None and at > known
                gaps = [i for i, old in enumerate(items) if old is None and (i <= at if lower else i >= at)]
                if gaps:
                    items.pop(gaps[-1] if lower else gaps[0])
                items.insert(at, value)
        while items and items[-1] is None:
            items.pop()
        is_list = is_list and bool(items)
    return items


def begun_with(said: list[Statement]) -> list[list[Statement]]:
    return [said[:n] for n in range(1, len(said))]


VALUES = st.sampled_from(
    ["blue", "Blue ", "light blue", "dark light blue", "“blue”", "red", "the big red dog", "big red dog", "."]
)
STATEMENTS = st.builds(
    Statement, st.just("t_s"), st.sampled_from([act for act in Act if act not in (Act.SINGLE, Act.CHANGE)]),
    VALUES, st.integers(1, 6), VALUES,
)  # fmt: skip


@given(st.lists(STATEMENTS, max_size=20))
def test_s1_35_a_list_is_what_its_edits_make_of_it(said: list[Statement]) -> None:
    found = boards(Stated(one, "m", n) for n, one in enumerate(said))
    ranked = found["t_s"].ranked if found else []
    expected = [(rank, value) for rank, value in enumerate(items_after(said), 1) if value is not None]
    assert [(fact.rank, fact.value) for fact in ranked] == expected
    if said and said[0].act in (Act.LIST, Act.ADD) and all(map(items_after, begun_with(said))):
        assert None not in items_after(said), "told as a list and never emptied, it has no gaps"


SHADES = ("dark green", "ochre", "teal", "red", "tan")


@given(st.lists(st.tuples(st.integers(1, 5), st.sampled_from(SHADES)), max_size=10))
def test_s1_29_a_rank_that_was_told_is_answered_as_that_rank_in_any_order_of_telling(
    ranked: list[tuple[int, str]],
) -> None:
    """No message is cited for a rank that it does not state, unless an edit moved the value: here none does,
    for each lower rank is told once, and rank 1 as the single preference, of which the last counts."""
    stands: dict[int, str] = {}
    texts: list[str] = []
    used: set[int] = set()
    for rank, shade in ranked:
        if rank in used:
            continue
        used |= {rank} - {1}
        texts.append(f"My {word_of_rank(rank) * (rank > 1)} favourite colour is {shade}.")
        stands = {old: value for old, value in stands.items() if value != shade} | {rank: shade}
        said = [Stated(one, text, n) for n, text in enumerate(texts) for one in statements_of(text, BUILT_IN)]
        board = boards(said)["favorite_colors"]
        assert {fact.rank or 1: fact.value for fact in board.facts} == stands
        below = [fact for fact in board.ranked if fact.rank is not None and fact.rank > 1]
        assert all(word_of_rank(fact.rank or 0) in (fact.message or "") for fact in below)
        assert (board.first.value if board.first else None) == stands.get(1)


@each(
    "text, ranks",
    [
        ("My favourite colour is dark green, my second favourite is ochre.", ["dark green", "ochre"]),
        ("My favourite colour is dark green. My second favourite is ochre.", ["dark green", "ochre"]),
        (
            "my favourite colour is dark green, my second favourite one is ochre (and the third teal)",
            ["dark green", "ochre", "teal"],
        ),
        ("My favorite color is green & my 2nd fav is red and the third is tan!", ["green", "red", "tan"]),
        ("My #1 favorite color is blue, #2 is green, number three is tan", ["blue", "green", "tan"]),
        ("My favorite color is green, second red, third tan", ["green", "red", "tan"]),
        ("My favorite show is Lost, the second season", []),
        ("My favorite show is The Good, the Second Wife", ["The Good, the Second Wife"]),
        ("My favorite candy is Twix, second only to Mars", []),
        ("My favorite color is green. I have a dog. My second favorite is red.", ["green"]),
        ("My favorite color is green, my second favorite is not red", ["green"]),
        ("My second favorite is red.", []),
    ],
)
def test_s1_18_what_follows_in_the_same_breath_has_its_topic(text: str, ranks: list[str]) -> None:
    said = [Stated(one, "m", 0) for one in statements_of(text, BUILT_IN)]
    facts = [fact for board in boards(said).values() for fact in board.facts]
    assert [(fact.rank or 1, fact.value) for fact in facts] == list(enumerate(ranks, 1))


def test_a_long_list_costs_in_proportion_to_its_length() -> None:
    def added(count: int) -> list[Stated]:
        return [Stated(Statement("t", Act.ADD, f"value {n}"), "m", n) for n in range(count)]

    assert calls_of(lambda: boards(added(2_000))) < 5 * calls_of(lambda: boards(added(500)))


def test_a_message_without_a_fact_is_seen_at_a_glance() -> None:
    assert not may_state("The deployment failed again, see the log of the second node.", BUILT_IN)
    assert not may_state("x" * 30_000 + " my favorite color is blue", BUILT_IN)
