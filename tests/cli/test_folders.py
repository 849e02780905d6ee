"""`holdfast folders` indexes folders, shows what is in them and takes them away again."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.cli.support import error_of, run, run_json


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    root = tmp_path / "shop"
    (root / "src").mkdir(parents=True)
    (root / "src" / "till.py").write_text("def total(cart):\n    return sum(cart)\n")
    (root / "guide.md").write_text("# Guide\n\nThe till is counted at nine in the evening.\n")
    (root / "logo.png").write_bytes(b"\x89PNG")
    return root


def test_s1_63_a_folder_is_added_indexed_and_recalled(tree: Path) -> None:
    assert "No folders are indexed yet." in run("folders").stdout
    added = run("folders", "add", str(tree), "--project", "shop", "--project", "office")
    output = added.stdout
    assert "holdfast folders files shop-dir --state skipped" in added.stderr
    assert "Folder shop-dir is a source of office, shop." in output
    assert "2 new: 2 passages" in output
    assert "left out: never read (1)" in output
    (hit, *_) = run_json("recall", "when is the till counted", "--project", "office")["hits"]
    assert hit["memory"]["metadata"]["path"] == "guide.md"
    (folder,) = run_json("folders")["folders"]
    assert (folder["slug"], folder["state"], folder["files"]["indexed"]) == ("shop-dir", "idle", 2)
    assert all(word in run("folders", "list").stdout for word in ("shop-dir", "office, shop", "idle"))
    shown = run("folders", "show", "shop-dir").stdout
    assert all(word in shown for word in (str(tree), "2 indexed, 1 left out, 0 in error", "private"))


def test_ask_says_where_in_a_file_a_match_is_and_shows_whole_lines(tree: Path) -> None:
    lines = [f"def fee_{number}(cart):\n    return {number} * cart.size\n\n\n" for number in range(60)]
    (tree / "src" / "fees.py").write_text("".join(lines) + "def refund(order):\n    return order.paid\n")
    run("folders", "add", str(tree), "--project", "shop")
    first, *text = run("ask", "what does refund return?", "--project", "shop").stdout.splitlines()[1:]
    place = re.fullmatch(r"\[M1\] \(file\) src/fees\.py:(\d+)-(\d+)  .*", first)
    assert place is not None, first
    of_file = (tree / "src" / "fees.py").read_text().splitlines()
    assert text[0] in of_file
    assert int(place[1]) <= of_file.index("def refund(order):") + 1 <= int(place[2])


def test_a_passage_of_a_document_is_told_by_its_message_not_by_lines(tmp_path: Path) -> None:
    messages = "".join(
        f"From a@example.org Tue Sep  3 10:00:00 2024\nFrom: a@example.org\nSubject: Berth {number}\n\n"
        f"Berth {number} is rented to {name} until autumn. {'The fee is due in June. ' * 20}\n\n"
        for number, name in enumerate(("Ines", "Olav", "Femke"))
    )
    (tmp_path / "post").mkdir()
    (tmp_path / "post" / "harbour.mbox").write_text(messages)
    run("folders", "add", str(tmp_path / "post"), "--project", "harbour")
    output = run("recall", "who rents it: Olav", "--project", "harbour", "--limit", "1").stdout
    assert "harbour.mbox, Berth 1" in output
    assert "harbour.mbox:" not in output
    (hit,) = run_json("recall", "who rents it: Olav", "--project", "harbour", "--limit", "1")["hits"]
    assert hit["memory"]["metadata"]["lines"] is None


def test_s1_57_indexing_again_reads_what_changed(tree: Path) -> None:
    run("folders", "add", str(tree))
    assert run_json("folders", "index", "shop-dir")["unchanged"] == 2
    (tree / "guide.md").write_text("# Guide\n\nThe till is counted at ten.\n")
    (tree / "src" / "till.py").unlink()
    output = run_json("folders", "index", "shop-dir")
    assert (output["changed"], output["removed"], output["unchanged"]) == (1, 1, 0)
    assert run_json("folders", "index", "shop-dir", "--anew")["changed"] == 1


def test_s1_9_indexing_is_left_to_a_worker(tree: Path) -> None:
    run("folders", "add", str(tree), "--later")
    assert run_json("folders")["folders"][0]["files"]["indexed"] == 0
    run("worker", "--once")
    assert run_json("folders")["folders"][0]["files"]["indexed"] == 2
    (job,) = run_json("folders", "jobs", "shop-dir")["jobs"]
    assert (job["kind"], job["state"], job["result"]["new"]) == ("index", "success", 2)
    assert job["id"] in run("folders", "jobs", "shop-dir").stdout


def test_s1_64_a_rebuild_is_left_to_a_worker(tree: Path) -> None:
    run("folders", "add", str(tree))
    job = run_json("folders", "index", "shop-dir", "--anew", "--later")
    run("worker", "--once")
    (done,) = run_json("folders", "jobs", "shop-dir")["jobs"]
    assert (done["id"], done["state"], done["result"]["changed"]) == (job["id"], "success", 2)


def test_s1_4_s1_65_files_and_figures(tree: Path) -> None:
    run("folders", "add", str(tree))
    found = {file["path"]: file for file in run_json("folders", "files", "shop-dir")["files"]}
    assert list(found) == ["guide.md", "logo.png", "src/till.py"]
    assert found["logo.png"]["reason"] == "never_read"
    page = run("folders", "files", "shop-dir", "--limit", "1")
    assert "guide.md" in page.stdout
    assert "--after guide.md" in page.stderr
    assert run_json("folders", "stats", "shop-dir")["total"] == 2
    assert "2 passages, 2 different" in run("folders", "stats", "shop-dir").stdout


def test_s1_50_connecting_and_disconnecting(tree: Path) -> None:
    run("folders", "add", str(tree), "--project", "shop")
    assert "source of barn, shop" in run("folders", "connect", "shop-dir", "barn").stdout
    assert len(run_json("recall", "till", "--project", "barn")["hits"]) > 0
    run("folders", "disconnect", "shop-dir", "barn")
    assert "connected to no project" in run("folders", "disconnect", "shop-dir", "shop").stdout
    assert run_json("recall", "till", "--project", "shop")["hits"] == []
    assert error_of("folders", "index", "shop-dir", status=2)["code"] == "argument_invalid"


def test_s1_70_s1_71_the_tree_and_files(tree: Path) -> None:
    run("folders", "add", str(tree))
    assert run("folders", "tree", "shop-dir").stdout.split() == ["src/", "till.py", "guide.md", "logo.png"]
    assert "counted at nine" in run("folders", "cat", "shop-dir", "guide.md").stdout
    assert "bytes" in run("folders", "cat", "shop-dir", "guide.md", "--bytes", "5").stderr
    assert error_of("folders", "cat", "shop-dir", "../x", status=2)["code"] == "path_outside"
    assert error_of("folders", "cat", "shop-dir", "missing", status=3)["code"] == "path_not_found"


def test_s1_64_deleting_erases_and_asks_first(tree: Path) -> None:
    run("folders", "add", str(tree))
    assert error_of("folders", "delete", "shop-dir", status=2)["hint"] == "run it again with --yes"
    assert run("folders", "delete", "shop-dir", "--yes").stdout == "Erased: folder shop-dir with 2 passages\n"
    assert run_json("folders")["folders"] == []
    assert error_of("folders", "show", "shop-dir", status=3)["code"] == "source_not_found"
    assert (tree / "guide.md").exists()
    assert run_json("doctor")["healthy"] is True


def test_s1_63_what_is_no_folder_is_refused(tree: Path) -> None:
    assert error_of("folders", "add", str(tree / "missing"), status=2)["code"] == "file_not_found"
    assert error_of("folders", "add", str(tree / "guide.md"), status=2)["code"] == "not_a_file"
    everybody = error_of("folders", "add", str(tree), "--visibility", "all", status=2)
    assert everybody["code"] == "visibility_unknown"


def test_a_folder_is_named_by_its_path_too(
    tree: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By `.` or any path that leads to it, for every command that takes a folder."""
    run("folders", "add", str(tree), "--project", "shop")
    slug = run_json("folders")["folders"][0]["slug"]
    monkeypatch.chdir(tree)
    run("folders", "connect", ".", "office")
    assert run_json("folders", "disconnect", ".", "office")["projects"] == ["shop"]
    for command, rest in {
        "index": (), "show": (), "files": (), "connect": ("office",), "stats": (), "jobs": (), "tree": (),
        "cat": ("guide.md",),
    }.items():  # fmt: skip
        by_path, by_name = (run_json("folders", command, name, *rest) for name in (".", slug))
        by_path.pop("seconds", None), by_name.pop("seconds", None)
        assert by_path == by_name, command
    assert error_of("folders", "show", "..", status=3)["code"] == "source_not_found"
    assert error_of("folders", "show", "\0", status=3)["code"] == "source_not_found"
    (tmp_path / "link").symlink_to(tree)
    assert run_json("folders", "show", str(tmp_path / "link"))["slug"] == slug
    assert error_of("folders", "show", ".", "--user", "ben", status=3)["code"] == "source_not_found"
    assert run_json("folders", "delete", str(tree), "--yes")["folder"] == slug
    assert run_json("folders")["folders"] == []


def test_s1_57_the_folder_one_is_in_is_indexed(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tree.parent)
    assert error_of("folders", "index", status=2)["hint"] == "holdfast folders add ."
    missing = error_of("folders", "index", ".", status=3)
    assert (missing["code"], missing["hint"]) == ("source_not_found", "holdfast folders add .")
    run("folders", "add", str(tree))
    monkeypatch.chdir(tree / "src")
    output = run_json("folders", "index")
    assert (output["folder"], output["unchanged"]) == ("shop-dir", 2)
    run("folders", "add", ".", "--name", "inner")
    assert run_json("folders", "index")["folder"] == "inner-dir", "the innermost"
