"""Quantised vectors: exact sums whatever adds them, bounded error, and the same best as brute force."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from holdfast.stores.index import quantised
from holdfast.stores.index.quantised import (
    BLOCK,
    EXACT_DIMS,
    dots,
    dots_by_numpy,
    dots_of_all,
    exact,
    quantise,
    to_bytes,
)

_CODES = arrays(np.int8, array_shapes(min_dims=2, max_dims=2, max_side=70), elements=st.integers(-127, 127))
_FLOATS = arrays(
    np.float32,
    array_shapes(min_dims=2, max_dims=2, max_side=40),
    elements=st.floats(-1, 1, width=16, allow_subnormal=False),
)


@given(_CODES, st.randoms(use_true_random=False))
def test_simd_and_numpy_give_the_same_integers(codes: np.ndarray, random) -> None:
    query = np.array([random.randint(-127, 127) for _ in range(codes.shape[1])], np.int8)
    expected = codes.astype(np.int64) @ query.astype(np.int64)
    assert dots(query, codes).tolist() == expected.tolist()
    assert dots_by_numpy(query, codes).tolist() == expected.tolist()


@pytest.mark.parametrize("queries", [1, BLOCK - 1, BLOCK, 2 * BLOCK + 5])
@pytest.mark.parametrize("rows", [0, 1, BLOCK, 3 * BLOCK + 1])
@pytest.mark.parametrize("dim", [8, EXACT_DIMS, EXACT_DIMS + 1])
def test_products_of_many_are_the_same_integers(queries: int, rows: int, dim: int) -> None:
    random = np.random.default_rng(queries + rows + dim)
    left, right = (random.integers(-127, 128, (count, dim)).astype(np.int8) for count in (queries, rows))
    left[-1:], right[-1:] = 127, 127  # the largest sum
    products = dots_of_all(left, right)
    assert products.shape == (queries, rows)
    assert (products == left.astype(np.int64) @ right.astype(np.int64).T).all()


@pytest.mark.parametrize("dim", [256, EXACT_DIMS, EXACT_DIMS + 1, 4_096])
def test_the_largest_sums_are_exact_at_every_width(dim: int) -> None:
    codes = np.full((3, dim), 127, np.int8)
    codes[1, 0] = 126
    expected = [127 * 127 * dim, 127 * 127 * dim - 127, 127 * 127 * dim]
    assert dots(codes[0], codes).tolist() == expected
    assert dots_by_numpy(codes[0], codes).tolist() == expected


def test_without_simd_kernels_numpy_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    codes = np.arange(-12, 12, dtype=np.int8).reshape(4, 6)
    before = dots(codes[1], codes).tolist()
    monkeypatch.setattr(quantised, "simsimd", None)
    assert dots(codes[1], codes).tolist() == before
    assert dots(codes[1], codes[:0]).tolist() == []


@given(_FLOATS)
def test_a_code_is_within_half_a_step(vectors: np.ndarray) -> None:
    scale, codes = quantise(vectors)
    assert (np.abs(codes.astype(np.int16)) <= 127).all()
    error = np.abs(codes * scale[:, None].astype(np.float64) - vectors)
    assert (error <= scale[:, None] * (0.5 + 1e-4)).all()


def halves(vectors: np.ndarray) -> np.ndarray:
    """Vectors as they come back from a store."""
    stored = b"".join(half for _, _, half in to_bytes(vectors))
    return np.frombuffer(stored, np.float16).reshape(vectors.shape)


@given(_FLOATS)
def test_an_exact_score_depends_on_its_own_row_only(vectors: np.ndarray) -> None:
    stored = halves(vectors)
    query = vectors[0]
    together = exact(query, stored)
    alone = [float(exact(query, stored[i : i + 1])[0]) for i in range(len(stored))]
    assert together.tolist() == alone


@pytest.mark.parametrize("dim", [32, 256])
def test_scan_and_rescoring_find_what_brute_force_finds(dim: int) -> None:
    """Recall 1.0: the ten best of 3,000 random vectors for 200 questions, against float over every row."""
    random = np.random.default_rng(dim)
    rows = random.standard_normal((3_000, dim)).astype(np.float32)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    stored = halves(rows)
    scale, codes = quantise(rows)
    for question in random.standard_normal((200, dim)).astype(np.float32):
        question /= np.linalg.norm(question)
        _, code = quantise(question[None, :])
        fetched = np.argsort(-dots(code[0], codes) * scale)[:40]
        rescored = exact(question, stored[fetched])
        found = set(fetched[np.argsort(-rescored)[:10]].tolist())
        best = set(np.argsort(-exact(question, stored))[:10].tolist())
        assert found == best
