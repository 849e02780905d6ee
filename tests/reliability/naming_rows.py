"""Rows that name a user after everything of that user was deleted, and those that stay for a reason."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping

STAYS = {
    "events": "the chain of who did what, without texts, is the proof of the deletion",
    "language_models": "who sends texts to a model of the team has to answer for it",
    "members": "who belongs to the team is decided by `members remove`",
    "pools": "a place holds nothing; its number stands in caches of other processes",
}
"""Tables whose rows go on naming a user, with the reason (`docs/retention.md`)."""


def names(value: object, user: str) -> bool:
    """Checks whether a value of a column is a user's name, or holds it as a word of its own."""
    text = value if isinstance(value, str) else json.dumps(value, default=str)
    return user in text.replace(":", " ").replace("/", " ").replace('"', " ").split()


def tables_naming(rows: Iterable[tuple[str, Mapping[str, object]]], user: str) -> set[str]:
    """Returns the tables with a row that names a user, but those that may."""
    return {
        table
        for table, row in rows
        if table not in STAYS and any(names(value, user) for value in row.values())
    }
