"""The store contract, undo of decisions: everything is as it was before, whatever was decided (S2.35)."""

from __future__ import annotations

from typing import Any

import pytest

from holdfast import HoldfastError, Memory
from holdfast.core.places import Role
from holdfast.stores.base.ports import Store
from tests.contract.test_reconcile import described as summaries
from tests.contract.test_reconcile import payload, table
from tests.contract.test_sharing import SECRET, person, remembered
from tests.support import memory_on, texts

DECISIONS: list[dict[str, Any]] = [
    {"decision": "approve"}, {"decision": "approve", "beside": True}, {"decision": "reject"},
]  # fmt: skip


def inbox(memory: Memory) -> list[dict[str, Any]]:
    """What the inbox shows, in every detail but the time of the last change."""
    return [
        {"why": item.why, "asks": item.asks, "contradicts": item.contradicts and item.contradicts.id}
        | {name: value for name, value in item.memory.as_dict().items() if name != "updated_at"}
        for item in memory.review.inbox().items
    ]


@pytest.mark.parametrize("decision", DECISIONS)
def test_s2_35_all_kinds_of_what_waits_are_taken_back_at_once(store: Store, decision: dict[str, Any]) -> None:
    """Requests to share, what contradicts something, news of a description, doubts and marks: in one call,
    after one call that decided about all, twice."""
    ana, ben = person(store, "ana", Role.OWNER), person(store, "ben")
    tabs = remembered(ana, "Use tabs for indentation", kind="convention", valid_until="2999-01-01")
    remembered(ana, "Use spaces for indentation", kind="convention", confidence=0.3)
    remembered(ana, "Boats need paint", status="pending")
    flagged = remembered(
        person(store, "ana", Role.OWNER, "coder"), "Deploys run on Tuesdays", kind="convention"
    )
    ana.review.feedback(flagged.id, "wrong")
    asked = remembered(ben)
    ben.review.move(asked.id, visibility="team")
    ana.reconcile("x", payload(table("a", 10)))
    described = summaries(ana)["a"]
    ana.revise(described.id, text="Every boat, as Ana knows them")
    ana.reconcile("x", payload(table("a", 20)))
    kept_tabs = ana.get(tabs.id)
    edited = ana.get(described.id)
    before = inbox(ana)
    assert sorted(str(one["asks"]) for one in before) == ["None", "None", "None", "None", "team"]
    for _ in range(2):
        result = ana.review.decide([{"id": one["id"], **decision} for one in before])
        assert [one.code for one in result] == [None] * 5
        assert inbox(ana) == []
        back = ana.review.undo([one.id for one in result])
        assert [one.code for one in back] == [None] * 5
        assert inbox(ana) == before
        assert texts(memory_on(store, user="cleo").list(project="*")) == [], "nobody else sees it"
    now = ana.get(tabs.id)
    for name in ("status", "valid_until", "superseded_by", "confidence", "version", "text"):
        assert getattr(now, name) == getattr(kept_tabs, name), name
    now = ana.get(described.id)
    for name in (
        "text",
        "title",
        "metadata",
        "edited",
        "pinned",
        "origin",
        "status",
        "said_by",
        "fingerprint",
    ):
        assert getattr(now, name) == getattr(edited, name), name
    assert ana.doctor().problems == ()
    assert ana.audit.verify() == len(ana.audit.list(limit=None))


def test_s4_53_a_share_that_is_taken_back_waits_as_asked(store: Store) -> None:
    ana, ben, cleo = person(store, "ana", Role.OWNER), person(store, "ben"), person(store, "cleo")
    note = remembered(ben)
    ben.review.move(note.id, visibility="team")
    (asked,) = inbox(ana)
    for decision, seen in (("approve", [SECRET]), ("reject", [])):
        ana.review.decide([{"id": note.id, "decision": decision}])
        assert texts(cleo.list()) == seen
        (back,) = ana.review.undo(note.id)
        assert (back.result, back.code) == ("pending", None)
        assert texts(cleo.list()) == []
        assert ben.get(note.id).visibility == "private"
        assert inbox(ana) == [asked]
    ben.review.move(note.id, visibility="private")
    assert inbox(ana) == [], "its owner still withdraws the request"
    assert ana.doctor().problems == ()


