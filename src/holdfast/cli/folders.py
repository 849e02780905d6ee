"""`holdfast folders`: folders whose files are indexed for projects, and what is in them."""

from __future__ import annotations

import shlex
import sys
import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from holdfast.cli import output
from holdfast.cli.completed_names import folder_names
from holdfast.cli.face import Face, ask, completing, listing_group, pass_face, yes_option
from holdfast.cli.folder_named import folder_given, folder_here, homes_of
from holdfast.cli.places import check_may_give, looked_up
from holdfast.core.arguments import LIMIT_MAX
from holdfast.core.folders import FileState

if TYPE_CHECKING:
    from holdfast.api.memory import Memory
    from holdfast.core.folders import File, Indexed
    from holdfast.core.jobs import Job

SAID_EVERY = 10.0
"""Seconds between two lines that say how far reading is."""
UNCLOSED_SHOWN = 20
"""Files that are named of which the end was left out."""


folder_argument = click.argument("folder", shell_complete=completing(folder_names))


@listing_group()
def folders() -> None:
    """Index folders of code and documents, to recall what is in them.

    FOLDER is a name from `holdfast folders list`, an id, or a path such as `.`.
    """


project_names = click.option(
    "--project", "projects", metavar="NAME", multiple=True,
    help="A project (default: the folder's, or else one with its name; may be repeated).",
)  # fmt: skip


@folders.command()
@click.argument("path", type=click.Path())
@project_names
@click.option("--name", metavar="NAME", help="What to call it (default: the name of the folder).")
@click.option("--include", metavar="GLOB", multiple=True, help="Only files like this (may be repeated).")
@click.option("--exclude", metavar="GLOB", multiple=True, help="No files like this (may be repeated).")
@click.option("--visibility", metavar="WHO", default="private", help="private (default), team or project.")
@click.option("--no-watch", is_flag=True, help="Leave it out when folders are watched.")
@click.option("--later", is_flag=True, help="Leave the reading to a worker.")
@pass_face
def add(
    face: Face, path: str, projects: tuple[str, ...], no_watch: bool, later: bool, **options: Any
) -> None:
    """Add a folder to one or more projects, and index it.

    Patterns are those of a .gitignore. What .gitignore files leave out is left out, as is build output. The
    same folder again changes what is given.
    """
    with face.open(create=True) as memory:
        check_may_give(memory, Path(path), projects)
        homes = projects or homes_of(memory, path)
        folder = memory.folders.add(path, project=homes, watch=not no_watch, **options)
        if not face.json:
            output.done(f"Folder {folder.slug} is a source of {', '.join(folder.projects)}.")
        _index(face, memory, folder.slug, anew=False, later=later, projects=folder.projects)


@folders.command()
@click.argument("folder", required=False, shell_complete=completing(folder_names))
@click.option("--anew", is_flag=True, help="Read every file again, changed or not.")
@click.option("--later", is_flag=True, help="Leave it to a worker.")
@pass_face
def index(face: Face, folder: str | None, anew: bool, later: bool) -> None:
    """Index new and changed files of a folder (default: the current folder)."""
    with face.open() as memory:
        name = folder_here(memory) if folder is None else folder_given(memory, folder)
        _index(face, memory, name, anew=anew, later=later, projects=())


def _index(
    face: Face, memory: Memory, folder: str, *, anew: bool, later: bool, projects: tuple[str, ...]
) -> None:
    """Indexes a folder now, with a progress bar, or queues a job for it."""
    if later or memory.is_remote:  # a service reads its folders by itself
        job = memory.folders.queue(folder, anew=anew)
        later_on = "A running service does it, or `holdfast worker --once`."
        face.done(job.as_dict(), f"Queued: job {job.id}", later_on)
        return
    began = time.perf_counter()
    with _Bar() as bar:
        report = memory.folders.index(folder, anew=anew, progress=bar.advance)
    seconds = time.perf_counter() - began
    if face.json:
        output.json({"folder": folder, **report.as_dict(), "seconds": round(seconds, 3)})
        return
    _show(report, seconds)
    if report.left:
        output.note(f"Which files, and why: holdfast folders files {folder} --state skipped (or error)")
    if report.chunks and projects:
        project = shlex.quote(projects[0])
        output.note(f'Ask it something: holdfast recall "where is …?" --project {project}')


