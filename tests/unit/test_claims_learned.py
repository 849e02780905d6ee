"""What a network reads of people's statements where the grammar reads nothing."""

from __future__ import annotations

from dataclasses import replace
from unicodedata import normalize
from zlib import crc32

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.core.claims import CURRENT, GROUP_OF, PAST, PLAN, STATEMENT, Claim
from holdfast.language.claims.learned.judge import judged
from holdfast.language.claims.learned.network import network
from holdfast.language.claims.learned.properties import tokens_of
from holdfast.language.claims.learned.read import read_message
from holdfast.language.claims.message import claims_of_message
from holdfast.language.claims.read import CLAIMS_MAX, claims_in
from holdfast.language.claims.voice import MESSAGE_MAX
from holdfast.language.vocabulary import vocabulary
from tests.cases import each


def statements(text: str) -> list[Claim]:
    return list(read_message(text).claims)


TEXTS = st.text(max_size=200) | st.text(alphabet="Iamycth .,?!\n\"'„“äß\u0308-", max_size=400)


def test_the_network_knows_the_words_of_the_vocabulary_that_is_shipped() -> None:
    assert network().vocabulary == crc32(vocabulary())
    assert set(network().types) == set(GROUP_OF)


@each(
    "text, words, type, positive, status",
    [
        (
            "we're moving into a houseboat next April, what do we need?",
            "we're moving into a houseboat next April",
            "plan",
            True,
            PLAN,
        ),
        (
            "I don't own a microwave, how do I heat this?",
            "I don't own a microwave",
            "possession",
            False,
            CURRENT,
        ),
        (
            "Meine Tochter geht ab Sommer auf die Waldorfschule in Jena, was brauchen wir?",
            "Meine Tochter geht ab Sommer auf die Waldorfschule in Jena",
            "plan",
            True,
            PLAN,
        ),
    ],
)
def test_a_statement_is_read_with_its_type_and_state(
    text: str, words: str, type: str, positive: bool, status: str
) -> None:
    found = {(claim.value, claim.type, claim.positive, claim.status) for claim in statements(text)}
    assert (words, type, positive, status) in found


@each(
    "text",
    [
        "My brother was",
        "Meine Nachbarin Ute",
        'Translate: "My wife sings in the church choir and I play the organ."',
        "What is the capital of Peru?",
        "The scheduler waits until the queue is empty, then it writes the index to the disk.",
        "Schreib mir eine Absage an den Vermieter, kurz und höflich.",
    ],
)
def test_what_states_nothing_of_its_author_is_left(text: str) -> None:
    assert statements(text) == []


@given(TEXTS)
def test_a_claim_is_a_part_of_the_message_in_its_own_words(text: str) -> None:
    end = 0
    for claim in statements(text):
        assert " ".join(text[claim.start : claim.end].split()) in " ".join(claim.value.split())
        assert claim.value in text or claim.value in " ".join(text.split())
        assert claim.attribute == STATEMENT
        assert claim.verbatim
        assert claim.type in GROUP_OF
        assert end <= claim.start < claim.end
        end = claim.end


def test_a_statement_of_a_few_words_comes_with_its_sentence() -> None:
    (claim,) = statements("Recipe please. Coeliac, so no bread. Thanks!")
    assert claim.value == "Coeliac, so no bread"
    assert claim.end - claim.start < len(claim.value)


def test_a_statement_ends_before_a_clause_about_somebody_else() -> None:
    (claim,) = statements("Tilda hat eine Katzenallergie und Kasper spielt Posaune.")
    assert claim.value == "Tilda hat eine Katzenallergie"


@pytest.mark.parametrize(
    "text",
    ["I adore our allotment and our weekly hikes.", "Ich habe unser Auto und Boot verkauft."],
)
def test_a_statement_keeps_the_second_of_two_things(text: str) -> None:
    assert [claim.value for claim in statements(text)] == [text.removesuffix(".")]


@pytest.mark.parametrize(
    "text",
    [
        "I've had pain under my right elbow since the tennis camp in Porto in May.",
        "I've had trouble sleeping since the move to Bonn in June.",
    ],
)
def test_what_lasts_since_a_trip_is_no_plan(text: str) -> None:
    (claim,) = statements(text)
    assert (claim.type, claim.status, claim.value) == ("health", CURRENT, text.removesuffix("."))


def test_no_statement_ends_with_a_word_that_leads_on() -> None:
    text = "My goal: play The Swan by Saint-Saëns for my mother's 70th birthday on 14 November 2027."
    assert [statement.value for statement in statements(text)] == [text.removesuffix(".")]


