"""Servers as processes: they end with their client, share a file, and lose nothing they confirmed."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client

from holdfast import HoldfastError, Memory
from holdfast.core.extras import how_to_install
from holdfast.mcp.profiles import profile_named
from holdfast.mcp.tools import ClientContext, run_tool
from tests.cli.support import HOLDFAST, process
from tests.mcp.support import HANDSHAKE, call_tool, refused, stdio, using
from tests.support import PATIENCE


def started(store: Path) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [HOLDFAST, "mcp", "--store", str(store)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def send_message(server: subprocess.Popen[bytes], **message: Any) -> Any:
    assert server.stdin is not None
    assert server.stdout is not None
    server.stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
    server.stdin.flush()
    return json.loads(server.stdout.readline())


def opened(server: subprocess.Popen[bytes]) -> None:
    assert send_message(server, **HANDSHAKE)["result"]["serverInfo"]["name"] == "holdfast"
    assert server.stdin is not None
    server.stdin.write(b'{"jsonrpc": "2.0", "method": "notifications/initialized"}\n')


def remember(server: subprocess.Popen[bytes], id: int, text: str) -> Any:
    params = {"name": "remember", "arguments": {"text": text}}
    return send_message(server, id=id, method="tools/call", params=params)["result"]["structuredContent"]


def test_it_ends_when_the_client_goes_away(tmp_path: Path) -> None:
    with started(tmp_path / "a.db") as server:
        opened(server)
        assert remember(server, 2, "The cart is in Redis")["kept"]
        assert server.stdin is not None
        server.stdin.close()
        assert server.wait(timeout=PATIENCE) == 0
        assert server.stderr is not None
        assert server.stderr.read() == b""


def test_it_ends_without_a_word_from_a_client() -> None:
    completed = process("mcp")
    assert (completed.returncode, completed.stdout, completed.stderr) == (0, b"", b"")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_what_it_confirmed_is_kept_however_it_ends(number: signal.Signals, tmp_path: Path) -> None:
    with started(tmp_path / "a.db") as server:
        opened(server)
        assert remember(server, 2, "The cart is in Redis")["kept"]
        server.send_signal(number)
        assert server.wait(timeout=PATIENCE) == -number
    with Memory(tmp_path / "a.db") as memory:
        assert [hit.memory.text for hit in memory.recall("cart")] == ["The cart is in Redis"]
        memory.audit.verify()


def test_what_is_no_message_is_answered_and_survived(tmp_path: Path) -> None:
    with started(tmp_path / "a.db") as server:
        assert server.stdin is not None
        opened(server)
        assert server.stdout is not None
        for line in (b"no json", b"[]", b'{"jsonrpc": "2.0"}', b"\xff\xfe", b"[" * 10_000):
            server.stdin.write(line + b"\n")
        server.stdin.flush()
        refused = [json.loads(server.stdout.readline())["error"]["code"] for _ in range(5)]
        assert refused == [-32700, -32600, -32600, -32700, -32700]
        assert send_message(server, id=9, method="ping")["id"] == 9
        assert remember(server, 11, "Half of an emoji: \ud83d")["kept"]
        assert "error" in send_message(server, id=10, method="no/such")


def test_several_servers_share_one_file(tmp_path: Path) -> None:
    """What one has confirmed, the other finds at once; nothing is lost and nobody meets a lock."""
    texts = [[f"Fact {letter}{n} about topic {letter}{n}" for n in range(15)] for letter in "xy"]

    async def main() -> None:
        store = tmp_path / "team.db"
        with anyio.fail_after(60):
            async with Client(stdio(store)) as one, Client(stdio(store)) as two:
                async with anyio.create_task_group() as group:
                    group.start_soon(_keep, one, texts[0])
                    group.start_soon(_keep, two, texts[1])
                for client in (one, two):
                    for own in texts:
                        found = await call_tool(client, "recall", query=own[-1], limit=1)
                        assert [hit["text"] for hit in found["memories"]] == own[-1:]

    async def _keep(client: Client, own: list[str]) -> None:
        for text in own:
            assert (await call_tool(client, "remember", text=text))["outcome"] == "created"

    anyio.run(main)
    with Memory(tmp_path / "team.db", user="ana") as memory:
        assert memory.count() == 30
        memory.audit.verify()


def test_a_store_that_cannot_be_opened_is_an_error_of_the_call(tmp_path: Path) -> None:
    """S4.41: the server starts and lists its tools; when the store can be opened, the next call succeeds."""
    store = tmp_path / "no store.db"
    store.write_text("this is no database, whatever its name says")

    async def talk(client: Client) -> None:
        assert len((await client.list_tools()).tools) == 12
        assert await refused(client, "recall", query="cart") == "store_not_a_database"
        with pytest.raises(Exception, match="store_not_a_database"):
            await client.list_resources()
        os.unlink(store)
        assert (await call_tool(client, "recall", query="cart"))["memories"] == []

    using(stdio(store), talk)


def test_what_a_person_pinned_is_not_the_agents_to_change(tmp_path: Path) -> None:
    """An agent without a label is an agent all the same."""
    with Memory(tmp_path / "team.db", user="ana") as memory:
        result = memory.remember("Deploys go through CI only", kind="convention")
        assert result.memory is not None
        memory.pin(result.memory.id)
        id = result.memory.id

    async def talk(client: Client) -> None:
        assert await refused(client, "forget", id=id) == "edited_by_person"

    using(stdio(tmp_path / "team.db"), talk)


def test_it_ends_when_its_client_is_killed(tmp_path: Path) -> None:
    """No orphans: whoever started it may die without closing anything."""
    code = (
        "import subprocess, sys, time\n"
        "server = subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE, stdout=subprocess.PIPE)\n"
        "server.stdin.write(b'{}\\n')\n"
        "print(server.pid, flush=True)\n"
        "time.sleep(60)\n"
    )
    command = [sys.executable, "-c", code, HOLDFAST, "mcp", "--store", str(tmp_path / "a.db")]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as client:
        assert client.stdout is not None
        pid = int(client.stdout.readline())
        client.kill()
    deadline = time.monotonic() + PATIENCE
    while _lives(pid):
        assert time.monotonic() < deadline, "the server outlives its client"
        time.sleep(0.05)


def _lives(pid: int) -> bool:
    """Whether a process runs: one that has ended and that nobody waits for does not."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"


def test_without_the_sdk_it_says_what_to_install() -> None:
    code = "import sys; sys.modules['mcp_types'] = None; from holdfast.cli.main import main; main()"
    completed = subprocess.run(
        [sys.executable, "-c", code, "mcp", "--json"],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        stdin=subprocess.DEVNULL,
    )
    assert completed.returncode == 2
    error = json.loads(completed.stderr)["error"]
    assert (error["code"], error["hint"]) == (
        "extra_missing",
        how_to_install("mcp"),
    )


def test_an_unexpected_error_is_told_by_its_type_alone(caplog: pytest.LogCaptureFixture) -> None:
    """Its message may quote a memory, so neither the client nor the log gets it."""
    tool = replace(profile_named("search-fetch").tools[0], call=_fails)
    with caplog.at_level("INFO", "holdfast.mcp"), pytest.raises(HoldfastError) as caught:
        run_tool(tool, lambda: None, ClientContext(), {"query": "x"})  # type: ignore[arg-type,return-value]
    assert caught.value.code == "internal_error"
    assert "ZeroDivisionError" in caught.value.message
    assert "secret" not in str(caught.value) + caplog.text


def _fails(*_: object) -> dict[str, Any]:
    raise ZeroDivisionError("a secret text")
