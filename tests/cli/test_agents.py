"""`holdfast agents`: hooks and the MCP server are written together, leave the rest alone, and are undone."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdfast.integrations import json_text, settings_file
from holdfast.integrations.agents.clients import CLIENTS
from holdfast.integrations.agents.setup import HOOKS
from holdfast.mcp import install as mcp
from tests.cli.support import error_of, run, run_json
from tests.cli.terminal import Terminal
from tests.profiles import examples
from tools.plugins import ROOT, files

FOREIGN = {
    "model": "best", "hooks": {"Stop": [{"hooks": [{"type": "command", "command": "say done"}]}]},
    "env": {"A": "ä"},
}  # fmt: skip
"""Settings that somebody has made."""
JSON_CLIENTS = [name for name, hooks in HOOKS.items() if hooks.project.endswith(".json")]


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("CLAUDE_CONFIG_DIR", "CODEX_HOME", "HOLDFAST_STORE"):
        monkeypatch.delenv(name, raising=False)
    folder = tmp_path / "folder"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return tmp_path / "home"


def written(home: Path) -> dict[str, str]:
    """Returns the files of settings below a home and the working folder, with their text."""
    return {
        str(path): path.read_text("utf-8")
        for top in (home, Path.cwd()) for path in sorted(top.rglob("*"))
        if path.is_file() and path.suffix in (".json", ".toml", ".js")
        and "holdfast" not in path.relative_to(top).parts  # the folders of its own state and memories
    }  # fmt: skip


def test_every_client_with_hooks_can_be_answered() -> None:
    for name, hooks in HOOKS.items():
        assert {event for event, _ in hooks.events} <= CLIENTS[name].events.keys()


@pytest.mark.parametrize("client", HOOKS)
@pytest.mark.parametrize("scope", ["user", "project"])
def test_a_set_up_is_repeatable_and_undone(client: str, scope: str, home: Path) -> None:
    where = (client, "--scope", scope)
    shown = run_json("agents", "install", *where, "--dry-run")
    assert shown["changed"]
    assert written(home) == {}
    output = run_json("agents", "install", *where)
    assert (output["changes"], output["changed"]) == (shown["changes"], True)
    assert {change["file"] for change in output["changes"]} == set(written(home))
    first = written(home)
    assert run_json("agents", "install", *where)["changed"] is False
    assert written(home) == first
    assert run_json("agents", "uninstall", *where)["changed"]
    assert written(home) == {}
    assert run_json("agents", "uninstall", *where)["changed"] is False


@pytest.mark.parametrize("command", ["agents", "mcp"])
def test_on_a_terminal_a_person_sees_the_change_and_agrees_before_it_is_written(
    command: str, home: Path
) -> None:
    declined = Terminal(command, "install", "claude-code")
    assert '+      "command": ' in declined.until("Write this? [y/N]: ")
    declined.type("n\n")
    assert declined.end() == 1
    assert "Nothing was changed." in declined.shown
    assert written(home) == {}
    agreed = Terminal(command, "install", "claude-code")
    agreed.until("Write this? [y/N]: ")
    assert written(home) == {}
    agreed.type("y\n")
    assert agreed.end() == 0
    assert agreed.shown.count("+++ ") == len(written(home)) > 0
    again = Terminal(command, "install", "claude-code")  # there is nothing to agree to
    assert again.end() == 0
    assert "Nothing to do" in again.shown


@pytest.mark.parametrize(
    "command", [("agents", "install"), ("agents", "uninstall"), ("mcp", "install")], ids=" ".join
)
def test_what_a_client_writes_before_a_person_agrees_stays(command: tuple[str, str], home: Path) -> None:
    path = home / ".gemini" / "settings.json"
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps(FOREIGN))
    if command[1] == "uninstall":
        run("agents", "install", "gemini")
    asking = Terminal(*command, "gemini")
    asking.until("Write this? [y/N]: ")
    settings = json.loads(path.read_text())
    path.write_text(json.dumps({**settings, "theme": "dark"}))
    before = written(home)
    asking.type("y\n")
    assert asking.end() == 2
    assert "was changed meanwhile" in asking.shown
    assert "run the command again" in asking.shown
    assert written(home) == before
    again = Terminal(*command, "gemini", "--yes")
    assert again.end() == 0
    assert json.loads(path.read_text())["theme"] == "dark"


def test_yes_writes_on_a_terminal_without_asking(home: Path) -> None:
    done = Terminal("agents", "install", "claude-code", "--yes")
    assert done.end() == 0
    assert "Write this?" not in done.shown
    removed = Terminal("agents", "uninstall", "claude-code")
    removed.until("Write this? [y/N]: ")
    assert written(home) != {}
    removed.type("y\n")
    assert removed.end() == 0
    assert written(home) == {}


FORMS: dict[str, Any] = {
    "indented": {"indent": 4}, "tabs": {"indent": "\t"}, "compact": {"separators": (",", ":")},
    "one line": {},
}  # fmt: skip


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("client", JSON_CLIENTS)
def test_what_others_have_set_stays_to_the_byte(client: str, form: str, home: Path) -> None:
    path = HOOKS[client].user()
    path.parent.mkdir(parents=True, exist_ok=True)
    version = {} if HOOKS[client].version is None else {"version": 1}  # these clients ask for it
    text = json.dumps({**FOREIGN, **version}, ensure_ascii=False, **FORMS[form])
    text = text.replace("\n", "\r\n") if form == "tabs" else text
    path.write_bytes(text.encode())
    run("agents", "install", client, "--project", "my shop")
    data = json.loads(path.read_text())
    assert data["hooks"]["Stop"][0] == FOREIGN["hooks"]["Stop"][0]  # type: ignore[index]
    assert {**data, "hooks": FOREIGN["hooks"]}.items() >= FOREIGN.items()
    assert "--project 'my shop'" in path.read_text()
    run("agents", "uninstall", client)
    assert path.read_bytes() == text.encode()


def test_the_server_of_opencode_is_set_up_with_its_plugin(home: Path) -> None:
    path = home / "config" / "opencode" / "opencode.json"
    path.parent.mkdir(parents=True)
    text = '{"share": "disabled", "mcp": {"other": {"type": "local", "command": ["x"]}}}'
    path.write_text(text)
    run("agents", "install", "opencode", "--project", "shop")
    entry = json.loads(path.read_text())["mcp"]["holdfast"]
    assert (entry["type"], entry["enabled"]) == ("local", True)
    assert entry["command"][1:] == ["mcp", "--project", "shop", "--agent", "opencode"]
    run("agents", "uninstall", "opencode")
    assert path.read_text() == text


def test_a_new_set_up_takes_the_place_of_the_old_one(home: Path) -> None:
    run("agents", "install", "claude-code", "--project", "old")
    run("agents", "install", "claude-code", "--project", "new")
    assert "--project old" not in (text := HOOKS["claude-code"].user().read_text())
    assert text.count("--project new") == len(HOOKS["claude-code"].events)


def test_settings_that_are_no_plain_json_stay_and_the_entry_is_shown(home: Path) -> None:
    path = HOOKS["claude-code"].user()
    path.parent.mkdir(parents=True)
    path.write_text('{\n  // mine\n  "model": "best"\n}\n')
    error = error_of("agents", "install", "claude-code", status=2)
    assert error["code"] == "config_invalid"
    assert "hook claude-code SessionStart" in error["hint"]
    assert set(written(home)) == {str(path)}


COMMENTED = {
    "above": '{\n  // mine\n  "model": "best"\n}\n', "behind the last": '{\n  "a": 1 // one\n  // end\n}\n',
    "last comma": '{\n\t"a": [1, 2, ], // two\n\t/* block */\n}\n', "nothing else": "{\n  // nothing\n}\n",
    "like a comment": '{"url": "https://x//y", "b": "/* no */", }', "byte order mark": '\ufeff{"a": 1}\n',
    "windows": '{\r\n  "b": {\r\n    // none\r\n  }, // later\r\n  "a": 1\r\n}\r\n',
}  # fmt: skip


@pytest.mark.parametrize("form", COMMENTED)
@pytest.mark.parametrize("client", ["gemini", "opencode"])
def test_comments_of_clients_that_take_them_stay_to_the_byte(client: str, form: str, home: Path) -> None:
    target = mcp.CLIENTS[client]
    path = target.user()
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(COMMENTED[form].encode())
    run("agents", "install", client)
    content = path.read_bytes()
    for comment in (
        "// mine",
        "// one\n",
        "// end\n",
        "// two\n",
        "/* block */",
        "// none\r\n",
        "// later\r\n",
    ):
        assert (comment in COMMENTED[form]) == (comment.encode() in content), comment
    assert "holdfast" in json.loads(json_text.plain(content.decode()))[target.key]
    assert run_json("agents", "install", client)["changed"] is False
    run("agents", "uninstall", client)
    assert path.read_bytes().decode() == COMMENTED[form]


_GAPS = st.lists(st.sampled_from(["// c\n", "/* c */", "\n", " "]), max_size=3).map("".join)
_MEMBERS = st.tuples(_GAPS, _GAPS, st.sampled_from(['"a": 1', '"b": {}']))


@settings(max_examples=examples(100), deadline=None)
@given(st.lists(_MEMBERS, unique_by=lambda one: one[2]), _GAPS, st.sampled_from(["", ","]), _GAPS)
def test_a_commented_text_is_changed_and_changed_back(
    members: list[tuple[str, str, str]], before_end: str, comma: str, end: str
) -> None:
    inner = "".join(f"{gap},{other}{member}" for gap, other, member in members)
    whole = f'{{"z": 0{inner}{before_end}{comma}{end}\n}}\n'
    before = json.loads(json_text.plain(whole))
    changed = json_text.changed(whole, {**before, "hooks": {"x": [1]}, "mcp": {}})
    assert json.loads(json_text.plain(changed)) == {**before, "hooks": {"x": [1]}, "mcp": {}}
    assert changed.count("// c\n") == whole.count("// c\n")
    assert json_text.changed(changed, before) == whole
    without = dict(list(before.items())[1:])
    assert json.loads(json_text.plain(json_text.changed(whole, without))) == without


def test_a_link_to_settings_is_not_left_without_a_file(home: Path) -> None:
    path, real = HOOKS["claude-code"].user(), home / "dotfiles" / "settings.json"
    real.parent.mkdir(parents=True)
    path.parent.mkdir()
    real.write_text("{}\n")
    path.symlink_to(real)
    run("agents", "install", "claude-code")
    assert "hooks" in json.loads(real.read_text())
    run("agents", "uninstall", "claude-code")
    assert (path.is_symlink(), real.read_text()) == (True, "{}\n")


def test_all_files_are_written_or_none(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = HOOKS["claude-code"].user()
    path.parent.mkdir(parents=True)
    path.write_text('{"model": "best"}')
    path.chmod(0o444)
    error = error_of("agents", "install", "claude-code", status=2)
    assert "read-only" in error["message"]
    assert error["hint"].startswith(f"chmod u+w {path}; or add this yourself:")
    path.chmod(0o644)
    replaced, failing = settings_file._replace, mcp.CLIENTS["claude-code"].user()

    def replace(path: Path, text: str) -> None:
        if path == failing:
            raise OSError("no space left")
        replaced(path, text)

    monkeypatch.setattr(settings_file, "_replace", replace)
    assert "no space left" in error_of("agents", "install", "claude-code", status=2)["message"]
    assert written(home) == {str(path): '{"model": "best"}'}


def test_a_person_is_told_what_to_do_next(home: Path) -> None:
    nothing = run("agents", "uninstall", "codex")
    assert nothing.stdout == "Nothing to do: Codex is not set up for all you do.\n"
    assert "approve the hooks" in run("agents", "install", "codex").stderr
    both = run("agents", "install", "codex", "--scope", "project", "--project", "shop")
    assert "one is enough: holdfast agents uninstall codex\n" in both.stderr
    everywhere = run("agents", "install", "codex", "--project", "shop").stderr
    assert "Codex uses project shop in every folder." in everywhere
    undone = run("agents", "uninstall", "codex")
    assert "Codex no longer uses Holdfast for all you do. Memories stay." in undone.stdout
    assert "still set up in this folder: holdfast agents uninstall codex --scope project" in undone.stderr


def test_a_person_sees_what_changes(home: Path) -> None:
    shown = run("agents", "install", "claude-code", "--dry-run")
    assert '+  "hooks": {' in shown.stdout
    assert '+  "mcpServers": {' in shown.stdout
    assert "Nothing was written." in shown.stderr
    store = Path(run_json("agents", "install", "claude-code", "--dry-run")["store"])
    assert not store.exists()
    completed = run("agents", "install", "claude-code")
    assert "Claude Code is set up." in completed.stdout
    assert "Restart Claude Code" in completed.stderr
    assert "`/mcp` shows the server" in completed.stderr
    assert store.is_file(), "hooks never make the store, and would be silent for ever"


@pytest.mark.parametrize("arguments", [["nobody"], ["claude-code", "--scope", "team"]])
def test_what_is_no_client_is_refused(arguments: list[str]) -> None:
    error_of("agents", "install", *arguments, status=2)


def test_a_store_on_another_machine_is_refused_with_a_way_out(home: Path) -> None:
    error = error_of("agents", "install", "claude-code", "--store", "https://memory.example", status=2)
    assert 'hook_network = "on"' in error["hint"]


_leaves = st.one_of(st.none(), st.booleans(), st.integers(), st.text(max_size=5))
_values = st.recursive(
    _leaves,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=8,
)


@settings(max_examples=examples(100), deadline=None)
@given(
    client=st.sampled_from(JSON_CLIENTS),
    rest=st.dictionaries(st.text(max_size=6), _values, max_size=4),
    hooks=st.dictionaries(st.text(max_size=6) | st.just("Stop"), st.lists(_values, min_size=1, max_size=2)),
)
def test_any_settings_are_as_before_once_it_is_undone(client: str, rest: Any, hooks: Any) -> None:
    document = {**rest, **({"hooks": hooks} if hooks else {})}
    if not hooks:
        document.pop("hooks", None)
    text = json.dumps(document, indent=2, ensure_ascii=False) + "\n"
    form = HOOKS[client]
    made = form.merged(text, client, lambda event: ["/opt/my apps/holdfast", "hook", client, event])
    assert form.installed(made, client)
    again = form.merged(made, client, lambda event: ["/opt/my apps/holdfast", "hook", client, event])
    assert again == made
    undone = form.removed(made, client)
    own = {} if form.version is None else {"version": form.version}
    assert {**own, **(json.loads(undone) if undone else {})} == {**own, **document}


def test_what_is_set_up_is_listed(home: Path) -> None:
    listed = {client["client"]: client for client in run_json("agents", "list")["clients"]}
    assert listed.keys() == HOOKS.keys()
    assert all(one[scope]["events"] == [] for one in listed.values() for scope in ("user", "project"))
    run("agents", "install", "claude-code")
    run("agents", "install", "opencode", "--scope", "project")
    listed = {client["client"]: client for client in run_json("agents", "list")["clients"]}
    assert set(listed["claude-code"]["user"]["events"]) == {event for event, _ in HOOKS["claude-code"].events}
    assert len(listed["opencode"]["project"]["events"]) == 5
    (Path.cwd() / ".codex").mkdir()
    (Path.cwd() / ".codex" / "hooks.json").write_text("{broken", encoding="utf-8")
    rows = {line.split()[0]: line for line in run("agents", "list").stdout.splitlines()}
    assert "at 7 events" in rows["claude-code"]
    assert "cannot be read" in rows["codex"]
    run("agents", "uninstall", "claude-code")
    assert "at 7 events" not in run("agents", "list").stdout


def test_the_plugins_are_what_the_table_of_hooks_gives() -> None:
    """Of Claude Code and Gemini CLI; after a change: python -m tools.plugins."""
    for path, text in files().items():
        assert (ROOT / path).read_text("utf-8") == text, path
    manifest = json.loads((ROOT / ".claude-plugin/marketplace.json").read_text("utf-8"))
    (plugin,) = manifest["plugins"]
    assert (ROOT / plugin["source"] / ".claude-plugin/plugin.json").exists()
