"""Helpers of the MCP tests: the SDK's own client against the command, as a process or in this one."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Awaitable, Callable, Iterator
from contextlib import chdir, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal
from unittest.mock import patch

import anyio
from click.testing import CliRunner
from jsonschema import Draft202012Validator
from mcp import Client, StdioServerParameters
from mcp.client._memory import InMemoryTransport
from mcp.types import CallToolResult, Tool

from holdfast.cli.main import cli
from holdfast.mcp.connection import Connection
from holdfast.mcp.profiles import Profile
from holdfast.mcp.server import build
from tests.cli.support import HOLDFAST
from tests.support import PATIENCE

Mode = Literal["legacy", "auto"]
MODES: tuple[Mode, ...] = ("legacy", "auto")
"""The handshake of 2025 and before, and what came after it."""
HANDSHAKE = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    },
}
HEADERS = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}


@dataclass(frozen=True, slots=True)
class Inside:
    """The command in this process, started in a folder: a client asks it over streams in memory."""

    args: list[str]
    folder: Path


def inside(store: Path, *options: str, cwd: Path | None = None) -> Inside:
    """A server as `stdio` starts it, without the second of processor time that a process takes to start."""
    folder = Path(os.environ["HOME"]) if cwd is None else cwd
    folder.mkdir(parents=True, exist_ok=True)
    return Inside(["mcp", "--store", str(store), "--user", "ana", *options], folder)


def stdio(store: Path, *options: str, cwd: Path | None = None) -> StdioServerParameters:
    """A server over standard input and output, on a store; started in a folder, by default the home."""
    args = ["mcp", "--store", str(store), "--user", "ana", *options]
    names = ("HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "PYTHONPATH")
    home = {name: os.environ[name] for name in names if name in os.environ}
    folder = Path(home["HOME"]) if cwd is None else cwd
    folder.mkdir(parents=True, exist_ok=True)
    return StdioServerParameters(command=HOLDFAST, args=args, env=home, cwd=folder)


@contextmanager
def http(store: Path, *options: str) -> Iterator[str]:
    """A server over streamable HTTP; gives its address."""
    command = [HOLDFAST, "mcp", "--http", "--port", "0", "--store", str(store), "--user", "ana", *options]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    assert process.stderr is not None
    with process.stderr:
        try:
            told = process.stderr.readline()
            assert "http://" in told, told + process.stderr.read()
            yield told.split()[-1]
        finally:
            process.terminate()
            process.wait(timeout=PATIENCE)


def using(
    server: StdioServerParameters | Inside | str,
    talk: Callable[[Client], Awaitable[None]],
    mode: Mode = "auto",
    **options: Any,
) -> None:
    """Talks to a server as a client."""

    async def main(target: Any) -> None:
        with anyio.fail_after(60):
            async with Client(target, mode=mode, **options) as client:
                await talk(client)

    if isinstance(server, Inside):
        _run_inside(server, main)
    else:
        anyio.run(main, server)


def _run_inside(server: Inside, main: Callable[[Any], Awaitable[None]]) -> None:
    failures: list[BaseException] = []

    def serve(profile: Profile, connection: Connection) -> None:
        try:
            anyio.run(main, InMemoryTransport(build(profile, lambda _: connection, connection.place_note)))
        except BaseException as error:
            failures.append(error)
            raise

    with chdir(server.folder), patch("holdfast.cli.mcp._serve_stdio", serve):
        result = CliRunner().invoke(cli, server.args)
    if failures:
        raise failures[0]
    assert result.exit_code == 0, (result.exit_code, result.stdout, result.stderr)


async def call_tool(client: Client, name: str, **arguments: Any) -> dict[str, Any]:
    """What a tool answers; its structured output is as its schema says, and its text says the same."""
    result = await client.call_tool(name, arguments)
    assert not result.is_error, result.content
    tools = {tool.name: tool for tool in (await client.list_tools()).tools}
    return checked(tools[name], result)


def checked(tool: Tool, result: CallToolResult) -> dict[str, Any]:
    """The structured output of a result, checked against the schema of its tool."""
    assert tool.output_schema is not None
    Draft202012Validator(tool.output_schema).validate(result.structured_content)
    assert [content.type for content in result.content] == ["text"]
    assert json.loads(result.content[0].text) == result.structured_content  # type: ignore[union-attr]
    answer: dict[str, Any] = result.structured_content
    return answer


async def refused(client: Client, name: str, **arguments: Any) -> str:
    """The code of the error that a tool answers; the answer shows no trace of where it came from."""
    result = await client.call_tool(name, arguments)
    assert result.is_error
    assert result.structured_content is None
    text = result.content[0].text  # type: ignore[union-attr]
    assert "Traceback" not in text
    assert 'File "' not in text
    error = (result.meta or {})["holdfast/error"]
    assert text.startswith(f"{error['code']}: {error['message']}.")
    assert (error["hint"] is None) == ("Hint: " not in text)
    code: str = error["code"]
    return code
