"""The command line through a service: the same commands, and a clear message for what needs the store."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from holdfast import Memory, config
from holdfast.api.importing import import_path
from holdfast.features.transfer.formats.model import NOT_TEXT
from tests.cli.export_samples import as_folder, claude
from tests.cli.support import HOLDFAST, error_of, remembered, run, run_json
from tests.http.test_process import served

pytestmark = pytest.mark.process


@pytest.fixture(scope="module")
def key(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Path]]:
    """A running service that asks for credentials: its address, and the file with the key of ben."""
    folder = tmp_path_factory.mktemp("team")
    store = str(folder / "team.db")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HOME", str(folder))
        patch.setenv("XDG_CONFIG_HOME", str(folder / "config"))
        output = run_json("keys", "create", "--for", "ben", "--store", store)
        (folder / "key").write_text(output["key"] + "\n")
        with served(store, "--require-credential") as (_, url):
            yield url, folder / "key"


@pytest.fixture
def service(key: tuple[str, Path], monkeypatch: pytest.MonkeyPatch) -> str:
    """The service that the commands of a test use."""
    url, file = key
    monkeypatch.setenv("HOLDFAST_STORE", url)
    monkeypatch.setenv("HOLDFAST_API_KEY_FILE", str(file))
    return url


def test_the_commands_of_every_day_work_through_a_service(service: str, tmp_path: Path) -> None:
    id = remembered("We chose JWT over sessions", "--kind", "decision", "--project", "shop")
    assert [hit["memory"]["id"] for hit in run_json("recall", "why JWT?", "--project", "shop")["hits"]] == [
        id
    ]
    assert run_json("show", id[:-4])["id"] == id
    assert "JWT" in run("show", id[:-4]).stdout
    assert run_json("revise", id, "We chose JWT: the API is public")["outcome"] == "superseded"
    assert run_json("pin", id)["pinned"]
    assert run_json("history", id)["changes"][0]["version"] == 1
    run("forget", id)
    assert run_json("restore", id[:-4])["id"] == id
    assert run_json("facts", "set", "colors", "Blue", "1")["facts"]
    assert "Blue" in run("ask", "list my favorite colors").stdout
    run("ask", "what of elsewhere?")
    assert run_json("projects", "list")["projects"][0]["name"] == "shop"
    assert run("list", "--project", "shop").stdout
    assert run_json("review", "list")["items"] == []
    run("export", "--output", str(tmp_path / "all.jsonl"))
    assert "JWT" in (tmp_path / "all.jsonl").read_text()


def test_the_project_of_the_folder_is_that_of_the_service(
    service: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run("projects", "create", "barn")
    (tmp_path / "barn").mkdir()
    monkeypatch.chdir(tmp_path / "barn")
    run("projects", "here", "barn")
    remembered("The barn has two doors")
    assert run_json("recall", "how many doors?")["hits"][0]["memory"]["project"] == "barn"


@pytest.mark.parametrize(
    "asked",
    [
        ("worker", "--once"),
        ("serve",),
        ("encrypt", "--key-file", "key"),
        ("rekey",),
        ("decrypt", "--yes"),
        ("migrate", "--to", "other.db"),
        ("folders", "watch"),
        ("doctor", "--accept-loss"),
    ],
    ids=" ".join,
)
def test_what_works_only_beside_the_store_says_so(
    service: str, asked: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert error_of(*asked, status=2)["code"] == "only_local"


def test_a_key_makes_no_more_than_its_owner_may(service: str) -> None:
    for asked in (("keys", "list"), ("keys", "create"), ("keys", "revoke", "some", "--yes")):
        assert error_of(*asked, status=8)["code"] == "not_permitted"


def test_who_leaves_a_team_through_a_service_is_told_which_keys_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = str(tmp_path / "team.db")
    for user in ("ana", "ben"):
        run("members", "add", user, "--role", "owner", "--store", store)
    output = run_json("keys", "create", "--for", "ben", "--role", "owner", "--store", store)
    monkeypatch.setenv("HOLDFAST_API_KEY", output["key"])
    with served(store, "--require-credential") as (_, url):
        left = run("members", "remove", "ben", "--yes", "--store", url)
    assert "Removed: ben (owner)" in left.stdout
    assert output["id"] in left.stderr


def test_an_agent_stays_an_agent(service: str) -> None:
    """A person's key does not make a person of the agent that uses it."""
    id = run_json("remember", "Agents write tests first", "--agent", "coder")["memory"]["id"]
    assert run_json("history", id)["changes"][0]["actor"] == "agent:coder@ben"
    decided = run_json("review", "approve", id, "--agent", "coder", status=4)
    assert decided["results"][0]["code"] == "review_by_person"


