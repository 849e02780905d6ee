"""Logistic regression with a ridge, by Newton's method."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def fitted(rows: Array, is_true: Array, *, ridge: float, weights: Array | None = None) -> Array:
    """Returns the bias and the coefficients; `ridge` is for standardised columns."""
    share = np.ones(len(rows)) if weights is None else weights
    mean, spread = rows.mean(0), rows.std(0) + 1e-9
    design = np.c_[np.ones(len(rows)), (rows - mean) / spread]
    penalty = np.diag([0.0, *[ridge] * len(mean)])
    found = np.zeros(design.shape[1])
    for _ in range(50):
        chance = 1 / (1 + np.exp(-design @ found))
        slope = design.T @ (share * (is_true - chance)) - penalty @ found
        found += np.linalg.solve((design.T * (share * chance * (1 - chance))) @ design + penalty, slope)
    slopes = found[1:] / spread
    return np.array([found[0] - slopes @ mean, *slopes])
