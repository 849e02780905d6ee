"""Runs the real clients: they accept our plugins, what each is told reaches its model, and no fault of the
store blocks a prompt.

usage: python -m tests.agents [--clients FOLDER] [--prompts N] [--starts N] [--only CLIENT] [--record]
"""

from __future__ import annotations

import argparse
import contextlib
import json
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from tests.agents.bench import COMMAND, PACKAGES, PROMPT, SECONDS, TOLD, Bench, installed
from tests.agents.day import record
from tests.agents.faults import FAULTS
from tests.agents.model import Call, Model


def _command(client: str, program: str, prompt: str) -> list[str]:
    return {
        "claude-code": [program, "-p", prompt, "--allowedTools", "Read", "Bash"],
        "codex": [
            program, "exec", "--dangerously-bypass-hook-trust", "--dangerously-bypass-approvals-and-sandbox",
            "--skip-git-repo-check", prompt,
        ],
        "gemini": [program, "--yolo", "-m", "gemini-2.5-pro", "-p", prompt],
        "opencode": [program, "run", prompt],
        "copilot": [program, "-p", prompt, "--allow-all"],
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
        "copilot": [
            ("view", {"path": file}), ("bash", {"command": COMMAND, "description": "look"}),
        ],
    }[client]  # fmt: skip


def _run(command: list[str], bench: Bench, env: dict[str, str]) -> None:
    subprocess.run(
        command, env=env, cwd=bench.shop, stdin=subprocess.DEVNULL, capture_output=True, timeout=SECONDS,
        check=False,
    )  # fmt: skip


def reaches(client: str, bench: Bench) -> dict[str, bool]:
    """Runs one session of a client and returns at which events the text reached the model."""
    model = Model(_script(client, str(bench.shop / "src" / "token.py")))
    try:
        env = bench.set_up(client, model.url)
        env["HOLDFAST_HOOK_SECONDS"] = "4"  # what is told is looked at here, not how fast
        _run(_command(client, str(bench.bin / PACKAGES[client][1]), PROMPT), bench, env)
        asked = "\n".join(model.requests)
        return {event: text in asked for event, text in TOLD.items()}
    finally:
        model.close()


ROOT = Path(__file__).resolve().parents[2]
VALIDATIONS = {
    "claude-code": (
        ("plugin", "validate", "--strict", str(ROOT)),
        ("plugin", "validate", "--strict", "--profile", "directory", str(ROOT / "plugins/claude-code")),
    ),
    "gemini": (("extensions", "validate", str(ROOT / "plugins/gemini")),),
}
"""How clients check the marketplace, the plugin and the extension; with warnings as errors where they can."""


def invalid(client: str, bench: Bench) -> str:
    """Returns what a client has to say against our plugin for it: nothing if it accepts it."""
    env = bench.environment("http://127.0.0.1:9")
    Path(env["HOME"]).mkdir()
    for arguments in VALIDATIONS.get(client, ()):
        command = [str(bench.bin / PACKAGES[client][1]), *arguments]
        result = subprocess.run(
            command, env=env, cwd=bench.root, capture_output=True, text=True, timeout=SECONDS, check=False
        )
        if result.returncode or "⚠" in result.stdout:
            return result.stdout + result.stderr
    return ""


TURN = 10
"""Prompts in a row under one fault, at most."""
Send = Callable[[str], None]


