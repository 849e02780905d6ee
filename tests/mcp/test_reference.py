"""The profile `reference`: the nine graph tools, listed and called by the SDK's own client."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client
from mcp.types import CallToolResult, ElicitRequestParams, ElicitResult

from holdfast import Memory
from holdfast.integrations import reference_graph
from holdfast.mcp import reference
from tests.mcp.support import MODES, Mode, call_tool, http, inside, refused, stdio, using

ADDS, DELETES, READS = (False, False, False), (False, True, True), (True, False, True)
"""Hints: only reads, destroys, idempotent."""
ENTITY = {"name": "string", "entityType": "string", "observations": ["string"]}
RELATION = {"from": "string", "to": "string", "relationType": "string"}
GRAPH = {"entities": [ENTITY], "relations": [RELATION]}
DONE = {"success": "boolean", "message": "string"}
REFERENCE: dict[str, tuple[Any, Any, tuple[bool, bool, bool]]] = {
    "create_entities": ({"entities": [ENTITY]}, {"entities": [ENTITY]}, ADDS),
    "create_relations": ({"relations": [RELATION]}, {"relations": [RELATION]}, ADDS),
    "add_observations": (
        {"observations": [{"entityName": "string", "contents": ["string"]}]},
        {"results": [{"entityName": "string", "addedObservations": ["string"]}]},
        ADDS,
    ),
    "delete_entities": ({"entityNames": ["string"]}, DONE, DELETES),
    "delete_observations": (
        {"deletions": [{"entityName": "string", "observations": ["string"]}]}, DONE, DELETES,
    ),
    "delete_relations": ({"relations": [RELATION]}, DONE, DELETES),
    "read_graph": ({}, GRAPH, READS),
    "search_nodes": ({"query": "string"}, GRAPH, READS),
    "open_nodes": ({"names": ["string"]}, GRAPH, READS),
}  # fmt: skip
"""What the reference server lists, in its order: what each tool takes and returns, and its hints."""


def process(tmp_path: Path, *options: str) -> Any:
    return stdio(tmp_path / "team.db", "--profile", "reference", *options)


def shape(schema: dict[str, Any], is_open: bool) -> Any:
    """A schema as the tables above write it; every object requires all that it has."""
    if schema["type"] == "array":
        return [shape(schema["items"], is_open)]
    if schema["type"] != "object":
        return schema["type"]
    assert schema["required"] == list(schema["properties"])
    assert schema.get("additionalProperties", True) is is_open
    return {name: shape(one, is_open) for name, one in schema["properties"].items()}


@pytest.mark.parametrize("mode", MODES)
def test_the_tools_are_those_of_the_reference_server(mode: Mode, tmp_path: Path) -> None:
    async def talk(client: Client) -> None:
        listed = {}
        for tool in (await client.list_tools()).tools:
            hints = tool.annotations
            assert hints is not None
            assert hints.open_world_hint is False
            assert tool.output_schema is not None
            assert tool.title == hints.title == tool.name.replace("_", " ").title()
            listed[tool.name] = (
                shape(tool.input_schema, True),
                shape(tool.output_schema, False),
                (hints.read_only_hint, hints.destructive_hint, hints.idempotent_hint),
            )
        assert list(listed) == list(REFERENCE)
        assert listed == REFERENCE

    using(inside(tmp_path / "team.db", "--profile", "reference"), talk, mode)


def test_the_limit_of_a_search_is_the_graphs() -> None:
    assert reference.QUERY_MAX == reference_graph.QUERY_MAX


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("transport", ["stdio", "http"])
def test_every_tool_of_the_graph_is_called(transport: str, mode: Mode, tmp_path: Path) -> None:
    if transport == "stdio":
        using(process(tmp_path, "--project", "shop"), _walk, mode)
    else:
        with http(tmp_path / "team.db", "--profile", "reference", "--project", "shop") as address:
            using(address, _walk, mode)
    with Memory(tmp_path / "team.db", user="ana") as memory:
        assert reference_graph.ReferenceGraph(memory).read_graph() == {"entities": [], "relations": []}
        assert memory.doctor().problems == ()


async def _walk(client: Client) -> None:
    ada = {"name": "Ada", "entityType": "person", "observations": ["likes tea"]}
    acme: dict[str, Any] = {"name": "Acme", "entityType": "organization", "observations": []}
    works = {"from": "Ada", "to": "Acme", "relationType": "works_at"}
    knows = {"from": "Acme", "to": "Ada", "relationType": "knows"}

    made = await call_tool(client, "create_entities", entities=[ada, {**acme, "unknown": 1}], unknown=2)
    assert made == {"entities": [ada, acme]}
    again = {"name": "Ada", "entityType": "robot", "observations": ["is new"]}
    assert await call_tool(client, "create_entities", entities=[again]) == {"entities": []}
    made = await call_tool(client, "create_relations", relations=[works, knows, works])
    assert made == {"relations": [works, knows]}
    added = await call_tool(
        client, "add_observations", observations=[{"entityName": "Ada", "contents": ["likes tea", "sings"]}]
    )
    assert added == {"results": [{"entityName": "Ada", "addedObservations": ["sings"]}]}
    ada = {**ada, "observations": ["likes tea", "sings"]}

    assert await call_tool(client, "read_graph") == {"entities": [ada, acme], "relations": [works, knows]}
    assert await call_tool(client, "search_nodes", query="TEA") == {
        "entities": [ada], "relations": [works, knows],
    }  # fmt: skip
    assert await call_tool(client, "search_nodes", query="coffee") == {"entities": [], "relations": []}
    assert await call_tool(client, "open_nodes", names=["Acme", "Nobody"]) == {
        "entities": [acme], "relations": [works, knows],
    }  # fmt: skip

    done = await call_tool(
        client,
        "delete_observations",
        deletions=[{"entityName": "Ada", "observations": ["sings", "snores"]},
                   {"entityName": "Nobody", "observations": ["x"]}],
    )  # fmt: skip
    assert done == {
        "success": True, "message": "Deleted 1 of 3 observations. Entities not found: Nobody",
    }  # fmt: skip
    gone = {**works, "from": "Nobody"}
    done = await call_tool(client, "delete_relations", relations=[works, gone])
    assert done["message"] == "Deleted 1 of 2 relations. The rest matched nothing."
    assert (await call_tool(client, "read_graph"))["relations"] == [knows]
    done = await call_tool(client, "delete_entities", entityNames=["Ada", "Nobody"])
    assert done["message"] == "Deleted 1 of 2 entities. Not found: Nobody"
    assert await call_tool(client, "read_graph") == {"entities": [acme], "relations": []}
    done = await call_tool(client, "delete_entities", entityNames=["Acme"])
    assert done == {"success": True, "message": "Entities deleted successfully"}


def test_errors_are_answers_and_change_nothing(tmp_path: Path) -> None:
    """S4.41: the code is stable, the message is the reference server's, and the server lives on."""
    ada = {"name": "Ada", "entityType": "person", "observations": ["likes tea"]}
    missing = {"from": "Ada", "to": "Bert", "relationType": "knows"}
    wrong: list[tuple[str, dict[str, Any]]] = [
        ("create_entities", {"entities": [{"name": "Bert"}]}),
        ("create_entities", {"entities": {"name": "Bert"}}),
        ("create_relations", {}),
        ("create_relations", {"relations": [{**missing, "to": 7}]}),
        ("add_observations", {"observations": [{"entityName": "Ada", "contents": "sings"}]}),
        ("delete_entities", {"entityNames": "Ada"}),
        ("delete_observations", {"deletions": [{"entityName": "Ada"}]}),
        ("delete_relations", {"relations": ["works_at"]}),
        ("open_nodes", {"names": [7]}),
        ("search_nodes", {"query": "x" * (reference.QUERY_MAX + 1)}),
    ]

    async def talk(client: Client) -> None:
        await call_tool(client, "create_entities", entities=[ada])
        for name, arguments in wrong:
            assert await refused(client, name, **arguments) == "argument_invalid", name
        known = {"from": "Ada", "to": "Ada", "relationType": "knows"}
        result = await client.call_tool("create_relations", {"relations": [known, missing]})
        assert "Entity with name Bert not found" in _text(result)
        assert await refused(client, "create_relations", relations=[known, missing]) == "entity_not_found"
        both = [{"entityName": name, "contents": ["sings"]} for name in ("Ada", "Bert")]
        assert await refused(client, "add_observations", observations=both) == "entity_not_found"
        nameless = {**ada, "name": ""}
        assert await refused(client, "create_entities", entities=[nameless]) == "place_invalid"
        assert await call_tool(client, "read_graph") == {"entities": [ada], "relations": []}
        with pytest.raises(Exception, match="there is no tool 'recall'"):
            await client.call_tool("recall", {"query": "tea"})

    using(inside(tmp_path / "team.db", "--profile", "reference"), talk)


