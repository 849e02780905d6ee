"""Common parts of all commands: global options, the opened memory, options for places and filters."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial, wraps
from typing import TYPE_CHECKING, Any

import click

from holdfast.cli.completed_names import project_names
from holdfast.cli.derived_options import complete_kinds, derived_options, read_scope
from holdfast.cli.times import TIME

if TYPE_CHECKING:
    from holdfast.api.memory import Memory
    from holdfast.config import Settings

REFUSED = 4
"""Exit status when something that was given was not kept; the status of `Refusal`."""
OUTSIDE = "holdfast.outside"
"""Where the context of a command keeps that --no-project was given."""


@dataclass(slots=True)
class Face:
    """The global options as given. `json` asks for plain JSON instead of words for people."""

    store: str | None = None
    user: str | None = None
    agent: str | None = None
    json: bool = False
    debug: bool = False

    def open(self, store: str | None = None, *, create: bool = False) -> Memory:
        """Returns the memory these options name. A store that was named has to be there unless it is to
        `create` one: a path that was mistyped must not look like an empty store. Raises StoreError, and
        InvalidInput for a service and options that its API key decides."""
        from holdfast import config
        from holdfast.api.memory import Memory
        from holdfast.bootstrap import open_service

        settings = self.settings(store)
        if config.is_service(settings.store):
            return _watched(Memory(settings.store, user=self.user, agent=settings.agent))
        is_own = settings.store == str(config.default_store())
        service = open_service(settings, create=create or is_own)
        service.interface = "cli"
        if not self.json:
            _note_move(settings.store)
        return _watched(Memory.over(service))

    def settings(self, store: str | None = None) -> Settings:
        """Returns the settings in force, with these options. Raises InvalidInput."""
        from holdfast import config

        return config.load(store=store or self.store, user=self.user, agent=self.agent)

    def done(self, result: Any, line: str, *notes: str) -> None:
        """Prints what a command did: the result as JSON, or a line about it and notes on what to do next."""
        from holdfast.cli import output

        if self.json:
            output.json(result)
            return
        output.done(line)
        for note in notes:
            output.note(note)

    def table(
        self,
        key: str,
        records: Sequence[Any],
        columns: Sequence[str],
        row: Callable[[Any], Sequence[str]],
        *empty: str,
    ) -> None:
        """Prints records, which are plain JSON: as JSON under a key, or as a table with a row for each; for
        no records the first text of `empty` in place of the table, and the others as notes.
        """
        from holdfast.cli import output

        if self.json:
            output.json({key: records})
        elif records or not empty:
            output.table(columns, map(row, records))
        else:
            output.say(empty[0])
            for note in empty[1:]:
                output.note(note)


def _watched(memory: Memory) -> Memory:
    """Returns the memory; if history of its store is lost, the command warns at its end and in its JSON."""
    from holdfast.cli import output

    context = click.get_current_context(silent=True)
    if context is not None and context.meta.setdefault(output.MEMORY, memory) is memory:
        context.call_on_close(output.warn_of_loss)
    return memory


def _note_move(store: str) -> None:
    """Tells whoever opens a store whose memories were migrated where they are now."""
    from holdfast.stores.base.registry import backend_of

    if moved := backend_of(store).moved(store):
        import shlex

        from holdfast.cli import output
        from holdfast.config import scheme_of
        from holdfast.core.times import to_iso

        when = output.day(to_iso(moved.at))
        memories = output.pluralize(moved.memories, "memory", "memories")
        memories += f" of {', '.join(moved.users)}" if moved.users else ""
        verb = "was" if moved.memories == 1 else "were"
        output.note(f"{memories} {verb} migrated on {when} to {moved.to}; what is written here stays here.")
        go = "holdfast login ADDRESS" if scheme_of(moved.to) else f"--store {shlex.quote(moved.to)}"
        output.note(f"Work there: {go}")


def id_given(memory: Memory, name: str, **place: Any) -> str:
    """Returns the id that a name means: a short id, an external id in a place, or `@1` and `[M1]` for the
    first of the last result. Raises InvalidInput `id_ambiguous`, NotFound, Usage for an empty one."""
    from holdfast.cli import last_result
    from holdfast.core.ids import ID_LENGTH

    if not name.strip():
        raise Usage("the id is empty", "`holdfast list` and `holdfast review list` show ids")
    if memory.is_remote and len(name) == ID_LENGTH:
        return name
    if (listed := last_result.resolve(memory, name)) is not None:
        return listed
    return memory.resolve_id(name, **{key: value for key, value in place.items() if value})


WHEREABOUTS = ("project", "session", "workspace", "scope", "branch", "visibility")


def key_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Adds the options that say where an external id is."""
    from holdfast.cli.derived_options import read_scope

    for option in (
        click.option(
            "--kind", "kinds", metavar="KIND", multiple=True,
            help="For an id of your own: its kind (may be repeated).",
        ),
        click.option("--branch", metavar="NAME", help="For an id of your own: the branch it is on."),
        click.option(
            "--scope", metavar="TYPE:ID", callback=read_scope,
            help="For an id of your own: the scope it is in.",
        ),
        click.option("--workspace", metavar="NAME", help="For an id of your own: the workspace it is in."),
        click.option("--session", metavar="ID", help="For an id of your own: the conversation it is in."),
        click.option("--project", metavar="NAME", help="For an id of your own: the project it is in."),
    ):  # fmt: skip
        command = option(command)
    return command


