"""What a coding agent and its user meet in a day: the log read again, stale notes, slips of the pen."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from holdfast.core.ids import short_id
from tests.cli.support import HOLDFAST, error_of, remembered, run, run_json
from tests.support import PATIENCE

CLI = '''def load_dotenv(path):
    """Reads settings from a file."""
    return path


def run():
    return load_dotenv(".env")
'''


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A checkout of a small project, in which the commands are run."""
    root = tmp_path / "flask-3.1.0"
    (root / "src" / "flask").mkdir(parents=True)
    (root / "tests").mkdir()
    (root / "src" / "flask" / "cli.py").write_text(CLI)
    (root / "src" / "flask" / "ctx.py").write_text("class AppContext:\n    def push(self):\n        ...\n")
    (root / "src" / "flask" / "sessions.py").write_text("def save_session(name):\n    return name\n")
    (root / "tests" / "test_basic.py").write_text("from flask import sessions\n")
    monkeypatch.chdir(root)
    return root


def indexed() -> None:
    """Makes the folder at hand a source of the project flask."""
    run("folders", "add", ".", "--project", "flask")


# the log of a session


def test_s4_73_the_same_log_gives_the_same_in_every_process(tmp_path: Path) -> None:
    """The order of sets differs between processes; what is learned does not, and is known the next time."""
    log = tmp_path / "session.jsonl"
    files = ["src/flask/sessions.py", "tests/test_basic.py", "src/flask/app.py", "src/flask/ctx.py"]
    steps = [{"type": "session", "id": "s-9"}]
    for _ in range(3):
        steps += [{"type": "search", "query": "SESSION_COOKIE_SAMESITE"}]
        steps += [{"type": "read", "path": path} for path in files]
    log.write_text("".join(json.dumps(step) + "\n" for step in steps))
    store = str(tmp_path / "a.db")

    def learned(seed: int, *options: str) -> dict[str, object]:
        command = [HOLDFAST, "learn", str(log), "--project", "f", "--store", store, "--json", *options]
        env = {**os.environ, "PYTHONHASHSEED": str(seed)}
        completed = subprocess.run(command, capture_output=True, env=env, timeout=PATIENCE, check=True)
        data: dict[str, object] = json.loads(completed.stdout)
        return data

    run("remember", "Nothing yet", "--store", store)
    dry = [learned(seed, "--dry-run") for seed in range(5)]
    assert [one["lessons"] for one in dry] == [dry[0]["lessons"]] * 5
    assert "led to src/flask/sessions.py" in json.dumps(dry[0])
    outcomes = [{lesson["outcome"] for lesson in learned(seed)["lessons"]} for seed in (1, 2)]  # type: ignore[attr-defined]
    assert outcomes == [{"pending"}, {"duplicate"}]


# what is stale


def test_a_stale_memory_is_listed_and_confirmed(tree: Path) -> None:
    indexed()
    gotcha = ("--kind", "gotcha", "--project", "flask", "--about", "src/flask/sessions.py")
    id = remembered("save_session sets no cookie when the session is empty", *gotcha)
    (tree / "src" / "flask" / "sessions.py").write_text("def save_session(key):\n    return key\n")
    run("folders", "index", "flask-3-1-0-dir")
    assert [memory["id"] for memory in run_json("list", "--stale", "--project", "flask")["memories"]] == [id]
    listed = run("list", "--stale", "--project", "flask")
    assert "gotcha, stale" in listed.stdout
    assert "holdfast review confirm ID" in listed.stderr
    assert "Again: holdfast folders index flask-3-1-0-dir" in listed.stderr
    hits = run_json("recall", "save_session cookie", "--project", "flask")["hits"]
    (hit,) = [hit for hit in hits if hit["memory"]["id"] == id]
    shown = run("show", id).stdout
    assert f"stale: {hit['memory']['stale']}" in " ".join(shown.split())
    assert "{'" not in shown
    read = run_json("list", "--stale", "--project", "flask")["folders"]
    assert [one["folder"] for one in read] == ["flask-3-1-0-dir"]
    when = f"flask-3-1-0-dir was read {read[0]['read_at'][:16].replace('T', ' ')}"
    assert when in listed.stderr
    confirmed = run("review", "confirm", id[:13])
    assert f"Confirmed for the current state of its file: {short_id(id)}" in confirmed.stdout
    assert when in confirmed.stderr
    none = run("list", "--stale", "--project", "flask")
    assert "Nothing here is stale." in none.stdout
    assert when in none.stderr
    (one,) = run_json("review", "confirm", id)["memories"]
    assert one["stale"] is None
    other = remembered("Ask Ada about releases", "--project", "flask")
    assert error_of("review", "confirm", other, status=2)["code"] == "nothing_to_change"


