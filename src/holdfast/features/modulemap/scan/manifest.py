"""The manifest of one package manager in one folder."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Any

LOCKED_BY = {
    "npm": {
        "pnpm-lock.yaml": "pnpm", "yarn.lock": "yarn", "bun.lock": "bun", "bun.lockb": "bun",
        "package-lock.json": "npm", "npm-shrinkwrap.json": "npm",
    },
    "python": {"uv.lock": "uv", "poetry.lock": "poetry", "pdm.lock": "pdm", "Pipfile.lock": "pipenv"},
}  # fmt: skip
"""Lock files of each ecosystem with more than one package manager, and who writes them."""
_OF_BACKENDS = {
    "hatch": frozenset({"build", "metadata", "version"}), "pdm": frozenset({"build", "version"}),
    "uv": frozenset({"build-backend"}),
}  # fmt: skip
"""Sections of pyproject.toml that configure a build backend, not a package manager."""


@dataclass
class Manifest:
    """The content of the manifests of one folder."""

    folder: str
    tool: str
    name: str = ""
    dependencies: list[str] = field(default_factory=list)
    dev_dependencies: list[str] = field(default_factory=list)
    scripts: dict[str, str] = field(default_factory=dict)
    entry_points: list[str] = field(default_factory=list)
    workspaces: bool = False
    raw: dict[str, Any] = field(default_factory=dict)
    description: str = ""

    @property
    def everything(self) -> frozenset[str]:
        """Returns all dependencies, in lower case."""
        return frozenset(dependency.lower() for dependency in (*self.dependencies, *self.dev_dependencies))

    def package_manager(self, paths: Collection[str]) -> str:
        """Returns the package manager that installs this manifest: the one that it names, else the one whose
        lock file is nearest above it, else the one of its tool files and sections."""
        npm, pyproject = self.raw.get("npm", {}), self.raw.get("pyproject", {})
        named = npm.get("packageManager")
        if self.tool == "npm" and isinstance(named, str) and named.partition("@")[0].strip():
            return named.partition("@")[0].strip()[:200]
        folder = self.folder
        while True:
            for file, manager in LOCKED_BY.get(self.tool, {}).items():
                if (f"{folder}/{file}" if folder else file) in paths:
                    return manager
            if not folder:
                break
            folder = folder.rpartition("/")[0]
        if self.tool == "npm":
            return "pnpm" if "pnpm-workspace.yaml" in paths else "yarn" if ".yarnrc.yml" in paths else "npm"
        if self.tool == "python":
            sections = pyproject.get("tool", {})
            tools = ("poetry", "uv", "pdm", "hatch", "rye", "flit")
            named = (tool for tool in tools if isinstance(sections, dict) and tool in sections)
            return next((tool for tool in named if not _only_builds(tool, sections[tool])), "pip")
        return self.tool


def _only_builds(tool: str, section: object) -> bool:
    """Returns whether a section configures the build backend of a tool, which other tools run as well."""
    names = _OF_BACKENDS.get(tool, frozenset())
    return isinstance(section, dict) and bool(section) and names.issuperset(section)
