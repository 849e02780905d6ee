"""The store contract, names: people, places and things that messages of a project name, kept in jobs."""

from __future__ import annotations

from typing import Any

import pytest

from holdfast import Memory, NotFound, Status
from holdfast.stores.base.ports import Store
from holdfast.workers import worker_for
from tests.fakes import ManualClock
from tests.support import memory_on

MINUTE = 60_000


def say(
    memory: Memory, *texts: str, project: str | None = "home", session: str = "a", **options: Any
) -> list[str]:
    """Stores what the user says, does the background work that this plans, and returns the ids of it."""
    result = memory.add_messages(
        [{"role": "user", "content": text} for text in texts], session=session, project=project, **options
    )
    clock = memory._service.clock
    assert isinstance(clock, ManualClock)
    clock.now += MINUTE
    worker_for(memory._service, threads=1).run_due()
    return [one.memory.id for one in result if one.memory is not None]


def names(memory: Memory, project: str | None = "home", **where: Any) -> set[tuple[str, str | None]]:
    return {(entity.name, entity.type) for entity in memory.entities.list(project=project, **where).entities}


def test_s0_20_what_messages_of_a_project_name_is_kept_after_they_are_written(memory: Memory) -> None:
    told = {"role": "user", "content": "My sister Tamsin lives in Utrecht.", "at": "2025-12-01"}
    memory.add_messages([told], session="a", project="home")
    assert names(memory) == set(), "nobody waits for it"
    (message,) = say(memory, "Have you heard from Tamsin since?")
    assert names(memory) == {("Tamsin", "person"), ("Utrecht", "place")}
    tamsin = memory.entities.get("Tamsin", project="home")
    assert tamsin.memory.origin.value == "extraction"
    assert message in tamsin.memory.evidence["messages"]
    assert tamsin.mentions == 2
    said = [
        belief.text for group in memory.about("Tamsin", project="home").groups for belief in group.beliefs
    ]
    assert "Have you heard from Tamsin since?" in said
    block = memory.context("How is Tamsin?", project="home", role="chat").text
    assert "Tamsin, person: Have you heard from Tamsin since?" in block
    (first, *_) = memory.recall("where does Tamsin live?", project="home")
    assert first.memory.kind == "message", "a name alone answers nothing"


def test_s0_27_names_are_known_from_the_same_project_only(memory: Memory) -> None:
    say(memory, "My vet is Xiadani, she is great.", project="pets")
    say(memory, "Xiadani said so.", "I asked Xiadani twice.", project="work", session="b")
    say(memory, "My sister Tamsin lives in Utrecht.", project=None, session="c")
    assert names(memory, "pets") == {("Xiadani", "person")}
    assert names(memory, "work") == set()
    assert names(memory, None) == set(), "what is in no project names nobody (S0.11)"


def test_what_is_named_in_passing_is_kept_from_the_second_time_on(memory: Memory) -> None:
    say(memory, "That was before Anna Petri left.", "We read Goethe.")
    assert names(memory) == set()
    say(memory, "Anna Petri has called.")
    assert names(memory) == {("Anna Petri", "person")}


def test_relations_wait_and_another_name_is_a_relation_that_can_be_taken_back(memory: Memory) -> None:
    say(
        memory,
        "My brother Walter is married to Delphine.",
        "Walter's full name is Walter Ignatius Pell.",
        "Walter called Delphine.",
    )
    links = memory.list(kinds="relation", project="home", include="pending").memories
    assert {(link.text, link.status) for link in links} == {
        ("Walter partner_of Delphine", Status.PENDING),
        ("Walter also_called Walter Ignatius Pell", Status.APPROVED),
    }
    found = memory.entities.neighbourhood("Walter", project="home")
    assert [relation.memory.text for relation in found.relations] == [
        "Walter also_called Walter Ignatius Pell"
    ]

    def told() -> list[str]:
        page = memory.about("Walter Ignatius Pell", project="home")
        return [belief.text for group in page.groups for belief in group.beliefs]

    assert "Walter called Delphine." in told()
    memory.entities.unrelate("Walter", "also_called", "Walter Ignatius Pell", project="home")
    assert "Walter called Delphine." not in told()
    say(memory, "As I said, Walter's full name is Walter Ignatius Pell.")
    assert "Walter called Delphine." not in told(), "what was forgotten stays so"


def test_what_was_forgotten_is_not_kept_again(memory: Memory) -> None:
    say(memory, "My sister Tamsin lives in Utrecht.")
    memory.entities.delete("Tamsin", project="home")
    say(memory, "My sister Tamsin has called.")
    assert names(memory) == {("Utrecht", "place")}


def test_erased_messages_take_what_rested_on_them_only(memory: Memory) -> None:
    first, second = say(memory, "My sister Tamsin lives in Utrecht.", "My sister Tamsin is 40.")
    memory.entities.create("Ada", "person", project="home")
    memory.forget(first, hard=True)
    assert names(memory) == {("Tamsin", "person"), ("Ada", "person")}
    assert memory.entities.get("Tamsin", project="home").memory.evidence["messages"] == [second]
    memory.entities.observe("Tamsin", ["She likes tea."], project="home")
    memory.forget(second, hard=True)
    assert names(memory) == {("Tamsin", "person"), ("Ada", "person")}, "somebody speaks of her"


def test_names_leave_a_project_with_the_conversation_that_names_them(memory: Memory) -> None:
    say(memory, "My sister Tamsin lives in Utrecht.")
    memory.sessions.update("a", project="other")
    assert names(memory) == set()
    say(memory, "Good morning.", project="other")
    assert names(memory, "other") == {("Tamsin", "person"), ("Utrecht", "place")}


@pytest.mark.parametrize("role", ["assistant", "tool"])
def test_only_what_the_user_says_names_somebody(memory: Memory, role: str) -> None:
    memory.add_messages(
        [{"role": role, "content": "My sister Tamsin lives in Utrecht."}], session="a", project="home"
    )
    say(memory, "Thanks.")
    assert names(memory) == set()


def test_what_an_agent_writes_for_the_user_waits(store: Store, clock: ManualClock) -> None:
    agent = memory_on(store, clock=clock, agent="coder")
    say(agent, "My sister Tamsin lives in Utrecht.")
    assert names(agent) == set()
    waiting = memory_on(store, clock=clock).list(kinds="entity", project="home", include="pending").memories
    assert {(one.title, one.status) for one in waiting} == {
        ("Tamsin", Status.PENDING), ("Utrecht", Status.PENDING),
    }  # fmt: skip


def test_nobody_else_sees_the_names_and_they_can_be_turned_off(store: Store, clock: ManualClock) -> None:
    memory = memory_on(store, clock=clock)
    memory.projects.create("home", visibility="team")
    memory._service.names = "off"
    say(memory, "My sister Tamsin lives in Utrecht.")
    assert names(memory) == set()
    assert memory.jobs.list() == []
    memory._service.names = "on"
    say(memory, "My brother Jonas lives in Leipzig.", visibility="team")
    assert ("Jonas", "person") in names(memory)
    with pytest.raises(NotFound):
        memory_on(store, user="ben", clock=clock).entities.get("Jonas", project="home")
