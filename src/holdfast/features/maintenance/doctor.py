"""Examination of a store: its problems, and the figures of its state."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from holdfast.core.errors import Damaged
from holdfast.core.jobs import Backlog
from holdfast.core.record import Memory
from holdfast.core.views import ANY_STATE, personal_view
from holdfast.core.wire import Plain, computed, wire
from holdfast.features.access.permission import check_in_person
from holdfast.features.admission.admission import indexed_fields, spans_of
from holdfast.features.audit.audit import verify_audit
from holdfast.features.maintenance.replay import Replay
from holdfast.features.service import Service
from holdfast.language.terms import terms_of_all
from holdfast.stores.base.derived import Derived
from holdfast.stores.base.ports import Embedder, Reader

PROBE = 1_000
SHOWN_CHARS = 300
"""Characters of a problem that are shown."""


@dataclass(frozen=True, slots=True)
class Report(Plain):
    """The state of one store.

    `memories` counts what the caller sees, `stored` the memories of all users that were checked; a service
    does not return it. `problems` is empty if the store is healthy; `waiting` counts memories
    without a vector of the active model, `jobs_waiting` the queued and running jobs of all users, and
    `jobs_buried` those that failed for good. `encryption` is the encryption of the files and the source of
    the key, or "off".
    """

    location: str
    memories: int
    events: int
    waiting: int = field(metadata=wire(name="waiting_for_vectors"))
    model: str
    problems: tuple[str, ...]
    jobs_waiting: int = 0
    jobs_buried: int = 0
    encryption: str = "off"
    stored: int | None = field(default=None, metadata=wire(hidden=True))

    @property
    @computed
    def healthy(self) -> bool:
        return not self.problems


def accept_loss(service: Service) -> None:
    """Accepts a store whose history was cut short, and records that in the audit chain. Raises Refusal
    `person_needed` for a machine, which might have cut it."""
    check_in_person(service.principal, "accepts that history is lost")
    service.store.accept()
    with service.store.write() as tx:
        tx.add_event(
            at=service.clock(), actor=service.principal.label, action="accept_loss", subject=None, detail={}
        )


def examine(service: Service, *, advance: Callable[[int], None] = lambda _: None) -> Report:
    """Checks the file, the index and the audit chain thoroughly, and counts what is waiting. `advance` is
    called with each number of memories checked. Damage of any kind becomes a problem of the report, never
    an exception.
    """
    problems: list[str] = []
    replay = Replay()
    derive = _Deriving(service.embedder, replay, advance)
    view = personal_view(service.principal, ANY_STATE, closed=True)

    def read_safely(label: str, read: Callable[[], Any], default: Any) -> Any:
        try:
            return read()
        except Damaged as error:
            problems.append(error.in_full)
        except Exception as error:  # whatever damage makes of a row
            problems.append(f"{label} cannot be read: {type(error).__name__}: {error}"[:SHOWN_CHARS])
        return default

    def snapshot(read: Callable[[Reader], Any]) -> Any:
        with service.store.read() as snap:
            return read(snap)

    problems += read_safely("the store", lambda: service.store.check(thorough=True, derive=derive), [])
    events = read_safely("the chain of events", lambda: verify_audit(service, replay.read), 0)
    problems += read_safely(
        "members", lambda: replay.contradictions(snapshot(lambda snap: snap.members(view))), []
    )
    memories = read_safely(
        "the number of memories", lambda: snapshot(lambda snap: snap.count(view, now=service.clock())), 0
    )
    waiting = read_safely(
        "what lacks vectors",
        lambda: snapshot(
            lambda snap: max(
                len(snap.unembedded(view, embedder.model, limit=PROBE)) for embedder in service.embedders
            )
        ),
        0,
    )
    backlog = read_safely(
        "jobs", lambda: snapshot(lambda snap: snap.backlog(view, now=service.clock())), Backlog()
    )
    return Report(
        service.store.location, memories, events, waiting, service.embedder.model,
        tuple(dict.fromkeys(problems)), backlog.queued + backlog.running, backlog.dead,
        service.store.encryption or "off", derive.count,
    )  # fmt: skip


class _Deriving:
    """Computes the words and vectors that memories should have, and shows the memories to the replay."""

    def __init__(self, embedder: Embedder, replay: Replay, advance: Callable[[int], None]) -> None:
        self._embedder = embedder
        self._replay = replay
        self._advance = advance
        self.count = 0
        """Memories that were not forgotten."""

    def __call__(self, memories: Sequence[Memory]) -> list[Derived]:
        self.count += sum(memory.deleted_at is None for memory in memories)
        self._replay.see(memories)
        self._advance(len(memories))
        spans = [spans_of(memory) for memory in memories]
        fields = [
            field
            for memory, own in zip(memories, spans, strict=True)
            for field in indexed_fields(memory, own)
        ]
        terms = iter(terms_of_all(fields))
        vectors = self._vectors(memories, spans)
        derived, first = [], 0
        for own in spans:
            packed = [term.to_bytes() for term in islice(terms, len(own))]
            rows = None if vectors is None else vectors[first : first + len(own)]
            derived.append(Derived(own, packed, rows, self._embedder.model))
            first += len(own)
        return derived

    def _vectors(self, memories: Sequence[Memory], spans: Sequence[Sequence[tuple[int, int]]]) -> Any:
        """Returns the vectors of all passages; None if they would come from a remote embedder."""
        if not self._embedder.local or not memories:
            return None
        return self._embedder.embed([
            memory.lead + memory.text[start:end]
            for memory, own in zip(memories, spans, strict=True)
            for start, end in own
        ])  # fmt: skip
