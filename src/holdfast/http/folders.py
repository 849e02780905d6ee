"""Hand-written routes of folders: the check of allowed roots, and indexing jobs."""

from __future__ import annotations

from typing import Annotated

from fastapi import Path

from holdfast.core.errors import AccessDenied
from holdfast.core.folders import FolderStatus, is_below
from holdfast.features.files import folders
from holdfast.features.files.indexing import root_of
from holdfast.http.jobs import accepted
from holdfast.http.models import FolderIn, IndexIn
from holdfast.http.operations import Call
from holdfast.http.response import JSONResponse

FolderId = Annotated[str, Path(description="The id of a folder, or its slug.", examples=["shop-dir"])]
ROOTS_SHOWN = 5
"""Most folders that an error names."""
_NEW_AND_CHANGED = IndexIn(anew=False)


def add_folder(call: Call, body: FolderIn) -> JSONResponse:
    """Adds a folder of the service's machine and indexes it in the background, if the setting `roots` of
    the service allows the folder.
    """
    params = body.params()
    root = params.pop("root")
    check_allowed(call, root)
    real = root_of(root)
    check_allowed(call, real)  # a link may lead elsewhere
    # resolved once only: a link may lead elsewhere a moment later, and nothing is opened through one
    names, watched = params.pop("project", None), params.pop("watch", True)
    folder = folders.add_folder(call.memory._service, real, projects=names, watched=watched, **params)
    call.memory.folders.queue(folder.id)
    return JSONResponse(call.memory.folders.get(folder.id).as_dict(), 201)


add_folder.returns = FolderStatus  # type: ignore[attr-defined]


def index_folder(call: Call, id: FolderId, body: IndexIn = _NEW_AND_CHANGED) -> JSONResponse:
    """Queues the indexing of a folder and returns the job."""
    return accepted(call.memory.folders.queue(id, anew=body.anew), requested=False)


def check_allowed(call: Call, path: str) -> None:
    """Checks that a path is below a folder that the operator allows. Raises AccessDenied."""
    if any(is_below(path, allowed) for allowed in call.roots):
        return
    if call.roots:
        hint = f"it may read what is below {', '.join(call.roots[:ROOTS_SHOWN])}"
    else:
        hint = "the operator of the service allows folders with the setting `roots` (HOLDFAST_ROOTS)"
    raise AccessDenied("the service may not read this file or folder", code="root_not_allowed", hint=hint)
