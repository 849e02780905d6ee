"""Projects of a tenant: the operations of `Memory.projects`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypedDict, Unpack

from holdfast.api.operation import Area, operation
from holdfast.core.projects import Project, Removed
from holdfast.features.access.access import Need
from holdfast.features.projects import projects


class Settings(TypedDict, total=False):
    """Settings of a project; omitted ones stay unchanged, None clears."""

    description: str | None
    colour: str | None
    icon: str | None
    notes: str | None
    system_prompt: str | None


class Projects(Area):
    """Projects of the tenant: isolated places for sessions and memories."""

    @operation("POST /projects", Need.WRITE, command="projects create", patch=True)
    def create(self, name: str, **settings: Unpack[Settings]) -> Project:
        """Creates a project, or updates the settings of an existing one (description, colour, icon, notes,
        system_prompt).
        """
        return projects.create_project(self._service, name, settings)

    @operation("GET /projects/{name}", Need.READ, command="projects show", tail=True)
    def get(self, name: str) -> Project:
        """Returns one project. Raises NotFound."""
        return projects.get_project(self._service, name)

    @operation("GET /projects", Need.READ, command="projects list", key="projects")
    def list(self) -> Sequence[Project]:
        """Returns all projects by name."""
        return projects.list_projects(self._service)

    @operation("PATCH /projects/{name}", Need.WRITE, command="projects update", tail=True, patch=True)
    def update(self, name: str, **settings: Unpack[Settings]) -> Project:
        """Changes the given settings of a project and leaves the others."""
        return projects.update_project(self._service, name, settings)

    @operation("DELETE /projects/{name}", Need.MANAGE, command="projects delete", tail=True)
    def delete(self, name: str) -> Removed:
        """Deletes a project. Your sessions in it move to the shared pool, your other memories in it are
        forgotten; the outcome counts both. Memories of other users stay visible to them. Raises NotFound.
        """
        return projects.delete_project(self._service, name)

    @operation(
        "POST /projects/{source}/retag", Need.WRITE, command="projects retag", key="moved", tail=True,
        errors=(409,),
    )  # fmt: skip
    def retag(self, source: str, target: str, *, kinds: Sequence[str] = ("entity",)) -> int:
        """Moves entities (or other kinds of knowledge) from one project to another. Raises Conflict
        `duplicate_text`, and moves nothing, if the other has the same already.
        """
        return projects.retag(self._service, source, target, kinds)
