"""Protocols that features require: store, embedder, clock, spool."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import field
from typing import TYPE_CHECKING, Any, Protocol, TypeGuard

from holdfast.core.pages import Listing
from holdfast.core.places import Place, Principal
from holdfast.core.value_classes import value_class
from holdfast.core.views import Filter, View
from holdfast.core.wire import Plain
from holdfast.language.terms import Terms
from holdfast.stores.base.files import FileReader, FileWriter
from holdfast.stores.base.graph import GraphReader, GraphWriter
from holdfast.stores.base.jobs import JobReader, JobWriter
from holdfast.stores.base.lookups import LookupReader
from holdfast.stores.base.models import ModelReader, ModelWriter
from holdfast.stores.base.projects import ProjectReader, ProjectWriter
from holdfast.stores.base.retention import RetentionReader
from holdfast.stores.base.sessions import SessionReader, SessionWriter
from holdfast.stores.base.sources import SourceReader, SourceWriter
from holdfast.stores.base.summaries import SummaryReader, SummaryWriter
from holdfast.stores.base.team import TeamReader, TeamWriter
from holdfast.stores.base.tombstones import TombstoneReader, TombstoneWriter
from holdfast.stores.base.usage import UsageReader, UsageWriter

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from holdfast.core.errors import Damaged
    from holdfast.core.events import Event, Head
    from holdfast.core.facets import Facet
    from holdfast.core.facts import Stated, Statement
    from holdfast.core.metrics import Metric
    from holdfast.core.record import Change, Memory, Status
    from holdfast.stores.base.admitted import Admitted
    from holdfast.stores.base.derived import Derive
    from holdfast.stores.base.read_counts import ReadCounts
    from holdfast.stores.base.signals import Signals

    Vector = NDArray[np.float32]
    Vectors = NDArray[np.float32]


class Embedder(Protocol):
    """Turns texts into unit vectors. `model` and `dim` are stored with every vector (S1.47).

    `local` says that embedding needs no network and well under a millisecond, so that it may run inside a
    write; other embedders run in a job after the text is durable. One whose cosines have the scale that
    confidence was fitted to may also have `cosine_floor`, the least cosine of a hit without a shared word.
    """

    @property
    def model(self) -> str: ...
    @property
    def dim(self) -> int: ...
    @property
    def local(self) -> bool: ...
    def embed(
        self, texts: Sequence[str], *, query: bool = False, emphasis: Mapping[str, float] | None = None
    ) -> NDArray[np.float32]:
        """Returns unit vectors, shape (texts, dim). `emphasis` gives weights for words of a query, in lower
        case, and is passed to local embedders only. May raise anything; recall then uses words alone.
        """


class Lexicon(Protocol):
    """A list of words, which an embedder may have."""

    def knows(self, word: str) -> bool:
        """Returns whether a word in lower case is a word of the language."""

    def represented(self, text: str) -> float:
        """Returns the share of a text's words that have a meaning, 0 for a language that is not known."""


def has_lexicon(embedder: object) -> TypeGuard[Lexicon]:
    """Returns whether an embedder has a list of words, also one inside a wrapper."""
    return hasattr(embedder, "represented")


class Clock(Protocol):
    """A clock in UTC epoch milliseconds."""

    def __call__(self) -> int: ...


Names = Collection[str] | None
"""Names that narrow a reading; None narrows nothing."""


@value_class
class Question:
    """The query for candidates. Either of words and vector may be missing. `fetch` is the number of
    candidates for each.

    `emphasise` computes the vector when the weight of each term in the view is known (0 to 1, the rarest
    has 1), and which words of the view stand for words that it does not have; `vector` is used without it.
    Both are of `model` and `dim`. `spelled` returns words by their term: if the view lacks one, its words one
    edit away stand for it. `names` are words that may name a speaker, in lower case. `boosts` are factors by
    scope type. `times` are the periods that the question names, from and until (exclusive), in epoch
    milliseconds, and `manners` bits of `Manner`: the best memories of these are included as well. With
    `context`, the neighbours of a candidate in its session are included. Candidates that share no word and
    whose cosine is below `least` may be left out.
    """

    terms: tuple[int, ...]
    vector: Vector | None
    model: str
    dim: int
    fetch: int
    now: int
    emphasise: Callable[[Sequence[float], Mapping[str, str]], Vector | None] | None = None
    spelled: Callable[[], Mapping[int, str]] = dict
    names: frozenset[str] = frozenset()
    boosts: Mapping[str, float] = field(default_factory=dict)
    times: Sequence[tuple[int, int]] = ()
    manners: int = 0
    context: bool = False
    least: float = -1.0


