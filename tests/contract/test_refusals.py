"""The store contract, refusals: a mistake of the caller is told by a HoldfastError and leaves nothing."""

from __future__ import annotations

import asyncio
import inspect
import math
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, date, datetime, timedelta, timezone
from functools import cache
from operator import attrgetter
from pathlib import Path
from typing import Any

import hypothesis.strategies as st
import pytest
from hypothesis import Phase, given, settings

from holdfast import AsyncMemory, HoldfastError, InvalidInput, Memory, StoreError
from holdfast.api.audit import Audit
from holdfast.api.catalogue import operations
from holdfast.api.facts import Facts
from holdfast.api.operation import UNSET
from holdfast.api.projects import Projects
from holdfast.api.sessions import Sessions
from holdfast.api.sources import Sources
from holdfast.stores.base.ports import Store
from tests.oracle import OracleStore
from tests.profiles import examples
from tests.support import memory_on, open_store, texts
from tests.traced import TracedStore

HUGE = 10**5000
"""So long that Python refuses to write it out."""
SHA = "ab" * 32
SECRET = "ghp_" + "aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5"
MOMENT = datetime(2026, 1, 1, tzinfo=UTC)
JUNK: list[Any] = [
    None, True, False, 0, 1, -1, 2**31, 2**63, 2**70, -(2**70), HUGE, -HUGE,
    0.5, math.nan, math.inf, -math.inf, 1e308, 1j,
    "", " ", "x", "shop", "s", "*", ".", "a.1", "x" * 300, "9" * 400, "\x00", "\ud800", "a\udfffb", "\u202e",
    "2026-13-45", "10000-01-01", "1e400", "Tuesday", "P1D", "% ' \" ;--",
    b"", b"x", bytearray(b"x"), memoryview(b"x"), iter("x"), range(3), object(), int, timedelta(1),
    [], [[]], [None], ["x"], ["\ud800"], [HUGE], ["x"] * 1_001, (), ("a", "b"), ("a", []), set(), {"x"},
    {}, {"x": 1}, {"x": HUGE}, {"x": math.nan}, {"x": object()}, {1: 2}, {HUGE: 1}, {"text": []},
    [{"content": []}], [{"content": {}}], [{"content": "x", "position": 2**70}], [{"content": "x", HUGE: 1}],
    [{"text": "x", HUGE: 1}], [{"text": "x", "tags": [[]]}], [{"text": "x", "at": HUGE}], frozenset({1}),
    date.min, date.max, MOMENT.min, MOMENT.max, MOMENT.max.replace(tzinfo=timezone(-timedelta(hours=23))),
]  # fmt: skip
FACES = {
    "memory": Memory, "facts": Facts, "projects": Projects, "sessions": Sessions, "sources": Sources,
    "audit": Audit,
}  # fmt: skip
PARTS = [
    (face, name, method)
    for face, kind in FACES.items()
    for name, method in vars(kind).items()
    if inspect.isfunction(method) and not name.startswith("_") and name != "close"
]
FOUND = (Phase.explicit, Phase.generate)


