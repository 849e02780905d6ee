"""`holdfast import`: chats, exports and notes of other programs."""

from __future__ import annotations

import time
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from holdfast.cli import output
from holdfast.cli.extract import show
from holdfast.cli.face import REFUSED, Face, Usage, command, pass_face, project_option, review_hint
from holdfast.cli.places import by_folder, note_placed, with_project
from holdfast.cli.remember import expiry_hint

if TYPE_CHECKING:
    from holdfast.api.import_report import Report
    from holdfast.api.memory import Memory

REASONS_SHOWN = 20
TRANSCRIPTS = "transcripts"
"""In place of a file: the sessions of coding agents on this machine."""
TO_MOVE = "Move a conversation: holdfast sessions move ID --project NAME"


@command("import")
@click.argument("path", type=click.Path())
@click.option(
    "--format",
    "-f",
    "format",
    metavar="NAME",
    default="auto",
    help="chatgpt, claude, gemini, messages, text, mem0, mcp-memory, basic-memory, notes or holdfast"
    " (default: auto, which detects it).",
)
@project_option
@click.option("--workspace", metavar="NAME", help="A workspace.")
@click.option("--visibility", metavar="WHO", help="private, team or project.")
@click.option(
    "--with-forgotten",
    is_flag=True,
    help="Store again what was forgotten, instead of skipping it.",
)
@click.option(
    "--move-to",
    metavar="PROJECT",
    help="Import into this project, and move what was imported into another one.",
)
@click.option(
    "--vouch", is_flag=True, help="Restore a Holdfast export as it was: you vouch that it is your own."
)
@click.option(
    "--each-user",
    is_flag=True,
    help="Of an export of mem0: give each memory to the user of the store whom its user_id names.",
)
@click.option("--dry-run", is_flag=True, help="Store nothing; show the outcome of each item.")
@click.option("--extract", is_flag=True, help="Afterwards run `holdfast extract` on the imported messages.")
@pass_face
def import_(
    face: Face, path: str, format: str, with_forgotten: bool, vouch: bool, each_user: bool, dry_run: bool,
    extract: bool, move_to: str | None, **where: str | None,
) -> int:  # fmt: skip
    """Import chats, exports and notes of other programs.

    Reads exports of ChatGPT, Claude and Gemini (JSON, .zip or unpacked) with their projects, memories and
    custom instructions; lists of messages, text with roles, mem0, the MCP memory server, basic-memory and
    Markdown notes; and Holdfast's own export, which is restored as it was if this store signed it, or with
    --vouch. `holdfast import transcripts` learns from the sessions of Claude Code, Codex, Gemini and Copilot
    CLI on this machine, each for the project of its folder; with --project only from those of the current
    folder. Importing again stores nothing twice and resumes an interrupted import. The exit status is 4 if an
    item was refused or the file is cut off; what could be read is stored.
    """
    if path == TRANSCRIPTS and not Path(path).exists():
        from holdfast.cli.transcripts import import_transcripts

        return import_transcripts(face, where["project"], dry_run=dry_run)
    if move_to is not None:
        if where["project"] not in (None, move_to):
            raise Usage("--project and --move-to name different projects", "give one of them")
        where["project"] = move_to
    named = None if format == "auto" else format
    if each_user:
        if extract or vouch or move_to or any(where.values()):
            raise Usage(
                "--each-user goes with --format, --with-forgotten and --dry-run", "leave the others out"
            )
        return _import_for_each_user(face, path, named, dry_run=dry_run, with_forgotten=with_forgotten)
    began = time.perf_counter()
    with face.open(create=True) as memory:
        report, chosen, project = _keep(
            face, memory, path, named, where, moves=move_to is not None, dry_run=dry_run,
            with_forgotten=with_forgotten, vouched=vouch,
        )  # fmt: skip
        source = None if dry_run or not report.items["message"] else _source_of(memory, report)
        extracted = memory.extract(source=source) if extract and source is not None else None
        names = 0 if source is None or memory.is_remote else _read_names(memory)
    seconds = time.perf_counter() - began
    if face.json:
        extraction = {} if extracted is None else {"extraction": extracted.as_dict()}
        output.json({"path": path, **report.as_dict(), "seconds": round(seconds, 3), **extraction})
    else:
        _show_import(path, report, seconds)
        note_placed(chosen)
        _next_step(report, project)
        _show_hints(report, None if extract else source, names)
        if extracted is not None:
            show(extracted)
    return REFUSED if report.outcomes["refused"] or report.breaks_off else 0


