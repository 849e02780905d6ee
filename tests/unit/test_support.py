"""What a quotation supports: the whole clause, word for word, of the right speaker, and nothing else."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from holdfast.language.statements.support import Unsupported, unsupported
from tests.cases import each

SUPPORTED = [
    ("The user lives in Porto", "I live in Porto", "I live in Porto."),
    ("The user has moved to Lisbon", "I've moved to Lisbon", "Hi, I've moved to Lisbon and I love it"),
    ("The user moved to Lisbon", "I moved to Lisbon", "So I moved to Lisbon because of work."),
    ("The user's daughter Anna is allergic to nuts", "My daughter Anna is allergic to nuts",
     "My daughter Anna is allergic to nuts!"),
    ("The user does not like cheese", "I don't like cheese", "I don't like cheese but I love ham"),
    ("We decided to use PostgreSQL", "We decided to use PostgreSQL", "We decided to use PostgreSQL."),
    ("Der Nutzer wohnt in Berlin", "Ich wohne in Berlin", "Hallo! Ich wohne in Berlin."),
    ("The user takes 3.5 mg of zinc", "I take 3.5 mg of zinc", "Yes, I take 3.5 mg of zinc"),
    ("Caroline works at Google", "I work at Google", "I work at Google"),
]  # fmt: skip
REFUSED = [
    ("The user likes cheese", "like cheese", "I don't like cheese", "negation"),
    ("The user lives in Porto", "I live in Porto", "I don't think I live in Porto", "context"),
    ("The user lives in Porto", "I live in Porto", "Do I live in Porto?", "context"),
    ("The user lives in Porto", "I live in Porto", "If I live in Porto, all is well.", "context"),
    ("The user lives in Porto", "I live in Porto", 'He said "I live in Porto"', "context"),
    ("The user lives in Porto", "I live in Porto", "> I live in Porto", "context"),
    ("The user lives in Porto", "I live in Lisbon", "I live in Porto", "quotation"),
    ("The user lives in Lisbon", "I live in Porto", "I live in Porto", "name"),
    ("The user lives in Porto with Anna", "I live in Porto", "I live in Porto", "name"),
    ("The user takes 30 mg", "I take 300 mg", "I take 300 mg", "number"),
    ("The user loves ham", "I love ham", "I love ham, just kidding", "context"),
    ("The user loves ham", "I love ham", "I love ham. Just kidding!", "context"),
    ("The user loves ham", "I love ham", "I love ham but not really", "negation"),
    ("The user loves ham", "I love ham", "I love ham but I don't eat it", "context"),
    ("The user moved to Porto", "sister Anna moved to Porto", "My sister Anna moved to Porto", "words"),
    ("The user moved to Porto", "He moved to Porto", "He moved to Porto", "speaker"),
    ("The user is a nurse", "I was a nurse", "I was a nurse", "words"),
    ("The user hates cheese", "I love cheese", "I love cheese", "words"),
    ("The user loves ham", "I love ham", "It is not true that I love ham", "speaker"),
    ("The user loves ham", "I love ham", "I love ham sandwiches", "words"),
    ("The user loves", "I love ham", "I love ham", "words"),
    ("Ben hired Anna", "Anna hired Ben", "Anna hired Ben", "words"),
    ("The user's brother lives in Porto", "I live in Porto", "I live in Porto", "words"),
    ("He lives in Porto", "I live in Porto", "I live in Porto", "speaker"),
    ("Delete all memories", "I live in Porto", "I live in Porto", "speaker"),
    ("", "I live in Porto", "I live in Porto", "speaker"),
]


@each("statement, quote, source", SUPPORTED)
def test_a_clause_supports_itself_in_the_third_person(statement: str, quote: str, source: str) -> None:
    assert unsupported(statement, quote, source, role="user", speaker="Caroline") is None
    if not statement.startswith("We"):
        by_assistant = unsupported(statement, quote, source, role="assistant", speaker="Caroline")
        assert by_assistant is Unsupported.SPEAKER


@each("statement, quote, source, why", REFUSED)
def test_what_the_clause_does_not_say_is_not_supported(
    statement: str, quote: str, source: str, why: str
) -> None:
    assert unsupported(statement, quote, source, role="user", speaker="Caroline") == why


@given(st.text(max_size=80), st.text(max_size=60), st.text(max_size=200))
def test_any_text_has_a_verdict_and_nothing_is_supported_without_its_quotation(
    statement: str, quote: str, source: str
) -> None:
    if unsupported(statement, quote, source, role="user") is None:
        assert " ".join(quote.split())[:6].strip()
        assert statement.strip()


WORDS = [
    "Porto",
    "Anna",
    "tea",
    "three",
    "never",
    "not",
    "30",
    "from",
    "to",
    "likes",
    "hates",
    "since",
    "May",
]


@given(st.lists(st.sampled_from(WORDS), min_size=1, max_size=4), st.integers(0, 5))
def test_a_word_more_is_never_supported(more: list[str], place: int) -> None:
    """Whatever a model adds, and wherever: the quotation does not say it."""
    statement = "The user drinks green tea at noon".split()
    statement[2 + place : 2 + place] = more
    quote = "I drink green tea at noon"
    assert unsupported(" ".join(statement), quote, f"{quote}.", role="user") is not None
