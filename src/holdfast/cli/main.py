"""The command `holdfast`: finds the command that was named, runs it, and turns errors into exit statuses."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Any

import click

from holdfast.cli.face import Command, Face, Usage, global_options, summary_of
from holdfast.core.errors import HoldfastError, StoreError
from holdfast.core.masking import masked
from holdfast.stores.base.clock import wall_clock

SECTIONS: dict[str, dict[str, str]] = {
    "Remember and recall": {
        "remember": "remember:remember",
        "recall": "recall:recall",
        "context": "context:context",
        "citations": "context:citations",
        "ask": "facts:ask",
        "about": "beliefs:about",
        "correct": "beliefs:correct",
        "dismiss": "beliefs:dismiss",
        "never": "never:never",
        "extract": "extract:extract",
        "insights": "insights:insights",
        "learn": "learn:learn",
        "import": "imports:import_",
        "export": "export:export",
        "try": "trial:try_",
    },
    "Look": {
        "list": "browse:list_",
        "show": "browse:show",
        "history": "browse:history",
        "kinds": "browse:kinds",
    },
    "Change": {
        "revise": "change:revise",
        "pin": "change:pin",
        "forget": "change:forget",
        "redact": "change:redact",
        "restore": "change:restore",
        "scan": "scan:scan",
        "delete-all": "change:delete_all",
        "review": "review:review",
    },
    "Places": {
        "projects": "projects:projects",
        "folders": "folders:folders",
        "reconcile": "reconcile:reconcile",
        "described": "reconcile:described",
        "map": "maps:map_",
        "sessions": "sessions:sessions",
        "sources": "sources:sources",
    },
    "Facts and graph": {
        "facts": "facts:facts",
        "entities": "entities:entities",
    },
    "Serve": {
        "open": "open:open_",
        "serve": "serve:serve",
        "worker": "worker:worker",
        "keys": "keys:keys",
        "mcp": "mcp:mcp",
        "models": "models:models",
        "agents": "agents:agents",
        "hook": "hook:hook",
    },
    "Keep it well": {
        "doctor": "upkeep:doctor",
        "self": "self_check:self_",
        "backup": "backup:backup",
        "drill": "backup:drill",
        "maintain": "upkeep:maintain",
        "retention": "retention:retention",
        "consents": "consents:consents",
        "stats": "context:stats",
        "jobs": "jobs:jobs",
        "audit": "upkeep:audit",
        "quality": "quality:quality",
        "eval": "evaluate:eval_",
        "completion": "completion:completion",
    },
    "Encryption": {
        "encrypt": "encryption:encrypt",
        "rekey": "encryption:rekey",
        "decrypt": "encryption:decrypt",
    },
    "Team": {
        "members": "members:members",
        "login": "login:login",
        "logout": "login:logout",
        "migrate": "migrate:migrate",
        "store": "store:store",
        "tenants": "tenants:tenants",
    },
}
"""The commands as `holdfast --help` groups them, and where each lives: imported when it is used."""
_COMMANDS = {name: where for section in SECTIONS.values() for name, where in section.items()}

RULE = (
    "Without --project, a command uses the project of the current folder: the one that the folder was added"
    " to, or that was created in it, or that `holdfast projects here` assigned; if there is none, it uses no"
    " project. about, review, stats and sessions cover everything of yours."
)
"""Where a command works; `places.placed` does as it says."""

INTERRUPTED = 130
BROKEN_PIPE = 141


class ReaderLeft(Exception):
    """Whoever read the output has closed it, as `head` does."""


class Program(click.Group):
    """A program of commands, which turns errors into exit statuses."""

    command_class = Command

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except BrokenPipeError as error:
            # click would end with status 1, which tells an error
            raise ReaderLeft from error

    def main(self, args: Sequence[str] | None = None, *more: Any, **extra: Any) -> Any:
        """Runs the installed command."""
        arguments = list(sys.argv[1:] if args is None else args)
        extra.setdefault("obj", Face())
        extra["standalone_mode"] = False
        if os.environ.get("NO_COLOR"):
            extra["color"] = False
        for stream in (sys.stdout, sys.stderr):
            if hasattr(stream, "reconfigure"):
                # a terminal that cannot show a character still gets all the others
                stream.reconfigure(errors="backslashreplace")
        try:
            status = _run(lambda: super(Program, self).main(arguments, *more, **extra), arguments)
            sys.stdout.flush()
        except (ReaderLeft, BrokenPipeError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            status = BROKEN_PIPE
        sys.exit(status)


class Root(Program):
    """The group of all commands, each loaded on use."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _COMMANDS:
            return None
        module, _, name = _COMMANDS[cmd_name].partition(":")
        command: click.Command = getattr(import_module(f"holdfast.cli.{module}"), name)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in _COMMANDS and not ctx.resilient_parsing and not args[0].startswith("-"):
            from holdfast.cli.other_names import suggestion

            raise Usage(f"there is no command {args[0]!r}", suggestion(args[0], _COMMANDS))
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        for title, names in SECTIONS.items():
            with formatter.section(title):
                formatter.write_dl([(name, summary_of(self, ctx, name)) for name in names])


