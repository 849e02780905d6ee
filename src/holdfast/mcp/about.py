"""The tool `about`: what is believed of the user, or of a person, place or thing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from holdfast.core.ids import short_id
from holdfast.core.times import to_iso
from holdfast.mcp import records
from holdfast.mcp.tools import ClientContext, Tool, list_of, record, text

if TYPE_CHECKING:
    from holdfast.api.memory import Memory
    from holdfast.core.claims import Belief
    from holdfast.core.quotations import OtherBelief

_BELIEF = {"type": "object"}
"""A belief; its fields explain themselves."""


def _about(memory: Memory, client: ClientContext, arguments: dict[str, Any]) -> dict[str, Any]:
    place = {"project": client.project, "session": None if client.project else client.session}
    result = memory.about(arguments.get("name"), **place, personal=client.has_personal)
    beliefs = [_belief(group.name, belief) for group in result.groups for belief in group.beliefs]
    return {"notice": records.NOTICE, "beliefs": beliefs}


def _belief(group: str, belief: Belief) -> dict[str, Any]:
    """Returns a belief as fields for an agent, without empty ones and without the status "current"."""
    fields = {
        "id": short_id(belief.id),
        "group": group,
        "text": belief.text,
        "at": to_iso(belief.at),
        "said_by": belief.sources[0].said_by,
        "since": belief.since,
        "status": None if belief.status == "current" else belief.status,
        "confidence": round(belief.confidence, 2),
        "before": list(map(_other, belief.replaced)),
        "contradicted_by": list(map(_other, belief.contradicts)),
        "pinned": belief.pinned,
        "pending": belief.pending,
    }
    return {name: value for name, value in fields.items() if value not in (None, [], False)}


def _other(other: OtherBelief) -> str:
    return f"{other.text} ({to_iso(other.source.at)[:10]}, {other.source.said_by})"


ABOUT = Tool(
    "about",
    "What is known about the user",
    "Tells what is known about the user, or a person, place or thing: who said it, when, and what contradicts"
    " it. Use it before you assume anything about them.",
    record(name=text("Of whom or what. Default: the user.", maxLength=200)),
    record("notice beliefs", notice=text("How to read what follows."), beliefs=list_of(_BELIEF)),
    _about,
    ("about",),
    reads=True,
)
