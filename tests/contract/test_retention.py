"""Retention: policies let go what is over its time, legal holds keep it, and only those who may decide."""

from __future__ import annotations

from typing import Any

import pytest

from holdfast import HoldfastError, Memory
from holdfast.config import Settings
from holdfast.core.places import Role
from holdfast.core.times import DAY, to_iso
from holdfast.core.views import GONE, personal_view
from holdfast.stores.base.ports import Store
from holdfast.workers import worker_for
from tests.fakes import ManualClock
from tests.support import memory_on

HOUR = DAY // 24


def code_of(call: Any) -> str:
    with pytest.raises(HoldfastError) as caught:
        call()
    return caught.value.code


def days_later(memory: Memory, clock: ManualClock, days: int) -> None:
    """Lets days pass, in which somebody uses the store, and the daily upkeep of a worker be done after the
    last of them."""
    clock.now += (days - 1) * DAY
    with memory._service.store.write() as tx:
        tx.add_event(at=clock.now, actor="eve", action="use", subject=None, detail={})
    clock.now += DAY
    upkeep(memory)


def upkeep(memory: Memory) -> None:
    worker_for(memory._service, Settings(store="", user="ana", backup_days=0), threads=1).run_due()


def texts(memory: Memory) -> set[str]:
    return {record.text for record in memory.list(project="*", limit=200).memories}


def stored_count(memory: Memory) -> int:
    """Everything of the user that the store still has, forgotten or not."""
    service = memory._service
    with service.store.read() as snap:
        return snap.count(personal_view(service.principal, GONE, closed=True), now=service.clock())


def test_the_narrowest_policy_decides(memory: Memory, clock: ManualClock) -> None:
    for kind in ("note", "decision"):
        memory.remember(f"The {kind} of the shop", kind=kind, project="shop")
        memory.remember(f"The {kind} of nobody", kind=kind)
    memory.retention.set(30)
    memory.retention.set(None, kind="decision")
    memory.retention.set(60, project="shop")
    memory.retention.set(10, kind="note", project="shop")
    listed = [(one.project, one.kind, one.days) for one in memory.retention.list()]
    assert listed == [("shop", "note", 10), ("shop", None, 60), (None, "decision", None), (None, None, 30)]
    days_later(memory, clock, 11)
    assert texts(memory) == {"The decision of the shop", "The note of nobody", "The decision of nobody"}
    days_later(memory, clock, 20)
    assert texts(memory) == {"The decision of the shop", "The decision of nobody"}
    days_later(memory, clock, 30)
    assert texts(memory) == {"The decision of nobody"}
    days_later(memory, clock, 900)
    assert texts(memory) == {"The decision of nobody"}
    acts = [event for event in memory.audit if event.action == "apply_retention"]
    assert [event.detail["kinds"] for event in acts] == [{"note": 1}, {"note": 1}, {"decision": 1}]
    assert memory.audit.verify() > 0
    assert memory.doctor().healthy


def test_what_goes_is_shown_before(memory: Memory, clock: ManualClock) -> None:
    old = memory.remember("The old shelf is green", kind="note").memory
    pinned = memory.remember("The pinned shelf is blue", kind="note").memory
    assert old
    assert pinned
    memory.pin(pinned.id)
    clock.now += 40 * DAY
    memory.remember("The new shelf is red", kind="note")
    due = memory.retention.preview(30, kind="note")
    assert (due.memories, due.protected, due.held) == (1, 1, 0)
    assert [(group.kind, group.memories, group.oldest) for group in due.groups] == [
        ("note", 1, old.updated_at)
    ]
    assert [(example.id, example.text) for example in due.examples] == [(old.id, "The old shelf is green")]
    assert memory.retention.preview().memories == 0
    memory.retention.set(30, kind="note")
    assert memory.retention.preview().memories == 1
    assert memory.retention.preview(41, kind="note").memories == 0
    assert len(texts(memory)) == 3
    days_later(memory, clock, 1)
    assert texts(memory) == {"The pinned shelf is blue", "The new shelf is red"}
    days_later(memory, clock, 99)
    assert texts(memory) == {"The pinned shelf is blue"}


def test_a_policy_erases_nothing_on_its_first_day_nor_when_it_is_removed(
    memory: Memory, clock: ManualClock
) -> None:
    memory.remember("The note of the shop", kind="note", project="shop")
    clock.now += 100 * DAY
    memory.retention.set(30)
    memory.retention.set(None, project="shop")
    clock.now += DAY // 2
    worker_for(memory._service, Settings(store="", user="ana", backup_days=0), threads=1).run_due()
    days_later(memory, clock, 5)
    assert stored_count(memory) == 1
    memory.retention.remove(project="shop")
    assert [one.project for one in memory.retention.list()] == [None]
    assert code_of(lambda: memory.retention.remove(project="shop")) == "policy_not_found"
    assert memory.retention.preview().memories == 1
    from holdfast.features.retention.applying import apply_policies

    assert apply_policies(memory._service) == 0
    days_later(memory, clock, 1)
    assert stored_count(memory) == 0


