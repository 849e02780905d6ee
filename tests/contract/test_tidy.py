"""Tidying on every store: merges with evidence, put-away descriptions, and the way back from each."""

from __future__ import annotations

from typing import Any

from holdfast import Memory, Outcome
from holdfast.core.record import Status
from holdfast.core.times import DAY
from holdfast.stores.base.ports import Store
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
    known = {one.external_id: one for one in memory.list(scope=("file", "old.db")).memories}
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
