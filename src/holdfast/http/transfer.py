"""The route of the export, which streams everything that the caller owns."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice
from typing import Annotated

from fastapi import Query, Request, Response
from fastapi.responses import StreamingResponse

from holdfast.core.errors import HoldfastError
from holdfast.http.operations import Call
from holdfast.http.problems import log_failure
from holdfast.http.signin import Entrance

MEDIA = {"jsonl": "application/x-ndjson", "markdown": "text/markdown; charset=utf-8"}
LINES = 200
"""Lines sent at once."""


def export(
    call: Call,
    request: Request,
    format: Annotated[str, Query(description="jsonl, or markdown for people.")] = "jsonl",
    user_data: Annotated[bool, Query(description="Also the audit events about the user.")] = False,
    metadata: Annotated[
        str | None, Query(description="Only memories with this metadata: a JSON object of conditions.")
    ] = None,
) -> Response:
    """Exports everything that the caller owns.

    One record a line: memories in every state with all versions and histories, entities and relations,
    projects, sessions, sources. The last line has the type `end`; without it the export is incomplete, as it
    is when, meanwhile, the credential is revoked or its user leaves the team or gets another role. A
    credential that only expires meanwhile does not end it.
    """
    entrance: Entrance = request.app.state.entrance
    is_allowed = partial(entrance.still_admits, request.scope, at=entrance.service.clock())
    lines = call.memory.export(format=format, user_data=user_data, metadata=metadata)
    name = "holdfast.jsonl" if format == "jsonl" else "holdfast.md"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    pieces = _pieces(lines, is_allowed, request.scope["request_id"])
    return StreamingResponse(pieces, headers=headers, media_type=MEDIA[format])


def _pieces(lines: Iterator[str], is_allowed: Callable[[], bool], request_id: str) -> Iterator[str]:
    """Yields the lines some at a time, as long as the request is allowed. Raises HoldfastError, which is
    logged, as no response can tell it any more; it breaks the connection off."""
    try:
        while (piece := "".join(islice(lines, LINES))) and is_allowed():
            yield piece
    except HoldfastError as error:
        log_failure(error, request_id)
        raise
