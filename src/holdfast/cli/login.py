"""`holdfast login` and `logout`: whether one works in the team's store or service, or in one's own."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from holdfast.api.credentials import read_key
from holdfast.cli import output
from holdfast.cli.face import Face, Usage, command, pass_face
from holdfast.core.errors import AccessDenied


@command()
@click.argument("address", required=False)
@click.option("--api-key-stdin", is_flag=True, help="Read the API key of a service from standard input.")
@click.option(
    "--api-key-file",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="Use the API key in this file, instead of the keychain.",
)
@pass_face
def login(face: Face, address: str | None, api_key_stdin: bool, api_key_file: Path | None) -> None:
    """Use a team's store from now on, instead of your own.

    ADDRESS is the URL of a service, https://host, or of a database,
    postgresql://role@host/database?tenant=team. Without it the command shows which store is in use. It asks
    for the API key of a service and stores it in the system's keychain. If the team's store cannot be
    reached, commands fail: your own store is never used instead.
    """
    from holdfast import config
    from holdfast.stores.base.registry import backend_of

    if address is None:
        _print_result(face, face.settings().store)
        return
    if not config.scheme_of(address):
        raise Usage(
            f"{address!r} is not an address", "https://host, or postgresql://role@host/database?tenant=team"
        )
    if config.is_service(address):
        _print_result(face, _log_in_to_service(face, address, api_key_stdin, api_key_file))
        return
    if api_key_stdin or api_key_file:
        raise Usage("only a service has an API key", "https://host")
    if backend_of(address).without_password(address) != address:
        raise Usage(
            "the address holds a password, which would be kept as it is", "PGPASSFILE has a place for it"
        )
    face.open(address).close()  # raises where it cannot be used
    config.log_in(address)
    _print_result(face, address)


def _log_in_to_service(face: Face, address: str, from_stdin: bool, file: Path | None) -> str:
    """Checks that a service answers and takes the key, then keeps both for later. Returns its address. Raises
    HoldfastError."""
    from holdfast import config
    from holdfast.api.credentials import KEYCHAIN, api_key_of
    from holdfast.api.memory import Memory
    from holdfast.api.transport import service_address

    if service_address(address).username is not None:
        raise Usage("the address holds a password, which would be kept as it is", "--api-key-file FILE")
    address = address.rstrip("/")
    if from_stdin and file is not None:
        raise Usage("--api-key-stdin and --api-key-file contradict each other", "give one of them")
    settings = face.settings(address)
    key = _key_given(from_stdin, file)
    is_new = key is not None and file is None
    if key is None and (key := api_key_of(settings)) is None:
        key = _key_asked()
        is_new = key is not None
    try:
        with Memory(address, api_key=key) as memory:
            memory.projects.list()
    except AccessDenied as error:
        if error.code == "credential_missing":
            error.hint = "pipe an API key into `holdfast login ADDRESS --api-key-stdin`, or name its file"
        raise
    if is_new and key is not None:
        KEYCHAIN.store(address, key)
    config.log_in(address, api_key_file=None if file is None else file.absolute())
    return address


def _key_given(from_stdin: bool, file: Path | None) -> str | None:
    """Returns the API key from standard input or a file, None if neither was named. Raises Usage."""
    if from_stdin:
        key = sys.stdin.readline().strip()
    elif file is not None:
        try:
            key = read_key(file)
        except (OSError, ValueError):
            raise Usage(f"{file} cannot be read", "name the file that holds the API key") from None
    else:
        return None
    if not key.isascii() or not key.isprintable() or not key:
        raise Usage("this is not an API key", "`holdfast keys create` creates one, beside the store")
    return key


def _key_asked() -> str | None:
    """Returns what a person types at a terminal, unseen; None without one: a service may need no key."""
    if sys.stdin is None or not sys.stdin.isatty():
        return None
    key: str = click.prompt("API key", default="", hide_input=True, show_default=False, err=True)
    return key.strip() or None


@command()
@pass_face
def logout(face: Face) -> None:
    """Use your own store again. The API key of the service is removed from the keychain."""
    from holdfast import config
    from holdfast.api.credentials import KEYCHAIN

    address = config.logged_in()
    config.log_out()
    if address is not None and config.is_service(address):
        KEYCHAIN.forget(address)
    _print_result(face, face.settings().store)


def _print_result(face: Face, store: str) -> None:
    """Says which store is used from now on."""
    from holdfast import config
    from holdfast.stores.base.registry import backend_of

    shown = store if config.is_service(store) else backend_of(store).without_password(store)
    if face.json:
        output.json({"store": shown, "logged_in": config.logged_in() is not None})
        return
    output.done(f"Memories are stored in {shown}")
    if config.scheme_of(store) and face.store is None:
        output.note("Use your own store again: holdfast logout")
