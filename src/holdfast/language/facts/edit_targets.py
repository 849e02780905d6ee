"""Reads what an edit concerns: the list, a value or a position, and the rank where it goes."""

from __future__ import annotations

import re

from holdfast.core.facts import IF_KNOWN, LAST, RANK_MAX, RANKED_MAX
from holdfast.language.facts.heads import heads_in, topic_named
from holdfast.language.facts.lexicon import POSITION, rank_named
from holdfast.language.facts.topics import Topics
from holdfast.language.facts.values import clean_value, items_of

NAME = re.compile(
    r"(?!(?:the|my|a|an|this|that|all|die|der|das|den|dem|ein\w*|diese\w*|alle) )\S+(?: \S+){0,4}"
)
"""A value said without an article. With one ("the summary") it is something else than a new value."""
PLACE = re.compile(
    r"#\d|\b(?:number|no\.|nr\.|nummer|platz|place|spot|position|rang|rank|slot|stelle|list|liste)\b",
    re.IGNORECASE,
)
"""Words by which an edit that names no list is about one."""


def key_of(target: str | None, topics: Topics, *, adds: bool = False) -> str | None:
    """Returns the key of the list that an edit names: empty if it names none, with a question mark if the
    list must exist already, None if it names something else."""
    if target is None:
        return ""
    plain = re.sub(
        r"^,? ?(?:one of|in|of|on|from|off|out of|to|into|onto|among|within|for|at|von|aus|zu|auf"
        r"|unter|bei|im|vom|zur|zum|an)\s+",
        "",
        target.strip(),
        flags=re.IGNORECASE,
    ).strip(" .!,:")
    plain = re.sub(
        r"^(?:(?:the|my|meine[rnms]?|mein|die|der|den|dem) )?(?:list|ranking|liste"
        r"|rangliste)(?: (?:of|with|für|mit|von|for|der)(?: the)?)? (?=(?:my|mein\w*|favou?rite"
        r"|lieblings)\b|lieblings)",
        "",
        plain,
        flags=re.IGNORECASE,
    )
    if re.fullmatch(
        r"(?:(?:my|the|this|that|meine[rnms]?|die|der|den|dieser?) )?(?:list|favou?rites|favs"
        r"|faves|ranking|liste|rangliste|favoriten|it|there|order|reihenfolge|lieblingsliste)",
        plain,
        re.IGNORECASE,
    ):
        return ""
    found = heads_in(plain)
    if found and found[0].start == 0:
        head = found[0]
        topic = topic_named(
            re.sub(r"\s*(?:list|ranking|liste)$", "", plain[head.end :], flags=re.IGNORECASE),
            topics,
            disliked=head.disliked,
        )
        return topic.key if topic is not None and head.rank is None else None
    hated = re.match(
        r"(?:the )?(?P<noun>[\w' -]{1,50}?) (?:that )?I (?:hate|dislike|avoid|can't stand|don't like)$",
        plain,
        re.IGNORECASE,
    )
    if hated is not None:
        topic = topic_named(hated["noun"], topics, disliked=True)
        return None if topic is None else topic.key
    listed = re.fullmatch(
        r"(?:my|the|meiner?|der|die) (?:list|ranking|liste|rangliste) (?:of|von|mit|der|for"
        r"|für) (?P<noun>[\w' -]{1,50}?)",
        plain,
        re.IGNORECASE,
    )
    topic = topic_named(listed["noun"], topics) if listed else None
    if topic is not None:
        return f"{IF_KNOWN}{topic.key}"
    own = (
        None
        if adds and not re.search(r"list|ranking|liste|favorit|s$", plain, re.IGNORECASE)
        else re.match(
            r"(?:my|meine[rnms]?|mein|the|der|die|den) (?P<noun>[\w' -]{1,50}?)(?: list| ranking|liste)?$",
            plain,
            re.IGNORECASE,
        )
    )
    topic = topic_named(own["noun"], topics) if own is not None else None
    return None if topic is None else f"?{topic.key}"


def reference_of(text: str) -> str:
    """Returns a value as it is named, or a position as `#2`."""
    plain = text.strip(" ,:")
    if re.fullmatch(r"#-\d", plain):
        return plain
    match = re.fullmatch(
        rf"(?:(?:my|the|mein\w*|die|der|das|den|dem) )?(?P<position>{POSITION})(?: (?:one|place"
        r"|spot|position|item|entry|stelle|platz|eintrag|rang))?",
        plain,
        re.IGNORECASE,
    )
    rank = (
        rank_named(
            re.sub(r"^(?:my|the|mein\w*|die|der|das|den|dem) ", "", match["position"], flags=re.IGNORECASE)
        )
        if match
        else None
    )
    if rank is not None and (rank == LAST or 1 <= rank <= RANK_MAX):
        return f"#{rank}"
    return clean_value(
        re.sub(r"^(?:(?i:the|die|der|das|den|dem|eine?n?) (?=[A-ZÄÖÜ])|noch |also |auch |doch )", "", plain),
        RANKED_MAX,
    )


def without_article(value: str) -> str:
    """Returns a new value without an article in lower case."""
    return re.sub(r"^(?:the|die|der|das|den|dem) (?=[A-ZÄÖÜ])", "", value)


def rank_of(match: re.Match[str]) -> int | None:
    groups = match.groupdict()
    if groups.get("top"):
        return 1
    if groups.get("end"):
        return LAST
    rank = rank_named(groups["position"]) if groups.get("position") else None
    return rank if rank is not None and (rank == LAST or 1 <= rank <= RANK_MAX) else None


_VAGUE = re.compile(
    r"(?:it|them|that|this|these|those|things?|everything|something|anything|nothing|you|me|us"
    r"|up|some|more|another|a|an|my [\w ]+|your .+|all|sie|es|das|ihn|mich|alles|etwas|was)$",
    re.IGNORECASE,
)


def is_value(value: str) -> bool:
    return bool(value) and not _VAGUE.match(value) and len(value.split()) <= 12


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
    beside = match["other"].strip(" .!").lower()
    at = next((i for i, item in enumerate(values) if item.lower() == beside), None)
    if at is None:
        return None
    values.insert(at if match["before"] else at + 1, match["value"].strip())
    return ", ".join(values)
