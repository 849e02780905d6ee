"""Lets many scans ask the network at once: each yields pieces of text and gets the chances of tokens."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Sequence
from itertools import islice
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:  # NumPy and the weights take time to load
    from holdfast.language.secrets.tagger.network import Floats, Piece

_Result = TypeVar("_Result")
Asking = Generator["Sequence[Piece]", "Sequence[Floats]", _Result]
"""A scan that asks the network."""
_AT_ONCE = 256  # scans whose questions are held together


def answered(scans: Iterable[Asking[_Result]]) -> list[_Result]:
    """Returns the result of each scan."""
    rest, results = iter(scans), list[_Result]()
    while some := list(islice(rest, _AT_ONCE)):
        results += _answered(some)
    return results


def _answered(scans: Sequence[Asking[_Result]]) -> list[_Result]:
    results: dict[int, _Result] = {}
    asked: list[tuple[int, Sequence[Piece]]] = []
    for place, scan in enumerate(scans):
        try:
            asked.append((place, next(scan)))
        except StopIteration as end:
            results[place] = end.value
    while asked:
        from holdfast.language.secrets.tagger.network import network

        chances = iter(network().chances([piece for _, pieces in asked for piece in pieces]))
        answered, asked = asked, []
        for place, pieces in answered:
            try:
                asked.append((place, scans[place].send(list(islice(chances, len(pieces))))))
            except StopIteration as end:
                results[place] = end.value
    return [results[place] for place in range(len(scans))]
