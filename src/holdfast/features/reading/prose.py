"""Cuts prose into sections by headings, and long sections into paragraphs."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from holdfast.features.reading.chunk_packing import MAX_CHARS, Unit
from holdfast.features.reading.line_blocks import SHORTEST

_HEADED = frozenset("markdown docx pptx odt odp eml mbox msg epub notebook sheet page".split())
"""Types with Markdown headings, including text extracted from documents."""
FILETYPES = _HEADED | frozenset("rst asciidoc org text pdf rtf tex subtitles unknown".split())

_DEEPEST = 6
_LONGEST = 120
"""Most characters of a heading in a title."""
_MARKS = r"[=\-~^\"'`#*+.:_]"


@cache
def _headings(filetype: str) -> re.Pattern[str] | None:
    """Returns the pattern of headings and of fences, inside which there are no headings; None without
    headings."""
    fence = r"^[ ]{0,3}(?P<fence>`{3,}|~{3,})"
    if filetype in _HEADED:
        return re.compile(
            rf"{fence}|^[ ]{{0,3}}(?P<level>#{{1,6}})[ \t]+(?P<title>[^\n]+)"
            r"|^(?P<above>[^\s|>#\-*+][^\n]{0,200})\n(?P<under>={3,}|-{3,})[ \t]*$",
            re.MULTILINE,
        )
    if filetype == "asciidoc":
        return re.compile(
            r"^(?P<fence>-{4,}|\.{4,}|={4,})[ \t]*$|^(?P<level>={1,6})[ \t]+(?P<title>[^\n]+)", re.MULTILINE
        )
    if filetype == "org":
        return re.compile(r"^(?P<level>\*{1,6})[ \t]+(?P<title>[^\n]+)", re.MULTILINE)
    if filetype == "rst":
        return re.compile(
            rf"^(?:(?P<over>{_MARKS}{{3,}})[ \t]*\n)?[ ]?(?P<above>[^\s][^\n]{{0,200}})"
            rf"\n(?P<under>(?P<mark>{_MARKS})(?P=mark){{2,}})[ \t]*$",
            re.MULTILINE,
        )
    if filetype == "pdf":
        return re.compile(r"\f")
    return None


def units(text: str, filetype: str) -> list[Unit]:
    """Returns the sections of a text without gaps; sections longer than a chunk as paragraphs."""
    sections: list[Unit] = []
    for start, end, path in _sections(text, filetype):
        if end - start <= MAX_CHARS:
            sections.append(Unit(start, end, path, path))
        else:
            sections.extend(Unit(low, high, path, path) for low, high in _paragraphs(text, start, end))
    return sections


def _sections(text: str, filetype: str) -> Iterator[tuple[int, int, tuple[str, ...]]]:
    """Yields the sections of a text with the path of their headings."""
    start = 0
    path: tuple[str, ...] = ("page 1",) if filetype == "pdf" and "\f" in text else ()
    for at, deeper in _section_starts(text, filetype):
        if at > start:
            yield start, at, path
        start, path = at, deeper
    if start < len(text):
        yield start, len(text), path


def _section_starts(text: str, filetype: str) -> Iterator[tuple[int, tuple[str, ...]]]:
    """Yields the start of each section and the headings above it."""
    pattern = _headings(filetype)
    if pattern is None:
        return
    if filetype == "pdf":
        for page, match in enumerate(pattern.finditer(text), 2):
            yield match.end(), (f"page {page}",)
        return
    open_fence: str | None = None
    above: list[tuple[int, str]] = []
    styles: list[tuple[str, bool]] = []
    for match in pattern.finditer(text, _behind_front_matter(text, filetype)):
        groups = match.groupdict()
        if (fence := groups.get("fence")) is not None:
            if open_fence is None:
                open_fence = fence
            elif fence[0] == open_fence[0] and len(fence) >= len(open_fence):
                open_fence = None
            continue
        if open_fence is not None:
            continue
        if filetype == "rst":
            level = _style(groups, styles)
        elif groups.get("level") is not None:
            level = len(groups["level"])
        else:
            level = 1 if groups["under"][0] == "=" else 2
        if level == 0:
            continue
        title = (groups.get("title") or groups.get("above") or "").strip().rstrip("# =").strip()
        while above and above[-1][0] >= level:
            above.pop()
        above.append((level, title[:_LONGEST]))
        yield match.start(), tuple(name for _, name in above[:_DEEPEST] if name)


def _style(groups: dict[str, str], styles: list[tuple[str, bool]]) -> int:
    """Returns the level of a reStructuredText heading, whose first style is the highest; 0 for other text."""
    under, over, title = groups["under"], groups["over"], groups["above"]
    if len(under) < len(title.rstrip()) or set(title) <= set("=-~^\"'`#*+.:_ "):
        return 0
    style = (under[0], over is not None and over[0] == under[0])
    if style not in styles:
        styles.append(style)
    return styles.index(style) + 1


def _behind_front_matter(text: str, filetype: str) -> int:
    if filetype == "markdown" and text.startswith("---\n"):
        end = text.find("\n---\n", 3)
        return end + 5 if end >= 0 else 0
    return 0


def _paragraphs(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yields the parts between blank lines."""
    at = text.find("\n\n", start, end)
    while at >= 0:
        after = at + 2
        while after < end and text[after] == "\n":
            after += 1
        if after < end and after - start >= SHORTEST:
            yield start, after
            start = after
        at = text.find("\n\n", after, end)
    yield start, end
