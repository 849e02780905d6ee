"""`holdfast reconcile` and `described`: what files and databases hold, described and kept current."""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from holdfast.cli import output
from holdfast.cli.face import (
    REFUSED,
    Face,
    Usage,
    ask,
    command,
    listing_group,
    pass_face,
    project_option,
    yes_option,
)
from holdfast.cli.places import with_project
from holdfast.core.errors import InvalidInput
from holdfast.core.reconciled import CODEBASE

if TYPE_CHECKING:
    from holdfast.api.memory import Memory
    from holdfast.core.reconciled import EntityChange, Reconciled, Refreshed

MARKS = {
    "created": "+", "updated": "~", "restored": "+", "removed": "-", "proposed": "?", "kept": "=",
    "failed": "!", "forgotten": "x", "refused": "!", "skipped": ".",
}  # fmt: skip
COUNTED = (
    "created", "updated", "restored", "removed", "proposed", "kept", "failed", "forgotten", "refused",
    "skipped", "unchanged", "refreshed",
)  # fmt: skip
"""The counts of a result, in the order in which they are shown."""
SAME = ("unchanged", "refreshed")
"""Counts that are shown as one."""
LINES, LINES_OF_ONE = 20, 3
"""Most changes that are listed, and least of each of several sources."""
NAMES = 8
"""Most parts that are listed for one reason of failure."""
FAILED = 1
"""The exit status when a part of a source could not be read."""
UNSEEN = ""
"""The stamp of a source that has to be read again; no source has it."""
WATCH_SECONDS = 1.0
SERVER_SECONDS = 30.0
"""Seconds between two readings of a database on a server."""


@command()
@click.argument("source", metavar="PATH|URL")
@project_option
@click.option("--visibility", metavar="WHO", help="private (default), team or project.")
@click.option(
    "--member",
    "--members",
    "members",
    metavar="USER",
    multiple=True,
    help="Who may read it (may be repeated).",
)
@click.option("--dry-run", is_flag=True, help="Change nothing; show what would change.")
@click.option("--watch", is_flag=True, help="Stay, and reconcile whenever it changes.")
@click.option(
    "--only",
    metavar="KIND",
    multiple=True,
    help="Of a folder only tables, workbooks, notebooks or databases (may be repeated).",
)
@pass_face
def reconcile(
    face: Face, source: str, project: str | None, visibility: str | None, members: tuple[str, ...],
    dry_run: bool, watch: bool, only: tuple[str, ...],
) -> None:  # fmt: skip
    """Describe what a source holds, and bring the descriptions up to date.

    PATH is a workbook (.xlsx, .ods), a notebook (.ipynb), a .csv, .tsv, .parquet or .arrow file, a database
    file, a folder of tables, a dbt project, or a codebase; URL the address of a database, whose user and
    password are not kept. Each table, cell, chart or module becomes a memory that recall finds.

    What has not changed is skipped, what has changed gets a new version, and what is gone is removed, until
    it comes back. What was renamed keeps its history. What you pinned or edited stays: news about it waits in
    `holdfast review`. Values that may be personal are never shown, and no model is asked.

    Each workbook, notebook and database in a folder of tables is reconciled with it, as a source of its own.
    What is not read of a folder is listed as skipped, with the reason. The exit status is 1 if something
    could not be read.
    """
    if watch and dry_run:
        raise Usage("--watch and --dry-run exclude each other")
    options: dict[str, Any] = {
        "project": project, "visibility": visibility, "members": list(members) or None, "dry_run": dry_run,
        "only": only,
    }  # fmt: skip
    with face.open(create=True) as memory:
        options = with_project(memory, options)
        if watch:
            _watch(face, memory, source, options)
        else:
            outcome, seconds = _timed(memory, source, options)
            _print(face, source, outcome, seconds)
            _leave(outcome)


def _leave(results: Refreshed) -> None:
    """Leaves with a status that says so if a source or a part could not be read or described, or was
    refused."""
    if results.failures or any(source.failed for source in results.sources):
        click.get_current_context().exit(FAILED)
    if any(source.refused for source in results.sources):
        click.get_current_context().exit(REFUSED)


