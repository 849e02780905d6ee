"""A real Chromium, and a service with memories whose every field holds what a page must not run."""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from benchmarks.web import served
from holdfast import Memory
from holdfast.features.access.browser_sessions import one_time_code
from holdfast.http.pages import BUILT
from tests.support import PATIENCE

SHELL = "chromium-headless-shell"
"""The same engine without windows, of which it draws none: two thirds of the processor time."""
NAMES = (SHELL, "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
WAIT = "-o DPkg::Lock::Timeout=300"
_GET = f"apt-get install -qq -y {WAIT} --no-install-recommends"
INSTALL = f"apt-get update -qq {WAIT} && {{ {_GET} {SHELL} || {_GET} chromium; }}"
LOCK = Path(__file__).resolve().parents[2] / "build" / "chromium.lock"
PAYLOADS = (
    "<img src=x onerror=alert(1)>",
    "<script>alert(1)</script>",
    '"><svg onload=alert(1)>',
    "[click](javascript:alert(1)) ![pixel](https://evil.example/pixel.png)",
    "<iframe src=https://evil.example></iframe><link rel=stylesheet href=https://evil.example/a.css>",
    "{{constructor.constructor('alert(1)')()}} ${alert(1)} <base href=https://evil.example>",
    "https://evil.example/auto.png <a href='data:text/html,<script>alert(1)</script>'>here</a>",
)
FOREIGN = "EVES-OWN-TEXT"
"""Stands in everything that belongs to somebody else."""


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    """A running Chromium: that of the system, which Debian installs where it is missing. Its driver holds the
    event loop of the process, so it ends with the module."""
    if not (BUILT / "index.html").is_file():
        pytest.skip("the web interface is not built: make web")
    playwright = pytest.importorskip("playwright.sync_api")
    path = _installed()
    if path is None:
        pytest.skip("there is no Chromium")
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(
            executable_path=path, args=["--no-sandbox"], timeout=PATIENCE * 1_000
        )
        yield browser
        browser.close()


def _installed() -> str | None:
    """Returns the path of a Chromium. One process of the tests installs it, and the others wait: they would
    find the packages locked, and leave their tests out."""
    LOCK.parent.mkdir(exist_ok=True)
    with LOCK.open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        path = next(filter(None, map(shutil.which, NAMES)), None)
        if path is None and shutil.which("apt-get") and os.geteuid() == 0:
            subprocess.run(["sh", "-c", INSTALL], check=False, capture_output=True, timeout=PATIENCE)
            path = next(filter(None, map(shutil.which, NAMES)), None)
        return path


@pytest.fixture(scope="session")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Path]]:
    """A service of ana with payloads in every field, and its store, in which eve has texts of her own."""
    store = tmp_path_factory.mktemp("web") / "team.db"
    with Memory(store, user="ana") as memory:
        memory.projects.create("shop")
        for n, bad in enumerate(PAYLOADS):
            note = memory.remember(
                f"Note {n}: {bad}", title=f"{bad} {n}", summary=bad, tags=[f"t{n}"], project="shop",
                metadata={"source": bad}, evidence={"why": bad}, external_id=f"{n} {bad}"[:60],
            ).memory  # fmt: skip
            assert note is not None
            memory.revise(note.id, text=f"Note {n}, later: {bad}")
            memory.remember(f"Decision {n} {bad}", kind="decision", project="shop", status="pending")
            memory.entities.create(f"Thing {n} {bad}"[:100], "thing", notes=bad, project="shop")
            memory.add_messages(
                [
                    {"role": "user", "content": f"Question {n}: {bad}", "name": bad},
                    {"role": "assistant", "content": f"Answer {n}: `{bad}` **{bad}**"},
                ],
                session=f"chat-{n}", project="shop",
            )  # fmt: skip
    with Memory(store, user="eve") as eve:
        eve.remember(f"{FOREIGN} note", project="shop")
        eve.remember(f"{FOREIGN} decision", kind="decision", project="den")
        eve.add_messages([{"role": "user", "content": f"{FOREIGN} message"}], session=FOREIGN)
        eve.entities.create(f"{FOREIGN} thing", "thing", project="den")
    with served(store) as url:
        yield url, store


def link_of(url: str, store: Path) -> str:
    """Returns a link that signs ana in."""
    with Memory(store, user="ana") as memory:
        return f"{url}/#open={one_time_code(memory._service)}"


@pytest.fixture
def link(filled: tuple[str, Path]) -> str:
    return link_of(*filled)
