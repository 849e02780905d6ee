"""Sessions of real clients: what each is told reaches its model, and which prompts a damaged store blocks."""

from __future__ import annotations

import contextlib
import json
import subprocess
import time
from collections.abc import Callable, Iterator

from tests.agents.bench import COMMAND, PACKAGES, PROMPT, SECONDS, TOLD, Bench
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
            client.wait(SECONDS)
        except subprocess.TimeoutExpired:
            client.kill()
            client.wait()
        stdout.close()


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
