"""Import of the records of an export, validated like every text, as the importing user's own (S4.54)."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from holdfast.core.arguments import safe_repr
from holdfast.core.errors import AccessDenied, HoldfastError, InvalidInput
from holdfast.core.history import LABEL
from holdfast.core.kinds import KINDS
from holdfast.core.places import Role, Visibility, approves, usable_name, user_of
from holdfast.core.record import (
    NUMBERS,
    SHORT_TEXTS,
    Kept,
    Memory,
    Origin,
    Outcome,
    Status,
    origin_of,
    status_of,
)
from holdfast.core.review import MACHINE_CONFIDENCE_MAX
from holdfast.core.views import GONE, personal_view
from holdfast.features.access.scoped_store import ScopedStore
from holdfast.features.admission.draft import Draft
from holdfast.features.admission.initial_values import (
    DEFAULT_CONFIDENCE,
    PII_WAITS,
    status_at_start,
    status_in_place,
)
from holdfast.features.memories import embed
from holdfast.features.memories.forget import restore
from holdfast.features.memories.tombstones import FORGOTTEN
from holdfast.features.service import Service
from holdfast.features.transfer.records import STEPS_MAX, Fields, step_of
from holdfast.features.transfer.records_out import FORGOTTEN_BY, FORMAT, MACHINE, PERSON
from holdfast.features.transfer.restore_writer import (
    READERS,
    IdMap,
    RecordWriter,
    Version,
    Versions,
    refused_outcome,
)
from holdfast.language.injection import FLAGS

if TYPE_CHECKING:
    from holdfast.stores.base.admitted import Admitted
    from holdfast.stores.base.ports import Vectors

UNSIGNED = "it is from an export that this store has not signed"
"""Reason why a record that others would see waits for review."""
RECORD_TYPES = frozenset({"memory", *READERS})
_AGENT = re.compile(r"(?:agent|runner):[\w.:%-]{1,60}@")
"""An agent with a name. Labels stay in the chain of events for good, so they must not contain free text."""


class Restorer:
    """Imports the records of one export, batch by batch; the same records again change nothing (S2.20).

    Ids, times, versions, statuses and pins are preserved; the owner becomes the importing user. If that is
    another user than in the export, ids are derived anew, the same each time, so that an import does not
    reveal which ids exist. All texts are validated again; new findings are redacted or held for review.
    Existing memories stay unchanged.

    Anybody may have written a record. Unless it is `vouched` for (signed by this store, moved between two
    opened stores, or by the word of a person), it is an import: its origin says so, flags and risks are those
    found here, it is neither pinned nor edited, brings no history of decisions, states no facts, and waits
    for review where others would see it. A visibility beyond the owner is accepted from owners and admins
    only.
    """

    def __init__(self, service: Service, header: object, *, vouched: bool, anew: bool = False) -> None:
        fields = Fields(header)
        if fields.get("type") != "header" or fields.get("format") != "holdfast":
            raise InvalidInput("this is not an export of Holdfast", code="format_unknown")
        if fields.number("version", 0, 1) > FORMAT:
            raise InvalidInput(
                "the export has a newer format",
                code="record_invalid",
                hint="update Holdfast, then import it",
            )
        if service.principal.is_machine:
            raise AccessDenied(
                "an agent or a service cannot import an export: it would speak for the person",
                code="not_permitted",
                hint="run it without --agent",
            )
        self._service = service
        self._anew = anew
        self.is_vouched = vouched
        self._from = usable_name(fields.required("user"), "user")
        projects = service.store.projects if isinstance(service.store, ScopedStore) else None
        self._names = IdMap(self._from, service.principal.user, projects=projects)

    def restore(self, records: Sequence[object], *, rehearse: bool = False) -> list[Kept]:
        """Stores records in one transaction and returns one outcome each; with `rehearse` only validates
        them."""
        now = self._service.clock()
        outcomes: dict[int, Kept] = {}
        admitted: dict[int, Versions] = {}
        existing = self._existing_memories(records)
        for index, record in enumerate(records):
            try:
                fields = Fields(record)
                kind = fields.get("type")
                if not isinstance(kind, str) or kind not in RECORD_TYPES:
                    raise InvalidInput(f"there is no record of type {safe_repr(kind)}", code="record_invalid")
                if fields.get("type") == "memory":
                    id = self._names.id(fields.id("id"))
                    if id is None:
                        raise InvalidInput("a memory must have an id", code="record_invalid")
                    if id in existing:
                        outcomes[index] = self._again(fields, existing[id], rehearse=rehearse)
                        continue
                    admitted[index] = self._admit(fields, id)
            except (HoldfastError, RecursionError) as error:
                outcomes[index] = refused_outcome(error)
        if rehearse:
            return [
                outcomes.get(index) or _rehearsed_outcome(admitted.get(index))
                for index in range(len(records))
            ]
        vectors = self._embed(admitted)
        try:
            with self._service.store.write() as tx:
                writer = RecordWriter(
                    self._service, tx, now, self._names, vouched=self.is_vouched, anew=self._anew
                )
                for index, record in enumerate(records):
                    if index not in outcomes:
                        outcomes[index] = writer.attempt(record, admitted.get(index), vectors)
                if not writer.changed:
                    raise _NothingStored
                writer.add_batch_event()
            if any(rows is None for rows in vectors.values()):
                self._service.bell.ring()
        except _NothingStored:
            pass
        return [outcomes[index] for index in range(len(records))]

    def _again(self, fields: Fields, existing: Memory, *, rehearse: bool) -> Kept:
        """Returns the outcome of a record whose memory is here: nothing to do, unless it was forgotten."""
        if existing.deleted_at is None or fields.time("deleted_at") is not None:
            return _already_stored(existing)
        if not self._anew:
            return Kept(Outcome.FORGOTTEN, None, FORGOTTEN, related=existing.id)
        restored = existing if rehearse else restore(self._service, existing.id)
        return Kept(Outcome.CREATED, restored, "restored")

    @property
    def service(self) -> Service:
        """Returns the service that the records are stored with."""
        return self._service

    def id_here(self, id: str) -> str:
        """Returns the id here of a memory of the export."""
        return self._names.id(id) or id

    def admitted(self, record: Mapping[str, Any]) -> Versions:
        """Validates a memory of the export without storing it. Raises HoldfastError."""
        fields = Fields(record)
        return self._admit(fields, self.id_here(fields.required("id")))

    def _existing_memories(self, records: Sequence[object]) -> dict[str, Memory]:
        """Returns the memories that are already here, by id: they are not validated again, which makes
        resuming quick."""
        theirs: list[str] = []
        for record in records:
            with suppress(InvalidInput):
                fields = Fields(record)
                theirs += [id for name in ("id", "supersedes", "superseded_by") if (id := fields.id(name))]
                theirs += [id for id in fields.each("about") if isinstance(id, str)]
        view, now = personal_view(self._service.principal, GONE, closed=True), self._service.clock()
        with self._service.store.read() as snap:
            if self._names.projects is not None:
                self._names.visible.update(memory.id for memory in snap.several(view, theirs, now=now))
            ids = [self._names.id(id) or "" for id in theirs]
            memories = snap.several(view, ids, now=now)
        return {
            memory.id: memory for memory in memories if memory.place.owner == self._service.principal.user
        }

    def _actor(self, label: str) -> str:
        """Returns the label of an actor, as far as the importing user can vouch for it: themselves and their
        agents; an owner or admin for everybody."""
        principal = self._service.principal
        if len(label) > 500 or self._service.admission.clean_text(label) != label:
            raise InvalidInput(f"{safe_repr(label)} is not a valid actor", code="record_invalid")
        if label == f"user:{self._from}" or not self.is_vouched:
            return f"user:{principal.user}"
        if _AGENT.match(label) and user_of(label) == self._from:
            return f"{label.removesuffix(self._from)}{principal.user}"
        return label if principal.role in (Role.OWNER, Role.ADMIN) else principal.label

    # validation

    def _admit(self, fields: Fields, id: str) -> Versions:
        """Returns all versions of a record, validated and cleaned. Raises InvalidInput."""
        present = self._version(fields, id)
        earlier = [self._version(Fields(version), id) for version in fields.each("earlier")]
        versions = (*earlier, present)
        numbers = [version.admitted.memory.version for version in versions]
        if numbers != list(range(1, len(numbers) + 1)):
            raise InvalidInput("the versions of a memory must be numbered from 1", code="record_invalid")
        natures = {(KINDS[v.admitted.memory.kind].nature, len(v.admitted.memory.about)) for v in versions}
        if len(natures) > 1:
            raise InvalidInput("the versions of a memory must be of one nature", code="record_invalid")
        step_records = fields.each("steps")
        if len(step_records) > STEPS_MAX:
            raise InvalidInput("the history is too long", code="record_invalid")
        steps = [step_of(step) for step in step_records] if self.is_vouched else []
        redaction_count = len(fields.codes("redactions", self._service.admission))
        return Versions(
            versions,
            tuple(
                (at, self._actor(actor), action, self._detail(detail)) for at, actor, action, detail in steps
            ),
            present.admitted.memory.redactions[redaction_count:],
            self._forgotten_by(fields),
        )

    def _forgotten_by(self, fields: Fields) -> str | None:
        """Returns who forgot a memory which no import shall bring back; an export of others does not decide
        that."""
        value = fields.text(FORGOTTEN_BY)
        if value not in (None, PERSON, MACHINE) or (value and fields.time("deleted_at") is None):
            raise InvalidInput(
                f"{FORGOTTEN_BY} {safe_repr(value)} is not valid in a record", code="record_invalid"
            )
        return value if self.is_vouched else None

    def _detail(self, detail: dict[str, Any]) -> dict[str, Any]:
        """Returns the details of a step with ids, which are texts of 36 characters, and the name of who asked
        as they are here."""

        def mapped(value: Any) -> Any:
            if isinstance(value, list):
                return [mapped(item) for item in value]
            return self._names.id(value) if isinstance(value, str) and len(value) == 36 else value

        return {
            name: self._actor(value) if name == LABEL else mapped(value) for name, value in detail.items()
        }

    def _version(self, f: Fields, id: str) -> Version:
        """Validates one version of a memory. What an export of others says for itself (decisions, pins,
        uses) does not count."""
        admission = self._service.admission
        draft = self._draft(f)
        recorded_at = f.moment("recorded_at")
        admitted = admission.admit(draft, id=id, now=recorded_at)
        validated = admitted.memory
        about = self._entities_of(f, validated.kind)
        redactions = f.codes("redactions", admission)
        flags, risk = (f.codes("flags", admission), f.number("pii_risk", 0)) if self.is_vouched else ((), 0)
        status, reason = status_of(f.required("status")), f.clean_text("status_reason", admission)
        vouches = self.is_vouched and (
            admitted.visibility is Visibility.PRIVATE or approves(self._service.principal)
        )
        why_held = self._why_held(draft, admitted, status, flags, risk, vouches=vouches)
        deleted_at = f.time("deleted_at")
        memory = admitted.with_memory(
            version=f.number("version", 1, 1),
            status=status if why_held is None else Status.PENDING,
            status_reason=reason if why_held is None else why_held,
            recorded_at=recorded_at,
            updated_at=f.moment("updated_at"),
            at=f.moment("at"),
            valid_from=f.time("valid_from"),
            valid_until=f.time("valid_until"),
            expires_at=f.time("expires_at"),
            deleted_at=deleted_at,
            deleted_reason=None if deleted_at is None else f.clean_text("deleted_reason", admission),
            created_by=self._actor(f.required("created_by")),
            confidence=self._confidence(f.get("confidence")),
            pinned=f.flag("pinned") and vouches,
            edited=f.flag("edited") and vouches,
            supersedes=self._names.id(f.id("supersedes")),
            superseded_by=self._names.id(f.id("superseded_by")) if why_held is None else None,
            about=about,
            source=self._names.id(f.id("source")),
            flags=_with_new(flags, validated.flags),
            redactions=(*redactions, *validated.redactions),
            pii_risk=max(risk, validated.pii_risk),
            use_count=f.number("use_count", 0) if self.is_vouched else 0,
            last_used_at=f.time("last_used_at") if self.is_vouched else None,
        )
        if not self.is_vouched:
            memory = replace(memory, facts=())
        return Version(memory, draft.project, draft.session, why_held is not None)

    def _draft(self, f: Fields) -> Draft:
        """Returns a version as a draft, in the place that it has in the export."""
        kind, origin = f.required("kind"), origin_of(f.required("origin"))
        if not self.is_vouched and origin.is_trusted:
            origin = Origin.IMPORT
        scope = Fields(f.pairs("scope") or {"type": "global"})
        stated: dict[str, Any] = {name: f.text(name) for name in SHORT_TEXTS}
        stated |= {name: f.get(name) for name in NUMBERS}
        return Draft(
            text=f.required("text"),
            kind=kind,
            **stated,
            project=f.text("project"),
            session=f.text("session"),
            workspace=f.text("workspace"),
            scope=(scope.required("type"), scope.text("id")),
            branch=f.text("branch"),
            visibility=f.required("visibility") if self._service.shares else Visibility.PRIVATE,
            external_id=f.text("external_id"),
            role=f.text("role"),
            origin=origin.value,
            confidence=f.get("confidence"),
            tags=f.each("tags"),
            metadata=f.pairs("metadata"),
            evidence=f.pairs("evidence"),
        )

    def _entities_of(self, f: Fields, kind: str) -> tuple[str | None, ...]:
        """Returns the ids here of the entities that a version refers to."""
        about = tuple(self._names.id(Fields({"id": entity_id}).id("id")) for entity_id in f.each("about"))
        if len(about) != KINDS[kind].ends:
            raise InvalidInput(
                f"a memory of kind {kind} refers to {KINDS[kind].ends} entities", code="record_invalid"
            )
        return about

    def _why_held(
        self, draft: Draft, admitted: Admitted, status: Status, flags: Sequence[str], risk: int, *,
        vouches: bool,
    ) -> str | None:  # fmt: skip
        """Returns why a version waits for review although the export says otherwise, or None.

        `flags` and `risk` are those that the export states: what validation finds beyond them was not known
        when the version was approved.
        """
        memory = admitted.memory
        visibility = admitted.visibility or Visibility.PRIVATE
        is_decided = status in (Status.APPROVED, Status.SUPERSEDED)
        if admitted.visibility is not Visibility.PRIVATE and not self.is_vouched and is_decided:
            return UNSIGNED
        is_new = (memory.pii_risk >= PII_WAITS > risk) or bool(set(memory.flags) - set(flags))
        first_status, first_reason = status_in_place(
            memory.status, memory.status_reason, memory.pii_risk, visibility
        )
        if is_new and first_status is Status.PENDING and status is Status.APPROVED:
            return first_reason
        if vouches or not is_decided:
            return None
        known_flags = _with_new(flags, memory.flags)
        return _why_waiting(draft, memory, max(risk, memory.pii_risk), known_flags, visibility)

    def _confidence(self, value: float | None) -> float:
        confidence = DEFAULT_CONFIDENCE if value is None else float(value)
        return confidence if self.is_vouched else min(confidence, MACHINE_CONFIDENCE_MAX)

    def _embed(self, admitted: dict[int, Versions]) -> dict[int, Vectors | None]:
        every = [version.admitted for versions in admitted.values() for version in versions.versions]
        rows = embed.embed_now(self._service.embedder, every)
        return {id(text): rows_of_text for text, rows_of_text in zip(every, rows, strict=True)}


class _NothingStored(Exception):
    """A signal that rolls back a transaction without changes."""


def _already_stored(memory: Memory) -> Kept:
    return Kept(Outcome.DUPLICATE, memory, f"memory {memory.id} is already there", related=memory.id)


def _with_new(flags: Sequence[str], new_flags: Sequence[str]) -> tuple[str, ...]:
    return (*flags, *(flag for flag in new_flags if flag not in flags))


def _why_waiting(
    draft: Draft, memory: Memory, risk: int, flags: Collection[str], visibility: Visibility
) -> str | None:
    """Returns why a text would wait for review if it were new, whatever decision its record contains; None if
    it would not. Low confidence does not count: approved is approved."""
    ordered = tuple(flag for flag in FLAGS if flag in flags)
    status, reason = status_at_start(draft, KINDS[memory.kind], memory.origin, 1.0, ordered)
    return status_in_place(status, reason, risk, visibility)[1]


def _rehearsed_outcome(versions: Versions | None) -> Kept:
    """Returns the outcome that validation predicts for a record."""
    if versions is None:
        return Kept(Outcome.CREATED, None, "would be stored")
    if versions.versions[-1].is_held:
        return Kept(Outcome.PENDING, None, "would wait for review")
    redactions = versions.redactions
    return Kept(Outcome.REDACTED if redactions else Outcome.CREATED, None, "would be stored", redactions)
