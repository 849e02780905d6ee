"""`holdfast learn`: what a working session taught, from its log."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

from holdfast.cli import output
from holdfast.cli.candidates import note_candidates, show_candidates
from holdfast.cli.face import Face, command, pass_face, project_option
from holdfast.cli.inputs import text_given
from holdfast.cli.places import project_meant
from holdfast.core.errors import InvalidInput

if TYPE_CHECKING:
    from holdfast.features.learning.rules.log import Learned


@command()
@click.argument("log", type=click.Path(), required=False)
@click.option(
    "--transcript",
    metavar="PATH",
    type=click.Path(),
    help="A transcript, of which only what is new since the last time is read.",
)
@project_option
@click.option(
    "--session-type",
    metavar="TYPE",
    default="build",
    help="build (default), pr_review, insights, roadmap, ideation, terminal, spec or changelog; limits"
    " which lessons are stored.",
)
@click.option("--failed", is_flag=True, help="The session failed: store dead ends only.")
@click.option("--dry-run", is_flag=True, help="Store nothing; show the outcome of each candidate.")
@pass_face
def learn(
    face: Face, log: str | None, transcript: str | None, project: str | None, session_type: str, failed: bool,
    dry_run: bool,
) -> None:  # fmt: skip
    """Extract lessons from the LOG of a working session (- reads standard input).

    LOG is JSON Lines of events, or a transcript of Claude Code (~/.claude/projects/*/*.jsonl), Codex
    (~/.codex/sessions/**/rollout-*.jsonl) or Gemini CLI (~/.gemini/tmp/*/chats). Rules, and no model, find
    errors that were fixed, commands that finally worked, repeated searches, files that change together, dead
    ends, decisions and corrections. The setting learning_trust decides which lessons wait for review. Reading
    the same log again adds nothing.
    """
    if (log is None) is (transcript is None):
        raise InvalidInput(
            "name one log", code="argument_invalid", hint="holdfast learn LOG, or --transcript PATH"
        )
    log = log or str(transcript)
    if log != "-" and not Path(log).exists():
        raise InvalidInput(f"there is no file {log}", code="file_not_found", hint="check the path")
    content: str | os.PathLike[str] = text_given(["-"], None, pipe=False) or "" if log == "-" else Path(log)
    with face.open(create=True) as memory:
        home = project_meant(memory, project, "what a session taught belongs to a project")
        result = memory.learn(
            content, project=home, session_type=session_type, failed=failed, resume=transcript is not None,
            dry_run=dry_run,
        )  # fmt: skip
    if face.json:
        output.json(result.as_dict())
    else:
        show(result)


def show(learned: Learned) -> None:
    """Prints what was learned in a few lines, then every candidate."""
    if learned.bullets:
        output.done("Lessons:")
        for line in learned.bullets:
            output.say(f"  • {line}")
        output.say()
    show_candidates(learned.lessons)
    read = f"{output.pluralize(learned.steps, 'step')} with {output.pluralize(learned.files, 'file')}"
    output.done(f"{output.pluralize(len(learned.lessons), 'candidate')} from {read}.")
    if learned.mapped:
        output.say(f"Modules with more confidence: {', '.join(learned.mapped)}")
    if learned.left_out:
        output.note(
            f"{learned.left_out:,} more lessons than a session of type {learned.session_type} may have."
        )
    if learned.skipped:
        output.note(f"{output.pluralize(learned.skipped, 'entry', 'entries')} of the log could not be used.")
    note_candidates(learned.lessons, learned.dry_run)
