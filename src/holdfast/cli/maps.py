"""`holdfast map`: what a codebase consists of, where each part is, and which part a task is about."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from holdfast.cli import output
from holdfast.cli.face import Face, Usage, ask, group, pass_face, project_option, yes_option
from holdfast.cli.inputs import text_given
from holdfast.cli.places import looked_up, note_missing, project_meant, project_of_folder
from holdfast.cli.progress import progress

if TYPE_CHECKING:
    from collections.abc import Sequence

    from holdfast.api.memory import Memory
    from holdfast.core.module_map import Module, ModuleMap
    from holdfast.features.modulemap.findings import Scanned

SHOWN = 4
"""Files of one kind that the summary of a module names."""


@group("map")
def map_() -> None:
    """Scan, show, match and update the module map of a project."""


@map_.command()
@click.argument("path", type=click.Path(), default=".")
@project_option
@click.option("--no-seed", is_flag=True, help="Do not propose conventions for review.")
@pass_face
def scan(face: Face, path: str, project: str | None, no_seed: bool) -> None:
    """Create or update the map of the folder PATH (default: the current folder).

    It uses no model and runs no code of the folder. The project is --project, or that of the folder; if the
    folder has none, a project with its name is created. What agents and people added to modules stays.
    """
    with face.open(create=True) as memory, progress("Files read") as advance:
        name = project_of_folder(memory, path, project)
        before = 0

        def report_progress(done: int, _: int) -> None:
            nonlocal before
            advance(done - before)
            before = done

        scanned = memory.maps.scan(path, project=name, seed=not no_seed, progress=report_progress)
    if face.json:
        output.json(scanned.as_dict())
    else:
        _summary(scanned)


@map_.command()
@click.argument("module", required=False)
@project_option
@pass_face
def show(face: Face, module: str | None, project: str | None) -> None:
    """Show the map of a project, or everything about MODULE.

    A module is `shallow` if only a scan has seen it, `partial` if somebody has worked with it or described
    it, and `mapped` if several sessions have worked with its files.
    """
    from holdfast.core.errors import NotFound

    with face.open() as memory:
        code_map = _map_of(memory, project)
    if module is not None and module not in code_map.modules:
        hint = f"such as {', '.join([*code_map.modules][:12])}"
        raise NotFound(f"the map has no module {module!r}", code="module_not_found", hint=hint)
    shown = code_map if module is None else code_map.modules[module]
    if face.json:
        output.json(shown.as_dict())
    elif module is not None:
        _show_module(code_map.modules[module])
    else:
        _head(code_map)
        for each_module in code_map.modules.values():
            _brief(each_module)


@map_.command()
@click.argument("task", nargs=-1)
@project_option
@click.option(
    "--limit", "-n", type=int, default=3, metavar="N", help="Maximum number of modules (default 3)."
)
@pass_face
def match(face: Face, task: tuple[str, ...], project: str | None, limit: int) -> None:
    """Find the modules that TASK concerns, best first, with their files and the reason."""
    text = text_given(task, None, pipe=True)
    if text is None:
        raise Usage("there is no task", 'say what is to be done: holdfast map match "bug in the auth system"')
    with face.open() as memory:
        name = _project_of(memory, project)
        missing = note_missing(memory, {"project": project})
        matches = [] if missing else memory.maps.match(text, project=name, limit=limit)
    if face.json:
        output.json({"matches": [match.as_dict() for match in matches]})
        return
    if not matches:
        output.say("No modules match.")
    for match in matches:
        _brief(match.module)
        output.say(f"  Why: {', '.join(match.why)}", dim=True)


@map_.command()
@click.argument("module")
@project_option
@click.option("--description", metavar="TEXT", help="What it is for; replaces the current description.")
@click.option("--core-file", "core_files", metavar="PATH", multiple=True, help="A core file.")
@click.option("--entry-point", "entry_points", metavar="PATH", multiple=True, help="An entry point.")
@click.option(
    "--frontend-file", "frontend_files", metavar="PATH", multiple=True, help="A file of the user interface."
)
@click.option("--test-file", "test_files", metavar="PATH", multiple=True, help="A test file.")
@click.option("--config-file", "config_files", metavar="PATH", multiple=True, help="A configuration file.")
@click.option("--doc-file", "doc_files", metavar="PATH", multiple=True, help="A documentation file.")
@click.option(
    "--dependency", "dependencies", metavar="NAME", multiple=True, help="A package that it depends on."
)
@click.option("--related", "related_modules", metavar="MODULE", multiple=True, help="A related module.")
@click.option("--symbol", "symbols", metavar="NAME", multiple=True, help="A class or function in it.")
@click.option("--keyword", "keywords", metavar="WORD", multiple=True, help="A word that tasks use for it.")
@click.option("--remove", metavar="ENTRY", multiple=True, help="Remove this entry from all its lists.")
@pass_face
def update(face: Face, module: str, project: str | None, **entries: Any) -> None:
    """Update the description of MODULE. Entries are added; --remove removes them."""
    with face.open(create=True) as memory:
        updated = memory.maps.update(module, project=_project_of(memory, project), **entries)
    if face.json:
        output.json(updated.as_dict())
    else:
        _show_module(updated)


@map_.command()
@click.argument("paths", nargs=-1, required=True)
@project_option
@click.option("--session", metavar="ID", required=True, help="The session that worked with them.")
@pass_face
def opened(face: Face, paths: tuple[str, ...], project: str | None, session: str) -> None:
    """Record that a session read or changed PATHS, which adds new files to modules and raises their
    confidence."""
    with face.open() as memory:
        name = _project_of(memory, project)
        with looked_up(memory, name):
            code_map = memory.maps.opened(paths, project=name, session=session)
    if face.json:
        output.json(code_map.as_dict())
    else:
        _head(code_map)


@map_.command()
@project_option
@yes_option
@pass_face
def delete(face: Face, project: str | None, yes: bool) -> None:
    """Delete the map of a project, with all its descriptions."""
    with face.open() as memory:
        name = _map_of(memory, project).project
        ask(f"Remove the module map of project {name!r}?", yes)
        memory.maps.delete(name)
    face.done({"project": name, "deleted": True}, f"Removed: the module map of {name}")


def _project_of(memory: Memory, project: str | None) -> str:
    return project_meant(memory, project, "the map of which project?")


def _map_of(memory: Memory, project: str | None) -> ModuleMap:
    name = _project_of(memory, project)
    with looked_up(memory, name):
        return memory.maps.get(name)


def _summary(scanned: Scanned) -> None:
    """Shows what a scan found and changed."""
    code_map = scanned.map
    _head(code_map)
    files = output.pluralize(sum(len(module.files) for module in code_map.modules.values()), "file")
    output.done(
        f"Scanned: {files} in {output.pluralize(len(code_map.modules), 'module')}, version {code_map.version}"
    )
    rows = [
        (module.name, _state(module).partition(":")[0], str(len(module.files)), next(iter(module.files), ""))
        for module in code_map.modules.values()
    ]
    output.table(("module", "confidence", "files", "first file"), rows)
    if scanned.removed:
        output.note(f"Gone: {', '.join(scanned.removed)}")
    for line in code_map.notes[:5]:
        output.note(line)
    if scanned.prompt is not None:
        output.say(f"{scanned.prompt} holdfast review --project {code_map.project}", bold=True)


def _head(module_map: ModuleMap) -> None:
    """Shows what a map says of the project as a whole."""
    modules = output.pluralize(len(module_map.modules), "module")
    output.say(f"{module_map.project}: {modules}, {module_map.coverage:.0%} of them mapped", bold=True)
    for service in module_map.services:
        made = ", ".join(
            filter(None, [service.type, service.framework, service.language, service.package_manager])
        )
        output.say(f"  {service.name} ({service.path}): {made}")
    build, tests, ships = module_map.build_system, module_map.test_framework, module_map.infrastructure
    lines = "; ".join(f"{name}: {line}" for name, line in build.commands.items()) if build else ""
    lines_by_title = {
        "Monorepo": module_map.monorepo or "",
        "Build": f"{build.tool}" + (f" ({lines})" if lines else "") if build else "",
        "Tests": f"{tests.tool}: {tests.run_command or 'no command found'}" if tests else "",
        "Style": ", ".join(module_map.conventions),
        "Runs on": ", ".join((*ships.deployment, *ships.ci, *ships.compose_services)),
    }
    for title, text in lines_by_title.items():
        if text:
            output.say(f"  {title}: {text}")


def _brief(module: Module) -> None:
    """Shows a module in a few lines."""
    output.say()
    output.say(f"{module.name}  [{_state(module)}]", bold=True)
    if module.description:
        output.say(f"  {output.one_line(module.description, 96)}")
    for title, paths in (
        ("Files", module.core_files), ("Entry", module.entry_points), ("Frontend", module.frontend_files),
    ):  # fmt: skip
        if paths:
            output.say(f"  {title}: {_shortened(paths)}")
    details = (
        ("Tests", module.test_files),
        ("Deps", module.dependencies),
        ("Related", module.related_modules),
    )
    parts = [f"{title}: {_shortened(entries)}" for title, entries in details if entries]
    if parts:
        output.say("  " + " | ".join(parts))


def _state(module: Module) -> str:
    return "gone: no file that does its work is left" if module.is_gone else module.confidence.value


def _show_module(module: Module) -> None:
    """Shows everything that is known of a module."""
    output.say(f"{module.name}  [{_state(module)}]", bold=True)
    for name, value in module.as_dict().items():
        if value and value is not True and name not in ("name", "confidence", "sessions"):
            output.say(name.replace("_", " "), dim=True)
            for entry in [value] if isinstance(value, str) else value:
                output.say(f"  {entry}")


def _shortened(entries: Sequence[str]) -> str:
    more = f" (+{len(entries) - SHOWN} more)" if len(entries) > SHOWN else ""
    return ", ".join(entries[:SHOWN]) + more
