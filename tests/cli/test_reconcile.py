"""`holdfast reconcile` as people run it: what it prints, and a real process that watches a file."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
from contextlib import closing
from pathlib import Path
from typing import Any

from tests.cli.support import HOLDFAST, run, run_json
from tests.support import PATIENCE


def execute(path: Path, *statements: str) -> None:
    with closing(sqlite3.connect(path)) as connection, connection:
        for statement in statements:
            connection.execute(statement)


def test_s3_38_what_has_changed_on_this_machine_is_read_again(tmp_path: Path) -> None:
    first, second = tmp_path / "first.csv", tmp_path / "second.csv"
    for path in (first, second):
        path.write_text("id,city\n1,Bern\n2,Graz\n")
        os.utime(path, (0, 0))
        run("reconcile", str(path))
    assert run_json("described", "refresh") == {"sources": [], "failures": []}
    second.write_text("id,city\n1,Bern\n2,Graz\n3,Ulm\n")
    os.utime(second, (4e9, 4e9))
    (foreseen,) = run_json("described", "refresh", "--dry-run")["sources"]
    assert (foreseen["name"], foreseen["updated"], foreseen["dry_run"]) == ("second.csv", 1, True)
    assert "second.csv: 1 updated" in run("described", "refresh").stdout
    assert run_json("described", "refresh") == {"sources": [], "failures": []}
    first.unlink()
    refreshed = run_json("described", "refresh", status=1)
    assert (refreshed["sources"], [(one["file"], one["code"]) for one in refreshed["failures"]]) == (
        [], [(str(first), "file_not_found")],
    )  # fmt: skip
    assert "What is known of it stays" in run("described", "refresh", status=1).stderr


def test_s3_38_removed_replaced_and_unreadable_files_are_noticed(tmp_path: Path) -> None:
    folder = tmp_path / "tables"
    folder.mkdir()
    for name in ("a", "b", "c"):
        (folder / f"{name}.csv").write_text("id,city\n1,Bern\n2,Graz\n")
        os.utime(folder / f"{name}.csv", (5e8, 5e8))
    run("reconcile", str(folder))
    (folder / "a.csv").unlink()
    assert run_json("described", "refresh")["sources"][0]["removed"] == 1
    older = tmp_path / "older.csv"
    older.write_text("id,town,street\n1,Bern,Hof\n2,Graz,Gasse\n")
    os.utime(older, (1e8, 1e8))
    older.replace(folder / "b.csv")
    (again,) = run_json("described", "refresh")["sources"]
    assert [(one["action"], one["entity"]) for one in again["changes"]] == [("updated", "b.csv")]
    before = run_json("list", "--kind", "data_table_summary")["memories"]
    for garbage in (bytes(range(256)) * 20, b"\x00\x01\x02" * 50, b"\x81\x8d\x9d" * 500):
        (folder / "c.csv").write_bytes(garbage)
        for _ in range(2):
            found = run_json("described", "refresh", status=1)
            (failure,) = found["failures"]
            assert failure["code"] == "file_unreadable"
            assert "c.csv" in failure["reason"]
    assert run_json("list", "--kind", "data_table_summary")["memories"] == before
    folder.rename(tmp_path / "elsewhere")
    found = run_json("described", "refresh", status=1)
    assert [one["code"] for one in found["failures"]] == ["file_not_found"]


def test_a_process_watches_a_database_through_changes_and_a_broken_file(tmp_path: Path) -> None:
    source = tmp_path / "shop.db"
    execute(
        source,
        "CREATE TABLE orders (id INTEGER PRIMARY KEY, total REAL)",
        "INSERT INTO orders VALUES (1, 2.5)",
    )
    process = subprocess.Popen(
        [HOLDFAST, "reconcile", str(source), "--watch", "--json"], text=True,
        env={**os.environ, "HOLDFAST_STORE": str(tmp_path / "memories.db")},
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    assert process.stdout is not None
    assert process.stderr is not None

    def news() -> dict[str, Any]:
        found: dict[str, Any] = json.loads(process.stdout.readline())  # type: ignore[union-attr]
        return {change["entity"]: change["action"] for change in found["changes"]}

    try:
        assert news() == {"orders": "created", "file": "created"}
        execute(source, "INSERT INTO orders VALUES (2, 80)")
        assert news() == {"orders": "updated", "file": "updated"}
        whole = source.read_bytes()
        source.write_bytes(b"half of it")
        assert "not read now" in process.stderr.readline()
        source.write_bytes(whole)
        execute(source, "CREATE TABLE customers (id INTEGER)")
        assert news() == {"customers": "created", "file": "updated"}
    finally:
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=PATIENCE)
