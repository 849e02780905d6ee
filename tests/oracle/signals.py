"""Signals of candidates, from lists of passages and what each scored."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np

from holdfast.core.places import Pool, Reach
from holdfast.language.manner import Manner
from holdfast.language.spelling import WORDS_MAX, near_terms
from holdfast.language.terms import K1
from holdfast.language.work import traits_of
from holdfast.stores.base.ports import Question
from holdfast.stores.base.signals import KIND_NUMBERS, Signals
from holdfast.stores.index.feedback import AGREEING_MIN, BEST, PULL, SHARE_MIN
from holdfast.stores.index.quantised import quantise
from tests.oracle.state import Row


def respellings(
    texts: list[dict[int, int]], question: Question, matching: Counter[int]
) -> tuple[dict[int, set[int]], dict[str, str]]:
    """For each term that no text has, the terms one edit away that some have; and for its word the one that
    most have. What they match is added to `matching`."""
    near: dict[int, set[int]] = {}
    respelt = {}
    spelled = question.spelled()
    unknown = [term for term in question.terms if not matching[term] and term in spelled]
    for term in unknown[:WORDS_MAX]:
        known = near_terms(spelled[term])
        held = Counter(one for text in texts for one in text if one in known)
        if held:
            near[term] = set(held)
            respelt[spelled[term]] = min((-count, known[one]) for one, count in held.items())[1]
            matching[term] = sum(any(one in text for one in held) for text in texts)
    return near, respelt


def top(values: list[Any], passages: list[tuple[Row, int]], count: int, counts: Any) -> set[int]:
    """The places of the highest values that count; ties go to the newer memory."""
    places = [i for i, value in enumerate(values) if counts(value)]
    places.sort(key=lambda i: (-values[i], -passages[i][0].number))
    return set(places[:count])


def neighbours(rows: list[Row], first: dict[str, int]) -> dict[int, tuple[int, int]]:
    """For each memory what stands before and after it in its session and pool, 0 for nothing. `first` holds
    the numbers of first versions."""
    talks: dict[tuple[Pool, int], list[int]] = {}
    for row in sorted(rows, key=lambda row: (row.memory.at, first[row.memory.id])):
        if row.memory.place.session is not None:
            talks.setdefault((row.pool, row.memory.place.session), []).append(row.number)
    return {
        number: (before, after)
        for talk in talks.values()
        for before, number, after in zip([0, *talk], talk, [*talk[1:], 0], strict=False)
    }


def refined_cosines(
    passages: list[tuple[Row, int]], words: list[float], cosines: list[float | None],
    weights: list[float], question: Question, vector: Any,
) -> list[float | None]:  # fmt: skip
    """The cosines to the question's vector as the best passages move it, if enough of them are of use."""
    if vector is None or not weights:
        return cosines
    top_words = max([*words, 1e-9])
    fit = [w / top_words + max(c or 0.0, 0.0) + 1e-6 for w, c in zip(words, cosines, strict=True)]
    useful = [
        i
        for i in top(fit, passages, BEST, lambda value: value > 0)
        if Manner.PROSE in traits_of(passages[i][0].memory)
        and words[i] > 0
        and words[i] >= SHARE_MIN * sum(weights) * (K1 + 1)
    ]
    if len(useful) < AGREEING_MIN:
        return cosines
    mean = np.zeros(len(vector), np.float32)
    for i in useful:
        row, part = passages[i]
        if (stored := row.vectors.get(question.model)) is not None:
            scale, code = quantise(np.asarray(stored[part], np.float32)[None, :])  # what an index keeps
            mean += np.float32(fit[i]) * code[0] * scale[0]
    moved = vector + mean * np.float32(PULL / max(float(np.linalg.norm(mean)), 1e-9))
    moved = moved / np.linalg.norm(moved)
    return [
        None if cosine is None else float(row.vectors[question.model][part] @ moved)
        for (row, part), cosine in zip(passages, cosines, strict=True)
    ]


def signals_of(
    best: dict[int, list[int]],
    passages: list[tuple[Row, int]],
    words: list[float],
    cosines: list[float | None],
    refined: list[float | None],
    beside: dict[int, tuple[int, int]],
    question: Question,
    total: int,
    most: float,
) -> Signals:
    """The signals of memories, each from the best of its passages."""
    top = max((words[i] for group in best.values() for i in group), default=0.0)
    numbers = sorted(number for number, group in best.items() if group)  # a statement has no passages
    places = {number: place for place, number in enumerate(numbers)}
    spans, memories = [], []
    for number in numbers:
        group = best[number]
        i = max(group, key=lambda i: (words[i] / max(top, 1e-9) + max(cosines[i] or 0.0, 0.0), -i))
        row, part = passages[i]
        spans.append(row.spans[part])
        memories.append(row.memory)

    def highest(values: list[float | None]) -> Any:
        return np.array(
            [max(-1.0 if (v := values[i]) is None else v for i in best[n]) for n in numbers], np.float32
        )

    return Signals(
        number=np.array(numbers, np.int64),
        words=np.array([max(words[i] for i in best[n]) for n in numbers], np.float32),
        cosine=highest(cosines),
        refined=highest(refined),
        passage=np.array(spans, np.int64).reshape(-1, 2),
        kind=np.array([KIND_NUMBERS[m.kind] for m in memories], np.int16),
        at=np.array([m.at for m in memories], np.int64),
        last_used=np.array([m.last_used_at or 0 for m in memories], np.int64),
        uses=np.array([m.use_count for m in memories], np.int64),
        pinned=np.array([m.pinned for m in memories], np.bool_),
        session=np.array([m.place.session or 0 for m in memories], np.int64),
        previous=np.array([places.get(beside.get(n, (0, 0))[0], -1) for n in numbers], np.int64),
        following=np.array([places.get(beside.get(n, (0, 0))[1], -1) for n in numbers], np.int64),
        opening=np.array([beside.get(n, (1, 0))[0] == 0 for n in numbers], np.bool_),
        assistant=np.array([m.role == "assistant" for m in memories], np.bool_),
        manner=np.array([traits_of(m) for m in memories], np.uint16),
        named=np.array(
            [bool(set((m.name or "").casefold().split()) & question.names) for m in memories], np.bool_
        ),
        user_wide=np.array([m.place.pool(m.kind).reach is Reach.EVERYWHERE for m in memories], np.bool_),
        boost=np.array([question.boosts.get(m.scope.type, 1.0) for m in memories], np.float32),
        total=total,
        most=most,
    )
