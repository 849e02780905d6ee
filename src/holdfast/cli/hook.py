"""`holdfast hook`: answers an event of a coding agent. `__main__` runs it without the other commands."""

from __future__ import annotations

import click

from holdfast.cli.face import Face, command, pass_face, project_named


@command()
@click.argument("client")
@click.argument("event")
@project_named("A project (default: the one of the folder the agent works in).")
@pass_face
def hook(face: Face, client: str, event: str, project: str | None) -> None:
    """Answer EVENT of CLIENT, read as JSON from standard input. `holdfast agents install` sets this up.

    It always succeeds, within a second, and prints the answer in the client's format or nothing.
    HOLDFAST_DEBUG=1 writes to standard error why there is no answer.
    """
    from holdfast.integrations.agents.hook import main

    named = {"--store": face.store, "--user": face.user, "--project": project}
    main([client, event, *(f"{option}={value}" for option, value in named.items() if value)])
