"""Diversity: hits that say the same thing again give way to others (S2.30, S4.29)."""

from __future__ import annotations

from collections.abc import Sequence

SAME = 0.9
"""Jaccard overlap of words from which a text counts as a repetition of a better hit."""


def arranged(scores: Sequence[float], texts: Sequence[str], *, mmr: float, limit: int) -> list[int]:
    """The `limit` hits that are told, in their order, as indexes; `scores` descending.

    Repetitions go behind everything else. `mmr` weighs relevance against novelty (maximal marginal
    relevance): 1 keeps the order of the scores, 0 looks for what is new only.
    """
    by_novelty = mmr < 1.0
    words: list[frozenset[str]] = []
    first: list[int] = []
    repeated: list[int] = []
    for i, text in enumerate(texts):
        said = words_of_hit(text)
        words.append(said)
        (repeated if any(_repeats(said, words[j]) for j in first) else first).append(i)
        if len(first) == limit and not by_novelty:
            break  # what comes now would not be told
    if by_novelty and len(first) > 2:
        first = _by_novelty(first, scores, words, mmr)
    return (first + repeated)[:limit]


def words_of_hit(text: str) -> frozenset[str]:
    """What two hits are compared by: their words as written, in lower case."""
    return frozenset(text.lower().split())


def _repeats(some: frozenset[str], others: frozenset[str]) -> bool:
    """Whether `overlap` is `SAME` at least, told without a division and only where the sizes allow it: every
    pair of hits is asked about."""
    size, other = len(some), len(others)
    if size < SAME * other or other < SAME * size:
        return False
    return (1 + SAME) * len(some & others) >= SAME * (size + other)


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
