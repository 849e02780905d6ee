"""Reader of the databases in which mem0 keeps memories on disk: local Qdrant, its history, OpenMemory's."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any

from holdfast.features.transfer.formats import mem0, pickled
from holdfast.features.transfer.formats.fields import as_map, json_in
from holdfast.features.transfer.formats.model import Item, Rows, Skip

_OPENMEMORY = {"users", "apps", "memories", "categories", "memory_categories", "memory_status_history"}
"""Tables of OpenMemory."""


def recognises(tables: Collection[str]) -> bool:
    """Returns whether a database with these tables is one of mem0."""
    names = set(tables)
    return names == {"points"} or {"history"} <= names <= {"history", "messages"} or names >= _OPENMEMORY


def items(tables: Collection[str], rows: Rows, skip: Skip) -> Iterator[Item]:
    """Yields the memories; from the history alone, without the ids of users, which it does not hold."""
    if set(tables) >= _OPENMEMORY:
        yield from mem0.items(iter([_backup(rows)]), skip)
        return
    yield from mem0.items(_points(rows, skip) if "points" in tables else _history(rows), skip)


def _points(rows: Rows, skip: Skip) -> Iterator[object]:
    """Yields the memories in the points of a collection as mem0 answers them; the newest copy of each."""
    for number, row in enumerate(rows("points", newest_first=True), 1):
        try:
            point = _unpickled(row.get("point"))
        except ValueError as error:
            skip(f"point {number}", f"its pickle cannot be read: {error}", "note")
            continue
        payload = as_map(point.get("payload"))
        if "data" not in payload:
            skip(f"point {number}", "not a memory of mem0", "note")
            continue
        yield mem0.from_payload(point.get("id"), payload)


def _history(rows: Rows) -> Iterator[object]:
    """Yields the memories as the last change of each left them."""
    memories: dict[str, dict[str, Any]] = {}
    for row in rows("history"):
        id = str(row.get("memory_id"))
        if row.get("is_deleted") or row.get("event") == "DELETE":
            memories.pop(id, None)
            continue
        memory = memories.setdefault(id, {"id": id, "created_at": row.get("created_at")})
        memory |= {"memory": row.get("new_memory"), "actor_id": row.get("actor_id"), "role": row.get("role")}
    yield from memories.values()


def _backup(rows: Rows) -> dict[str, list[dict[str, Any]]]:
    """Returns the tables of OpenMemory in the form of its own backup."""
    tables = ("users", "apps", "categories", "memory_categories", "memories")
    return {table: [_exported(row, table) for row in rows(table)] for table in tables}


def _exported(row: dict[str, Any], table: str) -> dict[str, Any]:
    """Returns a row as a backup has it: ids with hyphens, times with their zone, metadata as an object."""
    record: dict[str, Any] = {}
    for name, value in row.items():
        is_id = name == "id" or (name.endswith("_id") and table != "users")  # there it is any name
        if isinstance(value, str) and is_id and len(value) == 32:
            value = "-".join((value[:8], value[8:12], value[12:16], value[16:20], value[20:]))
        elif isinstance(value, str) and name.endswith("_at") and not value.endswith("Z") and "+" not in value:
            value = f"{value.replace(' ', 'T')}+00:00"
        elif isinstance(value, str) and name == "metadata":
            value = json_in(value)
        record[name] = value
    return record


def _unpickled(data: object) -> dict[str, Any]:
    """Returns the id and payload of the point in a pickle. Raises ValueError."""
    if not isinstance(data, bytes):
        return {}
    fields = as_map(as_map(getattr(pickled.load(data), "state", None)).get("__dict__"))
    return {name: pickled.plain(fields.get(name)) for name in ("id", "payload")}
