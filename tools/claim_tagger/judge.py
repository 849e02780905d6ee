"""Makes the weights of the judge of claims from labelled chats that the network has not learned from.

`python -m tools.claim_tagger.judge` writes them; with `--leave-out AUTHOR --out FILE` those
without an author.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from holdfast.language.claims.learned.evidence import evidence
from holdfast.language.claims.learned.judge import DATA
from holdfast.language.claims.learned.read import read_message
from holdfast.language.claims.read import claims_in
from tools.evaluation.about import matches, span_of
from tools.evaluation.labelled_chats import conversations

CHATS = Path(__file__).parent / "chats"
AUTHORS = ("plain", "changes", "letters", "silent", "natural")
"""Names of the files of chats, after their language, that the shipped network has not learned from."""
_FREQUENT, _PENALTY, _STEPS = 4, 8.0, 8

Rows = tuple[list[list[str]], NDArray[np.float64]]
"""What speaks for and against claims, and whether each is right (1) or not (0)."""


def rows_of(conversations: Iterable[Mapping[str, Any]]) -> Iterator[tuple[list[str], bool]]:
    """Yields what speaks for and against each claim of conversations, and whether a label says the same."""
    for row in conversations:
        for number, message in enumerate(row["messages"]):
            text = message["content"]
            reading = read_message(text)
            if message["role"] != "user" or reading.chances is None:
                continue
            own = [
                (span_of(text, one["quote"]), one) for one in row["statements"] if one["message"] == number
            ]
            claims = [*claims_in(text), *reading.claims]
            for claim in claims:
                names = evidence(text, reading.tokens, reading.chances, claim, claims)
                yield list(dict.fromkeys(names)), any(matches(text, claim, span, one) for span, one in own)


def fitted(rows: Rows) -> tuple[list[str], NDArray[np.float64], float]:
    """Return the names that stand with at least so many claims, with their weights, and the logit of a claim
    of which nothing is known: a logistic regression with an L2 penalty, by Newton's method."""
    named, right = rows
    counts = Counter(name for names in named for name in names)
    vocabulary = sorted(name for name, count in counts.items() if count >= _FREQUENT)
    at = {name: number for number, name in enumerate(vocabulary)}
    matrix = np.zeros((len(named), len(vocabulary) + 1))
    matrix[:, -1] = 1
    for row, names in zip(matrix, named, strict=True):
        row[[at[name] for name in names if name in at]] = 1
    penalty = np.full(len(vocabulary) + 1, 2 * _PENALTY)
    penalty[-1] = 1e-6
    weights = np.zeros(len(vocabulary) + 1)
    for _ in range(_STEPS):
        chance = 1 / (1 + np.exp(-(matrix @ weights)))
        gradient = matrix.T @ (right - chance) - penalty * weights
        curvature = (matrix * (chance * (1 - chance))[:, None]).T @ matrix + np.diag(penalty)
        weights += np.linalg.solve(curvature, gradient)
    return vocabulary, weights[:-1], float(weights[-1])


def gathered(rows: Sequence[tuple[list[str], bool]]) -> Rows:
    """Return rows as columns."""
    return [names for names, _ in rows], np.array([right for _, right in rows], np.float64)


def main() -> None:
    """Make the file of the judge."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--leave-out", nargs="*", default=[], help="authors of chats to leave out, by name")
    parser.add_argument("--out", type=Path, default=DATA)
    options = parser.parse_args()
    files = [
        CHATS / f"{language}_{author}.txt"
        for author in AUTHORS
        if author not in options.leave_out
        for language in ("en", "de")
    ]
    rows = [each for file in files for each in rows_of(conversations(file.read_text(encoding="utf-8")))]
    vocabulary, weights, bias = fitted(gathered(rows))
    arrays: dict[str, NDArray[Any]] = {
        "names!": np.frombuffer("\0".join(vocabulary).encode(), np.uint8),
        "weights": weights.astype(np.float16),
        "bias": np.array(bias, np.float32),
    }
    np.savez_compressed(options.out, allow_pickle=False, **arrays)
    right = sum(is_right for _, is_right in rows)
    sys.stdout.write(f"{len(rows)} claims, {right} right, {len(vocabulary)} names\n")


if __name__ == "__main__":
    main()
