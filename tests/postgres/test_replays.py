"""Answers to requests with an idempotency key in the database: durable, shared, bounded, of one tenant."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace

import pytest

from holdfast.bootstrap import open_service
from holdfast.config import Settings
from holdfast.stores.base.replays import BROKEN_OFF_MS, QUOTA, Replay, Replays
from tests.postgres.server import fresh_url

NOW = 1_800_000_000_000
RUNNING = Replay("f" * 64, NOW + 1_000)
ANSWER = replace(RUNNING, until=NOW + 3_600_000, status=201, headers='[["a", "b"]]', body=b"\0\xff answer")


@contextmanager
def opened(address: str) -> Iterator[Replays]:
    """The answers of a tenant, as a process of its own has them."""
    service = open_service(Settings(address, "ana"))
    try:
        yield service.replays
    finally:
        service.store.close()


def test_an_answer_survives_a_restart_and_is_known_to_every_process() -> None:
    address = fresh_url()
    with opened(address) as first:
        assert first.reserve("ana", "k", RUNNING, now=NOW) is None
        with opened(address) as second:
            assert second.reserve("ana", "k", RUNNING, now=NOW) == RUNNING
        first.answer("ana", "k", ANSWER)
    with opened(address) as later, opened(fresh_url()) as foreign:
        assert later.reserve("ana", "k", RUNNING, now=NOW + 5_000) == ANSWER
        assert later.reserve("ben", "k", RUNNING, now=NOW) is None
        assert foreign.reserve("ana", "k", RUNNING, now=NOW) is None


def test_of_many_processes_one_may_begin() -> None:
    address = fresh_url()
    with opened(address) as one, opened(address) as other, ThreadPoolExecutor(8) as pool:
        begun = [pool.submit((one, other)[n % 2].reserve, "ana", "k", RUNNING, now=NOW) for n in range(16)]
        assert [task.result() for task in begun].count(None) == 1


def test_a_request_that_broke_off_or_was_released_may_be_made_again() -> None:
    with opened(fresh_url()) as replays:
        assert replays.reserve("ana", "k", RUNNING, now=NOW) is None
        known = replays.reserve("ana", "k", RUNNING, now=NOW + 1_000)
        assert known == RUNNING
        assert known.is_broken_off(NOW + 1_000)  # it has no answer in time
        later = replace(RUNNING, until=NOW + 2_000, head=7)
        assert replays.take_over("ana", "k", known, later) is None
        assert replays.take_over("ana", "k", known, later) == later
        assert replays.reserve("ana", "k", RUNNING, now=later.until + BROKEN_OFF_MS) is None
        replays.release("ana", "k")
        assert replays.reserve("ana", "k", RUNNING, now=NOW) is None
        replays.answer("ana", "k", ANSWER)
        assert replays.reserve("ana", "k", RUNNING, now=ANSWER.until - 1) == ANSWER
        replays.drop_old(ANSWER.until - 1)
        assert replays.reserve("ana", "k", RUNNING, now=NOW) == ANSWER
        replays.drop_old(ANSWER.until)
        assert replays.reserve("ana", "k", RUNNING, now=NOW) is None


def test_a_credential_has_a_quota_and_pushes_out_its_own_only() -> None:
    with opened(fresh_url()) as replays:
        for who in ("ben", "ana"):
            replays.reserve(who, "first", RUNNING, now=NOW)
            replays.answer(who, "first", ANSWER)
        for n in range(QUOTA):
            assert replays.reserve("ana", f"k{n}", RUNNING, now=NOW) is None
        assert replays.reserve("ben", "first", RUNNING, now=NOW) == ANSWER
        assert replays.reserve("ana", f"k{QUOTA - 1}", RUNNING, now=NOW) == RUNNING
        assert replays.reserve("ana", "first", RUNNING, now=NOW) is None


@pytest.mark.parametrize("restarted", [False, True])
def test_no_body_outlives_an_erasure_and_the_request_stays_known(restarted: bool) -> None:
    address = fresh_url()
    with opened(address) as replays:
        replays.reserve("ana", "k", RUNNING, now=NOW)
        replays.answer("ana", "k", ANSWER)
        replays.blank()
        if not restarted:
            assert replays.reserve("ana", "k", RUNNING, now=NOW) == replace(ANSWER, body=None)
    with opened(address) as replays:
        assert replays.reserve("ana", "k", RUNNING, now=NOW) == replace(ANSWER, body=None)


def test_a_request_during_which_something_was_erased_keeps_no_body() -> None:
    with opened(fresh_url()) as replays:
        replays.reserve("ana", "k", RUNNING, now=NOW)
        replays.blank()
        replays.answer("ana", "k", ANSWER)
        assert replays.reserve("ana", "k", RUNNING, now=NOW) == replace(ANSWER, body=None)
