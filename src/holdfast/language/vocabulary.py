"""The words that the embedder knows, and what the table that it ships says of their meaning.

Others than the embedder read this table without importing it: its data files lie beside its code.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import Final
from unicodedata import category, normalize
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from holdfast.core.python_parser import PARSER_LOCK

LEVELS: Final = (-126, -95, -74, -58, -43, -30, -18, -6, 6, 18, 30, 43, 58, 74, 95, 126)
"""The integer of each 4-bit code: the levels of least squared error (Lloyd-Max) for normally distributed
numbers."""
DIMENSIONS: Final = 256
"""Numbers of a meaning."""

_DATA = Path(__file__).parents[1] / "embeddings" / "data"
_LEVELS = np.array(LEVELS, np.float32) / np.float32(max(LEVELS))
_PARTS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_ENDINGS = (
    ("ies", "y"), ("es", ""), ("s", ""), ("ied", "y"), ("ed", ""), ("ed", "e"), ("ing", ""), ("ing", "e"),
    ("ly", ""), ("er", ""), ("est", ""), ("en", ""), ("en", "e"), ("n", ""), ("e", ""),
)  # fmt: skip
_COMPOUND = range(7, 29)  # letters of two words written as one
_LONGEST = 64  # letters: no known word is longer, and what is looked up is kept


def known_parts(word: str) -> tuple[list[str], tuple[int, ...]]:
    """Returns how far a word is known, and the places in the vocabulary of it, its stem or its parts."""
    folded = _folded(word)
    if (row := _row(folded.casefold())) >= 0:
        return ["known"], (row,)
    parts = _PARTS.findall(folded)
    part_rows = [_rows_of_part(part.lower()) if len(part) <= _LONGEST else () for part in parts]
    rows = tuple(row for rows in part_rows for row in rows)
    names = ["known by parts" if rows and all(part_rows) else "partly known" if rows else "unknown"]
    return names + ["several parts"] * (len(parts) > 1), rows


def _folded(word: str) -> str:
    return word if word.isascii() else "".join(c for c in normalize("NFKD", word) if category(c) != "Mn")


@lru_cache(16_384)
def _rows_of_part(word: str) -> tuple[int, ...]:
    """Returns the places of a word, of its stem or of the two words that it is made of."""
    if (row := _row(word)) >= 0:
        return (row,)
    for ending, instead in _ENDINGS:
        stem = word.removesuffix(ending)
        if 3 <= len(stem) < len(word) and (row := _row(stem + instead)) >= 0:
            return (row,)
    if len(word) in _COMPOUND:
        for cut in range(len(word) - 3, 2, -1):
            if (right := _row(word[cut:])) < 0:
                continue
            left = _row(word[:cut])
            if left < 0 and cut > 4 and word[cut - 1] == "s":
                left = _row(word[: cut - 1])
            if left >= 0:
                return left, right
    return ()


def _row(word: str) -> int:
    keys = vocabulary()
    key = crc32(word.encode("utf-8", "surrogatepass"))
    at = bisect_left(keys, key)
    return at if at < len(keys) and keys[at] == key else -1


@cache
def vocabulary() -> memoryview:
    """Returns the sorted hashes of the words that the embedder knows."""
    data = (_DATA / "static.keys.npy").read_bytes()
    return memoryview(data)[10 + int.from_bytes(data[8:10], "little") :].cast("I")


def meanings(words: Sequence[Sequence[int]]) -> NDArray[np.float32]:
    """Returns the mean of the rows of each word, of unit length; zeros for one without any."""
    used = sorted({row for rows in words for row in rows})
    place = {row: at for at, row in enumerate(used)}
    codes = np.asarray(_table()[used])
    numbers = _LEVELS[np.stack([codes & 15, codes >> 4], -1)].reshape(len(used), DIMENSIONS)
    result = sums(numbers, [[place[row] for row in rows] for rows in words])
    result /= np.maximum(np.sqrt(np.einsum("ij,ij->i", result, result)), np.float32(1e-6))[:, None]
    return result


def sums(table: NDArray[np.float32], places: Sequence[Sequence[int]]) -> NDArray[np.float32]:
    """Returns for each sequence of places the sum of these rows of a table."""
    result = np.zeros((len(places), table.shape[1]), np.float32)
    filled = [at for at, some in enumerate(places) if some]
    if filled:
        lengths = [len(places[at]) for at in filled]
        rows = table[[place for at in filled for place in places[at]]]
        result[filled] = np.add.reduceat(rows, np.cumsum([0, *lengths[:-1]]))
    return result


@cache
def _table() -> NDArray[np.uint8]:
    with PARSER_LOCK:
        table: NDArray[np.uint8] = np.load(_DATA / "static.rows.npy", mmap_mode="r")
    return table
