"""Typed access to the records of an export: every field is checked."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, NoReturn

from holdfast.core.arguments import COUNT_MAX, safe_repr
from holdfast.core.errors import InvalidInput
from holdfast.core.history import LABEL, STEPS, WORDS
from holdfast.core.times import to_millis
from holdfast.features.admission.admission import Admission

_ID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.ASCII)
_KEY = re.compile(r"[0-9a-f]{64}", re.ASCII)
SHORT = 500
STEPS_MAX = 100_000


class Fields:
    """One object of an export. Every getter raises InvalidInput `record_invalid` for a value of another
    type."""

    def __init__(self, value: object) -> None:
        if not isinstance(value, Mapping):
            raise InvalidInput(f"a record must be an object, not {safe_repr(value)}", code="record_invalid")
        self._values: Mapping[str, Any] = value

    def get(self, name: str) -> Any:
        return self._values.get(name)

    def text(self, name: str) -> str | None:
        value = self._values.get(name)
        if value is not None and not isinstance(value, str):
            self._raise_invalid(name, value)
        return value

    def required(self, name: str) -> str:
        value = self.text(name)
        return self._raise_invalid(name, None) if value is None else value

    def clean_text(self, name: str, admission: Admission) -> str | None:
        """Returns a short text from the engine or from people, cleaned like all others."""
        value = self.text(name)
        if value is not None and len(value) > SHORT:
            self._raise_invalid(name, value)
        return None if value is None else admission.clean_text(value)

    def id(self, name: str) -> str | None:
        value = self.text(name)
        if value is not None and not _ID.fullmatch(value):
            self._raise_invalid(name, value)
        return value

    def time(self, name: str) -> int | None:
        value = self._values.get(name)
        return None if value is None else to_millis(value, name=name)

    def moment(self, name: str) -> int:
        value = self.time(name)
        return self._raise_invalid(name, None) if value is None else value

    def number(self, name: str, default: int, least: int = 0) -> int:
        value = self._values.get(name, default)
        if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= COUNT_MAX:
            self._raise_invalid(name, value)
        return int(value)

    def flag(self, name: str, default: bool = False) -> bool:
        value = self._values.get(name, default)
        return value if isinstance(value, bool) else self._raise_invalid(name, value)

    def each(self, name: str) -> Sequence[Any]:
        value = self._values.get(name, ())
        return value if isinstance(value, list | tuple) else self._raise_invalid(name, value)

    def codes(self, name: str, admission: Admission) -> tuple[str, ...]:
        """Returns short labels, such as types of redactions, cleaned as well."""
        values = self.each(name)
        if len(values) > 1_000 or not all(isinstance(v, str) and len(v) <= 100 for v in values):
            self._raise_invalid(name, values)
        return tuple(admission.clean_text(value) for value in values)

    def matching(self, name: str, shape: re.Pattern[str], most: int) -> list[str]:
        """Returns strings of one shape, at most so many."""
        values = self.each(name)
        if len(values) > most or not all(
            isinstance(value, str) and shape.fullmatch(value) for value in values
        ):
            self._raise_invalid(name, values)
        return list(values)

    def hexadecimal(self, name: str, most: int) -> list[bytes]:
        """Returns keys of 32 bytes, at most so many."""
        return [bytes.fromhex(digest) for digest in self.matching(name, _KEY, most)]

    def pairs(self, name: str) -> dict[str, Any] | None:
        value = self._values.get(name)
        return value if value is None or isinstance(value, dict) else self._raise_invalid(name, value)

    def _raise_invalid(self, name: str, value: object) -> NoReturn:
        raise InvalidInput(f"{name} {safe_repr(value)} is not valid in a record", code="record_invalid")


def step_of(value: object) -> tuple[int, str, str, dict[str, Any]]:
    """Returns a step of a history: time, actor, action and details. Details contain ids, numbers and fixed
    words, never text or a digest of it, so that they may outlive the memory. Raises InvalidInput."""
    if not isinstance(value, list | tuple) or len(value) != 4:
        raise InvalidInput("a step must consist of time, actor, action and details", code="record_invalid")
    at, actor, action, detail = value
    fields = Fields({"at": at, "actor": actor, "detail": detail})
    if not isinstance(action, str) or action not in STEPS:
        raise InvalidInput(f"there is no action {safe_repr(action)}", code="record_invalid")
    details = fields.pairs("detail")
    if details is None or not all(
        name in STEPS[action] and _fits(name, value) for name, value in details.items()
    ):
        raise InvalidInput(f"{action} cannot have the details {safe_repr(detail)}", code="record_invalid")
    if action == "revise" and not isinstance(details.get("version"), int):
        raise InvalidInput("a revision must name its version", code="record_invalid")
    return fields.moment("at"), fields.required("actor"), action, details


def _fits(name: str, value: object) -> bool:
    return isinstance(value, str) if name == LABEL else _is_plain(value)


def _is_plain(value: object) -> bool:
    if isinstance(value, str):
        return value in WORDS or bool(_ID.fullmatch(value))
    # events contain no infinite or huge numbers, and NaN is no JSON
    return value is None or (isinstance(value, int | float) and abs(value) <= COUNT_MAX)
