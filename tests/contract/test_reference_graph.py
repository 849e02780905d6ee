"""The nine operations of the MCP reference memory server, compared with a model of what that server does."""

from __future__ import annotations

from typing import Any

import hypothesis.strategies as st
import pytest
from hypothesis import Phase, given, settings

from holdfast import InvalidInput, Memory, NotFound
from holdfast.integrations import reference_graph
from holdfast.integrations.reference_graph import QUERY_MAX, ReferenceGraph
from holdfast.stores.base.ports import Store
from tests.oracle import OracleStore
from tests.profiles import examples
from tests.support import memory_on

Json = dict[str, Any]


class Model:
    """What the reference server is seen to do, on plain lists."""

    def __init__(self) -> None:
        self.entities: dict[str, Json] = {}
        self.relations: list[Json] = []

    def create_entities(self, entities: list[Json]) -> Json:
        made = []
        for one in entities:
            if one["name"] not in self.entities:
                made.append(one)
                self.entities[one["name"]] = {**one, "observations": list(one["observations"])}
        return {"entities": made}

    def create_relations(self, relations: list[Json]) -> Json:
        self._require(name for one in relations for name in (one["from"], one["to"]))
        made = []
        for one in relations:
            if one not in self.relations:
                self.relations.append(one)
                made.append(one)
        return {"relations": made}

    def add_observations(self, observations: list[Json]) -> Json:
        self._require(one["entityName"] for one in observations)
        results = []
        for one in observations:
            known = self.entities[one["entityName"]]["observations"]
            added = [text for text in one["contents"] if text not in known]
            known += added
            results.append({"entityName": one["entityName"], "addedObservations": added})
        return {"results": results}

    def delete_entities(self, names: list[str]) -> Json:
        missing = [name for name in names if name not in self.entities]
        gone = set(names)
        self.entities = {name: one for name, one in self.entities.items() if name not in gone}
        self.relations = [one for one in self.relations if not {one["from"], one["to"]} & gone]
        if not missing:
            return success("Entities deleted successfully")
        count = len(names) - len(missing)
        return success(f"Deleted {count} of {len(names)} entities. Not found: {', '.join(missing)}")

    def delete_observations(self, deletions: list[Json]) -> Json:
        deleted, missing = 0, []
        for one in deletions:
            entity = self.entities.get(one["entityName"])
            if entity is None:
                missing.append(one["entityName"])
                continue
            left = [text for text in entity["observations"] if text not in one["observations"]]
            deleted += len(entity["observations"]) - len(left)
            entity["observations"] = left
        requested = sum(len(one["observations"]) for one in deletions)
        if deleted == requested:
            return success("Observations deleted successfully")
        names = f" Entities not found: {', '.join(missing)}" if missing else ""
        return success(f"Deleted {deleted} of {requested} observations.{names}")

    def delete_relations(self, relations: list[Json]) -> Json:
        before = len(self.relations)
        self.relations = [one for one in self.relations if one not in relations]
        deleted = before - len(self.relations)
        if deleted == len(relations):
            return success("Relations deleted successfully")
        return success(f"Deleted {deleted} of {len(relations)} relations. The rest matched nothing.")

    def read_graph(self) -> Json:
        return {"entities": list(self.entities.values()), "relations": self.relations}

    def search_nodes(self, query: str) -> Json:
        sought = query.lower()
        return self._touching(
            one
            for one in self.entities.values()
            if any(sought in text.lower() for text in (one["name"], one["entityType"], *one["observations"]))
        )

    def open_nodes(self, names: list[str]) -> Json:
        return self._touching(one for one in self.entities.values() if one["name"] in names)

    def _touching(self, entities: Any) -> Json:
        found = list(entities)
        names = {one["name"] for one in found}
        touching = [one for one in self.relations if {one["from"], one["to"]} & names]
        return {"entities": found, "relations": touching}

    def _require(self, names: Any) -> None:
        for name in names:
            if name not in self.entities:
                raise NotFound(f"Entity with name {name} not found", code="entity_not_found")


def success(message: str) -> Json:
    return {"success": True, "message": message}


NAMES = st.sampled_from(["Ada", "Bert", "Acme", "the café"])
TEXTS = st.lists(
    st.sampled_from(["likes tea", "keeps bees", "born in Rome", "Ada's friend"]), max_size=3, unique=True
)
ENTITIES = st.fixed_dictionaries(
    {"name": NAMES, "entityType": st.sampled_from(["person", "place"]), "observations": TEXTS}
)
RELATIONS = st.fixed_dictionaries(
    {"from": NAMES, "to": NAMES, "relationType": st.sampled_from(["knows", "works at"])}
)
STEPS = st.one_of(
    st.tuples(st.just("create_entities"), st.lists(ENTITIES, max_size=3)),
    st.tuples(st.just("create_entities"), st.lists(ENTITIES, max_size=3)),
    st.tuples(st.just("create_relations"), st.lists(RELATIONS, max_size=2)),
    st.tuples(
        st.just("add_observations"),
        st.lists(st.fixed_dictionaries({"entityName": NAMES, "contents": TEXTS}), max_size=2),
    ),
    st.tuples(st.just("delete_entities"), st.lists(NAMES, max_size=2)),
    st.tuples(
        st.just("delete_observations"),
        st.lists(st.fixed_dictionaries({"entityName": NAMES, "observations": TEXTS}), max_size=2),
    ),
    st.tuples(
        st.just("delete_relations"),
        st.lists(RELATIONS, max_size=2, unique_by=lambda one: tuple(one.values())),
    ),
    st.tuples(st.just("search_nodes"), st.sampled_from(["ADA", "tea", "person", "é", "", "nothing"])),
    st.tuples(st.just("open_nodes"), st.lists(NAMES, max_size=2)),
)  # fmt: skip


