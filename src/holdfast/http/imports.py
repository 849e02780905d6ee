"""The route of imports, which runs an import at once or as a job."""

from __future__ import annotations

import base64
import binascii

from holdfast.api.importing import import_bytes
from holdfast.core.errors import InvalidInput
from holdfast.http.jobs import Prefer, accepted, wants_job
from holdfast.http.models import ImportIn
from holdfast.http.operations import Call
from holdfast.http.response import JSONResponse
from holdfast.workers import queue_import

AT_ONCE_MAX = 8 << 20
"""Characters or bytes of an export that is imported while its sender waits."""


def import_(call: Call, body: ImportIn, prefer: Prefer = None) -> JSONResponse:
    """Imports an export of another program and reports the outcome of every item.

    Reads exports of ChatGPT, Claude and Gemini, lists of messages, text with roles, notes, the memories of
    other programs and Holdfast's own export. Repeating an import stores nothing twice. With `Prefer:
    respond-async`, and above 8 MiB in any case, it runs as a job, and the status is 202.
    """
    content = _content(body)
    prefers_job = wants_job(prefer)
    if prefers_job or len(content) > AT_ONCE_MAX:
        options = body.model_dump(exclude={"content", "content_base64"})
        return accepted(queue_import(call.memory._service, content, **options), requested=prefers_job)
    report = import_bytes(
        call.memory, content, filename=body.filename, format=body.format, project=body.project,
        visibility=body.visibility, workspace=body.workspace, moves=body.moves,
        with_forgotten=body.with_forgotten, dry_run=body.dry_run,
    )  # fmt: skip
    return JSONResponse(report.as_dict())


def _content(body: ImportIn) -> bytes:
    """Returns the file to import from a body. Raises InvalidInput unless it is given in exactly one form."""
    if (body.content is None) == (body.content_base64 is None):
        raise InvalidInput("give either content or content_base64", code="body_invalid")
    if body.content is not None:
        return body.content.encode("utf-8", "replace")
    try:
        return base64.b64decode(body.content_base64 or "", validate=True)
    except (binascii.Error, ValueError) as error:
        raise InvalidInput("content_base64 is not base64", code="body_invalid") from error
