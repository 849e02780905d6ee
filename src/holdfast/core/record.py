"""The memory record, the outcome of writing one, and its history."""

from __future__ import annotations

import hashlib
import json
from dataclasses import field, fields
from enum import StrEnum
from typing import Any

from holdfast.core.arguments import safe_repr
from holdfast.core.errors import InvalidInput
from holdfast.core.fields import COMPUTED, FOUND, LOCAL, declared_of, short_text, whole_number
from holdfast.core.headings import heading_of
from holdfast.core.kinds import KINDS
from holdfast.core.places import Place, Scope, Visibility
from holdfast.core.speakers import SPEAKERS
from holdfast.core.value_classes import value_class
from holdfast.core.wire import Millis, Plain, computed, wire

TAGS_MAX = 12
"""Maximum number of tags of a memory, and of a filter."""
TAG_MAX = 64
"""Maximum number of characters of a tag."""
TITLE_MAX = 300
"""Maximum number of characters of a title."""
PERSONS = ("person", "import")
"""Values of `said_by` for text that a person wrote or imported; a machine's imports count as an agent's."""
PERSONAL_RISK = 2
"""Risk from which a text counts as personal data (S2.15)."""
STRENGTHS = ((20, "proven"), (5, "strong"), (1, "known"), (0, "new"))
"""Badges with the number of uses from which they apply; more than 20 uses add no weight (S4.28)."""


class Status(StrEnum):
    """The state of a memory in its life cycle."""

    PENDING = "pending"
    APPROVED = "approved"
    REJECTED = "rejected"
    SUPERSEDED = "superseded"


class Origin(StrEnum):
    """The source of a text: the trust class of a memory."""

    USER = "user"
    AGENT = "agent"
    TOOL = "tool"
    WEB = "web"
    IMPORT = "import"
    FILE = "file"
    EXTRACTION = "extraction"
    """Found by rules in a user's message."""
    MODEL = "model"
    """Proposed by a language model, and supported by its quotation."""

    @property
    def is_trusted(self) -> bool:
        """Returns whether the memory may be recalled without review: false for text of tools, the web (S4.45)
        or a language model."""
        return self not in (Origin.TOOL, Origin.WEB, Origin.MODEL)


class Outcome(StrEnum):
    """The result of remembering a text."""

    CREATED = "created"
    """Stored as a new memory."""
    REDACTED = "redacted"
    """Stored as a new memory, with secrets or private blocks removed."""
    PENDING = "pending"
    """Stored, but a person has to approve it before it can be recalled."""
    MERGED = "merged"
    """The same statement was stored already; that memory was confirmed."""
    DUPLICATE = "duplicate"
    """Exactly this text was stored already; nothing changed."""
    SUPERSEDED = "superseded"
    """Stored, and replaced an older memory or version."""
    FORGOTTEN = "forgotten"
    """Not stored: it was forgotten, and only a person brings it back."""
    OUTDATED = "outdated"
    """Not stored: it comes from an import, and what is stored is newer."""
    REFUSED = "refused"
    """Not stored."""


