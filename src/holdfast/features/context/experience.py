"""Decides whether what was learned in earlier sessions fits a task, in other words than its own."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import astuple, dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from holdfast.core.record import Memory
    from holdfast.core.views import View
    from holdfast.features.recall.recall import SearchResult
    from holdfast.stores.base.ports import Reader

LEARNED = "learned"
"""The tag of what was learned from the log of a session; its title says what was worked on."""
UNCOMPARED = 0.34
"""The average of `others`, for a task that no other module can be compared with."""
MODULE_MAX = 10.0
"""The score of a module that counts fully."""
BEHIND = 2.0
"""Log odds by which a lesson may be behind the best one."""
NOT_OF_A_FILE = frozenset({"error_retry", "command_found", "repeated_search"})
"""Rules whose lessons are needed before a file is opened: how to run something, where to look."""


@dataclass(frozen=True, slots=True)
class Signals:
    """The signals that say whether a lesson fits a task, or their weights: cosines of the task with the
    lesson, with what was worked on then, and with the nearest module that the lesson is not about; and how
    well the module of its file matches."""

    text: float
    worked_on: float
    others: float
    module: float


WEIGHTS, BIAS = Signals(11.9, 6.3, -9.9, 1.2), -1.3
"""Trained by `make eval EVAL=fit-lessons`: the log odds that a lesson fits."""
LEAST, LEAST_UNPLACED = 0.5, -1.25
"""Minimum log odds of a lesson that comes again when its file is opened, and of one that would not."""


@dataclass(frozen=True, slots=True)
class Places:
    """The modules of a map as a task sees them: the score of each file's module, and the files of each module
    with their cosine, the nearest module first."""

    scores: Mapping[str, float]
    cosines: Sequence[tuple[frozenset[str], float]]


def near_experience(
    snap: Reader,
    view: View,
    result: SearchResult,
    places: Places,
    similar: Callable[[Sequence[str]], Sequence[float]] | None,
    *,
    now: int,
) -> dict[str, tuple[Memory, float]]:
    """Returns what was learned that fits a task, by id, each with its probability.

    Recall leaves out a memory that shares no word with a question and little of its meaning. That is right
    for answers; but a lesson also says in its title what was worked on, which is compared with the task by
    itself (`similar` returns cosines of the task). A task that is nearer to another module than to the lesson
    is about that one.
    """
    odds = [(memory, log_odds(one)) for memory, one in signals_of(snap, view, result, places, similar, now)]
    best = max((score for _, score in odds), default=0.0)
    return {
        memory.id: (memory, 1 / (1 + math.exp(-score)))
        for memory, score in odds
        if score >= max(best - BEHIND, LEAST if is_placed(memory) else LEAST_UNPLACED)
    }


def log_odds(signals: Signals) -> float:
    """Returns the logarithm of the odds that a lesson fits."""
    return BIAS + sum(map(float.__mul__, astuple(WEIGHTS), astuple(signals)))


def signals_of(
    snap: Reader,
    view: View,
    result: SearchResult,
    places: Places,
    similar: Callable[[Sequence[str]], Sequence[float]] | None,
    now: int,
) -> list[tuple[Memory, Signals]]:
    """Returns all that was learned with its signals for a task."""
    cosines = dict(zip(result.signals.number.tolist(), result.signals.cosine.tolist(), strict=True))
    learned = [
        (number, memory)
        for number, memory in snap.numbered(view, list(cosines), now=now)
        if LEARNED in memory.tags
    ]
    titles = [*dict.fromkeys(memory.title for _, memory in learned if memory.title)]
    as_task = dict(zip(titles, similar(titles), strict=True)) if similar is not None and titles else {}
    found = []
    for number, memory in learned:
        text, own = cosines[number], memory.about_files
        module = max((places.scores.get(path, 0.0) for path in own), default=0.0)
        signals = Signals(
            text,
            as_task.get(memory.title or "", 0.0 if similar is not None else text),
            next((cosine for files, cosine in places.cosines if files.isdisjoint(own)), UNCOMPARED),
            min(module / MODULE_MAX, 1.0),
        )
        found.append((memory, signals))
    return found


def is_placed(memory: Memory) -> bool:
    """Returns whether a memory comes again when the file that it is about is opened."""
    return bool(memory.about_files) and memory.evidence.get("rule") not in NOT_OF_A_FILE
