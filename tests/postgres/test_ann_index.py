"""Indexes of large pools: made by the owner, asked inside one pool, and recall finds what it found before."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from typing import Any

import psycopg
import pytest

from holdfast import Memory
from holdfast.core.errors import StoreBusy, StoreError
from holdfast.stores.base.backend import Indexes
from holdfast.stores.postgres.ann_index import make_indexes
from holdfast.stores.postgres.sql import statements
from tests.fakes import HashEmbedder
from tests.postgres.conftest import Open
from tests.postgres.counted import NEAR_SCANS, counted
from tests.postgres.server import APPLICATION, OWNER, as_superuser, fresh_tenant, url
from tests.support import PATIENCE, memory_on, texts

MANY = 600
"""Messages of the large pool: more than the index looks at without going on."""
DIM = HashEmbedder().dim
_NUMBERS = count(1)


def indexes(tenant: str, above: int = 100) -> Indexes:
    """Makes what the owner would make for pools with more passages, after what other tests are making on the
    same server."""
    end = time.monotonic() + PATIENCE
    while True:
        try:
            return make_indexes(url(OWNER, tenant=tenant), above=above * DIM)
        except StoreBusy:
            if time.monotonic() > end:
                raise
            time.sleep(0.1)


def fill(memory: Memory, about: str, number: int, **place: Any) -> None:
    messages = [{"role": "user", "content": f"{about} {next(_NUMBERS)}"} for _ in range(number)]
    memory.add_messages(messages, session=about, **place)


@contextmanager
def inside(tenant: str, database: str = "holdfast") -> Iterator[psycopg.Connection[tuple[Any, ...]]]:
    """A transaction of the role that serves, in a tenant."""
    with psycopg.connect(url(APPLICATION, database), autocommit=True) as connection, connection.transaction():
        path = connection.execute(statements("connecting.sql")["search_path"].query).fetchone()
        assert path is not None
        connection.execute(
            "SELECT set_config('holdfast.tenant', %s, true), set_config('search_path', %s, true)",
            [tenant, path[0]],
        )
        yield connection


def test_the_owner_makes_them_for_large_pools_and_drops_them_again(opened: Open) -> None:
    """Again changes nothing; of another tenant none is touched; a store with some is served."""
    tenant, other = fresh_tenant(), fresh_tenant()
    memory = memory_on(opened(tenant))
    fill(memory, "harbour", 120, project="large")
    fill(memory, "lighthouse", 20, project="small")
    fill(memory_on(opened(other)), "harbour", 120)
    assert indexes(other) == Indexes(made=1, kept=0, dropped=0, passages=120)
    assert indexes(tenant) == Indexes(made=1, kept=0, dropped=0, passages=120)
    assert indexes(tenant) == Indexes(made=0, kept=1, dropped=0, passages=120)
    assert indexes(tenant, above=10) == Indexes(made=1, kept=1, dropped=0, passages=140)
    opened(tenant)  # start-up finds nothing wrong
    assert indexes(tenant, above=1_000) == Indexes(made=0, kept=0, dropped=2, passages=0)
    assert indexes(other) == Indexes(made=0, kept=1, dropped=0, passages=120)


def test_what_broke_off_is_made_again(opened: Open) -> None:
    """An index whose building was interrupted is there and is not valid: it is not asked, and made anew."""
    tenant = fresh_tenant()
    memory = memory_on(opened(tenant))
    fill(memory, "harbour", 120)
    indexes(tenant)
    with as_superuser("holdfast") as connection:
        connection.execute(
            "UPDATE pg_index SET indisvalid = false WHERE indexrelid IN (SELECT indexrelid FROM"
            " pg_stat_user_indexes WHERE starts_with(indexrelname, 'near_' || left(md5(%s), 16)))", [tenant],
        )  # fmt: skip
    with inside(tenant) as connection:
        assert connection.execute(statements("ann_index.sql")["ready"].query, {"model": 1}).fetchall() == []
    assert indexes(tenant) == Indexes(made=1, kept=0, dropped=0, passages=120)


def test_only_the_owner_makes_them_and_one_at_a_time(opened: Open) -> None:
    tenant = fresh_tenant()
    fill(memory_on(opened(tenant)), "harbour", 120)
    with pytest.raises(StoreError) as raised:
        make_indexes(url(APPLICATION, tenant=tenant), above=100)
    assert "may not make indexes" in raised.value.message
    with psycopg.connect(url(OWNER), autocommit=True) as connection:
        connection.execute(statements("ann_index.sql")["alone"].query)
        with pytest.raises(StoreBusy):
            make_indexes(url(OWNER, tenant=tenant), above=100 * DIM)


def test_gates_under_row_security_the_index_goes_on_until_it_has_enough(opened: Open) -> None:
    """Far from the question stand ten that a view is after, six hundred nearer ones it does not see. Without
    `iterative_scan` the index gives up: 0 of 10. The function of the store gets all ten."""
    tenant = fresh_tenant()
    memory = memory_on(opened(tenant))
    fill(memory, "harbour at noon", MANY)
    fill(memory, "lighthouse in spring", 10)
    indexes(tenant)
    vector = str(HashEmbedder().embed(["harbour at noon"])[0].tolist())
    found = {}
    with inside(tenant) as connection:
        wanted = {
            row[0] for row in connection.execute(
                "SELECT x.number FROM passages x JOIN memories m ON m.number = x.memory"
                " WHERE m.text LIKE 'lighthouse%'"
            )
        }  # fmt: skip
        pool = connection.execute("SELECT DISTINCT pool FROM vectors").fetchall()[0][0]
        text = (
            "SELECT v.passage FROM vectors v JOIN passages x ON x.number = v.passage JOIN memories m"
            " ON m.number = x.memory WHERE v.tenant_id = %s AND v.pool = %s AND v.model = 1"
            " AND m.text LIKE 'lighthouse%%' ORDER BY v.vector::halfvec(32) <=> %s::halfvec(32) LIMIT 10"
        )
        for scan in ("off", "strict_order"):
            connection.execute(f"SET LOCAL hnsw.iterative_scan = {scan}".encode())
            for other in ("enable_seqscan", "enable_sort", "enable_bitmapscan"):
                connection.execute(f"SET LOCAL {other} = off".encode())
            found[scan] = len(connection.execute(text.encode(), [tenant, pool, vector]).fetchall())
        connection.execute("RESET hnsw.iterative_scan")
        before = connection.execute(NEAR_SCANS.encode()).fetchall()[0][0]
        rows = connection.execute(
            "SELECT passage, cosine FROM nearest(%s, 1, 32, %s::halfvec, %s)", [pool, vector, MANY + 10]
        ).fetchall()
        after = connection.execute(NEAR_SCANS.encode()).fetchall()[0][0]
        row = connection.execute("SHOW hnsw.iterative_scan").fetchone()
    assert found == {"off": 0, "strict_order": 10}
    assert wanted <= {passage for passage, _ in rows}
    cosines = [cosine for _, cosine in rows]
    assert cosines == pytest.approx(sorted(cosines, reverse=True), abs=1e-5)
    assert row == ("off",)  # what the function needs it sets for itself alone
    assert after > before


def test_the_vectors_follow_their_memories_into_another_pool(opened: Open) -> None:
    """A session that joins a project, a memory that is retagged or shared: each by its own statement. Where
    one did not, the check would tell."""
    tenant = fresh_tenant()
    memory = memory_on(opened(tenant))
    fill(memory, "harbour", 5)
    memory.sessions.update("harbour", project="works")
    stored = memory.remember("The vault is behind the harbour office", kind="fact", project="works").memory
    assert stored is not None
    memory.review.move(stored.id, visibility="team")
    memory.entities.create("Ada", "person", project="works")
    memory.projects.create("others")
    assert memory.projects.retag("works", "others") == 1
    assert not memory.doctor().problems
    with as_superuser("holdfast") as connection:
        connection.execute("UPDATE holdfast.vectors SET pool = 99 WHERE tenant_id = %s", [tenant])
    told = memory.doctor().problems
    assert len([one for one in told if "vector in another pool" in one]) > 0
    assert texts(memory.recall("vault harbour", project="works"))


SUBJECTS = ("harbour", "lighthouse", "vault", "office", "cache", "deploy", "server", "till", "queue", "token")
VERBS = ("waits for", "stands behind", "was moved to", "keeps", "breaks without", "is older than")


def varied(memory: Memory, number: int, session: str, **place: Any) -> None:
    """Messages of which no two are the same."""
    said = [
        f"The {SUBJECTS[n % 10]} {VERBS[n % 6]} the {SUBJECTS[n // 10 % 10]} in case {n}"
        for n in range(number)
    ]
    memory.add_messages([{"role": "user", "content": text} for text in said], session=session, **place)


QUESTIONS: tuple[dict[str, Any], ...] = (
    {},
    {"mode": "vectors"},
    {"session": "second", "project": None},
    {"project": "*"},
    {"mode": "vectors", "project": "*", "limit": 50},
    {"project": "works", "kinds": "note"},
)


def answers(memory: Memory) -> list[Any]:
    return [
        memory.recall(f"where does the {subject} stand?", **{"project": "works", **asked}).items
        for asked in QUESTIONS
        for subject in ("vault", "deploy server", "lighthouse")
    ]


def test_recall_by_an_index_of_the_server_finds_what_the_exact_scan_finds(opened: Open) -> None:
    """Same memories with the same scores, in views of one pool and of several, wide ones and narrow ones:
    also after writing, changing, moving and erasing."""
    tenant = fresh_tenant()
    exact = memory_on(opened(tenant), seed=1)
    varied(exact, 500, "first", project="works")
    varied(exact, 9, "second", project="works")
    varied(exact, 30, "third", project="home")
    kept = [exact.remember(f"The vault number {n} is old", kind="note", project="works") for n in range(3)]
    assert indexes(tenant).made == 1
    near = memory_on(opened(tenant), seed=2)
    store = counted(near, NEAR_SCANS)
    assert answers(near) == answers(exact)
    assert store.count > 0
    near.sessions.update("second", project="home")
    near.sessions.update("third", project="works")
    ids = [one.memory.id for one in kept if one.memory is not None]
    near.revise(ids[0], text="The deploy server stands beside the lighthouse")
    near.forget(ids[1], hard=True)
    near.forget(ids[2])
    varied(near, 20, "fourth", project="works")
    assert answers(near) == answers(exact)
    near.sessions.update("first", name="The deploy server in the vault")
    assert answers(near) == answers(exact)
    segments = store._cached.index._segments.values()
    assert [len(segment.codes[0]) for segment in segments if segment.is_remote] == [0]


def test_a_message_that_is_titled_anew_is_found_among_the_others(opened: Open) -> None:
    """Its passages have higher numbers than those after it, in a process that opens the pool then."""
    tenant = fresh_tenant()
    exact = memory_on(opened(tenant), seed=1)
    varied(exact, 300, "first", project="works")
    assert indexes(tenant).made == 1
    exact.sessions.update("first", name="Zebra quokka walrus")
    near = memory_on(opened(tenant), seed=2)

    def answer(memory: Memory, subject: str) -> list[tuple[str, float]]:
        hits = memory.recall(subject, mode="vectors", project="works", limit=5)
        return [(hit.memory.text, hit.why["vector"]) for hit in hits]

    for subject in ("the vault", "the deploy server", "zebra quokka walrus"):
        assert answer(near, subject) == answer(exact, subject)
    assert answer(near, "zebra quokka walrus")[0][0].endswith("in case 0")


def test_gates_a_view_of_half_a_percent_gets_its_ten_where_an_index_stands(opened: Open) -> None:
    """Nothing of what it sees is among the hundreds that are nearer to the question."""
    tenant = fresh_tenant()
    memory = memory_on(opened(tenant))
    fill(memory, "harbour at noon", 3 * MANY, project="works")
    for n in range(10):
        memory.remember(f"The lighthouse number {n} in spring", kind="note", project="works")
    assert indexes(tenant).made == 1
    matches = memory_on(opened(tenant)).recall(
        "harbour at noon", mode="vectors", kinds="note", project="works", limit=10
    )
    assert matches.searched == 10
    assert matches.items == memory.recall(
        "harbour at noon", mode="vectors", kinds="note", project="works", limit=10
    ).items  # fmt: skip


def test_an_index_that_is_dropped_meanwhile_is_missed_by_no_answer(opened: Open) -> None:
    """A process that has loaded the pool without codes goes on asking; the server compares all."""
    tenant = fresh_tenant()
    exact = memory_on(opened(tenant))
    varied(exact, 300, "first", project="works")
    indexes(tenant)
    near = memory_on(opened(tenant))
    assert answers(near) == answers(exact)
    assert indexes(tenant, above=1_000).dropped == 1
    assert answers(near) == answers(exact)
