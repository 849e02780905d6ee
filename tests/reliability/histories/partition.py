"""A relay between clients and a server that cuts connections, holds them, or loses what the server
answers."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable
from contextlib import suppress

Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]


class Partition:
    """A relay in a thread of its own, from `here` to `there`: each is the path of a socket or a local
    port."""

    def __init__(self, here: str | int, there: str | int) -> None:
        self._here, self._there = here, there
        self._loop = asyncio.new_event_loop()
        self._writers: set[asyncio.StreamWriter] = set()
        self._muted: set[asyncio.StreamWriter] = set()
        self._is_cut = False
        self._passing = asyncio.Event()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)

    def __enter__(self) -> Partition:
        self._thread.start()
        self._run(self._start)
        return self

    def __exit__(self, *_: object) -> None:
        self.cut()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()

    def cut(self) -> None:
        """Closes all connections, and every new one until it is healed."""
        self._is_cut = True
        self._run(self._close)

    def hold(self) -> None:
        """Passes nothing on until it is healed; nothing is lost."""
        self._loop.call_soon_threadsafe(self._passing.clear)

    def mute(self) -> None:
        """Loses what the server sends on the connections that there are, and goes on passing what is sent to
        it."""
        self._loop.call_soon_threadsafe(lambda: self._muted.update(self._writers))

    def heal(self) -> None:
        """Lets everything pass; connections that lost something are closed."""
        self._is_cut = False
        self._run(self._close_muted)
        self._loop.call_soon_threadsafe(self._passing.set)

    def _run(self, what: Callable[[], Awaitable[None]]) -> None:
        async def call() -> None:
            await what()

        asyncio.run_coroutine_threadsafe(call(), self._loop).result(10)

    async def _start(self) -> None:
        self._passing.set()
        if isinstance(self._here, int):
            await asyncio.start_server(self._serve, "127.0.0.1", self._here)
        else:
            await asyncio.start_unix_server(self._serve, self._here)

    async def _close(self) -> None:
        for writer in list(self._writers):
            writer.transport.abort()

    async def _close_muted(self) -> None:
        for writer in list(self._muted):
            writer.transport.abort()
        self._muted.clear()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self._is_cut:
            writer.transport.abort()
            return
        try:
            if isinstance(self._there, int):
                back, ahead = await asyncio.open_connection("127.0.0.1", self._there)
            else:
                back, ahead = await asyncio.open_unix_connection(self._there)
        except OSError:
            writer.transport.abort()
            return
        self._writers |= {writer, ahead}
        try:
            await asyncio.gather(self._pass(reader, ahead), self._pass(back, writer, answers=True))
        finally:
            for one in (writer, ahead):
                self._writers.discard(one)
                one.transport.abort()

    async def _pass(
        self, source: asyncio.StreamReader, target: asyncio.StreamWriter, *, answers: bool = False
    ) -> None:
        with suppress(OSError):
            while some := await source.read(65_536):
                await self._passing.wait()
                if answers and target in self._muted:
                    continue
                target.write(some)
                await target.drain()
        with suppress(OSError):
            if target.can_write_eof():
                target.write_eof()
