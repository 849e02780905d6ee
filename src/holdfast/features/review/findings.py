"""Proposals to redact what scans found, in the inbox of the owner of the memories.

A row names a memory and nothing else: what is in it is looked up again whenever it is shown, so a proposal
goes when the memory was changed, erased or decided on in any other way.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby

from holdfast.core.cursors import bad_cursor
from holdfast.core.ids import ID_LENGTH
from holdfast.core.review import Waiting
from holdfast.core.scanning import Finding, ScanMatch
from holdfast.core.views import GONE, personal_view
from holdfast.features.access.places import Selection, view_of
from holdfast.features.admission.recheck import Recheck
from holdfast.features.review.scan import Shown, proposals
from holdfast.features.service import Service
from holdfast.stores.base.ports import Reader, Writer

CURSOR_PREFIX = "found."
"""Prefix of a cursor of the inbox that points to a proposal to redact."""
PAGE = 100


def waiting(
    reader: Reader, service: Service, selection: Selection, cursor: str | None, limit: int
) -> list[tuple[str, Waiting]]:
    """Returns the proposals to redact in a place, at most `limit`, each with the cursor that follows it."""
    after = _position_after(cursor)
    items: list[tuple[str, Waiting]] = []
    while len(items) < limit and (rows := _rows(reader, service, after)):
        after = rows[-1].id
        shown = _open_proposals(reader, service, rows, selection)
        items += ((f"{CURSOR_PREFIX}{finding.memory.id}", _item(finding)) for finding in shown)
    return items[:limit]


def prune(service: Service, tx: Writer) -> None:
    """Deletes the findings of the user in whose memories nothing is found any more."""
    after = ""
    everywhere = Selection("*", workspace="*")
    while rows := _rows(tx, service, after):
        after = rows[-1].id
        there = {shown.memory.id for shown in _open_proposals(tx, service, rows, everywhere)}
        for row in rows:
            if row.id not in there:
                tx.drop_finding(row.id)


def hint_about(reader: Reader, service: Service, id: str) -> str | None:
    """Returns how a proposal about a memory is decided, if there is one."""
    if not reader.findings(personal_view(service.principal), id=id):
        return None
    return "a scan found something in it: holdfast scan --accept ID redacts it"


def _rows(reader: Reader, service: Service, after: str) -> list[Finding]:
    return reader.findings(personal_view(service.principal), after=after, limit=PAGE)


def _open_proposals(
    reader: Reader, service: Service, rows: Sequence[Finding], selection: Selection
) -> list[Shown]:
    """Returns what is still found in the memories of some rows, as far as a place holds them."""
    view = view_of(reader, service.principal, selection)
    statuses, deleted = GONE.statuses, GONE.deleted
    view = replace(view.narrowed(replace(view.filter, statuses=statuses, deleted=deleted)), closed=True)
    memories = {memory.id: memory for memory in reader.several(view, [row.id for row in rows], now=0)}
    results: list[Shown] = []
    for personal, group in groupby(rows, key=lambda row: row.personal):
        recheck = Recheck(service.admission, personal=personal)
        there = [memories[row.id] for row in group if row.id in memories]
        results += proposals(reader, service, recheck, there).proposals
    return sorted(results, key=lambda proposal: proposal.memory.id)


def _item(proposal: Shown) -> Waiting:
    return Waiting(proposal.memory, f"a scan found {_in_words(proposal.proposal)}", found=proposal.proposal)


def _in_words(finding: ScanMatch) -> str:
    what = ", ".join(f"{name} ({count:,})" for name, count in finding.types.items())
    return f"{what} in its {', '.join(part.replace('_', ' ') for part in finding.parts)}"


def _position_after(cursor: str | None) -> str:
    """Decodes a cursor to a position. Raises InvalidInput if it is malformed."""
    if cursor is None:
        return ""
    id = cursor.removeprefix(CURSOR_PREFIX)
    if len(id) != ID_LENGTH:
        raise bad_cursor(cursor)
    return id
