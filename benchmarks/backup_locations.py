"""Backups of a store in a file to a folder and to a bucket: time and size of making, listing and trying one.

`python -m benchmarks.backup_locations --to s3://BUCKET/PREFIX`, with the variables of AWS for
the object store.
"""

from __future__ import annotations

import argparse
import tempfile
from dataclasses import replace
from pathlib import Path

from benchmarks.backups import fill, timed
from holdfast import Memory
from holdfast.api.backing_up import back_up, drill, list_backups
from holdfast.config import Settings


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--memories", type=int, default=10_000)
    parser.add_argument("--to", required=True)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        own = Settings(str(Path(folder) / "a.db"), "ana")
        with Memory(own.store, user="ana") as memory:
            fill(memory, 0, given.memories)
        for name, settings in (("folder", own), ("bucket", replace(own, backup_folder=given.to))):
            made = timed(f"{name}: backup", lambda to=settings: back_up(to))[0]  # type: ignore[misc]
            timed(f"{name}: list", lambda to=settings: list_backups(to))  # type: ignore[misc]
            assert timed(f"{name}: drill", lambda to=settings: drill(to)).is_sound  # type: ignore[misc]
            print(f"{name}: {made.size / 1_000_000:.1f} MB")


if __name__ == "__main__":
    main()
