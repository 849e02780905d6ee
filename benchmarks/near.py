"""From where on an index of the server pays: vectors of one pool alone, beside the exact scan in memory.

`python -m benchmarks.near --sizes 100000 300000` prints what docs/scale.md tells: how long the scan of the
codes takes and the index of the server for the 40 nearest, how many of them are right, what building takes,
and what comparing passages one by one on the server costs. `--dimensions 1536` turns the vectors of the
embedder by a random matrix into longer ones.
"""

from __future__ import annotations

import argparse
import statistics
import struct
import time
from itertools import islice
from typing import Any

import numpy as np
import psycopg
from numpy.typing import NDArray

from benchmarks.speed import questions, sentences
from holdfast import Memory
from holdfast.embeddings.static import StaticEmbedder
from holdfast.stores.index.quantised import dots, quantise
from holdfast.stores.postgres.ann_index import make_indexes
from holdfast.stores.postgres.connection import Halves, configure
from holdfast.stores.postgres.sql import statements
from tests.postgres.server import APPLICATION, OWNER, as_superuser, server, url

TENANT, POOL, MODEL = "near", 7, 9
TOP = 40
BATCH = 5_000
ASKED = 60
COMPARED = (1_000, 5_000, 20_000, 100_000)

Floats = NDArray[np.float32]


def main() -> None:
    """Fills size by size and prints a part for each."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--sizes", type=int, nargs="+", default=[100_000])
    parser.add_argument("--dimensions", type=int, default=256)
    parser.add_argument("--buffers", default="128MB", help="shared_buffers of the server")
    options = parser.parse_args()
    with as_superuser() as connection:
        connection.execute(f"ALTER SYSTEM SET shared_buffers = '{options.buffers}'".encode())
    server().halt()
    server().resume()
    server().wait()
    Memory(url(APPLICATION, tenant=TENANT), user="ana").close()
    dim, texts, asked = (
        options.dimensions,
        sentences(1),
        vectors(islice(questions(2), ASKED), options.dimensions),
    )
    kept: list[NDArray[np.float16]] = []
    for size in options.sizes:
        make_indexes(url(OWNER, tenant=TENANT), above=1 << 60)
        while sum(map(len, kept)) < size:
            made = vectors(islice(texts, BATCH), dim)
            copy(made, sum(map(len, kept)))
            kept.append(made.astype(np.float16))
        measure(np.concatenate(kept), asked)
    server().stop()


def vectors(texts: Any, dim: int) -> Floats:
    """Unit vectors of so many dimensions."""
    found = StaticEmbedder().embed(list(texts))
    if dim != found.shape[1]:
        turned = np.random.default_rng(1).standard_normal((found.shape[1], dim)).astype(np.float32)
        found = found @ turned
        found /= np.linalg.norm(found, axis=1, keepdims=True)
    return np.asarray(found, np.float32)


def copy(vectors: Floats, first: int) -> None:
    """Puts vectors into one pool, without the memories that they would belong to."""
    scales, codes = quantise(vectors)
    with as_superuser("holdfast") as connection:
        connection.execute("SET session_replication_role = replica")
        connection.execute(
            "INSERT INTO holdfast.models (tenant_id, number, name, dim) VALUES (%s, %s, 'near', %s)"
            " ON CONFLICT DO NOTHING", [TENANT, MODEL, vectors.shape[1]],
        )  # fmt: skip
        into = (
            "COPY holdfast.vectors (tenant_id, passage, model, pool, scale, code, vector) FROM STDIN BINARY"
        )
        with connection.cursor().copy(into) as rows:
            rows.write(b"PGCOPY\n\xff\r\n\0" + struct.pack(">ii", 0, 0))
            for i, vector in enumerate(vectors):
                numbers = [struct.pack(">q", number) for number in (first + i, MODEL, POOL)]
                scale = struct.pack(">f", scales[i])
                fields = [TENANT.encode(), *numbers, scale, codes[i].tobytes(), Halves.of(vector)]
                row = b"".join(struct.pack(">i", len(field)) + field for field in fields)
                rows.write(struct.pack(">h", len(fields)) + row)
            rows.write(struct.pack(">h", -1))


def measure(stored: NDArray[np.float16], queries: Floats) -> None:
    """Prints what both cost for these vectors."""
    size, dim = stored.shape
    scales, codes = quantise(stored.astype(np.float32))
    taken, right = [], []
    for vector in queries:
        begun = time.perf_counter()
        scale, code = quantise(vector[None])
        cosine = dots(code[0], codes) * (scales * scale[0])
        best = np.argpartition(-cosine, 2 * TOP)[: 2 * TOP]
        taken.append((time.perf_counter() - begun) * 1000)
        right.append(set(best[np.argsort(-(stored[best].astype(np.float32) @ vector))][:TOP].tolist()))
    print(
        f"\n## {size:,} x {dim}\n\nscan of {codes.nbytes / 2**20:,.0f} MB of codes: {spread(taken)}",
        flush=True,
    )
    with as_superuser("holdfast") as connection:
        connection.execute("ANALYZE holdfast.vectors")
    begun = time.perf_counter()
    done = make_indexes(url(OWNER, tenant=TENANT) + "&options=-c%20maintenance_work_mem%3D4GB", above=0)
    print(f"building, {done.passages:,} passages: {time.perf_counter() - begun:,.0f} s", flush=True)
    with psycopg.connect(url(APPLICATION), autocommit=True) as connection:
        configure(connection)
        path = connection.execute(statements("connecting.sql")["search_path"].query).fetchone()
        assert path is not None
        entering = {"tenant": TENANT, "path": path[0], "patience": "0", "idle": None}
        values: dict[str, Any] = {"pool": POOL, "model": MODEL, "dim": dim, "wanted": TOP}
        taken, shares = [], []
        for vector, true in zip(queries, right, strict=True):
            ms, rows = ask(connection, entering, "nearest", {**values, "vector": Halves.of(vector)})
            taken.append(ms)
            shares.append(len({row[0] for row in rows} & true) / TOP)
        print(f"index: {spread(taken)}, {statistics.mean(shares):.3f} of the right {TOP}", flush=True)
        for count in (count for count in COMPARED if count <= size):
            some = np.random.default_rng(count).choice(size, count, replace=False)
            values["passages"] = sorted(some.tolist())
            taken = [
                ask(connection, entering, "nearest_among", {**values, "vector": Halves.of(vector)})[0]
                for vector in queries[:8]
            ]
            print(f"comparing {len(some):,} on the server: {spread(taken)}", flush=True)


def ask(
    connection: psycopg.Connection[Any], entering: dict[str, str], name: str, values: dict[str, Any]
) -> tuple[float, list[Any]]:
    """Milliseconds, and passages with their cosines."""
    with connection.transaction():
        connection.execute(statements("connecting.sql")["enter"].query, entering)
        begun = time.perf_counter()
        rows = connection.execute(statements("ann_index.sql")[name].query, values).fetchall()
        return (time.perf_counter() - begun) * 1000, rows


def spread(times: list[float]) -> str:
    """p50 and p95 in words."""
    ordered = sorted(times)
    return f"p50 {statistics.median(ordered):.1f} ms, p95 {ordered[int(len(ordered) * 0.95)]:.1f} ms"


if __name__ == "__main__":
    main()
