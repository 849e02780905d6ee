"""The report of an import, with the outcome of every item."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from holdfast.core.times import to_iso
from holdfast.features.transfer.formats.model import REST, UNCLOSED

if TYPE_CHECKING:
    from holdfast.core.record import Kept
    from holdfast.features.transfer.formats.model import Skipped

OWN = "holdfast"
"""The format of Holdfast's own export, which goes where it came from."""
SHOWN_MAX = 1_000
"""Refused items that a report names one by one; of the others it tells how many for each reason."""


@dataclass(slots=True)
class Report:
    """The outcome of every item of an import: each is counted in `outcomes` or listed in `skipped`.

    An item is a message, a note, an entity, an observation, a relation or a record. `refused` lists the
    first refused items; `reasons` counts all that were refused or wait for review, by reason. `expiring`
    counts memories that will expire, between `expires_first` and `expires_last` (UTC epoch milliseconds).
    `elsewhere` counts items already stored in a project other than `project`, the target of the import, by
    the name of that project (None: no project): a conversation that was moved stays there. `untimed` counts
    messages that were stored without a readable time: they get the time of the import.
    """

    format: str
    name: str
    sha256: str
    dry_run: bool = False
    project: str | None = None
    elsewhere: Counter[str | None] = field(default_factory=Counter)
    items: Counter[str] = field(default_factory=Counter)
    outcomes: Counter[str] = field(default_factory=Counter)
    redactions: Counter[str] = field(default_factory=Counter)
    reasons: Counter[str] = field(default_factory=Counter)
    redacted: list[Kept] = field(default_factory=list)
    refused: list[dict[str, Any]] = field(default_factory=list)
    skipped: tuple[Skipped, ...] = ()
    expiring: int = 0
    expires_first: int | None = None
    expires_last: int | None = None
    untimed: int = 0

    def add(self, what: str, where: str, item: str, kept: Kept) -> None:
        """Counts the outcome of one item at the place `where` in the export."""
        outcome = kept.outcome.value
        self.items[what] += 1
        self.outcomes[outcome] += 1
        if kept.redactions and outcome not in ("duplicate", "merged"):
            self.redactions.update(kept.redactions)
            if len(self.redacted) < SHOWN_MAX:
                self.redacted.append(kept)
        expires = None if kept.memory is None else kept.memory.expires_at
        if expires is not None and outcome not in ("duplicate", "merged"):
            self.expiring += 1
            self.expires_first = min(expires, self.expires_first or expires)
            self.expires_last = max(expires, self.expires_last or expires)
        if outcome == "duplicate" and kept.memory is not None and self.format != OWN:
            self.elsewhere.update([kept.memory.project] if kept.memory.project != self.project else [])
        if outcome == "pending":
            self.reasons[_plain(kept.reason.removeprefix("waits for review: "))] += 1
        if outcome == "forgotten":
            self.reasons[_plain(kept.reason)] += 1
        if outcome == "refused":
            self.reasons[kept.code or "refused"] += 1
            if len(self.refused) < SHOWN_MAX:
                told = {"where": where, "item": item, "code": kept.code, "reason": kept.reason}
                self.refused.append(told)

    @property
    def total(self) -> int:
        """Returns the number of items that have an outcome."""
        return sum(self.outcomes.values())

    @property
    def breaks_off(self) -> bool:
        """Returns whether the file ended early, for instance because it was cut off."""
        return any(skipped.reason.startswith(REST) for skipped in self.skipped)

    @property
    def unclosed(self) -> tuple[Skipped, ...]:
        """Returns the texts whose end was left out because a private block in them is never closed."""
        return tuple(skipped for skipped in self.skipped if skipped.reason.startswith(UNCLOSED))

    def as_dict(self) -> dict[str, Any]:
        """Returns the report as plain JSON, for `--json` and for HTTP."""
        return {
            "format": self.format,
            "name": self.name,
            "sha256": self.sha256,
            "dry_run": self.dry_run,
            "items": dict(self.items),
            "outcomes": dict(self.outcomes),
            "redactions": dict(self.redactions),
            "reasons": dict(self.reasons),
            "refused": self.refused,
            "breaks_off": self.breaks_off,
            "expiring": {
                "count": self.expiring,
                "first": None if self.expires_first is None else to_iso(self.expires_first),
                "last": None if self.expires_last is None else to_iso(self.expires_last),
            },
            "elsewhere": [{"project": name, "count": count} for name, count in self.elsewhere.most_common()],
            "untimed": self.untimed,
            "skipped": [{"where": s.where, "reason": s.reason, "count": s.count} for s in self.skipped],
        }


def _plain(reason: str) -> str:
    """Returns a reason without the id that it may contain, so that equal reasons are counted together."""
    return reason.partition("; ")[0].partition(" memory ")[0]
