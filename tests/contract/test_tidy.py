"""Tidying on every store: merges with evidence, put-away descriptions, and the way back from each."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from holdfast import Memory, Outcome
from holdfast.core.jobs import Job
from holdfast.core.record import Status
from holdfast.core.times import DAY
from holdfast.features.review import tidy
from holdfast.stores.base.ports import Store
from holdfast.workers import worker_for
from tests.fakes import ManualClock
from tests.support import memory_on


def twins(memory: Memory, *texts: str, **place: Any) -> list[str]:
    """Keeps texts that were not compared when they came, as while the embedder was away."""
    kept = [memory.remember(text, kind="convention", external_id=f"{n} {text} {sorted(place)}", **place)
            for n, text in enumerate(texts)]  # fmt: skip
    assert [one.outcome for one in kept] == [Outcome.CREATED] * len(texts)
    return [one.memory.id for one in kept if one.memory is not None]


def test_s3_37_what_says_the_same_is_merged_with_its_evidence_and_comes_back(
    store: Store, clock: ManualClock
) -> None:
    memory = memory_on(store, clock=clock)
    text = "The billing service listens on port 8080"
    (first,) = twins(memory, text)
    clock.now += 1
    (second,) = twins(memory, f"{text}!")
    twins(memory, "The search index listens on port 9090")
    twins(memory, text, scope=("file", "other"))
    foreseen = memory.review.tidy()
    assert [(act.action, act.memory, act.into) for act in foreseen.acts] == [("merge", second, first)]
    assert foreseen.acts[0].evidence
    assert memory.get(second).status is Status.APPROVED
    done = memory.review.tidy(dry_run=False)
    assert done.acts == foreseen.acts
    assert memory.get(second).superseded_by == first
    assert memory.get(second).status_reason.startswith("merged: ")  # type: ignore[union-attr]
    assert memory.review.tidy().acts == ()
    memory.review.approve(second)
    assert (memory.get(second).status, memory.get(second).superseded_by) == (Status.APPROVED, None)
    assert memory.review.tidy().acts == (), "what a person undid is not done again"
    assert memory.doctor().problems == ()


def test_a_merge_of_equal_texts_is_undone_too(store: Store, clock: ManualClock) -> None:
    memory = memory_on(store, clock=clock)
    twins(memory, *["The mole is lit at night"] * 2)
    (act,) = memory.review.tidy(dry_run=False).acts
    assert memory.review.approve(act.memory).code is None
    assert len(memory.list().memories) == 2


def test_twins_among_many_texts_of_one_form_are_found(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tidy, "COMMON", 2)
    memory = memory_on(store)
    texts = [f"The {name} of the harbour is painted red" for name in ("boat", "crane", "mast", "pump")]
    *_, first, second = twins(memory, *texts, f"{texts[-1]}!")
    assert [{act.memory, act.into} for act in memory.review.tidy().acts] == [{first, second}]


def test_s3_40_what_a_person_pinned_or_edited_stays_and_a_machine_leaves_it(
    store: Store, clock: ManualClock
) -> None:
    memory = memory_on(store, clock=clock)
    first, second = twins(memory, "Tests run on Fridays", "Tests run on Fridays.")
    memory.pin(second, True)
    (act,) = memory.review.tidy().acts
    assert (act.memory, act.into) == (first, second)
    memory.pin(first, True)
    assert memory.review.tidy().acts == ()


def test_s3_36_unused_descriptions_of_abandoned_sources_are_put_away(
    store: Store, clock: ManualClock
) -> None:
    memory = memory_on(store, clock=clock)
    entities = [
        {"type": "DATA_TABLE", "id": name, "data": {"name": name, "columns": ["a"]}}
        for name in ("plain", "edited", "pinned", "changed")
    ]
    connection = {"type": "CONNECTION", "id": "c", "data": {"name": "warehouse", "tables": ["plain"]}}
    memory.reconcile("old.db", {"name": "old.db", "entities": [*entities, connection]})
    memory.reconcile("new.db", {"name": "new.db", "entities": entities[:1]})
    known = {record.external_id: record for record in memory.list(scope=("file", "old.db")).memories}
    memory.revise(known["edited"].id, text="My own words")
    memory.pin(known["pinned"].id)
    entities[3]["data"] = {"name": "changed", "columns": ["a", "b"]}
    memory.reconcile("old.db", {"name": "old.db", "entities": [*entities, connection]})
    assert memory.review.tidy().acts == ()
    clock.now += 100 * DAY
    memory.reconcile("new.db", {"name": "new.db", "entities": entities[:1]})
    result = memory.review.tidy(dry_run=False)
    assert [(act.action, act.memory) for act in result.acts] == [("prune", known["plain"].id)]
    assert result.stale == ("old.db",)
    memory.restore(known["plain"].id)
    assert memory.get(known["plain"].id).deleted_at is None
    assert memory.doctor().problems == ()


def test_two_rooms_are_never_merged(store: Store, clock: ManualClock) -> None:
    ana, ben = memory_on(store, clock=clock), memory_on(store, user="ben", clock=clock)
    for memory in (ana, ben):
        twins(memory, "We ship on Tuesdays", project="shop", visibility="project")
    twins(ana, "We ship on Tuesdays.", project="barn")
    assert ana.review.tidy().acts == () == ben.review.tidy().acts


def test_s3_36_what_was_put_away_comes_back_with_its_source_and_stays_when_a_person_brings_it_back(
    store: Store, clock: ManualClock
) -> None:
    memory = memory_on(store, clock=clock)
    payload = {"entities": [{"type": "T", "id": id, "data": {"summary": f"Table {id}"}} for id in "ab"]}
    memory.reconcile("old.db", payload)
    clock.now += 100 * DAY
    acts = memory.review.tidy(dry_run=False).acts
    assert [act.action for act in acts] == ["prune", "prune"]
    memory.restore(acts[0].memory)
    assert memory.review.tidy().acts == (), "what a person undid is not done again"
    result = memory.reconcile("old.db", payload)
    assert (result.restored, result.unchanged, result.forgotten) == (1, 1, 0), "nobody forgot it"
    assert {record.id for record in memory.list().memories} == {act.memory for act in acts}


@pytest.mark.parametrize("setting", ["show", "apply", "off"])
def test_s3_36_tidying_follows_many_changes_and_a_timer_and_is_undone_for_a_month(
    store: Store, clock: ManualClock, setting: str
) -> None:
    service = replace(memory_on(store, clock=clock)._service, tidy=setting)
    memory, worker = Memory.over(service), worker_for(service, threads=1)
    (loser,) = twins(memory, "The mole is lit at night")
    twins(memory, "The mole is lit at night!")
    entities = [{"type": "T", "id": str(n), "data": {"summary": f"Table {n}"}} for n in range(60)]
    for count in (10, 30, 60):
        clock.now += 1
        memory.reconcile("big.db", {"entities": entities[:count]})
        due = [job for job in memory.jobs.list(state="queued") if job.kind == "tidy"]
        assert len(due) == (setting != "off")
        assert all((job.due_at <= clock.now) is (count == 60) for job in due), "at once after 50 changes"
    clock.now += 200 * DAY
    worker.run_due()
    last = next((job for job in memory.jobs.list(state="success") if job.kind == "tidy"), None)
    if setting == "off":
        assert last is None
        return
    assert last is not None
    assert last.result | {"looked_at": 0} == {
        "dry_run": setting == "show", "looked_at": 0, "merge": 1, "prune": 60, "stale": 1,
    }  # fmt: skip
    assert [job.due_at for job in memory.jobs.list(state="queued")] == [clock.now + DAY]
    gone = [
        record
        for record in memory.list(include=["deleted"], limit=100).memories
        if record.deleted_at is not None
    ]
    assert len(gone) == (60 if setting == "apply" else 0)
    clock.now += 30 * DAY
    for one in gone:
        memory.restore(one.id)
    merged = [
        record.id
        for record in memory.list(include=["superseded"], limit=100).memories
        if record.status is Status.SUPERSEDED
    ]
    for id in merged:
        memory.review.approve(id)
    assert len(merged) == (setting == "apply")
    assert len(memory.list(limit=100).memories) == 62
    assert memory.get(loser).status is Status.APPROVED
    assert memory.doctor().problems == ()


def test_s3_36_much_to_tidy_holds_up_nobody_else(
    store: Store, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tidy, "ACTS", 30)
    done: list[Job] = []
    memories = {user: memory_on(store, user=user, clock=clock) for user in ("ana", "ben")}
    for user, count in (("ana", 40), ("ben", 3)):
        entities = [{"type": "T", "id": str(n), "data": {"summary": f"Table {n}"}} for n in range(count)]
        memories[user].reconcile("old.db", {"entities": entities})
        clock.now += 1
    clock.now += 100 * DAY
    service = replace(memories["ana"]._service, tidy="apply")
    worker_for(service, threads=1, on_finished=done.append).run_due()
    assert [(job.owner, job.result["prune"]) for job in done if job.kind == "tidy"] == [
        ("ana", 30), ("ben", 3), ("ana", 10),
    ]  # fmt: skip
    assert [list(memory.list().memories) for memory in memories.values()] == [[], []]


def test_s3_36_fifty_changes_of_knowledge_plan_a_tidying_and_messages_do_not(
    store: Store, clock: ManualClock
) -> None:
    memory, other = memory_on(store, clock=clock), memory_on(store, user="ben", clock=clock)

    def due() -> list[int]:
        return [job.due_at - clock.now for job in memory.jobs.list(state="queued") if job.kind == "tidy"]

    memory.remember_many([{"text": f"Message {n}", "kind": "message", "role": "user"} for n in range(60)])
    memory.entities.create("Lena", "person")
    other.remember("The mole is dark at noon", visibility="team")
    for text in ("The shop opens at eight", "The till is counted at noon"):
        memory.remember(text, project="shop")  # what happens elsewhere counts there
    memory.remember_many([{"text": f"Crane {n} lifts {n + 2} tons"} for n in range(48)])
    note = memory.remember("The mole is lit at night").memory
    memory.remember("The mole is lit at night")
    assert due() == [], "a few changes make no job"
    assert note is not None
    memory.revise(note.id, text="The mole is lit until two")
    assert due() == [0], "fifty do, whichever calls made them"
    worker_for(memory._service, threads=1).run_due()
    assert due() == [DAY], "then a timer does"
    memory.remember_many([{"text": f"Boat {n} has {n + 2} seats"} for n in range(49)])
    assert due() == [DAY], "they are counted anew"
    memory.remember("The quay is closed on Sundays")
    assert due() == [0]
