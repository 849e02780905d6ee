"""UUIDv7 identifiers, the ids of memories outside the store."""

from __future__ import annotations

import re


def uuid7(millis: int, randomness: bytes) -> str:
    """Builds a UUIDv7 (RFC 9562) from a UTC epoch time in milliseconds and ten random bytes."""
    tail = int.from_bytes(randomness[:10], "big")
    first, second = tail >> 64 & 0xFFF | 0x7000, tail >> 48 & 0x3FFF | 0x8000
    digits = f"{millis & 0xFFFFFFFFFFFF:012x}"
    return f"{digits[:8]}-{digits[8:]}-{first:04x}-{second:04x}-{tail & 0xFFFFFFFFFFFF:012x}"


ID_LENGTH = 36
START_MIN = 8
"""Minimum length of the beginning of an id that names it: ids begin with their time."""
SHORT = re.compile(r"[0-9a-f][0-9a-f-]{3,34}", re.ASCII | re.IGNORECASE)
"""The beginning of an id, or of its last block."""
_LAST_BLOCK = 24
SHORT_LENGTH = 8


def short_id(id: str) -> str:
    """Returns the short form of an id: the first characters of its last block, which is random."""
    return last_block(id)[:SHORT_LENGTH] or id


def last_block(id: str) -> str:
    """Returns the part of an id that is named by its beginning, too."""
    return id[_LAST_BLOCK:]


def is_short_for(name: str, id: str) -> bool:
    """Returns whether a name is the beginning of an id's last block."""
    return SHORT.fullmatch(name) is not None and last_block(id).startswith(name.lower())
