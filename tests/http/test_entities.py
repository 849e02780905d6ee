"""The entity graph over HTTP and through the client: the same answers, errors and isolation."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from holdfast import HoldfastError, InvalidInput, Memory, NotFound
from holdfast.core.graph import Entity, Graph
from holdfast.core.record import Memory as Record
from tests.http.support import Site

SHOP = {"project": "shop"}


def acme(here: Site, key: str | None = None, **more: Any) -> list[str]:
    """Ada works at Acme and likes tea. Returns the ids of the two."""
    made = [
        here.call("POST", "/v1/entities", {**body, **SHOP, **more}, key=key)
        for body in (
            {"name": "Ada", "type": "person"},
            {"name": "Acme", "type": "organization", "notes": "makes lamps"},
        )
    ]
    ids = [one.json()["memory"]["id"] for one in made]
    assert [one.status_code for one in made] == [201, 201]
    response = here.call("POST", f"/v1/entities/{ids[0]}/observe", {"texts": ["likes tea"], **more}, key=key)
    assert response.status_code == 200
    body = {"subject": ids[0], "type": "works_at", "target": ids[1], **more}
    assert here.call("POST", "/v1/entities/relate", body, key=key).status_code == 201
    return ids


def test_s0_26_the_status_tells_a_new_entity_from_a_known_one(here: Site) -> None:
    ids = acme(here)
    again = here.call("POST", "/v1/entities", {"name": " ada", "type": "person", **SHOP})
    assert (again.status_code, again.json()["outcome"]) == (200, "duplicate")
    assert again.json()["memory"]["id"] == ids[0]
    noted = here.call("POST", "/v1/entities", {"name": "Ada", "type": "person", "notes": "a baker", **SHOP})
    assert (noted.status_code, noted.json()["outcome"]) == (201, "superseded")
    relation = {"subject": "Ada", "type": "works_at", "target": "Acme", **SHOP}
    response = here.call("POST", "/v1/entities/relate", relation)
    assert (response.status_code, response.json()["outcome"]) == (200, "duplicate")


def test_s0_36_the_neighbourhood_is_one_relation_away_up_to_a_limit(here: Site) -> None:
    ada, firm = acme(here)
    here.call("POST", "/v1/entities", {"name": "Oslo", "type": "place", **SHOP})
    far = {"subject": "Acme", "type": "stands_in", "target": "Oslo", **SHOP}
    assert here.call("POST", "/v1/entities/relate", far).status_code == 201
    near = here.call("POST", "/v1/entities/neighbourhood", {"entities": ada}).json()
    assert [entity["name"] for entity in near["entities"]] == ["Ada", "Acme"]
    assert [
        (relation["subject"]["id"], relation["type"], relation["target"]["id"])
        for relation in near["relations"]
    ] == [(ada, "works_at", firm)]
    assert near["truncated"] is False
    limited = here.call("POST", "/v1/entities/neighbourhood", {"entities": ["Acme"], "limit": 1, **SHOP})
    assert (len(limited.json()["relations"]), limited.json()["truncated"]) == (1, True)
    none = here.call("POST", "/v1/entities/neighbourhood", {"entities": ["Ada", "Nobody"], **SHOP})
    assert (none.status_code, none.json()["code"]) == (404, "entity_not_found")


def test_s0_41_entities_are_listed_page_by_page_and_found_by_name(here: Site) -> None:
    acme(here)
    here.call("POST", "/v1/entities", {"name": "Oslo", "type": "place", **SHOP})
    names: list[str] = []
    cursor: str | None = None
    while True:
        query: dict[str, Any] = {**SHOP, "limit": 2, **({"cursor": cursor} if cursor else {})}
        page = here.call("GET", "/v1/entities", params=query).json()
        names += [entity["name"] for entity in page["entities"]]
        cursor = page["cursor"]
        if cursor is None:
            break
    assert names == ["Oslo", "Acme", "Ada"]
    for asked, found in (("name=ada", ["Ada"]), ("type=place", ["Oslo"]), ("name=Ada&type=place", [])):
        response = here.call("GET", f"/v1/entities?project=shop&{asked}").json()
        assert [entity["name"] for entity in response["entities"]] == found, asked
    best = here.call("POST", "/v1/entities/search", {"query": "who makes lamps?", **SHOP}).json()
    assert best["entities"][0]["name"] == "Acme"
    assert here.call("GET", "/v1/entities?limit=0").status_code == 422


def test_a_name_of_several_types_asks_for_the_type(here: Site) -> None:
    for type in ("project", "technology"):
        here.call("POST", "/v1/entities", {"name": "Nexus/core", "type": type})
    unclear = here.call("GET", "/v1/entities/Nexus%2Fcore")
    assert (unclear.status_code, unclear.json()["code"]) == (409, "entity_ambiguous")
    response = here.call("GET", "/v1/entities/Nexus%2Fcore?type=project").json()
    assert (response["name"], response["type"], response["notes"]) == ("Nexus/core", "project", None)


def test_what_was_kept_is_taken_out_of_sight_and_brought_back(here: Site) -> None:
    ada, _ = acme(here)
    path = f"/v1/entities/{ada}"
    texts = {"texts": ["likes  tea", "likes coffee"]}
    assert here.call("POST", f"{path}/unobserve", texts).json() == {"memories": 1}
    assert here.call("GET", path).json()["observations"] == []
    relation = {"subject": "Ada", "type": "works_at", "target": "Acme", **SHOP}
    assert here.call("POST", "/v1/entities/unrelate", relation).json() == {"memories": 1}
    again = here.call("POST", "/v1/entities/unrelate", relation)
    assert (again.status_code, again.json()["code"]) == (404, "relation_not_found")
    here.call("POST", "/v1/entities/relate", relation)
    response = here.call("DELETE", "/v1/entities/Ada?project=shop&reason=left")
    assert (response.status_code, response.content) == (204, b"")
    assert here.call("GET", path).status_code == 404
    assert here.call("POST", f"/v1/memories/{ada}/restore").status_code == 200
    assert here.call("GET", path).json()["mentions"] == 1


ERASING: dict[str, Callable[[Site], Any]] = {
    "delete": lambda here: here.call("DELETE", "/v1/entities/Ada?project=shop&hard=true"),
    "unobserve": lambda here: here.call(
        "POST", "/v1/entities/Ada/unobserve", {"texts": ["likes tea"], "hard": True, **SHOP}
    ),
    "unrelate": lambda here: here.call(
        "POST", "/v1/entities/unrelate",
        {"subject": "Ada", "type": "works_at", "target": "Acme", "hard": True, **SHOP},
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", ERASING)
def test_s2_36_what_erases_drops_answers_that_were_kept(here: Site, name: str) -> None:
    """One of them may hold what was erased. A retry hears that the request was done."""
    acme(here)
    sent: dict[str, Any] = {"headers": {"Idempotency-Key": "7f0c"}}
    for replayed in (None, "true"):
        response = here.call("POST", "/v1/memories", {"text": "The lamp is for Ada"}, **sent)
        assert response.headers.get("idempotent-replayed") == replayed
    assert ERASING[name](here).is_success
    response = here.call("POST", "/v1/memories", {"text": "The lamp is for Ada"}, **sent)
    assert (response.status_code, response.json()["code"]) == (409, "idempotency_gone")


# who may


def test_s0_47_a_credential_limited_to_a_project_knows_no_entity_outside(team: Site) -> None:
    ada, _ = acme(team, team.key("ana", role="owner"), visibility="team")
    barn = team.key("ana", projects=["barn"])
    for method, path, body in (
        ("GET", f"/v1/entities/{ada}", None),
        ("DELETE", f"/v1/entities/{ada}", None),
        ("POST", f"/v1/entities/{ada}/observe", {"texts": ["likes rum"]}),
        ("POST", f"/v1/entities/{ada}/unobserve", {"texts": ["likes tea"]}),
        ("POST", "/v1/entities/neighbourhood", {"entities": ada}),
        ("POST", "/v1/entities/relate", {"subject": ada, "type": "knows", "target": ada}),
        ("POST", "/v1/entities/unrelate", {"subject": ada, "type": "works_at", "target": ada}),
    ):
        answer = team.call(method, path, body, key=barn)
        assert (answer.status_code, answer.json()["code"]) == (404, "entity_not_found"), path
    assert team.call("GET", "/v1/entities?project=*", key=barn).json()["entities"] == []
    response = team.call("POST", "/v1/entities/search", {"query": "lamps", "project": "*"}, key=barn)
    assert response.json()["entities"] == []
    outside = team.call("POST", "/v1/entities", {"name": "Eve", **SHOP}, key=barn)
    assert (outside.status_code, outside.json()["code"]) == (403, "not_permitted")
    within = team.call("POST", "/v1/entities", {"name": "Eve", "project": "barn"}, key=barn)
    assert within.status_code == 201


def test_what_others_own_is_read_by_the_team_and_removed_by_its_owner(team: Site) -> None:
    ada, _ = acme(team, team.key("ana"), visibility="team")
    ben = team.key("ben")
    assert team.call("GET", f"/v1/entities/{ada}", key=ben).json()["owner"] == "ana"
    for path, body in (
        ("unrelate", {"subject": "Ada", "type": "works_at", "target": "Acme", **SHOP}),
        (f"{ada}/unobserve", {"texts": ["likes tea"]}),
    ):
        answer = team.call("POST", f"/v1/entities/{path}", body, key=ben)
        assert (answer.status_code, answer.json()["code"]) == (403, "not_yours")
    assert team.call("DELETE", f"/v1/entities/{ada}", key=ben).status_code == 403
    assert team.call("GET", f"/v1/entities/{ada}", key=ben).json()["mentions"] == 2
    assert team.call("GET", "/v1/entities").status_code == 401


# the client


def program(memory: Memory) -> list[Any]:
    """What a program does with the graph, and what it gets; ids and times differ each time."""
    entities = memory.entities
    out: list[Any] = []
    result = entities.create("Ada", "person", project="shop", confidence=0.9, evidence={"why": "said so"})
    assert result.memory is not None
    ada = result.memory.id
    out.append((result.outcome, entities.create("Acme", notes="makes lamps", project="shop").outcome))
    out.append(entities.create("a/b.", "thing").outcome)
    out.append(entities.get("a/b."))
    out.append([one.outcome for one in entities.observe(ada, ["likes tea", "likes rum", ""], at=0)])
    out.append([one.outcome for one in entities.observe("Acme", ("is old",), project="shop")])
    relation = ("Ada", "works_at", "Acme")
    out.append([entities.relate(*relation, project="shop", at="2026-05-07").outcome for _ in range(2)])
    out.append(entities.get("ada", project="shop", type="person"))
    out.append(entities.list(project="shop", limit=1).entities)
    page = entities.list(project="shop", limit=1)
    out.append(entities.list(project="shop", cursor=page.cursor))
    out.append(list(entities.search("who makes lamps?", project="shop", limit=2)))
    out.append((entities.neighbourhood(ada), entities.neighbourhood([])))
    out.append(entities.neighbourhood(("Ada", "Acme"), project="shop", limit=1))
    out.append(entities.unobserve(ada, ["likes tea"]))
    out.append(entities.unobserve(ada, ["likes rum"], hard=True))
    out.append(entities.unrelate(*relation, project="shop"))
    calls: list[Callable[[], Any]] = [
        lambda: entities.get("Nobody"),
        lambda: entities.get(""),
        lambda: entities.get(".."),
        lambda: entities.observe(ada, "likes tea"),
        lambda: entities.unobserve(ada, ["x", 5]),  # type: ignore[list-item]
        lambda: entities.unrelate(*relation, project="shop"),
        lambda: entities.relate(ada, "knows", "Nobody"),
        lambda: entities.list(limit=0),
        lambda: entities.create("AKIAQ3EGUVNZ7XJ4WB5T"),
    ]
    for call in calls:
        with pytest.raises(HoldfastError) as caught:
            call()
        out.append((type(caught.value), caught.value.code))
    entities.delete("Acme", project="shop")
    entities.delete(ada, hard=True)
    out.append([entity.name for entity in entities.list(project="*").entities])
    return out


def bare(value: Any) -> Any:
    """A value without the ids, times and internal numbers that differ each time, told in full."""
    if isinstance(value, Record):
        return {
            name: one
            for name, one in value.as_dict().items()
            if name not in ("id", "about", "at", "recorded_at", "updated_at", "content_hash", "last_used_at")
        }
    if isinstance(value, Entity):
        return (bare(value.memory), [bare(observation) for observation in value.observations], value.mentions)
    if isinstance(value, Graph):
        relations = [
            (bare(relation.memory), bare(relation.subject), bare(relation.target))
            for relation in value.relations
        ]
        return ([bare(entity) for entity in value.entities], relations, value.truncated)
    if isinstance(value, list | tuple):
        return [bare(one) for one in value]
    return bare(list(value.entities)) if hasattr(value, "cursor") else value


def test_a_program_gets_the_same_graph_from_a_service_as_from_a_file(here: Site, tmp_path: Path) -> None:
    with Memory(tmp_path / "file.db", user="ana") as memory:
        from_file = program(memory)
    from_service = program(here.client())
    for ours, theirs in zip(from_service, from_file, strict=True):
        assert bare(ours) == bare(theirs)


def test_an_entity_comes_back_as_it_was(here: Site) -> None:
    ada, _ = acme(here)
    client = here.client()
    memory = Memory.over(here.service)
    ours, theirs = client.entities.neighbourhood(ada), memory.entities.neighbourhood(ada)
    assert ours.as_dict() == theirs.as_dict()
    for entity, other in zip(ours.entities, theirs.entities, strict=True):
        assert entity.memory.as_dict() == other.memory.as_dict()
        assert replace(entity, memory=other.memory, observations=other.observations) == other
    assert client.entities.get(ada).as_dict() == memory.entities.get(ada).as_dict()


def test_texts_are_a_list_before_anything_is_sent(here: Site) -> None:
    with pytest.raises(InvalidInput):
        here.client().entities.observe("Ada", "likes tea")
    with pytest.raises(NotFound):
        here.client().entities.observe("Ada", ["likes tea"])
