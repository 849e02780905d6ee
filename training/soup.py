"""Step 4: averages the tables of several training runs with an earlier table, and writes the run-time files."""

from __future__ import annotations

import argparse
import collections
import json
import pickle
from pathlib import Path

import numpy as np
from table import Terms, vocabulary, write

from holdfast.embeddings.static import words

TEXTS = 50_000


def turning(work: Path, known: list[str], terms: Terms, table: np.ndarray) -> np.ndarray:
    """The rotation after which the first dimensions of texts' vectors hold as much of them as they can."""
    vocab = vocabulary(known, terms)
    moment = np.zeros((table.shape[1], table.shape[1]))
    left = TEXTS
    for path in sorted((work / "taught").glob("[0-9]*.json")):
        texts = [text for record in json.loads(path.read_text()) for text in (record["a"], record["b"]) if words(text)]
        vectors = np.zeros((len(texts), table.shape[1]))
        for i, text in enumerate(texts):
            rows = [row for token in words(text) for row in vocab.rows(token)]
            counts = collections.Counter([*rows, *vocab.terms(rows)])
            vectors[i] = np.sqrt(list(counts.values())) @ table[list(counts)]
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
        moment += vectors.T @ vectors
        left -= len(texts)
        if left <= 0:
            break
    rotation: np.ndarray = np.linalg.eigh(moment)[1][:, ::-1].astype(np.float32)
    return rotation


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--runs", nargs="+", required=True, help="names of the folders given to train.py as --out")
    parser.add_argument("--earlier", default="seed", help="name of the table before these runs")
    parser.add_argument("--share", type=float, default=0.1, help="share of that table")
    parser.add_argument("--turn", action="store_true", help="turn the table, for training by first dimensions")
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    known = pickle.loads((options.work / "words.pkl").read_bytes())[0]
    terms = pickle.loads((options.work / "terms.pkl").read_bytes())[0]
    trained = np.mean([np.load(options.work / f"{name}.npy") for name in options.runs], axis=0)
    table = (1 - options.share) * trained + options.share * np.load(options.work / f"{options.earlier}.npy")
    projection = np.load(options.work / f"{options.earlier}.projection.npy")
    if options.turn:
        rotation = turning(options.work, known, terms, table)
        table, projection = table @ rotation, projection @ rotation
    np.save(options.work / f"{options.out.name}.npy", table.astype(np.float32))
    np.save(options.work / f"{options.out.name}.projection.npy", projection)
    write(options.out, known, terms, table)


if __name__ == "__main__":
    main()
