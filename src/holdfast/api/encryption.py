"""Encryption, key rotation and decryption of a store, for callers with access to its files."""

from __future__ import annotations

from pathlib import Path

from holdfast.config import Settings
from holdfast.core.errors import InvalidInput
from holdfast.stores.base.backend import Encryption
from holdfast.stores.base.clock import wall_clock
from holdfast.stores.base.registry import backend_of


def encrypt(settings: Settings, *, key_file: Path | None = None, in_keychain: bool = False) -> str:
    """Encrypts a store with a random key and returns where the key is. Raises InvalidInput, StoreError."""
    return _encryption(settings).encrypt(
        settings, key_file=key_file, in_keychain=in_keychain, clock=wall_clock
    )


def rekey(settings: Settings, *, key_file: Path | None = None, in_keychain: bool = False) -> str:
    """Replaces the key of an encrypted store and returns where the new key is. Raises InvalidInput,
    StoreError.
    """
    return _encryption(settings).rekey(settings, key_file=key_file, in_keychain=in_keychain, clock=wall_clock)


def decrypt(settings: Settings) -> None:
    """Decrypts a store. Raises InvalidInput, StoreError."""
    _encryption(settings).decrypt(settings, clock=wall_clock)


def _encryption(settings: Settings) -> Encryption:
    """Returns what encrypts the configured store. Raises InvalidInput for a store on a server."""
    encryption = backend_of(settings.store).encryption
    if encryption is None:
        raise InvalidInput(
            "Holdfast does not encrypt a store on a server", code="argument_invalid",
            hint="let the server encrypt its disk",
        )  # fmt: skip
    return encryption
