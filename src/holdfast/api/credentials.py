"""API keys for services, from the settings, a file, or the system keychain. They are never shown."""

from __future__ import annotations

from pathlib import Path

from holdfast.config import Settings
from holdfast.core.errors import InvalidInput
from holdfast.keychain import Keychain

KEYCHAIN = Keychain("holdfast API key", "use HOLDFAST_API_KEY_FILE")
"""The keys of services, each under the address of its service."""


def api_key_of(settings: Settings) -> str | None:
    """Returns the API key for a service: the setting, else the content of the configured file, else the key
    that `holdfast login` stored in the keychain. Raises InvalidInput `config_invalid`.
    """
    if settings.api_key:
        return settings.api_key
    if settings.api_key_file:
        path = Path(settings.api_key_file)
        try:
            return path.read_text(encoding="ascii").strip() or None
        except (OSError, ValueError) as error:
            raise InvalidInput(f"{path} cannot be read", code="config_invalid") from error
    return KEYCHAIN.key(settings.store)
