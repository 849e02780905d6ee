"""Keyed digests of contents: equal contents are known again, and none can be guessed from what is stored."""

from __future__ import annotations

import hmac

SHORT = 16
"""Characters of a digest of a part."""


def keyed_digest(key: bytes, content: str) -> str:
    """Returns the digest of a text, or of a digest of one, by the key of the store."""
    return hmac.digest(key, content.encode("utf-8", "surrogatepass"), "sha256").hex()
