"""Codebases: the module map of a folder, as the payload of a source."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from holdfast.core.reconciled import FILE, FILE_ID, Entity, payload_with
from holdfast.features.modulemap.scan.scan import scan

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


def is_codebase(root: Path) -> bool:
    """Returns whether a folder is a codebase."""
    return any((root / name).exists() for name in MARKS)


def read(root: Path) -> dict[str, Any]:
    """Returns the payload of a codebase: one entity for each module, and one for the whole."""
    found = scan(root, root.name).found
    entities = []
    for module in found.modules.values():
        data = {
            "kind": "Module", "name": module.name, "description": module.description,
            "files": list(module.core_files[:LISTED]), "entry_points": list(module.entry_points[:LISTED]),
            "tests": list(module.test_files[:LISTED]), "depends_on": list(module.dependencies[:LISTED]),
            "related_modules": list(module.related_modules), "defines": list(module.symbols[:LISTED]),
        }  # fmt: skip
        entities.append(Entity(MODULE, module.name, {key: value for key, value in data.items() if value}))
    whole = {"kind": "Codebase", "modules": list(found.modules)}
    return payload_with(root.name, "codebase", [*entities, Entity(FILE, FILE_ID, whole)])
