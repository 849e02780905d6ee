"""Moving in: the stores of other programs, as these programs wrote them (tests/foreign)."""

from __future__ import annotations

import json
import os
import pickle
import sqlite3
import zipfile
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from holdfast import InvalidInput
from holdfast.api.importing import import_path
from holdfast.features.transfer.formats.model import (
    Conversation,
    ForeignProject,
    ImportedEntity,
    Link,
    Note,
    Observed,
)
from holdfast.features.transfer.formats.opening import open_import, opened_bytes
from tests.oracle import OracleStore
from tests.support import memory_on

FOREIGN = Path(__file__).parent.parent / "foreign"
DATABASES = ("mem0-qdrant", "mem0-history", "mcp-memory-service", "claude-mem", "openmemory")


def database(folder: Path, name: str) -> Path:
    """Builds a database in a folder."""
    path = folder / f"{name}.sqlite"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript((FOREIGN / f"{name}.sql").read_text(encoding="utf-8"))
        connection.commit()
    return path


def read(path: Path) -> tuple[str, list[Any], list[str]]:
    with open_import(path) as found:
        items = list(found.items)
        return found.format, items, [one.reason for one in found.skipped() for _ in range(one.count)]


def notes(items: list[Any]) -> list[Note]:
    return [item for item in items if isinstance(item, Note)]


def test_memories_of_mem0_are_read_from_local_qdrant(tmp_path: Path) -> None:
    format, items, skipped = read(database(tmp_path, "mem0-qdrant"))
    assert (format, skipped) == ("mem0", [])
    by_text = {note.text: note for note in notes(items)}
    assert set(by_text) == {"I am allergic to nuts", "Noted", "Likes green tea", "Was in Rome"}
    allergic = by_text["I am allergic to nuts"]
    assert allergic.kind == "fact"
    assert allergic.at == 1_795_426_333_978
    named = {name: allergic.metadata[name] for name in ("user_id", "run_id", "role", "channel", "n")}
    assert named == {"user_id": "alex", "run_id": "r1", "role": "user", "channel": "web", "n": 3}
    history = notes(read(database(tmp_path, "mem0-history"))[1])
    assert {note.text: note.id for note in history} == {text: note.id for text, note in by_text.items()}


def test_a_pickle_in_a_point_runs_nothing(tmp_path: Path) -> None:
    class Evil:
        def __reduce__(self) -> Any:
            return os.system, (f"touch {tmp_path / 'ran'}",)

    path = database(tmp_path, "mem0-qdrant")
    with closing(sqlite3.connect(path)) as connection:
        for data in (pickle.dumps(Evil()), b"\x80\x04broken", b""):
            connection.execute("INSERT INTO points VALUES (hex(randomblob(4)), ?)", (data,))
        connection.commit()
    _, items, skipped = read(path)
    assert len(items) == 4
    unread = "its pickle cannot be read: not a pickle that is read: IndexError"
    assert sorted(skipped) == [unread, unread, "not a memory of mem0"]
    assert not (tmp_path / "ran").exists()


def test_memories_of_mcp_memory_service(tmp_path: Path) -> None:
    format, items, skipped = read(database(tmp_path, "mcp-memory-service"))
    assert (format, skipped) == ("mcp-memory-service", ["deleted there"])
    decision, other = notes(items)
    assert (decision.kind, decision.tags, decision.metadata) == (
        "decision", ("deploy", "rule"), {"source": "chat"},
    )  # fmt: skip
    assert (other.text, other.kind, other.metadata) == (
        "The staging host is slow", "note", {"memory_type": "observation"},
    )  # fmt: skip


def test_observations_and_summaries_of_claude_mem(tmp_path: Path) -> None:
    format, items, skipped = read(database(tmp_path, "claude-mem"))
    assert format == "claude-mem"
    assert items[0] == ForeignProject("shop")
    assert sorted(skipped) == ["a prompt without its answer: import its transcript", "no text"]
    decision, bugfix, summary = notes(items)
    assert (decision.kind, decision.title, decision.project) == ("decision", "Keep JWT", "shop")
    assert decision.text.endswith("- Tokens live 15 minutes\n- Refresh rotates")
    assert decision.metadata["files"] == ["shop/tokens.py", "shop/auth.py"]
    assert (bugfix.kind, summary.kind) == ("error_pattern", "task_outcome")
    assert "Learned: exp is relative" in summary.text


@pytest.mark.parametrize("name", DATABASES)
def test_databases_are_imported_once_and_left_as_they_are(tmp_path: Path, name: str) -> None:
    path, memory = database(tmp_path, name), memory_on(OracleStore())
    before = path.read_bytes()
    first, again = import_path(memory, path), import_path(memory, path)
    assert set(first.outcomes) <= {"created", "outdated"}
    assert first.outcomes["created"] >= 2
    assert set(again.outcomes) <= {"duplicate", "outdated"}
    assert path.read_bytes() == before
    assert [one.name for one in tmp_path.iterdir()] == [path.name]


