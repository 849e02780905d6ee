"""Resources: pinned memories of the user and of each project, single memories by id, and module maps."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, unquote

from holdfast.core.arguments import safe_repr
from holdfast.core.errors import NotFound
from holdfast.mcp import records

if TYPE_CHECKING:
    from holdfast.api.memory import Memory
    from holdfast.mcp.tools import ClientContext

MIME = "application/json"
PINNED = "holdfast://pinned"
MEMORIES = "holdfast://memories"
MAPS = "holdfast://map"
LISTED = 100
"""Most projects that are listed as resources, by name; the template reaches the others."""
PINNED_MAX = 100
"""Most pinned memories in one resource, newest first."""


@dataclass(frozen=True, slots=True)
class Resource:
    """A resource, or a template for many if its URI contains `{…}`."""

    uri: str
    name: str
    title: str
    description: str


TEMPLATES = (
    Resource(
        PINNED + "/{project}", "pinned-in-project", "Pinned in a project", "Pinned memories of one project."
    ),
    Resource(MEMORIES + "/{id}", "memory", "One memory", "One memory in full, by its id."),
    Resource(
        MAPS + "/{project}", "module-map", "Module map", "The modules of a project, with files and tests."
    ),
)


def resources_of(memory: Memory, client: ClientContext | None) -> list[Resource]:
    """Returns the resources that a client can list: pinned memories of the user, and of each project that it
    may name; of none while its place is not known."""
    about = "Memories that a person pinned"
    resources = [Resource(PINNED, "pinned", "Pinned memories", f"{about}, outside of all projects.")]
    for project in _projects(memory, client)[:LISTED]:
        uri, title = f"{PINNED}/{quote(project, safe='')}", f"Pinned in {project}"
        resources.append(Resource(uri, f"pinned in {project}", title, f"{about} in this project."))
    return resources


def read(memory: Memory, uri: str, client: ClientContext) -> str:
    """Returns the content of a resource as JSON. Raises NotFound for an unknown URI."""
    if uri == PINNED:
        return _pinned(memory, None, client)
    kind, _, rest = uri.rpartition("/")
    name = unquote(rest, errors="replace")
    if kind in (PINNED, MAPS) and name:
        client.check({"project": name})
    if kind == PINNED and name:
        return _pinned(memory, name, client)
    if kind == MEMORIES and name:
        return _json({"notice": records.NOTICE, "memory": records.full(client.own(memory, name))})
    if kind == MAPS and name:
        return _json({"notice": records.NOTICE, "map": memory.maps.get(name).as_dict()})
    raise NotFound(f"there is no resource {safe_repr(uri, 100)}", code="memory_not_found")


def projects_like(memory: Memory, client: ClientContext | None, beginning: str) -> list[str]:
    """Returns the names of projects with this prefix, to complete a URI."""
    return [name for name in _projects(memory, client) if name.startswith(beginning)][:LISTED]


def _projects(memory: Memory, client: ClientContext | None) -> list[str]:
    """Returns the names of the projects that the client may read."""
    if client is None:
        return []
    names = [project.name for project in memory.projects.list()]
    return [name for name in names if not client.is_bound or name == client.project]


def _pinned(memory: Memory, project: str | None, client: ClientContext) -> str:
    page = memory.list(project=project, pinned=True, limit=PINNED_MAX, personal=client.has_personal)
    return _json(records.framed(map(records.brief, page.memories)))


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2)
