"""Finds codes that are listed for the case that a device is lost: recovery, backup and one-time codes."""

from __future__ import annotations

import re

from holdfast.core.text import byte_pattern
from holdfast.language.secrets.handover.lexicon import class_pattern
from holdfast.language.secrets.part import Spans

_AFTER_HEADING = (
    r"(?:[^\n\0.:!?]|[ \t]\([^\n\0()]*\)){0,60}?(?::[ \t]*\r?\n?|[ \t]*\r?\n|[ \t](?:is|are"
    r"|ist|sind|lautet|est|sont|es|son|\x{e8}|sono)[ \t]:?)"
)
_ITEM = (
    r"[ \t]*(?:(?:and|und|et|y|e)[ \t]+)?(?:(?:\d{1,2}[.)]|[-*\x{2022}]"
    r"|\[[ xX]?\])[ \t]+)*([A-Za-z0-9]{3,5}(?: [A-Za-z0-9]{3,5}){1,7}"
    r"|[A-Za-z0-9]{3,10}(?:-[A-Za-z0-9]{3,10}){0,7})(?:[ \t]*(?:[,;/|]|\r?\n|$)"
    r"|[ \t]|[.;]|[ \t]+\(|[ \t]+(?:and|und|et|y|e)\b)"
)
_MAX_ITEMS = 40


def in_code_lists(data: bytes) -> Spans:
    """Yields (start, end, type) in bytes of each code below or after such a heading."""
    for heading in class_pattern("lists").finditer(data):
        opened = byte_pattern(_AFTER_HEADING).match(data, heading.end())
        if not opened:
            continue
        at = opened.end()
        for _ in range(_MAX_ITEMS):
            item = byte_pattern(f"(?:[ \\t]*\\r?\\n)?{_ITEM}").match(data, at)
            if not item or not _is_code(item.group(1).decode()):
                break
            yield item.start(1), item.end(1), "recovery_code"
            at = item.end()


def _is_code(value: str) -> bool:
    """Returns whether a value is groups of letters and digits, neither words nor a date."""
    bare = re.sub(r"[- ]", "", value)
    groups = re.split(r"[- ]", value)
    if len(bare) < 6 or not any(map(str.isdigit, bare)) or re.fullmatch(r"(?:19|20)\d\d-\d\d-\d\d", value):
        return False
    return all(any(map(str.isdigit, group)) for group in groups) or (
        len(set(map(len, groups))) == 1 and (bare.islower() or bare.isupper() or bare.isdigit())
    )
