"""Operations on a memory, planned by the test and carried out in another process."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from copy import deepcopy
from dataclasses import dataclass, field
from functools import cache, partial
from pathlib import Path
from typing import Any
from unittest.mock import patch

from holdfast.api.memory import Memory
from holdfast.embeddings.static import StaticEmbedder
from holdfast.stores.base.clock import wall_clock
from holdfast.stores.sqlite import backend
from holdfast.stores.sqlite.store import SqliteStore

USER = "ana"
PROJECTS = (None, "harbour", "orchard")
SESSIONS = ("monday", "tuesday", "friday")
KINDS = ("note", "fact", "decision", "gotcha")
LONG = 2_500
"""Words of a long message: overflow pages and several passages."""

_SYLLABLES = "ba ce di fo gu la me ni po ru sa te vi zo".split()
_WORDS = (
    "anchor apple autumn basket beacon bicycle blanket bridge butter candle canvas carpet cedar chimney "
    "cinnamon clock cloud copper cotton crane curtain desert donkey drawer eagle engine farmer feather "
    "ferry fiddle forest fountain garden garlic glacier granite hammer harvest honey island jacket kettle "
    "kitchen ladder lantern lemon library marble meadow mirror mountain needle oyster paddle paper pebble "
    "pepper piano pillow planet pocket potato pottery quarry rabbit railway river saddle salmon shadow "
    "shepherd silver sparrow spoon station summer thunder timber tunnel turnip valley velvet village violin "
    "wagon walnut weather whistle willow window winter wizard wool yellow"
).split()


@cache
def embedder() -> StaticEmbedder:
    """One table for all memories of a process."""
    return StaticEmbedder()


@contextmanager
def opened(path: Path, *, vfs: str | None = None, clock: Any = wall_clock) -> Iterator[Memory]:
    """A memory on a store, closed at the end; `vfs` names the file system that SQLite uses."""
    memory = open_memory(path, vfs=vfs, clock=clock)
    try:
        yield memory
    finally:
        memory.close()


def open_memory(path: Path, *, vfs: str | None = None, clock: Any = wall_clock) -> Memory:
    """The same, for the caller to close."""
    with patch.object(backend, "SqliteStore", partial(SqliteStore, vfs=vfs)):
        return Memory(path, user=USER, embedder=embedder(), clock=clock)


def marker(*key: object) -> str:
    """Two made-up words that no other text holds; pronounceable, so that they are no secret."""
    rng = random.Random(repr(key))
    return " ".join("".join(rng.choices(_SYLLABLES, k=5)) for _ in range(2))


def text_of(slot: int, version: int = 1, *, words: int = 14) -> str:
    """The text of one version of a memory: the same for every process, and like no other. However long, it
    keeps to a few words, because long texts of random words all mean the same."""
    rng = random.Random(f"{slot}/{version}")
    own = rng.sample(_WORDS, 14)
    return f"{marker(slot, version)} {' '.join(rng.choices(own, k=words))}"


@dataclass(slots=True)
class Slot:
    """What is expected of one memory."""

    kind: str
    texts: list[str]
    project: str | None = None
    session: str | None = None
    state: str = "live"
    id: str | None = None

    @property
    def is_live(self) -> bool:
        return self.state == "live"


@dataclass(slots=True)
class World:
    """What a memory is expected to hold: memories by slot, sessions with their project, events by count."""

    slots: dict[int, Slot] = field(default_factory=dict)
    sessions: dict[str, str | None] = field(default_factory=dict)
    projects: set[str] = field(default_factory=set)
    events: dict[tuple[int | None, str], int] = field(default_factory=dict)

    def copy(self) -> World:
        return deepcopy(self)

    def apply(self, op: dict[str, Any], ids: list[str] | None = None) -> None:
        """What the world is after an operation; `ids` are those of the memories that it made."""
        getattr(self, f"_{op['do']}")(op, ids)

    def _event(self, slot: int | None, action: str) -> None:
        self.events[slot, action] = self.events.get((slot, action), 0) + 1

    def _project(self, name: str | None) -> None:
        if name is not None and name not in self.projects:
            self.projects.add(name)
            self._event(None, "create_project")

    def _add(self, op: dict[str, Any], ids: list[str] | None) -> None:
        for i, (slot, text) in enumerate(zip(op["slots"], op["texts"], strict=True)):
            home, session = op.get("project"), op.get("session")
            if session is not None:
                home = self.sessions[session]
            self.slots[slot] = Slot(op["kind"], [text], home, session, id=ids[i] if ids else None)

    def _remember(self, op: dict[str, Any], ids: list[str] | None) -> None:
        self._project(op["project"])
        self._add(op, ids)
        for slot in op["slots"]:
            self._event(slot, "remember")
        if op.get("supersedes") is not None:
            self.slots[op["supersedes"]].state = "superseded"
            self._event(op["supersedes"], "supersede")

    def _messages(self, op: dict[str, Any], ids: list[str] | None) -> None:
        if op["session"] not in self.sessions:
            self._project(op["project"])
            self.sessions[op["session"]] = op["project"]
            self._event(None, "create_session")
        self._add(op, ids)
        if len(op["slots"]) == 1:
            self._event(op["slots"][0], "remember")
        else:
            self._event(None, "remember_batch")

    def _revise(self, op: dict[str, Any], ids: list[str] | None) -> None:
        self.slots[op["slot"]].texts.append(op["text"])
        self._event(op["slot"], "revise")

    def _forget(self, op: dict[str, Any], ids: list[str] | None) -> None:
        self.slots[op["slot"]].state = "forgotten"
        self._event(op["slot"], "forget")

    def _restore(self, op: dict[str, Any], ids: list[str] | None) -> None:
        self.slots[op["slot"]].state = "live"
        self._event(op["slot"], "restore")

    def _erase(self, op: dict[str, Any], ids: list[str] | None) -> None:
        self.slots[op["slot"]].state = "erased"
        self._event(op["slot"], "erase")

    def _move(self, op: dict[str, Any], ids: list[str] | None) -> None:
        self._project(op["project"])
        self.sessions[op["session"]] = op["project"]
        for slot in self.slots.values():
            if slot.session == op["session"]:
                slot.project = op["project"]
        self._event(None, "move_session")

    def _recall(self, op: dict[str, Any], ids: list[str] | None) -> None:
        """Reading changes nothing but the counts of use."""


class Planner:
    """Random operations that make sense one after another."""

    def __init__(self, world: World, rng: random.Random, *, first_slot: int) -> None:
        self._world = world.copy()
        self._rng = rng
        self._next = first_slot

    def plan(self, count: int, *, batch: int = 12) -> list[dict[str, Any]]:
        """That many operations; `batch` bounds the texts of one."""
        ops = []
        for _ in range(count):
            op = self._one(batch)
            self._world.apply(op)
            ops.append(op)
        return ops

    def _one(self, batch: int) -> dict[str, Any]:
        weights = {"remember": 5, "many": 1, "messages": 4, "revise": 3, "forget": 2, "restore": 2}
        weights |= {"erase": 1, "move": 1, "recall": 1, "supersede": 1}
        while True:
            do = self._rng.choices(list(weights), list(weights.values()))[0]
            op: dict[str, Any] | None = getattr(self, f"_{do}")(batch)
            if op is not None:
                return op

    def _fresh(self, count: int, words: int = 14) -> dict[str, Any]:
        slots = list(range(self._next, self._next + count))
        self._next += count
        return {"slots": slots, "texts": [text_of(slot, words=words) for slot in slots]}

    def _pick(self, *states: str, knowledge: bool = False) -> int | None:
        found = [
            number
            for number, slot in self._world.slots.items()
            if slot.state in states and not (knowledge and slot.kind == "message")
        ]
        return self._rng.choice(found) if found else None

    def _place(self) -> dict[str, Any]:
        return {"kind": self._rng.choice(KINDS), "project": self._rng.choice(PROJECTS)}

    def _remember(self, batch: int) -> dict[str, Any]:
        return {"do": "remember", **self._fresh(1), **self._place()}

    def _many(self, batch: int) -> dict[str, Any]:
        return {"do": "remember", **self._fresh(self._rng.randint(2, batch)), **self._place()}

    def _supersede(self, batch: int) -> dict[str, Any] | None:
        old = self._pick("live", knowledge=True)
        if old is None:
            return None
        known = self._world.slots[old]
        place = {"kind": known.kind, "project": known.project}
        return {"do": "remember", **self._fresh(1), **place, "supersedes": old}

    def _messages(self, batch: int) -> dict[str, Any]:
        session = self._rng.choice(SESSIONS)
        project = self._world.sessions.get(session, self._rng.choice(PROJECTS))
        long = self._rng.random() < 0.1
        fresh = self._fresh(1, LONG) if long else self._fresh(self._rng.randint(1, batch))
        return {"do": "messages", **fresh, "kind": "message", "session": session, "project": project}

    def _revise(self, batch: int) -> dict[str, Any] | None:
        slot = self._pick("live", knowledge=True)
        if slot is None:
            return None
        return {"do": "revise", "slot": slot, "text": text_of(slot, len(self._world.slots[slot].texts) + 1)}

    def _forget(self, batch: int) -> dict[str, Any] | None:
        return self._at("forget", self._pick("live"))

    def _restore(self, batch: int) -> dict[str, Any] | None:
        return self._at("restore", self._pick("forgotten"))

    def _erase(self, batch: int) -> dict[str, Any] | None:
        return self._at("erase", self._pick("live", "forgotten", "superseded"))

    def _recall(self, batch: int) -> dict[str, Any] | None:
        return self._at("recall", self._pick("live"))

    def _move(self, batch: int) -> dict[str, Any] | None:
        if not self._world.sessions:
            return None
        session = self._rng.choice(sorted(self._world.sessions))
        others = [name for name in PROJECTS if name != self._world.sessions[session]]
        return {"do": "move", "session": session, "project": self._rng.choice(others)}

    @staticmethod
    def _at(do: str, slot: int | None) -> dict[str, Any] | None:
        return None if slot is None else {"do": do, "slot": slot}


def perform(memory: Memory, op: dict[str, Any], ids: dict[int, str]) -> list[str]:
    """Carries one operation out; returns the ids of the memories it made. `ids` knows those of the slots."""
    made: list[str] = []
    match op["do"]:
        case "remember":
            old = op.get("supersedes")
            items = [
                {"text": text, "kind": op["kind"], "project": op["project"]}
                | ({} if old is None else {"supersedes": ids[old]})
                for text in op["texts"]
            ]
            kept = memory.remember_many(items) if len(items) > 1 else [memory.remember(**items[0])]
            made = [_id_of(one) for one in kept]
        case "messages":
            messages = [{"role": "user", "content": text} for text in op["texts"]]
            made = [
                _id_of(message)
                for message in memory.add_messages(messages, session=op["session"], project=op["project"])
            ]
        case "revise":
            memory.revise(ids[op["slot"]], text=op["text"])
        case "forget":
            memory.forget(ids[op["slot"]], reason="no longer true")
        case "restore":
            memory.restore(ids[op["slot"]])
        case "erase":
            memory.forget(ids[op["slot"]], hard=True)
        case "move":
            memory.sessions.update(op["session"], project=op["project"])
        case "recall":
            memory.recall(text_of(op["slot"]), project="*", limit=5)
        case other:
            raise ValueError(other)
    ids.update(zip(op.get("slots", ()), made, strict=True))
    return made


def _id_of(kept: Any) -> str:
    if kept.outcome.value not in ("created", "superseded") or kept.memory is None:
        raise AssertionError(f"{kept.outcome}: {kept.reason}")
    return str(kept.memory.id)
