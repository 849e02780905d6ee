"""Scans as jobs: what they find waits in the inbox of its owner, and an administrator learns numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from holdfast import AccessDenied, Conflict, InvalidInput, Refusal
from holdfast.api.memory import Memory
from holdfast.core.jobs import State
from holdfast.core.places import Role
from holdfast.core.review import Waiting
from holdfast.core.views import personal_view
from holdfast.stores.base.ports import Store
from holdfast.stores.sqlite.spool import Spool
from holdfast.workers import worker_for
from tests.fakes import ManualClock
from tests.support import service_on

TOKEN = "9fK2xQ7vLm3RtZ8pWs4NbY6cHd5J"
LAX = 8.0
"""An entropy that no token reaches: under it a token of no known form is stored as it is."""


class People:
    """The users of one store, each with today's rules and with older ones."""

    def __init__(self, store: Store, clock: ManualClock, spool: Path) -> None:
        self._store, self._clock, self._spool = store, clock, Spool(spool)

    def __call__(self, user: str = "ana", *, before: bool = False, **who: Any) -> Memory:
        service = service_on(self._store, user=user, clock=self._clock, **who)
        entropy = LAX if before else service.secret_entropy
        return Memory.over(replace(service, spool=self._spool, secret_entropy=entropy))

    def run(self) -> Mapping[str, Any]:
        """Does what is due, and returns the result of the newest job of Ana."""
        ana = self()
        worker_for(ana._service, threads=1).run_due()
        job = ana.jobs.list()[0]
        assert (job.kind, job.state, job.error) == ("scan", State.SUCCESS, None)
        assert job.done == job.total == job.result["memories"]
        return job.result


@pytest.fixture
def people(store: Store, clock: ManualClock, tmp_path: Path) -> People:
    return People(store, clock, tmp_path / "spool")


def stored(memory: Memory, text: str, **more: Any) -> str:
    kept = memory.remember(text, **more).memory
    assert kept is not None
    return kept.id


def inbox(memory: Memory, **where: Any) -> list[Waiting]:
    """All that waits, page by page."""
    items: list[Waiting] = []
    cursor = None
    while True:
        page = memory.review.inbox(limit=1, cursor=cursor, **where)
        items += page.items
        cursor = page.cursor
        if cursor is None:
            return items


def test_what_a_job_finds_waits_in_the_inbox_without_it(people: People, clock: ManualClock) -> None:
    before, now = people(before=True), people()
    first = stored(before, f"The pump is opened with {TOKEN}", project="shop", title=f"Pump {TOKEN}")
    clock.now += 1
    second = stored(before, "The lamp is red")
    before.revise(second, text=f"The lamp is lit with {TOKEN}")
    before.revise(second, text="The lamp is blue")
    waits = stored(now, "The oar is wooden", status="pending")
    job = now.scan_queue()
    assert (job.kind, job.state) == ("scan", State.QUEUED)
    with pytest.raises(Conflict):
        now.scan_queue()
    assert [one.memory.id for one in inbox(now)] == [waits], "nothing was done yet"
    result = people.run()
    assert {name: result[name] for name in ("memories", "versions", "found", "kept", "types")} == {
        "memories": 3, "versions": 5, "found": 2, "kept": 0, "types": {"high_entropy": 3},
    }  # fmt: skip
    items = inbox(now)
    assert TOKEN not in repr(items)
    assert [item.memory.id for item in items] == [first, second, waits]
    assert [item.found and item.found.versions for item in items] == [(1,), (2,), None]
    assert items[0].why == "a scan found high_entropy (2) in its text, title"
    assert items[0].memory.text == "The pump is opened with [REDACTED: high_entropy]"
    stored(now, "The mast is tall", project="harbour")
    assert [one.memory.id for one in inbox(now, project="harbour")] == [second, waits]
    assert inbox(people("ben")) == []


def test_a_proposal_of_which_nothing_is_left_waits_no_more(people: People) -> None:
    before, now = people(before=True), people()
    pump = stored(before, f"The pump is opened with {TOKEN}")
    now.scan_queue()
    people.run()
    assert [one.memory.id for one in inbox(now)] == [pump]
    (decision,) = before.scan_decide(pump)
    assert (decision.result, decision.code) == ("refused", "nothing_to_change")
    assert inbox(now) == [], "until the next scan"


