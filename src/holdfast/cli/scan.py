"""`holdfast scan`: today's rules over what was stored before, and the decisions on what they find."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from holdfast.cli import last_result, output
from holdfast.cli.face import REFUSED, Face, Usage, ask, command, id_given, pass_face, yes_option
from holdfast.cli.progress import progress
from holdfast.core.arguments import LIMIT_MAX
from holdfast.core.ids import short_id

if TYPE_CHECKING:
    from collections.abc import Sequence

    from holdfast.api.memory import Memory
    from holdfast.core.review import Decision
    from holdfast.core.scanning import Found

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
@yes_option
@pass_face
def scan(
    face: Face, personal: bool, accept: tuple[str, ...], accept_all: bool, refuse: tuple[str, ...], yes: bool
) -> int:
    """Find secrets in what was stored before, by today's rules, and propose to redact them.

    Looks at every version of everything of yours, forgotten memories too, and changes nothing. What you
    accept is erased from every version, and the rest of the text stays. ID is an id as lists show it, or @1
    for the first that was found.
    """
    if accept_all and accept:
        raise Usage("--accept-all accepts everything", "name single memories with --accept, or leave it out")
    with face.open() as memory:
        accepted = [id_given(memory, id) for id in accept]
        refused = [id_given(memory, id) for id in refuse]
        found: list[Found] = []
        if accept_all or not (accepted or refused):
            found, totals = _scanned(memory, personal)
            if not accept_all:
                last_result.note(memory, (one.id for one in found))
                _show(face, found, totals, personal)
                return 0
            accepted = [one.id for one in found if not one.held and one.id not in refused]
        if accepted:
            number = output.counted(len(accepted), "memory", "memories")
            ask(f"Erase what was found in {number} for good?", yes)
        results: list[Decision] = []
        for start in range(0, max(len(accepted), len(refused)), ROUND):
            part = slice(start, start + ROUND)
            results += memory.scan_decide(accepted[part], refused[part], personal=personal)
    return _decided(face, results)


def _scanned(memory: Memory, personal: bool) -> tuple[list[Found], dict[str, int]]:
    found: list[Found] = []
    totals = {"memories": 0, "versions": 0, "kept": 0}
    cursor: str | None = None
    with progress("memories scanned") as advance:
        while True:
            page = memory.scan(personal=personal, limit=LIMIT_MAX, cursor=cursor)
            found += page.found
            for name in totals:
                totals[name] += getattr(page, name)
            advance(page.memories)
            cursor = page.cursor
            if cursor is None:
                return found, totals


def _show(face: Face, found: Sequence[Found], totals: dict[str, int], personal: bool) -> None:
    if face.json:
        output.json({**totals, "found": [one.as_dict() for one in found]})
        return
    rows = [
        (
            short_id(one.id), ", ".join(f"{name} ({count:,})" for name, count in one.types.items()),
            ", ".join(part.replace("_", " ") for part in one.parts), ", ".join(map(str, one.versions)),
            output.one_line(one.becomes, 60) + (" (legal hold)" if one.held else ""),
        )
        for one in found
    ]  # fmt: skip
    if rows:
        output.table(("id", "found", "in", "versions", "becomes"), rows)
    versions = output.counted(totals["versions"], "version")
    seen = f"{output.counted(totals['memories'], 'memory', 'memories')} in {versions}"
    if totals["kept"]:
        output.note(f"{totals['kept']:,} more stay as they are, as you decided.")
    if not rows:
        output.done(f"Nothing was found in {seen}.")
        return
    output.done(f"Found in {len(rows):,} of {seen}.")
    option = " --personal" if personal else ""
    output.note(f"Nothing was changed. Redact: holdfast scan{option} --accept ID, or --accept-all")
    output.note(f"Keep one as it is: holdfast scan{option} --refuse ID")


def _decided(face: Face, results: Sequence[Decision]) -> int:
    if face.json:
        output.json({"results": [one.as_dict() for one in results]})
    for one in results if not face.json else ():
        if one.code is not None:
            output.say(f"Refused: {short_id(one.id)}: {one.reason}", fg="red")
        else:
            output.done(f"{short_id(one.id)}: {one.reason}")
    if not results and not face.json:
        output.done("Nothing was found.")
    return REFUSED if any(one.code is not None for one in results) else 0
