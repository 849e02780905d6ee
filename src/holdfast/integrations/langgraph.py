"""`HoldfastStore`, a store of LangGraph over a memory: what agents know across their threads."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta
from itertools import islice
from typing import Any

from langgraph.store.base import (
    BaseStore,
    GetOp,
    Item,
    ListNamespacesOp,
    MatchCondition,
    Op,
    PutOp,
    Result,
    SearchItem,
    SearchOp,
    TTLConfig,
    validate_op_namespace,
)

from holdfast.api.memory import Memory
from holdfast.core.record import Memory as Record
from holdfast.integrations.documents import Documents, text_of
from holdfast.integrations.filters import compares

_ALL: tuple[tuple[dict[str, Any], float | None], ...] = (({}, None),)
_UNRANKED = (({"searched": True}, 0.0), ({"searched": False}, None))


class HoldfastStore(BaseStore):
    """A LangGraph store in a memory, which may be a file, a database or a service.

    Items are found by meaning and by words without an `index`; the whole value is searched, unless an item is
    put with `index=False`. Expired items are hidden at once. Each change stays in the history of its item.
    """

    supports_ttl = True
    __slots__ = ("_documents", "ttl_config")

    def __init__(self, memory: Memory, *, ttl: TTLConfig | None = None, project: str | None = None) -> None:
        self._documents = Documents(memory, "langgraph", project=project)
        self.ttl_config = ttl

    def batch(self, ops: Iterable[Op]) -> list[Result]:
        """Executes operations in their order."""
        operations = list(ops)
        for op in operations:
            validate_op_namespace(op)
        return [self._result(op) for op in operations]

    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        """Executes operations in their order, in a thread."""
        return await asyncio.to_thread(self.batch, list(ops))

    def _result(self, op: Op) -> Result:
        """Returns the result of one operation of a batch."""
        match op:
            case GetOp():
                record = self._documents.get(_key(op.namespace, op.key))
                if record is None:
                    return None
                self._refresh([record], op.refresh_ttl)
                return Item(**_fields(record))
            case SearchOp():
                return self._search(op)
            case PutOp():
                return self._put(op)
            case ListNamespacesOp():
                return self._namespaces(op)
        raise ValueError(f"Unknown operation type: {type(op)}")

    def _put(self, op: PutOp) -> None:
        """Stores a value, or deletes it if it is None."""
        key = _key(op.namespace, op.key)
        if op.value is None:
            self._documents.delete(key)
            return
        text = json.dumps(dict(op.value), ensure_ascii=False)
        metadata: dict[str, Any] = {"address": key, "searched": op.index is not False}
        metadata |= _levels(op.namespace)
        expiry: dict[str, Any] = {}
        if op.ttl is not None:
            metadata["minutes"] = float(op.ttl)
            expiry["expires_at"] = _after(op.ttl)
        record = self._documents.put(key, text, metadata, **expiry)
        try:
            json.loads(text_of(record))
        except ValueError:
            self._documents.delete(key)
            raise ValueError("the value cannot be stored: an unclosed <private> hides its end") from None

    def _search(self, op: SearchOp) -> list[SearchItem]:
        """Returns one page of the items that match. If asked to, starts the time to live of these items
        again, and of no others."""
        prefix, end = _levels(op.namespace_prefix), op.offset + op.limit
        items = islice(self._matches(op, prefix, end), op.offset, end)
        results = list(items)
        self._refresh([record for record, _ in results], op.refresh_ttl)
        return [SearchItem(**_fields(record), score=score) for record, score in results]

    def _matches(
        self, op: SearchOp, prefix: dict[str, Any], end: int
    ) -> Iterator[tuple[Record, float | None]]:
        """Yields the items that match a query, best first, and then all others, the newest first."""
        seen: set[str] = set()
        searched = op.query is not None and bool(op.query.strip())
        if op.query and searched:
            limit = {} if op.filter else {"limit": max(end, 1)}
            for hit in self._documents.search(op.query, prefix | {"searched": True}, **limit):
                seen.add(hit.memory.id)
                if _meets(hit.memory, op.filter):
                    yield hit.memory, hit.score
        for rest, score in _UNRANKED if searched else _ALL:
            for record in self._documents.all(prefix | rest):
                if record.id not in seen and _meets(record, op.filter):
                    yield record, score

    def _namespaces(self, op: ListNamespacesOp) -> list[tuple[str, ...]]:
        """Returns the namespaces that meet the conditions, sorted and cut to the page."""
        namespaces = {
            namespace[: op.max_depth]
            for namespace in (_address(record)[0] for record in self._documents.all())
            if all(_applies(condition, namespace) for condition in op.match_conditions or ())
        }
        return sorted(namespaces)[op.offset : op.offset + op.limit]

    def _refresh(self, records: Iterable[Record], is_requested: bool) -> None:
        """Starts the time to live of items that were read again."""
        for record in records if is_requested else ():
            if "minutes" in record.metadata:
                self._documents.extend(record, _after(record.metadata["minutes"]))


def _key(namespace: tuple[str, ...], key: str) -> str:
    return json.dumps([list(namespace), key])


def _address(record: Record) -> tuple[tuple[str, ...], str]:
    namespace, key = json.loads(record.metadata["address"])
    return tuple(namespace), key


def _levels(namespace: tuple[str, ...]) -> dict[str, Any]:
    """Returns a namespace as metadata by which those that begin with it are found."""
    return {f"level{number}": json.dumps(label) for number, label in enumerate(namespace)}


def _after(minutes: float) -> str:
    return (datetime.now(UTC) + timedelta(minutes=minutes)).isoformat()


def _fields(record: Record) -> dict[str, Any]:
    """Returns a record as the fields of an item."""
    namespace, key = _address(record)
    return {
        "namespace": namespace,
        "key": key,
        "value": json.loads(text_of(record)),
        "created_at": datetime.fromtimestamp(record.recorded_at / 1000, UTC),
        "updated_at": datetime.fromtimestamp(record.updated_at / 1000, UTC),
    }


def _meets(record: Record, filters: dict[str, Any] | None) -> bool:
    if not filters:
        return True
    value = json.loads(text_of(record))
    return all(compares(_at(value, key), condition, prefix="$") for key, condition in filters.items())


def _at(value: dict[str, Any], key: str) -> Any:
    """Returns the value of a key, or of a path of keys joined by dots."""
    head, _, rest = key.partition(".")
    inner = value.get(head)
    return _at(inner, rest) if key not in value and rest and isinstance(inner, dict) else value.get(key)


def _applies(condition: MatchCondition, namespace: tuple[str, ...]) -> bool:
    """Returns whether a namespace begins or ends with the path of a condition; `*` is any label."""
    path = condition.path
    part = namespace[: len(path)] if condition.match_type == "prefix" else namespace[-len(path) :]
    return len(part) == len(path) and all(
        want in ("*", label) for want, label in zip(path, part, strict=True)
    )
