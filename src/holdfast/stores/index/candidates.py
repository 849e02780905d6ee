"""Candidates: the best rows of some segments by words and by vectors, gathered into signals by memory."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from holdfast.language.spelling import WORDS_MAX, near_terms
from holdfast.language.terms import K1, idf, saturated
from holdfast.stores.base.signals import Signals
from holdfast.stores.index.feedback import BEST, is_of_use, moved
from holdfast.stores.index.postings import Matches, looked_up
from holdfast.stores.index.quantised import dots, quantise
from holdfast.stores.index.row_filter import among
from holdfast.stores.index.segment_group import SegmentGroup, together

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from holdfast.stores.base.ports import Question
    from holdfast.stores.index.row_filter import RowFilter
    from holdfast.stores.index.segment import Segment

    Ints = NDArray[np.int64]
    Floats = NDArray[np.float32]
    Filtered = tuple[Segment, RowFilter]
    RemoteAnn = Callable[[Segment, NDArray[np.bool_], Floats, int], Floats]
    """Of a segment without codes: the cosines of at least so many allowed rows nearest to a vector, -2 for
    the others."""


BLOCK = 16
"""Rows of which only the best is looked at first where there are many."""
HOPS = 16
"""Memories beside each other that are passed over one by one."""
CODE_ERROR = 0.05
"""By how much the cosine of two codes may be off: half a step for each of up to a thousand dimensions."""


class Candidates(NamedTuple):
    """Candidates as passages: the signals by memory, and which passages they came from."""

    signals: Signals
    passages: Ints
    """Numbers of the passages."""
    groups: Ints
    """For each passage the index of its memory in `signals`."""
    places: list[tuple[Segment, Ints]]
    """Where the passages are, in their order."""
    vector: Floats | None
    """The question's vector, with its words weighed by the view."""
    refined: Floats | None
    """That vector after feedback, if there was any."""


def candidates(
    filtered: Sequence[Filtered],
    question: Question,
    speakers: Collection[int],
    boosts: Mapping[int, float],
    user_wide: Collection[int],
    remote_ann: RemoteAnn | None = None,
) -> Candidates:
    """Returns the memories with the best passages, and their neighbours in their sessions.

    All statistics come from the rows that pass the filters: no other row has any influence. `speakers` and
    the keys of `boosts` are interned names and scope types, `user_wide` the pools of knowledge of no project;
    `remote_ann` is called for segments without codes.
    """
    total = sum(row_filter.memories for _, row_filter in filtered)
    if not filtered:
        return _nothing(total)
    rows = SegmentGroup(filtered)
    scores = _scored(rows, question, remote_ann)
    chosen = _best_rows(rows, question, scores, boosts)
    if not len(chosen):
        return _nothing(total)
    heads, before, after = _with_neighbours(rows, chosen, context=question.context)
    passages, groups, first = _passages(rows, heads)
    best, by_words, by_vectors, by_refined = _best_passages(scores, passages, groups, first)
    records = rows.take("records", best)
    wide = [np.full(len(places), segment.pool in user_wide) for segment, places, _ in rows.split(best)]
    signals = Signals(
        number=rows.take("memory", heads),
        words=by_words,
        cosine=by_vectors,
        refined=by_refined,
        passage=np.stack([records["start"], records["end"]], axis=1),
        kind=records["kind"],
        at=records["at"],
        last_used=records["last_used"],
        uses=records["uses"],
        pinned=records["pinned"],
        session=records["session"],
        previous=_places(heads, before),
        following=_places(heads, after),
        opening=(before < 0) & (records["session"] > 0) & question.context,
        assistant=records["assistant"],
        manner=records["manner"],
        named=among(records["speaker"], speakers),
        user_wide=together(wide),
        boost=_boosted(records["scope_type"], boosts),
        total=total,
        most=scores.most_words,
    )
    places = [(segment, places) for segment, places, _ in rows.split(passages)]
    numbers = rows.take("passage", passages)
    return Candidates(signals, numbers, groups, places, scores.vector, scores.refined_vector)


