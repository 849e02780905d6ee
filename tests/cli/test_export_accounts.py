"""`holdfast import` takes all of an export or says why not: attachments, projects, memories, instructions."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from holdfast.api.memory import Memory
from tests.cli import export_samples as samples
from tests.cli.support import error_of, run, run_json
from tests.support import PATIENCE

FATES = ("kept", "updated", "duplicate", "held", "skipped", "failed")


def balanced(told: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """The account of a report, in which each item that was seen became something."""
    for what, row in told["account"].items():
        assert row["seen"] == sum(row[fate] for fate in FATES), what
        assert sum(row["reasons"].values()) == row["skipped"] + row["failed"] + row["held"], what
    account: dict[str, dict[str, Any]] = told["account"]
    return account


def is_message(value: object) -> bool:
    return isinstance(value, dict) and isinstance(value.get("author"), dict)


@pytest.mark.parametrize("packed", [True, False], ids=["zip", "folder"])
def test_s2_20_all_of_a_chatgpt_export_is_accounted_for(tmp_path: Path, packed: bool) -> None:
    files = samples.chatgpt()
    export = samples.as_zip(tmp_path / "e.zip", files) if packed else samples.as_folder(tmp_path / "e", files)
    account = balanced(run_json("import", str(export)))
    chats = [*files["conversations-000.json"], *files["conversations-001.json"]]
    nodes = [node for chat in chats for node in chat["mapping"].values() if is_message(node["message"])]
    assert account["message"]["seen"] == len(nodes)
    assert [account["conversation"][fate] for fate in FATES] == [2, 0, 0, 0, 1, 0]
    assert account["file"]["seen"] == len(files) - 2
    assert account["attachment"]["reasons"] == {"a picture": 1, "a file without its text": 1}
    assert account["instruction"]["kept"] == 2
    assert account["memory"]["kept"] == 3
    again = balanced(run_json("import", str(export)))
    assert all(row["kept"] == row["updated"] == 0 for row in again.values())
    assert again["conversation"]["duplicate"] == 2


def test_an_entity_that_a_link_alone_names_is_accounted_for(tmp_path: Path) -> None:
    """As basic-memory 0.24 writes it."""
    (tmp_path / "Beans.md").write_text(
        "---\ntitle: Beans\ntype: note\npermalink: main/coffee/beans\n---\n\n"
        "- [origin] From Rwanda\n\n- part_of [[Morning Routine]]\n- part_of [[Breakfast]]\n"
    )
    for fate in ("kept", "duplicate"):
        account = balanced(run_json("import", str(tmp_path)))
        seen = 3 if fate == "kept" else 1
        assert account["entity"][fate] == account["entity"]["seen"] == seen
        assert account["relation"][fate] == 2


def test_s2_21_instructions_and_memories_of_chatgpt_come_in_as_such(tmp_path: Path) -> None:
    run("import", str(samples.as_zip(tmp_path / "e.zip", samples.chatgpt())))
    with Memory() as memory:
        kept = {
            record.text: record for record in memory.list(limit=100, kinds=("preference", "profile")).memories
        }
    assert kept["Answer in at most five sentences."].kind == "preference"
    assert kept["I teach chemistry in Utrecht."].title == "Instructions to ChatGPT: about you"
    assert {
        "The user has a dog named Miso.",
        "The user likes rye.",
        "The user grows thyme on a balcony.",
    } <= {*kept}
    assert {one.origin.value for one in kept.values()} == {"import"}
    (first, *_) = run_json("recall", "what is my dog called?")["hits"]
    assert first["memory"]["title"] == "ChatGPT's memory"


def test_s2_21_projects_of_chatgpt_keep_their_chats_and_follow_the_name_they_get(tmp_path: Path) -> None:
    def talk(number: int, gizmo: str | None) -> dict[str, Any]:
        message = samples.chatgpt_message(f"{number}", "user", f"Box {number} holds lamps", samples.BEGAN)
        return samples.conversation(f"c{number}", f"Boxes {number}", [message]) | {"gizmo_id": gizmo}

    move, gpt = "g-p-68b2e1d3c0a58191", "g-2fkFE8rbu"
    first = samples.as_zip(tmp_path / "1.zip", {"conversations.json": [talk(1, move), talk(2, gpt)]})
    completed = run("import", str(first))
    assert "It has 1 project" in completed.stderr
    assert [project["name"] for project in run_json("projects", "list")["projects"]] == [
        "chatgpt-68b2e1d3c0a5"
    ]
    assert {session["project"] for session in run_json("sessions")["sessions"]} == {
        None,
        "chatgpt-68b2e1d3c0a5",
    }
    run("projects", "rename", "chatgpt-68b2e1d3c0a5", "move")
    talks = [talk(3, move), talk(1, move), talk(2, gpt)]
    newer = run_json("import", str(samples.as_zip(tmp_path / "2.zip", {"conversations.json": talks})))
    assert balanced(newer)["message"]["kept"] == 1
    assert newer["elsewhere"] == []
    places = {session["name"]: session["project"] for session in run_json("sessions")["sessions"]}
    assert places == {"Boxes 1": "move", "Boxes 2": None, "Boxes 3": "move"}
    assert "project of it" not in run("import", str(first)).stderr
    third = samples.as_zip(tmp_path / "3.zip", {"conversations.json": [talk(2, move)]})
    changed = run_json("import", str(third))
    assert changed["elsewhere"] == [{"project": None, "count": 1}]


@pytest.mark.parametrize("packed", [True, False], ids=["zip", "folder"])
def test_s2_20_all_of_a_claude_export_is_accounted_for(tmp_path: Path, packed: bool) -> None:
    files = samples.claude()
    export = samples.as_zip(tmp_path / "e.zip", files) if packed else samples.as_folder(tmp_path / "e", files)
    account = balanced(run_json("import", str(export)))
    assert {what: row["kept"] for what, row in account.items() if row["kept"]} == {
        "project": 1, "instruction": 1, "document": 1, "memory": 3, "conversation": 2, "message": 4,
        "attachment": 1,
    }  # fmt: skip
    assert account["part"]["reasons"] == {
        "thoughts of the model": 2,
        "call of a tool": 2,
        "output of a tool": 1,
    }
    assert account["message"]["reasons"] == {"replaced by a later version": 1}
    (lease, *_) = run_json("recall", "until when is the workshop rented?")["hits"]
    assert lease["memory"]["text"] == "The lease of the workshop ends on 30 June 2027."
    assert (lease["memory"]["name"], lease["conversation"]) == ("lease.txt", "Leaving the workshop")
    (beds, *_) = run_json("recall", "which bed is for tomatoes?", "--project", "Community garden")["hits"]
    assert (beds["memory"]["kind"], beds["memory"]["title"]) == ("note", "beds.md")
    garden = {
        memory["text"]: memory["kind"]
        for memory in run_json("list", "--project", "Community garden")["memories"]
    }
    assert garden["Use metric units and name plants in Latin."] == "convention"
    assert "The garden opens in April." in garden
    titles = {memory["title"] for memory in run_json("list", "--kind", "profile")["memories"]}
    assert {"Claude's memory › Work context", "Claude's memory › Personal context"} <= titles


def test_s2_21_a_claude_export_in_several_archives_is_one(tmp_path: Path) -> None:
    files = samples.claude()
    folder = tmp_path / "download"
    samples.as_zip(folder / "conversations-000.zip", {"conversations.json": files["conversations.json"]})
    samples.as_zip(
        folder / "projects-000.zip", {f"projects/{samples.GARDEN}.json": files["projects.json"][0]}
    )
    memories = files["memories.json"][0] | {
        "memory_files": [{"path": "trips.md", "content": "Wants to see the Azores."}]
    }
    samples.as_zip(folder / "memories-000.zip", {"memories/acc.json": memories})
    (folder / "manifest-1.json").write_text(json.dumps({"data_files": []}))
    output = run_json("import", str(folder))
    account = balanced(output)
    assert (output["format"], account["memory"]["kept"], account["project"]["kept"]) == ("claude", 4, 1)
    assert "Wants to see the Azores." in {memory["text"] for memory in run_json("list")["memories"]}
    only = run_json("import", str(folder / "projects-000.zip"))
    assert balanced(only)["document"]["duplicate"] == 1


def test_s2_21_gemini_activity_is_accounted_for_also_unpacked(tmp_path: Path) -> None:
    output = run_json("import", str(samples.as_folder(tmp_path / "takeout", samples.gemini())))
    account = balanced(output)
    assert (output["format"], account["message"]["kept"]) == ("gemini", 4)
    assert account["activity"]["reasons"] == {"not a prompt": 1}
    assert account["attachment"]["reasons"] == {"a picture": 1}
    page = samples.as_folder(tmp_path / "html", {"My Activity/Gemini Apps/MyActivity.html": "<html></html>"})
    assert error_of("import", str(page), status=2)["code"] == "format_unknown"


def test_s0_39_a_conversation_is_found_and_named_by_its_title_and_time(tmp_path: Path) -> None:
    run("import", str(samples.as_zip(tmp_path / "e.zip", samples.chatgpt())))
    (first, *_) = run_json("recall", "the chat about balcony herbs for autumn")["hits"]
    assert first["conversation"] == "Balcony herbs for autumn"
    assert first["memory"]["at"].startswith("2025-08-24")
    shown = run("recall", "how do I mark titrations?").stdout.splitlines()[0]
    assert "Titration homework" in shown
    assert "2025-08-24" in shown
    sessions = {session["name"]: session for session in run_json("sessions")["sessions"]}
    assert {
        session[field][:10] for session in sessions.values() for field in ("created_at", "updated_at")
    } == {"2025-08-24"}
    assert [*sessions] == ["Titration homework", "Balcony herbs for autumn"]


def test_the_short_id_of_a_conversation_is_accepted(tmp_path: Path) -> None:
    run("import", str(samples.as_zip(tmp_path / "e.zip", samples.chatgpt())))
    for short in ("68bb0000", "68bb0000…", "68bb0000-1111-4222-8333-444455556666"):
        memories = run_json("sessions", "messages", short)["memories"]
        assert [memory["text"] for memory in memories][1] == "Use one answer key with tolerances."
    run("sessions", "rename", "68bb0000", "Marking")
    assert run_json("sessions", "show", "68bb0000")["name"] == "Marking"
    assert error_of("sessions", "messages", "68bb00", status=3)["code"] == "session_not_found"
    run("sessions", "create", "68bb0000-other")
    assert error_of("sessions", "messages", "68bb0000", status=2)["code"] == "id_ambiguous"


def test_a_newer_export_updates_what_has_changed(tmp_path: Path) -> None:
    files = samples.chatgpt()
    run("import", str(samples.as_zip(tmp_path / "old.zip", files)))
    talk = files["conversations-000.json"][1]
    talk["mapping"]["msg-t4"]["message"]["content"]["parts"] = ["Use a spreadsheet."]
    more = samples.chatgpt_message("t5", "user", "Thanks, that works", samples.BEGAN + 90_000)
    talk["mapping"]["msg-t5"] = {"id": "msg-t5", "parent": "msg-t4", "children": [], "message": more}
    talk["current_node"] = "msg-t5"
    for chat, key in zip(files["conversations-000.json"], ("msg-g1", "msg-t1"), strict=True):
        chat["mapping"][key]["message"]["content"]["user_instructions"] = "```Answer in Dutch.```"
    output = run_json("import", str(samples.as_zip(tmp_path / "new.zip", files)))
    account = balanced(output)
    assert (account["conversation"]["updated"], account["conversation"]["duplicate"]) == (1, 1)
    assert (account["message"]["kept"], account["message"]["updated"]) == (1, 1)
    changed = next(
        session for session in run_json("sessions")["sessions"] if session["name"] == "Titration homework"
    )
    assert changed["updated_at"].startswith("2025-08-25")


def test_a_wrong_project_is_mended_for_a_whole_import(tmp_path: Path) -> None:
    export = str(samples.as_zip(tmp_path / "e.zip", samples.chatgpt()))
    run("import", export, "--project", "wrong")
    (source,) = run_json("sources")["sources"]
    assert Counter(session["project"] for session in run_json("sessions")["sessions"]) == {"wrong": 2}
    moved = run_json("sources", "move", source["id"], "--project", "right")
    assert (moved["sessions"], moved["memories"], moved["left"]) == (2, 5, {})
    assert run_json("list", "--project", "wrong")["memories"] == []
    assert run_json("sources", "move", source["id"], "--no-project")["sessions"] == 2
    account = balanced(run_json("import", export, "--move-to", "best"))
    assert all(row["kept"] == row["failed"] == 0 for row in account.values())
    assert Counter(session["project"] for session in run_json("sessions")["sessions"]) == {"best": 2}
    assert len(run_json("list", "--project", "best", "-n", "50")["memories"]) == 9
    assert error_of("sources", "move", source["id"], status=2)["code"] == "argument_invalid"
    assert error_of("sources", "move", "0190", "--no-project", status=3)["code"] == "source_not_found"


def test_move_to_takes_along_what_an_older_export_brought(tmp_path: Path) -> None:
    files = samples.chatgpt()
    run("import", str(samples.as_zip(tmp_path / "old.zip", files)), "--project", "wrong")
    files["message_feedback.json"] = [{}]
    newer = str(samples.as_zip(tmp_path / "new.zip", files))
    assert run_json("import", newer, "--move-to", "right", "--dry-run")["outcomes"] == {
        "duplicate": 4,
        "created": 5,
    }
    account = balanced(run_json("import", newer, "--move-to", "right"))
    assert account["message"]["failed"] == 0
    assert {session["project"] for session in run_json("sessions")["sessions"]} == {"right"}


def test_an_interrupted_import_says_what_is_kept_and_goes_on(tmp_path: Path) -> None:
    messages = [
        {"id": f"m{n}", "role": "user", "content": f"Line {n} of the log of the boat"} for n in range(6_000)
    ]
    file = tmp_path / "log.json"
    file.write_text(json.dumps([{"id": "boat", "title": "The log", "messages": messages}]))
    process = subprocess.Popen(
        [sys.executable, "-m", "holdfast", "import", str(file)],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        # a shell starts what runs in the background with the signal ignored, and children inherit that
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )  # fmt: skip
    with Memory() as memory:
        while not (kept := memory.count()):
            assert process.poll() is None
        process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130, err
    assert "kept" in out
    assert "again to resume" in err
    output = run_json("import", str(file))
    assert output["outcomes"]["duplicate"] >= kept
    assert balanced(output)["message"]["seen"] == 6_000


def test_an_export_that_another_store_signed_says_how_to_vouch_for_it(tmp_path: Path) -> None:
    run("--store", str(tmp_path / "a.db"), "remember", "I live in Porto")
    run("--store", str(tmp_path / "a.db"), "export", "-o", str(tmp_path / "a.jsonl"))
    for store, more, is_foreign in (("b.db", (), True), ("c.db", ("--vouch",), False), ("a.db", (), False)):
        command = ("--store", str(tmp_path / store), "import", str(tmp_path / "a.jsonl"), *more)
        assert ("--vouch" in run(*command).stderr) is is_foreign
        assert run_json(*command)["foreign"] is is_foreign
