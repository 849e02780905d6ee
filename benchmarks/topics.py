"""Precision and recall of the matching of topics, on the labelled pairs in `topics.txt`."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

from holdfast.language.topics import same_topic

PAIRS = Path(__file__).with_name("topics.txt")


def pairs(part: str) -> Iterator[tuple[str, str, bool]]:
    """Yields the pairs of one part, and whether they name the same topic."""
    here = ""
    for line in PAIRS.read_text().splitlines():
        if line.startswith("["):
            here = line.strip("[]")
        elif here == part and line[:1] in "=!" and line:
            first, second = line[1:].split("|")
            yield first.strip(), second.strip(), line[0] == "="


def main() -> None:
    """Measures each part and prints a row for it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--part", action="append", choices=["tuned", "held out"])
    parser.add_argument("--show", action="store_true", help="Print the pairs that were judged wrongly.")
    options = parser.parse_args()
    for part in options.part or ["tuned", "held out"]:
        rows = [(first, second, same, same_topic(first, second)) for first, second, same in pairs(part)]
        right = sum(same and merged for _, _, same, merged in rows)
        merged = sum(merged for *_, merged in rows)
        positives = sum(same for _, _, same, _ in rows)
        print(
            f"{part}: {len(rows)} pairs, precision {right / max(1, merged):.3f} ({right} of {merged}),"
            f" recall {right / positives:.3f} ({right} of {positives})"
        )
        for first, second, same, found in rows if options.show else ():
            if same is not found:
                print(f"  {'missed' if same else 'wrongly merged'}: {first} | {second}")


if __name__ == "__main__":
    main()
