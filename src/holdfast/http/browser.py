"""Sign-in of browsers: a one-time link, a credential or the identity provider opens a session."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from fastapi import APIRouter, Request
from starlette.concurrency import run_in_threadpool
from starlette.responses import RedirectResponse

from holdfast.core.errors import AccessDenied, HoldfastError, InvalidInput, NotFound
from holdfast.core.times import to_iso
from holdfast.features.access.access import Grant, allowed_needs
from holdfast.features.access.browser_sessions import (
    csrf_token,
    end_session,
    one_time_code,
    open_with_code,
    open_with_grant,
    session_grant,
    sessions_of,
)
from holdfast.features.access.members import bound_grant
from holdfast.http.cookies import (
    FLOW,
    SESSION,
    Headers,
    cookie_of,
    delete_cookie,
    is_https,
    session_of,
    set_cookie,
)
from holdfast.http.oidc import CALLBACK, FLOW_SECONDS, SESSION_SECONDS, Oidc
from holdfast.http.response import JSONResponse
from holdfast.http.signin import Entrance
from holdfast.http.stream import newest_event_id
from holdfast.stores.base.keys import Key

NAME_MAX = 60
_BROWSERS = ("Firefox", "Edg", "OPR", "Chrome", "Safari")
_SYSTEMS = ("Android", "iPhone", "iPad", "Windows", "Macintosh", "Linux")
_NAMED = {"Edg": "Edge", "OPR": "Opera", "Macintosh": "macOS"}

router = APIRouter(prefix="/auth", include_in_schema=False)


@router.get("/session")
def session(request: Request) -> JSONResponse:
    """Returns who is signed in, or why a session is over, and the ways to sign in."""
    entrance, headers = _parts(request)
    try:
        state = _state(entrance, session_of(entrance.service, entrance.local, headers))
    except HoldfastError as error:  # it has ended, or its user is no member any more
        state = _state(entrance, None) | {"code": error.code}
    return JSONResponse(state)


@router.post("/open")
async def open_(request: Request) -> JSONResponse:
    """Opens the session of a one-time link."""
    code = await _field(request, "code")

    def sign_in(entrance: Entrance) -> tuple[Key, str]:
        if entrance.local is None:
            raise AccessDenied("this service opens by a key", code="code_invalid", hint="sign in with a key")
        return open_with_code(entrance.service, code, _name(request))

    return await _signed_in(request, sign_in)


@router.post("/key")
async def with_key(request: Request) -> JSONResponse:
    """Opens a session with the rights of an API key, or of a token of the identity provider."""
    text = await _field(request, "key")

    def sign_in(entrance: Entrance) -> tuple[Key, str]:
        grant = entrance.grant([(b"x-api-key", text.encode("latin-1", "replace"))], writes=False)
        return open_with_grant(entrance.service, grant, _name(request))

    return await _signed_in(request, sign_in)


@router.get("/oidc")
def at_provider(request: Request) -> RedirectResponse:
    """Sends a browser to the identity provider."""
    entrance, headers = _parts(request)
    oidc, secret = _oidc(entrance), secrets.token_urlsafe(32)
    try:
        response = RedirectResponse(oidc.begin(secret), 303)
    except AccessDenied as error:
        return _failed(error)
    set_cookie(response, headers, FLOW, secret, FLOW_SECONDS, is_secure=oidc.is_secure)
    return response


@router.get(CALLBACK.removeprefix("/auth"))
def from_provider(request: Request, state: str = "", code: str = "") -> RedirectResponse:
    """Signs in a browser that comes back from the identity provider; no address of a page holds a code."""
    entrance, headers = _parts(request)
    oidc, service = _oidc(entrance), entrance.service
    try:
        grant = oidc.grant(cookie_of(headers, FLOW) or "", state, code)
        lasting = replace(grant, expires_at=service.clock() + SESSION_SECONDS * 1_000)
        # a provider has accounts of anybody: none comes into a tenant in which nobody was named
        bound = bound_grant(service, lasting, only_members=True)
        session, text = open_with_grant(service, bound, _name(request))
    except AccessDenied as error:
        response = _failed(error)
    else:
        response = RedirectResponse("/", 303)
        set_cookie(response, headers, SESSION, text, _seconds(entrance, session), is_secure=oidc.is_secure)
    delete_cookie(response, headers, FLOW, is_secure=oidc.is_secure)
    return response


@router.post("/link")
def link(request: Request) -> JSONResponse:
    """Returns a one-time code for a browser of whoever asks without one: `holdfast open`."""
    entrance, headers = _parts(request)
    grant = entrance.grant(headers, writes=True)
    if grant != entrance.local:
        raise AccessDenied(
            "links are for the person who runs the service", code="not_permitted", hint="sign in with a key"
        )
    return JSONResponse({"code": one_time_code(entrance.service)})


@router.post("/leave")
def leave(request: Request) -> JSONResponse:
    """Ends the session of the request."""
    entrance, headers = _parts(request)
    entrance.grant(headers, writes=True)
    session = session_of(entrance.service, entrance.local, headers)
    if session is not None:
        end_session(entrance.service, session[0], session[0].id)
    response = JSONResponse(_state(entrance, None))
    delete_cookie(response, headers, SESSION, is_secure=is_https(headers))
    return response


@router.get("/sessions")
def sessions(request: Request) -> JSONResponse:
    """Returns the sessions of whoever is signed in, opened with the same credential."""
    entrance, headers = _parts(request)
    current = _current(entrance, headers)
    return JSONResponse({"sessions": [
        {
            "id": key.id, "name": key.name, "created_at": to_iso(key.created_at),
            "expires_at": None if key.expires_at is None else to_iso(key.expires_at),
            "current": key.id == current.id,
        }
        for key in sessions_of(entrance.service, current)
    ]})  # fmt: skip


@router.post("/sessions/{id}/end")
def end(request: Request, id: str) -> JSONResponse:
    """Ends a session of whoever is signed in."""
    entrance, headers = _parts(request)
    current = _current(entrance, headers)
    entrance.grant(headers, writes=True)
    end_session(entrance.service, current, id)
    return JSONResponse({"ended": id})


def _parts(request: Request) -> tuple[Entrance, Headers]:
    return request.app.state.entrance, request.scope["headers"]


def _current(entrance: Entrance, headers: Headers) -> Key:
    """Returns the session key of a browser. Raises AccessDenied `credential_missing`."""
    session = session_of(entrance.service, entrance.local, headers)
    if session is None:
        raise AccessDenied("nobody is signed in", code="credential_missing", hint="sign in at /")
    return session[0]


async def _field(request: Request, name: str) -> str:
    """Returns a text field of a JSON body. Raises InvalidInput `body_invalid`."""
    try:
        value = (await request.json())[name]
    except (ValueError, KeyError, TypeError):
        value = None
    if not isinstance(value, str) or not value.strip():
        raise InvalidInput(f"{name} is missing", code="body_invalid")
    return value.strip()


async def _signed_in(request: Request, sign_in: Callable[[Entrance], tuple[Key, str]]) -> JSONResponse:
    """Returns the response that signs a browser in: its state, and the cookie."""
    entrance, headers = _parts(request)

    def work() -> tuple[dict[str, Any], Key, str]:
        session, text = sign_in(entrance)
        key, grant = session_grant(entrance.service, text, entrance.local)
        return _state(entrance, (key, grant, text)), session, text

    state, session, text = await run_in_threadpool(work)
    response = JSONResponse(state)
    seconds = _seconds(entrance, session)
    set_cookie(response, headers, SESSION, text, seconds, is_secure=is_https(headers))
    return response


def _seconds(entrance: Entrance, session: Key) -> int:
    return ((session.expires_at or 0) - entrance.service.clock()) // 1_000


def _oidc(entrance: Entrance) -> Oidc:
    if entrance.oidc is None:
        raise NotFound("this service knows no identity provider", code="route_not_found")
    return entrance.oidc


def _failed(error: AccessDenied) -> RedirectResponse:
    """Returns to the page for signing in, which explains the code of an error."""
    return RedirectResponse(f"/#error={error.code}", 303)


def _state(entrance: Entrance, session: tuple[Key, Grant, str] | None) -> dict[str, Any]:
    """Returns what the web interface has to know: who is signed in, what they may do, how to sign in."""
    is_offered = {"oidc": entrance.oidc is not None, "link": entrance.local is not None, "key": True}
    ways = [way for way, offered in is_offered.items() if offered]
    state: dict[str, Any] = {
        "signed_in": session is not None, "ways": ways, "local": entrance.local is not None,
        **dict.fromkeys(
            ("user", "role", "agent", "projects", "may", "csrf", "session", "expires_at", "changes")
        ),
        "write": False,
    }  # fmt: skip
    if session is None:
        return state
    key, grant, text = session
    principal = entrance.bound(grant).principal
    return state | {
        "user": principal.user, "role": principal.role.value, "agent": principal.agent, "write": grant.write,
        "projects": None if grant.projects is None else sorted(grant.projects),
        "may": sorted(need.value for need in allowed_needs(replace(grant, principal=principal))),
        "csrf": csrf_token(entrance.service, text), "session": key.id,
        "expires_at": None if grant.expires_at is None else to_iso(grant.expires_at),
        "changes": newest_event_id(entrance.service, principal),
    }  # fmt: skip


def _name(request: Request) -> str | None:
    """Returns what a browser calls itself, in words that a person recognises."""
    agent = request.headers.get("user-agent", "")
    matches = [next((word for word in words if word in agent), None) for words in (_BROWSERS, _SYSTEMS)]
    return " on ".join(_NAMED.get(word, word) for word in matches if word)[:NAME_MAX] or None
