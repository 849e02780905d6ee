"""Step 1: plain distillation. The teacher's vector of every known word and term, projected, weighted by frequency."""

from __future__ import annotations

import argparse
import pickle
import random
from pathlib import Path

import numpy as np
import torch
from table import DIM, choose, count, records, seed_table, write
from teacher import Teacher
from terms import choose_terms


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--corpus", type=Path, required=True)
    parser.add_argument("--work", type=Path, required=True, help="folder for intermediate files")
    parser.add_argument("--out", type=Path, required=True, help="folder of the run-time files")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--seed", type=int, default=20261121)
    parser.add_argument("--sif", type=float, default=1e-3, help="a in the word weight a/(a+p)")
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    options.work.mkdir(parents=True, exist_ok=True)
    teacher = Teacher()
    cached = options.work / "words.pkl"
    if cached.exists():
        known, frequency, vectors, sample = pickle.loads(cached.read_bytes())
    else:
        counts = count(options.corpus)
        pieces = [p for p in teacher.tokenizer.get_vocab() if not p.startswith("##")]
        known = choose(counts, sorted(pieces))
        total: np.ndarray = np.zeros(len(known))
        for source, counter in counts.items():  # each source counts alike, chat twice
            n = np.array([counter[w] for w in known], float)
            total += n / max(n.sum(), 1) * (2 if source == "chat" else 1)
        frequency = (total / total.sum()).astype(np.float32)
        print(f"{len(known)} words", flush=True)
        earlier = options.work / "earlier.pkl"  # vectors of a former choice of words, if one was kept
        have = dict(zip(*pickle.loads(earlier.read_bytes()), strict=True)) if earlier.exists() else {}
        new = [w for w in known if w not in have]
        have |= dict(zip(new, teacher.embed(new, 1024, progress=True), strict=True))
        vectors = np.stack([have[w] for w in known])
        texts = [r["a"] for r in records(options.corpus) if len(r["a"]) > 25]
        sample = teacher.embed(random.Random(options.seed).sample(texts, 4000), 1024)
        cached.write_bytes(pickle.dumps((known, frequency, vectors, sample)))
    stored = options.work / "terms.pkl"
    if not stored.exists():
        stored.write_bytes(pickle.dumps(choose_terms(options.corpus, known, vectors, frequency, options.sif, teacher)))
    terms, term_frequency, term_vectors = pickle.loads(stored.read_bytes())
    _, values, basis = np.linalg.svd(np.concatenate([vectors[:: max(1, len(vectors) // 8000)], sample]), full_matrices=False)
    print(f"{DIM} dimensions keep {(values[:DIM] ** 2).sum() / (values**2).sum():.4f} of the energy")
    projection = basis[:DIM].T.astype(np.float32)
    np.save(options.work / "seed.projection.npy", projection)
    centred, centred_terms = ((v - vectors.mean(0)) @ projection for v in (vectors, term_vectors))
    table = seed_table(
        known, centred, frequency, terms, centred_terms, term_frequency, options.sif, options.seed
    )  # fmt: skip
    np.save(options.work / "seed.npy", table)
    write(options.out, known, terms, table)


if __name__ == "__main__":
    main()
