"""Runs `holdfast` as it is and tells of its pool of connections when asked: only inside is seen what waits.

As a module: the arguments of `holdfast`. On SIGUSR1 it writes the statistics of psycopg's pools since the
last time to the file that HOLDFAST_POOL_FILE names.
"""

from __future__ import annotations

import gc
import json
import os
import signal
from collections import Counter
from pathlib import Path
from typing import Any

from psycopg_pool import ConnectionPool

from holdfast.cli.main import main


def tell(*_: Any) -> None:
    """Writes the statistics of all pools, put together."""
    told: Counter[str] = Counter()
    for pool in [one for one in gc.get_objects() if isinstance(one, ConnectionPool)]:
        told.update(pool.pop_stats())
    whole = Path(os.environ["HOLDFAST_POOL_FILE"])
    part = whole.with_suffix(".part")
    part.write_text(json.dumps(told), "utf-8")
    part.replace(whole)


if __name__ == "__main__":
    signal.signal(signal.SIGUSR1, tell)
    main()
