"""Stores what was read of a folder's files as passages, in batches, and applies changes.

A file's text is not history: it can be read again. So passages whose text is gone are erased, those whose
text is still there keep their id, and only passages that a person pinned or edited always stay.
"""

from __future__ import annotations

import hashlib
from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import TYPE_CHECKING, Protocol

from holdfast.core.errors import Conflict, HoldfastError, InvalidInput, Refusal
from holdfast.core.folders import PRIVATE_PART, File, FileState, Folder, FolderState, Indexed, Renamed
from holdfast.core.jobs import MAINTAIN
from holdfast.core.record import TITLE_MAX, Memory, Origin
from holdfast.core.values import changed
from holdfast.core.views import personal_view
from holdfast.features.admission.admission import Admission
from holdfast.features.admission.digests import SHORT, keyed_digest
from holdfast.features.admission.draft import Draft
from holdfast.features.files import folders
from holdfast.features.jobs import jobs
from holdfast.features.memories import embed
from holdfast.features.service import Service
from holdfast.language.masking import MaskedText
from holdfast.stores.base.admitted import Admitted
from holdfast.stores.base.ports import Embedder, Writer

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from holdfast.stores.base.ports import Vectors

NAME_MAX = 120
"""Most characters of its path in the speaker name of a passage."""
SYMBOLS_MAX = 40
"""Most names of definitions in a passage."""
REMOVED_AT_ONCE = 500
"""Most files that one transaction removes."""


class Cut(Protocol):
    """A part of a file's text, as a reader of files cuts it: characters, heading, definitions, lines."""

    @property
    def start(self) -> int: ...
    @property
    def end(self) -> int: ...
    @property
    def title(self) -> str | None: ...
    @property
    def symbols(self) -> tuple[str, ...]: ...
    @property
    def first_line(self) -> int: ...
    @property
    def last_line(self) -> int: ...


@dataclass(frozen=True, slots=True)
class Passage:
    """A validated part of a file. `digest` identifies its title and text."""

    digest: str
    admitted: Admitted
    vectors: NDArray[np.float32] | None = None


@dataclass(frozen=True, slots=True)
class Reading:
    """The outcome of reading one file: its row and its passages, None if its text is unchanged.

    `unclosed` is the number of characters that were removed after a private tag that is never closed.
    """

    file: File
    passages: tuple[Passage, ...] | None = ()
    unclosed: int = 0


def passages_of(
    admission: Admission,
    folder: Folder,
    files: Sequence[tuple[File, MaskedText, Sequence[Cut]]],
    *,
    now: int,
    new_id: Callable[[int], str],
    key: bytes,
) -> list[list[Passage]]:
    """Validates the parts of each text, each with its location in the file (S1.5, S1.46).

    Parts that are only private or blank are omitted. The texts were masked as a whole, because a part does
    not show what began in another one.
    """
    from holdfast.features.reading.types import is_document

    parts = [part for file in files for part in _parts_of(folder, *file)]
    ids = [new_id(now) for _ in parts]
    outcomes = admission.admit_all([part.draft for part in parts], ids=ids, now=now)
    names = admission.clean_names(
        chain([file.path for file, _, _ in files], *(part.symbols for part in parts))
    )
    passages: dict[str, list[Passage]] = {file.path: [] for file, _, _ in files}
    seen: dict[tuple[str, str], int] = {}
    for part, admitted in zip(parts, outcomes, strict=True):
        if isinstance(admitted, HoldfastError):
            if isinstance(admitted, InvalidInput | Refusal):  # only blank or private
                continue
            raise admitted
        path, draft = part.file.path, part.draft
        text = f"{draft.title}\0{draft.text}"
        digest = keyed_digest(key, text)[:SHORT]
        # equal parts of one file are distinguished by their order
        times = seen[path, digest] = seen.get((path, digest), -1) + 1
        admitted = admitted.in_file(
            names, part.file.path, part.file.language, part.symbols, part.redactions,
            external_id=f"{part.path}/{digest}/{times}",
            lines=None if is_document(part.file.filetype) else (part.cut.first_line, part.cut.last_line),
            chunk=part.number, start=part.cut.start, end=part.cut.end,
        )  # fmt: skip
        passages[path].append(Passage(digest, admitted))
    return list(passages.values())


