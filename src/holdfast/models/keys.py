"""API keys of models, from the environment, a file or the system keychain, each for one address only.

A key belongs to scheme, host and port: a model that is added under another address gets none of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from holdfast import config
from holdfast.core.errors import InvalidInput
from holdfast.keychain import Keychain
from holdfast.models.addresses import origin_of

_KEYCHAIN = Keychain("holdfast models key", "name a file in model_key_files, or set the provider's variable")
"""The keys of providers, each under its address."""
VARIABLES: Mapping[str, str] = {
    "https://api.openai.com": "OPENAI_API_KEY",
    "https://api.anthropic.com": "ANTHROPIC_API_KEY",
    "https://generativelanguage.googleapis.com": "GEMINI_API_KEY",
    "https://openrouter.ai": "OPENROUTER_API_KEY",
}
"""The providers' own variables, read for their own addresses only."""


def key_of(url: str, files: Mapping[str, str]) -> str | None:
    """Returns the key for an address: from the file that the settings name for it, the provider's variable,
    or the keychain. Raises InvalidInput `config_invalid`."""
    origin = origin_of(url)
    for address, path in files.items():
        if origin_of(address) == origin:
            try:
                return Path(path).read_text(encoding="ascii").strip() or None
            except (OSError, ValueError):
                raise InvalidInput(
                    f"the file with the key for {origin} cannot be read", code="config_invalid",
                    hint="model_key_files in the settings names it",
                ) from None  # fmt: skip
    if (variable := VARIABLES.get(origin)) and (key := config.provider_key(variable)):
        return key
    return _KEYCHAIN.key(origin)


def store_key(url: str, key: str) -> None:
    """Stores the key of an address in the keychain. Raises InvalidInput `extra_missing`, `config_invalid`."""
    _KEYCHAIN.store(origin_of(url), key)


def forget_key(url: str) -> None:
    """Removes the key of an address from the keychain, if one is there."""
    _KEYCHAIN.forget(origin_of(url))