def _timed(
    memory: Memory, source: str, options: dict[str, Any], *, changed_only: bool = False
) -> tuple[Refreshed, float]:
    """Reconciles a source, and those in a folder, and returns what changed and how long it took in
    seconds."""
    from holdfast.cli.progress import progress

    began, done, totals = time.perf_counter(), 0, [1]
    with progress("sources read", estimate=lambda: totals[-1]) as advance:

        def report(count: int, total: int) -> None:
            nonlocal done
            totals.append(total)
            advance(count - done)
            done = count

        outcome = memory.described.scan_all(source, **options, changed_only=changed_only, progress=report)
    return outcome, time.perf_counter() - began


def _print(face: Face, source: str, results: Refreshed, seconds: float, *, indent: int | None = 2) -> None:
    """Prints what changed: of one source its result, of a folder with others that of each and a summary."""
    from holdfast.features.reconcile.opening import is_folder_of_tables

    is_folder = is_folder_of_tables(source)
    if face.json:
        result = results if is_folder else results.sources[0]
        output.json({**result.as_dict(), "seconds": round(seconds, 3)}, indent=indent)
    elif len(results.sources) == 1 and not results.failures:
        _show(results.sources[0], seconds)
        _hint(results.sources)
    else:
        _show_all(results, seconds)


