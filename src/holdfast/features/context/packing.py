"""Packing of modules and memories into a text of limited size for an agent (S4.35, S4.39)."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from holdfast.core.arguments import safe_repr
from holdfast.core.errors import InvalidInput
from holdfast.core.text import CHARS_PER_TOKEN, count_tokens
from holdfast.core.value_classes import value_class
from holdfast.core.wire import Millis, Plain, wire
from holdfast.features.beliefs.rivals import contradicted
from holdfast.features.context.rendering import (
    NEXT_MAX,
    NOTICE,
    TITLE,
    WordsOf,
    entry_text,
    heading,
    memory_line,
    module_text,
    next_text,
    scope_of_line,
)

if TYPE_CHECKING:
    from holdfast.core.module_map import Module, TestFramework
    from holdfast.core.record import Memory

BUDGET, BUDGET_MIN, BUDGET_MAX = 1_800, 200, 20_000
"""Tokens of a context: default, minimum and maximum (S4.36)."""
TIER_1_SHARE = 1 / 3
"""Share of the budget for the first tier: 600 of 1,800 tokens (S4.35). The rest is for the task (S4.36)."""
MODULE_SHARES = ((0.6,), (0.4, 0.2), (0.3, 0.15, 0.15))
"""Shares of the first tier for the files of one, two or three modules."""
CITATION_WIDEST = "[M999]"
CHAT = "chat"
"""The role of a conversation, which is packed by `parts`."""

STANDING = frozenset({"convention", "decision", "constraint", "human_feedback"})
"""Kinds that hold until something else is decided: the first tier (S4.35)."""
KIND_WEIGHTS = {
    "gotcha": 1.0,
    "error_pattern": 1.0,
    "human_feedback": 1.0,
    "decision": 0.9,
    "convention": 0.9,
    "constraint": 0.9,
    "pr_gotcha": 0.9,
    "dependency_relation": 0.8,
    "codebase_discovery": 0.8,
    "pr_finding": 0.7,
    "pr_pattern": 0.7,
    "environment_quirk": 0.7,
    "preference": 0.7,
    "task_outcome": 0.6,
    "session_insight": 0.6,
    "context": 0.6,
    "fact": 0.6,
    "note": 0.6,
    "todo": 0.5,
    "goal": 0.5,
    "project": 0.5,
    "pr_review": 0.5,
}
"""The kinds that a context includes, with their weights."""


@value_class
class Role:
    """The role of an agent that a context is for (S4.39).

    `favours` multiplies the weights of kinds. `sees_project` includes the memories of the whole project, not
    only those of the modules that the task is about. `modules` is the maximum number of modules; `advice` is
    the last line.
    """

    name: str
    favours: Mapping[str, float]
    modules: int
    sees_project: bool
    advice: str


ROLES = {
    role.name: role
    for role in (
        Role(
            "coder",
            {"gotcha": 1.3, "error_pattern": 1.3, "pr_gotcha": 1.2},
            3,
            False,
            "More: recall. Keep traps with record_gotcha, lasting facts with remember.\n",
        ),
        Role(
            "planner",
            {
                "decision": 1.3,
                "constraint": 1.3,
                "task_outcome": 1.6,
                "dependency_relation": 1.4,
                "goal": 1.8,
                "gotcha": 0.8,
                "error_pattern": 0.8,
            },
            3,
            False,
            "More: recall. Keep decisions with remember, kind decision.\n",
        ),
        Role(
            "qa",
            {"error_pattern": 1.4, "gotcha": 1.2, "pr_finding": 1.4, "pr_gotcha": 1.3, "task_outcome": 1.3},
            3,
            True,
            "More: recall. Keep failures with remember, kind error_pattern.\n",
        ),
    )
}
"""The roles of agents that work on a task. A terminal session is a coder's, read from a file."""


def role_named(name: object) -> Role:
    """Returns the role with this name. Raises InvalidInput `argument_invalid`."""
    role = ROLES.get(name) if isinstance(name, str) else None
    if role is None:
        raise InvalidInput(
            f"there is no role {safe_repr(name)}", code="argument_invalid", hint=", ".join((*ROLES, CHAT))
        )
    return role


def checked_budget(value: object) -> int:
    """Returns a valid number of tokens unchanged. Raises InvalidInput `argument_invalid`."""
    if isinstance(value, bool) or not isinstance(value, int) or not BUDGET_MIN <= value <= BUDGET_MAX:
        raise InvalidInput(
            f"budget must be from {BUDGET_MIN} to {BUDGET_MAX:,} tokens, not {safe_repr(value)}",
            code="argument_invalid",
        )
    return value