def _text(result: CallToolResult) -> str:
    return "".join(one.text for one in result.content if one.type == "text")


def test_two_servers_share_one_graph(tmp_path: Path) -> None:
    """Both write at once, also the same entities: nothing is lost, nothing is there twice."""
    names = [f"Entity {n}" for n in range(8)]

    async def fill(client: Client, who: str) -> None:
        for name in names:
            one = {"name": name, "entityType": "thing", "observations": []}
            await call_tool(client, "create_entities", entities=[one])
            contents = [f"{name} was seen by {who}"]
            await call_tool(
                client, "add_observations", observations=[{"entityName": name, "contents": contents}]
            )
            relation = {"from": name, "to": names[0], "relationType": f"follows_{who}"}
            await call_tool(client, "create_relations", relations=[relation])

    async def main() -> None:
        with anyio.fail_after(60):
            async with Client(process(tmp_path)) as one, Client(process(tmp_path)) as two:
                async with anyio.create_task_group() as group:
                    group.start_soon(fill, one, "x")
                    group.start_soon(fill, two, "y")
                graph = await call_tool(one, "read_graph")
                assert await call_tool(two, "read_graph") == graph
                assert sorted(entity["name"] for entity in graph["entities"]) == names
                for entity in graph["entities"]:
                    seen = {f"{entity['name']} was seen by {who}" for who in "xy"}
                    assert set(entity["observations"]) == seen
                    assert len(entity["observations"]) == 2
                assert len(graph["relations"]) == 2 * len(names)
                await call_tool(one, "delete_entities", entityNames=names[:1])
                left = await call_tool(two, "read_graph")
                assert sorted(entity["name"] for entity in left["entities"]) == names[1:]
                assert left["relations"] == []

    anyio.run(main)
    with Memory(tmp_path / "team.db", user="ana") as memory:
        memory.audit.verify()
        assert memory.doctor().problems == ()


