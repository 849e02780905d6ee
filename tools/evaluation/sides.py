"""Whether recall shows both sides of a contradiction, and the newer side of an update first.

The questions are those of BEAM that name the messages of each side.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from holdfast.api.memory import Memory
from tools.evaluation.sets.beam import load_beam

SHOWN = 5
"""Hits among which both sides of a contradiction are to be."""
FOUND = 10
"""Hits among which the newer side of an update is looked for."""


def measure(path: Path) -> dict[str, Any]:
    """Returns the shares over all chats of a folder."""
    counts: Counter[str] = Counter()
    for corpus in load_beam(path):
        folder = path / corpus.name if (path / corpus.name).is_dir() else path
        asked = json.loads(next(folder.rglob("probing_questions.json")).read_text(encoding="utf-8"))
        with TemporaryDirectory(prefix="holdfast-sides-") as place, Memory(Path(place) / "m.db") as memory:
            corpus.fill(memory)
            for one in asked.get("contradiction_resolution", []):
                if sides := _sides(one, "first_statement", "second_statement"):
                    found = _recalled_ids(memory, one["question"], corpus.where, SHOWN)
                    counts["contradictions"] += 1
                    counts["both"] += all(side & set(found) for side in sides)
            for one in asked.get("knowledge_update", []):
                if sides := _sides(one, "original_info", "updated_info"):
                    found = _recalled_ids(memory, one["question"], corpus.where, FOUND)
                    older, newer = ([found.index(id) for id in side & set(found)] for side in sides)
                    counts["updates"] += 1
                    counts["newer"] += bool(newer)
                    counts["first"] += bool(newer) and min(newer) < min(older, default=FOUND)
    return {
        "contradictions": counts["contradictions"],
        f"both_sides_in_first_{SHOWN}": _share(counts["both"], counts["contradictions"]),
        "updates": counts["updates"],
        f"newer_in_first_{FOUND}": _share(counts["newer"], counts["updates"]),
        "newer_before_older": _share(counts["first"], counts["updates"]),
    }


def _sides(question: Mapping[str, Any], *names: str) -> list[set[str]]:
    """Returns the messages of each side, or nothing where the question does not name them."""
    given = question.get("source_chat_ids")
    found = [{str(id) for id in given.get(name, [])} for name in names] if isinstance(given, dict) else []
    return found if all(found) else []


def _recalled_ids(memory: Memory, question: str, where: Mapping[str, Any], limit: int) -> list[str]:
    hits = memory.recall(question, limit=limit, **where)
    return [str(hit.memory.external_id) for hit in hits]


def _share(part: int, total: int) -> float:
    return round(part / total, 3) if total else 0.0