@each(
    "text, values",
    [
        ("Put in chronological order: retired, apprenticed, widowed, born, promoted.", []),
        ("Can you turn this into a table? Mon 12, Tue 15, Wed 9, Thu 22", []),
        ("Etwas trockener bitte.", []),
        ("We have two cats (Miso and Pixel).", ["two cats (Miso and Pixel)"]),
        ("My name is Ada Byron.", ["Ada Byron"]),
        ("I drive a Golf.", ["a Golf"]),
        ("Hi! I live in Leipzig. We have a dog named Bello.", ["Leipzig", "a dog named Bello"]),
        ("I sold the Golf in spring.", ["the Golf"]),
        ("My son Anselm got into conservatory.", ["son Anselm", "My son Anselm got into conservatory"]),
        ("My wife is a nurse.", ["wife", "is a nurse"]),
        ("I have two kids, Ben 4 and Mia 2.", ["two kids, Ben 4 and Mia 2"]),
        ("I stopped drinking.", ["drinking"]),
    ],
)
def test_what_is_unlikely_is_left_and_what_says_more_is_taken(text: str, values: list[str]) -> None:
    assert [claim.value for claim in claims_of_message(text)] == values
    assert claims_in(text) or values


def test_a_claim_that_ends_what_was_said_is_never_left() -> None:
    reading = read_message("Bin gerade im Wartezimmer, ich rauche nicht mehr.")
    assert reading.chances is not None
    ends = Claim("habit", "smokes", "Bin", positive=False, status=PAST, changes=True, start=0, end=3)
    holds = replace(ends, positive=True, status=CURRENT, changes=False)
    text = "Bin gerade im Wartezimmer, ich rauche nicht mehr."
    chosen = [judged(text, reading.tokens, reading.chances, [claim], []) for claim in (ends, holds)]
    assert chosen == [[ends], []]


def test_of_a_loose_claim_of_the_grammar_that_is_most_unlikely_nothing_is_made() -> None:
    text = "Bin gerade im Wartezimmer, wie lange hat die Praxis noch offen?"
    assert [claim.value for claim in claims_in(text)] == ["im Wartezimmer"]
    assert claims_of_message(text) == []
    told = "I moved to Porto yesterday."
    assert claims_of_message(told) == list(claims_in(told)) != []


def test_names_in_brackets_make_a_pet_likely_and_other_brackets_do_not() -> None:
    text = "Fix my horse (12) in the picture is too dark, make it brighter."
    assert [claim.value for claim in claims_in(text)] == ["horse (12)"]
    assert claims_of_message(text) == []
    named = "We have two cats (Miso and Pixel)."
    assert [claim.value for claim in claims_of_message(named)] == ["two cats (Miso and Pixel)"]


@given(TEXTS)
def test_tokens_are_parts_of_their_text_in_order_and_leave_out_blanks_only(text: str) -> None:
    end = 0
    for token in tokens_of(text):
        assert normalize("NFC", text[token.start : token.end]) == token.text
        assert not text[end : token.start].strip()
        end = token.end
    assert not text[end:].strip()


def test_accents_that_are_characters_of_their_own_change_nothing() -> None:
    text = "Meine Großmutter wohnt in Köln und töpfert jeden Dienstag für die Gemeinde."
    assert [normalize("NFC", claim.value) for claim in statements(normalize("NFD", text))] == [
        claim.value for claim in statements(text)
    ]


def test_plain_claims_of_the_grammar_are_kept_and_overlap_no_statement() -> None:
    told = "I live in Porto. I run the night shift at the bakery. Our Volvo is a 1998 estate. "
    for text in (told, told * 30):
        read, found = claims_in(text), claims_of_message(text)
        assert read
        assert set(read) <= set(found)
        assert len(found) > len(read) or len(read) == CLAIMS_MAX
        assert len(found) <= CLAIMS_MAX
        assert not any(
            one.start < other.end and other.start < one.end
            for one in read
            for other in found
            if other not in read
        )


def test_what_is_too_long_or_without_a_word_is_not_read() -> None:
    sentence = "My wife sings in the church choir every Sunday. "
    text = (sentence * (MESSAGE_MAX // len(sentence) + 1))[:MESSAGE_MAX]
    assert statements(text)
    assert statements(f"{text} ") == []
    assert statements("… !!! \n\n") == []
    assert statements("") == []
