"""Hostile inputs: each gives a clear error or says where it breaks off, and the store stays what it was."""

from __future__ import annotations

import io
import json
import os
import tracemalloc
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from holdfast.api.import_report import Report
from holdfast.api.importing import import_path
from holdfast.api.memory import Memory
from holdfast.core.errors import InvalidInput
from holdfast.features.transfer.formats.containers import archived_texts
from tests.growth import grows_at_most
from tests.unit.chat_samples import archive, chatgpt, node

SPARSE = 10 << 30
SOUND = [{"role": "user", "content": "The boat is red", "id": "m1"}]


def sparse(name: str, head: bytes = b"") -> Callable[[Path], Path]:
    """A file of 10 GB of which only the head stands on the disk."""

    def make(folder: Path) -> Path:
        (folder / name).write_bytes(head)
        os.truncate(folder / name, SPARSE)
        return folder / name

    return make


def holding(name: str, data: bytes) -> Callable[[Path], Path]:
    def make(folder: Path) -> Path:
        (folder / name).write_bytes(data)
        return folder / name

    return make


def chats(*texts: str) -> bytes:
    made = (chatgpt(node("a", None, text=text)) | {"id": f"c-{n}"} for n, text in enumerate(texts))
    return json.dumps(list(made)).encode()


def stored(name: str, data: bytes) -> bytes:
    """Returns an archive that holds a file as it is."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        archive.writestr(name, data)
    return content.getvalue()


REFUSED: dict[str, tuple[str, Callable[[Path], Path]]] = {
    "10 GB, sparse, JSON": ("file_too_large", sparse("chat.json", b'[{"role":"user","content":"hi"},')),
    "10 GB, sparse, text": ("file_too_large", sparse("chat.txt", b"User: hi\n")),
    "10 GB, sparse, Markdown": ("file_too_large", sparse("note.md", b"# hi\n")),
    "10 GB, sparse, zip": ("file_unreadable", sparse("export.zip", b"PK\x03\x04")),
    "10 GB, sparse, zip and more": (
        "file_unreadable", sparse("export.zip", archive({"conversations.json": chats("hi")}))),
    "zip bomb": ("archive_unsafe", holding("a.zip", archive({"conversations.json": b" " * (64 << 20)}))),
    "zip in a zip": (
        "format_unknown", holding("a.zip", archive({"b.zip": archive({"conversations.json": b"[]"})}))),
    "half a zip": ("file_unreadable", holding("a.zip", archive({"conversations.json": chats("hi")})[:150])),
    "a note of a zip is damaged": (
        "file_unreadable", holding("a.zip", stored("a.md", b"All is well").replace(b"All", b"Ill"))),
    "nested lists": ("file_unreadable", holding("chat.json", b"[" * 5_000_000)),
    "nested objects": ("file_unreadable", holding("chat.json", b'{"messages":' * 400_000)),
    "nested in mem0": ("file_unreadable", holding("m.json", b'{"results":[' * 400_000)),
    "broken UTF-8": ("file_unreadable", holding("chat.json", b'[{"role":"user","content":"\xff\xfe\xfa"}]')),
    "half a UTF-16": ("file_unreadable", holding("chat.json", b"\xff\xfe[\x00]")),
    "a long number": ("file_unreadable", holding("chat.json", b"[" + b"9" * 10_000 + b"]")),
    "nothing": ("format_unknown", holding("chat.json", b"")),
    "NUL": ("format_unknown", holding("chat.txt", b"User: \0")),
}  # fmt: skip

BREAKS_OFF: dict[str, Callable[[Path], Path]] = {
    "truncated JSON": holding("conversations.json", chats("one", "two")[:-40]),
    "broken UTF-8 behind": holding(
        "conversations.json", chats("one", "x" * 2_000_000) + b"\xff" + chats("three")
    ),
    "nested behind": holding("conversations.json", chats("one")[:-1] + b"," + b"[" * 3_000_000),
    "truncated export": holding(
        "mine.jsonl", b'{"type":"header","format":"holdfast","version":1,"user":"ana"}\n{"type":"mem'
    ),
}


def imported(store: Path, path: Path) -> Report:
    with Memory(store, user="ana") as memory:
        return import_path(memory, path)


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """A store that holds something already."""
    sound = tmp_path / "sound.json"
    sound.write_text(json.dumps(SOUND), encoding="utf-8")
    assert imported(tmp_path / "a.db", sound).outcomes == {"created": 1}
    return tmp_path / "a.db"


def check_sound(store: Path, count: int) -> None:
    with Memory(store, user="ana") as memory:
        assert memory.doctor().problems == ()
        memory.audit.verify()
        assert memory.count(project="*") == count
        assert memory.recall("boat").items[0].memory.text == "The boat is red"


@pytest.mark.parametrize("name", REFUSED)
def test_s2_20_what_cannot_be_read_says_why_and_leaves_the_store_as_it_was(
    name: str, store: Path, tmp_path: Path
) -> None:
    code, make = REFUSED[name]
    with pytest.raises(InvalidInput) as caught:
        imported(store, make(tmp_path))
    assert caught.value.code == code
    assert len(caught.value.message) < 300
    check_sound(store, 1)


@pytest.mark.parametrize("name", BREAKS_OFF)
def test_s2_20_what_breaks_off_keeps_what_came_before_and_says_so(
    name: str, store: Path, tmp_path: Path
) -> None:
    report = imported(store, BREAKS_OFF[name](tmp_path))
    assert report.breaks_off
    assert report.total == report.outcomes["created"]
    check_sound(store, 1 + report.total)


def test_s2_20_a_huge_file_among_notes_is_left_out(store: Path, tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    notes.mkdir()
    (notes / "a.md").write_text("All is well", encoding="utf-8")
    sparse("b.md")(notes)
    (notes / "c.md").write_bytes(b"\xff\xff")
    report = imported(store, notes)
    assert report.outcomes == {"created": 1}
    assert {one.where for one in report.skipped} == {"b.md", "c.md"}
    check_sound(store, 2)


def test_an_archive_of_many_small_notes_takes_time_in_proportion() -> None:
    archives: dict[int, bytes] = {}
    for count in (4_000, 32_000):
        content = io.BytesIO()
        with zipfile.ZipFile(content, "w") as archive:
            for number in range(count):
                archive.writestr(f"{number}.md", "")
        archives[count] = content.getvalue()

    def read(count: int) -> None:
        found = archived_texts(io.BytesIO(archives[count]), "notes.zip", lambda *_: None)
        assert [file.text() for file in found] == [""] * count

    assert grows_at_most(read, 4_000, 32_000, factor=20, floor=0.02)


def test_an_archive_of_notes_is_read_note_by_note() -> None:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        for number in range(24):
            archive.writestr(f"{number}.md", f"Note {number}. " * 200_000)
    tracemalloc.start()
    lengths = [len(file.text()) for file in archived_texts(content, "notes.zip", lambda *_: None)]
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert sum(lengths) > 32 << 20
    assert peak < 16 << 20
