"""The protocol of a kind of store: opening it, naming it, and what can be done while it is closed."""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING, Protocol

from holdfast.core.value_classes import value_class
from holdfast.stores.base.keys import KeyRing
from holdfast.stores.base.ports import Clock, Spool, Store
from holdfast.stores.base.replays import MemoryReplays, Replays

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from contextlib import AbstractContextManager
    from pathlib import Path

    from holdfast.config import Settings
    from holdfast.core.events import Event
    from holdfast.core.members import Member
    from holdfast.stores.base.tenant_moves import TenantMoves


@value_class
class Opened:
    """One opened tenant: its store, its spool of job payloads, its API keys, and answers to repeat."""

    store: Store
    spool: Spool
    keys: KeyRing
    replays: Replays = field(default_factory=MemoryReplays)


@value_class
class Moved:
    """The note left at a store whose memories were migrated. `to` is an address without credentials, `at`
    UTC epoch milliseconds. For an encrypted store it has no `users`, since the note itself is plain; it
    outlives erased memories, so it contains no digest of the store.
    """

    to: str
    at: int
    users: tuple[str, ...]
    memories: int


@value_class
class Indexes:
    """The outcome of creating indexes: numbers of pools; `passages` is the number of indexed passages."""

    made: int
    kept: int
    dropped: int
    passages: int


@value_class
class Engine:
    """The programs that read a kind of store, with their versions, what they lack, and what repairs that."""

    versions: str
    problems: tuple[str, ...] = ()
    repair: str = ""


@value_class
class Schema:
    """The schema of a store, and the one that this version of Holdfast writes."""

    found: int
    known: int


class Encryption(Protocol):
    """Changes of the encryption key of a store in files. Each records an event, at the time of `clock`."""

    def encrypt(self, settings: Settings, *, key_file: Path | None, in_keychain: bool, clock: Clock) -> str:
        """Encrypts a store in place, or creates an empty encrypted one, and returns where its key is
        (S4.55).

        The key is random and stored in a file, which is created if it is missing, or in the keychain; with
        neither it is the configured key. Raises InvalidInput, `nothing_to_change` if the store is
        encrypted; StoreError.
        """

    def rekey(self, settings: Settings, *, key_file: Path | None, in_keychain: bool, clock: Clock) -> str:
        """Replaces the key of an encrypted store and returns where the new one is. Raises StoreError,
        InvalidInput.
        """

    def decrypt(self, settings: Settings, *, clock: Clock) -> None:
        """Decrypts a store. Its key is not deleted, since copies may need it. Raises StoreError."""


class Administration(Protocol):
    """Preparation of a database that many tenants share, as the owner of its tables."""

    def prepare(self, settings: Settings, *, application: str) -> int:
        """Migrates the tables of the configured database to the schema of this version, after a backup of
        each tenant, and grants the application role access; returns the schema version. Raises InvalidInput,
        StoreError.
        """

    def index(self, address: str, *, above: int) -> Indexes:
        """Creates a server-side index for each pool of a tenant whose vectors take more than `above` bytes
        in memory, and drops the others. Raises InvalidInput, StoreError.
        """


@value_class
class Since:
    """The decisions of a store that a copy, made of it or of another, is to replace.

    `follows` says that its history goes on from the copy: only then memories that it lacks are known to be
    `erased`, by owner. `registers` are the events of its registers, `copied` those of the copy. `tombstones`
    are by owner, each with whether a person forgot, and `hidden` the ids of memories that are forgotten.
    `redacted` are the versions that were redacted, by owner: the id of the memory and the version; `cleaned`
    those out of which was taken what the rules find, each with whether personal data was. `conversations` and
    `imports` are the ids of those that the copy has and the store has no more, by owner. `projects` are the
    ids of those that were purged, and (false) of those that lost their owner with their settings. `change` is
    the number of the last change of a store that others may write meanwhile.
    """

    follows: bool = False
    erased: Mapping[str, Sequence[str]] = field(default_factory=dict)
    registers: Sequence[Event] = ()
    copied: Sequence[Event] = ()
    tombstones: Mapping[str, Mapping[str, bool]] = field(default_factory=dict)
    hidden: Mapping[str, Sequence[str]] = field(default_factory=dict)
    members: Sequence[Member] = ()
    redacted: Mapping[str, Sequence[tuple[str, int]]] = field(default_factory=dict)
    cleaned: Mapping[str, Sequence[tuple[str, int, bool]]] = field(default_factory=dict)
    conversations: Mapping[str, Sequence[str]] = field(default_factory=dict)
    imports: Mapping[str, Sequence[str]] = field(default_factory=dict)
    projects: Mapping[str, bool] = field(default_factory=dict)
    change: int | None = None


