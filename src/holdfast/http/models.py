"""Requests and responses of the routes that are written by hand, and the form of errors."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

from holdfast.features.transfer.formats.opening import FORMATS
from holdfast.http.schemas import Body

Json = dict[str, Any]


class Answer(BaseModel):
    """A response: exactly these keys."""

    model_config = ConfigDict(extra="forbid")


class Problem(BaseModel):
    """An error (RFC 9457). `code` is stable; docs/reference/errors.md lists all."""

    type: str = Field(examples=["urn:holdfast:error:memory_not_found"])
    title: str
    status: int = Field(examples=[404])
    detail: str
    code: str = Field(examples=["memory_not_found"])
    hint: str | None
    error: str = Field(description="The class of the error in Python.")
    request_id: str | None


class ImportOut(Answer):
    """The outcome of every item of an import."""

    format: str
    name: str
    sha256: str
    dry_run: bool
    items: dict[str, int] = Field(description="How many of each: messages, notes, entities, records ...")
    outcomes: dict[str, int]
    redactions: dict[str, int]
    reasons: dict[str, int] = Field(description="Why items were refused or wait for review.")
    refused: list[Json]
    breaks_off: bool = Field(description="The file was not read to its end; what came before is kept.")
    expiring: Json = Field(description="How many memories will leave recall by themselves, and when.")
    elsewhere: list[Json] = Field(description="What was known in another project, and stays there.")
    moved: dict[str, int] = Field(description="Conversations and memories that were moved to the project.")
    untimed: int = Field(description="Messages kept without a time that can be read: taken as said now.")
    personal: int = Field(description="Kept with personal data in them, since only their owner sees them.")
    foreign: bool = Field(
        description="An export that this store did not sign and nobody vouched for: taken as an import."
    )
    interrupted: bool = Field(description="The import was stopped before its end.")
    missing: Json = Field(
        description="Conversations that earlier imports of the same account brought and this export no longer"
        " has: how many, and their ids and titles. They stay."
    )
    account: Json = Field(
        description="For each type of item how many were seen, and what became of them: kept, updated, "
        "duplicate, held, skipped or failed, with the reasons."
    )
    skipped: list[Json]


class Health(Answer):
    """The state of the service: running, or ready to work."""

    status: Annotated[str, Field(examples=["ok"])]


class ImportIn(Body):
    """An export of another program: its text, or its bytes in base64."""

    content: str | None = Field(None, examples=['[{"role": "user", "content": "Is the cart done?"}]'])
    content_base64: str | None = Field(None, description="Instead of content, for a .zip.")
    filename: str = Field("", examples=["messages.json"], description="Serves the format only.")
    format: str | None = Field(None, description=f"{', '.join(FORMATS)}; detected if omitted.")
    project: str | None = None
    visibility: str | None = None
    workspace: str | None = None
    moves: bool = Field(False, description="Move what an earlier import brought elsewhere to the project.")
    with_forgotten: bool = Field(False, description="Store what was forgotten again; takes a person.")
    dry_run: bool = Field(False, description="Store nothing, and report what would become of every item.")


class FolderIn(Body):
    """A folder of the machine on which the service runs."""

    root: str = Field(examples=["/srv/shop"], description="Below a folder that the service may read.")
    name: str | None = Field(None, description="What to call it; the name of the folder if left out.")
    project: str | list[str] | None = Field(None, description="One or several; `general` if left out.")
    include: str | list[str] = Field([], description="Only files like this, as in a .gitignore.")
    exclude: str | list[str] = Field([], description="No files like this, as in a .gitignore.")
    visibility: str = Field("private", description="private, team or project.")
    watch: bool = Field(True, description="Follow its changes while the service runs.")


class IndexIn(Body):
    """The files of a folder to read."""

    anew: bool = Field(False, description="All files, changed or not, instead of new and changed ones.")


class SourceIn(Body):
    """A file or folder of the machine on which the service runs."""

    path: str = Field(examples=["/srv/data/sales.xlsx"], description="Below a folder that it may read.")
    project: str | None = None
    visibility: str | None = Field(None, description="private (default), team or project.")
    members: list[str] | None = Field(None, description="Who may read it; everybody if left out.")


class DescribeIn(Body):
    """The payload of a source."""

    payload: Json | None = Field(None, description="Without one, the service reads the source again.")


class SeedIn(Body):
    """A convention that a file of the repository states."""

    text: str
    file: str
    key: str = Field(description="The same on every scan, so that it is proposed once.")


class ScanIn(Body):
    """The result of a scan: a map as `GET` returns it, all paths of the repository, conventions, renames."""

    map: Json
    files: list[str] = Field(default_factory=list, max_length=40_000)
    seeds: list[SeedIn] = Field(default_factory=list, max_length=40)
    renamed: dict[str, str] = Field(
        default_factory=dict, max_length=5_000, description="What files that are gone are called now."
    )
    seed: bool = Field(True, description="Propose the conventions for review.")
