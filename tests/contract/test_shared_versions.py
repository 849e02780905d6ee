"""Sharing shares a version: who may see a memory since a version sees its past from that version on.

What waits, was rejected or forgotten is read by its author and by those who review.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import hypothesis.strategies as st
import pytest
from hypothesis import Phase, given, settings

from holdfast import HoldfastError, Memory
from holdfast.api.importing import import_bytes
from holdfast.core.places import Principal, Role
from holdfast.features.access.access import Grant
from holdfast.features.access.keys import service_for
from holdfast.stores.base.ports import Store
from tests.fakes import ManualClock
from tests.profiles import examples
from tests.support import STORES, memory_on, open_store, service_on

HISTORIES = {"oracle": 8, "sqlite": 16, "postgres": 8}
FOUND = (Phase.explicit, Phase.generate)
"""A failure is told as it was found: shrinking takes minutes."""
FULL = 10_000
"""Histories of the full form, on SQLite (`pytest -m slow`)."""
DAY = 86_400_000


class Team:
    """One store with ana, ben of her team, a key of hers for the project `lab` alone, and an admin."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.clock = ManualClock()
        self.ana = memory_on(store, clock=self.clock, seed=1)
        whole = service_on(store, clock=self.clock, seed=2)
        limited = Grant(Principal("ana", Role.OWNER), projects=frozenset({"lab"}))
        self.lab = Memory.over(service_for(whole, limited))
        self.ben = memory_on(store, user="ben", role=Role.MEMBER, clock=self.clock, seed=3)
        self.admin = Memory.over(replace(whole, principal=Principal("root", Role.ADMIN)))
        for project in ("shop", "lab"):
            self.ana.projects.create(project)
        self.begun = self.clock()
        self.words = 0
        self.ids: list[str] = []

    @property
    def others(self) -> dict[str, Memory]:
        return {"ben": self.ben, "lab": self.lab, "admin": self.admin}

    def canary(self) -> str:
        """A word that no other text has."""
        self.words += 1
        return f"zq{self.words:03d}x"

    def current(self, other: Memory, id: str) -> str | None:
        """The text of a memory as one of them reads it now."""
        try:
            return other.get(id).text
        except HoldfastError:
            return None


def attempt(call: Callable[..., Any], *args: Any, **options: Any) -> Any:
    """What a call answers, as JSON; an error is an answer as well."""
    try:
        return plain(call(*args, **options))
    except HoldfastError as error:
        return error.as_dict()


def plain(value: Any) -> Any:
    if isinstance(value, list | tuple):
        return [plain(one) for one in value]
    return value.as_dict() if hasattr(value, "as_dict") else value


def faces(team: Team, who: Memory) -> Iterator[tuple[str, Any]]:
    """What every way to read answers, for the present and for each time before."""
    places: list[dict[str, Any]] = [
        {"project": "*", "workspace": "*"}, {"project": "lab"}, {"project": "shop"}, {},
    ]  # fmt: skip
    include = ["pending", "rejected", "superseded", "deleted"]
    for place in places:
        for included in ([], include):
            yield "list", attempt(who.list, include=included, limit=200, **place)
        for when in range(team.begun, team.clock() + 2 * DAY, DAY):
            yield "as_of", attempt(who.recall, "note", as_of=when, limit=50, **place)
        if "workspace" not in place:
            yield "context", attempt(who.context, "zq note", **place)
            yield "entities", attempt(who.entities.list, **place)
    for id in team.ids:
        yield "get", attempt(who.get, id)
        yield "history", attempt(who.history, id)
    for n in range(1, team.words + 1):
        yield "entity", attempt(who.entities.get, f"zq{n:03d}x", project="*", workspace="*")
    yield "export", attempt(lambda: list(who.export()))
    yield "inbox", attempt(lambda: who.review.inbox().items)
    yield "ask", attempt(who.ask, "what is my favorite color?", project="lab")


def leaks(team: Team, who: Memory, seen: set[str]) -> list[tuple[str, str]]:
    """The canaries in any answer that its reader was never shown as present text; errors repeat only what was
    asked for."""
    found = []
    for face, answer in faces(team, who):
        if isinstance(answer, dict) and "code" in answer:
            continue
        text = json.dumps(answer, default=str)
        words = (f"zq{n:03d}x" for n in range(1, team.words + 1))
        found += [(face, word) for word in words if word in text and word not in seen]
    return found