def _keep(
    face: Face, memory: Memory, path: str, format: str | None, where: dict[str, str | None], *,
    dry_run: bool, **options: Any,
) -> tuple[Report, str | None, str | None]:  # fmt: skip
    """Imports a file here or at the service, and returns the report, the project that the folder determined,
    if it did, and the project of the import."""
    from holdfast.api.import_report import OWN
    from holdfast.api.importing import ImportInterrupted, keep
    from holdfast.api.remote_import import upload
    from holdfast.cli.progress import progress
    from holdfast.features.transfer.formats.opening import open_import

    title = "looking at items" if dry_run else "keeping items"
    with open_import(path, format) as file:
        # an export of Holdfast goes where it came from, wherever one is
        put = where if file.format == OWN else with_project(memory, where)
        chosen = by_folder({"project": where["project"]}, put)
        if memory.is_remote:
            totals: list[int | None] = [None]
            with progress(title, estimate=lambda: totals[-1]) as advance:
                report = upload(
                    memory, Path(path), format=format, **put, **options, dry_run=dry_run, advance=advance,
                    expect=totals.append,
                )  # fmt: skip
            return report, chosen, put["project"]
        try:
            with progress(title, estimate=lambda: file.meter.expected) as advance:
                report = keep(
                    memory, file, **put, **options, dry_run=dry_run, advance=advance,
                    gives_way=chosen is not None,
                )  # fmt: skip
        except ImportInterrupted as interrupt:
            _tell_interrupted(face, path, interrupt.report)
            raise
    return report, chosen, put["project"]


def _show_import(path: str, report: Report, seconds: float) -> None:
    """Prints what was read, and what became of it."""
    output.say(f"{path}: {described(report)}", bold=True)
    show_report(report)
    items = output.pluralize(sum(row["seen"] for row in report.account().values()), "item")
    would = "would be " if report.dry_run else ""
    output.done(f"{items} {would}accounted for in {seconds:.1f} s.")
    if report.breaks_off:
        output.note("The file is cut off: only the part before that was read. Export it again.")


def _show_hints(report: Report, source: str | None, names: int) -> None:
    """Prints what an import leaves to do, with the id of a source to extract from and the number of names."""
    from holdfast.api.import_report import OWN

    if report.foreign:
        output.note(
            "Another store signed this export, so it counts as said by others: `about`, pins and"
            " exclusions need your word. If it is your own: holdfast import --vouch FILE"
        )
    if report.format == OWN and not report.dry_run:
        output.note("Folders and maps are not part of an export: holdfast folders add, holdfast map scan")
    if source is not None:
        output.note(f"Extract what you said about yourself in it: holdfast extract --source {source}")
    if names:
        output.note(
            f"{output.pluralize(names, 'person, place or thing', 'people, places and things')} in it:"
            " holdfast entities list"
        )


def _import_for_each_user(face: Face, path: str, format: str | None, **options: Any) -> int:
    """Imports a file and shows the outcome for each user."""
    from holdfast.api.import_users import keep_for_each_user
    from holdfast.features.transfer.formats.opening import open_import

    with face.open(create=True) as memory, open_import(path, format) as file:
        reports = keep_for_each_user(memory, file, **options)
    if face.json:
        output.json({"path": path, "users": {user: report.as_dict() for user, report in reports.items()}})
    else:
        for user, report in reports.items():
            output.say(f"{user}: {described(report)}", bold=True)
            show_report(report)
        output.done(f"{output.pluralize(len(reports), 'user')} in it.")
    return (
        REFUSED if any(report.outcomes["refused"] or report.breaks_off for report in reports.values()) else 0
    )


