"""The module map of a codebase: its modules, their files, and the confidence in each (S4.1, S4.2)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import MISSING, dataclass, field, fields
from enum import StrEnum
from typing import Any, Self, TypeVar, cast

from holdfast.core.arguments import safe_repr
from holdfast.core.errors import InvalidInput
from holdfast.core.times import to_millis
from holdfast.core.wire import Millis, Plain, described

FILES = ("core_files", "entry_points", "frontend_files", "test_files", "config_files", "doc_files")
"""The lists of a module that hold paths, in display order."""
SOURCES = ("core_files", "entry_points", "frontend_files")
"""The lists of paths that hold source code."""
LISTS = (*FILES, "folders", "dependencies", "related_modules", "symbols", "keywords")
"""All lists of a module."""
BESIDE = ("told", "dropped", "by_person", "opened")
"""The lists of a module that hold facts about the entries of the other lists."""

MODULES_MAX = 300
"""Maximum number of modules of a map."""
LIST_MAX = 2_000
"""Maximum number of entries of one list of a module."""
ENTRY_MAX = 400
"""Maximum number of characters of one entry: a path or a name."""
DESCRIPTION_MAX = 1_000
"""Maximum number of characters of a description."""


class Confidence(StrEnum):
    """The confidence in the map of a module; it never decreases (S4.9)."""

    SHALLOW = "shallow"
    """Found by a scan only."""
    PARTIAL = "partial"
    """Used in a session, or described by an agent or a person."""
    MAPPED = "mapped"
    """Used in several sessions, with its files."""

    @property
    def rank(self) -> int:
        """Returns the position in ascending order, 0 for the lowest."""
        return list(Confidence).index(self)


@dataclass(frozen=True, slots=True)
class Module(Plain):
    """One module of a codebase. Paths are relative to its root, with slashes; no path is in two lists.

    `core_files` are the source files, the most used first; `folders` are those whose new files belong to the
    module. `dependencies` are external packages, `related_modules` names of modules that it uses or that use
    it, the closest first. `symbols` and `keywords` are words by which a task may refer to it.

    `told` holds the entries that an agent or a person added, and `is_described` says that they wrote the
    description: a scan leaves both. `dropped` holds entries that they removed; no scan adds them again.
    `by_person` are the entries that a person added or removed, and `is_described_by_person` says the same of
    the description: no machine changes them.

    `opened` are files of the module that sessions worked with, `sessions` digests of these sessions.
    `lost` holds files that were removed since the last scan, by the list to which they return, as when
    another branch is checked out. `is_gone` says that all its source files were deleted; it is kept for its
    added entries, and until the next scan for the lost files.
    """

    name: str
    description: str = ""
    core_files: tuple[str, ...] = ()
    entry_points: tuple[str, ...] = ()
    frontend_files: tuple[str, ...] = ()
    test_files: tuple[str, ...] = ()
    config_files: tuple[str, ...] = ()
    doc_files: tuple[str, ...] = ()
    folders: tuple[str, ...] = ()
    dependencies: tuple[str, ...] = ()
    related_modules: tuple[str, ...] = ()
    symbols: tuple[str, ...] = ()
    keywords: tuple[str, ...] = ()
    confidence: Confidence = Confidence.SHALLOW
    told: tuple[str, ...] = ()
    dropped: tuple[str, ...] = ()
    by_person: tuple[str, ...] = ()
    is_described: bool = False
    is_described_by_person: bool = False
    opened: tuple[str, ...] = ()
    sessions: tuple[str, ...] = ()
    is_gone: bool = False
    lost: Mapping[str, tuple[str, ...]] = field(default_factory=dict, hash=False)

    @property
    def sources(self) -> tuple[str, ...]:
        """Returns the paths of all source files."""
        return tuple(path for name in SOURCES for path in self.entries_of(name))

    @property
    def files(self) -> tuple[str, ...]:
        """Returns all paths, core files first."""
        return tuple(path for name in FILES for path in self.entries_of(name))

    def entries_of(self, name: str) -> tuple[str, ...]:
        """Returns one of `LISTS` by name."""
        return cast("tuple[str, ...]", getattr(self, name))

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Builds a module from the output of `as_dict`. Raises InvalidInput `map_invalid`."""
        values = _fields_in(cls, data)
        for name in (*LISTS, *BESIDE, "sessions"):
            values[name] = texts(values.get(name, ()), name)
        values["name"] = text(values.get("name"), "name", ENTRY_MAX)
        values["description"] = text(values.get("description", ""), "description", DESCRIPTION_MAX)
        try:
            values["confidence"] = Confidence(values.get("confidence", Confidence.SHALLOW))
        except ValueError:
            raise invalid(f"there is no confidence {safe_repr(values['confidence'])}") from None
        for name in ("is_described", "is_described_by_person", "is_gone"):
            values[name] = values.get(name) is True
        lost = record(values.get("lost", {}), "lost")
        values["lost"] = {name: texts(lost[name], "lost") for name in FILES if name in lost}
        return cls(**values)


