"""Pipes, links and foreign files beside a store or in a project: none is followed or waited for."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from holdfast import Memory
from holdfast.core.errors import StoreError
from tests.cli.support import error_of, run
from tests.reliability.damaging import filled
from tests.support import PATIENCE

BESIDE = ("-wal", "-shm", "-journal", ".head")


def holdfast(*words: str) -> subprocess.CompletedProcess[str]:
    """Runs a command as a process, which a pipe could hold for ever."""
    return subprocess.run(
        [sys.executable, "-c", "from holdfast.cli.main import main; main()", *words],
        capture_output=True, text=True, timeout=PATIENCE,
    )  # fmt: skip


@pytest.mark.process
@pytest.mark.parametrize("ending", ["", *BESIDE, ".keys"])
def test_a_pipe_holds_nobody(tmp_path: Path, ending: str) -> None:
    path = filled(tmp_path / "a.db", 3)
    planted = Path(f"{path}{ending}")
    planted.unlink(missing_ok=True)
    os.mkfifo(planted)
    command = ("keys", "list") if ending == ".keys" else ("list",)
    done = holdfast(*command, "--store", str(path), "--user", "ana")
    assert done.returncode == 5, done.stderr
    assert str(planted) in done.stderr


@pytest.mark.process
@pytest.mark.parametrize("ending", ["", ".json"])
def test_a_pipe_among_backups_holds_nobody(
    tmp_path: Path, ending: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOLDFAST_BACKUP_FOLDER", str(tmp_path / "backups"))
    store = ("--store", str(filled(tmp_path / "a.db", 3)), "--user", "ana")
    assert holdfast("backup", *store).returncode == 0
    (backup,) = (tmp_path / "backups").glob("*.db")
    planted = Path(f"{backup}{ending}")
    planted.unlink()
    os.mkfifo(planted)
    assert holdfast("backup", "--list", *store).returncode == 0
    assert holdfast("backup", *store).returncode == 0
    done = holdfast("restore", str(backup), "--yes", *store)
    assert done.returncode != 0
    assert "unexpected" not in done.stderr


@pytest.mark.process
def test_a_pipe_in_place_of_a_key_or_of_questions_holds_nobody(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for words in (("login", "https://127.0.0.1:1", "--api-key-file", str(pipe)), ("eval", str(pipe))):
        done = holdfast(*words)
        assert done.returncode != 0
        assert "unexpected" not in done.stderr


def test_a_store_with_a_second_name_is_not_opened_until_it_has_a_file_of_its_own(tmp_path: Path) -> None:
    """Each name has a log of its own: what was written by one would be lost to the other."""
    path = filled(tmp_path / "a b.db", 3)
    (tmp_path / "b.db").hardlink_to(path)
    for name in ("a b.db", "b.db"):
        with pytest.raises(StoreError) as caught:
            Memory(tmp_path / name, user="ana")
        assert caught.value.code == "store_linked"
    (command,) = (caught.value.hint or "").split(": ", 1)[1:]
    subprocess.run(command, shell=True, check=True)
    for name in ("a b.db", "b.db"):
        with Memory(tmp_path / name, user="ana") as memory:
            assert memory.count() == 3


def test_the_second_name_that_a_killed_conversion_left_is_cleared(tmp_path: Path) -> None:
    path = filled(tmp_path / "a.db", 3)
    (tmp_path / "a.db.erasing").hardlink_to(path)
    with Memory(path, user="ana") as memory:
        assert memory.count() == 3
    assert path.stat().st_nlink == 1


@pytest.mark.parametrize("ending", BESIDE)
def test_a_link_is_not_written_through(tmp_path: Path, ending: str) -> None:
    path = filled(tmp_path / "a.db", 3)
    victim = tmp_path / "victim"
    victim.write_text("what is dear to somebody")
    planted = Path(f"{path}{ending}")
    planted.unlink(missing_ok=True)
    planted.symlink_to(victim)
    with pytest.raises(StoreError) as caught:
        Memory(path, user="ana")
    assert caught.value.code == "store_unavailable"
    assert victim.read_text() == "what is dear to somebody"


def test_keys_are_not_written_through_a_link(tmp_path: Path) -> None:
    path = filled(tmp_path / "a.db", 3)
    victim = tmp_path / "victim"
    victim.write_text("what is dear to somebody")
    Path(f"{path}.keys.new").symlink_to(victim)
    error_of("keys", "create", "--name", "laptop", "--store", str(path), "--user", "ana", status=5)
    assert victim.read_text() == "what is dear to somebody"


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may give files away")
def test_a_file_of_another_user_is_refused(tmp_path: Path) -> None:
    path = filled(tmp_path / "a.db", 3)
    os.chown(f"{path}.head", 65_534, 65_534)
    with pytest.raises(StoreError, match="another user"):
        Memory(path, user="ana")


@pytest.mark.parametrize("client", ["claude-code", "cursor", "vscode"])
def test_settings_of_a_project_are_not_written_through_links(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, client: str
) -> None:
    from holdfast.mcp.install import CLIENTS

    project, elsewhere = tmp_path / "project", tmp_path / "elsewhere"
    project.mkdir()
    elsewhere.mkdir()
    monkeypatch.chdir(project)
    relative = Path(CLIENTS[client].project)
    if relative.parent != Path():
        (project / relative.parts[0]).symlink_to(elsewhere)
    else:
        (elsewhere / "settings.json").write_text("{}")
        (project / relative).symlink_to(elsewhere / "settings.json")
    error = error_of("mcp", "install", client, "--scope", "project", status=2)
    assert error["code"] == "config_invalid"
    assert "is a link" in error["message"]
    assert all(file.read_text() == "{}" for file in elsewhere.iterdir())


def test_a_context_is_not_written_through_links(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    project, elsewhere = tmp_path / "project", tmp_path / "elsewhere"
    project.mkdir()
    elsewhere.mkdir()
    monkeypatch.chdir(project)
    (project / ".notes").symlink_to(elsewhere)
    store = str(filled(tmp_path / "a.db", 3))
    error = error_of("context", "anchor", "--write", ".notes/context.md", "--store", store, status=2)
    assert "is a link" in error["message"]
    assert list(elsewhere.iterdir()) == []
    run("context", "anchor", "--write", "context.md", "--store", store, "--user", "ana")
    assert (project / "context.md").is_file()


def test_a_context_takes_the_place_of_no_pipe_and_no_device(tmp_path: Path) -> None:
    store = str(tmp_path / "a.db")
    run("remember", "The anchor is red", "--store", store, "--user", "ana")
    pipe = tmp_path / "context.md"
    os.mkfifo(pipe)
    error = error_of("context", "anchor", "--write", str(pipe), "--store", store, status=2)
    assert "is not a regular file" in error["message"]
    assert pipe.is_fifo()


def test_a_key_of_digests_that_cannot_be_used_is_named_by_its_path(tmp_path: Path) -> None:
    """Also where the path looks like a password, as the name of a scratch folder does."""
    folder = tmp_path / "7w3kq9x2"
    folder.mkdir()
    with Memory(folder / "q5.db", user="ana") as memory:
        stored = memory.remember("The ferry leaves at nine").memory
        assert stored is not None
        (folder / "q5.db.secret").write_bytes(b"short")
        with pytest.raises(StoreError) as error:
            memory.forget(stored.id, hard=True)
    assert error.value.code == "keys_unusable"
    assert str(folder / "q5.db.secret") in error.value.message
