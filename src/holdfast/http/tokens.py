"""Bearer tokens (JWT) of an identity provider, verified against its published keys."""

from __future__ import annotations

import json
import logging
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import jwt

from holdfast.core.errors import AccessDenied, HoldfastError, InvalidInput
from holdfast.core.places import Principal, Role
from holdfast.features.access.access import Grant
from holdfast.features.access.keys import invalid_credential
from holdfast.features.admission.names import checked_name

ALGORITHMS = (
    "RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA",
)  # fmt: skip
"""Signatures that are accepted. None with a shared secret: who can check those can make them."""
LEEWAY = 30
"""Seconds by which clocks may differ."""
KEEP_SECONDS = 600.0
"""Seconds after which the provider's keys are fetched again."""
AGAIN_SECONDS = 10.0
"""Seconds between two fetches at least, whatever tokens ask for."""
FETCH_SECONDS = 5.0
WAIT_SECONDS = 1.0
"""Seconds that a token with an unknown key waits for a fetch, once a set is known."""
WAITING_MAX = 4
"""Requests that wait for keys of the provider at once: each holds a thread of the service."""
RESPONSE_MAX = 1 << 20
"""Bytes of a response of the provider."""
UNREADABLE = (OSError, ValueError, TypeError, KeyError, AttributeError, jwt.PyJWTError)
"""Exceptions that reading a set of keys may raise."""

log = logging.getLogger("holdfast.http")


@dataclass(frozen=True, slots=True)
class Provider:
    """A trusted issuer of tokens and the audience that they need. `jwks` is a file or an https address."""

    issuer: str
    audience: str
    jwks: str


class Tokens:
    """Verifies bearer tokens of one provider.

    A token names its key. A known key answers at once. An unknown one, or a set that has become old, makes
    the set be fetched again, by one thread in the background at a time and no more often than
    `AGAIN_SECONDS`, so that the provider may change its keys at any time. Few tokens with an unknown key
    wait for that fetch, and briefly; the others are refused by what is known. If it fails, the last set
    stays in use. A set in a file is read at once.
    """

    def __init__(self, provider: Provider, *, seconds: Callable[[], float] = time.monotonic) -> None:
        self._provider = provider
        self._seconds = seconds
        self._changed = threading.Condition()  # its lock may be taken again by the same thread
        self._keys: Mapping[str, jwt.PyJWK] = {}
        self._tried: float | None = None
        self._fetched: float | None = None
        self._is_fetching = False
        self._waiting = 0
        if not provider.issuer or not provider.audience:
            raise InvalidInput("tokens need an issuer and an audience", code="config_invalid")
        self._is_file = "://" not in provider.jwks
        if not self._is_file:
            check_address(provider.jwks)
            return
        try:
            self._keys = _read(self._load())
            if not self._keys:
                raise ValueError("it has no key for signatures")
        except UNREADABLE as error:
            raise InvalidInput(
                f"the keys of tokens cannot be read from {provider.jwks}: {_reason_of(error)}",
                code="config_invalid",
                hint='it needs a JSON Web Key Set: {"keys": […]}, as the provider publishes it',
            ) from error
        self._tried = self._fetched = seconds()

    def grant(self, token: str, *, late: float = 0) -> Grant:
        """Returns the grant of a token. Raises AccessDenied `credential_invalid` or `credential_expired`."""
        return grant_of(self.claims(token, late=late))

    def claims(self, token: str, *, late: float = 0) -> dict[str, Any]:
        """Returns what a token states, verified; it may have expired up to `late` seconds ago. Raises
        AccessDenied `credential_invalid` or `credential_expired`."""
        try:
            key = self._key(str(jwt.get_unverified_header(token).get("kid", "")))
            claims: dict[str, Any] = jwt.decode(
                token,
                key.key,
                algorithms=[name for name in ALGORITHMS if name == key.algorithm_name],
                audience=self._provider.audience,
                issuer=self._provider.issuer,
                leeway=LEEWAY + late,
                options={"require": ["exp", "iss", "aud", "sub"]},
            )
        except jwt.ExpiredSignatureError as error:
            raise AccessDenied("the token has expired", code="credential_expired") from error
        except (jwt.PyJWTError, ValueError, TypeError) as error:
            raise invalid_credential() from error
        return claims

    def _key(self, name: str) -> jwt.PyJWK:
        """Returns a key by its name. Raises AccessDenied."""
        with self._changed:
            self._fetch_if_due(name)
            if self._cached_key(name) is None and self._is_fetching and self._waiting < WAITING_MAX:
                self._waiting += 1
                try:
                    patience = FETCH_SECONDS if self._fetched is None else WAIT_SECONDS
                    self._changed.wait_for(lambda: not self._is_fetching, patience)
                finally:
                    self._waiting -= 1
            key = self._cached_key(name)
            if key is None:
                raise invalid_credential() from LookupError(
                    "the provider has no key with the id of the token"
                )
            return key

    def _cached_key(self, name: str) -> jwt.PyJWK | None:
        """Returns a key of the last set; a token may name none if there is only one."""
        return next(iter(self._keys.values())) if not name and len(self._keys) == 1 else self._keys.get(name)

    def _fetch_if_due(self, name: str) -> None:
        """Starts a fetch if the set is old or lacks a key, unless one runs or was just tried."""
        now = self._seconds()
        is_old = self._fetched is None or now - self._fetched >= KEEP_SECONDS
        is_due = self._cached_key(name) is None or is_old
        if not is_due or self._is_fetching or (self._tried is not None and now - self._tried < AGAIN_SECONDS):
            return
        self._tried, self._is_fetching = now, True
        if self._is_file:
            self._fetch()
            return
        threading.Thread(target=self._fetch, name="holdfast-provider-keys", daemon=True).start()

    def _fetch(self) -> None:
        """Fetches the signing keys of the identity provider; keeps the previous ones if that fails."""
        keys = None
        try:
            keys = _read(self._load())
        except UNREADABLE as error:
            log.warning("the keys of tokens cannot be read", extra={"reason": _reason_of(error)})
        finally:
            with self._changed:
                if keys is not None:
                    self._keys, self._fetched = keys, self._seconds()
                self._is_fetching = False
                self._changed.notify_all()

    def _load(self) -> bytes:
        if self._is_file:
            return Path(self._provider.jwks).read_bytes()
        return fetched(self._provider.jwks)