_SEEN = ("project", "session", "workspace", "strict_workspace", "scope", "visibility", "branch", "kinds",
         "tags", "since", "until")  # fmt: skip
_SEEN_REMOTE = ("project", "session", "workspace", "scope", "kinds", "tags")


def waiting_here(memory: Memory, options: dict[str, Any]) -> int:
    """Returns how many memories of the place that these options name wait for the caller to decide about.
    What is for others to decide about is not counted. A service is asked without the time, the branch and the
    visibility."""
    from holdfast.core.arguments import LIMIT_MAX

    if memory.is_remote:
        filters = {name: options[name] for name in _SEEN_REMOTE if name in options}
        waiting = memory.review.inbox(**filters, limit=LIMIT_MAX).items
        if options.get("project") is None and not (options.get("session") or options.get("workspace")):
            waiting = tuple(item for item in waiting if item.memory.project is None)
        return sum(item.asks is None for item in waiting)
    from holdfast.features.access.places import Selection
    from holdfast.features.review.review import inbox

    where = Selection(**{name: options[name] for name in _SEEN if name in options})
    return sum(item.asks is None for item in inbox(memory._service, where, limit=LIMIT_MAX).items)


def review_hint(count: int, here: str = "", project: str | None = None) -> str:
    """Returns a hint such as `1 memory waits for review: holdfast review`."""
    import shlex

    from holdfast.cli import output

    subject = output.pluralize(count, "memory", "memories")
    only = f" --project {shlex.quote(project)}" if project not in (None, "*") else ""
    return f"{subject}{here} {'waits' if count == 1 else 'wait'} for review: holdfast review{only}"


class Usage(click.UsageError):
    """A command line that cannot be understood. `hint` says what to do instead."""

    def __init__(self, message: str, hint: str | None = None) -> None:
        super().__init__(message, click.get_current_context(silent=True))
        self.hint = hint


def pass_face(function: Callable[..., Any]) -> Callable[..., Any]:
    """Gives the global options to a command as its first argument."""

    @wraps(function)
    def called(*args: Any, **options: Any) -> Any:
        return function(click.get_current_context().ensure_object(Face), *args, **options)

    return called


def global_options() -> list[click.Option]:
    """Returns the options that every command accepts, before or after its name."""
    option = partial(click.Option, expose_value=False, callback=_take)
    return [
        option(
            ["--store"],
            metavar="PATH",
            help="The file, database URL or service URL (HOLDFAST_STORE; default: your own file).",
        ),
        option(
            ["--user"],
            metavar="NAME",
            help="The acting user (HOLDFAST_USER; default: the operating system's user).",
        ),
        option(["--agent"], metavar="NAME", help="The agent that acts for the user (HOLDFAST_AGENT)."),
        option(["--json"], is_flag=True, help="Print JSON."),
        option(["--debug"], is_flag=True, help="Show the traceback of an unexpected error."),
    ]


def _take(ctx: click.Context, param: click.Parameter, value: Any) -> None:
    if value and param.name:
        setattr(ctx.ensure_object(Face), param.name, value)


class Command(click.Command):
    """A command that takes the global options too, and those that follow from its operation.

    What the operation takes and the command does not declare becomes an option, but for `leave_out`.
    """

    def __init__(
        self, *args: Any, operation: str | None = None, leave_out: Sequence[str] = (), **options: Any
    ) -> None:
        super().__init__(*args, **options)
        self._operation = operation
        self._leave_out = leave_out
        self.global_params = global_options()
        self._derived: list[click.Option] | None = None

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        """Returns the parameters; those of the operation are derived when the command is used."""
        if self._derived is None:
            self._derived = []
            if self._operation is not None:
                names = {parameter.name or "" for parameter in self.params}
                self._derived = derived_options(self._operation, names.union(self._leave_out))
            self.params = [*self.params, *self._derived, *self.global_params]
        return super().get_params(ctx)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if any(not arg or arg.endswith("=") for arg in args):
            from holdfast.cli.empty_paths import empty_path

            if (what := empty_path(self, ctx, args)) is not None:
                raise Usage(f"the argument {what} is empty", "name a path; the current folder is `.`")
        return super().parse_args(ctx, args)


def hide_store_options(command: click.Command) -> None:
    """Hides the global options that choose a store, of a command that works in a temporary one: they are
    taken, as everywhere, to no effect."""
    options = command.global_params if isinstance(command, Command) else command.params
    for option in options:
        if isinstance(option, click.Option) and option.name in ("store", "user", "agent"):
            option.hidden = True


