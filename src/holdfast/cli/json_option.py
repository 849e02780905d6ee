"""The value of an option that takes a JSON object."""

from __future__ import annotations

import json
from typing import Any

import click

from holdfast.core.errors import InvalidInput

_EXAMPLES = {"parts": """'{"about": 300, "recent": 0}'"""}
_EXAMPLE = """'{"file": "auth.py"}'"""


def json_object(_: click.Context, param: click.Parameter, value: str | None) -> Any:
    """Returns the value of an option that takes a JSON object. Raises InvalidInput `metadata_invalid`."""
    if value is None:
        return None
    hint = f"such as {_EXAMPLES.get(param.name or '', _EXAMPLE)}"
    try:
        parsed = json.loads(value)
    except (ValueError, RecursionError) as error:
        raise InvalidInput(
            f"--{param.name} is not JSON: {error}", code="metadata_invalid", hint=hint
        ) from error
    if not isinstance(parsed, dict):
        raise InvalidInput(f"--{param.name} is not a JSON object", code="metadata_invalid", hint=hint)
    return parsed