def test_an_old_conversation_goes_with_its_name_and_does_not_come_back(
    memory: Memory, clock: ManualClock
) -> None:
    messages = [{"role": "user", "content": "My locker code is blue horse", "id": "m1"}]
    memory.add_messages(messages, session="talk")
    memory.sessions.update("talk", name="The locker")
    memory.remember("A locker has a code", kind="note", session="talk")
    memory.retention.set(30, kind="message")
    days_later(memory, clock, 31)
    assert texts(memory) == {"A locker has a code"}
    assert not memory.sessions.list()
    assert not [hit for hit in memory.recall("blue horse").items if "horse" in hit.memory.text]
    agent = memory.as_user("ana", agent="coder")
    assert [message.outcome for message in agent.add_messages(messages, session="talk")] == ["forgotten"]


def test_a_hold_wins_over_policies_and_over_erasure(memory: Memory, clock: ManualClock) -> None:
    memory.remember("The contract of the shop", kind="note", project="shop")
    shop = memory.list(project="shop").memories[0]
    other = memory.remember("The contract of nobody", kind="note").memory
    messages = [{"role": "user", "content": "We signed the contract"}]
    memory.add_messages(messages, session="talk", project="shop")
    assert other
    placed = memory.retention.hold("case-7", project="shop")
    assert (placed.name, placed.project, placed.user) == ("case-7", "shop", None)
    assert code_of(lambda: memory.retention.hold("case-7")) == "hold_exists"
    memory.retention.set(30)
    for erasing in (
        lambda: memory.forget(shop.id, hard=True),
        lambda: memory.sessions.delete("talk"),
        lambda: memory.projects.purge("shop"),
        lambda: memory.delete_all(memory._service.principal.user),
        lambda: memory.delete_all(memory._service.principal.user, dry_run=True),
    ):
        assert code_of(erasing) == "legal_hold"
    assert stored_count(memory) == 3
    memory.forget(shop.id)  # hidden, and kept
    days_later(memory, clock, 40)
    assert stored_count(memory) == 2
    assert memory.retention.preview().held == 2
    memory.projects.create("away")
    for leaving in (
        lambda: memory.projects.delete("shop"),
        lambda: memory.sessions.update("talk", project=None),
        lambda: memory.projects.move("shop", "away"),
    ):
        assert code_of(leaving) == "legal_hold"
    (moved,) = memory.review.move([memory.sessions.messages("talk").memories[0].id], project="away")
    assert moved.result == "refused"
    days_later(memory, clock, 40)
    assert stored_count(memory) == 2
    assert memory.retention.lift("case-7").name == "case-7"
    assert code_of(lambda: memory.retention.lift("case-7")) == "hold_not_found"
    days_later(memory, clock, 1)
    assert stored_count(memory) == 0
    actions = [event.action for event in memory.audit if event.subject == "holds"]
    assert actions == ["place_hold", "lift_hold"]
    assert memory.doctor().healthy


def test_an_archived_project_is_not_purged_under_a_hold(memory: Memory, clock: ManualClock) -> None:
    memory.remember("The contract of the shop", kind="note", project="shop")
    memory.projects.archive("shop", purge_after=3)
    memory.retention.hold("case", user=memory._service.principal.user)
    days_later(memory, clock, 5)
    assert stored_count(memory) == 1
    memory.retention.lift("case")
    days_later(memory, clock, 1)
    assert stored_count(memory) == 0


def test_a_hold_on_a_user_keeps_what_is_theirs(store: Store, clock: ManualClock) -> None:
    ana = memory_on(store, clock=clock)
    ben = memory_on(store, user="ben", clock=clock)
    ana.remember("The note of ana", kind="note")
    ben.remember("The note of ben", kind="note")
    ana.retention.hold("case", user="ben")
    ana.retention.set(30)
    days_later(ana, clock, 40)
    assert (stored_count(ana), stored_count(ben)) == (0, 1)
    (erased,) = [event for event in ana.audit if event.action == "apply_retention"]
    assert erased.detail["owner"] == "ana"


def test_examples_of_others_have_no_text(store: Store, clock: ManualClock) -> None:
    ana = memory_on(store, clock=clock)
    ben = memory_on(store, user="ben", clock=clock)
    ben.remember("The private note of ben", kind="note")
    clock.now += 40 * DAY
    due = ana.retention.preview(30)
    assert [(example.owner, example.text) for example in due.examples] == [("ben", None)]
    assert "private" not in str(due.as_dict())


