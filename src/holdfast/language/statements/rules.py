"""Finds where a newer statement denies an older one or gives another value for the same thing (S4.25)."""

from __future__ import annotations

from holdfast.language.statements.reader import Statement
from holdfast.language.statements.rivals import BLOCKING, OUTER, POINTING
from holdfast.language.statements.slots import Sentence, changed_value
from holdfast.language.statements.text import adds_s
from holdfast.language.statements.words import NEGATIONS, TWO_FACED, words

_CODE_ENDS = (";", "{", ",", "(")
"""Endings of program lines, which state nothing lasting."""
_SUBJECT = 7
"""Tokens within which a subject and its negation must be."""
_QUOTED = 60
"""Characters of a value that a reason shows."""
_AUXILIARIES = words("do is must should can will")


def contradiction(a: Statement, b: Statement, old: str, new: str) -> str:
    """Returns why the newer `b` replaces the older `a`, as a sentence for people; empty if it does not.

    Texts of several sentences must agree in all but one.
    """
    pair = _only_difference(_sentences(a), _sentences(b))
    if pair is None:
        return ""
    if old.endswith(_CODE_ENDS) or new.endswith(_CODE_ENDS):
        return ""
    x, y = pair
    alone = "." not in a.tokens
    if alone and x.tokens[0] != "you" and x.tokens[0].lower() in POINTING:
        return ""
    is_english = a.english or b.english
    if is_english and not (NEGATIONS.isdisjoint(x.tokens) and NEGATIONS.isdisjoint(y.tokens)):
        denied = _denied(x, y)
        if denied:
            return denied
    if changed_value(x, y, is_english):
        return _became(old, new)
    return ""


def _sentences(statement: Statement) -> list[Sentence]:
    """Returns the sentences of a statement, each with its articles by their position in it, and without a
    "now" at its end."""
    tokens, articles = statement.tokens, statement.articles
    if "." not in tokens:
        return [Sentence(_lasting(tokens), articles)]
    sentences: list[Sentence] = []
    start = 0
    own: dict[int, str] = {}
    for n, token in enumerate([*tokens, "."]):
        if n in articles:
            own[n - start] = articles[n]
        if token == ".":
            sentences.append(Sentence(_lasting(tokens[start:n]), own))
            start, own = n + 1, {}
    return sentences


def _lasting(tokens: list[str]) -> list[str]:
    """Returns "I live in Lisbon now" without its "now"."""
    return tokens[:-1] if len(tokens) > 1 and tokens[-1] == "now" else tokens


def _only_difference(a: list[Sentence], b: list[Sentence]) -> tuple[Sentence, Sentence] | None:
    """Returns the one pair of sentences that differ; None if there are several, none, or an empty one. A
    first word that differs in case alone is made the same."""
    if len(a) != len(b):
        return None
    pairs = [(x, y) for x, y in zip(a, b, strict=True) if x.tokens != y.tokens]
    if len(pairs) != 1:
        return None
    x, y = pairs[0]
    if not x.tokens or not y.tokens:
        return None
    first = x.tokens[0].lower()
    if first == y.tokens[0].lower() and first not in TWO_FACED:
        return Sentence([y.tokens[0], *x.tokens[1:]], x.articles), y
    return x, y


def _became(old: str, new: str) -> str:
    """Returns "'tabs' became 'spaces'", in the words of the two texts."""
    x, y = old.split(), new.split()
    alike_x, alike_y = ([word.strip(".,;!").lower() for word in words] for words in (x, y))
    start = 0
    while start < min(len(x), len(y)) and alike_x[start] == alike_y[start]:
        start += 1
    end = 0
    while end < min(len(x), len(y)) - start and alike_x[-1 - end] == alike_y[-1 - end]:
        end += 1
    was, now = (" ".join(words[start : len(words) - end]).strip(".,;!")[:_QUOTED] for words in (x, y))
    return f"'{was}' became '{now}'"


def _denied(x: Sentence, y: Sentence) -> str:
    """Returns why a sentence denies what the other states, for people; empty if neither does. What begins
    with "a" or "one" may be about different things."""
    if (
        x.articles.get(0) == "a"
        or y.articles.get(0) == "a"
        or "one" in (x.tokens[0].lower(), y.tokens[0].lower())
    ):
        return ""
    for negated, positive, reason in (
        (x, y, "what was denied is now stated"),
        (y, x, "what was stated is now denied"),
    ):
        affirmed = _affirmed(negated.tokens)
        if (
            len(affirmed) == len(positive.tokens)
            and BLOCKING.isdisjoint(affirmed)
            and all(_agree(p, q) for p, q in zip(affirmed, positive.tokens, strict=True))
        ):
            return reason
    return _always_never(x.tokens, y.tokens)


def _affirmed(tokens: list[str]) -> list[str]:
    """Returns the tokens without the negation of the whole sentence; empty if it has none.

    A negation belongs to the whole sentence if only a subject precedes it.
    """
    n = next((n for n, token in enumerate(tokens[:_SUBJECT]) if token in NEGATIONS), -1)
    if n < 0:
        return []
    earlier = tokens[n - 1] if n else ""
    following = tokens[n + 1] if n + 1 < len(tokens) else ""
    subject = n - (earlier in _AUXILIARIES or earlier == "have")
    start, end = n, n + 1
    if tokens[n] == "not":
        if earlier == "do":
            start = n - 1
        elif earlier not in _AUXILIARIES and not (n == 0 and following == "all"):
            return []
    elif tokens[n] == "no" and following == "longer":
        end = n + 2
    elif (tokens[n] == "no") != (earlier in ("have", "is")):
        return []
    if not OUTER.isdisjoint(tokens[:subject]):
        return []
    rest = tokens[end:-2] if tokens[-2:] == ["any", "more"] else tokens[end:]
    return tokens[:start] + rest


def _always_never(x: list[str], y: list[str]) -> str:
    """Returns a reason if only "always" and "never" were exchanged, close to the subject; else empty."""
    if len(x) != len(y) or not BLOCKING.isdisjoint(x):
        return ""
    changed = [{p, q} for p, q in zip(x, y, strict=True) if p != q]
    first = next((n for n, token in enumerate(x) if token in ("always", "never")), _SUBJECT)
    if changed != [{"always", "never"}] or first >= _SUBJECT or not OUTER.isdisjoint(x[:first]):
        return ""
    return "'always' and 'never' changed places"


def _agree(p: str, q: str) -> bool:
    """Returns whether words are equal or two forms of one verb ("uses", "does not use")."""
    if p == q:
        return True
    if p.lower() == q.lower():
        return p.lower() not in TWO_FACED
    return p.isalpha() and q.isalpha() and (adds_s(p, q) or adds_s(q, p))