def good(store: Store) -> tuple[Memory, dict[str, list[Any]]]:
    """A memory that holds something, and arguments that it knows: junk beside them gets further."""
    memory = memory_on(store)
    stored = memory.remember("The boat is red", project="shop").memory
    assert stored is not None
    memory.sessions.create("s", project="shop")
    source = memory.sources.add("chatgpt", SHA)
    return memory, {
        "id": [stored.id, source.id, "s"], "text": ["The boat is red"], "query": ["boat"], "name": ["shop"],
        "session": ["s"], "project": ["shop"], "items": [["a text", {"text": "b"}]],
        "messages": [[{"role": "user", "content": "hi"}]], "user_message": ["hi"], "ai_response": ["ho"],
        "source": ["shop"], "target": ["yard"], "platform": ["claude"], "sha256": [SHA, "cd" * 32],
        "topic": ["colors"], "value": ["Blue"], "values": [["Blue", "Green"]], "rank": [1],
        "log": [""], "task": ["the boat"], "user": ["ben"], "to": ["yard"], "on": [True],
        "sample_size": [10], "evaluator": ["ana"], "scopes": [["global"], ["paper:1", "paper"]],
        "version": [1],
    }  # fmt: skip


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
@pytest.mark.parametrize(("face", "name", "method"), PARTS, ids=[f"{face}.{name}" for face, name, _ in PARTS])
def test_only_holdfast_errors_come_out(
    face: str, name: str, method: Any, kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever is given for any argument of any public method, on every store (S2.20): `one_by_one` gives the
    oracle all of it."""
    monkeypatch.chdir(tmp_path)  # "." and "x" are given as paths too: the checkout would be read each time
    (tmp_path / "x").write_text("The boat is red\n")
    (tmp_path / "boat.py").write_text("def sail() -> None: ...\n")
    (tmp_path / "pyproject.toml").write_text("[project]\nname = 'boat'\n")
    parameters = _parameters(method)
    with tempfile.TemporaryDirectory() as folder:
        store = open_store(kind, Path(folder))
        memory, known = good(store)
        call = _bound(memory, face, name)

        def value_of(parameter: inspect.Parameter) -> st.SearchStrategy[Any]:
            usual = [] if parameter.default in (parameter.empty, UNSET) else [parameter.default]
            usual += known.get(parameter.name, [])
            return st.one_of(st.sampled_from(JUNK), st.sampled_from(usual or JUNK))

        @settings(max_examples=examples(15 if kind == "sqlite" else 5), phases=FOUND)
        @given(values=st.fixed_dictionaries({p.name: value_of(p) for p in parameters}))
        def attempt(values: dict[str, Any]) -> None:
            with suppress(HoldfastError):
                call(**values)

        attempt()
        tried = one_by_one(face, name, method)
        assert tried or not parameters
        for values in tried:
            with suppress(HoldfastError):
                call(**values)
        assert memory.audit.verify() > 0
        assert memory.doctor().problems == ()
        store.close()


@cache
def one_by_one(face: str, name: str, method: Any) -> list[dict[str, Any]]:
    """Calls with one piece of junk at a time, all else as it should be, and returns those of which a store
    notices a difference, some eight of a hundred: the others end before it, or ask it what these have asked.
    """
    store = TracedStore()
    memory, known = good(store)
    call, parameters = _bound(memory, face, name), _parameters(method)
    usual = {p.name: known[p.name][0] for p in parameters if p.name in known and p.default is p.empty}
    found: dict[tuple[tuple[str, str], ...], dict[str, Any]] = {}
    for parameter in parameters:
        for junk in JUNK:
            values = {**usual, parameter.name: junk}
            store.asked.clear()
            with suppress(HoldfastError):
                call(**values)
            found.setdefault(tuple(store.asked), values)
    assert memory.audit.verify() > 0
    assert memory.doctor().problems == ()
    return list(found.values())


def _bound(memory: Memory, face: str, name: str) -> Any:
    return getattr(memory if face == "memory" else getattr(memory, face), name)


def _parameters(method: Any) -> list[inspect.Parameter]:
    return list(inspect.signature(method).parameters.values())[1:]


NAMES = ["x", "shop", "s", "a.1", "2026-13-45", "10000-01-01", "1e400", "Tuesday", "P1D", "% ' \" ;--"]
USABLE = {"path": [*NAMES, "*", "\u202e"], "user": [*NAMES, "."], "agent": [*NAMES, "."]}
"""A file may be called what nobody may be called, and nobody's file is a folder."""


@pytest.mark.parametrize("junk", JUNK, ids=lambda junk: type(junk).__name__)
@pytest.mark.parametrize("name", USABLE)
def test_settings_that_cannot_be_used_are_told(
    name: str, junk: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    given: dict[str, Any] = {"path": tmp_path / "a.db", name: junk}
    if junk is None or (isinstance(junk, str) and junk in USABLE[name]):
        Memory(**given).close()
    else:
        with pytest.raises((InvalidInput, StoreError)):
            Memory(**given)


def test_the_asynchronous_face_refuses_alike(tmp_path: Path) -> None:
    async def program() -> None:
        async with AsyncMemory(tmp_path / "a.db", user="ana") as opened:
            memory: Any = opened  # what a type checker would not let through
            for call in (
                memory.remember_many(None),
                memory.recall("boat", exclude=[[]]),
                memory.list(pinned=[]),
                memory.projects.retag("a", "b", kinds=None),
                memory.sessions.create([]),
                memory.sessions.list(cursor=HUGE),
                memory.audit.list(after=[]),
                memory.sources.delete(HUGE),
            ):
                with pytest.raises(HoldfastError):
                    await call

    asyncio.run(program())


@pytest.mark.on_a_file
@pytest.mark.parametrize(
    ("call", "code"),
    [
        (lambda m: m.list(pinned=[]), "argument_invalid"),
        (lambda m: m.recall("x", sources=["\ud800"]), "argument_invalid"),
        (lambda m: m.recall("x", metadata={"\ud800": "x"}), "metadata_invalid"),
        (lambda m: m.recall("x", metadata={"x": {"in": ["\ud800"]}}), "metadata_invalid"),
        (lambda m: m.folders.add("\ud800", project="shop"), "argument_invalid"),
        (lambda m: m.review.tidy(limit=2**70), "argument_invalid"),
        (lambda m: m.review.tidy(older_than=2**70), "argument_invalid"),
        (lambda m: m.models.add("x", "x", url=f"http://localhost/{SECRET}/v1"), "secret_in_name"),
        (lambda m: m.list(strict_workspace="no"), "argument_invalid"),
        (lambda m: m.list(limit=2**70), "limit_invalid"),
        (lambda m: m.list(limit=HUGE), "limit_invalid"),
        (lambda m: m.list(cursor=[]), "cursor_invalid"),
        (lambda m: m.list(cursor="\ud800.1"), "cursor_invalid"),
        (lambda m: m.recall("x", exclude=[[]]), "argument_invalid"),
        (lambda m: m.recall("x", threshold=HUGE), "argument_invalid"),
        (lambda m: m.recall("x", kinds=[HUGE]), "argument_invalid"),
        (lambda m: m.recall("x", mode=HUGE), "mode_unknown"),
        (lambda m: m.recall("x", visibility=HUGE), "visibility_unknown"),
        (lambda m: m.remember("x", kind=HUGE), "kind_unknown"),
        (lambda m: m.remember("x", status=HUGE), "status_unknown"),
        (lambda m: m.remember("x", origin=HUGE), "origin_unknown"),
        (lambda m: m.remember("x", confidence=HUGE), "confidence_invalid"),
        (lambda m: m.remember_many(None), "argument_invalid"),
        (lambda m: m.add_messages([{"content": "x"}], session=""), "place_invalid"),
        (lambda m: m.projects.retag("a", "b", kinds=None), "argument_invalid"),
        (lambda m: m.sessions.create([]), "place_invalid"),
        (lambda m: m.sessions.list(cursor=HUGE), "cursor_invalid"),
        (lambda m: m.audit.list(after=[]), "argument_invalid"),
        (lambda m: m.audit.list(after=2**70), "argument_invalid"),
        (lambda m: m.get(HUGE), "memory_not_found"),
        (lambda m: m.get("\ud800"), "memory_not_found"),
        (lambda m: m.forget("x", hard="no"), "argument_invalid"),
        (lambda m: (m.sessions.create("s"), m.sessions.messages("s", around="\ud800")), "memory_not_found"),
        (lambda m: m.sources.delete(HUGE), "source_not_found"),
        (lambda m: m.sources.delete("x", hard=1), "argument_invalid"),
    ],
)
def test_each_mistake_has_its_code(memory: Memory, call: Any, code: str) -> None:
    with pytest.raises(HoldfastError) as error:
        call(memory)
    assert error.value.code == code


# a refused write leaves nothing

REFUSED: list[dict[str, Any]] = [
    {"text": "x", "project": "ghost", "session": "ghost", "source": "nowhere"},
    {"text": "x", "project": "ghost", "session": "ghost", "supersedes": "nothing"},
    {"text": "x", "session": "ghost", "visibility": "project"},
    {"text": "x", "project": "ghost", "confidence": 7},
    {"text": "x", "project": "ghost", "kind": "message", "supersedes": "nothing"},
    {"text": "<private>x</private>", "project": "ghost"},
]


def left_behind(memory: Memory) -> tuple[Any, ...]:
    return (
        [project.name for project in memory.projects.list()],
        [session.external_id for session in memory.sessions.list()],
        [event.action for event in memory.audit],
        memory.list(project="*", include=("pending", "rejected", "superseded", "deleted")).memories,
    )


@pytest.mark.parametrize("draft", REFUSED, ids=range(len(REFUSED)))
def test_a_refused_text_leaves_no_event_project_or_session(memory: Memory, draft: dict[str, Any]) -> None:
    with suppress(HoldfastError):
        assert memory.remember(**draft).outcome == "refused"
    assert left_behind(memory) == ([], [], [], [])


@pytest.mark.parametrize("draft", REFUSED, ids=range(len(REFUSED)))
def test_nor_does_it_among_others_that_are_kept(memory: Memory, draft: dict[str, Any]) -> None:
    """Nor does what was made for it stay known to those that follow it in the batch."""
    outcomes = memory.remember_many(
        ["first", draft, "second", {"text": "third", "project": "ghost", "session": "ghost"}]
    )
    assert [outcome.outcome for outcome in outcomes] == ["created", "refused", "created", "created"]
    projects, sessions, actions, kept = left_behind(memory)
    assert (projects, sessions) == (["ghost"], ["ghost"])
    assert [one.text for one in kept] == ["third", "second", "first"]
    assert actions == ["remember", "remember", "create_project", "create_session", "remember"]
    assert texts(memory.recall("third", session="ghost", mode="words")) == ["third"]
    elsewhere: dict[str, Any] = {name: "another" for name in ("project", "session") if name in draft}
    alone = memory.remember_many(["fourth", {**draft, **elsewhere}])
    assert [one.outcome for one in alone] == ["created", "refused"]
    assert left_behind(memory)[:2] == (["ghost"], ["ghost"])
    assert memory.audit.verify() == len(list(memory.audit))


def test_a_refusal_in_a_batch_does_not_disturb_what_is_compared(memory: Memory) -> None:
    stored = memory.remember("Use tabs for indentation", kind="convention", project="shop").memory
    assert stored is not None
    outcomes = memory.remember_many(
        [
            {
                "text": "Use spaces for indentation",
                "kind": "convention",
                "project": "shop",
                "source": "nowhere",
            },
            {"text": "Use tabs for indentation.", "kind": "convention", "project": "shop"},
        ]
    )
    assert [outcome.outcome for outcome in outcomes] == ["refused", "merged"]
    assert texts(memory.recall("indentation", project="shop")) == ["Use tabs for indentation"]
    assert memory.get(stored.id).status == "approved"


def test_a_text_refused_for_its_entities_does_not_hide_the_one_before(memory: Memory) -> None:
    """It is refused before it is compared; what the batch has stored is still compared with what follows."""
    outcomes = memory.remember_many(
        [
            {"text": "The API listens on port 8080", "kind": "fact"},
            {"text": "It is red", "kind": "observation", "about": ["none"]},
            {"text": "The API listens on port 9090", "kind": "fact"},
        ]
    )
    assert [outcome.outcome for outcome in outcomes] == ["created", "refused", "superseded"]
    assert texts(memory.list()) == ["The API listens on port 9090"]


def test_refused_settings_and_moves_leave_nothing(memory: Memory) -> None:
    memory.sessions.create("s")
    before = left_behind(memory)
    for call in (
        lambda: memory.projects.create("ghost", visibility="everybody"),
        lambda: memory.projects.create("ghost", notes="x" * 30_000),
        lambda: memory.projects.retag("ghost", "other"),
        lambda: memory.sessions.create("ghost", project="ghost", metadata={"a": object()}),
        lambda: memory.sessions.update("nothing", project="ghost"),
        lambda: memory.sources.add("chatgpt", SHA, metadata={"a": math.nan}),
        lambda: memory.sources.add(SECRET, SHA),
    ):
        with pytest.raises(HoldfastError):
            call()
    assert left_behind(memory) == before
    assert memory.sources.list() == []


# secrets and hidden characters

NAMES = [SECRET, f"deploy {SECRET}", "sh\u200bop", "shop\u202e", "a\U000e0061b", "sh\u00adop"]


def namings(memory: Memory) -> Iterator[Any]:
    """Every call that gives something a name that is kept as it is."""
    yield lambda name: memory.remember("x", project=name)
    yield lambda name: memory.remember("x", session=name)
    yield lambda name: memory.remember("x", workspace=name)
    yield lambda name: memory.remember("x", branch=name)
    yield lambda name: memory.remember("x", scope=(name, "1"))
    yield lambda name: memory.remember("x", scope=("paper", name))
    yield lambda name: memory.remember("x", external_id=name)
    yield lambda name: memory.remember("x", role=name)
    yield lambda name: memory.projects.create(name)
    yield lambda name: memory.projects.retag("home", name)
    yield lambda name: memory.sessions.create(name)
    yield lambda name: memory.sessions.create("new", project=name)
    yield lambda name: memory.sessions.update("s", project=name)
    yield lambda name: memory.sources.add(name, SHA)
    yield lambda name: memory.add_episode("a", "b", session=name)
    yield lambda name: memory.add_episode("a", "b", session="new", project=name)


@pytest.mark.parametrize(
    "name", NAMES, ids=["secret", "with a secret", "zero width", "bidi", "tag", "soft hyphen"]
)
def test_s4_20_a_name_that_holds_a_secret_or_hides_something_is_refused(memory: Memory, name: str) -> None:
    memory.remember("a thing", kind="entity", title="Thing", project="home")
    memory.sessions.create("s")
    before = left_behind(memory)
    for naming in namings(memory):
        with pytest.raises(InvalidInput) as error:
            naming(name)
        assert error.value.code in ("secret_in_name", "place_invalid")
        assert SECRET not in str(error.value)
    refused = memory.add_messages([{"role": "user", "content": "x", "id": name}], session="s")
    assert [kept.outcome for kept in refused] == ["refused"]
    assert left_behind(memory) == before


def test_s4_20_secrets_in_metadata_are_redacted_wherever_they_stand(memory: Memory) -> None:
    """In keys, in values, and where only a key and its value together show that it is one."""
    password = "Tr0ub4dor&3xyz"
    metadata = {
        SECRET: 1,
        "value": SECRET,
        "deep": [{"k": [SECRET]}],
        "password": password,
        "db": {"db_password": password, "passwords": [password]},
        "env": [{"name": "DB_PASSWORD", "value": password}, ["password", password]],
    }
    stored = memory.remember("x marks the spot", metadata=metadata, evidence=metadata, title=SECRET).memory
    assert stored is not None
    memory.revise(stored.id, metadata={**metadata, "more": SECRET}, title=f"now {SECRET}")
    memory.sessions.create("s", name=SECRET, metadata=metadata)
    memory.sessions.update("s", name=f"now {SECRET}")
    memory.projects.create("p", description=SECRET, notes=f"password: {password}")
    memory.sources.add("chatgpt", SHA, filename=SECRET, metadata=metadata)
    memory.add_messages([{"role": "user", "content": "x", "metadata": metadata, "name": SECRET}], session="s")
    text = repr([
        memory.list(include=("pending", "superseded"), project="*"), memory.history(stored.id),
        memory.sessions.list(), memory.projects.list(), memory.sources.list(), list(memory.audit),
    ])  # fmt: skip
    assert SECRET not in text
    assert password not in text
    assert "REDACTED" in text


def test_s4_20_an_open_private_block_ends_with_its_part(memory: Memory) -> None:
    kept = memory.add_episode("I moved. <private>my PIN is 4711", "Good to know that you moved", session="s")
    assert kept.memory is not None
    assert "4711" not in repr(kept)
    assert kept.memory.text == "User: I moved.\nAssistant: Good to know that you moved"
    assert (kept.outcome, kept.redactions) == ("redacted", ("private",))
    both = memory.add_episode("<private>a</private>b <private>c", "d <private>e", session="s")
    assert both.memory is not None
    assert both.memory.text == "User: b\nAssistant: d"
    assert both.redactions == ("private",) * 3
    result = memory.add_episode("<private>all", "<private>of it", session="s")
    assert (result.outcome, result.code) == ("refused", "text_empty")
    with pytest.raises(InvalidInput) as error:
        memory.add_episode(" ", "", session="s")
    assert error.value.code == "text_empty"


GIVEN = {"id": "0" * 36, "ids": ["0" * 36], "project": "shop", "name": "shop"}
WRONG: list[Any] = [None, 0, 1.5, True, object(), b"x", [None], [1], {"x": 1}, (), ""]


@pytest.mark.parametrize("name", sorted(operations().keys() - {"accept_loss"}))
def test_every_operation_refuses_what_it_cannot_use_by_a_coded_error(name: str) -> None:
    """Each argument in turn, of whatever type: nothing but a HoldfastError is raised."""
    declared = operations()[name]
    arguments = declared.signature.parameters
    needed = [one.name for one in arguments.values() if one.default is inspect.Parameter.empty]
    memory = memory_on(OracleStore())
    memory.remember("The boat is red", project="shop")
    for argument in arguments:
        for wrong in WRONG:
            given = {one: GIVEN.get(one, "x") for one in needed} | {argument: wrong}
            with suppress(HoldfastError):
                result = attrgetter(declared.attribute)(memory)(**given)
                if isinstance(result, Iterator):
                    list(result)
