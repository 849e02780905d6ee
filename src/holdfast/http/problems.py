"""Problems: every error as problem+json, with its status from one table."""

from __future__ import annotations

import logging
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from holdfast.domain.errors import CODES, HoldfastError, InvalidInput, NotFound

MEDIA_TYPE = "application/problem+json"

_UNPROCESSABLE = (
    "text_empty", "text_not_string", "text_low_value", "kind_unknown", "confidence_invalid",
    "metadata_invalid", "tags_invalid", "time_invalid", "place_invalid", "visibility_unknown",
    "status_unknown", "origin_unknown", "query_empty", "mode_unknown", "limit_invalid", "cursor_invalid",
    "argument_invalid", "secret_in_name", "message_invalid", "format_unknown", "file_unreadable",
    "archive_unsafe", "nothing_to_change", "idempotency_reused", "session_limit", "body_invalid",
    "text_too_long", "file_too_large",
)  # fmt: skip
_GROUPS: dict[int, tuple[str, ...]] = {
    400: ("precondition_invalid",),
    401: ("credential_missing", "credential_invalid", "credential_expired"),
    403: ("not_permitted", "origin_refused", "edited_by_person", "not_yours"),
    404: (
        "memory_not_found", "session_not_found", "source_not_found", "project_not_found", "key_not_found",
        "route_not_found", "entity_not_found", "relation_not_found",
    ),
    405: ("method_not_allowed",),
    408: ("body_too_slow",),
    409: (
        "session_in_other_project", "duplicate_text", "not_deleted", "restore_expired", "changed_meanwhile",
        "idempotency_running", "entity_ambiguous", "entities_apart",
    ),
    412: ("version_mismatch",),
    413: ("body_too_large",),
    415: ("media_type_unsupported",),
    421: ("host_refused",),
    422: _UNPROCESSABLE,
    500: ("internal_error", "config_invalid", "extra_missing", "file_not_found", "not_a_file",
          "dataset_invalid", "service_unreachable", "service_answer_invalid"),
    503: (
        "store_unavailable", "store_not_a_database", "store_newer", "store_read_only", "store_full",
        "store_busy", "store_io", "store_closed", "store_damaged", "history_lost", "audit_broken",
        "keys_unusable",
    ),
}  # fmt: skip
STATUS: dict[str, int] = {code: status for status, codes in _GROUPS.items() for code in codes}
"""The HTTP status of every code. What stands under 500 does not arise from a request."""

RETRY_AFTER = {"store_busy": "1", "idempotency_running": "1"}
"""Seconds after which a refused request may be tried again."""

log = logging.getLogger("holdfast.http")


def status_of(code: str) -> int:
    """The status for a code that may be newer than the table."""
    return STATUS.get(code, 500)


def problem(error: HoldfastError, request_id: str | None) -> JSONResponse:
    """An error as a problem+json response (RFC 9457)."""
    status = status_of(error.code)
    headers = {}
    if error.code in RETRY_AFTER:
        headers["Retry-After"] = RETRY_AFTER[error.code]
    if status == 401:
        headers["WWW-Authenticate"] = 'Bearer realm="holdfast"'
    body = {
        "type": f"urn:holdfast:error:{error.code}",
        "title": CODES.get(error.code, error.code),
        "status": status,
        "detail": error.message,
        "code": error.code,
        "hint": error.hint,
        "error": type(error).__name__,
        "request_id": request_id,
    }
    return JSONResponse(body, status, headers, media_type=MEDIA_TYPE)


def install(app: FastAPI) -> None:
    """Makes every error of the app a problem."""

    def told(request: Request, error: HoldfastError) -> JSONResponse:
        return problem(error, request.scope.get("request_id"))

    def on_error(request: Request, error: Exception) -> JSONResponse:
        assert isinstance(error, HoldfastError)
        if status_of(error.code) >= 500:
            log.error("failed", extra={"code": error.code, "request_id": request.scope.get("request_id")})
        return told(request, error)

    def on_shape(request: Request, error: Exception) -> JSONResponse:
        assert isinstance(error, RequestValidationError)
        return told(request, _shape(error))

    def on_http(request: Request, error: Exception) -> JSONResponse:
        assert isinstance(error, HTTPException)
        if isinstance(error.__cause__, HoldfastError):  # raised by the gate while the body was read
            return told(request, error.__cause__)
        if error.status_code == 405:
            answer = told(
                request, InvalidInput("the path does not take this method", code="method_not_allowed")
            )
            answer.headers.update(error.headers or {})
            return answer
        if error.status_code == 404:
            return told(
                request,
                NotFound("there is no such path", code="route_not_found", hint="see /openapi.json"),
            )
        return told(request, InvalidInput("the body cannot be read as JSON", code="body_invalid"))

    app.add_exception_handler(HoldfastError, on_error)
    app.add_exception_handler(RequestValidationError, on_shape)
    app.add_exception_handler(HTTPException, on_http)


def unexpected(request_id: str) -> JSONResponse:
    """The answer when something failed that is not an error of ours; its text stays in the log."""
    error = HoldfastError(
        "the service met an unexpected error", code="internal_error", hint=f"look for {request_id} in its log"
    )
    return problem(error, request_id)


def _shape(error: RequestValidationError) -> InvalidInput:
    """What is wrong with the shape of a request: the place and the rule, never the value."""
    first: dict[str, Any] = dict(error.errors()[0])
    place = [str(part) for part in first.get("loc", ())]
    where = ".".join(place[1:]) or "the body"
    code = "body_invalid" if place[:1] == ["body"] else "argument_invalid"
    more = len(error.errors()) - 1
    hint = f"and {more} more" if more else None
    return InvalidInput(f"{where[:100]}: {str(first.get('msg'))[:200]}", code=code, hint=hint)
