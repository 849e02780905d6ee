"""The history of a memory: its versions and what was done to it, in the order in which it happened."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from holdfast.domain.events import Event
from holdfast.domain.memories import Change, Memory


def version_of(memory: Memory) -> Change:
    """The step by which one version of a memory came to be."""
    first = memory.version == 1
    return Change(
        sequence=0,
        at=memory.recorded_at if first else memory.updated_at,
        actor=memory.created_by,
        action="remember" if first else "revise",
        version=memory.version,
        text=memory.text,
        status=memory.status.value,
        valid_from=memory.holds_from,
        valid_until=memory.valid_until,
        detail={},
    )


def history_of(versions: Sequence[Memory], events: Iterable[Event]) -> list[Change]:
    """Every change, oldest first. In the order of the events: clocks may be set back."""
    by_number = {memory.version: version_of(memory) for memory in versions}
    steps = [by_number.pop(1)] if 1 in by_number else []
    for event in events:
        if event.action == "revise":
            version = by_number.pop(event.detail["version"], None)
            steps += [version] if version else []
        elif event.action != "remember":
            steps.append(
                Change(0, event.at, event.actor, event.action, None, None, None, None, None, event.detail)
            )
    return [replace(step, sequence=i) for i, step in enumerate(steps, 1)]
