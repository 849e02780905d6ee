"""Fixtures that all tests share, an empty home and a clock set by hand, and the profile of Hypothesis."""

from __future__ import annotations

import gc
import logging
import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.fakes import ManualClock
from tests.profiles import load_profile
from tests.templates import copy_new_stores
from tests.temporary import use_memory

if TYPE_CHECKING:
    from tests.postgres.sharing import Shared

load_profile()
use_memory()
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # of the processes that tests start, as of a command
gc.disable()  # what is collected stays to the end
LONG = ("agents", "reliability", "encryption", "mcp", "http", "postgres", "web")
"""Folders of tests that take long each."""
COPIED = ("cli", "contract", "http", "mcp", "models", "tools")
"""Folders of tests that do not look at how a store is made."""


@pytest.fixture(autouse=True)
def _empty_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HOLDFAST_STORE", "HOLDFAST_USER", "HOLDFAST_AGENT", "HOLDFAST_CACHE_MB", "HOLDFAST_KEY",
                 "HOLDFAST_KEY_FILE"):  # fmt: skip
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "home" / "data"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "home" / "config"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "home" / "state"))
    # a service or worker that an earlier test started in this process keeps its logs to itself
    for name in ("holdfast", "holdfast.http"):
        monkeypatch.setattr(logging.getLogger(name), "propagate", True)
        monkeypatch.setattr(logging.getLogger(name), "disabled", False)
    logging.disable(logging.NOTSET)


@pytest.fixture(scope="session")
def _connections() -> Iterator[Shared]:
    from tests.postgres.sharing import Shared

    shared = Shared()
    yield shared
    shared.close()


@pytest.fixture(autouse=True)
def _cheap_stores(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if request.path.parent.name in COPIED:
        copy_new_stores(monkeypatch)
    is_shared = request.path.parent.name != "postgres" and not request.config.getoption("pooler", None)
    if is_shared and request.node.get_closest_marker("postgres"):
        request.getfixturevalue("_connections").share(monkeypatch)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Marks what runs on PostgreSQL, so that `-m "not postgres"` leaves it out. Long tests come first: one at
    the end would keep a process busy while the other has nothing to do."""
    items.sort(key=lambda item: item.path.parent.name not in LONG)
    for item in items:
        parameters = getattr(getattr(item, "callspec", None), "params", {})
        if "postgres" in parameters.values():
            item.add_marker(pytest.mark.postgres)


def pytest_collection_finish() -> None:
    """Looks for garbage again, but not among the modules and the tests."""
    gc.freeze()
    gc.enable()


@pytest.fixture
def clock() -> ManualClock:
    """The clock of `memory`."""
    return ManualClock()
