"""Recall: finds, ranks and cites the memories that answer a query. The one read path by meaning and words."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from functools import partial

from holdfast.core.arguments import (
    LIMIT_MAX,
    checked_count,
    checked_flag,
    checked_limit,
    checked_names,
    shown,
)
from holdfast.core.errors import InvalidInput
from holdfast.core.hits import Hit, Hits
from holdfast.core.ids import short_id
from holdfast.core.places import scope_list, scope_named
from holdfast.core.record import Memory
from holdfast.core.spans import Value, spanned
from holdfast.core.staleness import Staleness, remaining
from holdfast.core.text import count_tokens, count_words, normalise
from holdfast.core.usage import Tally
from holdfast.core.value_classes import value_class
from holdfast.core.views import View
from holdfast.features.access.places import NOWHERE, Selection, view_of
from holdfast.features.recall import delivery_log, uses
from holdfast.features.recall.confidence import NEURAL, STATIC, WORDS
from holdfast.features.recall.diversity import ALIKE_MAX, Candidate, diversify
from holdfast.features.recall.file_passages import Sought, is_data, of_checkouts, spread, weighed
from holdfast.features.recall.neighbours import neighbours
from holdfast.features.recall.query_vector import Mode, QueryVector, unknown_words
from holdfast.features.recall.ranking import NAMED, WEIGHTS, Ranked, rank, scaled
from holdfast.features.recall.results import hits_of, near_misses_of, passage_of, titles_of
from holdfast.features.recall.updating import changed_first, newer_first
from holdfast.features.service import Service
from holdfast.features.staleness import staleness
from holdfast.language.dates.read import periods_in
from holdfast.language.framing import without_frame
from holdfast.language.manner import Manner, Wanted, wanted_by
from holdfast.language.terms import query_terms
from holdfast.stores.base.ports import Question, Reader, has_lexicon
from holdfast.stores.base.signals import Signals

QUERY_MAX = 20_000
"""Maximum number of characters of a query."""
TERMS_MAX = 256
"""Maximum number of distinct words of a query that are looked up."""
FETCH_MAX = 4 * LIMIT_MAX
"""Maximum number of candidates by words, and by vectors."""
EXCLUDE_MAX = 1_000
"""Maximum number of ids that a recall may exclude."""
SCORE_MAX = 1e9
"""Bound of `threshold`, far above any score."""
BOOST_MAX = 100.0
NEAR_MAX, AROUND_MAX = 50, 10
"""Maximum number of near misses of an answer, and of messages on each side of a hit."""
SPARE = 5
"""Minimum number of hits that are ranked beyond `limit`, to replace repetitions."""

_MARKS = str.maketrans(dict.fromkeys("?!.,;:()[]/\"“”'’—–…？！。，、；：（）「」", " "))

log = logging.getLogger("holdfast")


def _span_attributes(hits: Hits) -> Mapping[str, Value]:
    return {
        "holdfast.hits": len(hits),
        "holdfast.searched": hits.searched,
        "holdfast.degraded": hits.degraded is not None,
    }


@spanned("holdfast.recall", _span_attributes)
def recall(
    service: Service,
    query: str,
    selection: Selection,
    *,
    limit: int = 10,
    mode: str = Mode.HYBRID,
    threshold: float = 0.0,
    exclude: Collection[str] = (),
    boost: Mapping[str, float] | None = None,
    mmr: float = 1.0,
    repeat: bool = True,
    flagged: bool = True,
    min_confidence: float = 0.0,
    near: int = 0,
    around: int = 0,
    folder: str | None = None,
    record: bool = True,
) -> Hits:
    """Returns the memories of one view that answer a query best, best first (S0.31).

    `threshold` drops weaker hits; `exclude` holds ids or external ids that must not be returned, such as the
    message that contains the query (S1.45). `boost` multiplies the scores of a scope type (S3.31); `mmr`
    weighs relevance against novelty (S2.30). Without `repeat`, memories that the session was given before are
    left out, and the new ones are recorded (S4.37). Without `flagged`, texts that read like instructions to a
    model and that no person has confirmed are left out, as for a prompt (S2.40). `min_confidence` leaves out
    hits that are less likely to answer, and so everything if nothing in the view does (S2.32). `near` adds
    that many near misses with the reason of each, `around` so many messages on both sides of each hit. The
    passages of `folder`, an id, precede those of other folders at the same path. Without `record` nothing
    counts as used or delivered, as when a person looks. If the embedder fails, only words are searched and
    `degraded` says so.
    """
    text, checked_mode = checked_query(query), mode_of(mode)
    checked_limit(limit)
    _check_options(threshold, exclude, boost, mmr, min_confidence)
    checked_count(near, "near", NEAR_MAX)
    checked_count(around, "around", AROUND_MAX)
    recipient, before = (
        delivery_log.NO_RECIPIENT
        if checked_flag(repeat, "repeat")
        else delivery_log.delivered_before(service, selection)
    )
    now = service.clock()
    left_out = {*exclude, *before}
    result = search(
        service,
        text,
        selection,
        limit=limit,
        spare=len(left_out) + near,
        mode=checked_mode,
        threshold=threshold,
        boost=boost,
        flagged=checked_flag(flagged, "flagged"),
        folder=folder,
    )
    best = selected(result, limit=limit, exclude=left_out, mmr=mmr, min_confidence=min_confidence)
    sides = neighbours(service, [memory for _, memory in best], around) if around else {}
    hits = hits_of(best, result.titles, sides)
    shown = {memory.id for _, memory in best}
    asked_of = [pair for pair in result.ranked if not _names(pair[1]) & {*exclude}]
    missed = [pair for pair in asked_of if pair[1].id not in shown][:near]
    near_misses = near_misses_of(missed, best, result.titles, before, min_confidence)
    if checked_flag(record, "record"):
        _record(service, hits, recipient, result.project, now)
    withheld = tuple(memory.id for _, memory in result.ranked[:limit] if memory.id in before)
    confidence = max((ranked.confidence for ranked, _ in asked_of[:limit]), default=0.0)
    return Hits(hits, result.signals.total, result.degraded, withheld, confidence, near_misses)


def _record(
    service: Service, hits: Sequence[Hit], recipient: delivery_log.Recipient | None, project: int, now: int
) -> None:
    """Counts hits as used, and notes those that a session was given for the first time."""
    ids = [hit.memory.id for hit in hits]
    size = sum(count_tokens(hit.passage) for hit in hits)
    tally = Tally(search_memory_calls=1, memory_hits=len(hits), tokens_with=size)
    uses.note(service, ids, now, (project, tally) if recipient is None and project != NOWHERE else None)
    if recipient is not None:
        delivery_log.record(service, recipient, ids, tally, now)


def recall_scopes(
    service: Service, query: str, selection: Selection, scopes: Collection[str], *, limit: int,
    min_confidence: float,
) -> dict[str, Hits]:  # fmt: skip
    """Returns the hits in each of several scopes, as if it was searched alone (S2.31). Raises
    InvalidInput."""
    names = list(dict.fromkeys(checked_names(scopes, "scopes")))
    if not names:
        raise InvalidInput("no scope is named", code="argument_invalid", hint='such as ["paper:2301.1"]')
    scope_list(map(scope_named, names))
    return {
        name: recall(
            service, query, replace(selection, scopes=(name,)), limit=limit, min_confidence=min_confidence
        )
        for name in names
    }


@value_class
class SearchResult:
    """The result of a search, best first, before hits are selected, and the signals behind it."""

    ranked: list[tuple[Ranked, Memory]]
    signals: Signals
    degraded: str | None
    stale: Mapping[str, Staleness]
    """The changes of the files that some of these are about, by the id of the memory."""
    project: int
    """The number of the project it was made in, 0 for none."""
    titles: Mapping[int, str]
    """The titles of the conversations that these are from, by the number of the session."""


def search(
    service: Service,
    text: str,
    selection: Selection,
    *,
    limit: int,
    spare: int = 0,
    mode: Mode = Mode.HYBRID,
    threshold: float = 0.0,
    boost: Mapping[str, float] | None = None,
    flagged: bool = True,
    folder: str | None = None,
) -> SearchResult:
    """Returns the ranked memories of one view for a checked query, somewhat more than `limit` and `spare`; no
    use is counted."""
    now = service.clock()
    matter = without_frame(text)
    terms = query_terms(matter)[:TERMS_MAX]
    periods, length, wanted = periods_in(text, now), count_words(matter), wanted_by(text)
    sought = Sought.read(text, in_files=selection.path is not None)
    embedder = service.embedder
    represented = embedder.represented(matter) if has_lexicon(embedder) else 1.0
    floor = getattr(embedder, "cosine_floor", WEIGHTS.cosine_floor)
    curve = STATIC if embedder.local else NEURAL if hasattr(embedder, "cosine_floor") else WORDS
    vector_of_query = QueryVector(service, matter, terms, mode)
    wide = limit + spare + max(limit // 2, SPARE)
    question = Question(
        terms if mode is not Mode.VECTORS or vector_of_query.degraded else (),
        vector_of_query.vector,
        service.embedder.model,
        dim=0 if mode is Mode.WORDS else service.embedder.dim,
        fetch=min(max(4 * (limit + spare), 40), FETCH_MAX),
        now=now,
        emphasise=vector_of_query.embed_weighted if vector_of_query.is_weighted else None,
        spelled=partial(unknown_words, service.embedder, matter),
        names=frozenset(text.casefold().translate(_MARKS).split()),
        boosts=boost or {},
        times=[(period.start, period.end) for period in periods],
        manners=Manner.PREFERS if Wanted.SUGGESTION in wanted else 0,
        context=True,
    )
    with service.store.read() as snap:
        view = view_of(snap, service.principal, selection)
        signals = snap.candidates(view, question)
        while True:
            ranked = rank(
                signals, now=now, limit=wide, threshold=threshold, periods=periods, length=length,
                wanted=wanted, curve=curve, represented=represented,
                weights=replace(WEIGHTS, cosine_floor=floor),
            )  # fmt: skip
            read, stale = _read_ranked(snap, view, ranked, now, sought, flagged=flagged)
            pairs = of_checkouts(read, folder, _projects_of(snap, view, read))
            # a stale memory loses rank, perhaps below one that was not read or is no candidate yet; so does
            # what another checkout has
            moved = bool(stale) or any(
                is_data(memory, sought) or "elsewhere" in one.why for one, memory in pairs
            )
            enough = _has_enough(pairs, limit + spare) and (
                len(pairs) == len(read) or len(pairs) >= limit + spare
            )
            if len(ranked) == wide and not (enough and _is_settled(pairs, limit + spare, ranked[-1].score)):
                wide *= 2
            elif _may_have_more(signals, question) and (
                not enough
                or (
                    moved
                    and len(pairs) >= limit + spare
                    and not _is_settled(
                        pairs, limit + spare, ranked[min(len(ranked), question.fetch) - 1].score
                    )
                )
            ):
                question = replace(question, fetch=min(4 * question.fetch, FETCH_MAX))
                signals = snap.candidates(view, question)
            else:
                break
        titles = titles_of(snap, service.principal, [memory for _, memory in pairs])
    degraded = vector_of_query.degraded
    if degraded is None and mode is not Mode.WORDS and signals.total and not (signals.cosine > -1).any():
        degraded = f"no memory here has a vector of {service.embedder.model} yet: `maintain` computes them"
    found = [pair for pair in pairs if pair[0].score >= threshold]
    if not periods:
        found = changed_first(newer_first(found, text, wanted), text)
    found = spread(found, sought)
    return SearchResult(found, signals, degraded, stale, view.context.project or 0, titles)


def _read_ranked(
    snap: Reader, view: View, ranked: Sequence[Ranked], now: int, sought: Sought, *, flagged: bool
) -> tuple[list[tuple[Ranked, Memory]], dict[str, Staleness]]:
    """Returns the ranked memories, with lower scores if their file has changed and others for what the
    question seeks in files, and the changes of these files."""
    by_number = {entry.number: entry for entry in ranked}
    numbered = snap.numbered(view, list(by_number), now=now)
    if not flagged:
        numbered = [pair for pair in numbered if not pair[1].is_kept_from_prompts]
    compared = staleness.compared(snap, view, [memory for _, memory in numbered])
    pairs = [
        (scaled(by_number[n], share) if (share := remaining(change)) < 1 else by_number[n], memory)
        for (n, _), (memory, change) in zip(numbered, compared, strict=True)
    ]
    if any(memory.kind == "entity" for _, memory in pairs):
        from holdfast.core.graph import is_only_named

        pairs = [
            (scaled(one, NAMED, "only_named") if is_only_named(memory) else one, memory)
            for one, memory in pairs
        ]
    pairs = weighed(pairs, sought)
    pairs.sort(key=lambda pair: -pair[0].score)
    return pairs, {memory.id: change for memory, change in compared if change is not None}


def _projects_of(
    snap: Reader, view: View, pairs: Sequence[tuple[Ranked, Memory]]
) -> Mapping[str, Collection[int]] | None:
    """Returns the numbers of the projects of the folders that results come from, by id; None if all are in
    one."""
    sources = {memory.source for _, memory in pairs if memory.kind == "passage"}
    if len(sources) < 2 or view.context.project:
        return None
    return {folder.id: folder.numbers for folder in snap.folders(view) if folder.id in sources}


def _may_have_more(signals: Signals, question: Question) -> bool:
    """Returns whether the store may have more candidates than these."""
    return question.fetch <= len(signals.number) and question.fetch < FETCH_MAX


def _is_settled(pairs: Sequence[tuple[Ranked, Memory]], count: int, least_score: float) -> bool:
    """Returns whether candidates with at most `least_score` cannot be among the first `count`."""
    return len(pairs) >= count and pairs[count - 1][0].score >= least_score


def _has_enough(pairs: Sequence[tuple[Ranked, Memory]], count: int) -> bool:
    """Returns whether so many results, or all, are left without those that say the same as several others."""
    alike = Counter(memory.text for _, memory in pairs)
    return sum(min(number, ALIKE_MAX) for number in alike.values()) >= min(count, len(pairs))


def selected(
    result: SearchResult, *, limit: int, exclude: Collection[str] = (), mmr: float = 1.0,
    min_confidence: float = 0.0,
) -> list[tuple[Ranked, Memory]]:  # fmt: skip
    """Returns the best of a search result without repetitions, best first; those with an id or external id in
    `exclude`, and those below a confidence, are left out."""
    left_out = {*exclude}
    pairs = [
        (ranked, memory)
        for ranked, memory in result.ranked
        if ranked.confidence >= min_confidence and not _names(memory) & left_out
    ]
    candidates = [
        Candidate(memory.text, passage_of(ranked, memory), memory.name or memory.role)
        for ranked, memory in pairs
    ]
    scores = [ranked.score for ranked, _ in pairs]
    return [pairs[i] for i in diversify(scores, candidates, mmr=mmr, limit=limit)]


def beside(
    reader: Reader, view: View, result: SearchResult, now: int
) -> dict[str, tuple[Memory | None, Memory | None]]:
    """Returns what was said directly before and after each result in its conversation, by its id, as far as
    the view of the search shows it."""
    signals = result.signals
    places = {number: place for place, number in enumerate(signals.number.tolist())}
    around: dict[str, tuple[int, int]] = {}
    for ranked, memory in result.ranked:
        place = places[ranked.number]
        turns = (int(signals.previous[place]), int(signals.following[place]))
        before, after = (int(signals.number[turn]) if turn >= 0 else -1 for turn in turns)
        around[memory.id] = before, after
    wanted = {number for turns in around.values() for number in turns if number >= 0}
    known = dict(reader.numbered(view, sorted(wanted), now=now))
    return {id: (known.get(before), known.get(after)) for id, (before, after) in around.items()}


def checked_query(query: object) -> str:
    """Returns the normalised query. Raises InvalidInput `query_empty`, `text_too_long` or
    `text_not_string`."""
    if not isinstance(query, str):
        raise InvalidInput(f"a query must be text, not {type(query).__name__}", code="text_not_string")
    if len(query) > QUERY_MAX:
        raise InvalidInput(
            f"the query has {len(query):,} characters; at most {QUERY_MAX:,} are allowed",
            code="text_too_long",
        )
    text = normalise(query).text
    if not text:
        raise InvalidInput("the query is empty", code="query_empty", hint="`list` shows everything")
    return text


def _names(memory: Memory) -> set[str | None]:
    """Returns the names by which a memory may be excluded."""
    return {memory.id, short_id(memory.id), memory.external_id}


def _check_options(
    threshold: object, exclude: object, boost: object, mmr: object, min_confidence: object
) -> None:
    number = isinstance(threshold, int | float) and not isinstance(threshold, bool)
    if not number or not -SCORE_MAX <= threshold <= SCORE_MAX:  # type: ignore[operator]  # NaN is in no range
        raise InvalidInput(f"threshold must be a number, not {shown(threshold)}", code="argument_invalid")
    if isinstance(exclude, str):
        raise InvalidInput("exclude must be a list of ids", code="argument_invalid")
    if len(checked_names(exclude, "exclude")) > EXCLUDE_MAX:
        raise InvalidInput(
            f"at most {EXCLUDE_MAX:,} ids can be excluded",
            code="limit_invalid",
            hint="`repeat=False` leaves out memories the session was given before",
        )
    checked_boost(boost)
    checked_confidence(min_confidence)
    if not _is_in_range(mmr, 1.0):
        raise InvalidInput(f"mmr must be a number from 0 to 1, not {shown(mmr)}", code="argument_invalid")


def checked_boost(boost: object) -> None:
    """Raises InvalidInput for what is not a factor for each type of scope; None is no factor."""
    if boost is not None and not (
        isinstance(boost, Mapping)
        and all(isinstance(k, str) and _is_in_range(v, BOOST_MAX) for k, v in boost.items())
    ):
        raise InvalidInput(
            f"boost must map scope types to factors from 0 to {BOOST_MAX:.0f}",
            code="argument_invalid",
            hint='{"file": 1.5}',
        )


def checked_confidence(value: object) -> float:
    """Returns a confidence from 0 to 1 unchanged. Raises InvalidInput `argument_invalid`."""
    if not _is_in_range(value, 1.0):
        raise InvalidInput(
            f"min_confidence must be a number from 0 to 1, not {shown(value)}", code="argument_invalid"
        )
    return float(value)  # type: ignore[arg-type]


def _is_in_range(value: object, most: float) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= most


def mode_of(value: object) -> Mode:
    """Returns the mode of this name. Raises InvalidInput `mode_unknown`."""
    try:
        return Mode(value)  # type: ignore[arg-type]
    except ValueError:
        raise InvalidInput(
            f"there is no mode {shown(value)}", code="mode_unknown", hint="hybrid, words or vectors"
        ) from None