def fetched(
    address: str, form: Mapping[str, str] | None = None, credentials: tuple[str, str] | None = None
) -> bytes:
    """Returns the response of a provider, to a form if one is given. Raises OSError, and PermissionError if
    the provider refuses the form."""
    import httpx

    method, headers = "GET" if form is None else "POST", {"Accept": "application/json"}
    try:
        with (
            httpx.Client(
                timeout=FETCH_SECONDS, follow_redirects=False, trust_env=False, auth=credentials
            ) as client,
            client.stream(method, address, headers=headers, data=form) as response,
        ):
            content = b""
            for part in response.iter_bytes():
                content += part
                if len(content) > RESPONSE_MAX:
                    raise OSError("the response is too large")
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        raise OSError(str(error)) from error
    if form is not None and response.status_code in (400, 401):
        raise PermissionError(f"status {response.status_code}")
    if response.status_code != 200:
        raise OSError(f"status {response.status_code}")
    return content


def check_address(text: str) -> None:
    """Raises InvalidInput `config_invalid` unless a text is an https address, or one of this machine."""
    parts = urlsplit(text)
    is_near = parts.hostname in ("127.0.0.1", "localhost", "::1")
    if not parts.hostname or (parts.scheme != "https" and not (parts.scheme == "http" and is_near)):
        raise InvalidInput("a provider is reached at an https address", code="config_invalid")


def _reason_of(error: Exception) -> str:
    reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return f"there is no {reason}" if isinstance(error, KeyError) else reason or type(error).__name__


def _read(data: bytes) -> Mapping[str, jwt.PyJWK]:
    """Returns the keys of a key set by name, without those that are not for signatures."""
    keys: dict[str, jwt.PyJWK] = {}
    for key in json.loads(data)["keys"]:
        if key.get("use", "sig") != "sig":
            continue
        try:
            keys[str(key.get("kid", ""))] = jwt.PyJWK(key)
        except jwt.PyJWTError:
            continue
    return keys


def grant_of(claims: Mapping[str, Any]) -> Grant:
    """Returns the grant of a token's claims: `sub` is the user; `holdfast_role` (default: member),
    `holdfast_agent` and `holdfast_projects` restrict it; scopes `holdfast:read` and `holdfast:write` count
    if any are present.
    """
    try:
        user = checked_name(claims["sub"], "user")
        agent = claims.get("holdfast_agent")
        role = Role(claims.get("holdfast_role", Role.MEMBER))
        projects = None
        if "holdfast_projects" in claims:
            projects = claims["holdfast_projects"]
            if not isinstance(projects, list) or not projects:
                raise invalid_credential()
            projects = frozenset(checked_name(name, "project") for name in projects)
        scopes = [*_scopes(claims.get("scope")), *_scopes(claims.get("scp"))]
        return Grant(
            Principal(user, role, None if agent is None else checked_name(agent, "agent")),
            "holdfast:write" in scopes if scopes else True,
            projects,
            int(claims["exp"]) * 1000,
            "token",
            "holdfast_role" in claims,
        )
    except (HoldfastError, ValueError, OverflowError) as error:
        raise invalid_credential() from error


def _scopes(value: object) -> Sequence[str]:
    words = value.split() if isinstance(value, str) else value if isinstance(value, list) else []
    return [word for word in words if isinstance(word, str) and word.startswith("holdfast:")]
