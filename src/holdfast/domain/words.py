"""Words: how a text becomes the terms by which it is found, and how well terms match (BM25)."""

from __future__ import annotations

import math
import re
import unicodedata
import zlib
from collections import Counter
from collections.abc import Iterable
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

K1 = 1.2
B = 0.75
"""The usual BM25 constants: saturation of repeats, weight of the text's length."""

TITLE_WEIGHT = 2
"""A word of the title counts as often as this many in the text."""

MAX_TERM = 64
"""Characters of a word that are looked at."""

PACKED = np.dtype([("id", "<u4"), ("count", "u1")])
"""How a term of a text is stored: its number and how often it occurs (at most 255)."""

_CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uac00-\ud7af\U00020000-\U0002fa1f"
_TOKEN = re.compile(rf"[{_CJK}]+|[^\W_{_CJK}]+(?:[_'’.\-/:@#+]+[^\W_{_CJK}]+)*[+#]*", re.UNICODE)
_IS_CJK = re.compile(rf"[{_CJK}]")
_PARTS = re.compile(r"[^\W_]+", re.UNICODE)
_CAMEL = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+")
_POSSESSIVE = re.compile(r"['’](s|t|re|ve|ll|d|m)$")

STOP_WORDS = frozenset(
    """a about after again all am an and any are as at be because been before being between both but by can
    could did do does doing don down during each few for from further had has have having he her here hers
    him his how i if in into is it its itself just me more most my myself no nor not now of off on once only
    or other our ours out over own s same she should so some such t than that the their theirs them then
    there these they this those through to too under until up very was we were what when where which while
    who whom why will with would you your yours""".split()
)
"""Words that carry no meaning in a question; left out of queries that have others."""


@cache
def _stemmer() -> Any:
    import Stemmer

    return Stemmer.Stemmer("english")


def words_of(text: str) -> list[str]:
    """The terms of a text in order: lower case, stemmed, identifiers and paths whole and in parts, CJK in
    single characters and pairs (S2.28)."""
    plain: list[str] = []
    others: list[str] = []
    for token in _TOKEN.findall(unicodedata.normalize("NFKC", text)):
        if _IS_CJK.match(token):
            others.extend(token)
            others.extend(token[i : i + 2] for i in range(len(token) - 1))
            continue
        token = _POSSESSIVE.sub("", token)
        if token.isalpha() and (token.islower() or token.istitle()):
            plain.append(token.lower()[:MAX_TERM])
            continue
        parts = [p for piece in _PARTS.findall(token) for p in _split(piece)]
        plain.extend(p.lower()[:MAX_TERM] for p in parts)
        if len(parts) > 1:
            others.append(token.lower()[:MAX_TERM])
    stems: list[str] = _stemmer().stemWords(plain)
    return stems + others


def _split(piece: str) -> list[str]:
    if piece.isalpha() and (piece.islower() or piece.isupper() or piece.istitle()):
        return [piece]
    if not piece.isascii():
        return [piece]
    return _CAMEL.findall(piece) or [piece]


def term_of(word: str) -> int:
    """The 32-bit number by which a word is indexed: no word stands in the index itself, so erasing is easy."""
    return zlib.crc32(word.encode("utf-8", "surrogatepass"))


class Terms:
    """The terms of one text: distinct numbers in ascending order, how often each occurs, and the length."""

    __slots__ = ("counts", "ids")

    def __init__(self, ids: NDArray[np.uint32], counts: NDArray[np.uint8]) -> None:
        self.ids = ids
        self.counts = counts

    @property
    def length(self) -> int:
        """Words in the text, repeats counted."""
        return int(self.counts.sum())

    def to_bytes(self) -> bytes:
        """Packed for storing, five bytes a term; packed terms of several texts may be joined."""
        packed = np.empty(len(self.ids), PACKED)
        packed["id"] = self.ids
        packed["count"] = self.counts
        return packed.tobytes()

    @classmethod
    def from_bytes(cls, packed: bytes) -> Terms:
        records = np.frombuffer(packed, PACKED)
        return cls(records["id"], records["count"])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Terms) and self.to_bytes() == other.to_bytes()

    def __hash__(self) -> int:
        return hash(self.to_bytes())


def terms_of(text: str, title: str | None = None, others: Iterable[str] = ()) -> Terms:
    """The terms of a memory: its text, its title weighted, and other short fields such as the speaker."""
    tally = Counter(words_of(text))
    for word in words_of(title or ""):
        tally[word] += TITLE_WEIGHT
    for other in others:
        tally.update(words_of(other))
    numbers = Counter[int]()
    for word, count in tally.items():
        numbers[term_of(word)] += count
    ids = np.fromiter(numbers, np.uint32, len(numbers))
    counts = np.fromiter((min(c, 255) for c in numbers.values()), np.uint8, len(numbers))
    order = np.argsort(ids)
    return Terms(ids[order], counts[order])


def query_terms(text: str) -> tuple[int, ...]:
    """The distinct terms of a question, without stop words unless it has nothing else."""
    words = dict.fromkeys(words_of(text))
    telling = [w for w in words if w not in _stemmed_stop_words()] or list(words)
    return tuple(dict.fromkeys(term_of(w) for w in telling))


@cache
def _stemmed_stop_words() -> frozenset[str]:
    return frozenset(_stemmer().stemWords(sorted(STOP_WORDS))) | STOP_WORDS


def idf(matching: int, total: int) -> float:
    """The weight of a term that stands in `matching` of the `total` texts of one view."""
    return math.log(1.0 + (total - matching + 0.5) / (matching + 0.5))


def saturated(
    counts: NDArray[np.float32], lengths: NDArray[np.float32], average: float
) -> NDArray[np.float32]:
    """BM25's share of a term by its count in each text, before the term's own weight; shape as `counts`."""
    norm = K1 * (1.0 - B + B * lengths / max(average, 1.0))
    return (counts * (K1 + 1.0) / (counts + norm)).astype(np.float32)
