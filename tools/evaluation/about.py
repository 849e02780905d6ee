"""Precision and recall of what is read of people's statements about themselves, beside labels.

A line of a set is a conversation with `messages`, `statements` (message, quote, type, value, polarity,
status) and `traps` (message, quote, kind); or two or three sessions with `claims` that may contradict
each other. A statement that is `optional` need not be read, and nothing that touches it is wrong; one that is
there `also` need not be read either. With `of_others`, what is said of relatives beside labels is not looked
at. Files `*.txt`, or all of a folder, are chats with labels in place (`labelled_chats.py`).
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from holdfast.api.memory import Memory
from holdfast.core.claims import PAST, Claim
from holdfast.language.claims.message import claims_of_message
from tools.evaluation.labelled_chats import conversations

NEAR = {
    frozenset(pair.split("/"))
    for pair in (
        "habit/preference", "family/relationship", "diet/preference", "diet/health", "work/skill",
        "plan/other",        "habit/skill", "family/pets", "work/education", "aversion/diet",
    )
}  # fmt: skip
"""Types that are near each other."""
GENERATED = ("form", "typed", "event")
"""What is known of a statement that was generated."""
VALUE_MIN = 4
"""Characters of a value that may be part of a labelled one."""


@dataclass(slots=True)
class Score:
    """Counts over all conversations."""

    conversations: int = 0
    labelled: Counter[str] = field(default_factory=Counter)
    """Statements by type, without optional ones."""
    matched: Counter[str] = field(default_factory=Counter)
    covered: int = 0
    false: Counter[str] = field(default_factory=Counter)
    """Claims without a statement, by the type that was read."""
    read: Counter[str] = field(default_factory=Counter)
    why: Counter[str] = field(default_factory=Counter)
    """Claims without a statement: `trap`, `wrong` or `unlabelled`."""
    duplicates: int = 0
    traps: Counter[str] = field(default_factory=Counter)
    hit: Counter[str] = field(default_factory=Counter)
    types: Counter[str] = field(default_factory=Counter)
    """Types of matched pairs: `same`, `near` or `other`."""
    statuses: Counter[bool] = field(default_factory=Counter)
    by: dict[str, list[int]] = field(default_factory=lambda: defaultdict(lambda: [0, 0]))
    """Matched and labelled statements by language and status, and by what is known of generated ones."""
    quiet: int = 0
    false_in_quiet: int = 0
    errors: list[str] = field(default_factory=list)

    def as_dict(self) -> dict[str, Any]:
        """Returns the figures as plain JSON."""
        matched, false = self.matched.total(), self.false.total()
        return {
            "conversations": self.conversations,
            "statements": self.labelled.total(),
            "precision": _share(matched, matched + false),
            "recall": _share(matched, self.labelled.total()),
            "recall_covered": _share(self.covered, self.labelled.total()),
            "false": dict(self.why),
            "duplicates": self.duplicates,
            "trap_rate": _share(self.hit.total(), self.traps.total()),
            "traps_by_kind": {kind: [self.hit[kind], count] for kind, count in sorted(self.traps.items())},
            "type_same": _share(self.types["same"], self.types.total()),
            "type_same_or_near": _share(self.types["same"] + self.types["near"], self.types.total()),
            "status_right": _share(self.statuses[True], self.statuses.total()),
            "false_per_100_quiet_messages": round(100 * self.false_in_quiet / self.quiet, 2)
            if self.quiet
            else 0,
            "by_type": {
                type: {
                    "statements": count,
                    "recall": _share(self.matched[type], count),
                    "precision": _share(self.read[type], self.read[type] + self.false[type]),
                }
                for type, count in sorted(self.labelled.items())
            },
            "by": {name: _share(*pair) for name, pair in sorted(self.by.items())},
        }


def measure(path: Path) -> Score:
    """Returns how the statements of a file, or of a folder of chats with labels in place, are read."""
    return measure_rows(_rows(path))


def measure_rows(rows: Iterable[Mapping[str, Any]]) -> Score:
    """Returns how the statements of conversations are read."""
    score = Score()
    for row in rows:
        _measure_one(row, score)
    return score


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    if path.suffix == ".txt" or path.is_dir():
        for file in sorted(path.glob("*.txt")) if path.is_dir() else [path]:
            yield from conversations(file.read_text(encoding="utf-8"))
        return
    yield from map(json.loads, filter(str.strip, path.read_text(encoding="utf-8").splitlines()))


def _measure_one(row: Mapping[str, Any], score: Score) -> None:
    score.conversations += 1
    statements, traps = row.get("statements", []), row.get("traps", [])
    for trap in traps:
        score.traps[trap["kind"]] += 1
    for number, message in enumerate(row["messages"]):
        text = message["content"]
        own = [(span_of(text, one["quote"]), one) for one in statements if one["message"] == number]
        set_ups = [(span_of(text, one["quote"]), one) for one in traps if one["message"] == number]
        claims = claims_of_message(text) if message["role"] == "user" else []
        is_quiet = message["role"] == "user" and not own
        score.quiet += is_quiet
        before = score.false.total()
        _compare(row, text, claims, own, set_ups, score)
        score.false_in_quiet += score.false.total() - before if is_quiet else 0


def _compare(
    row: Mapping[str, Any], text: str, claims: Sequence[Claim], own: Sequence[tuple[tuple[int, int], Any]],
    traps: Sequence[tuple[tuple[int, int], Any]], score: Score,
) -> None:  # fmt: skip
    pairs = sorted(
        (
            (_overlap(text, (claim.start, claim.end), span), c, s)
            for c, claim in enumerate(claims)
            for s, (span, one) in enumerate(own)
            if matches(text, claim, span, one)
        ),
        reverse=True,
    )
    claim_of_statement: dict[int, int] = {}
    taken: set[int] = set()
    covering = {s for _, _, s in pairs}
    for _, c, s in pairs:
        if s not in claim_of_statement and c not in taken:
            claim_of_statement[s] = c
            taken.add(c)
    for s, (_, one) in enumerate(own):
        if one.get("optional") or one.get("also"):
            continue
        score.labelled[one["type"]] += 1
        score.covered += s in covering
        told = (f"{name} {one[name]}" for name in GENERATED if name in one)
        for name in (row["language"], one["status"], *told):
            score.by[name][1] += 1
            score.by[name][0] += s in claim_of_statement
        if s in claim_of_statement:
            claim = claims[claim_of_statement[s]]
            score.matched[one["type"]] += 1
            score.read[claim.type] += 1
            both = frozenset((claim.type, one["type"]))
            score.types["same" if len(both) == 1 else "near" if both in NEAR else "other"] += 1
            score.statuses[
                claim.status == one["status"] or (one["status"] == PAST and not claim.positive)
            ] += 1
        else:
            score.errors.append(
                f"missed {one['type']}/{one.get('attribute')} {one['status']}: {one['quote']!r}"
            )
    matching = {c for _, c, _ in pairs}
    hit = set()
    labelled = [span for span, _ in (*own, *traps)]
    for c, claim in enumerate(claims):
        span = (claim.start, claim.end)
        if claim.subject and row.get("of_others") and not any(_overlap(text, span, one) for one in labelled):
            continue
        if c in taken or any(one.get("optional") and _overlap(text, span, where) for where, one in own):
            continue
        if c in matching:
            score.duplicates += 1
            continue
        trap = next((t for t, (where, _) in enumerate(traps) if _overlap(text, span, where)), None)
        touches = any(_overlap(text, span, where) for where, _ in own)
        why = "trap" if trap is not None and not touches else "wrong" if touches else "unlabelled"
        score.false[claim.type] += 1
        score.why[why] += 1
        is_bare_kin = claim.type in ("family", "relationship", "pets") and not claim.subject
        if trap is not None and not touches and not claim.subject and not is_bare_kin:
            hit.add(trap)
        score.errors.append(
            f"{why} {claim.type}/{claim.attribute}={claim.value!r}: {text[claim.start : claim.end]!r}"
        )
    for trap in hit:
        score.hit[traps[trap][1]["kind"]] += 1


def matches(text: str, claim: Claim, span: tuple[int, int], label: Mapping[str, Any]) -> bool:
    """Returns whether a claim says what a label with this place in a text says."""
    if not _overlap(text, (claim.start, claim.end), span):
        return False
    positive = claim.positive and claim.type != "aversion"
    if label["status"] == PAST:
        same = (positive and claim.status == PAST) or not positive
    else:
        is_wish = claim.type == label["type"] == "instruction"  # said in the same words, denied or not
        same = is_wish or positive == (label["polarity"] == "positive")
    value = _folded(claim.value)
    accepted = [_folded(each) for each in label["value"]]
    words = _folded(f"{claim.subject} {claim.value}")
    return same and any(each in words or (len(value) >= VALUE_MIN and value in each) for each in accepted)


def span_of(text: str, quote: str) -> tuple[int, int]:
    """Returns where a quotation stands in a text, or all of it."""
    start = text.find(quote)
    return (start, start + len(quote)) if start >= 0 else (0, len(text))


def _overlap(text: str, first: tuple[int, int], second: tuple[int, int]) -> int:
    shared = text[max(first[0], second[0]) : max(0, min(first[1], second[1]))]
    return len(re.findall(r"\w", shared))


def _folded(text: str) -> str:
    plain = unicodedata.normalize("NFKC", text).lower().replace("’", "'").replace("‘", "'")
    return " ".join(plain.split()).strip(" .,!?;:\"'()")


def _share(part: int, total: int) -> float:
    return round(part / total, 3) if total else 0.0


def measure_changes(path: Path) -> dict[str, Any]:
    """Returns how often a claim that no longer holds is no longer given, and one that holds still is, for a
    file of sessions with `claims`."""
    counts: Counter[str] = Counter()
    with TemporaryDirectory(prefix="holdfast-about-") as folder:
        for number, line in enumerate(filter(str.strip, path.read_text(encoding="utf-8").splitlines())):
            row = json.loads(line)
            with Memory(Path(folder) / f"{number}.db") as memory:
                _measure_change(memory, row, counts)
    figures: dict[str, Any] = dict(sorted(counts.items()))
    for kind in ("conflict", "apparent"):
        for name in ("superseded", "holds"):
            done, missing = counts[f"{kind}_{name}_right"], counts[f"{kind}_{name}_wrong"]
            figures[f"{kind}_{name}"] = _share(done, done + missing)
    return figures


def _measure_change(memory: Memory, row: dict[str, Any], counts: Counter[str]) -> None:
    kind = "conflict" if row["conflict"] else "apparent"
    ids: list[tuple[str, str, str]] = []
    for turn in row["sessions"]:
        (kept,) = memory.add_messages(
            [{"role": turn.get("role", "user"), "content": turn["content"], "at": turn["at"]}],
            session=turn["session"],
        )
        if kept.memory is not None:
            ids.append((turn["session"], kept.memory.id, turn["content"]))
    holding = {
        (source.memory, source.quote): belief
        for belief in memory.about().beliefs
        if belief.status != PAST
        for source in belief.sources
    }
    for index, claim in enumerate(row["claims"]):
        name = "superseded" if index in row["superseded"] else "holds" if index in row["holds_now"] else None
        if name is None:
            continue
        places = [
            (id, text, one)
            for session, id, text in ids
            if session == claim["session"] and claim["quote"] in text
            for one in claims_of_message(text)
            if _overlap(text, (one.start, one.end), span_of(text, claim["quote"]))
        ]
        if not places:
            counts[f"{kind}_not_extracted"] += 1
            continue
        is_given = any((id, text[one.start : one.end]) in holding for id, text, one in places)
        is_over = claim.get("polarity") == "negative" or claim.get("status") == PAST
        right = not is_given if name == "superseded" else is_given or is_over
        counts[f"{kind}_{name}_{'right' if right else 'wrong'}"] += 1
