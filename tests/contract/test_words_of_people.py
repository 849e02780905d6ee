"""What a person wrote is taken away or changed by an agent or a service only if that person agrees."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from holdfast import Memory
from holdfast.api.importing import import_path
from holdfast.core.errors import HoldfastError
from holdfast.core.places import Role
from holdfast.core.record import Kept
from holdfast.stores.base.ports import Store
from tests.support import memory_on, texts

SCOPE = ("paper", "1")
PEOPLE: dict[str, dict[str, Any]] = {
    "note": {"text": "Deploys run on Tuesdays", "kind": "convention", "external_id": "k1"},
    "scoped": {"text": "The paper is about boats", "scope": SCOPE},
}
CALLS: dict[str, Callable[[Memory, dict[str, str]], Any]] = {
    "forget": lambda m, ids: m.forget(ids["note"]),
    "rewrite": lambda m, ids: m.revise(ids["note"], text="Deploys run never"),
    "tag": lambda m, ids: m.revise(ids["note"], tags=["for-agents"]),
    "let expire": lambda m, ids: m.revise(ids["note"], expires_at="2100-01-01"),
    "rewrite by its own id": lambda m, _: m.remember(
        "Never", kind="convention", project="shop", visibility="project", external_id="k1"
    ),
    "flag as wrong": lambda m, ids: m.review.wrong(ids["note"]),
    "move": lambda m, ids: m.review.move([ids["note"]], project="den")[0],
    "delete its project": lambda m, _: m.projects.delete("shop"),
    "delete an entity": lambda m, _: m.entities.delete("Boat", project="shop"),
    "delete what a person observed": lambda m, _: m.entities.delete("Dock", project="shop"),
    "rename an entity": lambda m, ids: m.revise(ids["entity"], title="Ship"),
    "remove an observation": lambda m, _: m.entities.unobserve("Boat", ["is red"], project="shop"),
    "remove a relation": lambda m, _: m.entities.unrelate("Boat", "lies_at", "Dock", project="shop"),
    "move entities": lambda m, _: m.projects.retag("shop", "den"),
    "archive a conversation": lambda m, _: m.sessions.update("chat", archived=True),
    "move a conversation": lambda m, _: m.sessions.update("chat", project="den"),
    "forget a message": lambda m, ids: m.forget(ids["message"]),
    "forget what replaced it": lambda m, ids: m.forget(replacement(m, ids["note"])),
    "flag what replaced it": lambda m, ids: m.review.wrong(replacement(m, ids["note"])),
    "let it be replaced for a moment": lambda m, ids: m.remember(
        "Deploys run on Mondays", kind="convention", project="shop", visibility="project",
        supersedes=ids["note"], expires_at="2100-01-01",
    ),
}  # fmt: skip


def replacement(machine: Memory, id: str) -> str:
    """The memory that a machine puts in the place of another, which it may."""
    stored = machine.remember(
        "Deploys run at times", kind="convention", project="shop", visibility="project", supersedes=id
    ).memory
    assert stored is not None
    return stored.id


def outcome(call: Callable[[], Any]) -> str | None:
    """The code of a refusal, raised or returned; None if the call did something."""
    try:
        result = call()
    except HoldfastError as error:
        return error.code
    return result.code if isinstance(result, Kept) else getattr(result, "code", None)


def kept_by_person(store: Store) -> dict[str, str]:
    """What a person and an agent keep: the ids of the person's by name."""
    person, agent = memory_on(store), memory_on(store, agent="clerk")
    ids = {}
    for name, options in PEOPLE.items():
        stored = person.remember(**options, project="shop", visibility="project").memory
        assert stored is not None
        ids[name] = stored.id
    boat = person.entities.create("Boat", "thing", project="shop", visibility="project").memory
    agent.entities.create("Dock", "place", project="shop", visibility="project")
    person.entities.observe("Boat", ["is red"], project="shop")
    person.entities.observe("Dock", ["is wet"], project="shop")
    person.entities.relate("Boat", "lies_at", "Dock", project="shop")
    message = person.add_messages([{"role": "user", "content": "Is the cart done?"}], session="chat")[
        0
    ].memory
    assert boat is not None
    assert message is not None
    return {**ids, "entity": boat.id, "message": message.id}