@value_class
class Page(Plain, Listing["Memory"]):
    """One page of a list and the cursor of the next (None: the last)."""

    LISTS = "memories"

    memories: list[Memory]
    cursor: str | None


@value_class
class Patch:
    """A change of state that leaves the text unchanged. None leaves a field unchanged; the names in `clear`
    are cleared. Deletion and rejection apply to all versions, everything else to the current one.
    """

    status: Status | None = None
    status_reason: str | None = None
    pinned: bool | None = None
    confidence: float | None = None
    deleted_at: int | None = None
    deleted_reason: str | None = None
    valid_until: int | None = None
    expires_at: int | None = None
    supersedes: str | None = None
    superseded_by: str | None = None
    fingerprint: str | None = None
    anchors: Mapping[str, str] | None = None
    """What its text is measured by from now on (`core/folders.ANCHORS`); it counts as written now."""
    evidence: Mapping[str, Any] | None = None
    """What it rests on from now on."""
    clear: frozenset[str] = frozenset()


@value_class
class Use:
    """The deliveries of a memory: their number and the time of the last."""

    id: str
    count: int
    at: int


class Spool(Protocol):
    """Storage for the payloads of jobs, as bytes under the id of the job, until it is finished."""

    def put(self, id: str, content: bytes) -> None:
        """Stores a payload durably, readable by its owner only. Raises StoreError."""

    def read(self, id: str) -> bytes:
        """Returns a payload. Raises NotFound `job_payload_gone`."""

    def drop(self, id: str) -> None:
        """Removes a payload, if there is one."""

    def entries(self) -> list[tuple[str, int]]:
        """Returns the ids of all payloads and when each was stored (UTC epoch milliseconds)."""


