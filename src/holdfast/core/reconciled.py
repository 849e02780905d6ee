"""Values of reconciliation: what a source holds, what is known of it, and what a reconciliation changed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from holdfast.core.tidying import UNUSED
from holdfast.core.wire import Millis, Plain, wire

VANISHED = "no longer in its source"
"""The reason why a description was removed: it comes back with what it describes."""
SOURCE_DELETED = "source deleted"
"""The reason that stores give to what was removed with its source."""
RETURNING = frozenset({VANISHED, SOURCE_DELETED, UNUSED})
"""The reasons for which what was removed comes back with what it describes: nobody forgot it."""
SHOWN = 200
"""Most changes that the result of one reconciliation lists, and most files that are left out."""

FILE, CODE_CELL, DATA_TABLE, SHEET_TABLE, CHART, CONNECTION = (
    "FILE", "CODE_CELL", "DATA_TABLE", "SHEET_TABLE", "CHART", "CONNECTION",
)  # fmt: skip
"""The entity types that are described by rules of their own."""
FILE_ID = "file"
"""The id of the entity of a file as a whole."""


class Entity(NamedTuple):
    """One thing that a source holds, such as a table or a cell.

    `data` is plain JSON: what its description is computed from. With an `error` it could not be read this
    time, or cannot be described, and what is known of it stays.
    """

    type: str
    id: str
    data: dict[str, Any]
    error: str | None = None


@dataclass(frozen=True, slots=True)
class Entities:
    """Entities as columns, since there are tens of thousands and few are looked at: only these become an
    `Entity`."""

    types: Sequence[str]
    ids: Sequence[str]
    data: Sequence[dict[str, Any]]
    errors: Sequence[str | None]

    @classmethod
    def of(cls, entities: Iterable[Entity]) -> Entities:
        """Returns the columns of entities."""
        columns = zip(*entities, strict=True)
        return cls(*(tuple(columns) or ((), (), (), ())))

    @property
    def has_errors(self) -> bool:
        """Returns whether some could not be read."""
        return self.errors.count(None) < len(self.errors)

    def __len__(self) -> int:
        return len(self.ids)

    def __getitem__(self, index: int) -> Entity:
        return Entity(self.types[index], self.ids[index], self.data[index], self.errors[index])

    def __iter__(self) -> Iterator[Entity]:
        return map(Entity, self.types, self.ids, self.data, self.errors)


def payload_with(name: str, platform: str, entities: Iterable[Entity]) -> dict[str, Any]:
    """Returns the payload of a source: its name, what it is, and its entities."""
    listed = [
        {"type": entity.type, "id": entity.id, "data": entity.data}
        | ({"error": entity.error} if entity.error else {})
        for entity in entities
    ]
    return {"name": name, "platform": platform, "entities": listed}


CODEBASE = "codebase"
"""The kind of a source whose modules are described."""
DIGEST = 32
"""The length of each of the two digests of a fingerprint."""


class Fingerprint(NamedTuple):
    """The state of one description in a store, without its text: a row as stores return it, since tens of
    thousands are compared at a time.

    `digest` is that of what it was computed from, with what that was called, and after it the digest
    of the same without names.
    """

    id: str
    version: int
    kind: str
    scope_type: str
    external_id: str | None
    digest: str | None
    status: str
    pinned: bool
    edited: bool
    deleted_at: int | None
    deleted_reason: str | None
    supersedes: str | None

    @property
    def content(self) -> str:
        """Returns the digest of what is described, whatever it is called."""
        return (self.digest or "")[DIGEST:]

    @property
    def is_held(self) -> bool:
        """Returns whether a person pinned or edited it: no machine changes or removes it."""
        return bool(self.pinned or self.edited)

    @property
    def is_proposal(self) -> bool:
        """Returns whether it waits beside a description that a person holds."""
        return self.external_id is None

    @property
    def may_return(self) -> bool:
        """Returns whether it was removed with what it describes, not forgotten by somebody."""
        return self.deleted_reason in RETURNING


@dataclass(frozen=True, slots=True)
class EntityChange(Plain):
    """One change: what was done to the description of which entity. `memory` is None in a dry run."""

    action: str = field(
        metadata=wire(
            about="`created`, `updated`, `restored`, `removed`, `proposed`, `kept`, `failed`, `forgotten`,"
            " `refused` or `skipped`."
        )
    )
    type: str
    entity: str
    title: str | None = None
    memory: str | None = None
    why: str | None = None


@dataclass(frozen=True, slots=True)
class Reconciled(Plain):
    """The result of reconciling what a source holds with what is known of it.

    `unchanged` had the same fingerprint, `refreshed` another one and the same description. `proposed` wait
    for review beside a description that a person pinned or edited; `kept` are such descriptions of what is
    gone, `failed` could not be read and stay as known, `forgotten` stay forgotten. `skipped` are files of a
    folder that are not read with it. With `outdated`, a newer payload had been applied, and nothing was
    changed. `changes` lists the first changes; `renamed_from` is the name of the source until now, if it was
    recognised under another one.
    """

    source: str | None
    name: str
    platform: str
    sequence: int
    outdated: bool = False
    dry_run: bool = False
    created: int = 0
    updated: int = 0
    restored: int = 0
    removed: int = 0
    unchanged: int = 0
    refreshed: int = 0
    proposed: int = 0
    kept: int = 0
    failed: int = 0
    forgotten: int = 0
    refused: int = 0
    skipped: int = 0
    changes: tuple[EntityChange, ...] = ()
    renamed_from: str | None = None


@dataclass(frozen=True, slots=True)
class DescribedSource(Plain):
    """A source whose content is described: a file, a database or the like.

    `members` are the users who may read it besides its owner; None if everybody whom `visibility` includes
    may. `complete` is false while a payload is being applied, or after its application was interrupted.
    """

    id: str
    name: str
    file: str = field(metadata=wire(about="What its client calls it, such as its path."))
    platform: str
    owner: str
    project: str | None
    visibility: str
    members: tuple[str, ...] | None
    sequence: int
    complete: bool
    reconciled_at: Millis
    memories: int
    stamp: str | None = field(default=None, metadata=wire(hidden=True, absent=None))
    """A digest of the names, sizes and times of its files, by which a change is noticed."""


@dataclass(frozen=True, slots=True)
class Unread(Plain):
    """A source of this machine that could not be read: what is known of it stays. `source` is None if it was
    not known."""

    source: str | None
    name: str
    file: str
    code: str
    reason: str


@dataclass(frozen=True, slots=True)
class Refreshed(Plain):
    """The result of reading several sources of this machine: what changed of those that were read, and those
    that could not be read."""

    sources: tuple[Reconciled, ...] = ()
    failures: tuple[Unread, ...] = ()
