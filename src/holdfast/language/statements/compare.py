"""Decides whether two statements say the same, contradict each other or are independent (S4.24, S4.25)."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from enum import StrEnum

from holdfast.language.statements.reader import Statement, read
from holdfast.language.statements.rules import contradiction
from holdfast.language.statements.text import (
    EXACT,
    adds_s,
    has_layout,
    is_name,
    is_number,
    tidy,
    without_full_stop,
)
from holdfast.language.statements.words import (
    COMMON,
    DETERMINERS,
    FOND,
    FRONTS,
    GERUNDS,
    MOBILE,
    NEGATIONS,
    NO_PLURAL,
    NOT_ROTATED,
    ORDERED,
    PREPOSITIONS,
    PRONOUNS,
    TECH,
    TWO_FACED,
)

UNRELATED = 0.2
"""Cosine below which two texts are about different things, so that they cannot contradict."""

STATEMENT_MAX = 4_000
"""Most characters of a statement; a longer text is a document, the same only as one with equal words."""

_SAME_WORDS = "same words, same numbers, same names"


class Verdict(StrEnum):
    """The relation of the newer of two statements to the older."""

    SAME = "same"
    """Both say the same: one memory is enough."""
    CONTRADICTS = "contradicts"
    """The newer gives another value for the same thing, or denies it: it replaces the older."""
    DIFFERENT = "different"
    """The two are independent memories, however similar."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """A verdict with its reason, a short sentence for people."""

    verdict: Verdict
    reason: str


def compare(old: str, new: str, *, similarity: float | None = None) -> Comparison:
    """Compares a stored statement with a later one in the same place and of the same kind.

    SAME (S4.24) requires the same content words, numbers, units, dates, names, identifiers, quoted text,
    negation, modality, quantifiers, conditions, time words and direction. It tolerates another form (case,
    punctuation, markup, spelling, short forms, ways to write numbers and dates, articles, politeness), a few
    closed synonyms, and rewordings by rules of grammar: a phrase moved, the passive voice, two clauses
    exchanged, the same seen from the other side. CONTRADICTS (S4.25) requires one changed value in a place
    that holds one value, or one added or removed negation. Everything doubtful is DIFFERENT. In languages
    other than English and German, and above `STATEMENT_MAX` characters, only equal texts are SAME.

    `similarity` (a cosine, -1 to 1) can only prevent a contradiction. Deterministic, without a model, linear
    time. Never raises for two strings.
    """
    if old == new:
        return Comparison(Verdict.SAME, "the same text")
    before, after = tidy(old), tidy(new)
    if has_layout(before) or has_layout(after):
        if before == after:
            return Comparison(Verdict.SAME, "the same text")
        return Comparison(Verdict.DIFFERENT, "the layout or the lines differ")
    words, other_words = before.split(), after.split()
    if without_full_stop(words) == without_full_stop(other_words):
        return Comparison(Verdict.SAME, "the same text but for spaces and the final stop")
    if max(len(before), len(after)) > STATEMENT_MAX:
        return Comparison(Verdict.DIFFERENT, "the texts are long and not the same")
    from holdfast.language.statements.rewording import reworded  # its vocabularies take 30 ms to load

    if how := reworded(before, after):
        return Comparison(Verdict.SAME, how)
    # cheap checks that exclude most neighbours: they have other words, or the same with other counts
    most = 10 + (len(words) + len(other_words)) // 8
    if len({*words} ^ {*other_words}) > most or _differing(words, other_words) > most:
        return Comparison(Verdict.DIFFERENT, "mostly different words")
    first, second = read(before, after)
    if first.foreign or second.foreign or not (first.tokens and second.tokens):
        return Comparison(Verdict.DIFFERENT, "the texts differ")
    if (first.english or second.english) and _same(first, second):
        return Comparison(Verdict.SAME, _SAME_WORDS)
    if similarity is None or not similarity < UNRELATED:
        reason = contradiction(first, second, before, after)
        if reason:
            return Comparison(Verdict.CONTRADICTS, reason)
    return Comparison(Verdict.DIFFERENT, _difference(first, second))


def _differing(words: list[str], other_words: list[str]) -> int:
    """Counts the words that one has more often than the other."""
    counts = Counter(words)
    counts.subtract(other_words)
    return sum(map(abs, counts.values()))


def _same(a: Statement, b: Statement) -> bool:
    """Returns whether two statements have the same words, in order or in another one that keeps the meaning.
    If they have both "and" and "or", commas before these have to agree, too."""
    if len(a.tokens) != len(b.tokens):
        return False
    if a.joints != b.joints and "and" in a.tokens and "or" in a.tokens:
        return False
    if _words_agree(a, b):
        return _articles_agree(a, b)
    return _same_in_other_order(a, b)


def _words_agree(a: Statement, b: Statement) -> bool:
    """Returns whether the words agree position by position."""
    pairs = enumerate(zip(a.tokens, b.tokens, strict=True))
    return all(_alike(a, b, n) for n in [n for n, (x, y) in pairs if x != y])


def _articles_agree(a: Statement, b: Statement) -> bool:
    """Returns whether the articles agree. A text may omit articles but not exchange them; they count after a
    verb of liking."""
    if a.articles == b.articles:
        return True
    fewer, more = sorted((a.articles, b.articles), key=len)
    if any(more.get(n) != article for n, article in fewer.items()):
        return False
    return all(n in fewer or n == 0 or a.tokens[n - 1] not in FOND for n in more)


def _alike(a: Statement, b: Statement, n: int) -> bool:
    """Returns whether two unequal words in the same position are forms of one word."""
    x, y = a.tokens[n], b.tokens[n]
    if x.lower() == y.lower() and x.isalpha() and y.isalpha():
        opening = n in a.openings or n in b.openings
        return (opening or a.caseless or b.caseless) and x.lower() not in TWO_FACED
    if not (x.islower() and y.islower() and x.isalpha() and y.isalpha()) or n == 0:
        return False
    before = a.tokens[n - 1]
    if before in TECH or before == "make":
        return False  # the name of a command
    if before in PREPOSITIONS and GERUNDS.get(x, x) == GERUNDS.get(y, y):
        return True
    window = range(max(0, n - 2), n + 1)
    if any(m in a.articles or m in b.articles for m in window) or not DETERMINERS.isdisjoint(
        a.tokens[max(0, n - 3) : n]
    ):
        return False
    return (adds_s(x, y) and y not in NO_PLURAL) or (adds_s(y, x) and x not in NO_PLURAL)


def _same_in_other_order(a: Statement, b: Statement) -> bool:
    """Returns whether only the order differs, in one of three ways that keep the meaning."""
    if not NOT_ROTATED.isdisjoint(a.tokens):
        return _names_exchanged(a, b)
    return _phrase_moved(a, b) or _phrase_moved(b, a) or _adverb_moved(a.tokens, b.tokens)


def _phrase_moved(a: Statement, b: Statement) -> bool:
    """Returns whether only a phrase has moved: "Before merging, run the tests" and "Run the tests before
    merging"."""
    if a.tokens[0] not in FRONTS or b.tokens[0] in FRONTS or "." in a.tokens or "?" in a.tokens:
        return False
    size = len(a.tokens)
    at = a.fronted
    if at < 0:
        opens = (n for n in range(2, size) if a.tokens[n] in PRONOUNS or a.articles.get(n) == "the")
        at = next(opens, 0)
    turned = Statement(
        tokens=a.tokens[at:] + a.tokens[:at],
        articles={(n - at) % size: article for n, article in a.articles.items()},
        openings={(n - at) % size for n in a.openings},
        caseless=a.caseless,
    )
    return _words_agree(turned, b) and _articles_agree(turned, b)


