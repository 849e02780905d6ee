"""Watches folders and queues their indexing soon after something in them changes (S1.67)."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from importlib.util import find_spec
from pathlib import Path

from holdfast.core.errors import HoldfastError
from holdfast.core.folders import Folder
from holdfast.features.files import folders
from holdfast.features.service import Service

log = logging.getLogger("holdfast.watch")

DEBOUNCE = 1_500
"""Milliseconds without another change after which a burst of changes is indexed."""
_TRIED_AGAIN = 10.0
"""Seconds after which failed watching is retried, with a scan of every folder."""


class Watcher:
    """A watcher of every folder of the tenant with watching enabled, whoever owns it.

    It queues indexing at the start, since anything may have happened before, and after every burst of
    changes. Folders that are added or removed while it runs are followed. A worker runs the jobs: one in this
    process scans only the reported paths (`core/changes`).
    """

    def __init__(
        self,
        service: Service,
        *,
        debounce: int = DEBOUNCE,
        on_queued: Callable[[Folder], None] = lambda _: None,
    ) -> None:
        self._service = service
        self._debounce = debounce
        self._on_queued = on_queued
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="holdfast-watcher", daemon=True)

    def start(self) -> None:
        """Watches in a thread of its own until `stop`. Raises HoldfastError `extra_missing`."""
        from holdfast.features.reading.optional_packages import missing_extra

        if not can_watch():
            raise missing_extra(ModuleNotFoundError(name="watchfiles"), "code")
        self._thread.start()

    def stop(self) -> None:
        """Stops watching and waits for the thread."""
        self._stop.set()
        if self._thread.is_alive():
            self._thread.join()
        self._service.changes.forget()

    def _run(self) -> None:
        """Watches the folders until it is stopped; after an error it starts again."""
        from holdfast.features.files.watching import watch

        roots = _Roots(self._service)
        while not self._stop.is_set():
            try:
                on_change, store = partial(self._changed, roots), self._service.store.location
                watch(roots, on_change, self._stop, self._debounce, store=store)
            except Exception as error:  # a store that is busy or full, or the like: try again later
                log.warning(
                    "folders cannot be watched for now: %s", getattr(error, "code", type(error).__name__)
                )
                self._service.changes.forget()
                self._stop.wait(_TRIED_AGAIN)

    def _changed(self, roots: _Roots, id: str, paths: frozenset[str]) -> None:
        """Queues the indexing of the changed paths of a folder; does nothing for one that is gone."""
        # it may have been deleted since the last read
        folder = roots.folders.get(id) if id in list(roots) else None
        if folder is not None:
            folders.queue_for_owner(self._service, folder, paths)
            self._on_queued(folder)


class _Roots(Mapping[str, Path]):
    """The folders to watch, read from the store at each iteration."""

    def __init__(self, service: Service) -> None:
        self._service = service
        self._failure: str | None = None
        self.folders: dict[str, Folder] = {}

    def __iter__(self) -> Iterator[str]:
        failure = None
        try:
            self.folders = {folder.id: folder for folder in folders.to_watch(self._service)}
        except HoldfastError as error:  # as before, until the store can be read again
            failure = error.code
        if failure not in (None, self._failure):  # once, not each second for as long as a server is away
            log.warning("the folders to watch cannot be read: %s", failure)
        self._failure = failure
        return iter(list(self.folders))

    def __getitem__(self, id: str) -> Path:
        return Path(self.folders[id].root)

    def __len__(self) -> int:
        return len(self.folders)


def can_watch() -> bool:
    """Returns whether the extra for watching is installed."""
    return find_spec("watchfiles") is not None
