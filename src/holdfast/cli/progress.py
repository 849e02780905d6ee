"""Progress of long work, on the error output: a bar on a terminal, a line now and then elsewhere."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import click

EVERY = 5.0
"""Seconds between two lines where there is no terminal."""


Share = Callable[[], float]
"""Returns the share of a work that is done, from 0 to 1, where the number of things is not known before."""


@contextmanager
def progress(
    title: str, total: int | None = None, share: Share | None = None
) -> Iterator[Callable[[int], None]]:
    """Shows how far a work has come; call what it gives with each number of things done. With `share`, the
    total and the remaining time are estimated from it."""
    if sys.stderr.isatty():
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
        with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
            task = bar.add_task(title, total=total)

            def advance(number: int) -> None:
                bar.advance(task, number)
                if share is not None:
                    bar.update(task, total=_estimated(int(bar.tasks[task].completed), share()))

            yield advance
        return
    yield _Lines(title, total, share).advance


def _estimated(done: int, share: float) -> int | None:
    """Returns the number of all things, as far as the share that is done tells it."""
    return max(done, round(done / share)) if share > 0 else None


class _Lines:
    def __init__(self, title: str, total: int | None, share: Share | None) -> None:
        self._title = title
        self._total = total
        self._share = share
        self._done = 0
        self._began = time.monotonic()
        self._next = self._began + EVERY

    def advance(self, number: int) -> None:
        self._done += number
        if time.monotonic() >= self._next:
            self._next = time.monotonic() + EVERY
            click.echo(f"{self._title}: {self._done:,}{self._rest()}", err=True)

    def _rest(self) -> str:
        if self._share is None:
            return "" if self._total is None else f" of {self._total:,}"
        share = self._share()
        total = _estimated(self._done, share)
        if total is None:
            return ""
        seconds = (time.monotonic() - self._began) * (1 - share) / share
        left = f"{seconds / 60:.0f} min" if seconds >= 120 else f"{seconds:.0f} s"
        return f" of about {total:,}, {left} left"