def test_a_candidate_that_is_confirmed_still_waits_and_that_is_said(tree: Path) -> None:
    indexed()
    about = ("--kind", "gotcha", "--project", "flask", "--about", "src/flask/sessions.py")
    ids = {
        "it waits for review": remembered("save_session hides errors", *about, "--status", "pending"),
        "it is rejected": remembered("load_dotenv eats quotes", *about),
    }
    run("review", "reject", ids["it is rejected"])
    (tree / "src" / "flask" / "sessions.py").write_text("def save_session(key):\n    return key\n")
    run("folders", "index", ".")
    for told, id in ids.items():
        completed = run("review", "confirm", id)
        assert f"No longer stale, but not recalled, because {told}: {short_id(id)}" in completed.stdout
        assert f"holdfast review approve {short_id(id)}" in completed.stderr
        assert "Confirmed" not in completed.stdout


# what a memory is about


@pytest.mark.parametrize(
    ("about", "metadata", "told"),
    [
        ("src/flask/cli.py", {"file": "src/flask/cli.py"}, ""),
        ("src/flask/cli.py:load_dotenv", {"file": "src/flask/cli.py", "symbol": "load_dotenv"}, ""),
        ("src/flask/ctx.py::AppContext::push", {"file": "src/flask/ctx.py", "symbol": "AppContext.push"}, ""),
        ("src/flask/cli.py:12", {"file": "src/flask/cli.py"}, ""),
        ("ctx.py", {"file": "src/flask/ctx.py"}, "taken to be about src/flask/ctx.py"),
        ("src/flask/cty.py", {"file": "src/flask/cty.py", "file_known": False},
         "no such file in flask: src/flask/cty.py; did you mean src/flask/ctx.py?"),
        ("lib/zebra.rs", {"file": "lib/zebra.rs", "file_known": False},
         "no such file in flask: lib/zebra.rs\n"),
        ("cli.py:nothing", {"file": "src/flask/cli.py", "symbol": "nothing"}, "defines no nothing"),
    ],
)  # fmt: skip
@pytest.mark.usefixtures("tree")
def test_what_a_memory_is_about_is_read_and_checked(about: str, metadata: dict[str, Any], told: str) -> None:
    indexed()
    completed = run("remember", "It hides errors", "--project", "flask", "--about", about, "--json")
    assert json.loads(completed.stdout)["memory"]["metadata"] == metadata
    assert told in completed.stderr
    assert bool(told) == bool(completed.stderr)


@pytest.mark.usefixtures("tree")
def test_without_an_indexed_folder_any_file_is_taken() -> None:
    completed = run("remember", "It hides errors", "--project", "flask", "--about", "nope.py:x", "--json")
    assert completed.stderr == ""
    assert json.loads(completed.stdout)["memory"]["metadata"] == {"file": "nope.py", "symbol": "x"}


# which project is meant


@pytest.mark.parametrize("below", [".", "src/flask"])
def test_the_project_is_that_of_the_folder_at_hand(
    tree: Path, monkeypatch: pytest.MonkeyPatch, below: str
) -> None:
    indexed()
    run("remember", "save_session sets no cookie when the session is empty", "--kind", "gotcha",
        "--project", "flask")  # fmt: skip
    monkeypatch.chdir(tree / below)
    completed = run("context", "the session sets no cookie")
    assert "[GOTCHA] [M1]" in completed.stdout
    assert "1 memory of project flask" in completed.stderr


def test_the_project_that_was_looked_in_is_named(tree: Path) -> None:
    indexed()
    empty = run("context", "quarterly figures").stderr
    assert "Nothing near enough to this task is known in project flask yet." in empty
    assert "holdfast map scan --project flask" in empty
    assert "`holdfast recall` finds" not in empty
    arguments = (
        "remember",
        "The relay was replaced on account of noise",
        "--kind",
        "message",
        "--role",
        "user",
    )
    run(*arguments, "--session", "s1", "--project", "flask")
    assert "`holdfast recall` finds what is less near" in run("context", "noise").stderr
    for command in ("context", "recall"):
        slip = run(command, "quarterly figures", "--project", "flsk", status=3).stderr
        assert "there is no project 'flsk'" in slip
        assert "did you mean 'flask'?" in slip
    assert run("context", "quarterly figures", "--project", "flsk", "--quiet").stdout == ""
    run("folders", "connect", "flask-3-1-0-dir", "web")
    assert "--project NAME (flask, web)" in run("context", "quarterly figures").stderr


def test_s4_38_what_belongs_to_no_module_stands_under_a_heading_of_its_own(tree: Path) -> None:
    """A module is often called as its project: their headings are told apart."""
    (tree / "pyproject.toml").write_text('[project]\nname = "flask"\n')
    run("map", "scan", ".", "--project", "flask", "--no-seed")
    run("remember", "Texts are in British English", "--kind", "convention", "--project", "flask")
    text = run("context", "fix save_session in sessions.py", "--project", "flask").stdout
    assert "## Project Memory: flask, beside these modules\n\n[CONVENTION] [M1]" in text


# the map and its folder


def modules(project: str = "flask") -> dict[str, dict[str, Any]]:
    """The modules of the map."""
    found: dict[str, dict[str, Any]] = run_json("map", "show", "--project", project)["modules"]
    return found


