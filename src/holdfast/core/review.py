"""Review of memories: the queue, the decisions, and the proof that a deletion is complete."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from holdfast.core.arguments import safe_repr
from holdfast.core.certificates import Certificate
from holdfast.core.errors import HoldfastError, InvalidInput, StoreError
from holdfast.core.masking import masked
from holdfast.core.places import Principal
from holdfast.core.record import Memory, Origin, Status
from holdfast.core.scanning import ScanMatch
from holdfast.core.wire import Millis, Plain, computed, wire

USER_FLAGGED = "user_flagged"
AGENT_FLAGGED = "agent_flagged"
"""Prefix of the reason why a memory was flagged as wrong; a note may follow (S4.59)."""
CONFIRMED = 0.05
"""Increase of the confidence after a repetition, or after the approval of a person (S4.72)."""


AS_ASKED = "kept for review as asked"
"""Status reason of a memory that was created with the status pending."""


EVIDENCE_REMOVED = "its evidence was removed"
"""Status reason of a memory whose grounds are gone."""


HELD = "a person pinned or edited what it would replace"
HELD_TOPIC = "a person pinned or edited what it would add to"
UNCONFIRMED = "the assistant said it, and nobody has agreed"
BY_MODEL = "a language model proposed it"
NOT_OWN = "it contradicts what another user said"
"""Status reasons of news that waits beside a memory."""


REASONS = (AS_ASKED, HELD, HELD_TOPIC, UNCONFIRMED, BY_MODEL, NOT_OWN)
"""Reasons that cannot be found again from a memory. Events name them by number, so none may move."""


def decided(memory: Memory) -> dict[str, Any]:
    """Returns what the event of a decision tells of the memory as it was, so that the decision can be taken
    back."""
    detail: dict[str, Any] = {"was": memory.status.value}
    if memory.status is not Status.PENDING:
        return detail
    detail["confidence"] = memory.confidence
    if memory.supersedes is not None:
        detail["supersedes"] = memory.supersedes
    stated = memory.status_reason or ""
    why = next((number for number, reason in enumerate(REASONS) if stated.startswith(reason)), None)
    return detail if why is None else {**detail, "why": why}


def is_flagged_by_machine(memory: Memory) -> bool:
    """Returns whether a memory is rejected only because an agent or a service flagged it as wrong."""
    return memory.status is Status.REJECTED and (memory.status_reason or "").startswith(AGENT_FLAGGED)


def why_held(memory: Memory) -> str:
    """Returns the reason why a memory waits, in words; for one created as pending, where it came from."""
    reason = memory.status_reason or "kept for review"
    if reason != AS_ASKED:
        return reason
    session, file = memory.evidence.get("session"), memory.metadata.get("file")
    if isinstance(session, str) and "rule" in memory.evidence:
        return "learned from a working session"
    if memory.origin is Origin.FILE and isinstance(file, str):
        return f"read from {file}"
    if memory.origin is Origin.EXTRACTION:
        return "found in what you said"
    return reason


class Verdict(StrEnum):
    """Feedback on a memory that was recalled."""

    HELPFUL = "helpful"
    """It was right and useful."""
    OUTDATED = "outdated"
    """It was right once and no longer is."""
    WRONG = "wrong"
    """It was never right."""


STEPS: Mapping[Verdict, float] = {Verdict.HELPFUL: 0.1, Verdict.OUTDATED: -0.2, Verdict.WRONG: -0.4}
"""Change of the confidence by each verdict (S4.72)."""


def verdict_of(value: object) -> Verdict:
    """Returns the verdict of this name. Raises InvalidInput `argument_invalid`."""
    try:
        return Verdict(value)  # type: ignore[arg-type]
    except Exception:  # the enumeration describes what it refuses, which may fail as well
        raise InvalidInput(
            f"there is no verdict {safe_repr(value)}",
            code="argument_invalid",
            hint="helpful, outdated or wrong",
        ) from None


MACHINE_CONFIDENCE_MAX = 0.85
"""Maximum confidence that a machine can state or reach: more comes from people who confirm."""


def moved_by(confidence: float, step: float, principal: Principal) -> float:
    """Returns the confidence after the verdict of somebody: from 0 to 1, rounded to four digits."""
    most = max(confidence, MACHINE_CONFIDENCE_MAX) if principal.is_machine else 1.0
    return round(min(most, max(0.0, confidence + step)), 4)


@dataclass(frozen=True, slots=True)
class Waiting(Plain):
    """A memory that waits for review, and why.

    `contradicts` is the memory that it supersedes if it is approved; `asks` is the visibility that a member
    requests for a memory of theirs. With `found` the memory is shown without what a scan found in it, and
    `scan_decide` decides.
    """

    memory: Memory
    why: str
    contradicts: Memory | None = field(default=None, metadata=wire(about="What gives way if it is approved."))
    asks: str | None = field(default=None, metadata=wire(about="Who a member asks to let see it."))
    found: ScanMatch | None = field(
        default=None, metadata=wire(about="What a scan found in it: `POST /v1/scan/decide` decides.")
    )


@dataclass(frozen=True, slots=True)
class Inbox(Plain):
    """One page of the memories that wait for review, oldest first, and the cursor of the next page (None:
    this is the last)."""

    items: tuple[Waiting, ...]
    cursor: str | None


class Result(StrEnum):
    """The result of a decision on one memory."""

    APPROVED = "approved"
    REJECTED = "rejected"
    PENDING = "pending"
    """It still waits for review: the edited text holds personal data (S2.17)."""
    SUPERSEDED = "superseded"
    """It was edited, and is still superseded by another memory."""
    MOVED = "moved"
    ASKED = "asked"
    """An owner or admin has to approve a wider visibility; nothing has changed yet (S4.53)."""
    WITHDRAWN = "withdrawn"
    """The request for a wider visibility was withdrawn."""
    REFUSED = "refused"
    """Nothing changed; `code` says why."""


@dataclass(frozen=True, slots=True)
class Decision(Plain):
    """The result for one memory, with the reason in words and, for a refusal, the error code. `related` is
    the id of the memory that it supersedes or conflicts with."""

    id: str
    result: Result
    memory: Memory | None
    reason: str
    code: str | None = field(default=None, metadata=wire(about="The code of a refusal."))
    related: str | None = field(default=None, metadata=wire(about="The memory that gave way to it."))


def refused_decision(id: str, error: HoldfastError) -> Decision:
    """Returns the result of a decision that failed. Raises errors of the store, which are no refusals."""
    if isinstance(error, StoreError):
        raise error
    return Decision(masked(id), Result.REFUSED, None, error.in_full, error.code)


class Tie(StrEnum):
    """The way in which one memory depends on another."""

    SUPERSEDES = "supersedes"
    """It replaced, or would replace, the other."""
    GAVE_WAY = "gave_way"
    """The other replaced it: it may have to be restored."""
    SPEAKS_OF = "speaks_of"
    """It is an observation or relation of the other, an entity."""
    DEPENDS_ON = "depends_on"
    CAUSED_BY = "caused_by"
    RELATED_TO = "related_to"
    """Its evidence names the other memory under this kind of link."""
    RESTS_ON = "rests_on"
    """Its evidence refers to the other memory without naming a kind of link."""
    CAME_FROM = "came_from"
    """It was imported from the other, a source."""


LINKS = (Tie.DEPENDS_ON, Tie.CAUSED_BY, Tie.RELATED_TO)
"""The links that evidence may state, as in `{"depends_on": [ID]}`."""
GROUNDS = (Tie.DEPENDS_ON, Tie.CAUSED_BY, Tie.RESTS_ON)
"""Ties that make a memory due for review when the other is gone."""


def tie_of(memory: Memory, ids: Collection[str]) -> Tie | None:
    """Returns the way in which a memory depends on any of `ids`, the closest if there are several; None if it
    does not."""
    if memory.supersedes in ids:
        return Tie.SUPERSEDES
    if memory.superseded_by in ids:
        return Tie.GAVE_WAY
    if any(id in ids for id in memory.about):
        return Tie.SPEAKS_OF
    for link in LINKS:
        if any(text in ids for text in texts_in(memory.evidence.get(link))):
            return link
    if any(text in ids for text in texts_in(memory.evidence)):
        return Tie.RESTS_ON
    return Tie.CAME_FROM if memory.source in ids else None


def texts_in(value: Any) -> list[str]:
    """Returns every string among the values of plain JSON."""
    if isinstance(value, str):
        return [value]
    inner = value.values() if isinstance(value, Mapping) else value if isinstance(value, list | tuple) else ()
    return [text for item in inner for text in texts_in(item)]


@dataclass(frozen=True, slots=True)
class Related(Plain):
    """A memory and how it is tied to another, such as one that is wrong or deleted."""

    memory: Memory
    tie: Tie


@dataclass(frozen=True, slots=True)
class Relations(Plain):
    """The memories that the evidence of one names, and those whose evidence names it; `links` holds the
    former whose kind of link is stated."""

    rests_on: tuple[Memory, ...]
    dependents: tuple[Related, ...]
    links: tuple[Related, ...] = ()


@dataclass(frozen=True, slots=True)
class Flagged(Plain):
    """A memory that was flagged as wrong, with the memories that depend on it and need to be checked."""

    memory: Memory
    related: tuple[Related, ...]


@dataclass(frozen=True, slots=True)
class Proof(Plain):
    """The check that a deletion is complete: all deleted memories were looked up by id, and `probes` recalls,
    in each of `modes`, searched for them by their own words. `left` holds the ids that were still found:
    after everything of a user was deleted, also of projects and jobs."""

    looked_up: int = field(metadata=wire(about="How many memories were looked up by id."))
    probes: int = field(metadata=wire(about="How many recalls asked for them with their own words."))
    modes: tuple[str, ...]
    left: tuple[str, ...] = field(default=(), metadata=wire(about="Ids that were found all the same."))

    @property
    @computed
    def holds(self) -> bool:
        """Returns whether nothing was found."""
        return not self.left


@dataclass(frozen=True, slots=True)
class Cleared(Plain):
    """The result of clearing a scope or reverting an import: the number of deleted memories, those that stay
    because a person pinned or edited them, and those that rested on deleted ones and now wait for review."""

    memories: int
    hard: bool
    stays: tuple[Memory, ...] = field(metadata=wire(about="What a person pinned or edited."))
    waits: tuple[Memory, ...] = field(metadata=wire(about="What rested on it."))
    proof: Proof
    certificate: Certificate | None = field(
        default=None, metadata=wire(about="Of what was erased: it can be checked later.")
    )


@dataclass(frozen=True, slots=True)
class Deleted(Plain):
    """The result of deleting everything of a user: what was erased, or with `dry_run` would be, and a check
    that nothing of it is found. `backups` counts the backups of the store that still hold it, None if nobody
    can say; `backups_until` is when the last of them goes if new ones are made as planned, None if somebody
    has to delete it. `backups_deleted` counts those that were deleted with it. `backups_unreached` are
    folders and buckets where the store has made backups and none can be seen now, for owners and admins."""

    user: str
    dry_run: bool
    memories: int
    sessions: int
    imports: int
    folders: int
    backups: int | None = None
    backups_until: Millis | None = None
    backups_deleted: int = 0
    backups_unreached: tuple[str, ...] = ()
    proof: Proof | None = None
    certificate: Certificate | None = None
