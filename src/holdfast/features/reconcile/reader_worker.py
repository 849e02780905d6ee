"""The sandboxed process that reads workbooks, tables, notebooks and databases."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from holdfast.core.errors import InvalidInput
from holdfast.features.reading import sandbox_worker
from holdfast.readers import files

MEMORY = 4 << 30
"""Bytes of address space, and at most half of what the machine has: a file that needs more is not read."""
WRITTEN = 256 << 20
"""Most bytes of a temporary file, such as one in which a database sorts."""


def _respond(request: dict[str, Any], _: list[int]) -> dict[str, Any]:
    """Returns the payload of a file or folder, or the error that it is refused with."""
    sandbox_worker.limit_cpu(int(request["seconds"]))
    path = Path(os.fsdecode(bytes.fromhex(request["path"])))
    try:
        return {"payload": files.read(path)}
    except InvalidInput as error:
        return {"error": error.as_dict()}
    except MemoryError:
        return {"unread": "too_large"}
    except RecursionError:
        return {"unread": "broken", "reason": "it is nested too deeply"}
    except Exception:  # libraries raise any exception for damaged files
        return {"unread": "broken", "reason": "it is damaged or not a file of its kind"}


def _memory() -> int:
    try:
        return min(MEMORY, os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 2)
    except (ValueError, OSError):
        return MEMORY


if __name__ == "__main__":
    sandbox_worker.run(_respond, memory=_memory(), written=WRITTEN)