def test_changes_in_the_log_of_a_running_program_are_read(tmp_path: Path) -> None:
    path = database(tmp_path, "mem0-history")
    with closing(sqlite3.connect(path)) as running:
        running.execute("PRAGMA journal_mode = WAL")
        running.execute(
            "INSERT INTO history (id, memory_id, new_memory, event, updated_at)"
            " VALUES ('x', 'm', 'Plays chess', 'ADD', '2027-01-01')"
        )
        running.commit()
        files = {one.name: one.read_bytes() for one in tmp_path.iterdir()}
        assert "Plays chess" in [note.text for note in notes(read(path)[1])]
        assert {one.name: one.read_bytes() for one in tmp_path.iterdir()} == files


def test_databases_of_others_and_damaged_ones_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "other.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE memories (id INTEGER)")
    with pytest.raises(InvalidInput, match="no known program") as error:
        read(path)
    assert error.value.code == "format_unknown"
    with pytest.raises(InvalidInput), open_import(database(tmp_path, "claude-mem"), "mem0"):
        pass
    whole = database(tmp_path, "mem0-qdrant").read_bytes()
    (tmp_path / "cut.db").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(InvalidInput) as error:
        read(tmp_path / "cut.db")
    assert error.value.code == "file_unreadable"
    with opened_bytes(whole, "storage.sqlite") as found:
        assert len(list(found.items)) == 4


def test_the_database_of_openmemory_and_its_backup_hold_the_same(tmp_path: Path) -> None:
    format, items, skipped = read(database(tmp_path, "openmemory"))
    assert (format, skipped) == ("mem0", ["deleted there"])
    lisbon, tea = notes(items)
    named = {"user_id": "alex", "app_id": "cursor", "updated_at": "2026-05-02T10:00:00.000000+00:00", "n": 1}
    assert (lisbon.text, lisbon.tags, lisbon.metadata) == (
        "Flies to Lisbon in May",
        ("food", "travel"),
        named,
    )
    assert (lisbon.at, tea.tags) == (1_777_629_600_000, ())
    user, app, memory = (f"0{letter}000000-0000-4000-8000-000000000001" for letter in "abd")
    labels = [{"id": f"c{number}", "name": name} for number, name in enumerate(("travel", "food"))]
    backup = {
        "user": {"id": user, "user_id": "alex"}, "apps": [{"id": app, "name": "cursor"}],
        "categories": labels,
        "memory_categories": [{"memory_id": memory, "category_id": label["id"]} for label in labels],
        "memories": [
            {
                "id": memory, "user_id": user, "app_id": app, "content": lisbon.text, "metadata": {"n": 1},
                "state": "active", "created_at": "2026-05-01T10:00:00+00:00",
                "updated_at": named["updated_at"],
            },
            {"id": "x", "app_id": app, "content": "Lives in Bonn", "state": "deleted"},
        ],
    }  # fmt: skip
    folder = tmp_path / "unpacked"
    folder.mkdir()
    (folder / "memories.json").write_text(json.dumps(backup), encoding="utf-8")
    (folder / "memories.jsonl.gz").write_bytes(b"\x1f\x8b")
    archive = tmp_path / "memories_export_alex.zip"
    with zipfile.ZipFile(archive, "w") as written:
        for file in folder.iterdir():
            written.write(file, file.name)
    again = "the same memories again"
    for path, left_out in ((folder, ["deleted there"]), (archive, [again, "deleted there"])):
        format, items, skipped = read(path)
        assert (format, notes(items), sorted(skipped, reverse=True)) == ("mem0", [lisbon], left_out)


def test_a_backup_of_openmemory(tmp_path: Path) -> None:
    memories = [
        {"id": "1", "content": "Likes tea", "state": "active", "app_id": "a", "metadata": {"k": 1}},
        {"id": "2", "content": "Likes cola", "state": "deleted", "app_id": "a"},
    ]
    path = tmp_path / "backup.json"
    path.write_text(json.dumps({"user": {"id": "u"}, "memories": memories, "apps": []}), encoding="utf-8")
    format, items, skipped = read(path)
    assert (format, skipped) == ("mem0", ["deleted there"])
    assert [(note.text, note.metadata) for note in notes(items)] == [("Likes tea", {"app_id": "a", "k": 1})]


def test_no_link_in_an_unpacked_backup_of_openmemory_is_followed(tmp_path: Path) -> None:
    """An archive may hold links: they would bring in a file of somebody else's choice."""
    other, folder = tmp_path / "other.json", tmp_path / "backup"
    folder.mkdir()
    other.write_text(json.dumps([{"id": "1", "memory": "Likes tea"}]), encoding="utf-8")
    (folder / "memories.json").symlink_to(other)
    (folder / "memories.jsonl.gz").write_bytes(b"")
    with pytest.raises(InvalidInput, match="no notes"):
        read(folder)


