"""Turns a text into index terms and weighs how well terms match (BM25)."""

from __future__ import annotations

import math
import re
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, lru_cache
from itertools import chain, pairwise
from operator import add
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from holdfast.core.text import compatible
from holdfast.language.term_counts import distinct, ends_of, owned, ranges, rounds
from holdfast.language.tokens import tokens_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

_T = TypeVar("_T")

K1 = 1.2
B = 0.75
"""The usual BM25 constants: saturation of repeats, weight of the text's length."""

TITLE_WEIGHT = 2
"""A word of the title counts as often as this many in the text."""

MAX_TERM = 64
"""Most characters of a word that are indexed."""

KNOWN_TOKENS = 16_384
KNOWN_LENGTH = 48
BRIEFS_KEPT = 256
"""Sizes of the caches: tokens, characters of a cached token, and titles."""
LITTLE = 6_000
"""Characters below which texts are processed one by one."""
AT_ONCE = 1 << 20
"""Most characters that are processed together, which bounds memory."""

PACKED = np.dtype([("id", "<u4"), ("count", "u1")])
"""How a term of a text is stored: its number and how often it occurs (at most 255)."""

_CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uac00-\ud7af\U00020000-\U0002fa1f"
_TOKEN = rf"[{_CJK}]+|[^\W_{_CJK}]+(?:[_'’.\-/:@#+]+[^\W_{_CJK}]+)*[+#]*"
_ASCII_TOKEN = re.compile(r"[A-Za-z0-9]+(?:[_'.\-/:@#+]+[A-Za-z0-9]+)*[+#]*")
"""The pattern for ASCII texts, the most frequent ones, at a third of the time."""
_TOKENS_ONLY = {code: " " for code in range(128) if not (chr(code).isalnum() or chr(code) in "_'.-/:@#+")}
"""Maps characters outside ASCII tokens to spaces: `str.split` is far quicker than a pattern."""
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
"""Words without meaning in a question; omitted from queries that have others."""
_GERMAN_ONLY = frozenset(
    """ich wir mich dich euch ihm ihnen sich mein meine meinen meinem meiner meines dein deine deinen
    deinem deiner unser unsere unseren unserem unserer warum
    wieso weshalb wann wohin woher nicht kein keine keinen keinem keiner habe haben hatte hatten
    wurde wurden wird werden kann kannst können eine einen einem einer und aber weil dass wie beim
    nach für über durch auch noch schon""".split()
)
_GERMAN_STOP_WORDS = _GERMAN_ONLY | frozenset(
    """welche welcher welches welchen welchem
    die der das den dem des ein eines er sie es du man ihr uns dir mir sein seine seinen seinem seiner
    ihre ihren ihrem ihrer wer wen wem wo was ist bin bist sind seid war waren hat hast muss soll
    will mag darf werde zu zum zur auf aus bei mit von vom im in am an um ob bis vor unter gegen
    ohne seit wegen oder wenn als so nur mal denn doch da hier dort dann""".split()
)
"""The same in German: left out of a question that has one which is nothing in English, as "die" is,
nor a name, as the stem of "welche" is."""


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    """Compiles a pattern on first use: sets of so many characters take milliseconds."""
    return re.compile(pattern)


@cache
def _stemmer() -> Any:
    import Stemmer

    # without its own cache, which takes three times as long as stemming a word
    return Stemmer.Stemmer("english", 0)


def words_of(text: str) -> list[str]:
    """Returns the terms of a text in order: lower case, stemmed, identifiers and paths whole and in parts,
    CJK in single characters and pairs (S2.28)."""
    readings = [_read(token) for token in _tokens(text)]
    return [stem for stems, _ in readings for stem in stems] + [
        other for _, others in readings for other in others
    ]


def _tokens(text: str) -> list[str]:
    if text.isascii():
        return _ASCII_TOKEN.findall(text)
    return _compiled(_TOKEN).findall(compatible(text))


