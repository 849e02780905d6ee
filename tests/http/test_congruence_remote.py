"""The same random program on a memory over a store and on one behind a service has the same results."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from holdfast import AsyncMemory, HoldfastError, Memory
from holdfast.bootstrap import open_service
from holdfast.config import load
from tests.http.support import site
from tests.http.test_process import served
from tests.profiles import examples

_ID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}")
START = 1_780_000_000_000
MINUTE = 60_000
TEXTS = ("Doors open at nine", "Tea is hot")


@dataclass(slots=True)
class Side:
    """One of the two memories, and the ids that it has given so far in their order."""

    memory: Memory
    ids: list[str] = field(default_factory=list)

    def do(self, call: Callable[[Memory, str], Any], chosen: int) -> Any:
        """Returns what a call does here as plain data, each id as its number. `chosen` is a known id."""
        id = self.ids[chosen % len(self.ids)] if self.ids else "0198f0c2-7c1a-7b6e-9d55-5f0f3a1c2b4d"
        try:
            result = _plain(call(self.memory, id))
        except HoldfastError as error:
            result = (type(error).__name__, error.code, error.message, error.hint)
        return self._numbered(result)

    def _numbered(self, value: Any) -> Any:
        if isinstance(value, str):
            return _ID.sub(lambda found: f"ID{self._number(found[0])}", value)
        if isinstance(value, dict):
            return {name: self._numbered(one) for name, one in value.items()}
        if isinstance(value, list | tuple):
            return [self._numbered(one) for one in value]
        return value

    def _number(self, id: str) -> int:
        if id not in self.ids:
            self.ids.append(id)
        return self.ids.index(id)


def _plain(value: Any) -> Any:
    if hasattr(value, "as_dict"):
        return value.as_dict()
    if isinstance(value, list | tuple):
        return [_plain(one) for one in value]
    return value


Step = Callable[[Memory, str], Any]

words = st.sampled_from(
    ["We chose JWT over sessions", "Deploy on Tuesdays", "The barn has two doors", "Ann likes tea", "",
     "x\0y", "key AKIAIOSFODNN7EXAMPLE", "私たちは東京に住んでいます"]
)  # fmt: skip
projects = st.sampled_from([None, "shop", "barn", "no/such", "*", ""])
sessions = st.sampled_from([None, "talk/1", "s 2", ".."])
kinds = st.sampled_from(["note", "decision", "gotcha", "unknown"])
limits = st.sampled_from([1, 2, 50, 0])
times = st.sampled_from([None, "2026-05-01", "2026-06-01T10:00:00+02:00", "never", "soon"])


def _step(
    name: str, /, *args: Any, ids: int = 0, **options: st.SearchStrategy[Any]
) -> st.SearchStrategy[Step]:
    """Draws a call of a method; its first `ids` arguments are a known id."""

    def bind(drawn: tuple[tuple[Any, ...], dict[str, Any]]) -> Step:
        def call(memory: Memory, id: str) -> Any:
            method: Any = memory
            for part in name.split("."):
                method = getattr(method, part)
            return method(*[id] * ids, *drawn[0], **drawn[1])

        call.__name__ = f"{name}{drawn}"
        return call

    return st.tuples(st.tuples(*args), st.fixed_dictionaries({}, optional=options)).map(bind)


steps = st.one_of(
    _step("remember", words, kind=kinds, project=projects, session=sessions, at=times, expires_at=times,
          tags=st.sampled_from([(), ("auth", "web")]), confidence=st.sampled_from([0.3, 0.9, 2.0]),
          external_id=st.just("adr/7"), origin=st.sampled_from(["user", "web"]),
          scope=st.sampled_from([("paper", "2301.1"), "global"]), metadata=st.just({"file": "a.py", "n": 1})),
    _step("remember_many", st.lists(words, min_size=1, max_size=1)),
    _step("revise", ids=1, text=words, title=words, valid_until=times, if_version=st.sampled_from([1, 7]),
          tags=st.just(["new"])),
    _step("pin", ids=1),
    _step("forget", ids=1, hard=st.booleans(), reason=st.just("stale")),
    _step("restore", ids=1),
    _step("get", ids=1),
    _step("history", ids=1),
    _step("recall", words, project=projects, session=sessions, kinds=kinds, limit=limits,
          since=times, mode=st.sampled_from(["hybrid", "words", "none"])),
    _step("list", project=projects, session=sessions, limit=limits, tags=st.just("auth"), since=times,
          include=st.sampled_from([(), ("pending", "deleted"), "expired"]), cursor=st.just("x")),
    _step("count", project=projects, session=sessions),
    _step("projects.create", projects.map(lambda name: name or "shop"), description=words),
    _step("projects.get", projects.map(lambda name: name or "shop")),
    _step("projects.list"),
    _step("sessions.create", sessions.map(lambda name: name or "talk/1"), project=projects),
    _step("sessions.get", sessions.map(lambda name: name or "talk/1")),
    _step("sessions.update", sessions.map(lambda name: name or "talk/1"), project=projects, name=words),
    _step("sessions.list", project=projects, limit=limits, cursor=st.sampled_from([None, "x"])),
    _step("facts.set", st.sampled_from(["colors", "candies", "stones"]), words, st.sampled_from([None, 1, 3]),
          project=projects, session=sessions),
    _step("facts.list", project=projects),
    _step("ask", st.sampled_from(["list my favorite colors", "why JWT?"]), project=projects),
    _step("review.inbox", project=projects, limit=limits),
    _step("review.approve", ids=1),
    _step("review.reject", ids=1, reason=words),
    _step("entities.create", words, project=projects),
    _step("entities.list", project=projects),
    _step("audit.verify"),
)  # fmt: skip


FIRST: list[tuple[Step, int]] = [
    (lambda memory, _: memory.remember("Ann likes tea", tags=("auth",)), 0),
    (
        lambda memory, _: memory.remember("We build with Go", kind="decision", project="shop", origin="web"),
        0,
    ),
    (lambda memory, _: memory.sessions.create("talk/1", project="shop", name="Talk"), 0),
]
"""What every program begins with, so that the others have something to find."""


@settings(max_examples=examples(15))
@given(program=st.lists(st.tuples(steps, st.integers(0, 20)), min_size=3, max_size=25))
def test_a_program_has_the_same_results_locally_and_through_a_service(
    program: list[tuple[Step, int]],
) -> None:
    now = START

    def clock() -> int:
        return now

    with TemporaryDirectory() as folder:
        service = open_service(load(store=Path(folder) / "own.db", user="ana"), clock=clock)
        with site(Path(folder), clock=clock) as opened, Memory.over(service) as memory:
            local, remote = Side(memory), Side(opened.client())
            for number, (step, chosen) in enumerate([*FIRST, *program]):
                now = START + number * MINUTE
                assert remote.do(step, chosen) == local.do(step, chosen), (number, step.__name__)


def test_an_asynchronous_memory_behind_a_service_does_the_same(tmp_path: Path) -> None:
    async def results(memory: AsyncMemory) -> list[Any]:
        async with memory:
            many = [
                await memory.remember(text, project="shop") for text in ("Doors open at nine", "Tea is hot")
            ]
            hits = await memory.recall("when do doors open?", project="shop")
            with_error = None
            try:
                await memory.get("none")
            except HoldfastError as error:
                with_error = error.code, error.message
            exported = [line async for line in await memory.export()]
            return [
                [one.outcome for one in many], [hit.memory.text for hit in hits], with_error,
                await memory.count(project="shop"), len(exported) > 2,
            ]  # fmt: skip

    with served(tmp_path / "team.db") as (_, url):
        remote = asyncio.run(results(AsyncMemory(url)))
    assert remote == asyncio.run(results(AsyncMemory(tmp_path / "own.db", user="ana")))
