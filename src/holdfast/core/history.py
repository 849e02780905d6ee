"""The history of a memory: its versions and the events about it, in order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from holdfast.core.events import REQUEST_MARK
from holdfast.core.places import Visibility
from holdfast.core.record import Change, Memory, Status
from holdfast.core.review import AGENT_FLAGGED, USER_FLAGGED, Verdict

if TYPE_CHECKING:
    from holdfast.core.events import Event

IMPORTED: Final = "import"
"""The action of an event that carries the history a memory had in the store it was exported from."""
STEPS: Final[Mapping[str, frozenset[str]]] = {
    action: frozenset(details.split())
    for action, details in {
        "approve": "was by confidence supersedes why",
        "ask_to_share": "visibility",
        "clean": "version personal",
        "confirm": "",
        "decline_sharing": "visibility asked_by asked_at",
        "extract": "version candidates",
        "feedback": "verdict confidence status",
        "forget": "with agreed",
        "hold": "rests_on was visibility",
        "merge": "confidence",
        "move": "project was visibility",
        "pin": "",
        "promote": "project was visibility asked_by asked_at",
        "redact": "version",
        "reject": "was confidence supersedes why",
        "restore": "with was by",
        "revise": "version status accepted",
        "revive": "",
        "supersede": "by until",
        "unpin": "",
        "withdraw_sharing": "visibility",
        "wrong": "reason was",
    }.items()
}
"""The actions on a memory after its creation, each with the names of the details that its event holds."""
REDACTED: Final = "[redacted]"
"""The text of a version that was erased from the history of its memory."""
LABEL: Final = "asked_by"
"""The only detail that names a user."""
WORDS: Final = frozenset(
    {*Status, *Verdict, *Visibility, USER_FLAGGED, AGENT_FLAGGED, "repetition", "removed"}
)
"""The words that a detail may hold, besides ids and numbers."""


@dataclass(frozen=True, slots=True)
class Step:
    """One action on a memory. `at` is UTC epoch milliseconds; `detail` as in an event."""

    at: int
    actor: str
    action: str
    detail: dict[str, Any]


def steps_of(events: Iterable[Event]) -> Iterator[Step]:
    """Yields the actions in the events about one memory, those imported from another store included. Its
    creation is left out: the first version stands for it."""
    for event in events:
        if event.action == IMPORTED:
            yield from (Step(*step) for step in event.detail.get("steps", ()))
        elif event.action != "remember":
            detail = {name: value for name, value in event.detail.items() if name != REQUEST_MARK}
            yield Step(event.at, event.actor, event.action, detail)


def version_of(memory: Memory) -> Change:
    """Builds the change that created one version of a memory."""
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
        metadata=memory.metadata,
    )


def history_of(versions: Sequence[Memory], events: Iterable[Event]) -> list[Change]:
    """Returns every change, oldest first, in the order of the events: clocks may be set back. It begins with
    the first of the versions: what was before it, is not the reader's to see."""
    by_number = {memory.version: version_of(memory) for memory in versions}
    first = min(by_number, default=1)
    steps = [by_number.pop(1)] if first == 1 else []
    for step in steps_of(events):
        if not steps and (step.action != "revise" or step.detail["version"] < first):
            continue
        if step.action == "revise":
            version = by_number.pop(step.detail["version"], None)
            steps += [replace(version, at=step.at)] if version else []  # a confirmation moves `updated_at`
        else:
            steps.append(
                Change(0, step.at, step.actor, step.action, None, None, None, None, None, step.detail)
            )
    if not steps and by_number:  # its history was not brought along
        steps = [by_number[first]]
    return [replace(step, sequence=i) for i, step in enumerate(steps, 1)]
