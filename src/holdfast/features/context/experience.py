"""Decides whether what was learned, and what holds for a project, fits a task in other words than its own."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import astuple
from typing import TYPE_CHECKING

from holdfast.core.record import Origin
from holdfast.core.value_classes import value_class

if TYPE_CHECKING:
    from holdfast.core.record import Memory
    from holdfast.core.views import View
    from holdfast.features.recall.search import SearchResult
    from holdfast.stores.base.ports import Reader

LEARNED = "learned"
"""The tag of what was learned from the log of a session; its evidence says what was worked on."""
UNCOMPARED = 0.34
"""The average of `others`, for a task that no other module can be compared with."""
BEHIND = 2.0
"""Log odds by which a lesson may be behind the best one."""
NEAR = 0.2
"""Minimum cosine of such lessons: a task that is near to nothing, such as "go on", is also far from all other
modules, and the log odds compare only."""
NOT_OF_A_FILE = frozenset({"error_retry", "command_found", "repeated_search"})
"""Rules whose lessons are needed before a file is opened: how to run something, where to look."""
_WRITTEN = re.compile(r"[\w.-]+(?:/[\w.-]+)*")
_FILE = re.compile(
    r"(?i)/|\.(?:py[xi]?|jsx?|tsx?|vue|go|rs|java|kt|rb|php|cs?|h|cpp|hpp|swift|sh|sql|html|css|md|rst|txt|toml|ini"
    r"|cfg|ya?ml|json|lock)\.?$"
)
"""The name of a file, among other words."""


@value_class
class Signals:
    """The signals that say whether a lesson fits a task, or their weights: cosines of the task with the
    lesson and what was worked on then, and with the nearest module that the lesson is not about."""

    lesson: float
    nearest_module: float


WEIGHTS, BIAS = Signals(14.0, -7.8), -1.3
"""Trained by `make eval EVAL=fit-lessons`: the log odds that a lesson fits."""
LEAST, LEAST_UNPLACED = 0.75, -1.0
"""Minimum log odds of a lesson that comes again when its file is opened, and of one that would not."""
LEAST_STATED = 0.0
"""Minimum log odds of a rule that was stated, about no file: nothing says what was worked on then."""


def without_files(text: str) -> str:
    """Returns a text without the names of files.

    A task that names a file is about that file's module, and so are all lessons about it: what else the task
    says tells which of them it needs.
    """
    return _WRITTEN.sub(lambda match: " " if _FILE.search(match[0]) else match[0], text).strip()


def near_experience(
    snap: Reader,
    view: View,
    result: SearchResult,
    modules: Sequence[tuple[frozenset[str], float]],
    similar: Callable[[Sequence[str]], Sequence[float]] | None,
    *,
    now: int,
    stated: frozenset[str] = frozenset(),
) -> dict[str, tuple[Memory, float]]:
    """Returns what was learned that fits a task, and rules that do, by id, each with its probability.

    Rules are memories of the kinds in `stated`, but not those that an agent can read in a file.

    Recall leaves out a memory that shares no word with a question and little of its meaning. That is right
    for answers; but a lesson also says in its evidence what was worked on. `similar` returns cosines of the
    task without names of files, and `modules` has the files of each module with that cosine, the nearest
    module first: a task that is nearer to another module than to the lesson is about that one.
    """
    odds = [
        (memory, log_odds(signals))
        for memory, signals in signals_of(snap, view, result, modules, similar, now, stated)
        if signals.lesson >= NEAR
    ]
    best = max((score for _, score in odds), default=0.0)
    return {
        memory.id: (memory, 1 / (1 + math.exp(-score)))
        for memory, score in odds
        if score >= max(best - BEHIND, _least(memory))
    }


def _least(memory: Memory) -> float:
    """Returns the log odds from which a memory is given."""
    if is_placed(memory):
        return LEAST
    return LEAST_UNPLACED if LEARNED in memory.tags else LEAST_STATED


def log_odds(signals: Signals) -> float:
    """Returns the logarithm of the odds that a lesson fits."""
    return BIAS + sum(map(float.__mul__, astuple(WEIGHTS), astuple(signals)))


def signals_of(
    snap: Reader,
    view: View,
    result: SearchResult,
    modules: Sequence[tuple[frozenset[str], float]],
    similar: Callable[[Sequence[str]], Sequence[float]] | None,
    now: int,
    stated: frozenset[str] = frozenset(),
) -> list[tuple[Memory, Signals]]:
    """Returns all that was learned, and rules of the kinds in `stated`, with their signals for a task."""
    by_recall = dict(zip(result.signals.number.tolist(), result.signals.cosine.tolist(), strict=True))
    learned = [
        (number, memory)
        for number, memory in snap.numbered(view, list(by_recall), now=now)
        if LEARNED in memory.tags or (memory.kind in stated and memory.origin is not Origin.FILE)
    ]
    if similar is not None and learned:
        worked_on = [memory.evidence.get("worked_on", "") for _, memory in learned]
        cosines = similar(
            [
                without_files(f"{memory.text} {task}")
                for (_, memory), task in zip(learned, worked_on, strict=True)
            ]
        )
    else:
        cosines = [by_recall[number] for number, _ in learned]
    return [
        (memory, Signals(cosine, _nearest_other(modules, memory)))
        for (_, memory), cosine in zip(learned, cosines, strict=True)
    ]


def _nearest_other(modules: Sequence[tuple[frozenset[str], float]], memory: Memory) -> float:
    """Returns the cosine of the nearest module that a memory is not about."""
    own = memory.about_files
    return next((cosine for files, cosine in modules if files.isdisjoint(own)), UNCOMPARED)


def is_placed(memory: Memory) -> bool:
    """Returns whether a memory comes again when the file that it is about is opened."""
    return bool(memory.about_files) and memory.evidence.get("rule") not in NOT_OF_A_FILE
