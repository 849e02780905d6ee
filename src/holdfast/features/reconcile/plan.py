"""Plans of a reconciliation: what has to be done, by comparing fingerprints."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace

from holdfast.core.places import Scope
from holdfast.core.reconciled import DIGEST, FILE, SHOWN, Entities, Entity, EntityChange, Fingerprint
from holdfast.core.review import HELD
from holdfast.features.reconcile.entities import contents_of, id_of, type_of
from holdfast.features.reconcile.sources import SCOPE


@dataclass(frozen=True, slots=True)
class Step:
    """The work that has to be done for one entity, or for a description without one."""

    action: str
    entity: Entity
    digest: str
    row: Fingerprint | None = None

    @property
    def is_renamed(self) -> bool:
        """Returns whether nothing has changed but what it, or its source, is called."""
        return self.row is not None and self.row.content == self.digest[DIGEST:]


@dataclass(slots=True)
class Tally:
    """Counts of what was done, and the first changes."""

    counts: Counter[str] = field(default_factory=Counter)
    changes: list[EntityChange] = field(default_factory=list)

    def note(self, action: str, step: Step, memory: str | None, title: str | None, why: str | None) -> None:
        self.counts[action] += 1
        if action not in ("unchanged", "refreshed") and len(self.changes) < SHOWN:
            self.changes.append(EntityChange(action, step.entity.type, step.entity.id, title, memory, why))

    def note_skipped(self, files: Iterable[tuple[str, str]]) -> None:
        """Counts files that are not read, and lists the first ones with the reasons, however much changed."""
        listed = [EntityChange("skipped", FILE, file, why=why) for file, why in files]
        self.counts["skipped"] += len(listed)
        self.changes += listed[:SHOWN]


def planned(
    entities: Entities, digests: Sequence[str], same: Collection[str], rows: Sequence[Fingerprint],
    tally: Tally, *, renamed: bool = False,
) -> list[Step]:  # fmt: skip
    """Returns what has to be done, removals last; what is unchanged or cannot be read is only counted.

    `same` are the digests of what is unchanged, `rows` all other descriptions; `renamed` says that the source
    itself was, whose descriptions may have been removed when it was gone.
    """
    existing: defaultdict[tuple[str, str], dict[str, Fingerprint]] = defaultdict(dict)
    for row in rows:
        id = row.external_id
        if id is not None and (row.deleted_at is None or id not in existing[row.kind, row.scope_type]):
            existing[row.kind, row.scope_type][id] = row  # proposals have no id
    steps: list[Step] = []
    changed = [(entities[at], digest) for at, digest in enumerate(digests) if digest not in same]
    tally.counts["unchanged"] = len(entities) - len(changed)
    contents = contents_of([entity for entity, _ in changed])
    for (entity, digest), content in zip(changed, contents, strict=True):
        previous = existing[type_of(entity.type).kind, scope_of(entity.type)].pop(id_of(entity), None)
        step = Step("create", entity, digest + content, previous)
        if entity.error is not None:
            spot = str(entity.data.get("position") or "") or None  # the id of a cell says nothing to people
            id, title = (None, spot) if previous is None else (previous.id, None)
            tally.note("failed", step, id, title, entity.error)
        elif previous is None:
            steps.append(step)
        elif previous.deleted_at is None:
            steps.append(replace(step, action="update"))
        elif previous.may_return:
            steps.append(replace(step, action="restore"))
        else:
            tally.note("forgotten", step, previous.id, None, "it was forgotten")
    left = [row for rows in existing.values() for row in rows.values()]
    former = _former(steps, [row for row in left if row.deleted_at is None or (renamed and row.may_return)])
    for at, row in former.items():
        action = "update" if row.deleted_at is None else "restore"
        steps[at] = replace(steps[at], action=action, row=row)
    reused = {row.id for row in former.values()}
    for row in left:
        if row.deleted_at is None and row.id not in reused:
            step = Step("remove", Entity(row.kind, row.external_id or "", {}), "", row)
            if row.is_held:
                tally.note("kept", step, row.id, None, HELD)
            else:
                steps.append(step)
    return steps


def _former(steps: Sequence[Step], removed: Sequence[Fingerprint]) -> dict[int, Fingerprint]:
    """Returns which of the descriptions of what is gone are those of new files, by the place of their step:
    the same under another name, or in a sheet with another one, if nothing else is the same (S3.25). A table
    that is dropped and one like it that is made are two."""
    old: defaultdict[tuple[str, str, str], list[Fingerprint]] = defaultdict(list)
    new: defaultdict[tuple[str, str, str], list[int]] = defaultdict(list)
    for row in removed:
        old[row.kind, row.scope_type, row.content].append(row)
    for at, step in enumerate(steps) if old else ():
        data = step.entity.data
        if step.row is None and (data.get("kind") == "file" or data.get("sheet")):
            type = step.entity.type
            new[type_of(type).kind, scope_of(type), step.digest[DIGEST:]].append(at)
    return {new[key][0]: rows[0] for key, rows in old.items() if len(rows) == 1 == len(new.get(key, ()))}


def scope_of(type: str) -> str:
    """Returns the type of the scope of descriptions of an entity type."""
    return SCOPE if type_of(type).scope == SCOPE else Scope().type


def foreseen(step: Step) -> str:
    """Returns what would be said of a step once it is done."""
    if step.action == "update" and step.row is not None and step.row.is_held:
        return "proposed"
    return {"create": "created", "update": "updated", "restore": "restored", "remove": "removed"}[step.action]
