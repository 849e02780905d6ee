"""Named statements and migrations of the PostgreSQL store, from the .sql files next to this one."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from holdfast.stores.sql.sql_files import SqlFiles

_FILES = SqlFiles(
    Path(__file__).parent,
    binding="%({})s",
    types={str: "text", int: "bigint", bool: "boolean", frozenset: "text[]"},
)
_LIST = re.compile(r"%\((\w+)\)s::\w+\[\]")
migrations = cache(_FILES.migrations)


@dataclass(frozen=True, slots=True)
class Statement:
    """One statement. `lists` are the parameters that it takes as arrays; callers pass them as JSON."""

    query: bytes
    lists: frozenset[str]

    def bound(self, values: dict[str, Any]) -> dict[str, Any]:
        """Returns the values in the form that the statement takes."""
        arrays = {name: json.loads(values[name]) for name in self.lists if values[name] is not None}
        return {**values, **arrays} if arrays else values


@cache
def statements(file: str) -> dict[str, Statement]:
    """Returns the statements of a file by name, with their lists bound as arrays."""
    bodies = _FILES.statements(file).items()
    return {name: Statement(body.encode(), frozenset(_LIST.findall(body))) for name, body in bodies}
