"""Recall: finds, ranks and cites the memories that answer a query. The one read path by meaning and words."""

from __future__ import annotations

import logging
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from holdfast.core.arguments import (
    checked_count,
    checked_flag,
    checked_limit,
    checked_names,
    safe_repr,
)
from holdfast.core.errors import InvalidInput
from holdfast.core.hits import Hit, Hits
from holdfast.core.places import scope_list, scope_named
from holdfast.core.spans import Value, spanned
from holdfast.core.text import count_tokens, normalise
from holdfast.core.usage import Tally
from holdfast.features.access.places import NOWHERE, Selection
from holdfast.features.recall import delivery_log, uses
from holdfast.features.recall.neighbours import neighbours
from holdfast.features.recall.query_vector import Mode
from holdfast.features.recall.results import hits_of, near_misses_of
from holdfast.features.recall.search import names_of, search, selected
from holdfast.features.service import Service

QUERY_MAX = 20_000
"""Maximum number of characters of a query."""
EXCLUDE_MAX = 1_000
"""Maximum number of ids that a recall may exclude."""
SCORE_MAX = 1e9
"""Bound of `threshold`, far above any score."""
BOOST_MAX = 100.0
NEAR_MAX, AROUND_MAX = 50, 10
"""Maximum number of near misses of an answer, and of messages on each side of a hit."""

log = logging.getLogger("holdfast")


def _span_attributes(hits: Hits) -> Mapping[str, Value]:
    """Returns what the span of a recall tells: the numbers of hits and of memories searched, and whether the
    search was incomplete."""
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
    safe_repr = {memory.id for _, memory in best}
    asked_of = [pair for pair in result.ranked if not names_of(pair[1]) & {*exclude}]
    missed = [pair for pair in asked_of if pair[1].id not in safe_repr][:near]
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


def _check_options(
    threshold: object, exclude: object, boost: object, mmr: object, min_confidence: object
) -> None:
    """Raises InvalidInput for options that cannot be used."""
    number = isinstance(threshold, int | float) and not isinstance(threshold, bool)
    if not number or not -SCORE_MAX <= threshold <= SCORE_MAX:  # type: ignore[operator]  # NaN is in no range
        raise InvalidInput(f"threshold must be a number, not {safe_repr(threshold)}", code="argument_invalid")
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
        raise InvalidInput(f"mmr must be a number from 0 to 1, not {safe_repr(mmr)}", code="argument_invalid")


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
            f"min_confidence must be a number from 0 to 1, not {safe_repr(value)}", code="argument_invalid"
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
            f"there is no mode {safe_repr(value)}", code="mode_unknown", hint="hybrid, words or vectors"
        ) from None
