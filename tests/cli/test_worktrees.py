"""A repository is one project: in all its worktrees, and in no folder that only says that it is one of it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from contextlib import suppress
from pathlib import Path

import pytest

from holdfast.api.git_files import address_of, checkout_at
from tests.cli.support import HOLDFAST, error_of, run, run_json
from tests.support import PATIENCE

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="needs git")

LESSON = ({"type": "edit", "path": "api/auth.py"},
          {"type": "user", "text": "No, use the settings object instead of reading os.environ."},
          {"type": "edit", "path": "api/auth.py"})  # fmt: skip


def git(folder: Path, *words: str) -> None:
    command = ["git", "-c", "user.name=Ada", "-c", "user.email=ada@shop.example", *words]
    subprocess.run(command, cwd=folder, check=True, capture_output=True, timeout=PATIENCE)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository on a server, a clone of it with a worktree, and another clone."""
    root = tmp_path_factory.mktemp("made").resolve()
    git(root, "init", "--quiet", "--bare", "--initial-branch=main", "origin.git")
    git(root, "clone", "--quiet", "origin.git", "code")
    (root / "code" / "api").mkdir()
    (root / "code" / "api" / "auth.py").write_text("def sign_in():\n    return 1\n")
    git(root / "code", "add", ".")
    git(root / "code", "commit", "--quiet", "--message", "First")
    git(root / "code", "push", "--quiet", "origin", "HEAD:main")
    git(root / "code", "worktree", "add", "--quiet", "../feature", "-b", "feature")
    git(root / "code", "worktree", "add", "--quiet", "../fix", "-b", "fix")
    git(root, "clone", "--quiet", "origin.git", "second")
    return root


