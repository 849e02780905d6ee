"""Arguments and results of the calls of mem0, as `holdfast.integrations.mem0` reads and returns them."""

from __future__ import annotations

import hashlib
import warnings
from collections.abc import Iterator, Mapping
from datetime import date, datetime
from typing import Any

from holdfast.core.record import Kept, Outcome
from holdfast.core.record import Memory as Record
from holdfast.core.times import to_iso
from holdfast.features.transfer.formats.mem0 import IDS, end_of
from holdfast.integrations.filters import compares

_PROMOTED = (*IDS, "actor_id", "expiration_date")
_ADDED = (Outcome.CREATED, Outcome.REDACTED, Outcome.SUPERSEDED)
_TIMES = ("created_at", "updated_at")

Json = dict[str, Any]


def options_in(config: Mapping[str, Any]) -> Json:
    """Returns what a store is opened with by a configuration of mem0, and warns of what is not used."""
    if "holdfast" not in config and "vector_store" in config:
        raise ValueError(
            "The vector_store of a configuration is not used: name a store as 'holdfast', such as "
            "{'holdfast': {'path': 'assistant.db'}}, and import what is in the other with `holdfast import`."
        )
    if unused := [name for name in config if name not in ("holdfast", "version")]:
        warnings.warn(f"not used of the configuration: {', '.join(unused)}", UserWarning, stacklevel=3)
    return dict(config.get("holdfast", {}))


def ids_of(**ids: Any) -> dict[str, str]:
    """Returns the ids that are given, checked as mem0 does."""
    result = {}
    for name, value in ids.items():
        if name not in IDS:
            raise TypeError(f"unexpected argument {name!r}")
        if value is None:
            continue
        text = str(value).strip()
        if not text or any(char.isspace() for char in text):
            raise ValueError(f"Invalid {name}: cannot be empty or contain whitespace.")
        result[name] = text
    return result


def messages_of(messages: object) -> Iterator[tuple[str, str, str | None]]:
    """Yields role, text and name of each message."""
    if isinstance(messages, str):
        messages = {"role": "user", "content": messages}
    if isinstance(messages, Mapping):
        messages = [messages]
    if not isinstance(messages, list | tuple):
        raise ValueError("messages must be str, dict, or list[dict]")
    for message in messages:
        content = message.get("content") if isinstance(message, Mapping) else None
        if isinstance(content, list):
            parts = [part.get("text") for part in content if isinstance(part, Mapping)]
            content = "\n".join(part for part in parts if isinstance(part, str))
        if isinstance(content, str) and message.get("role") is not None:
            yield str(message["role"]), content, message.get("name")


def expiry_of(value: Any) -> Json:
    """Returns an expiration date as it is shown, and the moment at which the day after it begins."""
    try:
        day = value.date() if isinstance(value, datetime) else value
        day = day if isinstance(day, date) else date.fromisoformat(day)
    except (TypeError, ValueError):
        raise ValueError("expiration_date must be a valid date in YYYY-MM-DD format.") from None
    return {"expiration_date": day.isoformat(), "expires_at": to_iso(end_of(day))}


def filters_of(filters: Mapping[str, Any] | None, ids: Mapping[str, Any]) -> Json:
    """Returns the filters of a search. Raises ValueError without the id of a user, agent or run."""
    raw = dict(filters or {})
    criteria = raw | ids_of(**{name: raw.get(name) for name in IDS if isinstance(raw.get(name), str | int)})
    criteria |= ids_of(**ids)
    if not any(name in criteria for name in IDS):
        raise ValueError(
            "filters must contain at least one of: user_id, agent_id, run_id. "
            "Example: filters={'user_id': 'u1'}"
        )
    return criteria


def count_of(top_k: object) -> int:
    """Returns the number of results that is asked for. Raises ValueError."""
    if not isinstance(top_k, int) or isinstance(top_k, bool) or top_k < 0:
        raise ValueError(f"Invalid top_k: {top_k}. Must be a non-negative integer.")
    return top_k


def native_filter(wanted: Mapping[str, Any]) -> Json:
    """Returns the part of a filter that the store compares: equality with text, numbers and truth values."""
    return {
        k: v
        for k, v in wanted.items()
        if isinstance(v, str | int | float) and v != "*" and k not in ("*", *_TIMES)
    }


def meets(payload: Mapping[str, Any], wanted: Mapping[str, Any]) -> bool:
    """Returns whether metadata meets a filter in the language of mem0."""
    for key, value in wanted.items():
        if key in ("AND", "OR", "NOT"):
            if not isinstance(value, list):
                raise ValueError(f"{key} operator requires a list of conditions")
            met = [meets(payload, option) for option in value]
            if not {"AND": all(met), "OR": any(met), "NOT": not any(met)}[key]:
                return False
        elif value == "*":
            if key not in payload:
                return False
        elif not compares(payload.get(key), value):
            return False
    return True


def payload_of(record: Record) -> Json:
    """Returns what filters compare: metadata with the ids, and the times."""
    return {
        "created_at": to_iso(record.recorded_at),
        "updated_at": to_iso(record.updated_at),
    } | record.metadata


def item_of(record: Record) -> Json:
    """Returns a memory in the form of mem0."""
    payload = dict(record.metadata)
    item: Json = {
        "id": record.id, "memory": record.text, "hash": hashlib.md5(record.text.encode()).hexdigest(),
        "created_at": to_iso(record.recorded_at), "updated_at": to_iso(record.updated_at), "score": None,
    }  # fmt: skip
    item |= {key: payload.pop(key) for key in _PROMOTED if key in payload}
    item |= {"role": record.role} if record.role else {}
    return item | ({"metadata": payload} if payload else {})


def events_of(item: Mapping[str, Any], result: Kept) -> Iterator[Json]:
    """Yields what mem0 says of a text: what was known already is not mentioned."""
    if result.memory is not None and result.outcome in _ADDED:
        added = {"id": result.memory.id, "memory": result.memory.text, "event": "ADD"}
        yield added | ({"role": item["role"]} if "role" in item else {})
    elif result.outcome in (Outcome.PENDING, Outcome.REFUSED):
        id = result.memory.id if result.memory else None
        yield {"id": id, "memory": item["text"], "event": "NONE", "reason": result.reason}


def not_stored(text: str, reason: str) -> Json:
    """Returns what is said of a text that is not stored."""
    return {"id": None, "memory": text, "event": "NONE", "reason": reason}


def change_of(id: str, sequence: int, old: str | None, new: str | None, created: int, at: int) -> Json:
    """Returns an entry of the history of a memory."""
    event = "ADD" if old is None else "UPDATE" if new is not None else "DELETE"
    return {
        "id": f"{id}:{sequence}", "memory_id": id, "old_memory": old, "new_memory": new, "event": event,
        "created_at": to_iso(created), "updated_at": to_iso(at), "is_deleted": new is None,
        "actor_id": None, "role": None,
    }  # fmt: skip


def deletion_of(record: Record) -> Json:
    """Returns the deletion of a memory as an entry of its history."""
    at = record.deleted_at or record.updated_at
    return change_of(record.id, record.version + 1, record.text, None, record.recorded_at, at)