@value_class
class Home:
    """The name of a store in its backups, and its place: `name` is the store without credentials, `stem`
    begins the name of each of its backups, `file` is its file, or None if it is in a database server."""

    name: str
    stem: str
    file: Path | None = None


class Copies(Protocol):
    """Copies of a store for backups: each is a store in a file."""

    def home(self, settings: Settings) -> Home:
        """Returns how backups of the configured store are named."""

    def exists(self, settings: Settings) -> bool:
        """Returns whether the configured store exists. Raises StoreError if a server cannot be asked."""

    def settings_of(self, settings: Settings, copy: Path) -> Settings:
        """Returns settings that open a copy of the configured store, with its key, or that of
        backups. Raises StoreError `key_missing`."""

    def copy(self, settings: Settings, target: Path) -> None:
        """Copies the configured store, which may be in use, to a file that does not exist, with what is
        next to it. Raises StoreError."""

    def memories(self, copy: Settings) -> int:
        """Returns how many memories of everybody a copy holds that are not forgotten; `copy` are settings
        that open it. Raises StoreError."""

    def held(self, settings: Settings) -> AbstractContextManager[None]:
        """Keeps everybody else from opening the configured file while the context lasts. Raises StoreBusy if
        anybody has it open, StoreError if its user may not replace what a server holds, which others may
        write meanwhile."""

    def since(self, settings: Settings, copy: Path) -> Since:
        """Returns what was decided in the configured store and in a copy. Raises StoreError if it cannot be
        read."""

    def put_back(self, settings: Settings, copy: Settings, *, change: int | None) -> None:
        """Replaces the configured store, which the caller holds (`held`), by a copy, at once, or makes it;
        `copy` are settings that open the copy. Killed at any point, one of both is there. Raises StoreBusy if
        anybody reads the file, or has written to a server since `change`, as `since` returned it;
        StoreError."""


class Backend(Protocol):
    """One kind of store."""

    @property
    def copies(self) -> Copies | None:
        """Returns how it is copied; None if that is done by other means."""

    @property
    def administration(self) -> Administration | None:
        """Returns the preparation of its database; None for a file, which needs none."""

    @property
    def moves(self) -> TenantMoves | None:
        """Returns how a tenant is moved to another server of this kind; None for a file."""

    @property
    def encryption(self) -> Encryption | None:
        """Returns the encryption of its files; None if the operator of the server encrypts its disk."""

    def open(self, settings: Settings, *, create: bool = True) -> Opened:
        """Opens the store that the settings name. Raises StoreError if it cannot be opened, or if it does
        not exist and `create` is off; InvalidInput `extra_missing` if a package is missing.
        """

    def engine(self) -> Engine:
        """Returns the programs that read this kind of store. Raises InvalidInput `extra_missing`."""

    def schema(self, settings: Settings) -> Schema | None:
        """Returns the schema of a store, which is only read; None if there is none yet. Raises StoreError,
        InvalidInput."""

    def makes_file(self, location: str) -> bool:
        """Returns whether opening would create a file."""

    def without_password(self, location: str) -> str:
        """Returns a location without its password, for display. Raises InvalidInput if the password cannot
        be identified.
        """

    def from_anywhere(self, location: str) -> str:
        """Returns a location that is valid in any working directory, without a password. Raises
        InvalidInput.
        """

    def moved(self, location: str) -> Moved | None:
        """Returns the note that the memories of a store were migrated, if there is one."""

    def note_moved(self, location: str, moved: Moved) -> None:
        """Writes that note for later users of the store, if the backend supports it. Raises OSError."""
