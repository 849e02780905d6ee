"""Measures the same memories in a plain and in an encrypted store, in turns, in one process.

`python -m benchmarks.encryption` prints the table of docs/encryption.md. Disk and machine decide the
milliseconds; the ratios are what encryption costs.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable
from itertools import count, islice
from pathlib import Path

from benchmarks.speed import milliseconds, questions, sentences, spread
from holdfast import Memory
from holdfast.embeddings.static import StaticEmbedder
from holdfast.stores.sqlite.cipher import new_key_file, read_key_file
from holdfast.stores.sqlite.conversion import convert

BATCH = 500
EMBEDDER = StaticEmbedder()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", type=int, default=10_000)
    parser.add_argument("--repeat", type=int, default=200)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        key_file = folder / "key"
        new_key_file(key_file)
        stores: dict[Path, Path | None] = {folder / "plain.db": None, folder / "encrypted.db": key_file}
        memories = [_opened(path, key) for path, key in stores.items()]
        print(f"## {given.size:,} memories in view\n")
        print("| what (min / p50 / p95) | plain | encrypted | ratio (min / p50) |\n| --- | --- | --- | --- |")
        batches = [_batches(memory) for memory in memories]
        _tell(f"`add_messages`, {BATCH} at once", *milliseconds(given.size // BATCH - 1, *batches))
        fresh = [sentences(3) for _ in memories]
        _tell(
            "`remember` a note",
            *milliseconds(
                given.repeat,
                *(lambda m=m, texts=t: m.remember(next(texts)) for m, t in zip(memories, fresh, strict=True)),
            ),
        )
        asked = [questions(2) for _ in memories]
        _tell(
            "`recall`, warm",
            *milliseconds(
                given.repeat,
                *(lambda m=m, ask=a: m.recall(next(ask)) for m, a in zip(memories, asked, strict=True)),
            ),
        )
        for memory in memories:
            memory.close()
        tasks = [lambda path=path, key=key: _first(path, key) for path, key in stores.items()]
        _tell("opening and first `recall`", *milliseconds(max(given.repeat // 10, 5), *tasks))
        for path, key in stores.items():
            assert (b"meeting" in path.read_bytes()) == (key is None)
        plain, sealed = (path.stat().st_size / 1e6 for path in stores)
        print(f"| size of the file (MB) | {plain:.1f} | {sealed:.1f} | {sealed / plain:.2f} |")
        _convert(folder / "plain.db", key_file)


def _opened(path: Path, key_file: Path | None) -> Memory:
    return Memory(path, user="ana", key_file=key_file, embedder=EMBEDDER)


def _batches(memory: Memory) -> Callable[[], None]:
    texts, numbers = sentences(1), count()

    def add() -> None:
        batch = [{"role": "user", "content": text} for text in islice(texts, BATCH)]
        memory.add_messages(batch, session=f"s{next(numbers)}")

    return add


def _first(path: Path, key_file: Path | None) -> None:
    with _opened(path, key_file) as memory:
        memory.recall("why did Ada want the garden with a window?")


def _tell(label: str, plain: list[float], sealed: list[float]) -> None:
    one, other = spread(plain), spread(sealed)
    cells = [f"{took['min']:.2f} / {took['p50']:.2f} / {took['p95']:.2f}" for took in (one, other)]
    ratios = f"{other['min'] / one['min']:.2f} / {other['p50'] / one['p50']:.2f}"
    print(f"| {label} (ms) | {' | '.join(cells)} | {ratios} |")


def _convert(path: Path, key_file: Path) -> None:
    begun = time.perf_counter()
    convert(path, None, read_key_file(key_file))
    print(f"\nEncrypting the plain store in place took {time.perf_counter() - begun:.1f} s.")


if __name__ == "__main__":
    main()
