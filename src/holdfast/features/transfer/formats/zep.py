"""Reader of the facts of Zep and Graphiti: nodes as entities with their summaries, edges as facts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from holdfast.features.transfer.formats.fields import (
    as_list,
    as_map,
    clean,
    identifier,
    line_of,
    stable_id,
    time_of,
)
from holdfast.features.transfer.formats.model import ImportedEntity, Item, Link, Note, Observed, Skip

_GENERAL = "entity"
_NODE = frozenset({"uuid", "name", "labels"})


def recognises(item: object) -> bool:
    """Returns whether an item is a node or an edge of a graph, or holds its nodes and edges."""
    fields = as_map(item)
    if fields.keys() >= _NODE or (isinstance(fields.get("fact"), str) and "source_node_uuid" in fields):
        return True
    return any(recognises(edge) for edge in as_list(fields.get("edges"))[:5])


def items(values: Iterator[object], skip: Skip) -> Iterator[Item]:
    """Yields entities, then the facts that still hold, and relations between known entities."""
    nodes: list[dict[str, Any]] = []
    edges: list[dict[str, Any]] = []
    for value in values:
        fields = as_map(value)
        if "fact" in fields:
            edges.append(fields)
        elif "edges" in fields or "nodes" in fields:
            nodes += map(as_map, as_list(fields.get("nodes")))
            edges += map(as_map, as_list(fields.get("edges")))
            for part in fields.keys() - {"nodes", "edges"}:
                for _ in as_list(fields[part]):
                    skip(part, "neither a node nor an edge", "item")
        elif "content" in fields:  # an episode has labels as well
            skip("an item", "neither a node nor an edge", "item")
        elif "labels" in fields or "summary" in fields:
            nodes.append(fields)
        else:
            skip("an item", "neither a node nor an edge", "item")
    names: dict[str, str] = {}
    for node in nodes:
        name = line_of(node.get("name"))
        if name is None:
            skip("a node", "no name", "entity")
            continue
        names[str(node.get("uuid"))] = name
        labels = [line_of(label) for label in as_list(node.get("labels"))]
        type = next((label for label in labels if label and label.casefold() != _GENERAL), "concept")
        summary = node.get("summary")
        observed = (Observed(clean(summary)),) if isinstance(summary, str) and clean(summary) else ()
        yield ImportedEntity(name, type, observed)
    links: list[Link] = []
    for edge in edges:
        note = _fact(edge, skip)
        if note is None:
            continue
        yield note
        ends = [names.get(str(edge.get(name))) for name in ("source_node_uuid", "target_node_uuid")]
        relation = line_of(edge.get("name"))
        if ends[0] and ends[1] and relation:
            links.append(Link(ends[0], relation, ends[1]))
    yield from dict.fromkeys(links)


def _fact(edge: dict[str, Any], skip: Skip) -> Note | None:
    """Returns the fact of an edge; None, and counted as skipped, if it has no text or holds no longer."""
    text = edge.get("fact")
    id = identifier(edge.get("uuid")) or ""
    if not isinstance(text, str) or not clean(text):
        skip(f"edge {id}", "no fact", "note")
        return None
    if edge.get("invalid_at") or edge.get("expired_at"):
        skip(f"edge {id}", "holds no longer", "note")
        return None
    named = {name: edge[name] for name in ("name", "group_id", "valid_at") if isinstance(edge.get(name), str)}
    at = time_of(edge.get("valid_at")) or time_of(edge.get("created_at"))
    return Note(clean(text), stable_id("zep", id or clean(text)), kind="fact", metadata=named, at=at)
