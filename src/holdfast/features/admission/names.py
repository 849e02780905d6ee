"""Validation of names of users, workspaces, projects and the like, which are stored as received."""

from __future__ import annotations

from holdfast.core.errors import InvalidInput
from holdfast.core.places import usable_name
from holdfast.language.secrets.identifiers import holds_secret


def checked_name(value: object, label: str) -> str:
    """Returns a valid name without a secret unchanged. Raises InvalidInput `place_invalid` or
    `secret_in_name`."""
    name = usable_name(value, label)
    if holds_secret(name):
        raise InvalidInput(f"the {label} contains what looks like a secret", code="secret_in_name")
    return name


def optional_name(value: object, label: str) -> None:
    """Checks a name unless it is None. Raises the errors of `checked_name`."""
    if value is not None:
        checked_name(value, label.replace("_", " "))
