"""`holdfast members`: who belongs to a team, and in which role."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

import click

from holdfast.cli import output
from holdfast.cli.face import Face, ask, listing_group, pass_face, yes_option
from holdfast.core.errors import HoldfastError

if TYPE_CHECKING:
    from holdfast.api.memory import Memory
    from holdfast.core.members import Member
    from holdfast.stores.base.keys import Key


@listing_group()
def members() -> None:
    """List, add and remove members of a team, and set their roles."""


@members.command("list")
@pass_face
def list_(face: Face) -> None:
    """List the members by name."""
    with face.open() as memory:
        members = [member.as_dict() for member in memory.members.list()]
    face.table(
        "members",
        members,
        ("member", "role", "added", "by"),
        lambda member: (
            output.one_line(member["user"]),
            member["role"],
            output.day(member["added_at"]),
            output.one_line(member["added_by"]),
        ),
        "There are no members: the store is one person's, and every valid key is accepted.",
        "Add the first one: holdfast members add NAME --role owner",
    )


@members.command()
@click.argument("names", metavar="USER...", nargs=-1, required=True)
@click.option(
    "--role", metavar="ROLE", default="member", show_default=True, help="owner, admin, member or service."
)
@click.option("--with-key", is_flag=True, help="Also create an API key for each, which is shown once.")
@pass_face
def add(face: Face, names: tuple[str, ...], role: str, with_key: bool) -> None:
    """Add one or more users as members. The first member becomes an owner.

    USER is the user of a key, or the subject of a token. Once there are members, the service refuses
    everybody else, whatever key they have. Whoever opens the store itself, as this command does, is trusted:
    --user proves nothing.
    """
    from holdfast.features.access.keys import create_key

    added: list[tuple[Member, str | None]] = []
    with face.open(create=True) as memory:
        service = memory._service if with_key else None
        before = {member.user for member in memory.members.list()}
        for name in names:
            member = memory.members.add(name, role)
            key = create_key(service, user=member.user, role=member.role)[1] if service else None
            added.append((member, key))
    if face.json:
        shown = [{**member.as_dict(), **({"key": key} if key else {})} for member, key in added]
        output.json(shown[0] if len(shown) == 1 else {"members": shown})
        return
    for member, key in added:
        verb = "A member already" if member.user in before else "Added"
        output.done(f"{verb}: {output.one_line(member.user)} ({member.role.value})")
        if key is not None:
            click.echo(key)
    if with_key:
        output.note("The keys are not shown again: give each to its user.")
    else:
        output.note(f"Create a key: holdfast keys create --for {names[0]} --role {role}")


@members.command("role")
@click.argument("name", metavar="USER")
@click.argument("role")
@pass_face
def role_(face: Face, name: str, role: str) -> None:
    """Set the ROLE of USER: owner, admin, member or service."""
    with face.open() as memory:
        member = memory.members.set_role(name, role)
    create = f"holdfast keys create --for {shlex.quote(member.user)} --role {member.role.value}"
    note = f"A key keeps its role, and the lesser of both counts. For a key of this role: {create}"
    _print(face, member, "Changed", note)


@members.command()
@click.argument("name", metavar="USER")
@yes_option
@pass_face
def remove(face: Face, name: str, yes: bool) -> None:
    """Remove USER from the team, with immediate effect. Their memories stay."""
    with face.open() as memory:
        ask(f"Remove {name} from the team?", yes)
        keys = _keys_of(memory, name)  # before: who removes themselves may not ask any more
        removed = memory.members.remove(name)
    notes = ["What they shared stays the team's; what was private stays in the store, seen by nobody."]
    if keys:
        which = " ".join(key.id for key in keys)
        notes.append(f"Their keys are refused, and work again if they are added again: {which}")
        notes.append("End them for good: holdfast keys revoke KEY")
    _print(face, removed, "Removed", *notes)


def _keys_of(memory: Memory, user: str) -> list[Key]:
    """Returns the keys of a user that were not revoked; none where the caller may not see them."""
    try:
        return [key for key in memory.keys.list() if key.user == user and key.revoked_at is None]
    except HoldfastError:
        return []


def _print(face: Face, member: Member, verb: str, *notes: str) -> None:
    line = f"{verb}: {output.one_line(member.user)} ({member.role.value})"
    face.done(member.as_dict(), line, *notes)
