"""Step 2: the teacher's vectors of a sample of texts and pairs, in shards, so that it may be stopped at any time."""

from __future__ import annotations

import argparse
import json
import random
from pathlib import Path

import numpy as np
import torch
from table import records
from teacher import Teacher

SHARE = {
    "chat": 0.30, "wordnet": 0.12, "thesaurus": 0.04, "dictionary": 0.10, "html": 0.14, "text": 0.05,
    "manual": 0.04, "fortunes": 0.02, "python": 0.19,
}  # fmt: skip
SHARD = 4096


def query_like(source: str, text: str, rng: random.Random) -> str:
    """Some first lines of docstrings as people type them into a search box."""
    if source == "python" and rng.random() < 0.5:
        text = text.rstrip(".").lower()
        return rng.choice(["python {}", "{} python", "how to {} in python", "{}", "function to {}"]).format(text)
    return text


def sample(corpus: Path, total: int, seed: int) -> list[dict[str, str]]:
    rng = random.Random(seed)
    by_source: dict[str, list[dict[str, str]]] = {}
    for record in records(corpus):
        if record["b"] or record["s"] in {"chat", "html", "fortunes"}:
            by_source.setdefault(record["s"], []).append(record)
    chosen: list[dict[str, str]] = []
    for source in sorted(by_source):
        rng.shuffle(by_source[source])
        chosen += by_source[source][: int(total * SHARE.get(source, 0))]
    rng.shuffle(chosen)
    return [{"s": r["s"], "a": query_like(r["s"], r["a"], rng), "b": r["b"]} for r in chosen]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--corpus", type=Path, required=True)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--records", type=int, default=160_000)
    parser.add_argument("--tokens", type=int, default=48, help="tokens of a text that the teacher reads")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--seed", type=int, default=20261121)
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    teacher = Teacher(options.tokens)
    chosen = sample(options.corpus, options.records, options.seed)
    print(f"{len(chosen)} records", flush=True)
    folder = options.work / "taught"
    folder.mkdir(exist_ok=True)
    for number, start in enumerate(range(0, len(chosen), SHARD)):
        target = folder / f"{number:04}.npz"
        if target.exists():
            continue
        shard = chosen[start : start + SHARD]
        texts = [r["a"] for r in shard] + [r["b"] for r in shard if r["b"]]
        vectors = teacher.embed(texts, 1024).astype(np.float16)
        has_b = np.array([bool(r["b"]) for r in shard])
        b = np.zeros((len(shard), vectors.shape[1]), np.float16)
        b[has_b] = vectors[len(shard) :]
        (folder / f"{number:04}.json").write_text(json.dumps(shard))
        np.savez(target.with_suffix(".tmp.npz"), a=vectors[: len(shard)], b=b, has_b=has_b)
        target.with_suffix(".tmp.npz").rename(target)
        print(number, flush=True)


if __name__ == "__main__":
    main()
