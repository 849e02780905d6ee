"""Plans of a reconciliation: what has to be done, by comparing fingerprints."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import chain

from holdfast.core.places import Scope
from holdfast.core.reconciled import SHOWN, Entity, EntityChange, Fingerprint
from holdfast.features.reconcile.entities import id_of, type_of
from holdfast.features.reconcile.sources import SCOPE

HELD = "a person pinned or edited what it would replace"
"""The reason why news waits beside a description."""


@dataclass(frozen=True, slots=True)
class Step:
    """The work that has to be done for one entity, or for a description without one."""

    action: str
    entity: Entity
    digest: str
    row: Fingerprint | None = None


@dataclass(slots=True)
class Tally:
    """Counts of what was done, and the first changes."""

    counts: Counter[str] = field(default_factory=Counter)
    changes: list[EntityChange] = field(default_factory=list)

    def note(self, action: str, step: Step, memory: str | None, title: str | None, why: str | None) -> None:
        self.counts[action] += 1
        if action not in ("unchanged", "refreshed") and len(self.changes) < SHOWN:
            self.changes.append(EntityChange(action, step.entity.type, step.entity.id, title, memory, why))


def planned(
    entities: Sequence[Entity], digests: Sequence[str], rows: Sequence[Fingerprint], tally: Tally
) -> list[Step]:
    """Returns what has to be done, removals last; what is unchanged or cannot be read is only counted."""
    known: defaultdict[tuple[str, str], dict[str, Fingerprint]] = defaultdict(dict)
    for row in rows:
        _, _, kind, scope, id, _, _, _, _, deleted_at, _, _ = row
        if id is not None and (deleted_at is None or id not in known[kind, scope]):  # proposals have no id
            known[kind, scope][id] = row
    steps: list[Step] = []
    places = {name: known[type_of(name).kind, scope_of(name)] for name in {one.type for one in entities}}
    unchanged = 0
    for entity, digest in zip(entities, digests, strict=True):
        found = places[entity.type].pop(id_of(entity), None)
        if found is not None and found[5] == digest and found[9] is None and entity.error is None:
            unchanged += 1
            continue
        step = Step("create", entity, digest, found)
        if entity.error is not None:
            tally.note("failed", step, None if found is None else found.id, None, entity.error)
        elif found is None:
            steps.append(step)
        elif found.deleted_at is not None:
            if found.may_return:
                steps.append(replace(step, action="restore"))
            else:
                tally.note("forgotten", step, found.id, None, "it was forgotten")
        else:
            steps.append(replace(step, action="update"))
    tally.counts["unchanged"] = unchanged
    for row in chain.from_iterable(one.values() for one in known.values()):
        if row.deleted_at is None:
            step = Step("remove", Entity(row.kind, row.external_id or "", {}), "", row)
            if row.is_held:
                tally.note("kept", step, row.id, None, HELD)
            else:
                steps.append(step)
    return steps


def scope_of(type: str) -> str:
    """Returns the type of the scope of descriptions of an entity type."""
    return SCOPE if type_of(type).scope == SCOPE else Scope().type


def foreseen(step: Step) -> str:
    """Returns what would be said of a step once it is done."""
    if step.action == "update" and step.row is not None and step.row.is_held:
        return "proposed"
    return {"create": "created", "update": "updated", "restore": "restored", "remove": "removed"}[step.action]
