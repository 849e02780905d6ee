"""Computes for each token of a text the probability that it belongs to a secret, by a small network.

A token is the sum of learned vectors of its properties, of its word and of its meaning. Four convolutions see
eight tokens on both sides, attention sees the whole text; a last convolution and a logistic unit decide.
`tools/secret_tagger` makes the weights.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from holdfast.language.secrets.tagger.properties import Found, of_places, of_word
from holdfast.language.secrets.tagger.tokens import Token

Floats = NDArray[np.float32]
_FOLDER = Path(__file__).parent / "data"
_HEADS = 4
DILATIONS = (1, 1, 2, 4)
"""Distance of the neighbours that a convolution sees on each side."""
_CACHED_WORDS = 8_192
_ALONE = 2**18
"""Multiplications from which OpenBLAS takes several threads."""


class Network:
    """The weights of a network, and what it makes of tokens."""

    def __init__(self, arrays: dict[str, NDArray[Any]]) -> None:
        self._of = {name: array.astype(np.float32) for name, array in arrays.items() if name[-1] != "!"}
        self._properties = {name: at for at, name in enumerate(_strings(arrays["properties!"]))}
        self._words = {word: at for at, word in enumerate(_strings(arrays["words!"]))}
        self._codes, self._centres = arrays["codes!"], self._of["centres"]
        self.vocabulary = int(arrays["vocabulary!"])
        """Checksum of the vocabulary whose order the meanings are in."""
        self._cached: dict[str, Floats] = {}

    def chances(self, text: str, tokens: Sequence[Token], found: Found) -> Floats:
        """Returns the probability of each token, given what rules found in the text."""
        if not tokens:
            return np.zeros(0, np.float32)
        of = self._of
        x = np.stack([self._of_token(token.text) for token in tokens])
        for row, names in enumerate(of_places(text, tokens, found)):
            for name in names:
                if (at := self._properties.get(name, -1)) >= 0:
                    x[row] += of["property"][at]
        x = self._scaled(x, 0)
        for number, dilation in enumerate(DILATIONS):
            x = x + self._scaled(
                _convolved(x, of[f"conv{number}"], of[f"conv{number}:bias"], dilation), number + 1
            )
        x = x + self._attended(x)
        x = x + self._scaled(_convolved(x, of["last"], of["last:bias"], 1), len(DILATIONS) + 1)
        chances: Floats = 1 / (1 + np.exp(-(x @ of["out"] + of["out:bias"])))
        return chances

    def _of_token(self, text: str) -> Floats:
        """Returns the vector of a token by itself, which is the same wherever it stands. Those of words of a
        language are cached; what is unlike them may be a secret."""
        known = self._cached.get(text)
        if known is None:
            names, rows = of_word(text)
            known = self._vector(text, names, rows)
            if rows and text.isalpha():
                if len(self._cached) >= _CACHED_WORDS:
                    self._cached.clear()
                self._cached[text] = known
        return known

    def _vector(self, text: str, names: Sequence[str], rows: Sequence[int]) -> Floats:
        of = self._of
        at = [self._properties[name] for name in names if name in self._properties]
        word = self._words.get(text.lower(), -1)  # the last row is that of all other words
        vector: Floats = of["property"][at].sum(0) + of["word"][word] + of["in:bias"]
        if rows:
            codes = self._codes[list(rows)]
            parts = self._centres[np.arange(codes.shape[1]), codes]
            vector = vector + parts.reshape(len(rows), -1).mean(0) @ of["meaning"]
        return vector

    def _scaled(self, x: Floats, number: int) -> Floats:
        """Returns the rectified layer norm of each row."""
        width: Any = np.float32(x.shape[1])
        centred: Floats = x - np.add.reduce(x, 1, keepdims=True) / width
        centred /= np.sqrt(np.add.reduce(centred * centred, 1, keepdims=True) / width + np.float32(1e-5))
        centred *= self._of[f"norm{number}"]
        centred += self._of[f"norm{number}:bias"]
        return np.maximum(centred, 0, out=centred)

    def _attended(self, x: Floats) -> Floats:
        of, size = self._of, x.shape[1] // _HEADS
        queries, keys, values = (
            _product(x, of[name]) + of[f"{name}:bias"] for name in ("query", "key", "value")
        )
        heads = []
        for head in range(_HEADS):
            part = slice(head * size, (head + 1) * size)
            scores = _product(queries[:, part], keys[:, part].T) / np.float32(size**0.5)
            weights = np.exp(scores - scores.max(1, keepdims=True))
            heads.append(_product(weights / weights.sum(1, keepdims=True), values[:, part]))
        attended: Floats = _product(np.concatenate(heads, 1), of["joined"]) + of["joined:bias"]
        return attended


def _convolved(x: Floats, weights: Floats, bias: Floats, dilation: int) -> Floats:
    """Returns each row with those so far before and behind it."""
    before, middle, behind = weights
    convolved: Floats = _product(x, middle) + bias
    convolved[dilation:] += _product(x[:-dilation], before)
    convolved[:-dilation] += _product(x[dilation:], behind)
    return convolved


def _product(left: Floats, right: Floats) -> Floats:
    """Returns a matrix product, by parts too small for threads of BLAS: these cost more than they save."""
    rows = max(1, _ALONE // (right.shape[0] * right.shape[1]))
    if len(left) <= rows:
        return left @ right
    return np.concatenate([left[at : at + rows] @ right for at in range(0, len(left), rows)])


def _strings(encoded: NDArray[Any]) -> list[str]:
    return encoded.tobytes().decode().split("\0")


@cache
def network() -> Network:
    """Returns the network that comes with the package."""
    with np.load(_FOLDER / "network.npz") as file:
        return Network({name: file[name] for name in file.files})
