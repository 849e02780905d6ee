"""The report of an import, with the outcome of every item."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from holdfast.core.record import PERSONAL_RISK
from holdfast.core.times import to_iso
from holdfast.features.transfer.formats.model import CONVERSATION, REST, UNCLOSED

if TYPE_CHECKING:
    from holdfast.core.record import Kept
    from holdfast.features.transfer.formats.model import Skipped

OWN = "holdfast"
"""The format of Holdfast's own export, which goes where it came from."""
FATES = ("kept", "updated", "duplicate", "held", "skipped", "failed")
"""What becomes of an item, as the account of an import says it."""
_FATES = {
    "created": "kept",
    "redacted": "kept",
    "superseded": "updated",
    "duplicate": "duplicate",
    "merged": "duplicate",
    "pending": "held",
    "refused": "failed",
    "forgotten": "skipped",
    "outdated": "skipped",
}
"""The fate of an item by its outcome; any other outcome stores nothing."""
SHOWN_MAX = 1_000
"""Refused items that a report names one by one; of the others it tells how many for each reason."""


@dataclass(slots=True)
class Report:
    """The outcome of every item of an import: each is counted in `outcomes` or listed in `skipped`.

    An item is a message, a note, an entity, an observation, a relation or a record. `refused` lists the
    first refused items; `reasons` counts all that were refused or wait for review, by reason. `expiring`
    counts memories that will expire, between `expires_first` and `expires_last` (UTC epoch milliseconds).
    `elsewhere` counts items in a project other than `project`, the target of the import, by the name of that
    project (None: no project): known ones, and new ones of a conversation that is there. `moved` counts
    conversations and memories of earlier imports that were moved to `project` on request. `untimed` counts
    messages that were stored without a readable time: they get the time of the import. `personal` counts what
    was kept with personal data in it, such as an IBAN, because only its owner sees it. `foreign` is set
    for an export of Holdfast that another store signed, or nobody, unless a person vouched for it. `seen`
    counts the items that were taken from the export, by type; `interrupted` is set if the import was stopped.
    `missing` names conversations that earlier imports of the same account brought and this export no longer
    has, `missing_count` of them in all; they stay.
    """

    format: str
    name: str
    sha256: str
    dry_run: bool = False
    project: str | None = None
    elsewhere: Counter[str | None] = field(default_factory=Counter)
    moved: Counter[str] = field(default_factory=Counter)
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
    personal: int = 0
    foreign: bool = False
    seen: Counter[str] = field(default_factory=Counter)
    interrupted: bool = False
    missing: list[dict[str, str | None]] = field(default_factory=list)
    missing_count: int = 0
    fates: dict[str, Counter[str]] = field(default_factory=dict)
    _why: dict[str, Counter[str]] = field(default_factory=dict)
    counted: dict[str, dict[str, Any]] | None = None
    """The account as a service reported it."""
    own_projects: set[str] = field(default_factory=set)
    """The projects here of those of the export: what is in them is where it belongs."""
    homes: dict[str, str | None] = field(default_factory=dict)
    """The project here in which each conversation of the export belongs."""
    _conversations: dict[str, set[str]] = field(default_factory=dict)

    def add(self, item_type: str, where: str, item: str, result: Kept) -> None:
        """Counts the outcome of one item at the place `where` in the export."""
        outcome = result.outcome.value
        self.items[item_type] += 1
        self.outcomes[outcome] += 1
        fate = _FATES.get(outcome, "skipped")
        self.fates.setdefault(item_type, Counter())[fate] += 1
        if fate in ("skipped", "failed", "held"):
            reason = result.reason if fate == "skipped" else (result.code or _plain(result.reason))
            self._why.setdefault(item_type, Counter())[reason] += 1
        if result.redactions and outcome not in ("duplicate", "merged"):
            self.redactions.update(result.redactions)
            if len(self.redacted) < SHOWN_MAX:
                self.redacted.append(result)
        if (
            result.memory is not None
            and result.memory.pii_risk >= PERSONAL_RISK
            and fate in ("kept", "updated")
        ):
            self.personal += 1
        expires = None if result.memory is None else result.memory.expires_at
        if expires is not None and outcome not in ("duplicate", "merged"):
            self.expiring += 1
            self.expires_first = min(expires, self.expires_first or expires)
            self.expires_last = max(expires, self.expires_last or expires)
        if outcome == "duplicate" and result.memory is not None and self.format != OWN:
            self._count_elsewhere(where, result.memory.project)
        if outcome == "pending":
            self.reasons[_plain(result.reason.removeprefix("waits for review: "))] += 1
        if outcome in ("forgotten", "outdated"):
            self.reasons[_plain(result.reason)] += 1
        if outcome == "refused":
            self.reasons[result.code or "refused"] += 1
            if len(self.refused) < SHOWN_MAX:
                refusal = {"where": where, "item": item, "code": result.code, "reason": result.reason}
                self.refused.append(refusal)

    def add_said(
        self, conversation: str, item_type: str, item: str, result: Kept, *, existed: bool = False
    ) -> None:
        """Counts the outcome of one message or attachment of a conversation, which was here before if
        `existed`."""
        self.add(item_type, conversation, item, result)
        if existed and result.memory is not None and result.outcome.value != "duplicate":
            self._count_elsewhere(conversation, result.memory.project)
        fate = _FATES.get(result.outcome.value, "skipped")
        self._conversations.setdefault(conversation, set()).add(fate)

    def _count_elsewhere(self, where: str, project: str | None) -> None:
        places = {self.homes[where]} if where in self.homes else {self.project, *self.own_projects}
        if project not in places:
            self.elsewhere[project] += 1

    def account(self) -> dict[str, dict[str, Any]]:
        """Returns what became of the items of each type: `seen` is the sum of all others, and `reasons` says
        why items were skipped, failed or are held. An interrupted import counts items it did not reach.
        """
        if self.counted is not None:
            return self.counted
        fates = {what: Counter(counts) for what, counts in self.fates.items()}
        reasons = {what: Counter(counts) for what, counts in self._why.items()}
        for conversation in self._conversations.values():
            fates.setdefault(CONVERSATION, Counter())[_fate_of(conversation)] += 1
        seen = Counter(self.seen)
        for skipped in self.skipped:
            seen[skipped.item_type] += skipped.count
            fates.setdefault(skipped.item_type, Counter())["skipped"] += skipped.count
            reasons.setdefault(skipped.item_type, Counter())[skipped.reason] += skipped.count
        account = {}
        for what in dict.fromkeys((*seen, *fates)):
            counts = fates.get(what, Counter())
            row: dict[str, Any] = {"seen": seen[what], **{fate: counts[fate] for fate in FATES}}
            if self.interrupted:
                row["not_reached"] = seen[what] - counts.total()
            account[what] = {**row, "reasons": dict(reasons.get(what, {}))}
        return account

    def leave_out(self, skipped: Sequence[Skipped]) -> None:
        """Counts items that were left out before a service read the others."""
        self.skipped = (*self.skipped, *skipped)
        counted = {} if self.counted is None else self.counted
        for group in skipped:
            row = counted.setdefault(group.item_type, {"seen": 0, **dict.fromkeys(FATES, 0), "reasons": {}})
            row["seen"] += group.count
            row["skipped"] += group.count
            row["reasons"][group.reason] = row["reasons"].get(group.reason, 0) + group.count

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
            "moved": {what: self.moved[what] for what in ("sessions", "memories")},
            "untimed": self.untimed,
            "personal": self.personal,
            "foreign": self.foreign,
            "interrupted": self.interrupted,
            "missing": {"count": self.missing_count, "conversations": self.missing},
            "account": self.account(),
            "skipped": [
                {"where": s.where, "reason": s.reason, "count": s.count, "what": s.item_type}
                for s in self.skipped
            ],
        }


def _fate_of(fates: set[str]) -> str:
    """Returns what became of a conversation, from what became of its messages."""
    if fates == {"duplicate"}:
        return "duplicate"
    if "updated" in fates or ("duplicate" in fates and "kept" in fates):
        return "updated"
    return next(fate for fate in ("kept", "held", "duplicate", "skipped", "failed") if fate in fates)


def _plain(reason: str) -> str:
    """Returns a reason without the id that it may contain, so that equal reasons are counted together."""
    return reason.partition("; ")[0].partition(" memory ")[0]
