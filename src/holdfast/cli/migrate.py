"""`holdfast migrate`: everything from one store to another, such as from one's own file to the team's."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import click

from holdfast.cli import output
from holdfast.cli.face import REFUSED, Face, ask, command, or_none, pass_face, yes_option
from holdfast.cli.progress import progress
from holdfast.config import scheme_of

if TYPE_CHECKING:
    from holdfast.features.service import Service
    from holdfast.features.transfer.migrating import Report
    from holdfast.stores.base.ports import Store

SHOWN = 20


@command()
@click.option(
    "--to", metavar="STORE", required=True, help="postgresql://…?tenant=TEAM, or the path of a file."
)
@click.option(
    "--exclude", "excluded", metavar="PROJECT", multiple=True, callback=or_none,
    help="Leave out this project (may be repeated).",
)  # fmt: skip
@click.option("--all-users", is_flag=True, help="Include what every user of the store owns, not only you.")
@click.option("--members", is_flag=True, help="Add the members of this team there as well; takes an owner.")
@click.option("--as", "named", metavar="NAME", help="Your user name in the other store, if it differs.")
@click.option("--dry-run", is_flag=True, help="Move nothing; show the outcome for each project.")
@yes_option
@pass_face
def migrate(
    face: Face, to: str, excluded: tuple[str, ...] | None, all_users: bool, members: bool, named: str | None,
    dry_run: bool, yes: bool,
) -> int:  # fmt: skip
    """Copy your memories to another store: a file, or a team's database.

    Shows first what each project holds, after every text was scanned for secrets again, and asks. Vectors are
    made anew. Projects, sessions, sources, module maps, folders and metrics go along; what stays behind is
    told before and after. Cut short, run it again: it goes on. At the end every memory is compared on both
    sides by its hash, and everything else is counted. Nothing is taken away here; once all is there, a file
    gets a note that says where its memories are now. Leaves with status 4 if something was refused or is
    missing.
    """
    from holdfast.features.transfer.migrating import Migration, owners

    with face.open() as memory:
        source = memory._service
        users = owners(source) if all_users else [source.principal.user]
        projects = excluded or ()
        with _open_target(face, to, trying=True) as target, progress("looking at memories") as advance:
            report = Migration(
                source, target, users, named=named, exclude=projects, members=members, advance=advance
            ).preview()
        if not dry_run:
            if not face.json:
                _show(report)
            ask(f"Move {output.pluralize(report.memories, 'memory', 'memories')}?", yes)
            with _open_target(face, to) as target, progress("moving and comparing memories") as advance:
                report = Migration(
                    source, target, users, named=named, exclude=projects, members=members, advance=advance
                ).run()
                if report.is_complete:
                    _note(source.store, target.store.location, report)
    if face.json:
        output.json(report.as_dict())
    else:
        if dry_run or report.refused:  # else all of it was shown before it was asked for
            _show(report)
        _conclude(report, to, members)
    return REFUSED if report.refused or report.differing or not (dry_run or report.is_complete) else 0


@contextmanager
def _open_target(face: Face, to: str, *, trying: bool = False) -> Iterator[Service]:
    """Opens the other store. A dry run does not create a file that does not exist yet."""
    from holdfast.bootstrap import open_service
    from holdfast.stores.base.registry import backend_of

    settings = face.settings(to)
    backend = backend_of(settings.store)
    if backend.encryption is None:
        settings = replace(settings, key=None, key_file=None)  # they are of the file that is left
    with TemporaryDirectory(prefix="holdfast-") as folder:
        if trying and backend.makes_file(settings.store):
            settings = replace(settings, store=str(Path(folder) / "try.db"))
        service = open_service(settings)
        try:
            yield service
        finally:
            service.store.close()


def _note(source: Store, target: str, report: Report) -> None:
    """Tells whoever opens the file later where its memories are. The note is read without a key, so beside
    an encrypted file it names nobody."""
    from holdfast.stores.base.backend import Moved
    from holdfast.stores.base.clock import wall_clock
    from holdfast.stores.base.registry import backend_of

    to = backend_of(target).from_anywhere(target)
    users = report.users if source.encryption is None else ()
    moved = Moved(to, wall_clock(), users, report.verified)
    backend_of(source.location).note_moved(source.location, moved)


def _show(report: Report) -> None:
    """Prints the outcome for the memories of each project."""
    rows = [
        (
            name or "(no project)",
            f"{sum(counts.values()):,}",
            *(
                f"{counts[outcome]:,}"
                for outcome in ("created", "redacted", "pending", "duplicate", "refused")
            ),
        )
        for name, counts in sorted(report.projects.items(), key=lambda pair: pair[0] or "")
    ]
    output.table(("project", "memories", "as they are", "redacted", "for review", "there", "refused"), rows)
    for name, count in report.left_out.items():
        output.say(f"left behind: {output.pluralize(count, 'memory', 'memories')} of {name}")
    if report.redactions:
        words = ", ".join(f"{output.taken_out(label)} ({n})" for label, n in report.redactions.most_common())
        output.say(f"removed: {words}")
    parts = [f"{here:,} {name}" for name, (here, _) in report.parts.items() if here]
    if parts:
        output.say(output.wrapped(f"beside them: {', '.join(parts)}", 2))
    for text in _not_carried(report):
        output.say(output.wrapped(f"stays behind: {text}", 2), fg="yellow")
    for refused in report.refused[:SHOWN]:
        output.say(output.one_line(f"refused: {refused['type']} {refused['id']}: {refused['reason']}", 200))
    if report.others:
        output.note(
            f"Others have memories here as well: {', '.join(report.others)}. --all-users takes theirs."
        )


def _not_carried(report: Report) -> list[str]:
    """Returns what a migration does not carry, each with its number."""
    from holdfast.features.transfer.migrated_parts import LEFT

    return [
        LEFT[name] if count is None else f"{count:,} {LEFT[name]}"
        for name, count in report.left_behind.items()
    ]


def _conclude(report: Report, to: str, members: bool) -> None:
    """Says what a migration did, and what remains to be done by hand."""
    if report.let_in:
        output.done(
            f"{output.pluralize(len(report.let_in), 'member')} let in, with the roles they have here."
        )
    if report.members and members:
        words = ", ".join(f"{member.user} as {member.role.value}" for member in report.members)
        output.say(f"would be let in: {words}")
    elif report.members:
        words = output.pluralize(len(report.members), "member")
        output.say(f"{words} of this team stay behind: the other store does not know them.", fg="yellow")
        output.note(
            "--members lets them in; or one by one, owners first, with --store naming the other store:"
        )
        for member in report.members:
            output.note(f"  holdfast members add {member.user} --role {member.role.value}")
    if report.dry_run:
        output.note("Nothing was moved; leave --dry-run out to move it.")
        return
    for difference in report.differing[:SHOWN]:
        output.say(f"differs: memory {difference['id']}: {difference['why']}", fg="yellow")
    if report.differing:
        output.say(f"{output.pluralize(len(report.differing), 'memory', 'memories')} differ.", fg="yellow")
    digest = (report.digest or "")[:16]
    output.done(f"{output.pluralize(report.verified, 'memory', 'memories')} verified by hash ({digest}).")
    for name, (here, there) in report.parts.items():
        if here:
            output.say(f"  {name}: {there:,} of {here:,} there", fg=None if there == here else "yellow")
    if report.parts.get("folders", [0, 0])[1]:
        output.note(
            "Passages are read again from the files: holdfast folders index FOLDER, in the other store"
        )
    if not report.is_complete:
        output.note("Not everything is there: this store stays in use. Run it again; it goes on.")
        return
    for text in _not_carried(report):
        output.note(f"Stays behind: {text}")
    if scheme_of(to):
        output.note("The file stays as it is. Use the database from now on: holdfast login ADDRESS")