def _names_exchanged(a: Statement, b: Statement) -> bool:
    """Returns whether only names are exchanged: "Ada and Ida keep the light" and "Ida and Ada keep the
    light"."""
    tokens = a.tokens
    if tokens.count("and") != 1 or not ORDERED.isdisjoint(tokens):
        return False
    n = tokens.index("and")
    if not 0 < n < len(tokens) - 1 or not (is_name(tokens[n - 1]) and is_name(tokens[n + 1])):
        return False
    if (n > 1 and tokens[n - 2] not in COMMON) or (n + 2 < len(tokens) and not tokens[n + 2].islower()):
        return False
    turned = [*tokens[: n - 1], tokens[n + 1], "and", tokens[n - 1], *tokens[n + 2 :]]
    return turned == b.tokens and _articles_agree(a, b)


def _adverb_moved(a: list[str], b: list[str]) -> bool:
    """Returns whether only an adverb has moved: "Migrations run automatically on start", "Migrations
    automatically run on start"."""
    n = next((n for n, (x, y) in enumerate(zip(a, b, strict=True)) if x != y), len(a) - 1)
    if n + 1 >= len(a) or (a[n] not in MOBILE and b[n] not in MOBILE):
        return False
    return a[n] == b[n + 1] and a[n + 1] == b[n] and a[n + 2 :] == b[n + 2 :]


def _difference(a: Statement, b: Statement) -> str:
    """Describes the first difference for people."""
    for x, y in zip(a.tokens, b.tokens, strict=False):
        if x != y:
            if is_number(x) and is_number(y):
                kind = "numbers"
            elif x[0] in EXACT or y[0] in EXACT:
                kind = "identifiers"
            elif is_name(x) and is_name(y):
                kind = "names"
            elif x in NEGATIONS or y in NEGATIONS:
                kind = "negations"
            else:
                kind = "words"
            return f"different {kind}"
    return "one says more than the other"
