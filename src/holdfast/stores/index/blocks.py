"""Blocks: passages of one pool packed into bytes, from which a segment opens without reading rows."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

BLOCK_ROWS = 4_096
"""Passages of a block, unless one memory alone has more."""
_LENGTH = 4
"""Bytes that hold the length of the header."""
_WIDTHS = (np.uint8, np.uint16, np.uint32, np.uint64)


class BadBlock(ValueError):
    """Bytes that are not those of a block."""


class Block(NamedTuple):
    """The columns and postings of some passages, and their codes; None where these are not wanted."""

    content: bytes
    codes: bytes | None


class Unpacked(NamedTuple):
    """The content of a block: the number of its passages, the texts that columns number from 1 on, and the
    columns; a column of one value alone is that value."""

    size: int
    names: list[str]
    columns: dict[str, Any]


def pack(size: int, names: Sequence[str], columns: Mapping[str, NDArray[Any]]) -> bytes:
    """Returns columns as bytes, each as narrow as its values allow."""
    heads, parts = [], []
    for name, values in columns.items():
        kind, base, data = _narrowed(values)
        heads.append((name, kind, base, len(values)))
        parts.append(data)
    head = json.dumps([size, list(names), heads]).encode()
    return b"".join((len(head).to_bytes(_LENGTH, "little"), head, *parts))


def unpack(content: bytes) -> Unpacked:
    """Returns what was packed. Raises BadBlock."""
    try:
        start = _LENGTH + int.from_bytes(content[:_LENGTH], "little")
        size, names, heads = json.loads(content[_LENGTH:start])
        columns: dict[str, Any] = {}
        for name, kind, base, count in heads:
            if not kind:
                columns[name] = np.int64(base)
                continue
            values = np.frombuffer(content, kind, count, start)
            start += values.nbytes
            columns[name] = values if values.dtype.kind == "f" else _widened(values, base)
    except (ValueError, TypeError, KeyError, OverflowError) as error:
        raise BadBlock(str(error)) from error
    if start != len(content):
        raise BadBlock(f"{len(content):,} bytes, not {start:,}")
    return Unpacked(size, names, columns)


def _narrowed(values: NDArray[Any]) -> tuple[str, int, bytes]:
    """Returns the type, the least value and the distances from it; for one value alone no type."""
    if values.dtype.kind == "f":
        return values.dtype.newbyteorder("<").str, 0, values.tobytes()
    whole = values.astype(np.int64)
    base = int(whole.min()) if len(whole) else 0
    above = whole.view(np.uint64) - np.int64(base).view(np.uint64)  # wraps around, as it does on the way back
    top = int(above.max(initial=0))
    if top == 0 and len(whole) > 1:
        return "", base, b""
    width = next(type_ for type_ in _WIDTHS if top <= np.iinfo(type_).max)
    return np.dtype(width).newbyteorder("<").str, base, above.astype(width).tobytes()


def _widened(values: NDArray[Any], base: int) -> NDArray[Any]:
    return values if base == 0 else (values.astype(np.uint64) + np.int64(base).view(np.uint64)).view(np.int64)
