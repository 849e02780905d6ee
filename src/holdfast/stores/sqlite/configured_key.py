"""Selection of a store's key: the configured one, or the one in the keychain."""

from __future__ import annotations

from pathlib import Path

from holdfast.config import Settings
from holdfast.core.errors import StoreError
from holdfast.stores.sqlite.cipher import Form, StoreKey, form_of, read_key_file
from holdfast.stores.sqlite.connection import opens


def key_of(settings: Settings) -> StoreKey | None:
    """Returns the key of a store: from the settings, else from the keychain for one that is encrypted, else
    None. Raises InvalidInput `key_unusable`, StoreError `key_missing`."""
    if settings.key:
        return StoreKey.from_text(settings.key, "HOLDFAST_KEY")
    path = Path(settings.store)
    if settings.key_file:
        return read_key_file(Path(settings.key_file), is_sealed=form_of(path) is Form.SEALED)
    if form_of(path) is not Form.SEALED:
        return None
    from holdfast.stores.sqlite import keychain  # only an encrypted store needs it

    why, keys = None, []
    try:
        keys = keychain.keys(path) if keychain.is_installed() else []
    except StoreError as error:
        why = error.message
    if why is not None:  # raised here, so that it does not hang on an error whose trace holds the key
        raise StoreError(
            f"{path} is encrypted, and no key was given ({why})", code="key_missing",
            hint="set HOLDFAST_KEY_FILE to its key file, or unlock the keychain",
        )  # fmt: skip
    if len(keys) > 1:
        # a change of keys broke off, before it took place or after
        keys = [key for key in keys if opens(path, key)] or keys
    return keys[0] if keys else None
