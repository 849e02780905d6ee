"""The part of the store protocol for folders and their files."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from holdfast.core.folders import File, FileCounts, FileState, Folder
    from holdfast.core.record import Memory
    from holdfast.core.views import View


class FileReader(Protocol):
    """Reads folders and files. A folder is visible if the view allows the pool of its source, and to its
    owner also while it is connected to no project.
    """

    def folders(self, view: View) -> list[Folder]:
        """Returns visible folders, oldest first."""

    def watched_folders(self, view: View) -> list[Folder]:
        """Returns the folders of the whole tenant, of any owner, that are watched and connected to a
        project.
        """

    def files(
        self,
        view: View,
        source: str,
        *,
        states: Collection[FileState] | None = None,
        after: str = "",
        limit: int | None = None,
    ) -> list[File]:
        """Returns files of a visible folder by path, after the path `after`; without their symbols."""

    def file_paths(self, view: View) -> list[tuple[int, str, str, str | None]]:
        """Returns number, source, path and language of the indexed files of visible folders, by number."""

    def file_counts(self, view: View, source: str) -> FileCounts:
        """Returns totals of the files of a visible folder."""

    def chunks(self, view: View, source: str, files: Collection[int]) -> list[Memory]:
        """Returns the current passages of some files of a folder of the view's user, including forgotten
        ones, oldest first.
        """

    def chunk_sizes(self, view: View, source: str) -> list[tuple[int, str]]:
        """Returns the number of characters and the content hash of each passage of a visible folder."""

    def named_files(self, view: View, source: str, paths: Collection[str]) -> dict[str, File]:
        """Returns the files of a visible folder that have or had these paths, by requested path: the file
        that has it now, else the one that was renamed from it. With their symbols.
        """

    def former_paths(self, view: View, source: str, paths: Collection[str]) -> dict[str, str]:
        """Returns the former paths of files of a visible folder that now have one of these paths, each with
        the present path.
        """

    def forgotten_chunks(self, view: View, source: str) -> set[str]:
        """Returns digests (`core/folders.chunk_digest`) of forgotten passages of a visible folder."""


class FileWriter(FileReader, Protocol):
    """Writes folders and files of the view's user; for other folders, methods raise NotFound
    `source_not_found`.
    """

    def put_folder(self, folder: Folder) -> Folder:
        """Adds a folder to its source, or updates it; its connections stay unchanged."""

    def connect(self, view: View, source: str, project: int, connected: bool) -> bool:
        """Connects or disconnects a folder and a project. Returns whether that changed anything."""

    def put_file(self, view: View, file: File) -> File:
        """Adds a file (number 0) or updates one, and returns it with its number. A renamed file is also
        found by its old path from then on.
        """

    def erase_chunks(self, view: View, source: str, files: Collection[int]) -> int:
        """Erases the passages of some files in all versions, except those that a person pinned or edited.
        Returns the number of memories erased.
        """

    def release_chunks(self, view: View, source: str, ids: Sequence[str]) -> None:
        """Detaches passages that a person pinned or edited from their file."""

    def note_forgotten(self, view: View, source: str, digest: str, forgotten: bool) -> None:
        """Records that a passage of a visible folder, of any owner, was forgotten, or no longer is."""

    def drop_files(self, view: View, source: str, files: Collection[int]) -> int:
        """Removes files with their passages; those that a person pinned or edited are detached. Returns the
        number of memories removed.
        """

    def drop_folder(self, view: View, source: str) -> int:
        """Removes a folder with its files, all their passages and its source. Returns the number of
        memories removed.
        """
