"""Documents under keys in a memory: what the stores, files and sessions of frameworks are built on."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any

from holdfast.api.memory import Memory
from holdfast.core.arguments import LIMIT_MAX
from holdfast.core.errors import Conflict, InvalidInput, NotFound
from holdfast.core.hits import Hits
from holdfast.core.pages import each
from holdfast.core.record import Memory as Record
from holdfast.core.record import Outcome
from holdfast.core.text import normalise
from holdfast.core.times import When
from holdfast.features.recall.recall import QUERY_MAX

KIND = "passage"
"""The kind of documents: evidence, which is stored word for word and never merged."""
_EMPTY = "(empty)"
_EDGES = re.compile(r"(?s)(\s*)(.*?)(\s*)")


class Documents:
    """Texts under keys in a memory, apart from other memories by their scope.

    A text comes back to the character, but for secrets, which are removed as everywhere. Each change is a
    version in the history of its memory, and what is deleted can be restored.
    """

    def __init__(self, memory: Memory, scope: str, *, project: str | None = None) -> None:
        if not isinstance(memory, Memory):
            raise TypeError(
                f"a holdfast.Memory is needed, not {type(memory).__name__}; what is awaited runs in a thread"
            )
        self.memory = memory
        self._place: dict[str, Any] = {"project": project, "scope": (scope, "documents")}

    def get(self, key: str) -> Record | None:
        """Returns the memory of a document; None if there is none, or it has expired."""
        record = self._find(key)
        if record is not None and record.expires_at is not None:
            return next(self.all({"document": digest(key)}), None)
        return record

    def put(
        self,
        key: str,
        text: str,
        metadata: Mapping[str, Any],
        *,
        expires_at: When | None = None,
    ) -> Record:
        """Stores a document, or replaces its text, metadata and expiry. Raises InvalidInput if it is
        refused."""
        stored, form = packed(text)
        result = self.memory.remember(
            stored, kind=KIND, external_id=digest(key), expires_at=expires_at or "never",
            metadata={**metadata, **form, "document": digest(key)}, **self._place,
        )  # fmt: skip
        if result.memory is None or result.outcome is Outcome.REFUSED:
            raise InvalidInput(result.reason, code="argument_invalid")
        return result.memory

    def extend(self, record: Record, expires_at: When) -> None:
        """Moves the expiry of a document, unless it was deleted or changed meanwhile."""
        with suppress(NotFound, Conflict):
            self.memory.revise(record.id, expires_at=expires_at)

    def delete(self, key: str) -> bool:
        """Deletes a document. Returns whether there was one."""
        existing = self._find(key)
        if existing is None:
            return False
        with suppress(NotFound):
            self.memory.forget(existing.id)
        return True

    def all(self, metadata: Mapping[str, Any] | None = None) -> Iterator[Record]:
        """Yields the memories of the documents with this metadata, the newest first."""
        narrowed: dict[str, Any] = {**self._place, "kinds": KIND, "metadata": metadata}
        return each(lambda cursor: self.memory.list(**narrowed, limit=LIMIT_MAX, cursor=cursor))

    def search(
        self, query: str, metadata: Mapping[str, Any] | None = None, *, limit: int = LIMIT_MAX
    ) -> Hits:
        """Returns the documents with this metadata that match a query, best first."""
        return self.memory.recall(
            query[:QUERY_MAX], **self._place, kinds=KIND, metadata=metadata, limit=min(limit, LIMIT_MAX)
        )

    def _find(self, key: str) -> Record | None:
        try:
            return self.memory.get(digest(key), **self._place, kinds=KIND)
        except NotFound:
            return None


def text_of(record: Record) -> str:
    """Returns the text of a record as it was before `packed`."""
    return unpacked(record.text, record.metadata)


def unpacked(text: str, metadata: Mapping[str, Any]) -> str:
    """Returns a text as it was before `packed`, from its packed form and the metadata that came with it."""
    form = metadata.get("form")
    before, after = json.loads(metadata.get("edges", '["", ""]'))
    text = "" if form == "blank" else json.loads(text) if form == "json" else text
    return f"{before}{text}{after}"


def packed(text: str) -> tuple[str, dict[str, Any]]:
    """Returns a text in a form that normalisation does not change, and what brings the original back."""
    edges = _EDGES.fullmatch(text)
    before, core, after = edges.groups() if edges else ("", text, "")
    form = {"edges": json.dumps([before, after])} if before or after else {}
    if not core:
        return _EMPTY, form | {"form": "blank"}
    if normalise(core).text != core:
        return json.dumps(core), form | {"form": "json"}
    return core, form


def digest(key: str) -> str:
    return hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest()
