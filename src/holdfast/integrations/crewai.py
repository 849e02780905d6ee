"""`HoldfastStorage`, the storage of CrewAI's memory over a memory."""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections import Counter, OrderedDict
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from threading import Lock
from typing import Any

from crewai.memory.types import MemoryRecord, ScopeInfo

from holdfast.api.memory import Memory
from holdfast.core.arguments import LIMIT_MAX
from holdfast.core.record import Memory as Record
from holdfast.integrations.documents import Documents, text_of

_TEXTS_MAX = 10_000
"""Texts that are known by their vectors."""


class HoldfastStorage:
    """A storage backend for `crewai.Memory(storage=…, embedder=storage.embedder)`.

    CrewAI hands a storage vectors and no text, while Holdfast searches by words and by a model of its own.
    So `embedder` gives each text a vector that stands for it, and a search by that vector is one for its
    text; no provider of embeddings is needed. The vectors mean nothing to others.
    """

    def __init__(self, memory: Memory, *, project: str | None = None) -> None:
        self._documents = Documents(memory, "crewai", project=project)
        self._texts: OrderedDict[tuple[float, ...], str] = OrderedDict()
        self._lock = Lock()

    def embedder(self, texts: Sequence[str]) -> list[list[float]]:
        """Returns a vector that stands for each text."""
        vectors = [[byte / 127.5 - 1 for byte in hashlib.sha256(text.encode()).digest()] for text in texts]
        for vector, text in zip(vectors, texts, strict=True):
            self._note(vector, text)
        return vectors

    def save(self, records: list[MemoryRecord]) -> None:
        """Stores records. Raises InvalidInput if one cannot be stored; those before it are."""
        for record in records:
            self.update(record)

    def update(self, record: MemoryRecord) -> None:
        """Stores a record in the place of the one with its id. Raises InvalidInput if it cannot be stored,
        TypeError for metadata that is no JSON."""
        json.dumps(record.metadata)
        if record.embedding:
            self._note(record.embedding, record.content)
        fields = record.model_dump(mode="json", exclude={"content", "embedding"})
        self._documents.put(record.id, record.content, {"record": fields, **_levels(record.scope)})

    def search(
        self,
        query_embedding: list[float],
        scope_prefix: str | None = None,
        categories: list[str] | None = None,
        metadata_filter: dict[str, Any] | None = None,
        limit: int = 10,
        min_score: float = 0.0,
    ) -> list[tuple[MemoryRecord, float]]:
        """Returns the records that match the text of a vector, best first, each with how surely it answers.
        Raises ValueError for a vector that stands for no text."""
        text = self._texts.get(tuple(query_embedding))
        if text is None:
            raise ValueError("the vector stands for no text: pass embedder=storage.embedder to crewai.Memory")
        most = LIMIT_MAX if categories or metadata_filter else limit
        matches = [
            (record, hit.confidence)
            for hit in (
                self._documents.search(text, _levels(scope_prefix), limit=most) if text.strip() else ()
            )
            if hit.confidence >= min_score
            and _meets(record := _record(hit.memory), categories, metadata_filter)
        ]
        return matches[:limit]

    def delete(
        self,
        scope_prefix: str | None = None,
        categories: list[str] | None = None,
        record_ids: list[str] | None = None,
        older_than: datetime | None = None,
        metadata_filter: dict[str, Any] | None = None,
    ) -> int:
        """Forgets the records that meet all conditions, and returns their number."""
        chosen = [
            record.id
            for record in self._records(scope_prefix)
            if (not record_ids or record.id in record_ids)
            and (older_than is None or record.created_at < older_than)
            and _meets(record, categories, metadata_filter)
        ]
        return sum(self._documents.delete(id) for id in chosen)

    def get_record(self, record_id: str) -> MemoryRecord | None:
        """Returns a record; None if there is none."""
        stored = self._documents.get(record_id)
        return None if stored is None else _record(stored)

    def list_records(
        self, scope_prefix: str | None = None, limit: int = 200, offset: int = 0
    ) -> list[MemoryRecord]:
        """Returns the records in a scope, newest first."""
        records = sorted(self._records(scope_prefix), key=lambda record: record.created_at, reverse=True)
        return records[offset : offset + limit]

    def get_scope_info(self, scope: str) -> ScopeInfo:
        """Returns what is in a scope."""
        records = list(self._records(scope))
        times = [record.created_at for record in records]
        return ScopeInfo(
            path=f"/{'/'.join(_parts(scope))}", record_count=len(records),
            categories=sorted({category for record in records for category in record.categories}),
            oldest_record=min(times, default=None), newest_record=max(times, default=None),
            child_scopes=_children(scope, records),
        )  # fmt: skip

    def list_scopes(self, parent: str = "/") -> list[str]:
        """Returns the scopes directly below one."""
        return _children(parent, self._records(parent))

    def list_categories(self, scope_prefix: str | None = None) -> dict[str, int]:
        """Returns the categories in a scope with the number of their records."""
        return dict(
            Counter(category for record in self._records(scope_prefix) for category in record.categories)
        )

    def count(self, scope_prefix: str | None = None) -> int:
        """Returns the number of records in a scope."""
        return sum(1 for _ in self._records(scope_prefix))

    def reset(self, scope_prefix: str | None = None) -> None:
        """Forgets the records in a scope, or all."""
        self.delete(scope_prefix)

    async def asave(self, records: list[MemoryRecord]) -> None:
        await asyncio.to_thread(self.save, records)

    async def asearch(self, query_embedding: list[float], **options: Any) -> list[tuple[MemoryRecord, float]]:
        return await asyncio.to_thread(self.search, query_embedding, **options)

    async def adelete(self, **options: Any) -> int:
        return await asyncio.to_thread(self.delete, **options)

    def _note(self, vector: Sequence[float], text: str) -> None:
        """Records the text for which a vector stands; drops the oldest one beyond `_TEXTS_MAX`."""
        with self._lock:
            self._texts[tuple(vector)] = text
            self._texts.move_to_end(tuple(vector))
            if len(self._texts) > _TEXTS_MAX:
                self._texts.popitem(last=False)

    def _records(self, scope: str | None) -> Iterator[MemoryRecord]:
        return map(_record, self._documents.all(_levels(scope)))


def _record(record: Record) -> MemoryRecord:
    return MemoryRecord(**record.metadata["record"], content=text_of(record))


def _parts(scope: str | None) -> list[str]:
    return [part for part in (scope or "").split("/") if part]


def _levels(scope: str | None) -> dict[str, str]:
    """Returns a scope as metadata by which what is in it is found."""
    return {f"level{number}": json.dumps(part) for number, part in enumerate(_parts(scope))}


def _children(scope: str, records: Iterable[MemoryRecord]) -> list[str]:
    parent = _parts(scope)
    paths = {tuple(_parts(record.scope)[: len(parent) + 1]) for record in records}
    return sorted(f"/{'/'.join(path)}" for path in paths if len(path) > len(parent))


def _meets(record: MemoryRecord, categories: list[str] | None, metadata: dict[str, Any] | None) -> bool:
    """Returns whether a record has one of the categories, and all of the metadata."""
    is_named = not categories or bool(set(categories) & set(record.categories))
    return is_named and all(record.metadata.get(key) == value for key, value in (metadata or {}).items())
