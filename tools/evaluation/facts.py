"""What facts are taken from conversations, and how questions for them are answered, beside labels.

A line of a set is a conversation: `turns` with the messages, `expect` with the topics that hold at its end
(`topics`: name to `polarity`, `like` or `dislike`, and `values` in order; a name may end in `#dislike`), and
`questions` with their `answer` (a value, a list, a number, or null if nothing is stored).
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from holdfast.api.memory import Memory
from holdfast.core.facts import Answer
from holdfast.language.facts.lists import folded
from holdfast.language.facts.topics import BUILT_IN, DISLIKED, stem_of


@dataclass(slots=True)
class Score:
    """Counts over all conversations. A topic is right with all of its values in order and nothing else."""

    conversations: int = 0
    expected: int = 0
    found: int = 0
    right: int = 0
    doubted: int = 0
    """Topics that are stored and marked as doubtful; they count as not found."""
    questions: int = 0
    answered: int = 0
    """Questions that facts answered with a value."""
    answerable: int = 0
    answered_right: int = 0
    refused: int = 0
    """Questions about what is not stored."""
    refused_right: int = 0
    wrong: list[str] = field(default_factory=list)

    def as_dict(self) -> dict[str, Any]:
        """Returns the figures as plain JSON."""
        return {
            "conversations": self.conversations,
            "topics": {
                "expected": self.expected,
                "found": self.found,
                "right": self.right,
                "doubted": self.doubted,
                "precision": _share(self.right, self.found),
                "recall": _share(self.right, self.expected),
            },
            "questions": {
                "asked": self.questions,
                "answered": self.answered,
                "precision": _share(self.answered_right, self.answered),
                "recall": _share(self.answered_right, self.answerable),
                "not_stored": _share(self.refused_right, self.refused),
            },
            "wrong": self.wrong,
        }


def measure(path: Path) -> Score:
    """Returns how the conversations of a file are read. Each is a session of one memory."""
    score = Score()
    with TemporaryDirectory(prefix="holdfast-facts-") as folder, Memory(Path(folder) / "facts.db") as memory:
        for number, line in enumerate(filter(str.strip, path.read_text(encoding="utf-8").splitlines())):
            _measure_one(memory, json.loads(line), f"chat-{number}", score)
    return score


def _measure_one(memory: Memory, row: dict[str, Any], session: str, score: Score) -> None:
    for turn in row["turns"]:
        memory.add_messages([{"role": turn["role"], "content": turn["text"]}], session=session)
    expected = dict(_expected(row["expect"]["topics"]))
    found: dict[str, list[str]] = {}
    doubted: set[str] = set()
    for fact in memory.facts.list(session=session):
        if fact.doubted_by is not None:
            doubted.add(stem_of(fact.topic))
            continue
        found.setdefault(stem_of(fact.topic), []).append(folded(fact.value))
    score.conversations += 1
    score.expected += len(expected)
    score.found += len(found)
    score.doubted += len(doubted)
    score.right += sum(expected.get(topic) == values for topic, values in found.items())
    name = row.get("id", session)
    if found != expected:
        score.wrong.append(f"{name}: {[turn['text'] for turn in row['turns']]} gives {found}, not {expected}")
    for question in row["questions"]:
        answer = memory.ask(question["text"], session=session)
        is_right = _is_right(answer, question["answer"])
        score.questions += 1
        score.answered += answer.used_facts
        score.answered_right += answer.used_facts and is_right
        if question["answer"] is None:
            score.refused += 1
            score.refused_right += is_right
        else:
            score.answerable += 1
        if not is_right:
            score.wrong.append(
                f"{name}: {question['text']!r} gives {answer.text!r}, not {question['answer']!r}"
            )


def _expected(topics: dict[str, Any]) -> Iterator[tuple[str, list[str]]]:
    for name, labelled in topics.items():
        plain = name.partition("#")[0]
        topic = BUILT_IN.about(plain, disliked=labelled["polarity"] == "dislike")
        key = topic.key if topic is not None else f"{DISLIKED}{plain}"
        yield stem_of(key), [folded(value) for value in labelled["values"]]


def _is_right(answer: Answer, expected: object) -> bool:
    """Checks an answer: the value between the marks, the lines of a list, the number, or nothing stored."""
    if expected is None:
        return not answer.used_facts and (answer.fact_not_found or answer.clarification)
    if not answer.used_facts:
        return False
    if isinstance(expected, list):
        lines = [line.partition(") ")[2] for line in answer.text.splitlines()]
        return [folded(line) for line in lines] == [folded(str(value)) for value in expected]
    if isinstance(expected, int):
        return str(expected) in answer.text.split()
    return folded(answer.text.partition("**")[2].rpartition("**")[0]) == folded(str(expected))


def _share(part: int, total: int) -> float:
    return round(part / total, 4) if total else 1.0
