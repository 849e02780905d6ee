"""Rules that a person states while the same waits for review, since an agent asked for it: they hold."""

from __future__ import annotations

from dataclasses import replace

from holdfast.core.record import Kept, Status
from holdfast.features.review.review import approve
from holdfast.features.service import Service


def in_force(service: Service, result: Kept) -> Kept:
    """Returns the outcome of a rule, approved if a person stated it. What an agent asks for waits."""
    memory = result.memory
    if service.principal.is_machine or memory is None or memory.status is Status.APPROVED:
        return result
    decision = approve(service, memory.id)
    return replace(result, memory=decision.memory, reason=decision.reason)
