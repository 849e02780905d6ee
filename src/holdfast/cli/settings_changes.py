"""Shows changes of other programs' settings and asks for agreement."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from holdfast.cli import output
from holdfast.cli.face import Face, ask

if TYPE_CHECKING:
    from collections.abc import Sequence

    from holdfast.integrations.settings_file import Change


def show_changes(changes: Sequence[Change]) -> None:
    """Prints changes as diffs."""
    for change in changes:
        click.echo(output.printable(change.diff), nl=False)


def agree_to_changes(face: Face, changes: Sequence[Change], *, yes: bool) -> bool:
    """Shows changes and leaves the command unless a person agrees. Programs, which have no terminal, and a
    person who said --yes are not asked. Returns whether the changes were shown."""
    is_asked = not (yes or face.json) and sys.stdin is not None and sys.stdin.isatty() and sys.stdout.isatty()
    if not is_asked or not changes:
        return False
    show_changes(changes)
    ask("Write this?", yes=False)
    return True
