"""Fixtures of the contract: what every store promises is tested on each kind of store."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from holdfast.api.memory import Memory
from holdfast.stores.base.ports import Store
from tests.fakes import ManualClock
from tests.support import STORES, memory_on, open_store

ENCRYPTED = ("test_erased", "test_many_at_once", "test_rows", "test_transfer", "test_writing")
"""Modules in which a cipher can matter: they write, read and remove what lies in files."""

COLD = ("test_conversations", "test_embedders", "test_forgotten", "test_recall", "test_titles")
"""Modules in which it can matter that the index opens from blocks."""

ON_A_FILE = (
    "test_asked_of_person",
    "test_about_work", "test_agent_events", "test_agent_session", "test_consents",
    "test_context_descriptions", "test_correct", "test_disputes", "test_episodes", "test_facts_said",
    "test_folder_jobs", "test_insights", "test_learning", "test_mem0", "test_module_map_owners",
    "test_names", "test_naming", "test_never", "test_proposals", "test_reference_graph",
    "test_renames", "test_scopes", "test_signed_exports", "test_statements", "test_users",
)  # fmt: skip
"""Modules about what is decided before a store is asked: what a text says, which file is which, what is told.
They run on a file alone. Other modules have PostgreSQL do every statement that these would have it do."""


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Runs a test on every kind of store, on an encrypted one where that can matter."""
    if "store" in metafunc.fixturenames:
        module = metafunc.module.__name__.rpartition(".")[2]
        if module in ON_A_FILE or metafunc.definition.get_closest_marker("on_a_file"):
            metafunc.parametrize("store", ("sqlite",), indirect=True)
            return
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
