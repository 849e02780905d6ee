"""UUIDv7 identifiers: what a memory is called outside the store."""

from __future__ import annotations

import uuid


def uuid7(millis: int, randomness: bytes) -> str:
    """A UUIDv7 (RFC 9562) for a UTC epoch time in milliseconds and ten random bytes."""
    value = (millis & ((1 << 48) - 1)) << 80 | int.from_bytes(randomness[:10], "big")
    value = value & ~(0xF << 76) | 0x7 << 76
    value = value & ~(0x3 << 62) | 0x2 << 62
    return str(uuid.UUID(int=value))
