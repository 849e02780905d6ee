"""Measures the index in memory beside pgvector's HNSW, on the same memories of one tenant of a real server.

`python -m benchmarks.hnsw --sizes 10000 100000` prints what docs/scale.md tells: what a process pays to load
the index and to ask it, and what the server pays to build an HNSW index and to answer from it, in the whole
tenant and in a project that holds one memory in two hundred, where HNSW without an iterative scan finds
nearly nothing.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from itertools import islice
from typing import Any

import psycopg

from benchmarks.speed import questions, sentences
from holdfast import Memory
from holdfast.embeddings.static import StaticEmbedder
from tests.postgres.server import APPLICATION, OWNER, as_superuser, fresh_tenant, url

BATCH = 2_000
SMALL = 200
"""One memory of so many stands in the small project."""
TOP = 50
"""Passages asked for, about what recall takes from its vectors."""

COLD = """
import json, os, sys, time
import psutil
from holdfast import Memory
memory = Memory(sys.argv[1], user="ana")
before = psutil.Process().memory_info().rss
begun = time.perf_counter()
memory.recall("why did the deploy fail?", project="large")
loaded = time.perf_counter() - begun
held = psutil.Process().memory_info().rss - before
taken = []
for n in range(int(sys.argv[2])):
    begun = time.perf_counter()
    memory.recall(f"what did the server do with cache number {n}?", project="large", mode=sys.argv[3])
    taken.append((time.perf_counter() - begun) * 1000)
print(json.dumps({"loaded": loaded, "held": held, "taken": taken}))
"""

NEAREST = """
SELECT v.passage FROM holdfast.vectors v
    JOIN holdfast.passages x ON x.number = v.passage JOIN holdfast.memories m ON m.number = x.memory
