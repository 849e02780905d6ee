"""Describes what speaks for and against a claim: its form, what the network says of its words, its sentence."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence

import numpy as np

from holdfast.core.claims import PAST, STATEMENT, Claim
from holdfast.language.claims.learned.network import (
    BEGINS,
    DENIED,
    IS_PAST,
    OUTSIDE,
    Chances,
    Floats,
    network,
)
from holdfast.language.claims.learned.properties import Token
from holdfast.language.claims.lexicon import KIN

_CHANCES = (0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 0.8, 0.9, 0.95, 0.98)
_SHARES = (0.1, 0.3, 0.5, 0.7, 0.9)
_FEW = (1, 2, 3, 5, 8)
_CHARACTERS = (1, 5, 15, 30, 60)
"""Limits between which numbers count as alike."""
_INSIDE = 0.3
"""Least probability of words that belong to the same statement as those of a claim."""
_WORDS = {
    "author": r"i|i'm|im|ive|me|we|us|ich|mich|mir|wir|uns",
    "mine": r"my|our|mine|mein\w*|unser\w*",
    "third": r"he|she|they|his|her|their|er|sie|ihr\w*|sein\w*",
    "supposed": r"if|wenn|falls|would|could|might|maybe|perhaps|vielleicht|würde\w*|könnte\w*|hätte\w*|should|sollte\w*",
    "text": r"write|draft|letter|story|poem|essay|translate|rephrase|rewrite|proofread|character|schreib\w*|brief"
    r"|geschichte|gedicht|übersetz\w*|formulier\w*|korrigier\w*|text|rede|speech|invitation|einladung|email|mail|e-mail"
    r"|card|karte",
    "past": r"was|were|had|used to|ago|former\w*|previous\w*|war|waren|hatte\w*|früher|damals|ehemal\w*|once|gone"
    r"|no longer|anymore|nicht mehr|kein\w* mehr",
    "denied": r"not|no|never|\w+n't|nicht|kein\w*|nie|nichts|without|ohne",
}
_PATTERNS = {name: re.compile(rf"\b(?:{words})\b", re.IGNORECASE) for name, words in _WORDS.items()}


def evidence(
    text: str, tokens: Sequence[Token], chances: Chances, claim: Claim, beside: Sequence[Claim]
) -> list[str]:
    """Returns the names of what speaks for and against a claim of a message with these tokens; `beside` are all
    claims that may be made of it."""
    source = "network" if claim.attribute == STATEMENT else "grammar"
    return [
        *_of_form(claim, source),
        *_of_words(tokens, chances, claim, source),
        *_of_place(text, claim, source),
        *_of_others(claim, beside, source),
        _grade("claims", len(beside), (2, 3, 5, 8)),
    ]


def _grade(name: str, number: float, limits: Sequence[float]) -> str:
    return f"{name}:{bisect_right(limits, number)}"


def _of_form(claim: Claim, source: str) -> Iterator[str]:
    """Yields what a claim is by itself."""
    words = len(claim.value.split())
    yield source
    yield f"{source} {claim.type}" if source == "network" else f"is {claim.attribute}"
    yield f"type {claim.type}"
    yield f"positive {claim.positive}"
    yield f"status {claim.status}"
    yield f"of another {bool(claim.subject)}"
    yield _grade(f"{source} words", words, (2, 3, 4, 5, 7, 10, 15))
    if source == "grammar":
        yield f"{claim.attribute} words {min(words, 4)}"
        yield f"{claim.attribute} certainty {claim.certainty}"


def _of_words(tokens: Sequence[Token], chances: Chances, claim: Claim, source: str) -> Iterator[str]:
    """Yields what the network says of the words of a claim, and of those around them."""
    inside = 1 - chances.parts[:, OUTSIDE]
    at = [
        number for number, token in enumerate(tokens) if token.start < claim.end and claim.start < token.end
    ]
    at = [number for number in at if tokens[number].is_word] or at or [0]
    own = inside[at]
    surest = np.sort(own)[::-1][: (2 * len(own) + 2) // 3]
    for name, chance in (
        ("mean", own.mean()),
        ("most", own.max()),
        ("least", own.min()),
        ("sure", surest.mean()),
    ):
        yield _grade(f"{source} {name}", float(chance), _CHANCES)
    if source == "grammar":
        yield _grade(f"{claim.attribute} mean", float(own.mean()), (0.05, 0.2, 0.5, 0.8))
    before, after = _around(inside, chances.parts[:, BEGINS], at[0], at[-1])
    yield _grade("before", before, _FEW)
    yield _grade("after", after, _FEW)
    yield _grade(f"{source} after", after, _FEW)
    yield _grade("begins", float(chances.parts[at[0], BEGINS]), _CHANCES)
    yield _grade("begins within", int((chances.parts[at[1:], BEGINS] >= _INSIDE).sum()), (1, 2, 3))
    weights = own / max(float(own.sum()), 1e-6)
    types, kinds = network().types, weights @ chances.types[at]
    likeliest = types[int(kinds.argmax())]
    yield f"likeliest {likeliest}"
    if claim.type in types:
        yield _grade(f"{source} type", float(chances.types[at].mean(0)[types.index(claim.type)]), _CHANCES)
        yield f"type {claim.type} likeliest {likeliest}"
    states, is_over = weights @ chances.states[at], claim.status == PAST
    for name, state in (("denied", DENIED), ("past", IS_PAST)):
        yield _grade(f"{claim.positive} {is_over} {name}", float(states[state]), _SHARES)


def _around(inside: Floats, begins: Floats, first: int, last: int) -> tuple[int, int]:
    """Returns how many tokens before and after two places belong to the same statement as these."""
    start, end = first, last + 1
    while start > 0 and inside[start - 1] > _INSIDE and not begins[start] >= inside[start] / 2:
        start -= 1
    while end < len(inside) and inside[end] > _INSIDE and not begins[end] >= inside[end] / 2:
        end += 1
    return first - start, end - last - 1


def _of_place(text: str, claim: Claim, source: str) -> Iterator[str]:
    """Yields what the sentence of a claim is, and where it stands in the message."""
    start = max(text.rfind(mark, 0, claim.start) for mark in _MARKS) + 1
    ends = [at for mark in _MARKS if (at := text.find(mark, max(claim.end - 1, 0))) >= 0]
    end = min(ends, default=len(text))
    sentence, quote, before = text[start : end + 1], text[claim.start : claim.end], text[start : claim.start]

    def has(name: str, words: str) -> bool:
        return _PATTERNS[name].search(words) is not None

    yield f"asks {sentence.rstrip().endswith('?')}"
    yield f"{source} author within {has('author', quote)}"
    yield f"{source} author {has('author', sentence)}"
    yield f"mine within {has('mine', quote)}"
    yield f"mine {has('mine', sentence)}"
    yield f"third within {has('third', quote)}"
    yield f"third before {has('third', before)}"
    yield f"supposed {has('supposed', sentence)}"
    yield f"supposed before {has('supposed', before)}"
    yield f"text {has('text', text)}"
    yield f"past {has('past', sentence)} {claim.status}"
    yield f"denied within {has('denied', quote)} {claim.positive}"
    yield f"denied before {has('denied', before)} {claim.positive}"
    yield f"quotes {any(mark in text for mark in _QUOTES)}"
    yield f"lines {min(text.count(_BREAK), 4)}"
    yield _grade("length", len(text), (40, 80, 120, 200, 300, 500, 1000))
    yield _grade("sentence", len(sentence.split()), (4, 7, 10, 15, 20, 30))
    yield _grade("place", start / max(len(text), 1), (0.01, 0.3, 0.6, 0.8))
    yield _grade("into sentence", claim.start - start, _CHARACTERS)
    yield _grade("left of sentence", end - claim.end, _CHARACTERS)
    if source == "grammar":
        yield f"{claim.attribute} author {has('author', quote)}"
    yield from _neighbours(text, claim)


_BREAK = chr(10)
_MARKS = (".", "!", "?", _BREAK)
_QUOTES = frozenset('"„“”«»')
_SEEN = 15
"""Characters in which the next word is looked for."""


def _neighbours(text: str, claim: Claim) -> Iterator[str]:
    """Yields the first and last words of a claim, and those before and behind it."""
    words = text[claim.start : claim.end].lower().split()
    if words:
        yield f"first word {words[0]}"
    if len(words) > 1:
        yield f"first words {words[0]} {words[1]}"
        yield f"last word {words[-1]}"
    yield from (f"next word {word}" for word in text[claim.end : claim.end + _SEEN].lower().split()[:1])
    yield from (
        f"word before {word}" for word in text[max(0, claim.start - _SEEN) : claim.start].lower().split()[-1:]
    )


def _of_others(claim: Claim, beside: Sequence[Claim], source: str) -> Iterator[str]:
    """Yields which other claims are made of the same words."""
    others = [
        other
        for other in beside
        if other is not claim and other.start < claim.end and claim.start < other.end
    ]
    statements = [other for other in others if other.attribute == STATEMENT]
    is_read, is_found = len(others) > len(statements), bool(statements)
    is_of_another = any(other.subject for other in others)
    yield f"{source} beside statement {is_found}"
    yield f"{source} beside read {is_read}"
    yield f"beside another's {is_of_another}"
    if source == "network":
        return
    goes_on = any(other.end > claim.end + 3 for other in statements)
    is_longer = any(other.end - other.start > claim.end - claim.start + 6 for other in statements)
    yield f"relative {claim.attribute in KIN} goes on {goes_on}"
    yield f"{claim.attribute} beside read {is_read}"
    yield f"{claim.attribute} in longer {is_longer}"
    yield f"{claim.attribute} beside another's {is_of_another}"
