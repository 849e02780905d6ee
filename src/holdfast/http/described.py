"""Hand-written route of described sources: the check of allowed roots before one is read again."""

from __future__ import annotations

import os
from typing import Annotated

from fastapi import Path

from holdfast.http.folders import check_allowed
from holdfast.http.operations import Call
from holdfast.http.response import JSONResponse

SourceId = Annotated[str, Path(description="The id of a source, or what its client calls it.")]


def regenerate(call: Call, id: SourceId) -> JSONResponse:
    """Reads a source of the service's machine again and reconciles what it holds, if the setting `roots` of
    the service allows its path."""
    one = call.memory.described.get(id)
    for path in (one.file, os.path.realpath(one.file)):  # a link may lead elsewhere
        check_allowed(call, path)
    return JSONResponse(call.memory.described.regenerate(one.id).as_dict())
