"""The people who see a memory that was kept, in words."""

from __future__ import annotations

from dataclasses import replace

from holdfast.core.kinds import ABOUT_WORK, ALWAYS_ABOUT_WORK
from holdfast.core.places import Principal, Visibility
from holdfast.core.record import Kept, Memory, Status
from holdfast.core.views import personal_view
from holdfast.language.work import FOR_AGENTS, PERSONAL, is_about_work
from holdfast.stores.base.ports import Reader


def with_audience(reader: Reader, principal: Principal, results: dict[int, Kept]) -> dict[int, Kept]:
    """Returns outcomes with who sees the memory of each."""
    memories = [result.memory for result in results.values() if result.memory]
    if not memories:
        return results
    members = 0
    if any(memory.visibility is not Visibility.PRIVATE for memory in memories):
        members = sum(member.removed_at is None for member in reader.members(personal_view(principal)))
    return {
        index: replace(result, visible_to=audience(result.memory, principal, members))
        if result.memory
        else result
        for index, result in results.items()
    }


def audience(memory: Memory, principal: Principal, members: int) -> str:
    """Returns who sees a memory: `only you`, `all 5 members`. `members` is 0 for a store of one person."""
    author = f"only {memory.place.owner}" if principal.is_machine else "only you"
    if memory.visibility is Visibility.PRIVATE:
        return author + _agents_too(memory)
    if memory.status is Status.PENDING:
        return f"{author} and who reviews it, until it is approved"
    where = f" in project {memory.project}" if memory.visibility is Visibility.PROJECT else ""
    if not members:
        return f"everybody who uses this store{where and ','}{where}"
    return f"{'all ' if members > 1 else 'the '}{members:,} member{'s' * (members > 1)}{where and ','}{where}"


def _agents_too(memory: Memory) -> str:
    """Returns whether agents in projects get a preference or constraint from outside of projects, and the tag
    that changes it; nothing of other kinds, of which it is plain."""
    if memory.project is not None or memory.kind not in ABOUT_WORK - ALWAYS_ABOUT_WORK:
        return ""
    if is_about_work(memory):
        return f"; agents in projects get it, unless it has the tag {PERSONAL}"
    return f"; agents in projects do not get it, unless it has the tag {FOR_AGENTS}"
