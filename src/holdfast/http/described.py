"""Hand-written routes of described sources: the check of allowed roots before one is read."""

from __future__ import annotations

import os
from typing import Annotated

from fastapi import Path

from holdfast.core.jobs import Job
from holdfast.features.reconcile.opening import name_of
from holdfast.http.folders import check_allowed
from holdfast.http.jobs import accepted
from holdfast.http.models import DescribeIn, SourceIn
from holdfast.http.operations import Call
from holdfast.http.response import JSONResponse

SourceId = Annotated[str, Path(description="The id of a source, or what its client calls it.")]
_READ_AGAIN = DescribeIn(payload=None)


def roots(call: Call) -> JSONResponse:
    """Returns the folders of the service's machine that may be read by request: its setting `roots`."""
    return JSONResponse({"roots": list(call.roots)})


def read(call: Call, body: SourceIn) -> JSONResponse:
    """Reads a file or folder of the service's machine and reconciles what it holds, if the setting `roots`
    of the service allows its path."""
    params = body.params()
    path = params.pop("path")
    check_allowed(call, path)
    real = name_of(path)
    check_allowed(call, real)  # a link may lead elsewhere
    return JSONResponse(call.memory.described.scan(real, **params).as_dict())


def regenerate(call: Call, id: SourceId) -> JSONResponse:
    """Reads a source of the service's machine again and reconciles what it holds, if the setting `roots` of
    the service allows its path."""
    return JSONResponse(call.memory.described.regenerate(_checked(call, id)).as_dict())


def describe(call: Call, id: SourceId, body: DescribeIn = _READ_AGAIN) -> JSONResponse:
    """Queues the description of a source by the first model. Without a payload the service reads it again,
    if its setting `roots` allows the path."""
    if body.payload is None:
        id = _checked(call, id)
    return accepted(call.memory.described.describe(id, body.payload), requested=False)


describe.returns = Job  # type: ignore[attr-defined]


def _checked(call: Call, id: str) -> str:
    """Returns the id of a source that the service may read. Raises NotFound, AccessDenied."""
    source = call.memory.described.get(id)
    for path in (source.file, os.path.realpath(source.file)):  # a link may lead elsewhere
        check_allowed(call, path)
    return source.id