class Group(click.Group):
    """A group of commands that takes the global options too."""

    command_class = Command

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.params += global_options()

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Finds the command; to somebody who types another name it says which one is meant."""
        if args and args[0] not in self.commands and not ctx.resilient_parsing and args[0][:1] != "-":
            from holdfast.cli.other_names import suggestion_in

            if hint := suggestion_in(args[0], self.commands):
                raise Usage(f"there is no command {ctx.command_path} {args[0]}", hint)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Lists the commands, each with the whole first sentence of its help: click would cut it."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, summary_of(self, ctx, name)) for name in self.list_commands(ctx)])


def summary_of(group: click.Group, ctx: click.Context, name: str) -> str:
    """Returns the first sentence of the help of a command of the group."""
    command = group.get_command(ctx, name)
    return command.get_short_help_str(limit=400) if command else ""


def command(name: str | None = None, **options: Any) -> Callable[[Callable[..., Any]], Command]:
    """Makes a command of a function. See `Command` for the options."""
    return click.command(name, cls=Command, **options)


def group(name: str | None = None, **options: Any) -> Callable[[Callable[..., Any]], Group]:
    """Makes a group of commands of a function."""
    return click.group(name, cls=Group, **options)


def listing_group(name: str | None = None) -> Callable[[Callable[[], None]], Group]:
    """Makes a group of commands of a function. Without the name of a command it runs `list`."""

    def decorate(function: Callable[[], None]) -> Group:
        @wraps(function)
        def callback() -> None:
            ctx = click.get_current_context()
            if ctx.invoked_subcommand is None:
                command = made.commands["list"]
                with command.make_context("list", [], parent=ctx) as inner:
                    command.invoke(inner)

        made = group(name, invoke_without_command=True)(callback)
        return made

    return decorate


Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]


def several(*decorators: Decorator) -> Decorator:
    """Returns one decorator that applies several, in their order."""

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        for decorator in reversed(decorators):
            function = decorator(function)
        return function

    return decorate


def or_none(_: click.Context, __: click.Parameter, value: tuple[str, ...]) -> tuple[str, ...] | None:
    """Returns the values of an option, or None if there are none: no filter."""
    return value or None


def completing(names: Callable[[Memory, str], Any]) -> Callable[[click.Context, click.Parameter, str], Any]:
    """Returns the completion of names that are read from the memory of the command."""

    def complete(ctx: click.Context, _: click.Parameter, incomplete: str) -> Any:
        try:
            with (ctx.find_object(Face) or Face()).open() as memory:
                return names(memory, incomplete)
        except Exception:
            # a shell that asks for completions has no use for an error
            return []

    return complete


def _among(*values: str) -> Callable[[click.Context, click.Parameter, str], list[str]]:
    return lambda _ctx, _param, incomplete: [value for value in values if value.startswith(incomplete)]


def _take_outside(ctx: click.Context, _: click.Parameter, value: bool) -> None:
    ctx.meta[OUTSIDE] = value


def project_named(meaning: str) -> Decorator:
    """Returns an option that names a project as a target or a filter, where the rule of places does not
    apply.
    """
    return click.option("--project", metavar="NAME", shell_complete=completing(project_names), help=meaning)


project_option = several(
    project_named("The project (default: the current folder's, if it has one)."),
    click.option(
        "--no-project", is_flag=True, expose_value=False, callback=_take_outside,
        help="Use no project, whatever the current folder.",
    ),
)  # fmt: skip
"""The options that say in which project a command works; `places.placed` says what they mean."""
only_project_option = project_named("Only this project (default: everything of yours).")
seen_from_option = project_named(
    "This project and your memories without a project (default: everything of yours)."
)

scope_option = click.option(
    "--scope", metavar="TYPE:ID", callback=read_scope, help="A scope, such as paper:2301.1."
)

kind_option = click.option(
    "--kind",
    metavar="KIND",
    shell_complete=complete_kinds,
    help="The kind of memory; `holdfast kinds` lists all kinds.",
)  # fmt: skip
mode_option = click.option(
    "--mode", metavar="MODE", default="hybrid", shell_complete=_among("hybrid", "words", "vectors"),
    help="hybrid (default), words or vectors.",
)  # fmt: skip
expires_option = click.option(
    "--expires-at", metavar="TIME", type=TIME,
    help="When it expires, or `never` (default: depends on its kind, see `holdfast kinds`).",
)  # fmt: skip


def ask(question: str, yes: bool) -> None:
    """Leaves the command unless a person agrees to what it would undo; without a terminal only --yes does."""
    if yes:
        return
    if sys.stdin is None or not sys.stdin.isatty():
        raise Usage(f"confirmation needed: {question}", "run it again with --yes")
    if not click.confirm(question, err=True):
        click.echo("Nothing was changed.", err=True)
        click.get_current_context().exit(1)


yes_option = click.option("--yes", "-y", is_flag=True, help="Do not ask for confirmation.")

page_options = several(
    click.option(
        "--limit", "-n", type=int, default=50, metavar="N", help="Maximum number of results (default 50)."
    ),
    click.option(
        "--cursor", metavar="CURSOR", help="Show the page after this cursor, which the page before printed."
    ),
)
