"""Files of a folder of tables that are not read with it, each with the reason."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from pathlib import Path

from holdfast.readers import databases, notebooks, tabular, workbooks

LISTED_MAX = 10_000
"""Most files that are listed."""
_ALONE = "reconcile it by itself"


def leftovers(root: Path, read: Collection[str]) -> Iterator[dict[str, str]]:
    """Yields each visible file below a folder that is not among those read, with the reason."""
    for path in sorted(root.rglob("*")):
        name = path.relative_to(root)
        if not any(part.startswith(".") for part in name.parts) and name.as_posix() not in read:
            why = _why(path)
            if why is not None:
                yield {"file": name.as_posix(), "why": why}


def _why(path: Path) -> str | None:
    suffix = path.suffix.lower()
    if path.is_symlink():
        return "it is a link"
    if not path.is_file():
        return None
    if suffix in tabular.SUFFIXES:
        return f"only {tabular.FILES_MAX:,} tables of a folder are read"
    if suffix in workbooks.SUFFIXES:
        return f"a workbook: {_ALONE}"
    if suffix == notebooks.SUFFIX:
        return f"a notebook: {_ALONE}"
    try:
        return f"a database: {_ALONE}" if databases.is_database(path) else "it is not a table"
    except OSError:
        return "it cannot be opened"