@pytest.fixture
def mapped(tree: Path) -> Path:
    """The same with two modules more, indexed and mapped."""
    for name in ("sessions", "ctx"):
        folder = tree / "src" / "flask" / f"{name}_parts"
        folder.mkdir()
        for part in ("reading", "writing"):
            (folder / f"{part}.py").write_text(f"def {part}_{name}(text):\n    return '{name}' + text\n")
        (tree / "tests" / f"test_{name}_parts.py").write_text(f"from flask.{name}_parts import reading\n")
    run("map", "scan", ".", "--project", "flask", "--no-seed")
    indexed()
    return tree


def home_of(path: str) -> str:
    """The module that holds a file."""
    (name,) = [
        name for name, module in modules().items() if path in [*module["core_files"], *module["test_files"]]
    ]
    return name


def test_s4_4_the_map_follows_a_file_that_is_renamed(mapped: Path) -> None:
    old, new = "src/flask/ctx_parts/reading.py", "src/flask/ctx_parts/context.py"
    name = home_of(old)
    run("remember", "Reading is slow", "--kind", "gotcha", "--project", "flask", "--about", old)
    run("map", "opened", old, "--project", "flask", "--session", "s1")
    (mapped / old).rename(mapped / new)
    run("folders", "index", "flask-3-1-0-dir")
    one = modules()[name]
    assert old not in json.dumps(one)
    assert new in one["core_files"]
    assert one["opened"] == [new]
    text = run("context", f"what is slow in {new}").stdout
    assert f"[GOTCHA] {new} [M1]" in text
    assert "reading" not in text.partition("[GOTCHA]")[0].partition("Files:")[2].partition("Entry")[0]


@pytest.mark.parametrize("by", ["folders index flask-3-1-0-dir", "map scan . --project flask"])
def test_s4_10_a_module_without_its_files_leaves_unless_somebody_told_of_it(mapped: Path, by: str) -> None:
    gone, told = home_of("src/flask/ctx_parts/reading.py"), home_of("src/flask/sessions_parts/reading.py")
    before_all = modules()
    assert gone != told
    run("map", "update", told, "--project", "flask", "--description", "Ada's cookies")
    for name in ("ctx", "sessions"):
        for path in (mapped / "src" / "flask" / f"{name}_parts").iterdir():
            path.unlink()
    completed = run(*by.split())
    found = modules()
    left = {*before_all} - {*found}
    assert all(name in completed.stderr.partition("Gone")[2] for name in left)
    sources = [path for one in found.values() for path in one["core_files"] if "_parts" in path]
    assert sources == []
    if gone in found and by.startswith("map"):  # the name of a module that other files hold
        assert not found[gone]["is_gone"]  # indexing keeps what left until its files come back
    assert (found[told]["description"], found[told]["is_gone"]) == ("Ada's cookies", True)
    before = found[told]["confidence"]
    for session in ("s1", "s2", "s3", "s4"):
        run("map", "opened", *found[told]["test_files"], "tests/other.py", "--project", "flask",
            "--session", session)  # fmt: skip
    assert modules()[told]["confidence"] == before
    assert told not in [match["module"]["name"] for match in run_json(
        "map", "match", "sessions parts reading", "--project", "flask")["matches"]]  # fmt: skip
    assert "no file that does its work is left" in run("map", "show", told, "--project", "flask").stdout


def test_files_that_are_only_left_out_of_a_folder_stay_in_the_map(mapped: Path) -> None:
    before = modules()
    run("folders", "add", ".", "--project", "flask", "--exclude", "ctx_parts/")
    assert modules() == before


def test_s4_11_why_a_module_matches_is_said_in_the_words_of_the_task(mapped: Path) -> None:
    (mapped / "src" / "flask" / "sessions_parts" / "cookies.py").write_text("def samesite_cookies(): ...\n")
    run("map", "scan", ".", "--project", "flask", "--no-seed")
    output = run("map", "match", "SameSite cookies are missing", "--project", "flask").stdout
    assert "Why: " in output
    assert "cookies" in output.partition("Why: ")[2].splitlines()[0]
    assert "cooki," not in output
    assert "samesit," not in output


# folders


def test_what_to_ask_names_the_project(tree: Path) -> None:
    added = run("folders", "add", ".", "--project", "my shop")
    assert "recall \"where is …?\" --project 'my shop'" in added.stderr
    wrong = error_of("folders", "index", "flask-3-1-0", status=3)
    assert (wrong["code"], wrong["hint"]) == ("source_not_found", "did you mean flask-3-1-0-dir?")


def test_an_empty_context_outside_of_projects_says_where_to_look(tmp_path: Path) -> None:
    assert "holdfast folders add . --project NAME" in run("context", "cello lessons").stderr
    chat = tmp_path / "chat.json"
    chat.write_text('[{"role": "user", "content": "I live in Leipzig and want to learn the cello."}]')
    run("import", str(chat))
    run("projects", "create", "shop")
    errors = run("context", "cello lessons").stderr
    assert "What was said in conversations: --role chat." in errors
    assert "--project NAME (shop)" in errors
    assert "Leipzig" in run("context", "--role", "chat", "cello lessons").stdout
