"""Reads the weights of the small networks that come with the package."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from holdfast.core.python_parser import PARSER_LOCK


def read_arrays(path: Path) -> dict[str, NDArray[Any]]:
    """Returns the arrays of an `.npz` file by name."""
    with PARSER_LOCK, np.load(path) as file:
        return {name: file[name] for name in file.files}


def strings(encoded: NDArray[Any]) -> list[str]:
    """Returns the texts that an array of bytes holds, joined by NUL."""
    return encoded.tobytes().decode().split("\0")