def _show(report: Indexed, seconds: float) -> None:
    """Shows what an indexing run changed and left out."""
    changes = {
        "new": report.new, "changed": report.changed, "renamed": report.renamed, "removed": report.removed,
        "unchanged": report.unchanged + report.touched,
    }  # fmt: skip
    counts = ", ".join(f"{count:,} {name}" for name, count in changes.items() if count) or "no files"
    output.done(f"{counts}: {output.pluralize(report.chunks, 'passage')} in {seconds:.1f} s.")
    if report.left:
        why = ", ".join(f"{name.replace('_', ' ')} ({count:,})" for name, count in report.left.most_common())
        output.say(output.wrapped(f"left out: {why}", 2))
    if report.redactions:
        what = ", ".join(f"{output.taken_out(name)} ({n:,})" for name, n in report.redactions.most_common())
        output.say(output.wrapped(f"removed: {what}", 2))
    for path, lost in list(report.unclosed.items())[:UNCLOSED_SHOWN]:
        output.say(output.wrapped(f"{path}: {output.unclosed(lost)}", 2), fg="yellow")
    if (more := len(report.unclosed) - UNCLOSED_SHOWN) > 0:
        output.say(f"  and {more:,} more files with such a block", fg="yellow")
    for project, names in report.modules.items():
        output.note(f"Without files in the module map of {project}, until they are back: {', '.join(names)}")
        scan = f"holdfast map scan --project {shlex.quote(project)}"
        output.note(f"What came meanwhile joins it, and what is gone leaves it: {scan}")


