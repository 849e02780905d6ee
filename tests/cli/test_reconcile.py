"""`holdfast reconcile` as people run it: what it prints, and a real process that watches a file."""

from __future__ import annotations

import json
import os
import shutil
import signal
import sqlite3
import subprocess
from contextlib import chdir, closing
from functools import partial
from pathlib import Path
from typing import Any

from holdfast import Memory
from tests.cli.support import HOLDFAST, error_of, run, run_json
from tests.support import PATIENCE


def execute(path: Path, *statements: str) -> None:
    with closing(sqlite3.connect(path)) as connection, connection:
        for statement in statements:
            connection.execute(statement)


def test_s3_38_what_has_changed_on_this_machine_is_read_again(tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    first, second = disk / "first.csv", disk / "second.csv"
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
    disk.rename(tmp_path / "unmounted")
    refreshed = run_json("described", "refresh", status=1)
    assert refreshed["sources"] == []
    failures = sorted((failure["file"], failure["code"]) for failure in refreshed["failures"])
    assert failures == [(str(first), "file_not_found"), (str(second), "file_not_found")]
    assert "Its descriptions stay" in run("described", "refresh", status=1).stderr
    assert len(run_json("list")["memories"]) == 2
    (tmp_path / "unmounted").rename(disk)
    assert run_json("described", "refresh") == {"sources": [], "failures": []}


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
    assert [(change["action"], change["entity"]) for change in again["changes"]] == [("updated", "b.csv")]
    before = run_json("list", "--kind", "data_table_summary")["memories"]
    for garbage in (bytes(range(256)) * 20, b"\x00\x01\x02" * 50, b"\x81\x8d\x9d" * 500):
        (folder / "c.csv").write_bytes(garbage)
        for _ in range(2):
            output = run_json("described", "refresh", status=1)
            (failure,) = output["failures"]
            assert failure["code"] == "file_unreadable"
            assert "c.csv" in failure["reason"]
    assert run_json("list", "--kind", "data_table_summary")["memories"] == before
    (folder / "c.csv").unlink()
    run("described", "refresh")
    folder.rename(tmp_path / "elsewhere")
    (renamed,) = run_json("described", "refresh")["sources"]
    assert (renamed["name"], renamed["renamed_from"], renamed["updated"]) == ("elsewhere", "tables", 2)


def rows_of(path: Path, count: int) -> None:
    path.write_text("id,city\n" + "".join(f"{number},Bern\n" for number in range(count)))


def by_id(*arguments: str) -> dict[str, Any]:
    return {memory["external_id"]: memory for memory in run_json("list", *arguments)["memories"]}


def test_s3_25_a_renamed_or_deleted_file_keeps_or_loses_its_descriptions(tmp_path: Path) -> None:
    source, copy = tmp_path / "shop.db", tmp_path / "copy.db"
    execute(source, "CREATE TABLE orders (id INTEGER PRIMARY KEY, total REAL)", "CREATE TABLE c (name TEXT)")
    run("reconcile", str(source))
    known = by_id()
    run("revise", known["c"]["id"], "Candidates of the jury.")
    run("pin", known["orders"]["id"])
    shutil.copy2(source, copy)
    result = run_json("reconcile", str(copy))
    assert (result["created"], result.get("renamed_from")) == (3, None), "a copy is another source"
    run("described", "delete", str(copy), "--hard", "--yes")
    copy.unlink()
    renamed = source.rename(tmp_path / "shop_2025.db")
    output = run("reconcile", str(renamed)).stdout
    assert "shop_2025.db (until now shop.db): 1 updated, 2 unchanged" in output
    after = by_id()
    assert {id: one["id"] for id, one in after.items()} == {id: one["id"] for id, one in known.items()}
    assert after["c"]["text"] == "Candidates of the jury."
    assert after["orders"]["pinned"]
    assert after["file"]["title"] == "shop_2025.db"
    assert [change["version"] for change in run_json("history", after["file"]["id"])["changes"]][-1] == 2
    (tmp_path / "deeper").mkdir()
    moved = renamed.rename(tmp_path / "deeper" / "shop.db")
    assert run_json("reconcile", str(moved))["renamed_from"] == "shop_2025.db"
    assert run_json("described", "list")["sources"][0]["file"] == str(moved)
    moved.rename(tmp_path / "deeper" / "till.db")
    (again,) = run_json("described", "refresh")["sources"]
    assert (again["name"], again["renamed_from"]) == ("till.db", "shop.db")
    (tmp_path / "deeper" / "till.db").rename(tmp_path / "away.db")
    (gone,) = run_json("described", "refresh")["sources"]
    assert (gone["removed"], gone["kept"]) == (1, 2)
    assert set(by_id()) == {"c", "orders"}, "what a person pinned or edited stays"
    assert run_json("described", "refresh") == {"sources": [], "failures": []}
    back = run_json("reconcile", str(tmp_path / "away.db"))
    assert (back["renamed_from"], back["restored"], back.get("created", 0)) == ("till.db", 1, 0)
    assert by_id()["file"]["id"] == known["file"]["id"]
    (tmp_path / "away.db").unlink()
    assert "away.db: 1 removed, 2 kept" in run("reconcile", str(tmp_path / "away.db")).stdout
    run("reconcile", str(tmp_path / "never.db"), status=2)


def test_s3_25_two_that_were_the_same_are_not_taken_for_one_another(tmp_path: Path) -> None:
    for name in ("a.csv", "b.csv"):
        rows_of(tmp_path / name, 7)
        run("reconcile", str(tmp_path / name))
    known = {one["id"] for one in by_id().values()}
    (tmp_path / "a.csv").unlink()
    (tmp_path / "b.csv").rename(tmp_path / "c.csv")
    result = run_json("reconcile", str(tmp_path / "c.csv"))
    assert (result["created"], result.get("renamed_from")) == (1, None)
    assert by_id()["c.csv"]["id"] not in known


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
        preexec_fn=partial(signal.signal, signal.SIGINT, signal.SIG_DFL),  # who runs the tests may ignore it
    )  # fmt: skip
    assert process.stdout is not None
    assert process.stderr is not None

    def news() -> dict[str, Any]:
        data: dict[str, Any] = json.loads(process.stdout.readline())  # type: ignore[union-attr]
        return {change["entity"]: change["action"] for change in data["changes"]}

    try:
        assert news() == {"orders": "created", "file": "created"}
        execute(source, "INSERT INTO orders VALUES (2, 80)")
        assert news() == {"orders": "updated", "file": "updated"}
        whole = source.read_bytes()
        source.write_bytes(b"half of it")
        assert "could not be read" in process.stderr.readline()
        source.write_bytes(whole)
        execute(source, "CREATE TABLE customers (id INTEGER)")
        assert news() == {"customers": "created", "file": "updated"}
        renamed = source.rename(tmp_path / "till.db")
        assert set(news().values()) == {"updated"}
        execute(renamed, "CREATE TABLE boats (id INTEGER)")
        assert news() == {"boats": "created", "file": "updated"}
        renamed.unlink()
        assert set(news().values()) == {"removed"}
        renamed.write_bytes(whole)
        assert set(news().values()) == {"restored"}
    finally:
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=PATIENCE)


