"""Step 4: averages the tables of several training runs with the first table, and writes the run-time files."""

from __future__ import annotations

import argparse
import pickle
from pathlib import Path

import numpy as np
from table import write


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--runs", nargs="+", required=True, help="names of the folders given to train.py as --out")
    parser.add_argument("--first", type=float, default=0.1, help="share of the table before training")
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    known = pickle.loads((options.work / "words.pkl").read_bytes())[0]
    trained = np.mean([np.load(options.work / f"{name}.table.npy") for name in options.runs], axis=0)
    first = np.load(options.work / "seed.npy")
    write(options.out, known, (1 - options.first) * trained + options.first * first)


if __name__ == "__main__":
    main()
