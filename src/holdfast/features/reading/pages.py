"""Reads an HTML page as the text that people see, and keeps the lines of the file on which it is."""

from __future__ import annotations

import html
import re
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, replace

from holdfast.language.private import overwritten, privacy_of_file

TEXT_MIN = 100
"""Minimum characters of text of a page: with fewer, in less than a fifth of its source, a file is the frame
of an application."""
MARKS = 3
MARKS_EVERY = 500
"""A page has at most three marks of a program, and one more for each so many characters of text."""

# As browsers split a page: a quoted value may contain ">", and what is never closed reaches to the end.
# Repetitions are possessive, so that the time is linear whatever a page consists of.
_NAME = re.compile(r"[a-zA-Z][^\s/>]*+")
_REST_OF_TAG = re.compile(r"""(?:[^>=]++|=\s*+(?:"[^"]*+"|'[^']*+')|=)*+>?""")
_ALT = re.compile(r"""(?i)\salt\s*+=\s*+(?:"([^"]*+)"|'([^']*+)')""")
_NAVIGATION = re.compile(r"""(?i)\srole\s*+=\s*+["']?(?:navigation|search)(?![\w-])""")
_MARKS = re.compile(
    r"\{\{|\{%|<%|<\?(?:php|=)|<(?:input|button|dialog|canvas)(?=[\s>])"
    r"|\s(?:on[a-z]{3,20}|(?:v|x|hx|ng)-[a-z]{1,20}|th:[a-z]{1,20}|\*ng[A-Za-z]{1,20}|[@:#][a-z.-]{1,20}"
    r"|\[[\w.()]{1,30}\]|\([a-z.]{1,20}\))=[\"']"
)
"""Marks of templates and programs: tags of Jinja, PHP and their like, fields, attributes of frameworks."""
_PRIVATE = re.compile(r"private(?![\w-])")

_UNSEEN = frozenset("script style template noscript svg math iframe object select textarea title".split())
_BLOCKS = frozenset(
    "p div section article header footer main aside ul ol dl table thead tbody blockquote figure figcaption"
    " caption form fieldset details summary address body html hr".split()
)
_LINES = frozenset(("li", "dt", "dd", "tr", "br"))
"""Elements that begin a line, without a blank one before it."""
_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_FENCE = "```"
_REMOVED = "<private></private>"
_BREAKS = str.maketrans(dict.fromkeys("\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029", " "))
"""What ends a line in Python, as a blank: a row of code may contain it as a reference."""


@dataclass(frozen=True, slots=True)
class Page:
    """The text of a page, and the first and the last line of the file for each of its lines.

    `unclosed` counts the characters that were removed after a private tag that is never closed.
    """

    text: str
    lines: Sequence[tuple[int, int]]
    unclosed: int = 0


def page_of(source: str) -> Page | None:
    """Returns the text of a page: its title, headings in the form of Markdown, paragraphs, lists, tables,
    code with its line breaks, descriptions of pictures. Scripts, styles, comments and navigation are left
    out.

    Returns None for a template, a form, a program or the frame of one, whose code is what matters. What is
    private is removed from the source, where also tags in comments and scripts are seen; an empty
    `<private></private>` shows where. Linear in the length of the source.
    """
    privacy = privacy_of_file(source, is_page=True)
    source = overwritten(source, [(start, end, " ") for start, end, _ in privacy.cuts])
    reader = _Reader(source, [start for start, _, is_block in privacy.cuts if is_block])
    page = replace(reader.page(), unclosed=privacy.unclosed)
    size = len(page.text)
    if size < reader.scripts or (size < TEXT_MIN and 5 * size < len(source) - reader.unseen):
        return None
    marks = len(_MARKS.findall(source)) - reader.marks_in_code
    return None if marks > MARKS + size // MARKS_EVERY else page


