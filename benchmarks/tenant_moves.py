"""Moves a tenant between two servers while it is written: how long writers and readers wait.

`python -m benchmarks.tenant_moves` prints what docs/scale.md tells.
"""

from __future__ import annotations

import argparse
import tempfile
import threading
import time
from collections import Counter
from itertools import count, pairwise
from pathlib import Path

from benchmarks.speed import sentences
from holdfast import Memory, config
from holdfast.api.tenant_moves import move_tenant
from holdfast.stores.base.tenant_directory import changing
from tests.postgres.server import APPLICATION, OWNER, followed

BATCH = 500


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="+", default=[1_000, 10_000, 100_000])
    options = parser.parse_args()
    with followed("moves") as (one, other), tempfile.TemporaryDirectory() as folder:
        other.promote()
        file = Path(folder) / "tenants.json"
        with changing(file) as directory:
            for name, server in (("a", one), ("b", other)):
                directory.add_server(name, server.url(APPLICATION))
        print("| memories | rows | whole, s | rounds | hold, s | client, s | longest write, s | read, s |")
        print("| --- | --- | --- | --- | --- | --- | --- | --- |")
        for size in options.sizes:
            _move(file, f"t{size}", size)


def _move(file: Path, tenant: str, size: int) -> None:
    with changing(file) as directory:
        directory.add_tenant(tenant, "a")
    settings = config.load(store=f"tenants://{file}?tenant={tenant}", user="ana")
    texts = sentences(1)
    steps: list[tuple[str, float]] = []
    with Memory(settings.store, user="ana") as memory:
        for first in range(0, size, BATCH):
            batch = [{"role": "user", "content": next(texts)} for _ in range(BATCH)]
            memory.add_messages(batch, session=f"s{first}")
    end = threading.Event()
    done: dict[str, list[float]] = {"write": [time.monotonic()], "read": [time.monotonic()]}

    def work(kind: str) -> None:
        with Memory(settings.store, user="ana") as memory:
            for number in count():
                if kind == "write":
                    memory.remember(f"Written meanwhile, {number}", kind="message")
                else:
                    memory.list(limit=1)
                done[kind].append(time.monotonic())
                if end.wait(0.05):
                    return

    threads = [threading.Thread(target=work, args=(kind,)) for kind in done]
    for thread in threads:
        thread.start()
    time.sleep(2)
    began, clock = time.process_time(), time.monotonic()
    outcome = move_tenant(
        settings, file, tenant, "b", owner=OWNER,
        before=lambda step: steps.append((step, time.monotonic())),
    )  # fmt: skip
    used, whole = time.process_time() - began, time.monotonic() - clock
    time.sleep(2)
    end.set()
    for thread in threads:
        thread.join()
    longest = {kind: max(after - before for before, after in pairwise(times)) for kind, times in done.items()}
    rounds = Counter(step for step, _ in steps)["catch up"]
    hold = dict(steps)["settle"] - dict(steps)["hold"]
    print(
        f"| {size:,} | {outcome.rows:,} | {whole:.1f} | {rounds} | {hold:.2f} | {used:.1f} |"
        f" {longest['write']:.2f} | {longest['read']:.2f} |", flush=True,
    )  # fmt: skip


if __name__ == "__main__":
    main()
