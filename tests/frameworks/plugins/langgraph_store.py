"""Runs the tests of LangGraph's SqliteStore on `HoldfastStore`."""

from __future__ import annotations

import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import langgraph.store.sqlite as upstream
from skipping import skipping

from holdfast import Memory
from holdfast.integrations.langgraph import HoldfastStore


class Store(HoldfastStore):
    """A store that is opened as SqliteStore is, in a file of its own."""

    @classmethod
    @contextmanager
    def from_conn_string(cls, _: str, *, index: Any = None, ttl: Any = None) -> Iterator[Any]:
        with (
            tempfile.TemporaryDirectory() as folder,
            Memory(Path(folder) / "memory.db", user="ana") as memory,
        ):
            memory.recall("opens what is slow to open, since some tests count milliseconds")
            yield cls(memory, ttl=ttl)

    def setup(self) -> None: ...
    def start_ttl_sweeper(self) -> None: ...
    def stop_ttl_sweeper(self) -> None: ...
    def sweep_ttl(self) -> int:
        """Returns how many have expired: they are hidden already, and stay in the history."""
        memory = self._documents.memory
        return len(memory.list(include="expired").memories) - len(memory.list(kinds="passage").memories)


class AsyncStore(HoldfastStore):
    """The same, awaited."""

    @classmethod
    @asynccontextmanager
    async def from_conn_string(cls, name: str, *, index: Any = None, ttl: Any = None) -> AsyncIterator[Any]:
        with Store.from_conn_string(name, ttl=ttl) as store:
            yield cls(store._documents.memory, ttl=ttl)

    async def setup(self) -> None: ...
    async def start_ttl_sweeper(self) -> None: ...
    async def stop_ttl_sweeper(self) -> None: ...
    async def sweep_ttl(self) -> None: ...


upstream.SqliteStore = Store
upstream.AsyncSqliteStore = AsyncStore

pytest_collection_modifyitems = skipping(
    {
        "test_escape_glob_literal": "about the SQL of SqliteStore",
        "test_namespace_match_pattern": "about the SQL of SqliteStore",
        "test_list_namespaces_prefix_uses_indexable_condition": "about the SQL of SqliteStore",
        "test_nonnull_migrations": "about the SQL of SqliteStore",
        "test_sql_injection_vulnerability": "filters are no SQL here, so no key is refused",
        "test_scores": "scores are Holdfast's own, not the cosine of an embedder that is passed in",
        "test_embed_with_path": "the whole value is searched, by words and by meaning, not chosen fields",
        "test_vector_store_initialization": "no index is passed in: Holdfast has its own",
        "test_no_running_loop": "calls that are not awaited work in a running loop as well",
        "test_ttl_override_default": "asks that reading does not refresh; by BaseStore it does",
    }
)
