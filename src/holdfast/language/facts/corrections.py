"""Reads what is corrected while it is said: "the cello, no wait, the viola"."""

from __future__ import annotations

import re

from holdfast.language.facts.values import items_of

_CORRECTED = re.compile(
    r"^[^,;.–—]{1,60}(?:[,;–—]|\.{2,}|…| -) ?"
    r"(?:(?:no|oh|wait|sorry|nein|ach|halt|moment|quatsch|warte|actually)[,:]? ?)*"
    r"(?:no|wait|sorry|nein|halt|moment|quatsch|warte)[,:]? (?=\S)",
    re.IGNORECASE,
)


def corrected_value(text: str) -> str:
    """Returns a single value without the one that is taken back before it."""
    return _CORRECTED.sub("", text)


def corrected(text: str) -> str | None:
    """Returns a list that is corrected while it is told: "A, B... no wait, C comes before B"; None if it is
    not."""
    match = re.match(
        r"(?P<list>.+?)(?:\.\.\.|…|[,;–—-])\s*(?:no,? wait|wait|no|actually|sorry|nein|halt"
        r"|quatsch|moment)[,:]?\s+(?P<value>[^,]+?) (?:comes|goes|is|ranks|belongs|should be"
        r"|kommt|gehört|ist|steht) (?:(?P<before>before|above|ahead of|vor|über)|after|below"
        r"|behind|nach|hinter|unter) (?P<other>[^,]+)$",
        text.rstrip(" .!"),
        re.IGNORECASE,
    )
    if match is None:
        return None
    values = [item for item in items_of(match["list"]) if item.lower() != match["value"].strip().lower()]
    neighbour = match["other"].strip(" .!").lower()
    at = next((i for i, item in enumerate(values) if item.lower() == neighbour), None)
    if at is None:
        return None
    values.insert(at if match["before"] else at + 1, match["value"].strip())
    return ", ".join(values)
