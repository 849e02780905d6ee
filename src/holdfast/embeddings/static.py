"""The default embedder: a static token table shipped with the package, pooled with integer arithmetic.

A text is the weighted sum of its words' rows, scaled to unit length. Each number of a row is a 4-bit code
for one of 16 integers, and word weights are integers, so the sum is exact: the same text gives the same bits
alone or in a batch, in any order of addition, on any number of threads. Words outside the table are described
by their parts, their stem or hashed letter n-grams, so every word has a vector; Chinese is read by characters
and the known words among them. English, German, Spanish, French and Chinese share one space. The first 64 or
128 dimensions of a vector are an embedding, too.
"""

from __future__ import annotations

import json
import re
import unicodedata
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice, pairwise
from pathlib import Path
from typing import Final
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from holdfast.core.arguments import safe_repr
from holdfast.core.errors import InvalidInput
from holdfast.core.python_parser import PARSER_LOCK
from holdfast.language.term_counts import distinct, ends_of, owned, ranges, rounds
from holdfast.language.tokens import words_in
from holdfast.language.vocabulary import LEVELS

DIMS: Final = (64, 128, 256)
"""Dimensions that a vector may be cut to; the last is all of them."""
_LEVELS_OF_BYTE: Final = (
    np.array([(low, high) for high in LEVELS for low in LEVELS], np.int8).view(np.uint16).ravel()
)
_DATA: Final = Path(__file__).parent / "data"
_LONGEST_TOKEN: Final = 64  # longer runs (base64, minified code) are read in slices of this many characters
_LONGEST_COMPOUND: Final = 24
_LONGEST_UNSPACED: Final = 4  # characters of a known word of a script without spaces
_CACHED_TOKENS: Final = 16_384
_ROWS_AT_ONCE: Final = 512  # bounds memory: so many rows are pooled at a time
_SYMBOLS: Final = 4_096  # most symbols that are read of a text without a letter or digit
_LITTLE: Final = 4_000  # characters below which texts are embedded one by one
_AT_ONCE: Final = 1 << 20  # most characters that are embedded together, which bounds memory
_FINE: Final = 64.0  # factors on a word's weight are rounded to 64ths, so that pooling adds integers
_UNIT: Final = float(
    1 << 20
)  # fixed-point scale of a pooled vector; squares of 256 of them are exact in float64

_WORDS_ONLY: Final = bytes(code if chr(code).isalnum() and code < 128 else 0x20 for code in range(256))
# Combining marks continue a word: accents, Hebrew and Arabic points, Indic and South-East Asian vowels.
_WORDS: Final = re.compile(
    r"[^\W_](?:[^\W_]|[\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u0900-\u0963\u0966-\u109f\u1780-\u17d3])*"
)
_PARTS: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+|[^A-Za-z0-9]+")
# Scripts written without spaces, or with long agglutinated words: read by characters and pairs of characters.
_UNSPACED: Final = re.compile(
    r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3\uf900-\ufaff\U00020000-\U0003ffff]+"
)
_ENDINGS: Final = (
    ("ies", "y"), ("es", ""), ("s", ""), ("ied", "y"), ("ed", ""), ("ed", "e"), ("ing", ""), ("ing", "e"),
    ("ly", ""), ("er", ""), ("er", "e"), ("est", ""), ("ness", ""), ("ment", ""), ("able", ""), ("less", ""),
    ("ful", ""), ("ish", ""), ("en", ""), ("en", "e"), ("n", ""), ("e", ""), ("os", "o"), ("as", "o"),
    ("a", "o"), ("ees", "er"), ("ee", "er"),
)  # fmt: skip


def words(text: str) -> list[str]:
    """Returns the tokens of a text as written: runs of letters and digits, with their combining marks."""
    if text.isascii():  # in a fifth of the time of a pattern
        return text.encode().translate(_WORDS_ONLY).decode().split()
    return _WORDS.findall(text)


