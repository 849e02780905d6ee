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
    samesite: Literal["strict", "lax"]


SESSION = Cookie("holdfast_session", "strict")
"""The session of a browser: only pages that this service served itself use it."""
FLOW = Cookie("holdfast_sign_in", "lax")
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
        cookie_name(headers, cookie, is_secure=is_secure), text, max_age=seconds, httponly=True,
        samesite=cookie.samesite, secure=is_secure,
    )  # fmt: skip


def delete_cookie(response: Response, headers: Headers, cookie: Cookie, *, is_secure: bool) -> None:
    """Deletes a cookie that `set_cookie` has set."""
    set_cookie(response, headers, cookie, "", 0, is_secure=is_secure)


def is_https(headers: Headers) -> bool:
    """Returns whether a request comes from a page that was reached over HTTPS, whatever proxy is between:
    browsers tell where a request comes from to such services alone, and to those of their own machine."""
    if _header(headers, b"origin").startswith(b"https:"):
        return True
    return any(name == b"sec-fetch-site" for name, _ in headers) and not _is_local(headers)


def cookie_name(headers: Headers, cookie: Cookie, *, is_secure: bool) -> str:
    """Returns the name of a cookie. Browsers share cookies between the ports of a host, so it holds the port.
    Over HTTPS it has a prefix by which browsers let no other host of the domain set it."""
    port = re.search(r":(\d+)$", _host(headers))
    name = f"{cookie.name}_{port[1]}" if port else cookie.name
    return f"__Host-{name}" if is_secure and not _is_local(headers) else name


def cookie_of(headers: Headers, cookie: Cookie) -> str | None:
    """Returns the text of a cookie, None if the request has none, or several: one of them is of a service on
    another host of the domain, or another port, and nothing tells which."""
    cookies: dict[str, set[str]] = {}
    for name, value in headers:
        if name == b"cookie":
            for part in value.decode("latin-1").split(";"):
                key, _, text = part.strip().partition("=")
                if text:
                    cookies.setdefault(key, set()).add(text)
    texts = cookies.get(cookie_name(headers, cookie, is_secure=True))
    if texts is None and not is_https(
        headers
    ):  # an old browser over HTTPS sends neither header, and is read too
        texts = cookies.get(cookie_name(headers, cookie, is_secure=False))
    return texts.pop() if texts is not None and len(texts) == 1 else None


def _host(headers: Headers) -> str:
    return _header(headers, b"host").decode("latin-1").lower()


def _header(headers: Headers, header_name: bytes) -> bytes:
    return next((value for name, value in headers if name == header_name), b"")


def _is_local(headers: Headers) -> bool:
    name = re.sub(r":\d+$", "", _host(headers))
    return name in ("localhost", "[::1]") or name.endswith(".localhost") or name.startswith("127.")
