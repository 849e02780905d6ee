"""Compares recall by vectors with brute force in float: `python -m benchmarks.exact --queries 10000`.

Recall scans int8 codes and computes the candidates' cosines again from float16 vectors. Here every question
is also answered by multiplying it with all vectors in float32; printed is how much of brute force's ten best
recall returned, ties within the rounding of float16 left out.
"""

from __future__ import annotations

import argparse
import tempfile
from itertools import islice
from pathlib import Path

import numpy as np

from benchmarks.speed import questions, sentences
from holdfast import Memory
from holdfast.embeddings.static import StaticEmbedder

BEST = 10
ROUNDING = 1e-3
"""Cosines of unit vectors kept as float16 are right to about this."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--texts", type=int, default=10_000)
    parser.add_argument("--queries", type=int, default=10_000)
    options = parser.parse_args()
    texts = list(islice(sentences(1), options.texts))
    embedder = StaticEmbedder()
    vectors = embedder.embed(texts)
    found = missed = 0
    with tempfile.TemporaryDirectory() as folder, Memory(Path(folder) / "exact.db") as memory:
        memory.remember_many([{"text": text, "kind": "passage"} for text in texts])
        for query in islice(questions(2), options.queries):
            cosines = vectors @ embedder.embed([query], query=True)[0]
            edge = np.partition(cosines, -BEST)[-BEST]
            hits = memory.recall(query, mode="vectors", limit=BEST)
            told = {hit.memory.text for hit in hits}
            sure = [i for i in np.flatnonzero(cosines > edge + ROUNDING) if cosines[i] >= 0.25 + ROUNDING]
            found += sum(texts[i] in told for i in sure)
            missed += sum(texts[i] not in told for i in sure)
    print(f"{options.queries:,} questions over {options.texts:,} texts: {found:,} found, {missed:,} missed")


if __name__ == "__main__":
    main()
