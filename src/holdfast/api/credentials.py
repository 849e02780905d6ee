"""API keys for services, from the settings, a file, or the system keychain. They are never shown."""

from __future__ import annotations

from pathlib import Path

from holdfast.config import Settings
from holdfast.core.errors import InvalidInput
from holdfast.keychain import Keychain

KEYCHAIN = Keychain("holdfast API key", "use HOLDFAST_API_KEY_FILE")
"""The keys of services, each under the address of its service."""

KEY_MAX = 64 << 10
"""Most characters of a file with an API key."""


def api_key_of(settings: Settings) -> str | None:
    """Returns the API key for a service: the setting, else the content of the configured file, else the key
    that `holdfast login` stored in the keychain. Raises InvalidInput `config_invalid`.
    """
    if settings.api_key:
        if not settings.api_key.isascii():
            raise InvalidInput("api_key is not an API key: those are of ASCII alone", code="config_invalid")
        return settings.api_key
    if settings.api_key_file:
        path = Path(settings.api_key_file)
        try:
            return read_key(path) or None
        except (OSError, ValueError) as error:
            raise InvalidInput(f"{path} cannot be read", code="config_invalid") from error
    return KEYCHAIN.key(settings.store)


def read_key(path: Path) -> str:
    """Returns the API key in a file. Raises OSError for what is no regular file, which may never end, and
    ValueError for what is no text."""
    if not path.is_file():
        raise OSError(f"{path} is not a regular file")
    with path.open(encoding="ascii") as file:
        return file.read(KEY_MAX).strip()
