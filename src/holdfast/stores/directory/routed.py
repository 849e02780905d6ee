"""A tenant that is found by a directory, and followed when it is moved to another server."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from holdfast.core.errors import StoreError, StoreMoved
from holdfast.stores.base.registry import backend_of
from holdfast.stores.base.tenant_directory import parsed, read_directory
from holdfast.stores.base.wrapper import StoreWrapper

if TYPE_CHECKING:
    from holdfast.config import Settings
    from holdfast.stores.base.backend import Opened
    from holdfast.stores.base.keys import Key
    from holdfast.stores.base.ports import Reader, Store, Writer
    from holdfast.stores.base.replays import Replay

PATIENCE = 10.0
"""Seconds to wait for a tenant that is between two servers."""
STEP = 0.05
LEFT = ("store_closed", "store_connection_lost", "store_busy")
"""What is said of a tenant whose connections are being closed, before anything was done."""

T = TypeVar("T")


def resolved(settings: Settings) -> Settings:
    """Returns settings that name the tenant where the directory says it is. Raises InvalidInput, NotFound."""
    path, tenant = parsed(settings.store)
    directory = read_directory(path)
    return replace(settings, store=directory.address(directory.server_of(tenant), tenant))


class Route:
    """The way to a tenant: opened where it is, and opened anew when it has moved."""

    def __init__(self, settings: Settings, *, create: bool) -> None:
        self._settings = settings
        self._lock = threading.Lock()
        self._opened = self._open(create=create)

    @property
    def opened(self) -> Opened:
        return self._opened

    def run(self, act: Callable[[Opened], T]) -> T:
        """Runs something on the tenant, again where it has moved to. Raises StoreMoved if that takes too
        long."""
        until = time.monotonic() + PATIENCE
        while True:
            opened = self._opened
            try:
                return act(opened)
            except StoreMoved:
                if time.monotonic() > until:
                    raise
            except StoreError as error:  # another thread has left this one behind meanwhile
                if error.code not in LEFT or self._opened is opened:
                    raise
            self._follow(opened)

    def _follow(self, before: Opened) -> None:
        """Opens the tenant where it is now, unless another thread has."""
        with self._lock:
            if self._opened is not before:
                return
            try:
                self._opened = self._open(create=False)
            except StoreMoved:  # between two servers
                time.sleep(STEP)
                return
        before.store.close()

    def _open(self, *, create: bool) -> Opened:
        """Opens the tenant at the server that the directory names, or at the one it was moved to: then the
        move may have been interrupted before the directory was changed, and its copy is whole."""
        path, tenant = parsed(self._settings.store)
        directory = read_directory(path)
        server, moved_from = directory.server_of(tenant), None
        for _ in directory.servers:
            settings = replace(self._settings, store=directory.address(server, tenant))
            backend = backend_of(settings.store)
            try:
                return backend.open(settings, create=create)
            except StoreMoved as moved:
                if moved.to is not None:
                    server, moved_from = moved.to, server
                elif moved_from is not None and backend.moves is not None:
                    backend.moves.settle(settings, here=moved_from)
                else:
                    raise
        return backend.open(settings, create=create)


class RoutedStore(StoreWrapper):
    """The store of a tenant that is found by a directory."""

    def __init__(self, route: Route) -> None:
        self._route = route

    @property
    def _store(self) -> Store:  # type: ignore[override]  # where it is now
        return self._route.opened.store

    @contextmanager
    def read(self) -> Iterator[Reader]:
        with ExitStack() as stack:
            yield self._entered(stack, lambda opened: opened.store.read())

    @contextmanager
    def write(self, *, patience: int | None = None) -> Iterator[Writer]:
        with ExitStack() as stack:
            yield self._entered(stack, lambda opened: opened.store.write(patience=patience))

    def _entered(self, stack: ExitStack, enter: Callable[[Opened], AbstractContextManager[T]]) -> T:
        return self._route.run(lambda opened: stack.enter_context(enter(opened)))

    @property
    def digest_key(self) -> bytes:
        return self._route.run(lambda opened: opened.store.digest_key)

    def scrub(self) -> None:
        self._route.run(lambda opened: opened.store.scrub())

    def accept(self) -> None:
        self._route.run(lambda opened: opened.store.accept())


class RoutedSpool:
    """The payloads of jobs of such a tenant."""

    def __init__(self, route: Route) -> None:
        self._route = route

    def put(self, id: str, content: bytes) -> None:
        self._route.run(lambda opened: opened.spool.put(id, content))

    def read(self, id: str) -> bytes:
        return self._route.run(lambda opened: opened.spool.read(id))

    def drop(self, id: str) -> None:
        self._route.run(lambda opened: opened.spool.drop(id))

    def kept(self) -> list[tuple[str, int]]:
        return self._route.run(lambda opened: opened.spool.kept())


class RoutedKeys:
    """The API keys of such a tenant."""

    def __init__(self, route: Route) -> None:
        self._route = route

    def all(self) -> Sequence[Key]:
        return self._route.run(lambda opened: opened.keys.all())

    def put(self, key: Key) -> None:
        self._route.run(lambda opened: opened.keys.put(key))

    def drop(self, id: str) -> None:
        self._route.run(lambda opened: opened.keys.drop(id))


class RoutedReplays:
    """The answers to repeat of such a tenant."""

    def __init__(self, route: Route) -> None:
        self._route = route

    def reserve(self, who: str, key: str, replay: Replay, *, now: int) -> Replay | None:
        return self._route.run(lambda opened: opened.replays.reserve(who, key, replay, now=now))

    def take_over(self, who: str, key: str, known: Replay, replay: Replay) -> Replay | None:
        return self._route.run(lambda opened: opened.replays.take_over(who, key, known, replay))

    def answer(self, who: str, key: str, replay: Replay) -> None:
        self._route.run(lambda opened: opened.replays.answer(who, key, replay))

    def release(self, who: str, key: str) -> None:
        self._route.run(lambda opened: opened.replays.release(who, key))

    def drop_old(self, now: int) -> None:
        self._route.run(lambda opened: opened.replays.drop_old(now))

    def blank(self) -> None:
        self._route.run(lambda opened: opened.replays.blank())
