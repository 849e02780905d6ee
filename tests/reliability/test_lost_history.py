"""Answers of a store whose history is lost: each says so, on every face, and nothing is exported as whole."""

from __future__ import annotations

import shutil
from pathlib import Path

import httpx
import pytest
from mcp import Client
from mcp.types import TextContent

from holdfast import Memory, Refusal
from holdfast.core.errors import Damaged
from tests.cli.support import run, run_json
from tests.http.test_process import served
from tests.mcp.support import stdio, using
from tests.reliability.damaging import killed_with_log
from tests.reliability.workload import text_of
from tests.support import PATIENCE


@pytest.fixture
def lost(tmp_path: Path) -> Path:
    """A store whose writer was killed, and whose write-ahead log was deleted."""
    path = killed_with_log(tmp_path / "a.db")
    Path(f"{path}-wal").unlink()
    Path(f"{path}-shm").unlink(missing_ok=True)
    return path


@pytest.fixture
def regressed(tmp_path: Path) -> Path:
    """A store that an older copy of its file stands for."""
    path = killed_with_log(tmp_path / "b.db")
    with Memory(path, user="ana"):  # what stands in the log goes into the file
        pass
    older = tmp_path / "older.db"
    shutil.copyfile(path, older)
    with Memory(path, user="ana") as memory:
        memory.remember("What comes later")
    shutil.copyfile(older, path)
    return path


def test_python_says_so(lost: Path, regressed: Path) -> None:
    for path in (lost, regressed):
        with pytest.warns(RuntimeWarning, match="missing"):
            opened = Memory(path, user="ana")
        with opened as memory:
            assert memory.recall(text_of(3)), "what is there is read"
            assert "missing" in (memory.lost or "")
            assert memory.as_user("ben").lost == memory.lost
            with pytest.raises(Damaged) as caught:
                list(memory.export())
            assert caught.value.code == "history_lost"
            with pytest.raises(Refusal) as refused:  # an agent might have cut it
                memory.as_user("ana", agent="coder").accept_loss()
            assert refused.value.code == "person_needed"
            assert "missing" in (memory.lost or "")
            memory.accept_loss()
            assert memory.lost is None
            assert list(memory.export())


def test_a_sound_store_says_nothing(tmp_path: Path, recwarn: pytest.WarningsRecorder) -> None:
    with Memory(tmp_path / "a.db", user="ana") as memory:
        memory.remember("All is well")
        assert memory.lost is None
    assert not [one for one in recwarn if "missing" in str(one.message)]
    result = run("recall", "well", "--store", str(tmp_path / "a.db"), "--user", "ana")
    assert "warning" not in result.stderr


@pytest.mark.parametrize(
    "command",
    [("recall", "anchor"), ("list",), ("stats",), ("context", "anchor"), ("ask", "what is it?")],
    ids=lambda words: words[0],
)
def test_the_command_line_says_so(lost: Path, command: tuple[str, ...]) -> None:
    here = (*command, "--store", str(lost), "--user", "ana")
    shown = run(*here)
    assert "warning" in shown.stderr
    assert "missing" in shown.stderr
    assert "holdfast doctor" in shown.stderr
    assert "missing" in run_json(*here)["warning"]


def test_the_command_line_exports_nothing(lost: Path, tmp_path: Path) -> None:
    target = tmp_path / "out.jsonl"
    result = run("export", "--output", str(target), "--store", str(lost), "--user", "ana", status=7)
    assert "missing" in result.stderr
    assert not target.exists()


@pytest.mark.process
def test_the_service_says_so_in_every_answer(lost: Path) -> None:
    with served(lost) as (_, url):
        for path in ("/v1/memories", "/v1/projects", "/v1/nothing", "/health/live", "/openapi.json"):
            response = httpx.get(url + path, timeout=PATIENCE)
            assert response.headers["holdfast-warning"] == "history_lost", path
        answer = httpx.post(f"{url}/v1/recall", json={"query": text_of(3)}, timeout=PATIENCE)
        assert (answer.status_code, answer.headers["holdfast-warning"]) == (200, "history_lost")
        assert httpx.get(f"{url}/v1/export", timeout=PATIENCE).json()["code"] == "history_lost"
        assert httpx.get(f"{url}/health/ready", timeout=PATIENCE).json()["code"] == "history_lost"
        with Memory(url) as client:
            assert client.recall(text_of(3))
            assert "missing" in (client.lost or "")
        assert "missing" in run_json("list", "--store", url)["warning"]


@pytest.mark.process
def test_tools_say_so(lost: Path) -> None:
    async def talk(client: Client) -> None:
        result = await client.call_tool("recall", {"query": text_of(3)})
        first = result.content[0]
        assert isinstance(first, TextContent)
        assert first.text.startswith("Warning:")
        assert "missing" in first.text

    using(stdio(lost), talk)
