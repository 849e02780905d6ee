"""Hits and near misses, as they are returned."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from holdfast.core.hits import Hit, Missed, NearMiss
from holdfast.core.places import Principal
from holdfast.core.record import Memory
from holdfast.core.views import personal_view
from holdfast.features.recall.neighbours import Side
from holdfast.features.recall.ranking import Ranked
from holdfast.stores.base.ports import Reader


def hits_of(
    best: Sequence[tuple[Ranked, Memory]],
    titles: Mapping[int, str],
    sides: Mapping[str, tuple[Side, Side]] | None = None,
) -> tuple[Hit, ...]:
    """Returns selected results as hits, each with a citation and the title of its conversation, which
    `titles` has by its number; with `sides` also with what was said around it."""
    return tuple(
        Hit(
            memory, ranked.score, f"[M{place}]", ranked.why, passage_of(ranked, memory),
            titles.get(memory.place.session or 0), ranked.confidence,
            None if ranked.cosine <= -1 else (ranked.cosine + 1) / 2, *(sides or {}).get(memory.id, ((), ())),
        )
        for place, (ranked, memory) in enumerate(best, 1)
    )  # fmt: skip


def near_misses_of(
    missed: Sequence[tuple[Ranked, Memory]], best: Sequence[tuple[Ranked, Memory]],
    titles: Mapping[int, str], delivered: Collection[str], min_confidence: float,
) -> tuple[NearMiss, ...]:  # fmt: skip
    """Returns results beside the selected ones, each with the reason why it is none of them."""
    last = best[-1][0].score if best else 0.0
    return tuple(
        NearMiss(
            memory, ranked.score, ranked.confidence,
            Missed.DELIVERED if memory.id in delivered
            else Missed.CONFIDENCE if ranked.confidence < min_confidence
            else Missed.REPEATED if ranked.score > last else Missed.RANK,
            ranked.why, passage_of(ranked, memory), titles.get(memory.place.session or 0),
        )
        for ranked, memory in missed
    )  # fmt: skip


def titles_of(snap: Reader, principal: Principal, memories: Sequence[Memory]) -> Mapping[int, str]:
    """Returns the titles of the conversations that memories are from, by the number of the session."""
    numbers = {memory.place.session for memory in memories if memory.place.session is not None}
    return snap.session_names(personal_view(principal), numbers) if numbers else {}


def passage_of(ranked: Ranked, memory: Memory) -> str:
    """Returns the part of a text that answers best."""
    start, end = ranked.passage
    return memory.text[start:end]