@settings(max_examples=examples(120), phases=(Phase.explicit, Phase.generate))
@given(steps=st.lists(STEPS, max_size=12))
def test_every_operation_has_the_outcome_of_the_reference_server(steps: list[tuple[str, Any]]) -> None:
    model, ours = Model(), ReferenceGraph(memory_on(OracleStore()), project="p")
    for name, argument in steps:
        results = []
        for graph in (model, ours):
            try:
                results.append(getattr(graph, name)(argument))
            except NotFound as error:
                results.append(error.message)
        assert results[0] == results[1], (name, argument)
        assert ours.read_graph() == model.read_graph()


def filled(memory: Memory) -> ReferenceGraph:
    graph = ReferenceGraph(memory)
    graph.create_entities(
        [
            {"name": "Ada", "entityType": "person", "observations": ["likes tea"]},
            {"name": "Acme", "entityType": "organization", "observations": []},
        ]
    )
    graph.create_relations([{"from": "Ada", "to": "Acme", "relationType": "works_at"}])
    return graph


def test_the_operations_work_on_every_store(memory: Memory) -> None:
    graph = filled(memory)
    assert graph.open_nodes(["Acme"]) == {
        "entities": [{"name": "Acme", "entityType": "organization", "observations": []}],
        "relations": [{"from": "Ada", "to": "Acme", "relationType": "works_at"}],
    }
    assert graph.search_nodes("TEA")["entities"][0]["name"] == "Ada"
    assert graph.delete_entities(["Ada", "Bert"])["message"] == "Deleted 1 of 2 entities. Not found: Bert"
    assert graph.read_graph()["relations"] == []
    assert memory.doctor().problems == ()


def test_what_is_missing_stops_the_whole_batch(memory: Memory) -> None:
    graph = filled(memory)
    before = graph.read_graph()
    with pytest.raises(NotFound, match="Entity with name Bert not found"):
        graph.create_relations(
            [{"from": "Acme", "to": "Ada", "relationType": "employs"},
             {"from": "Ada", "to": "Bert", "relationType": "knows"}]
        )  # fmt: skip
    with pytest.raises(NotFound):
        graph.add_observations(
            [{"entityName": "Ada", "contents": ["x"]}, {"entityName": "Bert", "contents": ["y"]}]
        )
    assert graph.read_graph() == before


def test_names_are_the_same_without_regard_to_case(memory: Memory) -> None:
    graph = filled(memory)
    assert graph.create_entities([{"name": "ADA", "entityType": "x", "observations": []}]) == {"entities": []}
    added = graph.add_observations([{"entityName": "ada", "contents": ["plays the cello", "likes tea"]}])
    assert added["results"][0]["addedObservations"] == ["plays the cello"]
    assert graph.open_nodes(["aDa"])["entities"][0]["observations"] == ["likes tea", "plays the cello"]


def test_a_secret_is_told_as_it_was_kept(memory: Memory) -> None:
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    told = filled(memory).add_observations([{"entityName": "Ada", "contents": [f"token {secret}"]}])
    assert secret not in repr(told)
    assert "[REDACTED" in told["results"][0]["addedObservations"][0]


def test_a_place_has_its_own_graph(store: Store) -> None:
    ana = memory_on(store)
    filled(ana)
    assert ReferenceGraph(ana, project="p").read_graph() == {"entities": [], "relations": []}
    assert ReferenceGraph(memory_on(store, user="ben")).read_graph() == {"entities": [], "relations": []}


def test_a_graph_of_more_than_a_page_is_read_whole(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reference_graph, "LIMIT_MAX", 100)
    memory.entities.create("Ada", "person")
    texts = [f"fact number {i}" for i in range(105)]
    assert (
        len(ReferenceGraph(memory).add_observations([{"entityName": "Ada", "contents": texts}])["results"])
        == 1
    )
    assert ReferenceGraph(memory).read_graph()["entities"][0]["observations"] == texts
    deleted = ReferenceGraph(memory).delete_observations([{"entityName": "Ada", "observations": texts[:2]}])
    assert deleted["message"] == "Observations deleted successfully"


@pytest.mark.parametrize(
    ("operation", "argument"),
    [
        ("create_entities", [{"name": "Ada"}]),
        ("create_entities", ["Ada"]),
        ("create_relations", [{"from": "Ada", "to": 7, "relationType": "x"}]),
        ("add_observations", [{"entityName": "Ada", "contents": "x"}]),
        ("delete_entities", "Ada"),
        ("open_nodes", [7]),
        ("search_nodes", "x" * (QUERY_MAX + 1)),
    ],
)
def test_arguments_of_another_shape_are_refused(memory: Memory, operation: str, argument: Any) -> None:
    with pytest.raises(InvalidInput):
        getattr(ReferenceGraph(memory), operation)(argument)
