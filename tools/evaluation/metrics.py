"""Measures of retrieval: recall, reciprocal rank, discounted gain, tokens and latency, from ranks alone."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

CHARS_PER_TOKEN = 4
"""The usual estimate for English; tokenizers differ."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back for one question. Ranks count from 1.

    `gold` is how many memories answer it, `ranks` where those of them stand that are among the returned,
    `first` the rank of the first one however far down it was found, None if it was not. `tokens` estimates
    the returned texts, `passage_tokens` only the parts that matched. `ahead` says whether an answer stands
    before what only looks like one, None for a question without.
    """

    category: str
    gold: int
    ranks: tuple[int, ...]
    first: int | None
    tokens: float
    passage_tokens: float
    milliseconds: float
    ahead: bool | None = None


@dataclass(frozen=True, slots=True)
class Figures:
    """Means over questions; recall, MRR and nDCG are shares from 0 to 1."""

    questions: int
    recall_at_5: float
    recall_at_10: float
    mrr: float
    ndcg_at_10: float
    tokens: float
    passage_tokens: float
    p50_ms: float
    p95_ms: float

    def as_dict(self) -> dict[str, Any]:
        """Plain JSON, rounded to what can be told apart."""
        return {
            "questions": self.questions,
            "recall_at_5": round(self.recall_at_5, 4),
            "recall_at_10": round(self.recall_at_10, 4),
            "mrr": round(self.mrr, 4),
            "ndcg_at_10": round(self.ndcg_at_10, 4),
            "tokens": round(self.tokens, 1),
            "passage_tokens": round(self.passage_tokens, 1),
            "p50_ms": round(self.p50_ms, 3),
            "p95_ms": round(self.p95_ms, 3),
        }


def figures(answers: Sequence[Answer]) -> Figures:
    """The means over some answers. Raises ValueError when there are none."""
    if not answers:
        raise ValueError("there are no answers to count")
    number = len(answers)

    def mean(values: Sequence[float]) -> float:
        return math.fsum(values) / number

    times = [one.milliseconds for one in answers]
    return Figures(
        questions=number,
        recall_at_5=mean([recall_at(one.ranks, one.gold, 5) for one in answers]),
        recall_at_10=mean([recall_at(one.ranks, one.gold, 10) for one in answers]),
        mrr=mean([0.0 if one.first is None else 1 / one.first for one in answers]),
        ndcg_at_10=mean([ndcg_at(one.ranks, one.gold, 10) for one in answers]),
        tokens=mean([one.tokens for one in answers]),
        passage_tokens=mean([one.passage_tokens for one in answers]),
        p50_ms=percentile(times, 0.50),
        p95_ms=percentile(times, 0.95),
    )


def recall_at(ranks: Sequence[int], gold: int, k: int) -> float:
    """The share of what answers a question that stands among the first `k`."""
    return sum(rank <= k for rank in ranks) / gold


def ndcg_at(ranks: Sequence[int], gold: int, k: int) -> float:
    """Discounted gain of the first `k` over the best there could be; all gold is worth the same."""
    gained = math.fsum(1 / math.log2(rank + 1) for rank in ranks if rank <= k)
    return gained / math.fsum(1 / math.log2(rank + 1) for rank in range(1, min(gold, k) + 1))


def percentile(values: Sequence[float], share: float) -> float:
    """The smallest value that at least this share of all values does not exceed (nearest rank)."""
    ordered = sorted(values)
    return ordered[max(math.ceil(share * len(ordered)) - 1, 0)]
