"""Diversity of hits: repetitions are moved after other hits (S2.30, S4.29)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

ALIKE_MAX = 2
"""Maximum number of hits that say the same."""

_EMPTY = frozenset("a an the please just really very also".split())
"""Words that do not change what a text says."""
_MARKS = ".,;:!…。，；：！、\"'“”„‘’«»()[]*_`"


class Candidate(NamedTuple):
    """The text of a hit, and its speaker."""

    text: str
    """The whole memory."""
    passage: str
    """The part of it that matched."""
    speaker: str | None = None


def diversify(scores: Sequence[float], hits: Sequence[Candidate], *, mmr: float, limit: int) -> list[int]:
    """Returns the indexes of the `limit` hits to show, in order; `scores` are descending.

    One repetition of a better hit is moved after everything else, further ones are left out: the same words
    of the same speaker, but for case, punctuation and words such as "the". Another number, name or "not" is
    another statement, however much is shared. `mmr` weighs relevance against novelty (maximal marginal
    relevance): 1 keeps the order of the scores, 0 looks for novelty only.
    """
    by_novelty = mmr < 1.0
    seen: Counter[object] = Counter()
    first: list[int] = []
    repeated: list[int] = []
    for i, hit in enumerate(hits):
        statement = _statement_key(hit)
        seen[statement] += 1
        if seen[statement] <= ALIKE_MAX:
            (first if seen[statement] == 1 else repeated).append(i)
        if len(first) == limit and not by_novelty:
            break  # later hits would not be returned
    if by_novelty and len(first) > 2:
        first = _by_novelty([scores[i] for i in first], [hits[i].passage for i in first], mmr, limit, first)
    return (first + repeated)[:limit]


def _statement_key(candidate: Candidate) -> object:
    """Returns a key that is equal for two hits that say the same."""
    if candidate.passage != candidate.text:
        return candidate.speaker, candidate.text  # what is around a part decides as well
    bare = (word.strip(_MARKS) for word in candidate.text.lower().split())
    return candidate.speaker, tuple(word for word in bare if word and word not in _EMPTY) or candidate.text


def _by_novelty(
    scores: Sequence[float], texts: Sequence[str], mmr: float, limit: int, hits: Sequence[int]
) -> list[int]:
    """Returns the best `limit` of some hits by maximal marginal relevance, over the Jaccard overlap of their
    words; the best score first."""
    import numpy as np

    words = [frozenset(text.lower().split()) for text in texts]
    holding: dict[str, list[int]] = {}
    for i, own_words in enumerate(words):
        for word in own_words:
            holding.setdefault(word, []).append(i)
    positions = {word: np.array(indexes) for word, indexes in holding.items()}
    sizes = np.array([len(own_words) for own_words in words])
    relevance = mmr * np.array(scores) / (scores[0] or 1.0)
    likeness = np.zeros(len(scores))
    best, chosen = 0, [0]
    while len(chosen) < min(limit, len(scores)):
        relevance[best] = -np.inf
        shared = [positions[word] for word in words[best]]
        common = np.bincount(np.concatenate(shared), minlength=len(scores)) if shared else 0 * sizes
        np.maximum(likeness, common / np.maximum(sizes + sizes[best] - common, 1), out=likeness)
        best = int(np.argmax(relevance - (1 - mmr) * likeness))
        chosen.append(best)
    return [hits[i] for i in chosen]
