"""Projects and their module maps in an SQL store."""

from __future__ import annotations

import json
from abc import abstractmethod
from collections.abc import Collection
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from holdfast.core.errors import Conflict, NotFound
from holdfast.stores.sql.decoding import decoding, object_of
from holdfast.stores.sql.folders import FolderReader, FolderWriter
from holdfast.stores.sql.rows import project_of

if TYPE_CHECKING:
    from holdfast.core.module_map import ModuleMap
    from holdfast.core.project_results import Purged, Share
    from holdfast.core.projects import Project
    from holdfast.core.views import View

_PURGING = ("disconnect_from_all", "take_back_all_given", "take_back_all_cited", "take_back_all_tallies",
            "forget_changes", "forget_workspaces", "drop_module_map")  # fmt: skip


class SqlProjectReader(FolderReader):
    """The mixin of the reader for projects and maps."""

    @abstractmethod
    def _row(self, name: str, values: dict[str, Any]) -> tuple[Any, ...]: ...
    @abstractmethod
    def _pool_numbers(self, view: View) -> list[int]: ...

    def project(self, view: View, name: str) -> Project | None:
        projects = map(project_of, self._dicts("project", {"name": name, "user": view.user}))
        return next((project for project in projects if self._is_in_sight(view, project)), None)

    def projects(self, view: View) -> list[Project]:
        projects = map(project_of, self._dicts("projects", {"user": view.user}))
        return [project for project in projects if self._is_in_sight(view, project)]

    def projects_apart(self, view: View) -> list[Project]:
        return [project_of(row) for row in self._dicts("projects_apart", {"user": view.user})]

    def projects_due(self, view: View, *, at: int) -> list[Project]:
        return [project_of(row) for row in self._dicts("projects_due", {"at": at})]

    def _is_in_sight(self, view: View, project: Project) -> bool:
        """Returns whether a view shows a project: it is listed, or the user has a session or the view a
        memory in it."""
        if project.listed and (not view.alone or project.owner == view.user):
            return True
        pools = self._known_pools().by_number
        inside = [n for n in self._pool_numbers(view) if pools[n].project == project.number]
        values = {"project": project.number, "owner": view.user, "pools": json.dumps(inside)}
        return bool(self._row("project_is_in_use", values)[0])

    def shares(self, view: View, project: int) -> list[Share]:
        from holdfast.core.project_results import Share

        return [Share(*row) for row in self._all("shares", {"project": project})]

    def forgotten_with_projects(self, view: View, *, before: int) -> dict[str, list[str]]:
        by_owner: dict[str, list[str]] = {}
        for owner, id in self._all("forgotten_with_projects", {"before": before}):
            by_owner.setdefault(owner, []).append(id)
        return by_owner

    def module_map(self, view: View, project: int) -> ModuleMap | None:
        rows = self._all("module_map", {"project": project}) if self._holds(view, project) else []
        return _map_of(rows[0]) if rows else None

    def _holds(self, view: View, project: int) -> bool:
        return view.holds(project, self._known_pools().closed)


