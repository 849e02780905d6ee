"""Every operation is declared once; Python, the command line, HTTP and MCP follow the declaration."""

from __future__ import annotations

import inspect
import json
from operator import is_
from pathlib import Path
from typing import Any

import click
import pytest
from fastapi.routing import APIRoute
from jsonschema import Draft202012Validator
from starlette.routing import BaseRoute

from holdfast.api.catalogue import (
    COMMANDS_ONLY,
    EXCEPTIONS,
    METHODS_ONLY,
    OPEN_ROUTES,
    areas,
    operations,
    permissions,
)
from holdfast.api.memory import Memory
from holdfast.cli.main import cli
from holdfast.core.facts import FactChange
from holdfast.core.metrics import Metric
from holdfast.core.module_map import BuildSystem, ModuleMap, Service, TestFramework
from holdfast.core.review import Inbox
from holdfast.core.wire import from_plain
from holdfast.features.access.access import ALLOWED, Need
from holdfast.features.context.packing import Context
from holdfast.features.learning.rules.log import Learned
from holdfast.features.maintenance.metrics import store_metrics
from holdfast.features.modulemap.findings import Scan
from holdfast.features.modulemap.match import Match
from holdfast.features.modulemap.module_maps import put_scan
from holdfast.http.gate import SIGN_IN
from holdfast.http.memory_stores import PREFIX
from holdfast.http.operations import Operations
from holdfast.http.schemas import Schemas
from holdfast.mcp.profiles import PROFILES, profile_named
from holdfast.workers import queue_maintain
from tests.http.support import Site

ROOT = Path(__file__).resolve().parents[2]


def test_every_missing_face_has_its_reason() -> None:
    assert [one.name for one in operations().values() if not (one.path and one.command) and not one.why] == []
    assert all(one.why for one in EXCEPTIONS)
    assert all(needs for needs in ALLOWED.values())


def test_every_public_method_is_declared() -> None:
    """A method that is no operation stands in a short list, with the reason."""
    found = {
        f"{cls.__name__}.{name}"
        for cls in areas().values()
        for name, member in vars(cls).items()
        if not name.startswith("_")
        and not hasattr(member, "operation")
        and (inspect.isfunction(member) or isinstance(member, classmethod))
    }
    assert found == set(METHODS_ONLY)


def test_the_command_line_has_what_the_table_says() -> None:
    found = set(_leaves(cli, click.Context(cli)))
    own = {name: only for name in found for only in (name, name.split()[0]) if only in COMMANDS_ONLY}
    told = [command for one in operations().values() for command in one.command]
    told += [command for one in EXCEPTIONS for command in one.command]
    assert found - own.keys() == set(told)
    assert set(own.values()) == set(COMMANDS_ONLY)


def _leaves(group: click.Group, context: click.Context, path: str = "") -> list[str]:
    leaves: list[str] = []
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        inner = f"{path} {name}".strip()
        leaves += _leaves(command, context, inner) if isinstance(command, click.Group) else [inner]
    return leaves


def test_http_has_what_is_declared(here: Site) -> None:
    found = {f"{method} {path}": shown["operationId"] for method, path, shown in here.operations()}
    declared = {f"{one.method} /v1{one.path}": one.name for one in operations().values() if one.path}
    declared |= {one.route: one.name for one in EXCEPTIONS if one.route}
    assert set(found) == set(declared) | set(OPEN_ROUTES)
    assert all(route in OPEN_ROUTES or declared[route].replace(".", "_") == id for route, id in found.items())


def test_mcp_has_what_is_declared() -> None:
    """Each tool of the default profile does the operation that names it."""
    tools = {tool.name: tool for tool in profile_named("agent").tools}
    by_tool = {name: one.name for one in operations().values() for name in one.tools}
    assert set(by_tool) == set(tools)
    for name, tool in tools.items():
        assert tool.operations == (by_tool[name],)


