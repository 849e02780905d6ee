"""The hook command as a process: it answers in the client's form, and whatever is wrong it hinders nobody."""

from __future__ import annotations

import contextlib
import json
import os
import resource
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import apsw
import pytest

from holdfast import Memory
from holdfast.api.folder_trust import trust_folder
from tests.cli.support import HOLDFAST, error_of, run, run_json
from tests.support import PATIENCE

pytestmark = pytest.mark.process
PATIENT = {"HOLDFAST_HOOK_SECONDS": "60"}
"""What is answered is tested here, not how fast: the machine may be busy."""
PROMPT = {"session_id": "s1", "hook_event_name": "UserPromptSubmit", "prompt": "why did we choose JWT?"}
EVENTS: dict[str, dict[str, Any]] = {
    "SessionStart": {"session_id": "s1", "source": "startup"},
    "UserPromptSubmit": PROMPT,
    "PreToolUse": {"session_id": "s1", "tool_name": "Read", "tool_input": {"file_path": "src/token.py"}},
    "PostToolUseFailure": {"session_id": "s1", "tool_input": {"command": "make"}, "error": "no rule"},
    "PreCompact": {"session_id": "s1", "trigger": "auto"},
    "Stop": {"session_id": "s1", "transcript_path": "/nowhere.jsonl"},
    "SessionEnd": {"session_id": "s1", "reason": "other"},
}


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A checkout of a project with a store of its own, as the working folder."""
    store = tmp_path / "hooks.db"
    monkeypatch.setenv("HOLDFAST_STORE", str(store))
    monkeypatch.delenv("HOLDFAST_AGENT", raising=False)
    with Memory(store) as memory:
        memory.remember("We chose JWT because the API is public", kind="decision", project="shop")
        trap = {"file": "src/token.py"}
        memory.remember("exp is relative", kind="gotcha", project="shop", metadata=trap)
    folder = tmp_path / "shop"
    (folder / ".git").mkdir(parents=True)
    (folder / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    monkeypatch.chdir(folder)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    trust_folder(folder.resolve(), "shop")
    return store


def hook(event: str, payload: object, *more: str, **env: str) -> str:
    """Runs the hook and returns its answer. It succeeds, and says nothing but JSON."""
    content = payload if isinstance(payload, bytes) else json.dumps(payload).encode()
    completed = subprocess.run(
        [HOLDFAST, "hook", "claude-code", event, *more],
        input=content, env={**os.environ, **env}, capture_output=True, timeout=PATIENCE, check=False,
    )  # fmt: skip
    assert (completed.returncode, completed.stderr) == (0, b"")
    if not completed.stdout:
        return ""
    whole = json.loads(completed.stdout)
    if whole.keys() == {"systemMessage"}:  # for the user, and not for the model
        return ""
    answer = whole["hookSpecificOutput"]
    assert answer["hookEventName"] == event
    text: str = answer["additionalContext"]
    assert 0 < len(text) <= 9_500
    return text


def test_each_event_is_answered_with_what_fits_it(shop: Path) -> None:
    assert "exp is relative" in hook("PreToolUse", EVENTS["PreToolUse"], **PATIENT)
    assert "JWT" in hook("UserPromptSubmit", PROMPT, **PATIENT)
    assert hook("UserPromptSubmit", {**PROMPT, "prompt": "good morning"}, **PATIENT) == ""
    assert hook("SessionStart", EVENTS["SessionStart"], **PATIENT) == ""  # it was given
    assert "JWT" in hook("SessionStart", {"session_id": "s1", "source": "compact"}, **PATIENT)


def _explained(event: str, content: str, *more: str, client: str = "claude-code", **env: str) -> str:
    """Runs a hook that has no answer, and returns the one line that says why."""
    completed = subprocess.run(
        [HOLDFAST, "hook", client, event, *more], input=content, text=True, capture_output=True,
        env={**os.environ, **PATIENT, "HOLDFAST_DEBUG": "1", **env}, timeout=PATIENCE, check=True,
    )  # fmt: skip
    assert completed.stdout == ""
    assert completed.stderr.startswith("holdfast hook: no answer: ")
    assert completed.stderr.count("\n") == 1
    return completed.stderr


def _explained_late() -> str:
    """What a hook says when its client sends no event before its deadline."""
    environment = {**os.environ, "HOLDFAST_DEBUG": "1", "HOLDFAST_HOOK_SECONDS": "0.1"}
    with subprocess.Popen(
        [HOLDFAST, "hook", "claude-code", "Stop"], stdin=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env=environment,
    ) as process:  # fmt: skip
        assert process.wait(PATIENCE) == 0
        assert process.stderr is not None
        return process.stderr.read()


def test_asked_for_it_says_in_one_line_why_there_is_no_answer(shop: Path, tmp_path: Path) -> None:
    prompt, other = json.dumps({**PROMPT, "prompt": "good morning"}), {"cwd": str(tmp_path / "elsewhere")}
    (tmp_path / "elsewhere").mkdir()

    assert "there is no client klaude; there are claude-code," in _explained("Stop", "{}", client="klaude")
    assert "has no event Prompt; its hooks are SessionStart," in _explained("Prompt", "{}")
    assert "is not JSON" in _explained("UserPromptSubmit", "{")
    assert "no event on standard input" in _explained("UserPromptSubmit", "")
    assert "names no file" in _explained("PreToolUse", "{}")
    assert "nothing in project shop fits" in _explained("UserPromptSubmit", prompt)
    assert "no project is known for" in _explained("SessionStart", json.dumps(other))
    assert "store_unavailable" in _explained("UserPromptSubmit", prompt, f"--store={tmp_path / 'none.db'}")
    assert "names no transcript" in _explained("Stop", "{}")
    assert "the deadline of 0.1 seconds has passed" in _explained_late()


def test_the_reason_tells_a_known_project_without_an_answer_from_an_unknown_one(
    shop: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    depot, other = tmp_path / "depot", tmp_path / "other"
    for folder in (depot, other):
        folder.mkdir()
    monkeypatch.chdir(depot)
    run("folders", "add", ".", "--project", "depot")
    said = [
        _explained(
            "UserPromptSubmit", json.dumps({**PROMPT, "cwd": str(folder), "prompt": "mend the scales"})
        )
        for folder in (depot, other)
    ]
    assert "nothing in project depot fits" in said[0]
    assert "no project is known for" in said[1]
    assert "depot" not in said[1]


def test_copilot_is_answered_in_its_form_and_its_failures_are_seen(shop: Path) -> None:
    """As its client sends them: the status of a command is in the last line of what it said."""
    said = "ls: cannot access '/volume/of/heron': No such file or directory"
    with Memory(shop) as memory:
        known = f"{said} means that it is not mounted: run make mount first"
        memory.remember(known, kind="error_pattern", project="shop")

    def answer(event: str, **more: object) -> str:
        payload = json.dumps({"sessionId": "c1", "timestamp": 1, **more}).encode()
        command = [HOLDFAST, "hook", "copilot", event]
        completed = subprocess.run(
            command,
            input=payload,
            env={**os.environ, **PATIENT},
            capture_output=True,
            timeout=PATIENCE,
            check=True,
        )
        return str(json.loads(completed.stdout)["additionalContext"]) if completed.stdout else ""

    def ran(status: int) -> str:
        text = f"{said}\n<shellId: 0 completed with exit code {status}>"
        result = {"resultType": "success", "textResultForLlm": text}
        arguments = {"command": "ls /volume/of/heron"}
        return answer("postToolUse", toolName="bash", toolArgs=arguments, toolResult=result)

    assert "JWT" in answer("userPromptSubmitted", prompt=PROMPT["prompt"])
    assert "exp is relative" in answer("postToolUse", toolName="view", toolArgs={"path": "src/token.py"})
    assert ran(0) == ""
    assert "make mount" in ran(2)


def test_an_absolute_path_is_one_of_the_checkout(shop: Path) -> None:
    read = {"tool_input": {"file_path": str(Path.cwd() / "src" / "token.py")}}
    assert "exp is relative" in hook("PreToolUse", read, "--project", "shop", **PATIENT)
    assert hook("PreToolUse", {"tool_input": {"file_path": "/etc/token.py"}}, **PATIENT) == ""


def test_only_a_store_that_is_there_is_used(shop: Path, tmp_path: Path) -> None:
    new = tmp_path / "new.db"
    assert hook("SessionStart", EVENTS["SessionStart"], "--store", str(new), **PATIENT) == ""
    assert not new.exists()


def test_no_other_machine_is_asked(shop: Path) -> None:
    """The address would time out: nothing is sent to it."""
    for store in ("https://192.0.2.1", "postgresql://ana@192.0.2.1/x?tenant=ana"):
        assert hook("SessionStart", EVENTS["SessionStart"], HOLDFAST_STORE=store, **PATIENT) == ""


MALFORMED = {
    "nothing": b"", "no JSON": b"{", "no object": b"[1]", "no text": b"\xff\xfe\x00", "deep": b"[" * 100_000,
    "large": b'{"prompt": "' + b"x" * (10 << 20) + b'"}', "too large": b" " * (40 << 20),
    "odd fields": json.dumps({"session_id": 7, "cwd": ["x"], "prompt": {"a": 1}, "tool_input": 3}).encode(),
    "odd names": json.dumps({"session_id": "\u202e\x00", "cwd": "/\x00", "prompt": "why JWT?"}).encode(),
    "long session": json.dumps({**PROMPT, "session_id": "s" * 5_000}).encode(),
    "gone folder": json.dumps({**PROMPT, "cwd": "/no/such/folder"}).encode(),
}  # fmt: skip


@pytest.mark.parametrize("name", MALFORMED)
def test_malformed_input_hinders_nobody(shop: Path, name: str) -> None:
    for event in ("UserPromptSubmit", "PreToolUse"):
        hook(event, MALFORMED[name], **PATIENT)


@pytest.mark.parametrize(
    "arguments", [[], ["claude-code"], ["nobody", "Stop"], ["claude-code", "Begin", "x"]]
)
def test_an_unknown_command_line_hinders_nobody(shop: Path, arguments: list[str]) -> None:
    completed = subprocess.run(
        [HOLDFAST, "hook", *arguments], input=b"{}", capture_output=True, timeout=PATIENCE, check=False
    )
    assert (completed.returncode, completed.stdout, completed.stderr) == (0, b"", b"")


def _cut(store: Path) -> None:
    os.truncate(store, store.stat().st_size // 2)


def _garbage(store: Path) -> None:
    store.write_bytes(os.urandom(100_000))


def _folder(store: Path) -> None:
    store.unlink()
    store.mkdir()


def _pipe(store: Path) -> None:
    store.unlink()
    os.mkfifo(store)


def _newer(store: Path) -> None:
    with apsw.Connection(str(store)) as db:
        db.execute("PRAGMA user_version = 999")


def _readonly(store: Path) -> None:
    for file in store.parent.glob("hooks.db*"):
        file.chmod(0o400)


@pytest.mark.parametrize("damage", [_cut, _garbage, _folder, _pipe, _newer, _readonly])
@pytest.mark.parametrize("event", ["SessionStart", "UserPromptSubmit", "Stop"])
def test_a_damaged_store_hinders_nobody(shop: Path, damage: Callable[[Path], None], event: str) -> None:
    damage(shop)
    hook(event, EVENTS[event])


@pytest.mark.parametrize("event", EVENTS)
def test_a_locked_store_hinders_nobody(shop: Path, event: str) -> None:
    """Its process ends by the deadline, which is far below the time that a store is waited for."""
    db = apsw.Connection(str(shop))
    db.execute("BEGIN EXCLUSIVE")
    try:
        hook(event, EVENTS[event])
    finally:
        db.close()


TAUGHT = [
    {"type": "session", "id": "s1"},
    {"type": "edit", "path": "src/token.py"},
    {"type": "user", "text": "No, use the settings object instead of reading os.environ."},
    {"type": "edit", "path": "src/token.py"},
]
"""A session that teaches something."""


def _teaching(event: str, transcript: Path) -> dict[str, Any]:
    """Returns the payload of an event of a session whose transcript has to be learned from."""
    transcript.write_text("".join(f"{json.dumps(step)}\n" for step in TAUGHT), "utf-8")
    return {**EVENTS[event], "transcript_path": str(transcript)}


@pytest.mark.parametrize("event", EVENTS)
def test_a_disk_that_takes_nothing_hinders_nobody(shop: Path, tmp_path: Path, event: str) -> None:
    """A limit on file sizes, which the process inherits, stands for a full disk where none can be made."""
    payload = _teaching(event, tmp_path / "s1.jsonl")
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, limits[1]))
    try:
        hook(event, payload, **PATIENT)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    _works_again(tmp_path)


@contextlib.contextmanager
def _full_disk(folder: Path, store: Path) -> Iterator[Path]:
    """Yields the store, moved to a file system that has not a byte left."""
    folder.mkdir()
    size = store.stat().st_size + (64 << 10)
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(folder)], capture_output=True
    )
    if mounted.returncode:
        pytest.skip("no file system can be mounted here")
    try:
        moved = Path(shutil.move(store, folder / store.name))
        with (folder / "filler").open("wb", buffering=0) as filler, contextlib.suppress(OSError):
            while filler.write(bytes(4_096)):
                pass
        with pytest.raises(OSError, match="No space left"):
            (folder / "more").write_bytes(b"x")
        yield moved
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)


@pytest.mark.skipif(os.getuid() != 0, reason="only root may mount a file system")
def test_a_full_disk_hinders_nobody(shop: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Store and folder for temporary files are on it; once there is room again, all works."""
    with _full_disk(tmp_path / "disk", shop) as store:
        monkeypatch.setenv("HOLDFAST_STORE", str(store))
        monkeypatch.setenv("TMPDIR", str(store.parent))
        for event in EVENTS:
            hook(event, _teaching(event, tmp_path / "s1.jsonl"), **PATIENT)
        (store.parent / "filler").unlink()
        (store.parent / "more").unlink(missing_ok=True)
        subprocess.run(["mount", "-o", "remount,size=50m", str(store.parent)], check=True)
        _works_again(tmp_path)