@dataclass(slots=True)
class _Part:
    """A part of a file's text before validation. `path` is a hash of the file's path."""

    file: File
    path: str
    number: int
    cut: Cut
    draft: Draft
    symbols: Sequence[str]
    redactions: tuple[str, ...]


def _parts_of(folder: Folder, file: File, text: MaskedText, cuts: Sequence[Cut]) -> Iterator[_Part]:
    """Yields the passages of a file as drafts."""
    private = deque(text.private)
    path = hashlib.sha256(file.path.encode()).hexdigest()[:12]
    blank = Draft(
        "", kind="passage", name=file.path[-NAME_MAX:], taken_from=Origin.FILE, source=folder.id,
        at=file.modified_at // 1_000_000,
    )  # fmt: skip
    for number, cut in enumerate(cuts):
        part, redactions = text.part(cut.start, cut.end)
        is_last = number == len(cuts) - 1  # what was removed after it is reported with it
        while private and (private[0] < cut.end or is_last):
            redactions = ("private", *redactions)
            private.popleft()
        title = None if cut.title is None else text.display_form(cut.title)[:TITLE_MAX]
        symbols = list(dict.fromkeys(map(text.display_form, cut.symbols)))[:SYMBOLS_MAX]
        yield _Part(file, path, number, cut, changed(blank, text=part, title=title), symbols, redactions)


def with_vectors(embedder: Embedder, readings: Sequence[Reading]) -> list[Reading]:
    """Returns readings with the vectors of all passages, made in one batch; without any if they are made
    later."""
    every = [passage for reading in readings for passage in reading.passages or ()]
    rows = iter(embed.embed_now(embedder, [passage.admitted for passage in every]))
    return [
        reading
        if reading.passages is None
        else Reading(
            reading.file,
            tuple(Passage(passage.digest, passage.admitted, next(rows)) for passage in reading.passages),
            reading.unclosed,
        )
        for reading in readings
    ]


