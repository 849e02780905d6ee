"""Folders and their files in an SQL store."""

from __future__ import annotations

import json
from abc import abstractmethod
from collections.abc import Collection, Sequence
from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any

from holdfast.core.errors import NotFound
from holdfast.core.places import Visibility
from holdfast.stores.sql.columns import memory_of
from holdfast.stores.sql.decoding import decoding, object_of
from holdfast.stores.sql.retention import SqlRetentionReader, SqlRetentionWriter
from holdfast.stores.sql.storage import SqlStorageWriter

if TYPE_CHECKING:
    from holdfast.core.folders import File, FileCounts, FileState, Folder
    from holdfast.core.record import Memory
    from holdfast.core.views import View
    from holdfast.stores.index.pools import Pools

ALL = -1
"""The LIMIT for no limit, as the statements take it."""

_ERASING = ("erase_jobs_of", "erase_given_of", "erase_cited_of", "erase_all_vectors", "erase_all_passages",
            "erase_all_facts", "erase_all_memories", "note_all_erased")  # fmt: skip

_DROPPING = ("delete_renames", "delete_forgotten", "delete_all_files", "disconnect_all", "delete_folder")


class FolderReader(SqlRetentionReader):
    """The mixin of the reader for folders and files."""

    @abstractmethod
    def _dicts(self, name: str, values: dict[str, Any]) -> list[dict[str, Any]]: ...
    @abstractmethod
    def _known_pools(self) -> Pools: ...

    def folders(self, view: View) -> list[Folder]:
        stored = [folder_of(row) for row in self._dicts("folders", {})]
        return [
            folder for folder in stored if view.allows(folder.pool, folder.numbers) or view.owns(folder.owner)
        ]

    def watched_folders(self, view: View) -> list[Folder]:
        stored = [folder_of(row) for row in self._dicts("folders", {})]
        return [folder for folder in stored if folder.watched and folder.numbers]

    def _in_sight(self, view: View, source: str) -> bool:
        return any(folder.id == source for folder in self.folders(view))

    def files(
        self,
        view: View,
        source: str,
        *,
        states: Collection[FileState] | None = None,
        after: str = "",
        limit: int | None = None,
    ) -> list[File]:
        if not self._in_sight(view, source):
            return []
        requested = None if states is None else json.dumps(sorted(states))
        most = ALL if limit is None else limit
        values = {"source": source, "states": requested, "after": after, "limit": most}
        return [file_of(row) for row in self._dicts("files", values)]

    def file_paths(self, view: View) -> list[tuple[int, str, str, str | None]]:
        sources = [folder.id for folder in self.folders(view)]
        return self._all("file_paths", {"sources": json.dumps(sources)}) if sources else []

    def file_counts(self, view: View, source: str) -> FileCounts:
        from holdfast.core.folders import FileCounts

        if not self._in_sight(view, source):
            return FileCounts()
        return FileCounts(*self._all("file_counts", {"source": source})[0])

    def chunks(self, view: View, source: str, files: Collection[int]) -> list[Memory]:
        values = {"source": source, "owner": view.user, "files": json.dumps(sorted(files))}
        return [memory_of(row) for row in self._all("chunks", values)]

    def chunk_sizes(self, view: View, source: str) -> list[tuple[int, str]]:
        if not self._in_sight(view, source):
            return []
        return [(size, digest) for size, digest in self._all("chunk_sizes", {"source": source})]

    def named_files(self, view: View, source: str, paths: Collection[str]) -> dict[str, File]:
        if not paths or not self._in_sight(view, source):
            return {}
        values = {"source": source, "paths": json.dumps(sorted(paths))}
        rows = {row.pop("asked"): row for row in self._dicts("renamed_files", values)}
        rows |= {row["path"]: row for row in self._dicts("files_at", values)}
        return {path: file_of(row) for path, row in rows.items()}

    def former_paths(self, view: View, source: str, paths: Collection[str]) -> dict[str, str]:
        if not paths or not self._in_sight(view, source):
            return {}
        values = {"source": source, "paths": json.dumps(sorted(paths))}
        return dict(self._all("former_paths", values))

    def forgotten_chunks(self, view: View, source: str) -> set[str]:
        if not self._in_sight(view, source):
            return set()
        return {row[0] for row in self._all("forgotten", {"source": source})}


