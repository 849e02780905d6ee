"""`holdfast store`: the database of a team."""

from __future__ import annotations

import click

from holdfast.cli import output
from holdfast.cli.face import Face, group, pass_face


@group()
def store() -> None:
    """Prepare the PostgreSQL database of a team."""


@store.command()
@click.argument("address")
@click.option("--application", metavar="ROLE", required=True, help="The role that Holdfast connects as.")
@pass_face
def prepare(face: Face, address: str, application: str) -> None:
    """Create or upgrade the tables of a database, as their owner.

    ADDRESS is postgresql://owner@host/database. Run it once before the first use and again after each upgrade
    of Holdfast; several machines may do so at once. The role that serves must exist, and be another one.
    """
    from holdfast.bootstrap import prepare_database

    schema = prepare_database(address, application=application)
    if face.json:
        output.json({"schema": schema, "application": application})
    else:
        output.done(f"The database has schema {schema}, and {application} may serve it.")
        output.note("Use it: holdfast --store 'postgresql://ROLE@HOST/DATABASE?tenant=TEAM' remember ...")
