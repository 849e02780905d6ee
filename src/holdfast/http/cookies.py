"""The cookies of a browser, and the token that a page sends with each change."""

from __future__ import annotations

import hmac
import re
from dataclasses import dataclass
from typing import Literal

from starlette.responses import Response

from holdfast.core.errors import AccessDenied
from holdfast.features.access.access import Grant
from holdfast.features.access.browser_sessions import csrf_token, session_grant
from holdfast.features.service import Service
from holdfast.stores.base.keys import Key

CSRF_HEADER = b"holdfast-csrf"
Headers = list[tuple[bytes, bytes]]


@dataclass(frozen=True, slots=True)
class Cookie:
    """A cookie that no script can read, and the requests with which browsers send it."""

    name: str
    path: str
    samesite: Literal["strict", "lax"]


SESSION = Cookie("holdfast_session", "/", "strict")
"""The session of a browser: only pages that this service served itself use it."""
FLOW = Cookie("holdfast_sign_in", "/auth/oidc", "lax")
"""A sign-in under way at the identity provider, which sends the browser back."""


def session_of(service: Service, local: Grant | None, headers: Headers) -> tuple[Key, Grant, str] | None:
    """Returns the session of a request with its grant and its secret text, None if it has no cookie. Raises
    AccessDenied."""
    text = cookie_of(headers, SESSION)
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


def set_cookie(
    response: Response, headers: Headers, cookie: Cookie, text: str, seconds: int, *, is_secure: bool
) -> None:
    """Sets a cookie for this service alone."""
    response.set_cookie(
        cookie_name(headers, cookie), text, max_age=seconds, path=cookie.path, httponly=True,
        samesite=cookie.samesite, secure=is_secure,
    )  # fmt: skip


def cookie_name(headers: Headers, cookie: Cookie) -> str:
    """Returns the name of a cookie: browsers share cookies between the ports of a host."""
    host = next((value for name, value in headers if name == b"host"), b"").decode("latin-1")
    port = re.search(r":(\d+)$", host)
    return f"{cookie.name}_{port[1]}" if port else cookie.name


def cookie_of(headers: Headers, cookie: Cookie) -> str | None:
    """Returns the text of a cookie, None if the request has none."""
    wanted = cookie_name(headers, cookie)
    for name, value in headers:
        if name == b"cookie":
            for part in value.decode("latin-1").split(";"):
                one, _, text = part.strip().partition("=")
                if one == wanted and text:
                    return text
    return None
