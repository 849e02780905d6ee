"""Installing writes one entry and leaves the rest of a file as it is, or leaves all of it."""

from __future__ import annotations

import json
import os
import stat
import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdfast.core.errors import InvalidInput
from holdfast.integrations.settings_file import change_of
from holdfast.mcp.install import CLIENTS, edit, snippet
from tests.cli.support import error_of, process, run, run_json
from tests.profiles import examples

JSON_CLIENTS = [name for name, client in CLIENTS.items() if not client.is_toml]


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("CLAUDE_CONFIG_DIR", "CODEX_HOME", "COPILOT_HOME"):
        monkeypatch.delenv(name, raising=False)
    folder = tmp_path / "folder"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return tmp_path / "home"


def place(home: Path, client: str) -> Path:
    return {
        "claude-code": home / ".claude.json",
        "cursor": home / ".cursor" / "mcp.json",
        "vscode": home / "config" / "Code" / "User" / "mcp.json",
        "codex": home / ".codex" / "config.toml",
        "gemini": home / ".gemini" / "settings.json",
        "copilot": home / ".copilot" / "mcp-config.json",
        "opencode": home / "config" / "opencode" / "opencode.json",
    }[client]


def words(entry: dict[str, Any]) -> list[str]:
    """Returns the command of an entry with its arguments."""
    command = entry["command"]
    return command if isinstance(command, list) else [command, *entry["args"]]


def read(path: Path) -> Any:
    text = path.read_text("utf-8")
    return tomllib.loads(text) if path.suffix == ".toml" else json.loads(text)


@pytest.fixture(autouse=True)
def _linux(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.platform", "linux")


@pytest.mark.parametrize("client", CLIENTS)
def test_a_new_file_is_written_once(client: str, home: Path) -> None:
    first = run_json("mcp", "install", client)
    path = place(home, client)
    assert first["file"] == str(path)
    assert first["changed"] is True
    entry = read(path)[CLIENTS[client].key]["holdfast"]
    command, *arguments = words(entry)
    assert arguments == ["mcp", "--agent", client]
    assert Path(command).is_absolute()
    before = path.read_bytes(), path.stat().st_mtime_ns
    assert run_json("mcp", "install", client)["changed"] is False
    assert (path.read_bytes(), path.stat().st_mtime_ns) == before
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_the_entry_works_as_it_was_written() -> None:
    entry = run_json("mcp", "install", "cursor")["entry"]
    completed = process(*entry["args"])
    assert (completed.returncode, completed.stderr) == (0, b"")


@pytest.mark.parametrize("client", JSON_CLIENTS)
def test_what_is_there_stays(client: str, home: Path) -> None:
    path, key = place(home, client), CLIENTS[client].key
    path.parent.mkdir(parents=True)
    mine: dict[str, Any] = {
        "z": [1, 2.5, None, "ä\u2028"],
        key: {"other": {"command": "x"}, "holdfast": {"env": {"A": "b"}, "command": "old"}},
        "a": {},
    }
    path.write_text(json.dumps(mine, ensure_ascii=False, indent=4), "utf-8")
    path.chmod(0o644)
    run("mcp", "install", client)
    now = read(path)
    assert list(now) == ["z", key, "a"]
    assert now[key]["holdfast"].pop("command") != "old"
    for field in ("args", "type", "tools", "enabled"):
        now[key]["holdfast"].pop(field, None)
    del mine[key]["holdfast"]["command"]
    assert now == mine
    assert '\n    "z": [' in path.read_text("utf-8"), "the indentation stays"
    assert stat.S_IMODE(path.stat().st_mode) == 0o644


def test_the_comments_and_tables_of_codex_stay(home: Path) -> None:
    path = place(home, "codex")
    path.parent.mkdir(parents=True)
    mine = (
        '# mine\nmodel = "o"\n\n[mcp_servers.holdfast] # own\nargs = [\n  "old", # why\n]\ntimeout = 20\n'
        '\n[mcp_servers.holdfast.env]\nA = "b"\n\n[mcp_servers.other]\ncommand = "x" # y\n'
    )
    path.write_text(mine)
    run("mcp", "install", "codex", "--project", "my shop")
    text = path.read_text()
    assert tomllib.loads(text)["mcp_servers"]["holdfast"] == {
        "command": run_json("mcp", "install", "codex", "--project", "my shop")["entry"]["command"],
        "args": ["mcp", "--project", "my shop", "--agent", "codex"],
        "timeout": 20,
        "env": {"A": "b"},
    }
    for line in (
        '# mine\nmodel = "o"\n',
        "[mcp_servers.holdfast] # own\n",
        'command = "x" # y\n',
        "timeout = 20",
    ):
        assert line in text


@pytest.mark.parametrize(
    ("client", "text"),
    [
        ("cursor", '{"mcpServers": {} // mine\n}'),
        ("cursor", '{"mcpServers": []}'),
        ("cursor", "[]"),
        ("gemini", '{"a": 1, "a": 2}'),
        ("vscode", '{"servers": {"holdfast": "x"}}'),
        ("claude-code", "{"),
        ("codex", 'mcp_servers = { holdfast = { command = "x" } }\n'),
        ("codex", 'x = """\n[mcp_servers.holdfast]\n"""\n'),
        ("codex", "mcp_servers = 1\n"),
        ("codex", "no toml"),
    ],
)
def test_what_cannot_be_merged_is_left_alone(client: str, text: str, home: Path) -> None:
    path = place(home, client)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    error = error_of("mcp", "install", client, status=2)
    assert error["code"] == "config_invalid"
    assert "add this yourself" in error["hint"]
    assert "holdfast" in error["hint"]
    assert path.read_text() == text
    assert [one.name for one in path.parent.iterdir() if one.name.startswith(f".{path.name}.")] == []


names = st.text(st.characters(codec="utf-8", exclude_categories=["Cs"]), max_size=12)
leaves = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | names
documents = st.dictionaries(
    names, st.recursive(leaves, lambda inner: st.lists(inner) | st.dictionaries(names, inner), max_leaves=8)
)


@settings(max_examples=examples(30))
@given(documents)
def test_any_json_keeps_all_that_is_not_ours(tmp_path_factory: pytest.TempPathFactory, mine: Any) -> None:
    path = tmp_path_factory.getbasetemp() / "any.json"
    path.write_text(json.dumps(mine), "utf-8")
    entry = {"command": "holdfast", "args": ["mcp"]}
    try:
        change_of(edit(CLIENTS["cursor"], path, "holdfast", entry)).apply()
    except InvalidInput:
        assert not isinstance(mine.get("mcpServers", {}), dict)
        return
    now = read(path)
    assert now.pop("mcpServers") == {"holdfast": entry}
    assert now == mine


def test_a_link_stays_a_link(home: Path, tmp_path: Path) -> None:
    kept, path = tmp_path / "dotfiles.json", place(home, "claude-code")
    kept.write_text("{}")
    path.parent.mkdir()
    path.symlink_to(kept)
    run("mcp", "install", "claude-code")
    assert path.is_symlink()
    assert "holdfast" in read(kept)["mcpServers"]


@pytest.mark.parametrize("scope", ["user", "project"])
def test_what_is_no_regular_file_is_neither_read_nor_replaced(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, scope: str
) -> None:
    """A pipe would keep the command waiting for ever."""
    monkeypatch.chdir(tmp_path)
    path = place(home, "claude-code") if scope == "user" else tmp_path / ".mcp.json"
    path.parent.mkdir(exist_ok=True)
    os.mkfifo(path)
    completed = run("mcp", "install", "claude-code", "--scope", scope, status=2)
    assert "is not a regular file" in completed.stderr
    assert path.is_fifo()


def test_settings_that_are_nested_too_deeply_are_left_alone(home: Path) -> None:
    path = place(home, "claude-code")
    path.parent.mkdir(exist_ok=True)
    path.write_text("[" * 100_000)
    assert "nested too deeply" in run("mcp", "install", "claude-code", status=2).stderr
    assert path.stat().st_size == 100_000


def test_the_folders_that_clients_are_told_are_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CODEX_HOME", str(tmp_path / "codex"))
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path / "claude"))
    assert run_json("mcp", "install", "codex")["file"] == str(tmp_path / "codex" / "config.toml")
    assert run_json("mcp", "install", "claude-code")["file"] == str(tmp_path / "claude" / ".claude.json")
    monkeypatch.setattr("sys.platform", "darwin")
    assert "Library/Application Support/Code/User" in run_json("mcp", "install", "vscode")["file"]


