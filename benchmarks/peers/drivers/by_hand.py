"""A memory made by hand: SQLite, sqlite-vec and FTS5, both rankings joined by reciprocal rank fusion.

What a careful person writes in an afternoon. It checks nothing, redacts nothing, keeps no history and merges
no repeats; its vectors are given. It is the yardstick of every ratio.
"""

# mypy: disable-error-code="import-not-found,import-untyped"

from __future__ import annotations

import re
import sqlite3
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

import sqlite_vec

from benchmarks.peers.drivers.driver import DIM, Driver, Text

_FETCH = 40
_RRF = 60
_STOP = set(
    "a about an and are as at be been but by can could did do does for from had has have he her him his how i"
    " if in into is it its me my no not of on or our she should so that the their them they this to was we"
    " were what when where which who whom whose why will with would you your".split()
)

_SCHEMA = f"""
PRAGMA journal_mode = wal;
PRAGMA synchronous = full;
CREATE TABLE IF NOT EXISTS memories (id INTEGER PRIMARY KEY, project TEXT, text TEXT);
CREATE VIRTUAL TABLE IF NOT EXISTS vectors
    USING vec0 (id INTEGER PRIMARY KEY, project TEXT PARTITION KEY,
                vector FLOAT[{DIM}] distance_metric=cosine);
CREATE VIRTUAL TABLE IF NOT EXISTS words USING fts5 (project, text, tokenize = 'porter unicode61');
"""


class ByHand(Driver):
    """One file."""

    def open(self, folder: Path) -> None:
        self._db = sqlite3.connect(folder / "memory.db", isolation_level=None)
        self._db.enable_load_extension(True)
        sqlite_vec.load(self._db)
        self._db.executescript(_SCHEMA)

    def add(self, project: str, items: Sequence[Text]) -> None:
        self._db.execute("BEGIN IMMEDIATE")
        for item in items:
            row = (project, item.text)
            number = self._db.execute("INSERT INTO memories (project, text) VALUES (?, ?)", row).lastrowid
            self._db.execute("INSERT INTO words (rowid, project, text) VALUES (?, ?, ?)", (number, *row))
            self._db.execute(
                "INSERT INTO vectors (id, project, vector) VALUES (?, ?, ?)", (number, project, item.vector)
            )
        self._db.execute("COMMIT")

    def recall(self, project: str, query: Text, limit: int) -> list[str]:
        by_vectors = self._db.execute(
            "SELECT id FROM vectors WHERE vector MATCH ? AND project = ? AND k = ? ORDER BY distance",
            (query.vector, project, _FETCH),
        )
        fused: dict[int, float] = defaultdict(float)
        for ranking in (by_vectors, self._by_words(project, query.text)):
            for place, (number,) in enumerate(ranking):
                fused[number] += 1 / (_RRF + place)
        best = sorted(fused, key=lambda number: -fused[number])[:limit]
        text_of = "SELECT text FROM memories WHERE id = ?"
        return [self._db.execute(text_of, (number,)).fetchone()[0] for number in best]

    def texts(self) -> set[str]:
        return {row[0] for row in self._db.execute("SELECT text FROM memories")}

    def close(self) -> None:
        self._db.close()

    def _by_words(self, project: str, query: str) -> Sequence[tuple[int]]:
        telling = [word for word in re.findall(r"\w+", query.lower()) if word not in _STOP]
        if not telling:
            return []
        asked = " OR ".join(f'"{word}"' for word in telling)
        # The project stands in the index, so that FTS5 leaves other projects' rows unscored.
        return self._db.execute(
            "SELECT rowid FROM words WHERE words MATCH ? ORDER BY bm25(words, 0.0, 1.0) LIMIT ?",
            (f'project:"{project}" AND text:({asked})', _FETCH),
        ).fetchall()
