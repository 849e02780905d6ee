"""The value of an option that takes a JSON object."""

from __future__ import annotations

import json
from typing import Any

import click

from holdfast.core.errors import InvalidInput


def json_object(_: click.Context, param: click.Parameter, value: str | None) -> Any:
    """Returns the value of an option that takes a JSON object. Raises InvalidInput `metadata_invalid`."""
    if value is None:
        return None
    try:
        found = json.loads(value)
    except (ValueError, RecursionError) as error:
        raise InvalidInput(
            f"--{param.name} is not JSON: {error}",
            code="metadata_invalid",
            hint="""such as '{"file": "auth.py"}'""",
        ) from error
    if not isinstance(found, dict):
        raise InvalidInput(f"--{param.name} is not a JSON object", code="metadata_invalid")
    return found
