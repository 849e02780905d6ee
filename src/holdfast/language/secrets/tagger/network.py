"""Computes for each token of texts the probability that it belongs to a secret, by a small network.

A token is the sum of learned vectors of its properties, of its word and of its meaning. Four convolutions see
eight tokens on both sides, attention sees the whole text; a last convolution and a logistic unit decide.
`tools/secret_tagger` makes the weights.

Many texts are computed at once, as blocks of texts of like length with rows of zeros between them. What the
first convolution makes of a token by itself is cached.

A linear prefilter over a word and its neighbours, the glance, decides first whether a text has to be read at
all: most are far from any in which the network finds a secret (`tools/secret_tagger/glance.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from holdfast.language.secrets.tagger.properties import Found, of_places, of_word
from holdfast.language.secrets.tagger.tokens import Token
from holdfast.language.term_counts import rounds
from holdfast.language.weights import read_arrays, strings

Floats = NDArray[np.float32]
DATA = Path(__file__).parent / "data" / "network.npz"
_HEADS = 4
DILATIONS = (1, 1, 2, 4)
"""Distance of the neighbours that a convolution sees on each side."""
GLANCED = 8
"""Words on each side that count at a glance."""
_GAP = max(DILATIONS)
_BLOCK = 1_024
"""Rows that are computed at once: they stay in the cache of a core."""
_CACHED = 4_096
_GLANCED_AT_ONCE = 4_096
"""Tokens that are glanced at together."""
_ALONE = 64
"""Rows of a matrix product: with more OpenBLAS takes several threads, which cost more than they save."""
_MOST_PRODUCTS = 2**14
"""Products of queries and keys of a head at once, for the same reason."""
_NEVER = np.float32(-1e4)
_Form = str | tuple[str, ...]
_Key = tuple[_Form, tuple[str, ...]]
"""A word, or its properties, and the properties of its place."""


class Piece(NamedTuple):
    """A text with its tokens and what rules found in it, in characters."""

    text: str
    tokens: Sequence[Token]
    findings: Found


class Network:
    """The weights of a network, and what it makes of tokens."""

    def __init__(self, arrays: dict[str, NDArray[Any]]) -> None:
        of = {name: array.astype(np.float32) for name, array in arrays.items() if name[-1] != "!"}
        self._of = of
        self._properties = {name: at for at, name in enumerate(strings(arrays["properties!"]))}
        self._words = {word: at for at, word in enumerate(strings(arrays["words!"]))}
        self._codes, self._centres = arrays["codes!"], of["centres"]
        self._parts = np.arange(self._codes.shape[1])
        self.vocabulary = int(arrays["vocabulary!"])
        """Checksum of the vocabulary whose order the meanings are in."""
        self._width = of["out"].shape[0]
        # A norm subtracts the mean of a row: here the weights before it do.
        for name in ("property", "word", "in:bias", "meaning"):
            of[name] = _centred(of[name])
        of["property"] = np.concatenate([of["property"], np.zeros((1, self._width), np.float32)])
        self._layers = [  # weights, bias
            (_centred(of[name]), _centred(of[f"{name}:bias"]))
            for name in (*(f"conv{number}" for number in range(len(DILATIONS))), "last")
        ]
        (first, bias), *_ = self._layers
        self._first = np.concatenate([*first], 1), np.concatenate([0 * bias, bias, 0 * bias])
        scale = np.float32((self._width // _HEADS) ** -0.5)
        self._attention = [
            (np.ascontiguousarray(of[name] * factor), of[f"{name}:bias"] * factor)
            for name, factor in (("query", scale), ("key", np.float32(1)), ("value", np.float32(1)))
        ]
        self._entered = _Cache(4 * self._width, self._first_seen, self._form, self._may_keep)
        self._glance = of.get("glance", np.zeros((2 * GLANCED + 1, 2 * self._width), np.float32))
        self._least = float(of.get("glance:least", np.full(1, -np.inf))[0])
        self._glanced = _Cache(len(self._glance), self._by_distance, self._form, self._may_keep)

    def read(self, pieces: Sequence[Piece]) -> list[Floats]:
        """Returns for each text the probability of each token, as `chances` does, but 0 in a text in which
        rules found nothing and that is no more than glanced at."""
        result = [np.zeros(len(piece.tokens), np.float32) for piece in pieces]
        bare = [at for at, piece in enumerate(pieces) if not piece.findings]
        may = self.may_find([pieces[at].tokens for at in bare])
        passed = {at for at, may_hold in zip(bare, may, strict=True) if not may_hold}
        others = [at for at in range(len(pieces)) if at not in passed]
        for at, chances in zip(others, self.chances([pieces[at] for at in others]), strict=True):
            result[at] = chances
        return result

    def may_find(self, texts: Sequence[Sequence[Token]]) -> list[bool]:
        """Returns for each text in which rules found nothing whether it may hold a secret; fast."""
        result: list[bool] = []
        for begin, end in rounds([len(tokens) for tokens in texts], _GLANCED_AT_ONCE):
            result += self._may_find(texts[begin:end])
        return result

    def _may_find(self, texts: Sequence[Sequence[Token]]) -> Iterator[bool]:
        """Yields whether each text may hold a secret: looks at all words of them at once."""
        width = len(self._glance)
        lengths = np.array([len(tokens) for tokens in texts])
        begins = (lengths + GLANCED).cumsum() - lengths  # with rows of zeros before each text
        last = int(begins[-1] + lengths[-1])
        rows = np.zeros((last + GLANCED, width), np.float32)
        inside = np.arange(lengths.sum()) + np.repeat(begins - lengths.cumsum() + lengths, lengths)
        rows[inside] = self._glanced.rows([(word, ()) for tokens in texts for word, _, _ in tokens])
        step, size = rows.strides
        # what each word adds to those around it, by its distance
        around = np.ndarray((last - GLANCED, width), np.float32, rows, 0, (step, step + size)).sum(1)
        for begin, length in zip((begins - GLANCED).tolist(), lengths.tolist(), strict=True):
            yield bool(around[begin : begin + length].max(initial=-np.inf) >= self._least)

    def chances(self, pieces: Sequence[Piece]) -> list[Floats]:
        """Returns for each text the probability of each token, given what rules found in the text."""
        result = [np.zeros(0, np.float32)] * len(pieces)
        blocks = [_Block([pieces[at] for at in places], places) for places in _blocks(pieces)]
        most = max((block.rows for block in blocks), default=0)
        buffers = np.empty((4, most, self._width), np.float32)
        for block in blocks:
            chances = self._of_block(block, buffers[:, : block.rows])
            for number, (place, length) in enumerate(zip(block.places, block.lengths.tolist(), strict=True)):
                begin = number * block.step
                result[place] = chances[begin : begin + length]
        return result

    def _of_block(self, block: _Block, buffers: Floats) -> Floats:
        """Returns the probability for each row of a block, its gaps included; overwrites the buffers."""
        x, *seen = buffers
        buffers[:, block.outside] = 0
        self._enter(block, buffers)
        _shift(seen, DILATIONS[0])
        for number, dilation in enumerate(DILATIONS):
            if number:
                self._convolve(x, number, dilation, seen)
            self._scale(seen[1], number + 1)
            x += seen[1]
            x[block.outside] = 0
        self._attend(x, block, seen)
        x[block.outside] = 0
        self._convolve(x, len(DILATIONS), 1, seen)
        self._scale(seen[1], len(DILATIONS) + 1)
        x += seen[1]
        chances: Floats = 1 / (1 + np.exp(-(x @ self._of["out"] + self._of["out:bias"])))
        return chances

    def _enter(self, block: _Block, buffers: Floats) -> None:
        """Fills in what tokens are by themselves, and what the first convolution makes of that."""
        keys = [
            (token.text, of_place)
            for piece in block.pieces
            for token, of_place in zip(piece.tokens, of_places(*piece), strict=True)
        ]
        entered = self._entered.rows(keys)
        for at, buffer in enumerate(buffers):
            buffer[block.inside] = entered[:, at * self._width : (at + 1) * self._width]

    def _first_seen(self, keys: Iterable[_Key]) -> Floats:
        x = self._vectors(keys)
        self._scale(x, 0)
        weights, bias = self._first
        return np.concatenate([x, x @ weights + bias], 1)

    def _by_distance(self, keys: Iterable[_Key]) -> Floats:
        seen: Floats = self.by_themselves([form for form, _ in keys]) @ self._glance.T
        return seen

    def by_themselves(self, forms: Iterable[_Form]) -> Floats:
        """Returns what counts at a glance of words, or of their properties."""
        x = self._vectors([(form, ()) for form in forms])
        raw = x / 2
        self._scale(x, 0)
        return np.concatenate([raw, x], 1)

    def _form(self, word: str) -> _Form:
        """Returns a word, or its properties if these are all that the network sees of it."""
        names, rows = of_word(word)
        return word if rows or word.lower() in self._words else names

    def _may_keep(self, form: _Form) -> bool:
        """Returns whether a token is a common word, a word of the language, a sign or a form: the rest may be
        secrets."""
        return not isinstance(form, str) or form.isalpha() or form.lower() in self._words

    def _vectors(self, keys: Iterable[_Key]) -> Floats:
        """Returns for each token the sum of what it is by its properties, as far as they are known, its word
        and the mean of its meanings, before any norm."""
        of, properties = self._of, self._properties
        at: list[int] = []
        begins: list[int] = []
        words: list[int] = []
        meanings: list[tuple[int, tuple[int, ...]]] = []
        for number, (form, of_place) in enumerate(keys):
            names, rows = of_word(form) if isinstance(form, str) else (form, ())
            begins.append(len(at))
            at.append(-1)  # the zeros behind all: a token may have no property that is known
            at += [properties[name] for name in (*names, *of_place) if name in properties]
            # the last: other words
            words.append(self._words.get(form.lower(), -1) if isinstance(form, str) else -1)
            if rows:
                meanings.append((number, rows))
        vectors: Floats = np.add.reduceat(of["property"].take(at, 0), begins)
        vectors += of["word"].take(words, 0)
        vectors += of["in:bias"]
        for number, rows in meanings:
            parts = self._centres[self._parts, self._codes.take(rows, 0)].reshape(len(rows), -1)
            mean = np.add.reduce(parts) / np.float32(len(rows))
            vectors[number] += mean @ of["meaning"]
        return vectors

    def _scale(self, centred: Floats, number: int) -> None:
        """Replaces each row, of which the mean is 0, by its rectified layer norm."""
        variance = np.einsum("ij,ij->i", centred, centred) / np.float32(self._width)
        centred *= (1 / np.sqrt(variance + np.float32(1e-5)))[:, None]
        centred *= self._of[f"norm{number}"]
        centred += self._of[f"norm{number}:bias"]
        np.maximum(centred, 0, out=centred)

    def _convolve(self, x: Floats, number: int, dilation: int, buffers: Sequence[Floats]) -> None:
        """Fills the second of three buffers with a layer's output: each row with those before and after."""
        weights, bias = self._layers[number]
        for part, buffer in zip(weights, buffers, strict=True):
            _multiply(x, part, buffer)
        buffers[1][:] += bias
        _shift(buffers, dilation)

    def _attend(self, x: Floats, block: _Block, buffers: Sequence[Floats]) -> None:
        """Adds to each row what it takes of all rows of its text."""
        for (weights, bias), buffer in zip(self._attention, buffers, strict=True):
            _multiply(x, weights, buffer)
            buffer += bias
        queries, keys, values = map(block.heads, buffers)
        turned = keys.transpose(0, 1, 3, 2)
        longest = block.step - _GAP
        for begin in range(0, longest, part := max(1, _MOST_PRODUCTS // longest)):
            of_part = queries[:, :, begin : begin + part]
            scores = of_part @ turned
            if block.hidden is not None:
                scores += block.hidden
            scores -= scores.max(3, keepdims=True)
            np.exp(scores, out=scores)
            # what a query took is in its place
            np.divide(scores @ values, scores.sum(3, keepdims=True), out=of_part)
        _multiply(buffers[0], self._of["joined"], buffers[1])
        x += buffers[1]
        x += self._of["joined:bias"]


class _Cache:
    """A cache of rows computed for words and the properties of their places."""

    def __init__(
        self,
        width: int,
        make: Callable[[Iterable[_Key]], Floats],
        form: Callable[[str], _Form],
        may_keep: Callable[[_Form], bool],
    ) -> None:
        self._make, self._form, self._may_keep = make, form, may_keep
        self._width = width
        self._rows = self._empty()

    def _empty(self) -> tuple[Floats, dict[_Key, int], Iterator[int]]:
        return np.empty((_CACHED, self._width), np.float32), {}, count()

    def rows(self, keys: Sequence[tuple[str, tuple[str, ...]]]) -> Floats:
        """Returns a row for each key."""
        table, cache, free = self._rows
        indexes = [cache.get(key, -1) for key in keys]
        if -1 not in indexes:
            cached: Floats = table.take(indexes, 0)
            return cached
        new: dict[_Key, list[int]] = {}
        for place, (row, (word, of_place)) in enumerate(zip(indexes, keys, strict=True)):
            if row < 0:
                key = self._form(word), of_place
                indexes[place] = cache.get(key, -1)
                if indexes[place] < 0:
                    new.setdefault(key, []).append(place)
        rows: Floats = table.take(indexes, 0, mode="wrap")
        if not new:
            return rows
        for (key, places), row in zip(new.items(), self._make(new), strict=True):
            rows[places] = row
            if not self._may_keep(key[0]):
                continue
            at = next(free)  # atomic: no two threads get the same row
            if at < len(table):
                table[at] = row
                cache[key] = at
            elif self._rows[0] is table:  # others may still read the full table
                self._rows = self._empty()
        return rows


class _Block:
    """Texts that are computed at once: rows of tokens, each text with rows of zeros after it."""

    def __init__(self, pieces: Sequence[Piece], places: Sequence[int]) -> None:
        self.pieces, self.places = pieces, places
        self.lengths = np.array([len(piece.tokens) for piece in pieces])
        self.step = int(self.lengths.max()) + _GAP
        rows = self.step * len(pieces)
        self.rows = rows + (-rows % _ALONE if rows > _ALONE else 0)
        is_inside = np.zeros(self.rows, bool)
        of_texts = is_inside[:rows].reshape(len(pieces), self.step)
        of_texts[:] = np.arange(self.step) < self.lengths[:, None]
        (self.inside,), (self.outside,) = is_inside.nonzero(), (~is_inside).nonzero()
        self.hidden: Floats | None = None
        """What hides the rows of zeros from attention, unless all texts are of the same length."""
        if int(self.lengths.min()) < self.step - _GAP:
            self.hidden = np.where(of_texts[:, None, None, : self.step - _GAP], np.float32(0), _NEVER)

    def heads(self, rows: Floats) -> Floats:
        """Returns a view of rows by text, head, token and number."""
        of_texts = rows[: self.step * len(self.pieces)].reshape(len(self.pieces), self.step, _HEADS, -1)
        return of_texts[:, : self.step - _GAP].transpose(0, 2, 1, 3)


def _blocks(pieces: Sequence[Piece]) -> Iterator[list[int]]:
    """Yields the places of texts that are computed at once: of like length, and not too many."""
    lengths = [len(piece.tokens) for piece in pieces]
    block: list[int] = []
    for place in sorted(range(len(lengths)), key=lengths.__getitem__):
        if not lengths[place]:
            continue
        if block and (len(block) + 1) * (lengths[place] + _GAP) > _BLOCK:
            yield block
            block = []
        block.append(place)
    if block:
        yield block


def _centred(array: Floats) -> Floats:
    centred: Floats = array - array.mean(-1, keepdims=True)
    return centred


def _shift(buffers: Sequence[Floats], dilation: int) -> None:
    """Adds to each row of the second buffer those before and after it, from the first and third."""
    before, middle, behind = buffers
    middle[dilation:] += before[:-dilation]
    middle[:-dilation] += behind[dilation:]


def _multiply(left: Floats, right: Floats, result: Floats) -> None:
    """Computes a matrix product, by parts that one thread computes."""
    if len(left) <= _ALONE:
        np.matmul(left, right, out=result)
    else:
        size = len(right)
        np.matmul(left.reshape(-1, _ALONE, size), right, out=result.reshape(-1, _ALONE, size))


@cache
def network() -> Network:
    """Returns the network that comes with the package."""
    return Network(read_arrays(DATA))
