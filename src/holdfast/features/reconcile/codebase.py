"""Codebases: the module map of a folder, as the payload of a source."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from holdfast.core.module_map import Module
from holdfast.core.reconciled import CODEBASE, FILE, FILE_ID, Entity, payload_with
from holdfast.features.modulemap.scan.scan import scan
from holdfast.features.reading.skip_reasons import Skipped
from holdfast.features.reading.walking import walk
from holdfast.readers.leftovers import LISTED_MAX, why_alone

MODULE = "MODULE"
MARKS = (
    ".git",
    "pyproject.toml",
    "setup.py",
    "package.json",
    "Cargo.toml",
    "go.mod",
    "pom.xml",
    "build.gradle",
)
"""Files that a folder of code has at its root."""
LISTED = 8
READMES = ("README.md", "README.rst", "README.txt", "README")
README_MAX = 8_000
_NO_TEXT = ("#", "<", "!", "[!", "|", "```", "=", "-", ":", "..")
"""Beginnings of paragraphs that are headings, badges, tables, code, lists, fields or directives."""
_UNDERLINED = re.compile(r"^[^\n]+\n([=~^\"'#*+-])\1{2,}\s*(?:\n|$)")
"""The heading at the beginning of a paragraph whose underline makes it one."""
_MARKUP = re.compile(r"!?\[([^\]]*)\]\([^)]*\)|[*`]{1,3}")


def is_codebase(root: Path) -> bool:
    """Returns whether a folder is a codebase."""
    return any((root / name).exists() for name in MARKS)


def read(root: Path) -> dict[str, Any]:
    """Returns the payload of a codebase: one entity for each module, and one for the whole."""
    module_map = scan(root, root.name).module_map
    entities: list[Entity] = []
    starts: list[str] = []
    for module in module_map.modules.values():
        folder, files = _below(module.core_files)
        starts += module.entry_points
        data: dict[str, Any] = {
            "kind": "Module", "name": module.name, "description": module.description, "folder": folder,
            "files": _first_of(files), "entry_points": _first_of(module.entry_points),
            "tests": _first_of(_below(module.test_files)[1], 4),
            "depends_on": _first_of(module.dependencies), "related_modules": list(module.related_modules),
            "defines": [name for name in module.symbols if not name.startswith("_")][:LISTED],
        }  # fmt: skip
        data = {key: value for key, value in data.items() if value}
        if len(data) > 2:  # more than its kind and name
            entities.append(Entity(MODULE, module.name, data))
    whole = {"about": _about(root), "modules": [entity.id for entity in entities], "entry_points": starts}
    whole = {"kind": "Codebase", **{key: value for key, value in whole.items() if value}}
    payload = payload_with(root.name, CODEBASE, [*entities, Entity(FILE, FILE_ID, whole)])
    return {**payload, "skipped": list(islice(_left_out(root, module_map.modules.values()), LISTED_MAX))}


def _left_out(root: Path, modules: Iterable[Module]) -> Iterator[dict[str, str]]:
    """Yields each visible file that no module has, with the reason; a folder that is left out is one."""
    read = {
        path
        for module in modules
        for files in (module.sources, module.test_files, module.config_files, module.doc_files)
        for path in files
    }
    for entry in walk(root):
        if any(part.startswith(".") for part in entry.path.split("/")):
            continue
        why = None if entry.path.endswith("/") else why_alone(root / entry.path)
        if isinstance(entry, Skipped):
            yield {"file": entry.path, "why": why or entry.reason}
        elif why is not None or entry.path not in read:
            yield {"file": entry.path, "why": why or "it is in no module"}


def _below(paths: Sequence[str]) -> tuple[str, list[str]]:
    """Returns the folder that paths share, and the paths below it."""
    folder = os.path.commonpath([os.path.dirname(path) for path in paths]) if paths else ""
    return folder, [os.path.relpath(path, folder or ".").replace(os.sep, "/") for path in paths]


def _first_of(values: Sequence[str], most: int = LISTED) -> list[str]:
    more = len(values) - most
    return [*values[:most], *([f"{more} more"] if more > 0 else [])]


def _about(root: Path) -> str:
    """Returns the first paragraph of text in the README of a codebase."""
    for name in READMES:
        try:
            if (root / name).is_symlink() or not (root / name).is_file():  # it may lead out, or never end
                continue
            text = (root / name).read_text("utf-8", "replace")[:README_MAX]
        except OSError:
            continue
        for paragraph in re.split(r"\n\s*\n", text):
            paragraph = _UNDERLINED.sub("", paragraph.strip())
            plain = " ".join(_MARKUP.sub(lambda match: match[1] or "", paragraph).split())
            if len(plain) >= 30 and not paragraph.startswith(_NO_TEXT):
                return plain
    return ""
