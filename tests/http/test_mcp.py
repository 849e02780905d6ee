"""MCP inside the service: the SDK's own client over HTTP, let in and held back as on every other path."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import anyio
import httpx
import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from holdfast import Memory, config
from holdfast.bootstrap import open_service
from holdfast.core.kinds import AGENT_SESSION_LIMIT
from holdfast.features.access.keys import create_key
from holdfast.http.app import create_app
from holdfast.http.signin import Entrance
from holdfast.mcp.endpoints import Endpoints
from holdfast.mcp.profiles import PROFILES, profile_named
from tests.cli.support import run_json
from tests.fakes import ManualClock
from tests.http.direct import DirectClient
from tests.http.support import URL
from tests.http.test_process import ended, served
from tests.mcp.support import HANDSHAKE, HEADERS, MODES, Mode, call_tool, refused
from tests.support import PATIENCE

pytestmark = pytest.mark.process
PATHS = {
    "agent": "/mcp", "search-fetch": "/mcp/search-fetch", "reference": "/mcp/reference",
    "runner": "/mcp/runner", "data": "/mcp/data",
}  # fmt: skip


def key_for(store: str | Path, *options: str) -> str:
    """A new key."""
    key = run_json("keys", "create", "--store", str(store), "--user", "ana", *options)["key"]
    assert isinstance(key, str)
    return key


@pytest.fixture(scope="module", params=("sqlite", "postgres"))
def team(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[str, str]]:
    """A service that asks everybody for a credential, over a store with something in two projects."""
    if request.param == "sqlite":
        store = str(tmp_path_factory.mktemp("mcp") / "team.db")
    else:
        from tests.postgres.server import fresh_url

        store = fresh_url()
    with Memory(store, user="ana") as memory:
        memory.remember("The shop opens at nine", kind="fact", project="shop", visibility="project")
        memory.remember("The barn is painted red", kind="fact", project="barn", visibility="project")
        memory.entities.create("Barn", "place", project="barn", visibility="project")
    key_for(store)
    with served(store, "--require-credential") as (_, url):
        yield url, store


def using(url: str, key: str | None, talk: Callable[[Client], Awaitable[None]], mode: Mode = "auto") -> None:
    """Talks to the server at an address as whoever has a key."""

    async def main() -> None:
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        async with httpx2.AsyncClient(headers=headers, timeout=PATIENCE) as http:
            with anyio.fail_after(60):
                async with Client(streamable_http_client(url, http_client=http), mode=mode) as client:
                    await talk(client)

    anyio.run(main)


@pytest.mark.parametrize("mode", MODES)
def test_the_official_client_remembers_and_recalls_with_a_key(team: tuple[str, str], mode: Mode) -> None:
    """As the agent of the key's user, in the project that the address names."""
    url, store = team

    async def talk(client: Client) -> None:
        names = [tool.name for tool in (await client.list_tools()).tools]
        assert names == [tool.name for tool in profile_named("agent").tools]
        kept = await call_tool(client, "remember", text=f"The {mode} client was here", kind="fact")
        assert (kept["kept"], kept["project"]) == (True, "shop")
        found = await call_tool(client, "recall", query=f"which client was here: {mode}?", limit=1)
        assert [memory["id"] for memory in found["memories"]] == [kept["id"]]
        shown = await call_tool(client, "get_memory", id=kept["id"])
        assert shown["memory"]["created_by"] == "agent:mcp@ben"
        assert await refused(client, "get_memory", id="nothing") == "memory_not_found"

    using(f"{url}/mcp?project=shop", key_for(store, "--for", "ben"), talk, mode)


def test_every_profile_has_its_path(team: tuple[str, str]) -> None:
    url, store = team
    assert set(PATHS) == set(PROFILES)
    key = key_for(store)
    for name, path in PATHS.items():

        async def talk(client: Client, name: str = name) -> None:
            offered = [tool.name for tool in (await client.list_tools()).tools]
            assert offered == [tool.name for tool in profile_named(name).tools]
            assert (await client.list_prompts()).prompts
            assert (await client.list_resources()).resources

        using(url + path, key, talk)