def test_every_tool_is_authorised_for_what_it_does() -> None:
    """A tool reads if all its operations do: a read-only credential may use these, and no others."""
    for profile in PROFILES:
        for tool in profile_named(profile).tools:
            assert tool.operations
            needs = {permissions()[name].need for name in tool.operations}
            assert tool.reads == (needs == {Need.READ}), tool.name


def test_nothing_is_served_that_the_document_does_not_tell(here: Site) -> None:
    """Every route of the app is documented, but for the document itself, the sign-in of its own pages
    (tests/http/test_browser.py) and the API of others (tests/http/test_memory_stores.py), and no route is
    without a call that was authorised."""
    documented = {(method, path) for method, path, _ in here.operations()}
    everything: list[Any] = [route for one in here.app.routes for route in _each(one)]
    routes = [route for route in everything if not route.path.startswith((SIGN_IN, PREFIX))]
    served = [route for route in routes if isinstance(route, APIRoute)]
    assert len(served) == len(documented)
    for route in routes:
        if not isinstance(route, APIRoute):
            assert route.path == "/openapi.json"
            continue
        for method in route.methods or ():
            assert (method, route.path_format) in documented
            if f"{method} {route.path_format}" not in OPEN_ROUTES:
                assert "call" in inspect.signature(route.endpoint).parameters
                assert any(dependency.name == "call" for dependency in route.dependant.dependencies)


def _each(route: BaseRoute) -> list[Any]:
    return [one.built for one in route.routes] if isinstance(route, Operations) else [route]


def test_routes_are_built_once_per_process(here: Site, team: Site) -> None:
    """Building them takes FastAPI longer than a hundred requests."""
    one, other = ([built for route in site.app.routes for built in _each(route)] for site in (here, team))
    assert len(one) > 100
    assert sum(map(is_, one, other)) == len(one) - 1  # but for that of the document


def changed(memory: Memory) -> FactChange:
    memory.facts.set("colors", "Blue", 1)
    return memory.facts.history("colors")[0]


RESULTS: dict[str, Any] = {
    "Record": lambda memory: memory.get(memory.list().memories[0].id),
    "Kept": lambda memory: memory.remember("The shop opens at ten"),
    "Hits": lambda memory: memory.recall("shop"),
    "Hit": lambda memory: memory.recall("shop")[0],
    "Change": lambda memory: memory.history(memory.list().memories[0].id)[0],
    "Session": lambda memory: memory.sessions.create("chat-1"),
    "Project": lambda memory: memory.projects.create("shop"),
    "Inbox": lambda memory: _waiting(memory),
    "Decision": lambda memory: memory.review.approve(_waiting(memory).items[0].memory.id),
    "Flagged": lambda memory: memory.review.wrong(memory.list().memories[0].id),
    "Cleared": lambda memory: memory.review.clear(("paper", "2301.1")),
    "Source": lambda memory: memory.sources.add("chatgpt", "0" * 64),
    "Answer": lambda memory: memory.ask("my favorite color?"),
    "FactEdit": lambda memory: memory.facts.set("colors", "Blue", 1),
    "Fact": lambda memory: memory.facts.set("colors", "Blue", 1).facts[0],
    "FactChange": lambda memory: changed(memory),
    "Topic": lambda memory: memory.facts.topics()[0],
    "Extraction": lambda memory: memory.extract(text="I love tea"),
    "Extracted": lambda memory: memory.extract(text="I love tea").found[0],
    "Learned": lambda memory: _learned(memory),
    "Lesson": lambda memory: _learned(memory).lessons[0],
    "Metric": lambda memory: _measured(memory),
    "Context": lambda memory: _context_of(memory),
    "Stats": lambda memory: memory.stats(measure=True),
    "Map": lambda memory: _mapped(memory),
    "Module": lambda memory: _mapped(memory).modules["auth"],
    "Match": lambda memory: _matched(memory),
    "Scanned": lambda memory: put_scan(memory._service, "shop", Scan(_whole_map())),
    "Member": lambda memory: memory.members.add("ana", "owner"),
    "Job": lambda memory: queue_maintain(memory._service),
    "Event": lambda memory: memory.audit.list()[0],
    "Report": lambda memory: memory.doctor(),
}
"""How to come to a result of each sort."""


