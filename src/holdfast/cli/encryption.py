"""`holdfast encrypt`, `rekey` and `decrypt`: the key of a store."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from holdfast.cli import output
from holdfast.cli.face import Face, ask, command, pass_face, several, yes_option

if TYPE_CHECKING:
    from holdfast.config import Settings

key_options = several(
    click.option(
        "--key-file",
        metavar="PATH",
        type=click.Path(path_type=Path),
        help="Store the key in this file.",
    ),
    click.option("--keychain", is_flag=True, help="Store the key in the system's keychain."),
)
backup_option = click.option("--without-backup", is_flag=True, help="Make no backup of the store first.")


@command()
@key_options
@backup_option
@pass_face
def encrypt(face: Face, key_file: Path | None, keychain: bool, without_backup: bool) -> None:
    """Encrypt the store with a random key.

    Without an option it uses the key in HOLDFAST_KEY_FILE or HOLDFAST_KEY. Stop every program that uses the
    store first. It is backed up before, under the new key. Without its key nobody can read the store again:
    keep a copy of the key elsewhere.
    """
    from holdfast.api.encryption import encrypt as act

    source = act(_settings(face, without_backup), key_file=key_file, in_keychain=keychain)
    _print_result(face, f"The store is encrypted; its key is in {source}.", source, key_file)


@command()
@key_options
@backup_option
@pass_face
def rekey(face: Face, key_file: Path | None, keychain: bool, without_backup: bool) -> None:
    """Encrypt the store with a new random key."""
    from holdfast.api.encryption import rekey as act

    source = act(_settings(face, without_backup), key_file=key_file, in_keychain=keychain)
    _print_result(face, f"The store has another key, in {source}.", source, key_file)


@command()
@backup_option
@yes_option
@pass_face
def decrypt(face: Face, without_backup: bool, yes: bool) -> None:
    """Decrypt the store, so that everybody who can read the file can read its content."""
    from holdfast.api.encryption import decrypt as act

    ask("Keep the store unencrypted from now on?", yes)
    act(_settings(face, without_backup))
    if face.json:
        output.json({"encryption": "off"})
    else:
        output.done("The store is no longer encrypted.")
        output.note("Unset HOLDFAST_KEY_FILE and HOLDFAST_KEY: with a key set, a plain store is refused.")


def _settings(face: Face, without_backup: bool) -> Settings:
    settings = face.settings()
    return replace(settings, backup_before_changes="off") if without_backup else settings


def _print_result(face: Face, action: str, source: str, key_file: Path | None) -> None:
    """Says where the key of the store is now."""
    if face.json:
        output.json({"encryption": "on", "key": source})
        return
    output.done(action)
    if key_file is not None:
        output.note(f"Set HOLDFAST_KEY_FILE={key_file.absolute()}, or key_file in the configuration file.")
    output.note("Keep a copy of the key elsewhere: without it nobody can read the store.")
