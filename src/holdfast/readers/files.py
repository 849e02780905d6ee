"""Chooses the reader of a file or folder, and returns the payload that it makes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from holdfast.core.errors import InvalidInput
from holdfast.readers import SOURCES, databases, dbt, notebooks, tabular, workbooks


def read(path: Path) -> dict[str, Any]:
    """Returns the payload of a file or folder. Raises InvalidInput `format_unknown`, `file_unreadable`,
    `extra_missing`."""
    suffix = path.suffix.lower()
    if path.is_dir():
        return dbt.read(path) if (path / dbt.PROJECT).is_file() else tabular.read_folder(path)
    if suffix in tabular.SUFFIXES:
        return tabular.read_file(path)
    if suffix in workbooks.SUFFIXES:
        return workbooks.read(path)
    if suffix == notebooks.SUFFIX:
        return notebooks.read(path)
    if databases.is_database(path):
        return databases.read(path)
    raise InvalidInput(f"{path.name} cannot be reconciled", code="format_unknown", hint=f"name {SOURCES}")