def _read(token: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Returns a token's stems, and its unstemmed terms."""
    if _is_cjk(token):
        return (), (*token, *map(add, token, token[1:]))
    if "'" in token or "’" in token:
        token = _POSSESSIVE.sub("", token)
    parts = _parts(token)
    return tuple(map(_stem, parts)), (token.lower()[:MAX_TERM],) if len(parts) > 1 else ()


def _parts(token: str) -> list[str]:
    """Returns the words in a token: itself, or the components of an identifier, path or number."""
    if token.isascii():
        return _CAMEL.findall(token)
    if token.isalpha() and (token.islower() or token.istitle()):
        return [token]
    return [part for piece in _PARTS.findall(token) for part in _split(piece)]


def _split(piece: str) -> list[str]:
    return _CAMEL.findall(piece) if piece.isascii() else [piece]


def _stem(part: str) -> str:
    return _stemmer().stemWord(part.lower()[:MAX_TERM])  # type: ignore[no-any-return]


def stems_of(words: Sequence[str]) -> list[str]:
    """Returns the stems of words of letters alone, in lower case."""
    return _stemmer().stemWords(words)  # type: ignore[no-any-return]


def _is_cjk(token: str) -> bool:
    return not token.isascii() and _compiled(_IS_CJK).match(token) is not None


class _NumberCache(dict[str, _T]):
    """A bounded cache of the numbers of short words: the same few thousand make up most texts."""

    def __init__(self, read: Callable[[str], _T]) -> None:
        super().__init__()
        self._read = read

    def __missing__(self, word: str) -> _T:
        value = self._read(word)
        if len(word) <= KNOWN_LENGTH:
            if len(self) >= KNOWN_TOKENS:
                self.clear()
            self[word] = value
        return value


def _numbers_in(token: str) -> tuple[int, ...]:
    """Returns the numbers of the terms in a token: of its parts and, if it has several, of the whole; of CJK
    of each character and pair."""
    if _is_cjk(token):
        return tuple(map(term_of, _read(token)[1]))
    if "'" in token or "’" in token:
        token = _POSSESSIVE.sub("", token)
    parts = _parts(token)
    if len(parts) == 1:
        return (_part_number[parts[0]],)
    return (*map(_part_number.__getitem__, parts), term_of(token.lower()[:MAX_TERM]))


# in code most tokens are new but consist of known parts
_part_number = _NumberCache(lambda part: term_of(_stem(part)))
_numbers = _NumberCache(_numbers_in)


def _numbers_in_run(run: str) -> tuple[int, ...]:
    return tuple(chain.from_iterable(map(_numbers_in, _ASCII_TOKEN.findall(run))))


_run_numbers = _NumberCache(_numbers_in_run)
"""Cache for runs of ASCII between spaces and brackets: "end." as well as "end"."""


def term_of(word: str) -> int:
    """Returns the 32-bit number by which a word is indexed: the index itself contains no words."""
    return zlib.crc32(word.encode("utf-8", "surrogatepass"))


class Terms:
    """The terms of one text: distinct numbers in ascending order, and how often each occurs."""

    __slots__ = ("_packed",)

    def __init__(self, packed: bytes) -> None:
        self._packed = packed

    @property
    def ids(self) -> NDArray[np.uint32]:
        """Returns the numbers, ascending."""
        ids: NDArray[np.uint32] = np.frombuffer(self._packed, PACKED)["id"]
        return ids

    @property
    def counts(self) -> NDArray[np.uint8]:
        """Returns how often each occurs, at most 255."""
        counts: NDArray[np.uint8] = np.frombuffer(self._packed, PACKED)["count"]
        return counts

    @property
    def length(self) -> int:
        """Returns the number of words in the text, repeats counted."""
        return int(self.counts.sum())

    def to_bytes(self) -> bytes:
        """Returns the packed form, five bytes a term; packed terms of several texts may be joined."""
        return self._packed

    @classmethod
    def from_bytes(cls, packed: bytes) -> Terms:
        return cls(packed)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Terms) and self._packed == other._packed

    def __hash__(self) -> int:
        return hash(self._packed)


Fields = tuple[str, str | None, Sequence[str]]
"""The fields of a memory that are indexed: its text, its title, and short fields such as the speaker."""


def terms_of(text: str, title: str | None = None, extra_texts: Sequence[str] = ()) -> Terms:
    """Returns the terms of a memory: its text, its weighted title, and other short fields such as the
    speaker."""
    numbers = _numbers_of(text)
    if title:
        numbers += _brief(title) * TITLE_WEIGHT
    for other in extra_texts:
        if other:
            numbers += _brief(other)
    return Terms(_packed(*distinct(np.array(numbers, np.uint64))))


def terms_of_all(memories: Sequence[Fields]) -> list[Terms]:
    """Returns the result of `terms_of` for each memory, in a fifth of the time for much text."""
    terms: list[Terms] = []
    for first, last in rounds([len(text) for text, _, _ in memories], AT_ONCE):
        part = memories[first:last]
        if sum(len(text) for text, _, _ in part) < LITTLE:
            terms += [terms_of(*fields) for fields in part]
        else:
            terms += _terms_at_once(part)
    return terms


def _terms_at_once(memories: Sequence[Fields]) -> list[Terms]:
    """Returns the terms of several memories, counted together: the upper half of a number names its owner."""
    places: dict[str, int] = {}
    owners: list[int] = []
    texts: list[int] = []
    for owner, (text, title, others) in enumerate(memories):
        fields = [text, *[title or ""] * TITLE_WEIGHT, *others]
        owners += [owner] * len(fields)
        texts += [places.setdefault(field, len(places)) for field in fields]
    owner_of = np.array(owners)
    every: list[NDArray[np.uint64]] = []
    for numbers, ends in _columns(list(places)):
        begins = (ends - np.diff(ends, prepend=0))[texts]
        sizes = ends[texts] - begins
        every.append(owned(np.repeat(owner_of, sizes), numbers[ranges(begins, sizes)]))
    keys, counts = distinct(np.concatenate(every))
    packed = _packed(keys, counts)
    bounds = [PACKED.itemsize * end for end in (0, *ends_of(keys, len(memories)))]
    return [Terms(packed[begin:end]) for begin, end in pairwise(bounds)]


