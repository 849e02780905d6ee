"""The shapes of answers, as the OpenAPI document shows them; tests compare each with what is answered."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

Json = dict[str, Any]


class Told(BaseModel):
    """What the service answers; each model has the keys of one `as_dict`."""

    model_config = ConfigDict(extra="forbid")


class Problem(BaseModel):
    """An error (RFC 9457). `code` is stable; docs/reference/errors.md lists all."""

    type: str = Field(examples=["urn:holdfast:error:memory_not_found"])
    title: str
    status: int = Field(examples=[404])
    detail: str
    code: str = Field(examples=["memory_not_found"])
    hint: str | None
    error: str = Field(description="The class of the error in Python.")
    request_id: str | None


class ScopeOut(Told):
    """A scope: type and id."""

    type: str
    id: str | None


class Record(Told):
    """A memory. Times are ISO 8601 in UTC."""

    id: str
    external_id: str | None
    kind: str
    text: str
    title: str | None
    summary: str | None
    status: Literal["pending", "approved", "rejected", "superseded"]
    status_reason: str | None
    owner: str
    visibility: Literal["private", "team", "project"]
    workspace: str | None
    project: str | None
    session: str | None
    scope: ScopeOut
    branch: str | None
    role: str | None
    name: str | None
    position: int | None
    origin: Literal["user", "agent", "tool", "web", "import", "file", "extraction"]
    source: str | None
    created_by: str
    confidence: float
    tags: list[str]
    metadata: Json
    evidence: Json
    flags: list[str]
    redactions: list[str]
    pii_risk: int
    content_hash: str
    pinned: bool
    edited: bool
    version: int
    supersedes: str | None
    superseded_by: str | None
    about: list[str] = Field(description="Ids of the entities that it speaks of.")
    deleted_reason: str | None
    use_count: int
    stale: str | None = Field(description="What has changed of the file that it speaks of.")
    strength: Literal["doubted", "new", "known", "strong", "proven"]
    at: str
    recorded_at: str
    updated_at: str
    valid_from: str | None
    valid_until: str | None
    expires_at: str | None
    deleted_at: str | None
    last_used_at: str | None


Outcome = Literal["created", "redacted", "pending", "merged", "duplicate", "superseded", "refused"]


class KeptOut(Told):
    """What became of one text, and why."""

    outcome: Outcome
    reason: str
    code: str | None
    redactions: list[str]
    related: str | None
    memory: Record | None


class KeptMany(Told):
    """What became of each text, in order."""

    results: list[KeptOut]


class HitOut(Told):
    """A recalled memory with its score explained."""

    citation: str = Field(examples=["[M1]"])
    score: float
    why: dict[str, float]
    passage: str
    memory: Record


class HitsOut(Told):
    """What answers a question, best first."""

    hits: list[HitOut]
    searched: int = Field(description="How many memories were looked through.")
    degraded: str | None = Field(description="Why less than the full search was done.")
    withheld: list[str] = Field(description="Ids that the session was given before; without `repeat` only.")


class PageOut(Told):
    """Memories, newest first; `cursor` asks for the next page."""

    memories: list[Record]
    cursor: str | None


class ConversationOut(Told):
    """What was said in a conversation, in its order; `cursor` asks for the next page."""

    memories: list[Record]
    cursor: str | None


class ChangeOut(Told):
    """One step in the history of a memory."""

    sequence: int
    at: str
    actor: str
    action: str
    version: int | None
    text: str | None
    status: str | None
    valid_from: str | None
    valid_until: str | None
    detail: Json


class History(Told):
    """Every change of a memory, oldest first."""

    changes: list[ChangeOut]


class SessionOut(Told):
    """A conversation."""

    id: str
    name: str | None
    project: str | None
    metadata: Json
    messages: int
    created_at: str
    updated_at: str


class Sessions(Told):
    """Conversations, last changed first."""

    sessions: list[SessionOut]


class ProjectOut(Told):
    """A project; isolation cannot be switched off."""

    id: str
    name: str
    description: str | None
    colour: str | None
    icon: str | None
    notes: str | None
    system_prompt: str | None
    created_at: str
    updated_at: str


class ProjectGone(ProjectOut):
    """A project that was removed, and what of yours left it."""

    sessions: int = Field(description="Conversations that are now in the shared pool.")
    memories: int = Field(description="Other memories, which were forgotten.")


class Projects(Told):
    """Projects by name."""

    projects: list[ProjectOut]


class EntityOut(Told):
    """A thing that is talked about, with what is known of it, oldest first."""

    id: str
    name: str
    type: str | None
    notes: str | None
    project: str | None
    workspace: str | None
    owner: str
    visibility: Literal["private", "team", "project"]
    status: Literal["pending", "approved", "rejected", "superseded"]
    origin: Literal["user", "agent", "tool", "web", "import", "file", "extraction"]
    source: str | None
    created_by: str
    recorded_at: str
    updated_at: str
    last_seen_at: str = Field(description="When it, or what speaks of it, was recorded last.")
    mentions: int = Field(description="How many observations and relations speak of it.")
    observations: list[Record]
    memory: Record


class EntitiesOut(Told):
    """Entities, best first."""

    entities: list[EntityOut]


class EntityPageOut(Told):
    """Entities, newest first; `cursor` asks for the next page."""

    entities: list[EntityOut]
    cursor: str | None


class NodeOut(Told):
    """What names an entity."""

    id: str
    name: str
    type: str | None


class RelationOut(Told):
    """How one entity, the subject, stands to another, the target."""

    id: str
    type: str = Field(examples=["works_at"])
    subject: NodeOut
    target: NodeOut
    visibility: Literal["private", "team", "project"]
    evidence: Json
    created_by: str
    recorded_at: str
    memory: Record


class GraphOut(Told):
    """Entities and the relations among them."""

    entities: list[EntityOut]
    relations: list[RelationOut]
    truncated: bool = Field(description="There are more relations than the limit.")


class SourceOut(Told):
    """An import."""

    id: str
    platform: str
    sha256: str
    filename: str | None
    ingested_at: str
    messages: int
    conversations: int
    metadata: Json


class Sources(Told):
    """Imports, oldest first."""

    sources: list[SourceOut]


class ImportOut(Told):
    """What became of every item of an import."""

    format: str
    name: str
    sha256: str
    dry_run: bool
    items: dict[str, int] = Field(description="How many of each: messages, notes, entities, records ...")
    outcomes: dict[str, int]
    redactions: dict[str, int]
    reasons: dict[str, int] = Field(description="Why items were refused or wait for review.")
    refused: list[Json]
    breaks_off: bool = Field(description="The file was not read to its end; what came before is kept.")
    expiring: Json = Field(description="How many memories will leave recall by themselves, and when.")
    elsewhere: list[Json] = Field(description="What was known in another project, and stays there.")
    untimed: int = Field(description="Messages kept without a time that can be read: taken as said now.")
    skipped: list[Json]


class JobOut(Told):
    """Work that is done later: ids, counts and codes, never text."""

    id: str
    kind: Literal["embed", "import", "index", "maintain"]
    state: Literal["queued", "running", "success", "timeout", "error", "cancelled"]
    memory: str | None = Field(description="The memory or folder it is about, if one.")
    attempts: int
    done: int
    total: int | None
    error: str | None = Field(description="The code of the last failure.")
    result: Json
    created_at: str
    started_at: str | None
    finished_at: str | None
    due_at: str | None = Field(description="When it is tried next.")


class JobsOut(Told):
    """Jobs, newest first."""

    jobs: list[JobOut]


class EventOut(Told):
    """One event of the audit chain: ids, counts and codes, never text."""

    sequence: int
    at: str
    actor: str
    action: str
    subject: str | None
    detail: Json
    hash: str


class Events(Told):
    """Events in their order."""

    events: list[EventOut]


class Count(Told):
    """How many memories a place holds."""

    memories: int


class Erased(Told):
    """How many memories went."""

    memories: int


class Moved(Told):
    """How many memories were moved."""

    moved: int


class Verified(Told):
    """How many events the chain has; it verifies."""

    events: int


class Mended(Told):
    """How many vectors were made, and how many failed."""

    made: int
    failed: int


class ReportOut(Told):
    """The state of the store."""

    location: str
    healthy: bool
    memories: int
    events: int
    waiting_for_vectors: int
    jobs_waiting: int
    jobs_buried: int
    model: str
    encryption: str
    problems: list[str]


class KindOut(Told):
    """One kind of memory with its policy. Half-life and life are in days; null means without end."""

    name: str
    label: str
    nature: Literal["evidence", "knowledge", "entity"]
    meaning: str
    half_life: float | None
    scorer: str
    ttl: int | None
    max_chars: int
    weight: float


class Kinds(Told):
    """All kinds."""

    kinds: list[KindOut]


class Health(Told):
    """Whether the service runs, or is ready to work."""

    status: Annotated[str, Field(examples=["ok"])]
