"""`holdfast worker`: does the work that was put off, beside or instead of a running service."""

from __future__ import annotations

import signal
import time
from collections import Counter
from typing import TYPE_CHECKING

import click

from holdfast.cli import output
from holdfast.cli.backup import back_up_on_exit
from holdfast.cli.face import Face, command, pass_face

if TYPE_CHECKING:
    from holdfast.core.jobs import Job

LOOK_EVERY = 0.1
"""Seconds between two looks whether a signal has asked it to end."""


@command()
@click.option("--once", is_flag=True, help="Run what is due now, then exit.")
@click.option("--threads", type=click.IntRange(1, 64), metavar="N",
              help="Number of jobs at a time (default: the setting index_workers).")  # fmt: skip
@pass_face
def worker(face: Face, once: bool, threads: int | None) -> int:
    """Run background jobs: queued work and scheduled upkeep.

    Queued work includes missing vectors and imports; scheduled are upkeep, backups and drills. A running
    service does the same, and several workers may run at once. SIGTERM and SIGINT stop it cleanly: jobs that
    it has started are finished or returned to the queue.
    """
    from holdfast.workers import worker_for

    ended: Counter[str] = Counter()

    def count_job(job: Job) -> None:
        ended[job.state.value] += 1
        if not face.json:
            error = f" ({job.error})" if job.error else ""
            output.say(f"{job.id}  {job.kind}  {job.state.value}{error}")

    with face.open() as memory:
        settings = face.settings()
        count = threads or settings.index_workers or 1
        running = worker_for(memory._service, settings, threads=count, on_finished=count_job)

        def end(*_: object) -> None:
            running.stop_requested = True

        before = {number: signal.signal(number, end) for number in (signal.SIGTERM, signal.SIGINT)}
        try:
            if once:
                running.run_due()
            else:
                running.start()
                if not face.json:
                    output.note(f"Working on {memory.path} (end with Ctrl-C)")
                while not running.stop_requested:
                    time.sleep(LOOK_EVERY)
                running.stop()
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)
    if face.json:
        output.json({"ended": dict(ended)})
    else:
        counts = ", ".join(f"{count:,} {state}" for state, count in ended.items())
        output.done(f"Jobs finished: {counts}." if counts else "Nothing was due.")
    return 0 if once else back_up_on_exit(settings)
