"""The rules of jobs: how long a try may take, when the next one comes, when a job is buried."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from holdfast.core.jobs import (
    DEAD,
    FINISHED,
    JOB_KINDS,
    OPEN,
    WAIT_MAX,
    Job,
    State,
    cancelled,
    failed,
    released,
    retried,
    succeeded,
    time_allowed,
    wait_after,
)
from tests.cases import each

NOW = 1_800_000_000_000


def job(kind: str = "embed", **more: object) -> Job:
    return Job("j", "ana", kind, NOW, NOW, **more)  # type: ignore[arg-type]


@each(
    "units, seconds",
    [(0, 15), (1, 15), (2, 15), (3, 18.5), (10, 43), (83, 298.5), (84, 300), (9_999, 300)],
)
def test_s1_44_a_try_at_indexing_may_take_8_s_and_3_5_s_a_passage(units: int, seconds: float) -> None:
    assert time_allowed("embed", units) == seconds * 1_000


def test_s1_66_a_long_job_has_failed_after_four_hours() -> None:
    assert {time_allowed(name, 10**6) for name in ("import", "maintain")} == {4 * 3_600 * 1_000}


@given(st.integers(0, 10_000))
def test_waits_grow_up_to_an_hour(attempts: int) -> None:
    assert 5_000 <= wait_after(attempts) <= wait_after(attempts + 1) <= WAIT_MAX
    assert wait_after(10_000) == WAIT_MAX


def test_s1_44_the_states_are_those_that_were_promised_and_one_for_who_changes_their_mind() -> None:
    assert set(State) - {"cancelled"} == {"queued", "running", "success", "timeout", "error"}
    assert set(State) == OPEN | DEAD | FINISHED
    assert len(OPEN) + len(DEAD) + len(FINISHED) == len(State)


@given(st.sampled_from(sorted(JOB_KINDS)), st.integers(0, 30), st.booleans(), st.booleans())
def test_a_failed_try_is_followed_by_another_or_by_a_burial(
    kind: str, attempts: int, timed_out: bool, final: bool
) -> None:
    running = job(kind, state=State.RUNNING, token="t", attempts=attempts)
    after = failed(running, "x", NOW, timed_out=timed_out, final=final)
    assert (after.error, after.token, after.attempts) == ("x", None, attempts)
    if final or attempts >= JOB_KINDS[kind].tries:
        assert after.state is (State.TIMEOUT if timed_out else State.ERROR)
        assert after.finished_at == NOW
    else:
        assert after.state is State.QUEUED
        assert after.due_at == NOW + wait_after(attempts) > NOW


@given(st.sampled_from(State), st.integers(0, 30))
def test_only_a_running_job_has_a_lease(state: State, attempts: int) -> None:
    begun = job(state=State.RUNNING, token="t", attempts=attempts)
    for after in (released(begun, NOW), cancelled(begun, NOW), succeeded(begun, {}, NOW)):
        assert after.token is None
        assert after.state is not State.RUNNING


def test_what_is_released_has_not_been_tried_and_what_is_retried_begins_anew() -> None:
    assert released(job(attempts=3), NOW).attempts == 2
    buried = failed(job(attempts=20), "x", NOW)
    anew = retried(buried, NOW + 5)
    assert (anew.state, anew.attempts, anew.error, anew.due_at) == (State.QUEUED, 0, None, NOW + 5)
    assert anew.finished_at is None


def test_a_job_tells_no_lease_and_nothing_of_its_user() -> None:
    told = job(state=State.RUNNING, token="secret", agent="coder").as_dict()
    assert "secret" not in str(told)
    assert told["due_at"] is None
