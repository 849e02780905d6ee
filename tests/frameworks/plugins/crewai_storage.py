"""Runs the tests of CrewAI's LanceDBStorage, and of its memory over it, on `HoldfastStorage`."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import crewai.memory.storage.lancedb_storage as upstream
import pytest
from skipping import skipping

from holdfast import Memory
from holdfast.integrations.crewai import HoldfastStorage

_STORES: dict[str, Memory] = {}


class Storage(HoldfastStorage):
    """A storage that is opened as LanceDBStorage is, in a store in the named folder.

    Upstream's tests embed by mocks: a vector that nothing was saved with stands for what was saved last.
    """

    def __init__(self, path: Any = None, **_: Any) -> None:
        folder = Path(path or tempfile.mkdtemp())
        folder.mkdir(parents=True, exist_ok=True)
        memory = _STORES.get(str(folder)) or Memory(folder / "memory.db", user="ana")
        _STORES[str(folder)] = memory
        super().__init__(memory)

    def search(self, query_embedding: list[float], *args: Any, **options: Any) -> Any:
        if tuple(query_embedding) not in self._texts:
            self._note(query_embedding, next(reversed(self._texts.values()), ""))
        return super().search(query_embedding, *args, **options)


upstream.LanceDBStorage = Storage


@pytest.fixture(autouse=True)
def closes() -> Any:
    """Closes the stores of a test."""
    yield
    while _STORES:
        _STORES.popitem()[1].close()


_VECTOR = "asks for the vector back, which is not stored (ours: tests/frameworks/adapters/test_crewai.py)"
_MOCKS = "ranks by a vector that a mock gives to all texts; Holdfast finds by the text"
pytest_collection_modifyitems = skipping({
    "test_lancedb_list_records_exceeding_scan_cap": "saves 52,000 records, each durable, which takes minutes",
    "test_recall_does_not_refresh_access_time_when_read_only": "asks that reading changes records; uses are"
    " counted by Holdfast, off the read path",
    "test_percent_underscore_and_backslash_in_scope_names_match_literally": "asks for prefixes within a name;"
    " a scope is matched by whole names",
    "test_update_replaces_existing_record": _VECTOR,
    "test_update_serialization_failure_preserves_existing_record": _VECTOR,
    "test_composite_score_reranks_results": _MOCKS,
    "test_recall_with_root_scope_only_returns_scoped_records": _MOCKS,
})  # fmt: skip
