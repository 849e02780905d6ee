"""Consents: who gave or withdrew them is recorded, and a withdrawal stops what it covered."""

from __future__ import annotations

import json
from typing import Any

import pytest

from holdfast import HoldfastError, Memory
from holdfast.core.places import Role
from holdfast.stores.base.ports import Store
from tests.fakes import ManualClock
from tests.support import memory_on


def code_of(call: Any) -> str:
    with pytest.raises(HoldfastError) as caught:
        call()
    return caught.value.code


def test_s4_54_consent_is_recorded_with_who_and_when(memory: Memory, clock: ManualClock) -> None:
    assert list(memory.consents.list()) == []
    given = memory.consents.give("newsletter")
    assert (given.user, given.purpose, given.given, given.at, given.by) == (
        "ana", "newsletter", True, clock.now, "user:ana",
    )  # fmt: skip
    clock.now += 1_000
    memory.consents.withdraw("newsletter")
    memory.consents.give("models")
    standing = [(consent.purpose, consent.given) for consent in memory.consents.list()]
    assert standing == [("models", True), ("newsletter", False)]
    assert [consent.given for consent in memory.consents.list(history=True)] == [True, False, True]
    events = [event for event in memory.audit if event.subject == "consents"]
    assert [event.action for event in events] == ["give_consent", "withdraw_consent", "give_consent"]
    assert memory.audit.verify() == len(list(memory.audit))


def test_s4_54_consents_of_others_are_for_owners_and_admins(store: Store, clock: ManualClock) -> None:
    ana = memory_on(store, clock=clock)
    ben = memory_on(store, user="ben", role=Role.MEMBER, clock=clock)
    assert ana.consents.withdraw("models", user="ben").by == "user:ana"
    assert [(consent.user, consent.given) for consent in ben.consents.list()] == [("ben", False)]
    assert list(ana.consents.list()) == []
    assert code_of(lambda: ben.consents.list(user="ana")) == "not_permitted"
    assert code_of(lambda: ben.consents.give("models", user="ana")) == "not_permitted"
    agent = memory_on(store, agent="coder", clock=clock)
    assert code_of(lambda: agent.consents.give("models")) == "person_needed"
    assert code_of(lambda: ana.consents.give("two\nlines")) == "place_invalid"


def test_s4_54_accepting_a_model_records_consent_and_withdrawing_stops_it(memory: Memory) -> None:
    memory.remember("The safe is behind the painting", kind="note")
    memory.models.add("m", "some-model", url="https://model.example")
    assert code_of(lambda: list(memory.answer("Where is the safe?"))) == "model_not_accepted"
    memory.models.accept("m")
    assert [(consent.purpose, consent.given) for consent in memory.consents.list()] == [("models", True)]
    memory.consents.withdraw("models")
    assert code_of(lambda: list(memory.answer("Where is the safe?"))) == "consent_withdrawn"
    assert [one.calls for one in memory.models.usage()] == []


def test_s4_54_what_others_do_not_consent_to_send_is_left_out(store: Store, clock: ManualClock) -> None:
    ana = memory_on(store, clock=clock)
    ben = memory_on(store, user="ben", clock=clock)
    ben.remember("The safe is behind the painting", kind="note", visibility="team")
    ana.models.add("m", "some-model", url="https://model.example")
    ana.models.accept("m")
    ben.consents.withdraw("models")
    lines = [json.loads(line) for line in ana.answer("Where is the safe?")]
    assert lines[0]["text"].endswith("The safe is behind the painting")  # shown to her, and sent to nobody
    assert lines[1]["model"] is None
    assert [one.calls for one in ana.models.usage()] == []
