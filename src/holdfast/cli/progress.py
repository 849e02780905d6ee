"""Progress of long work, on the error output: a bar on a terminal, a line now and then elsewhere."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import click

EVERY = 5.0
"""Seconds between two lines where there is no terminal."""


@contextmanager
def progress(title: str, total: int | None = None) -> Iterator[Callable[[int], None]]:
    """Shows how far a work has come; call what it gives with each number of things done."""
    if sys.stderr.isatty():
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
        with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
            task = bar.add_task(title, total=total)
            yield lambda number: bar.advance(task, number)
        return
    yield _Lines(title, total).advance


class _Lines:
    def __init__(self, title: str, total: int | None) -> None:
        self._title = title
        self._total = f" of {total:,}" if total is not None else ""
        self._done = 0
        self._next = time.monotonic() + EVERY

    def advance(self, number: int) -> None:
        self._done += number
        if time.monotonic() >= self._next:
            self._next = time.monotonic() + EVERY
            click.echo(f"{self._title}: {self._done:,}{self._total}", err=True)
