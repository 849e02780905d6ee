"""Output of commands: JSON for machines, wrapped text and tables for people."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from holdfast.core.errors import HoldfastError
from holdfast.core.shortening import shortened

if TYPE_CHECKING:
    from holdfast.core.hits import Hits

WIDTH_MAX = 100
UNLIKELY = 0.3
"""Confidence below which a note says that hits may be no answer: at most a quarter of such questions had an
answer in the view (docs/retrieval.md)."""
_CONTROLS = {code: f"\\u{code:04x}" for code in range(0x7F, 0xA0)}
"""Control characters that JSON leaves as they are, and that a terminal may obey."""
MEMORY = "holdfast.memory"
"""Where the context of a command keeps the memory that it opened."""


def json(value: Any, *, err: bool = False, indent: int | None = 2) -> None:
    """Prints one JSON document, escaped if the output cannot carry Unicode; without `indent` in one line. If
    history of the store is lost, an object says so as `warning`."""
    from json import dumps

    lost = _loss_note()
    if lost and isinstance(value, dict):
        value = {**value, "warning": lost}

    encoding = (getattr(sys.stdout, "encoding", None) or "").lower().replace("-", "")
    text = dumps(value, ensure_ascii=encoding != "utf8", indent=indent, allow_nan=False)
    click.echo(text.translate(_CONTROLS), err=err)


def warn_of_loss() -> None:
    """Prints beside the result that the store of this command has lost history. An error that says so stands
    alone, and so does every error in JSON: the error output holds nothing else then."""
    error = sys.exc_info()[1]
    if isinstance(error, HoldfastError) and (error.code == "history_lost" or _is_json()):
        return
    lost = _loss_note()
    if lost:
        line = f"warning: {lost}. What is shown may lack what was kept: holdfast doctor"
        click.echo(click.style(printable(line), fg="red"), err=True)


def _is_json() -> bool:
    context = click.get_current_context(silent=True)
    return context is not None and bool(getattr(context.obj, "json", False))


def _loss_note() -> str | None:
    context = click.get_current_context(silent=True)
    memory = None if context is None else context.meta.get(MEMORY)
    return None if memory is None else memory.lost


def say(line: str = "", **style: Any) -> None:
    """Prints a line for people, without control characters, which could steer a terminal."""
    click.echo(click.style(printable(line), **style) if style else printable(line))


def done(line: str) -> None:
    """Prints what was done."""
    say(line, fg="green")


def note(line: str) -> None:
    """Prints a note on the error output, such as what to do next; it is not part of the result."""
    click.echo(click.style(printable(line), dim=True), err=True)


def note_doubt(hits: Hits) -> None:
    """Notes that hits are unlikely to answer: their scores only say which of them is best."""
    if hits and hits.confidence < UNLIKELY:
        note(
            "Nothing here seems to answer that. The figure beside each text only ranks it among the others;"
            f" the chance that any of them answers is rated {hits.confidence:.2f} of 1."
        )


def printable(text: str) -> str:
    """Returns the text without characters that control a terminal or turn the direction of what follows; line
    ends and tabs stay."""
    plain = (c for c in text if c in "\n\t" or (c >= " " and not "\x7f" <= c <= "\x9f"))
    return "".join(c for c in plain if not ("\u202a" <= c <= "\u202e" or "\u2066" <= c <= "\u2069"))


def unclosed(count: int) -> str:
    """Returns why so many characters of a document were left out."""
    return f"a <private> is never closed: {count:,} characters, to the end of its paragraph, were left out"


def one_line(text: str, width: int = 0) -> str:
    """Returns the text on one line, cut to a width if one is passed."""
    line = " ".join(printable(text).split())
    return shortened(line, width) if width else line


def wrapped(text: str, indent: int = 0) -> str:
    """Returns the text wrapped to the terminal, with its own line breaks."""
    from textwrap import fill

    space = " " * indent
    lines = printable(text).splitlines() or [""]
    return "\n".join(
        fill(line, width(), initial_indent=space, subsequent_indent=space) if line.strip() else ""
        for line in lines
    )


def width() -> int:
    """Returns the number of columns to write in."""
    from shutil import get_terminal_size

    return max(40, min(get_terminal_size().columns, WIDTH_MAX))


def day(iso: str | None) -> str:
    """Returns the date of an ISO 8601 time."""
    return iso[:10] if iso else ""


def minute(iso: str | None) -> str:
    """Returns date and time to the minute."""
    return iso[:16].replace("T", " ") if iso else ""


def pluralize(number: int, singular: str, plural: str | None = None) -> str:
    """Returns a number with its noun: `1 memory`, `1,204 memories`."""
    return f"{number:,} {singular if number == 1 else plural or singular + 's'}"


def taken_out(label: str) -> str:
    """Returns the label of a redaction in words."""
    named = {"private": "a block marked private", "excluded": "what `holdfast never` lists"}
    return named.get(label) or label.replace("_", " ")


def table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Prints a table: drawn with rich on a terminal, otherwise in plain aligned columns for programs.

    A cell of several lines has an id below its text, which stays in one piece so that it can be copied.
    """
    cells = [[printable(cell) for cell in row] for row in rows]
    if not sys.stdout.isatty():
        _plain(columns, cells)
        return
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    def cell(value: str) -> Text:
        # Text, not str: a memory that holds [brackets] is no markup
        text, _line, id = value.partition("\n")
        return Text.assemble(text, ("\n" + id, "dim")) if id else Text(text)

    drawn = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold underline")
    for place, name in enumerate(columns):
        whole = [len(row[place].split("\n")[-1]) for row in cells if "\n" in row[place] or place == 0]
        drawn.add_column(name, overflow="fold", min_width=max(whole, default=None))
    for row in cells:
        drawn.add_row(*map(cell, row))
    Console(highlight=False).print(drawn)


def fields(values: Mapping[str, object], width: int = 14) -> None:
    """Prints names and values, one pair a line."""
    for name, value in values.items():
        click.echo(click.style(f"{name.replace('_', ' '):<{width}}", dim=True) + printable(str(value)))


def short(id: str) -> str:
    """Returns the beginning of a long id."""
    return id if len(id) <= 16 else id[:8] + "…"


def _plain(columns: Sequence[str], cells: list[list[str]]) -> None:
    """Prints columns padded to their longest cell, a row a line, under headings in capitals."""
    lines = [[name.upper() for name in columns], *([one_line(cell) for cell in row] for row in cells)]
    widths = [max(len(line[place]) for line in lines) for place in range(len(columns))]
    for line in lines:
        padded = (cell.ljust(size) for cell, size in zip(line, widths, strict=True))
        click.echo("  ".join(padded).rstrip())
