"""Backups of a tenant of PostgreSQL: processor time and size of making, checking and restoring one.

`python -m benchmarks.backups --messages 20000` starts a server of its own.
"""

from __future__ import annotations

import argparse
import hashlib
import random
import tempfile
import time
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from holdfast import Memory
from holdfast.api.backing_up import back_up
from holdfast.api.restoring import restore
from holdfast.config import Settings
from holdfast.stores.base.registry import backend_of
from tests.postgres.server import APPLICATION, OWNER, fresh_tenant, url

WORDS, PAGE = 22, 4_096
T = TypeVar("T")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--messages", type=int, default=20_000)
    count = parser.parse_args().messages
    tenant = fresh_tenant()
    with tempfile.TemporaryDirectory() as folder:
        own, owner = (
            Settings(url(role, tenant=tenant), "ana", backup_folder=folder) for role in (APPLICATION, OWNER)
        )
        with Memory(own.store, user="ana") as memory:
            fill(memory, 0, count)
        copies = backend_of(own.store).copies
        assert copies is not None
        timed("copy", lambda: copies.copy(own, Path(folder) / "copy.db"))
        made = timed("backup: copy and check", lambda: back_up(own)[0])
        content = Path(made.path).read_bytes()
        size, packed = len(content), len(zlib.compress(content, 1))
        print(f"size: {size:,} bytes, {size / count:,.0f} a message, {packed / size:.0%} of it through zlib")
        into = url(APPLICATION, tenant=fresh_tenant())
        timed("restore into a new tenant", lambda: restore(own, made, into=into))
        timed("restore in place", lambda: restore(owner, made))
        with Memory(own.store, user="ana") as memory:
            fill(memory, count, count + count // 100)
        before, after = set(_pages(content)), _pages(Path(back_up(own)[0].path).read_bytes())
        new = sum(page not in before for page in after) / len(after)
        print(f"pages that differ after 1% more messages: {new:.0%}")


def fill(memory: Memory, first: int, last: int) -> None:
    """Adds messages of the words of the documentation."""
    pages = sorted(Path(__file__).parents[1].glob("docs/*.md"))
    words = [word for page in pages for word in page.read_text("utf-8").split() if word.isalpha()]
    drawn = random.Random(first)
    for begin in range(first, last, 1_000):
        turns = [
            {"role": "user", "content": " ".join(drawn.choices(words, k=WORDS))}
            for _ in range(min(1_000, last - begin))
        ]
        memory.add_messages(turns, session=f"part {begin}")


def timed(name: str, act: Callable[[], T]) -> T:
    wall, own = time.perf_counter(), time.process_time()
    result = act()
    print(f"{name}: {time.process_time() - own:.1f} s of processor, {time.perf_counter() - wall:.1f} s")
    return result


def _pages(content: bytes) -> list[bytes]:
    return [
        hashlib.blake2b(content[at : at + PAGE], digest_size=16).digest()
        for at in range(0, len(content), PAGE)
    ]


if __name__ == "__main__":
    main()