class FolderWriter(FolderReader, SqlRetentionWriter, SqlStorageWriter):
    """The mixin of the writer for folders and files."""

    _change: int

    @abstractmethod
    def _run(self, name: str, values: dict[str, Any]) -> None: ...
    @abstractmethod
    def _rows_of(self, name: str, values: dict[str, Any]) -> list[tuple[Any, ...]]: ...
    @abstractmethod
    def _prune_erased(self) -> None:
        """Deletes the numbers of rows erased long ago."""

    @abstractmethod
    def _reconnected(self) -> None:
        """Reads the connections of folders again."""

    def put_folder(self, folder: Folder) -> Folder:
        values = {
            **{attribute.name: getattr(folder, attribute.name) for attribute in fields(folder)},
            "visibility": folder.visibility.value,
            "state": folder.state.value,
            "include": json.dumps(folder.include),
            "exclude": json.dumps(folder.exclude),
        }
        self._run("put_folder", values)
        return folder

    def connect(self, view: View, source: str, project: int, connected: bool) -> bool:
        self._check_own(view, source)
        name = "connect_folder" if connected else "disconnect_folder"
        changed = bool(self._rows_of(name, {"source": source, "project": project}))
        self._reconnected()
        return changed

    def put_file(self, view: View, file: File) -> File:
        self._check_own(view, file.source)
        values = {
            **{attribute.name: getattr(file, attribute.name) for attribute in fields(file)},
            "state": file.state.value,
            "symbols": json.dumps(file.symbols),
        }
        if not file.number:
            return replace(file, number=int(self._rows_of("insert_file", values)[0][0]))
        self._run("note_rename", values)
        self._run("update_file", values)
        return file

    def erase_chunks(self, view: View, source: str, files: Collection[int]) -> int:
        self._check_own(view, source)
        values = {"files": json.dumps(sorted(files)), "source": source}
        return self._erase_all([row[0] for row in self._rows_of("chunk_numbers", values)])

    def release_chunks(self, view: View, source: str, ids: Sequence[str]) -> None:
        self._check_own(view, source)
        values = {"ids": json.dumps(list(ids)), "source": source, "change": self._change}
        self._run("release_chunks", values)

    def note_forgotten(self, view: View, source: str, digest: str, forgotten: bool) -> None:
        if self._in_sight(view, source):
            self._run("note_forgotten" if forgotten else "unforget", {"source": source, "digest": digest})

    def drop_files(self, view: View, source: str, files: Collection[int]) -> int:
        erased = self.erase_chunks(view, source, files)
        values = {"files": json.dumps(sorted(files)), "source": source, "change": self._change}
        for step in ("release_files", "forget_renames", "delete_files"):
            self._run(step, values)
        return erased

    def drop_folder(self, view: View, source: str) -> int:
        self._check_own(view, source)
        erased = self._drop_folder(source)
        self._reconnected()
        return erased

    def _drop_folder(self, source: str) -> int:
        """Erases the passages of a folder and its rows. Returns how many passages were erased."""
        values = {"source": source}
        numbers = [row[0] for row in self._rows_of("numbers_in_source", values)]
        self._check_numbers_not_held(numbers)
        erased = self._erase_all(numbers)
        for step in _DROPPING:
            self._run(step, values)
        self._run("detach_source", {"id": source, "change": self._change})
        # its pool stays: other processes know pools by their number
        self._run("delete_source", {"id": source})
        return erased

    def _check_own(self, view: View, source: str) -> None:
        if not self._rows_of("folder_of", {"source": source, "owner": view.user}):
            raise NotFound(f"there is no source {source!r:.60}", code="source_not_found")

    def _check_numbers_not_held(self, numbers: list[int]) -> None:
        """Raises Refusal `legal_hold` if a hold keeps a memory with one of these rows."""
        values = {"numbers": json.dumps(numbers)}
        self._check_not_held([row[0] for row in self._rows_of("ids_of_numbers", values)])

    def _erase_all(self, numbers: list[int]) -> int:
        """Deletes these rows of passages: texts, words, vectors and jobs."""
        values = {"numbers": json.dumps(numbers), "change": self._change}
        erased = len({row[0] for row in self._rows_of("ids_of_numbers", values)})
        for owner, versions, size in self._rows_of("storage_of_numbers", values):
            self._count(owner, -versions, -size)
        for step in _ERASING:
            self._run(step, values)
        self._prune_erased()
        return erased


@decoding
def folder_of(row: dict[str, Any]) -> Folder:
    """Returns a folder from its joined row."""
    from holdfast.core.folders import Folder, FolderState

    projects = sorted(((name, number) for number, name in json.loads(row["connected"])))
    return Folder(
        id=row["source"],
        **{name: row[name] for name in ("owner", "slug", "name", "root", "created_at", "error", "started_at",
                                        "completed_at")},
        visibility=Visibility(row["visibility"]),
        include=tuple(json.loads(row["include"])),
        exclude=tuple(json.loads(row["exclude"])),
        watched=bool(row["watched"]),
        state=FolderState(row["state"]) if projects else FolderState.DISABLED,
        projects=tuple(name for name, _ in projects),
        numbers=frozenset(number for _, number in projects),
    )  # fmt: skip


@decoding
def file_of(row: dict[str, Any]) -> File:
    """Returns a file from its row, with its symbols if they were read."""
    from holdfast.core.folders import File, FileState

    symbols = object_of(row["symbols"]) if "symbols" in row else {}
    return File(**{**row, "state": FileState(row["state"]), "symbols": symbols})
