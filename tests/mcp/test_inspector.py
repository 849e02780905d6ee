"""A client in TypeScript lists and calls every tool over both transports: that of the MCP inspector. Its
command makes the first call, and under `make slow` all of them."""

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
    ("forget", {"id": "{note}"}),
)
SEARCH_FETCH: Calls = (("search", {"query": "shop"}), ("fetch", {"id": "{id}"}))
_SHOP = {"name": "Shop", "entityType": "place", "observations": ["opens at nine"]}
_BARN = {"name": "Barn", "entityType": "place", "observations": []}
_NEAR = {"from": "Shop", "to": "Barn", "relationType": "stands near"}
LOG = '{{"type": "read", "path": "shop.py"}}\n{{"type": "read", "path": "till.py"}}'
"""Two lines: the inspector would take one for an object."""
RUNNER: Calls = (("learn", {"log": LOG, "project": "shop"}),)
DATA: Calls = (
    (
        "reconcile",
        {"file": "fees.xlsx", "parts": [{"type": "DATA_TABLE", "id": "fees", "data": {"name": "fees"}}]},
    ),
    ("list_sources", {}),
    ("recall", {"query": "which table has the fees"}),
    ("get_memory", {"id": "{id}"}),
)
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
        wanted = "".join((HERE / name).read_text("utf-8") for name in ("package.json", "calls.mjs"))
        done = home / "installed.json"
        if not done.exists() or done.read_text("utf-8") != wanted:
            shutil.copy(HERE / "package.json", home)
            shutil.copy(HERE / "calls.mjs", home)
            command = [str(BIN / "npm"), "install", "--no-audit", "--no-fund", "--loglevel", "error"]
            subprocess.run(command, cwd=home, env=_environment(), check=True, timeout=PATIENCE)
            done.write_text(wanted, "utf-8")
    return home / "node_modules" / ".bin" / "mcp-inspector"


def _environment() -> dict[str, str]:
    return os.environ | {"PATH": f"{BIN}{os.pathsep}{os.environ['PATH']}"}


def _inspect(inspector: Path, server: Sequence[str], *options: str) -> Any:
    command = [str(inspector), "--cli", *server, *options]
    completed = subprocess.run(
        command, env=_environment(), capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    assert completed.returncode == 0, completed.stderr + completed.stdout
    return json.loads(completed.stdout)


def _listed(inspector: Path, server: Sequence[str]) -> list[str]:
    return sorted(tool["name"] for tool in _inspect(inspector, server, "--method", "tools/list")["tools"])


def _filled(value: Any, ids: Mapping[str, str]) -> Any:
    return value.format(**ids) if isinstance(value, str) else value


def _call_all(inspector: Path, server: Sequence[str], calls: Calls, ids: Mapping[str, str]) -> dict[str, Any]:
    """Calls tools one by one and returns what each answered."""
    answers = {}
    for name, given in calls:
        options = ["--method", "tools/call", "--tool-name", name]
        for key, value in given.items():
            told = _filled(value, ids)
            options += ["--tool-arg", f"{key}={told if isinstance(told, str) else json.dumps(told)}"]
        answer = _inspect(inspector, server, *options)
        assert not answer.get("isError"), (name, answer)
        answers[name] = answer
    return answers


def _call_by_one(inspector: Path, server: Mapping[str, Any], calls: Calls, ids: Mapping[str, str]) -> Any:
    """Calls tools with one client; returns the names of those that it lists, and what each answered."""
    made = [(name, {key: _filled(value, ids) for key, value in given.items()}) for name, given in calls]
    completed = subprocess.run(
        [str(BIN / "node"), str(inspector.parents[2] / "calls.mjs")], env=_environment(), check=False,
        input=json.dumps({**server, "calls": made}), capture_output=True, text=True, timeout=PATIENCE,
    )  # fmt: skip
    assert completed.returncode == 0, completed.stderr + completed.stdout
    data = json.loads(completed.stdout)
    for name, answer in data["answers"].items():
        assert not answer.get("isError"), (name, answer)
    return sorted(data["tools"]), data["answers"]


def _fill_store(store: Path) -> dict[str, str]:
    """Returns the ids of a memory, of a trap about a file of an indexed folder, and of a note of an agent."""
    shop = store.with_name("shop")
    shop.mkdir()
    (shop / "till.py").write_text("till = 1\n")
    with Memory(store, user="ana") as memory:
        memory.folders.index(memory.folders.add(shop, project="shop").id)
        stored = memory.remember("The shop opens at eight on Mondays").memory
        trap = memory.remember(
            "The till prints twice", kind="gotcha", project="shop", metadata={"file": "till.py"}
        ).memory
        note = memory.remember("The till was repaired in May", origin="agent").memory
        assert stored is not None
        assert trap is not None
        assert note is not None
        return {"id": stored.id, "trap": trap.id, "note": note.id}


def test_every_tool_over_standard_input_and_output(inspector: Path, tmp_path: Path) -> None:
    store = tmp_path / "i.db"
    ids = _fill_store(store)
    command, *args = [HOLDFAST, "mcp", "--store", str(store), "--user", "ana"]
    tools, answers = _call_by_one(inspector, {"command": command, "args": args}, AGENT, ids)
    assert tools == sorted(name for name, _ in AGENT)
    assert "eight on Mondays" in json.dumps(answers["recall"])


@pytest.mark.parametrize(
    "calls", [AGENT[:1], pytest.param(AGENT, marks=pytest.mark.slow)], ids=["first", "all"]
)
def test_the_inspector_over_standard_input_and_output(inspector: Path, tmp_path: Path, calls: Calls) -> None:
    """Each process of the server answers one call: all of them take a minute, so usually one is made."""
    store = tmp_path / "i.db"
    ids = _fill_store(store)
    server = [HOLDFAST, "mcp", "--store", str(store), "--user", "ana"]
    assert _listed(inspector, server) == sorted(name for name, _ in AGENT)
    _call_all(inspector, server, calls, ids)


PROFILES: Mapping[str, Calls] = {
    "/mcp/search-fetch": SEARCH_FETCH, "/mcp/reference": REFERENCE, "/mcp/runner": RUNNER, "/mcp/data": DATA,
    "/mcp": AGENT,
}  # fmt: skip


def test_every_tool_of_every_profile_over_http(inspector: Path, tmp_path: Path) -> None:
    store = tmp_path / "i.db"
    ids = _fill_store(store)
    with served(store) as (_, url):
        for path, calls in PROFILES.items():
            tools, answers = _call_by_one(inspector, {"url": url + path}, calls, ids)
            assert tools == sorted(name for name, _ in calls)
            if path.endswith("reference"):
                assert "is red" in json.dumps(answers["search_nodes"])


@pytest.mark.parametrize(
    ("path", "number"), [("/mcp", 1), *(pytest.param(one, None, marks=pytest.mark.slow) for one in PROFILES)]
)
def test_the_inspector_over_http(inspector: Path, tmp_path: Path, path: str, number: int | None) -> None:
    calls = PROFILES[path]
    store = tmp_path / "i.db"
    ids = _fill_store(store)
    with served(store) as (_, url):
        server = [url + path, "--transport", "http"]
        assert _listed(inspector, server) == sorted(name for name, _ in calls)
        _call_all(inspector, server, calls[:number], ids)
