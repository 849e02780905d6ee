"""Reader of claude-mem's database: observations and summaries of sessions, in their projects."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any

from holdfast.core.record import TAG_MAX, TAGS_MAX, TITLE_MAX
from holdfast.features.transfer.formats.fields import as_list, clean, json_in, line_of, stable_id, time_of
from holdfast.features.transfer.formats.model import ForeignProject, Item, Note, Rows, Skip

_KINDS = {"decision": "decision", "bugfix": "error_pattern", "discovery": "codebase_discovery"}
"""The kind of each type of observation; of all others `session_insight`."""
_PARTS = ("request", "investigated", "learned", "completed", "next_steps", "notes")


def recognises(tables: Collection[str]) -> bool:
    """Returns whether a database with these tables is one of claude-mem."""
    return {"observations", "session_summaries", "sdk_sessions"} <= set(tables)


def items(tables: Collection[str], rows: Rows, skip: Skip) -> Iterator[Item]:
    """Yields each project before its first item, the observations, and the summaries."""
    projects: set[str] = set()
    for table, read in (("observations", _observation), ("session_summaries", _summary)):
        for row in rows(table):
            note = read(row)
            if not note.text:
                skip(f"{note.item_type} {row.get('id')}", "no text", note.item_type)
                continue
            if note.project and note.project not in projects:
                projects.add(note.project)
                yield ForeignProject(note.project)
            yield note
    if "user_prompts" in tables:
        for row in rows("user_prompts"):
            skip(f"prompt {row.get('id')}", "a prompt without its answer: import its transcript", "message")


def _observation(row: dict[str, Any]) -> Note:
    """Returns an observation as a note of its prose and facts, or of its title if it has neither; the files
    it names are metadata."""
    facts = "\n".join(f"- {fact}" for fact in _list(row.get("facts")))
    parts = [row.get(name) for name in ("subtitle", "narrative", "text")]
    text = "\n\n".join(filter(None, [*(clean(part) for part in parts if isinstance(part, str)), facts]))
    title = line_of(row.get("title"))
    type = line_of(row.get("type")) or ""
    files = list(dict.fromkeys(_list(row.get("files_modified")) + _list(row.get("files_read"))))
    return Note(
        text or title or "",
        stable_id("claude-mem", "observation", row.get("memory_session_id"), row.get("id")),
        kind=_KINDS.get(type, "session_insight"),
        title=title[:TITLE_MAX] if title and text else None,
        tags=tuple(tag[:TAG_MAX] for tag in _list(row.get("concepts")))[:TAGS_MAX],
        metadata={"type": type} | ({"files": files[:50]} if files else {}),
        at=time_of(row.get("created_at_epoch")) or time_of(row.get("created_at")),
        item_type="observation",
        project=line_of(row.get("project")),
    )


def _summary(row: dict[str, Any]) -> Note:
    """Returns the summary of a session as a note, a line for each part that has text."""
    parts = [(name, row.get(name)) for name in _PARTS]
    text = "\n".join(
        f"{name.replace('_', ' ').capitalize()}: {clean(part)}"
        for name, part in parts
        if isinstance(part, str) and clean(part)
    )
    return Note(
        text,
        stable_id("claude-mem", "summary", row.get("memory_session_id"), row.get("id")),
        kind="task_outcome",
        at=time_of(row.get("created_at_epoch")) or time_of(row.get("created_at")),
        item_type="summary",
        project=line_of(row.get("project")),
    )


def _list(value: object) -> list[str]:
    """Returns the lines in a JSON array."""
    return [line for line in map(line_of, as_list(json_in(value))) if line]
