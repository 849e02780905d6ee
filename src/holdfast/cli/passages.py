"""Passages of files as people read them: where to open the file, and lines that stay as they are."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from holdfast.cli import output
from holdfast.language.passages import place_of

if TYPE_CHECKING:
    from holdfast.core.record import Memory

LINES_MAX = 24
"""Lines shown of a passage unless all of it is asked for."""
SYMBOLS_MAX = 3
PROSE = 200
"""Characters from which a line is taken for a paragraph, and wrapped: code has none that is so long."""


def where(memory: Memory, part: str | None = None) -> str | None:
    """Returns the place of a passage, such as `src/flask/sessions.py:312-340  Session.refresh`; with a `part`
    of its text, the lines of this part; of a document its page, sheet or heading. Returns None for a memory
    that is no passage of a file.
    """
    place = place_of(memory, part)
    if place is None:
        return None
    if place.first is None and memory.title:
        return output.printable(f"{place.path}, {memory.title}")
    names = ", ".join(place.symbols[:SYMBOLS_MAX]) + (", …" if len(place.symbols) > SYMBOLS_MAX else "")
    lines = "" if place.first is None else f":{place.first}-{place.last}"
    return output.printable(f"{place.path}{lines}  {names}".rstrip())


def show_lines(text: str, part: str | None, indent: int) -> None:
    """Prints the lines that contain a part of a text, as they are in the file; without a part, all lines."""
    lines = output.printable(text if part is None else whole_lines(text, part)).strip("\n").splitlines()
    shown = lines if part is None else lines[:LINES_MAX]
    for line in shown:
        click.echo(output.wrapped(line, indent) if len(line) > PROSE else " " * indent + line.rstrip())
    if len(shown) < len(lines):
        more = output.pluralize(len(lines) - len(shown), "more line")
        click.echo(click.style(" " * indent + f"… {more}", dim=True))


def whole_lines(text: str, part: str) -> str:
    """Returns a part of a text, extended to whole lines; a line that is a paragraph is not extended."""
    start = text.find(part)
    if start < 0:
        return part
    end = start + len(part.rstrip("\n"))
    begins = text.rfind("\n", 0, start) + 1
    ends = text.find("\n", end)
    ends = len(text) if ends < 0 else ends
    before = text[begins:start] if start - begins <= PROSE else "… "
    after = text[end:ends] if ends - end <= PROSE else " …"
    return before + text[start:end] + after
