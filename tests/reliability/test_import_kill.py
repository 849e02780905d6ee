"""A killed import goes on without loss or repetition (S2.21, S2.20)."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from holdfast.api.importing import import_path
from holdfast.api.memory import Memory

MESSAGES, EACH = 3_000, 10

CHILD = """
import sys
from holdfast.api.importing import import_path
from holdfast.api.memory import Memory
done = 0
def advance(count):
    global done
    done += count
    print(done, flush=True)
with Memory(sys.argv[1], user="ana") as memory:
    import_path(memory, sys.argv[2], vouched=True, advance=advance)
"""


def chat(path: Path) -> None:
    talks: list[dict[str, Any]] = []
    for number in range(MESSAGES // EACH):
        messages = [{"role": "user", "content": f"Talk {number} line {n}"} for n in range(EACH)]
        talks.append({"id": f"talk-{number}", "title": f"Talk {number}", "messages": messages})
    path.write_text(json.dumps(talks), encoding="utf-8")


def own(path: Path) -> None:
    with Memory(path.with_suffix(".db"), user="ana") as memory:
        chat(path)
        import_path(memory, path)
        memory.entities.create("Ada", "person")
        memory.entities.observe("Ada", ["likes tea"])
        path.write_text("".join(memory.export()), encoding="utf-8")


def unsigned(export: Iterable[str]) -> list[dict[str, Any]]:
    """Returns the records of an export after its head, without the signatures of the store that wrote it."""
    records = [json.loads(line) for line in export][1:]
    return [{name: value for name, value in record.items() if name != "mac"} for record in records]


@pytest.mark.parametrize("make", [chat, own])
def test_a_killed_import_goes_on_without_loss_or_repetition(make: Any, tmp_path: Path) -> None:
    export, store = tmp_path / "export.json", tmp_path / "a.db"
    make(export)
    for wanted in (1, 1_500):
        child = subprocess.Popen(
            [sys.executable, "-c", CHILD, str(store), str(export)], stdout=subprocess.PIPE, text=True
        )
        assert child.stdout is not None
        for line in child.stdout:
            if int(line) >= wanted:
                break
        child.send_signal(signal.SIGKILL)
        child.wait()
        child.stdout.close()
        with Memory(store, user="ana") as memory:
            assert memory.doctor().problems == ()
            assert memory.count(project="*") >= wanted
    with Memory(store, user="ana") as memory:
        import_path(memory, export, vouched=True)
        sessions = memory.sessions.list()
        assert len(sessions) == MESSAGES // EACH
        assert {session.message_count for session in sessions} == {EACH}
        assert all(session.name for session in sessions)
        memories = memory.sessions.messages("talk-7").memories
        assert [record.text for record in memories] == [f"Talk 7 line {n}" for n in range(EACH)]
        assert memory.doctor().problems == ()
        memory.audit.verify()
        if make is own:
            lines = export.read_text(encoding="utf-8").splitlines()
            assert unsigned(memory.export()) == unsigned(lines)
