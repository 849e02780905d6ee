"""Scaling of vectors to unit length, as every embedder returns them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray


def unit(rows: NDArray[Any]) -> NDArray[np.float32]:
    """Returns rows scaled to unit length; zero rows stay zero."""
    lengths = np.linalg.norm(rows.astype(np.float64), axis=1, keepdims=True)
    scaled: NDArray[np.float32] = (rows / np.where(lengths > 0, lengths, 1.0)).astype(np.float32)
    return scaled
