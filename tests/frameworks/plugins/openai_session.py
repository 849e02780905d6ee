"""Runs the tests of the SQLiteSession of the OpenAI Agents SDK on `HoldfastSession`."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import agents
import agents.memory
from agents.memory.session_settings import SessionSettings, coerce_session_settings
from skipping import skipping

from holdfast import Memory
from holdfast.integrations.openai_agents import HoldfastSession

_STORES: dict[str, Memory] = {}


class SQLiteSession(HoldfastSession):
    """A session that is opened as SQLiteSession is, in a store beside the named file."""

    def __init__(
        self, session_id: str, db_path: Any = ":memory:", *_: str, session_settings: Any = None
    ) -> None:
        path = Path(tempfile.mkdtemp() if str(db_path) == ":memory:" else Path(db_path).parent) / "memory.db"
        memory = _STORES.setdefault(str(path), Memory(path, user="ana"))
        settings = coerce_session_settings(session_settings) if session_settings else SessionSettings()
        super().__init__(session_id, memory, session_settings=settings)

    def close(self) -> None: ...


agents.SQLiteSession = agents.memory.SQLiteSession = SQLiteSession

_SQLITE = "about the connections, locks and tables of SQLiteSession"
_CORRUPT = "writes damaged rows into the tables of SQLiteSession"
pytest_collection_modifyitems = skipping({
    "test_sqlite_session_close_closes_worker_thread_connections": _SQLITE,
    "test_sqlite_session_reaps_connections_from_exited_worker_threads": _SQLITE,
    "test_sqlite_session_closes_retired_connections_before_the_next_allocation": _SQLITE,
    "test_sqlite_session_keeps_connections_of_live_worker_threads": _SQLITE,
    "test_sqlite_session_closed_rejects_empty_add_items": _SQLITE,
    "test_sqlite_session_file_lock_is_shared_across_instances": _SQLITE,
    "test_sqlite_session_failed_add_items_releases_write_lock": _SQLITE,
    "test_sqlite_session_failed_clear_session_rolls_back": _SQLITE,
    "test_sqlite_session_failed_pop_item_releases_write_lock": _SQLITE,
    "test_sqlite_session_rollback_failure_evicts_connection": _SQLITE,
    "test_sqlite_session_close_retries_quarantined_connection": _SQLITE,
    "test_sqlite_session_post_commit_cancellation_propagates_after_known_outcome": _SQLITE,
    "test_sqlite_session_pop_item_skips_corrupt_most_recent": _CORRUPT,
    "test_sqlite_session_pop_item_returns_none_after_dropping_only_corrupt_rows": _CORRUPT,
    "test_sqlite_session_get_items_limit_skips_corrupt_newest_rows": _CORRUPT,
    "test_sqlite_session_get_items_session_settings_limit_skips_corrupt_rows": _CORRUPT,
})  # fmt: skip
