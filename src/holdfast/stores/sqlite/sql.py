"""Named statements and migrations of the SQLite store, from the .sql files next to this one."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from holdfast.stores.sql.sql_files import SqlFiles

# importlib.resources would do, and takes 8 ms to import
_FILES = SqlFiles(Path(__file__).parent, binding=":{}", types={})
statements = cache(_FILES.statements)
migrations = cache(_FILES.migrations)