class _Bar:
    """A bar whose length is known once the folder was walked; without a terminal a line now and then."""

    def __init__(self) -> None:
        self._bar: Any = None
        self._task: Any = None
        self._said_at = time.monotonic()

    def __enter__(self) -> _Bar:
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.stop()

    def advance(self, done: int, total: int) -> None:
        """Draws how far it is, or says so every `SAID_EVERY` seconds where there is no terminal."""
        if not total:
            return
        if not sys.stderr.isatty():
            if time.monotonic() - self._said_at >= SAID_EVERY:
                self._said_at = time.monotonic()
                click.echo(f"reading files: {done:,} of {total:,}", err=True)
            return
        if self._bar is None:
            from rich.console import Console
            from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

            text = TextColumn("{task.description}")
            columns = (text, BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
            self._bar = Progress(*columns, console=Console(stderr=True), transient=True)
            self._bar.start()
            self._task = self._bar.add_task("reading files", total=total)
        self._bar.update(self._task, completed=done)


@folders.command("list")
@pass_face
def list_(face: Face) -> None:
    """List all folders with their projects and status."""
    with face.open() as memory:
        folders = [folder.as_dict() for folder in memory.folders.list()]
    face.table(
        "folders",
        folders,
        ("folder", "projects", "state", "files", "passages", "indexed", "root"),
        lambda folder: (
            folder["slug"],
            ", ".join(folder["projects"]),
            folder["state"] + (f" ({folder['error']})" if folder["error"] else ""),
            f"{folder['files']['indexed']:,}",
            f"{folder['files']['chunks']:,}",
            output.minute(folder["completed_at"]),
            output.one_line(folder["root"]),
        ),
        "No folders are indexed yet.",
        "Add one: holdfast folders add PATH --project NAME",
    )


@folders.command()
@folder_argument
@pass_face
def show(face: Face, folder: str) -> None:
    """Show a folder's indexing status."""
    with face.open() as memory:
        status = memory.folders.get(folder_given(memory, folder)).as_dict()
        parts = 0 if face.json else _in_part(memory, status["id"])
    if face.json:
        output.json(status)
        return
    files = status["files"]
    rows = {
        "folder": f"{status['slug']} ({status['name']})",
        "root": status["root"],
        "projects": ", ".join(status["projects"]) or "none",
        "visibility": status["visibility"],
        "state": status["state"] + (f": {status['error']}" if status["error"] else ""),
        "include": ", ".join(status["include"]),
        "exclude": ", ".join(status["exclude"]),
        "indexed": output.minute(status["completed_at"]) or "never",
        "files": f"{files['indexed']:,} indexed, {files['skipped']:,} left out, {files['failed']:,} in error",
        "passages": f"{files['chunks']:,} from {files['bytes']:,} bytes",
        "private": f"parts of {output.pluralize(parts, 'file')}, left out (folders files names them)"
        if parts
        else "",
        "id": status["id"],
    }
    for name, value in rows.items():
        if value:
            output.say(f"  {name:<11}{value}")


@folders.command()
@folder_argument
@click.option("--state", metavar="STATE", help="Only indexed, skipped or error.")
@click.option("--after", metavar="PATH", default="", help="From behind this path on.")
@click.option("--limit", type=int, default=100, show_default=True, help="At most so many.")
@pass_face
def files(face: Face, folder: str, **options: Any) -> None:
    """List the files of a folder: which were indexed, which were not, and why."""
    with face.open() as memory:
        entries = memory.folders.files(folder_given(memory, folder), **options)
    if face.json:
        output.json({"files": [file.as_dict() for file in entries]})
        return
    rows = [(file.path, file.state.value, _in_words(file), f"{file.chunks:,}") for file in entries]
    output.table(("path", "state", "what", "passages"), rows)
    if entries and len(entries) == options["limit"]:
        output.note(f"More: --after {entries[-1].path}")


def _in_part(memory: Memory, folder: str) -> int:
    """Returns the number of files that are indexed but for a private part."""
    parts, after = 0, ""
    while page := memory.folders.files(folder, state="indexed", after=after, limit=LIMIT_MAX):
        parts += sum(file.reason is not None for file in page)
        after = page[-1].path
    return parts


def _in_words(file: File) -> str:
    """Returns what a file is, and why it or a part of it was not read."""
    kind = file.language or file.filetype
    if file.state is FileState.INDEXED and file.reason:
        return f"{kind}, {file.reason}" if kind else file.reason
    return file.reason or kind or ""


@folders.command()
@pass_face
def watch(face: Face) -> None:
    """Watch all folders and index changes, until Ctrl-C. A running service does so too."""
    import signal
    import threading

    from holdfast.features.files.folder_watcher import Watcher
    from holdfast.workers import indexer_for

    over = threading.Event()
    before = {
        number: signal.signal(number, lambda *_: over.set()) for number in (signal.SIGTERM, signal.SIGINT)
    }
    with face.open() as memory:
        watcher = Watcher(memory._service)
        worker = indexer_for(memory._service, on_finished=partial(_print_changes, face, memory))
        watcher.start()
        worker.start()
        if not face.json:
            output.note(f"Watching the folders of {memory.path} (end with Ctrl-C)")
        try:
            while not over.wait(0.2):
                pass
        finally:
            watcher.stop()
            worker.stop()
            for number, handler in before.items():
                signal.signal(number, handler)


def _print_changes(face: Face, memory: Memory, job: Job) -> None:
    """Prints one line for the changes that a job of the watcher made."""
    slugs = {status.folder.id: status.folder.slug for status in memory.folders.list()}
    folder = slugs.get(job.subject or "", job.subject)
    changes = {name: job.result.get(name, 0) for name in ("new", "changed", "renamed", "removed")}
    if face.json:
        output.json({"folder": folder, "state": job.state.value, "error": job.error, **changes})
    elif job.error or any(changes.values()):
        counts = ", ".join(f"{count:,} {name}" for name, count in changes.items() if count)
        if emptied := job.result.get("modules_gone"):
            counts += f"; without files in its module map: {output.pluralize(emptied, 'module')}"
        output.say(f"{folder}  {job.error or counts}")


@folders.command()
@folder_argument
@click.argument("project")
@pass_face
def connect(face: Face, folder: str, project: str) -> None:
    """Add a folder to another project as well."""
    with face.open() as memory:
        name = folder_given(memory, folder)
        check_may_give(memory, Path(memory.folders.get(name).folder.root), (project,))
        _connected(face, memory.folders.connect(name, project).as_dict())


@folders.command()
@folder_argument
@click.argument("project")
@pass_face
def disconnect(face: Face, folder: str, project: str) -> None:
    """Remove a folder from a project."""
    with face.open() as memory:
        with looked_up(memory, project):
            result = memory.folders.disconnect(folder_given(memory, folder), project).as_dict()
        _connected(face, result)


def _connected(face: Face, folder: dict[str, Any]) -> None:
    place = f"is a source of {', '.join(folder['projects'])}."
    nowhere = "is connected to no project: it is not recalled and not indexed."
    face.done(folder, f"Folder {folder['slug']} {place if folder['projects'] else nowhere}")


@folders.command()
@folder_argument
@yes_option
@pass_face
def delete(face: Face, folder: str, yes: bool) -> None:
    """Remove a folder and erase what was indexed from it; the files themselves stay."""
    with face.open() as memory:
        folder = folder_given(memory, folder)
        ask(f"Erase all that was indexed of folder {folder}?", yes)
        count = memory.folders.delete(folder)
    passages = output.pluralize(count, "passage")
    face.done({"folder": folder, "memories": count}, f"Erased: folder {folder} with {passages}")


@folders.command()
@folder_argument
@pass_face
def stats(face: Face, folder: str) -> None:
    """Show statistics of a folder's passages."""
    with face.open() as memory:
        figures = memory.folders.chunk_stats(folder_given(memory, folder))
    if face.json:
        output.json(figures)
        return
    repeated = f"{figures['duplicate_rate']:.1%} repeated"
    output.say(f"{figures['total']:,} passages, {figures['unique']:,} different ({repeated})")
    output.say(f"characters: {figures['min']:,} to {figures['max']:,}, {figures['average']:,} on average")
    rows = [
        ("longer" if bucket["up_to"] is None else f"up to {bucket['up_to']:,}", f"{bucket['chunks']:,}")
        for bucket in figures["histogram"]
    ]
    output.table(("characters", "passages"), rows)


@folders.command()
@folder_argument
@click.option("--limit", type=int, default=10, show_default=True, help="At most so many.")
@pass_face
def jobs(face: Face, folder: str, limit: int) -> None:
    """List the indexing jobs of a folder, newest first."""
    with face.open() as memory:
        rows = [job.as_dict() for job in memory.folders.jobs(folder_given(memory, folder), limit=limit)]
    face.table(
        "jobs",
        rows,
        ("job", "state", "queued", "error"),
        lambda job: (job["id"], job["state"], output.minute(job["created_at"]), job["error"] or ""),
    )


@folders.command()
@folder_argument
@click.argument("path", default="")
@click.option("--depth", "max_depth", type=int, default=2, show_default=True, help="Folders deep (0 to 10).")
@click.option("--entries", "max_entries", type=int, default=500, show_default=True, help="At most so many.")
@pass_face
def tree(face: Face, folder: str, path: str, **options: int) -> None:
    """Show the tree of a folder, as it is on disk now."""
    with face.open() as memory:
        listing = memory.folders.tree(folder_given(memory, folder), path, **options).as_dict()
    if face.json:
        output.json(listing)
    else:
        _draw(listing, 0)


def _draw(entry: dict[str, Any], depth: int) -> None:
    """Shows a folder's entries as an indented tree."""
    for child in entry.get("entries", ()):
        mark = "/" if child["type"] == "folder" else ""
        output.say("  " * depth + child["name"] + mark)
        _draw(child, depth + 1)
    if entry.get("truncated"):
        output.say("  " * depth + "…")


@folders.command()
@folder_argument
@click.argument("path")
@click.option("--bytes", "max_bytes", type=int, default=65_536, show_default=True, help="At most so many.")
@pass_face
def cat(face: Face, folder: str, path: str, max_bytes: int) -> None:
    """Print the beginning of a file in a folder, as it is on disk now."""
    with face.open() as memory:
        content = memory.folders.read(folder_given(memory, folder), path, max_bytes=max_bytes)
    if face.json:
        output.json(content.as_dict())
        return
    output.say(content.text)
    if content.left_out:
        output.note(f"Not shown: {content.left_out.replace('_', ' ')}")
    elif content.is_truncated:
        output.note(f"The file has {content.size:,} bytes; --bytes shows more")
