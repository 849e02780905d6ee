"""Reconciles what a source holds with what is known of it: skip, update, create, restore, propose, remove.

A payload is applied in batches. Each is one transaction that first checks that no other payload has begun
since, so two never interleave and an older one never undoes a newer one. Replacements are stored before what
is gone is removed. What failed to be read, and what a person pinned or edited, stays as it is.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

from holdfast.core.arguments import checked_count, checked_flag, checked_names
from holdfast.core.errors import Conflict, InvalidInput
from holdfast.core.reconciled import VANISHED, Fingerprint, Reconciled
from holdfast.core.review import HELD
from holdfast.core.sources import Source
from holdfast.features.reconcile import entities
from holdfast.features.reconcile.apply import BATCH, Hold, Moved, Payload, Progress, Work, described
from holdfast.features.reconcile.entities import check_plain, entities_of, fingerprints_of
from holdfast.features.reconcile.plan import Step, Tally, foreseen, planned
from holdfast.features.reconcile.renames import find_renamed, is_renamed
from holdfast.features.reconcile.sources import (
    checked_file,
    described_view,
    find_described,
    new_source,
    why_not_reconcile,
)
from holdfast.features.service import Service

TRIES = 5
"""Times that a plan is made anew because the source changed meanwhile."""


STAMP_MAX = 100


def payload_of(file: object, payload: object, sequence: object = None) -> Payload:
    """Returns a checked payload. Raises InvalidInput."""
    address = checked_file(file)
    entities = entities_of(payload)
    values: Mapping[str, Any] = payload if isinstance(payload, Mapping) else {}
    name, platform = (
        values.get("name") or address.rstrip("/").rpartition("/")[2],
        values.get("platform", "file"),
    )
    if not isinstance(name, str) or not isinstance(platform, str):
        raise InvalidInput("name and platform of a payload must be text", code="payload_invalid")
    if sequence is not None:
        checked_count(sequence, "sequence")
    stamp = values.get("stamp")
    if stamp is not None and (not isinstance(stamp, str) or len(stamp) > STAMP_MAX):
        raise InvalidInput(f"stamp must be text of at most {STAMP_MAX} characters", code="payload_invalid")
    skipped = _skipped(values.get("skipped"))
    return Payload(address, name, platform, entities, sequence, stamp, skipped)  # type: ignore[arg-type]


def _skipped(skipped: object) -> tuple[tuple[str, str], ...]:
    """Returns the files that a payload names as not read, with the reasons. Raises InvalidInput."""
    items = skipped if isinstance(skipped, list) else [] if skipped is None else [skipped]
    names = [tuple(map(entry.get, ("file", "why"))) if isinstance(entry, Mapping) else () for entry in items]
    if not all(len(name) == 2 and all(isinstance(text, str) for text in name) for name in names):
        raise InvalidInput("skipped must list objects with a file and why", code="payload_invalid")
    return tuple((str(file), str(why)) for file, why in names)


def reconcile(
    service: Service,
    payload: Payload,
    *,
    project: str | None = None,
    visibility: str | None = None,
    members: Collection[str] | None = None,
    formerly: Collection[str] = (),
    dry_run: bool = False,
    progress: Progress | None = None,
    hold: Hold | None = None,
) -> Reconciled:
    """Reconciles a payload with what is known of its source, and returns what changed (S3.9, S3.42).

    `formerly` are ids of sources that are gone: the only one that held the same is this one under its former
    name (S3.25). `hold` is called in each transaction and may raise, to stop. Raises InvalidInput, Conflict
    for a closed project, Refusal `not_yours`.
    """
    checked_flag(dry_run, "dry_run")
    digests = fingerprints_of(payload.entities, payload.name)
    run = f"{entities.FORM}:{hashlib.blake2b(''.join(digests).encode(), digest_size=16).hexdigest()}"
    formerly = checked_names(formerly, "formerly")
    readable = _readable(payload, digests)
    for attempt in range(1, TRIES + 1):
        existing, same, rows = _compared(service, payload, project, formerly, readable)
        source = existing or new_source(
            service, payload.file, payload.name, payload.platform,
            project=project, visibility=visibility, members=members,
        )  # fmt: skip
        refusal = why_not_reconcile(service.principal, source)
        if refusal is not None:
            raise refusal
        tally = Tally()
        renamed = is_renamed(service, source, payload.file)
        before = source.filename if renamed else None
        steps = planned(payload.entities, digests, same, rows, tally, renamed=renamed)
        check_plain(step.entity for step in steps)
        number = source.sequence + 1 if payload.sequence is None else payload.sequence
        outdated = not _accepts(source, number, run)
        if outdated:
            tally = Tally()  # nothing is done
        if dry_run or outdated:
            if not outdated:
                _foresee(service, payload, source, steps, tally)
                _add_titles(service, source, tally)
            return _result(
                None if existing is None else source.id, payload, number, tally,
                outdated=outdated, dry_run=dry_run, renamed_from=before,
            )  # fmt: skip
        work = Work(service, payload, source, existing, project, number, run, tally, hold)
        try:
            finished = work.apply(steps, progress)
        except Moved:
            continue
        except Conflict as error:  # one that was overtaken has stored something since the plan was made
            if error.code != "duplicate_text" or attempt == TRIES:
                raise
            continue
        service.bell.ring()
        if finished:
            tally.note_skipped(payload.skipped)
            _add_titles(service, work.source, tally)
        return _result(work.source.id, payload, number, tally, outdated=not finished, renamed_from=before)
    return _result(source.id, payload, number, Tally(), outdated=True)


def _readable(payload: Payload, digests: Sequence[str]) -> set[str]:
    """Returns the digests of the entities that could be read."""
    if not payload.entities.has_errors:
        return set(digests)
    pairs = zip(payload.entities.errors, digests, strict=True)
    return {digest for error, digest in pairs if error is None}


def _compared(
    service: Service, payload: Payload, project: str | None, formerly: Collection[str],
    readable: Collection[str],
) -> tuple[Source | None, set[str], list[Fingerprint]]:  # fmt: skip
    """Returns the source of a payload as it is stored, also under a former name; those of the digests that
    its descriptions have, and the state of its other descriptions."""
    with service.store.read() as snap:
        existing = find_described(snap, service, payload.file, project)
        if existing is None and formerly:
            existing = find_renamed(snap, service, payload, project, formerly)
        if existing is None:
            return None, set(), []
        same, rows = snap.compare_fingerprints(described_view(existing), existing.id, readable)
    return existing, same, rows


def _foresee(service: Service, payload: Payload, source: Source, steps: Sequence[Step], tally: Tally) -> None:
    """Notes what would be done, also of what cannot be described or would not be kept."""
    for at in range(0, len(steps), BATCH):
        for described_step in described(
            service, source, payload.name, steps[at : at + BATCH], service.clock()
        ):
            action, why = described_step.unkept or (
                foreseen(described_step.step),
                _WHY.get(foreseen(described_step.step)),
            )
            row, title = (
                described_step.step.row,
                described_step.description.title if described_step.description else None,
            )
            tally.note(action, described_step.step, row.id if row else None, title, why)
    tally.note_skipped(payload.skipped)


_WHY = {"removed": VANISHED, "proposed": HELD}
"""The reasons of what would be done."""


def _add_titles(service: Service, source: Source, tally: Tally) -> None:
    """Adds the titles of descriptions that are not made anew, such as of what is gone or could not be read:
    their ids say nothing to people."""
    ids = [change.memory for change in tally.changes if change.title is None and change.memory is not None]
    if ids:
        with service.store.read() as snap:
            titles = {memory.id: memory.title for memory in snap.several(described_view(source), ids, now=0)}
        tally.changes = [
            replace(change, title=titles.get(change.memory))
            if change.title is None and change.memory
            else change
            for change in tally.changes
        ]


def _accepts(source: Source, number: int, run: str) -> bool:
    """Returns whether a payload is newer than all before, or the last one, which was interrupted: that with
    the same digests, or by its number alone if it was begun by a version with another form of them."""
    if source.deleted_at is not None or number > source.sequence:
        return True
    is_same = run == source.run or run.partition(":")[0] != (source.run or "").partition(":")[0]
    return number == source.sequence and is_same and source.applied < number


def _result(
    source: str | None, payload: Payload, number: int, tally: Tally, *, outdated: bool,
    dry_run: bool = False, renamed_from: str | None = None,
) -> Reconciled:  # fmt: skip
    """Returns the result of a run for one source."""
    names = Reconciled.__slots__
    return Reconciled(
        source, payload.name, payload.platform, number, outdated, dry_run,
        **{name: count for name, count in tally.counts.items() if name in names},
        changes=tuple(tally.changes), renamed_from=renamed_from,
    )  # fmt: skip
