"""`holdfast keys`: credentials for programs and people who use the service."""

from __future__ import annotations

import click

from holdfast.cli import output
from holdfast.cli.face import Face, ask, listing_group, or_none, pass_face, yes_option
from holdfast.cli.times import TIME


@listing_group()
def keys() -> None:
    """Create, list and revoke API keys of the HTTP service."""


@keys.command()
@click.option("--for", "owner", metavar="NAME", help="The user of the key (default: you).")
@click.option(
    "--role", metavar="ROLE", help="member, service, admin or owner (default: as in the team, else member)."
)
@click.option("--name", metavar="TEXT", help="A label, such as what the key is for.")
@click.option("--for-agent", "acting", metavar="NAME", help="The agent that uses it.")
@click.option(
    "--project",
    "projects",
    metavar="NAME",
    multiple=True,
    callback=or_none,
    help="Only this project (may be repeated).",
)
@click.option("--read-only", is_flag=True, help="Allow reading only.")
@click.option("--expires", metavar="TIME", type=TIME, help="When it expires, such as 2027-01-01.")
@pass_face
def create(
    face: Face, owner: str | None, role: str | None, name: str | None, acting: str | None,
    projects: tuple[str, ...] | None, read_only: bool, expires: str | None,
) -> None:  # fmt: skip
    """Create a key. It is shown only once; only its digest is stored."""
    from holdfast.core.members import lesser

    with face.open(create=True) as memory:
        created = memory.keys.create(
            owner, role=role, name=name, agent=acting, projects=projects, write=not read_only,
            expires_at=expires,
        )  # fmt: skip
        members = {member.user: member.role for member in memory.members.list()}
    key, text = created.created, created.text
    if face.json:
        output.json(created.as_dict())
        return
    click.echo(text)
    output.note(f"Key {key.id} of {key.user} ({key.role.value}). It is not shown again: store it safely.")
    if members and key.user not in members:
        warning = f"{key.user} is not a member of this team: the key is refused until they are."
        click.secho(output.printable(warning), fg="yellow", err=True)
        output.note(f"Add them: holdfast members add {key.user} --role {key.role.value}")
    elif members and (acts := lesser(key.role, members[key.user])) is not key.role:
        article = "an" if acts.value[0] in "ao" else "a"
        warning = f"{key.user} is {article} {acts.value} of this team: this key acts as one."
        click.secho(output.printable(warning), fg="yellow", err=True)
        output.note(f"Change the role: holdfast members role {key.user} {key.role.value}")
    output.note(f"Revoke it: holdfast keys revoke {key.id}")


@keys.command("list")
@pass_face
def list_(face: Face) -> None:
    """List all keys, oldest first."""
    with face.open() as memory:
        keys = [key.as_dict() for key in memory.keys.list()]
    face.table(
        "keys",
        keys,
        ("key", "user", "role", "may", "where", "made", "ends", "name"),
        lambda key: (
            key["id"],
            output.one_line(key["user"]),
            key["role"],
            "read and write" if key["write"] else "read",
            output.one_line(", ".join(key["projects"] or ("everywhere",))),
            output.day(key["created_at"]),
            "revoked" if key["revoked_at"] else output.day(key["expires_at"]) or "never",
            output.one_line(key["name"] or ""),
        ),
        "There are no keys yet.",
        "Create one: holdfast keys create",
    )


@keys.command()
@click.argument("id")
@yes_option
@pass_face
def revoke(face: Face, id: str, yes: bool) -> None:
    """Revoke a key, immediately and in every running service."""
    with face.open() as memory:
        ask(f"End key {id}?", yes)
        key = memory.keys.revoke(id)
    face.done(key.as_dict(), f"Revoked: key {key.id} of {key.user}")
