"""`holdfast backup` and `drill`: copies of a store that are known to work."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

import click

from holdfast.cli import output
from holdfast.cli.face import Face, Usage, ask, command, pass_face, several
from holdfast.config import is_service
from holdfast.core.errors import Damaged
from holdfast.core.times import to_iso
from holdfast.stores.base.backup_files import DAYS, KEEP, beyond, surplus
from holdfast.stores.base.clock import wall_clock

if TYPE_CHECKING:
    from collections.abc import Sequence

    from holdfast.api.restoring import Outlasting
    from holdfast.config import Settings
    from holdfast.core.jobs import Job
    from holdfast.stores.base.backup_files import Backup

to_option = click.option(
    "--to",
    metavar="DIR|s3://…",
    help="The folder or bucket of the backups (default: the setting backup_folder, or `backups` beside a"
    " file).",
)
_keep_options = several(
    click.option("--keep", metavar="N", type=int, help=f"Keep the newest N (default {KEEP})."),
    click.option("--days", metavar="N", type=int, help=f"And one of each of N days (default {DAYS})."),
)


@command()
@to_option
@_keep_options
@click.option("--list", "is_list", is_flag=True, help="List the backups instead of making one.")
@pass_face
def backup(face: Face, to: str | None, keep: int | None, days: int | None, is_list: bool) -> int:
    """Make a backup of the store, check it, and let old ones go.

    --to names a folder, or a bucket as s3://BUCKET/PREFIX, with credentials as the AWS tools find them.
    Programs may go on using the store. The backup is a store itself, encrypted as this one is, or with the
    key that the setting `backup_key_file` names. What is erased later is still in it until it is deleted,
    after --days days at most if a backup is made each day.

    Of a service, an owner or admin asks for one, or for the list; its folder is the one configured there.
    """
    from holdfast.api.backing_up import back_up, list_backups
    from holdfast.cli.progress import progress

    settings = face.settings()
    if is_service(settings.store):
        _check_left_to_service(to=to, keep=keep, days=days)
        with face.open() as memory:
            if is_list:
                _list(face, memory.backups.list().backups)
            else:
                _queued(face, memory.backups.create())
        return 0
    if is_list:
        _list(face, list_backups(settings, to=to))
        return 0
    keep, days = KEEP if keep is None else keep, DAYS if days is None else days
    with progress("memories checked") as advance:
        made, deleted = back_up(settings, to=to, keep=keep, days=days, advance=advance)
    if face.json:
        output.json({**made.as_dict(), "deleted": deleted})
    else:
        output.done(f"Backed up: {_described(made)}")
        click.echo(f"  {made.path}")
        if deleted:
            output.note(f"Deleted, as too many: {output.pluralize(len(deleted), 'backup')}.")
        there = list_backups(settings, to=to)
        left = [] if made.problems else surplus(there, max(keep, 1), days)
        if left:
            output.note(f"Too many, and cannot be deleted: {', '.join(backup.path for backup in left)}")
        for backup in beyond(there, max(keep, 1), days):
            output.note(
                f"Stays, though too many: {backup.path} holds {_memories(backup.memories)},"
                " newer ones far fewer."
            )
        for problem in made.problems:
            output.say(f"problem: {problem}", fg="red")
    return Damaged.exit_status if made.problems else 0


def _check_left_to_service(**options: object) -> None:
    """Raises Usage for an option that says what the administrator of a service configures."""
    flag = next((name for name, value in options.items() if value is not None), None)
    if flag is not None:
        raise Usage(f"--{flag} does not go with a service, which has backups in the folder configured there")


def _list(face: Face, backups: Sequence[Backup]) -> None:
    """Shows backups as a table; a time that the clock has not reached yet is marked."""
    now = to_iso(wall_clock())
    face.table(
        "backups", [backup.as_dict() for backup in backups],
        ("made", "memories", "size", "state", "tried", "encryption", "before", "file"),
        lambda backup: (
            output.minute(backup["made_at"]) + (" (in the future)" if backup["made_at"] > now else ""),
            f"{backup['memories']:,}", _size(backup["size"]),
            "damaged" if backup["problems"] else "sound", output.minute(backup["tried_at"]),
            backup["encryption"], backup["before"] or "", backup["path"],
        ),
        "There are no backups yet.", "Create one: holdfast backup",
    )  # fmt: skip


def _queued(face: Face, job: Job) -> None:
    note = f"The service does it. How far it is: holdfast jobs show {job.id}"
    face.done(job.as_dict(), f"Queued: job {job.id}", note)


def back_up_on_exit(settings: Settings) -> int:
    """Makes a backup if the settings ask for one when a service or worker ends; returns the exit status."""
    if settings.backup_on_exit != "on":
        return 0
    from holdfast.api.backing_up import back_up

    made, _ = back_up(settings)
    for problem in made.problems:
        click.echo(f"problem: {output.printable(problem)}", err=True)
    return Damaged.exit_status if made.problems else 0


@command()
@to_option
@pass_face
def drill(face: Face, to: str | None) -> int:
    """Try the newest backup: restore it into a scratch folder, and check it.

    Of a service, an owner or admin asks for it.
    """
    from holdfast.api.backing_up import drill as act
    from holdfast.cli.progress import progress

    settings = face.settings()
    if is_service(settings.store):
        _check_left_to_service(to=to)
        with face.open() as memory:
            _queued(face, memory.backups.drill())
        return 0
    with progress("memories checked") as advance:
        result = act(settings, to=to, advance=advance)
    if face.json:
        output.json({**result.as_dict(), "sound": result.is_sound})
        return 0 if result.is_sound else Damaged.exit_status
    report = result.report
    output.say(result.backup, bold=True)
    made = output.minute(to_iso(result.made_at))
    of_all = "" if report.stored is None else f"{_memories(report.stored)}, "
    click.echo(f"  made {made}: {of_all}{report.memories:,} of yours, {report.events:,} events")
    click.echo(f"  the store has {_memories(result.memories_now)} of yours now")
    for problem in report.problems:
        output.say(f"problem: {problem}", fg="red")
    if result.is_sound:
        output.done(f"It works: restored and checked in {result.seconds:.1f} s.")
    return 0 if result.is_sound else Damaged.exit_status


def restore_file(
    face: Face, source: str | None, *, to: str | None, as_of: str | None, into: str | None,
    with_erased: bool, yes: bool,
) -> None:  # fmt: skip
    """Restores a backup: the named one, otherwise the newest, or the newest of a time."""
    from holdfast.api.backing_up import name_of, newest, read_backup
    from holdfast.api.restoring import exists, preview_restore, restore
    from holdfast.cli.progress import progress

    settings = face.settings()
    backup = newest(settings, to=to, as_of=as_of) if source is None else read_backup(source)
    if into is None and not yes:
        preserved = preview_restore(settings, backup, with_erased=with_erased)
        for line in () if preserved is None else _outlasting_lines(preserved, backup.path):
            output.note(line)
        what = "What is there is backed up first. " if exists(settings) else ""
        other = "" if preserved is None or preserved.backup_of is None else "another store, "
        ask(f"Replace {name_of(settings)} by the backup of {other}{_described(backup)}? {what}Go on?", yes)
    with progress("memories checked") as advance:
        done = restore(settings, backup, into=into, with_erased=with_erased, advance=advance)
    notes = [f"What was there is in {done.saved}"] if done.saved else []
    notes += [] if done.kept is None else _outlasting_lines(done.kept, backup.path)
    now = f"{_memories(done.memories)} now"
    if done.in_backup != done.memories:
        now += f"; the backup holds {done.in_backup:,}"
    face.done(done.as_dict(), f"Restored: {done.store}, {now}", *notes)


def _outlasting_lines(outlasting: Outlasting, backup: str) -> list[str]:
    """Returns lines that say of which other store the backup is, if it is, and what of the one that is
    replaced outlasts the restore."""
    of = [] if outlasting.backup_of is None else [f"The backup is of another store: {outlasting.backup_of}"]
    if not outlasting.known:
        return [
            *of,
            "What is there cannot be read. Legal holds, retention policies, consents, members and erasures"
            " that are newer than the backup are lost with it: set them again.",
        ]
    again = shlex.join(("holdfast", "restore", "--with-erased", backup))
    lines = [f"Erased since and erased again: {_memories(outlasting.erased)}. To bring them back: {again}"]
    lines = lines if outlasting.erased else []
    if outlasting.holds:
        lines.append(f"Legal holds placed since stay: {', '.join(outlasting.holds)}")
    if outlasting.lifted:
        lines.append(f"Legal holds lifted since stay lifted: {', '.join(outlasting.lifted)}")
    changed = {
        "retention policy": outlasting.policies,
        "consent": outlasting.consents,
        "member": outlasting.members,
    }
    counts = [
        output.pluralize(count, name, "retention policies" if name.endswith("y") else f"{name}s")
        for name, count in changed.items()
        if count
    ]
    return of + lines + ([f"As changed since: {', '.join(counts)}"] if counts else [])


def _described(backup: Backup) -> str:
    return f"{output.minute(to_iso(backup.made_at))}, {_memories(backup.memories)}, {_size(backup.size)}"


def _memories(number: int) -> str:
    return output.pluralize(number, "memory", "memories")


def _size(size: int) -> str:
    return f"{size / 1_000_000:,.1f} MB"
