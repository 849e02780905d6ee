"""LoCoMo: long conversations of two people, with the turns that hold the evidence for each question."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tools.evaluation.corpus import Corpus, Question, Source

if TYPE_CHECKING:
    from holdfast.api.memory import Memory
    from holdfast.core.record import Kept

SOURCE = Source(
    "LoCoMo",
    "the file locomo10.json, a list of conversations with `conversation` and `qa`",
    "https://github.com/snap-research/locomo (CC BY-NC 4.0)",
)
CATEGORIES = {1: "multi-hop", 2: "temporal", 3: "open-domain", 4: "single-hop", 5: "adversarial"}
"""The categories as the authors number and name them."""
PROJECT = "locomo"

_TURN = re.compile(r"D:?(\d{1,9}):(\d{1,9})(?!\d)")


def load_locomo(path: str | Path) -> Iterator[Corpus]:
    """One corpus for each conversation: a message for each turn, with speaker and session date.

    Questions whose evidence is not in the conversation are left out. Raises InvalidInput.
    """
    file = SOURCE.path(path)
    samples = SOURCE.read_json(file)
    if not isinstance(samples, list) or not samples:
        raise SOURCE.invalid("a list of conversations is expected")
    for number, sample in enumerate(samples, 1):
        try:
            name = str(sample.get("sample_id", number))
            where = f"{file}, conversation {number}"
            corpus = _corpus(name, sample["conversation"], sample["qa"], where)
        except (KeyError, TypeError, AttributeError, ValueError) as error:
            raise SOURCE.invalid(f"conversation {number} has another form ({error!r})") from error
        yield corpus


def _corpus(name: str, conversation: Mapping[str, Any], qa: list[dict[str, Any]], where: str) -> Corpus:
    sessions = {
        f"session-{number}": [
            _message(turn, conversation[f"session_{number}_date_time"])
            for turn in conversation[f"session_{number}"]
        ]
        for number in sorted(
            int(key.removeprefix("session_")) for key in conversation if re.fullmatch(r"session_\d{1,9}", key)
        )
    }
    known = {message["id"] for messages in sessions.values() for message in messages}

    def fill(memory: Memory) -> list[Kept]:
        return [
            kept
            for session, messages in sessions.items()
            for kept in memory.add_messages(messages, session=session, project=PROJECT)
        ]

    questions = tuple(
        Question(
            SOURCE.question(one["question"], f"{where}, question {number}"),
            gold,
            CATEGORIES.get(one["category"], f"category {one['category']}"),
        )
        for number, one in enumerate(qa, 1)
        if (gold := _gold(one.get("evidence", []), known))
    )
    return Corpus(name, fill, questions, {"project": PROJECT})


def _message(turn: Mapping[str, Any], at: str) -> dict[str, Any]:
    caption = turn.get("blip_caption")
    return {
        "role": "user",
        "name": turn["speaker"],
        "content": turn["text"] + (f" [{caption}]" if caption else ""),
        "at": at,
        "id": turn["dia_id"],
    }


def _gold(evidence: list[str], turn_ids: set[str]) -> frozenset[str]:
    """The turns that the evidence names; some entries name several, some write D30:05 for D30:5."""
    named = {
        f"D{int(session)}:{int(turn)}" for entry in evidence for session, turn in _TURN.findall(str(entry))
    }
    return frozenset(named & turn_ids)
