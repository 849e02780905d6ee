"""How statements are run: by the index that fits, in both stores, also in a database that is minutes old."""

from __future__ import annotations

import re
from itertools import count
from pathlib import Path

from holdfast import Memory
from holdfast.domain.places import Principal
from holdfast.domain.views import personal_view
from holdfast.engine.ports import Reader
from holdfast.stores.postgres.reader import PostgresReader
from holdfast.stores.postgres.writer import FEW
from holdfast.stores.sqlite.connection import connect
from holdfast.stores.sqlite.sql import statements
from tests.postgres.server import APPLICATION, as_superuser, make_database, unique, url

_NUMBERS = count(1)


def rows_read(database: str) -> int:
    """Rows and entries of the table of memories that the server has read in a database so far."""
    with as_superuser(database) as connection:
        row = connection.execute(
            "SELECT (SELECT sum(idx_tup_read) FROM pg_stat_user_indexes WHERE relname = 'memories')"
            " + (SELECT seq_tup_read FROM pg_stat_user_tables WHERE relname = 'memories')"
        ).fetchone()
    assert row is not None
    return int(str(row[0]))


def test_a_new_database_reads_few_rows_for_each_message_and_for_what_rests_on_one() -> None:
    """A plan that was made for the empty table, and kept, would read half a million rows for the last few
    messages here: each would go through all that came before it."""
    database = make_database(unique("plans"))
    with Memory(url(APPLICATION, database, "team"), user="ana") as memory:
        read = [_keep(memory, database, number) for number in (FEW + 10, 150)]
        assert read[1] < 150 * 20
        with as_superuser(database) as connection:
            connection.execute("ANALYZE")
        before = rows_read(database)
        with memory._service.store.read() as snap:
            assert snap.related(personal_view(Principal("ana")), ["nothing"], now=0) == []
            told_at_once(snap)
        assert rows_read(database) - before < 50


def _keep(memory: Memory, database: str, number: int) -> int:
    """Keeps so many messages and tells how many rows the server read for it."""
    before = rows_read(database)
    texts = [f"Message number {next(_NUMBERS)}" for _ in range(number)]
    memory.add_messages([{"role": "user", "content": text} for text in texts], session="talk")
    with memory._service.store.read() as snap:
        told_at_once(snap)
    return rows_read(database) - before


def told_at_once(snap: Reader) -> None:
    """Makes the server tell at the end of the transaction what the connection has counted so far."""
    assert isinstance(snap, PostgresReader)
    snap.connection.execute("SELECT pg_stat_force_next_flush()")


def test_what_rests_on_something_is_found_by_indexes_in_a_file(tmp_path: Path) -> None:
    with Memory(tmp_path / "a.db", user="ana") as memory:
        memory.remember("Something")
    connection = connect(tmp_path / "a.db", writable=False)
    sql = statements("reading.sql")["related"]
    names = set(re.findall(r"(?<![:\w]):([a-z]\w*)", sql))
    values = {name: "[]" if name in ("ids", "pools", "hidden") else None for name in names}
    plan = "\n".join(str(row[3]) for row in connection.execute(f"EXPLAIN QUERY PLAN {sql}", values))
    connection.close()
    assert "SCAN m" not in plan
    assert "SCAN e\n" not in plan
    for index in (
        "by_supersedes",
        "by_superseded_by",
        "by_subject",
        "by_target",
        "by_source",
        "with_evidence",
    ):
        assert f"INDEX memories_{index} " in plan, plan
