"""Many tenants in one PostgreSQL: recall and writes at rising concurrency, waits, vacuum and sizes.

`python -m benchmarks.tenants --tenants 1000 --memories 1000` fills one tenant through Holdfast, copies its
rows under the names of the others, and prints what docs/scale.md tells. With `--large 3` there are three more
of a hundred times the size, which are asked by themselves and beside the others. It starts the server of the
tests.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from itertools import islice
from typing import Any

import psycopg
from psycopg import sql

from benchmarks.speed import sentences
from holdfast import Memory
from tests.postgres.server import APPLICATION, as_superuser, url

BATCH = 1_000
TABLES = (
    "tenants", "projects", "sessions", "pools", "sources", "memories", "passages", "facts", "models",
    "vectors", "events",
)  # fmt: skip
"""In an order in which rows find what they refer to."""
SMALL, LARGE = "t", "large"
"""What the names of tenants begin with."""
TIMES = 100
"""How many times as many memories a large tenant has."""

WORKER = """
import json, random, sys, threading, time
from benchmarks.speed import milliseconds, questions, sentences
from holdfast import Memory
address, act, seed, seconds, names = *sys.argv[1:3], *map(int, sys.argv[3:5]), sys.argv[5].split()
rng = random.Random(seed)
names = rng.sample(names, min(10, len(names)))
opened, first = [], []
for name in names:
    begun = time.perf_counter()
    opened.append(Memory(address + name, user="ana"))
    ready = time.perf_counter()
    opened[-1].recall("why did the deploy fail?")
    first.append([(ready - begun) * 1000, (time.perf_counter() - ready) * 1000])
    if act == "remember":  # the first write of a process also tells what its recall has used
        opened[-1].remember(f"process {seed} is ready", kind="note")
print("ready", flush=True)
sys.stdin.readline()
ask, texts, taken, end = questions(seed), sentences(1_000 + seed), [], time.monotonic() + seconds
while time.monotonic() < end:
    memory = rng.choice(opened)
    begun = time.perf_counter()
    if act == "recall":
        memory.recall(next(ask))
    else:
        memory.remember(next(texts), kind="note")
    taken.append((time.perf_counter() - begun) * 1000)
pools = [memory._service.store._tenant._pool.get_stats() for memory in opened]
waits = [sum(pool.get(name, 0) for pool in pools) for name in ("requests_queued", "requests_wait_ms")]
print(json.dumps({"taken": taken, "first": first, "waits": waits}))
"""


def main() -> None:
    """Fills, measures and prints."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--tenants", type=int, default=1_000)
    parser.add_argument("--memories", type=int, default=1_000, help="in each tenant")
    parser.add_argument("--large", type=int, default=0, help="tenants with a hundred times as many")
    parser.add_argument("--clients", type=int, nargs="+", default=[1, 2, 4, 8])
    parser.add_argument("--seconds", type=int, default=8, help="of each measurement")
    options = parser.parse_args()
    fill(SMALL, options.tenants, options.memories)
    if options.large:
        fill(LARGE, options.large, options.memories * TIMES)
    upkeep()
    small = [f"{SMALL}{n}" for n in range(1, options.tenants)]
    large = [f"{LARGE}{n}" for n in range(options.large)]
    for act, where, names in (
        ("recall", "many tenants", small),
        ("remember", "many tenants", small),
        ("remember", "one tenant", small[:1]),
        ("recall", "large tenants", large),
        ("remember", "large tenants", large),
    ):
        for clients in options.clients if names else ():
            measure(f"{act}, {where}", act, clients, names, options.seconds)


def fill(name: str, tenants: int, memories: int) -> None:
    """One tenant through the engine, the others as copies of its rows; each is called `name` and a number."""
    begun = time.perf_counter()
    texts = sentences(1)
    template = f"{name}0"
    with Memory(url(APPLICATION, tenant=template), user="ana") as memory:
        for number in range(0, memories, BATCH):
            batch = islice(texts, min(BATCH, memories - number))
            memory.add_messages([{"role": "user", "content": text} for text in batch], session=f"s{number}")
    print(
        f"one tenant of {memories:,}: {memories / (time.perf_counter() - begun):,.0f} memories/s", flush=True
    )
    begun = time.perf_counter()
    with as_superuser("holdfast") as connection:
        connection.execute(
            "SET session_replication_role = replica"
        )  # copies refer to copies: nothing to check
        for table in TABLES if tenants > 1 else ():
            whole = sql.Identifier("holdfast", table)
            columns = _columns(connection, table)
            listed = sql.SQL(", ").join(map(sql.Identifier, columns))
            connection.execute(
                sql.SQL(
                    "INSERT INTO {} (tenant_id, {}) SELECT %s || n, {} FROM {}, generate_series(1, %s) n"
                    " WHERE tenant_id = %s"
                ).format(whole, listed, listed, whole),
                [name, tenants - 1, template],
            )
    print(
        f"{tenants * memories:,} memories by copying rows: {time.perf_counter() - begun:,.0f} s", flush=True
    )


