"""Applies changes to a module map: updates by hand, new scans, opened files; none loses data."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from holdfast.core.module_map import (
    BESIDE,
    FILES,
    LIST_MAX,
    LISTS,
    MODULES_MAX,
    SOURCES,
    Confidence,
    Module,
    ModuleMap,
    union,
)

MAPPED_SESSIONS = 3
"""Fewest sessions that work with a module before it counts as mapped (S4.9)."""
MAPPED_FILES = 5
"""Fewest core files of the module that they open, or half of them if that is less."""
EDITABLE = tuple(name for name in LISTS if name != "folders")
"""The lists of a module that can be edited by hand."""


@dataclass(frozen=True, slots=True)
class ModuleUpdate:
    """An update of one module: a description, entries to add by list, entries to remove from all lists."""

    description: str | None = None
    add: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    remove: tuple[str, ...] = ()

    @property
    def is_empty(self) -> bool:
        """Returns whether the update changes nothing."""
        return self.description is None and not any(self.add.values()) and not self.remove


def merged(module: Module, update: ModuleUpdate, *, by_person: bool = False) -> Module:
    """Returns the module with an update.

    Entries are appended, and removed only by name (S4.10). A path that is added to one list leaves the other
    lists. An update makes a module partial (S4.5, S4.9). Changes by a person are marked as such.
    """
    added = union(*(update.add.get(name, ()) for name in EDITABLE))
    lists: dict[str, tuple[str, ...]] = {}
    for name in LISTS:
        added_here = update.add.get(name, ()) if name in EDITABLE else ()
        elsewhere = {entry for other in FILES if other != name for entry in update.add.get(other, ())}
        removed = {*update.remove} | (elsewhere - {*added_here} if name in FILES else set())
        lists[name] = tuple(
            entry for entry in union(module.entries_of(name), added_here) if entry not in removed
        )
    stated = tuple(entry for entry in union(module.told, added) if entry not in update.remove)
    return replace(
        module,
        is_gone=module.is_gone and not any(lists[name] for name in SOURCES),
        description=module.description if update.description is None else update.description,
        is_described=module.is_described or update.description is not None,
        told=stated,
        dropped=tuple(entry for entry in union(module.dropped, update.remove) if entry not in added),
        by_person=union(module.by_person, added, update.remove) if by_person else module.by_person,
        is_described_by_person=module.is_described_by_person
        or (by_person and update.description is not None),
        confidence=_surer(module.confidence, Confidence.PARTIAL),
        **lists,  # type: ignore[arg-type]
    )


def against_person(module: Module, update: ModuleUpdate) -> tuple[str, ...]:
    """Returns what an update would change although a person set it.

    These are entries that a person added and the update removes or moves, entries that a person removed and
    the update adds, and the description.
    """
    spoken = {*module.by_person}
    listed = {entry for name in LISTS for entry in module.entries_of(name)}
    conflicts = [entry for entry in update.remove if entry in spoken and entry in listed]
    for name in EDITABLE:
        elsewhere = {path for other in FILES if other != name for path in module.entries_of(other)}
        moved = elsewhere if name in FILES else set()
        conflicts += [
            entry
            for entry in update.add.get(name, ())
            if entry in spoken and entry in {*module.dropped} | moved
        ]
    description = update.description
    if module.is_described_by_person and description is not None and description != module.description:
        conflicts.append(module.description)
    return union(conflicts)


def updated(old: ModuleMap, name: str, update: ModuleUpdate, *, by_person: bool = False) -> ModuleMap:
    """Returns the map with one module updated or created."""
    module = merged(old.modules.get(name, Module(name)), update, by_person=by_person)
    return replace(old, modules={**old.modules, name: module})


def rescanned(
    old: ModuleMap,
    scanned: ModuleMap,
    files: Collection[str] = (),
    renamed: Mapping[str, str] | None = None,
) -> ModuleMap:
    """Returns the map after another scan (S4.9, S4.10).

    Missing files are removed. A module without source files is removed, too, unless something was added to it
    or removed from it by hand: those changes survive any scan (S4.53). A file stays in its module, so that
    modules keep their names and history when others are added; new files join the module of the same name,
    else that of their neighbours. Manual entries, confidence and opened files are kept. `files` are all that
    the scan saw; manual paths outside of them are kept as well. Files in `renamed`, by their old path, stay
    in their modules under the new one, unless the map already has that in a module.
    """
    present = {*files, *(path for item in scanned.modules.values() for path in item.files)}
    mapped = {path for item in old.modules.values() for path in item.files}
    moves = (renamed or {}).items()
    old = _moved(old, {item: new for item, new in moves if item not in present and new not in mapped})
    old = _without(old, lambda path: path not in present)
    homes = {path: item.name for item in old.modules.values() for path in item.files}
    names = {name: _home(module, old, homes) for name, module in scanned.modules.items()}
    modules = dict(old.modules)
    for name, module in scanned.modules.items():
        home = names[name]
        related = union(names.get(item, item) for item in module.related_modules)
        existing = modules.get(home)
        dropped = () if existing is None else existing.dropped
        fresh = {path for path in module.files if path not in homes and path not in dropped}
        if existing is None:
            if fresh:
                modules[home] = replace(_only(module, fresh), related_modules=related)
            continue
        modules[home] = _joined(existing, module, fresh, related, is_same=name == home)
    _settle_lists(modules, scanned)
    remaining = {name: item for name, item in modules.items() if item.files or _has_manual_changes(item)}
    for name, item in remaining.items():
        neighbours = tuple(
            other
            for other in item.related_modules
            if other != name and (other in remaining or other in item.told)
        )
        is_gone = item.is_gone and not item.sources
        remaining[name] = replace(item, related_modules=neighbours, is_gone=is_gone, lost={})
    over = {name for name, item in remaining.items() if _is_empty(item)}
    if over:  # its tests and documents belong where the scan sees them now
        rest = {name: item for name, item in old.modules.items() if name not in over}
        return rescanned(replace(old, modules=rest), scanned, files)
    return replace(
        scanned, project=old.project, modules=remaining, version=old.version, updated_at=old.updated_at
    )


def followed(
    old: ModuleMap, renamed: Mapping[str, str], removed: Collection[str], present: Collection[str] = ()
) -> ModuleMap:
    """Returns the map after files were renamed or removed, and lost ones are `present` again.

    A renamed file stays in its modules under its new path. A removed one is lost: until the next scan it
    returns to its module. A module with neither source nor configuration left is gone.
    """
    moved = _moved(old, renamed)
    rest = _without(moved, removed.__contains__)
    mapped = {path for module in rest.modules.values() for path in module.files}
    back = {*present} - mapped
    modules = {}
    for name, module in rest.modules.items():
        before, lists, lost = moved.modules[name], {}, {}
        for key in FILES:
            missing = union(module.lost.get(key, ()), before.entries_of(key))
            lists[key] = union(module.entries_of(key), (path for path in missing if path in back))
            lost[key] = tuple(path for path in missing if path not in mapped and path not in back)[:LIST_MAX]
        now = replace(module, **lists, lost={key: paths for key, paths in lost.items() if paths})  # type: ignore[arg-type]
        modules[name] = replace(now, is_gone=module.is_gone and not (now.sources or now.config_files))
    return replace(rest, modules=modules)


def _moved(old: ModuleMap, renamed: Mapping[str, str]) -> ModuleMap:
    """Returns the map with files under their new paths in all lists."""

    def now(paths: Iterable[str]) -> tuple[str, ...]:
        return union(renamed.get(path, path) for path in paths)

    modules = {}
    for name, module in old.modules.items():
        lists = {key: now(getattr(module, key)) for key in (*FILES, *BESIDE)}
        modules[name] = replace(module, **lists)  # type: ignore[arg-type]
    return replace(old, modules=modules)


def with_accesses(old: ModuleMap, paths: Iterable[str], session: str) -> ModuleMap:
    """Returns the map after a session opened files (S4.8, S4.9).

    New files join the module of their folder unless they were removed from it. A shallow module becomes
    partial; one whose core files several sessions opened becomes mapped. `session` identifies the session;
    only a digest of it is stored.
    """
    mark = hashlib.sha256(session.encode("utf-8", "surrogatepass")).hexdigest()[:12]
    opened: dict[str, list[str]] = {}
    homes: dict[str, list[str]] = {}
    for module_item in old.modules.values():
        for path in module_item.files:
            homes.setdefault(path, []).append(module_item.name)
    joined: dict[str, list[str]] = {}
    for path in dict.fromkeys(paths):
        names = homes.get(path)
        if names is None:
            nearest = module_near(old, path)
            if nearest is None or path in old.modules[nearest].dropped:
                continue
            names = [nearest]
            joined.setdefault(nearest, []).append(path)
        for name in names:
            opened.setdefault(name, []).append(path)
    modules = dict(old.modules)
    for name, seen in opened.items():
        module = modules[name]
        more = joined.get(name, [])
        module = replace(
            module,
            core_files=union(module.core_files, (p for p in more if not _is_test(p))),
            test_files=union(module.test_files, filter(_is_test, more)),
            told=union(module.told, more),
            opened=union(module.opened, seen),
            sessions=module.sessions
            if mark in module.sessions
            else (*module.sessions, mark)[:MAPPED_SESSIONS],
        )
        modules[name] = replace(module, confidence=_surer(module.confidence, _earned(module)))
    return replace(old, modules=modules)


def bounded(module_map: ModuleMap) -> ModuleMap:
    """Returns the map cut to its limits.

    The last entries of lists and the last modules are dropped first, manual changes only after everything
    else, and those of a person last of all.
    """
    spoken_of = {name for name, module_item in module_map.modules.items() if _has_manual_changes(module_item)}
    modules = {}
    for name in _first(module_map.modules, MODULES_MAX, spoken_of):
        module = module_map.modules[name]
        lists = {key: module.entries_of(key) for key in LISTS}
        lists |= {key: getattr(module, key) for key in BESIDE}
        cut = {
            key: _first(entries, LIST_MAX, {*module.by_person}, {*module.told})
            for key, entries in lists.items()
            if len(entries) > LIST_MAX
        }
        modules[name] = replace(module, **cut) if cut else module  # type: ignore[arg-type]
    return replace(module_map, modules=modules)


def _first(entries: Collection[str], most: int, *dear: Collection[str]) -> tuple[str, ...]:
    """Returns at most `most` entries in order, preferring those in the earlier of the `dear` sets."""
    if len(entries) <= most:
        return tuple(entries)
    ordered = sorted(entries, key=lambda entry: [entry not in preferred for preferred in dear])
    selected = {*ordered[:most]}
    return tuple(entry for entry in entries if entry in selected)


def module_near(old: ModuleMap, path: str) -> str | None:
    """Returns the module for a path that is in none: that of its folder, or of the nearest folder above,
    below the root.

    Of several modules, the one with most files there.
    """
    folder = path.rpartition("/")[0]
    folders: dict[str, Counter[str]] = {}
    for module in old.modules.values():
        for listed in module.folders:
            folders.setdefault(listed, Counter())[module.name] += 1
        for file in module.files:
            folders.setdefault(file.rpartition("/")[0], Counter())[module.name] += 2
    while folder:
        if folder in folders:
            return max(folders[folder].items(), key=lambda pair: (pair[1], pair[0]))[0]
        folder = folder.rpartition("/")[0]
    return None


def _earned(module: Module) -> Confidence:
    """Returns the confidence that the opened files of a module justify."""
    core = {*module.core_files, *module.entry_points, *module.frontend_files}
    needed = min(MAPPED_FILES, (len(core) + 1) // 2)
    if module.is_gone:
        return module.confidence
    enough = len(core & {*module.opened}) >= needed and len(module.sessions) >= MAPPED_SESSIONS
    return Confidence.MAPPED if enough else Confidence.PARTIAL


def _surer(first: Confidence, second: Confidence) -> Confidence:
    return max(first, second, key=lambda confidence: confidence.rank)


def _is_test(path: str) -> bool:
    """Returns whether a path is that of a test."""
    folders, _, name = path.lower().rpartition("/")
    stem = name.partition(".")[0]
    marked = (
        stem.startswith("test_") or stem.endswith(("_test", "_spec")) or ".test." in name or ".spec." in name
    )
    return marked or bool({*folders.split("/")} & {"test", "tests", "__tests__", "spec"})


def _home(module: Module, old: ModuleMap, homes: Mapping[str, str]) -> str:
    """Returns the name of a scanned module in the existing map."""
    if module.name in old.modules:
        return module.name
    counts = Counter(homes[path] for path in module.files if path in homes)
    return max(counts.items(), key=lambda pair: (pair[1], pair[0]))[0] if counts else module.name


def _without(old: ModuleMap, is_gone: Callable[[str], bool]) -> ModuleMap:
    """Returns the map without missing files, except for manual ones; modules without source files are
    marked."""
    modules = {}
    for name, module in old.modules.items():
        lists = {
            key: tuple(path for path in getattr(module, key) if path in module.told or not is_gone(path))
            for key in (*FILES, "opened")
        }
        updated_module = replace(module, **lists)  # type: ignore[arg-type]
        had = module.is_gone or bool(module.sources)
        modules[name] = replace(updated_module, is_gone=had and not updated_module.sources)
    return replace(old, modules=modules)


def _is_empty(module: Module) -> bool:
    """Returns whether a module has neither source files nor manual changes."""
    return module.is_gone and not _has_manual_changes(module)


def _has_manual_changes(module: Module) -> bool:
    """Returns whether a module has manual changes.

    Removals count: without the module, a scan would bring the entries back.
    """
    return bool(module.told or module.dropped or module.by_person or module.is_described)


def _only(module: Module, files: Collection[str]) -> Module:
    lists = {name: tuple(path for path in module.entries_of(name) if path in files) for name in FILES}
    return replace(module, **lists)  # type: ignore[arg-type]


def _joined(
    existing: Module, module: Module, fresh: Collection[str], related: tuple[str, ...], *, is_same: bool
) -> Module:
    """Returns a known module with what a scan found of it, or of a part that was split off."""
    lists: dict[str, Any] = {
        name: union(existing.entries_of(name), (path for path in module.entries_of(name) if path in fresh))
        for name in FILES
    }
    stated = {*existing.told}
    for name in ("folders", "dependencies", "symbols", "keywords"):
        before = (
            (entry for entry in existing.entries_of(name) if entry in stated)
            if is_same
            else existing.entries_of(name)
        )
        lists[name] = union(module.entries_of(name), before)
    before = (
        tuple(entry for entry in existing.related_modules if entry in stated)
        if is_same
        else existing.related_modules
    )
    lists["related_modules"] = union(related, before)
    # an entry that a scan confirms no longer counts as manual, unless a person added it
    confirmed = {*module.files} - {*existing.by_person}
    lists["told"] = tuple(entry for entry in existing.told if entry not in confirmed)
    clean = {
        name: tuple(entry for entry in entries if entry not in existing.dropped)
        for name, entries in lists.items()
    }
    described = existing.description if existing.is_described or not is_same else module.description
    return replace(existing, description=described, **clean)  # type: ignore[arg-type]


def _settle_lists(modules: dict[str, Module], scanned: ModuleMap) -> None:
    """Moves files into the list and order in which the scan sees them now."""
    places = {
        path: (name, spot)
        for module_item in scanned.modules.values()
        for name in FILES
        for spot, path in enumerate(module_item.entries_of(name))
    }
    for key, module in modules.items():
        lists: dict[str, list[str]] = {name: [] for name in FILES}
        for name in FILES:
            for path in module.entries_of(name):
                is_told = path in module.told or path not in places
                lists[name if is_told else places[path][0]].append(path)
        ordered = {
            name: tuple(sorted(paths, key=lambda path: places[path][1] if path in places else len(places)))
            for name, paths in lists.items()
        }
        modules[key] = replace(module, **ordered)  # type: ignore[arg-type]
