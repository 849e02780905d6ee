"""`holdfast extract`: candidate memories from what the user said, by rules."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from holdfast.cli import output
from holdfast.cli.candidates import note_candidates, show_candidates
from holdfast.cli.face import Face, Usage, command, pass_face, project_option
from holdfast.cli.inputs import text_given
from holdfast.cli.places import note_placed, with_project

if TYPE_CHECKING:
    from holdfast.features.extraction.candidates import Extraction


@command()
@click.argument("text", nargs=-1)
@click.option("--session", metavar="ID", help="The conversation to read.")
@click.option("--source", metavar="ID", help="The import to read.")
@project_option
@click.option("--workspace", metavar="NAME", help="The workspace for candidates from TEXT.")
@click.option("--no-redact", is_flag=True, help="Keep e-mail addresses and telephone numbers.")
@click.option("--dry-run", is_flag=True, help="Store nothing; show the outcome of each candidate.")
@pass_face
def extract(
    face: Face,
    text: tuple[str, ...],
    session: str | None,
    source: str | None,
    project: str | None,
    workspace: str | None,
    no_redact: bool,
    dry_run: bool,
) -> None:
    """Extract what the user said about themselves: names, preferences, plans, limits.

    Reads a --session, an import (--source) or TEXT (- for standard input). It uses rules for English and
    Chinese, and no model. Uncertain candidates wait for review, and so does everything from TEXT.
    """
    content = text_given(text, None, pipe=session is None and source is None)
    if session is None and source is None and not (content or "").strip():
        raise Usage("there is nothing to read", "give a text, --session ID or --source ID")
    if sum(source_option is not None for source_option in (session, source, content)) != 1:
        raise Usage("it reads one thing at a time", "give a text, --session ID or --source ID: one of them")
    with face.open(create=content is not None) as memory:
        at = project if content is None else with_project(memory, {"project": project})["project"]
        extracted = memory.extract(
            session=session, source=source, text=content, project=at, workspace=workspace,
            redact=not no_redact, dry_run=dry_run,
        )  # fmt: skip
    if face.json:
        output.json(extracted.as_dict())
    else:
        show(extracted)
        note_placed(at if project is None and extracted.found else None)


def show(extraction: Extraction) -> None:
    """Prints the candidates, one a line, and how many messages were read."""
    show_candidates(extraction.found)
    read = output.pluralize(extraction.messages, "message")
    before = f", {extraction.read_before:,} of them before" if extraction.read_before else ""
    output.done(f"{output.pluralize(len(extraction.found), 'candidate')} in {read} of the user{before}.")
    note_candidates(extraction.found, extraction.dry_run)