@pytest.mark.parametrize("who", ["member", "service", "agent"])
def test_only_owners_and_admins_in_person_decide(store: Store, clock: ManualClock, who: str) -> None:
    rights = {"agent": "coder"} if who == "agent" else {"role": Role(who)}
    memory = memory_on(store, clock=clock, **rights)
    wanted = "not_permitted" if who == "member" else "person_needed"
    acts = memory.retention
    for act in (
        lambda: acts.set(3), acts.remove, acts.list, lambda: acts.preview(3),
        lambda: acts.hold("x"), acts.holds, lambda: acts.lift("x"),
    ):  # fmt: skip
        assert code_of(act) == wanted
    assert not list(memory_on(store, clock=clock).retention.list())


@pytest.mark.on_a_file
@pytest.mark.parametrize(
    ("days", "options", "code"),
    [
        (0, {}, "argument_invalid"),
        (True, {}, "argument_invalid"),
        (40_000, {}, "argument_invalid"),
        (3, {"kind": "nonsense"}, "kind_unknown"),
        (3, {"kind": "passage"}, "argument_invalid"),
        (3, {"kind": "entity"}, "argument_invalid"),
        (3, {"project": "no-such"}, "project_not_found"),
    ],
)
def test_a_policy_that_cannot_be(memory: Memory, days: int, options: dict[str, Any], code: str) -> None:
    assert code_of(lambda: memory.retention.set(days, **options)) == code
    assert code_of(lambda: memory.retention.preview(days, **options)) == code
    assert not list(memory.retention.list())


@pytest.mark.parametrize("jump", [9, 400, 70 * 365])
def test_a_clock_that_jumps_ahead_for_a_while_erases_nothing(
    memory: Memory, clock: ManualClock, jump: int
) -> None:
    """Neither by policies nor what was deleted or archived with projects; an event and the job say why."""
    for project in ("shop", "yard", "barn"):
        memory.remember(f"The lamp of the {project}", kind="note", project=project)
    memory.retention.set(8, kind="note")
    memory.projects.delete("yard")
    memory.projects.archive("barn", purge_after=8)
    today = clock.now = clock.now + 2 * DAY
    memory.remember("The shelf is red", kind="decision")
    before = stored_count(memory)
    for hours in (0, 23):
        clock.now = today + jump * DAY + hours * HOUR
        memory.remember(f"Written {hours} hours after the jump", kind="decision")
        upkeep(memory)
    waits = [event for event in memory.audit if event.action == "wait_for_clock"]
    assert [event.detail["before"] for event in waits] == [to_iso(today)]
    done = next(job for job in memory.jobs.list(state="success") if job.kind == "upkeep")
    assert (done.result["waits_for_clock"], done.result["memories"]) == (True, 0)
    clock.now = today + DAY
    upkeep(memory)
    assert stored_count(memory) == before + 2
    assert memory.projects.unarchive("barn").name == "barn"
    days_later(memory, clock, 8)
    assert "The lamp of the shop" not in texts(memory), "by the right clock it is over"


def test_a_store_that_nobody_used_for_long_erases_what_is_over_a_day_later(
    memory: Memory, clock: ManualClock
) -> None:
    """Also where a worker runs but once a week."""
    memory.remember("The lamp of the shop", kind="note", project="shop")
    memory.retention.set(30)
    clock.now += 60 * DAY
    upkeep(memory)
    assert stored_count(memory) == 1
    clock.now += 7 * DAY
    upkeep(memory)
    assert stored_count(memory) == 0
    assert [event.action for event in memory.audit][-2:] == ["wait_for_clock", "apply_retention"]


def test_a_store_that_is_used_every_nine_days_erases_what_is_over(memory: Memory, clock: ManualClock) -> None:
    """The gap after a wait is no reason for another one: this store is seldom used."""
    memory.remember("The lamp of the shop", kind="note")
    memory.retention.set(10)
    for days, remaining in ((60, "The lamp of the shop"), (9, "Written after 60"), (9, "Written after 9")):
        clock.now += days * DAY
        upkeep(memory)
        assert texts(memory) == {remaining}
        memory.remember(f"Written after {days}", kind="note")
    assert len([event for event in memory.audit if event.action == "wait_for_clock"]) == 1


@pytest.mark.parametrize(
    "days",
    [[69, 400], [9, 18], [61, -59, 63], [61, -2, 20]],
    ids=["far ahead", "further", "back", "back a bit"],
)
def test_an_earlier_wait_explains_no_clock_that_goes_further_or_went_back(
    memory: Memory, clock: ManualClock, days: list[int]
) -> None:
    """Whatever the first wait was for, this one is new."""
    memory.remember("The lamp of the shop", kind="note")
    memory.retention.set(8)
    for ahead in days:
        clock.now += ahead * DAY
        if ahead < 0:
            memory.remember("The shelf is red", kind="decision")
        else:
            upkeep(memory)
        assert "The lamp of the shop" in texts(memory)
