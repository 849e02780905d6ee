"""The queue of SQLite does what the oracle's does, whatever is asked of it, and never lends a job twice."""

from __future__ import annotations

import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from holdfast.core.jobs import (
    DEAD,
    JOB_KINDS,
    OPEN,
    Job,
    State,
    cancelled,
    failed,
    released,
    retried,
    succeeded,
)
from holdfast.core.places import Principal
from holdfast.core.views import personal_view
from holdfast.stores.base.ports import Reader, Store
from holdfast.stores.sqlite.store import SqliteStore
from tests.oracle import OracleStore
from tests.profiles import examples

USERS = ("ana", "ben")
KINDS = sorted(JOB_KINDS)
NUMBERS = st.integers(0, 9)
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("add"), NUMBERS, st.sampled_from(KINDS), st.sampled_from([None, "m1", "m2"])),
        st.tuples(st.just("plan"), NUMBERS, st.sampled_from(KINDS[:2]), st.sampled_from([None, 5])),
        st.tuples(st.just("claim"), st.sets(st.sampled_from(KINDS), min_size=1)),
        st.tuples(st.just("end"), NUMBERS, st.sampled_from(["done", "failed", "back", "renewed", "late"])),
        st.tuples(st.just("steer"), NUMBERS, st.sampled_from(["retry", "cancel", "foreign"])),
        st.tuples(st.just("wait"), st.sampled_from([1, 29_999, 30_000, 4_000_000])),
        st.tuples(st.just("hasten"), st.sets(st.sampled_from(KINDS)), st.sampled_from([0, 10_000])),
        st.tuples(st.just("prune"), st.integers(0, 3)),
        st.tuples(st.just("count"), NUMBERS),
    ),
    max_size=25,
)
"""Times, users and jobs by number: each step is done to both stores."""


class Queue:
    """One store under the steps, with what the workers hold."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.now = 1_800_000_000_000
        self.held: list[Job] = []
        self.made = 0

    def do(self, step: tuple[Any, ...]) -> object:
        name, *given = step
        return getattr(self, name)(*given)

    def add(self, number: int, kind: str, subject: str | None) -> Job:
        self.made += 1
        owner, agent = USERS[number % 2], [None, "a"][number % 2]
        new = Job(f"j{self.made}", owner, kind, self.now, self.now, subject=subject, agent=agent)
        with self.store.write() as tx:
            return tx.add_job(new)

    def plan(self, number: int, kind: str, enough: int | None) -> None:
        self.made += 1
        new = Job(f"j{self.made}", USERS[number % 2], kind, self.now, self.now + 1_000 * number, units=number)
        with self.store.write() as tx:
            tx.plan_job(new, enough=enough)

    def claim(self, kinds: set[str]) -> Job | None:
        token = f"t{len(self.held)}"
        with self.store.write() as tx:
            job = tx.claim_job(kinds=kinds, now=self.now, until=self.now + 30_000, token=token)
        if job is not None:
            live = [one for one in self.held if one.id == job.id and self._is_live(one)]
            assert live == [], "two workers hold one job"
            self.held.append(job)
        return job

    def _is_live(self, job: Job) -> bool:
        with self.store.read() as snap:
            found = snap.job(personal_view(job.principal), job.id)
        return found is not None and found.token == job.token and found.due_at > self.now

    def hasten(self, kinds: set[str], later: int) -> None:
        with self.store.write() as tx:
            tx.hasten_jobs(kinds=kinds, after=self.now + later, now=self.now)

    def end(self, number: int, how: str) -> bool | None:
        if not self.held:
            return None
        job = self.held[number % len(self.held)]
        after = {
            "done": succeeded(job, {"made": number}, self.now),
            "failed": failed(job, "x", self.now),
            "back": released(job, self.now),
            "renewed": replace(job, due_at=self.now + 30_000, done=number, total=9),
            "late": failed(job, "late", self.now, timed_out=True, final=True),
        }[how]
        with self.store.write() as tx:
            return tx.put_job(personal_view(job.principal), after, token=job.token)

    def steer(self, number: int, how: str) -> bool | None:
        known = [one for one in self.all() if how != "retry" or one.state in DEAD]
        if not known:
            return None
        job = known[number % len(known)]
        changed = retried(job, self.now) if how == "retry" else cancelled(job, self.now)
        user = job.owner if how != "foreign" else next(user for user in USERS if user != job.owner)
        with self.store.write() as tx:
            written = tx.put_job(personal_view(Principal(user)), changed)
        assert written is (how != "foreign")
        return written

    def wait(self, millis: int) -> None:
        self.now += millis

    def prune(self, keep: int) -> None:
        with self.store.write() as tx:
            tx.prune_jobs(personal_view(Principal("ana")), keep=keep)

    def count(self, number: int) -> bool:
        user = USERS[number % 2]
        with self.store.write() as tx:
            return tx.count_changes(personal_view(Principal(user)), number % 3, number + 1, enough=5)

    def all(self) -> list[Job]:
        with self.store.read() as snap:
            return sorted(
                (job for user in USERS for job in snap.jobs(personal_view(Principal(user)))),
                key=lambda job: job.id,
            )

    def seen(self) -> list[Any]:
        """Everything that reading tells."""
        with self.store.read() as snap:
            return [_job_answers(snap, personal_view(Principal(user)), self.now) for user in USERS]


def _job_answers(snap: Reader, view: Any, now: int) -> list[Any]:
    every = snap.jobs(view)
    return [
        every,
        [snap.job(view, job.id) == job for job in every],
        [snap.jobs(view, states={state}, limit=2) for state in State],
        [snap.jobs(view, states=OPEN | DEAD, kind=kind) for kind in KINDS],
        snap.jobs(view, subject="m1"),
        snap.jobs(view, subject="m2", kind="embed", states=OPEN),
        snap.backlog(view, now=now),
        snap.next_job_at(view),
        [snap.has_jobs_after(view, now + later, kinds={kind}) for later in (0, 10_000) for kind in KINDS],
        [snap.unfinished_jobs(view, kind) for kind in KINDS],
    ]


@settings(max_examples=examples(60))
@given(STEPS)
def test_s1_44_the_queue_of_sqlite_does_what_the_oracles_does(steps: list[tuple[Any, ...]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        store = SqliteStore(Path(folder) / "a.db")
        ours, theirs = Queue(store), Queue(OracleStore())
        try:
            for step in steps:
                assert ours.do(step) == theirs.do(step)
                assert ours.seen() == theirs.seen()
        finally:
            store.close()
