"""Small JSON files in the state folder of the user, which one command leaves for the next."""

from __future__ import annotations

import json
from typing import Any

from holdfast.config import state_folder
from holdfast.stores.base.whole_file import write_whole


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
    write_whole(path, json.dumps(content).encode())
