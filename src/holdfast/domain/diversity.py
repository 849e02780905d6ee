"""Diversity: hits that say the same thing again give way to others (S2.30, S4.29)."""

from __future__ import annotations

from collections.abc import Sequence

SAME = 0.9
"""Jaccard overlap of words from which a text counts as a repetition of a better hit."""


def words_of_hit(text: str) -> frozenset[str]:
    """What two hits are compared by: their words as written, in lower case."""
    return frozenset(text.lower().split())


def arranged(scores: Sequence[float], words: Sequence[frozenset[str]], *, mmr: float) -> list[int]:
    """The order in which hits are told, as indexes; `scores` descending.

    Repetitions go behind everything else. `mmr` weighs relevance against novelty (maximal marginal
    relevance): 1 keeps the order of the scores, 0 looks for what is new only.
    """
    first, repeated = _without_repetitions(words)
    if mmr < 1.0 and len(first) > 2:
        first = _by_novelty(first, scores, words, mmr)
    return first + repeated


def _without_repetitions(words: Sequence[frozenset[str]]) -> tuple[list[int], list[int]]:
    first: list[int] = []
    repeated: list[int] = []
    for i, said in enumerate(words):
        size = len(said)
        for j in first:
            other = len(words[j])
            # overlap() >= SAME, told without a division, and only where the sizes allow it: this is done for
            # every pair of hits
            if (
                SAME * size <= other
                and SAME * other <= size
                and (1 + SAME) * len(said & words[j]) >= SAME * (size + other)
            ):
                repeated.append(i)
                break
        else:
            first.append(i)
    return first, repeated


def _by_novelty(
    left: list[int], scores: Sequence[float], words: Sequence[frozenset[str]], mmr: float
) -> list[int]:
    top = scores[left[0]] or 1.0
    told = [left[0]]
    left = left[1:]
    likeness = {i: overlap(words[i], words[told[0]]) for i in left}
    while left:
        best = max(left, key=lambda i: (mmr * scores[i] / top - (1 - mmr) * likeness[i], -i))
        left.remove(best)
        told.append(best)
        for i in left:
            likeness[i] = max(likeness[i], overlap(words[i], words[best]))
    return told


def overlap(some: frozenset[str], others: frozenset[str]) -> float:
    """Jaccard overlap of two sets of words, 0 to 1."""
    common = len(some & others)
    return common / (len(some) + len(others) - common or 1)