class _Scores(NamedTuple):
    """Scores of all rows: how well each fits a question."""

    words: Floats
    cosine: Floats
    refined: Floats
    """Cosines to the vector after feedback; without feedback the same as `cosine`."""
    most_words: float
    """The most that `words` can be."""
    vector: Floats | None
    refined_vector: Floats | None


def _scored(rows: SegmentGroup, question: Question, remote_ann: RemoteAnn | None) -> _Scores:
    """Returns the scores of all rows."""
    words, weights, respelt = _words(rows, question.terms, question.spelled)
    vector = question.vector
    if question.emphasise is not None:
        vector = question.emphasise((weights / weights.max(initial=1e-9)).tolist(), respelt)
    cosine = _cosines(rows, vector, question.fetch, remote_ann)
    refined_vector = _refined(rows, words, weights, cosine, vector)
    refined = cosine if refined_vector is None else _cosines(rows, refined_vector, question.fetch, remote_ann)
    most_words = float(weights.sum(dtype=np.float64)) * (K1 + 1)
    return _Scores(words, cosine, refined, most_words, vector, refined_vector)


def _best_rows(rows: SegmentGroup, question: Question, scores: _Scores, boosts: Mapping[int, float]) -> Ints:
    """Returns the numbers of the best rows; what is boosted is chosen by what it will be worth."""
    refined, words = scores.refined, scores.words
    if boosts:
        factors = _boosted(rows.column("scope_type"), boosts)
        refined, words = np.where(refined > 0, refined * factors, refined), words * factors
        refined[factors == 0] = -2.0
    chosen = [_highest(rows, refined, question.fetch, question.least - CODE_ERROR)]
    if question.terms:
        chosen.append(_highest(rows, words, question.fetch, 0.0))
    for included in _preferred_rows(rows, question):
        fit = _fit(scores.words, scores.cosine) * (included & rows.allowed)
        fit = fit * factors if boosts else fit
        chosen.append(_highest(rows, fit, question.fetch // 2, 0.0))
    return np.concatenate(chosen)


def _best_passages(
    scores: _Scores, passages: Ints, groups: Ints, first: Ints
) -> tuple[Ints, Floats, Floats, Floats]:
    """Returns for each memory the passage that speaks for it, where words decide before vectors, and its
    best scores: by words, by cosines, and by cosines after feedback."""
    by_words = scores.words[passages]
    by_vectors, by_refined = (
        np.maximum(cosines[passages], np.float32(-1)) for cosines in (scores.cosine, scores.refined)
    )
    if len(passages) == len(first):
        return passages, by_words, by_vectors, by_refined
    fit = by_words / max(float(by_words.max()), 1e-9) + np.maximum(by_vectors, 0)
    best = passages[np.lexsort((-fit, groups))[first]]
    return (
        best,
        np.maximum.reduceat(by_words, first),
        np.maximum.reduceat(by_vectors, first),
        np.maximum.reduceat(by_refined, first),
    )


def _nothing(total: int) -> Candidates:
    none = np.zeros(0, np.int64)
    return Candidates(Signals.none(total), none, none, [], None, None)


def _refined(
    rows: SegmentGroup, words: Floats, weights: Floats, cosine: Floats, vector: Floats | None
) -> Floats | None:
    """Returns the question's vector after feedback by the best rows, None without any. Of segments without
    codes there are no vectors at hand, so there is none."""
    if vector is None or not len(weights) or any(segment.is_remote for segment in rows.segments):
        return None
    fit = _fit(words, cosine) * rows.allowed
    best = np.sort(_highest(rows, fit, BEST, 0.0))
    best = best[is_of_use(rows.take("manner", best), words[best], weights)]
    vectors = rows.take("codes", best) * rows.take("scale", best)[:, None]
    return moved(vector, fit[best], vectors)


def _words(
    rows: SegmentGroup, terms: Sequence[int], spelled_by: Callable[[], Mapping[int, str]]
) -> tuple[Floats, Floats, dict[str, str]]:
    """Returns the BM25 score of every row, 0 without a match or if filtered out; the weight of each term; and
    for each word that no row has the most frequent one an edit away, if there is one.
    """
    scores = np.zeros(rows.size, np.float32)
    if not terms:
        return scores, np.zeros(0, np.float32), {}
    matches = _matches(rows, terms)
    matching = np.bincount(matches.terms, minlength=len(terms)).tolist()
    respelt: dict[str, str] = {}
    spelled = {} if all(matching) else spelled_by()
    for place in [i for i, count in enumerate(matching) if not count and terms[i] in spelled][:WORDS_MAX]:
        word = spelled[terms[place]]
        similar, best = _fuzzy_matches(rows, word, place)
        if best is not None:
            respelt[word] = best
            matching[place] = len(similar.rows)
            matches = matches.joined(similar)
    weights = np.array([idf(count, rows.passages) for count in matching], np.float32)
    average = rows.words / rows.passages
    saturation = saturated(matches.counts.astype(np.float32), rows.column("length")[matches.rows], average)
    np.add.at(scores, matches.rows, weights[matches.terms] * saturation)
    return scores, weights, respelt


def _matches(rows: SegmentGroup, terms: Sequence[int]) -> Matches:
    """Returns the matches of terms in the rows that the filters leave over."""
    matches = looked_up([segment.postings for segment in rows.segments], rows.starts, terms)
    return matches.where(rows.allowed[matches.rows]) if rows.passages < rows.size else matches


def _fuzzy_matches(rows: SegmentGroup, word: str, place: int) -> tuple[Matches, str | None]:
    """Returns the matches of all words one edit away as those of one term, and the word that most rows have,
    None without matches."""
    spellings = near_terms(word)
    numbers = list(spellings)
    matches = _matches(rows, numbers)
    if not len(matches.rows):
        return matches, None
    counts = np.bincount(matches.terms, minlength=len(numbers)).tolist()
    _, best = min((-count, spellings[number]) for count, number in zip(counts, numbers, strict=True))
    unique, inverse = np.unique(matches.rows, return_inverse=True)
    together = np.bincount(inverse, weights=matches.counts).astype(np.uint64)
    return Matches(np.full(len(unique), place), unique, together), best


def _cosines(rows: SegmentGroup, vector: Floats | None, count: int, remote_ann: RemoteAnn | None) -> Floats:
    """Returns the cosine of every row by its code, -2 without a vector or if filtered out."""
    if vector is None:
        return np.full(rows.size, -2.0, np.float32)
    scale, code = quantise(vector[None, :])
    scales = rows.column("scale")
    allowed = rows.allowed & (scales > 0)
    far = [segment for segment in zip(rows.segments, rows.starts, strict=True) if segment[0].is_remote]
    # a scattered gather pays only when little is wanted
    if rows.passages * 4 < rows.size and not far:
        cosine = np.full(rows.size, -2.0, np.float32)
        indexes = np.flatnonzero(allowed)
        cosine[indexes] = dots(code[0], rows.take("codes", indexes)) * (scales[indexes] * scale[0])
        return cosine
    products = together(
        [
            np.zeros(segment.size) if segment.is_remote else dots(code[0], segment.codes)
            for segment in rows.segments
        ]
    )
    products *= scales * scale[0]
    cosine = products.astype(np.float32)
    cosine[~allowed] = -2.0
    for segment, start in far:
        assert remote_ann is not None
        here = slice(start, start + segment.size)
        cosine[here] = remote_ann(segment, allowed[here], vector, count)
    return cosine


def _highest(rows: SegmentGroup, scores: Floats, count: int, above: float) -> Ints:
    """Returns the rows with the `count` highest scores above a bound; of equal ones the newer memory comes
    first, so that the result does not depend on the order of rows.
    """
    width = len(scores) // BLOCK
    if width > 4 * count:
        # that many blocks, and so rows, reach the `count` highest of the blocks' best: most rows end here
        best = scores[: BLOCK * width].reshape(BLOCK, width).max(axis=0)
        above = max(above, float(np.nextafter(np.partition(best, -count)[-count], np.float32(-np.inf))))
    places = np.flatnonzero(scores > above)
    if len(places) <= count:
        return places
    values = scores[places]
    edge = np.partition(values, -count)[-count]
    sure, tied = places[values > edge], places[values == edge]
    if len(sure) + len(tied) > count:
        newest = np.argsort(-rows.take("memory", tied), kind="stable")
        tied = tied[newest[: count - len(sure)]]
    return np.concatenate([sure, tied])


def _with_neighbours(rows: SegmentGroup, selected: Ints, *, context: bool) -> tuple[Ints, Ints, Ints]:
    """Returns the memories of some rows and, with `context`, their neighbours in their sessions, as heads
    in row order; and the heads before and after each, -1 for none.
    """
    heads = _ascending(rows.links("head", selected))
    if not context:
        none = np.full(len(heads), -1)
        return heads, none, none
    neighbours = [_visible_targets("before", heads, rows), _visible_targets("after", heads, rows)]
    if max(int(targets.max()) for targets in neighbours) < 0:
        return heads, neighbours[0], neighbours[1]
    heads = _ascending(np.concatenate([heads, *neighbours]))
    heads = heads[heads.searchsorted(0) :]
    return heads, _visible_targets("before", heads, rows), _visible_targets("after", heads, rows)


def _preferred_rows(rows: SegmentGroup, question: Question) -> Iterator[NDArray[np.bool_]]:
    """Yields which rows are within the times that a question names, and which of a manner that it wants."""
    if question.times:
        at = rows.column("at")
        then = np.zeros(rows.size, np.bool_)
        for start, end in question.times:
            then |= (at >= start) & (at < end)
        yield then
    if question.manners:
        yield rows.column("manner") & question.manners > 0


def _fit(words: Floats, cosine: Floats) -> Floats:
    """Returns how well each row fits by words and vector, above 0."""
    fit: Floats = words / max(float(words.max(initial=0.0)), 1e-9) + np.maximum(cosine, 0) + np.float32(1e-6)
    return fit


def _ascending(rows: Ints) -> Ints:
    """Returns sorted rows without duplicates. (NumPy's `unique` is slower for such sizes.)"""
    rows = np.sort(rows)
    fresh = np.ones(len(rows), np.bool_)
    np.not_equal(rows[1:], rows[:-1], out=fresh[1:])
    return rows[fresh]


def _visible_targets(link: str, heads: Ints, rows: SegmentGroup) -> Ints:
    """Returns the targets of a link, skipping rows that are filtered out."""
    targets = rows.links(link, heads)
    for _ in range(HOPS):
        shut = np.flatnonzero((targets >= 0) & ~rows.allowed[targets])
        if not len(shut):
            return targets
        targets[shut] = rows.links(link, targets[shut])
    # a long stretch is shut out: each round passes over twice as much of it as the one before
    hop = rows.links(link, np.arange(rows.size))
    while len(shut := np.flatnonzero((targets >= 0) & ~rows.allowed[targets])):
        targets[shut] = hop[targets[shut]]
        hop = np.where((hop >= 0) & ~rows.allowed[hop], hop[hop], hop)
    return targets


def _passages(rows: SegmentGroup, heads: Ints) -> tuple[Ints, Ints, Ints]:
    """Returns all passages of some memories, the index of the memory of each, and the first passage of each
    memory.
    """
    counts = rows.links("end", heads) - heads
    groups = np.arange(len(heads))
    if int(counts.max()) == 1:
        return heads, groups, groups
    groups = np.repeat(groups, counts)
    first = np.cumsum(counts) - counts
    return np.arange(len(groups)) + (heads - first)[groups], groups, first


def _places(heads: Ints, links: Ints) -> Ints:
    """Returns the indices of some heads among others, -1 for those that are missing."""
    indexes = np.minimum(heads.searchsorted(links), len(heads) - 1)
    return np.where(heads[indexes] == links, indexes, -1)


def _boosted(scopes: NDArray[Any], boosts: Mapping[int, float]) -> Floats:
    factors = np.ones(len(scopes), np.float32)
    for scope, factor in boosts.items():
        factors[scopes == scope] = factor
    return factors
