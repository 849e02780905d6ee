"""Checks names and ids for secrets: they are stored as received, so one with a secret is refused."""

from __future__ import annotations

import re
from functools import lru_cache

_PLAIN = re.compile(r"[0-9a-f-]{1,64}|[\w.@ -]{1,15}")
"""Numbers, hashes and UUIDs, as most message ids are, and short words: not secrets by themselves."""


@lru_cache(4_096)
def holds_secret(name: str) -> bool:
    """Returns whether a name or id contains a credential of a known kind."""
    if _PLAIN.fullmatch(name):
        return False
    from holdfast.language.secrets.find import redact_secrets  # takes time to load, and most names need none

    return bool(redact_secrets(name, entropy=None)[1])
