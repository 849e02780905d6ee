"""The ledger of what was acknowledged, and its comparison with a store that was opened again."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass
from typing import Any

from holdfast.api.memory import Memory
from holdfast.core.errors import NotFound
from holdfast.language.passages import passages_of
from tests.reliability.workload import Slot, World

MODES = ("words", "vectors", "hybrid")
EVERYTHING = ("pending", "rejected", "superseded", "deleted")


@dataclass(frozen=True, slots=True)
class Observed:
    """What a store holds: records by id, and events as (subject, action) with their count."""

    records: dict[str, Any]
    events: Counter[tuple[str | None, str]]


class Ledger:
    """Knows every acknowledged operation, and the one that had begun when its process died.

    `one_writer` says that operations were carried out one after another, so that their events can be
    foretold: of several writers, any may have been the one that began a session.
    """

    def __init__(self, *, one_writer: bool = True) -> None:
        self._one_writer = one_writer
        self.world = World()
        self.pending: dict[str, Any] | None = None
        self.acknowledged = 0
        """Memories and changes that were acknowledged."""
        self.touched: set[int] = set()
        """Slots that the last operations changed."""

    @property
    def ids(self) -> dict[int, str]:
        return {number: slot.id for number, slot in self.world.slots.items() if slot.id is not None}

    @property
    def next_slot(self) -> int:
        """A slot that no operation has used, begun ones included."""
        pending = self.pending.get("slots", ()) if self.pending else ()
        return max([*self.world.slots, *pending], default=0) + 1

    def begin(self, op: dict[str, Any]) -> None:
        self.pending = op

    def acknowledge(self, op: dict[str, Any], made: list[str]) -> None:
        self.pending = None
        self.world.apply(op, made)
        self.acknowledged += len(op.get("slots", (0,)))
        self.touched |= slots_of(op)

    def compare(self, memory: Memory, rng: random.Random, *, sample: int | None = None) -> list[str]:
        """All differences between the ledger and a store, in words. An operation that was begun may be
        wholly there or wholly absent; the ledger then follows the store. `sample` bounds how many
        memories, beside those last touched, are searched for in each mode."""
        observed = observe(memory)
        problems = self._differences(self.world, observed)
        if problems and self.pending is not None:
            applied = self.world.copy()
            by_text = {record.text: record.id for record in observed.records.values()}
            made = [by_text.get(text, "") for text in self.pending.get("texts", ())]
            applied.apply(self.pending, made or None)
            torn = self._differences(applied, observed)
            if not torn:
                self.world, problems = applied, []
            else:
                problems = [f"begun {self.pending['do']}: {p}" for p in torn] + problems
        chosen = self._chosen(rng, sample)
        self.pending, self.touched = None, set()
        for number in chosen:
            problems += _problems_of_slot(memory, self.world.slots[number])
            problems += _history(memory, self.world.slots[number])
        problems += _order(memory, self.world)
        problems += memory.doctor().problems
        memory.audit.verify()
        return problems

    def _differences(self, world: World, observed: Observed) -> list[str]:
        found = _wrong_records(world, observed)
        return found + _wrong_events(world, observed) if self._one_writer else found

    def _chosen(self, rng: random.Random, sample: int | None) -> list[int]:
        touched = self.touched | (slots_of(self.pending) if self.pending else set())
        touched &= self.world.slots.keys()
        others = sorted(self.world.slots.keys() - touched)
        if sample is None:
            return sorted(touched) + others
        few = rng.sample(sorted(touched), min(len(touched), 2 * sample))
        return few + rng.sample(others, min(len(others), sample))


def slots_of(op: dict[str, Any]) -> set[int]:
    """The memories that an operation makes or changes."""
    numbers = {*op.get("slots", ()), op.get("slot"), op.get("supersedes")}
    return {number for number in numbers if number is not None}


def observe(memory: Memory) -> Observed:
    """Everything a store holds, forgotten memories included."""
    records: dict[str, Any] = {}
    cursor: str | None = None
    while True:
        page = memory.list(project="*", include=EVERYTHING, limit=1_000, cursor=cursor)
        records |= {record.id: record for record in page.memories}
        cursor = page.cursor
        if cursor is None:
            break
    events = Counter((e.subject, e.action) for e in memory.audit.list(limit=None) if e.action != "use")
    return Observed(records, events)


def _wrong_records(world: World, observed: Observed) -> list[str]:
    problems: list[str] = []
    expected = {slot.id: number for number, slot in world.slots.items() if slot.state != "erased"}
    for id, record in observed.records.items():
        if id not in expected:
            problems.append(f"memory {id} ({record.text[:40]!r}) should not be there")
    for wanted, number in expected.items():
        slot, record = world.slots[number], observed.records.get(wanted or "")
        if record is None:
            problems.append(f"slot {number} ({slot.state}) is lost")
            continue
        is_superseded = slot.state == "superseded"
        pairs = {
            "text": (record.text, slot.texts[-1]),
            "version": (record.version, len(slot.texts)),
            "kind": (record.kind, slot.kind),
            "project": (record.project, slot.project),
            "session": (record.session, slot.session),
            "forgotten": (record.deleted_at is not None, slot.state == "forgotten"),
            "superseded": (record.status.value == "superseded", is_superseded),
        }
        problems += [f"slot {number}: {what} {is_!r:.60}, not {should!r:.60}"
                     for what, (is_, should) in pairs.items() if is_ != should]  # fmt: skip
    return problems


def _wrong_events(world: World, observed: Observed) -> list[str]:
    known = {slot.id: number for number, slot in world.slots.items()}
    counted: Counter[tuple[int | None, str]] = Counter()
    for (subject, action), count in observed.events.items():
        counted[known.get(subject), action] += count
    return [
        f"events {key}: {counted[key]}, not {world.events.get(key, 0)}"
        for key in counted.keys() | world.events.keys()
        if counted[key] != world.events.get(key, 0)
    ]


def _problems_of_slot(memory: Memory, slot: Slot) -> list[str]:
    """A live memory is found by its own text in every mode; any other never is."""
    problems = []
    place = {"session": slot.session} if slot.session is not None else {"project": slot.project}
    text = slot.texts[-1]
    start, end = passages_of(text)[0]
    query = text[start:end]  # a long text is found by a passage of its own
    for mode in MODES:
        hits = memory.recall(query, **place, mode=mode, limit=5)
        if (slot.id in {hit.memory.id for hit in hits}) != slot.is_live:
            problems.append(
                f"{slot.state} memory {slot.id} by {mode}: {len(text)} characters, {query[:60]!r}"
            )
    return problems


def _history(memory: Memory, slot: Slot) -> list[str]:
    assert slot.id is not None
    try:
        texts = [change.text for change in memory.history(slot.id) if change.text is not None]
    except NotFound:
        texts = []
    if slot.state in ("forgotten", "erased"):
        return [f"{slot.state} memory {slot.id} still shows its history"] if texts else []
    return [] if texts == slot.texts else [f"the history of {slot.id} has {len(texts)} versions"]


def _order(memory: Memory, world: World) -> list[str]:
    """Messages of a session stand in the order in which they were acknowledged."""
    problems = []
    for session in world.sessions:
        cursor: str | None = None
        ids: list[str] = []
        while True:
            page = memory.list(session=session, kinds="message", limit=1_000, cursor=cursor)
            ids += [record.id for record in page.memories if record.session == session]
            cursor = page.cursor
            if cursor is None:
                break
        wanted = [s.id for _, s in sorted(world.slots.items()) if s.session == session and s.is_live]
        if ids[::-1] != wanted:
            problems.append(
                f"session {session} has {len(ids)} messages, not {len(wanted)}, or in another order"
            )
    return problems
