"""Reader of the database of mcp-memory-service: each of its memories a note."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any

from holdfast.core.kinds import KINDS, Nature
from holdfast.core.record import TAG_MAX, TAGS_MAX
from holdfast.features.transfer.formats.fields import as_map, clean, json_in, line_of, stable_id, time_of
from holdfast.features.transfer.formats.model import Item, Note, Rows, Skip


def recognises(tables: Collection[str]) -> bool:
    """Returns whether a database with these tables is one of mcp-memory-service."""
    return "memories" in tables and any(
        name.startswith(("memory_embeddings", "memory_graph")) for name in tables
    )


def items(_: Collection[str], rows: Rows, skip: Skip) -> Iterator[Item]:
    """Yields the memories that were not deleted."""
    for row in rows("memories"):
        where = f"memory {row.get('id')}"
        text = clean(row["content"]) if isinstance(row.get("content"), str) else ""
        if row.get("deleted_at") is not None or row.get("superseded_by"):
            skip(where, "deleted there" if row.get("deleted_at") else "replaced there", "note")
        elif not text:
            skip(where, "no text", "note")
        else:
            yield _note(row, text)


def _note(row: dict[str, Any], text: str) -> Note:
    """Returns a row as a note."""
    named = line_of(row.get("memory_type"))
    is_knowledge = named in KINDS and KINDS[named].nature is Nature.KNOWLEDGE
    metadata = _json(row.get("metadata")) | ({"memory_type": named} if named and not is_knowledge else {})
    tags = [line_of(tag) for tag in str(row.get("tags") or "").split(",")]
    return Note(
        text,
        stable_id("mcp-memory-service", str(row.get("content_hash") or text)),
        kind=named if named and is_knowledge else "note",
        tags=tuple(dict.fromkeys(tag[:TAG_MAX] for tag in tags if tag))[:TAGS_MAX],
        metadata=metadata,
        at=time_of(row.get("created_at")) or time_of(row.get("created_at_iso")),
    )


def _json(value: object) -> dict[str, Any]:
    return as_map(json_in(value))
