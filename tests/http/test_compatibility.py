"""A client of today and a later service, and a later client and the service of today, get along."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from holdfast import HoldfastError, Memory, NotFound, Refusal
from holdfast.api.catalogue import operations
from holdfast.api.operation import Operation
from holdfast.api.remote import Remote
from holdfast.api.transport import Transport
from tests.http.support import Site
from tests.http.test_client import bare, program
from tests.http.test_process import served
from tests.support import PATIENCE

LATER = {"added_later": {"deep": [1, {"er": None}]}, "also_later": "x"}
"""Fields that a service of a later version might add to any object."""


class LaterService(httpx.HTTPTransport):
    """The way to a real service, as if that were a later one: every object in its responses that the document
    describes by its fields has more of them. What is a table of data, such as metadata, stays as it is."""

    def __init__(self, document: dict[str, Any]) -> None:
        super().__init__()
        self._document = document
        self.added = 0

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        response = super().handle_request(request)
        if not response.headers.get("content-type", "").endswith("json"):
            return response
        response.read()
        whole = self._extended(self._schema(request, response.status_code), response.json())
        headers = {"content-type": response.headers["content-type"]}
        return httpx.Response(response.status_code, headers=headers, content=json.dumps(whole).encode())

    def _schema(self, request: httpx.Request, status: int) -> dict[str, Any]:
        asked = request.url.raw_path.decode().partition("?")[0].split("/")
        for path, methods in self._document["paths"].items():
            parts = path.split("/")
            fits = len(parts) == len(asked) and all(
                part == one or part.startswith("{") for part, one in zip(parts, asked, strict=True)
            )
            known = methods.get(request.method.lower(), {}).get("responses", {}) if fits else {}
            if content := known.get(str(status), {}).get("content"):
                return dict(next(iter(content.values()))["schema"])
        return {"type": "object", "properties": {}} if status >= 400 else {}

    def _extended(self, schema: dict[str, Any], value: Any) -> Any:
        if "$ref" in schema:
            named = self._document["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
            return self._extended(named, value)
        for several in ("allOf", "anyOf", "oneOf"):
            for one in schema.get(several, ()):
                value = self._extended(one, value)
        if isinstance(value, list) and "items" in schema:
            return [self._extended(schema["items"], one) for one in value]
        if isinstance(value, dict) and "properties" in schema:
            self.added += 1
            inside = {
                name: self._extended(schema["properties"].get(name, {}), one) for name, one in value.items()
            }
            return {**LATER, **inside}
        if isinstance(value, dict) and isinstance(schema.get("additionalProperties"), dict):
            return {name: self._extended(schema["additionalProperties"], one) for name, one in value.items()}
        return value


@pytest.mark.process
def test_s4_67_fields_that_a_later_service_adds_do_not_disturb_a_client(tmp_path: Path) -> None:
    with served(tmp_path / "team.db") as (_, url):
        service = LaterService(httpx.get(f"{url}/openapi.json", timeout=PATIENCE).json())
        with httpx.Client(transport=service) as http:
            remote = program(Memory.on(Remote(Transport(url, None, 30.0, http=http))))
    with Memory(tmp_path / "own.db", user="ana") as memory:
        assert bare(remote) == bare(program(memory))
    assert service.added > 200


@pytest.mark.parametrize(
    ("name", "kind"), [("NotFound", NotFound), ("Refusal", Refusal), ("LaterError", HoldfastError)]
)
def test_s4_67_a_code_that_a_later_service_adds_reaches_the_caller(
    name: str, kind: type[HoldfastError]
) -> None:
    type_ = "urn:holdfast:error:added_later"
    body = {
        "type": type_,
        "code": "added_later",
        "detail": "it rains",
        "hint": "wait",
        "error": name,
        **LATER,
    }
    answered = httpx.MockTransport(lambda _: httpx.Response(409, json=body))
    memory = Memory.on(Remote(Transport("http://memory", None, 1.0, http=httpx.Client(transport=answered))))
    with pytest.raises(kind) as caught:
        memory.get("x")
    assert type(caught.value) is kind
    assert (caught.value.code, caught.value.message, caught.value.hint) == ("added_later", "it rains", "wait")


WITH_ROUTE = [one for one in operations().values() if one.path]


@pytest.fixture(scope="module")
def here() -> Iterator[Site]:
    from tempfile import TemporaryDirectory

    from tests.http.support import site

    with TemporaryDirectory() as folder, site(Path(folder)) as opened:
        yield opened


@pytest.mark.parametrize("declared", WITH_ROUTE, ids=lambda one: one.name)
def test_s4_67_an_argument_of_a_later_client_is_refused_by_name(here: Site, declared: Operation) -> None:
    path = f"/v1{declared.path}"
    for name in declared.signature.parameters:
        path = path.replace(f"{{{name}}}", "x")
    in_query = declared.method in ("GET", "DELETE")
    response = (
        here.call(declared.method, f"{path}?added_later=1")
        if in_query
        else here.call(declared.method, path, {"added_later": 1})
    )
    problem = response.json()
    expected = "argument_invalid" if in_query else "body_invalid"
    assert (response.status_code, problem["code"]) == (422, expected), problem
    assert "added_later" in problem["detail"]


def test_s4_67_a_route_of_a_later_client_is_told_as_such(here: Site) -> None:
    response = here.call("POST", "/v1/added-later", {"text": "x"})
    assert (response.status_code, response.json()["code"]) == (404, "route_not_found")
