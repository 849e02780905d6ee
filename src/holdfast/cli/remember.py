"""`holdfast remember`: keeps a text, or one text per line."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from holdfast.cli import output
from holdfast.cli.face import (
    REFUSED,
    Face,
    Usage,
    command,
    expires_option,
    kind_option,
    pass_face,
    project_option,
    review_hint,
)
from holdfast.cli.inputs import text_given
from holdfast.cli.places import by_folder, note_placed, with_project
from holdfast.core.ids import short_id

if TYPE_CHECKING:
    from holdfast.api.memory import Memory
    from holdfast.core.record import Kept


@command(operation="remember", leave_out=("kind", "source"))
@click.argument("text", nargs=-1)
@click.option("--file", metavar="PATH", help="Read the text from a file.")
@click.option("--lines", is_flag=True, help="Store each line as a separate memory.")
@kind_option
@project_option
@click.option("--about", metavar="PATH[:SYMBOL]", help="The file it is about, or a definition in that file.")
@expires_option
@pass_face
def remember(
    face: Face,
    text: tuple[str, ...],
    file: str | None,
    lines: bool,
    kind: str | None,
    about: str | None,
    **options: Any,
) -> int:
    """Store a text: from the arguments, standard input or a --file.

    Prints the outcome: created, redacted, merged, duplicate, superseded, pending or refused. A memory stays
    until it is forgotten, unless --expires-at, its kind or the setting `expiry_days` says otherwise.
    """
    content = text_given(text, file, pipe=True)
    if content is None:
        raise Usage("no text given", "give one as an argument, on standard input or with --file")
    options["kind"] = kind or "note"
    if lines:
        return _each_line(face, content, about, options)
    with face.open(create=True) as memory:
        put = _with_file(memory, about, with_project(memory, options))
        result = memory.remember(content, **put)
    if face.json:
        output.json(result.as_dict())
    else:
        print_outcome(result)
        if result.memory is not None:
            note_placed(by_folder(options, put))
            _note_branch(options, put)
    return REFUSED if result.outcome.value == "refused" else 0


def _with_file(memory: Memory, about: str | None, options: dict[str, Any]) -> dict[str, Any]:
    """Returns the options, with the file of --about in the metadata, and the branch of that file if it is in
    the checkout of the current folder."""
    if about is None:
        return options
    from holdfast.cli.about import about_given, branch_here

    return {
        **options,
        "branch": options["branch"] or branch_here(memory, options["project"]),
        "metadata": {
            **(options["metadata"] or {}),
            **about_given(memory, about, options["project"], options["session"]),
        },
    }


def _note_branch(options: dict[str, Any], place: dict[str, Any]) -> None:
    """Notes the branch if the checkout determined it."""
    if place["branch"] is not None and options["branch"] is None:
        output.note(f"Only on branch {place['branch']}, which is checked out here. For all: --branch main")


def _each_line(face: Face, text: str, about: str | None, options: dict[str, Any]) -> int:
    """Remembers each line of a text by itself. Returns the exit status."""
    lines = [line for line in text.splitlines() if line.strip()]
    if options.get("external_id") is not None or options.get("supersedes") is not None:
        raise Usage("--id and --supersedes go with one text, not with --lines")
    with face.open(create=True) as memory:
        put = _with_file(memory, about, with_project(memory, options))
        kept = memory.remember_many([{**put, "text": line} for line in lines])
    counts = tally(kept)
    refused = [(number, result) for number, result in enumerate(kept, 1) if result.outcome.value == "refused"]
    if face.json:
        output.json({"outcomes": counts, "results": [result.as_dict() for result in kept]})
    else:
        summary = ", ".join(f"{count:,} {name}" for name, count in counts.items()) or "nothing to remember"
        output.done(f"{output.pluralize(len(lines), 'line')}: {summary}")
        for number, one in refused:
            output.say(f"  line {number} of text: {one.reason}", fg="yellow")
        note_placed(by_folder(options, put))
        _note_branch(options, put)
        if waiting := counts.get("pending", 0):
            output.note(review_hint(waiting))
        ends = [
            result.memory.expires_at
            for result in kept
            if result.memory is not None and result.memory.expires_at
        ]
        if ends:
            output.note(expiry_hint(len(ends), min(ends), max(ends)))
    return REFUSED if refused else 0


def tally(results: list[Kept]) -> dict[str, int]:
    """Returns the number of texts by outcome, in the order of the outcomes."""
    from holdfast.core.record import Outcome

    counts = {outcome.value: sum(result.outcome is outcome for result in results) for outcome in Outcome}
    return {name: count for name, count in counts.items() if count}


def expiry_hint(count: int, first: int, last: int) -> str:
    """Returns how many memories expire and when (times in UTC epoch milliseconds), and how to keep one."""
    from holdfast.core.times import to_iso

    days = dict.fromkeys(output.day(to_iso(time)) for time in (first, last))
    subject = f"{output.pluralize(count, 'memory', 'memories')} {'expires' if count == 1 else 'expire'}"
    return f"{subject} {' to '.join(days)}; holdfast revise ID --expires-at never keeps one"


_TOLD = {
    "created": "Stored",
    "redacted": "Stored, with secrets removed",
    "pending": "Stored, pending review",
    "merged": "Already stored, and confirmed",
    "duplicate": "Already stored",
    "superseded": "Stored as a new version",
}


def print_outcome(result: Kept) -> None:
    """Prints the outcome of one text in words."""
    memory = result.memory
    if memory is None:
        click.echo(f"{click.style('Refused:', fg='yellow')} {output.printable(result.reason)}", err=True)
        return
    place = f", project {memory.project}" if memory.project else ""
    what = _TOLD[result.outcome.value]
    if set(result.redactions) == {"excluded"}:
        what = what.replace("secrets removed", "excluded content removed")
    replaced = result.related if result.outcome.value == "superseded" and memory.supersedes else None
    if replaced is not None:
        what = f"Stored as a replacement of {short_id(replaced)}"
    elif memory.status.value == "superseded":
        what = "Stored as an earlier statement"
    output.done(f"{what}: {short_id(memory.id)} ({memory.kind}{place})")
    if result.outcome.value not in ("created", "redacted"):
        output.say(f"  {result.reason}")
    if result.redactions:
        output.say(f"  removed: {', '.join(result.redactions)}")
    if memory.expires_at is not None and not memory.pinned:
        from holdfast.core.times import to_iso

        output.say(f"  expires {output.day(to_iso(memory.expires_at))} (--expires-at never: not at all)")
    if result.visible_to:
        output.say(f"  visible to: {result.visible_to}")
    if replaced is not None:
        output.note(
            f"Undo: holdfast forget {short_id(memory.id)}, then holdfast restore {short_id(replaced)}"
        )
    if memory.status.value == "pending":
        output.note(f"Approve it: holdfast review approve {short_id(memory.id)}")
