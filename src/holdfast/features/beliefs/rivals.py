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
COMPARED_MAX = 60
"""Maximum number of rules that are compared with each other, the first."""


def newer_first(one: Memory, other: Memory) -> tuple[Memory, Memory] | None:
    """Returns two rules that contradict each other, the one that was stated later first; None if they do
    not."""
    if not _are_rivals(one, other):
        return None
    return (one, other) if (one.holds_from, one.id) > (other.holds_from, other.id) else (other, one)


def contradicted(memories: Iterable[Memory]) -> list[tuple[Memory, Memory]]:
    """Returns the rules that another one contradicts, each with the one that holds.

    The newer rule holds, unless a person stated the older one and no person the newer.
    """
    rules = [memory for memory in memories if memory.kind in RULES][:COMPARED_MAX]
    rules.sort(key=lambda memory: (_is_persons(memory), memory.holds_from, memory.id))
    pairs = []
    for place, memory in enumerate(rules):
        winner = next((other for other in rules[:place:-1] if _are_rivals(memory, other)), None)
        if winner is not None:
            pairs.append((memory, winner))
    return pairs


def _is_persons(memory: Memory) -> bool:
    return memory.pinned or memory.edited or memory.origin is Origin.USER


def _are_rivals(one: Memory, other: Memory) -> bool:
    """Checks whether two rules for the same files, or for the whole project, contradict each other."""
    from holdfast.language.statements.standing import rules_contradict

    places = {one.about_file, other.about_file} if Origin.FILE not in (one.origin, other.origin) else {None}
    return len(places) == 1 and rules_contradict(one.text, other.text)