@pytest.mark.parametrize("client", CLIENTS)
def test_a_shared_file_names_no_place_of_this_machine(client: str) -> None:
    output = run_json("mcp", "install", client, "--scope", "project", "--project", "shop")
    assert output["file"] == str(Path.cwd() / CLIENTS[client].project)
    assert words(output["entry"])[0] == "holdfast"
    assert str(Path.home()) not in Path(output["file"]).read_text()


def test_options_reach_the_entry_and_print_writes_nothing(home: Path) -> None:
    given = ["--profile", "search-fetch", "--session", "chat-1", "--name", "our.notes", "--agent", "bot"]
    shown = run("mcp", "install", "codex", *given, "--store", "team.db", "--user", "ana", "--print").stdout
    assert tomllib.loads(shown)["mcp_servers"]["our.notes"]["args"] == [
        "mcp", "--profile", "search-fetch", "--session", "chat-1", "--store", str(Path.cwd() / "team.db"),
        "--user", "ana", "--agent", "bot",
    ]  # fmt: skip
    assert not home.exists() or not list(home.rglob("config.toml"))
    assert json.loads(snippet(CLIENTS["vscode"], "a", {"command": "b"})) == {
        "servers": {"a": {"command": "b"}}
    }
    assert "one of claude-code" in error_of("mcp", "install", "emacs", status=2)["hint"]
    assert error_of("mcp", "install", "codex", "--scope", "moon", status=2)["hint"] == "user or project"