@value_class
class Memory(Plain):
    """One memory as it is stored. Times are UTC epoch milliseconds.

    `recorded_at` is when Holdfast learned it, `at` when the event it speaks of happened, `valid_from` and
    `valid_until` the interval in which it holds. `version` counts the texts of this id. `name` is the
    speaker. `about` holds the ids of the entities that an observation (one) or a relation (two) refers to.
    `stale` says what changed in the file it is about; it is computed on reading, not stored. `fingerprint`
    is the digest of what a description was computed from; it changes without a new version.
    """

    id: str = field(metadata=LOCAL)
    kind: str
    text: str
    place: Place = field(metadata=wire(flat=True))
    status: Status
    recorded_at: Millis
    updated_at: Millis = field(metadata=LOCAL)
    at: Millis
    created_by: str = field(metadata=LOCAL)
    version: int = 1
    title: str | None = field(default=None, metadata=short_text(TITLE_MAX))
    summary: str | None = field(default=None, metadata=short_text(2_000))
    project: str | None = None
    session: str | None = None
    external_id: str | None = None
    role: str | None = None
    name: str | None = field(default=None, metadata=short_text(128))
    position: int | None = field(default=None, metadata=whole_number())
    origin: Origin = Origin.USER
    source: str | None = field(default=None, metadata=LOCAL)
    confidence: float = 0.6
    tags: tuple[str, ...] = ()
    metadata: dict[str, Any] = field(default_factory=dict)
    evidence: dict[str, Any] = field(default_factory=dict)
    flags: tuple[str, ...] = field(default=(), metadata=LOCAL)
    redactions: tuple[str, ...] = field(default=(), metadata=LOCAL)
    pii_risk: int = field(default=0, metadata=LOCAL)
    content_hash: str = field(default="", metadata=COMPUTED)
    fingerprint: str | None = field(default=None, metadata=LOCAL | wire(hidden=True))
    status_reason: str | None = field(default=None, metadata=LOCAL)
    pinned: bool = False
    edited: bool = False
    valid_from: Millis | None = None
    valid_until: Millis | None = None
    expires_at: Millis | None = None
    deleted_at: Millis | None = field(default=None, metadata=LOCAL)
    deleted_reason: str | None = field(default=None, metadata=LOCAL)
    supersedes: str | None = field(default=None, metadata=LOCAL)
    superseded_by: str | None = field(default=None, metadata=LOCAL)
    about: tuple[str, ...] = field(
        default=(), metadata=LOCAL | wire(about="Ids of the entities that it speaks of.")
    )
    use_count: int = field(default=0, metadata=LOCAL)
    last_used_at: Millis | None = field(default=None, metadata=LOCAL)
    stale: str | None = field(
        default=None, metadata=FOUND | wire(about="What has changed of the file that it speaks of.")
    )

    @property
    def visibility(self) -> Visibility:
        return self.place.visibility

    @property
    def scope(self) -> Scope:
        return self.place.scope

    @property
    def holds_from(self) -> int:
        """Returns the time from which the statement holds: as stated, else when it happened or was
        changed."""
        if self.valid_from is not None:
            return self.valid_from
        return self.at if self.version == 1 else self.updated_at

    @property
    def brief(self) -> str:
        """Returns the summary, or the text if it is short enough to need none."""
        return self.summary or self.text

    @property
    @computed
    def strength(self) -> str:
        """Returns the badge of the memory: `doubted` if the confidence is below one half, else by number of
        uses: `new` for none, `known` for up to 4, `strong` for up to 19, `proven` from 20 on."""
        if self.confidence < 0.5:
            return "doubted"
        return next(name for uses, name in STRENGTHS if max(self.use_count, 0) >= uses)

    @property
    @computed
    def said_by(self) -> str:
        """Returns who said it: `person`, `agent`, `import`, `file`, `tool`, `web`, `extraction`; of a message
        the role if it is one of `SPEAKERS`. Any other is a word of whoever wrote it, and proves nothing."""
        if self.role in SPEAKERS and KINDS[self.kind].is_evidence:
            return str(self.role)
        return "person" if self.origin is Origin.USER else self.origin.value

    @property
    def provenance(self) -> str:
        """Returns who said it and reasons for caution, to be shown with its text."""
        marks = [self.said_by]
        if self.place.only_branch is not None:
            marks.append(f"only on branch {self.place.only_branch}")
        if KINDS[self.kind].is_derived and isinstance(model := self.evidence.get("model"), str):
            marks.append(f"in words of {model}")
        if self.flags:
            marks.append(f"flagged: {', '.join(self.flags)}")
        if self.pii_risk >= PERSONAL_RISK:
            marks.append("personal data")
        return "; ".join(marks)

    @property
    def is_kept_from_prompts(self) -> bool:
        """Returns whether it reads like instructions to a model and no person has confirmed it, by approving,
        pinning or editing it (S2.40). Evidence is never approved by anybody."""
        return bool(self.flags) and KINDS[self.kind].is_evidence and not (self.pinned or self.edited)

    @property
    def about_file(self) -> str | None:
        """Returns the path of the file that it is about, from its metadata; None if there is none."""
        name = self.metadata.get("file")
        if not isinstance(name, str) or not name.strip():
            return None
        return name.strip().replace("\\", "/").removeprefix("./")

    @property
    def about_files(self) -> tuple[str, ...]:
        """Returns the paths of all files that it is about, from its metadata, the main one first."""
        names = self.metadata.get("files")
        others = [name for name in names if isinstance(name, str)] if isinstance(names, list | tuple) else []
        return tuple(dict.fromkeys(([self.about_file] if self.about_file else []) + others))

    @property
    def heading(self) -> str | None:
        """Returns its title, or a heading found in its text as code and documents have it; None if there is
        none."""
        return self.title or heading_of(self.text)

    @property
    def lead(self) -> str:
        """Returns the prefix of each passage when it is embedded: title, heading, or speaker."""
        lead = self.heading or self.name
        return f"{lead}: " if lead else ""

    @property
    def embedding_text(self) -> str:
        """Returns title and text, the input of the embedder."""
        return f"{self.title}: {self.text}" if self.title else self.text


SHORT_TEXTS = {
    field.name: limit for field in fields(Memory) if (limit := declared_of(field).limit) is not None
}
"""The optional texts of a memory beside the text itself, and the maximum number of their characters."""
NUMBERS = {field.name: most for field in fields(Memory) if (most := declared_of(field).most) is not None}
"""The optional whole numbers of a memory that callers state, and the highest value of each."""


