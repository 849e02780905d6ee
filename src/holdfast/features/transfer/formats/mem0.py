"""Reader of mem0's `get_all`, rows of its vector stores, OpenMemory's backup, and relations of its graph."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from datetime import UTC, date, datetime, timedelta
from typing import Any

from holdfast.core.record import TAG_MAX, TAGS_MAX
from holdfast.features.transfer.formats.fields import (
    as_list,
    as_map,
    clean,
    identifier,
    json_in,
    line_of,
    stable_id,
    time_of,
)
from holdfast.features.transfer.formats.model import ImportedEntity, Item, Link, Note, Skip

IDS = ("user_id", "agent_id", "run_id")
"""Fields that name the user, agent or run of a memory in mem0."""
SCOPE = "mem0"
"""The type of the scope of memories that came from mem0 or were added by its calls."""
NAMED = ("user_id", "agent_id", "run_id", "app_id", "actor_id", "role", "updated_at")
_OWN = ("data", "hash", "created_at", "updated_at", "text_lemmatized", "expiration_date", *NAMED)
TYPE = "concept"
"""The type of entities of its graph, which has no types."""


def scope_of(ids: Mapping[str, str]) -> str:
    """Returns the place of memories with these ids, in which the same statement is stored once."""
    scope = "&".join(f"{name}={ids[name]}" for name in sorted(ids))
    return scope if len(scope) <= 200 else hashlib.sha256(scope.encode()).hexdigest()


def end_of(day: date) -> int:
    """Returns when a memory expires whose last day this is, in UTC epoch milliseconds."""
    end = datetime(day.year, day.month, day.day, tzinfo=UTC) + timedelta(days=1)
    return int(end.timestamp() * 1000)


def from_payload(id: object, payload: Mapping[str, Any]) -> dict[str, Any]:
    """Returns what a store of vectors holds for a memory, as mem0 answers it."""
    memory = {name: payload[name] for name in ("created_at", "expiration_date", *NAMED) if name in payload}
    own = {name: value for name, value in payload.items() if name not in _OWN}
    return memory | {"id": identifier(id), "memory": payload["data"], "metadata": own}


def recognises(item: object) -> bool:
    """Returns whether an item is a memory of mem0, or a response that contains some."""
    fields = as_map(item)
    if "data" in _payload(fields):
        return True
    if isinstance(fields.get("memory"), str) and "id" in fields:
        return True
    if isinstance(fields.get("content"), str) and {"id", "state", "app_id"} <= fields.keys():
        return True
    return any(recognises(row) for row in (_memory_list(fields) or [])[:5] if row is not item)


def items(values: Iterator[object], skip: Skip) -> Iterator[Item]:
    """Yields the memories as knowledge, then the entities and relations of the graph."""
    entity_names: set[str] = set()
    note_ids: set[str] = set()
    links: list[tuple[str, str, str]] = []
    for value in values:
        fields = as_map(value)
        listed = _memory_list(fields)
        for result in [value] if listed is None else listed:
            note = _note(as_map(result), skip)
            if note is not None and note.id in note_ids:
                skip(f"memory {as_map(result).get('id')!s:.80}", "the same memory came before", "note")
            elif note is not None:
                note_ids.add(note.id)
                yield note
        for relation in as_list(fields.get("relations")):
            ends = as_map(relation)
            named = [line_of(ends.get(name)) for name in ("source", "relationship", "target")]
            if named[2] is None:
                named[2] = line_of(ends.get("destination"))
            if all(named):
                links.append((named[0] or "", named[1] or "", named[2] or ""))
            else:
                skip("relations", "a relation without source, relationship or target", "relation")
    for start, _, end in links:
        for name in (start, end):
            if name.casefold() not in entity_names:
                entity_names.add(name.casefold())
                yield ImportedEntity(name, TYPE)
    for start, type, end in links:
        yield Link(start, type, end)


def _memory_list(fields: dict[str, Any]) -> list[Any] | None:
    """Returns the memories in a response of mem0 or a backup of OpenMemory; None if it is no list of them."""
    if {"memories", "apps", "memory_categories"} <= fields.keys():
        return _backup_memories(fields)
    if "points" in (answer := as_map(fields.get("result"))):  # of a server of Qdrant
        return as_list(answer["points"])
    return next((as_list(fields[name]) for name in ("results", "memories") if name in fields), None)


def _payload(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the payload of a row or point of a vector database; nothing if it is neither."""
    payload = fields.get("payload") if "id" in fields else None
    if isinstance(payload, str):  # as clients of databases may write it
        payload = json_in(payload)
    payload = as_map(payload)
    return payload if isinstance(payload.get("data"), str) else {}


def _backup_memories(backup: dict[str, Any]) -> list[Any]:
    """Returns the memories in a backup of OpenMemory, with users, apps and categories by their names."""
    users = _names([backup.get("user"), *as_list(backup.get("users"))], "user_id")
    apps, categories = (_names(as_list(backup.get(table)), "name") for table in ("apps", "categories"))
    tags: dict[str, list[str]] = defaultdict(list)
    for link in map(as_map, as_list(backup["memory_categories"])):
        if (category := categories.get(str(link.get("category_id")))) is not None:
            tags[str(link.get("memory_id"))].append(category)
    result = []
    for memory in map(as_map, as_list(backup["memories"])):
        user, app = memory.get("user_id"), memory.get("app_id")
        named = {"user_id": users.get(str(user), user), "app_id": apps.get(str(app), app)}
        result.append({**memory, **named, "categories": sorted(tags[str(memory.get("id"))])})
    return result


def _names(rows: Iterable[Any], key: str) -> dict[str, str]:
    """Returns the names in a table by id; what has no id or no name is left out."""
    pairs = [(row.get("id"), row.get(key)) for row in map(as_map, rows)]
    return {id: name for id, name in pairs if isinstance(id, str) and isinstance(name, str)}


def _note(fields: dict[str, Any], skip: Skip) -> Note | None:
    """Returns a memory of mem0 as a note, None if it is skipped."""
    if payload := _payload(fields):
        fields = from_payload(fields["id"], payload)
    text = fields.get("content" if "state" in fields else "memory")
    if fields.get("state") in ("deleted", "archived", "paused"):
        skip(f"memory {fields.get('id')!s:.80}", f"{fields['state']} there", "note")
        return None
    if not isinstance(text, str) or not clean(text):
        skip(identifier(fields.get("id")) or "a memory without an id", "no text", "note")
        return None
    metadata = {name: fields[name] for name in NAMED if isinstance(fields.get(name), str | int)}
    metadata |= {
        name: value for name, value in as_map(fields.get("metadata")).items() if name not in metadata
    }
    ids = {name: str(metadata[name]).strip() for name in IDS if str(metadata.get(name, "")).strip()}
    expires_at = None
    with suppress(ValueError):  # of another form: it stays in the metadata
        if last := fields.get("expiration_date"):
            metadata["expiration_date"] = str(last)[:10]
            expires_at = end_of(date.fromisoformat(str(last)[:10]))
    tags = [line_of(category) for category in as_list(fields.get("categories"))]
    return Note(
        clean(text),
        stable_id("mem0", identifier(fields.get("id")) or clean(text)),
        kind="fact",
        tags=tuple(dict.fromkeys(tag[:TAG_MAX] for tag in tags if tag))[:TAGS_MAX],
        metadata=metadata,
        at=time_of(fields.get("created_at")),
        scope=(SCOPE, scope_of(ids)) if ids else None,
        expires_at=expires_at,
        user=ids.get("user_id"),
    )
