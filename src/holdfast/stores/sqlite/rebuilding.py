"""Rebuilding a database, so that nothing is left in it of what was deleted, in bounded memory."""

from __future__ import annotations

import apsw

from holdfast.stores.base.allocator import give_back

IN_MEMORY_MAX = 64 << 20
"""Bytes up to which a database is rebuilt in memory; SQLite puts a larger one into a temporary file, deleted
while it is open, and encrypted if the database is."""


def rebuild_file(connection: apsw.Connection) -> None:
    """Rebuilds the database of a connection that has no transaction. Raises apsw.Error."""
    try:
        if connection.pragma("page_count") * connection.pragma("page_size") <= IN_MEMORY_MAX:
            connection.execute("VACUUM")
            return
        connection.pragma("temp_store", "file")
        try:
            connection.execute("VACUUM")
        except (apsw.CantOpenError, apsw.FullError, apsw.IOError):  # no room or no folder for the file
            connection.pragma("temp_store", "memory")
            connection.execute("VACUUM")
        finally:
            connection.pragma("temp_store", "memory")
    finally:
        give_back()
