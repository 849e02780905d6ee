"""Checking a SQLite store: the file itself, and that rows, words and vectors agree."""

from __future__ import annotations

import apsw

from holdfast.stores.sqlite.sql import statements

SHOWN = 5
"""Problems of one kind that are told."""


def problems(connection: apsw.Connection, *, thorough: bool) -> list[str]:
    """What is wrong, in words; empty when the file is sound. Thorough also compares rows with the index."""
    try:
        found = [str(row[0]) for row in connection.execute("PRAGMA integrity_check(20)") if row[0] != "ok"]
        found += [f"a row of {row[0]} refers to nothing in {row[2]}" for row in _orphans(connection)]
        if thorough:
            for name, sql in statements("checking.sql").items():
                rows = list(connection.execute(sql))
                found += [f"{name.replace('_', ' ')}: {row[0]}" for row in rows[:SHOWN]]
                if len(rows) > SHOWN:
                    found.append(f"{name.replace('_', ' ')}: {len(rows) - SHOWN} more")
    except (apsw.CorruptError, apsw.NotADBError) as error:
        return [f"the file is corrupt: {error}"]
    return found


def _orphans(connection: apsw.Connection) -> list[tuple[str, int, str, int]]:
    return list(connection.execute("PRAGMA foreign_key_check"))[:SHOWN]
