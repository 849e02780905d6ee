"""Two worlds that differ only elsewhere answer alike over MCP: each tool, resource and prompt of all."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from holdfast.core.places import Role
from holdfast.mcp.endpoints import profiles
from holdfast.mcp.profiles import PROFILES, profile_named
from holdfast.mcp.prompts import PROMPTS
from holdfast.mcp.tools import Tool
from tests.http.calls import NEW, SAME_TIME, VALUES, Call, Filler, Ids
from tests.http.test_worlds import Comparison, Observer, sites
from tests.mcp.support import HEADERS
from tests.worlds import DESCRIBED, FACTS, World, two_worlds

OBSERVERS = {
    "member": Observer("cleo", Role.MEMBER),
    "limited agent": Observer("ana", agent="coder", projects=("shop",)),
    "limited owner": Observer("ana", projects=("shop",)),
    "bound client": Observer("ana", agent="coder", bound=True),
}
Places = Sequence[Mapping[str, str]]
PLACES: Places = (
    {"project": "shop"},
    {"project": "shop", "session": "talk"},
    {"project": "shop", "all_projects": "1"},
    {},
)
"""Where a client says it is, by the address that it uses."""
BOUND = PLACES[:2]
"""Where it is bound to its project."""
NAMES: Sequence[Any] = [["Boat", "Keeper"], ["Gull"]]
RELATION = {"from": "Keeper", "relationType": "sails", "to": "Boat"}
OF_ARGUMENT: Mapping[str, Sequence[Any]] = {
    **VALUES,
    "at": [SAME_TIME],
    "deletions": [
        [{"entityName": "Dinghy", "observations": [NEW]}],
        [{"entityName": "Boat", "observations": ["is painted red"]}],
    ],
    "entities": [
        [{"name": name, "entityType": "thing", "observations": [NEW]} for name in ("Boat", "Raft", "Dinghy")]
    ],
    "entityNames": [["Raft"], *NAMES],
    "dry_run": [True],
    "file": ["sales.db", "boat.md", "b.py"],
    "id": ["ID"],
    "name": ["keeper", "Gull"],
    "names": NAMES,
    "observations": [[{"entityName": "Boat", "contents": ["has two oars"]}]],
    "offset": [1],
    "parts": [DESCRIBED["entities"], DESCRIBED["entities"][:1]],
    "path": [["boat.md"], ["*.py"]],
    "platform": ["database"],
    "personal": [True],
    "relations": [[RELATION]],
    "remove": [["b.py"]],
    "replaces": ["ID"],
    "role": ["planner", "qa"],
    "scope": ["paper:1"],
}
"""What each argument of a tool is given, the first where it is required."""
WATCHED = (
    "agent_list_memories",
    "agent_recall",
    "data_list_sources",
    "data_recall",
    "search-fetch_search",
    "reference_read_graph",
)
"""Tools that are called from every place; the others from the first."""


class Clients(Comparison):
    """What the clients of an observer are answered in two worlds."""

    def calls(self, own: Ids, elsewhere: Ids) -> Iterator[Call]:
        """Yields calls of every profile: lists, resources, prompts and tools; what removes comes last."""
        paths = {name: path for path, name in profiles().items()}
        found: list[Call] = []
        for turn, name in enumerate(PROFILES):
            fill = Filler(own, elsewhere, self.observer.user, turn)
            places = BOUND if self.observer.bound else PLACES
            found += _lists(name, paths[name], fill, places)
            for tool in profile_named(name).tools:
                found += _tool_calls(f"{name}_{tool.name}", paths[name], tool, fill, places)
        yield from sorted(found, key=lambda call: not call.reads)

    async def answer(self, place: int, call: Call) -> tuple[int, list[tuple[str, str]], str]:
        """Returns what a world answers, with the status of a refusal if the result is an error."""
        status, headers, text = await super().answer(place, call)
        body = json.loads(text)
        is_error = "error" in body or body["result"].get("isError", False)
        return 400 if is_error else status, headers, text


def _request(operation: str, path: str, where: Mapping[str, str], *, method: str, params: Any) -> Call:
    body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
    return Call(operation, "POST", path, where, body, HEADERS)


def _lists(profile: str, path: str, fill: Filler, places: Places) -> Iterator[Call]:
    """Yields what a client reads apart from tools."""
    asked: list[tuple[str, Any]] = [
        *((f"{kind}/list", {}) for kind in ("tools", "resources", "resources/templates", "prompts")),
        *(
            ("resources/read", {"uri": f"holdfast://{rest}"})
            for rest in (
                "pinned", "pinned/shop", "pinned/barn", "map/shop", "map/barn",
                *(f"memories/{id}" for id in fill.targets("memory")),
            )
        ),
        *(
            ("prompts/get", {"name": one.name, "arguments": {name: FACTS[0] for name, _ in one.arguments}})
            for one in PROMPTS
        ),
        *(
            ("completion/complete", {
                "ref": {"type": "ref/resource", "uri": "holdfast://pinned/{project}"},
                "argument": {"name": "project", "value": beginning},
            })
            for beginning in ("", "b")
        ),
    ]  # fmt: skip
    for number, (method, params) in enumerate(asked):
        where = places[number % len(places)]
        call = _request(f"{profile}_{method}", path, where, method=method, params=params)
        yield replace(call, reads=True)


def _tool_calls(operation: str, path: str, tool: Tool, fill: Filler, places: Places) -> Iterator[Call]:
    """Yields the calls of a tool: on each kind of id, from each place, then with values of each argument."""

    def call(where: Mapping[str, str], **more: Any) -> Call:
        params = {"name": tool.name, "arguments": {**needed, **more}}
        made = _request(operation, path, where, method="tools/call", params=params)
        return replace(made, reads=tool.reads, is_plain=not more or "id" in more)

    required = tool.input.get("required", ())
    needed = {name: fill(OF_ARGUMENT[name][0]) for name in required}
    for where in places if operation in WATCHED else places[:1]:
        yield call(where)
    if "id" in required:
        for id in fill.targets("of an agent") + fill.targets("memory"):
            yield call(places[0], id=id)
    for name, schema in tool.input["properties"].items():
        for value in schema.get("enum") or OF_ARGUMENT[name][name in required :]:
            yield call(places[2 % len(places)], **{name: fill(value)})


@pytest.mark.parametrize("name", OBSERVERS)
def test_what_is_elsewhere_has_no_influence_over_mcp(name: str, tmp_path: Path) -> None:
    async def compare(worlds: list[World]) -> None:
        async with sites(worlds) as services:
            found = Clients(worlds, services, OBSERVERS[name], name)
            await found.run({"limited agent": 2, "bound client": 11}.get(name, 6), turn=0)
            assert not found.leaks, "\n".join(found.leaks[:20])
            assert not found.failing() - {"agent_confirm"}

    with two_worlds(tmp_path) as worlds:
        asyncio.run(compare(worlds))