def test_s3_12_a_model_is_asked_about_a_source_by_its_path_or_name(tmp_path: Path) -> None:
    path = tmp_path / "plan.csv"
    path.write_text("id,city\n1,Bern\n2,Graz\n")
    run("reconcile", str(path))
    assert "model" in run("models", "describe", str(path), status=3).stderr
    run("models", "add", "near", "some-model", "--url", "http://localhost:9/v1")
    queued = run_json("models", "describe", str(path))
    assert (queued["kind"], queued["state"]) == ("describe", "queued")
    assert run_json("models", "describe", "plan.csv")["kind"] == "describe"
    path.rename(tmp_path / "gone.csv")
    assert "not read on this machine" in run("models", "describe", "plan.csv", status=2).stderr
    assert "there is no source" in run("models", "describe", "unknown", status=3).stderr


def test_members_of_a_private_source_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "plan.csv"
    path.write_text("id,city\n1,Bern\n")
    refused = error_of("reconcile", str(path), "--member", "bo", status=2)
    assert (refused["code"], "visibility" in refused["hint"]) == ("argument_invalid", True)
    output = run_json("reconcile", str(path), "--visibility", "team", "--member", "bo")
    assert output["created"] == 1
    with chdir(tmp_path):
        run("described", "update", "./plan.csv", "--members", "cy")
        assert "cy" in run("described", "show", "plan.csv").stdout
    assert "described list" in run("described", "show", "./plan.csv", status=3).stderr


