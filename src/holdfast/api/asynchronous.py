"""`AsyncMemory`: the operations of `Memory` as coroutines, over threads or over asynchronous HTTP."""

from __future__ import annotations

import asyncio
import functools
import inspect
from collections.abc import Callable
from typing import Any, Self

from holdfast.api.agents import Agents
from holdfast.api.audit import Audit
from holdfast.api.backups import Backups
from holdfast.api.consents import Consents
from holdfast.api.described import Described
from holdfast.api.entities import Entities
from holdfast.api.facts import Facts
from holdfast.api.folders import Folders
from holdfast.api.jobs import Jobs
from holdfast.api.keys import Keys
from holdfast.api.maps import Maps
from holdfast.api.members import Members
from holdfast.api.memory import Memory
from holdfast.api.models import Models
from holdfast.api.operation import Operation
from holdfast.api.projects import Projects
from holdfast.api.remote import Remote
from holdfast.api.retention import Retention
from holdfast.api.review import Review
from holdfast.api.sessions import Sessions
from holdfast.api.sources import Sources


def _awaitable(function: Callable[..., Any]) -> Callable[..., Any]:
    """Returns a method as a coroutine function: an asynchronous request if the memory is a service, else a
    call in a thread.
    """
    declared: Operation | None = getattr(function, "operation", None)

    @functools.wraps(function)
    async def call(self: _Mirror, *args: Any, **options: Any) -> Any:
        backend = self._target._backend
        if declared is not None and isinstance(backend, Remote):
            return await backend.run_async(declared, args, options)
        return await asyncio.to_thread(function, self._target, *args, **options)

    return call


class _Mirror:
    """Gives a class the public methods of another as coroutines, with the same signatures and docstrings."""

    _target: Any

    def __init_subclass__(cls, mirrors: type) -> None:
        for name, member in vars(mirrors).items():
            if not name.startswith("_") and name not in vars(cls) and inspect.isfunction(member):
                setattr(cls, name, _awaitable(member))

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(self._target, name)


class AsyncProjects(_Mirror, mirrors=Projects):
    """`Projects` with awaitable methods."""


class AsyncSessions(_Mirror, mirrors=Sessions):
    """`Sessions` with awaitable methods."""


class AsyncSources(_Mirror, mirrors=Sources):
    """`Sources` with awaitable methods."""


class AsyncFolders(_Mirror, mirrors=Folders):
    """`Folders` with awaitable methods."""


class AsyncDescribed(_Mirror, mirrors=Described):
    """`Described` with awaitable methods."""


class AsyncEntities(_Mirror, mirrors=Entities):
    """`Entities` with awaitable methods."""


class AsyncJobs(_Mirror, mirrors=Jobs):
    """`Jobs` with awaitable methods."""


class AsyncFacts(_Mirror, mirrors=Facts):
    """`Facts` with awaitable methods."""


class AsyncMaps(_Mirror, mirrors=Maps):
    """`Maps` with awaitable methods."""


class AsyncKeys(_Mirror, mirrors=Keys):
    """`Keys` with awaitable methods."""


class AsyncMembers(_Mirror, mirrors=Members):
    """`Members` with awaitable methods."""


class AsyncModels(_Mirror, mirrors=Models):
    """`Models` with awaitable methods."""


class AsyncReview(_Mirror, mirrors=Review):
    """`Review` with awaitable methods."""


class AsyncConsents(_Mirror, mirrors=Consents):
    """`Consents` with awaitable methods."""


class AsyncRetention(_Mirror, mirrors=Retention):
    """`Retention` with awaitable methods."""


class AsyncAudit(_Mirror, mirrors=Audit):
    """`Audit` with awaitable methods."""


class AsyncAgents(_Mirror, mirrors=Agents):
    """`Agents` with awaitable methods."""


class AsyncBackups(_Mirror, mirrors=Backups):
    """`Backups` with awaitable methods."""


_AREAS: dict[str, type[_Mirror]] = {
    "projects": AsyncProjects,
    "sessions": AsyncSessions,
    "sources": AsyncSources,
    "folders": AsyncFolders,
    "described": AsyncDescribed,
    "entities": AsyncEntities,
    "jobs": AsyncJobs,
    "facts": AsyncFacts,
    "maps": AsyncMaps,
    "members": AsyncMembers,
    "keys": AsyncKeys,
    "models": AsyncModels,
    "review": AsyncReview,
    "consents": AsyncConsents,
    "retention": AsyncRetention,
    "audit": AsyncAudit,
    "agents": AsyncAgents,
    "backups": AsyncBackups,
}


class AsyncMemory(_Mirror, mirrors=Memory):
    """`Memory` with awaitable methods and the same signatures.

    Over a store every call runs in a thread; over a service it is an asynchronous request.

    async with AsyncMemory("team.db") as memory:
        await memory.remember("…")
        await memory.projects.create("shop")
    """

    projects: AsyncProjects
    sessions: AsyncSessions
    sources: AsyncSources
    folders: AsyncFolders
    described: AsyncDescribed
    entities: AsyncEntities
    jobs: AsyncJobs
    facts: AsyncFacts
    maps: AsyncMaps
    members: AsyncMembers
    keys: AsyncKeys
    review: AsyncReview
    models: AsyncModels
    consents: AsyncConsents
    retention: AsyncRetention
    audit: AsyncAudit
    agents: AsyncAgents
    backups: AsyncBackups

    def __init__(self, *args: Any, **options: Any) -> None:
        self._mirror(Memory(*args, **options))

    def _mirror(self, memory: Memory) -> None:
        self._target = memory
        for name, mirror in _AREAS.items():
            area = mirror()
            area._target = getattr(self._target, name)
            setattr(self, name, area)

    def as_user(self, user: str, *, agent: str | None = None) -> Self:
        """Returns a memory that acts as another user of the same store; see `Memory.as_user`."""
        memory = type(self).__new__(type(self))
        memory._mirror(self._target.as_user(user, agent=agent))
        return memory

    async def is_available(self, *, timeout: float = 1.0) -> bool:
        """Returns whether the store can be read, or the service answers within `timeout` seconds that it can.
        It asks once, raises nothing and needs no credential, so that a program can go on without memory.
        """
        return await asyncio.to_thread(self._target.is_available, timeout=timeout)

    async def close(self) -> None:
        """Writes pending data and closes the store or the connections. May be called more than once."""
        backend = self._target._backend
        if isinstance(backend, Remote):
            await backend.close_async()
        else:
            await asyncio.to_thread(backend.close)

    async def __aenter__(self) -> AsyncMemory:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()
