"""Keys of this user in the keychain of the system, by an address, through the package keyring."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any

from holdfast.core.errors import InvalidInput
from holdfast.core.extras import how_to_install


@dataclass(frozen=True, slots=True)
class Keychain:
    """The keys under one name. `otherwise` says in errors what to do without a keychain."""

    name: str
    otherwise: str

    def key(self, address: str) -> str | None:
        """Returns the key of an address; None if there is no key or no keychain."""
        if find_spec("keyring") is None:
            return None
        try:
            key: str | None = _keyring().get_password(self.name, address)
        except Exception:  # every platform's keychain has errors of its own; without a key the caller says so
            return None
        return key

    def store(self, address: str, key: str) -> None:
        """Stores the key of an address. Raises InvalidInput `extra_missing`, `config_invalid`."""
        if find_spec("keyring") is None:
            raise InvalidInput(
                "storing a key in the keychain needs the package keyring", code="extra_missing",
                hint=f"{how_to_install('keychain')}; or {self.otherwise}",
            )  # fmt: skip
        try:
            _keyring().set_password(self.name, address, key)
            return
        except Exception as error:
            kind = type(error).__name__
        # raised here, so that it does not hang on an error whose trace holds the key
        raise InvalidInput(f"the keychain cannot be used: {kind}", code="config_invalid", hint=self.otherwise)

    def forget(self, address: str) -> None:
        """Removes the key of an address, if one is there."""
        if self.key(address) is not None:
            _keyring().delete_password(self.name, address)


def _keyring() -> Any:
    import keyring

    return keyring
