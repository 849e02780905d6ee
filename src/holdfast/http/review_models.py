"""The shapes of requests and answers of the review, as the OpenAPI document shows them."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from holdfast.http.answers import Record, Told
from holdfast.http.models import ITEMS_MAX, AnyScope, Given, Json


class ApproveIn(Given):
    """How to approve."""

    beside: bool = Field(False, description="What it contradicts stands, too, instead of giving way.")


class RejectIn(Given):
    """Why it is rejected."""

    reason: str | None = Field(None, examples=["nobody said so"])


class EditIn(Given):
    """What is to be changed before it is approved; what is left out stays."""

    text: str | None = Field(None, examples=["Standup is at nine"])
    title: str | None = None
    summary: str | None = None
    kind: str | None = None
    tags: list[str] | None = None
    metadata: Json | None = None
    beside: bool = Field(False, description="What it contradicts stands, too, instead of giving way.")


class DecideIn(Given):
    """Many decisions."""

    decisions: list[Any] = Field(
        max_length=ITEMS_MAX,
        description="Objects with an `id`, a `decision` (approve, reject or edit) and what that takes."
        " What cannot be done is told as refused and stops none of the others.",
        json_schema_extra={
            "items": {
                "type": "object",
                "properties": {
                    "id": {"type": "string"},
                    "decision": {"enum": ["approve", "reject", "edit"]},
                },
                "required": ["id", "decision"],
            },
            "examples": [[{"id": "0198f0c2-7c1a-7b6e-9d55-5f0f3a1c2b4d", "decision": "approve"}]],
        },
    )


class MoveIn(Given):
    """Memories, and where they go: what is left out stays, null takes them out of it."""

    ids: list[str] = Field(max_length=ITEMS_MAX, examples=[["0198f0c2-7c1a-7b6e-9d55-5f0f3a1c2b4d"]])
    project: str | None = Field(None, examples=["shop"], description="Made if there is none of this name.")
    workspace: str | None = None
    scope: AnyScope = None
    branch: str | None = None
    visibility: str | None = Field(
        None,
        examples=["team"],
        description="private, team or project. Who is no owner or admin asks for more people to see it.",
    )


class ConfirmIn(Given):
    """Nothing: the memory is confirmed as it stands."""


class FeedbackIn(Given):
    """How a memory that was given out did."""

    verdict: str = Field(examples=["helpful"], description="helpful, outdated or wrong.")
    note: str | None = None


class WrongIn(Given):
    """Why it is wrong."""

    note: str | None = Field(None, examples=["it was moved to ten"])


class ClearIn(Given):
    """The scope of which everything goes."""

    scope: AnyScope = Field(examples=[{"type": "paper", "id": "2301.1"}])
    project: str | None = Field(None, description="Only what stands in it.")
    workspace: str | None = Field(None, description="Only what stands in it.")
    hard: bool = Field(False, description="Erase every byte; this cannot be undone.")


class RevertIn(Given):
    """How to take an import back."""

    hard: bool = Field(False, description="Erase every byte; this cannot be undone.")


class WaitingOut(Told):
    """A memory that waits for a person, and why."""

    memory: Record
    why: str
    contradicts: Record | None = Field(description="What gives way if it is approved.")
    asks: Literal["team", "project"] | None = Field(description="Who a member asks to let see it.")


class InboxOut(Told):
    """What waits, oldest first; `cursor` asks for the next page."""

    items: list[WaitingOut]
    cursor: str | None


class DecisionOut(Told):
    """What became of one memory."""

    id: str
    result: Literal["approved", "rejected", "pending", "superseded", "moved", "asked", "withdrawn", "refused"]
    reason: str
    code: str | None = Field(description="The code of a refusal.")
    related: str | None = Field(description="The memory that gave way to it.")
    memory: Record | None


class DecisionsOut(Told):
    """What became of each memory, in order."""

    results: list[DecisionOut]


class RelatedOut(Told):
    """A memory that hangs together with one that is wrong."""

    tie: Literal["supersedes", "gave_way", "speaks_of", "rests_on", "came_from"]
    memory: Record


class FlaggedOut(Told):
    """A memory that is said to be wrong, and what has to be looked at because of it."""

    memory: Record
    related: list[RelatedOut]


class ProofOut(Told):
    """How it was checked that something is gone."""

    holds: bool
    looked_up: int = Field(description="How many memories were looked up by id.")
    probes: int = Field(description="How many recalls asked for them with their own words.")
    modes: list[str]
    left: list[str] = Field(description="Ids that were found all the same.")


class ClearedOut(Told):
    """What went, what stays, and what waits for a person because of it."""

    memories: int
    hard: bool
    stays: list[Record] = Field(description="What a person pinned or edited.")
    waits: list[Record] = Field(description="What rested on it.")
    proof: ProofOut
