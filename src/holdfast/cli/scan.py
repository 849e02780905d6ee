"""`holdfast scan`: today's rules over what was stored before, and the decisions on what they find."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from holdfast.cli import last_result, output
from holdfast.cli.face import REFUSED, Face, Usage, ask, command, id_given, pass_face, yes_option
from holdfast.cli.in_backups import still_in_backups
from holdfast.cli.progress import progress
from holdfast.core.arguments import LIMIT_MAX
from holdfast.core.ids import short_id

if TYPE_CHECKING:
    from collections.abc import Sequence

    from holdfast.api.memory import Memory
    from holdfast.core.review import Decision
    from holdfast.core.scanning import ScanMatch, ScannedName

ROUND = 200
"""Decisions that are made at once."""


@command()
@click.option(
    "--personal", is_flag=True,
    help="Also look for e-mail addresses, telephone and card numbers, ids and street addresses.",
)  # fmt: skip
@click.option("--accept", metavar="ID", multiple=True, help="Erase what was found in it (may be repeated).")
@click.option("--accept-all", is_flag=True, help="Erase all that is found.")
@click.option("--refuse", metavar="ID", multiple=True, help="Keep it, and do not propose it again.")
@click.option("--reopen", metavar="ID", multiple=True, help="Propose again what was refused.")
@click.option(
    "--job", "as_job", is_flag=True, help="Scan in the background; what is found waits for `holdfast review`."
)
@click.option("--everyone", is_flag=True, help="With --job: scan what everybody keeps, and show only counts.")
@click.option("--dry-run", is_flag=True, help="With --job: only count.")
@yes_option
@pass_face
def scan(
    face: Face, personal: bool, accept: tuple[str, ...], accept_all: bool, refuse: tuple[str, ...],
    reopen: tuple[str, ...], as_job: bool, everyone: bool, dry_run: bool, yes: bool,
) -> int:  # fmt: skip
    """Find secrets in what was stored before, by today's rules, and propose to redact them.

    Looks at every version of everything of yours, forgotten memories too, and changes nothing. What you
    accept is erased from every version, and the rest of the text stays. ID is an id as lists show it, or @1
    for the first that was found.
    """
    if accept_all and accept:
        raise Usage("--accept-all accepts everything", "name single memories with --accept, or leave it out")
    if as_job:
        if accept or accept_all or refuse or reopen:
            raise Usage("a job decides nothing", "start it without decisions; they are made in the inbox")
        return _queued(face, personal=personal, everyone=everyone, dry_run=dry_run)
    if everyone or dry_run:
        raise Usage("--everyone and --dry-run are of a background scan", "add --job")
    with face.open() as memory:
        accepted = [id_given(memory, id) for id in accept]
        refused = [id_given(memory, id) for id in refuse]
        reopened = [id_given(memory, id) for id in reopen]
        hits: list[ScanMatch] = []
        if accept_all or not (accepted or refused or reopened):
            hits, names, totals = _scanned(memory, personal)
            if not accept_all:
                last_result.note(memory, (proposal.id for proposal in hits))
                _show(face, hits, names, totals, personal)
                return 0
            accepted = [proposal.id for proposal in hits if not proposal.held and proposal.id not in refused]
        if accepted:
            number = output.pluralize(len(accepted), "memory", "memories")
            ask(f"Erase what was found in {number} for good?", yes)
        results: list[Decision] = []
        for start in range(0, max(map(len, (accepted, refused, reopened))), ROUND):
            part = slice(start, start + ROUND)
            results += memory.scan_decide(
                accepted[part], refused[part], reopen=reopened[part], personal=personal
            )
        left = still_in_backups(memory) if accepted and not face.json else []
    status = _decided(face, results)
    for line in left:
        output.note(line)
    return status


def _queued(face: Face, **options: bool) -> int:
    """Queues a scan as a job. Returns the exit status."""
    with face.open() as memory:
        job = memory.scan_queue(**options)
    notes = [f"A running service or `holdfast worker` does it. Progress: holdfast jobs show {job.id}"]
    if not options["dry_run"]:
        whose = "in the inbox of whose memories they are" if options["everyone"] else "in your inbox"
        notes.append(f"What it finds waits {whose}: holdfast review")
    face.done(job.as_dict(), f"Queued: scan job {job.id}", *notes)
    return 0


def _scanned(memory: Memory, personal: bool) -> tuple[list[ScanMatch], list[ScannedName], dict[str, int]]:
    """Scans all memories, with progress. Returns the findings, the findings in names, and the counts."""
    hits: list[ScanMatch] = []
    names: list[ScannedName] = []
    totals = {"memories": 0, "versions": 0, "kept": 0}
    cursor: str | None = None
    with progress("memories scanned") as advance:
        while True:
            page = memory.scan(personal=personal, limit=LIMIT_MAX, cursor=cursor)
            hits += page.found
            names += page.names
            for name in totals:
                totals[name] += getattr(page, name)
            advance(page.memories)
            cursor = page.cursor
            if cursor is None:
                return hits, names, totals


def _show(
    face: Face,
    findings: Sequence[ScanMatch],
    names: Sequence[ScannedName],
    totals: dict[str, int],
    personal: bool,
) -> None:
    """Shows the findings of a scan."""
    if face.json:
        listed = {
            "found": [proposal.as_dict() for proposal in findings],
            "names": [name.as_dict() for name in names],
        }
        output.json({**totals, **listed})
        return
    for name in names:
        where = ", ".join(part.replace("_", " ") for part in name.parts)
        output.say(f"{name.kind} {output.one_line(name.name, 60)}: {_in_words(name)} in its {where}")
    if names:
        output.note("Names are changed by hand: holdfast sessions rename, holdfast projects rename")
    rows = [
        (
            short_id(proposal.id), _in_words(proposal),
            ", ".join(part.replace("_", " ") for part in proposal.parts),
            ", ".join(map(str, proposal.versions)),
            output.one_line(proposal.becomes, 60) + (" (legal hold)" if proposal.held else ""),
        )
        for proposal in findings
    ]  # fmt: skip
    if rows:
        output.table(("id", "found", "in", "versions", "becomes"), rows)
    versions = output.pluralize(totals["versions"], "version")
    seen = f"{output.pluralize(totals['memories'], 'memory', 'memories')} in {versions}"
    if totals["kept"]:
        output.note(f"{totals['kept']:,} more stay as they are, as you decided.")
    if not rows:
        output.done(f"Nothing was found in {seen}.")
        return
    output.done(f"Found in {len(rows):,} of {seen}.")
    option = " --personal" if personal else ""
    output.note(f"Nothing was changed. Redact: holdfast scan{option} --accept ID, or --accept-all")
    output.note(f"Keep one as it is: holdfast scan{option} --refuse ID")


def _in_words(finding: ScanMatch | ScannedName) -> str:
    return ", ".join(f"{name} ({count:,})" for name, count in finding.types.items())


def _decided(face: Face, results: Sequence[Decision]) -> int:
    """Shows the decisions on findings. Returns the exit status."""
    if face.json:
        output.json({"results": [result.as_dict() for result in results]})
    for result in results if not face.json else ():
        if result.code is not None:
            output.say(f"Refused: {short_id(result.id)}: {result.reason}", fg="red")
        else:
            output.done(f"{short_id(result.id)}: {result.reason}")
    if not results and not face.json:
        output.done("Nothing was found.")
    return REFUSED if any(result.code is not None for result in results) else 0
