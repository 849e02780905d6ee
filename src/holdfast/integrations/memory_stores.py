"""Memory stores as Anthropic's API has them: texts at paths with versions, kept as passages of a memory."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any

from holdfast.api.memory import Memory
from holdfast.core.arguments import LIMIT_MAX, safe_repr
from holdfast.core.errors import Conflict, InvalidInput
from holdfast.core.errors import NotFound as Missing
from holdfast.core.pages import each
from holdfast.core.record import Memory as Record
from holdfast.integrations.documents import KIND, digest, text_of
from holdfast.integrations.memory_store_forms import (
    Answer,
    Version,
    check_digest,
    described,
    memory_answer,
    not_found,
    store_answer,
    stored_record,
    text_at,
    versions_in,
)

STORES = ("memory-stores", "stores")
"""The scope of the stores themselves."""
MEMORIES = "memory-store"
"""The type of the scope of what is in a store; its id is that of the store."""


class MemoryStores:
    """The stores that a memory may read, in one project (`workspace`) or, without one, in all places."""

    def __init__(self, memory: Memory, workspace: str | None = None) -> None:
        self._memory = memory
        self._workspace = workspace

    # stores

    def create_store(self, name: str, description: str, metadata: Mapping[str, str]) -> Answer:
        """Creates a store, seen by those who see what is kept in its project. Raises InvalidInput,
        NotFound."""
        text, more = described(name, description, metadata)
        seen_by = None if self._workspace is None else self._memory.projects.get(self._workspace).visibility
        result = self._memory.remember(
            text, kind=KIND, project=self._workspace, scope=STORES, metadata=more, expires_at="never",
            visibility=seen_by,
        )  # fmt: skip
        return store_answer(stored_record(result))

    def store(self, id: str) -> Record:
        """Returns the record of a store. Raises NotFound."""
        record = self._record(id, "memstore_")
        if (record.scope.type, record.scope.id) != STORES or self._workspace not in (None, record.project):
            raise not_found(id)
        return record

    def show_store(self, id: str) -> Answer:
        """Returns a store as the API shows it. Raises NotFound."""
        return store_answer(self.store(id))

    def update_store(
        self,
        id: str,
        name: str | None,
        description: str | None,
        metadata: Mapping[str, str | None] | None,
    ) -> Answer:
        """Changes what is given of a store; a key of the metadata that is None goes. Raises NotFound."""
        store = self._open_store(id)
        before_name, _, before_description = text_of(store).partition("\n")
        pairs = json.loads(store.metadata["pairs"]) | dict(metadata or {})
        text, more = described(
            before_name if name is None else name,
            before_description if description is None else description,
            {key: value for key, value in pairs.items() if value is not None},
        )
        return store_answer(self._revised(store, text=text, metadata=more))

    def archive_store(self, id: str) -> Answer:
        """Archives a store for good: it is read, and its memories deleted, but no longer changed."""
        store = self.store(id)
        if "archived" in store.metadata:
            return store_answer(store)
        return store_answer(self._revised(store, metadata={**store.metadata, "archived": True}))

    def delete_store(self, id: str) -> Answer:
        """Forgets a store with all that is in it; the store last, so that it can be done again."""
        store = self.store(id)
        for record in self._records(self._within(store)):
            with suppress(Missing):
                self._memory.forget(record.id)
        self._memory.forget(store.id)
        return {"id": id, "type": "memory_store_deleted"}

    def list_stores(self, *, archived: bool) -> list[Answer]:
        """Returns the stores, the newest first."""
        places: tuple[str | None, ...] = (self._workspace,) if self._workspace else (None, "*")
        stores = {
            store.id: store for name in places for store in self._records({"project": name, "scope": STORES})
        }
        newest = sorted(stores.values(), key=lambda store: (-store.recorded_at, store.id))
        return [store_answer(store) for store in newest if archived or "archived" not in store.metadata]

    # memories

    def create(self, store_id: str, path: str, content: str, *, full: bool) -> Answer:
        """Creates a memory. Raises Conflict `external_id_taken` if there is one at the path."""
        store = self._open_store(store_id)
        text, metadata = text_at(path, content)
        self._check_free(store, path)
        result = self._memory.remember(
            text, kind=KIND, metadata=metadata, external_id=digest(path), if_absent=True, expires_at="never",
            visibility=store.visibility.value, **self._within(store),
        )  # fmt: skip
        return memory_answer(stored_record(result), full=full)

    def show(self, store_id: str, id: str, *, full: bool) -> Answer:
        """Returns a memory. Raises NotFound."""
        return memory_answer(self._in_store(self.store(store_id), id), full=full)

    def update(
        self,
        store_id: str,
        id: str,
        *,
        content: str | None,
        path: str | None,
        expected: str | None,
        full: bool,
    ) -> Answer:
        """Changes content or path of a memory, or both. Raises Conflict: `version_mismatch` if its content
        has another digest than `expected`, `external_id_taken` if another memory is at the path."""
        store = self._open_store(store_id)
        record = self._in_store(store, id)
        check_digest(record, expected)
        before = record.metadata["path"]
        whole = text_of(record) if content is None else content
        text, metadata = text_at(before if path is None else path, whole)
        moves = metadata["path"] != before
        if moves:
            self._check_free(store, metadata["path"])
        elif whole == text_of(record):
            return memory_answer(record, full=full)
        revised = self._revised(
            record, text=text, metadata=metadata, if_version=record.version,
            **({"external_id": digest(metadata["path"])} if moves else {}),
        )  # fmt: skip
        return memory_answer(revised, full=full)

    def delete(self, store_id: str, id: str, *, expected: str | None) -> Answer:
        """Forgets a memory; its versions stay. Raises Conflict `version_mismatch`."""
        record = self._in_store(self.store(store_id), id)
        check_digest(record, expected)
        self._memory.forget(record.id, if_version=None if expected is None else record.version)
        return {"id": id, "type": "memory_deleted"}

    def list_memories(self, store_id: str, *, prefix: str | None, depth: int, full: bool) -> list[Answer]:
        """Returns the memories below a prefix by path; those below `depth` segments as the prefix they
        share."""
        prefix = prefix or "/"
        if not (prefix.startswith("/") and prefix.endswith("/")):
            raise InvalidInput("path_prefix begins and ends with /", code="argument_invalid")
        listed: dict[str, Answer] = {}
        for record in self._records(self._within(self.store(store_id))):
            path = record.metadata["path"]
            if not path.startswith(prefix):
                continue
            segments = path.removeprefix(prefix).split("/")
            if 0 < depth < len(segments):
                path = prefix + "/".join(segments[:depth]) + "/"
                listed[path] = {"type": "memory_prefix", "path": path}
            else:
                listed[f"{path}\n{record.id}"] = memory_answer(record, full=full)
        return [listed[key] for key in sorted(listed)]

    # versions

    def list_versions(self, store_id: str, memory_id: str | None) -> list[Version]:
        """Returns the versions of a store or of one memory in it, deleted ones included, newest first."""
        store = self.store(store_id)
        record_id = None if memory_id is None else memory_id.removeprefix("mem_")
        versions = [version for id in self._ids(store, record_id) for version in self._versions_of(id)]
        return sorted(versions, key=lambda version: version.place)

    def version(self, store_id: str, id: str) -> Version:
        """Returns a version of a memory. Raises NotFound."""
        memory, _, _ = id.removeprefix("memver_").partition(".")
        candidates = [
            version
            for memory_id in self._ids(self.store(store_id), memory)
            for version in self._versions_of(memory_id)
        ]
        version = next((candidate for candidate in candidates if candidate.id == id), None)
        if version is None:
            raise not_found(id)
        return version

    def redact(self, store_id: str, id: str) -> Version:
        """Erases what a version says. Raises Conflict `version_current` for the present one."""
        version = self.version(store_id, id)
        if version.number is None:
            raise InvalidInput("this version says only that the memory was deleted", code="argument_invalid")
        if version.redacted is None:
            self._memory.redact(version.memory, version.number)
        return self.version(store_id, id)

    def _ids(self, store: Record, memory_id: str | None) -> list[str]:
        """Returns the ids of the memories of a store, deleted ones included, or of the one that is wanted."""
        if memory_id is not None:
            with suppress(Missing):
                return [self._in_store(store, f"mem_{memory_id}").id]
        ids = [record.id for record in self._records(self._within(store), include="deleted")]
        return [id for id in ids if memory_id in (None, id)]

    def _versions_of(self, id: str) -> list[Version]:
        return versions_in(id, self._memory.history(id, deleted=True))

    # how records are read and written

    def _within(self, store: Record) -> dict[str, Any]:
        return {"project": store.project, "scope": (MEMORIES, store.id)}

    def _records(self, place: Mapping[str, Any], **more: Any) -> Iterator[Record]:
        return each(
            lambda cursor: self._memory.list(**place, **more, kinds=KIND, limit=LIMIT_MAX, cursor=cursor)
        )

    def _record(self, id: str, prefix: str) -> Record:
        record = self._memory.get(id.removeprefix(prefix))
        if id != f"{prefix}{record.id}":
            raise not_found(id)
        return record

    def _open_store(self, id: str) -> Record:
        """Returns a store that may be changed. Raises InvalidInput for one that is archived."""
        store = self.store(id)
        if "archived" in store.metadata:
            raise InvalidInput(f"{id} is archived", code="argument_invalid")
        return store

    def _in_store(self, store: Record, id: str) -> Record:
        record = self._record(id, "mem_")
        if (record.scope.type, record.scope.id) != (MEMORIES, store.id):
            raise not_found(id)
        return record

    def _check_free(self, store: Record, path: str) -> None:
        """Raises Conflict if somebody has a memory at a path: one's own are settled by the store as well."""
        if next(self._records(self._within(store), metadata={"path": path}), None) is not None:
            raise Conflict(f"there is a memory at {safe_repr(path)}", code="external_id_taken")

    def _revised(self, record: Record, **changes: Any) -> Record:
        return stored_record(self._memory.revise(record.id, **changes))
