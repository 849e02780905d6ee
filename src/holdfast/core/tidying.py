"""Results of tidying: which memories were merged or put away, why, and how each act is undone."""

from __future__ import annotations

from dataclasses import dataclass, field

from holdfast.core.wire import Plain, wire

MERGED = "merged: "
"""Beginning of the status reason of a memory that gave way to one that says the same."""
KEPT_APART = "a person undid its merge"
"""The status reason of a memory that is not merged again."""
UNUSED = "not used, and its source was not reconciled any more"
"""The reason why a description was put away."""
BROUGHT_BACK = "brought back after it was put away as not used"
"""The status reason of a description that is not put away again."""


@dataclass(frozen=True, slots=True)
class TidyAct(Plain):
    """One act: `merge` of a memory into another, or `prune` of a description."""

    action: str = field(metadata=wire(about="`merge` or `prune`."))
    memory: str
    text: str = field(metadata=wire(about="The beginning of its text."))
    into: str | None = field(default=None, metadata=wire(about="The memory that stays in its place."))
    stays: str | None = field(default=None, metadata=wire(about="The beginning of the text that stays."))
    evidence: str = field(default="", metadata=wire(about="What the decision rests on."))
    undo: str = field(default="", metadata=wire(about="The command that undoes it."))


@dataclass(frozen=True, slots=True)
class Tidied(Plain):
    """The result of tidying, or with `dry_run` what it would do: the number of memories that were looked at,
    the acts, and the sources that were not reconciled for long."""

    dry_run: bool
    looked_at: int
    acts: tuple[TidyAct, ...]
    stale: tuple[str, ...] = field(default=(), metadata=wire(about="Names of sources to reconcile again."))
