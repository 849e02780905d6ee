"""Every store behaves like the oracle: the same random history gives the same memories, hits and events."""

from __future__ import annotations

from typing import Any

import hypothesis.strategies as st
import pytest
from hypothesis import Phase, settings
from hypothesis.stateful import initialize, rule

from holdfast import HoldfastError, Memory
from holdfast.core.places import Principal, Role
from tests.contract.two_stores import TwoStores
from tests.profiles import examples

STEPS = 40
EXAMPLES = {"sqlite": 25, "cold": 20, "postgres": 25}
"""40 x 25 = 1,000 steps on a file; the profile `full` runs ten times as many."""

WORDS = ("boat", "red", "harbour", "keeper", "paint", "ada", "8080", "9090", "port", "use", "tabs", "spaces")
TEXTS = st.lists(st.sampled_from(WORDS), min_size=1, max_size=5).map(" ".join)
PROJECTS = st.sampled_from([None, "one", "two"])
SESSIONS = st.sampled_from(["s", "t", "u"])
USERS = st.sampled_from(["ana", "ben"])
KINDS = st.sampled_from(["note", "fact", "decision", "preference", "message", "entity"])
VISIBILITIES = st.sampled_from([None, "private", "team", "project"])
EVERYTHING = ("pending", "rejected", "superseded", "deleted")
PICKS = st.integers(0, 30)


class Congruence(TwoStores):
    """Runs each step on the oracle and on another store and compares what comes back."""

    def both(self, user: str, act: Any) -> Any:
        """The result of an act that may change something on each store, which must be the same, errors
        included."""
        results = self.answers(user, act)
        assert results[0] == results[1]
        self.changes += results[0][0] == "ok"
        return results

    @initialize()
    def begin(self) -> None:
        self.both("ana", lambda memory: memory.count())

    @rule(user=USERS, text=TEXTS, kind=KINDS, project=PROJECTS, visibility=VISIBILITIES,
          session=st.none() | SESSIONS, external=st.none() | st.sampled_from(["x", "y"]),
          tags=st.lists(st.sampled_from(["a", "b"]), max_size=2),
          at=st.none() | st.sampled_from(["2020-01-01", "2025-06-01"]))  # fmt: skip
    def remember(self, user: str, text: str, kind: str, **options: Any) -> None:
        options["external_id"] = options.pop("external")

        def act(memory: Memory) -> Any:
            result = memory.remember(text, kind=kind, **options)
            return result.outcome, result.memory, result.reason, result.related

        results = self.both(user, act)
        if results[0][0] == "ok" and results[0][1][1] is not None:
            self.ids.append(results[0][1][1].id)

    @rule(user=USERS, texts=st.lists(TEXTS, max_size=4), session=SESSIONS, project=PROJECTS)
    def chat(self, user: str, texts: list[str], session: str, project: str | None) -> None:
        messages = [{"role": "user", "content": text, "id": f"{text}-{i}"} for i, text in enumerate(texts)]

        def act(memory: Memory) -> Any:
            result = memory.add_messages(messages, session=session, project=project)
            return [(k.outcome, k.memory, k.code) for k in result]

        self.both(user, act)

    @rule(user=USERS, act=st.sampled_from(["set", "move", "add", "remove", "replace"]),
          value=st.sampled_from(["Blue", "Red", "Tan"]), rank=st.integers(1, 4), project=PROJECTS,
          session=st.none() | SESSIONS, at=st.none() | st.just("2025-06-01"))  # fmt: skip
    def state(self, user: str, act: str, value: str, rank: int, **place: Any) -> None:
        def edit(memory: Memory) -> Any:
            facts = memory.facts
            if act in ("set", "move"):
                return getattr(facts, act)("colors", value, rank, **place)
            if act == "remove":
                return facts.remove("colors", value, **place)
            return getattr(facts, act)("colors", [value, "Lime"], **place)

        results = self.both(user, edit)
        if results[0][0] == "ok":
            self.ids += [fact.message or fact.statement for fact in results[0][1].facts[:1]]

    @rule(user=USERS, pick=PICKS, text=TEXTS)
    def revise(self, user: str, pick: int, text: str) -> None:
        self.on_one(user, pick, lambda memory, id: memory.revise(id, text=text).memory)

    @rule(
        user=USERS, pick=PICKS, verb=st.sampled_from(["forget", "erase", "restore", "pin", "unpin", "reject"])
    )
    def change(self, user: str, pick: int, verb: str) -> None:
        verbs: dict[str, Any] = {
            "forget": lambda memory, id: memory.forget(id),
            "erase": lambda memory, id: memory.forget(id, hard=True),
            "restore": lambda memory, id: memory.restore(id),
            "pin": lambda memory, id: memory.pin(id),
            "unpin": lambda memory, id: memory.pin(id, False),
            "reject": lambda memory, id: memory.revise(id, status="rejected").memory,
        }
        self.on_one(user, pick, verbs[verb])

    @rule(user=USERS, pick=PICKS, visibility=st.sampled_from(["private", "team", "project"]),
          role=st.sampled_from([Role.OWNER, Role.MEMBER]))  # fmt: skip
    def share(self, user: str, pick: int, visibility: str, role: Role) -> None:
        def act(memory: Memory, id: str) -> Any:
            memory._service.principal = Principal(user, role)
            (told,) = memory.review.move(id, visibility=visibility)
            return told.result, told.code, told.memory, memory.review.inbox()

        self.on_one(user, pick, act)

    @rule(user=USERS, pick=PICKS, decision=st.sampled_from(["approve", "reject"]))
    def decide(self, user: str, pick: int, decision: str) -> None:
        def act(memory: Memory, id: str) -> Any:
            (told,) = memory.review.decide([{"id": id, "decision": decision}])
            return told.result, told.code, told.memory, memory.review.inbox()

        self.on_one(user, pick, act)

    @rule(user=USERS, session=SESSIONS, project=PROJECTS)
    def move(self, user: str, session: str, project: str | None) -> None:
        self.both(user, lambda memory: memory.sessions.update(session, project=project))

    @rule(user=USERS, session=SESSIONS, name=TEXTS)
    def name(self, user: str, session: str, name: str) -> None:
        self.both(user, lambda memory: memory.sessions.update(session, name=name or "a name"))

    @rule(user=USERS, session=SESSIONS, limit=st.sampled_from([1, 3, 50]))
    def read(self, user: str, session: str, limit: int) -> None:
        def act(memory: Memory) -> Any:
            page = memory.sessions.messages(session, limit=limit)
            if page.cursor is None:
                return page
            return page, memory.sessions.messages(session, limit=limit, cursor=page.cursor)

        mine, theirs = self.answers(user, act)
        assert mine == theirs

    @rule(user=USERS, session=SESSIONS)
    def drop_session(self, user: str, session: str) -> None:
        self.both(user, lambda memory: memory.sessions.delete(session))

    @rule(user=USERS, project=st.sampled_from(["one", "two"]))
    def drop_project(self, user: str, project: str) -> None:
        self.both(user, lambda memory: memory.projects.delete(project).name)

    @rule(user=USERS, project=st.sampled_from(["one", "two"]))
    def restore_project(self, user: str, project: str) -> None:
        def act(memory: Memory) -> Any:
            back = memory.projects.restore(project)
            return back.sessions, back.memories, back.left_out

        self.both(user, act)

    @rule(user=USERS)
    def retag(self, user: str) -> None:
        self.both(user, lambda memory: memory.projects.retag("one", "two"))

    @rule(days=st.sampled_from([-1, 0.001, 1, 40, 200]))
    def wait(self, days: float) -> None:
        self.clock.forward(days=days)
        self.changes += 1

    @rule(user=USERS, query=TEXTS, project=st.none() | st.sampled_from(["one", "two", "*"]),
          mode=st.sampled_from(["words", "vectors", "hybrid"]), limit=st.sampled_from([1, 5, 100]),
          kinds=st.none() | st.just(["note", "message"]),
          as_of=st.none() | st.just("2025-12-31"))  # fmt: skip
    def recall(self, user: str, query: str, limit: int, **options: Any) -> None:
        def act(memory: Memory) -> Any:
            hits = memory.recall(query, limit=limit, **options)
            return hits.searched, [(round(hit.score, 4), hit.memory.id) for hit in hits]

        (_, mine), (_, theirs) = self.answers(user, act)
        assert mine[0] == theirs[0]
        assert [score for score, _ in mine[1]] == [score for score, _ in theirs[1]] or _close(
            mine[1], theirs[1]
        )
        if limit == 100:
            assert {id for _, id in mine[1]} == {id for _, id in theirs[1]}

    def look(self) -> None:
        """Compares all that each user sees, and the chain of events."""
        for user in ("ana", "ben"):
            mine, theirs = self.answers(user, _sight)
            assert mine[0] == "ok"
            assert mine == theirs
        mine, theirs = self.answers("ana", lambda memory: (memory.audit.verify(), list(memory.audit)))
        assert mine[0] == "ok"
        assert mine == theirs

    def on_one(self, user: str, pick: int, act: Any) -> None:
        if self.ids:
            id = self.ids[pick % len(self.ids)]
            self.both(user, lambda memory: (act(memory, id), self._history(memory, id)))

    @staticmethod
    def _history(memory: Memory, id: str) -> Any:
        try:
            return memory.history(id)
        except HoldfastError as error:
            return error.code


