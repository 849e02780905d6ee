"""`holdfast sources`: where imported memories came from, and the removal of an import."""

from __future__ import annotations

import click

from holdfast.cli import output
from holdfast.cli.face import Face, ask, group, pass_face, yes_option


@group(invoke_without_command=True)
@click.pass_context
def sources(ctx: click.Context) -> None:
    """List imports, and remove one with what came from it."""
    if ctx.invoked_subcommand is None:
        ctx.invoke(list_)


@sources.command("list")
@pass_face
def list_(face: Face) -> None:
    """List all imports, oldest first."""
    with face.open() as memory:
        found = [one.as_dict() for one in memory.sources.list()]
    if face.json:
        output.json({"sources": found})
    elif not found:
        output.say("Nothing was imported yet.")
        output.note("`holdfast import FILE` brings conversations in.")
    else:
        rows = [
            (
                one["id"],
                one["platform"],
                output.minute(one["ingested_at"]),
                f"{one['messages']:,}",
                f"{one['conversations']:,}",
                output.one_line(one["filename"] or ""),
            )
            for one in found
        ]
        output.table(("source", "platform", "imported", "messages", "conversations", "file"), rows)


@sources.command()
@click.argument("id")
@click.option("--hard", is_flag=True, help="Erase every byte of it; this cannot be undone.")
@yes_option
@pass_face
def delete(face: Face, id: str, hard: bool, yes: bool) -> None:
    """Remove an import: its messages, episodes and passages are forgotten, or with --hard erased.

    What was learned from them stays.
    """
    with face.open() as memory:
        ask(f"{'Erase' if hard else 'Forget'} all that came from import {id}?", yes)
        gone = memory.sources.delete(id, hard=hard)
    if face.json:
        output.json({"id": id, "memories": gone, "hard": hard})
        return
    memories = output.counted(gone, "memory", "memories")
    if hard:
        output.done(f"Erased: source {id} with {memories}")
    else:
        output.done(f"Removed: source {id}; {memories} forgotten")
        output.note(f"Each can be restored; erase them for good: holdfast sources delete {id} --hard")
