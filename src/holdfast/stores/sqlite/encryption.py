"""Changes of the key of a store: encryption, key rotation, decryption."""

from __future__ import annotations

from pathlib import Path

from holdfast.config import Settings
from holdfast.core.errors import InvalidInput, StoreError
from holdfast.core.places import Principal, usable_name
from holdfast.stores.base.ports import Clock
from holdfast.stores.sqlite import keychain
from holdfast.stores.sqlite.cipher import Form, StoreKey, check_form, form_of, new_key_file, read_key_file
from holdfast.stores.sqlite.configured_key import key_of
from holdfast.stores.sqlite.conversion import convert
from holdfast.stores.sqlite.safeguard import save_before
from holdfast.stores.sqlite.store import SqliteStore


class FileEncryption:
    """Encryption of the file of a store and the files next to it."""

    def encrypt(self, settings: Settings, *, key_file: Path | None, in_keychain: bool, clock: Clock) -> str:
        path = Path(settings.store)
        form = form_of(path)
        if form is Form.SEALED:
            raise InvalidInput(
                f"{path} is encrypted already",
                code="nothing_to_change",
                hint="`holdfast rekey` changes its key",
            )
        key = _target(path, key_file, in_keychain) or _configured(settings)
        if form is not Form.NEW:
            save_before("encryption", settings, None, key)
            convert(path, None, key)
        _note(settings, path, key, "encrypt", clock)
        return key.source

    def rekey(self, settings: Settings, *, key_file: Path | None, in_keychain: bool, clock: Clock) -> str:
        path = Path(settings.store)
        old = _present(settings, path)
        new = _target(path, key_file, in_keychain, present=old)
        if new is None:
            raise _no_place()
        if old is not None and new.secret == old.secret:
            raise InvalidInput(
                f"{new.source} holds the present key", code="key_unusable", hint="name another file"
            )
        save_before("change of its key", settings, old, new)
        convert(path, old, new)
        if in_keychain:
            keychain.keep(path, new)
            keychain.forget_next(path)
        _note(settings, path, new, "rekey", clock)
        return new.source

    def decrypt(self, settings: Settings, *, clock: Clock) -> None:
        path = Path(settings.store)
        key = _present(settings, path)
        save_before("decryption", settings, key, None)
        convert(path, key, None)
        _note(settings, path, None, "decrypt", clock)


def _present(settings: Settings, path: Path) -> StoreKey | None:
    """Returns the key of an encrypted store. Raises StoreError if it is not encrypted."""
    if form_of(path) in (Form.NEW, Form.PLAIN):
        raise StoreError(
            f"{path} is not encrypted", code="store_not_encrypted", hint="`holdfast encrypt` encrypts it"
        )
    key = key_of(settings)
    check_form(path, key)
    return key


def _configured(settings: Settings) -> StoreKey:
    """Returns the key that the settings name, in a new file if that is missing. Raises InvalidInput
    without."""
    if settings.key:
        return StoreKey.from_text(settings.key, "HOLDFAST_KEY")
    if settings.key_file:
        return _in_file(Path(settings.key_file))
    raise _no_place()


def _no_place() -> InvalidInput:
    return InvalidInput(
        "the key needs a place", code="key_unusable", hint="give --key-file PATH or --keychain"
    )


def _target(
    path: Path, key_file: Path | None, in_keychain: bool, *, present: StoreKey | None = None
) -> StoreKey | None:
    """Returns the new key of a store, stored already; None if no place was named."""
    if key_file is not None and in_keychain:
        raise InvalidInput("a key has one place", code="key_unusable", hint="--key-file or --keychain")
    if key_file is not None:
        return _in_file(key_file)
    if not in_keychain:
        return None
    if present is None:
        for key in keychain.keys(path)[:1]:  # of an attempt that broke off
            return key
    else:
        keychain.keep(path, present)  # it may have been the next one, whose place is needed now
    key = StoreKey.new("the keychain")
    keychain.keep(path, key, is_next=present is not None)
    return key


def _in_file(path: Path) -> StoreKey:
    return read_key_file(path) if path.exists() else new_key_file(path)


def _note(settings: Settings, path: Path, key: StoreKey | None, action: str, clock: Clock) -> None:
    """Records a change of the encryption as an event."""
    agent = None if settings.agent is None else usable_name(settings.agent, "agent")
    principal = Principal(usable_name(settings.user, "user"), agent=agent)
    store = SqliteStore(path, key=key)
    try:
        with store.write() as tx:
            tx.add_event(at=clock(), actor=principal.label, action=action, subject=None, detail={})
    finally:
        store.close()
