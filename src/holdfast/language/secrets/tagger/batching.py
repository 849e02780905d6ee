"""Runs many scans together, so that the network computes what they ask for in one batch.

A scan is a generator that yields pieces of text and is sent the probabilities of their tokens.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Sequence
from itertools import islice
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:  # NumPy and the weights take time to load
    from holdfast.language.secrets.tagger.network import Floats, Piece

_Result = TypeVar("_Result")
Scan = Generator["Sequence[Piece]", "Sequence[Floats]", _Result]
"""Yields pieces of text, is sent the probabilities of their tokens, returns the findings."""
_BATCH = 256  # scans that run together


def run_all(scans: Iterable[Scan[_Result]]) -> list[_Result]:
    """Returns the result of each scan."""
    rest, results = iter(scans), list[_Result]()
    while batch := list(islice(rest, _BATCH)):
        results += _run_batch(batch)
    return results


def _run_batch(scans: Sequence[Scan[_Result]]) -> list[_Result]:
    """Runs several scans, and the tagger once for all pieces that they wait for."""
    results: dict[int, _Result] = {}
    waiting: list[tuple[int, Sequence[Piece]]] = []
    for place, scan in enumerate(scans):
        try:
            waiting.append((place, next(scan)))
        except StopIteration as end:
            results[place] = end.value
    while waiting:
        from holdfast.language.secrets.tagger.network import network

        chances = iter(network().read([piece for _, pieces in waiting for piece in pieces]))
        resumed, waiting = waiting, []
        for place, pieces in resumed:
            try:
                waiting.append((place, scans[place].send(list(islice(chances, len(pieces))))))
            except StopIteration as end:
                results[place] = end.value
    return [results[place] for place in range(len(scans))]
