"""`AsyncMemory`: the operations of `Memory` as coroutines, over threads or over asynchronous HTTP."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Iterator, Mapping
from itertools import islice
from typing import TYPE_CHECKING, Any, Self, cast

from holdfast.api.asynchronous_areas import (
    AREAS,
    AsyncAgents,
    AsyncAudit,
    AsyncBackups,
    AsyncConsents,
    AsyncDescribed,
    AsyncEntities,
    AsyncFacts,
    AsyncFolders,
    AsyncJobs,
    AsyncKeys,
    AsyncMaps,
    AsyncMembers,
    AsyncModels,
    AsyncProjects,
    AsyncRetention,
    AsyncReview,
    AsyncSessions,
    AsyncSources,
    Mirror,
    awaitable,
)
from holdfast.api.memory import Memory
from holdfast.api.remote import Remote
from holdfast.stores.base.clock import wall_clock

if TYPE_CHECKING:
    from holdfast.api.operation import Operation
    from holdfast.stores.base.ports import Clock, Embedder

LINES_AT_ONCE = 200
"""Lines of an export that one call in a thread generates."""


class AsyncMemory(Mirror):
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

    remember = awaitable(Memory.remember)
    never = awaitable(Memory.never)
    remember_many = awaitable(Memory.remember_many)
    add_messages = awaitable(Memory.add_messages)
    extract = awaitable(Memory.extract)
    insights = awaitable(Memory.insights)
    queue_insights = awaitable(Memory.queue_insights)
    learn = awaitable(Memory.learn)
    log_positions = awaitable(Memory.log_positions)
    add_episode = awaitable(Memory.add_episode)
    revise = awaitable(Memory.revise)
    pin = awaitable(Memory.pin)
    forget = awaitable(Memory.forget)
    redact = awaitable(Memory.redact)
    scan = awaitable(Memory.scan)
    scan_queue = awaitable(Memory.scan_queue)
    scan_decide = awaitable(Memory.scan_decide)
    delete_all = awaitable(Memory.delete_all)
    restore = awaitable(Memory.restore)
    reconcile = awaitable(Memory.reconcile)
    recall = awaitable(Memory.recall)
    recall_scopes = awaitable(Memory.recall_scopes)
    ask = awaitable(Memory.ask)
    about = awaitable(Memory.about)
    correct = awaitable(Memory.correct)
    dismiss = awaitable(Memory.dismiss)
    answer = awaitable(Memory.answer)
    context = awaitable(Memory.context)
    stats = awaitable(Memory.stats)
    get = awaitable(Memory.get)
    resolve_id = awaitable(Memory.resolve_id)
    list = awaitable(Memory.list)
    kinds = awaitable(Memory.kinds)
    count = awaitable(Memory.count)
    facets = awaitable(Memory.facets)
    related = awaitable(Memory.related)
    deliveries = awaitable(Memory.deliveries)
    citations = awaitable(Memory.citations)
    history = awaitable(Memory.history)
    maintain = awaitable(Memory.maintain)
    doctor = awaitable(Memory.doctor)
    quality = awaitable(Memory.quality)
    record_quality = awaitable(Memory.record_quality)
    accept_loss = awaitable(Memory.accept_loss)

    def __init__(
        self,
        path: str | os.PathLike[str] | None = None,
        *,
        user: str | None = None,
        agent: str | None = None,
        key_file: str | os.PathLike[str] | None = None,
        api_key: str | None = None,
        timeout: float = 30.0,
        embedder: Embedder | None = None,
        clock: Clock = wall_clock,
    ) -> None:
        opened = Memory(
            path, user=user, agent=agent, key_file=key_file, api_key=api_key, timeout=timeout,
            embedder=embedder, clock=clock,
        )  # fmt: skip
        self._mirror(opened)

    def _mirror(self, memory: Memory) -> None:
        """Sets the memory whose operations this one runs, and those of its areas."""
        self._target = self._memory = memory
        for name, mirror in AREAS.items():
            area = mirror()
            area._target = getattr(memory, name)
            setattr(self, name, area)

    def as_user(self, user: str, *, agent: str | None = None) -> Self:
        """Returns a memory that acts as another user of the same store; see `Memory.as_user`."""
        memory = type(self).__new__(type(self))
        memory._mirror(self._memory.as_user(user, agent=agent))
        return memory

    def with_consent(self) -> Self:
        """Returns a memory with which an agent does what its user agreed to; see `Memory.with_consent`."""
        memory = type(self).__new__(type(self))
        memory._mirror(self._memory.with_consent())
        return memory

    @property
    def is_remote(self) -> bool:
        """Returns whether a service runs the operations, rather than this process."""
        return self._memory.is_remote

    @property
    def path(self) -> str:
        """Returns the path or address of the store, or the address of the service."""
        return self._memory.path

    @property
    def lost(self) -> str | None:
        """Returns what acknowledged history is missing from the store; see `Memory.lost`."""
        return self._memory.lost

    async def export(
        self,
        *,
        format: str = "jsonl",
        user_data: bool = False,
        metadata: Mapping[str, Any] | str | None = None,
    ) -> AsyncIterator[str]:
        """Exports everything that the user owns as lines of text, generated while they are read; see
        `Memory.export`.

        async for line in await memory.export(): …
        """
        options = {"format": format, "user_data": user_data, "metadata": metadata}
        backend = self._memory._backend
        if isinstance(backend, Remote):
            operation: Operation = Memory.export.operation  # type: ignore[attr-defined]
            return cast("AsyncIterator[str]", await backend.run_async(operation, (), options))
        return _in_threads(await asyncio.to_thread(self._memory.export, **options))  # type: ignore[arg-type]

    async def is_available(self, *, timeout: float = 1.0) -> bool:
        """Returns whether the store can be read, or the service answers within `timeout` seconds that it can.
        It asks once, raises nothing and needs no credential, so that a program can go on without memory.
        """
        return await asyncio.to_thread(self._memory.is_available, timeout=timeout)

    async def close(self) -> None:
        """Writes pending data and closes the store or the connections. May be called more than once."""
        backend = self._memory._backend
        if isinstance(backend, Remote):
            await backend.close_async()
        else:
            await asyncio.to_thread(backend.close)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()


async def _in_threads(lines: Iterator[str]) -> AsyncIterator[str]:
    """Yields lines that are generated in threads, so that the store is not read in the event loop."""
    while chunk := await asyncio.to_thread(lambda: list(islice(lines, LINES_AT_ONCE))):
        for line in chunk:
            yield line