class Reader(
    FileReader,
    JobReader,
    ProjectReader,
    TeamReader,
    ModelReader,
    TombstoneReader,
    RetentionReader,
    LookupReader,
    SessionReader,
    GraphReader,
    UsageReader,
    SummaryReader,
    SourceReader,
    Protocol,
):
    """One consistent snapshot. Every method that reads takes a view first."""

    def get(self, view: View, id: str) -> Memory | None: ...
    def page(self, view: View, *, limit: int, cursor: str | None, now: int) -> Page:
        """Returns memories, newest recorded first."""

    def beginning(self, view: View, start: str, *, limit: int) -> list[str]:
        """Returns at most `limit` ids that start with `start`, or whose last block does, sorted."""

    def conversation(self, view: View, *, limit: int, cursor: str | None, now: int) -> Page:
        """Returns memories in the order of the conversation: by time, those of the same time by insertion."""

    def conversation_before(self, view: View, cursor: str, *, limit: int, now: int) -> list[Memory]:
        """Returns at most `limit` memories that come last before the one of a cursor, in the order of the
        conversation."""

    def facets(self, view: View, *, now: int) -> list[Facet]:
        """Returns the numbers of memories by kind, project, origin, owner and status, in any order."""

    def count(self, view: View, *, now: int) -> int: ...
    def about_files(self, view: View, files: Collection[str], *, limit: int, now: int) -> list[Memory]:
        """Returns memories about any of these files, newest recorded first (S4.32)."""

    def confidence(self, view: View, *, now: int) -> float | None:
        """Returns the mean confidence of the view's memories; None if there are none (S4.60)."""

    def candidates(self, view: View, question: Question) -> Signals: ...
    def nearest(
        self, view: View, vectors: Vectors, model: str, *, limit: int, least: float, now: int
    ) -> list[list[tuple[int, float]]]:
        """Returns for each vector the numbers of the memories that are nearest to it, with their cosines,
        nearest first: as candidates by vector alone, from the cosine `least` on."""

    def numbered(self, view: View, numbers: Sequence[int], *, now: int) -> list[tuple[int, Memory]]:
        """Returns the memories of candidate numbers, each with its number, in the order of `numbers`; those
        outside the view are left out.
        """

    def history(self, view: View, id: str) -> list[Change]: ...
    def entities(self, view: View, *, type: str | None, limit: int, cursor: str | None, now: int) -> Page:
        """Returns entities, of one type if one is given, newest recorded first."""

    def several(self, view: View, ids: Sequence[str], *, now: int) -> list[Memory]:
        """Returns the memories with these ids, oldest first; those outside the view are left out."""

    def related(self, view: View, ids: Sequence[str], *, now: int) -> list[Memory]:
        """Returns the memories that refer to any of these ids, oldest first: as superseded memory,
        successor, subject, in evidence, or as source.
        """

    def facts(
        self, view: View, *, now: int, claims: str | None = None, memories: Names = None, topics: Names = None
    ) -> list[Stated]:
        """Returns the statements of the view's user about lists and preferences, oldest first (S1.20).
        With `claims`, a version of the rules, it returns claims and notes of what these rules have not read.
        `memories`, by id, and `topics` narrow them.
        """

    def owned(self, view: View, *, after: int, limit: int) -> list[tuple[int, Memory]]:
        """Returns everything that the view's user owns after the number `after`, in insertion order; each
        with its number.
        """

    def versions(self, view: View, ids: Sequence[str]) -> list[Memory]:
        """Returns all versions of these memories, oldest first for each, including forgotten ones."""

    def events_about(self, view: View, ids: Sequence[str]) -> list[Event]:
        """Returns the audit events about these memories, oldest first."""

    def events(self, view: View, *, after: int = 0, limit: int | None = None) -> Iterator[Event]: ...
    def head(self, view: View) -> Head:
        """Returns the acknowledged head of the event chain, which is stored next to the database."""

    def metrics(self, view: View, name: str | None, *, limit: int) -> list[Metric]:
        """Returns quality metrics of the whole tenant, newest first, of one name if one is given (S2.39)."""

    def unembedded(self, view: View, model: str, *, limit: int) -> list[Memory]:
        """Returns memories without a vector of this model."""

    def lacks_vectors(self, view: View, id: str, model: str) -> bool:
        """Returns whether a memory has no vector of this model."""


