"""The common workload, written to files with its vectors, so that no worker needs a model."""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.speed import PROJECTS, questions, sentences
from holdfast.embeddings.static import StaticEmbedder

QUESTIONS = 500
MORE = 600
"""Texts that are not in the bulk load, for adds one at a time and for the writer that gets killed."""

_SLICE = 5_000


@dataclass(frozen=True, slots=True)
class Asked:
    """A question of LoCoMo: its conversation and the turns that answer it."""

    project: str
    gold: frozenset[str]


@dataclass(frozen=True, slots=True)
class Locomo:
    """LoCoMo, written as `turns` and `asked`. `ids` maps (project, what recall gives) to turns."""

    turns: int
    asked: tuple[Asked, ...]
    ids: Mapping[tuple[str, str], frozenset[str]]

    def recall(self, results: Sequence[Sequence[str]]) -> float:
        """The mean share of a question's evidence that was found, given what each question found."""
        shares = []
        for asked, hits in zip(self.asked, results, strict=True):
            turns = frozenset[str]().union(*(self.ids.get((asked.project, hit), ()) for hit in hits))
            shares.append(len(asked.gold & turns) / len(asked.gold))
        return sum(shares) / len(shares)


def write(folder: Path, size: int) -> None:
    """Writes `memories`, `more` and `questions`: texts spread evenly over fifty projects."""
    embedder = StaticEmbedder()
    for name, texts, count in (
        ("memories", sentences(1), size),
        ("more", sentences(2), MORE),
        ("questions", questions(3), QUESTIONS),
    ):
        rows = ({"project": f"p{i % PROJECTS}", "text": text} for i, text in enumerate(texts))
        _write(folder / name, itertools.islice(rows, count), embedder)


def write_locomo(folder: Path, path: Path) -> Locomo:
    """Writes the conversations of a LoCoMo file, each a project, and the questions that name evidence."""
    turns: list[dict[str, Any]] = []
    asking: list[dict[str, Any]] = []
    asked: list[Asked] = []
    ids: dict[tuple[str, str], set[str]] = {}
    for number, sample in enumerate(json.loads(path.read_text("utf-8"))):
        project = f"c{number}"
        here = list(_turns(project, sample["conversation"]))
        turns += here
        for turn in here:
            for name in (turn["text"], turn["id"]):
                ids.setdefault((project, name), set()).add(turn["id"])
        for question in sample["qa"]:
            named = re.findall(r"D\d+:\d+", " ".join(question.get("evidence", ())))
            gold = {f"{project}/{turn}" for turn in named} & {turn["id"] for turn in here}
            if gold:
                asking.append({"project": project, "text": question["question"].strip()})
                asked.append(Asked(project, frozenset(gold)))
    embedder = StaticEmbedder()
    _write(folder / "turns", turns, embedder)
    _write(folder / "asked", asking, embedder)
    return Locomo(len(turns), tuple(asked), {key: frozenset(value) for key, value in ids.items()})


def _turns(project: str, conversation: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    for number in itertools.count(1):
        if (told := conversation.get(f"session_{number}_date_time")) is None:
            return
        start = datetime.strptime(told, "%I:%M %p on %d %B, %Y").replace(tzinfo=UTC)
        for place, turn in enumerate(conversation.get(f"session_{number}") or ()):
            photo = f" [photo: {turn['blip_caption']}]" if turn.get("blip_caption") else ""
            said = turn["text"] + photo
            yield {
                "project": project,
                "text": f"[{told}] {turn['speaker']}: {said}",
                "id": f"{project}/{turn['dia_id']}",
                "session": f"{project}-{number}",
                "speaker": turn["speaker"],
                "at": (start + timedelta(seconds=place)).isoformat(),
                "said": said,
            }


def _write(name: Path, rows: Iterable[dict[str, Any]], embedder: StaticEmbedder) -> None:
    rest = iter(rows)
    with (
        open(name.with_suffix(".jsonl"), "w", encoding="utf-8") as lines,
        open(name.with_suffix(".f32"), "wb") as vectors,
    ):
        while some := list(itertools.islice(rest, _SLICE)):
            lines.writelines(json.dumps(row) + "\n" for row in some)
            made = embedder.embed([row["text"] for row in some])
            vectors.write(np.ascontiguousarray(made, "<f4").tobytes())
