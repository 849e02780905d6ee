"""Search: the ranked memories of a view for a query, before hits are selected of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from functools import partial

from holdfast.core.arguments import LIMIT_MAX
from holdfast.core.ids import short_id
from holdfast.core.record import Memory
from holdfast.core.staleness import Staleness, remaining
from holdfast.core.text import count_words
from holdfast.core.value_classes import value_class
from holdfast.core.views import View
from holdfast.features.access.places import Selection, view_of
from holdfast.features.recall.confidence import NEURAL, STATIC, WORDS
from holdfast.features.recall.diversity import ALIKE_MAX, Candidate, diversify
from holdfast.features.recall.file_passages import Sought, is_data, of_checkouts, spread, weighed
from holdfast.features.recall.query_vector import Mode, QueryVector, unknown_words
from holdfast.features.recall.ranking import NAMED, WEIGHTS, Ranked, rank, scaled
from holdfast.features.recall.results import passage_of, titles_of
from holdfast.features.recall.updating import changed_first, newer_first
from holdfast.features.service import Service
from holdfast.features.staleness import staleness
from holdfast.language.dates.read import periods_in
from holdfast.language.framing import without_frame
from holdfast.language.manner import Manner, QuestionAim, wanted_by
from holdfast.language.terms import query_terms
from holdfast.stores.base.ports import Question, Reader, has_lexicon
from holdfast.stores.base.signals import Signals

TERMS_MAX = 256
"""Maximum number of distinct words of a query that are looked up."""
FETCH_MAX = 4 * LIMIT_MAX
"""Maximum number of candidates by words, and by vectors."""
SPARE = 5
"""Minimum number of hits that are ranked beyond `limit`, to replace repetitions."""

_MARKS = str.maketrans(dict.fromkeys("?!.,;:()[]/\"“”'’—–…？！。，、；：（）「」", " "))


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


class _Query:
    """A checked query as it is searched and ranked: its words, its vector, and what it asks for."""

    def __init__(self, service: Service, text: str, mode: Mode, *, now: int, in_files: bool) -> None:
        self.text = text
        self.now = now
        self.matter = without_frame(text)
        self.terms = query_terms(self.matter)[:TERMS_MAX]
        self.periods = periods_in(text, now)
        self.intent = wanted_by(text)
        self.sought = Sought.read(text, in_files=in_files)
        self.mode = mode
        self.vector = QueryVector(service, self.matter, self.terms, mode)
        self._embedder = embedder = service.embedder
        has_floor = hasattr(embedder, "cosine_floor")
        floor = getattr(embedder, "cosine_floor", WEIGHTS.cosine_floor)
        self._weights = replace(WEIGHTS, cosine_floor=floor)
        self._curve = STATIC if embedder.local else NEURAL if has_floor else WORDS
        self._represented = embedder.represented(self.matter) if has_lexicon(embedder) else 1.0
        self._length = count_words(self.matter)

    def question(self, fetch: int, boosts: Mapping[str, float]) -> Question:
        """Returns what the store is asked for: at most `fetch` candidates by words, and by the vector."""
        vector = self.vector
        return Question(
            self.terms if self.mode is not Mode.VECTORS or vector.degraded else (),
            vector.vector,
            self._embedder.model,
            dim=0 if self.mode is Mode.WORDS else self._embedder.dim,
            fetch=fetch,
            now=self.now,
            emphasise=vector.embed_weighted if vector.is_weighted else None,
            spelled=partial(unknown_words, self._embedder, self.matter),
            names=frozenset(self.text.casefold().translate(_MARKS).split()),
            boosts=boosts,
            times=[(period.start, period.end) for period in self.periods],
            manners=Manner.PREFERS if QuestionAim.SUGGESTION in self.intent else 0,
            context=True,
        )

    def rank(self, signals: Signals, *, limit: int, threshold: float) -> list[Ranked]:
        """Returns the best candidates, best first."""
        return rank(
            signals, now=self.now, limit=limit, threshold=threshold, periods=self.periods,
            length=self._length, intent=self.intent, curve=self._curve, represented=self._represented,
            weights=self._weights,
        )  # fmt: skip

    def why_degraded(self, signals: Signals) -> str | None:
        """Returns why less than the full search was possible, or None."""
        if self.vector.degraded is not None:
            return self.vector.degraded
        if self.mode is Mode.WORDS or not signals.total or (signals.cosine > -1).any():
            return None
        return f"no memory here has a vector of {self._embedder.model} yet: `maintain` computes them"


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
    query = _Query(service, text, mode, now=service.clock(), in_files=selection.path is not None)
    count = limit + spare
    wide = count + max(limit // 2, SPARE)
    question = query.question(min(max(4 * count, 40), FETCH_MAX), boost or {})
    with service.store.read() as snap:
        view = view_of(snap, service.principal, selection)
        signals = snap.candidates(view, question)
        while True:
            ranked = query.rank(signals, limit=wide, threshold=threshold)
            read, stale = _read_ranked(snap, view, ranked, query.now, query.sought, flagged=flagged)
            pairs = of_checkouts(read, folder, _projects_of(snap, view, read))
            enough = _has_enough(pairs, count) and (len(pairs) == len(read) or len(pairs) >= count)
            if len(ranked) == wide and not (enough and _is_settled(pairs, count, ranked[-1].score)):
                wide *= 2
            elif _may_have_more(signals, question) and not (
                enough and _has_every_candidate(pairs, count, ranked[: question.fetch], query.sought, stale)
            ):
                question = replace(question, fetch=min(4 * question.fetch, FETCH_MAX))
                signals = snap.candidates(view, question)
            else:
                break
        titles = titles_of(snap, service.principal, [memory for _, memory in pairs])
    results = [pair for pair in pairs if pair[0].score >= threshold]
    if not query.periods:
        results = changed_first(newer_first(results, text, query.intent), text)
    results = spread(results, query.sought)
    project = view.context.project or 0
    return SearchResult(results, signals, query.why_degraded(signals), stale, project, titles)


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
            (scaled(hit, NAMED, "only_named") if is_only_named(memory) else hit, memory)
            for hit, memory in pairs
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


def _has_every_candidate(
    pairs: Sequence[tuple[Ranked, Memory]], count: int, ranked: Sequence[Ranked], sought: Sought,
    stale: Mapping[str, Staleness],
) -> bool:  # fmt: skip
    """Returns whether no memory that is not yet a candidate can be among the first `count`.

    What is stale, data or of another checkout loses rank after it was ranked, perhaps to one of these.
    """
    lost_rank = bool(stale) or any(
        is_data(memory, sought) or "elsewhere" in entry.why for entry, memory in pairs
    )
    return not lost_rank or len(pairs) < count or _is_settled(pairs, count, ranked[-1].score)


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
        if ranked.confidence >= min_confidence and not names_of(memory) & left_out
    ]
    candidates = [
        Candidate(memory.text, passage_of(ranked, memory), memory.name or memory.role)
        for ranked, memory in pairs
    ]
    scores = [ranked.score for ranked, _ in pairs]
    return [pairs[i] for i in diversify(scores, candidates, mmr=mmr, limit=limit)]


def turns_around(
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
    numbers = {number for turns in around.values() for number in turns if number >= 0}
    memories = dict(reader.numbered(view, sorted(numbers), now=now))
    return {id: (memories.get(before), memories.get(after)) for id, (before, after) in around.items()}


def names_of(memory: Memory) -> set[str | None]:
    """Returns the names by which a memory may be excluded."""
    return {memory.id, short_id(memory.id), memory.external_id}
