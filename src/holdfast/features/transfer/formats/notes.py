"""Reader of plain notes in Markdown or text: each is a note, a long one a note for each section (S2.21)."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import NamedTuple

from holdfast.core.record import TAG_MAX, TAGS_MAX
from holdfast.features.transfer.formats import frontmatter
from holdfast.features.transfer.formats.fields import clean, line_of, stable_id, time_of
from holdfast.features.transfer.formats.folder import TextFile, texts
from holdfast.features.transfer.formats.model import FILE, Note, Skip

WHOLE = 2_000
"""Maximum number of characters of a note that stays one memory."""
LONGEST = 12_000
"""Maximum number of characters of one memory; a longer section is split between paragraphs."""
TITLE = 200

_HEADING = re.compile(r"(#{1,6})[ \t]+(.*)")
_FENCE = re.compile(r"[ ]{0,3}(`{3,}|~{3,})")
_TAG = re.compile(r"(?<![\w/&#])#([A-Za-z\u00c0-\uffff][\w/-]{0,60})")


def notes(files: Iterable[TextFile], root: str, skip: Skip) -> Iterator[Note]:
    """Yields the notes in files. `root` is the name of their folder: ids are derived from it and the path."""
    for file, text in texts(files, skip):
        head, body = frontmatter.split(text)
        yield from of_text(head, body, file, root, skip)


def of_text(head: frontmatter.Head, body: str, file: TextFile, root: str, skip: Skip) -> Iterator[Note]:
    """Yields the notes in one text whose front matter was parsed."""
    sections = [(path, part) for path, part in _sections(body) if part.strip()]
    if not sections:
        skip(file.name, "no text", FILE)
        return
    name = line_of(frontmatter.word(head, "title")) or _first_heading(sections) or _stem(file.name)
    at = _time(head)
    tags = [tag[:TAG_MAX] for tag in frontmatter.words(head, "tags")]
    for piece in pieces(body, name):
        yield Note(
            piece.text,
            stable_id("notes", root, file.name, piece.under, piece.number),
            title=piece.title,
            tags=tuple(dict.fromkeys((*tags, *_TAG.findall(_prose(piece.text)))))[:TAGS_MAX],
            metadata={"file": file.name[-500:]},
            at=at,
            changed_at=file.changed_at,
        )


class Piece(NamedTuple):
    """A part of a text that is one memory: below which headings it is, and which one there it is."""

    text: str
    title: str
    under: str
    number: int


def pieces(body: str, name: str, *, limit: int = WHOLE) -> Iterator[Piece]:
    """Yields a text called `name` in pieces: one if it has at most `limit` characters, else one or several
    for each section."""
    sections = [(path, part) for path, part in _sections(body) if part.strip()]
    is_whole = len(body) <= limit or len(sections) == 1
    count: dict[str, int] = {}
    for path, text in [((), clean(body))] if is_whole else sections:
        for piece in _divided(clean(text)):
            under = " › ".join(part for part in path if part != name)
            count[under] = count.get(under, 0) + 1
            title = name if not under else f"{name} › {under}"
            yield Piece(piece, title[:TITLE], under, count[under])


def _sections(body: str) -> Iterator[tuple[tuple[str, ...], str]]:
    """Yields the text below each heading of the first two levels, with the headings above it."""
    path: tuple[str, ...] = ()
    levels: tuple[int, ...] = ()
    lines: list[str] = []
    fence = ""
    for line in body.split("\n"):
        mark = _FENCE.match(line)
        if mark and not fence:
            fence = mark[1]
        elif mark and mark[1].startswith(fence):
            fence = ""
        heading = None if fence else _HEADING.fullmatch(line)
        if heading and len(heading[1]) <= 2:
            yield path, "\n".join(lines)
            lines = []
            above = sum(level < len(heading[1]) for level in levels)
            levels = (*levels[:above], len(heading[1]))
            path = (*path[:above], heading[2].rstrip(" \t#"))
        else:
            lines.append(line)
    yield path, "\n".join(lines)


def _divided(text: str) -> Iterator[str]:
    """Splits a text into pieces of limited length, between paragraphs if possible."""
    while len(text) > LONGEST:
        cut = max(text.rfind("\n\n", 1, LONGEST), 0) or max(text.rfind("\n", 1, LONGEST), 0)
        cut = cut or max(text.rfind(" ", 1, LONGEST), 0) or LONGEST
        if text[:cut].strip():
            yield text[:cut].strip()
        text = text[cut:].strip()
    if text:
        yield text


def _prose(text: str) -> str:
    """Returns a text without its headings and code, where `#` means something else."""
    lines, fenced = [], False
    for line in text.split("\n"):
        if _FENCE.match(line):
            fenced = not fenced
        elif not fenced and not _HEADING.fullmatch(line):
            lines.append(line)
    return re.sub(r"`[^`]*`|\b[a-z]{1,12}://\S+", " ", "\n".join(lines))


def _first_heading(sections: list[tuple[tuple[str, ...], str]]) -> str | None:
    return next((line_of(path[0]) for path, _ in sections if path and path[0]), None)


def _stem(name: str) -> str:
    return os.path.splitext(name.rsplit("/", 1)[-1])[0][:TITLE] or name[:TITLE]


def _time(head: frontmatter.Head) -> int | None:
    """Returns the date in the front matter (UTC epoch milliseconds), of creation before change; None if there
    is none or it is not ISO 8601."""
    date = frontmatter.word(head, "date", "created", "created_at", "modified", "updated")
    if date is None:
        return None
    try:
        return time_of(datetime.fromisoformat(date).isoformat())
    except ValueError:
        return None
