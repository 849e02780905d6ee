"""Decides whether two texts say the same in another form, or with phrases, voice or sides exchanged (S4.24).

Each way of rewording changes the order of one text by a rule of grammar; the texts say the same if the result
is the other text, word for word but for its articles. Nothing is left over on either side, so another number,
name, negation, direction or degree always differs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from holdfast.language.statements.form import forms
from holdfast.language.statements.german import german_rewordings
from holdfast.language.statements.openings import FRONTS, GERMAN_FRONTS
from holdfast.language.statements.passive import Verb, active, verb_size
from holdfast.language.statements.roots import may_agree
from holdfast.language.statements.sides import in_order, other_sides, sentences_agree
from holdfast.language.statements.verbs import PLACED, REVERSED
from holdfast.language.statements.words import ARTICLE_COUNTS, FOND, LETTERED, words

FORM = "the same words in another form"
ORDER = "the same words in another order"
_LONGEST = 60
"""Words of a text of which the order is looked at."""
_ARTICLES = words("a the")
_CLAUSES = (
    "because",
    "if",
    "when",
    "before",
    "after",
    "until",
    "while",
    "once",
    "although",
    "without",
    "during",
)
"""Conjunctions that may open the first or the last part of a sentence."""
_MARKS = words(
    """
    , : . ? ( ) – only just even also too not first then again and or but every some most almost nearly
    hardly no never
    who which that
    whose whom whether said says say asked
    """
)
"""Words that make the place of a phrase significant."""
ADVERBS = words(
    """
    always usually often sometimes seldom currently automatically manually regularly temporarily normally
    generally occasionally now today
    """
)
"""Adverbs that mean the same before and after their verb and at the beginning."""
_AUXILIARIES = words("is was can must may should will have had be")
_PIVOTS = {*REVERSED, *(word for link in PLACED for word in link)} | words(
    """
    . and , : so because if unless is are have had be been
    by von vom hat there in es Übrigens Uebrigens to weil
    """
)
"""Words of which one may be all that two texts with another order do not share."""
_INTRANSITIVE = words(
    "is was works work applies apply happens happen occurs exists exist appears appear runs"
)
"""Verbs without an object that "only" could belong to."""
_PRONOUNS = words("it they he she")
_DETERMINERS = words("a the this that these those my our your his her its their every some any no 's")
_SUBJECTS = _PRONOUNS | _ARTICLES | words("i we this these")


def reworded(first: str, second: str) -> str:
    """Returns how two texts differ that say the same; empty if they may say something else."""
    if not may_agree(first, second):
        return ""
    read = forms(first, second)
    if read is None:
        return ""
    a, b, lang = read
    if not a or not b or a[-1] == "?" != b[-1]:
        return ""
    if _agree(a, b, lang) or _agree(_without_comma(a), _without_comma(b), lang):
        return FORM
    if not lang or max(len(a), len(b)) > _LONGEST or abs(len(a) - len(b)) > 8:
        return ""
    if _is_excluded(a, b, lang):
        return ""
    if lang == "de":
        same = german_rewordings(a, b) or german_rewordings(b, a) or _compared_from_both(a, b)
    else:
        same = _english(a, b)
    return ORDER if same else ""


def _is_excluded(a: list[str], b: list[str], lang: str) -> bool:
    """Returns whether the words that only one of the texts has exclude that the order alone differs: numbers,
    names, or a single word."""
    apart = Counter(a)
    apart.subtract(Counter(b))
    words = [token for token, count in apart.items() if count and token not in _ARTICLES]
    if any(token[0].isdecimal() or token[0] == "@" for token in words):
        return True
    if lang == "en" and any(token[0].isupper() and token not in (a[0], b[0]) for token in words):
        return True
    return 0 < len(words) < 3 and _PIVOTS.isdisjoint(words)


def _bared(tokens: Sequence[str]) -> tuple[list[str], dict[int, str]]:
    """Returns the words without articles, and the article before each by its position; an article that makes
    a difference ("a few") stays a word."""
    words: list[str] = []
    articles: dict[int, str] = {}
    for n, token in enumerate(tokens):
        after = tokens[n + 1] if n + 1 < len(tokens) else ""
        if (
            token in _ARTICLES
            and after not in ARTICLE_COUNTS
            and after
            and not (words and words[-1] in LETTERED)
        ):
            articles[len(words)] = token
        else:
            words.append(token)
    return words, articles


def _agree(a: Sequence[str], b: Sequence[str], lang: str = "en") -> bool:
    """Returns whether two texts have the same words in the same order. In English articles may be left out,
    but not exchanged."""
    if lang != "en":
        return list(a) == list(b)
    if a and b and a[-1] != b[-1]:  # no article
        return False
    one, articles = _bared(a)
    other, other_articles = _bared(b)
    if len(one) != len(other) or any(x != y for x, y in zip(one, other, strict=True)):
        return False
    fewer, more = sorted((articles, other_articles), key=len)
    if any(more.get(n) != article for n, article in fewer.items()):
        return False
    # "A depends on B": a letter that opens a text may be a name
    return all(
        n in fewer or (article == "the" if n == 0 else one[n - 1] not in FOND) for n, article in more.items()
    )


def _without_comma(tokens: list[str]) -> list[str]:
    """Returns "Before noon, it runs" as "Before noon it runs"."""
    if tokens.count(",") != 1 or (tokens[0] not in FRONTS and tokens[0] not in GERMAN_FRONTS):
        return tokens
    return [token for token in tokens if token != ","]


def _english(a: list[str], b: list[str]) -> bool:
    """Returns whether one English text is the other with a phrase, an adverb or a clause moved, in the other
    voice, or seen from the other side."""
    a, b = in_order(a), in_order(b)
    if _agree(a, b) or _adverb_moved(a, b) or _phrase_moved(a, b) or _phrase_moved(b, a):
        return True
    if _clauses_agree(a, b) or _compared_from_both(a, b):
        return True
    for one, other in ((a, b), (b, a)):
        if sentences_agree(one, other):
            return True
        starts, aims = _orders(one), _orders(other)
        for start in starts:
            for made in other_sides(start):
                if any(_agree(made, aim) for aim in aims) or _phrase_moved(other, made):
                    return True
            for subject, verb, rest in active(start):
                if any(_is_active(aim, subject, verb, rest) for aim in aims):
                    return True
    return False


def _adverb_moved(a: list[str], b: list[str]) -> bool:
    """Returns whether only an adverb has moved: "Sometimes the export fails", "The export sometimes fails";
    also "only works on" and "works only on"."""
    moved = ADVERBS.intersection(a)
    if len(moved) == 1 and _MARKS.isdisjoint(a) and moved == ADVERBS.intersection(b):
        (adverb,) = moved
        if a.count(adverb) == b.count(adverb) == 1:
            return _agree(
                [token for token in a if token != adverb], [token for token in b if token != adverb]
            )
    return _only_moved(a, b)


def _only_moved(a: list[str], b: list[str]) -> bool:
    """Returns whether only "only" has moved: "only works on" and "works only on", "can only be done with" and
    "can be done only with"."""
    if a.count("only") != 1 or b.count("only") != 1 or "not" in a or len(a) != len(b):
        return False
    first, second = sorted((a, b), key=lambda tokens: tokens.index("only"))
    n, m = first.index("only"), second.index("only")
    rest = [*first[:n], *first[n + 1 :]]
    if not 0 < m - n < 3 or m >= len(rest) or rest[m] not in FRONTS:
        return False
    if not (rest[m - 1] in _INTRANSITIVE or rest[n - 1] in _AUXILIARIES):
        return False
    return _agree(rest, [*second[:m], *second[m + 1 :]])


def _is_active(tokens: list[str], subject: list[str], verb: Verb, rest: list[str]) -> bool:
    """Returns whether a sentence consists of a subject, a verb in the active voice and the rest."""
    for at in range(max(1, len(subject) - 1), min(len(subject) + 2, len(tokens))):
        if _agree(tokens[:at], subject):
            size = verb_size(tokens[at:], verb)
            after = tokens[at + size :]
            if size and (_agree(after, rest) or _phrase_last(after, rest)):
                return True
    return False


def _phrase_last(first: list[str], second: list[str]) -> bool:
    """Returns whether only the last two phrases of two ends of sentences changed places."""
    if len(first) != len(second) or not _MARKS.isdisjoint(first):
        return False
    starts = [n for n in range(1, len(first)) if first[n] in FRONTS]
    return any(_agree([*first[:n], *first[m:], *first[n:m]], second) for n in starts for m in starts if n < m)


def _orders(tokens: list[str]) -> list[list[str]]:
    """Returns a sentence, and what it is with the phrase that opens it at its end."""
    unfronted = _unfronted(tokens)
    if unfronted is not tokens:
        return [tokens, unfronted]
    if tokens[0] not in FRONTS or not _MARKS.isdisjoint({*tokens[1:]} - {"every"}):
        return [tokens]
    return [tokens, *([*tokens[n:], *tokens[:n]] for n in range(2, min(6, len(tokens) - 2)))]


def _unfronted(tokens: list[str]) -> list[str]:
    """Returns "Before it starts, X runs" as "X runs before it starts"."""
    if tokens[0] in FRONTS and tokens.count(",") == 1 and "." not in tokens:
        at = tokens.index(",")
        return [*tokens[at + 1 :], *tokens[:at]]
    return tokens


def _phrase_moved(a: list[str], b: list[str]) -> bool:
    """Returns whether a phrase is first in one text and last in the other, with or without a comma."""
    if a[0] not in FRONTS or not _MARKS.isdisjoint(set(a[1:]) - {","}) or a.count(",") > 1:
        return False
    if "," in a:
        return _agree(_unfronted(a), b)
    return any(_agree([*a[n:], *a[:n]], b) for n in range(1, min(6, len(a) - 2)))


# clauses


def _clause(tokens: list[str]) -> tuple[list[str], str, list[str]] | None:
    """Returns the main clause, conjunction and other clause of a sentence."""
    if "?" in tokens:
        return None
    if tokens[0] in _CLAUSES or tokens[0] == "unless":
        if tokens.count(",") != 1 or "." in tokens:
            return None
        at = tokens.index(",")
        return _affirmed(tokens[at + 1 :], tokens[0], tokens[1:at])
    indexes = [n for n, token in enumerate(tokens) if n and (token in _CLAUSES or token in ("unless", "so"))]
    if len(indexes) != 1:
        return None
    (n,) = indexes
    before, after = tokens[:n], tokens[n + 1 :]
    is_apart = before[-1] in (",", ".")
    if is_apart:
        before = before[:-1]
    if "." in before or "." in after:
        return None
    if tokens[n] == "so":
        # "so that" is a purpose, "so large" a degree
        after = after[1:] if after[:1] == [","] else after
        if len(before) < 2 or len(after) < 3 or after[0] == "that" or not (is_apart or after[0] in _SUBJECTS):
            return None
        return after, "because", before
    return _affirmed(before, tokens[n], after)


def _affirmed(main: list[str], conjunction: str, other: list[str]) -> tuple[list[str], str, list[str]] | None:
    """Reads "unless it is" as "if it is not"."""
    if not main or not other:
        return None
    if conjunction != "unless":
        return main, conjunction, other
    if other[0] in ("i", "you", "we", "they") and _AUXILIARIES.isdisjoint(other):
        return main, "if", [other[0], "do", "not", *other[1:]]
    at = next((n for n, token in enumerate(other) if token in ("is", "was", "can", "have")), 0)
    if not at or "not" in other or "no" in other or "never" in other:
        return None
    return main, "if", [*other[: at + 1], "not", *other[at + 1 :]]


def _clauses_agree(a: list[str], b: list[str]) -> bool:
    """Returns whether the same two clauses are in another order; in one of them a pronoun may replace what
    the other names: "Because the parser was slow, we rewrote it", "We rewrote the parser because it was
    slow"."""
    one, other = _clause(a), _clause(b)
    if one is None or other is None or one[1] != other[1]:
        return False
    if not {"said", "says", "that", "who", "which", "only"}.isdisjoint(a):
        return False
    if _agree(one[0], other[0]) and _agree(one[2], other[2]):
        return True
    for named in (one, other):
        unnamed = other if named is one else one
        first, second = _named_by_pronoun(named[0], unnamed[0]), _named_by_pronoun(unnamed[2], named[2])
        if first and second and first == second:
            return True
    return False


