"""How long an MCP client waits for the first list of tools: `holdfast mcp` beside a bare server of the SDK.

python -m benchmarks.mcp_start [--runs N]

Both are processes that are started in turn, N times each; what is compared is the median. The bare server
has one tool and does nothing else. Fails above the ratio that is promised.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

PROMISED = 1.3
BARE = """
import anyio
import mcp_types as types
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server

async def list_tools(context, params):
    return types.ListToolsResult(tools=[types.Tool(name="echo", input_schema={"type": "object"})])

async def main():
    server = Server("bare", on_list_tools=list_tools)
    async with stdio_server() as (incoming, outgoing):
        await server.run(incoming, outgoing, server.create_initialization_options())

anyio.run(main)
"""
HANDSHAKE = {
    "protocolVersion": "2025-06-18",
    "capabilities": {},
    "clientInfo": {"name": "benchmark", "version": "1"},
}


def seconds_to_tools(command: list[str]) -> float:
    """From starting a server to its list of tools, as a client sees it."""
    began = time.perf_counter()
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as server:
        assert server.stdin is not None
        assert server.stdout is not None

        def send(method: str, id: int | None = None, **params: Any) -> None:
            message = {"jsonrpc": "2.0", "method": method, "params": params}
            assert server.stdin is not None
            server.stdin.write(json.dumps(message if id is None else {**message, "id": id}).encode() + b"\n")
            server.stdin.flush()

        send("initialize", 1, **HANDSHAKE)
        server.stdout.readline()
        send("notifications/initialized")
        send("tools/list", 2)
        tools = json.loads(server.stdout.readline())["result"]["tools"]
        took = time.perf_counter() - began
        assert tools
        server.stdin.close()
        server.wait(timeout=20)
    return took


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--runs", type=int, default=15, help="starts of each (15)")
    runs = parser.parse_args().runs
    with tempfile.TemporaryDirectory() as folder:
        store = str(Path(folder) / "bench.db")
        holdfast = [str(Path(sys.executable).with_name("holdfast")), "mcp", "--store", store]
        servers = {"bare": [sys.executable, "-c", BARE], "holdfast": holdfast}
        took: dict[str, list[float]] = {name: [] for name in servers}
        for turn in range(runs + 1):
            for name, command in servers.items():
                seconds = seconds_to_tools(command)
                if turn:  # the first start of each fills the caches of the file system
                    took[name].append(seconds)
    middle = {name: statistics.median(times) for name, times in took.items()}
    for name, times in took.items():
        print(
            f"{name:<9} median {middle[name] * 1e3:6.0f} ms   best {min(times) * 1e3:6.0f} ms   {runs} runs"
        )
    ratio = middle["holdfast"] / middle["bare"]
    print(f"ratio {ratio:.2f} (promised: at most {PROMISED})")
    return int(ratio > PROMISED)


if __name__ == "__main__":
    sys.exit(main())
