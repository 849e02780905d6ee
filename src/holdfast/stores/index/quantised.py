"""Quantised vectors: int8 codes for scanning and float16 for exact scores."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

simsimd: Any
try:
    import simsimd
except ImportError:
    simsimd = None

EXACT_DIMS = 1_040
"""Dimensions up to which float32 adds products of int8 without rounding (127² x 1040 < 2²⁴)."""
BLOCK = 24
"""Rows of a block: OpenBLAS starts threads for more than 2¹⁸ multiplications, here from 456 dimensions on."""


def quantise(vectors: NDArray[np.float32]) -> tuple[NDArray[np.float32], NDArray[np.int8]]:
    """Returns a scale for each row and its int8 code; `code * scale` is the row within half a step."""
    top = np.abs(vectors).max(axis=1)
    scale = np.where(top > 0, top / 127.0, 1.0).astype(np.float32)
    return scale, np.rint(vectors / scale[:, None]).astype(np.int8)


def dots(query: NDArray[np.int8], codes: NDArray[np.int8]) -> NDArray[np.float64]:
    """Returns dot products of one code with each row of `codes`, exact integers on every platform. Shape
    (n,).
    """
    if simsimd is None or not len(codes):
        return dots_by_numpy(query, codes)
    products: Any = simsimd.cdist(query[None, :], np.ascontiguousarray(codes), metric="dot")
    return np.asarray(products, np.float64).reshape(-1)


def dots_of_all(queries: NDArray[np.int8], codes: NDArray[np.int8]) -> NDArray[np.floating[Any]]:
    """Returns the dot products of each query with each code, exact integers as well. Shape (queries, codes).

    A product of matrices takes a third of the kernel's time. It is made of blocks so small that no threads
    are started for them, whose waiting costs more than they gain on a busy machine.
    """
    if len(queries) < BLOCK or not len(codes):
        return np.stack([dots(query, codes) for query in queries])
    left, right = _in_blocks(queries), _in_blocks(codes)
    products = np.empty((len(left) * BLOCK, len(right) * BLOCK), left.dtype)
    blocks = products.reshape(len(left), BLOCK, len(right), BLOCK).swapaxes(1, 2)
    np.matmul(left[:, None], right[None].swapaxes(2, 3), out=blocks)
    return products[: len(queries), : len(codes)]


def _in_blocks(codes: NDArray[np.int8]) -> NDArray[np.floating[Any]]:
    """Returns codes as floats that add without rounding, with rows of zeros after them. Shape
    (blocks, BLOCK, dimensions)."""
    count, dim = codes.shape
    rows = np.zeros((-(-count // BLOCK) * BLOCK, dim), _exact_type(dim))
    rows[:count] = codes
    return rows.reshape(-1, BLOCK, dim)


def _exact_type(dim: int) -> type[np.floating[Any]]:
    return np.float32 if dim <= EXACT_DIMS else np.float64


def dots_by_numpy(query: NDArray[np.int8], codes: NDArray[np.int8]) -> NDArray[np.float64]:
    """Returns the same products without SIMD kernels, in chunks so that the float copy stays small."""
    exact_type = _exact_type(codes.shape[1])
    wide = query.astype(exact_type)
    pieces = [codes[i : i + 8_192].astype(exact_type) @ wide for i in range(0, len(codes), 8_192)]
    return np.concatenate(pieces).astype(np.float64) if pieces else np.zeros(0)


def exact(query: NDArray[np.float32], vectors: NDArray[np.float16]) -> NDArray[np.float32]:
    """Returns cosines of a unit vector, or of one for each row, with stored float16 vectors; the result of a
    row depends on that row alone.
    """
    return np.asarray((vectors.astype(np.float32) * query).sum(axis=1), np.float32)


def to_bytes(vectors: NDArray[np.float32]) -> list[tuple[float, bytes, bytes]]:
    """Returns the scale, code and float16 form of each row, as stored."""
    if len(vectors) == 1:  # most texts are one passage
        row = vectors[0]
        top = max(row.max(), -row.min())
        step = top / np.float32(127.0) if top > 0 else np.float32(1.0)
        return [
            (float(step), np.rint(row / step).astype(np.int8).tobytes(), row.astype(np.float16).tobytes())
        ]
    scale, codes = quantise(vectors)
    whole, halves, dim = codes.tobytes(), vectors.astype(np.float16).tobytes(), vectors.shape[1]
    return [
        (factor, whole[i * dim : (i + 1) * dim], halves[2 * i * dim : 2 * (i + 1) * dim])
        for i, factor in enumerate(scale.tolist())
    ]
