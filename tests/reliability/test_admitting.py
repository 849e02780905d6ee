"""A long import passes the gate in another process: the same as here, whatever becomes of that process."""

from __future__ import annotations

import json
import os
import signal
import sys
from pathlib import Path
from typing import Any

import pytest

from holdfast import InvalidInput, Memory
from holdfast.api import import_session as intake
from holdfast.api.importing import import_path
from holdfast.features.jobs import worker_pool as processes
from holdfast.features.memories import prefetch as admitting


@pytest.fixture(autouse=True)
def _small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(intake, "BATCH", 20)
    monkeypatch.setattr(admitting, "ALONE", 1)
    monkeypatch.setattr(admitting, "cores", lambda: 2)


@pytest.fixture
def chat(tmp_path: Path) -> Path:
    """Messages with what the gate takes out, refuses and takes for facts, and the same twice."""
    texts = [f"Talk about boat {number}" for number in range(150)]
    texts[40] = "the password: hunter2secret99 opens the gate"
    texts[60] = "<private>nobody is told</private>"
    texts[90] = "My favorite colors are 1) Blue, 2) Green"
    messages = [
        {"role": "user" if number % 2 == 0 else "assistant", "content": text, "id": f"m{number}"}
        for number, text in enumerate([*texts, texts[0]])
    ]
    messages[-1]["id"] = "m0"
    path = tmp_path / "chat.json"
    talks = [
        {"id": f"talk-{start}", "title": f"Talk {start}", "messages": messages[start : start + 10]}
        for start in range(0, len(messages), 10)
    ]
    path.write_text(json.dumps(talks), encoding="utf-8")
    return path


def imported(store: Path, path: Path) -> tuple[Any, ...]:
    with Memory(store, user="ana") as memory:
        report = import_path(memory, path, project="shop").as_dict()
        kept = [
            (record.text, record.session, record.role, record.position, record.external_id, record.redactions)
            for record in memory.list(project="shop", limit=1000).memories
        ]
        hits = [(hit.memory.text, round(hit.score, 4)) for hit in memory.recall("boat 17", project="shop")]
        colors = [fact.value for fact in memory.facts.list("colors", project="shop")]
        assert memory.doctor().problems == ()
        memory.audit.verify()
        return report, sorted(kept), hits, colors


def test_s2_21_another_process_admits_the_same(
    tmp_path: Path, chat: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[Any] = []
    real = processes.WorkerProcess.__init__

    def noted(self: Any, task: bytes) -> None:
        real(self, task)
        started.append(self._process)

    monkeypatch.setattr(processes.WorkerProcess, "__init__", noted)
    apart = imported(tmp_path / "apart.db", chat)
    assert len(started) == 1
    assert started[0].poll() is not None
    monkeypatch.setattr(admitting, "ALONE", 1_000)
    assert apart == imported(tmp_path / "here.db", chat)
    assert len(started) == 1
    assert apart[0]["outcomes"]["refused"] == 1
    assert apart[0]["outcomes"]["redacted"] == 1
    assert apart[3] == ["Blue", "Green"]


def test_s2_21_a_process_that_dies_loses_nothing(
    tmp_path: Path, chat: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = imported(tmp_path / "here.db", chat)
    real = processes.WorkerProcess.run
    asked: list[Any] = []

    def dies(self: Any, batch: Any) -> Any:
        asked.append(batch)
        if len(asked) == 2:
            os.kill(self._process.pid, signal.SIGKILL)
            self._process.wait()
        return real(self, batch)

    monkeypatch.setattr(processes.WorkerProcess, "run", dies)
    assert imported(tmp_path / "apart.db", chat) == here
    assert len(asked) > 2


def test_s2_21_where_no_process_can_be_started_this_one_does_it(
    tmp_path: Path, chat: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "executable", "/bin/false")
    assert imported(tmp_path / "a.db", chat)[0]["outcomes"]["created"] > 100


def test_s2_21_what_came_before_an_error_is_kept(tmp_path: Path, chat: Path) -> None:
    """A file that is cut short loses only what is not in it."""
    text = chat.read_text(encoding="utf-8")
    chat.write_text(text[: len(text) * 3 // 4], encoding="utf-8")
    with Memory(tmp_path / "a.db", user="ana") as memory:
        try:
            report = import_path(memory, chat, format="messages")
            assert report.breaks_off
        except InvalidInput:
            pass
        assert memory.count() >= 90
