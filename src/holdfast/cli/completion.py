"""`holdfast completion`: the script that makes a shell complete commands, options and names."""

from __future__ import annotations

import click

from holdfast.cli import output
from holdfast.cli.face import Face, Usage, command, pass_face

WHERE = {
    "bash": "~/.bashrc",
    "zsh": "~/.zshrc",
    "fish": "~/.config/fish/completions/holdfast.fish",
}


@command()
@click.argument("shell", type=click.Choice(tuple(WHERE)))
@pass_face
def completion(face: Face, shell: str) -> None:
    """Print the completion script for a shell.

    \b
    bash:  echo 'eval "$(holdfast completion bash)"' >> ~/.bashrc
    zsh:   echo 'eval "$(holdfast completion zsh)"' >> ~/.zshrc
    fish:  holdfast completion fish > ~/.config/fish/completions/holdfast.fish
    """
    from click.shell_completion import get_completion_class

    from holdfast.cli.main import cli

    completer = get_completion_class(shell)
    if completer is None:
        raise Usage(f"there is no completion for {shell}")
    script = completer(cli, {}, "holdfast", "_HOLDFAST_COMPLETE").source()
    if face.json:
        output.json({"shell": shell, "script": script})
    else:
        click.echo(script)