def _run(call: Any, arguments: list[str]) -> int:
    """Runs a command and returns its exit status; errors are printed, with their hints."""
    try:
        wall_clock()  # where it cannot be read, Python's own modules fail in ways that nobody understands
        result = call()
        return result if isinstance(result, int) else 0
    except HoldfastError as error:
        return _fail(arguments, error.code, error.message, error.hint, error.exit_status)
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message(), err=True)
        return error.exit_code
    except click.ClickException as error:
        context = getattr(error, "ctx", None)
        hint = getattr(error, "hint", None)
        if hint is None and context is not None:
            hint = f"`{context.command_path} --help` shows how it is used"
        message = error.format_message().rstrip(".")
        return _fail(arguments, "argument_invalid", message[:1].lower() + message[1:], hint, error.exit_code)
    except (KeyboardInterrupt, click.Abort):
        click.echo("holdfast: interrupted", err=True)
        return INTERRUPTED
    except ReaderLeft:
        raise
    except Exception as error:
        if _wants_trace(arguments):
            raise
        if isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT):
            full = StoreError(
                f"the disk is full: {error}", code="store_full", hint="free some space and try again"
            )
            return _fail(arguments, full.code, full.message, full.hint, full.exit_status)
        what = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
        hint = "run it again with --debug to see where, and please report it"
        unexpected = HoldfastError(f"unexpected {what}", code="internal_error", hint=hint)
        return _fail(arguments, unexpected.code, unexpected.message, hint, unexpected.exit_status)


def _fail(arguments: list[str], code: str, message: str, hint: str | None, status: int) -> int:
    """Tells an error on the error output, which leaves standard output to machines. What it repeats, such as
    the name of a file, loses its secrets and what could steer a terminal."""
    from holdfast.cli import output
    from holdfast.cli.hints import for_commands

    message, hint = masked(message), None if hint is None else for_commands(masked(hint))
    if "--json" in _options(arguments):
        output.json({"error": {"code": code, "message": message, "hint": hint}}, err=True)
        return status
    color = False if os.environ.get("NO_COLOR") else None
    message = output.printable(message)
    click.echo(f"{click.style('holdfast:', fg='red')} {message}", err=True, color=color)
    if hint:
        click.echo(f"{click.style('hint:', fg='cyan')} {output.printable(hint)}", err=True, color=color)
    return status


def _wants_trace(arguments: list[str]) -> bool:
    return "--debug" in _options(arguments) or bool(os.environ.get("HOLDFAST_DEBUG"))


def _options(arguments: list[str]) -> list[str]:
    return arguments[: arguments.index("--")] if "--" in arguments else arguments


def _version(ctx: click.Context, _: click.Parameter, requested: bool) -> None:
    """Prints the version and ends the command; does nothing while a shell completes the line."""
    if requested and not ctx.resilient_parsing:
        from holdfast import __version__

        click.echo(f"holdfast {__version__}")
        ctx.exit()


cli = Root(
    "holdfast",
    params=[
        *global_options(),
        click.Option(
            ["--version"],
            is_flag=True,
            is_eager=True,
            expose_value=False,
            callback=_version,
            help="Show the version and exit.",
        ),
    ],
    help="Memory for AI assistants, coding agents and the teams that use them.",
    epilog=RULE
    + "\n\nRun `holdfast try` for a demonstration, and `holdfast COMMAND --help` for the help of a command.",
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)


def main() -> None:
    """Runs the installed command."""
    cli.main(prog_name="holdfast")
