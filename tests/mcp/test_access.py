"""What belongs to somebody else does not exist for any tool: foreign and missing ids answer alike."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from holdfast import HoldfastError, Memory
from holdfast.integrations.reference_graph import ReferenceGraph
from holdfast.mcp import prompts, resources
from holdfast.mcp.profiles import PROFILES, profile_named
from holdfast.mcp.tools import ClientContext, bounded, run_tool

TOOLS = {tool.name: tool for name in PROFILES for tool in profile_named(name).tools}
BY_ID: dict[str, dict[str, Any]] = {
    "remember": {"text": "The secret plan is off", "replaces": "ID"},
    "get_memory": {"id": "ID"},
    "history": {"id": "ID"},
    "confirm": {"id": "ID"},
    "forget": {"id": "ID"},
    "fetch": {"id": "ID"},
}
"""How each tool that takes an id is called with one."""
BY_PLACE: dict[str, list[dict[str, Any]]] = {
    "recall": [{"query": "secret plan", "project": place} for place in ("*", "shop", "elsewhere")],
    "context": [{"task": "secret plan", "project": place} for place in ("shop", "elsewhere")],
    "ask": [
        {"text": question, "project": place}
        for question in ("the secret plan", "list my favorite colors")
        for place in ("*", "shop")
    ],
    "about": [{}],
    "list_sources": [{"project": place} for place in ("*", "shop", "elsewhere")],
    "list_memories": [{"project": place} for place in ("*", "shop", "elsewhere")],
    "search": [{"query": "secret plan"}],
    "read_graph": [{}],
    "search_nodes": [{"query": query} for query in ("secret plan", "")],
    "open_nodes": [{"names": ["secret plan"]}],
}
"""How each tool that looks around is called, from every place."""
RELATION = {"from": "NAME", "relationType": "covers", "to": "NAME"}
BY_NAME: dict[str, dict[str, Any]] = {
    "create_entities": {
        "entities": [{"name": "NAME", "entityType": "concept", "observations": ["It is off"]}]
    },
    "create_relations": {"relations": [RELATION]},
    "add_observations": {"observations": [{"entityName": "NAME", "contents": ["It is off"]}]},
    "delete_entities": {"entityNames": ["NAME"]},
    "delete_observations": {"deletions": [{"entityName": "NAME", "observations": ["It is on"]}]},
    "delete_relations": {"relations": [RELATION]},
}
"""How each tool that writes to the graph is called with the name of an entity."""
ONLY_WRITES = {"reconcile", "record_gotcha", "learn", "update_module_map"}
MISSING = "01900000-0000-7000-8000-000000000000"


@pytest.fixture
def stored(tmp_path: Path) -> tuple[Path, str]:
    """Ana's private, pinned memory in project shop, and an entity there that is hers alone."""
    path = tmp_path / "team.db"
    with Memory(path, user="ana") as memory:
        result = memory.remember("The secret plan is on", kind="decision", project="shop")
        assert result.memory is not None
        memory.pin(result.memory.id)
        entity = memory.entities.create("secret plan", "concept", project="shop").memory
        assert entity is not None
        memory.entities.observe(entity.id, ["It is on"])
        memory.entities.relate(entity.id, "covers", entity.id)
        return path, result.memory.id


@pytest.fixture(params=[None, "coder"])
def ben(request: pytest.FixtureRequest, stored: tuple[Path, str]) -> Iterator[Memory]:
    """Ben on the same file, himself or through an agent."""
    with Memory(stored[0], user="ben", agent=request.param) as memory:
        yield memory


def test_every_tool_is_in_the_matrix() -> None:
    """A tool that is new fails here until it is added to one of the tables."""
    assert set(TOOLS) == set(BY_ID) | set(BY_PLACE) | set(BY_NAME) | ONLY_WRITES
    assert {
        name for name, tool in TOOLS.items() if {"id", "replaces"} & set(tool.input["properties"])
    } == set(BY_ID)


