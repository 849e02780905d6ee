"""`holdfast login` and `logout`: whether one works in the team's store or in one's own."""

from __future__ import annotations

import click

from holdfast.cli import output
from holdfast.cli.face import Face, Usage, command, pass_face


@command()
@click.argument("address", required=False)
@pass_face
def login(face: Face, address: str | None) -> None:
    """Use the store of a team from now on, in place of your own.

    ADDRESS is postgresql://role@host/database?tenant=team; without it, tells which store is used. Where the
    team's store cannot be reached, commands fail and say so: your own store is never used in its place.
    """
    from holdfast import config

    if address is None:
        _tell(face, face.settings().store)
        return
    if not config.is_address(address):
        raise Usage(f"{address!r} is no address", "postgresql://role@host/database?tenant=team")
    if without_password(address) != address:
        raise Usage(
            "the address holds a password, which would be kept as it is", "PGPASSFILE has a place for it"
        )
    face.open(address).close()  # raises where it cannot be used
    config.log_in(address)
    _tell(face, address)


@command()
@pass_face
def logout(face: Face) -> None:
    """Go back to your own store."""
    from holdfast import config

    config.log_out()
    _tell(face, face.settings().store)


def _tell(face: Face, store: str) -> None:
    from holdfast import config

    shown = without_password(store)
    is_team = config.is_address(store)
    if face.json:
        output.json({"store": shown, "logged_in": config.logged_in() is not None})
        return
    output.done(f"Memories are kept in {shown}")
    if is_team and face.store is None:
        output.note("Your own store again: holdfast logout")


def without_password(store: str) -> str:
    """A store as it may be shown or written down. An address is taken apart as the server's own library does,
    which ends a password at the first "@". Raises Usage where it cannot be told what the password is."""
    from urllib.parse import unquote

    from holdfast import config

    if not config.is_address(store):
        return store
    scheme, _, rest = store.partition("://")
    user, at, left = rest.partition("@")
    if at and "/" not in user:
        rest = user.partition(":")[0] + at + left
    place, asked, query = rest.partition("?")
    if "@" in (place.partition("@")[2] if at and "/" not in user else place):
        raise Usage("the address cannot be read: write @ and / in a password as %40 and %2F")
    kept = [
        pair
        for pair in query.split("&")
        if unquote(pair.partition("=")[0]).strip() not in ("password", "sslpassword")
    ]
    return f"{scheme}://{place}" + (asked + "&".join(kept) if any(kept) else "")
