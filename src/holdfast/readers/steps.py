"""A limit on what reading a SQLite database may compute: a view or table may never end."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from functools import partial

STEPS_MAX = 300_000_000
"""Most steps of SQLite's virtual machine, about ten seconds."""
_AT_ONCE = 1_000_000


def limit_steps(connection: sqlite3.Connection, steps: int = STEPS_MAX) -> Callable[[], bool]:
    """Lets a connection compute so many steps from now on; then it raises sqlite3.OperationalError. Returns a
    function that says whether they are spent."""
    budget = iter(range(steps // _AT_ONCE))
    is_spent = partial(_is_spent, budget)
    connection.set_progress_handler(is_spent, _AT_ONCE)
    return is_spent


def _is_spent(budget: Iterator[int]) -> bool:
    """Takes one portion of the steps. Returns whether none was left, which makes SQLite stop."""
    return next(budget, None) is None