def test_a_backup_of_openmemory_with_rows_that_lead_nowhere(tmp_path: Path) -> None:
    backup = {
        "user": {"id": "u", "user_id": {"no": "name"}},
        "apps": [{"id": ["x"], "name": "odd"}, {"id": "a", "name": "Chat"}],
        "categories": [{"id": "c", "name": 7}, {"id": "d", "name": "drinks"}],
        "memory_categories": [{"memory_id": "1"}, *({"memory_id": "1", "category_id": id} for id in "cd")],
        "memories": [{"id": "1", "content": "Likes tea", "state": "active", "app_id": "a", "user_id": "u"}],
    }  # fmt: skip
    path = tmp_path / "memories.json"
    path.write_text(json.dumps(backup), encoding="utf-8")
    (note,) = notes(read(path)[1])
    assert (note.text, note.tags, note.metadata) == (
        "Likes tea",
        ("drinks",),
        {"app_id": "Chat", "user_id": "u"},
    )


def test_an_agent_file_of_letta(tmp_path: Path) -> None:
    path = tmp_path / "agent.af"
    message = {
        "role": "user",
        "content": [{"type": "text", "text": "Hi"}],
        "created_at": "2026-01-01T00:00:00Z",
    }
    agent = {"id": "agent-0", "name": "Sam", "messages": [{"role": "system", "content": "Be kind"}, message]}
    blocks = [
        {"id": "block-0", "label": "human", "value": "Ana is a nurse"},
        {"label": "notes", "value": " "},
    ]
    path.write_text(json.dumps({"agents": [agent], "blocks": blocks, "tools": []}), encoding="utf-8")
    format, items, skipped = read(path)
    assert (format, len(skipped)) == ("letta", 2)
    (block,) = notes(items)
    assert (block.text, block.kind, block.title) == ("Ana is a nurse", "profile", "human")
    (talk,) = [item for item in items if isinstance(item, Conversation)]
    assert [(one.role, one.content) for one in talk.messages] == [("user", "Hi")]


def test_passages_of_letta_which_its_agent_files_do_not_hold(tmp_path: Path) -> None:
    path = tmp_path / "passages.json"
    passage = {"id": "passage-1", "text": "Ana is a nurse", "created_at": "2026-01-01T00:00:00Z"}
    path.write_text(json.dumps([passage, {**passage, "id": "passage-2", "text": " "}]), encoding="utf-8")
    format, items, skipped = read(path)
    assert (format, skipped) == ("letta", ["no text"])
    assert [(note.text, note.at) for note in notes(items)] == [("Ana is a nurse", 1_767_225_600_000)]


def test_a_graph_of_graphiti(tmp_path: Path) -> None:
    path = tmp_path / "graph.json"
    nodes = [
        {"uuid": "n1", "name": "Ana", "labels": ["Entity", "Person"], "summary": "A nurse"},
        {"uuid": "n2", "name": "Porto", "labels": ["Entity"]},
    ]
    edge = {"source_node_uuid": "n1", "target_node_uuid": "n2", "name": "LIVES_IN"}
    edges = [
        edge | {"uuid": "e1", "fact": "Ana lives in Porto", "valid_at": "2026-01-01T00:00:00Z"},
        edge | {"uuid": "e2", "fact": "Ana lived in Rome", "invalid_at": "2025-01-01T00:00:00Z"},
    ]
    path.write_text(json.dumps({"nodes": nodes, "edges": edges}), encoding="utf-8")
    format, items, skipped = read(path)
    assert (format, skipped) == ("zep", ["holds no longer"])
    assert items[:2] == [
        ImportedEntity("Ana", "Person", (Observed("A nurse"),)),
        ImportedEntity("Porto", "concept"),
    ]
    assert [note.text for note in notes(items)] == ["Ana lives in Porto"]
    assert items[-1] == Link("Ana", "LIVES_IN", "Porto")
    episode = {"uuid": "p1", "name": "chat", "labels": [], "content": "Ana: I moved to Porto"}
    path.write_text(json.dumps({"nodes": nodes, "edges": edges, "episodes": [episode]}), encoding="utf-8")
    assert sorted(read(path)[2]) == ["holds no longer", "neither a node nor an edge"]
    lines = tmp_path / "graph.jsonl"  # as `model_dump_json` of graphiti-core writes each
    lines.write_text("".join(f"{json.dumps(one)}\n" for one in [*nodes, episode, *edges]), encoding="utf-8")
    format, again, skipped = read(lines)
    assert (format, again) == ("zep", items)
    assert sorted(skipped) == ["holds no longer", "neither a node nor an edge"]
