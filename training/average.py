"""Step 4: averages the tables of training runs, which takes out noise of rarer rows, and writes the run-time files."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import numpy as np
from table import write


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--runs", type=Path, nargs="+", required=True, help="folders that train.py wrote")
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    tables = [np.load(run / "table.f16.npy").astype(np.float32) for run in options.runs]
    lengths = [np.linalg.norm(table, axis=1) for table in tables]
    scaled = [table * np.median(lengths[0] / length) for table, length in zip(tables, lengths, strict=True)]
    known = json.loads((options.work / "words.json").read_text())["known"]
    write(options.out, known, np.mean(scaled, axis=0))


if __name__ == "__main__":
    main()
