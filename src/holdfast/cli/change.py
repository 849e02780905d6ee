"""`holdfast revise`, `pin`, `forget` and `restore`: changing what is known."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from holdfast.cli import output
from holdfast.cli.backup import restore_file, to_option
from holdfast.cli.certificates import certificate_file, certificate_option
from holdfast.cli.face import (
    WHEREABOUTS,
    Face,
    Usage,
    ask,
    command,
    expires_option,
    id_given,
    key_options,
    pass_face,
    several,
    yes_option,
)
from holdfast.cli.in_backups import still_in_backups
from holdfast.cli.inputs import text_given
from holdfast.core.errors import NotFound
from holdfast.core.ids import short_id
from holdfast.core.times import to_iso

if TYPE_CHECKING:
    from holdfast.api.memory import Memory
    from holdfast.core.review import Deleted


@command(operation="revise", leave_out=("if_version", "kinds"))
@click.argument("id")
@click.argument("text", nargs=-1)
@click.option("--file", metavar="PATH", help="Read the new text from a file.")
@expires_option
@pass_face
def revise(face: Face, id: str, text: tuple[str, ...], file: str | None, **options: Any) -> None:
    """Change a memory; its history keeps the old text.

    TEXT (or - for standard input, or --file) replaces the text. What you do not give stays; an empty --title,
    --summary or --tag removes it. ID is an id as lists show it, an id of your own, or @1 for the first of the
    last results.
    """
    with face.open() as memory:
        id = id_given(memory, id, **{name: options.pop(name, None) for name in WHEREABOUTS})
        result = memory.revise(id, text=text_given(text, file, pipe=False), **options)
    if face.json:
        output.json(result.as_dict())
        return
    version = f"version {result.memory.version}" if result.memory else "no version"
    output.done(f"Revised: {short_id(id)} is now {version}")
    if result.redactions:
        output.say(f"  removed: {', '.join(result.redactions)}")
    if result.memory and result.memory.status.value == "pending":
        output.note(f"It waits for review; approve it: holdfast review approve {short_id(id)}")
    output.note(f"Earlier texts: holdfast history {short_id(id)}")


@command()
@click.argument("id")
@click.option("--off", is_flag=True, help="Unpin it.")
@pass_face
def pin(face: Face, id: str, off: bool) -> None:
    """Pin a memory, so that it never fades or expires and only a person can replace it.

    ID is an id as lists show it, an id of your own, or @1 for the first of the last results.
    """
    with face.open() as memory:
        updated = memory.pin(id_given(memory, id), not off)
    verb = "Unpinned" if off else "Pinned"
    face.done(updated.as_dict(), f"{verb}: {output.one_line(updated.text, 70)}")


@command()
@click.argument("id")
@key_options
@click.option("--hard", is_flag=True, help="Erase every byte of it; this cannot be undone.")
@click.option("--reason", metavar="TEXT", help="Why.")
@yes_option
@pass_face
def forget(face: Face, id: str, hard: bool, reason: str | None, yes: bool, **place: Any) -> None:
    """Forget a memory, which `restore` undoes, or erase it permanently with --hard.

    ID is an id as lists show it, an id of your own, or @1 for the first of the last results.
    """
    if hard and reason is not None:
        raise Usage("--hard leaves nothing behind, not even a --reason")
    with face.open() as memory:
        id = id_given(memory, id, **place)
        if hard:
            ask(f"Erase {_label_of(memory, id)} for good?", yes)
        replaced = _replaced_by(memory, id)
        is_said = _is_said(memory, id)
        memory.forget(id, hard=hard, reason=reason)
        left = still_in_backups(memory) if hard else []
    result = {"id": id, "forgotten": True, "hard": hard}
    notes = left if hard else [f"Undo: holdfast restore {short_id(id)}"]
    if is_said and not hard:
        notes.append(
            "That was the whole message. Only what `about` read from it: restore, and holdfast dismiss ID"
        )
    if replaced is not None:
        result["superseded"] = replaced
        old = short_id(replaced)
        notes.append(f"{old}, which it replaced, stays superseded; make it current: holdfast restore {old}")
    done = (
        f"Erased: {short_id(id)}, with its versions, words and vectors"
        if hard
        else f"Forgotten: {short_id(id)}"
    )
    face.done(result, done, *notes)


def _is_said(memory: Memory, id: str) -> bool:
    """Returns whether a memory is a message; what is forgotten already counts as none."""
    try:
        return memory.get(id).kind == "message"
    except NotFound:
        return False


def _replaced_by(memory: Memory, id: str) -> str | None:
    """Returns the id of the memory that one replaced, None if there is none or it is forgotten already."""
    from holdfast.api.replaced import replaced_by

    try:
        former = replaced_by(memory, memory.get(id))
    except NotFound:
        return None
    return None if former is None else former.id


@command()
@click.argument("id")
@click.argument("version", type=int)
@key_options
@yes_option
@pass_face
def redact(face: Face, id: str, version: int, yes: bool, **place: Any) -> None:
    """Permanently erase the content of one VERSION of a memory from its history.

    `holdfast history` shows the versions. The current one can be redacted once the memory is forgotten.
    """
    with face.open() as memory:
        id = id_given(memory, id, **place)
        ask(f"Erase version {version} of {_label_of(memory, id)} for good?", yes)
        memory.redact(id, version)
        left = still_in_backups(memory)
    face.done(
        {"id": id, "version": version, "redacted": True},
        f"Erased from the history of {short_id(id)}: version {version}", *left,
    )  # fmt: skip


def _label_of(memory: Memory, id: str) -> str:
    """Returns the beginning of a memory's text, or the id of one that is forgotten: its text is not shown."""
    try:
        return repr(output.one_line(memory.get(id).text, 60))
    except NotFound:
        return f"{short_id(id)}, which is forgotten,"


