"""Trains the weights by which a lesson fits a task, and measures limits on tasks that were left out."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import astuple, dataclass
from itertools import groupby
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np
from numpy.typing import NDArray

from holdfast import Memory
from holdfast.core.record import Memory as Record
from holdfast.features.context import experience
from holdfast.features.context.context import ALWAYS
from tools.evaluation import logistic
from tools.evaluation.learning import AUTHORS, PARTS, Share, Task, lessons_of, opening, tasks_of, taught

OTHER_TASK = 0.5
"""Weight of the prompt of another task, which a lesson does not fit; its other prompt weighs a third."""
RIDGE = 1.0
"""How far weights are drawn to zero, per standard deviation of a signal."""

LIMITS = (-1.0, -0.5, 0.0, 0.25, 0.5, 0.75, 1.0, 1.5, 2.0)
"""Limits whose outcome is shown."""
GROUPS = {"all": PARTS, **dict(zip(("first author", "second author", "third author"), AUTHORS, strict=True))}
"""The parts that are counted together."""


@dataclass(frozen=True, slots=True)
class Pair:
    """A prompt with a lesson: the task and part of the prompt, whether it is the one that asks, whether the
    lesson is that of the task, and the signals."""

    part: str
    task: Task
    asks: bool
    is_own: bool
    lesson: Record
    signals: tuple[float, ...]

    @property
    def fits(self) -> bool:
        return self.asks and self.is_own

    @property
    def weight(self) -> float:
        """Returns how much it counts: a lesson has one prompt that asks for it and many by others."""
        return 1.0 if self.is_own else OTHER_TASK if self.asks else OTHER_TASK / 3


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a task has without its prompt: whether its lesson comes at the start or with a file, or is shown
    with every task, and whether it is a convention."""

    part: str
    task: Task
    is_opened: bool
    is_always: bool
    is_convention: bool


def pairs_of(parts: Sequence[str] = PARTS) -> tuple[list[Pair], list[Outcome]]:
    """Returns the prompts of all tasks with the lessons of their package, and what comes without them."""
    pairs: list[Pair] = []
    outcomes: list[Outcome] = []
    with tempfile.TemporaryDirectory() as temp:
        for part in parts:
            for package, tasks in groupby(sorted(tasks_of(part), key=_package), _package):
                own = list(tasks)
                with taught(Path(temp) / part / package, package, own) as memory:
                    known = lessons_of(memory, package)
                    outcomes += [_outcome(memory, part, task, known) for task in own]
                    for task in own:
                        pairs += _pairs(memory, part, task)
    return pairs, outcomes


def _package(task: Task) -> str:
    return task.package


def _outcome(memory: Memory, part: str, task: Task, lessons: Sequence[Record]) -> Outcome:
    own = [one for one in lessons if re.search(task.lesson, one.text)]
    opened = [entry for context in opening(memory, task, f"fit-{task.number}") for entry in context.entries]
    return Outcome(
        part, task, any(re.search(task.lesson, entry.line) for entry in opened),
        any(map(_is_always, own)), any(one.kind == "convention" for one in own),
    )  # fmt: skip


def _is_always(lesson: Record) -> bool:
    """Returns whether a lesson is shown with every task, whatever its signals."""
    return lesson.kind in ALWAYS and lesson.about_file is None


def _pairs(memory: Memory, part: str, task: Task) -> Iterator[Pair]:
    for prompt, asks in ((task.ask, True), (task.elsewhere, False)):
        if prompt is None:
            continue
        for lesson, signals in _signals(memory, task.package, prompt):
            if not _is_always(lesson):
                own = re.search(task.lesson, lesson.text) is not None
                yield Pair(part, task, asks, own, lesson, astuple(signals))


def _signals(memory: Memory, package: str, prompt: str) -> list[tuple[Record, experience.Signals]]:
    seen: list[tuple[Record, experience.Signals]] = []
    whole = experience.signals_of

    def noted(*arguments: Any) -> list[tuple[Record, experience.Signals]]:
        seen.extend(found := whole(*arguments))
        return found

    with mock.patch.object(experience, "signals_of", noted):
        memory.context(prompt, project=package)
    return seen


def fitted(pairs: Sequence[Pair]) -> NDArray[np.float64]:
    """Returns the bias and the weights of the signals."""
    signals, fits, weights = (
        np.array([getattr(pair, name) for pair in pairs], float) for name in ("signals", "fits", "weight")
    )
    return logistic.fitted(signals, fits, ridge=RIDGE, weights=weights)


@dataclass(frozen=True, slots=True)
class Point:
    """What a limit gives: lessons shown where they are asked for, given, and shown elsewhere; and how many
    pairs with lessons of other tasks are shown."""

    limit: float
    shown: Share
    given: Share
    elsewhere: Share
    others: Share


def scores_left_out(pairs: Sequence[Pair]) -> NDArray[np.float64]:
    """Returns the log odds of each pair by weights of the other authors."""
    scores = np.zeros(len(pairs))
    for parts in AUTHORS:
        found = fitted([pair for pair in pairs if pair.part not in parts])
        for number, pair in enumerate(pairs):
            if pair.part in parts:
                scores[number] = found[0] + np.dot(found[1:], pair.signals)
    return scores


def point(
    pairs: Sequence[Pair], outcomes: Sequence[Outcome], scores: NDArray[np.float64], limit: float
) -> Point:
    """Returns what a limit gives, with those that no file brings at the distance that the program has."""
    lower = limit + experience.LEAST_UNPLACED - experience.LEAST
    best: dict[tuple[int, bool], float] = {}
    for pair, score in zip(pairs, scores, strict=True):
        key = id(pair.task), pair.asks
        best[key] = max(best.get(key, score), score)
    passed = [
        score >= (limit if experience.is_placed(pair.lesson) else lower)
        and score >= best[id(pair.task), pair.asks] - experience.BEHIND
        for pair, score in zip(pairs, scores, strict=True)
    ]
    shown = {
        (id(pair.task), pair.asks) for pair, is_in in zip(pairs, passed, strict=True) if is_in and pair.is_own
    }
    others = [is_in for pair, is_in in zip(pairs, passed, strict=True) if not pair.is_own]
    at_prompt = [(id(one.task), True) in shown for one in outcomes]
    elsewhere = [
        one.is_always or (id(one.task), False) in shown
        for one in outcomes
        if one.task.elsewhere is not None and not one.is_convention
    ]
    given = [near or one.is_opened for near, one in zip(at_prompt, outcomes, strict=True)]
    whole = [near or one.is_always for near, one in zip(at_prompt, outcomes, strict=True)]
    return Point(limit, *(Share(sum(flags), len(flags)) for flags in (whole, given, elsewhere, others)))
