"""Checks of a PostgreSQL store: separation of tenants, and consistency of texts, words and vectors."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator
from functools import cache
from typing import TYPE_CHECKING, Any

from holdfast.core.errors import StoreError
from holdfast.stores.postgres.connection import Connection
from holdfast.stores.postgres.seals import broken
from holdfast.stores.postgres.sql import migrations, statements
from holdfast.stores.sql.recheck import differing, problem_lines

if TYPE_CHECKING:
    from holdfast.stores.base.derived import Derive

RULE = "(tenant_id = NULLIF(current_setting('holdfast.tenant'::text, true), ''::text))"
"""What every policy must say, as the server prints it."""
_TABLE = re.compile(r"^\w+ TABLE holdfast\.(\w+) \(", re.MULTILINE)
_FUNCTION = re.compile(r"^\w+ FUNCTION holdfast\.(\w+)\(.*?\$\$(.*?)\$\$", re.MULTILINE | re.DOTALL)


def guard(connection: Connection, location: str) -> None:
    """Raises StoreError `store_unsafe` unless row-level security applies to this role on every table, and
    attributes, memberships, privileges, tables, views, rules, triggers and functions are those expected
    (GATES).

    Reads the catalogue, and tries it: without a tenant, and with an empty one, no row may be visible.
    """
    rules = statements("guarding.sql")
    tried = {name: rules[name] for name in ("leave", "seen")}
    expected = {"rule": RULE, **_expected()}
    violations: list[str] = []
    with connection.transaction():
        # nothing of the catalogue may be stood for by a temporary table that a pooler left there
        connection.execute(statements("connecting.sql")["enter_catalogue"].query)
        for name, rule in rules.items():
            rows = [] if name in tried else connection.execute(rule.query, expected).fetchall()
            # a database has a hundred tables: one of them shows what is wrong with all
            if rows:
                violations.append(
                    f"{rows[0][0]}, and {len(rows) - 1} more like this" if rows[1:] else str(rows[0][0])
                )
        for step in ("seen", "leave", "seen"):
            row = connection.execute(tried[step].query).fetchone()
            if step == "seen" and (row is None or row[0] != 0):
                violations.append("rows of tenants are seen without a tenant")
    if violations:
        raise StoreError(
            f"{location} does not keep tenants apart: {'; '.join(violations)}",
            code="store_unsafe",
            hint="serve as a role that neither owns the tables nor passes over policies: docs/postgres.md",
        )


@cache
def _expected() -> dict[str, list[str]]:
    """Returns what the migrations make: tables, functions, and functions with the hashes of their bodies."""
    scripts = "\n".join(script for _, script in migrations())
    bodies = _FUNCTION.findall(scripts)
    return {
        "tables": ["schema_versions", *_TABLE.findall(scripts)],
        "functions": [name for name, _ in bodies],
        "bodies": [
            f"{name} {hashlib.md5(body.encode(), usedforsecurity=False).hexdigest()}" for name, body in bodies
        ],
    }


def problems(connection: Connection, *, thorough: bool, derive: Derive | None = None) -> list[str]:
    """Returns descriptions of problems in one tenant's rows. Thorough compares all rows with their seals, and
    each memory with its hash, its words and its vectors; the server itself checks keys and references.
    """
    if not thorough:
        return []
    return [*broken(connection), *problem_lines(_unlawful(connection, derive))]


def _unlawful(connection: Connection, derive: Derive | None) -> Iterator[tuple[str, Any]]:
    """Yields the violated rules of the stored data, each with the row concerned."""
    rules = dict(statements("checking.sql"))
    read = {name: rules.pop(name) for name in ("stored", "derived")}
    for name, rule in rules.items():
        for row in connection.execute(rule.query).fetchall():
            yield name.replace("_", " "), row[0]

    def fetch(name: str, values: dict[str, Any]) -> Iterable[tuple[Any, ...]]:
        return connection.execute(read[name].query, values).fetchall()

    yield from differing(fetch, derive, halves=">f2")
