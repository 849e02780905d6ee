"""Reads an order that is told in words: "… is green, second comes ochre, and third teal"; "dann Rust"."""

from __future__ import annotations

import re

from holdfast.core.facts import RANK_MAX
from holdfast.language.facts.lexicon import COUNT, GERMAN_ORDINALS, ORDINALS, rank_named

_RANK = (
    rf"(?:(?:number|no\.|nummer|[Pp]latz|#) ?{COUNT}\b|#\d{{1,3}}\b|\d{{1,3}}(?:st|nd|rd|th)\b"
    rf"|(?:{'|'.join(sorted(ORDINALS, key=len, reverse=True))})(?:ly)?\b"
    rf"|(?:{'|'.join(GERMAN_ORDINALS)})(?:ens|e[rsn]?)\b)"
)
_IS = (
    r"(?: (?:is|are|=|comes|come|would be|goes to|place goes to|place to|to|place is|ist|sind|kommt|kommen"
    r"|folgt|steht|wäre|geht an)|:|'s) "
)
_BREAK = re.compile(
    r"(?: ?[,;(.…] ?(?:(?:and|&|but|then|also|und|dann|danach) ){0,2}| (?:and|&|but|then|und"
    r"|dann|danach) (?:(?:then|also|dann) )?)"
    rf"(?:(?P<own>my|the|in|at|on|mein[e]?[rs]?|die|der|das|an|auf|als) )?(?P<rank>{_RANK})(?:"
    r" (?P<place>place|spot|[Ss]telle|[Pp]latz))?"
    rf"(?P<favourite> (?:fav(?:ou?rites?|es?|s)?|liebste[rsn]?))?(?: (?:one|choice|pick))?(?P<verb>{_IS})?\s*"
    r"|(?P<next>(?: ?[,;] ?|\s)(?:(?:and|und) )?(?:(?:closely )?followed(?: closely)? by"
    r"|(?:dicht )?gefolgt von|then"
    r" comes|then|dann(?: kommt| folgt)?|danach(?: kommt| folgt)?|after that(?: comes)?|next comes"
    r"|(?<=[,;] )next|dahinter|anschließend)"
    r"(?: (?:it's|is|it is|maybe|perhaps|probably|would be))?:? )",
)
"""In lower case: "The Good, the Second Wife" is a title."""
_NO_VALUE = re.compile(
    r"(?:best|only|one|time|part|half|place|prize|chance|act|season|series|episode|book|novel|movie|film"
    r"|volume|edition|version|generation|year|quarter|round|of|to|in|on|at|by|from|for|with|and|or|coming"
    r"|is|was|after|before|staffel|folge|mal|teil)\b",
    re.IGNORECASE,
)
"""Words after an ordinal that ranks nothing: "the second season", "second to none"."""
_OWN = re.compile(rf"(?:my|mein[e]?[rs]?) (?P<rank>{_RANK})", re.IGNORECASE)


def parted(text: str, rank: int | None) -> list[tuple[int | None, str]]:
    """Splits a text at the ranks that follow in the same sentence.

    Returns (rank, text) pairs. A rank without the word "favourite" must be the next one in order.
    """
    parts: list[tuple[int | None, str]] = []
    begin, last = 0, rank
    for match in _BREAK.finditer(text):
        if match["next"]:
            if match.start() == 0 or match.end() == len(text):
                continue
            next_rank: int | None = (last or 1) + 1
        else:
            next_rank = rank_named(match["rank"].removesuffix("ly"))
            if not _is_rank(next_rank) or _NO_VALUE.match(text, match.end()) or match.end() == len(text):
                continue
            plain = (
                match["own"] or match["verb"] or match["place"] or begin or match[0].lstrip()[0] in ",;(.…"
            )
            if not (match["favourite"] and match["verb"]) and not (plain and next_rank == (last or 1) + 1):
                continue
        parts.append((last, text[begin : match.start()]))
        begin, last = match.end(), next_rank
    return [*parts, (last, text[begin:].rstrip(" .!)") if parts else text[begin:])]


def _is_rank(rank: int | None) -> bool:
    return rank is not None and 1 <= rank <= RANK_MAX
