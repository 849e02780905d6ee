"""`holdfast self`: this installation, and whether it is whole."""

from __future__ import annotations

import click

from holdfast.cli import output
from holdfast.cli.face import Face, group, pass_face
from holdfast.core.errors import Damaged


@group(name="self")
def self_() -> None:
    """Check this installation of Holdfast."""


@self_.command()
@pass_face
def check(face: Face) -> int:
    """Check that the installation is whole and works: files, database, model, extras, and the store.

    Writes, reads and recalls in a temporary store. Connects to nothing but the configured store, which is
    only read, and changes nothing. Each problem says what to do. Exits with 7 if there is one.
    """
    from holdfast.api.installation import State, examined

    report = examined(face.settings)
    if face.json:
        output.json(report.as_dict())
        return 0 if report.whole else Damaged.exit_status
    colours = {State.OK: "green", State.NOTE: "yellow", State.PROBLEM: "red"}
    for check in report.checks:
        click.echo(
            click.style(f"{check.state.value:<8}", fg=colours[check.state]) + f"{check.name}: ", nl=False
        )
        click.echo(output.printable(check.found))
        if check.advice:
            output.say(f"        → {check.advice}")
    problems = sum(check.state is State.PROBLEM for check in report.checks)
    if problems:
        output.say(f"{output.pluralize(problems, 'problem')} found.", fg="red")
    else:
        output.done("The installation is whole.")
    return 0 if report.whole else Damaged.exit_status
