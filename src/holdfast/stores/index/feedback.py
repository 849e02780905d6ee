"""Feedback: moves the vector of a question toward the documents that answer it best at first sight.

Documents on one matter use the same words, so the best of them say what the question means better than its
few words do (pseudo-relevance feedback, after Rocchio). It pays for running text; code, messages, and
texts in another language, which share no word with the question, would lead it astray
(docs/measured/ranking.md).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from holdfast.language.manner import Manner
from holdfast.language.terms import K1

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]

BEST = 5
"""Number of texts that are looked at."""
AGREEING_MIN = 3
"""Number of these that must be of use."""
SHARE_MIN = 0.2
"""Share of the weight of the question's words that a text of use has."""
PULL = 0.5
"""Length of what is added to the question's vector, a unit vector."""


def is_of_use(manner: NDArray[np.uint16], words: Floats, weights: Floats) -> NDArray[np.bool_]:
    """Returns which texts may move a question, by their manner, their BM25 score and the weights of its
    words."""
    enough = SHARE_MIN * float(weights.sum(dtype=np.float64)) * (K1 + 1)
    return (manner & Manner.PROSE > 0) & (words > 0) & (words >= enough)


def moved(question: Floats, fit: Floats, vectors: Floats) -> Floats | None:
    """Returns the unit vector of a question after feedback by texts of use, each of which counts by its fit;
    None if they are too few. Shape of `vectors` (texts, dimensions)."""
    if len(fit) < AGREEING_MIN:
        return None
    mean = fit @ vectors
    length = float(np.linalg.norm(mean))
    if not length:
        return None
    result = question + mean * np.float32(PULL / length)
    return np.asarray(result / np.linalg.norm(result), np.float32)
