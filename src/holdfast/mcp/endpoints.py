"""The paths of MCP in the HTTP service; what answers there is loaded by the first request, as it is slow."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import anyio
from starlette.types import Receive, Scope, Send

from holdfast.mcp.profiles import DEFAULT, PROFILES
from holdfast.stores.base.clock import wall_clock

if TYPE_CHECKING:
    from anyio.abc import TaskGroup, TaskStatus
    from mcp.server.streamable_http_manager import StreamableHTTPSessionManager

    from holdfast.stores.base.ports import Clock

PATH = "/mcp"


class Endpoints:
    """The ASGI application below `PATH`: the default profile there, each other one under its name.

    Every request is independent and has its own credential: there are no sessions to hijack and no streams to
    keep open. The query parameters `project` and `session` give the client's place; with a project it is
    bound to it, unless the address has `all_projects` or `personal`.
    """

    def __init__(self, clock: Clock = wall_clock) -> None:
        self._clock = clock
        self._managers: dict[str, StreamableHTTPSessionManager] = {}

    @property
    def paths(self) -> tuple[str, ...]:
        """Returns the paths that it serves, with POST only."""
        return tuple(profiles())

    @asynccontextmanager
    async def run(self) -> AsyncIterator[None]:
        """Serves requests until the context exits."""
        self._starting = anyio.Lock()
        async with anyio.create_task_group() as tasks:
            self._tasks: TaskGroup = tasks
            yield
            tasks.cancel_scope.cancel()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        scope["operation"] = "mcp"
        async with self._starting:
            if not self._managers:
                self._managers = await self._started()
        await self._managers[scope["path"]].handle_request(scope, receive, send)

    async def _started(self) -> dict[str, StreamableHTTPSessionManager]:
        managers = await anyio.to_thread.run_sync(_loaded, self._clock)
        for manager in managers.values():
            await self._tasks.start(_running, manager)
        return managers


def profiles() -> dict[str, str]:
    """Returns the profile at each path."""
    return {PATH if name == DEFAULT else f"{PATH}/{name}": name for name in PROFILES}


def _loaded(clock: Clock) -> dict[str, StreamableHTTPSessionManager]:
    """Loads the SDK, in a thread as it is slow, and returns the manager of each path. All count what clients
    without a session store in one `Room`."""
    from holdfast.mcp.connection import WINDOW, Room
    from holdfast.mcp.service import manager_of

    room = Room(clock, WINDOW)
    return {path: manager_of(name, room) for path, name in profiles().items()}


async def _running(manager: StreamableHTTPSessionManager, *, task_status: TaskStatus[None]) -> None:
    async with manager.run():
        task_status.started()
        await anyio.sleep_forever()