@value_class
class Offer:
    """A memory that may be included in a context.

    `fit` says how well it answers the task, 0 to 1; `module` is the matched module of its file and
    `module_match` how well that module matched, 0 to 1. `holds` is the factor of its score if its file has
    changed, 0 to 1; `older` is a rule that it contradicts.
    """

    memory: Memory
    fit: float = 0.0
    module: str | None = None
    module_match: float = 0.0
    holds: float = 1.0
    older: Memory | None = None

    @property
    def tier(self) -> int:
        """Returns 1 for a memory that is always included (pinned, or of a standing kind), else 2."""
        return 1 if self.memory.pinned or self.memory.kind in STANDING else 2

    def points(self, role: Role) -> float:
        """Returns the score of the memory for a role."""
        memory = self.memory
        worth = 0.6 * self.fit + 0.5 * self.module_match + 0.2 * memory.confidence
        weight = KIND_WEIGHTS.get(memory.kind, 0.5) * role.favours.get(memory.kind, 1.0)
        # rounded, so that equal offers tie whatever the last bit says
        return round(worth * weight * self.holds, 9)


@value_class
class Entry(Plain):
    """A memory in a context, with its citation and text. `tier` is 1 or 2."""

    citation: str
    id: str
    kind: str
    tier: int
    module: str | None
    file: str | None
    line: str = field(metadata=wire(name="text"))
    said_by: str = field(
        metadata=wire(about="Who said it, such as person or agent, and reasons for caution.")
    )
    part: str | None = field(default=None, metadata=wire(about="The part of the context of a conversation."))
    confidence: float = field(default=0.0, metadata=wire(digits=2, about="How sure it is, from 0 to 1."))
    at: Millis = field(default=0, metadata=wire(about="When it was said or happened."))


@value_class
class PartSize(Plain):
    """The size of one part of a context for a conversation; `is_cut` if its text was shortened."""

    name: str
    tokens: int
    is_cut: bool = field(default=False, metadata=wire(name="cut", about="Its text had to be shortened."))


@value_class
class LeftOut(Plain):
    """A memory that was left out of a context, with its text.

    `reason` is "budget", "limit", "given" if the session has it already, "window" if it is among the latest
    messages that the caller has, or "contradicted" if a newer rule holds. Those without room are in the order
    in which they would follow.
    """

    id: str
    reason: str = field(
        metadata=wire(
            about="budget, limit, given (the session has it), window (its latest messages) or contradicted by"
            " a newer one."
        )
    )
    kind: str
    file: str | None
    line: str = field(metadata=wire(name="text"))


@value_class
class Context(Plain):
    """The knowledge given to an agent before a task, or to a conversation.

    `text` is ready for a prompt, empty if nothing is known; `tokens` is its estimated size. `modules` are
    those shown, the best match first; `parts` are those of a context for a conversation. `degraded` gives the
    reason if less than the full search was possible, else None.
    """

    text: str
    tokens: int
    budget: int
    role: str
    modules: tuple[str, ...] = ()
    entries: tuple[Entry, ...] = field(default=(), metadata=wire(name="memories"))
    left_out: tuple[LeftOut, ...] = ()
    degraded: str | None = field(default=None, metadata=wire(about="Why less than the full search was done."))
    parts: tuple[PartSize, ...] = ()
    id: str | None = field(
        default=None,
        compare=False,
        metadata=wire(about="The id by which its citations can be resolved for 90 days."),
    )

    @property
    def ids(self) -> tuple[str, ...]:
        """Returns the ids of its memories, in order."""
        return tuple(entry.id for entry in self.entries)


@dataclass(slots=True)
class _Section:
    """A heading with its memories."""

    name: str | None
    head: str
    offers: list[Offer] = field(default_factory=list)


