"""A small network that says of each token of a message whether it belongs to a statement, and to which.

A token is the sum of the vectors of its properties, of its word and of its meaning. Six convolutions of three
tokens, 1, 1, 2, 4, 8 and 1 apart, see 17 tokens on both sides. Three linear readings of the result say whether
a statement begins or goes on, of which type it is, and whether it is denied or past. `tools/claim_tagger` makes
the weights.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from holdfast.language.claims.learned.properties import Token, of_form, of_places
from holdfast.language.vocabulary import DIMENSIONS, known_parts, meanings, sums
from holdfast.language.weights import read_arrays, strings

Floats = NDArray[np.float32]
DATA = Path(__file__).parent / "data" / "network.npz"
OUTSIDE, BEGINS, GOES_ON = range(3)
"""The parts of a statement: a token is outside of any, its first one, or a later one."""
HOLDS, DENIED, IS_PAST = range(3)
"""The states of a statement: it holds, is denied, or held once."""
DILATIONS = (1, 1, 2, 4, 8, 1)
"""Distance of the neighbours that each convolution sees on both sides."""
TABLES = ("property", "word")
"""The weights that are stored as bytes, with a scale for each row."""
_AT_ONCE = 8
"""Rows of a matrix product: with many more OpenBLAS takes several threads, which cost more than they save."""


class Chances(NamedTuple):
    """Probabilities, a row for each token of a text: what it is to a statement, of which type this is, and what
    it says."""

    parts: Floats
    types: Floats
    states: Floats


class Network:
    """The weights of the network, and what it makes of tokens.

    An array whose name ends with `!` is no weight: a scale, a vocabulary, a checksum.
    """

    def __init__(self, arrays: dict[str, NDArray[Any]]) -> None:
        self._of: dict[str, Floats] = {
            name: array.astype(np.float32) for name, array in arrays.items() if name[-1] != "!"
        }
        self._width = len(self._of["meaning:bias"])
        for name in TABLES:
            self._of[name] *= arrays[f"{name}:scale!"].astype(np.float32)
        self.types = strings(arrays["types!"])
        """The types of claims, in the order of their probabilities."""
        self.vocabulary = int(arrays["vocabulary!"])
        """Checksum of the vocabulary whose meanings it has learned."""
        self._properties = {name: at for at, name in enumerate(strings(arrays["properties!"]))}
        self._words = {word: at for at, word in enumerate(strings(arrays["words!"]))}

    def chances(self, tokens: Sequence[Token]) -> Chances:
        """Returns the probabilities of the tokens of a text, at least one."""
        count = len(tokens)
        x = np.zeros((count + -count % _AT_ONCE, self._width), np.float32)
        x[:count] = self._embed(tokens)
        self._normalize(x, 0)
        for number, distance in enumerate(DILATIONS):
            x[count:] = 0
            seen = self._convolved(x, number, distance)
            self._normalize(seen, number + 1)
            x += seen
        read = (_product(x, self._of[name])[:count] + self._of[f"{name}:bias"] for name in Chances._fields)
        return Chances(*map(_softmax, read))

    def _embed(self, tokens: Sequence[Token]) -> Floats:
        """Returns what tokens are by themselves and by their place, a row for each."""
        of, places = self._of, self._properties
        names = [
            [places[name] for name in (*of_form(token.text), *of_place) if name in places]
            for token, of_place in zip(tokens, of_places(tokens), strict=True)
        ]
        words = of["word"][
            [self._words.get(token.text.lower(), -1) for token in tokens]
        ]  # the last: all others
        meanings = np.zeros((len(tokens) + -len(tokens) % _AT_ONCE, DIMENSIONS), np.float32)
        meanings[: len(tokens)] = meanings_of(tokens)
        projected = _product(meanings, of["meaning"])[: len(tokens)]
        entered: Floats = sums(of["property"], names) + words + projected + of["meaning:bias"]
        return entered

    def _normalize(self, x: Floats, number: int) -> None:
        """Replaces rows by their layer norm, without what is negative."""
        x -= np.add.reduce(x, 1, keepdims=True) / np.float32(self._width)
        variance = np.einsum("ij,ij->i", x, x) / np.float32(self._width)
        x /= np.sqrt(variance + np.float32(1e-5))[:, None]
        x *= self._of[f"norm{number}"]
        x += self._of[f"norm{number}:bias"]
        np.maximum(x, 0, out=x)

    def _convolved(self, x: Floats, number: int, distance: int) -> Floats:
        """Returns what a layer makes of each row with those before and after it."""
        before, here, after = (_product(x, weights) for weights in self._of[f"layer{number}"])
        here += self._of[f"layer{number}:bias"]
        here[distance:] += before[:-distance]
        here[:-distance] += after[distance:]
        return here


def meanings_of(tokens: Sequence[Token]) -> Floats:
    """Returns what the words of tokens mean, a row for each; zeros for a sign."""
    return meanings([known_parts(token.text)[1] if token.is_word else () for token in tokens])


def _product(left: Floats, right: Floats) -> Floats:
    """Returns a matrix product, computed by parts."""
    parts: Floats = left.reshape(-1, _AT_ONCE, left.shape[1]) @ right
    return parts.reshape(len(left), -1)


def _softmax(x: Floats) -> Floats:
    """Returns rows of scores as probabilities."""
    x = np.exp(x - x.max(1, keepdims=True))
    shares: Floats = x / x.sum(1, keepdims=True)
    return shares


@cache
def network() -> Network:
    """Returns the network that comes with the package."""
    return Network(read_arrays(DATA))
