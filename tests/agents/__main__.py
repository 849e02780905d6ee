"""Runs the real clients: they accept our plugins, what each is told reaches its model, and no fault of the
store blocks a prompt.

usage: python -m tests.agents [--clients FOLDER] [--prompts N] [--starts N] [--only CLIENT] [--record]
"""

from __future__ import annotations

import argparse
import subprocess
import tempfile
from pathlib import Path

from tests.agents.bench import CLIENTS, PACKAGES, SECONDS, TOLD, Bench, installed
from tests.agents.day import record
from tests.agents.sessions import blocked, reaches

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


def main() -> None:
    """Runs the clients and prints what reached their models; fails if a prompt was blocked."""
    parser = argparse.ArgumentParser(prog="python -m tests.agents")
    parser.add_argument("--clients", type=Path, default=CLIENTS)
    parser.add_argument("--prompts", type=int, default=500, help="prompts to Claude Code, in one session")
    parser.add_argument("--starts", type=int, default=80, help="prompts to each other client, a start each")
    parser.add_argument("--only", choices=list(PACKAGES))
    parser.add_argument("--record", action="store_true", help="only record a day with Claude Code")
    options = parser.parse_args()
    clients = [options.only] if options.only else list(PACKAGES)
    if options.record:
        clients = ["claude-code"]
    commands = {client: installed(options.clients.resolve(), client) for client in clients}
    if options.record:
        with tempfile.TemporaryDirectory() as folder:
            record(Bench(Path(folder), commands["claude-code"]))
        return
    for client in VALIDATIONS:
        if client in clients:
            with tempfile.TemporaryDirectory() as folder:
                if said := invalid(client, Bench(Path(folder), commands[client])):
                    raise SystemExit(f"{client} does not accept the plugin for it:\n{said}")
            print(f"{client} accepts the plugin for it", flush=True)
    print(f"{'told':<12}" + "".join(f"{event:>10}" for event in TOLD), flush=True)
    for client in clients:
        with tempfile.TemporaryDirectory() as folder:
            result = reaches(client, Bench(Path(folder), commands[client]))
        print(
            f"{client:<12}" + "".join(f"{'yes' if yes else '-':>10}" for yes in result.values()), flush=True
        )
    lost = sent = 0
    for client in clients:
        prompts = options.prompts if client == "claude-code" else options.starts
        if not prompts:
            continue
        with tempfile.TemporaryDirectory() as folder:
            counts = blocked(client, Bench(Path(folder), commands[client]), prompts)
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
