"""Problem responses: every error as problem+json (RFC 9457), with its status from one table."""

from __future__ import annotations

import json
import logging
from collections.abc import Collection

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.routing import Match

from holdfast.core.arguments import safe_repr
from holdfast.core.errors import CODES, HoldfastError, InvalidInput, NotFound, StoreError, for_callers
from holdfast.http.rates import TooOften
from holdfast.http.response import JSONResponse

MEDIA_TYPE = "application/problem+json"
METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")
SHOWN = 3
"""Invalid fields that are named one by one; of more only the number is given."""
READ = 100
"""Maximum number of validation errors of a request that are read; a body may have a hundred thousand."""

_UNPROCESSABLE = (
    "text_empty", "text_not_string", "text_low_value", "excluded", "kind_unknown",
    "language_unknown", "confidence_invalid",
    "metadata_invalid", "tags_invalid", "time_invalid", "place_invalid", "visibility_unknown",
    "status_unknown", "origin_unknown", "query_empty", "mode_unknown", "limit_invalid", "cursor_invalid",
    "argument_invalid", "secret_in_name", "message_invalid", "format_unknown", "file_unreadable",
    "archive_unsafe", "nothing_to_change", "idempotency_reused", "session_limit", "body_invalid",
    "text_too_long", "file_too_large", "record_invalid", "payload_invalid", "fact_unclear",
    "topic_unknown", "map_invalid",
    "id_ambiguous", "model_address_invalid", "backup_folder_missing",
)  # fmt: skip
_GROUPS: dict[int, tuple[str, ...]] = {
    400: ("precondition_invalid", "path_outside", "path_is_directory", "file_not_found", "not_a_file"),
    401: ("credential_missing", "credential_invalid", "credential_expired", "code_invalid"),
    403: (
        "not_permitted", "origin_refused", "sharing_off", "edited_by_person", "not_yours", "review_by_person",
        "root_not_allowed", "not_a_member", "person_needed", "model_address_refused", "csrf_missing",
        "legal_hold", "consent_withdrawn", "quota_exceeded",
    ),
    404: (
        "memory_not_found", "context_not_found", "session_not_found", "source_not_found", "project_not_found",
        "key_not_found", "backup_not_found", "route_not_found", "entity_not_found", "relation_not_found",
        "job_not_found",
        "fact_not_found", "path_not_found", "map_not_found", "module_not_found", "member_not_found",
        "model_not_found", "tenant_unknown", "hold_not_found", "policy_not_found",
    ),
    405: ("method_not_allowed",),
    408: ("body_too_slow",),
    409: (
        "session_in_other_project", "duplicate_text", "not_deleted", "restore_expired", "changed_meanwhile",
        "idempotency_running", "idempotency_gone", "entity_ambiguous", "entities_apart", "job_state",
        "jobs_too_many", "already_member", "owner_needed", "project_exists", "project_archived",
        "session_archived", "project_off", "model_exists", "model_not_accepted", "model_budget",
        "hold_exists", "version_current", "external_id_taken",
    ),
    412: ("version_mismatch",),
    413: ("body_too_large",),
    415: ("media_type_unsupported",),
    421: ("host_refused",),
    422: _UNPROCESSABLE,
    429: ("rate_limited",),
    500: ("internal_error", "config_invalid", "extra_missing",
          "dataset_invalid", "service_unreachable", "service_answer_invalid", "only_local",
          "job_payload_gone", "embedder_failed"),
    503: (
        "store_unavailable", "store_moved", "store_not_a_database", "store_newer", "store_unreleased",
        "store_read_only", "store_full", "store_busy", "store_io", "store_closed", "store_damaged",
        "history_lost", "audit_broken",
        "keys_unusable", "store_connection_lost", "store_unsafe", "store_linked", "store_not_encrypted",
        "key_missing", "key_wrong", "key_unusable", "model_refused", "model_busy", "model_unreachable",
        "model_answer_invalid", "provider_unavailable", "backup_failed",
        "bucket_not_found", "bucket_credentials", "bucket_not_permitted", "bucket_unreachable",
        "bucket_failed", "clock_skewed", "clock_unusable",
    ),
}  # fmt: skip
STATUS: dict[str, int] = {code: status for status, codes in _GROUPS.items() for code in codes}
"""The HTTP status of every code. Those with 500 do not arise from a request."""

RETRY_AFTER = {
    "store_busy": "1", "store_connection_lost": "1", "idempotency_running": "1",
    "store_unavailable": "5", "store_moved": "5", "store_read_only": "5",
}  # fmt: skip
"""Seconds after which a refused request may be tried again."""

log = logging.getLogger("holdfast.http")


def status_of(code: str) -> int:
    """Returns the HTTP status of an error code, which may be newer than the table."""
    return STATUS.get(code, 500)


def log_failure(error: HoldfastError, request_id: str | None) -> None:
    """Logs a failure of the service by its code, that of the store with its reason. Refusals of a request
    are none."""
    if status_of(error.code) < 500:
        return
    reason = error.message if isinstance(error, StoreError) else None
    log.error("failed", extra={"code": error.code, "request_id": request_id, "reason": reason})