@pytest.fixture
def shop(made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folders with a store of their own, where the first clone is indexed for project shop."""
    monkeypatch.setenv("HOLDFAST_STORE", str(tmp_path / "a.db"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    run("folders", "add", str(made / "code"), "--project", "shop")
    run("remember", "Stripe is the payments provider", "--kind", "decision", "--project", "shop")
    monkeypatch.chdir(made / "feature")
    return made


def project_in(folder: Path, monkeypatch: pytest.MonkeyPatch) -> str | None:
    monkeypatch.chdir(folder)
    project: str | None = run_json("projects", "here")["project"]
    return project


def test_a_worktree_is_in_the_project_of_its_repository(shop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "Stripe" in run("context", "payments provider").stdout
    assert project_in(shop / "feature" / "api", monkeypatch) == "shop"
    run("projects", "create", "yard")
    monkeypatch.chdir(shop / "fix")
    assert run_json("projects", "here", "yard")["folder"] == str(shop / "code"), "for the whole repository"
    run("folders", "delete", str(shop / "code"), "--yes")
    assert project_in(shop / "feature", monkeypatch) == "yard"
    run("projects", "here", "--none")
    run("folders", "add", str(shop / "fix"), "--project", "shop", "--later")
    assert project_in(shop / "code", monkeypatch) == "shop", "one of them is indexed"
    assert project_in(shop / "feature", monkeypatch) == "shop"


def test_no_folder_that_its_repository_does_not_list_belongs_to_it(
    shop: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An archive that somebody unpacks may hold any `.git` file, and links."""
    repository, entry = shop / "code" / ".git", shop / "code" / ".git" / "worktrees" / "feature"
    forged = {
        "copied": f"gitdir: {entry}",
        "whole": f"gitdir: {repository}",
        "own entry": "gitdir: worktrees/x",
        "linked entry": "gitdir: link/worktrees/feature",
    }
    for name, line in forged.items():
        folder = tmp_path / name
        (folder / "worktrees" / "x").mkdir(parents=True)
        (folder / "HEAD").write_text("ref: refs/heads/main\n")
        (folder / "link").symlink_to(repository)
        (folder / "worktrees" / "x" / "commondir").write_text(str(repository))
        (folder / "worktrees" / "x" / "gitdir").write_text(str(folder / ".git"))
        (folder / ".git").write_text(line)
        assert project_in(folder, monkeypatch) is None, name
    for name, target in (("linked", repository), ("linked file", shop / "feature" / ".git")):
        (tmp_path / name).mkdir()
        (tmp_path / name / ".git").symlink_to(target)
        assert project_in(tmp_path / name, monkeypatch) is None, name
    evil = tmp_path / "evil"
    git(tmp_path, "init", "--quiet", "evil")
    claimed = evil / ".git" / "worktrees" / "x"
    claimed.mkdir(parents=True)
    (claimed / "gitdir").write_text(str(shop / "code" / ".git"))
    (claimed / "commondir").write_text("../..")
    assert project_in(evil, monkeypatch) is None, "a list that names a folder of others"


def test_another_clone_is_hinted_at_and_joins_only_by_a_person(
    shop: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(shop / "second")
    completed = run("context", "payments provider")
    assert "Stripe" not in completed.stdout
    assert "has the same remote as" in completed.stderr
    assert "holdfast projects here shop" in completed.stderr
    assert "--project shop" in error_of("folders", "add", ".", status=2)["hint"]
    assert "here shop" not in run("--agent", "coder", "context", "payments provider").stderr
    for words in (("projects", "here", "shop"), ("folders", "add", ".", "--project", "shop", "--later")):
        assert error_of("--agent", "coder", *words, status=4)["code"] == "person_needed"
    assert project_in(shop / "second", monkeypatch) is None
    run("projects", "here", "shop")
    assert "Stripe" in run("context", "payments provider").stdout


def test_a_hook_in_a_worktree_answers_and_learns_for_the_project(shop: Path, tmp_path: Path) -> None:
    def hook(folder: str, event: str, **payload: object) -> str:
        content = {"session_id": folder, "cwd": str(shop / folder), "hook_event_name": event, **payload}
        completed = subprocess.run(
            [HOLDFAST, "hook", "claude-code", event], input=json.dumps(content), capture_output=True,
            text=True, timeout=PATIENCE, check=True, env={**os.environ, "HOLDFAST_HOOK_SECONDS": "60"},
        )  # fmt: skip
        return completed.stdout

    assert "Stripe" in hook("feature", "SessionStart", source="startup")
    told = json.loads(hook("second", "SessionStart", source="startup"))
    assert list(told) == ["systemMessage"], "for the user: whoever made the folder chose its remote"
    assert "has the same remote as" in told["systemMessage"]
    for folder in ("feature", "fix"):
        log = tmp_path / f"{folder}.jsonl"
        steps = ({"type": "session", "id": folder}, *LESSON)
        log.write_text("".join(json.dumps(step) + "\n" for step in steps))
        hook(folder, "Stop", transcript_path=str(log))
    assert [project["name"] for project in run_json("projects")["projects"]] == ["shop"]
    told = run("review", "list", "--project", "shop").stdout + run("list", "--project", "shop").stdout
    assert told.count("settings object") == 1, "the same lesson once"


def test_what_is_said_of_a_file_on_another_branch_holds_there_only(
    shop: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The default branch is that of the repository, and a memory about no file holds on all."""
    about = ("--project", "shop", "--about", "api/auth.py", "--kind", "gotcha")
    completed = run("remember", "Sign-in needs the new token header", *about)
    assert "Only on branch feature" in completed.stderr
    run("remember", "Sign-in is slow on Mondays", *about, "--branch", "main")
    assert run_json("remember", "We ship on Fridays", "--kind", "decision")["memory"]["branch"] is None
    output = run("context", "the token header of sign-in").stdout
    assert "only on branch feature" in output
    assert "only on branch feature" in run("recall", "token header", "--kind", "gotcha").stdout
    monkeypatch.chdir(shop / "code")
    output = run("context", "the token header of sign-in is slow").stdout
    assert "Mondays" in output
    assert "header" not in output
    assert run_json("remember", "Sign-in has no test", *about)["memory"]["branch"] is None
    git(shop / "code", "checkout", "--quiet", "-b", "develop")
    assert run_json("remember", "Sign-in logs out", *about)["memory"]["branch"] == "develop"
    (shop / "code" / ".git" / "refs" / "remotes" / "origin" / "HEAD").write_text(
        "ref: refs/remotes/origin/develop\n"
    )
    assert run_json("remember", "Sign-in has two forms", *about)["memory"]["branch"] is None
    git(shop / "code", "checkout", "--quiet", "main")


def test_what_git_notes_in_a_worktree_and_worktrees_in_a_folder_are_not_indexed(
    shop: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first is no text of the project, the second its text once more."""
    git(shop / "code", "worktree", "add", "--quiet", ".claude/worktrees/inner", "-b", "inner")
    run("folders", "add", str(shop / "feature"), "--project", "shop")
    for folder in ("code", "feature"):
        run("folders", "index", str(shop / folder))
        files = run_json("folders", "files", str(shop / folder), "--state", "indexed")["files"]
        assert [file["path"] for file in files] == ["api/auth.py"]


def test_the_folder_one_stands_in_precedes_other_checkouts_and_each_passage_comes_once(
    shop: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Hits name their folder where the project has several."""
    assert "  in " not in run("recall", "sign_in", "--path", "api").stdout
    for name in ("feature", "fix"):
        run("folders", "add", str(shop / name), "--project", "shop")
    for name in ("code", "feature", "fix"):
        monkeypatch.chdir(shop / name / "api")
        output = run("recall", "sign_in", "--path", "api").stdout
        assert output.count("api/auth.py") == 1, name
        assert f"  in {name}" in output
    (shop / "fix" / "api" / "auth.py").write_text("def sign_in():\n    return 2\n")
    run("folders", "index", str(shop / "fix"))
    for name, first in (("fix", "2"), ("code", "1")):
        monkeypatch.chdir(shop / name)
        hits = run_json("recall", "sign_in", "--path", "api")["hits"]
        assert [f"return {first}" in hit["memory"]["text"] for hit in hits] == [True, False], name


def test_worktrees_of_a_bare_repository_are_one_place(made: Path, tmp_path: Path) -> None:
    (tmp_path / "shop").mkdir()
    git(tmp_path, "clone", "--quiet", "--bare", str(made / "origin.git"), "shop/.bare")
    git(tmp_path, "clone", "--quiet", "--bare", str(made / "origin.git"), "depot.git")
    (tmp_path / "shop" / ".git").write_text("gitdir: ./.bare\n")
    git(tmp_path / "shop", "worktree", "add", "--quiet", "feature", "-b", "feature")
    git(tmp_path / "depot.git", "worktree", "add", "--quiet", "../desk", "-b", "desk")
    for folder, root in (("shop/feature", "shop"), ("shop", "shop"), ("desk", "depot.git")):
        found = checkout_at((tmp_path / folder).resolve())
        assert found is not None
        assert found.root == (tmp_path / root).resolve(), folder


def test_a_nul_in_a_file_of_git_is_no_path(made: Path, tmp_path: Path) -> None:
    shutil.copytree(made / "second" / ".git", tmp_path / "code" / ".git")
    (tmp_path / "code" / ".git" / "worktrees" / "x").mkdir(parents=True)
    (tmp_path / "code" / ".git" / "worktrees" / "x" / "gitdir").write_bytes(b"/a\0b/.git")
    (tmp_path / "linked").mkdir()
    (tmp_path / "linked" / ".git").write_bytes(b"gitdir: /a\0b")
    found = checkout_at(tmp_path / "code")
    assert found is not None
    assert list(found.other_worktrees()) == []
    assert checkout_at(tmp_path / "linked") is None


def test_a_submodule_in_a_worktree_is_indexed(made: Path, tmp_path: Path) -> None:
    """Its `.git` file names a place below that of the worktree."""
    for name, state in (("sub", "feature/modules/sub"), ("inner", "feature")):
        (tmp_path / "tree" / name).mkdir(parents=True)
        (tmp_path / "tree" / name / ".git").write_text(f"gitdir: {made}/code/.git/worktrees/{state}\n")
        (tmp_path / "tree" / name / "a.py").write_text("def a():\n    return 1\n")
    run("folders", "add", str(tmp_path / "tree"), "--project", "shop")
    files = run_json("folders", "files", str(tmp_path / "tree"), "--state", "indexed")["files"]
    assert [file["path"] for file in files] == ["sub/a.py"]


def test_a_worktree_of_the_home_folder_stands_for_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "home"
    home.mkdir(exist_ok=True)
    git(home, "init", "--quiet")
    git(home, "commit", "--quiet", "--allow-empty", "--message", "First")
    git(home, "worktree", "add", "--quiet", "../desk", "-b", "desk")
    run("projects", "create", "dots")
    monkeypatch.chdir(tmp_path / "desk")
    output = run_json("projects", "here", "dots")
    assert (output["folder"], output["project"]) == (str(tmp_path / "desk"), "dots")
    shutil.rmtree(tmp_path / "desk")
    for command in ("recall", "context"):
        assert run(command, "anything").exit_code == 0, "in a folder that is gone"
    run("remember", "The door is red", "--about", "a.py", "--project", "dots")


def test_a_name_that_is_too_long_for_a_file_is_no_known_one(
    shop: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    output = run_json("remember", "Long", "--kind", "gotcha", "--about", f"api/{'x' * 400}.py")
    assert output["memory"]["metadata"]["file_known"] is False


def test_a_hook_ends_though_nobody_reads_its_errors(shop: Path) -> None:
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    try:
        with suppress(BlockingIOError):
            while True:
                os.write(writer, b"x" * 65_536)
        os.set_blocking(writer, True)
        env = {**os.environ, "HOLDFAST_DEBUG": "1", "HOLDFAST_HOOK_SECONDS": "0.1"}
        command = [HOLDFAST, "hook", "claude-code", "SessionStart"]
        completed = subprocess.run(
            command, input=b"{", stdout=subprocess.PIPE, stderr=writer, env=env, timeout=PATIENCE
        )
    finally:
        os.close(reader)
        os.close(writer)
    assert completed.returncode == 0


@pytest.mark.parametrize(
    ("url", "address"),
    [
        ("git@Git.Example.com:acme/Shop.git", "git.example.com/acme/shop"),
        ("ssh://git@git.example.com:2222/acme/shop.git", "git.example.com/acme/shop"),
        ("https://ana:pw@git.example.com/acme/shop/", "git.example.com/acme/shop"),
        ("file:///srv/shop.git", "/srv/shop"),
        ("/srv/shop", "/srv/shop"),
        ("../shop", None),
        ("https://[bad/shop", None),
    ],
)
def test_an_address_of_a_remote_has_one_form(url: str, address: str | None) -> None:
    assert address_of(url) == address
