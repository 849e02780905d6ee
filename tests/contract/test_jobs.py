"""The store contract: the queue, its leases, and what becomes of jobs (S0.21, S0.29, S1.44, S4.27)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from threading import Event, Thread
from typing import Any

import pytest

from holdfast import HoldfastError, Memory
from holdfast.core.errors import InvalidInput, StoreError
from holdfast.core.jobs import EMBED, FINISHED_KEPT, IMPORT, JOB_KINDS, MAINTAIN, TIDY, Job, State
from holdfast.core.times import DAY
from holdfast.core.views import personal_view
from holdfast.features.access.access import Grant
from holdfast.features.access.keys import service_for
from holdfast.features.jobs import jobs
from holdfast.features.jobs.schedule import plan
from holdfast.features.jobs.worker import LEASE, LOST, Handler, LeaseLost, Progress, Worker
from holdfast.features.memories import embed
from holdfast.features.service import Service
from holdfast.stores.base.ports import Store
from tests.fakes import BrokenEmbedder, HashEmbedder, ManualClock
from tests.oracle import OracleStore
from tests.support import memory_on, service_on


class RemoteEmbedder(BrokenEmbedder):
    """An embedder over a network that is down at first."""

    local = False


def queue(service: Service, kind: str = EMBED, **more: Any) -> Job:
    with service.store.write() as tx:
        return jobs.enqueue(service, tx, kind, now=service.clock(), **more)


def worker(service: Service, **handlers: Handler) -> Worker:
    return Worker(
        service, {EMBED: embed.make, **{name.rstrip("_"): handler for name, handler in handlers.items()}}
    )


def state_of(service: Service, job: Job) -> tuple[str, int, str | None]:
    found = jobs.get_job(service, job.id)
    return found.state.value, found.attempts, found.error


def well(_: Service, __: Job, progress: Progress) -> Mapping[str, Any]:
    progress(1, 2)
    return {"made": 2}


def badly(_: Service, __: Job, ___: Progress) -> Mapping[str, Any]:
    raise ConnectionError("it is away, and this text is told to nobody")


def add_event(service: Service, progress: Progress) -> None:
    """An effect in a transaction that holds only as long as the lease does."""
    with service.store.write() as tx:
        tx.add_event(at=service.clock(), actor="x", action="remember", subject=None, detail={})
        progress.check_held(tx)


# embedding


def test_s0_21_s4_27_a_text_is_safe_before_its_vector_which_comes_by_a_job(store: Store) -> None:
    clock, embedder = ManualClock(), RemoteEmbedder()
    memory = memory_on(store, clock=clock, embedder=embedder)
    stored = memory.remember("The boat is red").memory
    assert stored is not None
    assert memory.recall("boat", mode="words")[0].memory.id == stored.id
    (job,) = memory.jobs.list()
    assert (job.kind, job.state, job.subject) == ("embed", "queued", stored.id)
    assert worker(memory._service).run_due() == 1
    assert state_of(memory._service, job) == ("queued", 1, "ConnectionError")
    embedder.broken = False
    assert worker(memory._service).run_due() == 0, "it is not due yet"
    clock.forward(millis=5_000)
    assert worker(memory._service).run_due() == 1
    assert memory.jobs.get(job.id).as_dict()["result"] == {"made": 1}
    assert memory.doctor().waiting == 0
    assert memory.recall("the red boat", mode="vectors")[0].memory.id == stored.id


def test_s0_29_an_embedding_that_keeps_failing_is_buried_visible_and_can_be_retried(store: Store) -> None:
    clock, embedder = ManualClock(), RemoteEmbedder()
    memory = memory_on(store, clock=clock, embedder=embedder)
    memory.remember("The boat is red")
    tries = 0
    while memory.jobs.list(state="queued"):
        clock.forward(days=1)
        tries += worker(memory._service).run_due()
    assert tries == JOB_KINDS[EMBED].tries
    (buried,) = memory.jobs.list(state="error")
    assert (buried.error, buried.is_dead) == ("ConnectionError", True)
    report = memory.doctor()
    assert (report.waiting, report.jobs_waiting, report.jobs_buried) == (1, 0, 1)
    embedder.broken = False
    assert worker(memory._service).run_due() == 0, "nothing happens to it by itself"
    assert memory.jobs.retry(buried.id).state is State.QUEUED
    assert worker(memory._service).run_due() == 1
    assert memory.jobs.get(buried.id).state is State.SUCCESS
    assert memory.doctor().waiting == 0
    assert [one.action for one in memory.audit.list()][-1] == "retry_job"


def test_a_job_that_does_not_end_when_the_worker_stops_is_released_and_reported(store: Store) -> None:
    begun, go_on, finished = Event(), Event(), list[Job]()

    def slowly(_: Service, __: Job, ___: Progress) -> Mapping[str, Any]:
        begun.set()
        go_on.wait()
        return {}

    service = service_on(store)
    job = queue(service)
    stopping = Worker(service, {EMBED: slowly}, threads=1, on_finished=finished.append)
    stopping.start()
    begun.wait()
    stopping.stop(grace=0)
    assert [one.state for one in finished] == [State.QUEUED]
    go_on.set()
    stopping.stop()
    assert state_of(service, job) == ("queued", 0, None), "what it makes afterwards has no effect"
    assert len(finished) == 1


def test_s0_29_what_is_repaired_by_hand_leaves_no_job_waiting(store: Store) -> None:
    embedder = RemoteEmbedder()
    memory = memory_on(store, embedder=embedder)
    memory.remember_many([f"Sensor {n} is in room {n + 100}" for n in range(5)])
    assert memory.maintain() == (0, 5)
    assert {(job.attempts, job.error) for job in memory.jobs.list()} == {(1, "ConnectionError")}
    embedder.broken = False
    assert memory.maintain() == (5, 0)
    assert {job.state for job in memory.jobs.list()} == {State.SUCCESS}


def test_a_memory_that_is_forgotten_for_now_has_its_vector_when_it_comes_back(store: Store) -> None:
    embedder = RemoteEmbedder()
    embedder.broken = False
    memory = memory_on(store, embedder=embedder)
    stored = memory.remember("The boat is red").memory
    assert stored is not None
    memory.forget(stored.id)
    worker(memory._service).run_due()
    memory.restore(stored.id)
    assert memory.doctor().waiting == 0


def test_a_text_that_changes_while_its_vector_is_made_gets_that_of_the_new_text(store: Store) -> None:
    class Meddler(HashEmbedder):
        local = False
        calls = 0

        def embed(self, texts: Any, **more: Any) -> Any:
            self.calls += 1
            if self.calls == 1:
                memory.revise(id, text="The boat is green")
            return super().embed(texts)

    embedder = Meddler()
    memory = memory_on(store, embedder=embedder)
    stored = memory.remember("The boat is red").memory
    assert stored is not None
    id = stored.id
    worker(memory._service).run_due()
    at_once = memory_on(OracleStore())
    at_once.remember("The boat is green")
    for one in (memory, at_once):
        one.remember("The barn is green and old")
    worker(memory._service).run_due()
    ours, theirs = (
        [(hit.memory.text, round(hit.score, 3)) for hit in one.recall("The boat is green", mode="vectors")]
        for one in (memory, at_once)
    )
    assert ours == theirs
    assert len(ours) == 2
    assert {job.state for job in memory.jobs.list()} == {State.SUCCESS}


def test_s2_36_an_erased_memory_takes_its_jobs_with_it(store: Store) -> None:
    memory = memory_on(store, embedder=RemoteEmbedder())
    first, second = (memory.remember(text).memory for text in ("The boat is red", "The barn is old"))
    assert first is not None
    assert second is not None
    memory.forget(first.id, hard=True)
    assert [job.subject for job in memory.jobs.list()] == [second.id]


def test_a_memory_has_one_waiting_job_however_often_it_changes(store: Store) -> None:
    clock = ManualClock()
    memory = memory_on(store, clock=clock, embedder=RemoteEmbedder())
    stored = memory.remember("The boat is red").memory
    assert stored is not None
    worker(memory._service).run_due()
    (job,) = memory.jobs.list()
    memory.revise(stored.id, text="The boat is green")
    (again,) = memory.jobs.list()
    assert (again.id, again.attempts, again.error, again.due_at) == (job.id, 0, None, clock.now)


# leases


def test_a_job_is_held_by_one_worker_until_its_lease_ends(store: Store) -> None:
    clock = ManualClock()
    service = service_on(store, clock=clock)
    queue(service)
    first, second = worker(service), worker(service)
    held = first._claim_job()
    assert held is not None
    assert second._claim_job() is None
    clock.forward(millis=LEASE - 1)
    assert second._claim_job() is None
    clock.forward(millis=1)
    taken = second._claim_job()
    assert taken is not None
    assert (taken.id, taken.attempts) == (held.id, 2)
    assert taken.token != held.token


def test_who_has_lost_the_lease_has_no_effect_any_more(store: Store) -> None:
    """Neither on the job nor, in the transaction of the effect, on anything else."""
    clock = ManualClock()
    service = service_on(store, clock=clock)
    job = queue(service)
    stale = worker(service)._claim_job()
    assert stale is not None
    slow = Progress(service, stale, lease=LEASE, may_go_on=lambda: True)
    clock.forward(millis=LEASE)
    assert worker(service, embed=well).run_due() == 1
    with pytest.raises(LeaseLost):
        add_event(service, slow)
    assert slow.settle(replace(stale, state=State.ERROR, token=None)) is None
    assert state_of(service, job) == ("success", 2, None)
    assert Memory.over(service).audit.list() == []


def test_telling_how_far_it_is_renews_the_lease(store: Store) -> None:
    clock = ManualClock()
    service = service_on(store, clock=clock)
    job = queue(service, IMPORT)
    seen: list[tuple[int, int | None]] = []

    def slowly(_: Service, __: Job, progress: Progress) -> Mapping[str, Any]:
        for step in range(4):
            progress(step, 4)
            clock.forward(millis=LEASE - 1_000)
            told = jobs.get_job(service, job.id)
            seen.append((told.done, told.total))
            assert worker(service, import_=badly).run_due() == 0
        return {}

    assert worker(service, import_=slowly).run_due() == 1
    assert seen == [(0, 4), (1, 4), (2, 4), (3, 4)]
    told = jobs.get_job(service, job.id)
    assert (told.state, told.done, told.attempts) == (State.SUCCESS, 4, 1)


def test_what_was_queued_tried_or_begun_while_the_clock_was_ahead_is_done(store: Store) -> None:
    """By a clock that is right again; what waits for its time, a day at most, goes on waiting."""
    clock = ManualClock()
    service = service_on(store, clock=clock)
    today = clock.now
    clock.now = today + 70 * 365 * DAY
    begun = queue(service, IMPORT)
    assert worker(service, import_=well)._claim_job() is not None
    tried = queue(service, MAINTAIN)
    assert worker(service, maintain=badly).run_due() == 1
    queued = queue(service)
    clock.now = today
    with service.store.write() as tx:
        plan(service, tx, TIDY, due=today + DAY)
    assert worker(service, embed=well, import_=well, maintain=well, tidy=well).run_due() == 3
    assert [state_of(service, job)[:2] for job in (begun, tried, queued)] == [
        ("success", 2), ("success", 2), ("success", 1),
    ]  # fmt: skip
    assert [job.kind for job in jobs.list_jobs(service, state="queued")] == [TIDY]
    clock.now = today + DAY
    assert worker(service, tidy=well).run_due() == 1


@pytest.mark.on_a_file
def test_a_worker_with_nothing_to_do_waits_for_no_writer(store: Store) -> None:
    """It looks at what waits by reading, also at what waits for its time."""
    service = service_on(store, clock=ManualClock())
    with service.store.write() as tx:
        plan(service, tx, TIDY, due=service.clock() + DAY)
    attempts: list[int] = []
    thread = Thread(target=lambda: attempts.append(worker(service, tidy=well).run_due()))
    with service.store.write():
        thread.start()
        thread.join(60)
        assert attempts == [0]


def test_a_job_that_no_worker_survives_is_buried_and_never_run_again(store: Store) -> None:
    clock = ManualClock()
    service = service_on(store, clock=clock)
    job = queue(service)
    for _ in range(JOB_KINDS[EMBED].tries):
        assert worker(service)._claim_job() is not None
        clock.forward(millis=LEASE)
    assert worker(service)._claim_job() is None
    assert state_of(service, job) == ("error", JOB_KINDS[EMBED].tries + 1, LOST)


def test_s1_44_a_try_that_takes_too_long_ends_as_timeout(store: Store) -> None:
    clock = ManualClock()
    service = service_on(store, clock=clock)
    job = queue(service, units=1)

    def endlessly(_: Service, __: Job, progress: Progress) -> Mapping[str, Any]:
        while True:
            clock.forward(millis=4_000)
            progress(1)

    tries = 0
    while jobs.get_job(service, job.id).is_open:
        clock.forward(days=1)
        tries += worker(service, embed=endlessly).run_due()
    assert tries == JOB_KINDS[EMBED].tries
    assert state_of(service, job) == ("timeout", tries, "timed_out")


def test_a_handler_that_says_nothing_is_ended_at_the_end_of_its_time(store: Store) -> None:
    """The keeper of the leases stops renewing and puts the job off; what the handler says then does not
    count."""
    clock = ManualClock()
    service = service_on(store, clock=clock)
    job = queue(service, units=1)

    def silently(_: Service, __: Job, progress: Progress) -> Mapping[str, Any]:
        clock.forward(millis=15_001)
        progress.renew()
        return {"made": 1}

    assert worker(service, embed=silently).run_due() == 1
    assert state_of(service, job) == ("queued", 1, "timed_out")


# what fails, and what a user may do


def test_only_what_may_help_is_tried_again(store: Store) -> None:
    service = service_on(store)

    def refuses(_: Service, __: Job, ___: Progress) -> Mapping[str, Any]:
        raise InvalidInput("no such format", code="format_unknown")

    def busy(_: Service, __: Job, ___: Progress) -> Mapping[str, Any]:
        raise StoreError("busy", code="store_busy")

    first, second = queue(service, IMPORT), queue(service, MAINTAIN)
    assert worker(service, import_=refuses, maintain=busy).run_due() == 2
    assert state_of(service, first) == ("error", 1, "format_unknown")
    assert state_of(service, second) == ("queued", 1, "store_busy")


def test_what_a_job_tells_of_an_error_is_its_kind_and_no_text(store: Store) -> None:
    service = service_on(store)
    job = queue(service)
    worker(service, embed=badly).run_due()
    text = str(jobs.get_job(service, job.id).as_dict())
    assert "ConnectionError" in text
    assert "told to nobody" not in text


def test_a_job_is_cancelled_before_it_begins_or_while_it_runs(store: Store) -> None:
    service = service_on(store, clock=(clock := ManualClock()))
    first, second = queue(service), queue(service, IMPORT)
    assert jobs.cancel_job(service, first.id).state is State.CANCELLED
    steps = []

    def watched(_: Service, __: Job, progress: Progress) -> Mapping[str, Any]:
        for step in range(3):
            steps.append(step)
            clock.forward(millis=1_000)
            progress(step)
            jobs.cancel_job(service, second.id)
        return {}

    assert worker(service, embed=badly, import_=watched).run_due() == 1
    assert steps == [0, 1], "it hears of it at the next step"
    assert state_of(service, second) == ("cancelled", 1, None)
    for job in (first, second):
        for act in (jobs.cancel_job, jobs.retry_job):
            with pytest.raises(HoldfastError) as error:
                act(service, job.id)
            assert error.value.code == "job_state"


def test_a_worker_that_is_asked_to_end_gives_its_job_back(store: Store) -> None:
    service = service_on(store)
    job = queue(service, IMPORT)

    def long(_: Service, __: Job, progress: Progress) -> Mapping[str, Any]:
        ending.stop_requested = True
        progress(1)
        raise AssertionError("it goes on all the same")

    ending = worker(service, import_=long)
    assert ending.run_due() == 1
    assert state_of(service, job) == ("queued", 0, None)
    assert worker(service, import_=well).run_due() == 1
    assert state_of(service, job) == ("success", 1, None)


def test_jobs_are_of_who_caused_them_and_done_as_them(store: Store) -> None:
    ana, ben = service_on(store, agent="coder"), service_on(store, user="ben")
    hers, his = queue(ana), queue(ben)
    done_as = []

    def noted(service: Service, job: Job, _: Progress) -> Mapping[str, Any]:
        done_as.append((job.id, service.principal.label))
        return {}

    for service, own, foreign in ((ana, hers, his), (ben, his, hers)):
        assert [one.id for one in jobs.list_jobs(service)] == [own.id]
        seen = set()
        for act in (jobs.get_job, jobs.retry_job, jobs.cancel_job):
            for id in (foreign.id, "00000000-0000-7000-8000-000000000000", "\0", 7):
                with pytest.raises(HoldfastError) as error:
                    act(service, id)  # type: ignore[arg-type]
                seen.add((type(error.value), error.value.code))
        assert len(seen) == 1, "missing and foreign look alike"
    worker(ben, embed=noted).run_due()
    assert done_as == [(hers.id, "agent:coder@ana"), (his.id, "user:ben")]


def test_a_key_limited_to_a_project_queues_work_and_sees_no_jobs(store: Store) -> None:
    service = service_on(store, embedder=RemoteEmbedder())
    Memory.over(service).projects.create("shop")
    narrow = Memory.over(service_for(service, Grant(service.principal, projects=frozenset({"shop"}))))
    narrow.remember("The shop opens at nine", project="shop")
    assert len(jobs.list_jobs(service)) == 1
    for call in (narrow.jobs.list, lambda: narrow.jobs.cancel(jobs.list_jobs(service)[0].id)):
        with pytest.raises(HoldfastError) as error:
            call()
        assert error.value.code == "not_permitted"


def test_s1_44_the_last_thousand_finished_jobs_are_kept_and_every_buried_one(store: Store) -> None:
    service = service_on(store, clock=(clock := ManualClock()))
    view = personal_view(service.principal)
    with service.store.write() as tx:
        for n in range(FINISHED_KEPT + 20):
            state = State.ERROR if n < 5 else State.SUCCESS
            job = Job(f"j-{n}", "ana", EMBED, clock.now, clock.now, state=state, finished_at=clock.now + n)
            tx.add_job(job)
        tx.add_job(Job("theirs", "ben", EMBED, 0, 0, state=State.SUCCESS, finished_at=0))
        tx.prune_jobs(view, keep=FINISHED_KEPT)
    with service.store.read() as snap:
        kept = snap.jobs(view, limit=5_000)
        assert [one.id for one in kept if one.state is State.ERROR] == ["j-4", "j-3", "j-2", "j-1", "j-0"]
        done = [one.id for one in kept if one.state is State.SUCCESS]
        assert done == [f"j-{n}" for n in reversed(range(20, FINISHED_KEPT + 20))]
        assert snap.job(personal_view(replace(service.principal, user="ben")), "theirs") is not None


def test_one_user_cannot_queue_without_end(store: Store) -> None:
    service, ben = service_on(store), service_on(store, user="ben")
    for _ in range(JOB_KINDS[IMPORT].most or 0):
        last = queue(service, IMPORT)
    with pytest.raises(HoldfastError) as error:
        queue(service, IMPORT)
    assert error.value.code == "jobs_too_many"
    queue(ben, IMPORT)
    jobs.cancel_job(service, last.id)
    queue(service, IMPORT)


def test_what_is_due_for_longest_is_done_first(store: Store) -> None:
    service = service_on(store, clock=(clock := ManualClock()))
    order = [queue(service, IMPORT).id]
    for _ in range(3):
        clock.forward(millis=1)
        order.append(queue(service, IMPORT).id)
    done: list[str] = []

    def noted(_: Service, job: Job, __: Progress) -> Mapping[str, Any]:
        done.append(job.id)
        return {}

    worker(service, import_=noted).run_due()
    assert done == order
