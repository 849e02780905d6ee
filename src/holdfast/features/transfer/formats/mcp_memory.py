"""Reader of the MCP reference memory server's `memory.jsonl`: entities, observations, relations."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from holdfast.features.transfer.formats.fields import as_list, as_map, clean, line_of
from holdfast.features.transfer.formats.model import ITEM, ImportedEntity, Item, Link, Observed, Skip


def recognises(item: object) -> bool:
    """Returns whether an item is a line of that file."""
    fields = as_map(item)
    return (fields.get("type") == "entity" and "entityType" in fields) or (
        fields.get("type") == "relation" and "relationType" in fields
    )


def items(values: Iterator[object], skip: Skip) -> Iterator[Item]:
    """Yields entities with their observations, then all relations."""
    links: list[Link] = []
    for number, value in enumerate(values, 1):
        fields, place = as_map(value), f"item {number}"
        if fields.get("type") == "entity":
            thing = _entity(fields, skip)
            if thing is not None:
                yield thing
                continue
        if fields.get("type") == "relation":
            ends = [line_of(fields.get(name)) for name in ("from", "relationType", "to")]
            if all(ends):
                links.append(Link(ends[0] or "", ends[1] or "", ends[2] or ""))
                continue
        skip(place, "neither an entity nor a relation", ITEM)
    yield from links


def _entity(fields: dict[str, Any], skip: Skip) -> ImportedEntity | None:
    """Returns an entity with its observations, without empty ones; None if it has no name."""
    name, type = line_of(fields.get("name")), line_of(fields.get("entityType"))
    if name is None:
        return None
    observations = [
        clean(value) if isinstance(value, str) else "" for value in as_list(fields.get("observations"))
    ]
    for _ in range(observations.count("")):
        skip(name, "an observation without text", "observation")
    return ImportedEntity(name, type or "thing", tuple(Observed(text) for text in observations if text))
