"""The cookie of a browser's session, and the token that a page sends with each change."""

from __future__ import annotations

import hmac
import re

from starlette.responses import Response

from holdfast.core.errors import AccessDenied
from holdfast.features.access.access import Grant
from holdfast.features.access.browser_sessions import csrf_token, session_grant
from holdfast.features.service import Service
from holdfast.stores.base.keys import Key

CSRF_HEADER = b"holdfast-csrf"
COOKIE = "holdfast_session"
Headers = list[tuple[bytes, bytes]]


def session_of(service: Service, local: Grant | None, headers: Headers) -> tuple[Key, Grant, str] | None:
    """Returns the session of a request with its grant and its secret text, None if it has no cookie. Raises
    AccessDenied."""
    text = _cookie(headers)
    if text is None:
        return None
    return (*session_grant(service, text, local), text)


def granted(service: Service, local: Grant | None, headers: Headers, *, writes: bool) -> Grant | None:
    """Returns what the session of a request allows, None if it has none. A change needs the token of the
    session, which other pages cannot read. Raises AccessDenied."""
    session = session_of(service, local, headers)
    if session is None:
        return None
    _, grant, text = session
    if writes:
        sent = next((value for name, value in headers if name == CSRF_HEADER), b"")
        if not hmac.compare_digest(sent, csrf_token(service, text).encode()):
            raise AccessDenied(
                "the token of the page is missing", code="csrf_missing", hint="reload the page"
            )
    return grant


def set_cookie(response: Response, headers: Headers, text: str, seconds: int) -> None:
    """Sets the cookie of a session: for this service alone, and for pages that it served itself."""
    origin = next((value for name, value in headers if name == b"origin"), b"")
    response.set_cookie(
        cookie_name(headers), text, max_age=seconds, path="/", httponly=True, samesite="strict",
        secure=origin.startswith(b"https:"),
    )  # fmt: skip


def cookie_name(headers: Headers) -> str:
    """Returns the name of the cookie: browsers share cookies between the ports of a host."""
    host = next((value for name, value in headers if name == b"host"), b"").decode("latin-1")
    port = re.search(r":(\d+)$", host)
    return f"{COOKIE}_{port[1]}" if port else COOKIE


def _cookie(headers: Headers) -> str | None:
    wanted = cookie_name(headers)
    for name, value in headers:
        if name == b"cookie":
            for part in value.decode("latin-1").split(";"):
                one, _, text = part.strip().partition("=")
                if one == wanted and text:
                    return text
    return None