def test_a_service_decides_who_acts(service: str) -> None:
    assert error_of("list", "--user", "ana", status=2)["code"] == "argument_invalid"


CHAT = [{"role": "user", "content": "We moved the shop to Lisbon", "id": "m1", "conversation": "c1"}]


def test_an_export_of_another_program_comes_in_through_a_service(
    service: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Read by the service at once, and with the same report by a job where the file is large."""
    file = tmp_path / "chat.json"
    file.write_text(json.dumps(CHAT))
    report = run_json("import", str(file), "--no-project")
    assert (report["outcomes"], report["name"]) == ({"created": 1}, "chat.json")
    monkeypatch.setattr("holdfast.api.remote_import.AT_ONCE_MAX", 0)
    again = run_json("import", str(file), "--no-project")
    assert (again["outcomes"], again["sha256"]) == ({"duplicate": 1}, report["sha256"])
    assert "known" in run("import", str(file), "--no-project").stdout
    file.write_text(json.dumps([*CHAT, {"role": "user", "content": "The rent is paid", "id": "m2"}]))
    for at_once in (0, 1 << 20):
        monkeypatch.setattr("holdfast.api.remote_import.AT_ONCE_MAX", at_once)
        tried = run_json("import", str(file), "--no-project", "--dry-run")
        assert (tried["dry_run"], tried["account"]["message"]["seen"]) == (True, 2)
        assert "The rent is paid" not in [
            memory["text"] for memory in run_json("list", "--no-project")["memories"]
        ]
    file.write_text("no\0text")
    assert error_of("import", str(file), status=2)["code"] == "format_unknown"


def test_folders_come_in_through_a_service(service: str, tmp_path: Path) -> None:
    """As they do beside the store: notes with the ids of their paths, and an export that was unpacked."""
    notes = tmp_path / "notes"
    (notes / "deep").mkdir(parents=True)
    (notes / "boat.md").write_text("# Boat\n\nThe boat is moored in Setúbal.\n")
    (notes / "deep" / "oars.txt").write_text("The oars are in the shed.\n")
    (notes / "boat.png").write_bytes(b"\x89PNG")
    report = run_json("import", str(notes), "--no-project", "--dry-run")
    assert (report["format"], report["outcomes"]) == ("notes", {"created": 2})
    report = run_json("import", str(notes), "--no-project")
    assert report["account"]["file"]["reasons"] == {NOT_TEXT: 1}
    assert report["account"]["note"]["kept"] == 2
    with Memory(str(tmp_path / "beside.db")) as memory:
        import_path(memory, notes)
        ids = {record.external_id for record in memory.list().memories}
    there = {record["external_id"] for record in run_json("list", "--no-project")["memories"]}
    assert ids <= there
    export = as_folder(tmp_path / "unpacked", claude())
    account = run_json("import", str(export), "--no-project")["account"]
    assert (account["message"]["kept"], account["document"]["kept"], account["project"]["kept"]) == (4, 1, 1)
    assert account["file"]["skipped"] == 2


def test_a_wrong_project_is_mended_through_a_service(
    service: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By a request and by a job, of an export that was unpacked."""

    def projects() -> set[str]:
        return {session["project"] for session in run_json("sessions")["sessions"]} - {None}

    export = str(as_folder(tmp_path / "unpacked", claude()))
    run("import", export, "--move-to", "wrong")
    assert projects() == {"wrong"}
    assert run_json("import", export, "--move-to", "right", "--dry-run")["moved"]["sessions"] == 0
    sources = len(run_json("sources")["sources"])
    output = run_json("import", export, "--move-to", "right")
    assert output["moved"]["sessions"] == 2
    assert output["moved"]["memories"] > 0
    assert projects() == {"right"}
    monkeypatch.setattr("holdfast.api.remote_import.AT_ONCE_MAX", 0)
    assert "Moved to best: 2 conversations" in run("import", export, "--move-to", "best").stdout
    assert projects() == {"best"}
    assert len(run_json("sources")["sources"]) == sources


def test_logged_in_with_a_file_every_command_uses_the_service(
    key: tuple[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    url, file = key
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.delenv("HOLDFAST_STORE", raising=False)
    monkeypatch.delenv("HOLDFAST_API_KEY_FILE", raising=False)
    assert error_of("login", url, status=8)["code"] == "credential_missing"
    assert error_of("login", url, "--api-key-stdin", input="holdfast_no", status=8)["code"] == (
        "credential_invalid"
    )
    assert error_of("login", "http://127.0.0.1:9", "--api-key-file", str(file), status=5)["code"] == (
        "service_unreachable"
    )
    completed = run("login", f"{url}/", "--api-key-file", str(file))
    assert url in completed.stdout
    assert file.read_text().strip() not in completed.output
    assert file.read_text().strip() not in (tmp_path / "config" / "holdfast" / "login").read_text()
    id = remembered("Logged in once, used by all")
    assert run_json("show", id)["id"] == id
    assert config.load(store="http://other.example").api_key_file is None
    assert run_json("logout")["logged_in"] is False
    assert config.load().api_key_file is None


@pytest.mark.parametrize(
    "address",
    [
        "http://[::1", "https://ana:hunter2@[::1", "http://", "https:///v1", "http://host:99999", "http://host:x",
        "http://a b", "http://host\n.example",
    ],
)  # fmt: skip
def test_what_is_no_address_of_a_service_is_refused_and_not_kept(
    address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By the code of a setting that is wrong, without the password in it, and whatever names the service."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.delenv("HOLDFAST_STORE", raising=False)
    for command in (
        ("login", address),
        ("list", "--store", address),
        ("mcp", "install", "codex", "--url", address),
    ):
        error = error_of(*command, status=2)
        assert (error["code"], error["hint"]) == ("config_invalid", "https://host")
        assert "hunter2" not in str(error)
    assert not (tmp_path / "config" / "holdfast" / "login").exists()


def test_the_key_is_kept_in_the_keychain_until_logout(
    key: tuple[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    url, file = key
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.delenv("HOLDFAST_STORE", raising=False)
    keychain = pytest.importorskip("keyring")
    keys: dict[tuple[str, str], str] = {}
    monkeypatch.setattr(keychain, "get_password", lambda *name: keys.get(name))
    monkeypatch.setattr(keychain, "set_password", lambda *entry: keys.update({entry[:2]: entry[2]}))
    monkeypatch.setattr(keychain, "delete_password", lambda *name: keys.pop(name))
    monkeypatch.delenv("HOLDFAST_API_KEY_FILE", raising=False)
    run("login", url, "--api-key-stdin", input=file.read_text())
    assert run_json("projects", "list")["projects"] is not None
    run("logout")
    assert keys == {}


@pytest.mark.parametrize("client", ["claude-code", "codex"])
def test_the_entry_of_a_client_names_the_service_and_the_file_of_the_key(
    client: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the settings of the user; a shared file names no file of this machine, and no entry holds a key."""
    for name in ("HOME", "CLAUDE_CONFIG_DIR", "CODEX_HOME"):
        monkeypatch.setenv(name, str(tmp_path))
    monkeypatch.setenv("HOLDFAST_API_KEY", "holdfast_secret")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "key").write_text("holdfast_secret\n")
    arguments = ("mcp", "install", client, "--url", "https://memory.example/")
    output = run_json(*arguments, "--api-key-file", "key")
    assert output["entry"]["env"] == {"HOLDFAST_API_KEY_FILE": str(tmp_path / "key")}
    assert output["entry"]["args"][:3] == ["mcp", "--store", "https://memory.example"]
    assert str(tmp_path / "key") in Path(output["file"]).read_text()
    assert run_json(*arguments, "--api-key-file", "key")["changed"] is False
    shared = run_json(*arguments, "--api-key-file", "key", "--scope", "project")
    assert "env" not in shared["entry"]
    assert "needs a key" in shared["notes"][0]
    assert "is not written" in run(*arguments, "--print").output
    for file in (output["file"], shared["file"]):
        assert "holdfast_secret" not in Path(file).read_text()
    assert error_of("mcp", "install", client, "--url", "notes.db", status=2)["code"] == "argument_invalid"


def test_an_agent_of_a_client_works_through_the_service_and_is_no_person(key: tuple[str, Path]) -> None:
    url, file = key
    requests = [
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
            "protocolVersion": "2025-06-18", "capabilities": {},
            "clientInfo": {"name": "test", "version": "1"}}},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {
            "name": "remember", "arguments": {"text": "The gate of the shop is blue", "kind": "decision"}}},
    ]  # fmt: skip
    with subprocess.Popen(
        [HOLDFAST, "mcp", "--store", url, "--no-project"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        text=True, env={**os.environ, "HOLDFAST_API_KEY_FILE": str(file)},
    ) as server:  # fmt: skip
        assert server.stdin is not None
        assert server.stdout is not None
        for request in requests:
            server.stdin.write(json.dumps(request) + "\n")
        server.stdin.flush()
        answers = [json.loads(server.stdout.readline()) for _ in range(2)]
        server.stdin.close()
    assert not answers[1]["result"].get("isError"), answers[1]
    with Memory(url, api_key=file.read_text().strip()) as memory:
        stored = memory.recall("the gate of the shop")[0].memory
        assert memory.history(stored.id)[0].actor == "agent:mcp@ben"
