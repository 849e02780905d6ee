"""Properties of the entity graph: every store behaves like the oracle, and other places have no influence."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

import hypothesis.strategies as st
import pytest
from hypothesis import Phase, given, settings
from hypothesis.stateful import rule

from holdfast import HoldfastError, Memory
from tests.contract.two_stores import TwoStores
from tests.fakes import ManualClock
from tests.profiles import examples
from tests.support import STORES, memory_on, open_store

EXAMPLES = 24
STEPS = 30
FOUND = (Phase.explicit, Phase.generate)
"""A failure is told as it was found: shrinking takes minutes."""

USERS = st.sampled_from(["ana", "ben"])
AGENTS = st.sampled_from([None, None, "coder"])
NAMES = st.sampled_from(["Ada", "ada", "Bert", "Acme"])
TYPES = st.sampled_from(["person", "place"])
VERBS = st.sampled_from(["knows", "works_at"])
PROJECTS = st.sampled_from([None, "one", "two"])
VISIBILITIES = st.sampled_from([None, "private", "team"])
SAID = st.lists(
    st.sampled_from(["likes tea", "likes  tea", "plays the cello", "mail: a@example.org"]), max_size=3
)
EVERYTHING = ("pending", "rejected", "superseded", "deleted")
PICKS = st.integers(0, 40)


class GraphCongruence(TwoStores):
    """Runs each step on the oracle and on another store and compares what comes back."""

    def both(self, user: str, act: Any, agent: str | None = None) -> Any:
        """The result of an act on each store, which must be the same, errors included."""
        told = self.same(user, act, agent)
        self.changes += told[0] == "ok"
        return told

    def same(self, user: str, act: Any, agent: str | None = None) -> Any:
        """The result of an act, or of a look, on each store."""
        results = self.answers(user, act, agent)
        assert results[0] == results[1]
        self.clock.forward(millis=1)
        return results[0]

    def keep(self, told: tuple[str, Any]) -> None:
        kept = told[1] if told[0] == "ok" else []
        for one in kept if isinstance(kept, list) else [kept]:
            if one.memory is not None and one.memory.id not in self.ids:
                self.ids.append(one.memory.id)

    def picked(self, pick: int) -> str:
        return self.ids[pick % len(self.ids)] if self.ids else "nobody"

    @rule(user=USERS, agent=AGENTS, name=NAMES, type=TYPES, notes=st.sampled_from([None, "keeps bees", "x"]),
          project=PROJECTS, visibility=VISIBILITIES)  # fmt: skip
    def create(self, user: str, agent: str | None, name: str, type: str, **options: Any) -> None:
        self.keep(self.both(user, lambda memory: memory.entities.create(name, type, **options), agent))

    @rule(user=USERS, agent=AGENTS, name=NAMES, texts=SAID, project=PROJECTS, visibility=VISIBILITIES)
    def observe(self, user: str, agent: str | None, name: str, texts: list[str], **options: Any) -> None:
        self.keep(self.both(user, lambda memory: memory.entities.observe(name, texts, **options), agent))

    @rule(user=USERS, name=NAMES, verb=VERBS, other=NAMES, project=PROJECTS, visibility=VISIBILITIES)
    def relate(self, user: str, name: str, verb: str, other: str, **options: Any) -> None:
        self.keep(self.both(user, lambda memory: memory.entities.relate(name, verb, other, **options)))

    @rule(user=USERS, one=PICKS, verb=VERBS, other=PICKS)
    def relate_by_id(self, user: str, one: int, verb: str, other: int) -> None:
        ends = self.picked(one), self.picked(other)
        self.keep(self.both(user, lambda memory: memory.entities.relate(ends[0], verb, ends[1])))

    @rule(user=USERS, name=NAMES, verb=VERBS, other=NAMES, project=PROJECTS, hard=st.booleans())
    def unrelate(self, user: str, name: str, verb: str, other: str, **options: Any) -> None:
        self.both(user, lambda memory: memory.entities.unrelate(name, verb, other, **options))

    @rule(user=USERS, agent=AGENTS, pick=PICKS,
          verb=st.sampled_from(["forget", "restore", "restore", "pin", "erase", "reword"]))  # fmt: skip
    def change(self, user: str, agent: str | None, pick: int, verb: str) -> None:
        id = self.picked(pick)
        verbs: dict[str, Any] = {
            "forget": lambda memory: memory.forget(id),
            "restore": lambda memory: memory.restore(id),
            "pin": lambda memory: memory.pin(id),
            "erase": lambda memory: memory.forget(id, hard=True),
            "reword": lambda memory: memory.revise(id, text="sings").memory,
        }
        self.both(user, lambda memory: (verbs[verb](memory), self.history(memory, id)), agent)

    @rule(user=USERS, source=st.sampled_from(["one", "two"]))
    def retag(self, user: str, source: str) -> None:
        target = "two" if source == "one" else "one"
        self.both(user, lambda memory: memory.projects.retag(source, target))

    @rule(user=USERS, project=st.sampled_from(["one", "two"]))
    def drop_project(self, user: str, project: str) -> None:
        self.both(user, lambda memory: memory.projects.delete(project).name)

    @rule(user=USERS, project=st.sampled_from(["one", "two"]))
    def restore_project(self, user: str, project: str) -> None:
        def act(memory: Memory) -> Any:
            back = memory.projects.restore(project)
            return back.sessions, back.memories, back.left_out

        self.both(user, act)

    def look(self) -> None:
        self.all_agrees()
        self.nothing_dangles()

    def all_agrees(self) -> None:
        for user in ("ana", "ben"):
            assert self.same(user, self.sight)[0] == "ok"
        assert self.same("ana", lambda memory: list(memory.audit))[0] == "ok"

    def nothing_dangles(self) -> None:
        """What is in sight speaks of what is in sight, in the same project; the checks find nothing."""
        for store in self.stores:
            assert store.check(thorough=True) == []
            for user in ("ana", "ben"):
                memory = memory_on(store, user=user, clock=self.clock)
                seen = {
                    record.id: record
                    for record in memory.list(project="*", include="pending", limit=1000).memories
                }
                for one in seen.values():
                    assert all(seen[end].project == one.project for end in one.about)

    def sight(self, memory: Memory) -> Any:
        """All that a user sees."""
        graphs = [self.graph(memory, project) for project in (None, "one", "two")]
        return memory.list(project="*", include=EVERYTHING, limit=1000).memories, graphs

    @staticmethod
    def graph(memory: Memory, project: str | None) -> Any:
        """The whole graph of a place, page by page, and each neighbourhood."""
        entities: list[Any] = []
        cursor = None
        while True:
            page = memory.entities.list(project=project, limit=2, cursor=cursor)
            entities += page.entities
            cursor = page.cursor
            if cursor is None:
                break
        near = memory.entities.neighbourhood([entity.id for entity in entities][:3], project=project, limit=3)
        assert {entity.memory.project for entity in entities} <= {project}
        return entities, near

    @staticmethod
    def history(memory: Memory, id: str) -> Any:
        try:
            return memory.history(id)
        except HoldfastError as error:
            return error.code


class OnPostgres(GraphCongruence):
    """The same on PostgreSQL, where a look at everything is some hundred statements."""

    kind = "postgres"
    every = 4


GraphCongruence.TestCase.settings = OnPostgres.TestCase.settings = settings(
    max_examples=examples(EXAMPLES), stateful_step_count=STEPS, phases=FOUND
)
TestGraphCongruence = GraphCongruence.TestCase
TestGraphCongruenceOnPostgres = pytest.mark.postgres(OnPostgres.TestCase)


# noninterference

OWN = st.tuples(
    st.sampled_from(["create", "observe", "relate", "unrelate", "forget", "look"]), NAMES, VERBS, NAMES
)
ELSEWHERE = st.tuples(
    st.sampled_from(["ben-here", "ben-there", "ana-there", "ana-free", "ana-lab"]),
    NAMES,
    VERBS,
    NAMES,
    st.booleans(),
)
HISTORIES = st.lists(
    st.one_of(OWN.map(lambda a: ("own", a)), ELSEWHERE.map(lambda a: ("else", a))), max_size=25
)


@pytest.mark.parametrize("kind", STORES)
def test_m_8_other_places_do_not_change_the_graph_that_is_seen(kind: str) -> None:
    """Two worlds that differ only in what happens elsewhere give the same answers, byte for byte."""

    @settings(max_examples=examples(15 if kind == "postgres" else 40), phases=FOUND)
    @given(history=HISTORIES)
    def compare(history: list[Any]) -> None:
        compare_worlds(kind, history)

    compare()


def compare_worlds(kind: str, history: list[Any]) -> None:
    """Runs a history with and without what happens elsewhere and compares what the observer saw."""
    with tempfile.TemporaryDirectory() as one, tempfile.TemporaryDirectory() as two:
        stores = [open_store(kind, Path(one)), open_store(kind, Path(two))]
        clocks = ManualClock(), ManualClock()
        worlds = [
            {
                who: memory_on(store, user=user, clock=clock, seed=seed)
                for seed, (who, user) in enumerate((("own", "ana"), ("ana", "ana"), ("ben", "ben")))
            }
            for store, clock in zip(stores, clocks, strict=True)
        ]
        for world in worlds:
            world["own"].projects.create("shop")
        for who, action in history:
            for clock in clocks:
                clock.forward(millis=1)
            if who == "else":
                elsewhere(worlds[0], *action)
                continue
            seen, expected = (seen_by(world["own"], *action) for world in worlds)
            assert seen == expected
        for store in stores:
            store.close()


def seen_by(memory: Memory, verb: str, name: str, type: str, other: str) -> str:
    """What the observer sees of her own step in the project `shop`."""
    entities = memory.entities
    steps: dict[str, Any] = {
        "create": lambda: entities.create(name, "person", project="shop").as_dict(),
        "observe": lambda: [k.as_dict() for k in entities.observe(name, [f"{type} {other}"], project="shop")],
        "relate": lambda: entities.relate(name, type, other, project="shop").as_dict(),
        "unrelate": lambda: entities.unrelate(name, type, other, project="shop"),
        "forget": lambda: entities.delete(name, project="shop"),
        "look": lambda: [
            entities.list(project="shop").as_dict(),
            [hit.as_dict() for hit in entities.search(f"{name} {other}", project="shop")],
            entities.neighbourhood(name, project="shop").as_dict(),
        ],
    }
    try:
        return json.dumps(steps[verb](), sort_keys=True)
    except HoldfastError as error:
        return json.dumps(error.as_dict())


def elsewhere(world: dict[str, Memory], where: str, name: str, type: str, other: str, drop: bool) -> None:
    """Something that must not matter."""
    places: dict[str, tuple[Memory, dict[str, Any]]] = {
        "ben-here": (world["ben"], {"project": "shop"}),
        "ben-there": (world["ben"], {"project": "other"}),
        "ana-there": (world["ana"], {"project": "other"}),
        "ana-free": (world["ana"], {}),
        "ana-lab": (world["ana"], {"workspace": "lab", "project": "shop"}),
    }
    memory, place = places[where]
    for one in (name, other):
        memory.entities.create(one, "place", notes=f"{one} {where}", visibility="private", **place)
        memory.entities.observe(one, [f"{type} {where}"], type="place", visibility="private", **place)
    ends = [memory.entities.get(one, type="place", **place) for one in (name, other)]
    if ends[0].memory.place.workspace == place.get("workspace"):
        memory.entities.relate(ends[0].id, type, ends[1].id)
    if drop:
        memory.entities.delete(ends[0].id)
