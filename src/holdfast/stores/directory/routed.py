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
        self._current = self._open(create=create)

    @property
    def current(self) -> Opened:
        return self._current

    def run(self, act: Callable[[Opened], T]) -> T:
        """Runs something on the tenant, again where it has moved to. Raises StoreMoved if that takes too
        long."""
        until = time.monotonic() + PATIENCE
        while True:
            opened = self._current
            try:
                return act(opened)
            except StoreMoved:
                if time.monotonic() > until:
                    raise
            except StoreError as error:  # another thread has left this one behind meanwhile
                if error.code not in LEFT or self._current is opened:
                    raise
            self._follow(opened)

    def _follow(self, before: Opened) -> None:
        """Opens the tenant where it is now, unless another thread has."""
        with self._lock:
            if self._current is not before:
                return
            try:
                self._current = self._open(create=False)
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
        return self._route.current.store

    @contextmanager
    def read(self) -> Iterator[Reader]:
        with ExitStack() as stack:
            yield self._enter(stack, lambda target: target.store.read())

    @contextmanager
    def write(self, *, patience: int | None = None) -> Iterator[Writer]:
        with ExitStack() as stack:
            yield self._enter(stack, lambda target: target.store.write(patience=patience))

    def _enter(self, stack: ExitStack, enter: Callable[[Opened], AbstractContextManager[T]]) -> T:
        return self._route.run(lambda target: stack.enter_context(enter(target)))

    @property
    def digest_key(self) -> bytes:
        return self._route.run(lambda target: target.store.digest_key)

    def scrub(self) -> None:
        self._route.run(lambda target: target.store.scrub())

    def accept(self) -> None:
        self._route.run(lambda target: target.store.accept())


class RoutedSpool:
    """The payloads of jobs of such a tenant."""

    def __init__(self, route: Route) -> None:
        self._route = route

    def put(self, id: str, content: bytes) -> None:
        self._route.run(lambda target: target.spool.put(id, content))

    def read(self, id: str) -> bytes:
        return self._route.run(lambda target: target.spool.read(id))

    def drop(self, id: str) -> None:
        self._route.run(lambda target: target.spool.drop(id))

    def entries(self) -> list[tuple[str, int]]:
        return self._route.run(lambda target: target.spool.entries())


class RoutedKeys:
    """The API keys of such a tenant."""

    def __init__(self, route: Route) -> None:
        self._route = route

    def all(self) -> Sequence[Key]:
        return self._route.run(lambda target: target.keys.all())

    def put(self, key: Key) -> None:
        self._route.run(lambda target: target.keys.put(key))

    def drop(self, id: str) -> None:
        self._route.run(lambda target: target.keys.drop(id))


class RoutedReplays:
    """The answers to repeat of such a tenant."""

    def __init__(self, route: Route) -> None:
        self._route = route

    def reserve(self, caller: str, key: str, replay: Replay, *, now: int) -> Replay | None:
        return self._route.run(lambda target: target.replays.reserve(caller, key, replay, now=now))

    def take_over(self, caller: str, key: str, previous: Replay, replay: Replay) -> Replay | None:
        return self._route.run(lambda target: target.replays.take_over(caller, key, previous, replay))

    def answer(self, caller: str, key: str, replay: Replay) -> None:
        self._route.run(lambda target: target.replays.answer(caller, key, replay))

    def release(self, caller: str, key: str) -> None:
        self._route.run(lambda target: target.replays.release(caller, key))

    def drop_old(self, now: int) -> None:
        self._route.run(lambda target: target.replays.drop_old(now))

    def blank(self) -> None:
        self._route.run(lambda target: target.replays.blank())