@contextlib.contextmanager
def _conversation(bench: Bench, env: dict[str, str]) -> Iterator[Send]:
    """One session of Claude Code, which takes a prompt after the other."""
    program = str(bench.bin / PACKAGES["claude-code"][1])
    form = ("--input-format", "stream-json", "--output-format", "stream-json", "--verbose")
    client = subprocess.Popen(
        [program, "-p", *form], env=env, cwd=bench.shop, text=True, stdin=subprocess.PIPE,
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    assert client.stdin is not None
    assert client.stdout is not None
    stdin, stdout = client.stdin, client.stdout

    def send(text: str) -> None:
        stdin.write(json.dumps({"type": "user", "message": {"role": "user", "content": text}}) + "\n")
        stdin.flush()
        for line in stdout:
            if json.loads(line).get("type") == "result":
                break

    try:
        yield send
    finally:
        stdin.close()
        try:
            client.wait(30)
        except subprocess.TimeoutExpired:
            client.kill()


@contextlib.contextmanager
def _starts(client: str, bench: Bench, env: dict[str, str]) -> Iterator[Send]:
    """A session, and a process, of a client for each prompt."""
    program = str(bench.bin / PACKAGES[client][1])

    def send(text: str) -> None:
        with contextlib.suppress(subprocess.TimeoutExpired):
            _run(_command(client, program, text), bench, env)

    yield send


def blocked(client: str, bench: Bench, prompts: int) -> dict[str, tuple[int, int, float]]:
    """Sends prompts to a client while the store is damaged in turn. Returns for each fault the prompts, those
    that did not reach the model, and the longest time of one in seconds."""
    model = Model([])
    env = bench.set_up(client, model.url)
    counts = dict.fromkeys(FAULTS, (0, 0, 0.0))
    conversation = _conversation(bench, env) if client == "claude-code" else _starts(client, bench, env)
    try:
        with conversation as send:
            names = list(FAULTS)
            turn = max(min(TURN, prompts // len(names)), 1)
            for first in range(0, prompts, turn):
                name = names[first // turn % len(names)]
                with FAULTS[name](bench.store):
                    for number in range(first, min(first + turn, prompts)):
                        text = f"Prompt number {number}: why JWT over sessions?"
                        began, before = time.monotonic(), len(model.requests)
                        send(text)
                        reached = any(text in request for request in model.requests[before:])
                        sent, missed, longest = counts[name]
                        took = max(longest, time.monotonic() - began)
                        counts[name] = sent + 1, missed + (not reached), took
    finally:
        model.close()
    return counts


def main() -> None:
    """Runs the clients and prints what reached their models; fails if a prompt was blocked."""
    parser = argparse.ArgumentParser(prog="python -m tests.agents")
    parser.add_argument("--clients", type=Path, default=Path("build/agents"))
    parser.add_argument("--prompts", type=int, default=500, help="prompts to Claude Code, in one session")
    parser.add_argument("--starts", type=int, default=80, help="prompts to each other client, a start each")
    parser.add_argument("--only", choices=list(PACKAGES))
    parser.add_argument("--record", action="store_true", help="only record a day with Claude Code")
    options = parser.parse_args()
    commands = installed(options.clients.resolve(), "claude-code" if options.record else options.only)
    if options.record:
        with tempfile.TemporaryDirectory() as folder:
            record(Bench(Path(folder), commands))
        return
    clients = [options.only] if options.only else list(PACKAGES)
    for client in VALIDATIONS:
        if client in clients:
            with tempfile.TemporaryDirectory() as folder:
                if said := invalid(client, Bench(Path(folder), commands)):
                    raise SystemExit(f"{client} does not accept the plugin for it:\n{said}")
            print(f"{client} accepts the plugin for it", flush=True)
    print(f"{'told':<12}" + "".join(f"{event:>10}" for event in TOLD), flush=True)
    for client in clients:
        with tempfile.TemporaryDirectory() as folder:
            result = reaches(client, Bench(Path(folder), commands))
        print(
            f"{client:<12}" + "".join(f"{'yes' if yes else '-':>10}" for yes in result.values()), flush=True
        )
    lost = sent = 0
    for client in clients:
        prompts = options.prompts if client == "claude-code" else options.starts
        if not prompts:
            continue
        with tempfile.TemporaryDirectory() as folder:
            counts = blocked(client, Bench(Path(folder), commands), prompts)
        print(f"\n{client:<14}{'prompts':>8}{'blocked':>8}{'longest':>9}", flush=True)
        for name, (some, missed, longest) in counts.items():
            print(f"{name:<14}{some:>8}{missed:>8}{longest:>8.1f}s", flush=True)
        lost += sum(missed for _, missed, _ in counts.values())
        sent += sum(some for some, _, _ in counts.values())
    print(f"{lost} of {sent} prompts were blocked")
    if lost:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
