"""Folders of the oracle: which are there, and what of their files is indexed."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from holdfast.core.errors import NotFound
from holdfast.core.folders import File, FileCounts, FileState, Folder, FolderState
from holdfast.core.record import Memory
from holdfast.core.views import View
from tests.oracle.retention import OracleRetention


class OracleFolders(OracleRetention):
    """What `stores/base/files` asks."""

    def folders(self, view: View) -> list[Folder]:
        return [f for f in self._folders() if self._allows(view, f.pool) or view.owns(f.owner)]

    def watched_folders(self, view: View) -> list[Folder]:
        return [f for f in self._folders() if f.watched and f.numbers]

    def _folders(self) -> list[Folder]:
        def told(folder: Folder) -> Folder:
            numbers = self._connected(folder.id)
            names = sorted(p.name for p in self._state.projects if p.number in numbers)
            state = folder.state if numbers else FolderState.DISABLED
            return replace(folder, projects=tuple(names), numbers=frozenset(numbers), state=state)

        known = sorted(self._state.folders.values(), key=lambda f: (f.created_at, f.slug, f.id))
        return [told(f) for f in known]

    def _files_in_sight(self, view: View, source: str) -> list[File]:
        if not any(folder.id == source for folder in self.folders(view)):
            return []
        found = [file for file in self._state.files.values() if file.source == source]
        return sorted(found, key=lambda file: file.path)

    def files(
        self,
        view: View,
        source: str,
        *,
        states: Collection[FileState] | None = None,
        after: str = "",
        limit: int | None = None,
    ) -> list[File]:
        found = [
            replace(file, symbols={})
            for file in self._files_in_sight(view, source)
            if file.path > after and (states is None or file.state in states)
        ]
        return found[:limit]

    def file_paths(self, view: View) -> list[tuple[int, str, str, str | None]]:
        sources = {folder.id for folder in self.folders(view)}
        found = [file for file in self._state.files.values() if file.source in sources]
        indexed = sorted((one for one in found if one.state is FileState.INDEXED), key=lambda one: one.number)
        return [(one.number, one.source, one.path, one.language) for one in indexed]

    def file_counts(self, view: View, source: str) -> FileCounts:
        found = self._files_in_sight(view, source)
        states = [file.state for file in found]
        indexed, skipped, failed = (states.count(state) for state in FileState)
        size = sum(file.size for file in found if file.state is FileState.INDEXED)
        return FileCounts(indexed, skipped, failed, size, sum(file.chunks for file in found))

    def chunks(self, view: View, source: str, files: Collection[int]) -> list[Memory]:
        places = [r.memory.place for r in self._state.rows]
        return [
            self._told(r)
            for r, place in zip(self._state.rows, places, strict=True)
            if r.current and place.file in files and (place.source, place.owner) == (source, view.user)
        ]

    def chunk_sizes(self, view: View, source: str) -> list[tuple[int, str]]:
        numbers = {file.number for file in self._files_in_sight(view, source)}
        rows = [r.memory for r in self._state.rows if r.current and r.memory.place.file in numbers]
        return [(len(m.text), m.content_hash) for m in rows]

    def named_files(self, view: View, source: str, paths: Collection[str]) -> dict[str, File]:
        found = self._files_in_sight(view, source)
        now = {file.path: file for file in found}
        by_number = {file.number: file for file in found}
        before = {path: by_number[n] for (one, path), n in self._state.renames.items() if one == source}
        return {path: file for path, file in (before | now).items() if path in paths}

    def former_paths(self, view: View, source: str, paths: Collection[str]) -> dict[str, str]:
        by_number = {file.number: file.path for file in self._files_in_sight(view, source)}
        known = [(path, n) for (one, path), n in self._state.renames.items() if one == source]
        before = {path: by_number[n] for path, n in known if n in by_number}
        taken = set(by_number.values())
        return {old: now for old, now in before.items() if now in paths and old not in taken}

    def forgotten_chunks(self, view: View, source: str) -> set[str]:
        seen = any(folder.id == source for folder in self.folders(view))
        return {digest for one, digest in self._state.forgotten if one == source and seen}

    def note_forgotten(self, view: View, source: str, digest: str, forgotten: bool) -> None:
        if not any(folder.id == source for folder in self.folders(view)):
            return
        if forgotten:
            self._state.forgotten.add((source, digest))
        else:
            self._state.forgotten.discard((source, digest))

    def put_folder(self, folder: Folder) -> Folder:
        self._state.folders[folder.id] = folder
        return folder

    def connect(self, view: View, source: str, project: int, connected: bool) -> bool:
        self._own_folder(view, source)
        before = set(self._state.connections)
        if connected:
            self._state.connections.add((source, project))
        else:
            self._state.connections.discard((source, project))
        return self._state.connections != before

    def put_file(self, view: View, file: File) -> File:
        self._own_folder(view, file.source)
        if not file.number:
            file = replace(file, number=max(self._state.files, default=0) + 1)
        old = self._state.files.get(file.number)
        if old is not None and old.path != file.path:
            self._state.renames[file.source, old.path] = file.number
        self._state.files[file.number] = file
        return file

    def erase_chunks(self, view: View, source: str, files: Collection[int]) -> int:
        self._own_folder(view, source)
        inside = [
            r.memory
            for r in self._state.rows
            if r.current and r.memory.place.source == source and r.memory.place.file in files
        ]
        kept = {m.id for m in inside if m.pinned or m.edited}
        return self._erase_ids({m.id for m in inside} - kept)

    def _erase_ids(self, ids: set[str]) -> int:
        self._state.rows = [r for r in self._state.rows if r.memory.id not in ids]
        self._state.jobs = [j for j in self._state.jobs if j.subject not in ids]
        self._state.given = {
            desk: {one: when for one, when in what.items() if one not in ids}
            for desk, what in self._state.given.items()
        }
        return len(ids)

    def release_chunks(self, view: View, source: str, ids: Sequence[str]) -> None:
        self._own_folder(view, source)
        for row in self._state.rows:
            if row.memory.id in ids and row.memory.place.source == source:
                place = replace(row.memory.place, file=None)
                row.memory = replace(row.memory, place=place, external_id=None)

    def drop_files(self, view: View, source: str, files: Collection[int]) -> int:
        gone = self.erase_chunks(view, source, files)
        left = {r.memory.id for r in self._state.rows if r.memory.place.file in files}
        self.release_chunks(view, source, sorted(left))
        self._state.renames = {key: n for key, n in self._state.renames.items() if n not in files}
        self._state.files = {n: file for n, file in self._state.files.items() if n not in files}
        return gone

    def drop_folder(self, view: View, source: str) -> int:
        self._own_folder(view, source)
        state = self._state
        ids = {r.memory.id for r in state.rows if r.memory.place.source == source}
        self._check_not_held(view, ids)
        gone = self._erase_ids(ids)
        del state.folders[source]
        state.files = {n: file for n, file in state.files.items() if file.source != source}
        state.renames = {key: n for key, n in state.renames.items() if key[0] != source}
        state.connections = {connection for connection in state.connections if connection[0] != source}
        state.forgotten = {one for one in state.forgotten if one[0] != source}
        state.sources = [one for one in state.sources if one.id != source]
        for row in state.rows:
            if row.memory.source == source:
                row.memory = replace(row.memory, source=None)
        return gone

    def _own_folder(self, view: View, source: str) -> None:
        folder = self._state.folders.get(source)
        if folder is None or folder.owner != view.user:
            raise NotFound(f"there is no source {source!r:.60}", code="source_not_found")
