"""Every command does its one thing, for machines and for people."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from holdfast import Memory
from holdfast.core.ids import short_id
from holdfast.core.kinds import KINDS
from tests.cli.support import error_of, remembered, run, run_json

JWT = "We chose JWT over sessions: the API is public"


def test_what_is_remembered_is_recalled_with_its_citation() -> None:
    completed = run("remember", JWT, "--kind", "decision", "--project", "shop", "--id", "adr-7")
    assert completed.stdout.startswith("Stored: ")
    hits = run_json("recall", "why", "not", "sessions?", "--project", "shop")["hits"]
    assert [hit["memory"]["text"] for hit in hits] == [JWT]
    assert (hits[0]["citation"], hits[0]["memory"]["external_id"]) == ("[M1]", "adr-7")
    shown = run("recall", "why not sessions?", "--project", "shop", "--why").stdout
    assert all(part in shown for part in ("[M1]", "decision", "shop", JWT, "adr-7", "words +"))


def test_s0_12_a_project_is_not_seen_from_outside() -> None:
    remembered(JWT, "--project", "shop")
    assert run_json("recall", "why not sessions?")["hits"] == []
    assert run_json("list")["memories"] == []
    assert len(run_json("recall", "why not sessions?", "--project", "*")["hits"]) == 1


def test_global_options_stand_before_and_behind_the_command(tmp_path: Path) -> None:
    store = str(tmp_path / "other.db")
    run("--store", store, "--user", "ana", "--json", "remember", "Ana likes tea")
    memories = run_json("list", "--store", store, "--user", "ana")["memories"]
    assert [memory["owner"] for memory in memories] == ["ana"]
    assert run_json("list", "--store", store, "--user", "bob")["memories"] == []
    assert run_json("list")["memories"] == []
    # behind the command wins
    assert run_json("--user", "bob", "list", "--store", store, "--user", "ana")["memories"] == memories


def test_an_agent_acts_for_its_user() -> None:
    remembered("The build needs Node 20", "--agent", "coder", "--user", "ana", "--kind", "gotcha")
    (memory,) = run_json("list", "--user", "ana")["memories"]
    assert (memory["created_by"], memory["owner"]) == ("agent:coder@ana", "ana")


def test_s4_20_a_secret_is_told_and_never_shown() -> None:
    output = run("remember", "my password is Vexil-lum94xx").stdout
    assert "secrets removed" in output
    assert "password" in output.splitlines()[1]
    assert "Vexil" not in output + run("list").stdout


def test_options_reach_the_memory() -> None:
    options = {
        "kind": "fact", "session": "s1", "workspace": "w", "scope": "paper:2301.1", "branch": "main",
        "visibility": "private", "metadata": '{"k": [1]}', "evidence": '{"from": "mail"}',
        "confidence": "0.9", "at": "2026-05-07", "valid-from": "2026-05-08", "valid-until": "2030-01-01",
        "expires-at": "2031-01-01", "title": "Freeze", "summary": "A freeze", "name": "Ana", "role": "user",
        "origin": "user",
    }  # fmt: skip
    given = [part for name, value in options.items() for part in (f"--{name}", value)]
    id = remembered("The freeze starts", "--tag", "a", "--tag", "b", *given)
    output = run_json("show", id)
    expected = {
        "kind": "fact", "session": "s1", "workspace": "w", "scope": {"type": "paper", "id": "2301.1"},
        "branch": "main", "visibility": "private", "tags": ["a", "b"], "metadata": {"k": [1]},
        "evidence": {"from": "mail"}, "confidence": 0.9, "at": "2026-05-07T00:00:00Z",
        "valid_from": "2026-05-08T00:00:00Z", "valid_until": "2030-01-01T00:00:00Z",
        "expires_at": "2031-01-01T00:00:00Z", "title": "Freeze", "summary": "A freeze", "name": "Ana",
        "role": "user", "origin": "user",
    }  # fmt: skip
    assert {name: output[name] for name in expected} == expected
    shown = run("show", id).stdout
    assert all(part in shown for part in (id, "Freeze", "The freeze starts", "paper:2301.1", "a, b", "0.9"))


def test_s4_32_a_memory_says_which_file_it_is_about() -> None:
    assert "projects here NAME" in error_of("remember", JWT, "--about", "auth.py", status=2)["hint"]
    output = run_json("remember", JWT, "--project", "shop", "--about", "auth.py", "--metadata", '{"k": 1}')
    assert output["memory"]["metadata"] == {"k": 1, "file": "auth.py"}


def test_recall_is_narrowed_by_filters() -> None:
    run("remember", "tea is drunk at four", "--kind", "preference", "--tag", "tea", "--at", "2026-01-01")
    run("remember", "tea is bought on Fridays", "--kind", "todo", "--at", "2026-03-01")

    def found(*options: str) -> set[str]:
        return {hit["memory"]["kind"] for hit in run_json("recall", "tea", *options)["hits"]}

    assert found() == {"preference", "todo"}
    assert found("--kind", "todo") == {"todo"}
    assert found("--kind", "todo", "--kind", "preference") == {"preference", "todo"}
    assert found("--tag", "tea") == {"preference"}
    assert found("--since", "2026-02-01") == {"todo"}
    assert found("--until", "2026-02-01") == {"preference"}
    assert found("--limit", "1") < {"preference", "todo"}
    assert found("--mode", "words") == {"preference", "todo"}
    assert found("--threshold", "9") == set()


def test_recall_is_narrowed_to_files(tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "tea.py").write_text("TEA = 'tea is drunk at four'\n")
    (tmp_path / "tea.md").write_text("tea is bought on Fridays\n")
    run("folders", "add", str(tmp_path), "--project", "shop")
    run("remember", "tea is green", "--project", "shop")

    def found(*options: str) -> set[str]:
        hits = run_json("recall", "tea", "--project", "shop", *options)["hits"]
        return {hit["memory"]["metadata"].get("path", "") for hit in hits}

    assert found() == {"src/tea.py", "tea.md", ""}
    assert found("--path", "src") == found("--language", "py") == found("--code-only") == {"src/tea.py"}
    assert found("--path", "*.py", "--path", "tea.md", "--path", "!src") == {"tea.md"}
    refused = run("recall", "tea", "--language", "klingon", status=2)
    assert "there is no language 'klingon'" in refused.stderr
    assert "python" in refused.stderr
    assert "did you mean kotlin?" in run("recall", "tea", "--language", "kotlim", status=2).stderr
    nothing = run("recall", "tea", "--language", "rust")
    assert "No indexed file here is of this kind." in nothing.stdout
    assert "holdfast folders files" in nothing.stderr


def test_an_empty_answer_says_what_to_try() -> None:
    result = run("recall", "anything")
    assert "no memories here yet" in result.stdout
    assert "holdfast remember" in result.stderr
    run("remember", "tea")
    result = run("recall", "xylophone", "--mode", "words")
    assert "No matches among 1 memory." in result.stdout
    assert "--project '*'" in result.stderr


def test_a_long_passage_is_cut_unless_all_is_wanted() -> None:
    remembered("beginning " + "filler words go on " * 60 + "the end")
    assert "the end" not in run("recall", "beginning").stdout
    assert "the end" in " ".join(run("recall", "beginning", "--full").stdout.split())


def test_lists_go_page_by_page() -> None:
    for number in range(3):
        remembered(f"Lighthouse {number} is kept by person {number}")
    first = run_json("list", "--limit", "2")
    second = run_json("list", "--limit", "2", "--cursor", first["cursor"])
    assert (len(first["memories"]), len(second["memories"]), second["cursor"]) == (2, 1, None)
    completed = run("list", "--limit", "2")
    assert completed.stdout.splitlines()[0].split() == ["ID", "AT", "KIND", "WHERE", "TEXT"]
    assert f"--cursor {first['cursor']}" in completed.stderr


def test_s3_15_a_revision_keeps_the_old_text_in_the_history() -> None:
    id = remembered("The API listens on port 8080", "--kind", "fact")
    completed = run("revise", id, "The API listens on port 9999", "--tag", "net")
    assert "version 2" in completed.stdout
    assert f"holdfast history {short_id(id)}" in completed.stderr
    changes = run_json("history", id)["changes"]
    assert [change["text"] for change in changes if change["text"]] == [
        "The API listens on port 8080",
        "The API listens on port 9999",
    ]
    assert run_json("revise", id, "--title", "Port")["memory"]["version"] == 3
    assert run_json("show", id)["tags"] == ["net"]
    shown = run("history", id).stdout.splitlines()
    assert shown[0].split() == ["AT", "WHAT", "WHO", "VERSION", "TEXT"]
    assert len(shown) == 1 + len(run_json("history", id)["changes"])


def test_a_revision_takes_back_what_was_stated() -> None:
    id = remembered(
        "The demo runs on staging", "--title", "Demo", "--tag", "demo", "--valid-until", "2030-01-01"
    )
    run("revise", id, "--valid-from", "2025-01-01")
    taken = ("--title", "", "--tag", "", "--valid-from", "unstated", "--valid-until", "never")
    memory = run_json("revise", id, *taken)["memory"]
    parts = ("title", "tags", "valid_from", "valid_until")
    assert [memory[part] for part in parts] == [None, [], None, None]


def test_pins_are_set_and_taken_away() -> None:
    id = remembered("Never deploy on Fridays")
    assert run_json("pin", id)["pinned"] is True
    assert "pinned" in run("list", "--pinned").stdout
    assert run_json("list", "--not-pinned")["memories"] == []
    assert "Unpinned" in run("pin", id, "--off").stdout
    assert run_json("show", id)["pinned"] is False


def test_s2_36_forgetting_tells_how_to_restore() -> None:
    id = remembered("The kettle is broken")
    completed = run("forget", id, "--reason", "it was repaired")
    assert f"holdfast restore {short_id(id)}" in completed.stderr
    assert run_json("recall", "kettle")["hits"] == []
    assert run_json("list", "--include", "deleted")["memories"][0]["deleted_reason"] == "it was repaired"
    assert "Restored" in run("restore", id).stdout
    assert len(run_json("recall", "kettle")["hits"]) == 1


def test_s2_36_erasing_needs_consent_and_leaves_nothing() -> None:
    id = remembered("The kettle is broken")
    result = run("forget", id, "--hard", status=2)
    assert "--yes" in result.stderr
    assert run_json("show", id)["id"] == id
    assert run_json("forget", id, "--hard", "--yes") == {"id": id, "forgotten": True, "hard": True}
    run("show", id, status=3)
    run("restore", id, status=3)


@pytest.mark.parametrize("remove", [("forget", "ID"), ("projects", "delete", "yard", "--yes")])
def test_what_was_forgotten_is_erased_too(remove: tuple[str, ...]) -> None:
    id = remembered("The kettle is broken", "--project", "yard")
    run(*(id if part == "ID" else part for part in remove))
    refused = run("forget", id, "--hard", status=2)
    assert short_id(id) in refused.stderr
    assert "kettle" not in refused.stderr
    assert run_json("forget", id, "--hard", "--yes")["hard"]
    assert run_json("list", "--include", "deleted", "--project", "*")["memories"] == []


def test_projects_are_made_changed_and_removed() -> None:
    assert "no projects yet" in run("projects").stdout
    assert run_json("projects", "create", "shop", "--description", "A shop")["description"] == "A shop"
    assert run_json("projects", "update", "shop", "--notes", "n")["description"] == "A shop"
    remembered(JWT, "--project", "shop")
    (listed,) = run_json("projects")["projects"]
    assert (listed["name"], listed["memories"]) == ("shop", 1)
    assert run_json("projects", "list") == run_json("projects")
    assert "A shop" in run("projects", "show", "shop").stdout
    assert "shop" in run("projects").stdout
    assert run_json("projects", "show", "shop")["name"] == "shop"
    run("projects", "delete", "shop", status=2)
    assert run_json("projects", "delete", "shop", "--yes")["name"] == "shop"
    run("projects", "show", "shop", status=3)


def test_s0_19_entities_are_retagged() -> None:
    remembered("Ada keeps the lighthouse", "--kind", "entity", "--title", "Ada", "--project", "old")
    assert run_json("projects", "retag", "old", "new")["moved"] == 1
    assert "Moved 0 memories" in run("projects", "retag", "old", "new", "--kind", "entity").stdout


def test_s0_16_sessions_are_made_moved_renamed_and_erased() -> None:
    assert "no sessions here" in run("sessions").stdout
    remembered("hello there", "--kind", "message", "--session", "chat-1")
    assert run_json("sessions", "create", "chat-2", "--project", "shop", "--name", "Two")["project"] == "shop"
    assert {session["id"] for session in run_json("sessions")["sessions"]} == {"chat-1", "chat-2"}
    page = run_json("sessions", "list", "--limit", "1")
    (rest,) = run_json("sessions", "list", "--limit", "5", "--cursor", page["cursor"])["sessions"]
    assert {page["sessions"][0]["id"], rest["id"]} == {"chat-1", "chat-2"}
    assert f"--cursor {page['cursor']}" in run("sessions", "list", "--limit", "1").stderr
    assert run_json("sessions", "move", "chat-1", "--project", "shop")["project"] == "shop"
    assert len(run_json("recall", "hello", "--project", "shop")["hits"]) == 1
    assert "shared pool" in run("sessions", "move", "chat-1", "--no-project").stdout
    assert run_json("recall", "hello", "--project", "shop")["hits"] == []
    run("sessions", "move", "chat-1", status=2)
    assert run_json("sessions", "rename", "chat-1", "First")["name"] == "First"
    assert "First" in run("sessions", "show", "chat-1").stdout
    assert "First" in run("sessions", "list").stdout
    assert "sessions unarchive chat-1" in run("sessions", "archive", "chat-1").stderr
    assert "First" not in run("sessions", "list").stdout
    assert run_json("recall", "hello")["hits"] == []
    assert "First" in run("sessions", "list", "--archived").stdout
    assert run_json("sessions", "unarchive", "chat-1")["archived"] is False
    assert "No session is archived" in run("sessions", "list", "--archived").stdout
    assert len(run_json("recall", "hello")["hits"]) == 1
    run("sessions", "delete", "chat-1", status=2)
    assert run_json("sessions", "delete", "chat-1", "--yes")["erased"] == 1
    run("sessions", "show", "chat-1", status=3)


def test_s2_6_the_audit_verifies_and_lists_what_was_done() -> None:
    id = remembered("tea")
    assert run_json("audit") == run_json("audit", "verify")
    assert run_json("audit", "verify")["verified"] is True
    events = run_json("audit", "list")["events"]
    assert (events[0]["action"], events[0]["subject"]) == ("remember", id)
    assert "verifies" in run("audit").stdout
    assert "remember" in run("audit", "list").stdout
    run("forget", id)
    assert "--after 1" in run("audit", "list", "--limit", "1").stderr
    assert run_json("audit", "list", "--after", "1")["events"][0]["sequence"] == 2
    everything = run_json("audit", "list")["events"]
    assert run_json("audit", "list", "--newest-first")["events"] == everything[::-1]
    page = ("--newest-first", "--before", "3", "-n", "1")
    assert "--newest-first --before 2" in run("audit", "list", *page).stderr


def test_doctor_reports_on_the_store() -> None:
    remembered("tea")
    report = run_json("doctor")
    assert (report["healthy"], report["memories"], report["problems"]) == (True, 1, [])
    assert "No problems found." in run("doctor").stdout


def test_doctor_and_backups_count_the_memories_of_everybody_and_say_which_are_seen(tmp_path: Path) -> None:
    """Beside the store; what a service answers leaves out the memories of others."""
    store = str(tmp_path / "team.db")
    for user, number in (("ana", 1), ("ben", 2)):
        for n in range(number):
            run("remember", f"Lamp {n} of {user} is blue", "--user", user, "--store", store)
    here = ("--user", "ana", "--store", store)
    assert "3, 1 that you see" in run("doctor", *here).stdout
    output = run_json("backup", *here)
    assert (output["memories"], "own" in output) == (3, False)
    assert [backup["memories"] for backup in run_json("backup", "--list", *here)["backups"]] == [3]
    with Memory(store, user="ana") as memory:
        assert [backup.memories for backup in memory.backups.list().backups] == [1]
    assert "3 memories, 1 of yours" in run("drill", *here).stdout
    assert "3 memories" in run("restore", "--latest", "--yes", *here).stdout


def test_a_backup_of_a_time_to_come_is_shown_as_such(tmp_path: Path) -> None:
    here = ("--store", str(tmp_path / "s.db"))
    run("remember", "The quay is closed on Sundays", *here)
    note = Path(run_json("backup", *here)["path"] + ".json")
    assert "in the future" not in run("backup", "--list", *here).stdout
    note.write_text(json.dumps({**json.loads(note.read_text()), "made_at": "2999-01-01T00:00:00Z"}))
    assert "(in the future)" in run("backup", "--list", *here).stdout


def test_doctor_accepts_a_loss_only_when_told_to(tmp_path: Path) -> None:
    store = tmp_path / "s.db"
    run("remember", "first", "--store", str(store))
    backup = store.read_bytes()
    run("remember", "second", "--store", str(store))
    store.write_bytes(backup)
    assert "missing" in run("doctor", "--store", str(store), status=7).stdout
    refused = run("remember", "third", "--store", str(store), status=7)
    assert "--accept-loss" in refused.stderr
    assert run_json("doctor", "--accept-loss", "--store", str(store))["healthy"] is True
    run("remember", "third", "--store", str(store))


def test_maintain_says_when_nothing_is_missing() -> None:
    assert run_json("maintain") == {"made": 0, "failed": 0}
    assert "No vectors are missing." in run("maintain").stdout


def test_s4_14_all_kinds_are_listed() -> None:
    assert [kind["name"] for kind in run_json("kinds")["kinds"]] == list(KINDS)
    shown = run("kinds").stdout
    assert all(kind in shown for kind in KINDS)


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_scripts_are_printed(shell: str) -> None:
    script = run("completion", shell).stdout
    assert "_HOLDFAST_COMPLETE" in script
    assert run_json("completion", shell)["script"].strip() == script.strip()


def test_hints_speak_of_options() -> None:
    hint = error_of("delete-all", "--confirm", "nobody", status=2)["hint"]
    assert "`--confirm " in hint
    assert "`--dry-run` counts" in hint
    assert "Memory." not in error_of("show", "zzzz", status=3)["hint"]
    run(
        "remember", "I live in Porto. I have a boat.", "--kind", "message", "--role", "user", "--session", "s"
    )
    assert len(run_json("about")["groups"]) == 2
    (message, *_) = run_json("list")["memories"]
    assert (
        '`--was "Lives in Porto"`' in error_of("correct", message["id"], "Lives in Braga", status=2)["hint"]
    )


def test_names_are_completed() -> None:
    run("projects", "create", "shop")

    def completed(words: str) -> str:
        number = str(words.count(" "))
        return run(_HOLDFAST_COMPLETE="bash_complete", COMP_WORDS=words, COMP_CWORD=number).stdout

    assert "plain,recall" in completed("holdfast rec")
    assert "plain,decision" in completed("holdfast remember --kind dec")
    assert "plain,shop" in completed("holdfast recall --project s")
    assert "plain,words" in completed("holdfast recall --mode w")
    assert "plain,claude-code" in completed("holdfast agents install cl")
    run("remember", "The quay is closed", "--status", "pending")
    (waiting,) = run_json("review", "list")["items"]
    assert short_id(waiting["memory"]["id"]) in completed("holdfast review approve ")


def test_help_groups_every_command() -> None:
    shown = run("--help").stdout
    names = (
        "remember recall list show revise forget restore history pin projects sessions import audit doctor"
    )
    for name in [*names.split(), "try", "kinds", "maintain", "completion"]:
        assert f"\n  {name} " in shown
    assert run("--version").stdout.startswith("holdfast ")


def test_a_hostile_text_cannot_steer_the_terminal() -> None:
    refused = run("sessions", "create", "s", "--name", "evil \x1b]0;title\x07 name", status=2).stderr
    assert "\x1b" not in refused
    assert "\x07" not in refused
    assert "\x1b" not in run("import", "evil \x1b]0;title\x07 name.zip", status=2).stderr
    as_json = run("import", "evil \x9b31m name.zip", "--json", status=2).stderr
    assert "\x9b" not in as_json
    assert json.loads(as_json)["error"]["message"] == "evil \x9b31m name.zip does not exist"
    run("projects", "create", "shop", "--notes", "evil \x1b]0;title\x07 notes")
    remembered("red \x1b[31malert\x07 [bold]not markup[/bold]")
    shown = run("list").stdout + run("projects", "show", "shop").stdout + run("recall", "alert").stdout
    assert "\x1b" not in shown
    assert "\x07" not in shown
    assert "[bold]not markup[/bold]" in shown


def test_ids_that_people_can_type() -> None:
    first = remembered("The API listens on port 5858", "--id", "port", "--project", "shop")
    second = remembered("The kettle is broken", "--id", "port")
    listed = run("list", "--project", "*").stdout
    assert short_id(first) in listed
    assert run_json("show", short_id(first))["id"] == first
    assert run_json("show", "port", "--project", "shop")["id"] == first
    assert "id_ambiguous" in run("show", "port", "--json", status=2).stderr
    run("recall", "kettle")
    for name in ("@1", "[M1]", "@M1", "M1"):
        assert run_json("show", name)["id"] == second
    assert "memory_not_found" in run("show", "@9", "--json", status=3).stderr
    run("forget", "@1")
    assert run_json("restore", short_id(second))["id"] == second


def test_s2_39_an_evaluation_of_ones_own_is_recorded_and_shown() -> None:
    record = ("quality", "retrieval_hit_rate", "--record", "0.9", "--sample-size", "50")
    assert error_of(*record, status=2)["code"] == "argument_invalid"
    assert run_json(*record, "--evaluator", "nightly")["passed"] is True
    shown = run("quality").stdout
    assert "retrieval_hit_rate" in shown
    assert "nightly" in shown


def test_what_is_never_to_be_remembered_is_said_listed_and_lifted() -> None:
    rule = run_json("never", "my", "salary")["memory"]
    assert "my salary" in run("never").stdout
    refused = run("remember", "My salary is 90k", status=4)
    assert "nothing like “my salary” is to be remembered" in refused.stderr
    output = run("remember", "I like tea. My salary is 90k.").stdout
    assert "Stored, with excluded content removed" in output
    run("forget", rule["id"])
    assert "There are no exclusions." in run("never").stdout


def test_what_is_stored_and_like_what_is_never_remembered_is_offered_to_be_erased() -> None:
    for text in ("My salary went up to 95,000", "The salary talk is on Monday", "The boat is blue"):
        run("remember", text)
    completed = run("never", "my", "salary")
    assert "like it: 2 memories" in completed.stdout
    assert "The salary talk" in completed.stdout
    assert "--erase-stored" in completed.stderr
    assert run_json("never", "my", "salary")["stored"]["count"] == 2
    run("never", "my", "salary", "--erase-stored", status=2)
    assert "Erased for good: 2" in run("never", "my", "salary", "--erase-stored", "--yes").stderr
    assert [memory["text"] for memory in run_json("list")["memories"]] == ["The boat is blue"]


@pytest.mark.parametrize(
    "args",
    ["import|", "folders add|", "reconcile|", "restore --into||x.db", "backup --to=", "export -o|", "learn|"],
)
def test_an_empty_path_is_not_the_current_folder(args: str) -> None:
    refused = run(*(word for part in args.split("|") for word in (part.split() or [""])), status=2)
    assert "empty" in refused.stderr
