"""A generated life of 300 conversations: what is read of it, what the page about the person shows, and what
recall gives with and without a model."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from holdfast.api.memory import Memory
from holdfast.core.claims import PAST, Belief, plain
from tools.evaluation.about import GENERATED, Score, measure_rows
from tools.evaluation.lives.generate import Life, life
from tools.evaluation.lives.story import Fact

TYPES = {
    "name": {"who"}, "age": {"who"}, "origin": {"origin_and_home", "who"}, "home": {"origin_and_home"},
    "job": {"work"}, "role": {"work"}, "partner": {"relationship", "family"}, "child": {"family"},
    "sibling": {"family"}, "pet": {"pets", "family"}, "allergy": {"health", "diet"},
    "condition": {"health"}, "diet": {"diet", "preference", "habit"},
    "like": {"preference", "habit"}, "dislike": {"aversion", "preference"},
    "hobby": {"habit", "preference", "skill"}, "plan": {"plan"}, "language": {"skill", "education", "habit"},
    "education": {"education", "work"}, "possession": {"possession"},
}  # fmt: skip
"""The types of beliefs that may hold a fact of each event."""
QUESTIONS = {
    "home": "Where do I live?", "job": "Where do I work?", "role": "What is my job?",
    "partner": "Who is my partner?", "child": "What are my children called?",
    "sibling": "What is my brother or sister called?", "pet": "What is my pet called?",
    "allergy": "What am I allergic to?", "condition": "What illness do I have?", "diet": "What is my diet?",
    "origin": "Where do I come from?", "language": "Which languages do I speak?",
    "education": "What did I study?", "possession": "What car do I have?",
}  # fmt: skip
"""Questions that the life answers, by event."""
SHOWN = 5
"""Hits among which the answer is to be."""
STARTS = 5
"""Processes whose time is measured; the least counts."""
NOBODY = "http://127.0.0.1:9/v1"
"""The address of a model that nobody serves."""


@dataclass(frozen=True, slots=True)
class Page:
    """What the page about the person shows of what is true: counts, and its lines."""

    current: int
    shown: int
    ended: int
    still_shown: int
    lines: int
    foreign: int
    text: tuple[str, ...]

    def as_dict(self) -> dict[str, int]:
        """Returns the counts."""
        return {name: getattr(self, name) for name in self.__slots__ if name != "text"}


def read(half: str, lives: int, seed: int) -> Score:
    """Returns how the statements of some lives of a half are read."""
    rows = (row for number in range(lives) for row in life(half, seed + number).conversations)
    return measure_rows(rows)


def tables(score: Score) -> dict[str, dict[str, tuple[int, int]]]:
    """Returns found and made statements by form, by how they were typed, and by event."""
    parts: dict[str, dict[str, tuple[int, int]]] = {name: {} for name in GENERATED}
    for name, (found, made) in sorted(score.by.items()):
        kind, _, value = name.partition(" ")
        if kind in parts and value:
            parts[kind][value] = (found, made)
    return parts


def page(half: str, seed: int) -> Page:
    """Returns what `about` shows after all conversations of a life."""
    known = life(half, seed)
    with TemporaryDirectory(prefix="holdfast-life-") as folder, Memory(Path(folder) / "life.db") as memory:
        _fill(memory, known)
        return _compared(memory, known)


def unchanged(half: str, seed: int) -> dict[str, Any]:
    """Returns what recall finds without a model and with one out of reach, and what a start costs."""
    known = life(half, seed)
    with TemporaryDirectory(prefix="holdfast-life-") as folder:
        store = Path(folder) / "life.db"
        with Memory(store) as memory:
            _fill(memory, known)
            without = _answers(memory, known)
        start = _start(store)
        with Memory(store) as memory:
            memory.models.add("nobody", "none", url=NOBODY)
            beside = _answers(memory, known)
        start_beside = _start(store)
    found = sum(is_found for is_found, _ in without)
    return {
        "questions": len(without),
        f"found_in_first_{SHOWN}": found,
        "same_with_a_model": without == beside,
        "start_ms": start,
        "start_with_a_model_ms": start_beside,
    }


def _fill(memory: Memory, life: Life) -> None:
    for number, row in enumerate(life.conversations):
        messages = [{**message, "at": row["at"]} for message in row["messages"]]
        memory.add_messages(messages, session=f"life-{number}")


def _compared(memory: Memory, life: Life) -> Page:
    while (about := memory.about()).unread:
        pass
    beliefs = [belief for belief in about.beliefs if belief.status != PAST]
    current = [fact for fact in life.facts if fact.ends is None]
    ended = [fact for fact in life.facts if fact.ends is not None]
    values = {value for fact in life.facts for value in _values(fact)}
    generated = [belief for belief in beliefs if belief.type != "instruction"]
    return Page(
        current=len(current),
        shown=sum(any(_shows(belief, fact) for belief in beliefs) for fact in current),
        ended=len(ended),
        still_shown=sum(any(_shows(belief, fact) for belief in beliefs) for fact in ended),
        lines=len(generated),
        foreign=sum(not _has_any(belief, values) for belief in generated),
        text=tuple(_lines(beliefs)),
    )


def _shows(belief: Belief, fact: Fact) -> bool:
    is_denied = not belief.positive and fact.event != "dislike"
    return belief.type in TYPES[fact.event] and not is_denied and _has_any(belief, _values(fact))


def _values(fact: Fact) -> tuple[str, ...]:
    return tuple(plain(value) for value in fact.value.split("/"))


def _has_any(belief: Belief, values: Sequence[str] | set[str]) -> bool:
    words = plain(f"{belief.subject or ''} {belief.value}")
    return any(value in words for value in values)


def _lines(beliefs: Sequence[Belief]) -> Iterator[str]:
    for belief in beliefs:
        yield f"{belief.type}: {belief.text}" + (f" (since {belief.since})" if belief.since else "")


def _answers(memory: Memory, life: Life) -> list[tuple[bool, tuple[str, ...]]]:
    answers = []
    for fact in life.facts:
        if fact.ends is None and fact.event in QUESTIONS:
            hits = memory.recall(QUESTIONS[fact.event], limit=SHOWN)
            texts = tuple(hit.memory.text for hit in hits)
            is_found = any(value in text.casefold() for text in texts for value in _values(fact))
            answers.append((is_found, texts))
    return answers


def _start(store: Path) -> float:
    """Returns the processor time in ms of a process that recalls one text, the least of some."""
    command = [sys.executable, "-m", "holdfast", "--store", str(store), "recall", "Where do I live?"]
    environment = os.environ | {"HOLDFAST_HOME": str(store.parent)}
    times = []
    for _ in range(STARTS):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(command, check=True, capture_output=True, env=environment)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        times.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return round(1000 * min(times), 1)