class Indexing:
    """One run over a folder.

    Every batch is a transaction of its own, checked by `hold`, and depends only on the stored state: running
    twice or concurrently does no harm.
    """

    def __init__(self, service: Service, folder: Folder, hold: Callable[[Writer], None]) -> None:
        self._service = service
        self._folder = folder
        self._hold = hold
        self._view = personal_view(service.principal)
        self._waits_for_vectors = service.next_embedder is not None
        self.report = Indexed()
        self.moved: set[int] = set()
        """Numbers of renamed files."""
        self.became: dict[str, str | None] = {}
        """New paths of renamed files by their old path; None for removed files."""

    def begin(self, paths: Collection[str] | None = None) -> dict[str, File]:
        """Marks the folder as indexing and returns the known files by path.

        `paths` limits them to those at some paths, below them, or in place of a folder above them.
        """
        now = self._service.clock()
        with self._service.store.write() as tx:
            folder = self._current_folder(tx)
            tx.put_folder(replace(folder, state=FolderState.INDEXING, error=None, started_at=now))
            files = tx.files(self._view, self._folder.id) if paths is None else self._files_below(tx, paths)
            return {file.path: file for file in files}

    def _current_folder(self, tx: Writer) -> Folder:
        """Returns the folder with its current settings. Raises NotFound `source_not_found` if it was removed,
        and what `hold` raises."""
        self._hold(tx)
        return folders.find_own_folder(tx, self._service, self._folder.id)

    def _files_below(self, tx: Writer, paths: Collection[str]) -> Iterator[File]:
        """Yields the indexed files at these paths, and those below them if they were folders."""
        above = {path[:at] for path in paths for at, sign in enumerate(path) if sign == "/"}
        places = {*paths, *above, *(f"{path}/" for path in (*paths, *above))}  # a "/" for a skipped folder
        for requested, file in tx.named_files(self._view, self._folder.id, sorted(places)).items():
            if file.path == requested:  # it matches by its current path, not by a former one
                yield file
        for path in sorted(paths):
            after = f"{path}/"
            while below := [
                file
                for file in tx.files(self._view, self._folder.id, after=after, limit=REMOVED_AT_ONCE)
                if file.path.startswith(f"{path}/")
            ]:
                yield from below
                after = below[-1].path

    def finish(self, error: str | None = None) -> Folder:
        """Marks the folder as idle, or as failed with an error code (S1.8)."""
        now, service = self._service.clock(), self._service
        state = FolderState.IDLE if error is None else FolderState.ERROR
        with service.store.write() as tx:
            done = replace(self._current_folder(tx), state=state, error=error)
            done = replace(done, completed_at=now) if error is None else done
            tx.put_folder(done)
            if self._waits_for_vectors:
                try:
                    with tx.attempt():
                        jobs.enqueue(service, tx, MAINTAIN, now=now)
                except Conflict:
                    pass  # a waiting job will compute them
        service.bell.ring()
        return done

    def keep(self, readings: Sequence[Reading], renamed: Renamed | None = None) -> None:
        """Stores what was read of some files.

        A file in `renamed` keeps its number, and its passages their ids if their text is the same.
        """
        now = self._service.clock()
        with self._service.store.write() as tx:
            self._current_folder(tx)
            stored = tx.named_files(self._view, self._folder.id, [reading.file.path for reading in readings])
            batch = _Batch()
            for reading in readings:
                self._settle(tx, batch, reading, stored.get(reading.file.path), renamed or Renamed())
            self._write(tx, batch)
            self._event(tx, now, batch)

    def _settle(
        self, tx: Writer, batch: _Batch, reading: Reading, indexed: File | None, renamed: Renamed
    ) -> None:
        """Decides whether a file is new, changed, renamed, or unchanged with another time."""
        file, report = reading.file, self.report
        if indexed is not None and indexed.path != file.path:  # it matched by a former path
            indexed = None
        if indexed is not None and indexed.indexed_at > file.indexed_at:
            report.unchanged += 1  # another run has read it since
            return
        if file.state is not FileState.INDEXED:
            report.left[file.reason or ""] += 1
            if indexed is None:
                tx.put_file(self._view, file)
            elif (indexed.state, indexed.reason) != (file.state, file.reason):
                if file.state is FileState.ERROR and indexed.digest is not None:
                    # it may be readable the next time: until then its stored passages stay
                    file = changed(indexed, state=file.state, reason=file.reason, indexed_at=file.indexed_at)
                else:
                    batch.cleared.append(indexed.number)
                    file = changed(file, number=indexed.number)
                tx.put_file(self._view, file)
            return
        if reading.passages is None:
            if indexed is not None and indexed.digest == file.digest:  # else another run has just changed it
                report.touched += 1
                same = changed(
                    indexed, state=file.state, reason=_kept_reason(indexed), size=file.size,
                    modified_at=file.modified_at, indexed_at=file.indexed_at,
                )  # fmt: skip
                tx.put_file(self._view, same)
            return
        moved = None if indexed is not None else renamed.before(file)
        if moved is not None and moved.number in self.moved:
            moved = None
        if moved is not None:
            self.moved.add(moved.number)
            self.became[moved.path] = file.path
            file = changed(file, number=moved.number, renamed_from=moved.path)
            report.renamed += 1
        elif indexed is not None:
            file = changed(file, number=indexed.number, renamed_from=indexed.renamed_from)
            report.changed += indexed.digest is not None
            report.new += indexed.digest is None
        else:
            report.new += 1
        was_known = bool(file.number)
        file = tx.put_file(self._view, changed(file, chunks=len(reading.passages)))
        if was_known:
            batch.cleared.append(file.number)
        batch.filled.append((file, reading.passages))
        if reading.unclosed:
            report.unclosed[file.path] = reading.unclosed
        report.chunks += len(reading.passages)
        report.bytes += file.size

    def _write(self, tx: Writer, batch: _Batch) -> None:
        """Replaces the old passages of changed files by the new ones; those with the same text keep their
        id."""
        source = self._folder.id
        before: dict[int | None, list[Memory]] = {}
        for memory in tx.chunks(self._view, source, batch.cleared) if batch.cleared else ():
            before.setdefault(memory.place.file, []).append(memory)
        if before:
            batch.erased = tx.erase_chunks(self._view, source, batch.cleared)
        model = self._service.embedder.model
        forgotten = tx.forgotten_chunks(self._view, source) if batch.filled else set()
        new: list[tuple[Admitted, Vectors | None]] = []
        for file, passages in batch.filled:
            old = _by_digest(before.pop(file.number, ()))
            for passage in passages:
                same = old.get(passage.digest)
                existing = same.pop(0) if same else None
                if existing is not None and (existing.pinned or existing.edited):
                    continue
                if existing is None and passage.digest in forgotten:
                    continue
                admitted = _passage_in_file(passage.admitted, self._folder, file, existing)
                new.append((admitted, passage.vectors))
                self._waits_for_vectors |= passage.vectors is None
                self.report.redactions.update(admitted.memory.redactions)
                batch.unchanged_ids.append(admitted.memory.id)
            before[file.number] = [memory for left in old.values() for memory in left]
        tx.insert_all(new, model)
        orphans = [memory.id for left in before.values() for memory in left if memory.pinned or memory.edited]
        if orphans:
            tx.release_chunks(self._view, source, orphans)

    def remove(self, files: Sequence[File]) -> None:
        """Removes files that are gone, with their passages (S1.67, S1.68)."""
        for first in range(0, len(files), REMOVED_AT_ONCE):
            part = files[first : first + REMOVED_AT_ONCE]
            now = self._service.clock()
            with self._service.store.write() as tx:
                self._current_folder(tx)
                current = tx.named_files(self._view, self._folder.id, [file.path for file in part])
                # files that another run has read since exist again
                part = [file for file in part if current.get(file.path, file).indexed_at == file.indexed_at]
                batch = _Batch()
                batch.erased = tx.drop_files(self._view, self._folder.id, [file.number for file in part])
                self._event(tx, now, batch, removed=len(part))
            self.report.removed += len(part)
            self.became |= dict.fromkeys((file.path for file in part), None)

    def _event(self, tx: Writer, now: int, batch: _Batch, removed: int = 0) -> None:
        """Records one event for the batch: counts, and a digest of the ids."""
        if not (batch.unchanged_ids or batch.erased or removed):
            return
        digest = hashlib.sha256("\n".join(batch.unchanged_ids).encode()).hexdigest()
        detail = {
            "files": len(batch.filled), "chunks": len(batch.unchanged_ids), "erased": batch.erased,
            "removed": removed, "ids_sha256": digest,
        }  # fmt: skip
        label = self._service.principal.label
        tx.add_event(at=now, actor=label, action="index_batch", subject=self._folder.id, detail=detail)


