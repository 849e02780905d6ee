"""The note next to a store in a file that says where its memories were migrated, and when (S4.51)."""

from __future__ import annotations

import json
import os
from dataclasses import asdict
from pathlib import Path

from holdfast.core.errors import StoreError
from holdfast.stores.base.backend import Moved
from holdfast.stores.sqlite.safe_files import open_beside, read_beside


def note(store: Path, moved: Moved) -> None:
    """Writes the note, whole or not at all, for the owner of the store only. Raises OSError."""
    path = _note_path(store)
    part = path.with_name(f"{path.name}.part")
    with open(open_beside(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), "w", encoding="utf-8") as file:
        json.dump(asdict(moved), file)
        file.flush()
        os.fsync(file.fileno())
    part.replace(path)


def noted(store: Path) -> Moved | None:
    """Returns the note, if there is a readable one; an unreadable one is ignored, since it only informs."""
    try:
        fields = json.loads(read_beside(_note_path(store)))
        return Moved(**{**fields, "users": tuple(fields["users"])})
    except (OSError, StoreError, ValueError, KeyError, TypeError):
        return None


def _note_path(store: Path) -> Path:
    return Path(f"{store}.moved")
