"""What happens behind the scenes is said: what waits, what expires, where a passage stands, what was lost."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest

from holdfast.api.memory import Memory
from holdfast.core.ids import short_id
from tests.cli.support import error_of, remembered, run, run_json

PHONE = "Call the plumber at +49 30 901820 before noon"


def test_s2_15_what_waits_is_told_where_nothing_is_found() -> None:
    """The note that waits is named in its own place, to whom it belongs, and to nobody else."""
    remembered("The till is red", "--project", "shop", "--user", "ana")
    remembered(PHONE, "--project", "shop", "--user", "ana", "--status", "pending")
    ana = ("recall", "plumber", "--user", "ana")
    completed = run(*ana, "--project", "shop")
    assert "1 memory here waits for review: holdfast review" in completed.stderr
    assert run_json(*ana, "--project", "shop")["waiting"] == 1
    assert run_json(*ana)["waiting"] == 0, "another place"
    assert run_json(*ana, "--project", "shop", "--kind", "fact")["waiting"] == 0
    assert run_json("recall", "plumber", "--user", "ben", "--project", "*")["waiting"] == 0
    remembered(PHONE, "--project", "shop", "--user", "ana", "--visibility", "team")
    assert run_json("recall", "plumber", "--user", "ben", "--project", "*")["waiting"] == 0
    assert run_json("recall", "till", "--user", "ana", "--project", "shop")["waiting"] == 0, (
        "something was found"
    )


def test_s2_15_what_waits_is_told_by_imports_and_many_lines(tmp_path: Path) -> None:
    note = tmp_path / "plumber.md"
    note.write_text(PHONE)
    assert (
        "1 memory waits for review: holdfast review"
        in run("import", str(note), "--visibility", "team").stderr
    )
    lines = run(
        "remember",
        "--lines",
        "-",
        "--visibility",
        "team",
        input="Write to ana@example.org\nThe till is red\n",
    )
    assert "1 memory waits for review: holdfast review" in lines.stderr


def test_s2_18_expiry_is_told_and_can_be_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert run_json("remember", "The shop opens at nine")["memory"]["expires_at"] is None
    shown = {kind["name"]: kind["ttl_days"] for kind in run_json("kinds")["kinds"]}
    assert {name for name, days in shown.items() if days} == {"context"}
    monkeypatch.setenv("HOLDFAST_EXPIRY_DAYS", "365")
    assert {kind["ttl_days"] for kind in run_json("kinds")["kinds"]} == {None, 30, 365}
    note = run_json("remember", "The demo is on Friday")["memory"]
    day = note["expires_at"][:10]
    assert f"expires {day}" in run("remember", "The demo is on Monday").stdout
    assert "expires" not in run("remember", "We use tabs", "--kind", "convention").stdout
    assert run_json("remember", "Ana sails", "--expires-at", "never")["memory"]["expires_at"] is None
    assert error_of("remember", "x y", "--expires-at", "2020-01-01", status=2)["code"] == "time_invalid"
    file = tmp_path / "demo.md"
    file.write_text("The demo is in the hall")
    assert "1 memory expires" in run("import", str(file)).stderr
    assert run_json("import", str(file), "--dry-run")["expiring"]["count"] == 0, "it is known"
    kept_ = run_json("revise", note["id"], "--expires-at", "never")["memory"]
    assert kept_["expires_at"] is None
    assert run_json("revise", note["id"], "The demo is on Sunday")["memory"]["expires_at"] is None


def test_s2_13_what_has_expired_can_be_listed() -> None:
    with Memory(clock=lambda: 1_600_000_000_000) as memory:  # in 2020
        memory.remember("The demo runs on staging", expires_at="2021-01-01")
    assert run_json("list")["memories"] == []
    (record,) = run_json("list", "--include", "expired")["memories"]
    assert record["text"] == "The demo runs on staging"
    assert "note, expired" in run("list", "--include", "expired").stdout


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    root = tmp_path / "shop"
    root.mkdir()
    body = "".join(f"    step_{n} = cart.step({n})  # counted in the evening\n" for n in range(30))
    (root / "till.py").write_text(f"import os\n\n\ndef total(cart):\n{body}    return step_3\n")
    return root


def test_s1_5_a_passage_is_told_by_its_place_in_the_file(tree: Path) -> None:
    run("folders", "add", str(tree), "--project", "shop")
    output = run("recall", "total of the cart", "--project", "shop", "-n", "1").stdout
    head, *lines = output.splitlines()
    assert "till.py:" in head
    assert "total" in head
    first, last = (int(one) for one in head.partition("till.py:")[2].split()[0].split("-"))
    file = (tree / "till.py").read_text().splitlines()
    shown = [line.strip() for line in lines if "step" in line or "def" in line]
    assert shown
    assert all(line in [one.strip() for one in file[first - 1 : last]] for line in shown)
    assert "external id" not in output
    id = run_json("recall", "total of the cart", "--project", "shop")["hits"][0]["memory"]["id"]
    assert "external id" not in run("show", id).stdout


def test_s1_5_passages_are_listed_only_when_asked_for(tree: Path) -> None:
    run("folders", "add", str(tree), "--project", "shop")
    remembered("The till is counted at nine. " * 20, "--project", "shop")
    (only,) = run_json("list", "--project", "shop")["memories"]
    assert only["kind"] == "note"
    table = run("list", "--project", "shop").stdout
    assert all(len(line) < 260 for line in table.splitlines())
    passages = run("list", "--project", "shop", "--kind", "passage").stdout
    assert "till.py:" in passages
    stats = run_json("stats", "--project", "shop")
    assert stats["total_memories"] == 1
    assert stats["total_passages"] == len(
        run_json("list", "--project", "shop", "--kind", "passage")["memories"]
    )


def test_a_private_block_that_is_never_closed_is_told(tmp_path: Path) -> None:
    """S4.20: the end of a text that is left out is named, with how much it was."""
    folder = tmp_path / "notes"
    (folder / ".obsidian").mkdir(parents=True)
    (folder / "a.md").write_text("Keep this. <private> the code is 1234")
    (folder / "b.md").write_text("Write `<private>` around a block. It is taken out.")
    (folder / "c.png").write_bytes(b"x")
    completed = run("import", str(folder))
    flat = " ".join(completed.stdout.split())
    assert "a.md: a block marked private is never closed: its last 26 characters were left out" in flat
    assert "a hidden folder (1)" in completed.stdout
    assert "not Markdown or text;" in completed.stdout
    texts = {memory["text"] for memory in run_json("list")["memories"]}
    assert texts == {"Keep this.", "Write `<private>` around a block. It is taken out."}
    chat = tmp_path / "chat.json"
    chat.write_text(json.dumps([{"role": "user", "content": "hello <private> the code is 1234"}]))
    assert "never closed" in run("import", str(chat)).stdout


def test_a_private_block_of_a_file_that_is_never_closed_is_told(tree: Path) -> None:
    (tree / "notes.md").write_text("Keep this.\n<private>\nthe code is 1234\n")
    (tree / "tags.md").write_text("Write `<private>` around a block. It is taken out.\n")
    text = " ".join(run("folders", "add", str(tree), "--project", "shop").stdout.split())
    why = "a <private> is never closed: 27 characters, to the end of its paragraph, were left out"
    assert f"notes.md: {why}" in text
    assert "tags.md" not in text
    assert "left out (folders files names them)" in run("folders", "show", "shop-dir").stdout
    (line,) = [line for line in run("folders", "files", "shop-dir").stdout.splitlines() if "notes.md" in line]
    assert "markdown, private_part" in line
    everything = json.dumps(run_json("list", "--kind", "passage", "--project", "shop"))
    assert "1234" not in everything
    assert "It is taken out." in everything


def test_a_private_block_over_two_sections_of_a_note_is_left_out_of_both(tmp_path: Path) -> None:
    file = tmp_path / "long.md"
    file.write_text(
        "# One\n" + "Some words. " * 200 + "<private> the code\n\n# Two\nis 1234</private> open\n"
    )
    run("import", str(file))
    everything = json.dumps(run_json("list", "--project", "*"))
    assert "1234" not in everything
    assert "open" in everything


def test_an_error_names_commands_that_there_are() -> None:
    hint = error_of("show", "0198f0c2-7c1a-7b6e-9d55-5f0f3a1c2b4d", status=3)["hint"]
    assert "`holdfast list --include deleted`" in hint
    assert "`holdfast restore ID`" in hint


def test_a_key_for_who_is_no_member_is_warned_of() -> None:
    assert "no member" not in run("keys", "create", "--for", "zoe").stderr
    run("members", "add", "ana", "--role", "owner")
    errors = run("keys", "create", "--for", "zoe").stderr
    assert "zoe is not a member of this team" in errors
    assert "holdfast members add zoe" in errors
    assert "no member" not in run("keys", "create", "--for", "ana").stderr


def test_events_are_told_without_the_syntax_of_python() -> None:
    remembered("The till is red")
    run("recall", "till")
    assert "{" not in run("audit", "list").stdout


def test_what_is_not_there_is_said_first(tmp_path: Path) -> None:
    assert error_of("learn", str(tmp_path / "nope.jsonl"), status=2)["code"] == "file_not_found"
    assert error_of("extract", "--source", "none", status=3)["code"] == "source_not_found"


def test_export_says_how_much_it_holds(tmp_path: Path) -> None:
    remembered("The till is red", "--project", "shop")
    assert "1 memory" in run("export", "-o", str(tmp_path / "a.jsonl")).stderr
    output = run_json("export", "-o", str(tmp_path / "a.md"), "--format", "markdown")
    assert output["records"]["memory"] == 1


def test_s4_51_the_note_of_a_migration_is_found_through_a_link(tmp_path: Path) -> None:
    home, link = tmp_path / "home.db", tmp_path / "link.db"
    run("remember", "The till is red", "--store", str(home))
    link.symlink_to(home)
    there = str(tmp_path / "there.db")
    run("migrate", "--to", there, "--yes", "--store", str(link))
    for store in (home, link):
        errors = run("recall", "till", "--store", str(store)).stderr
        assert "1 memory of" in errors
        assert f"Work there: --store {there}" in errors


def test_s4_51_members_stay_behind_and_are_named(tmp_path: Path) -> None:
    remembered("The till is red")
    run("members", "add", "ana", "--role", "owner")
    run("members", "add", "ben")
    to = ("migrate", "--to", str(tmp_path / "other.db"), "--yes")
    completed = run(*to)
    assert "2 members of this team stay behind" in completed.stdout
    lines = [line.strip() for line in completed.stderr.splitlines()]
    owner = lines.index("holdfast members add ana --role owner")
    assert owner < lines.index("holdfast members add ben --role member")
    assert completed.stdout.count("AS THEY ARE") == 1, "the table is shown once"
    other = ("--store", str(tmp_path / "other.db"))
    run("members", "add", "ana", "--role", "owner", *other)
    left = run_json(*to)["members_left"]
    assert left == [{"user": "ben", "role": "member"}]


def test_the_first_question_of_the_readme_finds_the_decision_before_the_commits() -> None:
    readme = (Path(__file__).parents[2] / "README.md").read_text("utf-8")
    block = readme.partition("On the command line")[2].partition("```sh\n")[2].partition("```")[0]
    lines = block.splitlines()
    run(*shlex.split(lines[0])[1:])
    commits = "Learn from the log of a working session\nLet members share by asking\nLimit keys to projects\n"
    run(*shlex.split(lines[1].partition("| ")[2].partition("#")[0])[1:], input=commits)
    question = next(line for line in lines if line.startswith("holdfast recall"))
    first = run_json(*shlex.split(question)[1:])["hits"][0]["memory"]
    assert first["kind"] == "decision"


def test_what_a_memory_replaced_is_named_when_it_is_stored_and_when_it_is_forgotten() -> None:
    old = remembered("The gate opens at nine", "--project", "shop")
    stored = run("remember", "The gate opens at ten", "--project", "shop", "--supersedes", old)
    new = run_json("list", "--project", "shop")["memories"][0]["id"]
    assert f"Stored as a replacement of {short_id(old)}: {short_id(new)}" in stored.stdout
    assert f"Undo: holdfast forget {short_id(new)}, then holdfast restore {short_id(old)}" in stored.stderr
    errors = run("forget", new).stderr
    known = short_id(old)
    assert (
        f"{known}, which it replaced, stays superseded; make it current: holdfast restore {known}" in errors
    )
    run("restore", new)
    both = run("restore", old).stderr
    assert f"What replaced it stays current; to forget that: holdfast forget {short_id(new)}" in both
    assert "superseded" not in run_json("forget", new)


def test_what_is_hidden_is_named_where_nothing_is_shown() -> None:
    here = ("--project", "shop")
    run("projects", "create", "shop")
    assert "There is nothing here." in run("list", *here).stdout
    old = remembered("The gate opens at nine", *here)
    remembered("The gate opens at ten", *here, "--supersedes", old)
    completed = run("recall", "gate", *here, "--kind", "decision")
    assert "There are no memories here to search." in completed.stdout
    assert "1 memory does not fit these filters: holdfast list --project shop" in completed.stderr
    run("forget", run_json("list", *here)["memories"][0]["id"])
    for asked in (("list",), ("recall", "gate")):
        completed = run(*asked, *here)
        assert (
            "2 memories superseded, rejected, expired or forgotten: holdfast list --project shop"
            in completed.stderr
        )
        assert "no memories here yet" not in completed.stdout
    remembered("The gate is red", *here, "--kind", "message", "--session", "talk")
    run("sessions", "archive", "talk")
    assert (
        "1 archived conversation: holdfast sessions list --project shop --archived"
        in run("list", *here).stderr
    )
    assert "archived conversation" not in run("list").stderr


def test_a_command_of_a_group_is_suggested_by_its_other_names() -> None:
    for args, meant in (
        (("sessions", "erase", "talk"), "did you mean delete?"),
        (("projects", "erase", "shop"), "did you mean delete or purge?"),
        (("sessions", "ls"), "did you mean list?"),
        (("sessions", "mesages"), "did you mean messages?"),
    ):
        assert meant in run(*args, status=2).stderr
    assert "sessions --help" in run("sessions", "xyzzy", status=2).stderr
