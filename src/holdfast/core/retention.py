"""Retention: how long memories stay, by kind and project, and legal holds, which keep them.

Both are folded from the chain of events, their only record, which says who set, changed or lifted one and
when. In events a project is named by its id, in results by its name.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from holdfast.core.backup_places import BACKUP_PLACES
from holdfast.core.consents import CONSENTS
from holdfast.core.errors import Refusal
from holdfast.core.events import Event
from holdfast.core.kinds import EXCLUSION, KINDS, Nature
from holdfast.core.times import DAY
from holdfast.core.wire import Millis, Plain, wire

RETENTION = "retention"
HOLDS = "holds"
HINT = "an owner or admin sees and lifts holds: holdfast retention holds"
REGISTERS = frozenset({RETENTION, HOLDS, CONSENTS, BACKUP_PLACES})
"""Subjects of events that are registers of the tenant: names, numbers and times, never text."""

SET, REMOVED = "set_retention", "remove_retention"
PLACED, LIFTED = "place_hold", "lift_hold"
"""The actions of events that these registers are made of."""

RETAINED = frozenset(
    name
    for name, kind in KINDS.items()
    if kind.nature in (Nature.EVIDENCE, Nature.KNOWLEDGE) and name not in ("passage", EXCLUSION)
)
"""The kinds that policies cover. Passages and descriptions follow the files and sources that they were made
of, entities what is said of them; an exclusion is a decision of a person."""

GRACE = DAY
"""Milliseconds in which a new, changed or removed policy erases nothing of what it covers."""


@dataclass(frozen=True, slots=True)
class Policy(Plain):
    """The days that memories of a kind, in a project, stay after they were last changed. None for `kind` or
    `project` is every one; for `days`: they stay for good, whatever a wider policy says."""

    kind: str | None
    project: str | None
    days: int | None = field(metadata=wire(about="Days since the last change; null: for good."))
    set_by: str
    set_at: Millis
    removed: bool = field(default=False, metadata=wire(hidden=True))

    @property
    def rank(self) -> tuple[bool, bool, str, str]:
        """Returns the place of a policy among others, which is its own alone: narrower ones come first."""
        return self.project is None, self.kind is None, self.project or "", self.kind or ""


@dataclass(frozen=True, slots=True)
class Hold(Plain):
    """A legal hold: while it lasts nothing is erased that it covers, by nobody. It covers what a user keeps,
    what is in a project, with both what that user keeps there, and without either everything."""

    name: str
    user: str | None
    project: str | None
    placed_by: str
    placed_at: Millis

    def covers(self, owner: str, project: str | None) -> bool:
        """Returns whether it covers a memory of an owner in a project."""
        return self.user in (None, owner) and self.project in (None, project)


@dataclass(frozen=True, slots=True)
class Cutoff:
    """A policy at one moment: what was last changed at `before` or earlier is due; None for never."""

    kind: str | None
    project: str | None
    before: int | None


@dataclass(frozen=True, slots=True)
class Outdated:
    """A memory that a policy covers and whose time is over. `held` says that a legal hold keeps it,
    `protected` that a person pinned or edited it: then it stays. `session` is its number."""

    number: int
    id: str
    owner: str
    kind: str
    project: str | None
    session: int | None
    changed_at: int
    held: bool | int
    protected: bool | int

    @property
    def is_due(self) -> bool:
        """Returns whether it is to be erased."""
        return not (self.held or self.protected)


@dataclass(frozen=True, slots=True)
class DueGroup(Plain):
    """The number of memories of one owner, kind and project that are due, and when the oldest was changed."""

    owner: str
    kind: str
    project: str | None
    memories: int
    oldest: Millis


@dataclass(frozen=True, slots=True)
class Example(Plain):
    """One memory that is due; its text only if the caller may read it."""

    id: str
    owner: str
    kind: str
    project: str | None
    changed_at: Millis
    text: str | None = field(default=None, metadata=wire(about="The beginning, if you may read it."))


@dataclass(frozen=True, slots=True)
class Due(Plain):
    """The memories that policies would erase now: counts by owner, kind and project, and examples. `held`
    ones are over their time and stay by a legal hold, `protected` ones as a person pinned or edited them."""

    memories: int
    held: int
    protected: int
    groups: tuple[DueGroup, ...]
    examples: tuple[Example, ...]


def policies_of(events: Iterable[Event]) -> list[Policy]:
    """Returns the policies that the events of the register leave, narrowest first, removed ones included."""
    policies: dict[tuple[bool, bool, str, str], Policy] = {}
    for event in events:
        if event.action in (SET, REMOVED):
            detail, removed = event.detail, event.action == REMOVED
            days = None if removed else detail["days"]
            policy = Policy(detail["kind"], detail["project"], days, event.actor, event.at, removed)
            policies[policy.rank] = policy
    return [policies[rank] for rank in sorted(policies)]


def holds_of(events: Iterable[Event]) -> list[Hold]:
    """Returns the holds that the events of the register leave in place, oldest first."""
    holds: dict[str, Hold] = {}
    for event in events:
        detail = event.detail
        if event.action == PLACED:
            holds[detail["name"]] = Hold(
                detail["name"], detail["user"], detail["project"], event.actor, event.at
            )
        elif event.action == LIFTED:
            holds.pop(detail["name"], None)
    return list(holds.values())


def cutoffs(policies: Sequence[Policy], now: int, *, grace: int = GRACE) -> list[Cutoff]:
    """Returns what policies mean at a moment, the first that fits deciding. One that was set or removed less
    than `grace` ago lets nothing go."""
    results = []
    for policy in policies:
        is_new = now < policy.set_at + grace
        if policy.removed and not is_new:
            continue
        before = None if is_new or policy.days is None or policy.removed else now - policy.days * DAY
        results.append(Cutoff(policy.kind, policy.project, before))
    return results


def check_may_leave(holds: Iterable[Hold], owner: str, project: str | None) -> None:
    """Raises Refusal `legal_hold` if a hold on a project keeps what an owner has there: moved elsewhere, it
    would be covered no longer."""
    if project is not None and any(hold.project and hold.covers(owner, project) for hold in holds):
        raise Refusal("a legal hold keeps what is in the project where it is", code="legal_hold", hint=HINT)


def check_not_held(held_ids: Sequence[str]) -> None:
    """Raises Refusal `legal_hold` if there are ids of memories that a hold keeps."""
    if held_ids:
        raise Refusal(
            f"a legal hold keeps {len(held_ids):,} of the memories that would be erased",
            code="legal_hold",
            hint=f"forgetting hides them; {HINT}",
        )
