"""`holdfast consents`: what users have consented to."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from holdfast.cli import output
from holdfast.cli.face import Face, listing_group, pass_face

if TYPE_CHECKING:
    from holdfast.core.consents import Consent

_of = click.option("--of", "whose", metavar="USER", help="The user (for owners and admins).")


@listing_group()
def consents() -> None:
    """Give or withdraw consent to a purpose, such as `models`."""


@consents.command("list")
@_of
@click.option("--history", is_flag=True, help="List all changes, oldest first.")
@pass_face
def list_(face: Face, whose: str | None = None, history: bool = False) -> None:
    """List what you have consented to."""
    with face.open() as memory:
        consents = [consent.as_dict() for consent in memory.consents.list(user=whose, history=history)]
    face.table(
        "consents", consents, ("user", "purpose", "consent", "when", "by"),
        lambda consent: (
            output.one_line(consent["user"]), output.one_line(consent["purpose"]),
            "given" if consent["given"] else "withdrawn", output.minute(consent["at"]),
            output.one_line(consent["by"]),
        ),
        "No consents are recorded.", "holdfast consents give models",
    )  # fmt: skip


@consents.command()
@click.argument("purpose")
@_of
@pass_face
def give(face: Face, purpose: str, whose: str | None) -> None:
    """Record consent to PURPOSE. `models` is to send memories and questions to language models of others."""
    with face.open(create=True) as memory:
        _print(face, memory.consents.give(purpose, user=whose))


@consents.command()
@click.argument("purpose")
@_of
@pass_face
def withdraw(face: Face, purpose: str, whose: str | None) -> None:
    """Withdraw or refuse consent to PURPOSE."""
    with face.open(create=True) as memory:
        _print(face, memory.consents.withdraw(purpose, user=whose))


def _print(face: Face, consent: Consent) -> None:
    verb = "Given" if consent.given else "Withdrawn"
    face.done(
        consent.as_dict(), f"{verb}: {output.one_line(consent.purpose)} ({output.one_line(consent.user)})"
    )
