"""Migration of users to another store: previewed, resumable, verified (S4.51)."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from holdfast.core.errors import InvalidInput, NotFound
from holdfast.core.members import Member
from holdfast.core.places import Principal, Role, user_of
from holdfast.core.record import Kept, Outcome
from holdfast.core.views import personal_view
from holdfast.features.access.members import add_members, list_members
from holdfast.features.admission.names import checked_name
from holdfast.features.service import Service
from holdfast.features.transfer import migrated_parts
from holdfast.features.transfer import records_out as transfer
from holdfast.features.transfer.restore import RECORD_TYPES, Restorer
from holdfast.features.transfer.verify import Verdict, compared

BATCH = 500
"""Maximum number of records in one transaction."""
CHARACTERS = 4 << 20
"""Characters of text after which a batch is stored although it has fewer records."""
SHOWN_MAX = 1_000
"""Maximum number of refused memories that a report lists."""
EVENT = "migrate"
"""The action of the event that the source records at the end."""

Advance = Callable[[int], None]


@dataclass(slots=True)
class Report:
    """The outcomes of a migration, or of its preview.

    `projects` counts outcomes by project, None for memories without one; `left_out` counts memories of
    excluded projects. `verified` memories are the same in both stores; `differing` lists the others, and why.
    `digest` is a hash over the hashes of all verified memories, equal on both sides.
    """

    users: tuple[str, ...]
    others: tuple[str, ...] = ()
    """Users of the source whose memories are not moved."""
    dry_run: bool = False
    projects: dict[str | None, Counter[str]] = field(default_factory=dict)
    left_out: Counter[str] = field(default_factory=Counter)
    redactions: Counter[str] = field(default_factory=Counter)
    refused: list[dict[str, Any]] = field(default_factory=list)
    verified: int = 0
    differing: list[dict[str, str]] = field(default_factory=list)
    digest: str | None = None
    members: tuple[Member, ...] = ()
    """Members of the source that the target does not know, owners first: a person decides on membership there
    (S4.53), and no memory moves it."""
    let_in: tuple[Member, ...] = ()
    """The members of these that the person who runs the migration added to the target, with the same
    roles."""
    parts: dict[str, list[int]] = field(default_factory=dict)
    """Number of entries of each part other than memories: in the source, and of these in the target."""
    left_behind: dict[str, int | None] = field(default_factory=dict)
    """What stays behind, by the table that has it, with the number of entries where it is known."""

    @property
    def is_complete(self) -> bool:
        """Returns whether all that is carried was found in the target, memories by their hash."""
        missing = any(here != there for here, there in self.parts.values())
        return not (self.dry_run or self.refused or self.differing or missing)

    def count(self, outcome: str) -> int:
        """Returns the number of memories with an outcome, over all projects."""
        return sum(counts[outcome] for counts in self.projects.values())

    @property
    def memories(self) -> int:
        """Returns the number of memories processed, without excluded ones."""
        return sum(sum(counts.values()) for counts in self.projects.values())

    def as_dict(self) -> dict[str, Any]:
        """Returns the report as plain JSON types."""
        return {
            "users": list(self.users),
            "others": list(self.others),
            "dry_run": self.dry_run,
            "memories": self.memories,
            "projects": [{"project": name, **counts} for name, counts in self.projects.items()],
            "left_out": dict(self.left_out),
            "redactions": dict(self.redactions),
            "refused": self.refused,
            "verified": self.verified,
            "differing": self.differing,
            "digest": self.digest,
            "parts": {name: {"here": here, "there": there} for name, (here, there) in self.parts.items()},
            "left_behind": self.left_behind,
            "complete": self.is_complete,
            "members_left": [{"user": member.user, "role": member.role.value} for member in self.members],
            "members_added": [{"user": member.user, "role": member.role.value} for member in self.let_in],
        }


def owners(service: Service) -> list[str]:
    """Returns every user who has ever stored something, by the chain of events."""
    users: set[str] = set()
    after = 0
    view = personal_view(service.principal, closed=True)
    while True:
        with service.store.read() as snap:
            page = list(snap.events(view, after=after, limit=10_000))
        if not page:
            return sorted(users)
        users |= {user_of(event.actor) for event in page}
        after = page[-1].sequence


class Migration:
    """A migration from a source to a target. The only change in the source is an event at the end.

    Validates the records of an export in the target, so every text is scanned for secrets again and every
    vector is computed by the target's embedder. Existing memories stay, so an interrupted migration resumes
    when it is run again. `exclude` names projects that are not moved. With `members` the members of the
    source are added to the target, all or none, if the caller may do so there. Raises NotFound for an unknown
    project, InvalidInput if two members would be added under one name.
    """

    def __init__(
        self,
        source: Service,
        target: Service,
        users: Sequence[str],
        *,
        named: str | None = None,
        exclude: Collection[str] = (),
        members: bool = False,
        advance: Advance = lambda _: None,
    ) -> None:
        if source.store.location == target.store.location:
            raise InvalidInput(
                "a store cannot be migrated to itself",
                code="argument_invalid",
                hint="pass another store to --to",
            )
        if named is not None and len(users) != 1:
            raise InvalidInput("only one user can be renamed", code="argument_invalid")
        agent = source.principal.agent
        self._ways = [
            (
                source.acting_as(Principal(checked_name(user, "user"), agent=agent)),
                target.acting_as(Principal(checked_name(named or user, "user"), agent=agent)),
            )
            for user in users
        ]
        self._source, self._target = source, target
        self._let_in = members
        with target.store.read() as snap:  # members that were removed there stay removed
            target_users = {member.user for member in snap.members(personal_view(target.principal))}
        names = {} if named is None else {users[0]: named}
        source_members = [
            replace(member, user=names.get(member.user, member.user)) for member in list_members(source)
        ]
        missing_members = [member for member in source_members if member.user not in target_users]
        if members and len({member.user for member in missing_members}) < len(
            missing_members
        ):  # one would get the role of the other
            raise InvalidInput(
                f"{named} is another member of the source, who would be added under the same name",
                code="argument_invalid",
                hint="use a name that no other member has, or add members one by one",
            )
        self._members = tuple(sorted(missing_members, key=lambda member: member.role is not Role.OWNER))
        self._users = tuple(users)
        self._excluded = frozenset(exclude)
        self._advance = advance
        self._duplicates: dict[str, str] = {}
        views = [
            personal_view(way_in.principal, closed=True)
            for way_in in (source, *(way for way, _ in self._ways))
        ]
        with source.store.read() as snap:
            for name in sorted(self._excluded):
                if all(snap.project(view, name) is None for view in views):
                    raise NotFound(f"there is no project {name!r}", code="project_not_found")

    def preview(self) -> Report:
        """Returns the outcome of every memory, by project, without storing anything (S4.51)."""
        report = self._report(dry_run=True)
        for source, target in self._ways:
            self._move_user(source, target, report)
        self._count_parts(report)
        return report

    def run(self) -> Report:
        """Moves everything, then compares every memory on both sides by hash, and records an event in the
        source. Members are added first, so that a caller who may not add them moves nothing: AccessDenied,
        Refusal, Conflict. Raises StoreError if a store fails; running it again resumes."""
        members = [(member.user, member.role) for member in self._members if self._let_in]
        # members that the target has added or removed since then are left unchanged
        added = add_members(self._target, members, only_new=True) if members else []
        report = self._move_all()
        if members:
            report.members, report.let_in = (), tuple(added)
        if report.refused and len(self._ways) > 1:
            # links to an entity of a user who was moved later are stored the second time
            self._count_retried(report, self._move_all())
        digest = hashlib.sha256()
        expected = {refusal["id"] for refusal in report.refused}
        for source, target in self._ways:
            for verdict in self._verdicts(source, target):
                self._count_verdict(report, verdict, expected, digest)
        report.digest = digest.hexdigest()
        for source, target in self._ways:
            for id, reason in migrated_parts.carry(source, target, self._excluded).items():
                entry = {"type": "part", "id": id, "code": "not_carried", "reason": reason}
                report.refused.append(entry)
        self._count_parts(report)
        self._add_source_event(report)
        return report

    def _count_parts(self, report: Report) -> None:
        """Counts what is carried besides memories on both sides, and what stays behind."""
        by_part: dict[str, tuple[set[migrated_parts.Entry], set[migrated_parts.Entry]]] = {}
        for source, target in self._ways:
            ids = self._sources(source) if self._excluded else None
            for name, (here, there) in migrated_parts.entries(source, target, self._excluded, ids).items():
                known_here, known_there = by_part.setdefault(name, (set(), set()))
                known_here |= here
                known_there |= there
            for name, count in migrated_parts.left_behind(source).items():
                previous = report.left_behind.get(name)
                report.left_behind[name] = None if count is None else (previous or 0) + count
        report.parts.update({name: [len(here), len(there)] for name, (here, there) in by_part.items()})

    def _report(self, *, dry_run: bool = False) -> Report:
        other_users = tuple(user for user in owners(self._source) if user not in self._users)
        return Report(self._users, other_users, dry_run, members=self._members)

    def _move_all(self) -> Report:
        report = self._report()
        for source, target in self._ways:
            self._move_user(source, target, report)
        return report

    def _count_retried(self, report: Report, again: Report) -> None:
        """Counts as created what was refused at first and stored the second time."""
        report.refused = again.refused
        for name, counts in report.projects.items():
            stored = counts["refused"] - again.projects[name]["refused"]
            counts["created"] += stored
            counts["refused"] -= stored

    def _move_user(self, source: Service, target: Service, report: Report) -> None:
        """Restores all of one user in the target; for the report of a preview, only counts the outcomes."""
        header, records = self._records(source, report.left_out)
        restoring = Restorer(target, header, vouched=True)
        for batch in _batches(records):
            outcomes = restoring.restore(batch, rehearse=report.dry_run)
            for record, outcome in zip(batch, outcomes, strict=True):
                _count(report, record, outcome)
                if record["type"] == "memory" and outcome.outcome is Outcome.DUPLICATE:
                    self._note_duplicate(restoring, record["id"], outcome.related)
            self._advance(len(batch))

    def _verdicts(self, source: Service, target: Service) -> Iterator[Verdict]:
        """Yields the comparison of each memory of one user with the target, after they were moved."""
        header, records = self._records(source, Counter())
        restoring = Restorer(target, header, vouched=True)
        for batch in _batches(record for record in records if record["type"] == "memory"):
            yield from compared(restoring, batch, self._duplicates)
            self._advance(len(batch))

    def _note_duplicate(self, restoring: Restorer, id: str, target_id: str | None) -> None:
        if target_id is not None and target_id != restoring.id_here(id):
            self._duplicates[id] = target_id

    def _count_verdict(self, report: Report, verdict: Verdict, refused_ids: set[str], digest: Any) -> None:
        """Counts a memory and adds its hash to the digest, or lists it as differing unless it was refused."""
        if verdict.why is None:
            report.verified += 1
            digest.update(verdict.digest)
        elif verdict.id not in refused_ids:
            report.differing.append({"id": verdict.id, "why": verdict.why})

    def _records(
        self, source: Service, left_out: Counter[str]
    ) -> tuple[dict[str, Any], Iterator[dict[str, Any]]]:
        """Returns the header and the records of a user, without those of excluded projects."""
        records = transfer.records(source)
        header = next(records)
        source_ids = self._sources(source) if self._excluded else None
        return header, self._included(records, left_out, source_ids)

    def _included(
        self, records: Iterator[dict[str, Any]], left_out: Counter[str], sources: set[str] | None
    ) -> Iterator[dict[str, Any]]:
        """Yields the records that move, of sources only those in `sources` (None: all); counts the memories
        in excluded projects in `left_out`."""
        for record in records:
            kind = record["type"]
            if kind not in RECORD_TYPES:
                continue
            if self._is_excluded(record):
                if kind == "memory":
                    left_out[record.get("project") or ""] += 1
            elif kind != "source" or sources is None or record["id"] in sources:
                yield record

    def _is_excluded(self, record: dict[str, Any]) -> bool:
        names = {record.get("project"), *(version.get("project") for version in record.get("earlier", ()))}
        if record["type"] == "project":
            names.add(record["name"])
        return not self._excluded.isdisjoint(names)

    def _sources(self, source: Service) -> set[str]:
        """Returns the sources of the memories that move: a file name of another would reveal what is not
        moved."""
        return {
            record["source"]
            for record in transfer.records(source)
            if record["type"] == "memory" and "source" in record and not self._is_excluded(record)
        }

    def _add_source_event(self, report: Report) -> None:
        """Writes one event in the chain of the source: counts only; neither an address nor the digest, from
        which a text could be guessed that is erased later."""
        detail = {"memories": report.verified, "differing": len(report.differing)}
        with self._source.store.write() as tx:
            now = self._source.clock()
            tx.add_event(
                at=now, actor=self._source.principal.label, action=EVENT, subject=None, detail=detail
            )


def _batches(records: Iterator[dict[str, Any]]) -> Iterator[list[dict[str, Any]]]:
    """Yields the records in batches for one transaction each, limited by number and by characters of all
    versions."""
    batch: list[dict[str, Any]] = []
    size = 0
    for record in records:
        batch.append(record)
        size += len(record.get("text", "")) * (1 + len(record.get("earlier", ())))
        if len(batch) >= BATCH or size >= CHARACTERS:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def _count(report: Report, record: dict[str, Any], result: Kept) -> None:
    """Adds the outcome of one record to the report, which counts only memories by project and lists the first
    `SHOWN_MAX` refusals."""
    outcome = result.outcome.value
    if record["type"] == "memory":
        report.projects.setdefault(record.get("project"), Counter())[outcome] += 1
    if result.outcome is not Outcome.DUPLICATE:
        report.redactions.update(result.redactions)
    if result.outcome is Outcome.REFUSED and len(report.refused) < SHOWN_MAX:
        id = str(record.get("id") or record.get("name"))
        entry = {"type": record["type"], "id": id, "code": result.code, "reason": result.reason}
        report.refused.append(entry)
