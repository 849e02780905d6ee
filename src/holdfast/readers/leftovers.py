"""Files of a folder that are not read with it: sources of their own, and others, each with the reason."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from pathlib import Path

from holdfast.readers import databases, notebooks, tabular, workbooks

LISTED_MAX = 10_000
"""Most files that are listed."""
TABLE, WORKBOOK, NOTEBOOK, DATABASE = "table", "workbook", "notebook", "database"
OWN_KINDS = (WORKBOOK, NOTEBOOK, DATABASE)
"""The kinds of files that are sources of their own in a folder of tables."""


def visible(root: Path) -> Iterator[Path]:
    """Yields what is below a folder in the order of names, but for what is hidden, and the files next to a
    document that is open in a program."""
    for path in sorted(root.rglob("*")):
        if not any(part.startswith((".", "~$")) for part in path.relative_to(root).parts):
            yield path


def leftovers(root: Path, read: Collection[str]) -> Iterator[dict[str, str]]:
    """Yields each visible file below a folder that is not among those read, with the reason."""
    for path in visible(root):
        name = path.relative_to(root).as_posix()
        if name not in read and (why := _why(path)) is not None:
            yield {"file": name, "why": why}


def own_sources(root: Path) -> Iterator[tuple[Path, str]]:
    """Yields the workbooks, notebooks and databases below a folder of tables, each with its kind."""
    for path in visible(root):
        if path.is_file() and not path.is_symlink() and (kind := kind_of(path)) in OWN_KINDS:
            yield path, str(kind)


def kind_named(path: Path) -> str | None:
    """Returns the kind of a file that can be reconciled, by its name alone."""
    suffix = path.suffix.lower()
    if suffix in tabular.SUFFIXES:
        return TABLE
    if suffix in workbooks.SUFFIXES:
        return WORKBOOK
    if suffix in databases.SUFFIXES:
        return DATABASE
    return NOTEBOOK if suffix == notebooks.SUFFIX else None


def kind_of(path: Path) -> str | None:
    """Returns the kind of a file that can be reconciled; a database is known by its first bytes. None for
    others, and for what cannot be opened."""
    kind = kind_named(path)
    if kind not in (None, DATABASE):
        return kind
    try:
        return DATABASE if databases.is_database(path) else None
    except OSError:
        return None


def why_alone(path: Path) -> str | None:
    """Returns why a file that can be reconciled is not read with others; None for other files."""
    kind = kind_of(path)
    return f"a {kind}: reconcile it by itself" if kind else None


def _why(path: Path) -> str | None:
    """Returns why a file is not read, None if it is not a file."""
    if path.is_symlink():
        return "it is a link"
    if not path.is_file():
        return None
    if path.suffix.lower() in tabular.SUFFIXES:
        return f"only {tabular.FILES_MAX:,} tables of a folder are read"
    try:
        if not path.stat().st_size:
            return "it is empty"
        is_store = databases.is_store(path)
        return why_alone(path) or ("a store of Holdfast" if is_store else "it is not a table")
    except OSError:
        return "it cannot be opened"
