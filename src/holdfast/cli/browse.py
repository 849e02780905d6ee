"""`holdfast list`, `show`, `history` and `kinds`: looking without asking a question."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from holdfast.cli import last_result, output, passages
from holdfast.cli.face import (
    Face,
    command,
    id_given,
    key_options,
    pass_face,
    project_option,
    review_hint,
    waiting_here,
)
from holdfast.cli.nothing_here import hidden_here
from holdfast.cli.places import EVERYWHERE, by_folder, look_elsewhere, note_missing, with_project
from holdfast.cli.reading import folders_read, note_read
from holdfast.core.ids import short_id
from holdfast.stores.base.clock import wall_clock

if TYPE_CHECKING:
    from holdfast.core.record import Memory

TEXT_SHOWN = 160
"""Characters of a text in a table."""


@command("list", operation="list")
@project_option
@click.option("--pinned/--not-pinned", default=None, help="Only pinned, or only unpinned memories.")
@pass_face
def list_(face: Face, **options: Any) -> None:
    """List memories, most recently stored first.

    Imported messages are listed by the time of the import, not by the time at which they were said.

    Passages of indexed files are listed only with --kind passage. --json prints full texts.
    """
    from holdfast.core.kinds import UNASKED

    with face.open() as memory:
        put = with_project(memory, options)
        page = memory.list(**{**put, "kinds": options["kinds"] or UNASKED})
        last_result.note(memory, (memory.id for memory in page.memories))
        notes = note_missing(memory, options, page.memories)
        narrowed = page.memories or options["include"] or options["stale"]
        waiting = 0 if narrowed else waiting_here(memory, put)
        read = folders_read(memory, put["project"]) if options["stale"] else []
        hidden = [] if narrowed or face.json else hidden_here(memory, put)
    hint = review_hint(waiting, " here", put["project"])
    if face.json:
        memories = [memory.as_dict() for memory in page.memories]
        extra = {"folders": read} if options["stale"] else {}
        notes += [hint] if waiting else []
        output.json({"memories": memories, "cursor": page.cursor, "notes": notes, **extra})
        return
    if not page.memories:
        output.say("Nothing here is stale." if options["stale"] else "There is nothing here.")
        for note in hidden:
            output.note(note)
        if put["project"] != EVERYWHERE:
            output.note(look_elsewhere(by_folder(options, put)))
        if waiting:
            output.note(hint)
        note_read(read)
        return
    if sys.stdout.isatty():
        output.table(("memory", "kind", "where", "at"), map(_drawn, page.memories))
    else:
        output.table(("id", "at", "kind", "where", "text"), map(_plain, page.memories))
    if page.cursor:
        output.note(f"More: the same command with --cursor {page.cursor}")
    if options["stale"]:
        output.note("Confirm what is still true: holdfast review confirm ID …")
        note_read(read)


@command()
@click.argument("id")
@key_options
@pass_face
def show(face: Face, id: str, **where: Any) -> None:
    """Show one memory in full.

    ID is an id as lists show it, an id of your own, or @1 for the first of the last results.
    """
    with face.open() as memory:
        stored = memory.get(id_given(memory, id, **where))
    record = stored.as_dict()
    if face.json:
        output.json(record)
        return
    output.say(stored.id, bold=True)
    if stored.title:
        output.say(output.wrapped(stored.title), bold=True)
    if (place := passages.where(stored)) is None:
        output.say(output.wrapped(stored.text))
    else:
        output.say(place, bold=True)
        passages.show_lines(stored.text, None, 0)
    if stored.stale:
        output.say(output.wrapped(f"stale: {stored.stale}"), fg="yellow")
    output.say()
    output.fields(dict(_facts(record)))


@command()
@click.argument("id")
@key_options
@pass_face
def history(face: Face, id: str, **place: Any) -> None:
    """Show every change of a memory, oldest first.

    ID is an id as lists show it, an id of your own, or @1 for the first of the last results.
    """
    with face.open() as memory:
        changes = [change.as_dict() for change in memory.history(id_given(memory, id, **place))]
    face.table(
        "changes",
        changes,
        ("at", "what", "who", "version", "text"),
        lambda change: (
            output.minute(change["at"]),
            change["action"],
            change["actor"],
            str(change["version"] or ""),
            output.one_line(change["text"] or _detail(change["detail"]), TEXT_SHOWN),
        ),
    )


@command()
@pass_face
def kinds(face: Face) -> None:
    """List the kinds of memory and their rules."""
    from holdfast import config
    from holdfast.core.kinds import KINDS

    settings = face.settings()
    days = 0 if config.is_service(settings.store) else settings.expiry_days
    if face.json:
        rows_ = [
            {
                "name": kind.name,
                "label": kind.label,
                "nature": kind.nature.value,
                "meaning": kind.meaning,
                "half_life_days": kind.half_life,
                "ttl_days": kind.lifetime(days),
                "max_chars": kind.max_chars,
                "weight": kind.weight,
            }
            for kind in KINDS.values()
        ]
        output.json({"kinds": rows_})
        return
    rows = [
        (
            kind.name,
            kind.nature.value,
            f"{kind.half_life:g} d" if kind.half_life else "-",
            f"{kind.lifetime(days)} d" if kind.lifetime(days) else "-",
            kind.meaning,
        )
        for kind in KINDS.values()
    ]
    output.table(("kind", "nature", "half-life", "expires", "meaning"), rows)


def _drawn(memory: Memory) -> tuple[str, ...]:
    text = f"{_text(memory)}\n{short_id(memory.id)}"
    names = (memory.place.workspace, memory.project, output.short(memory.session or ""))
    return text, _kind(memory), " ".join(filter(None, names)), _day(memory)


def _plain(memory: Memory) -> tuple[str, ...]:
    names = (memory.place.workspace, memory.project, memory.session)
    return short_id(memory.id), _day(memory), _kind(memory), " / ".join(filter(None, names)), _text(memory)


def _text(memory: Memory) -> str:
    place = passages.where(memory)
    text = memory.text if place is None else f"{place}: {memory.text}"
    return output.one_line(text, TEXT_SHOWN)


def _kind(memory: Memory) -> str:
    """Returns the kind of a memory with its marks, such as `note, pinned`."""
    marks = [memory.kind]
    if memory.pinned:
        marks.append("pinned")
    if memory.deleted_at is not None:
        marks.append("forgotten")
    elif memory.status.value != "approved":
        marks.append(memory.status.value)
    elif memory.stale is not None:
        marks.append("stale")
    elif memory.expires_at is not None and not memory.pinned and memory.expires_at <= wall_clock():
        marks.append("expired")
    return ", ".join(marks)


def _day(memory: Memory) -> str:
    return output.day(str(memory.as_dict()["at"]))


def _as_json(value: dict[str, Any]) -> str:
    from json import dumps

    return dumps(value, ensure_ascii=False)


def _detail(detail: dict[str, Any]) -> str:
    return ", ".join(f"{name} {value}" for name, value in detail.items())


_TIMES = ("at", "recorded_at", "updated_at", "valid_from", "valid_until", "expires_at", "deleted_at")
_PLAIN = (
    "kind", "status", "status_reason", "project", "session", "workspace", "branch", "visibility", "owner",
    "created_by", "role", "name", "origin", "confidence", "version", "external_id", "summary", "supersedes",
    "superseded_by", "deleted_reason", "use_count",
    "strength",
)  # fmt: skip
_OTHERWISE = frozenset({
    "id", "text", "title", "stale", "scope", "tags", "flags", "redactions", "metadata", "evidence", "pinned",
    "edited", "about", "content_hash", "last_used_at", "pii_risk", "position", "source", *_TIMES, *_PLAIN,
})  # fmt: skip
"""Fields with a form or place of their own, and those that are not shown; all others are shown plainly."""


def _facts(record: dict[str, Any]) -> list[tuple[str, str]]:
    """Returns the fields of a record that have a value, in words for people."""
    plain = (*_PLAIN, *(name for name in record if name not in _OTHERWISE))
    facts = [(name, str(record[name])) for name in plain if record[name] not in (None, "", 0)]
    if record["scope"]["type"] != "global":
        facts.append(("scope", ":".join(filter(None, record["scope"].values()))))
    facts += [(name, ", ".join(record[name])) for name in ("tags", "flags", "redactions") if record[name]]
    facts += [(name, _as_json(record[name])) for name in ("metadata", "evidence") if record[name]]
    if record["kind"] == "passage":  # made of hashes, and shown as the place in its file
        facts = [(name, value) for name, value in facts if name not in ("external_id", "metadata", "name")]
    facts += [(name, "yes") for name in ("pinned", "edited") if record[name]]
    facts += [(name, record[name]) for name in _TIMES if record[name]]
    return [(name.replace("_", " "), output.one_line(value)) for name, value in facts]
