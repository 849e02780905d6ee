"""Keys of stores in the keychain of the operating system, through the package keyring."""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from holdfast.core.errors import InvalidInput, StoreError
from holdfast.core.extras import how_to_install
from holdfast.stores.sqlite.cipher import StoreKey

SERVICE = "holdfast"
"""Under which name the keychain shows the keys; the account is the path of the store."""
NEXT = " (next)"
"""Marks the key that a store is about to get: a change of keys that breaks off leaves both."""


def is_installed() -> bool:
    """Returns whether the package is installed."""
    return find_spec("keyring") is not None


def keys(path: Path) -> list[StoreKey]:
    """Returns the keys of a store: its own, and the next one after an interrupted change of keys. Raises
    StoreError.
    """
    own = str(path.resolve())
    texts = [_password(name) for name in (own, own + NEXT)]
    return [StoreKey.from_text(text, "the keychain") for text in texts if text]


def keep(path: Path, key: StoreKey, *, is_next: bool = False) -> None:
    """Stores the key of a store, or its next one. Raises StoreError."""
    name = str(path.resolve()) + NEXT * is_next
    _call_keychain(lambda chain: chain.set_password(SERVICE, name, key.text))


def forget_next(path: Path) -> None:
    """Deletes the next key of a store once it is the present one. Raises StoreError."""
    _call_keychain(lambda chain: chain.delete_password(SERVICE, str(path.resolve()) + NEXT))


def _password(name: str) -> Any:
    return _call_keychain(lambda chain: chain.get_password(SERVICE, name))


def _call_keychain(act: Callable[[Any], Any]) -> Any:
    """Calls the keychain of the system. Raises InvalidInput or StoreError if it cannot be used."""
    try:
        import keyring
    except ModuleNotFoundError as error:
        raise InvalidInput(
            "a key in the keychain needs the package keyring", code="extra_missing",
            hint=how_to_install("keychain"),
        ) from error  # fmt: skip
    try:
        return act(keyring)
    except Exception as error:  # every platform's keychain has errors of its own
        kind = type(error).__name__
    # raised here, so that it does not hang on an error whose trace holds the key
    raise StoreError(
        f"the keychain cannot be used: {kind}", code="key_missing",
        hint="unlock it, or keep the key in a file: `--key-file`, HOLDFAST_KEY_FILE",
    )  # fmt: skip