ACTS = st.lists(
    st.tuples(
        st.sampled_from(["revise", "revise", "rename", "move", "move", "request", "session", "retag",
                         "forget", "restore", "reject", "approve", "supersede"]),
        st.integers(0, 3),
        st.sampled_from([
            {"visibility": "team"}, {"visibility": "private"}, {"project": "lab"}, {"project": "shop"},
            {"project": "lab", "visibility": "project"}, {"project": None}, {"workspace": "w"},
        ]),
    ),
    min_size=3,
    max_size=14,
)  # fmt: skip


def begun(store: Store) -> Team:
    """A note, a message, an entity and a relation of ana's, in the project `shop` or in none."""
    team = Team(store)
    ana = team.ana
    note = ana.remember(f"The note says {team.canary()}", project="shop").memory
    message = {"role": "user", "content": f"My note says {team.canary()}", "id": "m"}
    stored = ana.add_messages([message], session="talk", project="shop")[0].memory
    entity = ana.entities.create(team.canary(), type="thing", project="shop").memory
    waits = ana.remember(f"The note waits {team.canary()}", visibility="team", confidence=0.2).memory
    assert note is not None
    assert stored is not None
    assert entity is not None
    assert waits is not None
    team.ids = [note.id, stored.id, entity.id, waits.id]
    return team


def act(team: Team, verb: str, which: int, to: dict[str, Any]) -> None:
    """One act of ana's, or what an admin decides about it."""
    id, ana = team.ids[which], team.ana
    if verb == "revise":
        ana.revise(id, text=f"The note says {team.canary()}")
    elif verb == "rename":
        ana.revise(team.ids[2], title=team.canary())
    elif verb == "move":
        ana.review.move(id, **to)
    elif verb == "request":
        member = memory_on(team.store, role=Role.MEMBER, clock=team.clock)
        member.review.move(id, visibility="team")
        team.admin.review.approve(id)
    elif verb == "session":
        ana.sessions.move("talk", project=to.get("project", "lab"))
    elif verb == "retag":
        ana.projects.retag("shop", "lab", kinds=["entity", "note"])
    elif verb == "forget":
        ana.forget(id)
    elif verb == "restore":
        ana.restore(id)
    elif verb == "reject":
        ana.review.reject(id)
    elif verb == "approve":
        ana.review.approve(id)
    else:
        ana.remember(f"The note no longer says {team.canary()}", project="shop")


def check(store: Store, acts: list[tuple[str, int, dict[str, Any]]]) -> None:
    """Replays acts: nobody reads a text that was never the present one while they might see it."""
    team = begun(store)
    seen: dict[str, set[str]] = {name: set() for name in team.others}

    def look() -> None:
        for name, other in team.others.items():
            for memory in [m for id in team.ids for m in [team.current(other, id)] if m]:
                seen[name] |= {word for word in memory.replace(",", " ").split() if word.startswith("zq")}
            for record in other.list(project="*", workspace="*", limit=200).memories:
                text = f"{record.text} {record.title or ''}"
                seen[name] |= {word for word in text.split() if word.startswith("zq")}
        # what is moved after it was forgotten lies among what was forgotten in its new place
        for record in team.ana.list(project="*", workspace="*", include=["deleted"], limit=200).memories:
            words = {word for word in f"{record.text} {record.title}".split() if word.startswith("zq")}
            if record.project == "lab":
                seen["lab"] |= words
            if record.visibility != "private":
                seen["ben"] |= words
                seen["admin"] |= words

    look()
    for verb, which, to in acts:
        team.clock.forward(days=1)
        attempt(act, team, verb, which, to)
        look()
    for name, other in team.others.items():
        assert leaks(team, other, seen[name]) == [], name


@pytest.mark.parametrize("kind", STORES)
def test_a_version_from_before_a_share_is_read_by_nobody_else(kind: str) -> None:
    @settings(max_examples=examples(HISTORIES[kind]), deadline=None, phases=FOUND)
    @given(ACTS)
    def run(acts: list[tuple[str, int, dict[str, Any]]]) -> None:
        with tempfile.TemporaryDirectory() as folder:
            store = open_store(kind, Path(folder))
            try:
                check(store, acts)
            finally:
                store.close()

    run()


