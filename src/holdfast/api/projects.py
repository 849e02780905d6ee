"""Projects of a tenant: the operations of `Memory.projects`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypedDict, Unpack

from holdfast.api.operation import Area, Parameter, operation
from holdfast.core.project_results import Contents, Moved, Purged
from holdfast.core.projects import Project, Removed, Reopened
from holdfast.core.summaries import ProjectSummary
from holdfast.features.access.access import Need
from holdfast.features.projects import projects


class Settings(TypedDict, total=False):
    """Settings of a project; omitted ones stay unchanged, None clears."""

    description: str | None
    colour: str | None
    icon: str | None
    notes: str | None
    system_prompt: str | None
    visibility: str | None


class Projects(Area):
    """Projects of the tenant: isolated places for sessions and memories."""

    @operation("POST /projects", Need.WRITE, command="projects create", patch=True, errors=(409,))
    def create(self, name: str, **settings: Unpack[Settings]) -> Project:
        """Creates a project, or adds settings to one of yours (description, colour, icon, notes,
        system_prompt); `update` replaces them. Raises Conflict `project_exists`. `visibility` (private, team
        or project) is that of what is kept in it from now on without one of its own; only an owner or admin
        changes it, and no agent.
        """
        return projects.create_project(self._service, name, settings)

    @operation("GET /projects/{name}", Need.READ, command="projects show", tail=True)
    def get(self, name: str) -> Project:
        """Returns one project. Raises NotFound."""
        return projects.get_project(self._service, name)

    @operation(
        "GET /projects/{name}/summary", Need.READ, command="projects summary", tail=True,
        params={"limit": Parameter(minimum=1, maximum=1000)},
    )  # fmt: skip
    def summary(self, name: str, *, limit: int = 10) -> ProjectSummary:
        """Returns the overview of a project: what your latest conversations in it are about, the last changed
        first, each in up to three lines, word for word. Raises NotFound.
        """
        from holdfast.features.sessions.summaries import project_summary

        return project_summary(self._service, name, limit=limit)

    @operation("GET /projects", Need.READ, command="projects list", key="projects")
    def list(self, *, archived: bool = False) -> Sequence[Project]:
        """Returns the projects by name, or with `archived` those that are archived."""
        return projects.list_projects(self._service, archived=archived)

    @operation("PATCH /projects/{name}", Need.WRITE, command="projects update", tail=True, patch=True)
    def update(self, name: str, **settings: Unpack[Settings]) -> Project:
        """Changes the given settings of a project and leaves the others. Only who created it, and an owner
        or admin of the team, may. Raises NotFound, AccessDenied `not_yours`.
        """
        return projects.update_project(self._service, name, settings)

    @operation("DELETE /projects/{name}", Need.PROJECTS, command="projects delete", tail=True)
    def delete(self, name: str) -> Removed:
        """Deletes a project. Your sessions in it move to the shared pool, your other memories in it are
        forgotten; the outcome counts both. Memories of other users stay visible to them. `restore` brings
        yours back, until a service or worker erases them as the setting `purge_days` says. See also `archive`
        and `purge`. Raises NotFound.
        """
        return projects.delete_project(self._service, name)

    @operation("POST /projects/{name}/restore", Need.PROJECTS, command="projects restore", tail=True)
    def restore(self, name: str) -> Reopened:
        """Brings a deleted project back with your sessions and memories that were in it, but without its
        settings, map and folders. What you kept again meanwhile is left out and counted. Raises NotFound if
        nothing of yours was deleted with it.
        """
        from holdfast.features.projects.restoring import restore_project

        return restore_project(self._service, name)

    @operation("GET /projects/{name}/contents", Need.READ, command="projects show", tail=True)
    def contents(self, name: str) -> Contents:
        """Returns how much a project holds, by person: of everybody for an owner or admin, else your own
        share. Raises NotFound.
        """
        from holdfast.features.projects import closing

        return closing.project_contents(self._service, name)

    @operation("POST /projects/{name}/archive", Need.PROJECTS, command="projects archive", tail=True)
    def archive(self, name: str, *, purge_after: int | None = None) -> Project:
        """Hides a project from everybody, with all that is in it, until it is unarchived: from lists, recall
        and every other reading. Nothing can be kept in it, and nothing is lost, unless `purge_after` so many
        days a service or worker shall purge it. Archived again without it, a project keeps the purge that is
        planned; unarchiving cancels it. Raises NotFound.
        """
        from holdfast.features.projects import closing

        return closing.archive_project(self._service, name, purge_after=purge_after)

    @operation("POST /projects/{name}/unarchive", Need.PROJECTS, command="projects unarchive", tail=True)
    def unarchive(self, name: str) -> Project:
        """Brings an archived project back as it was. Raises NotFound."""
        from holdfast.features.projects import closing

        return closing.unarchive_project(self._service, name)

    @operation(
        "POST /projects/{name}/switch", Need.PROJECTS, command=("projects on", "projects off"), tail=True,
        errors=(409,),
    )  # fmt: skip
    def switch(self, name: str, on: bool) -> Project:
        """Switches memory on or off in a project. In one that is off nothing is recalled and nothing is kept,
        for nobody; what is there stays. Raises NotFound, Conflict.
        """
        from holdfast.features.projects import closing

        return closing.switch_project(self._service, name, on)

    @operation(
        "POST /projects/{name}/rename", Need.PROJECTS, command="projects rename", tail=True, errors=(409,)
    )
    def rename(self, name: str, to: str) -> Project:
        """Gives a project another name, in API keys too. Raises NotFound, Conflict `project_exists`."""
        from holdfast.features.projects import closing

        return closing.rename_project(self._service, name, to)

    @operation("POST /projects/{name}/purge", Need.PROJECTS, command="projects purge", tail=True, erases=True)
    def purge(self, name: str) -> Purged:
        """Erases a project with everything in it, of everybody, so that no byte is left: conversations,
        memories, entities, facts, map, jobs, records of deliveries, and the folders and imports that are
        nowhere else. This cannot be undone. Only an owner or admin in person may. Raises NotFound.
        """
        from holdfast.features.projects import closing

        return closing.purge_project(self._service, name)

    @operation("POST /projects/{source}/move", Need.WRITE, command="projects move", tail=True, errors=(409,))
    def move(self, source: str, target: str) -> Moved:
        """Moves all that is yours in a project to another: conversations, memories, entities. Raises
        NotFound; Conflict `duplicate_text`, and moves nothing, if the other has the same already.
        """
        from holdfast.features.projects.moving import move_all

        return move_all(self._service, source, target)

    @operation(
        "POST /projects/{source}/retag", Need.WRITE, command="projects retag", key="moved", tail=True,
        errors=(409,),
    )  # fmt: skip
    def retag(self, source: str, target: str, *, kinds: Sequence[str] = ("entity",)) -> int:
        """Moves entities (or other kinds of knowledge) from one project to another. Raises Conflict
        `duplicate_text`, and moves nothing, if the other has the same already.
        """
        from holdfast.features.projects.retagging import retag

        return retag(self._service, source, target, kinds)
