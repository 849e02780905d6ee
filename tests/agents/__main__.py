"""Runs the real clients: what each is told reaches its model, and no fault of the store blocks a prompt.

usage: python -m tests.agents [--clients FOLDER] [--prompts N] [--only CLIENT]
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import apsw

from holdfast import Memory
from tests.agents.model import Call, Model

PACKAGES = {
    "claude-code": ("@anthropic-ai/claude-code@2.1", "claude"),
    "codex": ("@openai/codex@0.169", "codex"),
    "gemini": ("@google/gemini-cli@0.61", "gemini"),
    "opencode": ("opencode-ai@1.18", "opencode"),
}
"""The package and the command of each client."""
HOLDFAST = str(Path(sys.executable).with_name("holdfast"))
PROMPT = "what do we know about JWT over sessions for the public API?"
TOLD = {
    "start": "Finish the refund endpoint", "prompt": "We chose JWT over sessions",
    "file": "exp is in seconds", "failure": "run make mount first",
}  # fmt: skip
"""What each event is answered with."""
KINDS = {"start": "todo", "prompt": "note", "file": "gotcha", "failure": "error_pattern"}
COMMAND = "ls /volume/of/heron"
FAILED = "ls: cannot access '/volume/of/heron': No such file or directory"
SECONDS = 180


@dataclass(frozen=True)
class Bench:
    """A home, a store and a checkout of their own for a client."""

    root: Path
    bin: Path

    @property
    def shop(self) -> Path:
        return self.root / "shop"

    @property
    def store(self) -> Path:
        return self.root / "memory.db"

    def environment(self, url: str) -> dict[str, str]:
        """Returns the environment of a client: nothing of the user's own, and the model on the loopback."""
        home = self.root / "home"
        return {
            "PATH": f"{self.bin}:{os.environ['PATH']}", "HOME": str(home), "TERM": "dumb",
            "XDG_CONFIG_HOME": str(home / ".config"), "XDG_DATA_HOME": str(home / "data"),
            "XDG_STATE_HOME": str(home / "state"), "XDG_CACHE_HOME": str(home / "cache"),
            "HOLDFAST_STORE": str(self.store), "HOLDFAST_USER": "ana",
            "ANTHROPIC_BASE_URL": url, "ANTHROPIC_API_KEY": "x", "DISABLE_TELEMETRY": "1",
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1", "DISABLE_AUTOUPDATER": "1",
            "MODEL_KEY": "x", "GEMINI_API_KEY": "x", "GOOGLE_GEMINI_BASE_URL": url,
            "GEMINI_CLI_TRUST_WORKSPACE": "true",
        }  # fmt: skip

    def set_up(self, client: str, url: str) -> dict[str, str]:
        """Makes home, store and checkout, and sets the client up. Returns its environment."""
        env = self.environment(url)
        home = Path(env["HOME"])
        (self.shop / ".git").mkdir(parents=True)
        (self.shop / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
        (self.shop / "src").mkdir()
        (self.shop / "src" / "token.py").write_text("EXP = 300\n")
        home.mkdir()
        with Memory(self.store, user="ana") as memory:
            for event, text in TOLD.items():
                metadata = {"file": "src/token.py"} if event == "file" else None
                whole = f"{text}, because the API is public" if event == "prompt" else text
                whole = f"{FAILED} means that it is not mounted: {text}" if event == "failure" else whole
                memory.remember(whole, kind=KINDS[event], project="shop", metadata=metadata)
        _settings(client, home, url)
        command = [HOLDFAST, "agents", "install", client, "--project", "shop"]
        subprocess.run(command, env=env, cwd=self.shop, check=True, capture_output=True)
        return env


def _settings(client: str, home: Path, url: str) -> None:
    """Writes the settings that name the model on the loopback."""
    if client == "codex":
        (home / ".codex").mkdir()
        (home / ".codex" / "config.toml").write_text(
            'model = "gpt-5"\nmodel_provider = "here"\n[model_providers.here]\nname = "here"\n'
            f'base_url = "{url}/v1"\nwire_api = "responses"\nenv_key = "MODEL_KEY"\n'
        )
    elif client == "gemini":
        (home / ".gemini").mkdir()
        auth = {"security": {"auth": {"selectedType": "gemini-api-key"}}}
        (home / ".gemini" / "settings.json").write_text(json.dumps(auth))
    elif client == "opencode":
        folder = home / ".config" / "opencode"
        folder.mkdir(parents=True)
        model = "anthropic/claude-sonnet-4-5"
        options = {"baseURL": f"{url}/v1", "apiKey": "x"}
        settings = {
            "model": model, "small_model": model, "autoupdate": False, "share": "disabled",
            "provider": {"anthropic": {"options": options}},
        }  # fmt: skip
        (folder / "opencode.json").write_text(json.dumps(settings))


def _command(client: str, program: str) -> list[str]:
    return {
        "claude-code": [program, "-p", PROMPT, "--allowedTools", "Read", "Bash"],
        "codex": [
            program, "exec", "--dangerously-bypass-hook-trust", "--dangerously-bypass-approvals-and-sandbox",
            "--skip-git-repo-check", PROMPT,
        ],
        "gemini": [program, "--yolo", "-m", "gemini-2.5-pro", "-p", PROMPT],
        "opencode": [program, "run", PROMPT],
    }[client]  # fmt: skip


def _script(client: str, file: str) -> list[Call]:
    """Returns the tools that the model asks for: it reads a file, and runs a command that fails."""
    return {
        "claude-code": [
            ("Read", {"file_path": file}), ("Bash", {"command": COMMAND, "description": "look"}),
        ],
        "codex": [("exec_command", {"cmd": "cat src/token.py"}), ("exec_command", {"cmd": COMMAND})],
        "gemini": [
            ("read_file", {"file_path": file}),
            ("run_shell_command", {"command": COMMAND, "description": "look"}),
        ],
        "opencode": [
            ("read", {"filePath": file}), ("bash", {"command": COMMAND, "description": "look"}),
        ],
    }[client]  # fmt: skip


def reaches(client: str, bench: Bench) -> dict[str, bool]:
    """Runs one session of a client and returns at which events the text reached the model."""
    model = Model(_script(client, str(bench.shop / "src" / "token.py")))
    try:
        env = bench.set_up(client, model.url)
        env["HOLDFAST_HOOK_SECONDS"] = "4"  # what is told is looked at here, not how fast
        command = _command(client, str(bench.bin / PACKAGES[client][1]))
        subprocess.run(
            command, env=env, cwd=bench.shop, stdin=subprocess.DEVNULL, capture_output=True, timeout=SECONDS,
            check=False,
        )  # fmt: skip
        asked = "\n".join(model.requests)
        return {event: text in asked for event, text in TOLD.items()}
    finally:
        model.close()


Fault = Callable[[Path], contextlib.AbstractContextManager[None]]


@contextlib.contextmanager
def _locked(store: Path) -> Iterator[None]:
    with contextlib.closing(apsw.Connection(str(store))) as db:
        db.execute("BEGIN EXCLUSIVE")
        yield


@contextlib.contextmanager
def _corrupt(store: Path) -> Iterator[None]:
    whole = store.read_bytes()
    store.write_bytes(whole[: len(whole) // 2] + os.urandom(4_096) + whole[len(whole) // 2 + 4_096 :])
    yield
    store.write_bytes(whole)


@contextlib.contextmanager
def _read_only(store: Path) -> Iterator[None]:
    """Also for the administrator, who may write what nobody may: its folder takes no new file."""
    files = [*store.parent.glob(f"{store.name}*")]
    for file in files:
        file.chmod(0o444)
    yield
    for file in files:
        file.chmod(0o600)


@contextlib.contextmanager
def _gone(store: Path) -> Iterator[None]:
    away = store.with_suffix(".away")
    store.rename(away)
    yield
    away.replace(store)


@contextlib.contextmanager
def _slow(store: Path) -> Iterator[None]:
    """A pipe in place of the store: who opens it waits for ever."""
    with _gone(store):
        os.mkfifo(store)
        yield
        store.unlink()


@contextlib.contextmanager
def _killed(store: Path) -> Iterator[None]:
    """The hooks of this store are killed as soon as they are seen."""
    ended = threading.Event()

    def kill() -> None:
        while not ended.wait(0.02):
            for folder in Path("/proc").glob("[0-9]*"):
                with contextlib.suppress(OSError, ValueError):
                    line = (folder / "cmdline").read_bytes()
                    if (
                        b"holdfast\0hook\0" in line
                        and f"HOLDFAST_STORE={store}\0".encode() in (folder / "environ").read_bytes()
                    ):
                        time.sleep(random.uniform(0, 0.4))
                        os.kill(int(folder.name), 9)

    thread = threading.Thread(target=kill)
    thread.start()
    yield
    ended.set()
    thread.join()


@contextlib.contextmanager
def _none(_: Path) -> Iterator[None]:
    yield


FAULTS: dict[str, Fault] = {
    "none": _none, "locked": _locked, "corrupt": _corrupt, "read-only": _read_only, "gone": _gone,
    "slow": _slow, "killed": _killed,
}  # fmt: skip
TURN = 10
"""Prompts in a row under one fault."""


def blocked(bench: Bench, prompts: int) -> dict[str, tuple[int, int, float]]:
    """Sends prompts to one session of Claude Code while the store is damaged in turn. Returns for each fault
    the prompts, those that did not reach the model, and the longest time of one in seconds."""
    model = Model([])
    env = bench.set_up("claude-code", model.url)
    program = str(bench.bin / PACKAGES["claude-code"][1])
    form = ("--input-format", "stream-json", "--output-format", "stream-json", "--verbose")
    client = subprocess.Popen(
        [program, "-p", *form], env=env, cwd=bench.shop, text=True, stdin=subprocess.PIPE,
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    counts = dict.fromkeys(FAULTS, (0, 0, 0.0))
    assert client.stdin is not None
    assert client.stdout is not None
    try:
        names = list(FAULTS)
        for first in range(0, prompts, TURN):
            name = names[first // TURN % len(names)]
            with FAULTS[name](bench.store):
                for number in range(first, min(first + TURN, prompts)):
                    text = f"Prompt number {number}: why JWT over sessions?"
                    content = {"type": "user", "message": {"role": "user", "content": text}}
                    began, before = time.monotonic(), len(model.requests)
                    client.stdin.write(json.dumps(content) + "\n")
                    client.stdin.flush()
                    for line in client.stdout:
                        if json.loads(line).get("type") == "result":
                            break
                    reached = any(text in request for request in model.requests[before:])
                    sent, missed, longest = counts[name]
                    took = max(longest, time.monotonic() - began)
                    counts[name] = sent + 1, missed + (not reached), took
    finally:
        client.stdin.close()
        try:
            client.wait(30)
        except subprocess.TimeoutExpired:
            client.kill()
        model.close()
    return counts


def installed(folder: Path, only: str | None) -> Path:
    """Installs the clients from npm, unless they are there. Returns the folder of their commands."""
    names = [only] if only else list(PACKAGES)
    commands = folder / "node_modules" / ".bin"
    missing = [PACKAGES[name][0] for name in names if not (commands / PACKAGES[name][1]).exists()]
    if missing:
        npm = shutil.which("npm")
        if npm is None:
            raise SystemExit("npm is not there: the clients cannot be installed")
        folder.mkdir(parents=True, exist_ok=True)
        subprocess.run([npm, "install", "--no-audit", "--no-fund", *missing], cwd=folder, check=True)
    return commands


def main() -> None:
    """Runs the clients and prints what reached their models; fails if a prompt was blocked."""
    parser = argparse.ArgumentParser(prog="python -m tests.agents")
    parser.add_argument("--clients", type=Path, default=Path("build/agents"))
    parser.add_argument("--prompts", type=int, default=500)
    parser.add_argument("--only", choices=list(PACKAGES))
    options = parser.parse_args()
    commands = installed(options.clients.resolve(), options.only)
    print(f"{'told':<12}" + "".join(f"{event:>10}" for event in TOLD), flush=True)
    for client in [options.only] if options.only else PACKAGES:
        with tempfile.TemporaryDirectory() as folder:
            result = reaches(client, Bench(Path(folder), commands))
        print(
            f"{client:<12}" + "".join(f"{'yes' if yes else '-':>10}" for yes in result.values()), flush=True
        )
    if not options.prompts:
        return
    with tempfile.TemporaryDirectory() as folder:
        counts = blocked(Bench(Path(folder), commands), options.prompts)
    print(f"\n{'the store is':<14}{'prompts':>8}{'blocked':>8}{'longest':>9}")
    for name, (sent, missed, longest) in counts.items():
        print(f"{name:<14}{sent:>8}{missed:>8}{longest:>8.1f}s")
    lost = sum(missed for _, missed, _ in counts.values())
    print(f"{lost} of {sum(sent for sent, _, _ in counts.values())} prompts were blocked")
    if lost:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
