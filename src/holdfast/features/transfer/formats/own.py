"""Reader of Holdfast's own export, JSON Lines or Markdown (S4.54)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from holdfast.core.errors import InvalidInput
from holdfast.features.transfer.formats import jsonstream
from holdfast.features.transfer.formats.fields import as_map
from holdfast.features.transfer.formats.model import FILE, REST, Skip

MARK, END = "<!-- holdfast ", " -->"
"""Delimiters of a record in Markdown; `exporting` writes them."""


def recognises(opening: str) -> bool:
    """Returns whether a text begins like such an export."""
    line = opening[:2_000].lstrip().partition("\n")[0]
    if line.startswith(MARK):
        return True
    try:
        return is_header(json.loads(line))
    except (ValueError, RecursionError):
        return False


def is_header(value: object) -> bool:
    """Returns whether a record is the header of an export."""
    fields = as_map(value)
    return fields.get("type") == "header" and fields.get("format") == "holdfast"


def records(chunks: Iterator[str], name: str, skip: Skip) -> Iterator[dict[str, Any]]:
    """Yields the records, the header first; reports a truncated export as skipped items."""
    first = next(chunks, "").lstrip()
    chunks = _prepend(first, chunks)
    values = (
        _records_in_markdown(chunks, name, skip)
        if first.startswith(MARK)
        else jsonstream.lines(chunks, name, skip)
    )
    number = 0
    for number, value in enumerate(values, 1):
        if number == 1 and not is_header(value):
            raise InvalidInput(f"{name} does not begin with the header of an export", code="format_unknown")
        if as_map(value).get("type") == "end":
            return
        if isinstance(value, dict):
            yield value
        else:
            skip(f"record {number}", "no object", "record")
    skip(name, f"{REST} {number}: the export is cut off", FILE)


def _prepend(first: str, chunks: Iterator[str]) -> Iterator[str]:
    yield first
    yield from chunks


def _records_in_markdown(chunks: Iterator[str], name: str, skip: Skip) -> Iterator[object]:
    """Yields the records in Markdown: each a comment, followed by as many lines of text as it says."""
    lines = jsonstream.text_lines(chunks, name)
    for number, line in enumerate(lines, 1):
        if not line.startswith(MARK):
            continue
        try:
            record = jsonstream.parsed(line.removeprefix(MARK).removesuffix(END))
        except (ValueError, RecursionError):
            skip(f"line {number} of {name}", "not a record", "record")
            continue
        if not isinstance(record, dict):
            skip(f"line {number} of {name}", "not a record", "record")
            continue
        if isinstance(count := record.pop("lines", None), int) and not isinstance(count, bool):
            next(lines, None)
            text = [following for _, following in zip(range(count), lines, strict=False)]
            if len(text) < count:
                skip(f"line {number} of {name}", "the text is cut off", "record")
                continue
            record["text"] = "\n".join(text)
        yield record
