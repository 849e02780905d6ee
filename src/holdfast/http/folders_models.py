"""The shapes of requests and answers about folders, as the OpenAPI document shows them."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from holdfast.http.answers import JobOut, Told
from holdfast.http.models import Given


class FolderIn(Given):
    """A folder of the machine on which the service runs."""

    root: str = Field(examples=["/srv/shop"], description="Below a folder that the service may read.")
    name: str | None = Field(None, description="What to call it; the name of the folder if left out.")
    project: str | list[str] | None = Field(None, description="One or several; `general` if left out.")
    include: str | list[str] = Field([], description="Only files like this, as in a .gitignore.")
    exclude: str | list[str] = Field([], description="No files like this, as in a .gitignore.")
    visibility: str = Field("private", description="private, team or project.")
    watch: bool = Field(True, description="Follow its changes while the service runs.")


class ConnectionIn(Given):
    """The project that a folder is connected to, or is to leave."""

    project: str = Field(examples=["shop"])


class FolderOut(Told):
    """A folder whose files are indexed."""

    id: str
    slug: str = Field(examples=["shop-dir"])
    name: str
    root: str
    owner: str
    visibility: Literal["private", "team", "project"]
    projects: list[str]
    include: list[str]
    exclude: list[str]
    watched: bool
    state: Literal["idle", "indexing", "error", "disabled"]
    error: str | None = Field(description="The code of what kept it from being indexed.")
    created_at: str
    started_at: str | None
    completed_at: str | None


class CountsOut(Told):
    """What the files of a folder come to."""

    indexed: int
    skipped: int
    failed: int
    bytes: int
    chunks: int


class FolderStatusOut(FolderOut):
    """A folder with what its files come to and its last job."""

    files: CountsOut
    job: JobOut | None


class FoldersOut(Told):
    """Folders, oldest first."""

    folders: list[FolderStatusOut]


class FileOut(Told):
    """One file as it was last read."""

    path: str
    state: Literal["indexed", "skipped", "error"]
    reason: str | None = Field(description="Why it was not read, as a code.")
    filetype: str | None
    language: str | None
    size: int
    sha256: str | None = Field(description="Of its text.")
    chunks: int
    renamed_from: str | None
    modified_at: str
    indexed_at: str


class FilesOut(Told):
    """Files by path."""

    files: list[FileOut]


class FolderJobsOut(Told):
    """Jobs that indexed a folder, newest first."""

    jobs: list[JobOut]


class GroupOut(Told):
    """Passages of about one length."""

    up_to: int | None = Field(description="Characters; none for the longest.")
    chunks: int


class ChunkStatsOut(Told):
    """Figures about the passages of a folder."""

    total: int
    unique: int
    duplicate_rate: float
    min: int
    average: float
    max: int
    histogram: list[GroupOut]


class EntryOut(Told):
    """A file or folder of a tree; a folder has entries, a file its size."""

    name: str
    path: str
    type: Literal["folder", "file", "link", "other"]
    size: int | None = None
    modified_at: str | None = None
    truncated: bool | None = None
    entries: list[EntryOut] | None = None


class ContentOut(Told):
    """The beginning of a file."""

    path: str
    text: str
    size: int
    truncated: bool
    binary: bool
    left_out: str | None = Field(description="Why nothing is shown: binary, or holds_secrets.")
