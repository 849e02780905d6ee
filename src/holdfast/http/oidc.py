"""Sign-in of people at their identity provider: OpenID Connect, the authorization code flow with PKCE."""

from __future__ import annotations

import hashlib
import hmac
import json
import threading
from base64 import urlsafe_b64encode
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote, urlencode, urlsplit

from holdfast.core.errors import AccessDenied, HoldfastError, InvalidInput
from holdfast.features.access.access import Grant
from holdfast.features.access.keys import invalid_credential
from holdfast.http.tokens import Provider, Tokens, check_address, fetched, grant_of

DISCOVERY = "/.well-known/openid-configuration"
CALLBACK = "/auth/oidc/callback"
"""The path to which the provider sends a browser back."""
FLOW_SECONDS = 600
"""Seconds that a person has to sign in at the provider."""
WAITING_MAX = 4
"""Requests that wait for the provider at once: each holds a thread of the service."""
CODE_MAX = 4_096
SESSION_SECONDS = 12 * 3_600
"""Seconds after which a person signs in again: what the provider takes back meanwhile is not noticed."""


@dataclass(frozen=True, slots=True)
class Client:
    """The registration of this service at a provider. `issuer` is its address, `url` that at which browsers
    reach this service, `user_claim` the claim that names the user: `sub`, or one that the provider keeps
    unique, such as `email`, which then has to be verified. A public client has no `secret`.
    """

    issuer: str
    id: str
    url: str
    secret: str | None = field(default=None, repr=False)
    user_claim: str = "sub"


class Oidc:
    """Signs people in at one provider. Nothing is stored in between: a cookie of the browser holds a secret,
    and state, nonce and PKCE verifier are derived from it by a key of the store.
    """

    def __init__(self, client: Client, key: bytes) -> None:
        parts = urlsplit(client.url)
        if not client.issuer or not client.id or parts.scheme not in ("http", "https") or not parts.netloc:
            raise InvalidInput(
                "sign-in at a provider needs its issuer, a client id and the public address of this service",
                code="config_invalid", hint="--oidc-issuer, --oidc-client and --public-url",
            )  # fmt: skip
        check_address(client.issuer)
        self._client = client
        self._key = key
        self._waiting = threading.BoundedSemaphore(WAITING_MAX)
        self._provider: tuple[Mapping[str, Any], Tokens] | None = None

    @property
    def is_secure(self) -> bool:
        """Returns whether browsers reach the service over https."""
        return self._client.url.startswith("https:")

    def begin(self, secret: str) -> str:
        """Returns the address at which a person signs in. Raises AccessDenied `provider_unavailable`."""
        with self._turn():
            endpoints, _ = self._discovered()
        verifier = hashlib.sha256(self._derived(secret, "verifier").encode()).digest()
        query = {
            "response_type": "code", "client_id": self._client.id, "redirect_uri": self._redirect(),
            "scope": "openid profile email", "state": self._derived(secret, "state"),
            "nonce": self._derived(secret, "nonce"),
            "code_challenge": urlsafe_b64encode(verifier).rstrip(b"=").decode(),
            "code_challenge_method": "S256",
        }  # fmt: skip
        address = str(endpoints["authorization_endpoint"])
        return f"{address}{'&' if urlsplit(address).query else '?'}{urlencode(query)}"

    def grant(self, secret: str, state: str, code: str) -> Grant:
        """Returns the grant of whoever signed in, by the code that the provider gave. Raises AccessDenied
        `credential_invalid`, `credential_expired`, `provider_unavailable`."""
        if not hmac.compare_digest(state.encode(), self._derived(secret, "state").encode()):
            raise invalid_credential()
        if not 0 < len(code) <= CODE_MAX:
            raise invalid_credential()
        with self._turn():
            endpoints, tokens = self._discovered()
            token = self._exchanged(endpoints, code, self._derived(secret, "verifier"))
            claims = tokens.claims(token)
        nonce, audience = str(claims.get("nonce", "")), claims["aud"]
        is_shared = isinstance(audience, list) and len(audience) > 1
        is_ours = claims.get("azp", None if is_shared else self._client.id) == self._client.id
        if not is_ours or not hmac.compare_digest(nonce.encode(), self._derived(secret, "nonce").encode()):
            raise invalid_credential()
        return grant_of({**claims, "sub": self._user(claims)})

    @contextmanager
    def _turn(self) -> Iterator[None]:
        """Bounds the threads that wait for the provider. Raises AccessDenied `provider_unavailable`."""
        if not self._waiting.acquire(blocking=False):
            raise _unavailable("too many people sign in at this moment")
        try:
            yield
        finally:
            self._waiting.release()

    def _user(self, claims: Mapping[str, Any]) -> Any:
        """Returns the claim that names the user. Raises AccessDenied for an unverified email address."""
        name = self._client.user_claim
        if name == "email" and claims.get("email_verified") is not True:
            raise AccessDenied(
                "the provider has not verified the email address", code="credential_invalid",
                hint="verify it at the provider, or let `--oidc-user` name another claim",
            )  # fmt: skip
        return claims.get(name)

    def _exchanged(self, endpoints: Mapping[str, Any], code: str, verifier: str) -> str:
        """Returns the ID token for a code."""
        form = {
            "grant_type": "authorization_code", "code": code, "redirect_uri": self._redirect(),
            "client_id": self._client.id, "code_verifier": verifier,
        }  # fmt: skip
        ways = endpoints.get("token_endpoint_auth_methods_supported") or ["client_secret_basic"]
        credentials = None
        if self._client.secret is not None and "client_secret_basic" in ways:
            credentials = quote(self._client.id, safe=""), quote(self._client.secret, safe="")
        elif self._client.secret is not None:
            form["client_secret"] = self._client.secret
        try:
            token = json.loads(fetched(endpoints["token_endpoint"], form, credentials))["id_token"]
        except PermissionError:  # the provider answered, and refused the code
            raise invalid_credential() from None
        except (OSError, ValueError, TypeError, KeyError):
            raise _unavailable("the identity provider did not exchange the code") from None
        if not isinstance(token, str):
            raise invalid_credential()
        return token

    def _discovered(self) -> tuple[Mapping[str, Any], Tokens]:
        """Returns what the provider says of itself, and what verifies its tokens; asked until it answers."""
        if self._provider is None:  # two at once find the same
            issuer = self._client.issuer
            try:
                metadata = json.loads(fetched(issuer.rstrip("/") + DISCOVERY))
                if metadata["issuer"] != issuer:
                    raise ValueError("another issuer")
                for name in ("authorization_endpoint", "token_endpoint", "jwks_uri"):
                    check_address(metadata[name])
            except (OSError, ValueError, TypeError, KeyError, AttributeError, HoldfastError):
                raise _unavailable("the identity provider does not say how to sign in") from None
            self._provider = metadata, Tokens(Provider(issuer, self._client.id, metadata["jwks_uri"]))
        return self._provider

    def _redirect(self) -> str:
        return self._client.url.rstrip("/") + CALLBACK

    def _derived(self, secret: str, purpose: str) -> str:
        return hmac.digest(self._key, f"oidc\0{purpose}\0{secret}".encode(), "sha256").hex()


def _unavailable(text: str) -> AccessDenied:
    return AccessDenied(text, code="provider_unavailable", hint="try again in a while, or sign in with a key")
