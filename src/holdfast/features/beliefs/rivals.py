"""Rules of a project that contradict each other: the newer is given, with its date, and names the other."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from holdfast.core.record import Origin

if TYPE_CHECKING:
    from holdfast.core.record import Memory

RULES = frozenset({"convention", "decision", "constraint", "human_feedback", "preference"})
"""Kinds of memories that say how things are done."""
SAID_LATER, SAID_BEFORE = "said later", "said before"
"""Reasons of what is newer or older than what it contradicts."""
_LEARNED = "learned"
"""The tag of what was learned from the log of a session."""
COMPARED_MAX = 60
"""Maximum number of rules that are compared with each other, the first."""


def newer_first(first: Memory, second: Memory) -> tuple[Memory, Memory] | None:
    """Returns two rules that contradict each other, the one that was stated later first; None if they do
    not."""
    if not _are_rivals(first, second):
        return None
    return (
        (first, second) if (first.holds_from, first.id) > (second.holds_from, second.id) else (second, first)
    )


def contradicted(memories: Iterable[Memory]) -> list[tuple[Memory, Memory]]:
    """Returns the rules that another one contradicts, each with the one that holds.

    The newer rule holds, unless a person stated the older one and no person the newer.
    """
    rules = [memory for memory in memories if memory.kind in RULES][:COMPARED_MAX]
    rules.sort(key=_authority)
    pairs = []
    for place, memory in enumerate(rules):
        winner = next((other for other in rules[:place:-1] if _are_rivals(memory, other)), None)
        if winner is not None:
            pairs.append((memory, winner))
    return pairs


def successors(memories: Iterable[Memory], rules: Iterable[Memory]) -> dict[str, Memory]:
    """Returns the rule that holds in place of each memory that one of some rules contradicts, by id."""
    ordered = sorted(rules, key=_authority, reverse=True)
    replacements = {}
    for memory in memories:
        if memory.kind in RULES:
            stronger = (rule for rule in ordered if _authority(rule) > _authority(memory))
            rival = next((rule for rule in stronger if _are_rivals(memory, rule)), None)
            if rival is not None:
                replacements[memory.id] = rival
    return replacements


def _authority(memory: Memory) -> tuple[bool, int, str]:
    """Returns the key by which one of two rules holds: a person's word first, then the newer."""
    return _is_persons(memory), memory.holds_from, memory.id


def _is_persons(memory: Memory) -> bool:
    return memory.pinned or memory.edited or memory.origin is Origin.USER


def _are_rivals(first: Memory, second: Memory) -> bool:
    """Returns whether two rules for the same files, or for the whole project, contradict each other.

    A rule for the whole project also ends one for a file; so does one that a session taught, whose file is
    where it was said, and no limit of it.
    """
    from holdfast.language.statements.standing import rules_contradict

    older, newer = sorted((first, second), key=lambda memory: (memory.holds_from, memory.id))
    is_apart = older.about_file != newer.about_file and Origin.FILE not in (first.origin, second.origin)
    if is_apart and not (newer.about_file is None or (older.about_file is None and _LEARNED in newer.tags)):
        return False
    return rules_contradict(older.text, newer.text)