@command()
@click.argument("id", metavar="ID|BACKUP", required=False)
@key_options
@several(
    click.option("--latest", is_flag=True, help="The newest backup of the store."),
    click.option("--as-of", metavar="TIME", help="The newest backup that is not later than this."),
    click.option(
        "--into", metavar="STORE", help="Make another store of it: a file, or a tenant of a database."
    ),
    click.option("--with-erased", is_flag=True, help="Bring back what was erased since, too."),
)
@to_option
@yes_option
@pass_face
def restore(
    face: Face, id: str | None, latest: bool, as_of: str | None, into: str | None, with_erased: bool,
    to: str | None, yes: bool, **place: Any,
) -> None:  # fmt: skip
    """Restore a forgotten or superseded memory, or a whole store from a backup.

    What replaced a superseded memory stays as it is; forget it, if it is no longer true.
    ID is an id as lists show it, an id of your own, or @1 for the first of the last results. BACKUP is the
    path or address of a backup, as `holdfast backup --list` shows it. What the store holds now is backed up
    before.
    """
    if id is None or id.endswith(".db"):
        if id is None and not latest and as_of is None:
            raise Usage(
                "what is to be restored?", "give the id of a memory, a backup, --latest or --as-of TIME"
            )
        restore_file(face, id, to=to, as_of=as_of, into=into, with_erased=with_erased, yes=yes)
        return
    with face.open() as memory:
        id = id_given(memory, id, **place)
        other = _replacement_of(memory, id)
        restored = memory.restore(id)
    notes = []
    if restored.status.value == "superseded":
        notes.append(f"It is still superseded; make it current: holdfast restore {short_id(id)}")
    elif other is not None:
        notes.append(f"What replaced it stays current; to forget that: holdfast forget {short_id(other)}")
    face.done(restored.as_dict(), f"Restored: {output.one_line(restored.text, 70)}", *notes)


def _replacement_of(memory: Memory, id: str) -> str | None:
    """Returns the id of the memory that replaced one, if it is current."""
    try:
        other = memory.get(id).superseded_by
        return None if other is None or memory.get(other).status.value != "approved" else other
    except NotFound:
        return None


@command("delete-all")
@click.option("--dry-run", is_flag=True, help="Erase nothing; count what would be erased.")
@click.option("--confirm", metavar="USER", default="", help="Your user name, to confirm.")
@click.option("--with-backups", is_flag=True, help="Delete all backups of the store, too.")
@certificate_option
@pass_face
def delete_all(face: Face, dry_run: bool, confirm: str, with_backups: bool, certificate: Path | None) -> None:
    """Permanently erase everything of yours, and verify that nothing is left.

    This covers memories in every project and state, sessions, imports and indexed folders. What belongs to
    others stays. Backups still hold it until they are deleted; --with-backups deletes them at once.
    """
    with face.open() as memory, certificate_file(certificate) as file:
        result = memory.delete_all(confirm, dry_run=dry_run, with_backups=with_backups)
        file.write(result.certificate)
    counts = ", ".join(
        output.pluralize(count, what)
        for count, what in (
            (result.sessions, "session"), (result.imports, "import"), (result.folders, "folder"),
        )
    )  # fmt: skip
    memories = output.pluralize(result.memories, "memory", "memories")
    verb = "Would be erased" if dry_run else "Erased"
    searched = "" if result.proof is None or not result.proof.holds else "; nothing of it is found"
    face.done(result.as_dict(), f"{verb}: {memories}, {counts}{searched}", *_backups_of(result))


def _backups_of(result: Deleted) -> list[str]:
    """Returns the lines that say what is left of everything in backups."""
    places = ", ".join(result.backups_unreached)
    unreached = (
        f"Backups were made in {places}, where none is seen now; they still hold it, wherever they are."
        " Connect the disk and run it again, or delete them yourself."
    )
    return [*_backup_lines(result), *([unreached] if places else [])]


def _backup_lines(result: Deleted) -> list[str]:
    if result.backups_deleted:
        return [f"Deleted, too: {output.pluralize(result.backups_deleted, 'backup')}"]
    if not result.backups:
        return []
    until = (
        "they are deleted" if result.backups_until is None else output.minute(to_iso(result.backups_until))
    )
    verb = "holds" if result.backups == 1 else "hold"
    line = f"{output.pluralize(result.backups, 'backup')} of the store still {verb} it until {until}."
    if result.dry_run:
        return [f"{line} --with-backups deletes them, too."]
    return [f"{line} Delete them now: holdfast delete-all --with-backups --confirm {result.user}"]