def problem(error: HoldfastError, request_id: str | None, *, wait: int | None = None) -> JSONResponse:
    """Returns an error as a problem+json response (RFC 9457). `wait` is the Retry-After in seconds."""
    error = for_callers(error)
    status = status_of(error.code)
    headers = {}
    if wait is not None or error.code in RETRY_AFTER:
        headers["Retry-After"] = RETRY_AFTER[error.code] if wait is None else str(wait)
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
    """Registers handlers that turn every error of the app into a problem response."""

    def respond(request: Request, error: HoldfastError) -> JSONResponse:
        wait = error.wait if isinstance(error, TooOften) else None
        return problem(error, request.scope.get("request_id"), wait=wait)

    def on_error(request: Request, error: Exception) -> JSONResponse:
        assert isinstance(error, HoldfastError)
        request.scope["problem"] = error
        log_failure(error, request.scope.get("request_id"))
        return respond(request, error)

    def on_shape(request: Request, error: Exception) -> JSONResponse:
        assert isinstance(error, RequestValidationError)
        body = getattr(request.scope.get("route"), "body_field", None)
        model = getattr(getattr(body, "field_info", None), "annotation", None)
        return respond(request, _shape(error, list(getattr(model, "model_fields", ()))))

    def on_http(request: Request, error: Exception) -> JSONResponse:
        assert isinstance(error, HTTPException)
        if error.status_code == 405:
            response = respond(
                request, InvalidInput("this path does not support this method", code="method_not_allowed")
            )
            response.headers["Allow"] = ", ".join(_methods_at(request))
            return response
        if error.status_code == 404:
            return respond(
                request,
                NotFound("no route has this path", code="route_not_found", hint="see /openapi.json"),
            )
        return respond(
            request,
            InvalidInput(
                "the body cannot be read as JSON",
                code="body_invalid",
                hint="send JSON in UTF-8, not nested too deeply",
            ),
        )

    app.add_exception_handler(HoldfastError, on_error)
    app.add_exception_handler(RequestValidationError, on_shape)
    app.add_exception_handler(HTTPException, on_http)


def _methods_at(request: Request) -> list[str]:
    """Returns the methods that the path of a request supports, by whatever route."""
    routes = request.app.router.routes
    methods = [
        method
        for method in METHODS
        if any(route.matches({**request.scope, "method": method})[0] is Match.FULL for route in routes)
    ]
    return ["HEAD", *methods] if "GET" in methods else methods


def unexpected(request_id: str) -> JSONResponse:
    """Returns the response to an unexpected error, whose text is only in the log."""
    error = HoldfastError(
        "unexpected error in the service", code="internal_error", hint=f"look for {request_id} in its log"
    )
    return problem(error, request_id)


_OF_A_UNION = frozenset({"int", "float", "str", "bool", "ScopeIn"})
"""How the checker names the sides of a choice of types behind the name of a field."""


def _shape(error: RequestValidationError, allowed: Collection[str]) -> InvalidInput:
    """Returns the error for an invalid request: each field and the rule it breaks, never a value. `allowed`
    are the fields that the operation takes.
    """
    errors: dict[str, str] = {}
    unknown: list[str] = []
    code = "argument_invalid"
    details = error.errors()
    for detail in details[:READ]:
        place = [str(part) for part in detail.get("loc", ())]
        code = "body_invalid" if place[:1] == ["body"] else code
        place = [part for part in place[1:] if part not in _OF_A_UNION]
        where = ".".join(place)[:100] or "the body"
        if detail.get("type") == "extra_forbidden":
            unknown += place if len(place) == 1 else []
            errors[where] = f"there is no field {safe_repr(where)}"
        elif detail.get("type") == "json_invalid":
            why = detail.get("ctx", {}).get("error", "")
            errors["the body"] = f"the body is not JSON: {why}, at character {where}"
        elif detail.get("type") == "model_attributes_type":
            errors[where] = f"{where} must be a JSON object"
        elif detail.get("type") == "missing":
            errors[where] = f"{where} is missing"
        elif where in errors:
            errors[where] = f"{where} has a wrong type"
        else:
            errors[where] = f"{where}: {str(detail.get('msg'))[:200]}"
    if len(errors) > SHOWN:  # unknown fields are always named
        errors = {where: errors[where] for where in sorted(errors, key=lambda where: where not in unknown)}
    first = list(errors.values())[:SHOWN]
    more = len(errors) - len(first) + len(details[READ:])
    message = "; ".join(first) + (f"; and {more} more" if more else "")
    return InvalidInput(message, code=code, hint=_suggestion(unknown[:SHOWN], allowed))


def unknown_parameter(name: str, allowed: Collection[str]) -> InvalidInput:
    """Returns the error for an unknown query parameter."""
    return InvalidInput(
        f"there is no parameter {safe_repr(name)}",
        code="argument_invalid",
        hint=_suggestion([name], allowed) or "it takes none",
    )


def check_no_fields(body: bytes) -> None:
    """Raises InvalidInput `body_invalid` for a body with fields, for an operation that takes none: what a
    later client means by one must not be passed over."""
    try:
        parsed = json.loads(body) if body.strip() else {}
    except (ValueError, RecursionError):
        parsed = None
    if parsed != {}:
        where = safe_repr(next(iter(parsed))) if isinstance(parsed, dict) else "the body"
        raise InvalidInput(f"there is no field {where}", code="body_invalid", hint="it takes none")


def check_in_query(body: bytes) -> None:
    """Raises InvalidInput `body_invalid` for a body with fields, for an operation that takes its arguments in
    the query: `hard` in the body of a DELETE must not be passed over."""
    try:
        check_no_fields(body)
    except InvalidInput as error:
        error.hint = "arguments of GET and DELETE go into the query, such as ?dry_run=true"
        raise


def _suggestion(unknown: Collection[str], allowed: Collection[str]) -> str | None:
    """Returns a hint with the known names that are similar to unknown ones, or all known names."""
    if not unknown or not allowed:
        return None
    from difflib import get_close_matches

    similar = [match for name in unknown for match in get_close_matches(name[:100], allowed, 1, 0.7)]
    return f"did you mean {', '.join(similar)}?" if similar else f"it takes {', '.join(allowed)}"
