"""The store contract, isolation: projects, sessions, workspaces, scopes, users (S0.9–S0.47, S2.7–S2.10)."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from holdfast import Conflict, InvalidInput, Memory, NotFound
from holdfast.stores.base.ports import Store
from tests.support import memory_on, texts


def say(memory: Memory, session: str, text: str, project: str | None = None) -> None:
    memory.add_messages([{"role": "user", "content": text}], session=session, project=project)


def test_s0_42_project_sessions_cannot_read_non_project_episodes(memory: Memory) -> None:
    memory.add_episode("my cello is from 1890", "lovely", session="free")
    say(memory, "in", "good evening", "shop")
    assert memory.recall("cello 1890", session="in").items == ()
    assert memory.recall("cello 1890", project="shop").items == ()


def test_s0_43_non_project_sessions_cannot_read_project_episodes(memory: Memory) -> None:
    memory.add_episode("the launch is on friday", "noted", session="in", project="shop")
    say(memory, "free", "hello")
    assert memory.recall("launch friday", session="free").items == ()
    assert memory.recall("launch friday").items == ()
    assert len(memory.recall("launch friday", session="in")) == 1


def test_s0_44_non_project_sessions_read_each_others_episodes(memory: Memory) -> None:
    memory.add_episode("my cello is from 1890", "lovely", session="one")
    say(memory, "two", "hello")
    assert len(memory.recall("cello 1890", session="two")) == 1
    assert len(memory.recall("cello 1890", session="never-seen")) == 1


def test_s0_45_adding_a_session_joins_its_history_at_once(memory: Memory) -> None:
    memory.add_episode("my cello is from 1890", "lovely", session="one")
    say(memory, "two", "hello", "music")
    memory.sessions.update("one", project="music")
    assert len(memory.recall("cello 1890", session="two")) == 1
    assert memory.recall("cello 1890", session="free").items == ()


def test_s0_46_removing_a_session_leaves_the_pool_at_once(memory: Memory) -> None:
    memory.add_episode("my cello is from 1890", "lovely", session="one", project="music")
    assert len(memory.recall("cello 1890", project="music")) == 1
    memory.sessions.update("one", project=None)
    assert memory.recall("cello 1890", project="music").items == ()
    assert len(memory.recall("cello 1890", session="one")) == 1


def test_s0_47_no_entity_contamination_across_projects(memory: Memory) -> None:
    for project, notes in (("a", "a chat app"), ("b", "a network")):
        memory.remember(notes, kind="entity", title="Nexus", metadata={"type": "project"}, project=project)
    assert texts(memory.recall("nexus", project="a")) == ["a chat app"]
    assert texts(memory.recall("nexus", project="b")) == ["a network"]


def test_s0_11_a_session_without_a_project_gets_no_entities(memory: Memory) -> None:
    memory.remember("a chat app", kind="entity", title="Nexus", project="a")
    memory.remember("a loose thing", kind="entity", title="Nexus loose")
    say(memory, "free", "nexus is on my mind")
    assert texts(memory.recall("nexus", session="free")) == ["nexus is on my mind"]


def test_s0_15_an_empty_scope_finds_nothing(memory: Memory) -> None:
    say(memory, "free", "the boat is red")
    say(memory, "in", "the boat is blue", "shop")
    memory.projects.create("empty")
    assert memory.recall("boat", project="empty").items == ()
    assert memory.recall("boat", project="never-made").items == ()
    assert memory.list(project="empty").memories == []


def test_s0_18_entities_and_knowledge_stay_when_a_session_moves(memory: Memory) -> None:
    say(memory, "s", "the boat is red", "one")
    memory.remember("the boat", kind="entity", title="Boat", project="one", session="s")
    memory.remember("Boats are painted in spring", kind="convention", project="one", session="s")
    memory.sessions.update("s", project="two")
    assert sorted(texts(memory.list(project="one"))) == ["Boats are painted in spring", "the boat"]
    assert texts(memory.list(project="two")) == ["the boat is red"]
    memory.remember("a new boat", kind="entity", title="Boat", session="s")
    assert memory.list(project="two", kinds="entity").memories[0].text == "a new boat"


def test_s0_19_entities_are_retagged_only_on_request(memory: Memory) -> None:
    memory.remember("the boat", kind="entity", title="Boat", project="one")
    memory.remember("the quay", kind="entity", title="Quay", project="one")
    memory.remember("another quay", kind="entity", title="Quay", project="two")
    with pytest.raises(Conflict, match="'Quay'"):
        memory.projects.retag("one", "two")
    assert sorted(texts(memory.list(project="one"))) == ["the boat", "the quay"]
    memory.forget(memory.entities.get("Quay", project="two").id)
    assert memory.projects.retag("one", "two") == 2
    assert sorted(texts(memory.list(project="two"))) == ["the boat", "the quay"]
    assert texts(memory.recall("boat", project="two")) == ["the boat"]


def test_s0_23_the_project_comes_with_the_very_first_message(memory: Memory) -> None:
    say(memory, "s", "the boat is red", "shop")
    assert memory.sessions.get("s").project == "shop"
    assert memory.recall("boat").items == ()
    with pytest.raises(Conflict) as error:
        memory.remember("x y z", session="s", project="other")
    assert error.value.code == "session_in_other_project"
    refused = memory.add_messages([{"role": "user", "content": "hi"}], session="s", project="other")
    assert refused[0].code == "session_in_other_project"


def test_s0_25_nothing_is_capped_at_two_hundred(memory: Memory) -> None:
    memory.remember_many(
        [
            {"text": f"note{i} in session {i}", "kind": "message", "session": f"s{i}", "project": "big"}
            for i in range(230)
        ]
    )
    assert len(memory.sessions.list(project="big")) == 230
    for i in (0, 100, 229):
        assert texts(memory.recall(f"note{i}", project="big", mode="words"))[0] == f"note{i} in session {i}"
    assert memory.count(project="big") == 230


def test_s0_30_a_deleted_project_leaves_its_sessions_in_the_shared_pool(memory: Memory) -> None:
    say(memory, "s", "the boat is red", "shop")
    memory.remember("Boats need paint", kind="note", project="shop")
    memory.projects.delete("shop")
    assert memory.sessions.get("s").project is None
    assert texts(memory.recall("boat")) == ["the boat is red"]
    assert memory.projects.list() == []
    with pytest.raises(NotFound):
        memory.projects.get("shop")


def test_s0_3_deleting_a_session_erases_its_messages(memory: Memory) -> None:
    say(memory, "s", "the boat is red", "shop")
    memory.remember("Boats need paint", kind="note", project="shop", session="s")
    assert memory.sessions.delete("s") == 1
    assert texts(memory.recall("boat paint", project="shop")) == ["Boats need paint"]
    with pytest.raises(NotFound):
        memory.sessions.get("s")


def test_s0_2_a_project_is_always_isolated_and_partial_updates_keep_the_rest(memory: Memory) -> None:
    project = memory.projects.create("shop", description="a web shop", colour="#f00")
    again = memory.projects.update("shop", notes="ask Ben")
    assert (again.description, again.colour, again.notes) == ("a web shop", "#f00", "ask Ben")
    assert memory.projects.create("shop").id == project.id
    with pytest.raises(Exception, match="isolated"):
        memory.projects.create("shop", isolated="0")  # type: ignore[call-arg]


def test_s2_7_another_users_memories_do_not_exist(store: Store) -> None:
    ana, ben = memory_on(store, user="ana"), memory_on(store, user="ben")
    stored = ana.remember("The safe code is in the blue book", project="shop").memory
    assert stored is not None
    assert ben.recall("safe code", project="shop").items == ()
    assert ben.recall("safe code", project="*").items == ()
    assert ben.list(project="*").memories == []
    assert ben.count(project="*") == 0
    for attempt in (
        ben.get, ben.history, ben.forget, ben.restore, ben.pin,
        lambda id: ben.revise(id, text="mine now"),
        lambda id: ben.forget(id, hard=True),
    ):  # fmt: skip
        messages = []
        for id in (stored.id, "01890000-0000-7000-8000-000000000000"):
            with pytest.raises(NotFound) as error:
                attempt(id)
            messages.append(error.value.message.replace(id, "ID"))
        assert messages[0] == messages[1]
    assert ana.get(stored.id).text == stored.text
    ben.remember("The safe code is in the blue book", project="shop")
    assert ben.count(project="shop") == 1


def test_s4_17_visibility_is_enforced_on_every_read(store: Store) -> None:
    ana, ben = memory_on(store, user="ana"), memory_on(store, user="ben")
    agent = memory_on(store, user="ana", agent="coder")
    ana.remember("Ana's own note on paint", project="shop")
    ana.remember("A team note on paint", project="shop", visibility="team")
    agent.remember("A project note on paint", project="shop")
    agent.remember("An agent's loose note on paint")
    assert sorted(texts(ben.recall("paint", project="shop"))) == [
        "A project note on paint",
        "A team note on paint",
    ]
    assert ben.recall("paint").items == ()
    assert sorted(texts(ben.list(project="shop", visibility="team"))) == ["A team note on paint"]
    shared = ["A project note on paint", "A team note on paint"]
    assert sorted(texts(ana.list(project="shop", visibility=["team", "project"]))) == shared
    assert sorted(texts(ana.recall("paint", project="shop", visibility=["team", "project"]))) == shared
    with pytest.raises(InvalidInput, match="there is no visibility"):
        ana.list(visibility=["team", "public"])
    assert len(ana.recall("paint", project="shop")) == 4


def test_sessions_belong_to_their_owner(store: Store) -> None:
    ana, ben = memory_on(store, user="ana"), memory_on(store, user="ben")
    say(ana, "s", "the boat is red", "one")
    say(ben, "s", "the boat is blue", "two")
    assert ana.sessions.get("s").project == "one"
    assert texts(ben.recall("boat", session="s")) == ["the boat is blue"]


def test_what_a_project_could_see_is_private_once_its_session_leaves(store: Store) -> None:
    ana, ben = memory_on(store, user="ana"), memory_on(store, user="ben")
    message = [{"role": "user", "content": "the boat is red"}]
    ana.add_messages(message, session="s", project="shop", visibility="project")
    assert len(ben.recall("boat", project="shop")) == 1
    ana.sessions.update("s", project=None)
    assert ben.recall("boat", project="*").items == ()
    assert len(ana.recall("boat")) == 1


def test_s2_8_workspaces(memory: Memory) -> None:
    memory.remember("global paint")
    memory.remember("lab paint", workspace="lab")
    memory.remember("home paint", workspace="home")
    assert texts(memory.list()) == ["global paint"]
    assert sorted(texts(memory.list(workspace="lab"))) == ["global paint", "lab paint"]
    assert texts(memory.list(workspace="lab", strict_workspace=True)) == ["lab paint"]
    assert len(memory.recall("paint", workspace="*")) == 3


def test_s2_8_each_star_lifts_its_own_limit_and_no_other(memory: Memory) -> None:
    """Every pair of places that can be named, against what stands in each place."""
    kept = [(project, space) for project in (None, "shop", "bank") for space in (None, "acme", "lab")]
    for project, space in kept:
        memory.remember(f"paint of {project} {space}", project=project, workspace=space)
    for project, space, strict in product((None, "shop", "*"), (None, "acme", "*"), (False, True)):
        expected = sorted(
            f"paint of {at} {within}"
            for at, within in kept
            if (project == "*" or at in (None, project))
            and (space == "*" or within == space or (within is None and not strict))
        )
        place: dict[str, Any] = {"project": project, "workspace": space, "strict_workspace": strict}
        assert sorted(texts(memory.recall("paint", **place))) == expected, place
        assert sorted(texts(memory.list(**place))) == expected, place


def test_s0_14_s2_8_a_session_stays_in_its_project_in_any_workspace(memory: Memory) -> None:
    for project in ("shop", "bank"):
        memory.remember(f"paint of {project}", project=project, workspace="acme")
    say(memory, "in", "hello", "shop")
    assert texts(memory.recall("paint", session="in", workspace="*")) == ["paint of shop"]
    memory.remember("a pot of paint", kind="entity", title="Paint")
    say(memory, "free", "hello")
    assert texts(memory.recall("paint", session="free", workspace="*")) == []


def test_s2_9_s2_10_scopes(memory: Memory) -> None:
    memory.remember("everywhere paint")
    memory.remember("paper one paint", scope=("paper", "1"))
    memory.remember("paper two paint", scope=("paper", "2"))
    assert len(memory.recall("paint")) == 3
    assert texts(memory.recall("paint", scope="global")) == ["everywhere paint"]
    assert texts(memory.recall("paint", scope=("paper", "1"))) == ["paper one paint"]
    assert len(memory.recall("paint", scope="paper")) == 2


def test_s4_31_another_feature_branchs_memories_are_not_seen(memory: Memory) -> None:
    for branch in (None, "main", "feature/a", "feature/b"):
        memory.remember(f"paint on {branch}", branch=branch)
    seen = sorted(texts(memory.recall("paint", branch="feature/a")))
    assert seen == ["paint on None", "paint on feature/a", "paint on main"]
    assert len(memory.recall("paint")) == 4


def test_s4_30_user_wide_knowledge_is_seen_from_every_project_and_messages_are_not(memory: Memory) -> None:
    memory.remember("I prefer dark paint", kind="preference")
    say(memory, "free", "we talked about paint")
    assert texts(memory.recall("paint", project="shop")) == ["I prefer dark paint"]
    assert len(memory.recall("paint")) == 2


def test_filters_narrow_before_ranking(memory: Memory) -> None:
    memory.remember_many(
        [{"text": f"paint paint paint {i}", "kind": "message", "session": "big"} for i in range(300)]
    )
    memory.remember(
        "one quiet word about paint and the harbour", kind="decision", tags=["harbour"], at="2024-05-05"
    )
    assert len(memory.recall("paint", kinds="decision")) == 1
    assert len(memory.recall("paint", tags="harbour")) == 1
    assert memory.recall("paint", tags=["harbour", "missing"]).items == ()
    assert len(memory.recall("paint", since="2024-05-05", until="2024-05-06")) == 1
    assert len(memory.recall("paint", limit=10)) == 10