@dataclass(frozen=True, slots=True)
class BuildSystem:
    """The build tool of a codebase, and its commands by purpose: build, test, lint, dev."""

    tool: str
    commands: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class TestFramework:
    """The test runner of a codebase, its configuration file and its command."""

    __test__ = False  # not a test, whatever its name looks like to a collector

    tool: str
    config_file: str | None = None
    run_command: str | None = None


@dataclass(frozen=True, slots=True)
class Service:
    """One deployable or publishable part of a codebase.

    `type` is frontend, backend, worker, scraper, library, proxy, desktop or cli. At most 20 dependencies and
    10 development dependencies are listed.
    """

    name: str
    path: str
    language: str
    framework: str | None = None
    type: str = "library"
    package_manager: str | None = None
    entry_point: str | None = None
    key_directories: tuple[str, ...] = ()
    dependencies: tuple[str, ...] = ()
    dev_dependencies: tuple[str, ...] = ()
    test_directory: str | None = None
    dockerfile: str | None = None


@dataclass(frozen=True, slots=True)
class Infrastructure:
    """The infrastructure of a codebase: services of compose files, CI systems, deployment."""

    compose_services: tuple[str, ...] = ()
    ci: tuple[str, ...] = ()
    deployment: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ModuleMap(Plain):
    """The map of one project, read and changed as one document.

    `conventions` are the formatters and linters in use; `monorepo` gives the reason why the codebase counts
    as a monorepo (None: it is not one); `notes` are what a scan left out, and why. `version` counts changes,
    `updated_at` is the time of the last one (UTC epoch milliseconds).
    """

    project: str
    modules: Mapping[str, Module] = field(default_factory=dict)
    build_system: BuildSystem | None = None
    test_framework: TestFramework | None = None
    services: tuple[Service, ...] = ()
    infrastructure: Infrastructure = Infrastructure()
    conventions: tuple[str, ...] = ()
    monorepo: str | None = None
    notes: tuple[str, ...] = ()
    updated_at: Millis = 0
    version: int = 0

    @property
    @described(digits=4)
    def coverage(self) -> float:
        """Returns the share of modules with confidence `mapped`, 0 to 1; 0 without modules."""
        mapped = sum(module.confidence is Confidence.MAPPED for module in self.modules.values())
        return mapped / len(self.modules) if self.modules else 0.0

    def holders(self, path: str) -> tuple[str, ...]:
        """Returns the names of the modules that list a path."""
        return tuple(name for name, module in self.modules.items() if path in module.files)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Builds a map from the output of `as_dict`, from any sender. Raises InvalidInput `map_invalid`."""
        modules = record(data.get("modules", {}), "modules")
        if len(modules) > MODULES_MAX:
            raise invalid(f"a map may have at most {MODULES_MAX} modules")
        parsed = [Module.from_dict(record(module, "module")) for module in modules.values()]
        build, test = data.get("build_system"), data.get("test_framework")
        version = data.get("version", 0)
        if isinstance(version, bool) or not isinstance(version, int) or version < 0:
            raise invalid("version must be a whole number from 0")
        return cls(
            project=text(data.get("project"), "project", ENTRY_MAX),
            modules={module.name: module for module in parsed},
            build_system=None if build is None else _build_system(record(build, "build_system")),
            test_framework=None if test is None else _simple(TestFramework, record(test, "test_framework")),
            services=tuple(
                _simple(Service, record(service, "service")) for service in several(data, "services", 200)
            ),
            infrastructure=_simple(Infrastructure, record(data.get("infrastructure", {}), "infrastructure")),
            conventions=texts(data.get("conventions", ()), "conventions"),
            monorepo=None if data.get("monorepo") is None else text(data["monorepo"], "monorepo", ENTRY_MAX),
            notes=texts(data.get("notes", ()), "notes"),
            updated_at=to_millis(data["updated_at"]) if data.get("updated_at") is not None else 0,
            version=version,
        )


Part = TypeVar("Part", TestFramework, Service, Infrastructure)


def union(*lists: Iterable[str]) -> tuple[str, ...]:
    """Returns all distinct entries, in the order of their first occurrence."""
    return tuple(dict.fromkeys(entry for entries in lists for entry in entries))


def strings(module_map: ModuleMap) -> Iterator[str]:
    """Yields every string of a map, keys included."""
    waiting: list[Any] = [module_map.as_dict()]
    while waiting:
        item = waiting.pop()
        if isinstance(item, str):
            yield item
        elif isinstance(item, dict):
            waiting += [*item.keys(), *item.values()]
        elif isinstance(item, list):
            waiting += item


# reading what may have come from anywhere


def invalid(message: str) -> InvalidInput:
    """Builds the error for an invalid map, module or scan."""
    return InvalidInput(message, code="map_invalid")


def record(value: object, label: str) -> Mapping[str, Any]:
    """Returns a JSON object unchanged. Raises InvalidInput `map_invalid`."""
    if not isinstance(value, Mapping):
        raise invalid(f"{label} must be an object, not {type(value).__name__}")
    return value


def several(data: Mapping[str, Any], name: str, limit: int) -> list[Any]:
    """Returns a JSON list of at most `limit` entries. Raises InvalidInput `map_invalid`."""
    value = data.get(name, [])
    if not isinstance(value, list | tuple) or len(value) > limit:
        raise invalid(f"{name} must be a list of at most {limit}")
    return list(value)


def text(value: object, label: str, limit: int) -> str:
    """Returns a string of at most `limit` characters unchanged. Raises InvalidInput `map_invalid`."""
    if not isinstance(value, str) or len(value) > limit:
        raise invalid(f"{label} must be text of at most {limit} characters")
    return value


def texts(value: object, label: str) -> tuple[str, ...]:
    """Returns the distinct non-empty strings of a list. Raises InvalidInput `map_invalid`."""
    if isinstance(value, str) or not isinstance(value, list | tuple) or len(value) > LIST_MAX:
        raise invalid(f"{label} must be a list of at most {LIST_MAX:,} texts")
    return union(filter(None, (text(item, label, ENTRY_MAX) for item in value)))


def _fields_in(type: type, data: Mapping[str, Any]) -> dict[str, Any]:
    return {field.name: data[field.name] for field in fields(type) if field.name in data}


def _build_system(data: Mapping[str, Any]) -> BuildSystem:
    """Reads a build system from plain data. Raises InvalidInput."""
    commands = record(data.get("commands", {}), "commands")
    if len(commands) > LIST_MAX:
        raise invalid(f"there may be at most {LIST_MAX:,} commands")
    return BuildSystem(
        text(data.get("tool"), "tool", ENTRY_MAX),
        {
            text(name, "command", ENTRY_MAX): text(line, "command", ENTRY_MAX)
            for name, line in commands.items()
        },
    )


def _simple(part: type[Part], data: Mapping[str, Any]) -> Part:
    """Builds a part whose fields are strings, lists of strings, or None where optional."""
    values = _fields_in(part, data)
    for part_field in fields(part):
        name = part_field.name
        value = values.get(name)
        if str(part_field.type).startswith("tuple"):
            values[name] = texts(values.get(name, ()), name)
        elif value is not None or part_field.default is MISSING:
            values[name] = text(value, name, ENTRY_MAX)
    return part(**values)