def pack(
    task: str,
    project: str | None,
    modules: Sequence[Module],
    offers: Collection[Offer],
    *,
    tests: TestFramework | None = None,
    role: Role,
    budget: int = BUDGET,
    limit: int | None = None,
    delivered: Collection[str] = (),
    degraded: str | None = None,
) -> Context:
    """Packs modules, the best first, and memories into a budget of tokens; the order of `offers` does not
    matter.

    The first tier gets a third of the budget, the second the rest (S4.35, S4.36). `delivered` are ids that
    the session was given before (S4.37), `limit` is the most memories. Those without room are named briefly
    in a line of their own.
    """
    stems_of = WordsOf()
    first = int(budget * TIER_1_SHARE) * CHARS_PER_TOKEN
    shares = MODULE_SHARES[len(modules) - 1] if modules else ()
    heads: dict[str, str] = {}
    for module, share in zip(modules, shares, strict=True):
        # the test command is the same for the whole project: once is enough
        own = None if heads else tests
        heads[module.name] = module_text(module, own, stems_of(task), int(first * share), stems_of=stems_of)
    whole_of = project or "all projects"
    # a project often has the name of one of its modules
    rest_heading = heading(f"{whole_of}, beside these modules" if modules else whole_of)
    rivals = contradicted(offer.memory for offer in offers)
    replaced = {memory.id: memory for memory, _ in rivals}
    older = {winner.id: memory for memory, winner in rivals}
    offers = [
        replace(offer, older=older.get(offer.memory.id))
        for offer in offers
        if offer.memory.id not in replaced
    ]
    offered = sorted(offers, key=lambda offer: _sort_key(offer, role))
    fresh = [offer for offer in offered if offer.memory.id not in delivered]
    fresh, beyond_limit = fresh[:limit], fresh[len(fresh) if limit is None else limit :]
    sections, too_much = _fit(fresh, heads, rest_heading, role, first, budget * CHARS_PER_TOKEN)
    if too_much:  # the line about omitted entries needs room as well
        room = budget * CHARS_PER_TOKEN - NEXT_MAX
        sections, too_much = _fit(fresh, heads, rest_heading, role, first, room)
    beyond = tuple(_left_out(offer.memory, "budget") for offer in too_much)
    text, entries = _render(
        sections, role, next_text([(entry.kind, entry.file, entry.line) for entry in beyond])
    )
    repeated = (_left_out(offer.memory, "given") for offer in offered if offer.memory.id in delivered)
    left_out = (
        *beyond,
        *(_left_out(offer.memory, "limit") for offer in beyond_limit),
        *repeated,
        *(_left_out(memory, "contradicted") for memory in replaced.values()),
    )
    return Context(text, count_tokens(text), budget, role.name, tuple(heads), entries, left_out, degraded)


def _fit(
    offers: Sequence[Offer], heads: Mapping[str, str], rest_heading: str, role: Role, first: int, limit: int
) -> tuple[list[_Section], list[Offer]]:
    """Returns the sections of a text of at most `limit` characters, `first` of them for the first tier, and
    the offers without room."""
    sections = {name: _Section(name, head) for name, head in heads.items()}
    rest = _Section(None, rest_heading)
    used = len(TITLE) + len(NOTICE) + len(role.advice) + 1 + sum(map(len, heads.values()))
    room = {1: first - used, 2: limit - first}
    too_much: list[Offer] = []
    for offer in offers:
        memory = offer.memory
        section = sections.get(offer.module or "", rest)
        line, speaker = memory_line(memory, offer.older), _said_by(memory)
        size = len(entry_text(memory.kind, memory.about_file, line, CITATION_WIDEST, speaker)) + 1
        if section is rest and not rest.offers:
            size += len(rest.head)
        if size > room[offer.tier] or used + size > limit:
            too_much.append(offer)
            continue
        room[offer.tier] -= size
        used += size
        section.offers.append(offer)
    return [*sections.values(), *([rest] if rest.offers else [])], too_much


def _said_by(memory: Memory) -> str:
    """Returns who said a memory, and its scope if it has one."""
    return "; ".join(filter(None, (memory.provenance, scope_of_line(memory))))


def _left_out(memory: Memory, reason: str) -> LeftOut:
    return LeftOut(memory.id, reason, memory.kind, memory.about_file, memory_line(memory))


def _sort_key(offer: Offer, role: Role) -> tuple[object, ...]:
    """Returns the sort key of an offer: the first tier first, in it pinned memories, then by score; ties go
    to the newer."""
    memory = offer.memory
    return (offer.tier, not memory.pinned, -offer.points(role), -memory.recorded_at, memory.id)


def _render(sections: Sequence[_Section], role: Role, beyond: str) -> tuple[str, tuple[Entry, ...]]:
    """Returns the text of a context, and an entry for each memory in it."""
    if not sections:
        return "", ()
    parts = [TITLE, NOTICE]
    entries: list[Entry] = []
    for section in sections:
        parts.append(section.head)
        for offer in section.offers:
            memory = offer.memory
            entry = Entry(
                f"[M{len(entries) + 1}]", memory.id, memory.kind, offer.tier, section.name, memory.about_file,
                memory_line(memory, offer.older), _said_by(memory), None, memory.confidence, memory.at,
            )  # fmt: skip
            entries.append(entry)
            parts += ["\n", entry_text(entry.kind, entry.file, entry.line, entry.citation, entry.said_by)]
    parts += ["\n", beyond, role.advice]
    return "".join(parts), tuple(entries)
