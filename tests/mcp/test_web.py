"""Streamable HTTP is for clients of this machine: not for web pages, not for other machines."""

from __future__ import annotations

import http.client
import json
import socket
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.cli.support import error_of
from tests.mcp.support import HANDSHAKE, HEADERS
from tests.mcp.support import http as serve
from tests.support import PATIENCE

MODERN = {"MCP-Protocol-Version": "2026-07-28"}


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    with serve(tmp_path_factory.mktemp("web") / "team.db") as address:
        yield urlsplit(address).port or 0


def answer(port: int, method: str = "POST", body: str | None = None, **headers: str) -> tuple[int, str]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    try:
        sent = {**HEADERS, **{name.replace("_", "-"): value for name, value in headers.items()}}
        connection.request(method, "/mcp", json.dumps(HANDSHAKE) if body is None else body, sent)
        response = connection.getresponse()
        return response.status, response.read(4_096).decode()
    finally:
        connection.close()


def test_a_client_of_this_machine_is_answered(port: int) -> None:
    status, text = answer(port)
    assert (status, '"serverInfo"' in text) == (200, True)
    assert answer(port, Host=f"localhost:{port}")[0] == 200
    assert answer(port, Origin=f"http://127.0.0.1:{port}")[0] == 200


@pytest.mark.parametrize("era", [{}, MODERN], ids=["handshake", "modern"])
@pytest.mark.parametrize("method", ["POST", "GET", "DELETE"])
@pytest.mark.parametrize(
    "host", ["evil.example", "127.0.0.1", "127.0.0.1:1", "localhost.evil.example:{port}"]
)
def test_a_rebound_name_is_refused(port: int, host: str, method: str, era: dict[str, str]) -> None:
    assert answer(port, method, Host=host.format(port=port), **era)[0] == 421


@pytest.mark.parametrize("era", [{}, MODERN], ids=["handshake", "modern"])
@pytest.mark.parametrize(
    "origin",
    ["http://evil.example", "null", "http://localhost:1", "https://127.0.0.1:{port}", "http://[::1]"],
)
def test_a_page_from_elsewhere_is_refused(port: int, origin: str, era: dict[str, str]) -> None:
    assert answer(port, Origin=origin.format(port=port), **era)[0] == 403


def test_what_is_no_request_of_the_protocol_is_refused(port: int) -> None:
    assert answer(port, Content_Type="text/plain")[0] == 400
    assert answer(port, body="no json")[0] == 400
    assert answer(port, body=" " * (1024 * 1024 + 1))[0] == 413
    assert answer(port, Mcp_Session_Id="made up", method="GET")[0] == 404
    assert answer(port)[0] == 200, "and the server lives on"


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.1"])
def test_no_address_that_others_reach_without_credentials(host: str) -> None:
    error = error_of("mcp", "--http", "--host", host, status=2)
    assert (error["code"], error["hint"]) == ("argument_invalid", "use --host 127.0.0.1")


def test_a_port_in_use_and_a_name_that_is_none(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        used = error_of("mcp", "--http", "--port", str(taken.getsockname()[1]), status=2)
    assert "cannot be used" in used["message"]
    assert "is not an address" in error_of("mcp", "--http", "--host", "no host", status=2)["message"]
    hint = error_of("mcp", "--profile", "nonsense", status=2)["hint"]
    assert hint == "agent or search-fetch or reference or runner or data"
