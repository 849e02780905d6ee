"""Chooses the reader of a file or folder, and returns the payload that it makes."""

from __future__ import annotations

import shlex
from itertools import islice
from pathlib import Path
from typing import Any

from holdfast.core.errors import InvalidInput
from holdfast.core.reconciled import DATA_TABLE
from holdfast.readers import SOURCES, databases, dbt, leftovers, notebooks, tabular, workbooks


def read(path: Path) -> dict[str, Any]:
    """Returns the payload of a file or folder. Raises InvalidInput `format_unknown`, `file_unreadable`,
    `extra_missing`."""
    suffix = path.suffix.lower()
    if path.is_dir():
        return dbt.read(path) if (path / dbt.PROJECT).is_file() else _folder(path)
    if suffix in tabular.SUFFIXES:
        return tabular.read_file(path)
    if not path.stat().st_size:
        raise InvalidInput(
            f"{path.name} is empty (0 bytes)", code="file_unreadable",
            hint="check the path: programs create an empty file when they are given a wrong one"
            if suffix in databases.SUFFIXES else "save it again in the program that makes it",
        )  # fmt: skip
    if suffix in workbooks.SUFFIXES:
        return workbooks.read(path)
    if suffix == notebooks.SUFFIX:
        return notebooks.read(path)
    if databases.is_database(path):
        return databases.read(path)
    if databases.is_store(path):
        raise InvalidInput(
            f"{path.name} is a store of Holdfast, whose memories are found by recall", code="format_unknown",
            hint=f"search it: holdfast --store {shlex.quote(path.name)} recall QUERY",
        )  # fmt: skip
    raise InvalidInput(f"{path.name} cannot be reconciled", code="format_unknown", hint=f"name {SOURCES}")


def _folder(path: Path) -> dict[str, Any]:
    """Returns the payload of a folder of tables, with the files that are not read."""
    payload = tabular.read_folder(path)
    read = {entity["id"] for entity in payload["entities"] if entity["type"] == DATA_TABLE}
    skipped = islice(leftovers.leftovers(path, read), leftovers.LISTED_MAX)
    return {**payload, "skipped": list(skipped)}
