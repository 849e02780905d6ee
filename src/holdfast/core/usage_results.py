"""Usage statistics as results, apart from `usage`: a start does not build them."""

from __future__ import annotations

from dataclasses import field

from holdfast.core.usage import Tally
from holdfast.core.value_classes import value_class
from holdfast.core.wire import Millis, Plain, wire


@value_class
class Delivered(Plain):
    """The delivery of a memory to a working session: its `session`, and its title as `conversation`, if it is
    a stored one."""

    session: str | None
    conversation: str | None
    project: str | None
    at: Millis
    actor: str = field(metadata=wire(about="Who asked, such as user:ana or agent:coder@ana."))


@value_class
class Latencies:
    """Latencies of one embedding, one search and one durable write, in milliseconds.

    None for an operation that is not possible: an embedder that does not answer, a store that is read-only.
    """

    embedding: float | None
    search: float | None
    write: float | None


@value_class
class Discovery(Plain):
    """Tokens that sessions read and searched before the first look at the file that they then changed first:
    medians, counted from their logs, of sessions that were given memory and of the others."""

    sessions_with: int = field(default=0, metadata=wire(name="sessions_with_memory"))
    tokens_with: float | None = field(default=None, metadata=wire(name="tokens_with_memory"))
    sessions_without: int = field(default=0, metadata=wire(name="sessions_without_memory"))
    tokens_without: float | None = field(default=None, metadata=wire(name="tokens_without_memory"))


@value_class
class StoreStorage(Plain):
    """Amount that all users of a store keep together. A quota of 0 is none."""

    users: int
    versions: int
    bytes: int
    quota_memories: int
    quota_bytes: int


@value_class
class Storage(Plain):
    """Amount that the caller keeps, wherever it is: every version of a memory counts, also of one that was
    forgotten and not erased, with the bytes of its text and metadata. A quota of 0 is none. `store` is what
    all users keep, for owners and admins of a store that has a quota for all of them."""

    versions: int
    bytes: int
    quota_memories: int
    quota_bytes: int
    store: StoreStorage | None = None


@value_class
class Stats(Plain):
    """Usage statistics of a place.

    `memories` counts the memories that the caller sees there, without `passages`, the parts of indexed files.
    `confidence` is the mean over knowledge, None if there is none; `coverage` is the share of modules that
    are mapped, None without a map. `work` is the sum over the caller's `sessions`, or that of the requested
    one. `discovery` is what logs of the caller show, None for one session or for a
    credential that is limited to projects. `storage` is what the caller keeps, None for a project, a session
    or such a credential.
    """

    project: str | None
    session: str | None
    memories: int = field(metadata=wire(name="total_memories"))
    confidence: float | None = field(metadata=wire(name="avg_confidence_score", digits=4))
    coverage: float | None = field(metadata=wire(name="module_map_coverage", digits=4))
    sessions: int
    work: Tally = field(metadata=wire(flat=True))
    latencies: Latencies | None = field(default=None, metadata=wire(name="latency_ms"))
    passages: int = field(default=0, metadata=wire(name="total_passages"))
    discovery: Discovery | None = field(default=None, metadata=wire(name="discovery_measured"))
    storage: Storage | None = None