class _Reader:
    """A walk over the tags of a page that collects lines of text."""

    def __init__(self, source: str, removed: Sequence[int]) -> None:
        self.unseen = 0
        """Characters of what is not shown."""
        self.scripts = 0
        """Characters of scripts among these."""
        self.marks_in_code = 0
        """Marks of templates in examples of code."""
        self._source = source
        self._removed = deque(removed)
        """Starts of private blocks that are still to come."""
        self._lines: list[str] = []
        self._numbers: list[tuple[int, int]] = []
        self._words: list[str] = []
        self._prefix = ""
        self._first = self._last = 1
        self._counted_to, self._line = 0, 1
        self._title: tuple[str, int] | None = None
        self._example = self._is_pre = False
        self._aside: tuple[str, int] | None = None
        """A part that is not read, and how many elements of its name are open."""
        self._walk()
        self._end_line()

    def page(self) -> Page:
        """Returns what was collected, below the title of the page unless a heading says the same."""
        lines, numbers = self._lines, self._numbers
        if lines and not lines[-1]:
            lines.pop()
            numbers.pop()
        if self._title is not None:
            title, line = self._title
            if not any(row.startswith("# ") and row[2:] in title for row in lines):
                lines, numbers = [f"# {title}", "", *lines], [(line, line), (line, line), *numbers]
        return Page("\n".join(lines), numbers)

    def _walk(self) -> None:
        """Reads the page from tag to tag."""
        source, at, size = self._source, 0, len(self._source)
        while at < size:
            mark = source.find("<", at)
            if mark < 0:
                mark = size
            if mark > at:
                self._add(at, mark)
            at = self._markup(mark) if mark < size else size
            while self._removed and self._removed[0] < at:
                self._removed.popleft()
                self._show_removed(at)

    def _show_removed(self, at: int) -> None:
        """Adds an empty private block to the current line where one was removed from the page."""
        line = self._line_at(at)
        if not self._words:
            self._first = line
        self._last = line
        self._words.append(f" {_REMOVED} ")

    def _markup(self, at: int) -> int:
        """Reads what begins with a "<", and returns its end."""
        source = self._source
        if source.startswith("<!--", at):
            return self._skipped(at, source.find("-->", at + 4), 3)
        closes = source.startswith("/", at + 1)
        name = _NAME.match(source, at + 1 + closes)
        if name is None:
            if source.startswith(("!", "?", "/"), at + 1):
                return self._skipped(at, source.find(">", at), 1)
            self._add(at, at + 1)
            return at + 1
        rest = _REST_OF_TAG.match(source, name.end())
        assert rest is not None
        end = rest.end()
        tag = name.group().lower()
        if _PRIVATE.match(tag):
            self._add(at, end)
        elif self._aside is not None:
            open_, depth = self._aside
            depth += 0 if tag != open_ else -1 if closes else 1
            self._aside = (open_, depth) if depth else None
        elif closes:
            self._end(tag, at)
        elif tag in _UNSEEN:
            if source.startswith("/>", end - 2):
                return end
            close = re.compile(f"(?i)</{tag}(?![a-z])").search(source, end)
            stop = len(source) if close is None else close.start()
            if tag == "title" and self._title is None:
                title = " ".join(html.unescape(source[end:stop]).split())
                self._title = (title, self._line_at(end)) if title else None
            self.scripts += stop - end if tag == "script" else 0
            return self._skipped(at, stop, 0)
        elif tag == "nav" or _NAVIGATION.search(source, at, end):
            self._aside = (tag, 1)
        else:
            self._start(tag, at, end)
        return end

    def _skipped(self, at: int, stop: int, length: int) -> int:
        stop = len(self._source) if stop < 0 else stop + length
        self.unseen += stop - at
        return stop

    def _start(self, tag: str, at: int, end: int) -> None:
        """Handles the start of an element."""
        if tag == "pre":
            self._end_line(is_block=True)
            self._example = self._is_pre = True
            self._put(_FENCE, self._line_at(at))
        elif self._is_pre:
            if tag == "br":
                self._end_line()
        elif tag in _HEADINGS:
            self._end_line(is_block=True)
            self._prefix = "#" * _HEADINGS[tag] + " "
        elif tag in _LINES:
            self._end_line()
            self._prefix = "- " if tag == "li" else ""
        elif tag in ("td", "th"):
            if self._words:
                self._words.append(" | ")
        elif tag in _BLOCKS:
            self._end_line(is_block=True)
        elif tag == "code":
            self._example = True
        elif tag == "img" and (alt := _ALT.search(self._source, at, end)):
            self._words.append(f" {' '.join(html.unescape(alt[1] or alt[2] or '').split())} ")

    def _end(self, tag: str, at: int) -> None:
        """Handles the end of an element."""
        if tag == "pre" and self._is_pre:
            self._end_line()
            self._example = self._is_pre = False
            if self._lines[-1] == _FENCE:  # nothing is in it
                self._lines.pop()
                self._numbers.pop()
            else:
                self._put(_FENCE, self._line_at(at))
                self._end_line(is_block=True)
        elif self._is_pre:
            return
        elif tag in _HEADINGS or tag in _BLOCKS:
            self._end_line(is_block=True)
        elif tag == "tr":
            self._end_line()
        elif tag == "code":
            self._example = False

    def _add(self, at: int, end: int) -> None:
        """Adds text of the page, its white space folded except in code."""
        source = self._source
        if self._aside is not None:
            self.unseen += end - at
            return
        text = source[at:end]
        if self._example:
            self.marks_in_code += len(_MARKS.findall(text))
        if self._is_pre:
            self._add_code(text, at)
            return
        if text.isspace():
            if self._words:
                self._words.append(" ")
            return
        inner = text.strip()
        before = text.find(inner[0])
        if not self._words:
            self._first = self._line_at(at + before)
        if before and self._words:
            self._words.append(" ")
        self._words.append(" ".join((html.unescape(inner) if "&" in inner else inner).split()))
        self._last = self._line_at(at + before + len(inner))
        if not text.endswith(inner[-1]):
            self._words.append(" ")

    def _add_code(self, text: str, at: int) -> None:
        """Adds lines of a code example as they are."""
        line = self._line_at(at)
        first, *others = text.split("\n")
        for row in (first, *others):
            if row is not first:
                self._end_line()
                line += 1
            self._words.append(html.unescape(row).translate(_BREAKS))
            self._first, self._last = (self._first if row is first and len(self._words) > 1 else line), line

    def _line_at(self, at: int) -> int:
        """Returns the line of a place in the file; places are asked for in order."""
        if at > self._counted_to:
            self._line += self._source.count("\n", self._counted_to, at)
            self._counted_to = at
        return self._line

    def _put(self, text: str, first: int, last: int | None = None) -> None:
        self._lines.append(text)
        self._numbers.append((first, first if last is None else last))

    def _end_line(self, *, is_block: bool = False) -> None:
        """Ends a line, and with it a block, which a blank line follows."""
        text = "".join(self._words)
        self._words.clear()
        if self._is_pre:
            if text.strip() or self._lines[-1] != _FENCE:
                self._put(text.rstrip(), self._first, self._last)
        elif text := text.strip().removesuffix("¶").rstrip():
            self._put(f"{self._prefix}{text}", self._first, self._last)
            self._prefix = ""
        if is_block:
            self._prefix = ""
            if self._lines and self._lines[-1]:
                self._put("", self._numbers[-1][1])