CALLS: dict[str, dict[str, Any]] = {
    "remember": {"text": "It was painted blue"},
    "record_gotcha": {"text": "The paint is not dry before noon"},
    "confirm": {"id": "ID"},
    "forget": {"id": "ID"},
    "update_module_map": {"module": "barn", "keywords": ["hay"]},
    "learn": {"log": '{"type": "read", "path": "barn.py"}', "project": "barn"},
    "reconcile": {"file": "barn.xlsx", "parts": [{"type": "DATA_TABLE", "id": "hay"}]},
    "create_entities": {"entities": [{"name": "Hen", "entityType": "animal", "observations": ["clucks"]}]},
    "create_relations": {"relations": [{"from": "Barn", "relationType": "near", "to": "Barn"}]},
    "add_observations": {"observations": [{"entityName": "Barn", "contents": ["is old"]}]},
    "delete_entities": {"entityNames": ["Barn"]},
    "delete_observations": {"deletions": [{"entityName": "Barn", "observations": ["is old"]}]},
    "delete_relations": {"relations": [{"from": "Barn", "relationType": "near", "to": "Barn"}]},
}
"""How each tool that changes something is called; one that is missing here fails the test below."""


def test_a_read_only_key_writes_through_no_tool(team: tuple[str, str]) -> None:
    """It is not even offered them, and calling one all the same changes nothing."""
    url, store = team
    writing = {tool.name for name in PROFILES for tool in profile_named(name).tools if not tool.reads}
    assert set(CALLS) == writing
    key = key_for(store, "--read-only")
    with Memory(store, user="ana") as memory:
        before = len(memory.audit.list(limit=None))
        id = memory.list(project="barn").memories[0].id
    for name, path in PATHS.items():

        async def talk(client: Client, name: str = name) -> None:
            offered = {tool.name for tool in (await client.list_tools()).tools}
            assert offered == {tool.name for tool in profile_named(name).tools if tool.reads}
            for tool in {one.name for one in profile_named(name).tools} & writing:
                given = {field: id if value == "ID" else value for field, value in CALLS[tool].items()}
                assert await refused(client, tool, **given) == "not_permitted"

        using(f"{url}{path}?project=barn", key, talk)
    with Memory(store, user="ana") as memory:
        assert len(memory.audit.list(limit=None)) == before


def test_s4_26_a_key_stores_no_more_in_an_hour_than_an_agent_in_a_session(tmp_path: Path) -> None:
    """Requests are connections, so they are counted together, by key; named sessions are counted apart."""
    clock = ManualClock()
    service = open_service(config.load(store=tmp_path / "team.db", user="ana"), clock=clock)
    key, other = (create_key(service, user="ana")[1] for _ in range(2))
    app = create_app(Entrance(service, service.keys), mcp_app=Endpoints(clock))

    with DirectClient(app, base_url=URL) as http:

        def outcome(key: str, text: str, place: str = "project=barn", tool: str = "remember") -> str:
            body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call"}
            params = {"name": tool, "arguments": {"text": text}}
            sent = {**HEADERS, "Authorization": f"Bearer {key}", "MCP-Protocol-Version": "2025-06-18"}
            answer = http.post(f"/mcp?{place}", json={**body, "params": params}, headers=sent).json()[
                "result"
            ]
            meta = answer.get("_meta", {})
            return str(meta["holdfast/error"]["code"] if meta else answer["structuredContent"]["outcome"])

        gates = [f"Gate {n} of the barn opens to the field {n * 7919}" for n in range(AGENT_SESSION_LIMIT)]
        for number, text in enumerate(gates):
            assert outcome(key, text) == "created"
            if number in (1, 20):  # takes no room
                assert outcome(key, text) == "duplicate"
        for place, tool in (("project=barn", "remember"), ("project=shop", "record_gotcha")):
            assert outcome(key, "One gate too many", place, tool) == "session_limit"
        assert outcome(other, "The gate of the shop opens to the street", "project=shop") == "created"
        assert outcome(key, "The gate of the mill opens to the river", "session=gates") == "created"
        clock.now += 3_600_000
        assert outcome(key, "The gate of the inn opens to the yard") == "created"


