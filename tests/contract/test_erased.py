"""Numbers of erased rows: kept for as long as another process may need them, and no longer."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from holdfast.api.memory import Memory
from holdfast.core.places import Principal
from holdfast.core.views import personal_view
from holdfast.stores.base.ports import Store
from holdfast.stores.sqlite.store import SqliteStore
from tests.support import memory_on

KEPT = 20
PARTS = ("holdfast.stores.sql.reader.ERASED_KEPT", "holdfast.stores.sql.writer.ERASED_KEPT")


@pytest.fixture(params=("sqlite", "postgres"))
def both(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[tuple[Store, Store]]:
    """One store, opened twice as by two processes, that soon forgets what was erased."""
    for part in PARTS:
        monkeypatch.setattr(part, KEPT)
    stores: list[Store] = []
    if request.param == "sqlite":
        stores += (SqliteStore(tmp_path / "store.db") for _ in range(2))
    else:
        from holdfast.stores.postgres.store import PostgresStore
        from holdfast.stores.postgres.tenant import Tenant
        from tests.postgres.server import fresh_url

        url = fresh_url()
        stores += (PostgresStore(Tenant(url)) for _ in range(2))
    yield stores[0], stores[1]
    for store in stores:
        store.close()


def churn(memory: Memory, changes: int) -> None:
    """As many pairs of changes: something comes and is erased."""
    for number in range(changes):
        passing = memory.remember(f"What passes at {number}", kind="note").memory
        assert passing is not None
        memory.forget(passing.id, hard=True)


def recalled(memory: Memory) -> list[tuple[str, float]]:
    """What recall finds, with the scores, on which everything that is indexed has an influence."""
    return [(hit.memory.text, hit.score) for hit in memory.recall("heron at the well", limit=5)]


@pytest.mark.parametrize("changes", [3, 3 * KEPT])
def test_s2_36_who_did_not_look_for_long_is_told_as_if_it_had_never_been(
    both: tuple[Store, Store], changes: int
) -> None:
    """Whether the numbers of what was erased are still there or not."""
    one, other = memory_on(both[0], seed=1), memory_on(both[1], seed=2)
    gone = [
        one.remember(f"The heron of pier {name} sleeps at noon", kind="note").memory for name in ("A", "B")
    ]
    one.remember("The orchard has a well", kind="note")
    assert len(recalled(other)) == 3
    for memory in gone:
        assert memory is not None
        one.forget(memory.id, hard=True)
    churn(one, changes)
    one.remember("A heron stands in the harbour", kind="note")
    assert recalled(other) == recalled(one)
    assert len(recalled(other)) == 2


def test_the_numbers_of_what_was_erased_do_not_pile_up(both: tuple[Store, Store]) -> None:
    memory = memory_on(both[0], seed=1)
    sizes = []
    for _ in range(4):
        churn(memory, KEPT)
        with both[0].read() as snap:
            sizes.append(len(snap._all("erased_since", {"since": 0, "upto": 1 << 40})))  # type: ignore[attr-defined]
    assert sizes[0] > 0
    assert max(sizes) <= KEPT
    assert sizes[-1] == sizes[1]


def test_s2_36_a_file_knows_that_it_has_to_be_rebuilt_however_long_ago_something_was_erased(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Passages of a folder are erased without a rebuild; who opens the file next makes up for it."""
    for part in PARTS:
        monkeypatch.setattr(part, KEPT)
    path, work = tmp_path / "store.db", tmp_path / "work"
    work.mkdir()
    (work / "heron.md").write_text("Herons of the north quay\n")
    store = SqliteStore(path)
    memory = memory_on(store, seed=1)
    folder = memory.folders.add(work, project="harbour").id
    memory.folders.index(folder)
    (work / "heron.md").unlink()
    assert memory.folders.index(folder).removed == 1
    for number in range(2 * KEPT):
        memory.remember(f"Statement {number}", kind="note")
    with store.write() as tx:
        tx.erase(personal_view(Principal("ana")), [])
    assert not is_rebuilt(path)
    store.close()
    assert not is_rebuilt(path), "it is put off until the file is opened again"
    SqliteStore(path).close()
    assert is_rebuilt(path)


def is_rebuilt(path: Path) -> bool:
    """Whether the file was ever rebuilt."""
    with closing(sqlite3.connect(path)) as file:
        return file.execute("SELECT 1 FROM counters WHERE name = 'scrubbed'").fetchone() is not None
