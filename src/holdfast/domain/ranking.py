"""Ranking: from raw signals of one view to ordered, explained scores. Nothing else scores."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from holdfast.domain.kinds import KINDS, Scorer
from holdfast.domain.times import DAY

if TYPE_CHECKING:
    from numpy.typing import NDArray

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
    words = (
        weights.words / scale * signals.words / top_words if top_words > 0 else np.zeros_like(signals.words)
    )
    vector = (
        weights.vector / scale * np.maximum(signals.cosine, 0) / top_cosine
        if top_cosine > 0
        else np.zeros_like(signals.cosine)
    )
    places = np.flatnonzero(matches)
    columns = (
        signals.kind, words, vector, signals.at, signals.last_used, signals.uses, signals.pinned,
        signals.number,
    )  # fmt: skip
    ranked = []
    # plain numbers: taking them from the arrays one by one costs more than the arithmetic
    for place, *values, number in zip(
        places.tolist(), *(column[places].tolist() for column in columns), strict=True
    ):
        shares = _shares(now, *values)
        score = math.fsum(shares)
        if score >= threshold:
            ranked.append((-round(score, 9), -number, score, place, shares))
    ranked.sort()
    return [
        Ranked(-number, score, tuple(signals.passage[place].tolist()), dict(zip(SHARES, shares, strict=True)))
        for _, number, score, place, shares in ranked[:limit]
    ]


def _shares(
    now: int, number: int, words: float, vector: float, at: int, last_used: int, uses: int, pinned: bool
) -> tuple[float, float, float, float]:
    """What each signal adds to the score of one candidate, whose kind has this number; as in `SHARES`."""
    kind = KINDS[KIND_NAMES[number]]
    half_life = None if pinned else kind.half_life
    if kind.scorer is Scorer.ASSISTANT:
        relevance, recency, usage = 0.7, 0.2, 0.1
        fresh = freshness(now - at, half_life)
        popular = min(uses / 10, 1.0)
    else:
        relevance, recency, usage = 0.6, 0.25, 0.15
        fresh = freshness(now - max(last_used, at), half_life)
        popular = min(uses / 20, 1.0)
    # age and use speak only in proportion to relevance, or old favourites would answer every question (S4.33)
    fit = words + vector
    weight = kind.weight
    return (
        weight * relevance * words,
        weight * relevance * vector,
        weight * recency * fresh * fit,
        weight * usage * popular * fit,
    )


def freshness(age: float, half_life: float | None) -> float:
    """1 for something new or evergreen, halved after every half-life. `age` in ms, `half_life` in days."""
    if half_life is None:
        return 1.0
    return math.pow(0.5, max(age, 0) / DAY / half_life)