def test_what_makes_the_view_of_an_agent_wider_reaches_the_entry(home: Path) -> None:
    wider = ("--all-projects", "--personal", "--print")
    shown = run("mcp", "install", "cursor", "--project", "shop", *wider).stdout
    (entry,) = json.loads(shown)["mcpServers"].values()
    assert entry["args"][-2:] == ["--all-projects", "--personal"]
    address = ("--url", "https://memory.example", "--direct")
    shown = run("mcp", "install", "cursor", "--project", "shop", *address, *wider).stdout
    (entry,) = json.loads(shown)["mcpServers"].values()
    assert entry["url"] == "https://memory.example/mcp?project=shop&all_projects=1&personal=1"


def test_the_store_that_the_shell_names_is_written(monkeypatch: pytest.MonkeyPatch, home: Path) -> None:
    """A client that is started elsewhere does not have the variable, and would use another memory."""
    monkeypatch.setenv("HOLDFAST_STORE", "team.db")
    full = str(Path.cwd() / "team.db")
    output = run_json("mcp", "install", "cursor")
    assert output["entry"]["args"] == ["mcp", "--store", full, "--agent", "cursor"]
    assert full in run("mcp", "install", "cursor").stderr
    given = run_json("mcp", "install", "cursor", "--store", "own.db")
    assert given["entry"]["args"][2] == str(Path.cwd() / "own.db")
    assert given["notes"] == []
    monkeypatch.setenv("HOLDFAST_STORE", "~/team.db")
    assert run_json("mcp", "install", "cursor")["entry"]["args"][2] == str(home / "team.db")


def test_a_shared_file_names_no_store_of_this_shell(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOLDFAST_STORE", "team.db")
    output = run_json("mcp", "install", "cursor", "--scope", "project")
    assert output["entry"]["args"] == ["mcp", "--agent", "cursor"]
    assert "HOLDFAST_STORE is not written" in output["notes"][0]


@pytest.mark.parametrize("given", [(), ("--store",)])
@pytest.mark.parametrize(
    "secret",
    [
        "ana:hunter2xy@db.example.org/shop?tenant=t",
        "ana@db.example.org/shop?tenant=t&password=hunter2xy",
        "ana:p#hunter2xy@db.example.org/shop?tenant=t",
        "ana:p?hunter2xy@db.example.org/shop?tenant=t",
        "ana:p[hunter2xy@db.example.org/shop?tenant=t",
        "ana@db.example.org/shop?%70assword=hunter2xy&tenant=t",
    ],
)
def test_no_password_is_written(
    given: tuple[str, ...], secret: str, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = f"postgresql://{secret}"
    args = ["mcp", "install", "cursor", *given]
    if given:
        args.append(address)
    else:
        monkeypatch.setenv("HOLDFAST_STORE", address)
    output = run_json(*args)
    assert output["entry"]["args"][1:3] == ["--store", "postgresql://ana@db.example.org/shop?tenant=t"]
    assert "PGPASSFILE" in output["notes"][-1]
    assert "hunter2xy" not in json.dumps(output) + place(home, "cursor").read_text()


FORMS = {
    "claude-code": ("url", "${HOLDFAST_API_KEY}"),
    "cursor": ("url", "${env:HOLDFAST_API_KEY}"),
    "vscode": ("url", "${env:HOLDFAST_API_KEY}"),
    "gemini": ("httpUrl", "$HOLDFAST_API_KEY"),
    "copilot": ("url", "${HOLDFAST_API_KEY}"),
    "opencode": ("url", "{env:HOLDFAST_API_KEY}"),
}


@pytest.mark.parametrize("client", CLIENTS)
def test_a_client_may_call_the_service_itself_with_a_key_that_is_not_written(
    client: str, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOLDFAST_API_KEY", "hf_secret_that_is_nowhere")
    run_json("mcp", "install", client)
    options = ("--url", "https://memory.example/", "--direct", "--project", "web shop")
    if client == "codex":  # its table is changed line by line, so what contradicts is left to its owner
        assert "remove it first" in error_of("mcp", "install", client, *options, status=2)["message"]
        place(home, client).unlink()
    run_json("mcp", "install", client, *options)
    entry = read(place(home, client))[CLIENTS[client].key]["holdfast"]
    address = "https://memory.example/mcp?project=web%20shop"
    if client == "codex":
        assert entry == {
            "url": address, "bearer_token_env_var": "HOLDFAST_API_KEY",
            "http_headers": {"Holdfast-Agent": "codex"},
        }  # fmt: skip
    else:
        field, variable = FORMS[client]
        headers = {"Authorization": f"Bearer {variable}", "Holdfast-Agent": client}
        typed: dict[str, Any] = {"type": "http"} if CLIENTS[client].typed else {}
        typed |= {"type": "remote", "enabled": True} if client == "opencode" else {}
        tools = {"tools": ["*"]} if client == "copilot" else {}
        assert entry == {**typed, field: address, "headers": headers, **tools}
    assert "hf_secret" not in place(home, client).read_text("utf-8")
    assert run_json("mcp", "install", client, *options)["changed"] is False


def test_a_direct_entry_needs_a_service() -> None:
    assert error_of("mcp", "install", "cursor", "--direct", status=2)["code"] == "argument_invalid"
