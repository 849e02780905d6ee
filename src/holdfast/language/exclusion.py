"""Statements like one that a person wants never to be remembered: found in texts, and taken out of them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import ceil

from holdfast.core.claims import GROUP_OF, GROUPS
from holdfast.core.kinds import NOT_KEPT
from holdfast.language.claims.message import claims_of_message
from holdfast.language.claims.read import claims_in
from holdfast.language.terms import STOP_WORDS, words_of

SHARE = 0.6
"""Share of the words of an example that a statement like it has, where the example has more than two."""
WHOLE = frozenset({"who", "origin_and_home", "work", "education", "health", "diet"})
"""Types of claims of which another value is like the one in an example; of others, such as people and
tastes, only what has its words."""
WORDS_MAX = 40
"""Most words of an example: a longer one says too much for anything to be like it."""

_SECOND = {
    "you are": "I am", "you're": "I'm", "you've": "I've", "you have": "I have", "you'll": "I'll",
    "your": "my", "you": "I", "the user's": "my", "the user is": "I am", "the user has": "I have",
    "the user": "I", "user is": "I am", "user has": "I have",
}  # fmt: skip
_ADDRESSED = re.compile(rf"\b(?:{'|'.join(sorted(_SECOND, key=len, reverse=True))})\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Exclusion:
    """A rule of what is never remembered: claims of some types or attributes, statements with some words."""

    text: str
    types: frozenset[str]
    attributes: frozenset[str]
    words: frozenset[str]

    @property
    def is_usable(self) -> bool:
        """Returns whether anything can be like it."""
        return bool(self.types or self.attributes or self.words) and len(self.words) <= WORDS_MAX

    def covers(self, sentence: str) -> bool:
        """Returns whether a sentence is like it, whoever says it of the person: rather one too many than
        one too few, so what the network reads counts as well."""
        if self.types or self.attributes:
            read = claims_of_message if self.types else claims_in  # the network names no attributes
            for form in {sentence, _ADDRESSED.sub(lambda match: _SECOND[match[0].casefold()], sentence)}:
                if any(
                    claim.attribute in self.attributes or GROUP_OF.get(claim.type) in self.types
                    for claim in read(form)
                ):
                    return True
        shared = len(self.words & _content(sentence))
        needed = len(self.words) if len(self.words) < 3 else ceil(SHARE * len(self.words))
        return bool(self.words) and shared >= needed


@lru_cache(256)
def exclusion_of(text: str) -> Exclusion:
    """Returns what a text excludes: with the name of a group of beliefs, such as `health`, all of that group;
    else statements with the same attributes, or with its words."""
    name = text.strip().casefold()
    if name in GROUPS:
        return Exclusion(text, frozenset({name}), frozenset(), frozenset())
    attributes = frozenset(claim.attribute for claim in claims_in(text) if claim.type in WHOLE)
    return Exclusion(text, frozenset(), attributes, _content(text))


def taken_out(text: str, exclusions: Sequence[Exclusion]) -> tuple[str, list[str]]:
    """Returns a text without the sentences that are excluded, each replaced by a mark, and the texts of the
    exclusions that apply; the text is empty if nothing else is in it."""
    applied: list[str] = []
    parts: list[str] = []
    for sentence in _sentences(text):
        hit = next((exclusion for exclusion in exclusions if exclusion.covers(sentence)), None)
        if hit is None:
            parts.append(sentence)
            continue
        applied.append(hit.text)
        stripped = sentence.strip()
        parts.append(sentence.replace(stripped, NOT_KEPT) if stripped else sentence)
    if not applied:
        return text, []
    left = "".join(parts)
    rest = re.sub(r"(?m)^(?:User|Assistant):", "", left.replace(NOT_KEPT, ""))
    return (left if re.search(r"\w", rest) else ""), list(dict.fromkeys(applied))


def _sentences(text: str) -> Iterator[str]:
    """Yields the sentences of a text, which together are the text."""
    start = 0
    for match in re.finditer(r"[.!?…]+(?=\s|$)\s*|\n+", text):
        yield text[start : match.end()]
        start = match.end()
    if start < len(text):
        yield text[start:]


@lru_cache(1024)
def _content(text: str) -> frozenset[str]:
    """Returns the stems of a text that say what it is about."""
    return (
        frozenset(word for word in words_of(text.casefold()) if len(word) > 1 and word.isalpha()) - STOP_WORDS
    )