def _context_of(memory: Memory) -> Context:
    memory.remember("The shop opens at nine", kind="gotcha", project="shop")
    memory.context("change when the shop opens", project="shop", session="s")
    memory.remember("The shop opens its doors at ten on Sundays", kind="gotcha", project="shop")
    return memory.context("change when the shop opens", project="shop", session="s")


def _learned(memory: Memory) -> Learned:
    log = [{"type": "read", "path": "a.py"}, {"type": "user", "text": "No, use pnpm instead of npm"}]
    return memory.learn(log, project="shop")


def _mapped(memory: Memory) -> ModuleMap:
    memory.maps.update("auth", project="shop", core_files=["auth.py"])
    return memory.maps.get("shop")


def _matched(memory: Memory) -> Match:
    _mapped(memory)
    return memory.maps.match("auth", project="shop")[0]


def _whole_map() -> ModuleMap:
    return ModuleMap(
        "shop",
        build_system=BuildSystem("make", {"test": "make test"}),
        test_framework=TestFramework("pytest"),
        services=(Service("shop", ".", "python"),),
    )


def _measured(memory: Memory) -> Metric:
    store_metrics(memory._service, [Metric("deletion_compliance", 1.0, 3, "user:ana", 1)])
    return memory.quality()[0]


def _waiting(memory: Memory) -> Inbox:
    memory.remember("The shop may open at ten", confidence=0.3)
    return memory.review.inbox()


@pytest.mark.parametrize("name", RESULTS)
def test_a_result_fits_its_schema_and_comes_back_as_it_was(here: Site, name: str) -> None:
    memory = Memory.over(here.service)
    memory.remember("The shop opens at nine")
    result = RESULTS[name](memory)
    plain = json.loads(json.dumps(result.as_dict()))
    schemas = Schemas()
    schema = {**schemas.of(type(result)), "components": {"schemas": schemas.definitions}}
    Draft202012Validator(schema).validate(plain)
    again = from_plain(type(result), plain)
    assert type(again) is type(result)
    assert json.loads(json.dumps(again.as_dict())) == plain


@pytest.mark.parametrize("name", [one.name for one in operations().values() if one.path and not one.handler])
def test_a_request_has_the_arguments_of_the_method(here: Site, name: str) -> None:
    declared = operations()[name]
    shown = next(
        shown for method, path, shown in here.operations()
        if (method, path) == (declared.method, f"/v1{declared.path}")
    )  # fmt: skip
    headers = {header.lower(): name for name, header in declared.headers.items()}
    found = {headers.get(one["name"], one["name"]) for one in shown.get("parameters", [])}
    if body := shown.get("requestBody"):
        reference = body["content"]["application/json"]["schema"]
        reference = reference.get("$ref") or reference["allOf"][0]["$ref"]
        model = here.app.openapi()["components"]["schemas"][reference.rpartition("/")[2]]
        found |= set(model["properties"])
    assert found - {"Idempotency-Key"} == set(declared.signature.parameters)


def test_the_document_of_the_reference_has_every_operation_and_its_arguments(here: Site) -> None:
    """Compares what our code says, since the rest changes with FastAPI."""
    document = json.loads((ROOT / "docs" / "reference" / "openapi.json").read_text("utf-8"))
    assert _descriptions(document) == _descriptions(here.app.openapi()), "stale: run `make docs`"


def _descriptions(document: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Returns names and descriptions of what is sent and returned, of each schema and each operation."""
    schemas = {
        name: {field: of.get("description") for field, of in one.get("properties", {}).items()}
        for name, one in document["components"]["schemas"].items()
    }
    paths = {
        f"{method} {path}": (
            described.get("description"),
            {one["name"]: one.get("description") for one in described.get("parameters", ())},
        )
        for path, methods in document["paths"].items()
        for method, described in methods.items()
    }
    return schemas, paths
