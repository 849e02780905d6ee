"""A baseline to compare recall with: BM25 over passages, the best passage standing for its document."""

from __future__ import annotations

from collections import Counter

from holdfast.language.passages import passages_of
from holdfast.language.terms import K1, B, idf, stop_stems, words_of


class Bm25:
    """BM25 with stemming and stop words over passages of at most 800 characters, and nothing else."""

    def __init__(self) -> None:
        self._postings: dict[str, list[tuple[int, int]]] = {}
        self._lengths: list[int] = []
        self._owners: list[str] = []

    def add(self, id: str, text: str) -> None:
        """Adds a document."""
        for start, end in passages_of(text):
            counts = Counter(words_of(text[start:end]))
            for word, count in counts.items():
                self._postings.setdefault(word, []).append((len(self._lengths), count))
            self._lengths.append(counts.total())
            self._owners.append(id)

    def ranked(self, question: str, limit: int) -> list[str]:
        """Returns the ids of the best documents, best first; of equal ones the first that was added."""
        words = dict.fromkeys(words_of(question))
        total = len(self._lengths)
        average = max(sum(self._lengths) / max(total, 1), 1.0)
        scores: dict[int, float] = {}
        for word in [word for word in words if word not in stop_stems()] or words:
            found = self._postings.get(word, ())
            weight = idf(len(found), total)
            for passage, count in found:
                norm = K1 * (1 - B + B * self._lengths[passage] / average)
                scores[passage] = scores.get(passage, 0.0) + weight * count * (K1 + 1) / (count + norm)
        ordered = sorted(scores, key=lambda passage: (-scores[passage], passage))
        return list(dict.fromkeys(self._owners[passage] for passage in ordered))[:limit]
