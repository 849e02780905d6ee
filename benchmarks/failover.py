"""Fail-overs of a cluster under load: the primary is killed again and again while writers go on.

`python -m benchmarks.failover --kills 50` starts etcd and two PostgreSQL servers under Patroni, synchronously
replicated, on free ports of this machine. Every second time only the server is killed, and Patroni notices;
otherwise its Patroni is killed with it, as if the machine had gone. With `--poolers`, writers reach each
server through a PgBouncer in transaction mode. A ledger notes each write that Holdfast acknowledged; at the
end every one must be there, once, in a chain of events that verifies.
"""

from __future__ import annotations

import argparse
import logging
import signal
import sys
import tempfile
import time
from itertools import pairwise
from pathlib import Path
from statistics import median

from tests import temporary
from tests.postgres.cluster import Cluster
from tests.postgres.failing import RETRYABLE, TENANT, Ledger, writing
from tests.postgres.server import APPLICATION

FORMS = ("server", "machine")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--writers", type=int, default=3)
    parser.add_argument("--poolers", action="store_true", help="through a PgBouncer before each server")
    options = parser.parse_args()
    logging.getLogger("psycopg").setLevel(logging.ERROR)  # it says of each connection what became of it
    gaps: dict[str, list[float]] = {form: [] for form in FORMS}
    with tempfile.TemporaryDirectory(
        prefix="holdfast-cluster-", dir=temporary.folder(), ignore_cleanup_errors=True
    ) as folder:
        Path(folder).chmod(0o755)  # servers do not run as root
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # and are ended below
        cluster = Cluster(Path(folder) / "cluster", poolers=options.poolers)
        try:
            cluster.start()
            with writing(cluster.url(APPLICATION, tenant=TENANT), options.writers) as ledger:
                for number in range(options.kills):
                    form = FORMS[number % 2]
                    gaps[form].append(_fail_over(cluster, ledger, whole=form == "machine"))
                    print(f"{number + 1}: {form} killed, {gaps[form][-1]:.1f} s without a write", flush=True)
        finally:
            cluster.stop()
    for form, found in gaps.items():
        if found:
            gap = f"median {median(found):.1f} s, longest {max(found):.1f} s"
            print(f"{form} killed {len(found)} times, without a write: {gap}")
    unexpected = set(ledger.errors) - RETRYABLE - {"store_read_only"}
    print(
        f"{options.kills} fail-overs under {options.writers} writers, {len(ledger.acknowledged):,}"
        f" acknowledged, {ledger.in_doubt} in doubt, told {ledger.errors}, {len(ledger.problems)} problems"
    )
    for problem in ledger.problems:
        print(f"  {problem}")
    sys.exit(bool(ledger.problems or unexpected))


def _fail_over(cluster: Cluster, ledger: Ledger, *, whole: bool) -> float:
    """Kills the primary while a standby follows it, and waits until writes go on and it is one again; returns
    the longest time between two acknowledged writes."""
    cluster.await_synchronous()
    ledger.await_more(20)
    first = len(ledger.times) - 1
    killed = cluster.kill_primary(whole=whole)
    time.sleep(0.5)  # a write that had come through before
    ledger.await_more(10)
    cluster.revive(killed)
    cluster.await_synchronous()
    times = ledger.times[first:]
    return max(after - before for before, after in pairwise(times))


if __name__ == "__main__":
    main()
