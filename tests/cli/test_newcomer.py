"""What somebody who is new to the command line stumbles over is told, not passed over."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import pytest

from holdfast.core.ids import short_id
from tests.cli.support import error_of, remembered, run, run_json


@pytest.mark.parametrize("command", [("recall", "tea"), ("list",)])
def test_a_place_that_is_not_there_is_told_when_nothing_was_found(command: tuple[str, ...]) -> None:
    """Missing and not yours look the same; what was found needs no note."""
    remembered("Ana drank tea", "--user", "ana", "--session", "chat-1", "--kind", "message")
    ana = (*command, "--user", "ana")
    assert error_of(*ana, "--project", "shpo", status=3)["code"] == "project_not_found"
    elsewhere = (*command, "--user", "ben", "--session", "chat-1")
    if command == ("list",):
        assert error_of(*elsewhere, status=3)["code"] == "session_not_found"
    else:  # a conversation that is to come may be recalled for
        assert run_json(*elsewhere)["notes"] == ["there is no session 'chat-1'"]
        completed = run(*elsewhere)
        assert "there is no session 'chat-1'" in completed.stderr
        assert "chat-1" not in completed.stdout
    assert run_json(*ana, "--session", "chat-1")["notes"] == []
    run("projects", "create", "empty")
    assert run_json(*command, "--user", "ben", "--project", "empty")["notes"] == []
    assert run_json(*command, "--user", "ben", "--project", "*")["notes"] == []


def test_an_id_may_be_given_by_its_beginning() -> None:
    """Long enough to be one; for every command that takes an id, forgotten memories included."""
    id = remembered("Ana likes tea")
    start = id[:-1]
    assert run_json("show", start)["id"] == id
    assert run_json("history", start)["changes"][0]["version"] == 1
    assert run_json("revise", start, "Ana likes green tea")["memory"]["id"] == id
    assert run_json("pin", start.upper())["pinned"] is True
    run("forget", start)
    assert error_of("show", start, status=3)["code"] == "memory_not_found"
    assert run_json("restore", start)["id"] == id
    assert run_json("forget", start, "--hard", "--yes")["id"] == id
    assert error_of("show", id, status=3)["code"] == "memory_not_found"


def test_a_beginning_of_several_ids_names_them() -> None:
    ids = sorted(remembered(text) for text in ("Ana likes tea", "Ben likes milk"))
    start = ids[0][:8]
    assert ids[1].startswith(start), "made within a minute"
    for command in ("show", "history", "pin", "forget", "restore"):
        error = error_of(command, start, status=2)
        assert error["code"] == "id_ambiguous"
        assert all(short_id(id) in error["message"] for id in ids)
    assert error_of("show", start[:7], status=3)["code"] == "memory_not_found", "too short to be looked up"
    mine = remembered("Ana likes rain", "--user", "ana")
    assert error_of("show", mine[:-1], "--user", "ben", status=3)["code"] == "memory_not_found"


def test_a_file_that_breaks_off_is_kept_as_far_as_it_goes_and_told(tmp_path: Path) -> None:
    """With a status that a script sees."""
    talks = [{"id": f"c{n}", "messages": [{"role": "user", "content": f"line {n}"}]} for n in range(3)]
    file = tmp_path / "chat.json"
    file.write_text(json.dumps(talks)[:-20])
    output = run_json("import", str(file), status=4)
    assert (output["breaks_off"], output["outcomes"]) == (True, {"created": 2})
    assert len(run_json("sessions")["sessions"]) == 2
    assert "is cut off" in run("import", str(file), status=4).stderr
    file.write_text(json.dumps(talks))
    assert run_json("import", str(file))["breaks_off"] is False
    assert "status is 4" in " ".join(run("import", "--help").stdout.split())


def test_removing_a_project_tells_what_went() -> None:
    remembered("The till is blue", "--project", "shop")
    remembered("The door is red", "--project", "shop")
    remembered("hello", "--kind", "message", "--session", "chat-1", "--project", "shop")
    remembered("The till is green", "--project", "shop", "--user", "ben", "--visibility", "project")
    told = run("projects", "delete", "shop", "--yes").stdout
    assert "1 session to the shared pool, 2 memories forgotten" in told
    output = run_json("projects", "delete", "shop", "--yes", "--user", "ben")
    assert (output["sessions"], output["memories"]) == (0, 1)
    assert "1 memory" in run("sessions", "delete", "chat-1", "--yes").stdout


def test_s0_39_a_conversation_is_read_page_by_page() -> None:
    for n in range(3):
        remembered(f"line {n}", "--kind", "message", "--session", "chat-1", "--role", "user")
    first = run("sessions", "messages", "chat-1", "--limit", "2")
    assert [line.strip() for line in first.stdout.splitlines()][1::2] == ["line 0", "line 1"]
    rest = run(*first.stderr.strip().removeprefix("More: holdfast ").split()).stdout
    assert "line 2" in rest
    assert "line 1" not in rest
    output = run_json("sessions", "messages", "chat-1")
    assert [memory["text"] for memory in output["memories"]] == ["line 0", "line 1", "line 2"]
    assert error_of("sessions", "messages", "none", status=3)["code"] == "session_not_found"
    assert "sessions messages chat-1" in run("sessions", "show", "chat-1").stderr


def test_eval_offers_no_options_that_have_no_effect() -> None:
    shown = run("eval", "--help").stdout
    assert not any(option in shown for option in ("--store", "--user", "--agent"))
    assert "--json" in shown


def test_an_error_that_python_raises_too_names_commands_alone_on_the_command_line() -> None:
    hint = error_of("projects", "show", "none", status=3)["hint"]
    assert "`holdfast projects`" in hint
    assert "`Memory." not in hint


def test_what_the_readme_says_of_places_is_so() -> None:
    """Its lines run as they stand, and find what the remarks behind them say."""
    readme = (Path(__file__).parents[2] / "README.md").read_text("utf-8")
    below = readme.partition("`--project '*'` searches every project:")[2]
    block = below.partition("```sh\n")[2].partition("```")[0]
    lines = [re.split(r"\s+# ", line) for line in block.splitlines() if line]
    texts = ["I prefer short answers", "Deploys run on Tuesdays", "Is the van booked?"]
    seen = {
        "finds the first two": texts[:2],
        "finds the first": texts[:1],
        "the first and the third": [texts[0], texts[2]],
        "all three": texts,
    }
    told = 0
    for command, remark in lines:
        answer = run_json(*shlex.split(command)[1:])
        if remark in seen:
            found = answer.get("memories") or [hit["memory"] for hit in answer["hits"]]
            assert sorted(one["text"] for one in found) == sorted(seen[remark]), command
            told += 1
    assert told == len(seen)