def _named_by_pronoun(named: list[str], unnamed: list[str]) -> list[str]:
    """Returns the words for which the other clause has a pronoun, if nothing else differs."""
    at = [n for n, token in enumerate(unnamed) if token in _PRONOUNS]
    if len(at) != 1:
        return []
    (n,) = at
    after = len(unnamed) - n - 1
    words_of = named[n : len(named) - after]
    rest = [*unnamed[:n], *unnamed[n + 1 :]]
    if not _DETERMINERS.isdisjoint(rest):
        return []  # the pronoun may stand for something else
    if named[:n] == unnamed[:n] and named[len(named) - after :] == unnamed[n + 1 :] and 0 < len(words_of) < 6:
        return words_of
    return []


# one thing seen from two sides


def _compared_from_both(a: list[str], b: list[str]) -> bool:
    """Returns whether two texts compare the same from both sides: "X is faster than Y" and "Y is slower than
    X", "X is before Y" and "Y is after X"."""
    one, other = _comparison(a), _comparison(b)
    if one and other and (one[1] in REVERSED.get(other[1], ())):
        return _agree(one[0], other[2]) and _agree(one[2], other[0]) and one[3] == other[3]
    for left, right in PLACED.items():
        if left[0] not in a or right[0] not in b:
            continue
        first, second = _split_at_link(a, left), _split_at_link(b, right)
        if first and second and first[1] == second[1]:
            return _agree(first[0], second[2]) and _agree(first[2], second[0])
    return False


