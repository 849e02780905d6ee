"""How statements are run: by the index that fits, in both stores, also in a database that is minutes old."""

from __future__ import annotations

import json
import re
from itertools import count
from pathlib import Path
from typing import Any

from apsw import Connection

from holdfast import Memory
from holdfast.core.places import Principal
from holdfast.core.views import personal_view
from holdfast.stores.postgres.writer import FEW
from holdfast.stores.sqlite.connection import connect
from holdfast.stores.sqlite.sql import statements
from tests.postgres.counted import ROWS_READ, counted
from tests.postgres.server import APPLICATION, as_superuser, make_database, unique, url

_NUMBERS = count(1)


def test_a_new_database_reads_few_rows_for_each_message_and_for_what_rests_on_one() -> None:
    """A plan that was made for the empty table, and kept, would read half a million rows for the last few
    messages here: each would go through all that came before it."""
    database = make_database(unique("plans"))
    with Memory(url(APPLICATION, database, "team"), user="ana") as memory:
        store = counted(memory, ROWS_READ)
        _talk(memory, FEW + 10, "works")
        before = store.count
        _talk(memory, 150, "works")
        assert store.count - before < 150 * 20
        with as_superuser(database) as connection:
            connection.execute("ANALYZE")
        before = store.count
        with store.read() as snap:
            assert snap.related(personal_view(Principal("ana")), ["nothing"], now=0) == []
        assert store.count - before < 50


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


def test_a_page_of_everything_reads_few_rows_of_a_database() -> None:
    """As many of each pool as fill a page, on the first page and a late one, whatever others keep since."""
    database = make_database(unique("pages"))
    address = url(APPLICATION, database, "team")
    with Memory(address, user="ana") as memory, Memory(address, user="bob") as others:
        for project in ("works", "home", None):
            _talk(memory, 300, project)
        _talk(others, 900, "works")
        with as_superuser(database) as connection:
            connection.execute("ANALYZE")
        store = counted(memory, ROWS_READ)
        for after in (None, memory.list(project="*", limit=500).cursor):
            before = store.count
            assert len(memory.list(project="*", limit=10, cursor=after).memories) == 10
            assert 10 <= store.count - before < 200


def _talk(memory: Memory, number: int, project: str | None) -> None:
    """Keeps so many messages in a session of a project."""
    messages = [{"role": "user", "content": f"Message number {next(_NUMBERS)}"} for _ in range(number)]
    memory.add_messages(messages, session=f"talk {project}", project=project)


def test_a_page_of_everything_takes_few_steps_in_a_file(tmp_path: Path) -> None:
    """As many for a file that is ten times as large, on the first page and on a late one."""
    steps: dict[int, list[int]] = {}
    for number in (60, 600):
        path = tmp_path / f"{number}.db"
        with Memory(path, user="ana") as memory:
            for project in ("works", "home", None):
                messages = [
                    {"role": "user", "content": f"Message number {next(_NUMBERS)}"} for _ in range(number)
                ]
                memory.add_messages(messages, session=f"talk {project}", project=project)
        connection = connect(path, writable=False)
        pools = json.dumps([row[0] for row in connection.execute("SELECT number FROM pools")])
        steps[number] = [_steps(connection, pools, before) for before in (None, number * 2)]
        connection.close()
    assert max(steps[600]) < 1.5 * min(steps[60])


def _steps(connection: Connection, pools: str, before: int | None) -> int:
    """Tens of steps of SQLite's machine for a page of ten."""
    sql = statements("reading.sql")["page"]
    values: dict[str, Any] = dict.fromkeys(re.findall(r"(?<![:\w]):([a-z]\w*)", sql))
    values |= {"pools": pools, "hidden": "[]", "now": 0, "before": before, "limit": 10}
    counted = count()
    connection.set_progress_handler(lambda: next(counted) < 0, 10)
    assert len(connection.execute(sql, values).fetchall()) == 10
    connection.set_progress_handler(None)
    return next(counted)
