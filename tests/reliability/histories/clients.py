"""Clients of a memory that do random operations and note each; what they store says by itself what it is.

Registers are one memory in a project of its own, found by an external id. Lists are conversations of one
project, appended to several at a time and read several at a time.
"""

from __future__ import annotations

import logging
import random
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from holdfast import Memory
from holdfast.core.errors import Conflict, HoldfastError, NotFound, StoreError
from tests.reliability.histories.operations import Log
from tests.reliability.workload import embedder, text_of

USER = "ana"
EXTERNAL = "the-register"
PAUSE = 0.2
"""Seconds that a client waits after an error."""
LONGEST = 800
"""Entries of all lists of a round: one page shows them all, so that one reading is one transaction."""
UNCERTAIN = frozenset(
    {"service_unreachable", "service_answer_invalid", "idempotency_running", "idempotency_gone"}
)
"""Codes after which nobody knows whether a write was done."""
REFUSED = frozenset({"changed_meanwhile"})
"""Codes of refusals that somebody who changes what others change has to expect: nothing was done."""
WEIGHTS = {"put": 3, "set": 4, "read": 5, "append": 4, "lists": 4}
FAULTS = ("drop", "stale", "split")
"""Defects that a client can have, so that it is seen that they are found: it acknowledges an append that it
does not send, shows what it read before, or does in two transactions what has to be one."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What a client works on, until when, and how it is wrong on purpose."""

    address: str
    log: Path
    number: int
    round: int
    until: float
    registers: tuple[str, ...]
    lists: tuple[str, ...]
    fault: str | None = None


def opened(address: str) -> Memory:
    """Opens a store, or a service, which knows who asks."""
    if address.startswith("http"):
        return Memory(address, timeout=10)
    return Memory(address, user=USER, embedder=embedder())


def work(plan: Plan) -> None:
    """Does operations until the time is over; opens the memory again and again while it cannot be opened."""
    logging.disable(logging.WARNING)  # a pool of connections says of each what became of it
    while time.monotonic() < plan.until:
        with suppress(StoreError), opened(plan.address) as memory:
            Client(plan, memory, Log(plan.log)).run()
            return
        time.sleep(PAUSE)


