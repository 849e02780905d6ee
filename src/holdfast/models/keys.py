"""API keys of models, from the environment, a file or the system keychain, each for one address only.

A key belongs to scheme, host and port: a model that is added under another address gets none of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from holdfast import config
from holdfast.core.errors import InvalidInput
from holdfast.models.addresses import origin_of

SERVICE = "holdfast models key"
"""Under which name the keychain shows the keys; the account is the address."""
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
    return stored_key(origin)


def stored_key(origin: str) -> str | None:
    """Returns the key of an address from the keychain; None if there is no key or no keychain."""
    if find_spec("keyring") is None:
        return None
    try:
        key: str | None = _keyring().get_password(SERVICE, origin)
    except Exception:  # every platform's keychain has errors of its own; without a key the provider says so
        return None
    return key


def store_key(url: str, key: str) -> None:
    """Stores the key of an address in the keychain. Raises InvalidInput `extra_missing`, `config_invalid`."""
    hint = "name a file in model_key_files, or set the provider's variable"
    if find_spec("keyring") is None:
        raise InvalidInput(
            "keeping a key in the keychain needs the package keyring", code="extra_missing",
            hint=f"pip install 'holdfast[keychain]', or {hint}",
        )  # fmt: skip
    try:
        _keyring().set_password(SERVICE, origin_of(url), key)
        return
    except Exception as error:
        kind = type(error).__name__
    # raised here, so that it does not hang on an error whose trace holds the key
    raise InvalidInput(f"the keychain cannot be used: {kind}", code="config_invalid", hint=hint)


def forget_key(url: str) -> None:
    """Removes the key of an address from the keychain, if one is there."""
    if stored_key(origin_of(url)) is not None:
        _keyring().delete_password(SERVICE, origin_of(url))


def _keyring() -> Any:
    import keyring

    return keyring
