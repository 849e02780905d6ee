"""Sanitizes the content of module maps by the same rules as memories."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields, replace
from typing import Any, TypeVar

from holdfast.core.arguments import safe_repr
from holdfast.core.errors import InvalidInput
from holdfast.core.module_map import (
    DESCRIPTION_MAX,
    ENTRY_MAX,
    FILES,
    BuildSystem,
    Infrastructure,
    Module,
    ModuleMap,
    Service,
    TestFramework,
    strings,
    texts,
)
from holdfast.features.admission.admission import Admission
from holdfast.features.modulemap.changes import EDITABLE, ModuleUpdate
from holdfast.language.injection import injection_flags

Part = TypeVar("Part", TestFramework, Service, Infrastructure)

SENTENCE = 5
"""Fewest words of a name, between hyphens and the like, that is read as a sentence."""
OMITTED_NOTE = "omitted, because it reads like an instruction to a model: "
"""Prefix of the note with the number of omitted texts."""


def is_path(value: str) -> bool:
    """Returns whether a text can be a path in a map: relative, inside its root, in one line."""
    return (
        0 < len(value) <= ENTRY_MAX
        and value.isprintable()
        and not value.startswith(("/", "~"))
        and "\\" not in value
        and not {"", ".", ".."} & {*value.split("/")}
    )


def cleaned_update(
    admission: Admission, description: str | None, add: Mapping[str, Sequence[str]], remove: Sequence[str]
) -> ModuleUpdate:
    """Returns a checked and sanitized update of a module.

    Text that reads like an instruction to a model is refused, since maps are shown to models (S4.45). Raises
    InvalidInput `map_invalid`.
    """
    unknown = set(add) - set(EDITABLE)
    if unknown:
        raise InvalidInput(
            f"a module has no list {safe_repr(sorted(unknown)[0])}",
            code="map_invalid",
            hint=", ".join(EDITABLE),
        )
    lists: dict[str, tuple[str, ...]] = {}
    for name, entries in add.items():
        checked = texts(_as_list(entries), name)
        for path in checked if name in FILES else ():
            if not is_path(path):
                raise InvalidInput(f"{safe_repr(path)} is not a path inside the project", code="map_invalid")
        clean = admission.clean_texts(checked)
        if name in FILES and any(clean[path] != path for path in checked):
            raise InvalidInput("a path contains something that looks like a secret", code="secret_in_name")
        lists[name] = tuple(_in_line(clean[entry]) for entry in checked)
        check_orders(lists[name])
    if description is not None:
        if not isinstance(description, str) or len(description) > DESCRIPTION_MAX:
            raise InvalidInput(
                f"a description is text of at most {DESCRIPTION_MAX:,} characters", code="map_invalid"
            )
        description = _in_line(admission.clean_text(description))
        check_orders([description])
    removed = texts(_as_list(remove), "remove")
    # nothing else is in a map, and removed entries are stored
    storable = admission.storable(removed)
    removed = tuple(entry for entry in removed if entry in storable and not gives_orders([entry]))
    return ModuleUpdate(description, lists, removed)


def check_orders(values: Sequence[str]) -> None:
    """Raises InvalidInput `map_invalid` if one of the texts reads like an instruction to a model."""
    flagged = sorted(gives_orders(values))
    if flagged:
        raise InvalidInput(
            f"{safe_repr(flagged[0])} reads like an instruction to a model",
            code="map_invalid",
            hint="maps are shown to models: describe the module in other words",
        )


def gives_orders(values: Sequence[str]) -> frozenset[str]:
    """Returns the texts that read like instructions to a model.

    Most do not, so many are checked together and divided only after a match.
    """
    if not injection_flags("\n".join(f"{value}\n{_as_sentence(value)}" for value in values)):
        return frozenset()
    if len(values) == 1:
        return frozenset(values)
    middle = len(values) // 2
    return gives_orders(values[:middle]) | gives_orders(values[middle:])


def _as_sentence(name: str) -> str:
    """Returns a name of many words as a sentence; an empty string for other names."""
    parts = (part.replace("-", " ").replace("_", " ") for part in name.split("/"))
    return "\n".join(part for part in parts if len(part.split()) >= SENTENCE)


def cleaned_paths(admission: Admission, paths: Iterable[str]) -> list[str]:
    """Returns the valid paths without secrets and without instructions to a model. Raises `map_invalid`."""
    candidates = [path for path in texts(list(paths), "paths") if is_path(path)]
    orders, storable = gives_orders(candidates) if candidates else (), admission.storable(candidates)
    return [path for path in candidates if path in storable and path not in orders]


def cleaned_map(admission: Admission, scanned: ModuleMap) -> ModuleMap:
    """Returns a scanned map with every text sanitized and in one line.

    Paths with findings and texts that read like an instruction to a model are omitted (S4.45); the latter are
    noted.
    """
    clean = admission.clean_texts(strings(scanned))
    orders = gives_orders([*clean])
    clean |= dict.fromkeys(orders, "")
    omitted = [f"{OMITTED_NOTE}{len(orders)}"] if orders else []
    notes = [*scanned.notes, *omitted]
    clean |= {item: item for item in notes if item not in clean}
    modules = (_module(item, clean) for item in scanned.modules.values())
    build = scanned.build_system
    if build is not None:
        lines = {_in_line(clean[goal]): _in_line(clean[line]) for goal, line in build.commands.items()}
        build = BuildSystem(_in_line(clean[build.tool]), {goal: line for goal, line in lines.items() if line})
    tests = None if scanned.test_framework is None else _part(scanned.test_framework, clean)
    services = (_part(item, clean) for item in scanned.services)
    return replace(
        scanned,
        modules={item.name: item for item in modules if item.name},
        build_system=build if build and build.tool else None,
        test_framework=tests if tests and tests.tool else None,
        services=tuple(item for item in services if item.name and item.path),
        infrastructure=_part(scanned.infrastructure, clean),
        conventions=_many(scanned.conventions, clean),
        monorepo=None if scanned.monorepo is None else _in_line(clean[scanned.monorepo]) or None,
        notes=_many(notes, clean),
    )


def _module(module: Module, clean: Mapping[str, str]) -> Module:
    """Returns a scanned module with only what a scan may set, so no confidence and no manual entries."""
    paths = {
        name: tuple(path for path in module.entries_of(name) if clean[path] == path and is_path(path))
        for name in (*FILES, "folders")
    }
    return Module(
        _in_line(clean[module.name]),
        _in_line(clean[module.description]),
        **paths,  # type: ignore[arg-type]
        dependencies=_many(module.dependencies, clean),
        related_modules=_many(module.related_modules, clean),
        symbols=_many(module.symbols, clean),
        keywords=_many(module.keywords, clean),
    )


def _part(part: Part, clean: Mapping[str, str]) -> Part:
    """Returns a part of a map with cleaned texts."""
    values: dict[str, Any] = {}
    for part_field in fields(part):
        value = getattr(part, part_field.name)
        if isinstance(value, tuple):
            values[part_field.name] = _many(value, clean)
        else:
            text = None if value is None else _in_line(clean[value])
            values[part_field.name] = text or (None if part_field.default is None else "")
    return replace(part, **values)


def _many(values: Iterable[str], clean: Mapping[str, str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(filter(None, (_in_line(clean[value]) for value in values))))


def _in_line(text: str) -> str:
    return " ".join(text.split())


def _as_list(values: object) -> object:
    """Returns one text as a list; anything else unchanged, to be checked."""
    return [values] if isinstance(values, str) else list(values) if isinstance(values, Sequence) else values
