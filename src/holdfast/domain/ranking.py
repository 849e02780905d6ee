"""Ranking: from raw signals of one view to ordered, explained scores. Nothing else scores."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from holdfast.domain.kinds import KINDS, Scorer
from holdfast.domain.times import DAY

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

KIND_NAMES = tuple(KINDS)
"""Kinds by their number in `Signals.kind`."""
KIND_NUMBERS = {name: number for number, name in enumerate(KIND_NAMES)}
SHARES = ("words", "vector", "recency", "use")
"""The parts of a score, in `Ranked.why`."""


@dataclass(frozen=True, slots=True)
class Weights:
    """How much each signal counts. `vector` is relative to words at 1."""

    words: float = 1.0
    vector: float = 0.5
    cosine_floor: float = 0.3
    """A text that shares no word with the question is a hit only from this cosine on (S2.32)."""


WEIGHTS = Weights()


@dataclass(frozen=True, slots=True)
class Signals:
    """What a store knows about candidates before anything is weighed; one entry per memory in each array.

    `number` is the store's own, `words` a BM25 score from the view's own statistics, `cosine` in -1..1
    (0 where there is no vector), `passage` the best passage as start and end. Times are epoch
    milliseconds, `last_used` 0 where never. `total` counts the memories of the view.
    """

    number: NDArray[np.int64]
    words: NDArray[np.float32]
    cosine: NDArray[np.float32]
    passage: NDArray[np.int64]
    kind: NDArray[np.int16]
    at: NDArray[np.int64]
    last_used: NDArray[np.int64]
    uses: NDArray[np.int64]
    pinned: NDArray[np.bool_]
    total: int

    @classmethod
    def none(cls, total: int = 0) -> Signals:
        """No candidate at all."""
        integers = np.zeros(0, np.int64)
        floats = np.zeros(0, np.float32)
        return cls(
            integers, floats, floats, np.zeros((0, 2), np.int64), np.zeros(0, np.int16),
            integers, integers, integers, np.zeros(0, np.bool_), total,
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Ranked:
    """One candidate with its score and each signal's share of it; the shares add up to the score."""

    number: int
    score: float
    passage: tuple[int, int]
    why: dict[str, float] = field(default_factory=dict)


def rank(
    signals: Signals, *, now: int, limit: int, threshold: float = 0.0, weights: Weights = WEIGHTS
) -> list[Ranked]:
    """The best `limit` candidates, best first; ties go to the newer memory.

    A candidate counts if it shares a word with the question or is near enough in meaning; with neither it
    is no hit at all (S2.32). Scores lie between 0 and about 1.3; `threshold` drops weaker ones (S0.31).
    """
    matches = (signals.words > 0) | (signals.cosine >= weights.cosine_floor)
    top_words = float(signals.words.max(initial=0.0))
    top_cosine = float(signals.cosine.max(initial=0.0))
    scale = (weights.words if top_words > 0 else 0.0) + (weights.vector if top_cosine > 0 else 0.0)
    if not matches.any() or scale == 0:
        return []
    # a signal that nobody has adds nothing; dividing by one leaves it at that
    words = weights.words / scale * signals.words / (top_words or 1.0)
    vector = weights.vector / scale * np.maximum(signals.cosine, 0) / (top_cosine or 1.0)
    shares = _shares(signals, words, vector, now)
    scores = shares.sum(axis=0)
    # rounded, so that equal candidates tie whatever the last bit says
    order = np.lexsort((-signals.number, -np.round(scores, 9)))
    best = order[matches[order] & (scores[order] >= threshold)][:limit]
    return [
        Ranked(number, score, (start, end), dict(zip(SHARES, parts, strict=True)))
        for number, score, (start, end), parts in zip(
            signals.number[best].tolist(),
            scores[best].tolist(),
            signals.passage[best].tolist(),
            shares[:, best].T.tolist(),
            strict=True,
        )
    ]


def _shares(
    signals: Signals, words: NDArray[np.floating[Any]], vector: NDArray[np.floating[Any]], now: int
) -> NDArray[np.float64]:
    """What each signal adds to each candidate's score; shape (4, candidates), rows as in `SHARES`."""
    policy = _policies()
    by_assistant = policy.assistant[signals.kind]
    relevance, recency, usage = np.where(by_assistant, _ASSISTANT, _AGENT)
    since = np.where(by_assistant, signals.at, np.maximum(signals.last_used, signals.at))
    half_life = np.where(signals.pinned, np.inf, policy.half_life[signals.kind])
    fresh = freshness(now - since, half_life)
    popular = np.minimum(signals.uses / np.where(by_assistant, 10, 20), 1.0)
    # age and use speak only in proportion to relevance, or old favourites would answer every question (S4.33)
    fit = words.astype(np.float64) + vector
    parts = np.stack([relevance * words, relevance * vector, recency * fresh * fit, usage * popular * fit])
    return np.asarray(policy.weight[signals.kind] * parts, np.float64)


_ASSISTANT = np.array([[0.7], [0.2], [0.1]])
_AGENT = np.array([[0.6], [0.25], [0.15]])
"""Weights of relevance, recency and use (S2.29, S4.28)."""


class _Policies(NamedTuple):
    """What the kinds say about ranking, by their numbers; an infinite half-life is none."""

    assistant: NDArray[np.bool_]
    half_life: NDArray[np.float64]
    weight: NDArray[np.float64]


@cache
def _policies() -> _Policies:
    kinds = [KINDS[name] for name in KIND_NAMES]
    return _Policies(
        np.array([kind.scorer is Scorer.ASSISTANT for kind in kinds]),
        np.array([np.inf if kind.half_life is None else kind.half_life for kind in kinds]),
        np.array([kind.weight for kind in kinds]),
    )


def freshness(age: ArrayLike, half_life: ArrayLike) -> NDArray[np.float64]:
    """1 for something new, halved after every half-life; an infinite one is evergreen. `age` in ms,
    `half_life` in days."""
    return np.asarray(np.exp2(-np.maximum(age, 0) / DAY / np.asarray(half_life, np.float64)), np.float64)
