"""Merges statements on one topic: what says the same has two sources, what contradicts is a correction."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from holdfast.core.insights import InsightStatement, parts_of, said_in, sources_of
from holdfast.core.record import Memory
from holdfast.language.statements.compare import Verdict, compare

OVERLAP = 0.5
"""Least share of common words of a statement that says that it corrects, and of what it corrects."""
_WORD = re.compile(r"\w+")
_ONE_WAY = re.compile(
    r"(?i)(.*\b(?:is|are|was|were) (?:calculated|computed|stored|measured|counted|rounded|reported"
    r"|written|sorted|grouped|kept)"
    r" (?:per|in|to|by|as|on|at|with)\b).*"
)
"""How something is done that is done in one way at a time: of two such statements the later one holds."""
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")


@dataclass(frozen=True, slots=True)
class Merged:
    """The statements of an insight after a merge, and why any of them gave way."""

    statements: tuple[InsightStatement, ...]
    corrections: tuple[str, ...] = ()


def merged(
    existing: Sequence[InsightStatement], new: Iterable[tuple[InsightStatement, bool]], *, since: int = 1
) -> Merged:
    """Merges statements, each with whether it says that it corrects, into those of an insight, whose version
    `since` they make. Of two that contradict each other the later one holds (S3.43)."""
    result = list(existing)
    reasons: list[str] = []
    for incoming, corrects in new:
        statement = replace(incoming, since=since)
        for place, old in enumerate(result):
            if old.corrected is not None or old.text == statement.text:
                continue
            comparison = compare(old.text, statement.text)
            if comparison.verdict is Verdict.SAME:
                statement = replace(statement, text=old.text)
                continue
            why = comparison.reason if comparison.verdict is Verdict.CONTRADICTS else None
            if why := why or _why_not_both(old, statement, corrects=corrects):
                reasons.append(why)
                if statement.at < old.at:
                    statement = replace(statement, corrected=old.text)
                else:
                    result[place] = replace(old, corrected=statement.text)
        if all(statement.key != old.key for old in result):
            result.append(statement)
    return Merged(tuple(result), tuple(dict.fromkeys(reasons)))


def with_news(insight: Memory, news: Memory) -> dict[str, Any]:
    """Returns text, metadata and evidence of an insight together with the statements of its news."""
    existing = said_in(insight)
    keys = {statement.key for statement in existing}
    new = [(statement, False) for statement in said_in(news) if statement.key not in keys]
    statements = merged(existing, new, since=insight.version + 1).statements
    return parts_of(statements, sources_of(insight) | sources_of(news))


def _why_not_both(old: InsightStatement, new: InsightStatement, *, corrects: bool) -> str | None:
    """Returns why two statements on one topic do not both hold; None if they may."""
    if corrects and _overlap(old.text, new.text):
        return "it says that it corrects"
    ways = _ONE_WAY.match(old.text), _ONE_WAY.match(new.text)
    if ways[0] and ways[1] and ways[0][1].lower() == ways[1][1].lower():
        return "done in another way"
    numbers = [frozenset(_NUMBER.findall(text)) for text in (old.text, new.text)]
    is_other = numbers[0] != numbers[1] and len(numbers[0]) == len(numbers[1]) == 1
    is_other = is_other and _NUMBER.sub("0", old.text).lower() == _NUMBER.sub("0", new.text).lower()
    return "another number" if is_other and not _NUMBER.search(new.topic) else None


def _overlap(first: str, second: str) -> bool:
    one, other = (frozenset(_WORD.findall(text.lower())) for text in (first, second))
    return len(one & other) >= OVERLAP * len(one | other)
