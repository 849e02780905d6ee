"""Options of a command that follow from the arguments of its operation."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any

import click

from holdfast.cli.times import TIME

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

NAMES = {
    "external_id": ["--id"],
    "kinds": ["--kind"],
    "tags": ["--tag"],
    "scopes": ["--any-scope"],
    "limit": ["--limit", "-n"],
}
"""Options whose names differ from those of their arguments."""
METAVARS = {
    "kind": "KIND", "kinds": "KIND", "tags": "TAG", "external_id": "ID", "supersedes": "ID", "session": "ID",
    "exclude": "ID", "limit": "N", "confidence": "0..1", "scope": "TYPE:ID", "scopes": "TYPE:ID",
    "visibility": "WHO", "threshold": "SCORE", "mmr": "SHARE", "text": "TEXT",
    "title": "TEXT", "summary": "TEXT", "notes": "TEXT",
    "reason": "TEXT", "note": "TEXT", "include": "STATUS", "cursor": "CURSOR", "min_confidence": "SHARE",
    "path": "PATH", "language": "LANGUAGE",
}  # fmt: skip
TIMES = ("at", "since", "until", "as_of", "valid_from", "valid_until", "expires_at")
CHOICES = {
    "visibility": ("private", "team", "project"),
    "mode": ("hybrid", "words", "vectors"),
    "status": ("pending", "approved", "rejected"),
    "include": ("pending", "rejected", "superseded", "expired", "deleted"),
}
"""Values that a shell completes."""


def derived_options(operation: str, declared_names: Collection[str]) -> list[click.Option]:
    """Returns the options of the arguments of an operation that a command does not declare itself."""
    area, _, name = operation.rpartition(".")
    module = import_module(f"holdfast.api.{area or 'memory'}")
    declared = getattr(getattr(module, (area or "memory").capitalize()), name).operation
    from holdfast.api.operation import UNSET, signature_of
    from holdfast.api.parameters import parameter_of

    return [
        _option(parameter, parameter_of(declared, parameter.name).about or "")
        for parameter in list(signature_of(declared.function, patch=declared.patch).parameters.values())[1:]
        if parameter.default is not UNSET and parameter.name not in declared_names
    ]


def _option(parameter: inspect.Parameter, about: str) -> click.Option:
    """Returns the option for a parameter of an operation."""
    name, kind, default = parameter.name, str(parameter.annotation), parameter.default
    flags = NAMES.get(name, [f"--{name.replace('_', '-')}"])
    declare = partial(click.Option, metavar=_metavar(name, kind), shell_complete=_completion(name))
    if kind.startswith("bool"):
        switch = f"{flags[0]}/--no-{flags[0][2:]}" if default is not False else flags[0]
        return click.Option([switch, name], is_flag=True, default=default, help=about)
    if kind.startswith(("Collection[str]", "Sequence[str]")):
        several = f"{about.rstrip('.')} (may be repeated)."
        return declare([*flags, name], multiple=True, callback=partial(_or_default, default), help=several)
    if kind.startswith("Mapping["):
        from holdfast.cli.json_option import json_object

        return declare([*flags, name], callback=json_object, help=f"{about.rstrip('.')}, as a JSON object.")
    if name == "scope":
        return declare([*flags, name], callback=read_scope, help=about)
    if default not in (None, inspect.Parameter.empty, ""):
        about = f"{about.rstrip('.')} (default {default})."
    if name in TIMES:
        return declare([*flags, name], type=TIME, default=default, help=about)
    type_ = int if kind.startswith("int") else float if kind.startswith("float") else str
    shown = None if default is inspect.Parameter.empty else default
    return declare(
        [*flags, name], type=type_, default=shown, help=about, required=default is inspect.Parameter.empty
    )


def _metavar(name: str, kind: str) -> str:
    """Returns the placeholder that help shows for the value of an option."""
    if name in METAVARS:
        return METAVARS[name]
    if name in TIMES:
        return "TIME"
    if kind.startswith("Mapping["):
        return "JSON"
    return "N" if kind.startswith(("int", "float")) else "NAME"


def _or_default(default: Any, _: click.Context, __: click.Parameter, value: tuple[str, ...]) -> Any:
    return value or (None if default is inspect.Parameter.empty else default)


def read_scope(_: click.Context, __: click.Parameter, value: str | None) -> tuple[str, str | None] | None:
    """Reads a scope: `paper:2301.1` is ("paper", "2301.1"), `global` has no id."""
    if value is None:
        return None
    from holdfast.core.places import scope_named

    scope = scope_named(value)
    return scope.type, scope.id


Complete = Callable[[click.Context, click.Parameter, str], "list[CompletionItem] | list[str]"]


def _completion(name: str) -> Complete | None:
    """Returns what completes the value of an option in a shell, None if nothing does."""
    if name in ("kind", "kinds"):
        return complete_kinds
    if name in CHOICES:
        return lambda _ctx, _param, incomplete: [
            choice for choice in CHOICES[name] if choice.startswith(incomplete)
        ]
    return None


def complete_kinds(_: click.Context, __: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Returns the kinds whose names begin so, each with its meaning."""
    from click.shell_completion import CompletionItem

    from holdfast.core.kinds import KINDS

    return [
        CompletionItem(kind.name, help=kind.meaning)
        for kind in KINDS.values()
        if kind.name.startswith(incomplete)
    ]
