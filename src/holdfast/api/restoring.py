"""Restores of backups: previewed, and without undoing what was erased, held or withdrawn since.

A restore is prepared in a copy of the backup and put in its place by one rename, so that a store that was
restored halfway, without the holds or with what was erased, is never there.
"""

from __future__ import annotations

import shutil
from collections.abc import Collection, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from holdfast.api.backing_up import Advance, back_up, examined, note_backups, scratch_of
from holdfast.api.memory import Memory
from holdfast.bootstrap import backup_place, copies_of, open_service
from holdfast.config import Settings, scheme_of
from holdfast.core.consents import CONSENTS
from holdfast.core.errors import Damaged, InvalidInput, StoreError
from holdfast.core.events import Event
from holdfast.core.places import Principal
from holdfast.core.projects import TEXTS
from holdfast.core.registers import Carried, carried
from holdfast.core.retention import HOLDS, RETENTION
from holdfast.core.times import to_iso
from holdfast.core.views import GONE, personal_view
from holdfast.core.wire import Plain
from holdfast.features.access.members import carry_members
from holdfast.features.memories.insight_sources import withdraw
from holdfast.features.memories.redact import clean_again, redact_again
from holdfast.features.memories.tombstones import Tombstones
from holdfast.stores.base.backend import Since
from holdfast.stores.base.backup_files import Backup, roll_before_changes
from holdfast.stores.base.backup_locations import BESIDE
from holdfast.stores.base.clock import wall_clock
from holdfast.stores.base.ports import Writer


@dataclass(frozen=True, slots=True)
class Outlasting(Plain):
    """Decisions in the store that is replaced, which outlast a restore.

    `holds` are the names of legal holds that were placed since the backup, `lifted` of those that were lifted
    since; `policies`, `consents` and `members` count those that changed since. `erased` counts the memories
    that were erased since. `known` is off if the store could not be read: then nothing outlasts it.
    `backup_of` names the store that the backup was made of; None if it is the one that is replaced, also
    under an earlier name.
    """

    known: bool = True
    holds: tuple[str, ...] = ()
    lifted: tuple[str, ...] = ()
    policies: int = 0
    consents: int = 0
    members: int = 0
    erased: int = 0
    backup_of: str | None = None


@dataclass(frozen=True, slots=True)
class Restored(Plain):
    """The outcome of a restore: `store` is what was restored, `backup` what from, and `saved` the backup of
    what was there before. `memories` counts what is in the store now, of everybody, and `in_backup` what the
    backup holds. `erased` counts the rows of memories that were erased or redacted since and stay
    so; `kept` is None where no store was replaced."""

    store: str
    backup: str
    memories: int
    events: int
    in_backup: int
    erased: int = 0
    saved: str | None = None
    kept: Outlasting | None = None


def preview_restore(settings: Settings, backup: Backup, *, with_erased: bool = False) -> Outlasting | None:
    """Returns what would outlast the restore of a backup; None if there is no store to replace. Raises
    StoreError."""
    if not exists(settings):
        return None
    with scratch_of(settings, backup) as scratch:
        since = _since(settings, scratch)
        return _outlasting(settings, backup, scratch, since, with_erased=with_erased)


def exists(settings: Settings) -> bool:
    """Returns whether there is a store that a restore would replace. Raises StoreError."""
    return copies_of(settings).exists(settings)


