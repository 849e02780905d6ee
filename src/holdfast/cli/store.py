"""`holdfast store`: the database of a team."""

from __future__ import annotations

from dataclasses import asdict, replace

import click

from holdfast.cli import output
from holdfast.cli.face import Face, group, pass_face

ABOVE = 256
"""Megabytes of vectors in memory from which an index of the server pays (docs/scale.md)."""


@group()
def store() -> None:
    """Prepare a team's PostgreSQL database."""


@store.command()
@click.argument("address")
@click.option("--application", metavar="ROLE", required=True, help="The role that Holdfast connects as.")
@pass_face
def prepare(face: Face, address: str, application: str) -> None:
    """Create or upgrade the tables of a database, as their owner.

    ADDRESS is postgresql://owner@host/database. Run it once before the first use and again after each upgrade
    of Holdfast; several machines may do so at once. The role that serves must exist, and be another one.

    Tables of an earlier version are upgraded after a backup of each tenant into HOLDFAST_BACKUP_FOLDER.
    """
    from holdfast.bootstrap import prepare_database

    schema = prepare_database(replace(face.settings(), store=address), application=application)
    face.done(
        {"schema": schema, "application": application},
        f"The database has schema {schema}, and {application} may serve it.",
        "Use it: holdfast --store 'postgresql://ROLE@HOST/DATABASE?tenant=TEAM' remember ...",
    )


@store.command()
@click.argument("address")
@click.option(
    "--above", type=click.IntRange(0), metavar="MB", default=ABOVE, show_default=True,
    help="Minimum size of a pool's vectors in memory, in megabytes.",
)  # fmt: skip
@pass_face
def index(face: Face, address: str, above: int) -> None:
    """Build a pgvector index for the large pools of a tenant.

    ADDRESS is postgresql://owner@host/database?tenant=team, of the owner of the tables. A pool is what the
    same people see: what the team keeps in one project, say. With an index of its own its vectors stay out
    of the memory of each process, and what is nearest is found nearly always instead of always. A vector
    takes as many bytes as it has dimensions. Reading and writing go on meanwhile. Run it again when a tenant
    has grown; pools that are smaller now lose their index.
    """
    from holdfast.bootstrap import index_database

    done = index_database(address, above=above << 20)
    face.done(
        asdict(done),
        f"Indexes: {done.made} made, {done.kept} there already, {done.dropped} dropped;"
        f" they hold {output.pluralize(done.passages, 'passage')}.",
        "A process that has loaded a pool already goes on as it is until it loads it anew.",
    )