def _works_again(folder: Path) -> None:
    """Checks that a hook answers and another learns, and that the store is whole."""
    assert "JWT" in hook("SessionStart", {"session_id": "later", "source": "startup"}, **PATIENT)
    hook("Stop", _teaching("Stop", folder / "s2.jsonl"), **PATIENT)
    assert "settings object" in run("list", "--project", "shop").stdout
    run("doctor")


def test_a_client_that_says_nothing_more_is_not_waited_for(shop: Path) -> None:
    with subprocess.Popen(
        [HOLDFAST, "hook", "claude-code", "Stop"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.wait(PATIENCE) == 0
        assert process.stdout is not None
        assert process.stdout.read() == b""


def test_a_client_that_has_left_hinders_nobody(shop: Path) -> None:
    read, write = os.pipe()
    os.close(read)
    process = subprocess.Popen(
        [HOLDFAST, "hook", "claude-code", "SessionStart"], stdin=subprocess.PIPE, stdout=write,
        env={**os.environ, **PATIENT},
    )  # fmt: skip
    os.close(write)
    process.communicate(json.dumps(EVENTS["SessionStart"]).encode(), timeout=PATIENCE)
    assert process.returncode == 0


@pytest.mark.parametrize("after", [0.0, 0.05, 0.15, 0.3])
def test_a_hook_that_is_ended_leaves_a_store_that_works(shop: Path, after: float) -> None:
    process = subprocess.Popen(
        [HOLDFAST, "hook", "claude-code", "SessionStart"], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
        start_new_session=True,
    )  # fmt: skip
    assert process.stdin is not None
    process.stdin.write(json.dumps(EVENTS["SessionStart"]).encode())
    process.stdin.close()
    time.sleep(after)
    process.kill()
    process.wait(PATIENCE)
    assert "JWT" in hook("SessionStart", {**EVENTS["SessionStart"], "session_id": "s2"}, **PATIENT)
    run("doctor")


def test_nothing_is_written_outside_of_the_store(shop: Path) -> None:
    before = _files(shop.parent)
    for event, payload in EVENTS.items():
        hook(event, payload, **PATIENT)
    assert {name for name in _files(shop.parent) if not name.startswith("hooks.db")} == {
        name for name in before if not name.startswith("hooks.db")
    }


def _files(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*")}


def test_hooks_use_a_service_on_another_machine_only_if_they_may(
    shop: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """0.0.0.0 reaches this machine, and is no address of the loopback. A folder is not looked for there by
    its path: the service may know another one by it."""
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    with Memory(shop) as memory:
        memory.remember("Theirs is a plan with JWT", kind="decision", project="theirs")
        memory.folders.add(elsewhere, project="theirs")
    key = run_json("keys", "create")["key"]
    service = subprocess.Popen(
        [HOLDFAST, "serve", "--port=0", "--require-credential", "--no-mcp", "--json", "--allow-host=0.0.0.0"],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    try:
        assert service.stdout is not None
        at = json.loads(b"".join(iter(service.stdout.readline, b"}\n")) + b"}")["url"]
        monkeypatch.setenv("HOLDFAST_STORE", at.replace("127.0.0.1", "0.0.0.0"))
        monkeypatch.setenv("HOLDFAST_API_KEY", key)
        assert "hook_network" in _explained("SessionStart", json.dumps(EVENTS["SessionStart"]))
        assert "hook_network" in error_of("agents", "install", "claude-code", "--dry-run", status=2)["hint"]
        monkeypatch.setenv("HOLDFAST_HOOK_NETWORK", "on")
        answer = hook("SessionStart", EVENTS["SessionStart"], **PATIENT)
        assert "JWT because the API is public" in answer
        run("agents", "install", "claude-code", "--dry-run")
        monkeypatch.chdir(elsewhere)
        start = json.dumps({**EVENTS["SessionStart"], "session_id": "s2"})
        assert "no project is known" in _explained("SessionStart", start)
        monkeypatch.setenv("HOLDFAST_STORE", at)
        assert "Theirs" in hook("SessionStart", json.loads(start), **PATIENT), "on the same machine it is one"
    finally:
        service.terminate()
        assert service.wait(PATIENCE) == 0
        service.stdout.close()  # type: ignore[union-attr]


def test_a_running_service_answers_hooks_of_the_user_who_started_it(
    shop: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run("keys", "create", "--for", "ana")
    service = subprocess.Popen(
        [HOLDFAST, "serve", "--port", "0", "--require-credential", "--no-mcp", "--json"],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    try:
        assert service.stdout is not None
        at = json.loads(b"".join(iter(service.stdout.readline, b"}\n")) + b"}")["url"]
        files = list((tmp_path / "state" / "holdfast" / "serving").iterdir())
        assert {file.stat().st_mode & 0o777 for file in files} == {0o600}
        assert "JWT" in hook("SessionStart", EVENTS["SessionStart"], **PATIENT)
        by_address = hook("PreToolUse", EVENTS["PreToolUse"], "--store", at, **PATIENT)
        assert "exp is relative" in by_address
        for file in files:  # a file that others could have written is not believed: the store is opened
            file.chmod(0o666)
        assert "JWT" in hook("SessionStart", {"session_id": "s2"}, **PATIENT)
        for file in files:
            file.chmod(0o600)
    finally:
        service.terminate()
        assert service.wait(PATIENCE) == 0
        service.stdout.close()  # type: ignore[union-attr]
    assert [file for file in files if file.exists()] == []
