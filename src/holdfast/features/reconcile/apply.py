"""The application of a plan, batch by batch: describes, admits, embeds, and stores in one transaction."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from holdfast.core.errors import HoldfastError, InvalidInput
from holdfast.core.reconciled import RETURNING, VANISHED, Entities, Entity
from holdfast.core.record import Memory, Origin, Status
from holdfast.core.review import HELD
from holdfast.core.sources import Source
from holdfast.features.admission.draft import Draft
from holdfast.features.admission.initial_values import status_in_place
from holdfast.features.memories import embed
from holdfast.features.memories.tidying import count_descriptions
from holdfast.features.memories.tombstones import Tombstones
from holdfast.features.reconcile.entities import Description, description_of, id_of, type_of
from holdfast.features.reconcile.plan import Step, Tally
from holdfast.features.reconcile.sources import (
    described_place,
    described_view,
    digest_of,
    find_described,
    scope_id,
    with_project_number,
)
from holdfast.features.service import Service
from holdfast.stores.base.admitted import Admitted
from holdfast.stores.base.ports import Patch, Writer

if TYPE_CHECKING:
    from holdfast.stores.base.ports import Vectors

BATCH = 256
"""Most entities of one transaction."""
CONFIDENCE = 0.8
"""Confidence of what was read from the thing itself."""

WAITS: Mapping[str, Any] = {"status": Status.PENDING, "status_reason": HELD}
"""The state of news about what a person holds."""

Hold = Callable[[Writer], None]
Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Payload:
    """The content of a source, as a client read it: its present name, its kind, its entities, and the number
    of the payload; None: the next one."""

    file: str
    name: str
    platform: str
    entities: Entities
    sequence: int | None = None
    stamp: str | None = None
    """What its reader knows its files by; without those if some could not be read."""
    skipped: tuple[tuple[str, str], ...] = ()
    """Files that are not read with it, each with the reason."""


@dataclass(slots=True)
class Ready:
    """A step with its description, admitted and embedded; without one, or with the reason why it has none or
    was refused."""

    step: Step
    description: Description | None = None
    admitted: Admitted | None = None
    vectors: Vectors | None = None
    error: HoldfastError | None = None

    @property
    def unkept(self) -> tuple[str, str] | None:
        """Returns the outcome and the reason of what has no description or may not be kept."""
        if self.error is None:
            return None
        if self.description is None:
            return "failed", f"{self.error.code}: {self.error.message}"
        return "refused", self.error.code


def described(service: Service, source: Source, name: str, steps: Sequence[Step], now: int) -> list[Ready]:
    """Describes and admits what is new or changed in a source of a name."""
    ready = [Ready(step) for step in steps]
    writes = [write for write in ready if write.step.action != "remove"]
    for write in writes:
        try:
            write.description = description_of(write.step.entity, name)
        except InvalidInput as error:
            write.error = error
    writes = [write for write in writes if write.description is not None]
    ids = [service.new_id(now) for _ in writes]
    drafts = [draft_of(source, write.step.entity, write.description) for write in writes if write.description]
    for write, result in zip(writes, service.admission.admit_all(drafts, ids=ids, now=now), strict=True):
        if isinstance(result, HoldfastError):
            write.error = result
        else:
            write.admitted = result
    return ready


class Moved(Exception):
    """A signal that the source has changed since the plan was made."""


class Work:
    """The application of one payload."""

    def __init__(
        self, service: Service, payload: Payload, source: Source, existing: Source | None,
        project: str | None, number: int, run: str, tally: Tally, hold: Hold | None,
    ) -> None:  # fmt: skip
        self.source = source
        self._service, self._payload, self._existing, self._project = service, payload, existing, project
        self._number, self._run, self._tally, self._hold = number, run, tally, hold
        self._view = described_view(source)
        self._now = service.clock()
        self._actor = service.principal.label

    def apply(self, steps: Sequence[Step], progress: Progress | None) -> bool:
        """Applies all steps, batch by batch. Returns False if a newer payload has begun meanwhile."""
        batches = [steps[at : at + BATCH] for at in range(0, len(steps), BATCH)] or [()]
        done = 0
        for index, batch in enumerate(batches):
            ready = self._described(batch)
            with self._service.store.write() as tx:
                if self._hold is not None:
                    self._hold(tx)
                if not self._is_latest(tx, first=index == 0, last=index == len(batches) - 1):
                    return False
                before = Counter(self._tally.counts)
                self._write(tx, ready)
                self._add_batch_event(tx, before)
                changes = sum((self._tally.counts - before).values())
                count_descriptions(self._service, tx, self.source.project, changes)
            done += len(batch)
            if progress is not None:
                progress(done, len(steps))
        return True

    def _is_latest(self, tx: Writer, *, first: bool, last: bool) -> bool:
        """Makes this payload the last one of the source, or checks that it still is (S3.42)."""
        if first and self._existing is None:
            self.source = with_project_number(
                self._service, tx, self.source, self._payload.file, self._project, self._now
            )
            if find_described(tx, self._service, self._payload.file, self._project) is not None:
                raise Moved
            detail = {"platform": self.source.platform}
            tx.add_event(
                at=self._now, actor=self._actor, action="add_source", subject=self.source.id, detail=detail
            )
        else:
            current = next(
                (source for source in tx.described(self._view) if source.id == self.source.id), None
            )
            if first and current != self._existing:
                raise Moved
            if current is None or (
                not first and (current.sequence, current.run) != (self._number, self._run)
            ):
                return False
            self.source = self._renamed(tx, current) if first else current
        if first or last:
            self.source = tx.put_source(
                replace(
                    self.source,
                    sequence=self._number,
                    run=self._run,
                    applied=self._number if last else min(self.source.applied, self._number - 1),
                    deleted_at=None,
                    ingested_at=self._now,
                    filename=self._service.admission.clean_text(self._payload.name),
                    platform=self._payload.platform,
                    metadata={
                        **self.source.metadata,
                        "scope": scope_id(self._payload.name),
                        "stamp": self._payload.stamp,
                    },
                )
            )
        return True

    def _renamed(self, tx: Writer, source: Source) -> Source:
        """Returns a source under the name by which its client calls it now (S3.25)."""
        file = self._payload.file
        digest = digest_of(self._service, file, source.project)
        if digest == source.digest:
            return source
        if find_described(tx, self._service, file, self._project) is not None:
            raise Moved
        tx.rename_source(self._view, source.id, digest)
        self._add_event(tx, "update_source", source.id, {"renamed": True})
        metadata = {**source.metadata, "file": self._service.admission.clean_text(file)}
        return replace(source, digest=digest, metadata=metadata)

    def _described(self, steps: Sequence[Step]) -> list[Ready]:
        """Describes, admits and embeds what is new or changed, before the transaction."""
        ready = described(self._service, self.source, self._payload.name, steps, self._now)
        good = [item for item in ready if item.admitted is not None]
        rows = embed.embed_now(self._service.embedder, [item.admitted for item in good if item.admitted])
        for write, vectors in zip(good, rows, strict=True):
            write.vectors = vectors
        return ready

    # one transaction

    def _write(self, tx: Writer, batch: Sequence[Ready]) -> None:
        """Applies a batch to what is stored now: people may have changed it since the plan was made."""
        ids = [ready.step.row.id for ready in batch if ready.step.row is not None]
        stored = {memory.id: memory for memory in tx.several(self._view, ids, now=0)} if ids else {}
        news = self._news_by_description(tx) if any(_is_held(stored.get(id)) for id in ids) else {}
        tombstones = Tombstones(self._service, tx)
        new: list[tuple[Admitted, Vectors | None]] = []
        versions: list[tuple[Admitted, Vectors | None]] = []
        for ready in batch:
            step = ready.step
            current = stored.get(step.row.id) if step.row is not None else None
            if ready.unkept is not None:
                action, why = ready.unkept
                self._note(action, ready, current, why)
            elif step.action == "remove":
                self._remove(tx, ready, current)
            elif current is None:
                placed = self._in_place(ready)
                if tombstones.outcome_if_forgotten(placed.memory, anew=False, imported=True) is not None:
                    self._note("forgotten", ready, None, "it was forgotten")
                    continue
                new.append((placed, ready.vectors))
                self._note("created", ready, placed.memory)
            elif current.deleted_at is not None and not _may_return(current):
                self._note("forgotten", ready, current, "it was forgotten")
            else:
                versions += self._update(tx, ready, current, news.get(current.id, ()))
        tx.insert_versions(self._view, versions, self._service.embedder.model)
        tx.insert_all(new, self._service.embedder.model)
        for admitted, vectors in (*versions, *new):
            embed.queue(self._service, tx, admitted.memory, vectors, self._now)

    def _in_place(self, ready: Ready, **changes: Any) -> Admitted:
        """Returns the admitted description in the place of its source, with its fingerprint."""
        assert ready.admitted is not None
        place = described_place(self.source, type_of(ready.step.entity.type).scope)
        admitted = ready.admitted.with_memory(fingerprint=ready.step.digest, **changes)
        placed = admitted.in_place(place, project=self._project, session=None)
        draft = placed.memory
        status, reason = status_in_place(draft.status, draft.status_reason, draft.pii_risk, place.visibility)
        return placed.with_memory(status=status, status_reason=reason)

    def _update(
        self, tx: Writer, ready: Ready, current: Memory, news: Sequence[Memory]
    ) -> list[tuple[Admitted, Vectors | None]]:
        """Updates a description in one of four ways: nothing new to say, a new version, which it returns,
        restored, or a proposal beside what a person holds (S3.10)."""
        was_gone = current.deleted_at is not None
        if was_gone:
            current = tx.patch(
                self._view,
                current.id,
                Patch(clear=frozenset({"deleted_at", "deleted_reason"})),
                now=self._now,
            )
            self._add_event(tx, "restore", current.id, {})
        placed = self._in_place(ready)
        new = placed.memory
        same = all(
            getattr(current, name) == getattr(new, name) for name in ("text", "title", "tags", "metadata")
        )
        if not same and not _is_held(current):
            newer = placed.next_version_of(current, self._now)
            if current.status is Status.REJECTED:
                newer = newer.with_memory(status=current.status, status_reason=current.status_reason)
            self._add_event(tx, "revise", current.id, {"version": newer.memory.version})
            self._note("restored" if was_gone else "updated", ready, newer.memory)
            return [(newer, ready.vectors)]
        if (current.place.scope, current.external_id) != (new.place.scope, new.external_id):
            home = replace(current.place, scope=new.place.scope)
            current = tx.move(self._view, current.id, home, external_id=new.external_id)
        tx.patch(self._view, current.id, Patch(fingerprint=new.fingerprint), now=self._now)
        if same or ready.step.is_renamed:  # a new name is no news about what a person holds
            self._note("restored" if was_gone else "refreshed", ready, current)
            return self._renamed_news(tx, ready, _open_news(news))
        return self._propose(tx, ready, current, news)

    def _renamed_news(
        self, tx: Writer, ready: Ready, news: Memory | None
    ) -> list[tuple[Admitted, Vectors | None]]:
        """Returns the news that waits beside a description under its new name, as its next version: what it
        says of its content is still what would be said."""
        if news is None or not ready.step.is_renamed:
            return []
        placed = self._news(ready, news.supersedes)
        if _wording(placed.memory) == _wording(news):
            return []
        return [self._newer_news(tx, placed, news, ready)]

    def _propose(
        self, tx: Writer, ready: Ready, current: Memory, news: Sequence[Memory]
    ) -> list[tuple[Admitted, Vectors | None]]:
        """Lets the news wait for review beside a description that a person pinned or edited: a new proposal,
        or a new version of the one that waits, which it returns. The same news does not come again, not even
        when it was rejected and something else held meanwhile."""
        placed, waiting = self._news(ready, current.id), _open_news(news)
        if any(_wording(memory) == _wording(placed.memory) for memory in news):
            if waiting is not None and _wording(waiting) != _wording(placed.memory):
                # the source says again what was rejected: what waits is out of date
                patch = Patch(deleted_at=self._now, deleted_reason=VANISHED)
                tx.patch(self._view, waiting.id, patch, now=self._now)
                self._add_event(tx, "forget", waiting.id, {})
            self._note("refreshed", ready, current)
            return []
        if waiting is not None:
            newer = self._newer_news(tx, placed, waiting, ready)
            self._note("proposed", ready, newer[0].memory, HELD)
            return [newer]
        tx.insert(placed, ready.vectors, self._service.embedder.model)
        embed.queue(self._service, tx, placed.memory, ready.vectors, self._now)
        detail = {"kind": current.kind, "status": Status.PENDING.value}
        self._add_event(tx, "remember", placed.memory.id, detail)
        self._note("proposed", ready, placed.memory, HELD)
        return []

    def _news(self, ready: Ready, supersedes: str | None) -> Admitted:
        """Returns the description as news that waits beside a memory."""
        return self._in_place(ready, external_id=None, supersedes=supersedes).with_memory(**WAITS)

    def _newer_news(
        self, tx: Writer, admitted: Admitted, news: Memory, ready: Ready
    ) -> tuple[Admitted, Vectors | None]:
        """Returns the next version of news that waits."""
        newer = admitted.next_version_of(news, self._now).with_memory(**WAITS)
        self._add_event(tx, "revise", news.id, {"version": newer.memory.version})
        return newer, ready.vectors

    def _remove(self, tx: Writer, ready: Ready, current: Memory | None) -> None:
        """Removes what is no longer there, unless a person holds it; it comes back with its entity."""
        if current is None or current.deleted_at is not None:
            return
        if _is_held(current):
            self._note("kept", ready, current, HELD)
            return
        tx.patch(self._view, current.id, Patch(deleted_at=self._now, deleted_reason=VANISHED), now=self._now)
        self._add_event(tx, "forget", current.id, {})
        self._note("removed", ready, current, VANISHED)

    def _news_by_description(self, tx: Writer) -> dict[str, list[Memory]]:
        """Returns the news that waits or was rejected, by the description that it would replace."""
        rows = tx.fingerprints(self._view, self.source.id)
        states = (Status.PENDING.value, Status.REJECTED.value)
        ids = [row.id for row in rows if row.is_proposal and row.status in states and row.deleted_at is None]
        by_description: defaultdict[str, list[Memory]] = defaultdict(list)
        for memory in tx.several(self._view, ids, now=0):
            by_description[str(memory.supersedes)].append(memory)
        return by_description

    def _note(self, action: str, ready: Ready, memory: Memory | None, why: str | None = None) -> None:
        title = ready.description.title if ready.description else memory.title if memory else None
        self._tally.note(action, ready.step, memory.id if memory else None, title, why)

    def _add_event(self, tx: Writer, action: str, subject: str, detail: Mapping[str, Any]) -> None:
        tx.add_event(at=self._now, actor=self._actor, action=action, subject=subject, detail=dict(detail))

    def _add_batch_event(self, tx: Writer, before: Counter[str]) -> None:
        """Writes one event for a batch, if it changed anything."""
        made = self._tally.counts - before
        if counts := {name: made[name] for name in _COUNTED if made[name]}:
            self._add_event(tx, "reconcile", self.source.id, counts)


_COUNTED = ("created", "updated", "restored", "removed", "refreshed", "proposed", "refused")


def draft_of(
    source: Source, entity: Entity, description: Description, *, summary: str | None = None,
    evidence: Mapping[str, Any] | None = None,
) -> Draft:  # fmt: skip
    """Returns the draft of the description of an entity."""
    type = type_of(entity.type)
    return Draft(
        description.text,
        kind=type.kind,
        title=description.title,
        summary=summary,
        scope=described_place(source, type.scope).scope,
        external_id=id_of(entity),
        taken_from=Origin.FILE,
        source=source.id,
        confidence=CONFIDENCE,
        tags=description.tags,
        metadata={"entity_type": entity.type, **(description.metadata or {})},
        evidence=evidence,
    )


def _is_held(memory: Memory | None) -> bool:
    return memory is not None and (memory.pinned or memory.edited)


def _open_news(news: Sequence[Memory]) -> Memory | None:
    """Returns the news that waits for review, of which there is one at most."""
    return next((memory for memory in news if memory.status is Status.PENDING), None)


def _wording(memory: Memory) -> tuple[str | None, str]:
    return memory.title, memory.text


def _may_return(memory: Memory) -> bool:
    return memory.deleted_reason in RETURNING