class Client:
    """One process of a history."""

    def __init__(self, plan: Plan, memory: Memory, log: Log) -> None:
        self._plan, self._memory, self._log = plan, memory, log
        self._rng = random.Random(f"{plan.round}/{plan.number}")
        self._values = 0
        self._known: dict[str, tuple[str, int]] = {}
        self._before: dict[tuple[str, ...], Any] = {}
        self._entries = 0

    def run(self) -> None:
        """Does one random operation after another."""
        while time.monotonic() < self._plan.until:
            kind = self._rng.choices(list(WEIGHTS), list(WEIGHTS.values()))[0]
            if kind in ("append", "lists"):
                getattr(self, f"_{kind}")()
            else:
                getattr(self, f"_{kind}")(self._rng.choice(self._plan.registers))

    def read_all(self) -> None:
        """Reads everything once, in every way."""
        for key in self._plan.registers:
            for way in (self._listed, self._named, self._recalled):
                self._do("read", key, None, partial(way, key))
        self._do("lists", "", list(self._plan.lists), lambda: self._lists_of(self._plan.lists))

    def _put(self, key: str) -> None:
        value = self._value()

        def put() -> Any:
            result = self._memory.remember(register(value), project=key, external_id=EXTERNAL)
            return self._noted(key, result)

        self._do("put", key, value, put)

    def _set(self, key: str) -> None:
        if key not in self._known:
            return self._read(key)
        (id, version), value = self._known[key], self._value()

        def change() -> Any:
            try:
                return self._noted(key, self._memory.revise(id, text=register(value), if_version=version))
            except Conflict as error:
                if error.code != "version_mismatch":
                    raise
                del self._known[key]
                return "miss"

        return self._do("set", key, [version, value], change)

    def _read(self, key: str) -> None:
        way = self._rng.choice((self._listed, self._named, self._recalled))
        self._do("read", key, None, partial(way, key))

    def _listed(self, key: str) -> Any:
        return self._shown(key, self._memory.list(project=key, kinds="note").memories)

    def _named(self, key: str) -> Any:
        try:
            return self._shown(key, [self._memory.get(EXTERNAL, project=key)])
        except NotFound:
            return []

    def _recalled(self, key: str) -> Any:
        hits = self._memory.recall("register", project=key, kinds="note", mode="words", limit=5)
        return self._shown(key, [hit.memory for hit in hits])

    def _append(self) -> None:
        if self._entries > LONGEST:
            return self._lists()
        few = self._rng.sample(self._plan.lists, self._rng.choice((1, 1, 2)))
        entries = [(name, self._value()) for name in few for _ in range(self._rng.choice((1, 1, 2)))]
        self._entries += 8  # of others as well, until it reads again
        return self._do("append", "", entries, lambda: self._appended(entries))

    def _appended(self, entries: list[tuple[str, int]]) -> None:
        if self._plan.fault == "drop":
            return
        if self._plan.fault == "split":
            for one in entries:
                self._stored([one])
                time.sleep(0.01)
            return
        self._stored(entries)

    def _stored(self, entries: list[tuple[str, int]]) -> None:
        if len({name for name, _ in entries}) == 1 and self._rng.random() < 0.5:
            turns = [{"role": "user", "content": entry(*one)} for one in entries]
            result = self._memory.add_messages(turns, session=entries[0][0], project=self._project())
        else:
            place = {"kind": "message", "role": "user", "project": self._project()}
            result = self._memory.remember_many(
                [{"text": entry(name, value), "session": name, **place} for name, value in entries]
            )
        if [one.outcome.value for one in result] != ["created"] * len(entries):
            raise AssertionError(f"messages were not stored: {[(one.outcome, one.reason) for one in result]}")

    def _lists(self) -> None:
        lists = self._plan.lists
        few = lists if self._rng.random() < 0.7 else (self._rng.choice(lists),)
        self._do("lists", "", list(few), lambda: self._lists_of(few))

    def _lists_of(self, few: tuple[str, ...]) -> Any:
        if self._plan.fault == "stale" and few in self._before and self._rng.random() < 0.3:
            return self._before[few]
        page = self._memory.list(project=self._project(), kinds="message", limit=1_000)
        assert page.cursor is None
        found: dict[str, list[int]] = {name: [] for name in few}
        for record in reversed(page.memories):
            *_, name, value = record.text.split()
            if name in found:
                found[name].append(int(value))
        self._entries = len(page.memories)
        self._before[few] = found
        return found

    def _project(self) -> str:
        return f"lists-{self._plan.round}"

    def _value(self) -> int:
        """Returns a number that no other client of the round uses."""
        self._values += 1
        return self._plan.number * 100_000 + self._values

    def _noted(self, key: str, kept: Any) -> Any:
        if kept.memory is None or kept.outcome.value not in ("created", "superseded"):
            raise AssertionError(f"a register was not stored: {kept.outcome}: {kept.reason}")
        self._known[key] = (kept.memory.id, kept.memory.version)
        return [kept.memory.version, kept.memory.id]

    def _shown(self, key: str, records: Any) -> Any:
        for record in records:
            self._known[key] = (record.id, record.version)
        return [[record.version, int(record.text.split()[-1])] for record in records]

    def _do(self, kind: str, key: str, given: Any, act: Callable[[], Any]) -> None:
        """Notes an operation before and after. What raises anything but an error of a store is a problem, and
        so what nobody expects."""
        self._log.begin(kind, key, given)
        try:
            result = act()
        except StoreError as error:
            known = error.code not in UNCERTAIN and "not known" not in error.message
            self._log.end("fail" if known else "info", code=error.code)
            time.sleep(PAUSE)
        except (HoldfastError, AssertionError) as error:
            code = getattr(error, "code", "")
            if code in REFUSED:
                self._log.end("fail", code=code)
            else:
                self._log.end(
                    "info", code=code if code in UNCERTAIN else f"unexpected {error!r}: {error}"[:300]
                )
            time.sleep(PAUSE)
        else:
            self._log.end("ok", result)


def register(value: int) -> str:
    """The text of a register with a value."""
    return f"register {text_of(value)} stands at {value}"


def entry(name: str, value: int) -> str:
    """The text of an entry of a list."""
    return f"{text_of(value)} entry {name} {value}"


def names(round: int, registers: int, lists: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The registers and the lists of a round."""
    return (
        tuple(f"register-{round}-{number}" for number in range(registers)),
        tuple(f"list-{round}-{number}" for number in range(lists)),
    )
