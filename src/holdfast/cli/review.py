"""`holdfast review`: works through what waits, one by one on a terminal, or by its commands."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from holdfast.cli import last_result, output
from holdfast.cli.completed_names import pending_ids
from holdfast.cli.face import (
    REFUSED,
    Face,
    Usage,
    ask,
    completing,
    group,
    id_given,
    kind_option,
    or_none,
    page_options,
    pass_face,
    project_named,
    scope_option,
    seen_from_option,
    several,
    yes_option,
)
from holdfast.cli.inputs import text_given
from holdfast.cli.json_option import json_object
from holdfast.cli.places import note_missing
from holdfast.cli.reading import folders_read, note_read
from holdfast.cli.review_output import day_of, print_decision, where_of
from holdfast.core.ids import ID_LENGTH, short_id

if TYPE_CHECKING:
    from collections.abc import Sequence

    from holdfast.core.record import Memory
    from holdfast.core.review import Cleared, Decision

CELL = 100
"""Characters of a cell of a table."""
_where = several(
    seen_from_option,
    click.option("--workspace", metavar="NAME", help="A workspace."),
    scope_option,
    click.option("--kind", "kinds", metavar="KIND", multiple=True, callback=or_none, help="Only this kind."),
)
_beside = click.option("--beside", is_flag=True, help="Keep what it contradicts as well.")
_hard = click.option("--hard", is_flag=True, help="Erase every byte of it; this cannot be undone.")
_note = click.option("--note", metavar="TEXT", help="Why; kept with the memory.")


@group(invoke_without_command=True)
@_where
@click.pass_context
def review(ctx: click.Context, /, **where: Any) -> None:
    """Review pending memories, one by one or with these commands.

    A memory is pending if it contains personal data, reads like an instruction to a model, came from a tool
    or the web, is uncertain, contradicts what a person decided, or was marked as wrong. It is not recalled
    until a person approves it. ID is an id as lists show it, an id of your own, or @1 for the first of the
    last results.
    """
    face = ctx.ensure_object(Face)
    if ctx.invoked_subcommand is not None:
        if any(where.values()):
            raise Usage("these options go after the command", "holdfast review list --project NAME")
        return
    if face.json or not (sys.stdin.isatty() and sys.stdout.isatty()):
        ctx.invoke(list_, limit=50, cursor=None, **where)
        return
    from holdfast.cli.review_inbox import work_through

    with face.open() as memory:
        note_missing(memory, where)
        work_through(memory, where)


@review.command("list")
@_where
@page_options
@pass_face
def list_(face: Face, **options: Any) -> None:
    """List pending memories, oldest first."""
    with face.open() as memory:
        page = memory.review.inbox(**options)
        last_result.note_versions(memory, {item.memory.id: item.memory.version for item in page.items})
        note_missing(memory, options)
    if face.json:
        output.json(page.as_dict())
        return
    if not page.items:
        output.say("No memories are waiting for review.")
        return
    rows = [
        (
            short_id(item.memory.id), day_of(item.memory), item.memory.kind, where_of(item.memory), item.why,
            item.memory.text,
        )
        for item in page.items
    ]  # fmt: skip
    output.table(("id", "at", "kind", "where", "why", "text"), _short(rows))
    if page.cursor:
        output.note(f"More: the same command with --cursor {page.cursor}")
    output.note(
        "Decide: `holdfast review` on a terminal, or `holdfast review approve ID`, reject ID, edit ID …"
    )
    if any(item.found is not None for item in page.items):
        output.note("What a scan found: `holdfast scan --accept ID` redacts it, `--refuse ID` leaves it")


@review.command(operation="review.tidy", leave_out=("dry_run",))
@click.option("--apply", is_flag=True, help="Make the changes; without it they are only shown.")
@pass_face
def tidy(face: Face, apply: bool, **options: Any) -> None:
    """Merge duplicate memories, and forget descriptions that nobody uses.

    Nothing is erased, and each change says how to undo it. What you pinned or edited is left alone.
    """
    with face.open() as memory:
        result = memory.review.tidy(dry_run=not apply, **options)
    if face.json:
        output.json(result.as_dict())
        return
    for act in result.acts:
        where = f"is merged into: {act.stays}" if act.into else "is put away"
        output.say(output.wrapped(f"{act.text}", 2))
        output.say(output.wrapped(f"{where} ({act.evidence}); undo: {act.undo}", 4))
    count = output.pluralize(len(result.acts), "act")
    output.done(f"{count} of {output.pluralize(result.looked_at, 'memory', 'memories')}.")
    if result.acts and not apply:
        output.note("Nothing was changed. Make the changes: holdfast review tidy --apply")
    for name in result.stale:
        output.note(f"Not reconciled for long: {name}")


@review.command()
@click.argument("ids", nargs=-1, required=True, metavar="ID...", shell_complete=completing(pending_ids))
@_beside
@pass_face
def approve(face: Face, ids: tuple[str, ...], beside: bool) -> int:
    """Approve memories that are pending, rejected or superseded.

    An approved memory supersedes what it contradicts, unless --beside is given. What a member asked to share
    is shared. What was changed since the last `review list` is not approved. If one cannot be approved, the
    others still are.
    """
    return _decided(face, ids, {"decision": "approve", "beside": beside})


@review.command()
@click.argument("ids", nargs=-1, required=True, metavar="ID...", shell_complete=completing(pending_ids))
@click.option("--reason", metavar="TEXT", help="Why.")
@pass_face
def reject(face: Face, ids: tuple[str, ...], reason: str | None) -> int:
    """Reject memories with all their versions, so that they are not recalled; `approve` undoes it."""
    return _decided(face, ids, {"decision": "reject", "reason": reason})


@review.command()
@click.argument("ids", nargs=-1, required=True, metavar="ID...")
@pass_face
def undo(face: Face, ids: tuple[str, ...]) -> int:
    """Take back what was decided about memories, so that they wait again.

    What was approved, rejected, shared or declined is as it was before. If one was changed since, it is left
    alone, and the others are taken back.
    """
    with face.open() as memory:
        # a whole id is sent as it is: of others' memories only the request to share them is seen
        results = memory.review.undo([id if len(id) == ID_LENGTH else id_given(memory, id) for id in ids])
    return _print_decisions(face, results)


@review.command()
@click.argument("id")
@click.argument("text", nargs=-1)
@click.option("--file", metavar="PATH", help="Read the new text from a file.")
@kind_option
@click.option("--title", metavar="TEXT", help="A title.")
@click.option("--summary", metavar="TEXT", help="A summary.")
@click.option("--tag", "tags", metavar="TAG", multiple=True, callback=or_none, help="Replace the tags.")
@click.option("--metadata", metavar="JSON", callback=json_object, help="Replace the metadata.")
@_beside
@pass_face
def edit(face: Face, id: str, text: tuple[str, ...], file: str | None, **options: Any) -> None:
    """Change a memory and approve it; it stays pending if others would see personal data in it."""
    with face.open() as memory:
        result = memory.review.edit(id_given(memory, id), text=text_given(text, file, pipe=False), **options)
    if face.json:
        output.json(result.as_dict())
    else:
        print_decision(result)


@review.command()
@click.argument("ids", nargs=-1, required=True, metavar="ID...")
@project_named("The project they move to.")
@click.option("--workspace", metavar="NAME", help="A workspace.")
@scope_option
@click.option("--branch", metavar="NAME", help="A branch of a repository.")
@click.option("--visibility", metavar="WHO", help="private, team or project.")
@click.option(
    "--out-of", "out_of", multiple=True, type=click.Choice(("project", "workspace", "scope", "branch")),
    help="Remove them from this (may be repeated).",
)  # fmt: skip
@pass_face
def move(face: Face, ids: tuple[str, ...], out_of: tuple[str, ...], **to: Any) -> int:
    """Move memories to another project, workspace, scope or branch, or change who sees them.

    A memory whose text already exists at the target is refused, and the others are moved. What you do not
    name stays. Only an owner or admin can let more people see a memory; a member asks for it, and an agent
    can do neither.
    """
    place = {name: value for name, value in to.items() if value is not None}
    if not place and not out_of:
        raise Usage("no target given", "such as: holdfast review move ID --project NAME")
    with face.open() as memory:
        whole_ids = [id_given(memory, id) for id in ids]
        results = memory.review.move(whole_ids, **{**dict.fromkeys(out_of), **place})
    return _print_decisions(face, results)


@review.command()
@click.argument("ids", nargs=-1, required=True, metavar="ID...")
@pass_face
def confirm(face: Face, ids: tuple[str, ...]) -> None:
    """Confirm that memories about code are still true although their files have changed.

    They are no longer stale until the files change again. `holdfast list --stale` lists stale memories.
    """
    with face.open() as memory:
        memories = [memory.review.confirm(id_given(memory, id)) for id in ids]
        projects = dict.fromkeys(memory.project for memory in memories)
        read = [folder for project in projects for folder in folders_read(memory, project)]
    read = list({folder["folder"]: folder for folder in read}.values())
    if face.json:
        output.json({"memories": [memory.as_dict() for memory in memories], "folders": read})
        return
    for confirmed in memories:
        _print_confirmed(confirmed)
    note_read(read)


@review.command()
@click.argument("id")
@pass_face
def separate(face: Face, id: str) -> None:
    """Undo the last merge into an insight of conversations.

    What was merged becomes a separate insight again and stays one; what it corrected is valid again.
    """
    with face.open() as memory:
        result = memory.review.separate(id_given(memory, id))
    text = output.one_line(result.memory.text, 60) if result.memory else ""
    face.done(result.as_dict(), f"Separated: {short_id(result.id)} {text}", result.reason)


@review.command()
@click.argument("id")
@click.argument("verdict", type=click.Choice(("helpful", "outdated", "wrong")))
@_note
@pass_face
def feedback(face: Face, id: str, verdict: str, note: str | None) -> None:
    """Record feedback on a recalled memory; if its confidence falls too low, it waits for review."""
    with face.open() as memory:
        rated = memory.review.feedback(id_given(memory, id), verdict, note=note)
    line = f"Noted: {short_id(rated.id)} has confidence {rated.confidence:.2f}"
    waits = ["It waits for review: holdfast review"] if rated.status.value == "pending" else []
    face.done(rated.as_dict(), line, *waits)


@review.command()
@click.argument("id")
@_note
@pass_face
def wrong(face: Face, id: str, note: str | None) -> None:
    """Mark a memory as wrong, so that it is not recalled, and list related memories to check."""
    with face.open() as memory:
        flagged = memory.review.wrong(id_given(memory, id), note=note)
    if face.json:
        output.json(flagged.as_dict())
        return
    output.done(f"No longer recalled: {output.one_line(flagged.memory.text, 70)}")
    if flagged.related:
        ties = [
            (
                short_id(related.memory.id),
                related.tie.value.replace("_", " "),
                related.memory.status.value,
                related.memory.text,
            )
            for related in flagged.related
        ]
        output.table(("id", "tie", "status", "text"), _short(ties))
        output.note("Check these; a superseded one can be approved again: holdfast review approve ID")
    output.note(f"Undo: holdfast review approve {short_id(flagged.memory.id)}")


@review.command()
@click.argument("scope", metavar="TYPE:ID")
@project_named("Only memories in it (default: in any project or none).")
@click.option("--workspace", metavar="NAME", help="Only memories in it.")
@_hard
@yes_option
@pass_face
def clear(face: Face, scope: str, yes: bool, **options: Any) -> int:
    """Forget everything of yours in a scope, or erase it with --hard, and verify that nothing is left to
    recall."""
    type_, _, id = scope.partition(":")
    with face.open() as memory:
        ask(f"{'Erase' if options['hard'] else 'Forget'} all that you keep in scope {scope}?", yes)
        return _cleared(face, memory.review.clear((type_, id or None), **options))


@review.command()
@click.argument("source")
@_hard
@yes_option
@pass_face
def revert(face: Face, source: str, hard: bool, yes: bool) -> int:
    """Undo an import, and verify that nothing of it is left to recall.

    What a person pinned or edited stays, and what was derived from the import waits for review. `holdfast
    sources list` lists imports.
    """
    with face.open() as memory:
        ask(f"{'Erase' if hard else 'Forget'} all that came from import {source}?", yes)
        return _cleared(face, memory.review.revert(source, hard=hard))


def _print_confirmed(memory: Memory) -> None:
    """Prints that a memory is up to date, and that it is recalled only if it is approved."""
    text = f"{short_id(memory.id)} {output.one_line(memory.text, 60)}"
    if memory.status.value == "approved":
        output.done(f"Confirmed for the current state of its file: {text}")
        return
    state = "waits for review" if memory.status.value == "pending" else f"is {memory.status.value}"
    output.done(f"No longer stale, but not recalled, because it {state}: {text}")
    output.note(f"Approve it: holdfast review approve {short_id(memory.id)}")


def _decided(face: Face, ids: Sequence[str], decision: dict[str, Any]) -> int:
    """Decides on memories, approving the versions that were shown. Returns the exit status."""
    fields = {name: value for name, value in decision.items() if value not in (None, False)}
    with face.open() as memory:
        decisions = [{"id": id_given(memory, id), **fields} for id in ids]
        if decision["decision"] == "approve":
            for choice in decisions:
                if (version := last_result.version_seen(memory, choice["id"])) is not None:
                    choice["if_version"] = version
        results = memory.review.decide(decisions)
    return _print_decisions(face, results)


def _print_decisions(face: Face, results: Sequence[Decision]) -> int:
    """Shows decisions. Returns the exit status: that of refusals if any was refused."""
    if face.json:
        output.json({"results": [result.as_dict() for result in results]})
    else:
        for result in results:
            print_decision(result)
    return REFUSED if any(result.code is not None for result in results) else 0


def _cleared(face: Face, cleared: Cleared) -> int:
    """Shows what clearing an area erased and left. Returns the exit status."""
    if face.json:
        output.json(cleared.as_dict())
        return 0 if cleared.proof.holds else 1
    memories = output.pluralize(cleared.memories, "memory", "memories")
    output.done(f"{'Erased' if cleared.hard else 'Forgotten'}: {memories}")
    for memory in cleared.stays:
        output.say(
            f"Stays, pinned or edited by a person: {short_id(memory.id)} {output.one_line(memory.text, 60)}"
        )
    for waiting in cleared.waits:
        output.say(
            f"Waits for review, since it rested on it: {short_id(waiting.id)}"
            f" {output.one_line(waiting.text, 60)}"
        )
    proof = cleared.proof
    if not proof.holds:
        output.say(f"Still found: {', '.join(proof.left)}", fg="red")
        return 1
    output.note(
        f"Checked: {proof.looked_up} looked up by id, {proof.probes} recalls"
        f" ({', '.join(proof.modes)}) with their own words: nothing is left."
    )
    return 0


def _short(rows: Sequence[tuple[str, ...]]) -> list[tuple[str, ...]]:
    return [tuple(output.one_line(cell, CELL) for cell in row) for row in rows]
