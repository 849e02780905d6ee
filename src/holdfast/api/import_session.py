"""The writer of an import: stores the items of an opened export in batches, each with its outcome."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from holdfast.api.import_graph import GraphIntake
from holdfast.api.import_report import SHOWN_MAX
from holdfast.api.import_target import Target, message_fields, record_type
from holdfast.core.errors import HoldfastError, InvalidInput, NotFound
from holdfast.core.places import NAME_MAX
from holdfast.core.record import Kept, Outcome
from holdfast.core.record import Memory as Stored
from holdfast.features.access.permission import check_may_lift
from holdfast.features.admission.draft import Draft
from holdfast.features.memories.outdated import OLDER
from holdfast.features.memories.prefetch import Prefetcher
from holdfast.features.memories.prepare import Prepared
from holdfast.features.memories.remember import store_prepared
from holdfast.features.projects import projects
from holdfast.features.sessions.conversations import ConversationDrafts, SessionMessages, drafts_of
from holdfast.features.sessions.missing import missing_from
from holdfast.features.sessions.replaced import Screens
from holdfast.features.sessions.sessions import known_sessions, move_sessions, name_sessions
from holdfast.features.sessions.unchanged import KNOWN, Unchanged
from holdfast.features.transfer import sources
from holdfast.features.transfer.formats.model import (
    CONVERSATION,
    PART,
    PLATFORMS,
    ChatMessage,
    Conversation,
    ForeignProject,
    ImportedEntity,
    Item,
    Link,
    Note,
    Skipped,
    unclosed_reason,
)
from holdfast.features.transfer.records_out import MARKS
from holdfast.features.transfer.restore import Restorer
from holdfast.features.transfer.signing import Chain
from holdfast.language.private import PRIVATE_TAG, unclosed

if TYPE_CHECKING:
    from holdfast.api.import_report import Report
    from holdfast.api.memory import Memory
    from holdfast.features.transfer.formats.opening import OpenedImport

BATCH = 1_000
"""Items kept in one transaction: durable together, and progress is seen."""
BYTES = 4 << 20
"""Characters of text after which a batch is kept although it holds fewer items."""
_Part = tuple[Conversation, int, int]
"""A conversation, and the first and the last (exclusive) of its messages that are kept together."""
_SET_ASIDE = {
    "event": "events stay with the chain they belong to",
    MARKS: "what others have forgotten says nothing here, unless you vouch for it",
}
"""Why records of a type are skipped."""
_NEW = (Outcome.CREATED, Outcome.REDACTED, Outcome.PENDING, Outcome.SUPERSEDED)


class Intake:
    """One import. `skipped` lists what it leaves out in addition to what the reader left out."""

    def __init__(
        self,
        memory: Memory,
        export: OpenedImport,
        target: Target,
        report: Report,
        advance: Callable[[int], None],
    ) -> None:
        self._service = memory._service
        if target.with_forgotten:
            check_may_lift(self._service.principal)
        self._export = export
        self._target = target
        self._report = report
        self._advance = advance
        self._dry = report.dry_run
        self._source: str | None = None
        self._size = 0
        self._talks: list[_Part] = []
        self._here_before: set[str] = set()
        self._exported_ids: set[str] = set()
        self._last: int | None = None
        self._screens = Screens(self._service)
        self._unchanged = Unchanged(
            self._service,
            {"project": target.project, "workspace": target.workspace, "visibility": target.visibility},
        )
        self._digests: dict[str, str] = {}
        self._same: dict[str, dict[str, Stored]] = {}
        self._projects: dict[str, str] = {}
        self._notes: list[Note] = []
        self._graph = GraphIntake(self._service, export.name, target, report, advance)
        self._records: list[Mapping[str, Any]] = []
        self._restoring: Restorer | None = None
        self._set_aside: Counter[str] = Counter()
        self._unclosed: list[Skipped] = []
        self._prefetcher = Prefetcher(self._service)
        self._preparing: deque[tuple[Callable[[], Prepared], Callable[[Prepared], None]]] = deque()

    @property
    def skipped(self) -> tuple[Skipped, ...]:
        """Returns skipped items: records that are no memories, audit events of the exporting store and marks
        that nobody vouches for, and the ends of texts after a private tag that is never closed.
        """
        aside = (
            Skipped(self._export.name, _SET_ASIDE[what], count, what)
            for what, count in self._set_aside.items()
        )
        return (*aside, *self._unclosed)

    def run(self) -> None:
        """Stores everything. Items stored before an error stay, and are duplicates when the import is
        repeated.
        """
        if self._target.moves and not self._dry:
            moved = sources.move_content(self._service, self._export.sha256, self._target.project)
            self._report.moved.update(sessions=moved.sessions, memories=moved.memories)
        try:
            for item in self._export.items:
                self._take(item)
                self._export.meter.items = self._report.seen.total() - self._report.seen[CONVERSATION]
            self._flush()
            self._settle()
        except InvalidInput:  # what cannot be read: what came before it is kept
            self._settle()
            raise
        except KeyboardInterrupt:
            self._count_source()
            raise
        finally:
            self._prefetcher.close()
        self._count_source()

    def find_missing(self) -> None:
        """Reports the conversations of earlier imports that the export, read to its end, no longer has."""
        if self._export.format in PLATFORMS and self._exported_ids:
            missing = missing_from(self._service, self._export.format, self._exported_ids, self._last)
            self._report.missing_count = len(missing)
            self._report.missing = [
                {"id": session.external_id, "title": session.name} for session in missing[:SHOWN_MAX]
            ]

    def _count_source(self) -> None:
        """Records how many messages and conversations the source has, if it was registered. Raises NotFound
        `source_not_found` if it was purged meanwhile."""
        if self._source is None:
            return
        messages, conversations = self._report.items["message"], self._report.items[CONVERSATION]
        try:
            sources.settle_source(
                self._service, self._source, message_count=messages, conversation_count=conversations
            )
        except NotFound as error:
            why = "what was imported has been purged meanwhile, with its project"
            raise NotFound(why, code=error.code, hint="import it again") from error

    def _take(self, item: Item) -> None:
        """Adds an item of the file to what is written next: a conversation, a note, a record or a part of the
        graph."""
        if isinstance(item, Conversation):
            self._register()
            self._report.items[CONVERSATION] += 1
            self._report.seen[CONVERSATION] += 1
            self._exported_ids.add(item.id)
            times = (self._last, item.updated_at, item.ended_at)
            self._last = max((time for time in times if time is not None), default=None)
            for message in item.messages:
                self._report.seen[message.item_type] += 1
                self._look_for_unclosed(f"{item.id} / {message.id}", message.content)
            for start in range(0, len(item.messages), BATCH):
                part = item.messages[start : start + BATCH]
                self._talks.append((item, start, start + len(part)))
                self._grown(len(part), sum(len(message.content) for message in part))
        elif isinstance(item, ForeignProject):
            self._register()
            self._report.seen["project"] += 1
            self._keep_project(item)
        elif isinstance(item, Note):
            self._register()
            self._report.seen[item.item_type] += 1
            self._look_for_unclosed(str(item.metadata.get("file") or item.id), item.text)
            self._notes.append(item)
            self._grown(1, len(item.text))
        elif isinstance(item, ImportedEntity):
            self._register()
            self._report.seen["entity"] += 1
            self._report.seen["observation"] += len(item.observations)
            self._graph.add(item)
            self._grown(
                1 + len(item.observations), sum(len(observation.text) for observation in item.observations)
            )
        elif isinstance(item, Link):
            self._flush()
            self._settle()
            self._report.seen["relation"] += 1
            self._graph.relate(item)
        else:
            self._record(item)

    def _look_for_unclosed(self, where: str, text: str) -> None:
        """Records that admission will leave out the end of a text; for the text of a file, its reader
        records it.
        """
        if "private" in text.lower() and (lost := unclosed(text)) > len(PRIVATE_TAG):
            self._unclosed.append(Skipped(where, unclosed_reason(lost), 1, PART))

    def _grown(self, items: int, characters: int) -> None:
        self._size += max(items, characters * BATCH // BYTES)
        if self._size >= BATCH:
            self._flush()

    def _flush(self) -> None:
        """Stores everything that was collected, in the order in which the parts refer to each other."""
        self._size = 0
        self._keep_talks()
        self._keep_notes()
        if self._graph.waits:
            self._settle()
            self._graph.keep()
        self._keep_records()

    def _ask(self, drafts: Sequence[Draft], keep: Callable[[Prepared], None]) -> None:
        """Submits drafts to admission, and stores earlier drafts whose results are due."""
        self._preparing.append((self._prefetcher.submit(drafts), keep))
        self._settle(self._prefetcher.lookahead)

    def _settle(self, ahead: int = 0) -> None:
        """Stores submitted drafts in their order, except the last `ahead` batches."""
        while len(self._preparing) > ahead:
            prepared, keep = self._preparing.popleft()
            keep(prepared())

    def _register(self) -> None:
        """Registers the source of the import; the same content always has the same source."""
        if self._source is None and not self._dry:
            file = self._export
            source = sources.add_source(self._service, file.format, file.sha256, filename=file.name[:1_000])
            self._source = self._graph.source = source.id

    def _keep_talks(self) -> None:
        """Drafts the waiting messages of conversations, without those that the store has, and has them
        stored."""
        if not self._talks:
            return
        self._report.homes |= {talk.id: self._project_of(talk.project) for talk, _, _ in self._talks}
        if self._target.moves and not self._dry:
            names = dict.fromkeys(talk.id for talk, _, _ in self._talks)
            self._report.moved["sessions"] += move_sessions(self._service, names, self._target.project)
        waiting, self._talks = self._without_unchanged(self._without_older(self._talks)), []
        if not waiting:
            return
        talks = [
            SessionMessages(
                talk.id, [message_fields(message) for message in talk.messages[start:end]], talk.title,
                self._project_of(talk.project), talk.created_at, talk.ended_at,
                talk.updated_at if end == len(talk.messages) else None,
                self._digests.get(talk.id) if end == len(talk.messages) else None,
            )
            for talk, start, end in waiting
        ]  # fmt: skip
        target = self._target
        stored = known_sessions(self._service, [talk for talk in talks if talk.project is not None])
        for talk, start, _ in waiting:
            if start == 0 and talk.id in stored:
                self._here_before.add(talk.id)
        drafted = drafts_of(
            talks, visibility=target.visibility, workspace=target.workspace, source=self._source
        )
        drafts = [
            replace(
                draft, anew=target.with_forgotten, project=None if draft.session in stored else draft.project
            )
            for draft in drafted.drafts
        ]
        drafted = replace(drafted, drafts=drafts)
        turns = [(talk.id, message) for talk, start, end in waiting for message in talk.messages[start:end]]
        ended = [talk for talk, _, end in waiting if end == len(talk.messages)]
        self._ask(drafted.drafts, partial(self._keep_said, talks, turns, ended, drafted))

    def _without_older(self, parts: list[_Part]) -> list[_Part]:
        """Returns the parts of conversations without those of which a newer export was imported, whose
        messages are counted as outdated."""
        self._screens.open({talk.id: talk.updated_at for talk, start, _ in parts if start == 0})
        newer = [part for part in parts if not self._screens.is_older(part[0].id)]
        for talk, start, end in (part for part in parts if self._screens.is_older(part[0].id)):
            for message in talk.messages[start:end]:
                outcome = Kept(Outcome.OUTDATED, None, OLDER)
                self._report.add_said(talk.id, message.item_type, message.id, outcome)
            self._advance(end - start)
        return newer

    def _without_unchanged(self, parts: list[_Part]) -> list[_Part]:
        """Returns the parts of conversations without those that are here as they were imported before, whose
        messages are counted as known; unless they move, or what was forgotten comes back."""
        if self._target.moves or self._target.with_forgotten:
            return parts
        for talk, start, _ in parts:
            if start == 0:
                digest = self._digests[talk.id] = self._unchanged.digest_of(talk)
                same = self._unchanged.find(talk.id, digest, [message.id for message in talk.messages])
                if same is not None:
                    self._same[talk.id] = same
        changed = [part for part in parts if part[0].id not in self._same]
        for talk, start, end in (part for part in parts if part[0].id in self._same):
            for message in talk.messages[start:end]:
                result = Kept(Outcome.DUPLICATE, self._same[talk.id][message.id], KNOWN)
                self._report.add_said(talk.id, message.item_type, message.id, result, existed=True)
            self._advance(end - start)
            if end == len(talk.messages):
                del self._same[talk.id]
        return changed

    def _keep_said(
        self,
        talks: Sequence[SessionMessages],
        messages: list[tuple[str, ChatMessage]],
        complete: Sequence[Conversation],
        drafts: ConversationDrafts,
        prepared: Prepared,
    ) -> None:
        """Stores messages of conversations and adds their outcomes to the report; names the sessions."""
        kept = drafts.outcomes(store_prepared(self._service, drafts.drafts, prepared, rehearse=self._dry))
        if not self._dry:
            for talk in complete:
                self._screens.follow(talk.id, [message.id for message in talk.messages], talk.replaced)
            name_sessions(self._service, talks, self._source)
        for (where, message), result in zip(messages, kept, strict=True):
            existed = where in self._here_before
            self._report.add_said(where, message.item_type, message.id, result, existed=existed)
            self._report.untimed += message.at is None and result.outcome in _NEW
        self._advance(len(kept))

    # knowledge

    def _project_of(self, name: str | None) -> str | None:
        """Returns the project here of an item whose project in the export is `name`."""
        return self._target.project_of(None if name is None else self._projects.get(name, name))

    def _keep_project(self, item: ForeignProject) -> None:
        """Makes a project of the export one here, unless all of the export goes into another."""
        name = projects.described_with(self._service, item.mark) if item.mark else None
        name = name or self._service.admission.clean_text(item.name)[:NAME_MAX].strip()
        self._projects[item.name] = name
        if self._target.project_of(name) != name:
            result = Kept(Outcome.DUPLICATE, None, "all of it goes into another project")
            self._report.add("project", self._export.name, name, result)
            return
        self._report.own_projects.add(name)
        try:
            exists = projects.has_project(self._service, name)
            if not exists and not self._dry:
                settings = {} if item.description is None else {"description": item.description}
                projects.create_project(self._service, name, settings)
            outcome = Outcome.DUPLICATE if exists else Outcome.CREATED
            result = Kept(outcome, None, "the project is there already" if exists else "stored")
        except HoldfastError as error:
            if error.exit_status >= 5:
                raise
            result = Kept(Outcome.REFUSED, None, error.in_full, code=error.code)
        self._report.add("project", self._export.name, name, result)
        self._advance(1)

    def _keep_notes(self) -> None:
        """Prepares the collected notes that have not expired, to be stored with the next batch."""
        if not self._notes:
            return
        notes = [note for note in self._notes if not self._has_expired(note)]
        self._notes = []
        drafts = [
            self._target.draft(
                note.text, note.kind, self._source, external_id=note.id, title=note.title, tags=note.tags,
                metadata=note.metadata, at=note.at, project=self._project_of(note.project),
                changed_at=note.changed_at, scope=note.scope, expires_at=note.expires_at,
            )
            for note in notes
        ]  # fmt: skip
        self._ask(drafts, partial(self._keep_noted, notes, drafts))

    def _has_expired(self, note: Note) -> bool:
        """Returns whether a note is over, and reports it as skipped."""
        if note.expires_at is None or note.expires_at > self._service.clock():
            return False
        result = Kept(Outcome.OUTDATED, None, "it has expired")
        self._report.add(note.item_type, self._export.name, note.id, result)
        self._advance(1)
        return True

    def _keep_noted(self, notes: list[Note], drafts: Sequence[Draft], prepared: Prepared) -> None:
        """Stores notes that were prepared, and adds their outcomes to the report."""
        results = store_prepared(self._service, drafts, prepared, rehearse=self._dry)
        for note, result in zip(notes, results, strict=True):
            where = str(note.metadata.get("file") or self._export.name)
            self._report.add(note.item_type, where, note.title or note.id, result)
        self._advance(len(notes))

    # records of Holdfast's own

    def _record(self, record: Mapping[str, Any]) -> None:
        """Collects a record of an export of Holdfast. Raises InvalidInput if a place is given, since it has
        its own."""
        if self._restoring is None:
            if any((self._target.project, self._target.workspace, self._target.visibility)):
                raise InvalidInput(
                    "an export of Holdfast is restored to the places it was exported from",
                    code="argument_invalid",
                    hint="leave project, workspace and visibility out",
                )
            self._chain = Chain(self._service)
            signed = self._chain.holds(record) and record.get("user") == self._service.principal.user
            vouched = signed or self._target.vouched
            anew = self._target.with_forgotten
            self._restoring = Restorer(self._service, record, vouched=vouched, anew=anew)
            self._report.foreign = not vouched
            return
        if self._restoring.is_vouched and not self._target.vouched and not self._chain.holds(record):
            self._keep_records()  # what came before is as it was written
            self._restoring.is_vouched = False
            self._report.foreign = True
        what = record.get("type")
        if what == "event" or (what == MARKS and not self._restoring.is_vouched):
            self._set_aside[what] += 1
            return
        self._records.append(record)
        self._report.seen[record_type(record)] += 1
        earlier = record.get("earlier")
        versions = 1 + (len(earlier) if isinstance(earlier, list) else 0)
        self._grown(versions, len(str(record.get("text", ""))) * versions)

    def _keep_records(self) -> None:
        """Restores the collected records of an export, and adds their outcomes to the report."""
        if not self._records or self._restoring is None:
            return
        self._settle()
        records, self._records = self._records, []
        for record, result in zip(records, self._restoring.restore(records, rehearse=self._dry), strict=True):
            what = record_type(record)
            name = str(record.get("id") or record.get("name"))[:80]
            self._report.add(what, self._export.name, name, result)
        self._advance(len(records))