def _show_all(results: Refreshed, seconds: float) -> None:
    """Shows what changed in several sources, of each a few lines, and a summary."""
    shown = [source for source in results.sources if _is_news(source)]
    most = max(LINES_OF_ONE, LINES // max(len(shown), 1))
    for source in shown:
        _show(source, lines=most)
    for failure in results.failures:
        output.say(f"! {failure.name} could not be read: {failure.reason} ({failure.code})")
    total = Counter[str]()
    for reconciled in results.sources:
        total.update({name: getattr(reconciled, name) for name in COUNTED})
    counts = _counts(total) or "nothing in them"
    failed = f", {len(results.failures):,} could not be read" if results.failures else ""
    would = "Would be: " if any(source.dry_run for source in results.sources) else ""
    sources = output.pluralize(len(results.sources), "source")
    output.done(f"{would}{sources}{failed}: {counts} in {seconds:.1f} s.")
    _hint(results.sources)


def _is_news(result: Reconciled) -> bool:
    return result.outdated or _is_changed(result) or result.skipped > 0


def _is_changed(result: Reconciled) -> bool:
    return any(change.action != "skipped" for change in result.changes)


def _watch(face: Face, memory: Memory, source: str, options: dict[str, Any]) -> None:
    """Reconciles a source, and again whenever its files change, until interrupted; one on a server twice
    a minute. What cannot be read for a while, such as a file that is being saved, is read when it changes."""
    from holdfast.features.reconcile.opening import name_of, stamp_of

    seen, was_gone = stamp_of(source), False
    source = source if seen is None else name_of(source)
    _print(face, source, *_timed(memory, source, options), indent=None)
    if not face.json:
        output.note("Watching for changes. Stop with Ctrl-C.")
    while True:
        time.sleep(SERVER_SECONDS if seen is None else WATCH_SECONDS)
        stamp = stamp_of(source)
        if stamp is not None and stamp == seen:
            continue
        if seen is not None and not os.path.lexists(source) and not was_gone:
            was_gone = True  # while it is saved, it may be gone for a moment
            continue
        seen, was_gone = stamp, False
        try:
            outcome, seconds = _timed(memory, source, options, changed_only=True)
        except InvalidInput as error:
            output.note(f"It could not be read: {error.in_full}")
            continue
        changed = tuple(reconciled for reconciled in outcome.sources if _is_changed(reconciled))
        if outcome.failures or changed:
            _print(face, source, replace(outcome, sources=changed), seconds, indent=None)
        for reconciled in outcome.sources if len(outcome.sources) == 1 else ():
            if (
                reconciled.renamed_from is not None
                and reconciled.source is not None
                and not os.path.exists(source)
            ):
                source = memory.described.get(reconciled.source).file
                seen = UNSEEN  # it may have changed since it was read under its new name


def _show(result: Reconciled, seconds: float | None = None, *, lines: int = LINES) -> None:
    """Shows what a run of `reconcile` did with a source."""
    if result.outdated:
        output.say(f"{result.name}: a newer reading was applied meanwhile; nothing was changed.")
        return
    counts = _counts({name: getattr(result, name) for name in COUNTED}) or "nothing to describe in it"
    would = "Would be: " if result.dry_run else ""
    took = "" if seconds is None else f" in {seconds:.1f} s"
    before = f" (until now {result.renamed_from})" if result.renamed_from else ""
    output.done(f"{would}{result.name}{before}: {counts}{took}.")
    _show_changes([change for change in result.changes if change.action != "skipped"], lines)
    _show_changes([change for change in result.changes if change.action == "skipped"], lines)


def _show_changes(changes: Sequence[EntityChange], lines: int) -> None:
    """Shows changes in at most so many lines, and how many there are besides."""
    groups = _by_reason(changes)
    lines += len(groups) == lines + 1  # a line that counts the last one would be as long
    for (action, why, *_), parts in groups[:lines]:
        more = f" and {len(parts) - NAMES:,} more" if len(parts) > NAMES else ""
        reason = f" ({why})" if why else ""
        output.say(f"  {MARKS[action]} {action}: {', '.join(parts[:NAMES])}{more}{reason}")
    if (rest := sum(len(parts) for _, parts in groups[lines:])) > 0:
        output.say(f"  and {rest:,} more")


def _counts(values: Mapping[str, int]) -> str:
    """Returns what was done, such as `2 created, 3 unchanged`."""
    counts = [f"{values[name]:,} {name}" for name in COUNTED if values[name] and name not in SAME]
    same = sum(values[name] for name in SAME)
    return ", ".join([*counts, *([f"{same:,} unchanged"] if same else [])])


def _hint(results: Sequence[Reconciled]) -> None:
    """Notes what can be done next."""
    if any(result.proposed for result in results):
        output.note("Changes to what you pinned or edited wait for review: holdfast review")
    made = {result.platform for result in results if result.created and not result.dry_run}
    if made - {CODEBASE}:
        output.note('Ask it something: holdfast recall "which table has …?"')
    elif made:
        output.note('Ask it something: holdfast recall "which module does …?"')
        output.note("Agents read the module map of a project instead: holdfast map scan PATH --project NAME")


def _by_reason(changes: Sequence[EntityChange]) -> list[tuple[tuple[str, ...], list[str]]]:
    """Returns what was changed, one by one, but for what failed or was skipped for the same reason, such as a
    missing right."""
    groups: dict[tuple[str, ...], list[str]] = {}
    for change in changes:
        alone = () if change.action in ("failed", "skipped") else (change.type, change.entity)
        names = groups.setdefault((change.action, change.why or "", *alone), [])
        names.append(change.title or change.entity)
    return list(groups.items())


@listing_group()
def described() -> None:
    """List the files and databases whose content is described."""


@described.command("list", operation="described.list")
@pass_face
def list_(face: Face, **options: Any) -> None:
    """List the files and databases whose content is described."""
    with face.open() as memory:
        records = [record.as_dict() for record in memory.described.list(**options)]
    face.table(
        "sources", records, ("name", "platform", "project", "seen by", "memories", "reconciled"),
        lambda record: (
            record["name"], record["platform"], record["project"] or "-", _readers(record),
            f"{record['memories']:,}", output.day(record["reconciled_at"]),
        ),
        "No sources are described yet.", "Describe one: holdfast reconcile PATH",
    )  # fmt: skip


@described.command("show")
@click.argument("source")
@pass_face
def show(face: Face, source: str) -> None:
    """Show a source: who sees it, and how many descriptions it has."""
    with face.open() as memory:
        record = memory.described.get(_source_name(memory, source)).as_dict()
    if face.json:
        output.json(record)
        return
    state = "complete" if record["complete"] else "interrupted: reconcile it again"
    for label, value in (
        ("name", record["name"]), ("read from", record["file"]), ("kind", record["platform"]),
        ("owner", record["owner"]), ("project", record["project"] or "-"), ("seen by", _readers(record)),
        ("descriptions", f"{record['memories']:,}"), ("reconciled", output.day(record["reconciled_at"])),
        ("state", state), ("id", record["id"]),
    ):  # fmt: skip
        output.say(f"{label + ':':14} {value}")


@described.command(operation="described.related")
@click.argument("id", metavar="SOURCE")
@pass_face
def related(face: Face, id: str, **options: Any) -> None:
    """List the sources most similar to SOURCE."""
    with face.open() as memory:
        hits = memory.described.related(_source_name(memory, id), **options)
        names = {source.id: source.name for source in memory.described.list()}
    if face.json:
        output.json(hits.as_dict())
        return
    for hit in hits:
        output.say(f"{hit.score:.2f}  {names.get(hit.memory.place.source or '', '')}", bold=True)
        output.say(output.wrapped(hit.memory.text, 6))
    if not hits:
        output.note("No similar source is described.")


@described.command()
@click.option("--dry-run", is_flag=True, help="Change nothing; show what would change.")
@pass_face
def refresh(face: Face, dry_run: bool) -> None:
    """Reconcile again the sources on this machine that have changed.

    Sources that cannot be read or are gone are listed, and the exit status is 1; their descriptions stay.
    """
    with face.open() as memory:
        outcome = memory.described.refresh(dry_run=dry_run)
    if face.json:
        output.json(outcome.as_dict())
    else:
        for result in outcome.sources:
            _show(result)
        for failure in outcome.failures:
            output.note(f"Could not be read: {failure.file}: {failure.reason} ({failure.code})")
        if outcome.failures:
            output.note("Its descriptions stay. Delete them: holdfast described delete SOURCE")
        elif not outcome.sources:
            output.done("Everything on this machine is up to date.")
    if outcome.failures:
        click.get_current_context().exit(FAILED)


@described.command(operation="described.update")
@click.argument("id", metavar="SOURCE")
@pass_face
def update(face: Face, id: str, **options: Any) -> None:
    """Rename SOURCE, or set who else may read its descriptions."""
    changes = {name: value for name, value in options.items() if value}
    with face.open() as memory:
        record = memory.described.update(_source_name(memory, id), **changes).as_dict()
    face.done(record, f"{record['name']} is seen by {_readers(record)}.")


@described.command()
@click.argument("source")
@click.option("--hard", is_flag=True, help="Erase every byte of it; this cannot be undone.")
@yes_option
@pass_face
def delete(face: Face, source: str, hard: bool, yes: bool) -> None:
    """Remove SOURCE with its descriptions, but for those that you pinned or edited."""
    with face.open() as memory:
        record = memory.described.get(_source_name(memory, source))
        ask(f"Remove {output.pluralize(record.memories, 'description')} of {record.name}?", yes)
        count = memory.described.delete(record.id, hard=hard)
    result = {"id": record.id, "memories": count}
    face.done(result, f"Removed {output.pluralize(count, 'description')} of {record.name}.")


def _source_name(memory: Memory, source: str) -> str:
    """Returns the name of a source that is given by its path or address, as `reconcile` takes it; others as
    they are."""
    from holdfast.features.reconcile.opening import name_of
    from holdfast.readers.servers import is_address

    if is_address(source) or os.path.lexists(source):
        name = name_of(source)
        if memory.described.list(file=name):
            return name
    return source


def _readers(record: dict[str, Any]) -> str:
    if record["members"] is not None:
        return ", ".join([record["owner"], *record["members"]])
    return str(record["owner"]) if record["visibility"] == "private" else f"the {record['visibility']}"
