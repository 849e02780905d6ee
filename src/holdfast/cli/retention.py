"""`holdfast retention`: how long memories stay, and legal holds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from holdfast.cli import output
from holdfast.cli.face import Face, Usage, ask, listing_group, pass_face, yes_option
from holdfast.core.arguments import safe_repr
from holdfast.core.errors import NotFound

if TYPE_CHECKING:
    from holdfast.core.retention import Due, Hold, Policy

LATER = "It erases nothing before tomorrow; a service or worker erases each day what is over its time."


@listing_group()
def retention() -> None:
    """Set how long memories are kept, and place legal holds."""


def _of(subject: Policy | Hold | dict[str, Any]) -> str:
    """Returns what a policy or hold is about, in words."""
    fields = subject if isinstance(subject, dict) else subject.as_dict()
    parts = [f"{label} {fields[name]}" for name, label in
             (("user", "user"), ("kind", "kind"), ("project", "project")) if fields.get(name)]  # fmt: skip
    return output.one_line(", ".join(parts)) or "everything"


def _days(days: int | None) -> str:
    return "for good" if days is None else output.pluralize(days, "day")


@retention.command("list")
@pass_face
def list_(face: Face) -> None:
    """List the policies, in order of precedence."""
    with face.open() as memory:
        policies = [policy.as_dict() for policy in memory.retention.list()]
    face.table(
        "policies", policies, ("what", "stays", "set", "by"),
        lambda policy: (
            _of(policy), _days(policy["days"]), output.day(policy["set_at"]),
            output.one_line(policy["set_by"]),
        ),
        "There are no policies: everything is kept until it is erased.",
        "holdfast retention set --days N --kind message",
    )  # fmt: skip


@retention.command("set")
@click.option("--days", type=int, metavar="N", help="The number of days after the last change.")
@click.option("--keep", is_flag=True, help="Keep them permanently, whatever a wider policy says.")
@click.option("--kind", metavar="KIND", help="Only memories of this kind.")
@click.option("--project", metavar="NAME", help="Only memories in this project.")
@yes_option
@pass_face
def set_(face: Face, days: int | None, keep: bool, kind: str | None, project: str | None, yes: bool) -> None:
    """Set how long memories are kept: those of a kind, in a project, or all.

    It first shows what would be erased, and asks for confirmation. What a person pinned or edited stays, and
    so does what a legal hold covers.
    """
    if (days is None) != keep:
        raise Usage("say how long: --days N or --keep", "holdfast retention set --days 365 --kind message")
    with face.open() as memory:
        if days is not None:
            due = memory.retention.preview(days, kind=kind, project=project)
            if not face.json:
                _show(due)
            ask(f"Erase from tomorrow on what is over its time: {_amount(due)} now, more each day?", yes)
        policy = memory.retention.set(days, kind=kind, project=project)
    face.done(policy.as_dict(), f"Set: {_of(policy)} stays {_days(policy.days)}", *([] if keep else [LATER]))


@retention.command()
@click.option("--kind", metavar="KIND", help="That of this kind.")
@click.option("--project", metavar="NAME", help="That of this project.")
@pass_face
def remove(face: Face, kind: str | None, project: str | None) -> None:
    """Remove a policy, so that the next wider one applies."""
    with face.open() as memory:
        policy = memory.retention.remove(kind=kind, project=project)
    face.done(policy.as_dict(), f"Removed: {_of(policy)}")


@retention.command(operation="retention.preview")
@pass_face
def preview(face: Face, **options: Any) -> None:
    """Show what would be erased now.

    With --days, show what a policy of that many days would erase.
    """
    with face.open() as memory:
        due = memory.retention.preview(**options)
    if face.json:
        output.json(due.as_dict())
    else:
        _show(due)


@retention.command()
@click.argument("name")
@click.option("--of", "whose", metavar="USER", help="Only what belongs to this user.")
@click.option("--project", metavar="NAME", help="Only what is in this project.")
@pass_face
def hold(face: Face, name: str, whose: str | None, project: str | None) -> None:
    """Place the legal hold NAME.

    Nobody can erase what it covers until it is lifted.
    """
    with face.open() as memory:
        placed = memory.retention.hold(name, user=whose, project=project)
    face.done(placed.as_dict(), f"Held: {_of(placed)} ({output.one_line(placed.name)})")


@retention.command()
@pass_face
def holds(face: Face) -> None:
    """List the legal holds in place."""
    with face.open() as memory:
        rows = [hold.as_dict() for hold in memory.retention.holds()]
    face.table(
        "holds", rows, ("hold", "keeps", "placed", "by"),
        lambda hold: (
            output.one_line(hold["name"]), _of(hold), output.day(hold["placed_at"]),
            output.one_line(hold["placed_by"]),
        ),
        "There are no legal holds.", "holdfast retention hold NAME --of USER",
    )  # fmt: skip


@retention.command()
@click.argument("name")
@yes_option
@pass_face
def lift(face: Face, name: str, yes: bool) -> None:
    """Lift the legal hold NAME."""
    with face.open() as memory:
        if all(hold.name != name for hold in memory.retention.holds()):
            raise NotFound(
                f"there is no hold {safe_repr(name)}",
                code="hold_not_found",
                hint="`holdfast retention holds`",
            )
        ask(f"Lift {name}: policies, purges and persons may erase again what it covers?", yes)
        lifted = memory.retention.lift(name)
    face.done(lifted.as_dict(), f"Lifted: {output.one_line(lifted.name)}")


def _amount(due: Due) -> str:
    return output.pluralize(due.memories, "memory", "memories")


def _show(due: Due) -> None:
    """Prints what would go, what stays all the same, and examples."""
    output.say(f"Would be erased now: {_amount(due)}", bold=True)
    for group in due.groups:
        where = f" in {group.project}" if group.project else ""
        output.say(output.one_line(f"  {group.memories:,} {group.kind}{where}, of {group.owner}"))
    for example in due.examples:
        text = example.text if example.text is not None else "(you may not read it)"
        output.say(output.one_line(f"  {example.id}  {text}"))
    if due.protected or due.held:
        output.note(
            f"Stays: {due.protected:,} pinned or edited by a person, {due.held:,} under a legal hold."
        )