def restore(
    settings: Settings, backup: Backup, *, into: str | Path | None = None, with_erased: bool = False,
    advance: Advance = lambda _: None,
) -> Restored:  # fmt: skip
    """Replaces a store by a backup, or makes another store of it: the file `into`, or the tenant at that
    address.

    What is there is backed up first, or copied aside if it cannot be read. Memories that were erased since
    the backup was made stay erased unless `with_erased`. Legal holds, retention policies, consents and
    members stay as they are, by the events that made them so. The audit chain goes on with an event
    `restore_backup`. Nobody opens the file meanwhile. Raises StoreBusy if anybody has it open, or has written
    to the tenant meanwhile; StoreError.
    """
    copies = copies_of(settings)
    placed = settings if into is None else _target_settings(settings, str(into))
    place = copies_of(placed)
    name = place.home(placed).name
    if into is not None and place.exists(placed):
        raise InvalidInput(f"{name} exists", code="argument_invalid", hint="name one that does not exist yet")
    with scratch_of(settings, backup) as scratch:
        copy_settings = copies.settings_of(settings, scratch)
        problems = examined(copy_settings, advance).problems
        if problems:
            raise Damaged(problems[0], code="store_damaged", hint="take another backup")
        if into is None and copies.exists(settings):
            note_backups(settings, backup_place(settings))
        saved, since, preserved, change = None, Since(), None, None
        # from the copy aside to the exchange: what is written in between would be in neither
        with place.held(placed):
            if into is None and copies.exists(settings):
                read = _since(settings, scratch)
                change = None if read is None else read.change
                saved = _saved(settings)  # afterwards: what others write to a server meanwhile is noticed
                preserved = _outlasting(settings, backup, scratch, read, with_erased=with_erased)
                since = _without_erasures(read) if with_erased and read else read or since
            count = _settle(copy_settings, backup, since)
            memories = copies.memories(copy_settings)
            place.put_back(placed, copy_settings, change=change)
    if saved is not None:
        location = backup_place(settings).location
        roll_before_changes(location, backup.store, spared=(saved, location.address_of(backup.name)))
    return Restored(name, backup.path, memories, backup.events, backup.memories, count, saved, preserved)


def _target_settings(settings: Settings, into: str) -> Settings:
    """Returns settings for a store that is to be made; a file has the key of the store."""
    if scheme_of(into):
        return replace(settings, store=into, key=None, key_file=None)
    return copies_of(settings).settings_of(settings, Path(into).absolute())


def _since(settings: Settings, scratch: Path) -> Since | None:
    """Returns what was decided in a store and a backup lacks; None of a store that cannot be read."""
    try:
        return copies_of(settings).since(settings, scratch)
    except StoreError:
        return None


def _without_erasures(since: Since) -> Since:
    return replace(
        since, erased={}, tombstones={}, redacted={}, cleaned={}, conversations={}, imports={}, projects={}
    )


def _outlasting(
    settings: Settings, backup: Backup, scratch: Path, since: Since | None, *, with_erased: bool
) -> Outlasting:
    """Returns what has to outlast a restore, from the acts that followed the backup: holds, members,
    erasures."""
    is_own = backup.store == copies_of(settings).home(settings).name or (since is not None and since.follows)
    backup_of = None if is_own else backup.store
    if since is None:
        return Outlasting(known=False, backup_of=backup_of)
    decisions = carried(since.copied, since.registers, follows=since.follows)
    with Memory.over(
        open_service(copies_of(settings).settings_of(settings, scratch), create=False)
    ) as memory:
        view = personal_view(memory._service.principal)
        with memory._service.store.read() as snap:
            was = snap.members(view)
    return Outlasting(
        holds=tuple(act.detail["name"] for act in decisions.acts if act.subject == HOLDS),
        lifted=tuple(lift.detail["name"] for lift in decisions.lifts),
        policies=_count(decisions, RETENTION),
        consents=_count(decisions, CONSENTS),
        members=sum(member not in was for member in since.members),
        erased=0 if with_erased else sum(map(len, since.erased.values())),
        backup_of=backup_of,
    )


def _count(decisions: Carried, register: str) -> int:
    return sum(act.subject == register for act in decisions.acts)


