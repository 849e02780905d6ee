"""Diversity: hits that say the same thing again give way to others (S2.30, S4.29)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

NEAR = 0.9
"""Jaccard overlap of words from which it is looked at whether two texts say the same."""


class Told(NamedTuple):
    """What a hit tells: the words of its passage count, and who said them."""

    text: str
    """The whole memory."""
    passage: str
    speaker: str | None = None


def arranged(scores: Sequence[float], hits: Sequence[Told], *, mmr: float, limit: int) -> list[int]:
    """The `limit` hits that are told, in their order, as indexes; `scores` descending.

    Repetitions go behind everything else: what a better hit of the same speaker says already. Another number,
    name or "not" is another statement, however many words are shared. `mmr` weighs relevance against novelty
    (maximal marginal relevance): 1 keeps the order of the scores, 0 looks for what is new only.
    """
    by_novelty = mmr < 1.0
    words: list[frozenset[str]] = []
    first: list[int] = []
    repeated: list[int] = []
    for i, hit in enumerate(hits):
        said = words_of_hit(hit.passage)
        words.append(said)
        (repeated if any(_repeats(hit, said, hits[j], words[j]) for j in first) else first).append(i)
        if len(first) == limit and not by_novelty:
            break  # what comes now would not be told
    if by_novelty and len(first) > 2:
        first = _by_novelty([scores[i] for i in first], [words[i] for i in first], mmr, limit, first)
    return (first + repeated)[:limit]


def words_of_hit(text: str) -> frozenset[str]:
    """What two hits are compared by at first: their words as written, in lower case."""
    return frozenset(text.lower().split())


def _repeats(hit: Told, said: frozenset[str], other: Told, words: frozenset[str]) -> bool:
    """Whether a hit says what another one of the same speaker says. Every pair of hits is asked about, so
    most are told apart by the number of their words."""
    size, known = len(said), len(words)
    if size < NEAR * known or known < NEAR * size or hit.speaker != other.speaker:
        return False
    if (1 + NEAR) * len(said & words) < NEAR * (size + known):
        return False
    if hit.text == other.text:
        return True
    if hit.passage != hit.text or other.passage != other.text:
        return False  # what stands around them differs
    from holdfast.domain.sameness.compare import Verdict, compare  # only where two texts are that near

    return compare(other.text, hit.text).verdict is Verdict.SAME


def _by_novelty(
    scores: Sequence[float], words: Sequence[frozenset[str]], mmr: float, limit: int, hits: Sequence[int]
) -> list[int]:
    """The best `limit` of some hits by maximal marginal relevance, the best score first."""
    import numpy as np

    holding: dict[str, list[int]] = {}
    for i, said in enumerate(words):
        for word in said:
            holding.setdefault(word, []).append(i)
    sizes = np.array([len(said) for said in words])
    relevance = mmr * np.array(scores) / (scores[0] or 1.0)
    likeness = np.zeros(len(scores))
    best, told = 0, [0]
    while len(told) < min(limit, len(scores)):
        relevance[best] = -np.inf
        shared = [np.array(holding[word]) for word in words[best]]
        common = np.bincount(np.concatenate(shared), minlength=len(scores)) if shared else 0 * sizes
        np.maximum(likeness, common / np.maximum(sizes + sizes[best] - common, 1), out=likeness)
        best = int(np.argmax(relevance - (1 - mmr) * likeness))
        told.append(best)
    return [hits[i] for i in told]
