"""The ids of the last result on the command line, so that `@1` names the first of it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any

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
    _note(memory, list(ids)[:KEPT])


def note_versions(memory: Memory, versions: Mapping[str, int]) -> None:
    """Notes what a command has shown with the versions that were seen, which are what a person decides
    about."""
    shown = dict(list(versions.items())[:KEPT])
    _note(memory, list(shown), versions=shown)


def version_seen(memory: Memory, id: str) -> int | None:
    """Returns the version of a memory that the last result has shown; None if it noted none."""
    version = _state(memory).get("versions", {}).get(id)
    return version if isinstance(version, int) else None


def resolve(memory: Memory, name: str) -> str | None:
    """Returns the id that `@1`, `@M1`, `[M1]` or a plain `M1` means; None for any other name, and for `M1` if
    nothing is noted. Raises NotFound."""
    match = _NAME.fullmatch(name)
    number = int(next(filter(None, match.groups()))) if match else None
    plain = _CITATION.fullmatch(name)
    if number is None and plain is not None and memory.resolve_id(name) == name:
        number = int(plain[1])
    if number is None:
        return None
    ids = _noted(memory)
    if 1 <= number <= len(ids):
        return ids[number - 1]
    if plain is not None and not match:
        return None
    raise NotFound(
        f"the last results have no {name}", code="memory_not_found",
        hint=f"there were {len(ids)}; run `holdfast recall` or `holdfast list` again",
    )  # fmt: skip


def _noted(memory: Memory) -> list[str]:
    return list(_state(memory).get("ids", ()))


def _note(memory: Memory, ids: list[str], **more: Any) -> None:
    with suppress(OSError):
        write_state(_FILE, {"store": memory._backend.location, "ids": ids, **more})


def _state(memory: Memory) -> dict[str, Any]:
    """Returns what was noted of this store."""
    content = read_state(_FILE)
    is_ours = isinstance(content, dict) and content.get("store") == memory._backend.location
    return content if is_ours else {}