def _columns(connection: psycopg.Connection[Any], table: str) -> list[str]:
    rows = connection.execute(
        "SELECT attname FROM pg_attribute WHERE attrelid = %s::regclass AND attnum > 0 AND NOT attisdropped"
        " AND attname <> 'tenant_id' ORDER BY attnum", [f"holdfast.{table}"],
    ).fetchall()  # fmt: skip
    return [str(row[0]) for row in rows]


def upkeep() -> None:
    """Prints what statistics, vacuum and an index of the whole database take, and how large it is."""
    with as_superuser("holdfast") as connection:
        for statement in (
            "ANALYZE", "VACUUM holdfast.memories", "REINDEX INDEX holdfast.memories_by_hash",
            "REINDEX INDEX holdfast.memories_pkey",
        ):  # fmt: skip
            begun = time.perf_counter()
            connection.execute(statement.encode())
            print(f"{statement}: {time.perf_counter() - begun:,.1f} s", flush=True)
        rows = connection.execute(
            "SELECT relname, pg_table_size(oid), pg_indexes_size(oid) FROM pg_class"
            " WHERE relnamespace = 'holdfast'::regnamespace AND relkind = 'r'"
            " ORDER BY pg_total_relation_size(oid) DESC LIMIT 4"
        ).fetchall()
    for name, table, indexes in rows:
        print(f"{name}: {int(str(table)) / 2**20:,.0f} MiB, indexes {int(str(indexes)) / 2**20:,.0f} MiB")


def measure(label: str, act: str, clients: int, names: list[str], seconds: int) -> None:
    """Prints rate and latency of so many processes at a time, and on what the server's processes waited."""
    address = url(APPLICATION, tenant="")
    command = [sys.executable, "-c", WORKER, address, act]
    workers = [
        subprocess.Popen(
            [*command, str(100 + n), str(seconds), " ".join(names)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )
        for n in range(clients)
    ]  # fmt: skip
    for one in workers:
        assert one.stdout is not None
        assert one.stdout.readline() == "ready\n"
    for one in workers:
        assert one.stdin is not None
        one.stdin.write("\n")
        one.stdin.flush()
    waits: dict[str, int] = {}
    samples = 0
    with as_superuser("holdfast") as connection:
        while any(one.poll() is None for one in workers) and samples < seconds * 10:
            rows = connection.execute(
                "SELECT coalesce(wait_event_type, 'running'), count(*) FROM pg_stat_activity"
                " WHERE usename = %s AND state = 'active' GROUP BY 1", [APPLICATION],
            ).fetchall()  # fmt: skip
            samples += 1
            for name, count in rows:
                waits[str(name)] = waits.get(str(name), 0) + int(str(count))
            time.sleep(0.1)
    found = [json.loads(one.communicate()[0]) for one in workers]
    taken = sorted(ms for one in found for ms in one["taken"])
    first = [pair for one in found for pair in one["first"]]
    queued, waited = (sum(one["waits"][i] for one in found) for i in (0, 1))
    told = ", ".join(f"{name} {count / samples:.1f}" for name, count in sorted(waits.items()))
    print(
        f"{label}, {clients} clients: {len(taken) / seconds:,.0f}/s, p50 {at(taken, 0.5):.1f} ms,"
        f" p95 {at(taken, 0.95):.1f} ms; opening {at(sorted(p[0] for p in first), 0.5):.0f} ms,"
        f" first recall {at(sorted(p[1] for p in first), 0.5):.0f} ms; at a time: {told or 'nothing'};"
        f" {queued} requests waited {waited} ms for a connection",
        flush=True,
    )


def at(ordered: list[float], share: float) -> float:
    """A quantile."""
    return ordered[min(int(len(ordered) * share), len(ordered) - 1)]


if __name__ == "__main__":
    main()