def fold(token: str) -> str:
    """Returns a token without compatibility forms and accents, case preserved: ``"Ｃafé"`` becomes
    ``"Cafe"``."""
    if token.isascii():
        return token
    plain = "".join(c for c in unicodedata.normalize("NFKD", token) if unicodedata.category(c) != "Mn")
    return unicodedata.normalize("NFC", plain)


class Vocabulary:
    """A mapping from tokens to rows of the table, by sorted 32-bit hashes instead of a dictionary of words.

    Rows 0 … n-1 are the known words in order of their hash, followed by the whole-word buckets and the letter
    n-gram buckets.
    """

    def __init__(self, keys: NDArray[np.uint32], word_buckets: int, gram_buckets: int) -> None:
        self._keys = memoryview(keys)  # type: ignore[arg-type]  # numpy's stubs before 3.12 lack Buffer
        self._word_base = len(keys)
        self._gram_base = len(keys) + word_buckets
        self._word_buckets = word_buckets
        self._gram_buckets = gram_buckets
        self._row_of: dict[int, int] = {}
        self._parts: _Cache = _Cache(self._part)

    def find(self, word: str) -> int:
        """Returns the row of a known lower-case word, or -1. One unknown word in about 10^5 is mistaken for a
        known one."""
        key = crc32(word.encode("utf-8", "surrogatepass"))
        if self._row_of:
            return self._row_of.get(key, -1)
        i = bisect_left(self._keys, key)
        return i if i < self._word_base and self._keys[i] == key else -1

    def is_known(self, row: int) -> bool:
        """Returns whether a row is that of a known word."""
        return row < self._word_base

    def bucket(self, word: str) -> int:
        """Returns the row for a whole word outside the table: equal words share it, others rarely do."""
        return self._word_base + crc32(word.encode("utf-8", "surrogatepass")) % self._word_buckets

    def grams(self, word: str) -> list[int]:
        """Returns the rows of the word's letter 4-grams, its borders marked."""
        marked = f"<{word}>"
        return [
            self._gram_base + crc32(marked[i : i + 4].encode("utf-8", "surrogatepass")) % self._gram_buckets
            for i in range(max(1, len(marked) - 3))
        ]

    def spelled(self, word: str) -> tuple[int, ...]:
        """Returns the rows of an unknown word by its spelling alone; a plural shares the row of its
        singular."""
        return (
            self.bucket(word[:-1] if len(word) > 4 and word[-1] == "s" else word),
            *(self.grams(word) if len(word) > 2 else ()),
        )

    def rows_of_all(self, tokens: Sequence[bytes]) -> list[tuple[int, ...]]:
        """Returns the result of `rows` for each UTF-8 token; a non-ASCII one may be several tokens."""
        if not self._row_of:  # takes 5 ms and some megabytes, and makes the following five times faster
            self._row_of = {key: row for row, key in enumerate(self._keys.tolist())}
        rows = map(self._row_of.get, map(crc32, b" ".join(tokens).lower().split()))
        return [
            (row,)
            if row is not None and len(token) <= _LONGEST_TOKEN and token.isascii()
            else self._rows_of_parts(token.decode("utf-8", "surrogatepass"))
            for token, row in zip(tokens, rows, strict=True)
        ]

    def _rows_of_parts(self, token: str) -> tuple[int, ...]:
        if len(token) > _LONGEST_TOKEN or not token.isascii():
            return tuple(chain.from_iterable(map(self.rows, words(token))))
        return tuple(chain.from_iterable(map(self._parts.__getitem__, map(str.lower, _PARTS.findall(token)))))

    def rows(self, token: str) -> tuple[int, ...]:
        """Returns the rows of a token as written: the known word, else its parts, its stem, its halves, its
        spelling."""
        if len(token) > _LONGEST_TOKEN:
            slices = range(0, len(token), _LONGEST_TOKEN)
            return tuple(r for i in slices for r in self.rows(token[i : i + _LONGEST_TOKEN]))
        folded = fold(token)
        word = folded.casefold()
        if (row := self.find(word)) >= 0:
            return (row,)
        parts = _PARTS.findall(folded)
        if len(parts) > 1:
            return tuple(r for part in parts for r in self._parts[part.casefold()])
        return self._parts[word]

    def _part(self, word: str) -> tuple[int, ...]:
        """Returns the rows of a part of a word: its own, those of its stem or halves, else those of its
        spelling."""
        if (row := self.find(word)) >= 0:
            return (row,)
        if not word.isascii():
            return tuple(r for piece in self._scripts(word) for r in piece)
        if word.isdecimal():
            return (self.bucket(word.lstrip("0")),)
        return self._stem(word) or self._halves(word) or self.spelled(word)

    def _scripts(self, word: str) -> Iterator[tuple[int, ...]]:
        """Yields rows of unspaced scripts by characters and the known words among them, unknown characters by
        their pairs, too, and of everything else by spelling."""
        end = 0
        for run in _UNSPACED.finditer(word):
            if run.start() > end:
                yield self.spelled(word[end : run.start()])
            letters, end = run.group(), run.end()
            single = [self.find(c) for c in letters]
            yield tuple(row if row >= 0 else self.bucket(c) for row, c in zip(single, letters, strict=True))
            yield tuple(
                self.bucket(letters[i : i + 2])
                for i, pair in enumerate(pairwise(single))
                if min(pair) < 0 and self.find(letters[i : i + 2]) < 0
            )
            runs = (
                letters[i : i + size]
                for size in range(2, _LONGEST_UNSPACED + 1)
                for i in range(len(letters) - size + 1)
            )
            yield tuple(row for row in map(self.find, runs) if row >= 0)
        if end < len(word):
            yield self.spelled(word[end:])

    def _stem(self, word: str) -> tuple[int, ...]:
        """Returns the row of a word without its ending, if that is a known word."""
        for ending, instead in _ENDINGS:
            if word.endswith(ending) and len(word) - len(ending) >= 3:
                stem = word[: len(word) - len(ending)] + instead
                if (row := self.find(stem)) >= 0:
                    return (row,)
                if not instead and stem[-1] == stem[-2] and (row := self.find(stem[:-1])) >= 0:
                    return (row,)
        return ()

    def _halves(self, word: str) -> tuple[int, ...]:
        """Returns rows for two known words written as one ("filepath"; German may join them by an s), with a
        row that identifies the compound."""
        if not 7 <= len(word) <= _LONGEST_COMPOUND:
            return ()
        for cut in range(len(word) - 3, 2, -1):
            if (right := self.find(word[cut:])) < 0:
                continue
            left = self.find(word[:cut])
            if left < 0 and cut > 4 and word[cut - 1] == "s":
                left = self.find(word[: cut - 1])
            if left >= 0:
                return (left, right, self.bucket(word))
        return ()


