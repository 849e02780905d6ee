"""Descriptions of the files and tables that a task is about.

A description says what a thing holds, not what to mind: it belongs into a context only if the task names the
thing, or is answered by what it says. Those of codebases are left out, since the module map says more.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from holdfast.core.kinds import DESCRIPTIONS
from holdfast.core.reconciled import CODEBASE
from holdfast.features.access.places import view_of
from holdfast.features.context.rating import content_stems, rate_answers
from holdfast.features.recall.search import search

if TYPE_CHECKING:
    from holdfast.core.record import Memory
    from holdfast.core.sources import Source
    from holdfast.core.views import View
    from holdfast.features.access.places import Selection
    from holdfast.features.service import Service
    from holdfast.stores.base.ports import Reader

MOST = 3
"""Most descriptions in a context."""
SEARCHED = 12
"""Descriptions that are looked at."""
CONFIDENT = 0.5
"""Minimum confidence of one that the task does not name."""
NAMED = 0.5
"""How well one fits at least that is named."""
_WHOLE = ("file_summary", "connection_summary", "data_table_summary", "sheet_table_summary")
"""Kinds that say what a file holds, the most telling first."""
_SOURCE = re.compile(r"\s*\([^()]*\)$")
_MARKED = re.compile(r"[_.\d]|[a-z][A-Z]")
"""Marks of a name that no word of a sentence has."""


def find(service: Service, task: str, selection: Selection, least: float) -> list[tuple[Memory, float]]:
    """Returns the descriptions of what a task is about, best first, each with how well it fits; with a
    confidence of at least `least`."""
    now, wide = service.clock(), replace(selection, kinds=tuple(sorted(DESCRIPTIONS)))
    with service.store.read() as snap:
        view = view_of(snap, service.principal, wide)
        sources = _sources(snap, view)
        named = [
            source for source in sources.values() if not least and _stands_in(task, source.filename or "")
        ]
        wholes = _wholes(snap, view, named, now)
    if not sources:
        return []
    result = search(service, task, wide, limit=SEARCHED, flagged=False)
    answers = rate_answers(result, task, least)
    matches = {}
    for ranked, memory in result.ranked:
        answer = answers.get(memory.id)
        is_named = not least and _names(task, memory)
        is_answer = answer is not None and ranked.confidence >= max(CONFIDENT, least)
        if (is_answer or is_named) and memory.source in sources:
            matches[memory.id] = memory, NAMED if answer is None else max(NAMED, answer.fit)
    for memory in wholes:
        matches.setdefault(memory.id, (memory, NAMED))
    return list(matches.values())[:MOST]


def of_files(snap: Reader, view: View, paths: Sequence[str], *, now: int) -> list[Memory]:
    """Returns what is known of the whole of described files among these paths."""
    wide = view.narrowed(replace(view.filter, kinds=DESCRIPTIONS))
    called = list(_called(_sources(snap, wide), paths))
    return _wholes(snap, wide, called, now)[:MOST]


def _wholes(snap: Reader, view: View, sources: Iterable[Source], now: int) -> list[Memory]:
    """Returns for each source the description that says most of the whole, as far as it is in the view."""
    ids = []
    for source in sources:
        rows = [
            row
            for row in snap.fingerprints(view, source.id)
            if row.kind in _WHOLE and row.deleted_at is None and not row.is_proposal
        ]
        rows.sort(key=lambda row: _WHOLE.index(row.kind))
        ids += [row.id for row in rows[:1]]
    return [memory for memory in snap.several(view, ids, now=now) if not memory.flags] if ids else []


def _sources(snap: Reader, view: View) -> Mapping[str | None, Source]:
    """Returns the described sources in a view by id, without codebases."""
    return {
        source.id: source
        for source in snap.described(view)
        if source.deleted_at is None and source.platform != CODEBASE
    }


def _called(sources: Mapping[str | None, Source], paths: Sequence[str]) -> Iterator[Source]:
    """Yields the sources whose file ends with one of the paths."""
    plain = [path.replace("\\", "/").removeprefix("./") for path in paths]
    for source in sources.values():
        file = "/" + str(source.metadata.get("file")).lstrip("/")
        if any(file.endswith("/" + path.lstrip("/")) for path in plain):
            yield source


def _names(task: str, memory: Memory) -> bool:
    """Returns whether a task names what a memory describes: by a name that no word looks like, by all words
    of a longer one, or by a word as it is, if the task has another word of the description."""
    name = _SOURCE.sub("", memory.title or "")
    if not _stands_in(task, name):
        return False
    if _MARKED.search(name) or len(content_stems(name)) > 1:
        return True
    return bool((content_stems(task) - content_stems(name)) & content_stems(memory.text))


def _stands_in(task: str, name: str) -> bool:
    """Returns whether a name is in a task as a word of its own."""
    return bool(name) and bool(re.search(rf"(?<![\w.]){re.escape(name)}(?!\w)", task, re.IGNORECASE))
