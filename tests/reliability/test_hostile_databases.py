"""Databases of other programs that are made to harm who imports them: endless, huge, damaged."""

from __future__ import annotations

import io
import sqlite3
import zipfile
from contextlib import closing
from pathlib import Path

import pytest

from holdfast.api.importing import import_bytes
from holdfast.core.errors import InvalidInput
from tests.cases import each
from tests.oracle import OracleStore
from tests.support import memory_on

HISTORY = (
    "CREATE TABLE history (memory_id, new_memory, event, created_at, actor_id, role, is_deleted);"
    "INSERT INTO history VALUES ('m1', 'The boat is red', 'ADD', '2026-05-01', NULL, NULL, 0);"
)
ENDLESS = """
CREATE VIEW v AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)
    SELECT i AS rowid, 'text' AS narrative FROM n;
CREATE VIRTUAL TABLE observations USING fts5(narrative, content='v', content_rowid='rowid');
CREATE TABLE session_summaries (id);
CREATE TABLE sdk_sessions (id);
"""
FORGE = """
CREATE TABLE spare (id);
PRAGMA writable_schema = ON;
UPDATE sqlite_schema SET rootpage = (SELECT rootpage FROM sqlite_schema WHERE name = 'spare')
    WHERE name = 'observations';
DELETE FROM sqlite_schema WHERE name = 'spare';
"""
COMPUTED = """
CREATE TABLE history (memory_id, event, created_at, actor_id, role, is_deleted,
    new_memory GENERATED ALWAYS AS (printf('%.100000000c', 'x')));
INSERT INTO history VALUES ('m1', 'ADD', '2026-05-01', NULL, NULL, 0);
"""
ROWS = """
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200)
    INSERT INTO history (memory_id, new_memory, event) SELECT i, 'Note ' || i, 'ADD' FROM n;
"""
WIDER = "ALTER TABLE history ADD COLUMN more DEFAULT '{}';".format("x" * 900_000)
DEFAULTS = HISTORY + ROWS + WIDER
HUGE = HISTORY.replace("'The boat is red'", "printf('%.20000000c', 'x')")


def database(folder: Path, script: str) -> bytes:
    path = folder / "made.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(script)
        connection.commit()
    return path.read_bytes()


@each(
    "script, code",
    [
        (ENDLESS, "format_unknown"),
        (ENDLESS + FORGE, "format_unknown"),
        (DEFAULTS, "file_unreadable"),
        (HUGE, "file_unreadable"),
    ],
)
def test_what_never_ends_or_is_larger_than_its_file_is_refused(
    script: str, code: str, tmp_path: Path
) -> None:
    memory = memory_on(OracleStore())
    with pytest.raises(InvalidInput) as caught:
        import_bytes(memory, database(tmp_path, script), filename="made.db")
    assert caught.value.code == code
    (tmp_path / "made.db").unlink()


def test_what_a_database_computes_is_not_read(tmp_path: Path) -> None:
    report = import_bytes(memory_on(OracleStore()), database(tmp_path, COMPUTED), filename="made.db")
    assert report.total == 0
    assert [one.reason for one in report.skipped] == ["no text"]


def test_names_that_are_no_text_are_refused(tmp_path: Path) -> None:
    made = database(tmp_path, HISTORY).replace(b"new_memory", b"new_\xff\xfe\xfdory")
    with pytest.raises(InvalidInput) as caught:
        import_bytes(memory_on(OracleStore()), made, filename="made.db")
    assert caught.value.code == "file_unreadable"


def archive(files: dict[str, bytes]) -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as made:
        for name, data in files.items():
            made.writestr(name, data)
    return content.getvalue()


def test_a_damaged_backup_in_an_archive_is_refused() -> None:
    backup = archive({"memories.json": b'{"memories": [], "apps": []}', "memories.jsonl.gz": b""})
    with pytest.raises(InvalidInput) as caught:
        import_bytes(
            memory_on(OracleStore()), backup.replace(b'"apps"', b'"appz"'), filename="openmemory.zip"
        )
    assert caught.value.code == "file_unreadable"


def test_an_entry_without_a_name_is_passed_over() -> None:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as made:
        made.writestr("a.md", b"The boat is red")
        nameless = zipfile.ZipInfo("b")
        nameless.filename = ""
        made.writestr(nameless, b"The boat is blue")
    report = import_bytes(memory_on(OracleStore()), content.getvalue(), filename="notes.zip")
    assert report.outcomes == {"created": 1}
