"""Fixtures of the contract: what every store promises is tested on each kind of store."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from holdfast.api.memory import Memory
from holdfast.stores.base.ports import Store
from tests.fakes import ManualClock
from tests.support import STORES, memory_on, open_store

ENCRYPTED = (
    "test_erased", "test_folders", "test_jobs", "test_many_at_once", "test_recall", "test_rows",
    "test_transfer", "test_writing",
)  # fmt: skip
"""Modules in which a cipher can matter: they write, read and remove what lies in files."""

COLD = ("test_conversations", "test_embedders", "test_forgotten", "test_recall", "test_titles")
"""Modules in which it can matter that the index opens from blocks."""


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Runs a test on every kind of store, on an encrypted one where that can matter."""
    if "store" in metafunc.fixturenames:
        module = metafunc.module.__name__.rpartition(".")[2]
        more = [kind for kind, where in (("encrypted", ENCRYPTED), ("cold", COLD)) if module in where]
        metafunc.parametrize("store", (*STORES, *more), indirect=True)


@pytest.fixture
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    """A fresh store of every kind."""
    store = open_store(request.param, tmp_path)
    yield store
    store.close()


@pytest.fixture
def memory(store: Store, clock: ManualClock) -> Memory:
    """Ana's memory on a store of every kind."""
    return memory_on(store, clock=clock)
