"""What was forgotten or erased in one store stays away from another, once its owner took the export there."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from holdfast import Memory
from holdfast.api.import_report import Report
from holdfast.api.importing import import_bytes
from holdfast.features.memories.marks import KEYS_MAX
from tests.support import memory_on, open_store

AT = "2026-01-02T10:00:00Z"
TEXTS = {
    "m1": "My locker is the seventh, with the blue horse",
    "m2": "The spare key hangs in the shed",
    "m3": "Noted.",
}
MESSAGES = [
    {"uuid": id, "sender": "assistant" if id == "m3" else "human", "text": text, "created_at": AT}
    for id, text in TEXTS.items()
]


def chats(messages: list[dict[str, str]] = MESSAGES, id: str = "c1") -> bytes:
    return json.dumps([{"uuid": id, "name": "", "created_at": AT, "chat_messages": messages}]).encode()


def imported(memory: Memory, data: bytes | None = None, **options: Any) -> dict[str, int]:
    report = import_bytes(memory, data or chats(), filename="conversations.json", **options)
    return {name: count for name, count in report.outcomes.items() if count}


def restored(memory: Memory, export: str, **options: Any) -> Report:
    return import_bytes(memory, export.encode(), filename="mine", **options)


def exported(memory: Memory, **options: Any) -> str:
    return "".join(memory.export(**options))


def marks(export: str) -> list[dict[str, Any]]:
    return [one for one in map(json.loads, export.splitlines()) if one["type"] == "marks"]


def forget(memory: Memory, id: str, *, hard: bool) -> None:
    (found,) = [record for record in memory.list(project="*").memories if record.external_id == id]
    memory.forget(found.id, hard=hard)


@pytest.fixture
def other(tmp_path: Path) -> Iterator[Memory]:
    """Another store of the same person."""
    folder = tmp_path / "other"
    folder.mkdir()
    store = open_store("oracle", folder)
    yield memory_on(store)
    store.close()


@pytest.mark.parametrize("format", ["jsonl", "markdown"])
def test_what_was_forgotten_or_erased_does_not_come_back_in_another_store(
    memory: Memory, other: Memory, format: str
) -> None:
    imported(memory)
    forget(memory, "m1", hard=True)
    forget(memory, "m2", hard=False)
    restored(other, exported(memory, format=format), vouched=True)
    assert imported(other) == {"forgotten": 2, "duplicate": 1}
    assert imported(other, project="shop", gives_way=True) == {"forgotten": 2, "duplicate": 1}
    assert imported(other, with_forgotten=True) == {"created": 2, "duplicate": 1}
    assert imported(other) == {"duplicate": 3}


def test_what_went_with_its_conversation_stays_away_also_from_a_third_store(
    memory: Memory, other: Memory, tmp_path: Path
) -> None:
    imported(memory, project="home")
    memory.sessions.delete("c1")
    restored(other, exported(memory), vouched=True)
    third = tmp_path / "third"
    third.mkdir()
    store = open_store("oracle", third)
    restored(memory_on(store), exported(other), vouched=True)
    assert imported(memory_on(store)) == {"forgotten": 3}
    assert imported(memory_on(store), chats(id="c2"))["created"] == 3
    store.close()


def test_what_is_here_stays_and_its_mark_is_not_taken(memory: Memory, other: Memory) -> None:
    imported(memory)
    imported(other)
    forget(memory, "m1", hard=True)
    restored(other, exported(memory), vouched=True)
    assert imported(other) == {"duplicate": 3}
    forget(other, "m1", hard=False)
    assert imported(other) == {"forgotten": 1, "duplicate": 2}


def test_an_older_export_of_its_own_hides_nothing_that_was_lifted_since(memory: Memory) -> None:
    imported(memory)
    forget(memory, "m1", hard=True)
    before = exported(memory)
    imported(memory, with_forgotten=True)
    restored(memory, before)
    assert imported(memory) == {"duplicate": 3}


def test_nobody_keeps_out_what_others_import(memory: Memory, other: Memory) -> None:
    imported(other)
    other.sessions.delete("c1")
    theirs = exported(other)
    report = restored(memory, theirs)
    assert report.foreign
    assert report.account()["marks"]["skipped"] == 1
    added = exported(memory).splitlines()[:-1]
    restored(memory, "\n".join([*added, json.dumps(marks(theirs)[0])]))
    assert imported(memory) == {"created": 3}


def test_marks_of_one_user_keep_nothing_from_another(memory: Memory, other: Memory) -> None:
    imported(other)
    other.sessions.delete("c1")
    restored(memory, exported(other), vouched=True)
    ben = memory_on(memory._service.store, user="ben")
    assert imported(memory) == {"forgotten": 3}
    assert imported(ben) == {"created": 3}


def test_marks_say_nothing_of_a_text(memory: Memory) -> None:
    messages = [{"role": "user", "content": TEXTS["m1"], "created_at": AT}]
    import_bytes(memory, json.dumps(messages).encode(), filename="said.json")
    note = memory.remember("The alarm code is on the fridge").memory
    assert note is not None
    memory.forget(note.id, hard=True)
    memory.forget(next(one.id for one in memory.list(project="*").memories), hard=True)
    assert marks(exported(memory)) == []
    imported(memory)
    forget(memory, "m1", hard=True)
    (record,) = marks(exported(memory))
    assert (len(record["keys"]), len(record["by_person"])) == (1, 1)
    assert marks(exported(memory, metadata={"colour": "blue"})) == []


@pytest.mark.parametrize("agent", [None, "coder"])
def test_a_note_that_was_forgotten_is_not_said_again_by_an_agent_there(
    memory: Memory, other: Memory, agent: str | None
) -> None:
    place: dict[str, Any] = {"project": "home", "visibility": "private"}
    note = memory_on(memory._service.store, agent=agent).remember("The alarm code is on the fridge", **place)
    assert note.memory is not None
    memory_on(memory._service.store, agent=agent).forget(note.memory.id)
    restored(other, exported(memory), vouched=True)
    again = memory_on(other._service.store, agent="coder").remember(
        "The alarm code is on the fridge.", **place
    )
    assert again.outcome == ("forgotten" if agent is None else "created")


def test_what_was_restored_before_the_export_is_kept_there(memory: Memory, other: Memory) -> None:
    imported(memory)
    forget(memory, "m1", hard=False)
    imported(memory, with_forgotten=True)
    restored(other, exported(memory), vouched=True)
    assert imported(other) == {"duplicate": 3}


@pytest.mark.parametrize(
    "values",
    [
        {"keys": ["ff" * 31]},
        {"keys": ["ff" * 32] * (KEYS_MAX + 2)},
        {"keys": [f"{number:064x}" for number in range(KEYS_MAX + 1)]},
        {"by_person": ["a" * 64]},
        {"by_machine": [7]},
        {"by_person": [f"id:{'0' * 64}"] * 1_001},
    ],
)
def test_marks_that_are_none_are_refused(memory: Memory, values: dict[str, Any]) -> None:
    header = {"type": "header", "format": "holdfast", "version": 1, "user": "ana", "exported_at": AT}
    lines = [header, {"type": "marks"} | values]
    report = restored(memory, "\n".join(map(json.dumps, lines)), vouched=True)
    assert report.reasons == {"record_invalid": 1}
