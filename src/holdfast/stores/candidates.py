"""Candidates: the best rows of some segments by words and by vectors, gathered into signals by memory."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from holdfast.domain.ranking import Signals
from holdfast.domain.words import idf, saturated
from holdfast.stores.masks import among
from holdfast.stores.quantised import dots, quantise

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from holdfast.engine.ports import Question
    from holdfast.stores.masks import Mask
    from holdfast.stores.segments import Segment

    Ints = NDArray[np.int64]
    Floats = NDArray[np.float32]
    Masked = tuple[Segment, Mask]


class Found(NamedTuple):
    """Candidates as passages: the signals by memory, and which passages they came from."""

    signals: Signals
    passages: Ints
    """Numbers of the passages."""
    groups: Ints
    """For each passage the index of its memory in `signals`."""
    vector: Floats | None
    """The question's vector, with its words weighed by the view."""


class _Part(NamedTuple):
    """What was found in one segment."""

    segment: Segment
    rows: Ints
    """Every passage of the memories that were found."""
    words: Floats
    cosine: Floats
    links: Ints
    """Numbers of those memories and of what is before and after each, 0 for nothing; shape (3, memories)."""


def candidates(
    masked: Sequence[Masked], question: Question, speakers: Collection[int], boosts: Mapping[int, float]
) -> Found:
    """The memories with the best passages, and what stands beside them in their sessions.

    All statistics come from the rows that the masks leave over: nothing outside them has any influence.
    `speakers` and the keys of `boosts` are interned names and types of scope.
    """
    total = sum(mask.memories for _, mask in masked)
    if not masked:
        return _nothing(total)
    words, weights = _words(masked, question.terms)
    vector = question.vector
    if question.emphasise is not None:
        vector = question.emphasise((weights / weights.max(initial=1e-9)).tolist())
    cosine = [_cosines(segment, mask, vector) for segment, mask in masked]
    segments = [segment for segment, _ in masked]
    chosen = _best(segments, cosine, question.fetch, -1.5)
    if question.terms:
        by_words = _best(segments, words, question.fetch, 0.0)
        chosen = [_either(*places) for places in zip(by_words, chosen, strict=True)]
    parts = [
        _part(segment, mask, rows, by_words_, by_vector, question.context)
        for (segment, mask), rows, by_words_, by_vector in zip(masked, chosen, words, cosine, strict=True)
        if len(rows)
    ]
    if not parts:
        return _nothing(total)
    signals, passages, groups = _gathered(parts, speakers, boosts, total)
    return Found(signals, passages, groups, vector)


def _nothing(total: int) -> Found:
    none = np.zeros(0, np.int64)
    return Found(Signals.none(total), none, none, None)


def _words(masked: Sequence[Masked], terms: Sequence[int]) -> tuple[list[Floats], Floats]:
    """BM25 of every row of each segment, 0 where no term stands or the mask shuts it out; and the weight of
    each term."""
    scores = [np.zeros(segment.size, np.float32) for segment, _ in masked]
    if not terms:
        return scores, np.zeros(0, np.float32)
    total = sum(mask.passages for _, mask in masked)
    average = sum(mask.words for _, mask in masked) / total
    found = [segment.postings.of(terms) for segment, _ in masked]
    for i, (_, mask) in enumerate(masked):
        if not mask.is_full:
            found[i] = found[i].where(mask.rows[found[i].rows])
    matching = sum(np.bincount(matches.terms, minlength=len(terms)) for matches in found)
    weights = np.array([idf(count, total) for count in np.asarray(matching).tolist()], np.float32)
    for matches, (segment, _), score in zip(found, masked, scores, strict=True):
        shares = saturated(matches.counts.astype(np.float32), segment.length[matches.rows], average)
        np.add.at(score, matches.rows, weights[matches.terms] * shares)
    return scores, weights


def _cosines(segment: Segment, mask: Mask, vector: Floats | None) -> Floats:
    """Cosine of every row by its code, -2 where there is none or the mask shuts it out."""
    if vector is None:
        return np.full(segment.size, -2.0, np.float32)
    scale, code = quantise(vector[None, :])
    allowed = mask.rows & (segment.scale > 0)
    # a scattered gather pays only when little of the segment is wanted
    if mask.passages * 4 < segment.size:
        cosine = np.full(segment.size, -2.0, np.float32)
        wanted = np.flatnonzero(allowed)
        cosine[wanted] = dots(code[0], segment.codes[wanted]) * (segment.scale[wanted] * scale[0])
        return cosine
    products = dots(code[0], segment.codes)
    products *= segment.scale * scale[0]
    return np.where(allowed, products, -2.0).astype(np.float32)


