"""Finds the words of ASCII text by the classes of its bytes, in bulk.

The patterns of `language/terms` handle one token; this handles all tokens of many texts in a few passes over
their bytes. In code one token in ten is new, so a cache of tokens does not help.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from holdfast.core.value_classes import value_class
from holdfast.language.term_counts import owned

if TYPE_CHECKING:
    from numpy.typing import NDArray

_GAP, _SMALL, _CAPITAL, _DIGIT, _JOINER = range(5)


def _class_of(code: int) -> int:
    """Returns the class of a byte. Bytes of characters beyond ASCII are gaps."""
    char = chr(code)
    if not char.isascii() or not (char.isalnum() or char in "_'.-/:@#+"):
        return _GAP
    if char.isalpha():
        return _SMALL if char.islower() else _CAPITAL
    return _DIGIT if char.isdigit() else _JOINER


_CLASSES: Final = bytes(map(_class_of, range(256)))
_WORDS_ONLY: Final = bytes(
    ord(chr(code).lower()) if 0 < kind < _JOINER else 0 for code, kind in enumerate(_CLASSES)
)
_ENDS_TOKEN: Final = np.isin(np.arange(256), list(b"+#"))  # "c++", "c#"
_OWNED: Final = np.isin(np.arange(256), list(b"stdm"))  # "boy's", "don't", "he'd", "I'm"
_APOSTROPHE: Final = ord("'")
_EIGHT: Final = 8
_LONGEST: Final = 64
"""Most bytes of a word that is compared by numbers."""
_FIRST_BYTES: Final = np.array([(1 << 8 * count) - 1 for count in range(_EIGHT + 1)], np.uint64)


@value_class
class Words:
    """The words of a text in order: `places` gives the index of each among the `different` ones, `starts` its
    first byte."""

    different: list[bytes]
    places: NDArray[np.intp]
    starts: NDArray[np.intp]


@value_class
class Tokens:
    """The lower-case words of a text and the compound tokens (`wholes`), with the first byte of each."""

    words: Words
    wholes: list[bytes]
    whole_starts: NDArray[np.intp]


def tokens_of(data: bytes, longest: int) -> Tokens:
    """Returns the tokens of `data`, which is ASCII between two line breaks; `longest` limits a compound token
    in bytes."""
    text = np.frombuffer(data, np.uint8)
    kinds = np.frombuffer(data.translate(_CLASSES), np.uint8)
    small = bytearray(data.translate(_WORDS_ONLY))
    words = np.frombuffer(small, np.uint8)
    before, here, after = kinds[:-2], kinds[1:-1], kinds[2:]
    begins = np.zeros(len(kinds), bool)
    begins[1:-1] = (
        ((here == _SMALL) & (before != _SMALL) & (before != _CAPITAL))
        | ((here == _CAPITAL) & ((before != _CAPITAL) | (after == _SMALL)))  # HTTPResponse: http, response
        | ((here == _DIGIT) & (before != _DIGIT))
    )
    runs = np.zeros(len(kinds), np.int32)
    np.cumsum((here != _GAP) & (before == _GAP), out=runs[1:-1])
    first, end = _extents(kinds, runs)
    endings = _endings(text, first, end)
    for back in (1, 2, 3):
        at = (end - back)[endings >= back]
        words[at] = 0
        begins[at] = False
    end = end - endings
    stops = begins.copy()
    stops[1:] |= (words[1:] == 0) & (words[:-1] != 0)
    stops = stops.nonzero()[0]
    is_start = begins[stops]
    starts = stops[is_start]
    several = np.bincount(runs[starts], minlength=int(runs.max(initial=0)) + 1)[runs[first]] > 1
    first, end = first[several], end[several]
    for _ in range(longest):
        longer = _ENDS_TOKEN[text[end]]
        if not longer.any():
            break
        end += longer
    lowered = data.lower()
    ends = np.minimum(end, first + longest).tolist()
    wholes = [lowered[a:b] for a, b in zip(first.tolist(), ends, strict=True)]
    return Tokens(group_words(bytes(small), starts, stops[np.roll(is_start, 1)]), wholes, first)


def words_in(data: bytes) -> Words:
    """Returns the runs of letters and digits in `data`, UTF-8 between two line breaks, as written.

    Non-ASCII counts as letters: a run that contains some needs a closer look.
    """
    kinds = np.frombuffer(data.translate(_CLASSES), np.uint8)
    is_word = (kinds != _GAP) & (kinds != _JOINER)
    if not data.isascii():
        is_word |= np.frombuffer(data, np.uint8) >= 0x80
    return group_words(data, *_runs(is_word))


def group_words(data: bytes, starts: NDArray[np.intp], ends: NDArray[np.intp]) -> Words:
    """Groups equal words of a text by the numbers that each eight of their bytes form."""
    eights: Any = np.ndarray(len(data), "<u8", data + bytes(_EIGHT), strides=(1,))
    sizes = ends - starts
    places = np.zeros(len(starts), np.intp)
    count = 0
    for done in range(0, _LONGEST, _EIGHT):
        more = (sizes > done).nonzero()[0]
        if not len(more):
            break
        rest = np.minimum(sizes[more] - done, _EIGHT)
        numbers = np.unique(eights[starts[more] + done] & _FIRST_BYTES[rest], return_inverse=True)[1]
        if done:
            numbers = np.unique(owned(places[more], numbers), return_inverse=True)[1]
        places[more] = numbers + count
        count += int(numbers.max()) + 1
    long = (sizes > _LONGEST).nonzero()[0]
    long_words: dict[bytes, int] = {}
    for word in long.tolist():
        places[word] = count + long_words.setdefault(data[starts[word] : ends[word]], len(long_words))
    count += len(long_words)
    example = np.full(count, -1)
    example[places] = np.arange(len(places))
    is_used = example >= 0
    example = example[is_used]
    bounds = zip(starts[example].tolist(), ends[example].tolist(), strict=True)
    return Words([data[a:b] for a, b in bounds], (np.cumsum(is_used) - 1)[places], starts)


def _runs(inside: NDArray[np.bool_]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Returns the start and end of each run; none touches the edges."""
    return (inside[1:] & ~inside[:-1]).nonzero()[0] + 1, (inside[:-1] & ~inside[1:]).nonzero()[0] + 1


def _extents(kinds: NDArray[np.uint8], runs: NDArray[np.int32]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Returns the start and end of each token, from the first letter or digit of a run to the last."""
    starts, ends = _runs((kinds != _GAP) & (kinds != _JOINER))
    is_new = np.diff(runs[starts], prepend=0) != 0
    return starts[is_new], ends[np.roll(is_new, -1)]


def _endings(text: NDArray[np.uint8], first: NDArray[np.intp], end: NDArray[np.intp]) -> NDArray[np.intp]:
    """Returns the length in bytes of the ending of each token, such as "'s" or "'ll"."""
    endings = np.zeros(len(end), np.intp)
    short, long = text[end - 2] == _APOSTROPHE, text[end - 3] == _APOSTROPHE
    at = (short | long).nonzero()[0]
    stop = end[at]
    last, second_last = text[stop - 1], text[stop - 2]
    pairs = ((second_last == ord("r")) | (second_last == ord("v"))) & (last == ord("e")) | (
        (second_last == ord("l")) & (last == second_last)
    )
    lengths = np.where(short[at], 2 * _OWNED[last], 3 * pairs)
    endings[at] = np.where((first[at] < stop - lengths) & ~_ENDS_TOKEN[text[stop]], lengths, 0)
    return endings
