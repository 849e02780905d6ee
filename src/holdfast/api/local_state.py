"""Small JSON files in the state folder of the user, which one command leaves for the next."""

from __future__ import annotations

import json
import os
from typing import Any

from holdfast.config import state_folder


def read_state(name: str) -> Any:
    """Returns the content of a file; None if there is none that can be read."""
    try:
        return json.loads((state_folder() / name).read_text("utf-8"))
    except (OSError, ValueError):
        return None


def write_state(name: str, content: object) -> None:
    """Replaces a file, readable by the user only. Raises OSError where the folder cannot be written."""
    path = state_folder() / name
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    fresh = path.with_name(f"{name}.{os.getpid()}")
    descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
    with open(descriptor, "w", encoding="utf-8") as file:
        json.dump(content, file)
    os.replace(fresh, path)
