"""Extraction of a heading from the text of code and documents that have no title."""

from __future__ import annotations

import re
from functools import cache

LOOKED_AT = 4_000
"""Number of characters at the beginning of a text that are searched for a heading."""
LONGEST = 200


@cache
def _patterns() -> tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str]]:
    """Returns the patterns of definitions, first lines of documentation, and document titles. Compiled on
    first use."""
    before = r"(?:[ \t]*(?:@|#|//|/\*|\*)[^\n]*\n|[ \t]*\n)*[ \t]*"
    modifiers = (
        r"(?:(?:export|default|public|private|protected|static|final|abstract|async|unsafe|inline"
        r"|pub(?:\([a-z]+\))?)\s+)*"
    )
    keyword = r"(?:def|class|func|fn|function|interface|struct|enum|trait|impl|module|type|object)\s+"
    receiver = r"(?:\([^)\n]*\)\s*)?"
    # a word that code has after a name: "type of thing" is prose
    named = (
        rf"{keyword}{receiver}(?P<name>[A-Za-z_$][\w$]*)(?=\s*[(:{{<=\[;]|\s+(?:extends|implements|for|is)\b)"
    )
    typed = r"(?:public|private|protected|static)\s[\w<>\[\], ]{1,80}\s(?P<method>[A-Za-z_]\w*)\s?\("
    line = r"[ \t]*\n?[ \t]*\*?[ \t]*(?P<line>[^\s*/#\"'\[][^\n]*)"
    documentation = rf"(?:\"\"\"|'''|/\*\*+|//[/!]?|^[ \t]*#){line}"
    return (
        re.compile(f"{before}(?:{modifiers}{named}|{typed})"),
        re.compile(documentation, re.MULTILINE),
        re.compile(r"\s*#{1,6}[ \t]+(?P<line>[^\n]+)"),
    )


def heading_of(text: str) -> str | None:
    """Returns a definition's name and the first line of its documentation, or a document's first heading;
    None for prose. It weighs like a title in recall."""
    definition, documentation, title = _patterns()
    start = text[:LOOKED_AT]
    if named := definition.match(start):
        doc_match = documentation.search(start)
        line = doc_match["line"].strip(" \t\"'*/") if doc_match else ""
        return f"{named['name'] or named['method']} {line}".strip()[:LONGEST]
    if headed := title.match(start):
        return headed["line"].strip()[:LONGEST] or None
    return None