def _read_names(memory: Memory) -> int:
    """Does the background work that the import has planned: reads which people, places and things its
    messages name. Returns how many are new."""
    from holdfast.workers import read_names

    return sum(job.result.get("entities", 0) for job in read_names(memory._service))


def _tell_interrupted(face: Face, path: str, report: Report) -> None:
    """Says what an interrupted import stored, and how it goes on."""
    if face.json:
        output.json({"path": path, **report.as_dict()})
        return
    output.say(f"{path}: {described(report)}", bold=True)
    show_report(report)
    rest = sum(row.get("not_reached", 0) for row in report.account().values())
    output.note(f"Interrupted. What is listed is kept; {rest:,} items that were read are not, nor the rest.")
    output.note("Run the same command again to resume; nothing is stored twice.")


def _source_of(memory: Memory, report: Report) -> str | None:
    """Returns the id of the source of an import."""
    return next((source.id for source in memory.sources.list(sha256=report.sha256)), None)


def described(report: Report) -> str:
    """Returns a description such as `chatgpt, 110 messages`."""
    parts = [output.pluralize(count, what, PLURALS.get(what)) for what, count in report.items.items()]
    return ", ".join([report.format, *parts])


PLURALS = {"entity": "entities", "memory": "memories", "activity": "activities", "summary": "summaries",
         "marks": "marks"}  # fmt: skip
"""Irregular plurals of what is counted."""
_FATES = {
    "kept": "kept",
    "updated": "updated",
    "duplicate": "known",
    "held": "for review",
    "skipped": "skipped",
    "failed": "failed",
}
_NAMES = {
    "created": "kept",
    "redacted": "redacted",
    "superseded": "changed",
    "pending": "for review",
    "duplicate": "known",
    "merged": "merged",
    "forgotten": "forgotten",
    "outdated": "outdated",
    "refused": "refused",
}


def show_report(report: Report) -> None:
    """Prints the report: what was stored, redacted, known, refused and skipped, each with its reasons."""
    for outcome, name in _NAMES.items():
        if count := report.outcomes[outcome]:
            _row(name, count, _why(report, outcome))
            if outcome == "refused":
                _refusals(report)
    left_out: dict[str, Counter[str]] = {}
    for skipped in report.skipped:
        if skipped not in report.unclosed:
            left_out.setdefault(skipped.item_type, Counter())[skipped.reason] += skipped.count
    for what, reasons in left_out.items():
        listed = ", ".join(f"{reason} ({count:,})" for reason, count in reasons.most_common(REASONS_SHOWN))
        counted = output.pluralize(reasons.total(), what, PLURALS.get(what)).partition(" ")[2]
        _row("skipped", reasons.total(), f"{counted}: {listed}")
    account = report.account()
    if len(account) > 1:
        for what, row in account.items():
            fates = ", ".join(f"{row[fate]:,} {name}" for fate, name in _FATES.items() if row[fate])
            output.say(
                f"  {PLURALS.get(what, what + 's'):<13}{row['seen']:>7,} seen: {fates or 'none kept'}",
                dim=True,
            )
    if report.moved.total():
        sessions = output.pluralize(report.moved["sessions"], "conversation")
        memories = output.pluralize(report.moved["memories"], "memory", "memories")
        output.say(f"  Moved to {report.project or 'the project'}: {sessions} and {memories} known elsewhere")
    if count := report.missing_count:
        them = output.pluralize(count, "conversation")
        line = f"{them} of earlier imports no longer in this export, deleted there since; kept here"
        output.say(f"  {line}:", fg="yellow")
        for talk in report.missing[:REASONS_SHOWN]:
            output.say(f"    {output.one_line(talk['title'] or talk['id'] or '', 90)}")
        if count > REASONS_SHOWN:
            output.say(f"    and {count - REASONS_SHOWN:,} more; --json lists them")
        output.note(
            "Delete one here, too: holdfast sessions delete ID (holdfast sessions list shows the ids)"
        )
    if count := report.untimed:
        output.say(f"  {output.pluralize(count, 'message')} without a time: taken as said now", fg="yellow")
    if count := report.personal:
        counted = f"{output.pluralize(count, 'item')} with personal data (IBAN, id, phone number, address …)"
        them = "it" if count == 1 else "them"
        output.say(output.wrapped(f"{counted}: kept and marked; only you see {them}", 2), fg="yellow")
    for refusal in report.unclosed[:REASONS_SHOWN]:
        output.say(output.wrapped(f"{output.one_line(refusal.where, 100)}: {refusal.reason}", 2), fg="yellow")
    if (more := len(report.unclosed) - REASONS_SHOWN) > 0:
        output.say(f"  and {more:,} more texts with such a block; --json lists them", fg="yellow")


