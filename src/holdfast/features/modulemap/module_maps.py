"""Scans, returns, matches and updates module maps; each change is one transaction."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from holdfast.core.arguments import checked_count, checked_list, safe_repr
from holdfast.core.errors import InvalidInput, NotFound, Refusal
from holdfast.core.folders import Folder
from holdfast.core.module_map import MODULES_MAX, Module, ModuleMap
from holdfast.core.places import Visibility, usable_name
from holdfast.core.projects import Project
from holdfast.core.spans import Value, spanned
from holdfast.core.views import personal_view
from holdfast.features.access.places import PlaceResolver
from holdfast.features.access.reach import check_reaches, reaches
from holdfast.features.modulemap.changes import (
    against_person,
    bounded,
    followed,
    rescanned,
    updated,
    with_accesses,
)
from holdfast.features.modulemap.findings import Scan, Scanned, Seed
from holdfast.features.modulemap.match import Match, Similar, match
from holdfast.features.service import Service
from holdfast.stores.base.ports import Embedder, Reader, Writer

if TYPE_CHECKING:
    from holdfast.core.record import Kept

TASK_MAX = 20_000
"""Most characters of a task."""
MATCHES_MAX = 50
"""Most modules of one match."""
SEED_KEY = "map-seed:"
"""Prefix of the external ids of proposed conventions, by which each is proposed once."""
SEED_CONFIDENCE = 0.7


def _matches_attributes(matches: list[Match]) -> dict[str, Value]:
    return {"hits": len(matches)}


def _scan_attributes(scanned: Scanned) -> dict[str, Value]:
    return {"modules": len(scanned.map.modules)}


# reading


def get_map(service: Service, project: str) -> ModuleMap:
    """Returns the map of a project (S4.1). Raises NotFound `project_not_found` or `map_not_found`."""
    with service.store.read() as snap:
        return _existing_map(snap, service, _project(snap, service, project))


@spanned("match_modules", _matches_attributes)
def match_task(service: Service, project: str, task: str, *, limit: int = 3) -> list[Match]:
    """Returns the modules of a project that match a task, best first (S4.11). Raises NotFound,
    InvalidInput."""
    if not isinstance(task, str) or not task.strip():
        raise InvalidInput("the task is empty", code="query_empty")
    if len(task) > TASK_MAX:
        raise InvalidInput(f"a task has at most {TASK_MAX:,} characters", code="text_too_long")
    if not 1 <= checked_count(limit, "limit") <= MATCHES_MAX:
        raise InvalidInput(f"limit is from 1 to {MATCHES_MAX}", code="limit_invalid")
    return match(get_map(service, project), task, limit=limit, similar=similar_by(service.embedder))


def similar_by(embedder: Embedder) -> Similar | None:
    """Returns a comparison by an embedder, or None for a remote one.

    A map is matched before every task, and all its modules would be sent each time.
    """
    if not embedder.local:
        return None

    def similar(task: str, descriptions: Sequence[str]) -> Sequence[float]:
        try:
            rows = embedder.embed([*descriptions])
            cosines: list[float] = (rows @ embedder.embed([task], query=True)[0]).tolist()
        except Exception:  # an embedder may fail in any way; the match then uses words only
            return [0.0] * len(descriptions)
        return cosines

    return similar


# changing


@spanned("scan_map", _scan_attributes)
def put_scan(service: Service, project: str, scan: Scan, *, seed: bool = True) -> Scanned:
    """Merges a scan into the map of a project, which is created if missing (S4.4, S4.9, S4.10).

    New conventions are proposed for review, each once (S4.7). Every text passes the sanitizer; a path with a
    secret is omitted.
    """
    from holdfast.features.modulemap.sanitizer import cleaned_map, is_path

    if not isinstance(scan, Scan):
        raise InvalidInput(
            f"findings must be those of a scan, not {safe_repr(scan)}", code="argument_invalid"
        )
    name = usable_name(project, "project")
    scanned = cleaned_map(service.admission, replace(scan.module_map, project=name))
    files = [path for path in scan.files if is_path(path)]
    mapped = {path for item in scanned.modules.values() for path in item.files}
    renamed = {old: new for old, new in scan.renamed.items() if new in mapped}
    before: list[ModuleMap] = []

    def change(old: ModuleMap | None) -> ModuleMap:
        before[:] = [] if old is None else [old]
        return scanned if old is None else rescanned(old, scanned, files, renamed)

    stored = _changed(service, name, "scan_map", change, make=True, detail={"files": len(files)})
    previous = before[0].modules if before else {}
    proposed, repeated = _propose(service, name, scan.seeds) if seed else (0, 0)
    return Scanned(
        stored,
        tuple(item for item in stored.modules if item not in previous),
        tuple(item for item in previous if item not in stored.modules),
        proposed,
        repeated,
    )


def restore_map(service: Service, project: str, module_map: ModuleMap) -> ModuleMap:
    """Stores the map of a project as it was in another store, sanitized again; a map that is there already
    stays as it is."""
    from holdfast.features.modulemap.sanitizer import cleaned_map

    name = usable_name(project, "project")
    cleaned = cleaned_map(service.admission, replace(module_map, project=name))

    def change(old: ModuleMap | None) -> ModuleMap:
        return cleaned if old is None else old

    return _changed(service, name, "scan_map", change, make=True, detail={})


def update_module(
    service: Service,
    project: str,
    module: str,
    *,
    description: str | None = None,
    add: Mapping[str, Sequence[str]] | None = None,
    remove: Sequence[str] = (),
) -> Module:
    """Merges an update into one module, which is created if missing; unnamed entries stay (S4.10).

    Raises InvalidInput `map_invalid`, NotFound for removals from a missing module, and Refusal
    `edited_by_person` for a machine that would undo a person's change: then nothing is stored (S4.53).
    """
    from holdfast.features.admission.names import checked_name
    from holdfast.features.modulemap.sanitizer import check_orders, cleaned_update

    name = checked_name(module, "module")
    check_orders([name])
    module_update = cleaned_update(service.admission, description, add or {}, remove)
    if module_update.is_empty:
        raise InvalidInput("there is nothing to change", code="nothing_to_change")

    by_machine = service.principal.is_machine

    def change(old: ModuleMap | None) -> ModuleMap:
        whole = old or ModuleMap(project)
        if name not in whole.modules:
            if not any(module_update.add.values()) and module_update.description is None:
                raise _no_module(name)
            if len(whole.modules) >= MODULES_MAX:
                raise InvalidInput(f"a map has at most {MODULES_MAX} modules", code="map_invalid")
        elif by_machine and (barred := against_person(whole.modules[name], module_update)):
            raise Refusal(
                f"a person added or removed {', '.join(safe_repr(entry, 80) for entry in barred[:3])} in"
                f" module {safe_repr(name)}; a machine may not change that",
                code="edited_by_person",
                hint="omit it from the update, or ask the user to change it: holdfast map update",
            )
        return updated(whole, name, module_update, by_person=not by_machine)

    detail = {"added": sum(map(len, module_update.add.values())), "removed": len(module_update.remove)}
    return _changed(service, project, "update_module", change, make=True, detail=detail).modules[name]


def note_opened(service: Service, project: str, paths: Collection[str], session: str) -> ModuleMap:
    """Records the files that a session opened (S4.8), which may raise the confidence of modules (S4.9).

    Raises NotFound if there is no map.
    """
    from holdfast.features.modulemap.sanitizer import cleaned_paths

    opened = cleaned_paths(service.admission, checked_list(paths, "paths"))
    # sessions of two users with the same id are different
    mark = f"{service.principal.user}\n{usable_name(session, 'session')}"

    def change(old: ModuleMap | None) -> ModuleMap:
        assert old is not None  # or _changed has raised
        return with_accesses(old, opened, mark)

    return _changed(service, project, "open_files", change, make=False, detail={"files": len(opened)})


def follow_files(
    service: Service, folder: Folder, renamed: Mapping[str, str], removed: Collection[str]
) -> dict[str, tuple[str, ...]]:
    """Updates the maps of a folder's projects with renamed and removed files, and with removed ones that are
    back.

    A map of another root is left alone: the folder has less than half of its files. Returns the modules that
    lost all their source files, by project.
    """
    emptied: dict[str, tuple[str, ...]] = {}
    view = personal_view(service.principal)
    for project in folder.projects:
        try:
            stored = get_map(service, project)
        except NotFound:
            continue
        paths = {path for module in stored.modules.values() for path in module.files}
        lost = {path for module in stored.modules.values() for part in module.lost.values() for path in part}
        if not (renamed or removed or lost):
            continue
        with service.store.read() as snap:
            present = snap.named_files(view, folder.id, paths).keys() | (paths & {*removed, *renamed})
            back = snap.named_files(view, folder.id, lost)
        if 2 * len(present) < len(paths):
            continue

        def change(old: ModuleMap | None, back: Collection[str] = back) -> ModuleMap:
            assert old is not None  # or _changed has raised
            return followed(old, renamed, removed, back)

        detail = {"renamed": len(renamed), "removed": len(removed)}
        with suppress(NotFound):  # it was deleted meanwhile
            now = _changed(service, project, "follow_files", change, make=False, detail=detail)
            were = {name for name, module in stored.modules.items() if module.is_gone}
            if new := tuple(
                name for name, module in now.modules.items() if module.is_gone and name not in were
            ):
                emptied[project] = new
    return emptied


def delete_map(service: Service, project: str) -> None:
    """Deletes the map of a project with all manual changes.

    Raises NotFound, and Refusal `person_needed` for an agent or a service.
    """
    if service.principal.is_machine:
        raise Refusal("only a person deletes a module map", code="person_needed")
    now = service.clock()
    with service.store.write() as tx:
        known_project = _project(tx, service, project)
        _existing_map(tx, service, known_project)
        tx.drop_module_map(personal_view(service.principal), known_project.number)
        _event(service, tx, now, "delete_map", known_project, {})
    service.store.scrub()


def _changed(
    service: Service,
    project: str,
    action: str,
    change: Callable[[ModuleMap | None], ModuleMap],
    *,
    make: bool,
    detail: dict[str, Any],
) -> ModuleMap:
    """Reads, changes and writes the map in one transaction, so that no concurrent change is lost."""
    now = service.clock()
    view = personal_view(service.principal)
    with service.store.write() as tx:
        known_project = (
            PlaceResolver(service, tx, now).project(project) if make else _project(tx, service, project)
        )
        if make:
            check_reaches(service, known_project)
        old = tx.module_map(view, known_project.number) if reaches(service, known_project) else None
        if old is None and not make:
            raise _no_map(project)
        new = change(old)
        if old is not None and new == old:
            return old
        new = bounded(
            replace(new, project=known_project.name, version=(old.version if old else 0) + 1, updated_at=now)
        )
        tx.put_module_map(view, known_project.number, new)
        detail = {**detail, "version": new.version, "modules": len(new.modules)}
        _event(service, tx, now, action, known_project, detail)
        return new


def _event(
    service: Service, tx: Writer, now: int, action: str, project: Project, detail: dict[str, Any]
) -> None:
    tx.add_event(at=now, actor=service.principal.label, action=action, subject=project.id, detail=detail)


def _project(reader: Reader, service: Service, name: str) -> Project:
    known_project = reader.project(personal_view(service.principal), usable_name(name, "project"))
    if known_project is None:
        raise NotFound(f"there is no project {name!r}", code="project_not_found")
    return known_project


def _existing_map(reader: Reader, service: Service, project: Project) -> ModuleMap:
    """Returns the map of a project under the project's present name. Raises NotFound `map_not_found`, also
    for a project of another user where users share nothing."""
    view = personal_view(service.principal)
    known_map = reader.module_map(view, project.number) if reaches(service, project) else None
    if known_map is None:
        raise _no_map(project.name)
    return replace(known_map, project=project.name)


def _no_map(project: str) -> NotFound:
    """Returns the error for a project without a map, with the command that creates one."""
    return NotFound(
        f"project {project!r} has no module map",
        code="map_not_found",
        hint=f"create one: holdfast map scan --project {project}",
    )


def _no_module(name: str) -> NotFound:
    return NotFound(f"the map has no module {safe_repr(name)}", code="module_not_found")


# conventions to review


def _propose(service: Service, project: str, seeds: Sequence[Seed]) -> tuple[int, int]:
    """Stores conventions as pending memories by the one write path.

    Returns the number of new ones, and of those known or refused. A convention that a person decided about is
    not proposed again.
    """
    from holdfast.core.record import Origin
    from holdfast.features.admission.draft import Draft
    from holdfast.features.memories.remember import remember_many

    if not seeds:
        return 0, 0
    keys = {f"{SEED_KEY}{seed.key}" for seed in seeds}
    existing = _seeds_known(service, project, keys)
    drafts = [
        Draft(
            seed.text, "convention", project=project, taken_from=Origin.FILE, status="pending",
            external_id=f"{SEED_KEY}{seed.key}", metadata={"file": seed.file}, tags=["map-seed"],
            confidence=SEED_CONFIDENCE, visibility=_seed_visibility(service).value,
        )
        for seed in seeds
        if f"{SEED_KEY}{seed.key}" not in existing
    ]  # fmt: skip
    results: list[Kept] = remember_many(service, drafts) if drafts else []
    new = sum(result.outcome.value in ("created", "pending", "redacted") for result in results)
    return new, len(seeds) - new


def _seed_visibility(service: Service) -> Visibility:
    """Returns who sees proposed conventions: the project, or the user alone where users share nothing."""
    return Visibility.PROJECT if service.shares else Visibility.PRIVATE


def _seeds_known(service: Service, project: str, keys: set[str]) -> set[str]:
    """Returns the external ids that exist in the project already, whatever was decided about them."""
    from holdfast.core.places import Place
    from holdfast.core.views import GONE, place_view

    with service.store.read() as snap:
        known_project = snap.project(personal_view(service.principal), project)
        if known_project is None:
            return set()
        place = Place(service.principal.user, _seed_visibility(service), project=known_project.number)
        view = place_view(place, "convention", GONE)
        return {key for key in keys if snap.keyed(view, key, limit=1, now=service.clock())}
