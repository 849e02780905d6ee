"""The MCP inspector, a client in TypeScript, lists and calls every tool over both transports."""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from holdfast import Memory
from tests.cli.support import HOLDFAST
from tests.http.test_process import served
from tests.support import PATIENCE

HERE = Path(__file__).parent / "inspector"
BIN = Path(sys.executable).parent
Calls = Sequence[tuple[str, dict[str, Any]]]
AGENT: Calls = (
    ("remember", {"text": "The shop opens at nine"}),
    ("record_gotcha", {"text": "The till prints twice when it is cold"}),
    ("recall", {"query": "when does the shop open?"}),
    ("context", {"task": "change when the shop opens"}),
    ("update_module_map", {"module": "till", "core_files": ["till.py"], "project": "shop"}),
    ("ask", {"text": "what is my favourite colour?"}),
    ("about", {}),
    ("list_memories", {}),
    ("get_memory", {"id": "{id}"}),
    ("history", {"id": "{id}"}),
    ("confirm", {"id": "{trap}"}),
    ("forget", {"id": "{id}"}),
)
SEARCH_FETCH: Calls = (("search", {"query": "shop"}), ("fetch", {"id": "{id}"}))
_SHOP = {"name": "Shop", "entityType": "place", "observations": ["opens at nine"]}
_BARN = {"name": "Barn", "entityType": "place", "observations": []}
_NEAR = {"from": "Shop", "to": "Barn", "relationType": "stands near"}
LOG = '{{"type": "read", "path": "shop.py"}}\n{{"type": "read", "path": "till.py"}}'
"""Two lines: the inspector would take one for an object."""
RUNNER: Calls = (("learn", {"log": LOG, "project": "shop"}),)
REFERENCE: Calls = (
    ("create_entities", {"entities": [_SHOP, _BARN]}),
    ("create_relations", {"relations": [_NEAR]}),
    ("add_observations", {"observations": [{"entityName": "Barn", "contents": ["is red"]}]}),
    ("read_graph", {}),
    ("search_nodes", {"query": "red"}),
    ("open_nodes", {"names": ["Shop"]}),
    ("delete_observations", {"deletions": [{"entityName": "Barn", "observations": ["is red"]}]}),
    ("delete_relations", {"relations": [_NEAR]}),
    ("delete_entities", {"entityNames": ["Shop", "Barn"]}),
)


@pytest.fixture(scope="session")
def inspector() -> Path:
    """The inspector's command, installed once beside the interpreter."""
    home = BIN.parent / "inspector"
    home.mkdir(exist_ok=True)
    with open(home / "lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # the tests of another process install it, too
        wanted = (HERE / "package.json").read_text("utf-8")
        done = home / "installed.json"
        if not done.exists() or done.read_text("utf-8") != wanted:
            shutil.copy(HERE / "package.json", home)
            command = [str(BIN / "npm"), "install", "--no-audit", "--no-fund", "--loglevel", "error"]
            subprocess.run(command, cwd=home, env=_environment(), check=True, timeout=PATIENCE)
            done.write_text(wanted, "utf-8")
    return home / "node_modules" / ".bin" / "mcp-inspector"


def _environment() -> dict[str, str]:
    return os.environ | {"PATH": f"{BIN}{os.pathsep}{os.environ['PATH']}"}


def _asked(inspector: Path, server: Sequence[str], *options: str) -> Any:
    command = [str(inspector), "--cli", *server, *options]
    done = subprocess.run(
        command, env=_environment(), capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    assert done.returncode == 0, done.stderr + done.stdout
    return json.loads(done.stdout)


def _listed(inspector: Path, server: Sequence[str]) -> list[str]:
    return sorted(tool["name"] for tool in _asked(inspector, server, "--method", "tools/list")["tools"])


def _call_all(inspector: Path, server: Sequence[str], calls: Calls, ids: Mapping[str, str]) -> dict[str, Any]:
    """Calls tools one by one and returns what each answered."""
    answers = {}
    for name, given in calls:
        options = ["--method", "tools/call", "--tool-name", name]
        for key, value in given.items():
            told = value.format(**ids) if isinstance(value, str) else json.dumps(value)
            options += ["--tool-arg", f"{key}={told}"]
        answer = _asked(inspector, server, *options)
        assert not answer.get("isError"), (name, answer)
        answers[name] = answer
    return answers


def _kept(store: Path) -> dict[str, str]:
    """A memory, and a trap about a file of an indexed folder."""
    shop = store.with_name("shop")
    shop.mkdir()
    (shop / "till.py").write_text("till = 1\n")
    with Memory(store, user="ana") as memory:
        memory.folders.index(memory.folders.add(shop, project="shop").id)
        kept = memory.remember("The shop opens at eight on Mondays").memory
        trap = memory.remember(
            "The till prints twice", kind="gotcha", project="shop", metadata={"file": "till.py"}
        ).memory
        assert kept is not None
        assert trap is not None
        return {"id": kept.id, "trap": trap.id}


@pytest.mark.parametrize(
    "calls", [AGENT[:3], pytest.param(AGENT, marks=pytest.mark.slow)], ids=["some", "all"]
)
def test_every_tool_over_standard_input_and_output(inspector: Path, tmp_path: Path, calls: Calls) -> None:
    """Each process of the server answers one call: all of them take a minute, so usually some are made."""
    store = tmp_path / "i.db"
    ids = _kept(store)
    server = [HOLDFAST, "mcp", "--store", str(store), "--user", "ana"]
    assert _listed(inspector, server) == sorted(name for name, _ in AGENT)
    answers = _call_all(inspector, server, calls, ids)
    assert "eight on Mondays" in json.dumps(answers["recall"])


@pytest.mark.parametrize(
    ("path", "calls"),
    [
        ("/mcp", AGENT),
        ("/mcp/search-fetch", SEARCH_FETCH),
        ("/mcp/reference", REFERENCE),
        ("/mcp/runner", RUNNER),
    ],
    ids=["agent", "search-fetch", "reference", "runner"],
)
def test_every_tool_of_every_profile_over_http(
    inspector: Path, tmp_path: Path, path: str, calls: Calls
) -> None:
    store = tmp_path / "i.db"
    ids = _kept(store)
    with served(store) as (_, url):
        assert _listed(inspector, [url + path, "--transport", "http"]) == sorted(name for name, _ in calls)
        answers = _call_all(inspector, [url + path, "--transport", "http"], calls, ids)
    if path.endswith("reference"):
        assert "is red" in json.dumps(answers["search_nodes"])
