"""The store contract, the entity graph: entities, observations, relations, isolation (S0.4–S0.47)."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import apsw
import pytest

from holdfast import (
    AsyncMemory,
    Conflict,
    HoldfastError,
    InvalidInput,
    Kept,
    Memory,
    NotFound,
    Outcome,
    Record,
    Refusal,
)
from holdfast.core.graph import ENTITY_GONE, Graph
from holdfast.stores.base.ports import Store
from tests.fakes import ManualClock
from tests.support import memory_on, texts


def acme(memory: Memory, project: str | None = "p", **options: Any) -> tuple[str, str]:
    """Ada works at Acme, and likes tea. Returns the ids of the two."""
    entities = memory.entities
    ada = entities.create("Ada", "person", project=project, **options).memory
    firm = entities.create("Acme", "organization", notes="makes anvils", project=project, **options).memory
    assert ada is not None
    assert firm is not None
    entities.observe(ada.id, ["likes tea"], **options)
    entities.relate(ada.id, "works_at", firm.id, **options)
    return ada.id, firm.id


def triples(graph: Graph) -> list[tuple[str, str, str]]:
    return sorted(
        (relation.subject.name, relation.type, relation.target.name) for relation in graph.relations
    )


def texts_of(memories: Iterable[Record]) -> list[str]:
    return [memory.text for memory in memories]


def code_of(error: pytest.ExceptionInfo[HoldfastError]) -> str:
    return error.value.code


# entities


def test_s0_26_an_entity_is_made_once_for_each_name_and_type(memory: Memory) -> None:
    result = memory.entities.create("Nexus", "project", notes="a chat app", project="a")
    again = memory.entities.create(" nexus", "project", project="a")
    other = memory.entities.create("Nexus", "technology", project="a")
    elsewhere = memory.entities.create("Nexus", "project", notes="a network", project="b")
    assert [k.outcome for k in (result, again, other, elsewhere)] == [
        Outcome.CREATED, Outcome.DUPLICATE, Outcome.CREATED, Outcome.CREATED,
    ]  # fmt: skip
    assert again.memory == result.memory
    assert memory.entities.get("NEXUS", type="project", project="a").notes == "a chat app"
    assert memory.entities.get("Nexus", project="b").notes == "a network"
    with pytest.raises(Conflict) as error:
        memory.entities.get("Nexus", project="a")
    assert code_of(error) == "entity_ambiguous"


def test_s0_4_notes_are_replaced_only_by_notes_and_stay_in_the_history(memory: Memory) -> None:
    stored = memory.entities.create("Nexus", "project", notes="a chat app").memory
    assert stored is not None
    assert memory.entities.create("Nexus", "project").outcome is Outcome.DUPLICATE
    assert memory.entities.create("Nexus", "project", notes="a network").outcome is Outcome.SUPERSEDED
    assert memory.entities.get("Nexus").notes == "a network"
    assert [step.text for step in memory.history(stored.id)] == ["a chat app", "a network"]


def test_an_entity_without_notes_says_its_present_name_alone(memory: Memory) -> None:
    """Its text is its name, so the old one would be seen and found for ever, and shared with it."""
    stored = memory.entities.create("Project Zeppelin", "project", project="p").memory
    assert stored is not None
    memory.revise(stored.id, title="Harbour")
    found = memory.entities.get("Harbour", project="p")
    assert (found.name, found.memory.text, found.notes) == ("Harbour", "Harbour", None)
    noted = memory.entities.create("Nexus", "project", notes="a chat app", project="p").memory
    assert noted is not None
    memory.revise(noted.id, title="Node")
    assert memory.entities.get("Node", project="p").notes == "a chat app"
    assert memory.recall("Zeppelin", project="p", mode="words").items == ()


def test_s0_4_an_entity_tells_how_often_and_when_it_was_mentioned(memory: Memory, clock: ManualClock) -> None:
    ada, _ = acme(memory)
    clock.forward(days=1)
    memory.entities.observe(ada, ["plays the cello"])
    found = memory.entities.get("Ada", project="p")
    assert (found.mentions, found.last_seen_at) == (3, clock())
    assert [observation.text for observation in found.observations] == ["likes tea", "plays the cello"]
    assert found.memory.updated_at < clock()


def test_s0_37_any_name_is_a_type_and_names_are_kept_clean(memory: Memory) -> None:
    stored = memory.entities.create("  Ada\n Lovelace ", "spaceship").memory
    assert stored is not None
    assert (stored.title, stored.metadata) == ("Ada Lovelace", {"type": "spaceship"})
    assert memory.entities.get("ada  lovelace").type == "spaceship"
    for name in ("", "  ", "*", "a\u202eb", "x" * 201):
        with pytest.raises(InvalidInput):
            memory.entities.create(name)


def test_s4_19_a_secret_is_kept_out_of_names_types_and_observations(memory: Memory) -> None:
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    memory.entities.create("Ada", "person")
    memory.entities.create("Acme", "organization")
    attempts: list[Callable[[], object]] = [
        lambda: memory.entities.create(f"Ada {secret}"),
        lambda: memory.entities.create("Ben", f"person {secret}"),
        lambda: memory.entities.relate("Ada", f"has {secret}", "Acme"),
    ]
    for attempt in attempts:
        with pytest.raises(InvalidInput) as error:
            attempt()
        assert code_of(error) == "secret_in_name"
    kept = memory.entities.observe("Ada", [f"her token is {secret}"])[0]
    assert kept.outcome is Outcome.REDACTED
    assert kept.memory is not None
    assert secret not in kept.memory.text
    assert secret not in repr(memory.list(include=["pending"]).memories)


def test_s2_15_personal_data_in_one_observation_holds_back_that_one_alone(memory: Memory) -> None:
    memory.entities.create("Ada", "person", visibility="team")
    told = memory.entities.observe("Ada", ["likes tea", "reach her at ada@example.org"], visibility="team")
    assert [k.outcome for k in told] == [Outcome.CREATED, Outcome.PENDING]
    assert [observation.text for observation in memory.entities.get("Ada").observations] == ["likes tea"]
    stored = told[1].memory
    assert stored is not None
    memory.revise(stored.id, status="approved")
    assert len(memory.entities.get("Ada").observations) == 2


def test_s0_41_entities_are_listed_by_type_page_by_page(memory: Memory) -> None:
    for i in range(7):
        memory.entities.create(f"P{i}", "person" if i % 2 else "place", project="p")
    memory.remember("not an entity", project="p")
    names, cursor = [], None
    while True:
        page = memory.entities.list(project="p", limit=3, cursor=cursor)
        names += [entity.name for entity in page.entities]
        cursor = page.cursor
        if cursor is None:
            break
    assert names == [f"P{i}" for i in range(6, -1, -1)]
    assert [entity.name for entity in memory.entities.list(type="person", project="p").entities] == [
        "P5",
        "P3",
        "P1",
    ]
    assert memory.entities.list(type="planet", project="p").entities == ()
    assert memory.entities.list(project="never-made").entities == ()


# observations and recall


def test_observations_are_recalled_and_say_whom_they_are_about(memory: Memory) -> None:
    ada, firm = acme(memory)
    hit = memory.recall("tea", project="p")[0].memory
    assert (hit.kind, hit.text, hit.title, hit.about) == ("observation", "likes tea", "Ada", (ada,))
    assert memory.recall("Ada and tea", project="p")[0].memory.text == "likes tea"
    relation = memory.recall("who works at Acme", project="p", kinds="relation")[0].memory
    assert (relation.text, relation.about) == ("Ada works_at Acme", (ada, firm))
    assert memory.recall("a person", project="p", kinds="entity")[0].memory.id == ada


def test_s0_36_search_finds_entities_by_name_notes_observations_and_relations(memory: Memory) -> None:
    acme(memory)
    memory.entities.create("Bert", "person", notes="keeps bees", project="p")
    for query, first in (("ada", "Ada"), ("anvils", "Acme"), ("tea", "Ada"), ("bees", "Bert")):
        assert memory.entities.search(query, project="p")[0].name == first
    assert {hit.name for hit in memory.entities.search("works", project="p")} == {"Ada", "Acme"}
    assert [hit.name for hit in memory.entities.search("works", project="p", type="person")] == ["Ada"]
    assert len(memory.entities.search("ada acme", project="p", limit=1)) == 1
    assert memory.entities.search("ada", project="other") == ()


def test_an_observation_is_kept_once_and_is_a_memory_like_any_other(memory: Memory) -> None:
    ada, _ = acme(memory)
    again = memory.entities.observe(ada, ["likes  tea", "likes Tea"])
    assert [k.outcome for k in again] == [Outcome.DUPLICATE, Outcome.CREATED]
    one = memory.entities.get(ada).observations[0]
    revised = memory.revise(one.id, text="likes green tea").memory
    assert revised is not None
    assert (revised.version, revised.about, revised.title) == (2, (ada,), "Ada")
    assert [step.text for step in memory.history(one.id)] == ["likes tea", "likes green tea"]
    memory.forget(one.id)
    assert [o.text for o in memory.entities.get(ada).observations] == ["likes Tea"]
    memory.restore(one.id)
    assert [o.text for o in memory.entities.get(ada).observations] == ["likes Tea", "likes green tea"]


def test_observations_are_removed_by_their_texts(store: Store) -> None:
    ana, ben = memory_on(store), memory_on(store, user="ben")
    ada, _ = acme(ana, visibility="team")
    ana.entities.observe(ada, ["plays the cello", "sings"], visibility="team")
    assert ana.entities.unobserve("Ada", ["likes  tea", "never said"], project="p") == 1
    assert texts_of(ana.entities.get(ada).observations) == ["plays the cello", "sings"]
    with pytest.raises(Refusal) as error:
        ben.entities.unobserve("Ada", ["sings"], project="p")
    assert code_of(error) == "not_yours"
    assert ana.entities.unobserve(ada, ["sings"], hard=True) == 1
    assert "sings" not in texts_of(ana.list(project="p", include="deleted").memories)
    with pytest.raises(InvalidInput):
        ana.entities.unobserve(ada, "sings")


def test_entities_are_listed_by_name_whatever_their_type(memory: Memory) -> None:
    for type in ("person", "place"):
        memory.entities.create("Paris", type, project="p")
    page = memory.entities.list(name=" PARIS", project="p")
    assert ([entity.type for entity in page.entities], page.cursor) == (["place", "person"], None)
    assert len(memory.entities.list(name="Paris", type="place", project="p").entities) == 1
    assert memory.entities.list(name="Rome", project="p").entities == ()
    assert memory.entities.list(name="Paris").entities == ()


def test_a_repeated_observation_of_another_entity_is_another(memory: Memory) -> None:
    _, firm = acme(memory)
    assert memory.entities.observe(firm, ["likes tea"])[0].outcome is Outcome.CREATED


# relations


def test_s0_4_a_relation_is_unique_by_its_triple(memory: Memory) -> None:
    ada, firm = acme(memory)
    assert memory.entities.relate("ada", "works_at", "acme", project="p").outcome is Outcome.DUPLICATE
    assert memory.entities.relate(ada, "founded", firm).outcome is Outcome.CREATED
    assert memory.entities.relate(firm, "works_at", ada).outcome is Outcome.CREATED
    assert memory.entities.relate(ada, "works_at", ada).outcome is Outcome.CREATED
    assert triples(memory.entities.neighbourhood(ada)) == [
        ("Acme", "works_at", "Ada"), ("Ada", "founded", "Acme"),
        ("Ada", "works_at", "Acme"), ("Ada", "works_at", "Ada"),
    ]  # fmt: skip


def test_s0_41_a_relation_is_removed_by_its_triple(memory: Memory) -> None:
    ada, firm = acme(memory)
    memory.entities.relate(ada, "founded", firm)
    assert memory.entities.unrelate("Ada", "works_at", "Acme", project="p") == 1
    assert triples(memory.entities.neighbourhood(ada)) == [("Ada", "founded", "Acme")]
    assert memory.recall("works_at", project="p", kinds="relation", mode="words").items == ()
    with pytest.raises(NotFound) as error:
        memory.entities.unrelate("Ada", "works_at", "Acme", project="p")
    assert code_of(error) == "relation_not_found"
    assert memory.entities.relate(ada, "works_at", firm).outcome is Outcome.CREATED
    assert memory.entities.unrelate(ada, "works_at", firm, hard=True) == 1
    left = memory.list(project="p", kinds="relation", include="deleted").memories
    assert texts_of(left) == ["Ada founded Acme"]  # with the copy that was forgotten before


def test_a_relation_has_a_provenance_and_an_event(memory: Memory) -> None:
    ada, firm = acme(memory)
    stored = memory.entities.relate(
        ada, "founded", firm, evidence={"episode": "e1"}, origin="import", session="s", confidence=0.9
    ).memory
    assert stored is not None
    assert (stored.evidence, stored.origin.value, stored.session, stored.confidence, stored.created_by) == (
        {"episode": "e1"}, "import", "s", 0.9, "user:ana",
    )  # fmt: skip
    event = list(memory.audit)[-1]
    assert (event.action, event.subject, event.detail["about"]) == ("remember", stored.id, [ada, firm])
    assert memory.audit.verify() == len(list(memory.audit))


def test_what_a_relation_says_is_not_revised(memory: Memory) -> None:
    ada, _ = acme(memory)
    relation = memory.entities.neighbourhood(ada).relations[0]
    for change in ({"text": "Ada left Acme"}, {"metadata": {"type": "left"}}, {"title": "x"}):
        with pytest.raises(InvalidInput):
            memory.revise(relation.id, **change)
    observation = memory.entities.get(ada).observations[0]
    with pytest.raises(InvalidInput):
        memory.revise(observation.id, title="Ben")
    for one, kind in ((ada, "relation"), (observation.id, "entity"), (relation.id, "observation")):
        with pytest.raises(InvalidInput):
            memory.revise(one, kind=kind)


@pytest.mark.parametrize("kind", ["observation", "relation"])
def test_what_speaks_of_nothing_is_refused(memory: Memory, kind: str) -> None:
    with pytest.raises(InvalidInput):
        memory.remember("likes tea", kind=kind)
    ada, _ = acme(memory)
    note = memory.remember("a note").memory
    assert note is not None
    bad = memory.remember_many(
        [
            {"text": "x", "kind": kind, "about": about}
            for about in ((ada,) * 3, (note.id,) * (1 if kind == "observation" else 2), ["nothing"], "no", 7)
        ]
        + [{"text": "x", "kind": "note", "about": [ada]}]
    )
    assert {k.outcome for k in bad} == {Outcome.REFUSED}


def test_an_external_id_goes_on_naming_what_it_named(memory: Memory) -> None:
    ada, firm = acme(memory)

    def observed(entity: str, text: str) -> Kept:
        item = {"text": text, "kind": "observation", "about": [entity], "external_id": "o-1"}
        return memory.remember_many([item])[0]

    assert observed(ada, "sings").outcome is Outcome.CREATED
    assert observed(ada, "sings well").outcome is Outcome.SUPERSEDED
    assert observed(firm, "sings").code == "argument_invalid"
    memory.remember("a boat", kind="entity", title="Boat", project="p", external_id="e-1")
    for kind, external_id in (("note", "e-1"), ("fact", "o-1")):  # the kind is part of what an id names
        assert memory.remember("a boat", kind=kind, project="p", external_id=external_id).outcome == "created"
    assert memory.doctor().problems == ()


# the neighbourhood


def test_s0_36_the_neighbourhood_is_one_hop_wide(memory: Memory) -> None:
    for name in ("A", "B", "C", "D"):
        memory.entities.create(name, project="p")
    for one, other in (("A", "B"), ("B", "C"), ("C", "D"), ("D", "B")):
        memory.entities.relate(one, "knows", other, project="p")
    near = memory.entities.neighbourhood("B", project="p")
    assert [entity.name for entity in near.entities] == ["B", "D", "C", "A"]
    assert triples(near) == [("A", "knows", "B"), ("B", "knows", "C"), ("D", "knows", "B")]
    both = memory.entities.neighbourhood(["A", "D"], project="p")
    assert [entity.name for entity in both.entities] == ["A", "D", "B", "C"]
    assert memory.entities.neighbourhood([], project="p") == Graph((), ())
    assert near.as_dict()["relations"][0]["subject"]["name"] == "D"


def test_s0_36_the_neighbourhood_is_limited_and_says_so(memory: Memory) -> None:
    memory.entities.create("hub", project="p")
    for i in range(5):
        memory.entities.create(f"n{i}", project="p")
        memory.entities.relate("hub", "knows", f"n{i}", project="p")
    near = memory.entities.neighbourhood("hub", project="p", limit=3)
    assert ([entity.name for entity in near.entities], near.truncated) == (["hub", "n4", "n3", "n2"], True)
    assert memory.entities.neighbourhood("hub", project="p", limit=5).truncated is False
    for limit in (0, 1001, True, "3"):
        with pytest.raises(InvalidInput):
            memory.entities.neighbourhood("hub", project="p", limit=limit)  # type: ignore[arg-type]


def test_missing_entities_are_told_alike(memory: Memory) -> None:
    for bad in ("nobody", "", "x" * 2_000, "019b76da-a800-7894-9de1-ed126c35da1f", 7, None):
        for call in (
            lambda bad=bad: memory.entities.get(bad),
            lambda bad=bad: memory.entities.observe(bad, ["x"]),
            lambda bad=bad: memory.entities.relate(bad, "knows", bad),
            lambda bad=bad: memory.entities.neighbourhood([bad]),
            lambda bad=bad: memory.entities.delete(bad),
        ):
            with pytest.raises(NotFound) as error:
                call()
            assert code_of(error) == "entity_not_found"


# isolation


def test_s0_13_s0_47_no_project_sees_the_graph_of_another(memory: Memory) -> None:
    ada, firm = acme(memory, "one")
    other = memory.entities.create("Ada", "person", project="two").memory
    assert other is not None
    memory.entities.observe("Ada", ["likes coffee"], project="two")
    found = memory.entities.get("Ada", project="two")
    assert (found.id, texts_of(found.observations), found.mentions) == (other.id, ["likes coffee"], 1)
    assert memory.entities.neighbourhood("Ada", project="two").relations == ()
    assert [entity.name for entity in memory.entities.list(project="two").entities] == ["Ada"]
    assert memory.entities.search("acme anvils tea", project="two") == ()
    with pytest.raises(NotFound):
        memory.entities.get("Acme", project="two")
    for one, two in ((ada, other.id), (other.id, firm)):
        with pytest.raises(InvalidInput) as error:
            memory.entities.relate(one, "knows", two)
        assert code_of(error) == "entities_apart"


def test_s0_11_a_session_outside_all_projects_is_given_no_graph(memory: Memory) -> None:
    ada, _ = acme(memory, None)
    memory.add_messages([{"role": "user", "content": "hello"}], session="free")
    assert memory.entities.get("Ada").id == ada
    assert memory.entities.list(session="free").entities == ()
    assert memory.entities.search("ada tea", session="free") == ()
    assert memory.recall("ada tea works", session="free").items == ()
    with pytest.raises(NotFound):
        memory.entities.neighbourhood("Ada", session="free")


def test_s0_12_s0_18_entities_of_a_session_are_those_of_its_project(memory: Memory) -> None:
    memory.sessions.create("s", project="one")
    memory.entities.create("Ada", "person", session="s")
    assert memory.entities.get("Ada", project="one").memory.session == "s"
    memory.sessions.update("s", project="two")
    assert memory.entities.list(session="s").entities == ()
    ada = memory.entities.get("Ada", project="one")
    told = memory.entities.observe(ada.id, ["likes tea"], session="s")[0]
    assert told.code == "session_in_other_project"
    with pytest.raises(Conflict) as error:
        memory.entities.relate(ada.id, "knows", ada.id, session="s")
    assert code_of(error) == "session_in_other_project"


def test_s2_7_another_users_graph_does_not_exist(store: Store) -> None:
    ana, ben = memory_on(store), memory_on(store, user="ben")
    ada, _ = acme(ana)
    for one in (ada, "Ada"):
        for call in (
            lambda one=one: ben.entities.get(one, project="p"),
            lambda one=one: ben.entities.observe(one, ["x"], project="p"),
            lambda one=one: ben.entities.neighbourhood(one, project="p"),
            lambda one=one: ben.entities.delete(one, project="p"),
            lambda one=one: ben.entities.unrelate(one, "works_at", "Acme", project="p"),
        ):
            with pytest.raises(NotFound):
                call()
    assert ben.entities.list(project="*").entities == ()
    assert ben.entities.search("ada acme tea", project="*") == ()
    mine = ben.entities.create("Ada", "person", project="p")
    assert mine.outcome is Outcome.CREATED
    told = ben.remember_many([{"text": "x", "kind": "observation", "about": [ada]}])[0]
    assert told.code == "entity_not_found"
    assert ana.entities.get("Ada", project="p").id == ada


def test_s4_17_a_private_end_never_shows_through_a_shared_entity(store: Store) -> None:
    ana, ben = memory_on(store), memory_on(store, user="ben")
    shared = ana.entities.create("Acme", "organization", project="p", visibility="team").memory
    secret = ana.entities.create("Project X", "project", project="p").memory
    assert shared is not None
    assert secret is not None
    stored = ana.entities.relate(shared.id, "builds", secret.id).memory
    assert stored is not None
    assert stored.visibility == "private"
    ana.entities.observe(shared.id, ["is nearly broke"])
    ana.entities.observe(shared.id, ["makes anvils"], visibility="team")
    seen = ben.entities.neighbourhood("Acme", project="p")
    assert ([entity.name for entity in seen.entities], seen.relations) == (["Acme"], ())
    assert texts_of(seen.entities[0].observations) == ["makes anvils"]
    assert seen.entities[0].mentions == 1
    assert texts(ben.recall("project x builds broke", project="p", mode="words")) == []
    with pytest.raises(InvalidInput) as error:
        ana.entities.relate(shared.id, "sells", secret.id, visibility="team")
    assert code_of(error) == "entities_apart"
    assert len(ana.entities.neighbourhood("Acme", project="p").relations) == 1


def test_a_team_adds_to_a_shared_entity_and_removes_only_what_is_its_own(store: Store) -> None:
    ana, ben = memory_on(store), memory_on(store, user="ben")
    acme(ana, visibility="team")
    stored = ben.entities.observe("Ada", ["plays the cello"], project="p", visibility="team")[0].memory
    assert stored is not None
    assert stored.place.owner == "ben"
    assert texts_of(ana.entities.get("Ada", project="p").observations) == ["likes tea", "plays the cello"]
    with pytest.raises(Refusal) as error:
        ben.entities.unrelate("Ada", "works_at", "Acme", project="p")
    assert code_of(error) == "not_yours"
    with pytest.raises(Refusal):
        ben.entities.delete("Ada", project="p")
    assert ben.entities.create("Ada", "person", project="p").outcome is Outcome.DUPLICATE
    own = ben.entities.create("Ada", "person", notes="mine", project="p")
    assert own.memory is not None
    assert (own.outcome, own.memory.visibility) == (Outcome.CREATED, "private")
    assert ben.entities.get("Ada", project="p").notes == "mine"
    assert ana.entities.get("Ada", project="p").notes is None


def test_s2_8_workspaces_keep_their_graphs_apart(memory: Memory) -> None:
    lab = memory.entities.create("Ada", "person", project="p", workspace="lab").memory
    home = memory.entities.create("Ada", "person", project="p", workspace="home").memory
    assert lab is not None
    assert home is not None
    memory.entities.observe("Ada", ["wears a coat"], project="p", workspace="lab")
    assert texts_of(memory.entities.get("Ada", project="p", workspace="lab").observations) == ["wears a coat"]
    assert memory.entities.get("Ada", project="p", workspace="home").observations == ()
    assert memory.entities.list(project="p").entities == ()
    with pytest.raises(InvalidInput) as error:
        memory.entities.relate(lab.id, "knows", home.id)
    assert code_of(error) == "entities_apart"


# deletion


def test_s2_36_with_an_entity_goes_all_that_speaks_of_it_and_comes_back_with_it(memory: Memory) -> None:
    ada, firm = acme(memory)
    relation = memory.entities.neighbourhood(ada).relations[0].id
    memory.entities.delete("Ada", project="p", reason="left")
    assert memory.recall("ada tea works", project="p", mode="words").items == ()
    assert memory.entities.neighbourhood(firm).relations == ()
    assert memory.entities.get(firm).mentions == 0
    gone = {m.id: m for m in memory.list(project="p", include="deleted").memories if m.deleted_at}
    assert gone[relation].deleted_reason == ENTITY_GONE
    assert gone[ada].deleted_reason == "left"
    with pytest.raises(NotFound):
        memory.entities.observe(ada, ["x"])
    for id in gone.keys() - {ada}:
        with pytest.raises(NotFound) as error:
            memory.restore(id)
        assert code_of(error) == "entity_not_found"
    memory.restore(ada)
    assert triples(memory.entities.neighbourhood(ada)) == [("Ada", "works_at", "Acme")]
    assert texts_of(memory.entities.get(ada).observations) == ["likes tea"]
    assert [step.action for step in memory.history(relation)] == ["remember", "forget", "restore"]
    assert memory.doctor().problems == ()


def test_what_was_forgotten_by_itself_does_not_come_back_with_the_entity(memory: Memory) -> None:
    ada, firm = acme(memory)
    observation = memory.entities.get(ada).observations[0].id
    memory.forget(observation)
    with pytest.raises(InvalidInput):
        memory.forget(firm, reason=ENTITY_GONE)
    memory.forget(ada)
    memory.restore(ada)
    assert memory.entities.get(ada).observations == ()
    memory.restore(observation)
    assert len(memory.entities.get(ada).observations) == 1


def test_a_relation_comes_back_with_the_second_of_its_entities(memory: Memory) -> None:
    ada, firm = acme(memory)
    memory.forget(ada)
    memory.forget(firm)
    memory.restore(ada)
    assert memory.entities.neighbourhood(ada).relations == ()
    assert len(memory.entities.get(ada).observations) == 1
    memory.restore(firm)
    assert triples(memory.entities.neighbourhood(ada)) == [("Ada", "works_at", "Acme")]


def test_s2_36_an_erased_entity_takes_everything_with_it_whoever_said_it(store: Store) -> None:
    ana, ben = memory_on(store), memory_on(store, user="ben")
    ada, firm = acme(ana, visibility="team")
    private = ben.entities.observe("Ada", ["owes me money"], project="p")[0].memory
    assert private is not None
    ana.entities.delete(ada, hard=True)
    with pytest.raises(NotFound):
        ben.get(private.id)
    assert texts_of(ana.list(project="*", include="deleted").memories) == ["makes anvils"]
    assert texts_of(ben.list(project="*", include="deleted").memories) == ["makes anvils"]
    assert ana.entities.get(firm).mentions == 0
    assert ana.doctor().problems == ()


def test_s4_53_no_machine_removes_an_entity_with_what_a_person_pinned_or_edited(store: Store) -> None:
    person, agent = memory_on(store), memory_on(store, agent="coder").with_consent()
    ada, _ = acme(person, visibility="team")
    observation = person.entities.get(ada).observations[0].id
    person.pin(observation)
    for hard, code in ((False, "edited_by_person"), (True, "person_needed")):
        with pytest.raises(Refusal) as error:
            agent.entities.delete(ada, hard=hard)
        assert code_of(error) == code
    with pytest.raises(Refusal):
        agent.projects.retag("p", "q")
    person.pin(observation, False)
    agent.entities.delete(ada)
    assert person.entities.list(project="p").entities[0].name == "Acme"


def test_s0_30_with_a_project_goes_its_graph_and_what_others_say_of_it(store: Store) -> None:
    ana, ben = memory_on(store), memory_on(store, user="ben")
    ada, _ = acme(ana, visibility="team")
    ben.entities.observe("Ada", ["plays the cello"], project="p", visibility="team")
    own = ben.entities.create("Bert", "person", project="p", visibility="team").memory
    assert own is not None
    ben.entities.relate("Bert", "knows", "Ada", project="p", visibility="team")
    ana.entities.observe("Bert", ["keeps bees"], project="p", visibility="team")
    ana.projects.delete("p")
    assert ben.recall("cello tea knows bees", project="p", mode="words").items == ()
    assert [entity.name for entity in ben.entities.list(project="p").entities] == ["Bert"]
    ana.restore(ada)
    found = ana.entities.neighbourhood("Ada", project="p")
    assert triples(found) == [("Bert", "knows", "Ada")]
    assert texts_of(found.entities[0].observations) == ["likes tea", "plays the cello"]
    assert ana.doctor().problems == ()


# moving


def test_s0_19_what_speaks_of_an_entity_moves_with_it(store: Store) -> None:
    ana, ben = memory_on(store), memory_on(store, user="ben")
    acme(ana, "one", visibility="team")
    ben.entities.observe("Ada", ["plays the cello"], project="one")
    assert ana.projects.retag("one", "two") == 2
    found = ana.entities.neighbourhood("Ada", project="two")
    assert triples(found) == [("Ada", "works_at", "Acme")]
    assert texts_of(ben.entities.get("Ada", project="two").observations) == ["likes tea", "plays the cello"]
    assert texts(ben.recall("cello", project="two", mode="words")) == ["plays the cello"]
    for memory in (ana, ben):
        assert memory.list(project="one", include="deleted").memories == []
    assert ana.doctor().problems == ()


def test_s0_13_a_relation_between_two_projects_is_out_of_sight(store: Store) -> None:
    ana, ben = memory_on(store), memory_on(store, user="ben")
    ana.entities.create("Ada", "person", project="one", visibility="team")
    ben.entities.create("Bert", "person", project="one", visibility="team")
    stored = ana.entities.relate("Ada", "knows", "Bert", project="one", visibility="team").memory
    assert stored is not None
    ana.projects.retag("one", "two")
    for memory, project in ((ana, "one"), (ana, "two"), (ben, "one"), (ben, "two")):
        assert memory.recall("knows", project=project, mode="words", kinds="relation").items == ()
    with pytest.raises(NotFound):
        ana.restore(stored.id)
    ben.projects.retag("one", "two")
    assert triples(ben.entities.neighbourhood("Bert", project="two")) == [("Ada", "knows", "Bert")]
    assert ana.get(stored.id).project == "two"
    with pytest.raises(InvalidInput):
        ana.projects.retag("two", "three", kinds=["relation"])
    assert ana.doctor().problems == ()


# the other faces


def test_the_asynchronous_face_has_the_graph_too(tmp_path: Path) -> None:
    async def program() -> list[str]:
        async with AsyncMemory(tmp_path / "team.db", user="ana") as memory:
            await memory.entities.create("Ada", "person")
            await memory.entities.observe("Ada", ["likes tea"])
            return [observation.text for observation in (await memory.entities.get("Ada")).observations]

    assert asyncio.run(program()) == ["likes tea"]


@pytest.mark.parametrize(
    ("damage", "told"),
    [
        ("UPDATE memories SET deleted_at = 1 WHERE title = 'Ada' AND kind = 'entity'", "in sight without"),
        ("UPDATE memories SET id = 'x' WHERE title = 'Ada' AND kind = 'entity'", "without its entity"),
        ("UPDATE memories SET target = NULL WHERE kind = 'relation'", "without its entity"),
    ],
)
def test_the_doctor_sees_what_speaks_of_nothing(tmp_path: Path, damage: str, told: str) -> None:
    with Memory(tmp_path / "a.db", user="ana") as memory:
        acme(memory)
        assert memory.doctor().healthy
    connection = apsw.Connection(str(tmp_path / "a.db"))
    connection.execute(damage)
    connection.close()
    with Memory(tmp_path / "a.db", user="ana") as memory:
        assert [problem for problem in memory.doctor().problems if told in problem]
