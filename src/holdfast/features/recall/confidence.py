"""Confidence: the chance that a question is answered, from raw signals and not from the order of the hits.

A score says which of several hits is better; the best of nothing has a score of about 1 as well. What
compares between questions is the cosine itself, and how much of the question's weight in words a text has. A
logistic curve over the two was fitted on questions with an answer in the view and on questions from other
sets, each set counting the same; docs/retrieval.md says how well it holds on sets that were left out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from holdfast.stores.base.signals import Signals

AT_NOTHING, OF_COSINE, OF_WORDS = -3.47, 7.83, 3.44
"""The curve, fitted with the built-in embedder on ten sets; it holds with the neural one."""
AT_NO_WORDS, OF_WORDS_ALONE = -1.20, 6.86
"""The curve without a vector, or with that of another model, whose cosines have another scale."""


def confidences(signals: Signals, *, calibrated: bool) -> NDArray[np.float64]:
    """Returns the confidence of each candidate, or that of its neighbours in its session: an answer often has
    none of the words of the question before it."""
    coverage = np.minimum(signals.words / (signals.most or 1.0), 1.0).astype(np.float64)
    if calibrated and (signals.cosine > -1).any():
        evidence = AT_NOTHING + OF_COSINE * np.maximum(signals.cosine, 0.0) + OF_WORDS * coverage
    else:
        evidence = AT_NO_WORDS + OF_WORDS_ALONE * coverage
    best = evidence.copy()
    for beside in (signals.previous, signals.following):
        np.maximum(best, np.where(beside >= 0, evidence[beside], -np.inf), out=best)
    chances: NDArray[np.float64] = 1.0 / (1.0 + np.exp(-best))
    return chances
