"""Rights of the caller on memories, asked for before an act is offered."""

from __future__ import annotations

from dataclasses import dataclass, field

from holdfast.core.arguments import LIMIT_MAX, checked_names
from holdfast.core.errors import InvalidInput
from holdfast.core.views import GONE, personal_view
from holdfast.core.wire import Plain, wire
from holdfast.features.access.permission import why_not_review, why_not_take_away
from holdfast.features.service import Service

TEXT_MAX = 120
"""Maximum number of characters of a memory in a list of acts."""


@dataclass(frozen=True, slots=True)
class Rights(Plain):
    """The rights of the caller on one memory, as far as that depends on the memory. A key that only reads
    allows neither."""

    id: str
    change: bool = field(metadata=wire(about="Edit, pin, move, flag, forget and restore it."))
    review: bool = field(metadata=wire(about="Approve or reject it."))
    why: str | None = field(metadata=wire(about="The code of the refusal to change it, such as `not_yours`."))
    text: str = field(default="", metadata=wire(about="Its title, or the beginning of its text."))


def rights_on(service: Service, ids: object) -> list[Rights]:
    """Returns the rights of the principal on visible memories, in the order of their ids. Raises
    InvalidInput."""
    requested = dict.fromkeys(checked_names(ids, "ids"))
    if len(requested) > LIMIT_MAX:
        raise InvalidInput(f"at most {LIMIT_MAX:,} ids at once", code="argument_invalid")
    principal = service.principal
    with service.store.read() as snap:
        memories = snap.several(personal_view(principal, GONE), list(requested), now=0) if requested else []
        refusals = {memory.id: why_not_take_away(principal, snap, memory) for memory in memories}
    rights = []
    for memory in sorted(memories, key=lambda memory: memory.id):
        refusal = refusals[memory.id]
        allowed = why_not_review(principal, memory) is None
        why = None if refusal is None else refusal.code
        text = " ".join((memory.title or memory.text[: 2 * TEXT_MAX]).split())[:TEXT_MAX]
        rights.append(Rights(memory.id, refusal is None, allowed, why, text))
    return rights
