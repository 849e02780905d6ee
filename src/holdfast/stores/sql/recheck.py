"""The thorough check of memories in an SQL store: each is read, its words and vectors computed again."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from holdfast.core.record import Memory, content_hash, identity
from holdfast.stores.sql.columns import memory_of

if TYPE_CHECKING:
    from holdfast.stores.base.derived import Derive, Derived

BATCH = 256
"""Memories that are compared at a time."""
SHOWN = 5
"""Problems of one kind that are listed."""
ALIKE = 0.999
"""The least cosine of a stored vector and the one that its passage has now."""

Fetch = Callable[[str, dict[str, Any]], Iterable[tuple[Any, ...]]]


def problem_lines(problems: Iterable[tuple[str, Any]]) -> list[str]:
    """Returns a line for each problem (its kind and what it is about), for the first few of each kind, and
    how many more there are.
    """
    by_kind: dict[str, list[Any]] = defaultdict(list)
    for kind, about in problems:
        by_kind[kind].append(about)
    lines: list[str] = []
    for kind, subjects in by_kind.items():
        lines += [f"{kind}: {subject}" for subject in subjects[:SHOWN]]
        if len(subjects) > SHOWN:
            lines.append(f"{kind}: {len(subjects) - SHOWN:,} more")
    return lines


def differing(fetch: Fetch, derive: Derive | None, *, halves: str) -> Iterator[tuple[str, str]]:
    """Yields what is wrong with single memories, as (problem, id): what cannot be read, a text without its
    hash, words, passages or vectors that do not follow from it. `halves` is the type of stored vectors.
    """
    after = 0
    while rows := list(fetch("stored", {"after": after, "limit": BATCH})):
        memories: dict[int, Memory] = {}
        for row in rows:
            try:
                memory = memory_of(row)
                digest = content_hash(memory.place, memory.kind, identity(memory))
            except Exception:  # whatever damage makes of a row
                yield "a memory that cannot be read", str(row[1])
                continue
            memories[row[0]] = memory
            if digest != memory.content_hash:
                yield "not the text that was kept", memory.id
        span = {"after": after, "upto": rows[-1][0]}
        after = rows[-1][0]
        if derive is not None:
            parts = fetch("derived", span)
            stored = {number: list(own) for number, own in groupby(parts, key=itemgetter(0))}
            for (number, memory), now in zip(memories.items(), derive(list(memories.values())), strict=True):
                yield from _compared(memory, stored.get(number, []), now, halves)


def _compared(
    memory: Memory, rows: Sequence[tuple[Any, ...]], now: Derived, halves: str
) -> Iterator[tuple[str, str]]:
    """Yields the differences between stored and derived passages of a memory."""
    passages = {row[1]: (row[2], row[3], bytes(row[4])) for row in rows}
    expected = {
        part: (start, end, terms)
        for part, ((start, end), terms) in enumerate(zip(now.spans, now.terms, strict=True))
    }
    if passages != expected:
        yield "words that do not follow from the text", memory.id
    if not all(_is_sound(row, now, halves) for row in rows if row[5] is not None):
        yield "a vector that does not follow from the text", memory.id


def _is_sound(row: tuple[Any, ...], now: Derived, halves: str) -> bool:
    """Returns whether the two forms of a stored vector are one vector, and that of its passage if it was
    computed.
    """
    import numpy as np

    _, part, _, _, _, model, dim, scale, code, vector = row
    try:
        whole = np.frombuffer(bytes(vector), halves).astype(np.float32)
        coded = np.frombuffer(bytes(code), np.int8).astype(np.float32) * np.float32(scale)
        if not (len(whole) == len(coded) == dim) or not np.isfinite(whole).all():
            return False
        if np.abs(whole - coded).max() > scale * 0.51 + 1e-3:
            return False
    except (TypeError, ValueError):
        return False
    if now.vectors is None or (model, dim) != (now.model, now.vectors.shape[1]) or part >= len(now.vectors):
        return bool(whole.any())
    expected = now.vectors[part]
    lengths = float(np.linalg.norm(whole) * np.linalg.norm(expected))
    if lengths == 0:
        return bool(whole.any()) == bool(expected.any())
    return float(whole @ expected) / lengths >= ALIKE