class Writer(
    FileWriter,
    JobWriter,
    ProjectWriter,
    TeamWriter,
    ModelWriter,
    TombstoneWriter,
    UsageWriter,
    SessionWriter,
    GraphWriter,
    SummaryWriter,
    SourceWriter,
    Reader,
    Protocol,
):
    """One transaction, atomic. Reads inside it see what was committed before it began and its own writes,
    except `candidates`, which sees only the former.
    """

    def attempt(self) -> AbstractContextManager[None]:
        """Returns a savepoint: what is done inside is rolled back if it raises, the rest of the transaction
        stays.
        """

    def insert(
        self, admitted: Admitted, vectors: Vectors | None, model: str, *, home: Place | None = None
    ) -> Memory:
        """Inserts a new memory with its words and, one row for each passage, its vectors; or an earlier
        version, written in its own place, of a memory that is now at `home`. Raises Conflict
        `duplicate_text` for an id or text that already exists there.
        """

    def insert_all(self, memories: Sequence[tuple[Admitted, Vectors | None]], model: str) -> None:
        """Inserts many new memories, as `insert` does with one; they may be written together with others, at
        the latest with the commit. Then comes the Conflict for what cannot be inserted, and the transaction
        cannot be used further.
        """

    def insert_version(self, view: View, admitted: Admitted, vectors: Vectors | None, model: str) -> Memory:
        """Inserts a new version of the memory with the same id; the old text stays in its history, and its
        validity ends where the new one begins.
        """

    def insert_versions(
        self, view: View, versions: Sequence[tuple[Admitted, Vectors | None]], model: str
    ) -> None:
        """Inserts new versions of several memories, as `insert_version` does of one; the transaction cannot
        be used further if one is refused."""

    def patch(self, view: View, id: str, patch: Patch, *, now: int) -> Memory: ...
    def move(self, view: View, id: str, place: Place, *, external_id: str | None = None) -> Memory:
        """Moves a memory to another visibility, workspace, project, scope and branch, or to another external
        id, and updates its hash; owner and session stay. Earlier versions keep the place in which they were
        written: only who may read both sees them. Raises Conflict `duplicate_text` if the same text exists
        there (S2.35).
        """

    def erase(self, view: View, ids: Sequence[str]) -> int:
        """Deletes every row of these memories: texts, versions, words, vectors, jobs. Links of an entity,
        by any author, are deleted with it, since they contain its name.
        """

    def retitle(self, view: View, titled: Sequence[tuple[Admitted, Vectors | None]], model: str) -> None:
        """Gives present versions of memories another title, in place: flags, words and vectors follow from
        it, and the title before is gone. Raises NotFound.
        """

    def redact(self, view: View, admitted: Admitted, vectors: Vectors | None, model: str) -> None:
        """Replaces a version of a memory, with its words, vectors and facts, by a placeholder (`admitted`).
        Raises NotFound, and Refusal `legal_hold`.
        """

    def put_vectors(self, view: View, id: str, vectors: Vectors, model: str) -> None:
        """Stores the vectors of a memory that had none of this model, one row for each passage."""

    def put_claims(self, view: View, read: Sequence[tuple[Memory, Sequence[Statement]]]) -> None:
        """Replaces what was read of memories as claims; versions that are gone stay without."""

    def use(self, view: View, uses: Sequence[Use]) -> None: ...
    def add_event(
        self, *, at: int, actor: str, action: str, subject: str | None, detail: dict[str, Any]
    ) -> Event: ...
    def add_metrics(self, metrics: Sequence[Metric]) -> None:
        """Stores metrics; one with the same name, time and evaluator is replaced."""


class Store(Protocol):
    """The memories of one tenant. Reads and writes happen in snapshots and transactions only."""

    @property
    def location(self) -> str:
        """Returns the location of the tenant's data for display: a path or an address without credentials."""

    @property
    def encryption(self) -> str | None:
        """Returns the encryption and the source of the key; None if the files are plain (S4.55)."""

    @property
    def lost(self) -> Damaged | None:
        """Returns what tells that acknowledged history is missing; None if it is whole, as far as known."""

    @property
    def digest_key(self) -> bytes:
        """Returns the tenant's key for digests of what was forgotten; it is never exported."""

    @property
    def reads(self) -> ReadCounts | None: ...  # by which servers; None if there is only one

    def read(self) -> AbstractContextManager[Reader]: ...
    def write(self, *, patience: int | None = None) -> AbstractContextManager[Writer]:
        """Opens a transaction: commits on exit, rolls back on errors. Raises StoreError; StoreBusy if others
        write for longer than `patience` milliseconds, by default half a minute."""

    def check(self, *, thorough: bool, derive: Derive | None = None) -> list[str]:
        """Returns descriptions of problems; thorough: in all rows, and against what `derive` computes."""

    def scrub(self) -> None:
        """Removes traces of erased rows from files and logs."""

    def reindex(self) -> None:
        """Writes what the store keeps of its index beside the rows anew, if it keeps any."""

    def compact(self) -> int:
        """Gives free space of the file back if there is much of it; returns the bytes that it shrank by."""

    def accept(self) -> None:
        """Accepts the store as it is: the present end of the event chain becomes the acknowledged head."""

    def close(self) -> None: ...


__all__ = ["Embedder", "Filter", "Principal", "Reader", "Store", "Terms", "Writer"]
