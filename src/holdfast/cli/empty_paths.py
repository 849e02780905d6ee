"""Arguments that are empty where a path belongs, as of a shell variable that is not set."""

from __future__ import annotations

from collections.abc import Sequence

import click

from holdfast.cli.face import Usage

_PATHS = ("DIR", "FILE", "FOLDER", "PATH", "STORE")
"""How the help calls arguments and options that are paths, or begin with one."""


def check_paths(command: click.Command, ctx: click.Context, args: Sequence[str]) -> None:
    """Raises Usage if an argument or option that is a path is empty: it would mean the current folder."""
    given, _, _ = command.make_parser(ctx).parse_args(args=list(args))
    for param in command.get_params(ctx):
        if _names_path(param) and given.get(param.name or "") == "":
            what = (param.metavar or "PATH") if isinstance(param, click.Argument) else param.opts[0]
            raise Usage(f"{what} is empty", "name a path; the current folder is `.`")


def _names_path(param: click.Parameter) -> bool:
    called = (param.metavar or "").partition("|")[0].partition("[")[0]
    return (isinstance(param.type, click.Path) or called in _PATHS) and param.default != ""
