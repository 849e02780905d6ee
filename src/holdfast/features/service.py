"""The context of a use case: store, embedder, clock and principal."""

from __future__ import annotations

import os
import threading
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from holdfast.core.changes import Changes
from holdfast.core.errors import InvalidInput
from holdfast.core.ids import uuid7
from holdfast.core.places import Principal
from holdfast.core.spans import NOBODY, Spans
from holdfast.core.storage import NO_QUOTAS, Quotas
from holdfast.language.facts.topics import BUILT_IN, Topics
from holdfast.language.secrets.entropy import ENTROPY_THRESHOLD
from holdfast.stores.base.caching import Caching
from holdfast.stores.base.clock import wall_clock
from holdfast.stores.base.keys import KeyRing, MemoryKeys
from holdfast.stores.base.ports import Clock, Embedder, Spool, Store, Use
from holdfast.stores.base.replays import MemoryReplays, Replays

if TYPE_CHECKING:
    from holdfast.core.usage import DeliveredContext, Tally
    from holdfast.features.admission.admission import Admission
    from holdfast.stores.base.backup_files import BackupPlace


def no_backups() -> InvalidInput:
    """Returns the error for a store of which Holdfast makes no backups."""
    return InvalidInput(
        "Holdfast makes no backups of this kind of store", code="argument_invalid",
        hint="`holdfast export` writes out what is yours",
    )  # fmt: skip


def _without_backups() -> BackupPlace:
    raise no_backups()


class Bell:
    """A signal to the workers of this process that a job may be due."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self.rung = 0

    def ring(self) -> None:
        """Wakes all waiting workers. To be called once the job is visible: after the commit."""
        with self._changed:
            self.rung += 1
            self._changed.notify_all()

    def wait(self, last_count: int, seconds: float) -> int:
        """Waits until the count of rings differs from `last_count`, at most `seconds`. Returns the count."""
        with self._changed:
            self._changed.wait_for(lambda: self.rung != last_count, seconds)
            return self.rung


@dataclass(slots=True)
class Pending:
    """Counts of one principal that are not written yet: which memories were recalled, in how many requests,
    what was given outside of sessions, by project, which memories prompts were given, and what the citations
    of contexts stand for. They are written in a batch, off the read path (S2.33)."""

    uses: dict[str, Use] = field(default_factory=dict)
    work: dict[int, Tally] = field(default_factory=dict)
    injected: Counter[str] = field(default_factory=Counter)
    citations: list[DeliveredContext] = field(default_factory=list)
    requests: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)

    def drop(self, ids: Iterable[str] | None = None) -> None:
        """Drops the uses of memories that are gone; without ids everything."""
        with self.lock:
            if ids is None:
                self.uses.clear()
                self.work.clear()
                self.injected.clear()
                self.citations.clear()
            for id in ids or ():
                self.uses.pop(id, None)
                self.injected.pop(id, None)
                for delivery in self.citations:
                    for citation in [number for number, cited in delivery.ids.items() if cited == id]:
                        del delivery.ids[citation]


@dataclass(slots=True)
class Service:
    """One opened tenant with the principal who uses it.

    `randomness` returns n random bytes; `pending` are the counts of the principal, of nobody else. `spool` is
    None if large inputs cannot be deferred. `keys` are the credentials of the tenant: if the store keeps
    none, they last as long as the process. `by_credential` says that the principal comes from a key or token,
    not from the user who opened the store, and `may_write` whether it may change anything. `interface` is the
    one through which the service is used, as the records of statements name it. The vectors of
    `next_embedder` are made beside those of `embedder`, which recall uses. `is_apart` says that the principal
    is one of many users who are no team. `backup_place` returns where the backups of the store are.
    """

    store: Store
    embedder: Embedder
    principal: Principal
    clock: Clock = wall_clock
    randomness: Callable[[int], bytes] = os.urandom
    secret_entropy: float = ENTROPY_THRESHOLD
    topics: Topics = BUILT_IN
    expiry_days: int = 0
    pii_patterns: tuple[tuple[str, str], ...] = ()
    learning_trust: str = "standard"
    sharing: str = "auto"
    is_apart: bool = False
    system_prompt: str | None = None
    tidy: str = "show"
    names: str = "on"
    quotas: Quotas = NO_QUOTAS
    next_embedder: Embedder | None = None
    model_addresses: tuple[str, ...] = ()
    model_key_files: tuple[tuple[str, str], ...] = ()
    pending: Pending = field(default_factory=Pending)
    spool: Spool | None = None
    keys: KeyRing = field(default_factory=MemoryKeys)
    replays: Replays = field(default_factory=MemoryReplays)
    by_credential: bool = False
    may_write: bool = True
    bell: Bell = field(default_factory=Bell)
    changes: Changes = field(default_factory=Changes)
    spans: Spans = NOBODY
    interface: str = "library"
    backup_place: Callable[[], BackupPlace] = field(default=_without_backups, repr=False)

    def __post_init__(self) -> None:
        self.share(self.sharing)

    def share(self, sharing: str) -> None:
        """Sets whether users share, for the principal as well."""
        self.sharing = sharing
        self.principal = replace(self.principal, alone=not self.shares)

    @property
    def shares(self) -> bool:
        """Returns whether the principal may keep something that other users see."""
        return self.sharing == "on" or (self.sharing == "auto" and not self.is_apart)

    @property
    def embedders(self) -> tuple[Embedder, ...]:
        """Returns the embedder of recall, and the one that is prepared beside it, if there is one."""
        return (self.embedder,) if self.next_embedder is None else (self.embedder, self.next_embedder)

    @property
    def admission(self) -> Admission:
        """Returns the entry of every text that this service stores."""
        from holdfast.features.admission.admission import Admission  # not imported for reading

        return Admission(
            self.principal, self.secret_entropy, self.topics, self.expiry_days, self.pii_patterns
        )

    def drop_counts(self, ids: Iterable[str] | None = None) -> None:
        """Drops what this process holds of memories that are gone; without ids everything: counts of uses,
        and vectors of texts that were sent to a model."""
        self.pending.drop(ids)
        for embedder in self.embedders:
            if isinstance(embedder, Caching):
                embedder.cache.clear()

    def acting_as(self, principal: Principal) -> Service:
        """Returns the service for another principal, with pending counts of its own."""
        return replace(self, principal=principal, pending=Pending())

    def new_id(self, now: int) -> str:
        """Returns a new UUIDv7."""
        return uuid7(now, self.randomness(10))
