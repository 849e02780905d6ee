"""Progress of long work, on the error output: a bar on a terminal, a line now and then elsewhere."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import click

EVERY = 5.0
"""Seconds between two lines where there is no terminal."""


Expected = Callable[[], int | None]
"""Returns the number of all things as far as known, where it is not known before; else None."""


@contextmanager
def progress(
    title: str, total: int | None = None, estimate: Expected | None = None
) -> Iterator[Callable[[int], None]]:
    """Shows how far a work has come; call what it gives with each number of things done. With `estimate`, the
    total and the remaining time are estimates."""
    if sys.stderr.isatty():
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
        with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
            task = bar.add_task(title, total=total)

            def advance(number: int) -> None:
                bar.advance(task, number)
                if estimate is not None:
                    bar.update(task, total=estimate())

            yield advance
        return
    yield _Lines(title, total, estimate).advance


class _Lines:
    def __init__(self, title: str, total: int | None, estimate: Expected | None) -> None:
        self._title = title
        self._total = total
        self._expected = estimate
        self._count = 0
        self._began = time.monotonic()
        self._next = self._began + EVERY

    def advance(self, number: int) -> None:
        self._count += number
        if time.monotonic() >= self._next:
            self._next = time.monotonic() + EVERY
            click.echo(f"{self._title}: {self._count:,}{self._remaining()}", err=True)

    def _remaining(self) -> str:
        """Returns what remains: the total, and an estimate of the time if it is known."""
        if self._expected is None:
            return "" if self._total is None else f" of {self._total:,}"
        total = self._expected()
        if total is None:
            return ""
        seconds = (time.monotonic() - self._began) * max(0, total - self._count) / max(1, self._count)
        return f" of about {total:,}, {duration(seconds)} left"


def duration(seconds: float) -> str:
    """Returns a duration in words, such as `40 s` or `3 min`."""
    return f"{seconds / 60:.0f} min" if seconds >= 120 else f"{seconds:.0f} s"
