"""Filters by metadata: equality, one of several, ranges, existence; in the form that stores compare with."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from typing import Any

from holdfast.core.arguments import is_whole, safe_repr
from holdfast.core.errors import InvalidInput

RANGES = ("gt", "gte", "lt", "lte")
OPERATORS = ("eq", "in", *RANGES, "exists")
CONDITIONS_MAX = 20
VALUES_MAX = 1_000
KEY_MAX = 200


def metadata_conditions(value: object) -> str | None:
    """Returns a filter by metadata as JSON: conditions with a key, an operator and the values it takes.

    A filter maps keys to a value, a list of which one is meant, or operators with their values. Text, numbers
    and truth values are compared with their like only; what is null or missing meets no condition but
    `{"exists": false}`. Text that holds such an object as JSON is accepted. Raises InvalidInput
    `metadata_invalid`.
    """
    if value is None:
        return None
    if isinstance(value, str):
        value = _parsed(value)
    if not isinstance(value, Mapping):
        raise _invalid(f"it must be an object, not {type(value).__name__}")
    conditions = [condition for key, expected in value.items() for condition in _conditions(key, expected)]
    if len(conditions) > CONDITIONS_MAX:
        raise _invalid(f"it may have at most {CONDITIONS_MAX} conditions")
    return json.dumps(conditions, ensure_ascii=False, separators=(",", ":")) if conditions else None


def _parsed(value: str) -> object:
    """Returns a filter that was given as JSON. Raises InvalidInput."""
    try:
        return json.loads(value)
    except (ValueError, RecursionError):
        raise _invalid("it is not JSON") from None


def _conditions(key: object, condition: object) -> list[dict[str, Any]]:
    """Returns the conditions on one key. Raises InvalidInput."""
    if not isinstance(key, str) or not 0 < len(key) <= KEY_MAX or "\0" in key or not is_whole(key):
        raise _invalid(f"{safe_repr(key, 60)} is not a key")
    operators = (
        condition if isinstance(condition, Mapping) else {"in" if _is_list(condition) else "eq": condition}
    )
    if not operators:
        raise _invalid(f"the key {safe_repr(key, 60)} has no operator")
    return [_condition(key, op, value) for op, value in operators.items()]


def _condition(key: str, op: object, value: object) -> dict[str, Any]:
    """Returns one condition as key, operator and values. Raises InvalidInput."""
    if op not in OPERATORS:
        raise _invalid(f"there is no operator {safe_repr(op, 40)}")
    if op == "eq":
        op, value = "in", [value]
    return {"key": key, "op": op, "values": _values(key, str(op), value)}


def _values(key: str, op: str, value: object) -> list[Any]:
    """Returns the values that an operator compares with. Raises InvalidInput if they do not fit it."""
    if op == "exists":
        if not isinstance(value, bool):
            raise _invalid("exists takes true or false")
        return [value]
    if op == "in":
        if not _is_list(value) or not isinstance(value, Collection) or len(value) > VALUES_MAX:
            raise _invalid(f"in takes a list of at most {VALUES_MAX:,} values")
        return [_scalar(key, item) for item in value]
    if isinstance(value, bool):
        raise _invalid(f"{op} takes a number or text")
    return [_scalar(key, value)]


def _scalar(key: str, value: object) -> Any:
    """Returns a text, number or boolean as it is. Raises InvalidInput for anything else."""
    is_number = isinstance(value, int | float) and abs(value) < 2**63  # NaN and infinities are not less
    if (isinstance(value, str) and "\0" not in value and is_whole(value)) or is_number:
        return value
    raise _invalid(f"{safe_repr(key, 60)} is compared with text, a number, true or false")


def _is_list(value: object) -> bool:
    return isinstance(value, list | tuple | set | frozenset)


def _invalid(why: str) -> InvalidInput:
    """Returns the error for a filter that cannot be used."""
    return InvalidInput(
        f"this is not a metadata filter: {why}",
        code="metadata_invalid",
        hint=f"""such as {{"lang": "de", "year": {{"gte": 2020}}}}; operators: {", ".join(OPERATORS)}""",
    )
