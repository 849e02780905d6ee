"""Neighbours of messages: what was said around them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from holdfast.core.kinds import SAID
from holdfast.core.record import Memory
from holdfast.core.views import View, personal_view
from holdfast.features.service import Service
from holdfast.stores.base.ports import Reader

Side = tuple[Memory, ...]
"""What was said on one side of a hit, in the order of the conversation."""


def neighbours(service: Service, memories: Sequence[Memory], count: int) -> dict[str, tuple[Side, Side]]:
    """Returns what was said just before and after messages, by their ids: at most `count` on each side."""
    everything, now = personal_view(service.principal), service.clock()
    with service.store.read() as snap:
        return {
            memory.id: around(snap, everything, memory, count, now)
            for memory in memories
            if memory.place.session is not None and memory.kind in SAID
        }


def around(reader: Reader, view: View, memory: Memory, count: int, now: int) -> tuple[Side, Side]:
    """Returns at most `count` messages of a conversation on each side of one of its messages."""
    narrowing = replace(view.filter, session=memory.place.session, kinds=SAID)
    inside, spot = view.narrowed(narrowing), f"{memory.id}.{memory.version}"
    before = reader.conversation_before(inside, spot, limit=count, now=now)
    after = reader.conversation(inside, limit=count, cursor=spot, now=now).memories
    return tuple(before), tuple(after)