def test_accepting_redacts_and_a_refusal_can_be_taken_back(people: People) -> None:
    before, now = people(before=True), people()
    first = stored(before, f"The pump is opened with {TOKEN}")
    second = stored(before, f"The lamp is lit with {TOKEN[::-1]}")
    now.scan_queue()
    people.run()
    with pytest.raises(InvalidInput) as refused:
        now.review.approve(first)
    assert "holdfast scan --accept" in (refused.value.hint or "")
    assert [one.result for one in now.scan_decide([first], [second])] == ["approved", "rejected"]
    assert now.get(first).text == "The pump is opened with [REDACTED: high_entropy]"
    assert inbox(now) == []
    assert now.scan_decide(reopen=first)[0].code == "nothing_to_change"
    (again,) = now.scan_decide(reopen=second)
    assert again.result == "pending"
    assert [one.memory.id for one in inbox(now)] == [second]
    assert now.scan_decide(reopen=second)[0].code == "nothing_to_change", "it waits already"
    now.scan_decide(second)
    assert TOKEN[::-1] not in now.get(second).text
    assert inbox(now) == []
    assert now.audit.verify() > 0


def test_a_proposal_goes_with_what_it_is_about(people: People) -> None:
    before, now = people(before=True), people()
    erased, redacted, forgotten = (
        stored(before, f"The {what} is {TOKEN}") for what in ("pump", "lamp", "oar")
    )
    now.scan_queue()
    people.run()
    assert len(inbox(now)) == 3
    now.forget(erased, hard=True)
    now.forget(redacted)
    now.redact(redacted, 1)
    now.forget(forgotten)
    assert [one.memory.id for one in inbox(now)] == [forgotten]
    now.scan_queue()
    assert people.run()["found"] == 1
    with now._service.store.read() as snap:
        rows = snap.findings(personal_view(now._service.principal), limit=10)
    assert [row.id for row in rows] == [forgotten]


def test_personal_data_is_decided_on_as_it_was_scanned(people: People) -> None:
    now = people()
    id = stored(now, "Lena is at lena@harbour.example")
    now.scan_queue(personal=True)
    people.run()
    assert [one.found and one.found.types for one in inbox(now)] == [{"email": 1}]
    now.scan_queue()
    people.run()
    assert len(inbox(now)) == 1, "a scan for less leaves what one for more has found"
    assert [one.result for one in now.scan_decide(id)] == ["approved"]
    assert now.get(id).text == "Lena is at [REDACTED_EMAIL]"


def test_an_administrator_has_everybody_scanned_and_sees_numbers(people: People) -> None:
    stored(people("ben", before=True), f"The cat is called {TOKEN}")
    stored(people("ben", before=True), f"The dog is called {TOKEN[::-1]}", project="shop")
    own = stored(people(before=True), f"The pump is opened with {TOKEN}")
    ana, ben = people(), people("ben", role=Role.MEMBER)
    with pytest.raises(AccessDenied):
        ben.scan_queue(everyone=True)
    with pytest.raises(Refusal):
        people(agent="helper").scan_queue(everyone=True)
    ana.scan_queue(everyone=True, dry_run=True)
    counted = people.run()
    assert (counted["people"], counted["memories"], counted["found"]) == (2, 3, 3)
    assert inbox(ana) == inbox(ben) == []
    ana.scan_queue(everyone=True)
    assert people.run() == counted
    assert [one.memory.id for one in inbox(ana)] == [own]
    assert len(inbox(ben)) == 2
    assert TOKEN not in repr((ana.jobs.list(), ana.audit.list()))
    last = [event for event in ana.audit.list() if event.action == "scan"][-1]
    assert (last.actor, last.detail["everyone"], last.detail["found"]) == ("user:ana", True, 3)


def test_names_are_scanned_too(people: People) -> None:
    before, now = people(before=True), people()
    before.add_messages([{"role": "user", "content": "hello"}], session="talk")
    before.sessions.update("talk", name=f"About {TOKEN}")
    before.projects.create("shop", notes=f"Ring {TOKEN}")
    found = {name.kind: name for name in now.scan().names}
    assert TOKEN not in repr(found)
    assert (found["session"].name, found["session"].parts) == ("talk", ("name",))
    assert (found["project"].name, found["project"].parts) == ("shop", ("notes",))
    now.scan_queue(dry_run=True)
    assert people.run()["names"] == {"project": 1, "session": 1}
    now.sessions.update("talk", name="About the pump")
    now.projects.update("shop", notes=None)
    assert now.scan().names == ()