def _kept_reason(indexed: File) -> str | None:
    """Returns the reason that still holds of a file whose text is the same."""
    return indexed.reason if indexed.reason == PRIVATE_PART else None


class _Batch:
    """The changes of one transaction."""

    def __init__(self) -> None:
        self.cleared: list[int] = []
        self.filled: list[tuple[File, tuple[Passage, ...]]] = []
        self.unchanged_ids: list[str] = []
        self.erased = 0


def _by_digest(memories: Iterable[Memory]) -> dict[str, list[Memory]]:
    """Returns passages by their digest, equal ones in their order within the file."""
    by_digest: dict[str, list[Memory]] = {}
    for memory in sorted(memories, key=lambda memory: int((memory.external_id or "//0").split("/")[2])):
        by_digest.setdefault((memory.external_id or "//0").split("/")[1], []).append(memory)
    return by_digest


def _passage_in_file(admitted: Admitted, folder: Folder, file: File, existing: Memory | None) -> Admitted:
    """Returns the passage in its file; a passage whose text was there before keeps its identity and state."""
    placed = admitted.in_place(folder.place(file.number), project=None, session=None)
    if existing is None:
        return placed
    return placed.with_memory(
        id=existing.id,
        recorded_at=existing.recorded_at,
        status=existing.status,
        status_reason=existing.status_reason,
        deleted_at=existing.deleted_at,
        deleted_reason=existing.deleted_reason,
        use_count=existing.use_count,
        last_used_at=existing.last_used_at,
    )