@value_class
class Kept(Plain):
    """The outcome of remembering one text: the memory, and the reason in words.

    `memory` is None when refused. `code` is the error code of a refusal. `related` is the id of the memory
    that was confirmed or superseded. `visible_to` says who sees the memory, such as `only you`.
    """

    outcome: Outcome
    memory: Memory | None
    reason: str
    redactions: tuple[str, ...] = ()
    code: str | None = None
    related: str | None = None
    visible_to: str | None = field(
        default=None, metadata=wire(about="Who sees it: `only you`, `all 5 members`, or the like.")
    )


@value_class
class Change(Plain):
    """One step in the history of a memory: the action, the actor, and the resulting version."""

    sequence: int
    at: Millis
    actor: str
    action: str
    version: int | None
    text: str | None
    status: str | None
    valid_from: Millis | None
    valid_until: Millis | None
    detail: dict[str, Any]
    metadata: dict[str, Any] | None = field(
        default=None, metadata=wire(about="The metadata of that version; null for a step without one.")
    )


def content_hash(place: Place, kind: str, text: str) -> str:
    """Returns the SHA-256 over the whole place, the kind and the text with its white space folded (S2.11).

    Knowledge is unique by this hash among live memories, so one text in two places is two memories. Evidence
    moves with its conversation and is never merged, so only its kind and verbatim text are hashed.
    """
    if KINDS[kind].is_evidence:
        return verbatim_hash(kind, text)
    owner = place.owner if place.visibility is Visibility.PRIVATE else ""
    place_fields = [owner, place.visibility.value, place.workspace, place.project, place.branch]
    return _hash_of([*place_fields, place.scope.type, place.scope.id, kind, " ".join(text.split())])


def verbatim_hash(kind: str, text: str) -> str:
    """Returns the content hash of evidence, the same in every place."""
    return _hash_of([kind, text])


def _hash_of(parts: list[object]) -> str:
    return hashlib.sha256(json.dumps(parts, ensure_ascii=True).encode()).hexdigest()


def identity(memory: Memory) -> str:
    """Returns the key by which knowledge counts as the same: its text; for an entity, its name and type
    (S0.26); for a relation, its two entities and its type (S0.4); for a description, also what it describes
    and its title, since two things may have the same text."""
    if memory.kind == "entity":
        return json.dumps([(memory.title or memory.text).casefold(), memory.metadata.get("type")])
    if memory.kind == "relation":
        return json.dumps([*memory.about, memory.metadata.get("type")])
    if KINDS[memory.kind].is_derived:
        return json.dumps([memory.external_id or memory.supersedes, memory.title, memory.text])
    return json.dumps([*memory.about, memory.text]) if memory.about else memory.text


def is_unique_by_text(memory: Memory) -> bool:
    """Returns whether a memory is found and unique by its content hash: evidence never is, and a description
    of something is by its external id alone."""
    kind = KINDS[memory.kind]
    return not (kind.is_evidence or (kind.is_derived and memory.external_id is not None))


def entity_key(memory: Memory) -> str | None:
    """Returns the case-folded name by which an entity is looked up; None for other kinds."""
    return folded(memory.title or memory.text) if memory.kind == "entity" else None


def folded(name: str) -> str:
    """Returns a name case-folded, with runs of white space as one space."""
    return " ".join(name.split()).casefold()


def external_key(kind: str, place: Place, external_id: str | None) -> str | None:
    """Returns the key that makes an external id unique in a pool among live memories; None without an
    external id.

    With the pool it is the whole place: owner, session, scope, branch and kind (S1.7, S1.41). So the same id
    in another file, on another branch or of another person is another memory.
    """
    if external_id is None:
        return None
    scope = place.scope
    return _hash_of([external_id, place.owner, place.session, scope.type, scope.id, place.branch, kind])


def is_same_knowledge(memory: Memory, existing: Memory) -> bool:
    """Returns whether knowledge with the text of an existing memory, in its place, is that memory.

    What others keep is never the caller's: they may change or remove it. Two external ids are two memories,
    but for an import, whose ids say where it read the text.
    """
    if memory.kind == "entity":  # one for all who see it
        return existing.place.owner == memory.place.owner or existing.status is Status.APPROVED
    if existing.place.owner != memory.place.owner:
        return False
    return memory.external_id in (None, existing.external_id) or memory.origin is Origin.IMPORT


def status_of(value: object) -> Status:
    """Returns the status of this name. Raises InvalidInput `status_unknown`."""
    try:
        return Status(value)  # type: ignore[arg-type]
    except Exception:  # the enumeration describes what it refuses, which may fail as well
        raise InvalidInput(f"there is no status {safe_repr(value)}", code="status_unknown") from None


def origin_of(value: object) -> Origin:
    """Returns the origin of this name. Raises InvalidInput `origin_unknown`."""
    try:
        return Origin(value)  # type: ignore[arg-type]
    except Exception:  # the enumeration describes what it refuses, which may fail as well
        raise InvalidInput(f"there is no origin {safe_repr(value)}", code="origin_unknown") from None