def test_s4_53_only_approvers_in_person_take_a_share_back(store: Store) -> None:
    ana, ben = person(store, "ana", Role.OWNER), person(store, "ben")
    note = remembered(ben)
    ben.review.move(note.id, visibility="team")
    ana.review.approve(note.id)
    others = [
        person(store, "cleo"),
        ben,
        person(store, "ana", Role.OWNER, "coder"),
        person(store, "bot", Role.SERVICE),
    ]
    for other in others:
        (refused,) = other.review.undo(note.id)
        assert refused.result == "refused", other._service.principal
        assert ana.get(note.id).visibility == "team"
    assert ana.review.undo(note.id)[0].code is None


def test_s4_53_a_share_that_was_changed_since_is_left_alone(store: Store) -> None:
    ana, ben = person(store, "ana", Role.OWNER), person(store, "ben")
    note = remembered(ben)
    ben.review.move(note.id, visibility="team")
    ana.review.approve(note.id)
    ben.revise(note.id, text="The merger is called Redwing")
    assert ana.review.undo(note.id)[0].result == "refused"
    assert texts(person(store, "cleo").list()) == ["The merger is called Redwing"]
    other = remembered(ben, "The annex is sold")
    ben.review.move(other.id, visibility="team")
    ana.review.reject(other.id)
    ben.review.move(other.id, visibility="team")
    asked = inbox(ana)
    assert ana.review.undo(other.id)[0].code == "memory_not_found", "it was asked for anew"
    assert inbox(ana) == asked


def test_s3_10_news_that_was_accepted_waits_again_by_either_name(store: Store) -> None:
    """Unless somebody changed the description since: then both stay as they are."""
    ana = person(store, "ana", Role.OWNER)
    ana.reconcile("x", payload(table("a", 10)))
    described = summaries(ana)["a"]
    ana.revise(described.id, text="Every boat, as Ana knows them")
    ana.reconcile("x", payload(table("a", 20)))
    (waiting,) = inbox(ana)
    for name in (waiting["id"], described.id):
        ana.review.approve(waiting["id"])
        assert ana.review.undo(name)[0].id == waiting["id"]
        assert inbox(ana) == [waiting]
        assert ana.get(described.id).text == "Every boat, as Ana knows them"
    ana.reconcile("x", payload(table("a", 20)))
    assert ana.get(described.id).text == "Every boat, as Ana knows them", "it is still hers"
    assert inbox(ana) == [waiting]
    ana.review.approve(waiting["id"])
    ana.revise(described.id, text="Twenty boats")
    assert [one.code for one in ana.review.undo([described.id, waiting["id"]])] == ["nothing_to_change"] * 2
    assert (ana.get(described.id).text, inbox(ana)) == ("Twenty boats", [])


def test_s2_35_what_cannot_be_taken_back_is_refused_alone(store: Store) -> None:
    ana = person(store, "ana", Role.OWNER)
    never, waits, later = (
        remembered(ana, "A mast"),
        remembered(ana, "A sail", status="pending"),
        remembered(ana, "A keel", status="pending"),
    )
    ana.review.approve(waits.id)
    ana.review.approve(later.id)
    ana.revise(later.id, text="A long keel")
    results = ana.review.undo([never.id, waits.id, later.id, "0" * 36])
    assert [result.code for result in results] == [
        "nothing_to_change",
        None,
        "nothing_to_change",
        "memory_not_found",
    ]
    assert [one["text"] for one in inbox(ana)] == ["A sail"]
    with pytest.raises(HoldfastError) as error:
        ana.review.undo(["x"] * 1_001)
    assert error.value.code == "limit_invalid"


def test_s2_7_a_memory_that_came_back_otherwise_is_left_alone(store: Store) -> None:
    """What gave way, and was brought back by a person since, stays as that person left it."""
    ana = person(store, "ana", Role.OWNER)
    tabs = remembered(ana, "Use tabs for indentation", kind="convention")
    spaces = remembered(ana, "Use spaces for indentation", kind="convention", confidence=0.3)
    ana.review.approve(spaces.id)
    ana.review.approve(tabs.id)
    mine = ana.get(tabs.id)
    assert ana.review.undo(spaces.id)[0].code is None
    assert ana.get(tabs.id) == mine