def test_every_file_of_a_folder_is_accounted_for_and_a_failure_is_a_status(tmp_path: Path) -> None:
    folder = tmp_path / "mixed"
    (folder / "sub").mkdir(parents=True)
    (folder / "good.csv").write_text("id,city\n1,Bern\n2,Graz\n")
    (folder / "bad.csv").write_bytes(bytes(range(256)) * 20)
    (folder / "bad.parquet").write_bytes(b"PAR1 and nothing else")
    for name in ("book.xlsx", "cells.ipynb", "sub/notes.txt"):
        (folder / name).write_text("{ broken")
    (folder / "link").symlink_to(folder / "good.csv")
    execute(folder / "shop.db", "CREATE TABLE t (a)")
    (folder / "empty.db").touch()
    with Memory(folder / "store.db") as store:
        store.remember("a store is no source")
    foreseen = run_json("reconcile", str(folder), "--dry-run", status=1)
    output = run_json("reconcile", str(folder), status=1)
    for one in (foreseen, output):
        assert [result["name"] for result in one["sources"]] == ["mixed", "shop.db"]
        assert {failure["name"]: failure["source"] for failure in one["failures"]} == {
            "book.xlsx": None, "cells.ipynb": None,
        }  # fmt: skip
    said = {change["entity"]: (change["action"], change["why"]) for change in output["sources"][0]["changes"]}
    assert said == {
        change["entity"]: (change["action"], change["why"]) for change in foreseen["sources"][0]["changes"]
    }
    assert said == {
        "good.csv": ("created", None),
        "file": ("created", None),
        "bad.csv": ("failed", "it is not text: save it as CSV in UTF-8"),
        "bad.parquet": ("failed", "it is damaged or not a .parquet file: write it again"),
        "sub/notes.txt": ("skipped", "it is not a table"),
        "empty.db": ("skipped", "it is empty"),
        "store.db": ("skipped", "a store of Holdfast"),
        "store.db.head": ("skipped", "it is not a table"),
        "link": ("skipped", "it is a link"),
    }
    assert (output["sources"][0]["failed"], output["sources"][0]["skipped"]) == (2, 5)
    assert "line 1 is not valid JSON" in run("reconcile", str(folder / "cells.ipynb"), status=2).stderr
    for name in ("bad.csv", "bad.parquet", "book.xlsx", "cells.ipynb"):
        (folder / name).unlink()
    said_again = run("reconcile", str(folder)).stdout
    assert "sub/notes.txt (it is not a table)" in said_again
    assert "2 sources: " in said_again


def test_a_folder_is_reconciled_with_what_is_in_it_and_follows_it(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    folder.mkdir()
    (folder / "a.csv").write_text("id,city\n1,Bern\n2,Graz\n")
    execute(folder / "shop.db", "CREATE TABLE orders (a)", "CREATE TABLE fees (b)")
    execute(folder / "old.db", "CREATE TABLE t (a)")
    only = run_json("reconcile", str(folder), "--only", "tables")
    (alone,) = only["sources"]
    assert [change["entity"] for change in alone["changes"] if change["action"] == "skipped"] == [
        "old.db",
        "shop.db",
    ]
    assert "only may name" in run("reconcile", str(folder), "--only", "sheets", status=2).stderr
    counts = {source["name"]: source["created"] for source in run_json("reconcile", str(folder))["sources"]}
    assert counts == {"data": 0, "old.db": 2, "shop.db": 3}
    execute(folder / "shop.db", "DROP TABLE orders")
    (folder / "old.db").unlink()
    planned = run("reconcile", str(folder), "--dry-run").stdout
    assert "removed: orders (shop.db) (no longer in its source)" in planned
    assert "removed: t (old.db)" in planned
    sources = run_json("reconcile", str(folder))["sources"]
    assert {one["name"]: one["removed"] for one in sources} == {"data": 0, "shop.db": 1, "old.db": 2}
    assert "fees (shop.db)" in {memory["title"] for memory in run_json("list")["memories"]}
    refused = error_of("reconcile", str(folder / "a.csv"), "--only", "tables", status=2)
    assert "no folder of tables" in refused["message"]


def test_what_holds_nothing_and_what_has_no_reader_say_so(tmp_path: Path) -> None:
    (tmp_path / "crew").mkdir()
    assert "crew: nothing to describe in it" in run("reconcile", str(tmp_path / "crew")).stdout
    assert run_json("described", "list")["sources"] == []
    (tmp_path / "x.db").touch()
    empty = error_of("reconcile", str(tmp_path / "x.db"), status=2)
    assert (empty["code"], empty["message"]) == ("file_unreadable", "x.db is empty (0 bytes)")
    for address, hint in (
        ("mysql://ana:geheim@db/shop", "export its tables"),
        ("postgresql+psycopg://ana:geheim@db/shop", "without the driver: postgresql://"),
        ("sqlite:///x.db", "name the path of the file"),
    ):
        error = error_of("reconcile", address, status=2)
        assert error["code"] == "format_unknown"
        assert hint in error["hint"]
        assert "geheim" not in str(error)