WHERE v.tenant_id = %(tenant)s AND m.pool = ANY(%(pools)s::bigint[]) AND m.current AND m.status = 'approved'
ORDER BY v.vector::{schema}halfvec(256) OPERATOR({schema}<=>) %(vector)s::{schema}halfvec(256) LIMIT %(limit)s
"""


def main() -> None:
    """Fills a tenant size by size and prints a row for each."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--sizes", type=int, nargs="+", default=[10_000, 100_000])
    parser.add_argument("--repeat", type=int, default=100)
    options = parser.parse_args()
    tenant = fresh_tenant()
    address = url(APPLICATION, tenant=tenant)
    texts, kept = sentences(1), 0
    with Memory(address, user="ana") as memory:
        for size in options.sizes:
            begun, before = time.perf_counter(), kept
            while kept < size:
                count = min(BATCH, size - kept)
                batch = [{"role": "user", "content": text} for text in islice(texts, count)]
                few = batch[: count // SMALL]
                memory.add_messages(few, session=f"s{kept}", project="small")
                memory.add_messages(batch[len(few) :], session=f"l{kept}", project="large")
                kept += count
                if kept <= 2_000 or kept % 10_000 == 0:
                    with as_superuser("holdfast") as connection:
                        connection.execute("ANALYZE")
            rate = (kept - before) / (time.perf_counter() - begun)
            print(f"\n## {kept:,} passages (filled at {rate:,.0f}/s)\n", flush=True)
            measure(address, tenant, options.repeat)


def measure(address: str, tenant: str, repeat: int) -> None:
    """Prints what both cost at the present size."""
    for mode in ("hybrid", "vectors", "words"):
        done = subprocess.run(
            [sys.executable, "-c", COLD, address, str(repeat), mode],
            stdout=subprocess.PIPE, check=True, timeout=600,
        )  # fmt: skip
        told = json.loads(done.stdout)
        if mode == "hybrid":
            print(f"in memory: first recall {told['loaded'] * 1000:,.0f} ms, {told['held'] / 2**20:,.0f} MiB")
        print(f"in memory, {mode}: {spread(told['taken'])}", flush=True)
    asked = [row.tolist() for row in StaticEmbedder().embed(list(islice(questions(2), repeat)))]
    with as_superuser("holdfast") as connection:
        connection.execute("ANALYZE")
        found = connection.execute(
            "SELECT p.number, j.name FROM holdfast.pools p JOIN holdfast.projects j"
            " ON j.tenant_id = p.tenant_id AND j.number = p.project WHERE p.tenant_id = %s", [tenant],
        ).fetchall()  # fmt: skip
        row = connection.execute(
            "SELECT quote_ident(n.nspname) || '.' FROM pg_extension e JOIN pg_namespace n"
            " ON n.oid = e.extnamespace WHERE e.extname = 'vector'"
        ).fetchone()
    assert row is not None
    schema = str(row[0])
    views = {name: [number for number, one in found if one == name] for name in ("large", "small")}
    with psycopg.connect(url(APPLICATION), autocommit=True) as application:
        ask = asker(application, tenant, schema)
        exact = {name: [ask(pools, vector)[1] for vector in asked[:20]] for name, pools in views.items()}
        print(
            f"SQL without an index, large: {spread([ask(views['large'], v)[0] for v in asked[:10]])}",
            flush=True,
        )
        with psycopg.connect(url(OWNER), autocommit=True) as owner:
            begun = time.perf_counter()
            owner.execute("SET maintenance_work_mem = '2GB'")
            owner.execute(
                f"CREATE INDEX measured ON holdfast.vectors USING hnsw"
                f" ((vector::{schema}halfvec(256)) {schema}halfvec_cosine_ops)".encode()
            )
            built = time.perf_counter() - begun
            size = owner.execute("SELECT pg_relation_size('holdfast.measured')").fetchone()
        assert size is not None
        print(f"HNSW: built in {built:,.1f} s, {size[0] / 2**20:,.0f} MiB", flush=True)
        for scan in ("off", "strict_order"):
            for breadth in (40, 200):
                ask = asker(application, tenant, schema, scan, breadth)
                for name, pools in views.items():
                    taken = [ask(pools, vector)[0] for vector in asked]
                    shares, ten = [], []
                    for vector, right in zip(asked, exact[name], strict=False):
                        got = ask(pools, vector)[1]
                        shares.append(len(set(got) & set(right)) / max(len(right), 1))
                        ten.append(len(set(got[:10]) & set(right[:10])))
                    print(
                        f"HNSW, iterative_scan {scan}, ef_search {breadth}, {name}: {spread(taken)},"
                        f" {statistics.mean(shares):.3f} of the exact {TOP},"
                        f" {statistics.mean(ten):.1f} of 10",
                        flush=True,
                    )
        with psycopg.connect(url(OWNER), autocommit=True) as owner:
            owner.execute("DROP INDEX holdfast.measured")


Asker = Callable[[list[Any], list[float]], tuple[float, list[int]]]


def asker(
    connection: psycopg.Connection[Any], tenant: str, schema: str, scan: str | None = None, breadth: int = 40
) -> Asker:
    """Asks for the nearest of a view and tells milliseconds and passages; without `scan` by no index."""

    def ask(pools: list[Any], vector: list[float]) -> tuple[float, list[int]]:
        with connection.transaction():
            connection.execute("SELECT set_config('holdfast.tenant', %s, true)", [tenant])
            if scan is not None:
                connection.execute(f"SET LOCAL hnsw.iterative_scan = {scan}".encode())
                connection.execute(f"SET LOCAL hnsw.ef_search = {breadth}".encode())
                connection.execute("SET LOCAL enable_seqscan = off")
                connection.execute("SET LOCAL enable_sort = off")
            begun = time.perf_counter()
            values = {"tenant": tenant, "pools": pools, "vector": json.dumps(vector), "limit": TOP}
            rows = connection.execute(NEAREST.format(schema=schema).encode(), values).fetchall()
            return (time.perf_counter() - begun) * 1000, [row[0] for row in rows]

    return ask


def spread(times: list[float]) -> str:
    """p50 and p95 in words."""
    ordered = sorted(times)
    return f"p50 {statistics.median(ordered):.2f} ms, p95 {ordered[int(len(ordered) * 0.95)]:.2f} ms"


if __name__ == "__main__":
    main()
