"""Folders whose files are indexed: the operations of `Memory.folders`."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from holdfast.api.operation import Area, operation
from holdfast.core.folders import File, Folder, FolderStatus, Indexed
from holdfast.core.jobs import Job
from holdfast.features.access.access import Need
from holdfast.features.files import folders

if TYPE_CHECKING:
    from holdfast.features.reading.exclusions import Exclusions
    from holdfast.features.reading.file_tree import Content, Entry


class Folders(Area):
    """Indexed folders, which are sources of projects: their files are split into passages and recalled.

    `id` is always the id of a folder or its slug.
    """

    @operation("POST /folders", Need.IMPORTS, command="folders add", status=201, handler="folders:add_folder")
    def add(
        self,
        root: str | os.PathLike[str],
        *,
        name: str | None = None,
        project: Collection[str] | str | None = None,
        include: Collection[str] | str = (),
        exclude: Collection[str] | str = (),
        visibility: str = "private",
        watch: bool = True,
    ) -> Folder:
        """Adds a folder to one or several projects, or to "general". `index` reads its files.

        Adding the same root again connects it to further projects and updates these settings. `include` and
        `exclude` are patterns as in a .gitignore. Raises InvalidInput.
        """
        from holdfast.features.files.indexing import root_of

        return folders.add_folder(
            self._service, root_of(root), name=name, projects=project, include=include, exclude=exclude,
            visibility=visibility, watched=watch,
        )  # fmt: skip

    @operation("GET /folders", Need.READ, command="folders list", key="folders")
    def list(self) -> Sequence[FolderStatus]:
        """Returns all visible folders, oldest first, with totals of their files and their last job."""
        return folders.list_folders(self._service)

    @operation("GET /folders/{id}", Need.READ, command="folders show")
    def get(self, id: str) -> FolderStatus:
        """Returns the indexing status of a folder. Raises NotFound."""
        return folders.status(self._service, id)

    @operation("", Need.IMPORTS, command="folders index", why="`folders.queue`: nobody waits for it")
    def index(
        self, id: str, *, anew: bool = False, progress: Callable[[int, int], None] | None = None
    ) -> Indexed:
        """Indexes new and changed files, in this call; with `anew` all files. `progress` is called with the
        number of files done and in total. Raises NotFound, InvalidInput.
        """
        from holdfast.features.files.indexing import index_folder

        return index_folder(self._service, id, anew=anew, progress=progress)

    @operation(
        "POST /folders/{id}/index",
        Need.IMPORTS,
        command="folders index",
        status=202,
        handler="folders:index_folder",
    )
    def queue(self, id: str, *, anew: bool = False) -> Job:
        """Queues the indexing of a folder for a worker and returns the job. New and changed files are read;
        with `anew` all files. Raises NotFound.
        """
        return folders.queue(self._service, id, anew=anew)

    @operation("GET /folders/{id}/jobs", Need.JOBS, command="folders jobs", changes=False, key="jobs")
    def jobs(self, id: str, *, limit: int = 10) -> Sequence[Job]:
        """Returns the indexing jobs of a folder, newest first. Raises NotFound."""
        return folders.jobs_of(self._service, id, limit=limit)

    @operation("GET /folders/{id}/files", Need.READ, command="folders files", key="files")
    def files(
        self, id: str, *, state: str | None = None, after: str = "", limit: int = 100
    ) -> Sequence[File]:
        """Returns files of a folder by path, starting after the path `after`. `state` is indexed, skipped,
        error, or None for any. Each file that was not read has the reason. Raises NotFound, InvalidInput.
        """
        return folders.files(self._service, id, state=state, after=after, limit=limit)

    @operation("POST /folders/{id}/connect", Need.IMPORTS, command="folders connect")
    def connect(self, id: str, project: str) -> Folder:
        """Connects a folder to another project. Takes effect at once, without indexing it again."""
        return folders.connect(self._service, id, project)

    @operation("POST /folders/{id}/disconnect", Need.IMPORTS, command="folders disconnect")
    def disconnect(self, id: str, project: str) -> Folder:
        """Disconnects a folder from a project. Takes effect at once. Raises NotFound."""
        return folders.connect(self._service, id, project, connected=False)

    @operation("DELETE /folders/{id}", Need.IMPORTS, command="folders delete", key="memories", erases=True)
    def delete(self, id: str) -> int:
        """Erases the index of a folder; the files themselves stay. Returns the number of memories erased.
        Raises NotFound.
        """
        return folders.remove(self._service, id)

    @operation("GET /folders/{id}/chunk-stats", Need.READ, command="folders stats")
    def chunk_stats(self, id: str) -> dict[str, Any]:
        """Returns statistics about the passages of a folder. Raises NotFound."""
        return folders.stats(self._service, id)

    @operation("GET /folders/{id}/tree", Need.READ, command="folders tree", errors=(400,))
    def tree(self, id: str, path: str = "", *, max_depth: int = 2, max_entries: int = 500) -> Entry:
        """Returns the present content of the folder on disk: folders first, then files. Raises NotFound,
        InvalidInput.
        """
        from holdfast.features.reading.file_tree import list_tree

        root, exclusions = self._root_of(id)
        return list_tree(root, path, max_depth, max_entries, exclusions=exclusions)

    @operation("GET /folders/{id}/file", Need.READ, command="folders cat", errors=(400,))
    def read(self, id: str, path: str, *, max_bytes: int = 65_536) -> Content:
        """Returns the beginning of a file as it is on disk now, without secrets and private blocks. Raises
        NotFound, InvalidInput.
        """
        from holdfast.features.reading.file_tree import read_text

        root, exclusions = self._root_of(id)
        return read_text(root, path, max_bytes, exclusions=exclusions, entropy=self._service.secret_entropy)

    def _root_of(self, id: str) -> tuple[Path, Exclusions]:
        """Returns the root of a folder and what is excluded from it. Raises NotFound."""
        from holdfast.features.reading.exclusions import Exclusions

        folder = folders.status(self._service, id).folder
        return Path(folder.root), Exclusions(folder.root, folder.exclude, self._service.store.location)
