"""`holdfast sources` lists imports and removes one with what came from it."""

from __future__ import annotations

from tests.cli.support import EXAMPLES, error_of, remembered, run, run_json

EXPORT = str(EXAMPLES / "chatgpt-export.json")


def test_s2_4_imports_are_listed() -> None:
    assert "Nothing has been imported yet." in run("sources").stdout
    run("import", EXPORT)
    (source,) = run_json("sources")["sources"]
    assert (source["platform"], source["messages"], source["conversations"]) == ("chatgpt", 110, 7)
    shown = run("sources", "list").stdout
    assert all(part in shown for part in (source["id"], "chatgpt", "110", "chatgpt-export.json"))


def test_s1_64_an_import_is_removed_with_its_messages() -> None:
    run("import", EXPORT, "--project", "chats")
    remembered("Ana plays the cello", "--project", "chats")
    (source,) = run_json("sources")["sources"]
    assert error_of("sources", "delete", source["id"], status=2)["hint"] == "run it again with --yes"
    completed = run("sources", "delete", source["id"], "--yes")
    assert completed.stdout == f"Removed: source {source['id']}; 110 memories forgotten\n"
    assert f"holdfast sources delete {source['id']} --hard" in completed.stderr
    left = run_json("list", "--project", "chats")["memories"]
    assert {one["kind"] for one in left} <= {"note", "profile", "entity"}
    assert "Ana plays the cello" in [one["text"] for one in left]
    assert run_json("sources")["sources"] == []
    assert error_of("sources", "delete", source["id"], "--yes", status=3)["code"] == "source_not_found"
    forgotten = run_json("list", "--project", "chats", "--include", "deleted", "--limit", "1000")["memories"]
    assert len([one for one in forgotten if one["kind"] != "entity"]) == 112
    assert {one["deleted_reason"] for one in forgotten} == {"source deleted", None}


def test_s2_36_an_import_is_erased() -> None:
    run("import", EXPORT)
    (source,) = run_json("sources")["sources"]
    assert run_json("sources", "delete", source["id"], "--hard", "--yes") == {
        "id": source["id"],
        "memories": 110,
        "hard": True,
    }
    left = run_json("list", "--include", "deleted")["memories"]
    assert [one["title"] for one in left] == ["Instructions to ChatGPT: about you"]  # knowledge stays
    assert run_json("doctor")["healthy"] is True
