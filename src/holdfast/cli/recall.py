"""`holdfast recall`: the memories that answer a question."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from holdfast.api.hit_folders import folder_here, folder_names
from holdfast.cli import last_result, output, passages
from holdfast.cli.face import (
    Face,
    Usage,
    command,
    pass_face,
    project_option,
    review_hint,
    waiting_here,
)
from holdfast.cli.inputs import text_given
from holdfast.cli.nothing_here import hidden_here
from holdfast.cli.places import EVERYWHERE, by_folder, look_elsewhere, note_missing, with_project
from holdfast.core.ids import short_id
from holdfast.core.kinds import KINDS
from holdfast.core.record import Origin
from holdfast.core.times import to_iso

if TYPE_CHECKING:
    from holdfast.core.hits import Hit, Hits

PASSAGE_MAX = 600
"""Characters shown of a passage unless all of it is asked for."""


boost_option = click.option(
    "--boost",
    metavar="SCOPE=FACTOR",
    multiple=True,
    help="Multiply the scores of memories with this type of scope.",
)


@command(operation="recall", leave_out=("query",))
@click.argument("question", nargs=-1)
@project_option
@boost_option
@click.option(
    "--each-scope", is_flag=True, help="Search each --any-scope separately, with up to 4 hits each."
)
@click.option("--why", is_flag=True, help="Explain each score.")
@click.option("--full", is_flag=True, help="Show full texts.")
@pass_face
def recall(
    face: Face, question: tuple[str, ...], boost: tuple[str, ...], each_scope: bool, why: bool, full: bool,
    **options: Any,
) -> None:  # fmt: skip
    """Find the memories that answer QUESTION, best first.

    --project '*' searches every project. --session searches what that conversation can see. With several
    --any-scope, a memory matches if it has one of them; `--any-scope global` matches memories without a
    scope.
    """
    query = text_given(question, None, pipe=False)
    if query is None:
        raise Usage("no question given", "give one, or list everything: holdfast list")
    if each_scope:
        _show_scopes(face, query, options, why=why, full=full)
        return
    boosts = boosts_of(boost)
    with face.open() as memory:
        put = with_project(memory, options)
        put["folder"] = options["folder"] or folder_here(memory)
        hits = memory.recall(query, boost=boosts, **put)
        folders = {} if face.json else folder_names(memory, (hit.memory for hit in hits))
        last_result.note(memory, (hit.memory.id for hit in hits))
        notes = note_missing(memory, options, hits)
        waiting = 0 if hits else waiting_here(memory, put)
        hidden = [] if hits or hits.searched or face.json else hidden_here(memory, put)
    hint = review_hint(waiting, " here", put["project"])
    if face.json:
        output.json({**hits.as_dict(), "waiting": waiting, "notes": [*notes, *([hint] if waiting else [])]})
        return
    in_files = any(options[name] for name in _IN_FILES)
    _show(hits, why=why, full=full, in_files=in_files, hidden=hidden, folders=folders)
    if not hits and put["project"] != EVERYWHERE:
        output.note(look_elsewhere(by_folder(options, put)))
    if waiting:
        output.note(hint)


def _show_scopes(face: Face, query: str, options: dict[str, Any], *, why: bool, full: bool) -> None:
    """Shows the hits in each scope under its name."""
    if not options["scopes"]:
        raise Usage("no scope is named", "name each with --any-scope TYPE:ID")
    names = ("project", "session", "workspace", "kinds", "scopes", "min_confidence")
    with face.open() as memory:
        put = with_project(memory, {name: options[name] for name in names})
        by_scope = memory.recall_scopes(query, put.pop("scopes"), **put)
        last_result.note(memory, (hit.memory.id for hits in by_scope.values() for hit in hits))
    if face.json:
        output.json({"scopes": {scope: hits.as_dict() for scope, hits in by_scope.items()}})
        return
    for number, (scope, hits) in enumerate(by_scope.items()):
        if number:
            output.say()
        output.say(scope, bold=True)
        if hits:
            _show(hits, why=why, full=full)
        else:
            output.say("    nothing found")


def boosts_of(values: tuple[str, ...]) -> dict[str, float]:
    """Returns the factors that options give as SCOPE=FACTOR. Raises Usage."""
    boosts: dict[str, float] = {}
    for value in values:
        scope, _, factor = value.partition("=")
        try:
            boosts[scope] = float(factor)
        except ValueError:
            raise Usage(
                f"--boost {output.short(value)} is not SCOPE=FACTOR", "as in --boost file=1.5"
            ) from None
    return boosts


_IN_FILES = ("path", "language", "code_only")


def _show(
    hits: Hits, *, why: bool, full: bool, in_files: bool = False, hidden: Sequence[str] = (),
    folders: Mapping[str, str] | None = None,
) -> None:  # fmt: skip
    """Shows hits, and notes what was withheld or is doubtful."""
    for number, hit in enumerate(hits):
        if number:
            output.say()
        _show_one(hit, why=why, full=full, folder=(folders or {}).get(hit.memory.source or ""))
    output.note_doubt(hits)
    if hits.degraded:
        output.note(hits.degraded)
    if hits.withheld:
        before = output.pluralize(len(hits.withheld), "memory", "memories")
        output.note(f"This session received {before} before.")
    if hits:
        return
    if hits.searched:
        output.say(f"No matches among {output.pluralize(hits.searched, 'memory', 'memories')}.")
        output.note("Try other words or fewer filters.")
    elif in_files:
        output.say("No indexed file here is of this kind.")
        output.note("See `holdfast folders list`, and `holdfast folders files FOLDER` for what was indexed.")
    elif hidden:
        output.say("There are no memories here to search.")
        for note in hidden:
            output.note(note)
    else:
        output.say("There are no memories here yet.")
        output.note("Store one with `holdfast remember`.")


def _show_one(hit: Hit, *, why: bool, full: bool, folder: str | None = None) -> None:
    """Shows a hit: its place, its text and what else is known of it."""
    memory = hit.memory
    record = memory.as_dict()
    if (place := passages.where(memory, None if full else hit.passage or None)) is not None:
        _show_passage(hit, place if folder is None else f"{place}  in {folder}", full=full)
        _show_rest(hit, why=why)
        return
    head = [click.style(f"{hit.citation} {hit.score:.2f}", bold=True), click.style(memory.kind, fg="cyan")]
    session = output.short(memory.session or "")
    title = output.one_line(hit.conversation or "")
    places = (memory.project, title, session, memory.name or memory.role, output.day(record["at"]))
    head += [output.printable(place) for place in (*places, memory.provenance) if place]
    click.echo("  ".join(head))
    if memory.title and memory.title not in (memory.text, hit.conversation):
        output.say(output.wrapped(memory.title, 4), bold=True)
    text = memory.text if full else (hit.passage or memory.text)
    if not full and len(text) > PASSAGE_MAX:
        text = text[:PASSAGE_MAX].rstrip() + " …"
    output.say(output.wrapped(text, 4))
    _show_rest(hit, why=why)


def _show_passage(hit: Hit, place: str, *, full: bool) -> None:
    head = [click.style(f"{hit.citation} {hit.score:.2f}", bold=True), click.style("passage", fg="cyan")]
    provenance = output.printable(hit.memory.provenance)
    click.echo("  ".join(filter(None, [*head, place, hit.memory.project or "", provenance])))
    passages.show_lines(hit.memory.text, None if full else (hit.passage or hit.memory.text), 4)


def _show_rest(hit: Hit, *, why: bool) -> None:
    """Shows below a hit what contradicts it, its id, and the parts of its score if asked for."""
    if hit.stale:
        output.say(output.wrapped(f"stale: {hit.stale}", 4), fg="yellow")
    for other in hit.contradicted_by:
        side = f"{other.text} ({other.reason}; {other.source.said_by}, {to_iso(other.source.at)[:10]})"
        id = short_id(other.source.memory)
        output.say(output.wrapped(output.one_line(f"contradicted by {id}: {side}"), 4), fg="yellow")
    memory = hit.memory
    # the id of a message in an export tells a person nothing
    is_taken_in = KINDS[memory.kind].is_evidence or memory.origin is Origin.IMPORT
    is_shown = memory.kind != "passage" and (why or not is_taken_in)
    theirs = f"  (external id {memory.external_id})" if is_shown and memory.external_id is not None else ""
    output.say(f"    {short_id(memory.id)}{theirs}", dim=True)
    if why:
        output.say("    " + ", ".join(f"{name} {share:+.2f}" for name, share in hit.why.items()), dim=True)
