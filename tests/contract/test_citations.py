"""The store contract: citations of an earlier context are resolved by its id, as far as they may be seen."""

from __future__ import annotations

import pytest

from holdfast import HoldfastError, Memory
from holdfast.core.usage import KEPT_DAYS
from holdfast.stores.base.ports import Store
from tests.fakes import ManualClock
from tests.support import memory_on

TALK = [{"role": "user", "content": "The hotel budget is 120 euros a night."}]
TASK = "What is the hotel budget a night?"


def cited(memory: Memory, context: str | None) -> dict[str, str]:
    """The ids of memories by the citations of a context."""
    assert context is not None
    return {citation.citation: citation.memory.id for citation in memory.citations(context)}


def code_of(memory: Memory, context: str | None) -> str:
    with pytest.raises(HoldfastError) as caught:
        memory.citations(context or "")
    return caught.value.code


@pytest.mark.parametrize("session", ["now", None])
@pytest.mark.parametrize("role", ["chat", "coder"])
def test_s1_52_a_citation_of_an_earlier_context_is_resolved_later(
    store: Store, clock: ManualClock, role: str, session: str | None
) -> None:
    memory = memory_on(store, clock=clock)
    memory.add_messages(TALK, session="old")
    memory.remember("The hotel budget is decided by Ida", kind="decision")
    first = memory.context(TASK, session=session, role=role)
    memory.remember("The hotel budget of a night in May is 150 euros", kind="decision")
    second = memory.context(TASK, session=session, role=role)
    assert first.id != second.id
    for made in (first, second):
        assert made.entries
        expected = {entry.citation: entry.id for entry in made.entries}
        assert cited(memory, made.id) == expected
        memory.close()  # and by whoever opens the store next
        memory = memory_on(store, clock=clock)
        assert cited(memory, made.id) == expected


def test_s1_52_what_is_gone_is_cited_by_nothing(memory: Memory, clock: ManualClock) -> None:
    texts = (
        "Ida decides on each hotel", "Breakfast is paid by guests", "Rooms face the garden", "No smoking",
    )  # fmt: skip
    kept = [memory.remember(text, kind="convention").memory for text in texts]
    ids = [one.id for one in kept if one]
    made = memory.context(TASK, session="now", role="coder")
    by_id = {id: citation for citation, id in cited(memory, made.id).items()}
    assert set(ids) <= set(by_id)
    memory.forget(ids[0])
    memory.forget(ids[1], hard=True)
    memory.revise(ids[2], text="Rooms face the garden, changed")
    found = {one.citation: one.memory for one in memory.citations(made.id or "")}
    assert not {by_id[ids[0]], by_id[ids[1]]} & set(found)
    assert found[by_id[ids[2]]].text.endswith("changed")
    memory.restore(ids[0])
    assert cited(memory, made.id)[by_id[ids[0]]] == ids[0]
    clock.forward(days=KEPT_DAYS + 1)
    memory.context(TASK, session="later", role="coder")
    assert code_of(memory, made.id) == "context_not_found"


def test_s1_52_deleting_the_session_removes_what_its_contexts_cited(memory: Memory) -> None:
    memory.add_messages(TALK, session="old")
    memory.remember("The hotel budget is decided by Ida", kind="decision")
    made = memory.context(TASK, session="old", role="chat", window=0)
    assert cited(memory, made.id)
    memory.sessions.delete("old")
    assert code_of(memory, made.id) == "context_not_found"


def test_s1_52_nobody_else_resolves_a_citation(store: Store, clock: ManualClock) -> None:
    ana, ben = (memory_on(store, user=user, clock=clock) for user in ("ana", "ben"))
    ana.remember("The hotel budget is decided by Ida", kind="decision", visibility="team")
    made = ana.context(TASK, session="now")
    assert cited(ana, made.id)
    assert code_of(ben, made.id) == code_of(ben, "0" * 36) == "context_not_found"


def test_s1_52_an_empty_context_has_no_id(memory: Memory) -> None:
    assert memory.context(TASK).id is None
