"""Decoding of rows that somebody else may have changed: what no record can be made of is damage."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

from holdfast.core.errors import Damaged

Row = TypeVar("Row")
Record = TypeVar("Record")


def decoding(decode: Callable[[Row], Record]) -> Callable[[Row], Record]:
    """Raises Damaged `store_damaged` where a row holds a value that its column cannot have."""

    @wraps(decode)
    def decoded(row: Row) -> Record:
        try:
            return decode(row)
        except (LookupError, ValueError, TypeError) as error:
            # its text may be somebody else's: only what kind of error it is, and for which record
            what = decode.__name__.strip("_").removesuffix("_of").replace("_", " ")
            raise _damaged(f"a {what} in the store cannot be read ({type(error).__name__})") from error

    return decoded


def only(rows: list[Row]) -> Row:
    """Returns the row of a statement that always has one. Raises Damaged `store_damaged` without."""
    if not rows:
        raise _damaged("a row that every store has is missing")
    return rows[0]


def object_of(text: str) -> dict[str, Any]:
    """Returns the object in a JSON text. Raises ValueError if it holds anything else."""
    value = {} if text == "{}" else json.loads(text)
    if not isinstance(value, dict):
        raise ValueError("no JSON object")
    return value


def _damaged(label: str) -> Damaged:
    """Returns the error for something in the store that Holdfast cannot have written so."""
    return Damaged(
        f"{label}: it was damaged, or changed by another program",
        code="store_damaged",
        hint="ask the doctor (`holdfast doctor`, `Memory.doctor`), and restore an export or a backup",
    )
