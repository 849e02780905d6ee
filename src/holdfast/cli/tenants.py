"""`holdfast tenants`: a directory of tenants over several database servers."""

from __future__ import annotations

from pathlib import Path

import click

from holdfast.cli import output
from holdfast.cli.face import Face, ask, group, pass_face, yes_option

file_argument = click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
owner_option = click.option(
    "--owner", metavar="ROLE", help="The role that owns the tables, if not the one in the addresses."
)


@group()
def tenants() -> None:
    """Manage tenants on several PostgreSQL servers."""


@tenants.command("list")
@file_argument
@pass_face
def list_(face: Face, file: Path) -> None:
    """List the tenants of a directory with their servers."""
    from holdfast.stores.base.tenant_directory import read_directory

    directory = read_directory(file)
    if face.json:
        output.json({"servers": directory.servers, "tenants": directory.tenants, "old": directory.old})
        return
    output.table(
        ("tenant", "server", "old copy"),
        [(name, server, directory.old.get(name, "")) for name, server in sorted(directory.tenants.items())],
    )


@tenants.command()
@file_argument
@click.argument("name")
@click.argument("address")
@pass_face
def server(face: Face, file: Path, name: str, address: str) -> None:
    """Add a server to a directory, or change its address.

    ADDRESS is postgresql://role@host/database, of the role that the service uses, without tenant or
    password. FILE is created if it is missing.
    """
    from holdfast.stores.base.tenant_directory import changing

    with changing(file) as directory:
        directory.add_server(name, address)
    face.done({"server": name, "address": address}, f"Server {name}: {address}")


@tenants.command()
@file_argument
@click.argument("tenant")
@click.argument("server")
@pass_face
def add(face: Face, file: Path, tenant: str, server: str) -> None:
    """Assign a tenant, existing or new, to a server."""
    from holdfast.stores.base.tenant_directory import changing

    with changing(file) as directory:
        directory.add_tenant(tenant, server)
    face.done(
        {"tenant": tenant, "server": server},
        f"{tenant} is at {server}.",
        f"Use it: holdfast --store 'tenants://{file.absolute()}?tenant={tenant}' remember ...",
    )


@tenants.command()
@file_argument
@click.argument("tenant")
@click.argument("server")
@owner_option
@click.option("--dry-run", is_flag=True, help="Only show what would be done.")
@yes_option
@pass_face
def move(
    face: Face, file: Path, tenant: str, server: str, owner: str | None, *, dry_run: bool, yes: bool
) -> None:
    """Move a tenant to another server while it is in use.

    Its rows are copied and compared while others read and write; writers wait for the last changes only.
    Services that use the directory switch to the new server. If it is interrupted, run it again. The old
    copy stays until `confirm`.
    """
    from holdfast.api.tenant_moves import move_tenant, preview_move

    settings = face.settings()
    plan = preview_move(settings, file, tenant, server, owner=owner)
    if dry_run:
        face.done(plan.as_dict(), f"{tenant}: {plan.source} to {server}, {plan.memories:,} memories")
        return
    ask(f"Move {tenant} with {plan.memories:,} memories from {plan.source} to {server}?", yes)
    done = move_tenant(settings, file, tenant, server, owner=owner)
    face.done(
        done.as_dict(),
        f"Moved {tenant} to {server}: {done.rows:,} rows compared, {done.events:,} events verified.",
        f"The copy at {done.source} is not used any more. Drop it: holdfast tenants confirm {file} {tenant}",
    )


@tenants.command()
@file_argument
@click.argument("tenant")
@owner_option
@yes_option
@pass_face
def confirm(face: Face, file: Path, tenant: str, owner: str | None, *, yes: bool) -> None:
    """Delete the old copy of a tenant that was moved."""
    from holdfast.api.tenant_moves import confirm_move

    ask(f"Delete the old copy of {tenant}?", yes)
    old = confirm_move(face.settings(), file, tenant, owner=owner)
    face.done({"tenant": tenant, "server": old}, f"Deleted the old copy of {tenant} at {old}.")
