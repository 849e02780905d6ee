"""`holdfast jobs` and `holdfast worker`."""

from __future__ import annotations

import pytest

from holdfast import Memory
from holdfast.core.jobs import Job
from holdfast.workers import queue_import
from tests.cli.support import error_of, run, run_json


def queued(content: str = "User: Is the cart done?\nAssistant: Since Tuesday.") -> Job:
    """An import that waits, in the store of the tests' home."""
    with Memory() as memory:
        return queue_import(memory._service, content.encode())


def test_jobs_are_listed_done_and_shown() -> None:
    assert "There are no jobs." in run("jobs").stdout
    assert run_json("jobs", "list") == {"jobs": []}
    job = queued()
    assert f"{job.id}  import  queued" in " ".join(run("jobs", "list").stdout.split("\n")[1:])
    assert "1 pending" in run("doctor").stdout
    output = run("worker", "--once").stdout
    assert f"{job.id}  import  success" in output
    assert "Jobs finished: 1 success." in output
    assert run_json("worker", "--once") == {"ended": {}}
    assert "Nothing was due." in run("worker", "--once").stdout
    shown = run_json("jobs", "show", job.id)
    assert (shown["state"], shown["result"]["outcomes"]) == ("success", {"created": 2})
    told = run("jobs", "show", job.id).stdout
    assert "2 of 2" in told
    assert "created 2" in told
    assert run_json("jobs", "list", "--state", "success")["jobs"] == [shown]
    assert "No job is in the state error." in run("jobs", "list", "--state", "error").stdout


def test_a_job_that_failed_for_good_is_told_retried_and_cancelled() -> None:
    job = queued("{}")
    assert f"{job.id}  import  error (format_unknown)" in run("worker", "--once").stdout
    doctor = run("doctor")
    assert "1 failed" in doctor.stdout
    assert "holdfast jobs list --state error" in doctor.stderr
    assert f"holdfast jobs retry {job.id}" in run("jobs", "show", job.id).stderr
    assert "Queued again" in run("jobs", "retry", job.id).stdout
    assert run_json("jobs", "cancel", job.id)["state"] == "cancelled"
    assert error_of("jobs", "cancel", job.id, status=4)["code"] == "job_state"
    assert error_of("jobs", "retry", job.id, status=4)["code"] == "job_state"


@pytest.mark.parametrize("act", ["show", "retry", "cancel"])
def test_a_job_that_is_not_there_is_told(act: str) -> None:
    run("remember", "Something")
    assert error_of("jobs", act, "none", status=3)["code"] == "job_not_found"


def test_index_workers_is_a_number() -> None:
    run("remember", "Something")
    for value in ("-1", "two", "65"):
        refused = run("worker", "--once", "--json", status=2, HOLDFAST_INDEX_WORKERS=value)
        assert "index_workers" in refused.stderr