@pytest.mark.slow
def test_a_version_from_before_a_share_is_read_by_nobody_else_in_many_histories() -> None:
    @settings(max_examples=FULL, deadline=None, derandomize=False, phases=FOUND)
    @given(ACTS)
    def run(acts: list[tuple[str, int, dict[str, Any]]]) -> None:
        check(open_store("oracle", Path()), acts)

    run()


@pytest.mark.parametrize("place", [{"visibility": "team"}, {"visibility": "project", "project": "lab"}])
def test_what_waits_was_rejected_or_forgotten_is_read_by_its_author_and_by_who_reviews(
    store: Store, place: dict[str, Any]
) -> None:
    team = Team(store)
    hidden = {}
    for state in ("pending", "rejected", "forgotten", "edited"):
        stored = team.ana.remember(
            f"The note of {state} says {team.canary()}", confidence=0.2, **place
        ).memory
        assert stored is not None
        assert stored.status == "pending"
        hidden[state] = stored.id
    team.admin.review.reject(hidden["rejected"])
    team.ana.review.approve(hidden["forgotten"])
    team.ana.forget(hidden["forgotten"])
    shown = team.canary()
    team.admin.review.edit(hidden["edited"], text=f"The note was changed to {shown}")
    team.ids = list(hidden.values())
    assert leaks(team, team.ben, {shown}) == []
    assert team.ben.get(hidden["edited"]).text.endswith(shown)
    assert [one.version for one in team.ben.history(hidden["edited"]) if one.text] == [2]
    states = ["pending", "rejected", "deleted"]
    for reader in (team.ana, team.admin):
        found = {m.id for m in reader.list(include=states, project="*").memories}
        assert found == set(hidden.values())
        assert len([one for one in reader.history(hidden["edited"]) if one.text]) == 2


def test_who_shares_still_reads_all_versions_and_members_read_them_from_the_share_on(store: Store) -> None:
    team = Team(store)
    old, fresh, later = team.canary(), team.canary(), team.canary()
    note = team.ana.remember(f"The note says {old}", project="shop").memory
    assert note is not None
    before = team.clock()
    team.clock.forward(days=1)
    team.ana.revise(note.id, text=f"The note says {fresh}")
    shared = team.clock()
    team.ana.review.move(note.id, visibility="team")
    team.clock.forward(days=1)
    team.ana.revise(note.id, text=f"The note says {later}")

    def as_of(who: Memory, when: int) -> list[str]:
        return [
            hit.memory.text[-6:] for hit in who.recall("what does the note say", project="shop", as_of=when)
        ]

    def said(who: Memory) -> list[str]:
        return [one.text[-6:] for one in who.history(note.id) if one.text]

    assert (as_of(team.ana, before), as_of(team.ana, shared)) == ([old], [fresh])
    assert (as_of(team.ben, before), as_of(team.ben, shared)) == ([], [fresh])
    assert (said(team.ana), said(team.ben)) == ([old, fresh, later], [fresh, later])
    team.ana.review.move(note.id, project="lab")
    assert [memory.text[-6:] for memory in team.lab.list(project="lab").memories] == [later]
    assert said(team.lab) == [later]
    assert said(team.ana) == [old, fresh, later]


def test_an_export_brings_each_version_back_to_whom_it_was_shown(store: Store, tmp_path: Path) -> None:
    team = Team(store)
    old, fresh = team.canary(), team.canary()
    note = team.ana.remember(f"The note says {old}", project="shop").memory
    assert note is not None
    team.ana.revise(note.id, text=f"The note says {fresh}")
    team.ana.review.move(note.id, visibility="team")
    restored = open_store("sqlite", tmp_path)
    try:
        ana, ben = memory_on(restored), memory_on(restored, user="ben", role=Role.MEMBER)
        import_bytes(ana, "".join(team.ana.export()).encode(), vouched=True)
        assert [one.text[-6:] for one in ana.history(note.id) if one.text] == [old, fresh]
        assert [one.text[-6:] for one in ben.history(note.id) if one.text] == [fresh]
    finally:
        restored.close()
