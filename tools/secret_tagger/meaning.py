"""Packs the meaning of the embedder's words into four bytes a word, in the order of its vocabulary."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from holdfast.language.vocabulary import LEVELS

PARTS, SIZE = 4, 8
"""Parts of a vector that are each one of 256 centres, and their dimensions."""
_SAMPLE, _ROUNDS = 30_000, 10
_DATA = Path(__file__).parents[2] / "src" / "holdfast" / "embeddings" / "data"


def packed() -> tuple[NDArray[np.uint8], NDArray[np.float32]]:
    """Return the codes of each word, and the centres that they stand for (product quantization)."""
    count = len(np.load(_DATA / "static.keys.npy"))
    codes = np.asarray(np.load(_DATA / "static.rows.npy", mmap_mode="r")[:count])
    levels = np.array(LEVELS, np.float32)
    vectors = np.empty((count, 2 * codes.shape[1]), np.float32)
    vectors[:, 0::2], vectors[:, 1::2] = levels[codes & 15], levels[codes >> 4]
    vectors -= vectors.mean(0)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True) + 1e-9
    principal = np.linalg.eigh(vectors.T @ vectors)[1][:, ::-1][:, : PARTS * SIZE]
    # every part takes an even share of the strong dimensions
    order = np.arange(PARTS * SIZE).reshape(SIZE, PARTS).T.ravel()
    short = vectors @ principal[:, order]
    short /= short.std()
    rng = np.random.default_rng(1)
    sample = rng.choice(count, _SAMPLE, replace=False)
    found = np.empty((count, PARTS), np.uint8)
    centres = np.empty((PARTS, 256, SIZE), np.float32)
    for part in range(PARTS):
        values = short[:, part * SIZE : (part + 1) * SIZE]
        centres[part] = _centres(values[sample])
        for at in range(0, count, 20_000):
            found[at : at + 20_000, part] = _nearest(values[at : at + 20_000], centres[part])
    return found, centres


def _centres(values: NDArray[np.float32]) -> NDArray[np.float32]:
    centres = values[:256].copy()
    for _ in range(_ROUNDS):
        nearest = _nearest(values, centres)
        counts = np.bincount(nearest, minlength=256)
        for dimension in range(values.shape[1]):
            sums = np.bincount(nearest, values[:, dimension], 256)
            centres[:, dimension] = np.where(counts > 0, sums / np.maximum(counts, 1), centres[:, dimension])
    return centres


def _nearest(values: NDArray[np.float32], centres: NDArray[np.float32]) -> NDArray[np.int64]:
    nearest: NDArray[np.int64] = np.argmax(values @ centres.T - 0.5 * np.square(centres).sum(1), 1)
    return nearest