def _why(report: Report, outcome: str) -> str:
    """Returns the reasons for an outcome of an import with their counts, empty if there are none to show."""
    if outcome == "redacted":
        counts = report.redactions.most_common()
        return "removed: " + ", ".join(f"{output.taken_out(label)} ({n})" for label, n in counts)
    if outcome == "outdated":
        from holdfast.features.memories.outdated import EDITED, OLDER

        counts = [(why, n) for why, n in report.reasons.most_common() if why in (OLDER, EDITED)]
        return ", ".join(f"{why} ({n:,})" for why, n in counts)
    if outcome == "pending":
        return ", ".join(f"{why} ({n:,})" for why, n in report.reasons.most_common() if " " in why)
    return ""


def _refusals(report: Report) -> None:
    """Prints the first refused items, each with where it was and why, and how many more there are."""
    for refused in report.refused[:REASONS_SHOWN]:
        line = output.one_line(f"{refused['where']} / {refused['item']}: {refused['reason']}", 200)
        output.say(f"              {line}")
    if (more := report.outcomes["refused"] - min(REASONS_SHOWN, len(report.refused))) > 0:
        output.say(f"              and {more:,} more; --json lists them")


def _row(name: str, count: int, why: str) -> None:
    line = f"  {name:<11}{count:>7,}   "
    if why:
        line += output.wrapped(why, len(line)).lstrip()
    output.say(line.rstrip())


def _next_step(report: Report, project: str | None) -> None:
    """Notes what to do after an import."""
    for name, count in report.elsewhere.items():
        where = "outside of all projects" if name is None else f"in project {name}"
        counted = output.pluralize(count, "item")
        verbs = ("is", "stays") if count == 1 else ("are", "stay")
        output.note(f"{counted} of it {verbs[0]} {where} and {verbs[1]} there. {TO_MOVE}")
    if report.elsewhere.total() == report.total:
        project = report.elsewhere.most_common(1)[0][0] if report.elsewhere else project
    if count := 0 if report.dry_run else report.account().get("project", {}).get("kept", 0):
        output.note(
            f"It has {output.pluralize(count, 'project')}. See them: holdfast projects list. Rename one:"
            " holdfast projects rename OLD NEW. Search in all: holdfast recall … --project '*'"
        )
    if waiting := 0 if report.dry_run else report.outcomes["pending"]:
        output.note(review_hint(waiting))
    if report.expires_first is not None and report.expires_last is not None:
        output.note(expiry_hint(report.expiring, report.expires_first, report.expires_last))
    if report.dry_run:
        output.note("Nothing was stored. Run it without --dry-run to store it.")
    elif report.total > report.outcomes["refused"]:
        option = f" --project {project}" if project else ""
        output.note(f'Ask it something: holdfast recall "what did we decide?"{option}')
        if "message" in report.account():
            output.note("See what it says about you: holdfast about")