def _comparison(tokens: list[str]) -> tuple[list[str], str, list[str], str] | None:
    """Returns the two things of a comparison, its comparative and its verb; "the old one" and "die alte" with
    the noun they stand for."""
    than = [n for n, token in enumerate(tokens) if token in ("than", "als")]
    if len(than) != 1 or "," in tokens or "." in tokens or "not" in tokens or "nicht" in tokens:
        return None
    n = than[0]
    if n < 3 or tokens[n - 1] not in REVERSED or tokens[n - 2] not in ("is", "was", "ist", "war", "sind"):
        return None
    first, second = tokens[: n - 2], tokens[n + 1 :]
    if second[-1:] == ["one"]:
        second = [*second[:-1], first[-1]]
    elif tokens[n] == "als" and len(second) == 2 and second[1].islower() and first[-1][0].isupper():
        second = [*second, first[-1]]
    return (first, tokens[n - 1], second, tokens[n - 2]) if first and second else None


def _split_at_link(tokens: list[str], link: tuple[str, ...]) -> tuple[list[str], str, list[str]] | None:
    """Returns what stands before a verb with a link such as "before", the verb, and what follows the link;
    None without them, or in a text that may deny or restrict it."""
    size = len(link)
    for n in range(2, len(tokens) - size):
        if tuple(tokens[n : n + size]) == link and tokens[n - 1] in ("is", "was", "comes", "came", "come"):
            is_plain = {"not", "never", ",", ".", "and", "that", "only", "if"}.isdisjoint(tokens)
            return (tokens[: n - 1], tokens[n - 1], tokens[n + size :]) if is_plain else None
    return None
