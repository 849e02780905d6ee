"""Rating of memories as answers to a task."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.core.value_classes import value_class

if TYPE_CHECKING:
    from holdfast.features.recall.search import SearchResult

FIT, SURE = 0.34, 0.60
"""Minimum nearness to the task of a memory, and of one about a file of other modules, which also has to share
two words with the task."""
WORD_WORTH = 0.12
"""Addition to the cosine for each shared word: the sum is the nearness of a memory."""


@value_class
class Answer:
    """The rating of a memory as an answer to the task: `fit` relative to the best, 0 to 1, and whether it is
    certain."""

    fit: float = 0.0
    is_sure: bool = False


def rate_answers(result: SearchResult, task: str, least: float) -> dict[str, Answer]:
    """Rates the search results as answers to the task, by id; those below a confidence of `least` are none.

    Recall returns the best there is, even if nothing is good; a prompt should contain only good answers. The
    limits were chosen by hand on fifteen tasks over two dozen memories of a made-up shop.
    """
    stems = content_stems(task)
    cosines = dict(zip(result.signals.number.tolist(), result.signals.cosine.tolist(), strict=True))
    top = max((ranked.score for ranked, _ in result.ranked), default=1.0)
    answers = {}
    for ranked, memory in result.ranked:
        if ranked.confidence < least:
            continue
        shared = len(stems & content_stems(f"{memory.title or ''} {memory.text}"))
        relevance = max(cosines[ranked.number], 0.0) + WORD_WORTH * shared
        if relevance >= FIT:
            answers[memory.id] = Answer(ranked.score / top, relevance >= SURE and shared > 1)
    return answers


def content_stems(text: str) -> frozenset[str]:
    """Returns the stems of a text that say where to look; numbers do not."""
    from holdfast.features.modulemap.words import empty_words
    from holdfast.language.terms import stop_stems, words_of

    # in lower case, so that no name counts as several words
    words = frozenset(word for word in words_of(text.casefold()) if not word.isdigit())
    return words - stop_stems() - empty_words()