@pytest.mark.parametrize("name", BY_ID)
def test_a_foreign_id_is_a_missing_id(name: str, ben: Memory, stored: tuple[Path, str]) -> None:
    def asked(id: str) -> object:
        given = {key: id if value == "ID" else value for key, value in BY_ID[name].items()}
        with pytest.raises(HoldfastError) as caught:
            run_tool(TOOLS[name], lambda: ben, ClientContext(), given)
        return str(caught.value.as_dict()).replace(id, "ID")

    assert asked(stored[1]) == asked(MISSING)
    with Memory(stored[0], user="ana") as ana:
        assert ana.get(stored[1]).text == "The secret plan is on"


@pytest.mark.parametrize("name", BY_NAME)
def test_a_foreign_name_is_a_missing_name(name: str, ben: Memory, stored: tuple[Path, str]) -> None:
    def asked(entity: str) -> str:
        data = json.loads(json.dumps(BY_NAME[name]).replace("NAME", entity))
        try:
            answer = run_tool(TOOLS[name], lambda: ben, ClientContext("shop"), data)
        except HoldfastError as error:
            answer = error.as_dict()
        return str(answer).replace(entity, "NAME")

    with Memory(stored[0], user="ana") as ana:
        before = ReferenceGraph(ana, project="shop").read_graph()
        assert [one["name"] for one in before["entities"]] == ["secret plan"]
        assert len(before["relations"]) == 1
        assert asked("secret plan") == asked("missing plan")
        after = ReferenceGraph(ana, project="shop").read_graph()
        # what Ben's agent makes in a project is the project's: it may stand beside what was there
        assert after["entities"][:1] == before["entities"]
        assert after["relations"] == before["relations"]


@pytest.mark.parametrize("name", BY_PLACE)
def test_looking_around_finds_nothing_foreign(name: str, ben: Memory) -> None:
    for given in BY_PLACE[name]:
        for here in (ClientContext(), ClientContext("shop", all_projects=True)):
            assert "secret" not in str(run_tool(TOOLS[name], lambda: ben, here, given)).replace(
                str(given), ""
            )


def test_resources_and_prompts_hold_nothing_foreign(ben: Memory, stored: tuple[Path, str]) -> None:
    for uri in ("holdfast://pinned", "holdfast://pinned/shop", "holdfast://pinned/*"):
        assert "secret" not in resources.read(ben, uri, ClientContext())
    answers = []
    for id in (stored[1], MISSING):
        with pytest.raises(HoldfastError) as caught:
            resources.read(ben, f"holdfast://memories/{id}", ClientContext())
        answers.append(str(caught.value).replace(id, "ID"))
    assert answers[0] == answers[1]
    text = prompts.render(
        prompts.PROMPTS[0], lambda: ben, ClientContext("shop"), {"task": "on with the plan"}
    )
    assert "secret" not in text


@pytest.mark.parametrize("name", TOOLS)
def test_s4_40_each_text_and_list_of_a_tool_has_a_limit(name: str) -> None:
    """That of its schema, or the one of all tools; nothing is opened or kept for what is longer."""

    def too_long(schema: dict[str, Any]) -> Iterator[Any]:
        """Yields values that are right but for the length of one text or list."""
        limited = bounded(schema)
        if limited["type"] == "string" and "enum" not in schema:
            yield "x" * (limited["maxLength"] + 1)
        elif limited["type"] == "array":
            yield [right(schema["items"])] * (limited["maxItems"] + 1)
            yield from ([one] for one in too_long(schema["items"]))
        elif limited["type"] == "object":
            whole = right(schema)
            for key, inner in schema.get("properties", {}).items():
                yield from ({**whole, key: one} for one in too_long(inner))

    def right(schema: dict[str, Any]) -> Any:
        if schema["type"] == "object":
            return {key: right(schema["properties"][key]) for key in schema.get("required", ())}
        plain = {"string": "x", "array": [], "integer": 1, "number": 0.5, "boolean": True}
        return schema["enum"][0] if "enum" in schema else plain[schema["type"]]

    def opened() -> Memory:
        raise AssertionError("the memory was opened")

    tool = TOOLS[name]
    for arguments in too_long(tool.input):
        with pytest.raises(HoldfastError) as raised:
            run_tool(tool, opened, ClientContext(), arguments)
        assert raised.value.code == "argument_invalid"
        assert "xxxx" not in raised.value.message