def _sight(memory: Memory) -> list[Any]:
    """All that a user sees."""
    seen: list[Any] = []
    for project in (None, "one", "*"):
        seen.append(memory.list(project=project, include=EVERYTHING, limit=1000).memories)
        seen.append(memory.facts.list(project=project))
    seen += [memory.facts.list(session="s"), memory.facts.history("colors")]
    seen.append(memory.facts.list(project="*", as_of="2025-12-31"))
    return [*seen, memory.sessions.list(), memory.projects.list()]


def _close(mine: list[tuple[float, str]], theirs: list[tuple[float, str]]) -> bool:
    return len(mine) == len(theirs) and all(
        abs(a[0] - b[0]) < 2e-3 for a, b in zip(mine, theirs, strict=True)
    )


class OnBlocks(Congruence):
    """The same where each read opens the index from blocks in the file."""

    kind = "cold"
    every = 3


class OnPostgres(Congruence):
    """The same on PostgreSQL, where a look at everything is some hundred statements."""

    kind = "postgres"
    every = 4


class OnPostgresAtEachStep(OnPostgres):
    """With a look at everything after each change."""

    every = 1


for machine in (Congruence, OnBlocks, OnPostgres, OnPostgresAtEachStep):
    machine.TestCase.settings = settings(
        max_examples=examples(EXAMPLES[machine.kind]),
        stateful_step_count=STEPS,
        phases=(Phase.explicit, Phase.generate),  # a failure is told as found: shrinking takes minutes
    )
TestCongruence = Congruence.TestCase
TestCongruenceOnBlocks = OnBlocks.TestCase
TestCongruenceOnPostgres = pytest.mark.postgres(OnPostgres.TestCase)
TestCongruenceOnPostgresAtEachStep = pytest.mark.postgres(pytest.mark.slow(OnPostgresAtEachStep.TestCase))
