"""BEAM: long chats of a person with an assistant, with the messages that answer each probing question."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from holdfast.core.errors import InvalidInput
from holdfast.core.times import to_millis
from tools.evaluation.corpus import Corpus, Question, Source

if TYPE_CHECKING:
    from holdfast.api.memory import Memory
    from holdfast.core.record import Kept

SOURCE = Source(
    "BEAM",
    "a folder of chats such as chats/100K, each a folder with chat.json and probing_questions.json"
    " (beside it or in probing_questions/)",
    "https://github.com/mohammadtavakoli78/BEAM",
)
PROJECT = "beam"

_MARKER = re.compile(r"\s*->->\s*(?:\d+|N/A)(?:\s*,\s*(?:\d+|N/A))*\s*\Z")
"""The end of planned messages of the user in the original data, such as `->-> 1,2`: their place in the plan
of the chat, which no person would write, and which hides that a message ends in a question mark."""


def load_beam(path: str | Path) -> Iterator[Corpus]:
    """One corpus for each chat: a message for each message, a session for each of its batches.

    A batch stands for one sitting, and its first message may carry the date (a time anchor), which the
    whole batch gets. Questions that no message answers (abstention) are left out. `path` is a folder of
    chats, or one chat. Raises InvalidInput.
    """
    for folder in _folders(SOURCE.path(path)):
        questions = _questions_file(folder)
        chat, asked = SOURCE.read_json(folder / "chat.json"), SOURCE.read_json(questions)
        try:
            corpus = _corpus(folder.name, chat, asked, str(questions))
        except (KeyError, TypeError, AttributeError, ValueError) as error:
            raise SOURCE.invalid(f"{folder} has another form ({error!r})") from error
        yield corpus


def _folders(root: Path) -> list[Path]:
    if not root.exists():
        raise SOURCE.missing(root)
    if not root.is_dir():
        raise SOURCE.invalid(f"{root} is not a folder")
    if (root / "chat.json").is_file():
        return [root]
    found = [folder for folder in root.iterdir() if (folder / "chat.json").is_file()]
    if not found:
        raise SOURCE.invalid(f"no folder in {root} holds a chat.json")
    return sorted(found, key=lambda folder: (len(folder.name), folder.name))


def _questions_file(folder: Path) -> Path:
    nested = folder / "probing_questions" / "probing_questions.json"
    return nested if nested.is_file() else folder / "probing_questions.json"


def _corpus(
    name: str, chat: list[dict[str, Any]], questions_by_type: dict[str, list[dict[str, Any]]], where: str
) -> Corpus:
    sessions = {f"batch-{number}": _messages(batch) for number, batch in enumerate(chat, 1)}
    known = {message["id"] for messages in sessions.values() for message in messages}

    def fill(memory: Memory) -> list[Kept]:
        return [
            kept
            for session, messages in sessions.items()
            for kept in memory.add_messages(messages, session=session, project=PROJECT)
        ]

    questions = tuple(
        Question(
            SOURCE.question(one["question"], f"{where}, question {number} of {category}"),
            gold,
            category.replace("_", " "),
        )
        for category, group in questions_by_type.items()
        for number, one in enumerate(group, 1)
        if (gold := frozenset(_flat(one.get("source_chat_ids"))) & known)
    )
    return Corpus(name, fill, questions, {"project": PROJECT})


def _messages(batch: dict[str, Any]) -> list[dict[str, Any]]:
    messages = [m for turn in batch["turns"] for m in (turn if isinstance(turn, list) else [turn])]
    at = next(
        (at for anchor in (batch.get("time_anchor"), *(m.get("time_anchor") for m in messages))
         if (at := _time(anchor)) is not None),
        None,
    )  # fmt: skip
    return [
        {"role": m["role"], "content": _content(m), "id": str(m["id"])} | ({} if at is None else {"at": at})
        for m in messages
    ]


def _content(message: dict[str, Any]) -> str:
    """Returns the text of a message, without the marker of a planned one."""
    text: str = message["content"]
    return _MARKER.sub("", text) if message["role"] == "user" else text


def _time(anchor: object) -> int | None:
    """The time of an anchor such as `March-15-2024`, None where there is none that can be read."""
    try:
        return to_millis(anchor) if isinstance(anchor, str) else None
    except InvalidInput:
        return None


def _flat(value: object) -> Iterator[str]:
    """All ids in a list, or in the lists of an object that says what each stands for."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, Sequence) and not isinstance(value, str):
        for one in value:
            yield from _flat(one)
    elif value is not None:
        yield str(value)