def _settle(settings: Settings, backup: Backup, since: Since) -> int:
    """Brings a copy of a backup to what was decided since, and writes the event; returns the number of rows
    that were erased again."""
    decisions = carried(since.copied, since.registers, follows=since.follows)
    with Memory.over(open_service(settings, create=False)) as memory:
        service, erased = memory._service, 0
        with service.store.write() as tx:
            _add(tx, decisions.lifts)  # what they kept may have been erased since
            for owner, ids in since.erased.items():
                view = personal_view(Principal(owner), GONE)
                Tombstones(service, tx).bury(tx.several(view, ids, now=0))
                erased += tx.erase(view, ids)
                withdraw(service.acting_as(Principal(owner)), tx, ids)
            for owner, imports in since.imports.items():
                _drop_imports(tx, Principal(owner), imports, now=service.clock())
            for owner, conversations in since.conversations.items():
                _drop_conversations(tx, Principal(owner), conversations)
            _leave_projects(tx, service.principal, since.projects, now=service.clock())
            for owner, versions in since.redacted.items():
                erased += redact_again(service.acting_as(Principal(owner)), tx, versions)
            for owner, cleaned in since.cleaned.items():
                erased += clean_again(service.acting_as(Principal(owner)), tx, cleaned)
            for owner, digests in since.tombstones.items():
                own = service.acting_as(Principal(owner))
                hidden = tx.several(personal_view(own.principal), since.hidden.get(owner, ()), now=0)
                Tombstones(own, tx).carry(digests, hidden)
            _add(tx, decisions.acts)
            members = carry_members(service, tx, since.members)
            detail = {
                "made_at": to_iso(backup.made_at), "events": backup.events, "erased": erased,
                "carried": len(decisions.lifts) + len(decisions.acts), "members": members,
            }  # fmt: skip
            tx.add_event(
                at=service.clock(), actor=service.principal.label, action="restore_backup", subject=None,
                detail=detail,
            )  # fmt: skip
        if erased:
            service.store.scrub()
        return erased


def _drop_imports(tx: Writer, owner: Principal, ids: Collection[str], *, now: int) -> None:
    """Erases what is noted of imports that were erased since, unless something of them is there again."""
    view = personal_view(owner, GONE, closed=True)
    for source in tx.sources(view, removed=True):
        if source.id in ids and not any(
            memory.source == source.id for memory in tx.related(view, [source.id], now=0)
        ):
            tx.drop_source(view, source.id, now=now, hard=True)


def _drop_conversations(tx: Writer, owner: Principal, ids: Collection[str]) -> None:
    """Erases conversations that were erased since, with their titles, unless messages are in them again."""
    view = personal_view(owner, GONE, closed=True)
    for session in tx.sessions(view):
        if session.external_id in ids and not session.message_count:
            tx.drop_session(view, session.number)


def _leave_projects(tx: Writer, principal: Principal, ids: Mapping[str, bool], *, now: int) -> None:
    """Purges the projects that were purged since, and takes the settings of those that belong to nobody."""
    view = personal_view(principal, closed=True)
    for project in tx.projects(view):
        if ids.get(project.id):
            tx.purge_project(view, project.number, jobs=(), now=now)
        elif project.id in ids:
            bare = dict.fromkeys(TEXTS)
            tx.put_project(replace(project, **bare, owner=None, updated_at=now))  # type: ignore[arg-type]


def _add(tx: Writer, events: Iterable[Event]) -> None:
    """Adds events again, as they were recorded."""
    for event in events:
        tx.add_event(
            at=event.at, actor=event.actor, action=event.action, subject=event.subject, detail=event.detail
        )


def _saved(settings: Settings) -> str:
    """Backs up what a restore replaces, or copies its files aside if it cannot be read; returns where."""
    try:
        return back_up(settings, before="restore")[0].path
    except StoreError as error:
        store = copies_of(settings).home(settings).file
        if store is None:
            raise
        folder = backup_place(settings).location.folder or store.parent / "backups"
        aside = folder / f"{store.name}-unreadable-{wall_clock()}"
        try:
            aside.mkdir(mode=0o700, parents=True)
        except OSError:
            raise error from None  # nothing can be written there
        for ending in BESIDE:
            with suppress(FileNotFoundError):
                shutil.copyfile(f"{store}{ending}", aside / f"{store.name}{ending}")
        return str(aside)
