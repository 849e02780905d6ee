"""Indexes a folder: walks, compares, reads, cuts and stores new and changed files in batches (S1.57)."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from holdfast.core.arguments import safe_repr
from holdfast.core.errors import HoldfastError, InvalidInput, NotFound
from holdfast.core.folders import File, FileState, Folder, FolderState, Indexed, Renamed
from holdfast.features.files import folders
from holdfast.features.files.file_ingest import Item, prepared_batches, skipped_file
from holdfast.features.files.passages import Indexing, Reading
from holdfast.features.service import Service
from holdfast.stores.base.ports import Writer

if TYPE_CHECKING:
    from holdfast.features.reading.walking import FoundFile

BATCH_FILES = 64
"""Most files that are stored in one transaction."""
BATCH_BYTES = 1 << 19
"""Bytes of files after which a smaller batch is stored."""
UNLISTED = frozenset({"not_included", "rules_too_costly"})
"""Reasons that concern a whole source, or not the file itself: they are counted, not listed."""


def root_of(path: str | os.PathLike[str]) -> str:
    """Returns the real path of a folder. Raises InvalidInput `file_not_found` or `not_a_file`."""
    if not isinstance(path, str | os.PathLike):
        raise InvalidInput(f"root must be a path, not {safe_repr(path)}", code="argument_invalid")
    if not os.fspath(path):
        raise InvalidInput("the path is empty", code="file_not_found", hint="the current folder is `.`")
    try:
        real = os.path.realpath(path)
        real.encode()
    except ValueError:  # half a character, a NUL, or bytes that are no UTF-8
        raise InvalidInput(
            "the path of the folder is not UTF-8", code="argument_invalid", hint="rename the folder"
        ) from None
    if not os.path.isdir(real):
        is_there = os.path.exists(real)
        raise InvalidInput(
            f"{os.fspath(path)} {'is not a folder' if is_there else 'does not exist'}",
            code="not_a_file" if is_there else "file_not_found",
        )
    return real


def index_folder(
    service: Service,
    name: str,
    *,
    anew: bool = False,
    job: str | None = None,
    progress: Callable[[int, int], None] | None = None,
    hold: Callable[[Writer], None] = lambda *_: None,
) -> Indexed:
    """Indexes new and changed files in a folder of one's own; with `anew` everything is read again (S1.64).

    The id of a `job` that a watcher queued limits it to the reported changes (S1.67). `progress` is called
    with the number of files done and their total. What was stored before an error stays, and the next run
    continues from there (S1.66). `hold` is called in every transaction, and may roll it back by raising.
    Raises NotFound; InvalidInput for a missing folder or an invalid pattern; HoldfastError `extra_missing`.
    """
    with service.store.read() as snap:
        folder = folders.find_own_folder(snap, service, name)
    if folder.state is FolderState.DISABLED:
        raise InvalidInput(
            f"{folder.slug} is connected to no project", code="argument_invalid", hint="connect it first"
        )
    indexing = Indexing(service, folder, hold)
    paths = None
    if job is not None:
        paths = service.changes.take(folder.id, job, (folder.include, folder.exclude), service.clock())
    try:
        files = indexing.begin(paths)
        try:
            _Run(service, folder, indexing, files, anew, paths, progress or _ignore_progress).run()
        except (HoldfastError, KeyboardInterrupt) as error:
            with suppress(NotFound):  # it was removed meanwhile
                indexing.finish(getattr(error, "code", "interrupted"))
            raise
        indexing.finish()
        indexing.report.modules = _follow(service, folder, indexing.became, is_new=indexing.report.new > 0)
    except BaseException:
        service.changes.spoil(folder.id)
        raise
    return indexing.report


def _follow(
    service: Service, folder: Folder, became: dict[str, str | None], *, is_new: bool
) -> dict[str, tuple[str, ...]]:
    """Updates the module maps of the folder's projects with renamed and deleted files, and with those that
    are back among the new ones.

    A file that is merely excluded from now on stays in them. Returns the modules without source files since.
    """
    renamed = {old: new for old, new in became.items() if new is not None}
    removed = [
        path
        for path, new in became.items()
        if new is None and not os.path.lexists(os.path.join(folder.root, path))
    ]
    if renamed or removed or is_new:
        from holdfast.features.modulemap.module_maps import follow_files

        return follow_files(service, folder, renamed, removed)
    return {}


def _ignore_progress(_done: int, _total: int) -> None:
    """Ignores progress."""


class _Run:
    def __init__(
        self,
        service: Service,
        folder: Folder,
        indexing: Indexing,
        indexed: dict[str, File],
        anew: bool,
        paths: Collection[str] | None,
        advance: Callable[[int, int], None],
    ) -> None:
        self._service = service
        self._folder = folder
        self._root = Path(folder.root)
        self._indexing = indexing
        self._indexed = indexed
        self._anew = anew
        self._paths = paths
        self._requested = frozenset(paths or ())
        self._advance = advance
        self._paths_seen: set[str] = set()

    def run(self) -> None:
        todo, left = self._compared()
        missing = [file for path, file in self._indexed.items() if path not in self._paths_seen]
        renamed = self._renamed(missing, todo)
        done, total = 0, len(todo)
        self._advance(0, total)
        self._indexing.keep([Reading(file) for file in left])
        with closing(prepared_batches(self._service, self._folder, list(_batches(todo)))) as reading:
            for batch, readings in reading:
                self._indexing.keep(readings, renamed)
                done += len(batch)
                self._advance(done, total)
        if root_of(self._root) != self._folder.root:  # a removed folder must not look like an empty one
            raise InvalidInput(f"{self._root} is now reached through a symbolic link", code="not_a_file")
        self._indexing.remove([file for file in missing if file.number not in self._indexing.moved])

    def _renamed(self, removed: Sequence[File], todo: Sequence[Item]) -> Renamed:
        """Returns the known renames of files that are gone."""
        added = [file for file in todo if file.path not in self._indexed]
        if not (removed and added):
            return Renamed()
        from holdfast.features.files.renames import renamed

        by_path = renamed(self._service, self._folder, removed, added)
        moved = {file.number for file in by_path.values()}
        by_text = {
            file.digest: file for file in removed if file.digest is not None and file.number not in moved
        }
        return Renamed(by_path, by_text)

    def _compared(self) -> tuple[list[Item], list[File]]:
        """Returns the files to read, and files that are newly skipped with their reason."""
        from holdfast.features.reading.skip_reasons import Skipped
        from holdfast.features.reading.walking import walk

        todo: list[Item] = []
        skipped: list[File] = []
        hidden: list[str] = []
        folder, report = self._folder, self._indexing.report
        entries = list(
            walk(
                self._root, include=folder.include, exclude=folder.exclude, only=self._paths,
                store=self._service.store.location,
            )
        )  # fmt: skip
        storable = self._service.admission.storable(
            entry.path for entry in entries if entry.path not in self._indexed
        )
        for entry in entries:
            previous = self._indexed.get(entry.path)
            if isinstance(entry, Skipped):
                if entry.reason_code == "unreadable" and entry.path.endswith("/"):
                    hidden.append(entry.path)
                if entry.reason_code in UNLISTED or entry.reason_code == "vanished":
                    report.left[entry.reason_code] += 1
                elif previous is not None and previous.reason == entry.reason_code:
                    self._paths_seen.add(entry.path)
                    report.left[entry.reason_code] += 1
                elif previous is not None or entry.path in storable:
                    self._paths_seen.add(entry.path)
                    item = Item(entry.path, 0, 0)
                    skipped.append(skipped_file(folder, item, entry.reason_code, self._service.clock()))
                else:
                    report.left["secret_in_name"] += 1
                continue
            if previous is None and entry.path not in storable:
                report.left["secret_in_name"] += 1
                continue
            self._paths_seen.add(entry.path)
            # a reported file is always read: another one may have replaced it with equal size and time
            if (
                previous is not None
                and not self._anew
                and entry.path not in self._requested
                and _is_same(previous, entry)
            ):
                report.unchanged += 1
                if previous.reason is not None and previous.state is not FileState.INDEXED:
                    report.left[previous.reason] += 1
            else:
                digest = previous.digest if previous is not None and not self._anew else None
                todo.append(Item(entry.path, entry.size, entry.modified_at, digest))
        # files in a folder that is unreadable now are not gone
        self._paths_seen.update(path for path in self._indexed if path.startswith(tuple(hidden)))
        return todo, skipped


def _is_same(indexed: File, file: FoundFile) -> bool:
    """Returns whether a file can be skipped: same size and time as before, and not failed."""
    same = (indexed.size, indexed.modified_at) == (file.size, file.modified_at)
    return same and indexed.state is not FileState.ERROR


def _batches(todo: Sequence[Item]) -> Iterator[list[Item]]:
    """Yields files in batches that are limited by number and size."""
    batch: list[Item] = []
    size = 0
    for item in todo:
        batch.append(item)
        size += item.size
        if len(batch) >= BATCH_FILES or size >= BATCH_BYTES:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch
