"""The ids of the last result on the command line, so that `@1` names the first of it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from contextlib import suppress
from typing import TYPE_CHECKING

from holdfast.api.local_state import read_state, write_state
from holdfast.core.errors import NotFound

if TYPE_CHECKING:
    from holdfast.api.memory import Memory

_NAME = re.compile(r"@M?(\d{1,4})|\[M(\d{1,4})\]", re.ASCII | re.IGNORECASE)
_CITATION = re.compile(r"M(\d{1,4})", re.ASCII)
KEPT = 1_000
_FILE = "last-result.json"


def note(memory: Memory, ids: Iterable[str]) -> None:
    """Notes what a command has shown; a folder that cannot be written leaves it out."""
    with suppress(OSError):
        write_state(_FILE, {"store": memory._backend.location, "ids": list(ids)[:KEPT]})


def named(memory: Memory, name: str) -> str | None:
    """Returns the id that `@1`, `@M1`, `[M1]` or a plain `M1` means; None for any other name, and for `M1` if
    nothing is noted. Raises NotFound."""
    found = _NAME.fullmatch(name)
    number = int(next(filter(None, found.groups()))) if found else None
    plain = _CITATION.fullmatch(name)
    if number is None and plain is not None and memory.resolve_id(name) == name:
        number = int(plain[1])
    if number is None:
        return None
    ids = _noted(memory)
    if 1 <= number <= len(ids):
        return ids[number - 1]
    if plain is not None and not found:
        return None
    raise NotFound(
        f"the last results have no {name}", code="memory_not_found",
        hint=f"there were {len(ids)}; run `holdfast recall` or `holdfast list` again",
    )  # fmt: skip


def _noted(memory: Memory) -> list[str]:
    content = read_state(_FILE)
    try:
        return list(content["ids"]) if content["store"] == memory._backend.location else []
    except (KeyError, TypeError):
        return []
