"""Texts of imports that are older than what is stored, and so do not replace it."""

from __future__ import annotations

from holdfast.core.kinds import KINDS
from holdfast.core.places import Principal
from holdfast.core.record import Memory
from holdfast.core.views import personal_view
from holdfast.stores.base.ports import Reader

OLDER = "older than what is here"
EDITED = "edited here since"


def why_outdated(
    reader: Reader, principal: Principal, existing: Memory, memory: Memory, changed_at: int | None
) -> str | None:
    """Returns why a text of an import does not replace the existing memory with its external id; None if it
    is its next version.

    What a person edited here stays, unless the import states that it was changed later. Of two texts with a
    time of their own the later one counts. Without such times a text that was replaced here is older, unless
    its file was changed since.
    """
    # the time of a message says when it was said, not when it was changed
    stated = None if memory.at == memory.recorded_at or KINDS[memory.kind].is_evidence else memory.at
    if existing.edited:
        changed = changed_at or stated
        is_newer = changed is not None and changed > existing.updated_at
        return None if is_newer else EDITED
    if stated is not None and existing.at not in (existing.recorded_at, stated):
        is_newer = stated > existing.at
    elif changed_at is not None and changed_at > existing.updated_at:
        is_newer = True
    else:
        earlier = reader.versions(personal_view(principal), [existing.id]) if existing.version > 1 else ()
        is_newer = all(version.text != memory.text for version in earlier)
    return None if is_newer else OLDER
