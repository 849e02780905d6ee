"""`holdfast insights`: what a conversation found out, decided or corrected, one memory for each topic."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from holdfast.cli import output
from holdfast.cli.face import Face, Usage, command, pass_face
from holdfast.core.ids import short_id

if TYPE_CHECKING:
    from holdfast.core.insights import Insights

BECAME = {
    "created": "kept", "merged": "merged", "corrected": "corrected", "proposed": "for review",
    "forgotten": "forgotten", "rejected": "rejected", "full": "full", "refused": "refused",
}  # fmt: skip


@command(operation="insights")
@click.argument("session", metavar="SESSION")
@click.option("--queue", is_flag=True, help="Queue it as a job for a worker.")
@click.option(
    "--model",
    is_flag=True,
    help="Queue it as a job in which the first language model also proposes insights.",
)
@pass_face
def insights(face: Face, session: str, queue: bool, model: bool, **options: Any) -> None:
    """Store the insights of a conversation, one memory for each topic.

    Later conversations on a topic add to its memory, and a contradiction is stored as a correction. It uses
    rules for English, and no model unless --model is given. What only the assistant said waits for review,
    and so do changes to what you pinned or edited. `holdfast review separate ID` undoes a merge.
    """
    if queue or model:
        _queue(face, session, model=model, **options)
        return
    with face.open() as memory:
        result = memory.insights(session, **options)
    if face.json:
        output.json(result.as_dict())
    else:
        _show(result)


def _queue(face: Face, session: str, *, dry_run: bool, **options: Any) -> None:
    """Queues the extraction as a job and prints its id. Raises Usage for --dry-run: a job has none."""
    if dry_run:
        raise Usage("a job has no --dry-run")
    with face.open() as memory:
        job = memory.queue_insights(session, **options)
    face.done(job.as_dict(), f"Queued as job {short_id(job.id)}.", "A service or `holdfast worker` runs it.")


def _show(result: Insights) -> None:
    """Shows the insights that a run created or changed."""
    rows = [
        (
            BECAME[change.action],
            change.topic,
            output.one_line(change.text, 80),
            short_id(change.memory) if change.memory else "-",
        )
        for change in result.changes
    ]
    if rows:
        output.table(("became", "topic", "said", "memory"), rows)
    suffix = f", {result.known:,} known" if result.known else ""
    output.done(
        f"{output.pluralize(len(rows), 'change')} from"
        f" {output.pluralize(result.messages, 'message')}{suffix}."
    )
    if result.quality != "valuable":
        output.note(f"The conversation was left out: {result.quality.replace('_', ' ')}.")
    if result.dry_run:
        output.note("Nothing was stored. Run it without --dry-run to store it.")
    elif any(change.action == "proposed" for change in result.changes):
        output.note("Review what is pending: holdfast review")
