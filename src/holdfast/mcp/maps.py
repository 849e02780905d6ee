"""The tool `update_module_map`: an agent records where things are, for the next one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from holdfast.core.errors import InvalidInput
from holdfast.core.module_map import DESCRIPTION_MAX, ENTRY_MAX
from holdfast.mcp.tools import ClientContext, Tool, record, text, texts

if TYPE_CHECKING:
    from holdfast.api.memory import Memory


def _update(memory: Memory, client: ClientContext, arguments: dict[str, Any]) -> dict[str, Any]:
    """Adds to one module of a map. Raises InvalidInput if neither the call nor the client has a project."""
    project = arguments.pop("project", None) or client.project
    if project is None:
        raise InvalidInput("there is no current project", code="argument_invalid", hint="give project")
    module = memory.maps.update(arguments.pop("module"), project=project, **arguments)
    return {"module": module.name, "confidence": module.confidence.value, "files": list(module.files)}


UPDATE_MODULE_MAP = Tool(
    "update_module_map",
    "Update the module map",
    "Add to the project's module map what you found out about one module: its files, entry points, tests,"
    " dependencies and purpose. Call it when you had to search for where something is, so that the next"
    " session need not. Entries are added to the known ones; nothing is lost.",
    record(
        "module",
        module=text("Name of the module, such as authentication. It is created if missing.", maxLength=200),
        project=text("Project of the map. Default: the current one.", maxLength=200),
        description=text("Purpose of the module, in a sentence.", maxLength=DESCRIPTION_MAX),
        core_files=texts("Paths of its source files, relative to the repository.", maxLength=ENTRY_MAX),
        entry_points=texts("Paths of entry points: routes, commands, handlers.", maxLength=ENTRY_MAX),
        test_files=texts("Paths of its tests.", maxLength=ENTRY_MAX),
        dependencies=texts("Packages it needs.", maxLength=ENTRY_MAX),
        related_modules=texts("Names of related modules.", maxLength=ENTRY_MAX),
        keywords=texts("Words for it in tasks.", maxLength=ENTRY_MAX),
        remove=texts("Wrong entries to remove from its lists.", maxLength=ENTRY_MAX),
    ),
    record(
        "module confidence files",
        module=text("Name of the module."),
        confidence=text("shallow, partial or mapped."),
        files=texts("All its files now."),
    ),
    _update,
    ("maps.update",),
    repeatable=True,
)
