"""The processor time of reconciling: from nothing, again, and with one in a hundred entities changed.

With `--postgres` on the server that the tests use; the time of its processes is not in it.
"""

from __future__ import annotations

import argparse
import gc
import tempfile
import time
from pathlib import Path
from typing import Any

from holdfast import Memory
from holdfast.features.reconcile.entities import entities_of, fingerprints_of


def payload(count: int, turn: int, every: int = 100) -> dict[str, Any]:
    """Returns a payload of tables, of which one in `every` depends on the turn."""
    entities = []
    for number in range(count):
        rows = 1_000 + number if number % every else 100 * turn + number
        columns = [
            {"name": "id", "type": "integer", "min": 1, "max": rows},
            {"name": "placed_at", "type": "date", "min": "2024-01-01", "max": "2024-12-30"},
            {"name": "city", "type": "text", "values": ["Bern", "Graz", "Ulm"], "empty": 0.2},
            {"name": "total", "type": "number", "min": 0.5, "max": 980.25},
            {"name": "note", "type": "text", "empty": 0.71},
        ]
        data = {"name": f"orders_{number}", "rows": rows, "keys": ["id"], "columns": columns}
        entities.append({"type": "DATA_TABLE", "id": f"orders_{number}", "data": data})
    return {"name": "warehouse", "platform": "database", "entities": entities}


def main() -> None:
    """Measures and prints a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--entities", type=int, default=10_000)
    parser.add_argument("--every", type=int, default=100, help="one in how many entities changes")
    parser.add_argument("--postgres", action="store_true")
    given = parser.parse_args()
    count, every = given.entities, given.every
    with tempfile.TemporaryDirectory() as folder, Memory(_address(Path(folder), given.postgres)) as memory:
        entities = entities_of(payload(count, 1, every))
        began = time.process_time()
        fingerprints_of(entities, "warehouse")
        print(f"fingerprints      {count / (time.process_time() - began):>12,.0f} a second")
        first = _seconds(memory, payload(count, 1, every))
        print(f"from nothing      {first:>12.3f} s")
        same = min(_seconds(memory, payload(count, 1, every)) for _ in range(3))
        print(f"nothing changed   {same:>12.3f} s, {first / same:,.0f} times faster")
        changed = min(_seconds(memory, payload(count, turn, every)) for turn in range(2, 12))
        print(f"{f'1 in {every} changed':<17} {changed:>12.3f} s, {first / changed:,.0f} times faster")


def _address(folder: Path, postgres: bool) -> str:
    if not postgres:
        return str(folder / "bench.db")
    from tests.postgres.server import fresh_url

    return fresh_url()


def _seconds(memory: Memory, payload: dict[str, Any]) -> float:
    gc.collect()
    began = time.process_time()
    memory.reconcile("warehouse", payload)
    return time.process_time() - began


if __name__ == "__main__":
    main()
