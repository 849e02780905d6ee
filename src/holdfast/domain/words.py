"""Words: how a text becomes the terms by which it is found, and how well terms match (BM25)."""

from __future__ import annotations

import math
import re
import zlib
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from itertools import chain
from operator import add
from typing import TYPE_CHECKING, Any

import numpy as np

from holdfast.domain.text import compatible

if TYPE_CHECKING:
    from numpy.typing import NDArray

K1 = 1.2
B = 0.75
"""The usual BM25 constants: saturation of repeats, weight of the text's length."""

TITLE_WEIGHT = 2
"""A word of the title counts as often as this many in the text."""

MAX_TERM = 64
"""Characters of a word that are looked at."""

KNOWN_TOKENS = 32_768
KNOWN_LENGTH = 48
BRIEFS_KEPT = 256
"""How many tokens, of how many characters at most, are remembered as terms."""

PACKED = np.dtype([("id", "<u4"), ("count", "u1")])
"""How a term of a text is stored: its number and how often it occurs (at most 255)."""

_CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uac00-\ud7af\U00020000-\U0002fa1f"
_TOKEN = rf"[{_CJK}]+|[^\W_{_CJK}]+(?:[_'’.\-/:@#+]+[^\W_{_CJK}]+)*[+#]*"
_ASCII_TOKEN = re.compile(r"[A-Za-z0-9]+(?:[_'.\-/:@#+]+[A-Za-z0-9]+)*[+#]*")
"""The same for a text of ASCII alone, which most are, in a third of the time."""
_IS_CJK = rf"[{_CJK}]"
_PARTS = re.compile(r"[^\W_]+")
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
def _compiled(pattern: str) -> re.Pattern[str]:
    """Compiled when it is first needed: sets of so many characters take milliseconds."""
    return re.compile(pattern)


@cache
def _stemmer() -> Any:
    import Stemmer

    return Stemmer.Stemmer("english")


def words_of(text: str) -> list[str]:
    """The terms of a text in order: lower case, stemmed, identifiers and paths whole and in parts, CJK in
    single characters and pairs (S2.28)."""
    readings = [_read(token) for token in _tokens(text)]
    return [stem for stems, _ in readings for stem in stems] + [
        other for _, others in readings for other in others
    ]


def _tokens(text: str) -> list[str]:
    if text.isascii():
        return _ASCII_TOKEN.findall(text)
    return _compiled(_TOKEN).findall(compatible(text))


def _read(token: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """A token's stems, and the terms that are taken as they stand."""
    if _is_cjk(token):
        return (), (*token, *map(add, token, token[1:]))
    token = _POSSESSIVE.sub("", token)
    if token.isalpha() and (token.islower() or token.istitle()):
        return (_stemmer().stemWord(token.lower()[:MAX_TERM]),), ()
    parts = [p for piece in _PARTS.findall(token) for p in _split(piece)]
    stems = tuple(_stemmer().stemWord(p.lower()[:MAX_TERM]) for p in parts)
    return stems, (token.lower()[:MAX_TERM],) if len(parts) > 1 else ()


def _is_cjk(token: str) -> bool:
    return not token.isascii() and _compiled(_IS_CJK).match(token) is not None


class _Numbers(dict[str, tuple[int, ...]]):
    """The term numbers of short tokens, read once: the same few thousand words make up most texts."""

    def __missing__(self, token: str) -> tuple[int, ...]:
        stems, others = _read(token)
        numbers = tuple(term_of(word) for word in (*stems, *others))
        if len(token) <= KNOWN_LENGTH:
            if len(self) >= KNOWN_TOKENS:
                self.clear()
            self[token] = numbers
        return numbers


_numbers = _Numbers()


def _split(piece: str) -> list[str]:
    if piece.isalpha() and (piece.islower() or piece.isupper() or piece.istitle()):
        return [piece]
    if not piece.isascii():
        return [piece]
    return _CAMEL.findall(piece) or [piece]


def term_of(word: str) -> int:
    """The 32-bit number by which a word is indexed: the index itself holds no word."""
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
    tally = _tally(text)
    if title:
        for number, count in _brief(title):
            tally[number] += count * TITLE_WEIGHT
    for other in others:
        if other:
            for number, count in _brief(other):
                tally[number] += count
    numbers = np.fromiter(tally, np.uint32, len(tally))
    counts = np.fromiter(tally.values(), np.int64, len(tally))
    order = numbers.argsort()
    return Terms(numbers[order], np.minimum(counts[order], 255).astype(np.uint8))


@lru_cache(BRIEFS_KEPT)
def _brief(text: str) -> tuple[tuple[int, int], ...]:
    """The tally of a title or name, which many passages in a row have in common."""
    return tuple(_tally(text).items())


def _tally(text: str) -> Counter[int]:
    tokens = _tokens(text)
    if text.isascii():
        return Counter(chain.from_iterable(map(_numbers.__getitem__, tokens)))
    # a run of CJK can be as long as the text: counted first, numbered once
    runs = [token for token in tokens if _is_cjk(token)]
    tally = Counter(chain.from_iterable(_numbers[token] for token in tokens if not _is_cjk(token)))
    words = Counter(chain.from_iterable(runs))
    for run in runs:
        words.update(map(add, run, run[1:]))
    for word, count in words.items():
        tally[term_of(word)] += count
    return tally


def query_terms(text: str) -> tuple[int, ...]:
    """The distinct terms of a question, without stop words unless it has nothing else."""
    words = dict.fromkeys(words_of(text))
    telling = [w for w in words if w not in stop_stems()] or list(words)
    return tuple(dict.fromkeys(term_of(w) for w in telling))


def emphasis(text: str, terms: Sequence[int], weights: Sequence[float]) -> dict[str, float]:
    """How much each word of a question counts in its vector, in lower case, by the weight of its terms in the
    view: what everything there speaks of tells nothing apart. Words that are no terms are left out."""
    known = dict(zip(terms, weights, strict=True))
    found: dict[str, float] = {}
    for word in _PARTS.findall(text):
        of_word = [known[number] for number in _numbers[word] if number in known]
        if of_word:
            found[word.casefold()] = math.sqrt(max(of_word))
    return found


@cache
def stop_stems() -> frozenset[str]:
    """`STOP_WORDS` as they are written and as terms."""
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
