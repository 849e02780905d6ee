"""The part of the store protocol for projects and their module maps."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from holdfast.core.module_map import ModuleMap
    from holdfast.core.project_results import Purged, Share
    from holdfast.core.projects import Project
    from holdfast.core.views import View


class ProjectReader(Protocol):
    """Reads projects."""

    def project(self, view: View, name: str) -> Project | None:
        """Returns a listed project, or a deleted one in which the view still sees a memory: the user's own of
        this name, else that of everybody. For a user who is alone one that another created is there only
        while they see something in it.
        """

    def projects(self, view: View) -> list[Project]:
        """Returns all such projects, by name."""

    def projects_apart(self, view: View) -> list[Project]:
        """Returns the projects that are the user's alone with their names, deleted ones too."""

    def projects_due(self, view: View, *, at: int) -> list[Project]:
        """Returns the projects of the whole tenant that are to be purged by a time, whoever owns them."""

    def shares(self, view: View, project: int) -> list[Share]:
        """Returns what each person of the tenant has in a project, by name. Numbers only."""

    def forgotten_with_projects(self, view: View, *, before: int) -> dict[str, list[str]]:
        """Returns the ids of memories that were forgotten with a deleted project up to a time, by owner, of
        the whole tenant."""

    def module_map(self, view: View, project: int) -> ModuleMap | None:
        """Returns the map of a project by its number, if there is one and the view includes the project
        (S4.1).
        """


class ProjectWriter(ProjectReader, Protocol):
    """Writes projects."""

    def put_project(self, project: Project) -> Project:
        """Creates (number 0) or updates a project and returns it with its number. Raises Conflict
        `duplicate_text` for the id or name of another one.
        """

    def drop_project(self, view: View, number: int, *, now: int) -> tuple[int, int]:
        """Deletes a project; memories of the user leave it, those of others stay (S0.30). Returns how many
        sessions left it and how many memories of the user were forgotten.
        """

    def rejoin_project(self, view: View, number: int, *, now: int) -> int:
        """Brings the sessions of the user back that left a project when it was deleted, and are in no other
        since. Returns their number."""

    def purge_project(self, view: View, number: int, *, jobs: Collection[str], now: int) -> Purged:
        """Erases a project and everything in it, whoever wrote it: memories with all versions, sessions, map,
        deliveries, the folders and imports that are nowhere else, and these jobs. Its row stays, without its
        name, as other processes know it by its number."""

    def put_module_map(self, view: View, project: int, module_map: ModuleMap) -> None:
        """Stores the map of a project, replacing the previous one. Raises NotFound `project_not_found` if
        the view does not include the project.
        """

    def drop_module_map(self, view: View, project: int) -> None:
        """Deletes the map of a project, if it has one and the view includes the project."""