def _best(segments: Sequence[Segment], scores: Sequence[Floats], count: int, above: float) -> list[Ints]:
    """For each segment the places of those scores that are among the `count` highest of all."""
    found = [
        _highest(score, segment.memory, count, above) for score, segment in zip(scores, segments, strict=True)
    ]
    if len(found) == 1:
        return found
    values = np.concatenate([score[places] for score, places in zip(scores, found, strict=True)])
    memory = np.concatenate([s.memory[places] for s, places in zip(segments, found, strict=True)])
    kept = np.sort(_highest(values, memory, count, above))
    bounds = np.cumsum([0, *map(len, found)])
    cuts = kept.searchsorted(bounds)
    return [
        places[kept[low:high] - first]
        for places, first, low, high in zip(found, bounds, cuts, cuts[1:], strict=False)
    ]


def _either(places: Ints, others: Ints) -> Ints:
    """Both in ascending order without repeats. (NumPy's `union1d` loads masked arrays: 20 ms at a start.)"""
    both = np.sort(np.concatenate([places, others]))
    return both[np.diff(both, prepend=-1) > 0]


def _highest(scores: Floats, memory: Ints, count: int, above: float) -> Ints:
    """Places of the `count` highest scores above a bound; ties go to the newer memory, so that the choice
    does not depend on where rows stand."""
    places = np.flatnonzero(scores > above)
    if len(places) <= count:
        return places
    values = scores[places]
    edge = np.partition(values, -count)[-count]
    sure, tied = places[values > edge], places[values == edge]
    if len(sure) + len(tied) > count:
        tied = tied[np.argsort(-memory[tied], kind="stable")][: count - len(sure)]
    return np.concatenate([sure, tied])


def _part(segment: Segment, mask: Mask, rows: Ints, words: Floats, cosine: Floats, context: bool) -> _Part:
    """The memories of some rows and, with `context`, what stands beside them."""
    talks = segment.conversations
    heads = talks.heads_of(rows)
    none = np.full(len(heads), -1, np.int64)
    before = after = none
    if context:
        around = np.concatenate([heads, talks.before(heads, mask), talks.after(heads, mask)])
        heads = np.unique(around[around >= 0])
        before, after = talks.before(heads, mask), talks.after(heads, mask)
    links = np.stack([segment.memory[places] * (places >= 0) for places in (heads, before, after)])
    return _Part(segment, segment.rows_of(np.sort(links[0])), words, cosine, links)


def _gathered(
    parts: Sequence[_Part], speakers: Collection[int], boosts: Mapping[int, float], total: int
) -> tuple[Signals, Ints, Ints]:
    """Signals by memory, each from its best passage, which words decide before vectors; with the numbers of
    all passages and each one's index into the signals."""

    def joined(arrays: Iterable[NDArray[Any]]) -> NDArray[Any]:
        taken = [array[part.rows] for array, part in zip(arrays, parts, strict=True)]
        return taken[0] if len(taken) == 1 else np.concatenate(taken)

    def column(name: str) -> NDArray[Any]:
        return joined(getattr(part.segment, name) for part in parts)

    words, cosine = joined(p.words for p in parts), np.maximum(joined(p.cosine for p in parts), -1)
    numbers, groups = np.unique(column("memory"), return_inverse=True)
    best_words = np.zeros(len(numbers), np.float32)
    best_cosine = np.full(len(numbers), -1.0, np.float32)
    np.maximum.at(best_words, groups, words)
    np.maximum.at(best_cosine, groups, cosine)
    fit = words / max(float(words.max(initial=0)), 1e-9) + np.maximum(cosine, 0)
    order = np.lexsort((-fit, groups))
    best = order[np.unique(groups[order], return_index=True)[1]]
    previous, following = _places(numbers, np.concatenate([part.links for part in parts], axis=1))
    signals = Signals(
        number=numbers,
        words=best_words,
        cosine=best_cosine,
        passage=np.stack([column("start")[best], column("end")[best]], axis=1),
        kind=column("kind")[best],
        at=column("at")[best],
        last_used=column("last_used")[best],
        uses=column("uses")[best],
        pinned=column("pinned")[best],
        session=column("session")[best],
        previous=previous,
        following=following,
        assistant=column("assistant")[best],
        asking=column("asking")[best],
        named=among(column("speaker")[best], speakers),
        boost=_boosted(column("scope_type")[best], boosts),
        total=total,
    )
    return signals, column("passage"), groups


def _places(numbers: Ints, links: Ints) -> tuple[Ints, Ints]:
    """Where the memories before and after each one stand in `numbers`, -1 for those that do not."""
    found = numbers.searchsorted(links)
    held = numbers[np.minimum(found, len(numbers) - 1)] == links
    previous, following = np.full(len(numbers), -1), np.full(len(numbers), -1)
    previous[found[0]] = np.where(held[1], found[1], -1)
    following[found[0]] = np.where(held[2], found[2], -1)
    return previous, following


def _boosted(scopes: NDArray[Any], boosts: Mapping[int, float]) -> Floats:
    factors = np.ones(len(scopes), np.float32)
    for scope, factor in boosts.items():
        factors[scopes == scope] = factor
    return factors