@pytest.mark.parametrize("who", ["agent", "service"])
@pytest.mark.parametrize("act", CALLS)
def test_no_machine_takes_away_what_a_person_wrote_unless_they_agree(
    store: Store, act: str, who: str
) -> None:
    ids = kept_by_person(store)
    person = memory_on(store)
    machine = memory_on(store, agent="coder") if who == "agent" else memory_on(store, role=Role.SERVICE)
    person.projects.create("den")
    before = {name: person.get(id) for name, id in ids.items() if name != "note"}
    assert outcome(lambda: CALLS[act](machine, ids)) == "person_needed"
    assert {name: person.get(id) for name, id in ids.items() if name != "note"} == before
    assert person.get(ids["note"]).text == "Deploys run on Tuesdays"
    assert outcome(lambda: CALLS[act](machine.with_consent(), ids)) is None


def test_what_is_cleared_by_a_machine_leaves_what_a_person_wrote(store: Store) -> None:
    ids, agent = kept_by_person(store), memory_on(store, agent="coder")
    agent.remember("The paper is long", project="shop", scope=SCOPE)
    cleared = agent.review.clear(scope=SCOPE)
    assert (cleared.memories, [stays.id for stays in cleared.stays]) == (1, [ids["scoped"]])


def test_a_machine_takes_away_what_machines_wrote_and_recorded(store: Store) -> None:
    clerk, coder = memory_on(store, agent="clerk"), memory_on(store, agent="coder")
    service = memory_on(store, role=Role.SERVICE)
    note = clerk.remember("Deploys run on Tuesdays", project="shop").memory
    assert note is not None
    assert coder.revise(note.id, text="Deploys run on Mondays").outcome == "superseded"
    coder.forget(note.id)
    for machine in (clerk, service):
        stored = machine.add_messages([{"role": "user", "content": "Hello"}], session="chat")[0].memory
        assert stored is not None
        machine.forget(stored.id)


def test_what_a_person_imported_is_theirs_and_what_a_machine_imported_is_not(
    store: Store, tmp_path: Path
) -> None:
    person, agent = memory_on(store), memory_on(store, agent="coder")
    for memory, name, code in ((person, "person", "person_needed"), (agent, "agent", None)):
        file = tmp_path / f"{name}.md"
        file.write_text(f"User: The boat of the {name} is red.\n\nAssistant: Noted.\n")
        import_path(memory, file)
        said = next(record for record in person.list(project="*").memories if f"of the {name}" in record.text)
        assert outcome(lambda id=said.id: agent.forget(id)) == code  # type: ignore[misc]


def test_an_agreement_lifts_nothing_else(store: Store) -> None:
    """What a person pinned or rejected stays, and only a person approves and erases."""
    person, agreed = memory_on(store), memory_on(store, agent="coder").with_consent()
    hers = person.remember("Deploys run on Mondays", project="shop").memory
    own = agreed.remember("Boats need paint", project="shop").memory
    assert hers is not None
    assert own is not None
    person.pin(hers.id)
    person.review.wrong(own.id)
    assert outcome(lambda: agreed.forget(hers.id)) == "edited_by_person"
    assert outcome(lambda: agreed.pin(hers.id, False)) == "person_needed"
    assert outcome(lambda: agreed.forget(hers.id, hard=True)) == "person_needed"
    assert outcome(lambda: agreed.forget(own.id)) == "review_by_person"
    assert outcome(lambda: agreed.review.approve(own.id)) == "review_by_person"


def test_the_history_says_that_the_user_agreed(store: Store) -> None:
    person, agent = memory_on(store), memory_on(store, agent="coder")
    note = person.remember("Deploys run on Tuesdays", project="shop").memory
    assert note is not None
    agent.with_consent().forget(note.id)
    assert texts(person.list(project="shop")) == []
    gone = person.history(note.id, deleted=True)[-1]
    assert (gone.action, gone.actor, gone.detail) == ("forget", "agent:coder@ana", {"agreed": True})
    assert person.doctor().problems == ()
    # what a person agreed to is not stated again by an agent
    assert (
        agent.remember("Deploys run on Tuesdays", project="shop", visibility="private").outcome == "forgotten"
    )
