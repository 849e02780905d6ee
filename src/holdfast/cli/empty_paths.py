"""Arguments that are empty where a path belongs, as of a shell variable that is not set."""

from __future__ import annotations

from collections.abc import Sequence

import click

_PATHS = ("DIR", "FILE", "FOLDER", "PATH", "STORE")
"""Placeholders in the help of arguments and options that are paths, or begin with one."""


def empty_path(command: click.Command, ctx: click.Context, args: Sequence[str]) -> str | None:
    """Returns the placeholder of the first path that is empty, which would mean the current folder; None if
    there is none."""
    values, _, _ = command.make_parser(ctx).parse_args(args=list(args))
    for param in command.get_params(ctx):
        if _names_path(param) and values.get(param.name or "") == "":
            return (param.metavar or "PATH") if isinstance(param, click.Argument) else param.opts[0]
    return None


def _names_path(param: click.Parameter) -> bool:
    called = (param.metavar or "").partition("|")[0].partition("[")[0]
    return (isinstance(param.type, click.Path) or called in _PATHS) and param.default != ""
