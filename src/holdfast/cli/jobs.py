"""`holdfast jobs`: work that is done later, how far it is, and what became of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from holdfast.cli import output
from holdfast.cli.face import Face, listing_group, pass_face
from holdfast.cli.progress import duration

if TYPE_CHECKING:
    from holdfast.core.jobs import Job

STATES = ("queued", "running", "success", "timeout", "error", "cancelled")


@listing_group()
def jobs() -> None:
    """List background jobs, and retry or cancel them."""


@jobs.command("list", operation="jobs.list")
@click.option("--state", type=click.Choice(STATES), help="Only those in this state.")
@pass_face
def list_(face: Face, state: str | None, limit: int) -> None:
    """List jobs, newest first."""
    with face.open() as memory:
        jobs = memory.jobs.list(state=state, limit=limit)
    face.table(
        "jobs",
        [job.as_dict() for job in jobs],
        ("job", "kind", "state", "due", "done", "tries", "error"),
        lambda job: (
            job["id"], job["kind"], job["state"], output.minute(job["due_at"]),
            _progress(job["done"], job["total"]), str(job["attempts"]), job["error"] or "",
        ),
        "There are no jobs." if state is None else f"No job is in the state {state}.",
    )  # fmt: skip


@jobs.command()
@click.argument("id")
@pass_face
def show(face: Face, id: str) -> None:
    """Show the progress or the result of a job."""
    with face.open() as memory:
        job = memory.jobs.get(id)
    if face.json:
        output.json(job.as_dict())
    else:
        _show(job)


@jobs.command()
@click.argument("id")
@pass_face
def retry(face: Face, id: str) -> None:
    """Retry a job that has failed."""
    with face.open() as memory:
        job = memory.jobs.retry(id)
    again = "A running service or `holdfast worker` does it."
    face.done(job.as_dict(), f"Queued again: job {job.id}", again)


@jobs.command()
@click.argument("id")
@pass_face
def cancel(face: Face, id: str) -> None:
    """Cancel a job; what it has done already stays."""
    with face.open() as memory:
        job = memory.jobs.cancel(id)
    face.done(job.as_dict(), f"Cancelled: job {job.id}")


def _show(job: Job) -> None:
    """Shows a job with its progress and result."""
    times = job.as_dict()
    output.say(f"{job.kind} job {job.id}: {job.state.value}", bold=True)
    rows = {
        "done": _progress(job.done, job.total),
        "remaining": "" if job.remaining_seconds is None else f"about {duration(job.remaining_seconds)}",
        "tries": str(job.attempts),
        "error": job.error or "",
        "memory": job.subject or "",
        "queued": output.minute(times["created_at"]),
        "next try": output.minute(times["due_at"]),
        "finished": output.minute(times["finished_at"]),
        **{name: _plain(value) for name, value in job.result.items()},
    }
    output.fields({name: value for name, value in rows.items() if value})
    if job.is_dead:
        output.note(f"Retry: holdfast jobs retry {job.id}")


def _progress(done: int, total: int | None) -> str:
    if total is None:
        return f"{done:,}" if done else ""
    return f"{done:,} of {total:,}"


def _plain(value: object) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name} {count}" for name, count in value.items())
    return str(value)