@pytest.mark.parametrize("mode", MODES)
def test_the_user_is_asked_before_what_they_said_is_deleted(mode: Mode, tmp_path: Path) -> None:
    place: Any = {"project": "shop", "visibility": "project"}
    with Memory(tmp_path / "team.db", user="ana") as memory:
        for name in ("Ada", "Acme"):
            memory.entities.create(name, "thing", **place)
        memory.entities.observe("Ada", ["likes tea"], project="shop")
        memory.entities.relate("Ada", "works_at", "Acme", project="shop")
        pinned = memory.entities.create("Dock", "place", **place).memory
        assert pinned is not None
        memory.pin(pinned.id)
    server = inside(tmp_path / "team.db", "--profile", "reference", "--project", "shop")
    relation = {"from": "Ada", "relationType": "works_at", "to": "Acme"}
    theirs: list[tuple[str, dict[str, Any]]] = [
        ("delete_observations", {"deletions": [{"entityName": "Ada", "observations": ["likes tea"]}]}),
        ("delete_relations", {"relations": [relation]}),
        ("delete_entities", {"entityNames": ["Ada", "Acme"]}),
    ]
    asked: list[str] = []
    answers = ["decline"] * 3 + ["accept"] * 3

    async def answer(_: object, params: ElicitRequestParams) -> ElicitResult:
        asked.append(params.message)
        return ElicitResult(action=answers[len(asked) - 1], content={})  # type: ignore[arg-type]

    async def refuses_all(client: Client) -> None:
        for tool, arguments in theirs:
            assert await refused(client, tool, **arguments) == "person_needed"
        assert len((await call_tool(client, "read_graph"))["entities"]) == 3

    async def agrees(client: Client) -> None:
        await refuses_all(client)
        own = [{"name": "Bert", "entityType": "person", "observations": ["keeps bees"]}]
        await call_tool(client, "create_entities", entities=own)
        await call_tool(client, "delete_entities", entityNames=["Bert", "Nobody"])  # the agent's own
        # nobody is asked about what is refused in any case
        assert await refused(client, "delete_entities", entityNames=["Dock", "Ada"]) == "edited_by_person"
        for tool, arguments in theirs:
            assert (await call_tool(client, tool, **arguments))["success"] is True
        assert [entity["name"] for entity in (await call_tool(client, "read_graph"))["entities"]] == ["Dock"]

    using(server, refuses_all, mode)
    assert asked == []
    using(server, agrees, mode, elicitation_callback=answer)
    assert len(asked) == 6
    assert "likes tea" in asked[0]
    assert "Ada works_at Acme" in asked[1]
    assert all(word in asked[2] for word in ("Ada", "Acme", "likes tea", "works_at"))
