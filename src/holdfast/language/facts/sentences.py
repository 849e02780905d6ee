"""Divides a message into sentences, each with the list that it introduces, without quotations and code."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from holdfast.language.facts.values import ABBREVIATED, MARK, is_item

_FENCE = re.compile(r"^[ \t]*(?:```|~~~).*?(?:^[ \t]*(?:```|~~~)[ \t]*$|\Z)", re.MULTILINE | re.DOTALL)
_CITATION = re.compile(r"\[(?:M?\d{1,3})(?:, ?M?\d{1,3}){0,20}\](?![(\w])|(?<![\w#])M\d{1,3}(?![\w#])")
_HEADING = re.compile(r"#{1,6}\s+(?!\d)|##|#{1,6}$")
_MODEL = re.compile(r"\bModel:", re.IGNORECASE)
_FOOTER = re.compile(
    r"\s*\d{1,2} (?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6} \d{4}(?:,? \d{1,2}:\d\d)?\s*",
    re.IGNORECASE,
)
_QUOTED = re.compile(
    r'"([^"\n]{1,1000})"|“([^“”\n]{1,1000})”|„([^“”"\n]{1,1000})[“”"]|«([^«»\n]{1,1000})»|»([^«»\n]{1,1000})«'
    r"|(?<![\w'])'([^'\n]{2,200})'(?![\w'])|‘([^‘’\n]{2,200})’(?!\w)|`([^`\n]{1,200})`"
)
_HIDDEN = "Hq0"
HIDES = re.compile(rf"{_HIDDEN}(\d{{1,5}})q")
"""The place of a quotation."""
_GAP = re.compile(
    r"(?<=[.!?…])[\"')*_]{0,2}\s+(?=\S)|(?<=\?)\s*$|(?<=;)\s+(?=(?:least )?fav"
    r"|lieblings)",
    re.IGNORECASE,
)
_LIST_DOT = re.compile(r"(?:^|[\s(*:])\d{1,3}\.[*_]{0,2}$")
_NEXT_MARK = re.compile(rf"\s*{MARK}")
_OWN_LINE = re.compile(r"\b(?:my|mine|mein\w*|i|ich)\b", re.IGNORECASE)
_OWN_MARK = re.compile(r"\d{1,2}[.)] (?=(?:my|meine?) (?:\w+ )?(?:fav|lieb|least))", re.IGNORECASE)
"""The mark of a statement of its own: "1. My favourite …"."""
_LINE_MAX = 60


@dataclass(slots=True)
class Sentence:
    """A sentence with the lines of the list after it."""

    text: str
    lines: list[str] = field(default_factory=list)
    above: list[str] = field(default_factory=list)
    """The lines of the list in front of it."""


class Quotations:
    """The quotations of a text, hidden while it is parsed."""

    def __init__(self) -> None:
        self._texts: list[str] = []

    def hidden(self, text: str) -> str:
        """Returns a text with a placeholder for each quotation."""
        return _QUOTED.sub(self._hide, text)

    def _hide(self, match: re.Match[str]) -> str:
        self._texts.append(next(filter(None, match.groups())))
        return f"{_HIDDEN}{len(self._texts) - 1}q"

    def restored(self, value: str) -> str:
        """Returns a value with its quotations: one that is a quotation as a whole without quotes."""
        alone = HIDES.fullmatch(value)
        if alone:
            return self._text(alone)
        return HIDES.sub(lambda match: f'"{self._text(match)}"', value)

    def _text(self, match: re.Match[str]) -> str:
        number = int(match[1])
        return self._texts[number] if number < len(self._texts) else ""


def pre_clean(text: str) -> str:
    """Returns a text without code, quoted lines, citations, headings, model names and lines that are only a
    date."""
    text = _FENCE.sub("\n", text) if "```" in text or "~~~" in text else text
    lines = []
    for line in text.split("\n"):
        start = line.lstrip()
        if _HEADING.match(start) or _MODEL.match(start) or _FOOTER.fullmatch(line) or start.startswith(">"):
            continue
        lines.append(_CITATION.sub("", line))
    return "\n".join(lines)


def sentences(text: str) -> list[Sentence]:
    """Returns the sentences of a clean text."""
    result: list[Sentence] = []
    items: list[str] = []
    gap = 0
    lines = text.split("\n")
    for number, line in enumerate(lines):
        if not line.strip():
            gap += 1
            if gap > 1:
                items = []
            continue
        belongs = result and (items or gap <= 1)
        if (
            belongs
            and not _is_sentence(line)
            and (is_item(line) or _is_bare_item(result[-1], lines, number, gap))
        ):
            result[-1].lines.append(line)
            items = result[-1].lines
        elif is_item(line) and not _is_sentence(line) and not result:
            result.append(Sentence("", lines=[line]))
            items = result[-1].lines
        else:
            above = items
            items = []
            for part in split(line):
                result.append(Sentence(part, above=above))
                above = []
        gap = 0
    return result


def _is_sentence(line: str) -> bool:
    """Returns whether an item of a list is a sentence of its own: "- My favorite color is red"."""
    return bool(
        re.match(
            r"\W*(?:\d{1,2}[.)]\s*)?(?:my|mein\w*|i|ich|the \w+ i)\b.*\b(?:is|are|ist|sind|hate"
            r"|mag|like|love)\b|.*\b(?:is|are|ist|sind) (?:my|mein\w*) \S|\W*(?:my "
            r"|meine? )?(?:least )?(?:favou?rite|lieblings)[\w -]+:",
            line,
            re.IGNORECASE,
        )
    )


_SECTION = re.compile(r"\s*[^\W\d][\w' -]{1,40}: .*,")
"""A list of its own in one line: "Teas: oolong, matcha"."""


def _is_bare_item(header: Sentence, lines: list[str], number: int, gap: int) -> bool:
    """Returns whether a line without a mark is an item: a short line in a row of such under a header that
    ends with a colon."""
    if not header.text.rstrip(" *_").endswith(":") or gap:
        return False
    if _SECTION.match(lines[number]):
        return False
    ahead = [lines[number]] if header.lines else lines[number : number + 2]
    return all(
        line.strip() and len(line) <= _LINE_MAX and line.strip()[-1] not in ".?!:" for line in ahead
    ) and len(ahead) > (0 if header.lines else 1)


def split(line: str) -> Iterator[str]:
    """Yields the sentences of a line. A mark such as "1." and an abbreviation end none."""
    start = 0
    for gap in _GAP.finditer(line):
        before, rest = line[start : gap.start()].rstrip(), line[gap.end() :]
        is_short = not before.endswith("..") and ABBREVIATED.search(before[-6:])
        if before.endswith(".") and (_LIST_DOT.search(before[-8:]) or is_short):
            continue
        if _OWN_MARK.match(rest):
            yield before
            start = gap.end()
            continue
        goes_on = before.endswith(("...", "…")) or (before.endswith("!") and not _OWN_LINE.match(rest))
        if _NEXT_MARK.match(rest) or (goes_on and rest[:1].islower()):
            continue
        yield line[start : gap.end()].strip()
        start = gap.end()
    if line[start:].strip():
        yield line[start:].strip()