class SqlProjectWriter(SqlProjectReader, FolderWriter):
    """The mixin of the writer for projects and maps."""

    @abstractmethod
    def _returned(self, name: str, values: dict[str, Any]) -> Any: ...
    @abstractmethod
    def _written(self, name: str, values: dict[str, Any]) -> list[dict[str, Any]]: ...
    @abstractmethod
    def _run_if_unique(self, name: str, values: dict[str, Any]) -> bool: ...
    @abstractmethod
    def _move_evidence(self, session: int, owner: str, project: int | None) -> None:
        """Moves the evidence of a session to a project, or to the shared pool."""

    @abstractmethod
    def _drop_empty_session(self, number: int, owner: str) -> None:
        """Deletes a session without evidence; knowledge that was kept in it stays."""

    def put_project(self, project: Project) -> Project:
        values = {
            "id": project.id,
            "name": project.name,
            "space": project.space,
            "description": project.description,
            "colour": project.colour,
            "icon": project.icon,
            "notes": project.notes,
            "system_prompt": project.system_prompt,
            "visibility": project.visibility,
            "owner": project.owner,
            "state": project.state.value,
            "purge_at": project.purge_at,
            "created_at": project.created_at,
            "updated_at": project.updated_at,
            "number": project.number,
            "deleted_at": None if project.listed else project.updated_at,
        }
        if not project.number and self._rows_of("project_with_id", values):
            raise Conflict("another project has this id", code="duplicate_text")
        if not project.number:
            project = project_of(self._written("insert_project", values)[0])
        elif not self._run_if_unique("update_project", values):
            raise Conflict("another project has this name", code="duplicate_text")
        self._reconnected()
        return project

    def drop_project(self, view: View, number: int, *, now: int) -> tuple[int, int]:
        from holdfast.core.graph import ENTITY_GONE

        owner = {"project": number, "owner": view.user}
        sessions = self._rows_of("sessions_in", owner)
        for (session,) in sessions:
            self._move_evidence(session, view.user, None)
            self._run("leave_project", {"number": session, "owner": view.user, "updated_at": now})
        forgotten = int(self._returned("count_own_in", owner))
        entities = [row[0] for row in self._rows_of("own_entities_in", owner)]
        links = [link[0] for link in self._rows_of("links_and_ends", {"ids": json.dumps(entities)})]
        values = {"ids": json.dumps(links), "gone": ENTITY_GONE, "now": now, "change": self._change}
        self._run("hide_links", values)
        self._run("forget_in_project", {**owner, "now": now, "change": self._change})
        self._run("disconnect_project", owner)
        self._reconnected()
        self._run("drop_module_map", {"project": number})
        self._run("delete_project", {"project": number, "now": now})
        return len(sessions), forgotten

    def rejoin_project(self, view: View, number: int, *, now: int) -> int:
        back = self._rows_of("rejoin_project", {"project": number, "owner": view.user, "now": now})
        for (session,) in back:
            self._move_evidence(session, view.user, number)
        return len(back)

    def purge_project(self, view: View, number: int, *, jobs: Collection[str], now: int) -> Purged:
        from holdfast.core.project_results import Purged

        inside, job_ids = {"project": number}, list(jobs)
        name = self._dicts("project_numbered", {"number": number})[0]["name"]
        numbers = [row[0] for row in self._rows_of("numbers_in_project", inside)]
        listed = {"numbers": json.dumps(numbers)}
        ids = [row[0] for row in self._rows_of("ids_of_numbers", listed)]
        self._check_not_held(ids)
        sources = [row[0] for row in self._rows_of("sources_of_numbers", listed)]
        self._run("drop_requests_of", listed)
        self._run("drop_findings_of", listed)
        self._run("unlink_all", {"ids": json.dumps(ids)})
        memories = self._erase_all(numbers)
        folders = [row[0] for row in self._rows_of("folders_only_in", inside)]
        for source in folders:
            memories += self._drop_folder(source)
            job_ids.append(source)
        sessions = self._rows_of("all_sessions_in", inside)
        for session, owner in sessions:
            self._drop_empty_session(session, owner)
        self._run("delete_jobs", {"ids": json.dumps(job_ids)})
        self._run("delete_unused_sources", {"ids": json.dumps(sources)})
        for step in _PURGING:
            self._run(step, inside)
        self._run("purge_project", {**inside, "now": now})
        self._reconnected()
        return Purged(name, memories, len(sessions), len(folders), len(numbers))

    def put_module_map(self, view: View, project: int, module_map: ModuleMap) -> None:
        if not self._holds(view, project):
            raise NotFound("there is no such project", code="project_not_found")
        data = json.dumps(module_map.as_dict(), ensure_ascii=False, separators=(",", ":"))
        values = {
            "project": project,
            "data": data,
            "version": module_map.version,
            "updated_at": module_map.updated_at,
        }
        self._run("put_module_map", values)

    def drop_module_map(self, view: View, project: int) -> None:
        if self._holds(view, project):
            self._run("drop_module_map", {"project": project})


@decoding
def _map_of(row: tuple[Any, ...]) -> ModuleMap:
    return _parsed_map(row[0])


@lru_cache(maxsize=4)
def _parsed_map(text: str) -> ModuleMap:
    """Builds a map from its JSON. Cached, since each task and each opened file reads the whole map."""
    from holdfast.core.module_map import ModuleMap

    return ModuleMap.from_dict(object_of(text))