def test_a_key_of_one_project_reaches_no_other(team: tuple[str, str]) -> None:
    url, store = team
    key = key_for(store, "--project", "shop")

    async def talk(client: Client) -> None:
        found = await call_tool(client, "recall", query="What colour is the barn?")
        assert all("barn" not in memory["text"] for memory in found["memories"])
        for place in ("*", "barn"):
            assert await refused(client, "recall", query="What colour is the barn?", project=place) == (
                "not_permitted"
            )
        listed = await call_tool(client, "list_memories", project="shop")
        assert any(memory["text"] == "The shop opens at nine" for memory in listed["memories"])
        assert await refused(client, "remember", text="The barn is mine", project="barn") == "not_permitted"
        assert await refused(client, "remember", text="I like barns", personal=True) == "not_permitted"
        shown = [str(resource.uri) for resource in (await client.list_resources()).resources]
        assert not any("barn" in uri for uri in shown)

    async def wide(client: Client) -> None:
        for place in ({}, {"project": "*"}, {"project": "barn"}):
            found = await call_tool(client, "recall", query="What colour is the barn?", **place)
            assert all("barn" not in memory["text"] for memory in found["memories"])

    using(f"{url}/mcp?project=shop", key, talk)
    using(f"{url}/mcp?project=shop&all_projects", key, wide)


def post(url: str, body: Any = HANDSHAKE, **headers: str) -> httpx.Response:
    """One bare request."""
    sent = {**HEADERS, **{name.replace("_", "-"): value for name, value in headers.items()}}
    return httpx.post(url, json=body, headers=sent, timeout=PATIENCE)


@pytest.mark.parametrize("path", PATHS.values())
def test_nobody_comes_in_otherwise_than_over_http(team: tuple[str, str], path: str) -> None:
    """No credential, a wrong one, a foreign host or page, a form, another method: all as elsewhere."""
    url, store = team
    key = f"Bearer {key_for(store)}"
    refusals = {
        (401, "credential_missing"): post(url + path),
        (401, "credential_invalid"): post(url + path, Authorization="Bearer holdfast_x"),
        (421, "host_refused"): post(url + path, Authorization=key, Host="evil.example"),
        (403, "origin_refused"): post(url + path, Authorization=key, Origin="https://evil.example"),
        (415, "media_type_unsupported"): post(url + path, Authorization=key, Content_Type="text/plain"),
        (405, "method_not_allowed"): httpx.get(url + path, headers={"Authorization": key}, timeout=PATIENCE),
    }
    for (status, code), answer in refusals.items():
        assert (answer.status_code, answer.json()["code"]) == (status, code)
    assert post(url + path, Authorization=key).status_code == 200
    assert post(f"{url}{path}/none", Authorization=key).status_code == 404


def test_a_key_that_was_revoked_ends_at_once(team: tuple[str, str]) -> None:
    url, store = team
    key = key_for(store)
    assert post(f"{url}/mcp", Authorization=f"Bearer {key}").status_code == 200
    run_json("keys", "revoke", key.split("_")[1], "--store", str(store), "--user", "ana", "--yes")
    assert post(f"{url}/mcp", Authorization=f"Bearer {key}").status_code == 401


def test_what_is_said_over_mcp_is_not_in_the_log(tmp_path: Path) -> None:
    """Each call is a request of its own there, named by its operation; broken ones are told no better."""
    with served(tmp_path / "home.db") as (process, url):

        async def talk(client: Client) -> None:
            await call_tool(client, "remember", text="The safe is behind the painting")
            await call_tool(client, "recall", query="painting")
            await refused(client, "recall", query=5, painting="x")

        using(f"{url}/mcp", None, talk)
        broken = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": ["painting"]}}
        assert "painting" not in post(f"{url}/mcp", broken).headers
        lines = ended(process)
    operations = {line.get("operation") for line in lines}
    assert {"mcp", "mcp remember", "mcp recall"} <= operations
    assert "painting" not in str(lines)


def test_mcp_can_be_left_out(tmp_path: Path) -> None:
    with served(tmp_path / "home.db", "--no-mcp") as (_, url):
        assert post(f"{url}/mcp").status_code == 404
