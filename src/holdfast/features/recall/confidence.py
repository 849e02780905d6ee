"""Confidence: the chance that a question is answered, from raw signals and not from the order of the hits.

A score says which of several hits is better; the best of nothing has a score of about 1 as well. What
compares between questions is the cosine itself, how much of the question's weight in words a text has, and
among how many texts it was found. A logistic curve over the three was fitted on questions with an answer in
the view and on questions from other sets, each set counting the same (`benchmarks/confidence.py`);
docs/retrieval.md says how well it holds on sets that were left out.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from holdfast.stores.base.signals import Signals


class Curve(NamedTuple):
    """Log odds that a text answers, as weights of what is known of it."""

    none: float
    """In a view of a thousand memories."""
    cosine: float
    words: float
    size: float = 0.0
    """For ten times as many memories: among more, something is like any question by chance."""


STATIC = Curve(-6.3, 10.9, 8.7, -1.4)
"""With the built-in embedder."""
NEURAL = Curve(-3.27, 7.83, 3.44)
"""With the neural one: an earlier curve of the built-in embedder, moved so that as many questions as before
reach what suits agents."""
WORDS = Curve(-1.20, 0.0, 6.86)
"""Without a vector, or with that of another model, whose cosines have another scale."""
SIZE_MIN, SIZE_MAX = 100, 100_000
"""Sizes of views beyond which nothing was fitted."""


def confidences(signals: Signals, curve: Curve) -> NDArray[np.float64]:
    """Returns the confidence of each candidate, or that of its neighbours in its session: an answer often has
    none of the words of the question before it."""
    if not (signals.cosine > -1).any():
        curve = WORDS
    coverage = np.minimum(signals.words / (signals.most or 1.0), 1.0).astype(np.float64)
    tens = math.log10(min(max(signals.total, SIZE_MIN), SIZE_MAX) / 1_000)
    baseline = curve.none + curve.size * tens
    evidence = baseline + curve.cosine * np.maximum(signals.cosine, 0.0) + curve.words * coverage
    best = evidence.copy()
    for neighbours in (signals.previous, signals.following):
        np.maximum(best, np.where(neighbours >= 0, evidence[neighbours], -np.inf), out=best)
    chances: NDArray[np.float64] = 1.0 / (1.0 + np.exp(-best))
    return chances