class _Cache(dict[str, tuple[int, ...]]):
    """A bounded cache of rows; results never depend on its content."""

    def __init__(self, read: Callable[[str], tuple[int, ...]]) -> None:
        super().__init__()
        self._read = read

    def __missing__(self, token: str) -> tuple[int, ...]:
        rows = self._read(token)
        if len(token) <= _LONGEST_TOKEN:
            if len(self) >= _CACHED_TOKENS:
                self.clear()
            self[token] = rows
        return rows


class StaticEmbedder:
    """An embedder with the table in ``data/``: no model server, no download, about 20 µs for a short text.

    Deterministic to the bit and independent of the rest of the batch. A text without any letter or digit is
    described by its symbols (emoji, punctuation); an empty or all-white-space text gives a zero row.
    """

    local = True

    def __init__(self, dim: int = DIMS[-1], *, folder: Path = _DATA) -> None:
        if dim not in DIMS:
            raise InvalidInput(
                f"dim is {', '.join(map(str, DIMS))}, not {safe_repr(dim)}", code="argument_invalid"
            )
        meta = json.loads((folder / "static.json").read_text("utf-8"))
        self.dim = dim
        self.model: str = meta["model"] if dim == DIMS[-1] else f"{meta['model']}-{dim}"
        with PARSER_LOCK:
            # a plain array over the mapped file: a memmap is slower to index
            self._table: NDArray[np.uint8] = np.asarray(np.load(folder / "static.rows.npy", mmap_mode="r"))
            self._weights: NDArray[np.float64] = np.load(folder / "static.weights.npy").astype(np.float64)
            keys: NDArray[np.uint32] = np.load(folder / "static.keys.npy")
        self._vocabulary = Vocabulary(keys, meta["word_buckets"], meta["gram_buckets"])
        self._cache = _Cache(self._vocabulary.rows)

    def embed(
        self,
        texts: Sequence[str],
        *,
        query: bool = False,
        emphasis: Mapping[str, float] | None = None,
    ) -> NDArray[np.float32]:
        """Returns unit vectors ``(len(texts), dim)``; equal arguments always give equal vectors.

        ``query`` is accepted for the port and has no effect. ``emphasis`` maps a case-folded word to a factor
        (0 or more, default 1) on its weight: a query's words can be weighed by their rarity in the searched
        view.
        """
        pooled = np.zeros((len(texts), self.dim), np.float64)
        sizes = list(map(len, texts))
        if emphasis or sum(sizes) < _LITTLE:
            for text, into in zip(texts, pooled, strict=True):
                self._pool_one(text, emphasis, into)
        else:
            for first, last in rounds(sizes, _AT_ONCE):
                self._pool_all(texts[first:last], pooled[first:last])
        return _unit(pooled)

    def knows(self, word: str) -> bool:
        """Returns whether a lower-case word is in the table as it is written, and so hardly a typing
        error."""
        return self._vocabulary.find(fold(word)) >= 0

    def represented(self, text: str) -> float:
        """Returns the share of a text's words that are known, whole or by their parts. The vectors of others
        stand for their spelling and not for a meaning."""
        of_words = [self._cache[token] for token in words(text)]
        shares = [sum(map(self._vocabulary.is_known, rows)) / len(rows) for rows in of_words if rows]
        return sum(shares) / len(shares) if shares else 0.0

    def _rows(self, text: str) -> list[int]:
        """Returns the rows of the words of a text; those of its symbols if it has no words."""
        rows = list(chain.from_iterable(map(self._cache.__getitem__, words(text))))
        if not rows:
            symbols = islice((c for c in text if not c.isspace()), _SYMBOLS)
            rows = list(map(self._vocabulary.bucket, symbols))
        return rows

    def _rows_of_all(self, texts: Sequence[str]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Returns the concatenated rows of many texts, and the owner of each row."""
        encoded = [text.encode("utf-8", "surrogatepass") for text in texts]
        word_list = words_in(b"\n".join((b"", *encoded, b"")))
        each = self._vocabulary.rows_of_all(word_list.different)
        counts = np.fromiter(map(len, each), np.intp)
        sizes = counts[word_list.places]
        places = ranges((np.cumsum(counts) - counts)[word_list.places], sizes)
        rows = np.fromiter(chain.from_iterable(each), np.intp)[places]
        ends = np.cumsum([len(data) + 1 for data in encoded])
        owners = np.repeat(np.searchsorted(ends, word_list.starts, "right"), sizes)
        has_rows = np.bincount(owners, minlength=len(texts)) > 0
        for place in (~has_rows).nonzero()[0].tolist():
            symbols = self._rows(texts[place])
            rows, owners = np.append(rows, symbols), np.append(owners, [place] * len(symbols))
        return owners.astype(np.intp), rows.astype(np.intp)

    def _pool_one(self, text: str, emphasis: Mapping[str, float] | None, into: NDArray[np.float64]) -> None:
        """Writes the weighted sum of the vectors of a text into a row."""
        rows = self._rows(text)
        if not emphasis and len(set(rows)) == len(rows):  # most short texts
            self._pool(np.array(rows, np.intp), _FINE, into)
            return
        # A word that occurs n times counts sqrt(n)-fold, so that a few words do not dominate a long text.
        counts = Counter(rows)
        factors = np.sqrt(np.fromiter(counts.values(), np.float64, len(counts)))
        if emphasis:
            factors *= self._emphasised(text, emphasis, counts)
        self._pool(np.fromiter(counts, np.intp, len(counts)), np.rint(factors * _FINE), into)

    def _pool_all(self, texts: Sequence[str], into: NDArray[np.float64]) -> None:
        """Pools each of the texts like `_pool_one`, with their rows sorted and counted together."""
        owners, rows = self._rows_of_all(texts)
        keys, counts = distinct(owned(owners, rows))
        used = (keys & np.uint64(0xFFFFFFFF)).astype(np.intp)
        weights = self._weights.take(used) * np.rint(np.sqrt(counts) * _FINE)
        ends = ends_of(keys, len(texts))
        narrow = np.empty((_ROWS_AT_ONCE, self._table.shape[1]), np.uint8)
        wide = np.empty((_ROWS_AT_ONCE, self.dim))
        for first, last in rounds([end - begin for begin, end in pairwise((0, *ends))], _ROWS_AT_ONCE):
            start, stop = ends[first - 1] if first else 0, ends[last - 1]
            if stop - start > _ROWS_AT_ONCE:  # one long text
                self._add(used[start:stop], weights[start:stop], into[first])
                continue
            codes = self._table.take(used[start:stop], axis=0, out=narrow[: stop - start], mode="clip")
            wide[: stop - start] = self._levels(codes)
            begin = start
            for place in range(first, last):
                end = ends[place]
                np.dot(weights[begin:end], wide[begin - start : end - start], out=into[place])
                begin = end

    def _levels(self, codes: NDArray[np.uint8]) -> NDArray[np.int8]:
        """Returns the first dimensions of packed rows: two of them in a byte, the lower bits first."""
        return _LEVELS_OF_BYTE.take(codes[:, : self.dim // 2]).view(np.int8)

    def _emphasised(
        self, text: str, emphasis: Mapping[str, float], used: Iterable[int]
    ) -> NDArray[np.float64]:
        """Returns each row's factor: the largest of the words that use it."""
        factor: dict[int, float] = {}
        for token in words(text):
            of_word = emphasis.get(token.casefold(), 1.0)
            for row in self._cache[token]:
                factor[row] = max(of_word, factor.get(row, 0.0))
        return np.array([factor.get(row, 1.0) for row in used], np.float64)

    def _pool(
        self, rows: NDArray[np.intp], factors: NDArray[np.float64] | float, into: NDArray[np.float64]
    ) -> None:
        self._add(rows, self._weights.take(rows) * factors, into)

    def _add(self, rows: NDArray[np.intp], weights: NDArray[np.float64], into: NDArray[np.float64]) -> None:
        """Adds weighted rows: integers below 2^53, so exact in whatever order BLAS adds them."""
        for start in range(0, len(rows), _ROWS_AT_ONCE):
            part = slice(start, start + _ROWS_AT_ONCE)
            into += weights[part] @ self._levels(self._table.take(rows[part], axis=0)).astype(np.float64)


def _unit(pooled: NDArray[np.float64]) -> NDArray[np.float32]:
    """Returns rows scaled to unit length by exact or correctly rounded operations; zero rows stay zero."""
    largest = np.abs(pooled).max(axis=1, keepdims=True, initial=0.0)
    fixed = np.rint(pooled * (_UNIT / np.where(largest > 0, largest, 1.0)))
    squares = np.square(fixed).sum(axis=1, keepdims=True)
    unit: NDArray[np.float32] = (fixed / np.sqrt(np.where(squares > 0, squares, 1.0))).astype(np.float32)
    return unit
