"""Says how sure a memory is of what it states itself."""

from __future__ import annotations

from holdfast.core.claims import Claim
from holdfast.core.kinds import KINDS
from holdfast.core.record import Memory
from holdfast.features.admission.initial_values import DEFAULT_CONFIDENCE

_NOTED = 0.8
"""Least certainty of what a person noted, unless its confidence was lowered: as of what they say in chats."""


def stated_by(memory: Memory, claim: Claim) -> float | None:
    """Returns the certainty of a memory that is the statement itself; None if it was read from a text."""
    if KINDS[memory.kind].is_evidence:
        return None
    if memory.said_by == "person" and memory.confidence >= DEFAULT_CONFIDENCE:
        return max(memory.confidence, claim.certainty, _NOTED)
    return memory.confidence
