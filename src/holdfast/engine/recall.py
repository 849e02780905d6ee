"""Recall: from a question to ranked, explained, cited hits. The one read path by meaning and words."""

from __future__ import annotations

import logging
import math
from collections.abc import Collection
from enum import StrEnum
from typing import TYPE_CHECKING

from holdfast.domain.errors import InvalidInput
from holdfast.domain.hits import Hit, Hits
from holdfast.domain.memories import Memory
from holdfast.domain.ranking import Ranked, rank
from holdfast.domain.text import normalise
from holdfast.domain.words import query_terms
from holdfast.engine import uses
from holdfast.engine.locate import Where, view_of
from holdfast.engine.ports import Question
from holdfast.engine.service import Service

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

QUERY_MAX = 20_000
"""Characters of a question."""
TERMS_MAX = 256
"""Distinct words of a question that are looked up."""
LIMIT_MAX = 1_000

log = logging.getLogger("holdfast")


class Mode(StrEnum):
    """Which signals a recall uses."""

    HYBRID = "hybrid"
    WORDS = "words"
    VECTORS = "vectors"


def recall(
    service: Service,
    query: str,
    where: Where,
    *,
    limit: int = 10,
    mode: str = Mode.HYBRID,
    threshold: float = 0.0,
    exclude: Collection[str] = (),
) -> Hits:
    """The memories of one view that answer a question best, best first (S0.31).

    `threshold` drops weaker hits; `exclude` holds ids or external ids that must not come back, such as the
    message that asks (S1.45). When the embedder fails, words alone answer and `degraded` says so.
    """
    text, wanted = checked_query(query), mode_of(mode)
    checked_limit(limit)
    _check_options(threshold, exclude)
    now = service.clock()
    vector, degraded = _vector(service, text) if wanted is not Mode.WORDS else (None, None)
    terms = query_terms(text)[:TERMS_MAX] if wanted is not Mode.VECTORS or degraded else ()
    with service.store.read() as snap:
        view = view_of(snap, service.principal, where)
        fetch = min(max(4 * (limit + len(exclude)), 40), 4 * LIMIT_MAX)
        signals = snap.candidates(view, Question(terms, vector, service.embedder.model, fetch, now))
        ranked = rank(signals, now=now, limit=limit + len(exclude), threshold=threshold)
        by_number = {one.number: one for one in ranked}
        found = snap.numbered(view, list(by_number), now=now)
    best = [pair for pair in found if not {pair[1].id, pair[1].external_id} & set(exclude)][:limit]
    hits = tuple(_hit(i, by_number[number], memory) for i, (number, memory) in enumerate(best, 1))
    uses.note(service, [hit.memory.id for hit in hits], now)
    return Hits(hits, signals.total, degraded)


def _hit(place: int, ranked: Ranked, memory: Memory) -> Hit:
    start, end = ranked.passage
    return Hit(memory, ranked.score, f"[M{place}]", ranked.why, memory.text[start:end])


def _vector(service: Service, text: str) -> tuple[NDArray[np.float32] | None, str | None]:
    try:
        return service.embedder.embed([text], query=True)[0], None
    except Exception as error:
        log.warning("the embedder failed, recall uses words only: %s", type(error).__name__)
        return None, f"the embedder failed ({type(error).__name__}): searched by words only"


def checked_query(query: object) -> str:
    """A usable question. Raises InvalidInput `query_empty`, `text_too_long` or `text_not_string`."""
    if not isinstance(query, str):
        raise InvalidInput(f"a query is text, not {type(query).__name__}", code="text_not_string")
    if len(query) > QUERY_MAX:
        raise InvalidInput(
            f"the query has {len(query):,} characters; at most {QUERY_MAX:,} are taken", code="text_too_long"
        )
    text = normalise(query).text
    if not text:
        raise InvalidInput("there is nothing to look for", code="query_empty", hint="`list` shows everything")
    return text


def checked_limit(limit: object) -> None:
    """Raises InvalidInput `limit_invalid` unless 1..1000."""
    if isinstance(limit, bool) or not isinstance(limit, int) or not 1 <= limit <= LIMIT_MAX:
        raise InvalidInput(f"limit {limit!r:.20} is not from 1 to {LIMIT_MAX}", code="limit_invalid")


def _check_options(threshold: object, exclude: object) -> None:
    number = isinstance(threshold, int | float) and not isinstance(threshold, bool)
    if not number or not math.isfinite(threshold):  # type: ignore[arg-type]
        raise InvalidInput(f"threshold {threshold!r:.20} is not a number", code="argument_invalid")
    if isinstance(exclude, str) or not isinstance(exclude, Collection):
        raise InvalidInput("exclude is a list of ids", code="argument_invalid")


def mode_of(value: object) -> Mode:
    """Reads a mode. Raises InvalidInput `mode_unknown`."""
    try:
        return Mode(value)  # type: ignore[arg-type]
    except ValueError:
        raise InvalidInput(
            f"there is no mode {value!r:.40}", code="mode_unknown", hint="hybrid, words or vectors"
        ) from None