def _columns(texts: Sequence[str]) -> Iterator[tuple[NDArray[np.uint32], NDArray[np.intp]]]:
    """Yields three columns: the numbers of all texts in order, and the position at which each text ends."""
    plain: list[bytes] = []
    others: list[list[int]] = []
    for text in texts:
        rest: list[int] = []
        if not text.isascii():  # no token spans a space
            runs = text.split()
            tokens = _tokens(" ".join(run for run in runs if not run.isascii()))
            text = " ".join((*filter(str.isascii, runs), *filter(str.isascii, tokens)))
            rest = _numbers_among([token for token in tokens if not token.isascii()])
        plain.append(text.encode())
        others.append(rest)
    tokens_found = tokens_of(b"\n".join((b"", *plain, b"")), MAX_TERM)
    ends = np.cumsum([len(item) + 1 for item in plain])
    numbers = _as_array(map(_part_number.__getitem__, map(bytes.decode, tokens_found.words.different)))
    yield numbers[tokens_found.words.places], np.searchsorted(tokens_found.words.starts, ends)
    yield _as_array(map(zlib.crc32, tokens_found.wholes)), np.searchsorted(tokens_found.whole_starts, ends)
    yield _as_array(chain.from_iterable(others)), np.cumsum([len(item) for item in others])


def _as_array(numbers: Iterable[int]) -> NDArray[np.uint32]:
    return np.fromiter(numbers, np.uint32)


def _packed(keys: NDArray[np.uint64], counts: NDArray[np.intp]) -> bytes:
    packed = np.empty(len(keys), PACKED)
    packed["id"] = keys & np.uint64(0xFFFFFFFF)
    packed["count"] = np.minimum(counts, 255)
    return packed.tobytes()


@lru_cache(BRIEFS_KEPT)
def _brief(text: str) -> list[int]:
    """Returns the numbers of a title or name, which many successive passages share."""
    return _numbers_of(text)


def _numbers_of(text: str) -> list[int]:
    """Returns the number of every term of a text, repeated as often as it occurs."""
    if text.isascii():
        return list(chain.from_iterable(map(_run_numbers.__getitem__, text.translate(_TOKENS_ONLY).split())))
    return _numbers_among(_tokens(text))


def _numbers_among(tokens: Sequence[str]) -> list[int]:
    """Returns the number of every term of tokens, repeated as often as it occurs; those of CJK come last."""
    # a run of CJK can be as long as the text: each character and pair of it is numbered once
    runs = [token for token in tokens if _is_cjk(token)]
    numbers = [number for token in tokens if not _is_cjk(token) for number in _numbers[token]]
    words = Counter(chain.from_iterable(runs))
    for run in runs:
        words.update(map(add, run, run[1:]))
    for word, count in words.items():
        numbers += [term_of(word)] * count
    return numbers


def query_terms(text: str) -> tuple[int, ...]:
    """Returns the distinct terms of a question, without stop words unless it has nothing else."""
    words = dict.fromkeys(words_of(text))
    empty = stop_stems()
    if not words.keys().isdisjoint(_german_stems()[0]):
        empty |= _german_stems()[1]
    telling = [w for w in words if w not in empty] or list(words)
    return tuple(dict.fromkeys(term_of(w) for w in telling))


def emphasis(text: str, terms: Sequence[int], weights: Sequence[float]) -> dict[str, float]:
    """Returns the weight of each word of a question in its vector, in lower case.

    The weight follows the weights of its terms in the view: common words do not discriminate. Words that are
    not terms are omitted.
    """
    by_term = dict(zip(terms, weights, strict=True))
    by_word: dict[str, float] = {}
    for word in _PARTS.findall(text):
        of_word = [by_term[number] for number in _numbers[word] if number in by_term]
        if of_word:
            by_word[word.casefold()] = math.sqrt(max(of_word))
    return by_word


@cache
def _german_stems() -> tuple[frozenset[str], frozenset[str]]:
    """Returns German words without meaning as terms: those that are nothing in English, and all."""
    stems = frozenset(_stemmer().stemWords(sorted(_GERMAN_ONLY)))
    only = _GERMAN_ONLY | {stem for stem in stems if len(stem) > 3}  # a short one may be an English name
    return only, frozenset(_stemmer().stemWords(sorted(_GERMAN_STOP_WORDS))) | _GERMAN_STOP_WORDS


@cache
def stop_stems() -> frozenset[str]:
    """Returns `STOP_WORDS` as written and as terms."""
    return frozenset(_stemmer().stemWords(sorted(STOP_WORDS))) | STOP_WORDS


def idf(matching: int, total: int) -> float:
    """Returns the weight of a term that occurs in `matching` of the `total` texts of one view."""
    return math.log(1.0 + (total - matching + 0.5) / (matching + 0.5))


def saturated(
    counts: NDArray[np.float32], lengths: NDArray[np.float32], average: float
) -> NDArray[np.float32]:
    """Returns the saturated counts of a term in each text, before the term's own weight; shape as
    `counts`."""
    norm = K1 * (1.0 - B + B * lengths / max(average, 1.0))
    return (counts * (K1 + 1.0) / (counts + norm)).astype(np.float32)
