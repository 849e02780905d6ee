"""A strict OpenID Connect provider on this machine: it enforces what the specifications ask of clients."""

from __future__ import annotations

import base64
import hashlib
import json
import secrets
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, parse_qsl, unquote, urlencode, urlsplit

import jwt
from cryptography.hazmat.primitives.asymmetric import ec

CLIENT, SECRET = "holdfast web", "s3cret:/ä"


class IdentityProvider(ThreadingHTTPServer):
    """`user` signs in at once, None refuses; `changes` are put into its ID tokens (None removes a claim)."""

    def __init__(self, redirect: str) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.issuer = f"http://127.0.0.1:{self.server_port}"
        self.redirect = redirect
        self.user: str | None = "ben"
        self.changes: dict[str, Any] = {}
        self.ways = ["client_secret_basic"]
        self.is_broken = False
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.codes: dict[str, dict[str, str]] = {}
        self.refused: list[str] = []

    def discovery(self) -> dict[str, Any]:
        """The document that says where everything is."""
        return {
            "issuer": self.issuer, "authorization_endpoint": f"{self.issuer}/authorize?tenant=1",
            "token_endpoint": f"{self.issuer}/token", "jwks_uri": f"{self.issuer}/keys",
            "token_endpoint_auth_methods_supported": self.ways,
        }  # fmt: skip

    def keys(self) -> dict[str, Any]:
        """The public keys."""
        public = jwt.algorithms.ECAlgorithm.to_jwk(self.key.public_key(), as_dict=True)
        return {"keys": [{**public, "kid": "one", "alg": "ES256"}]}

    def authorize(self, query: dict[str, str]) -> str:
        """The address to which a browser goes back."""
        wanted = {"response_type": "code", "client_id": CLIENT, "code_challenge_method": "S256"}
        if any(query.get(name) != value for name, value in wanted.items()):
            raise ValueError("the request is not one of the client")
        if query["redirect_uri"] != self.redirect or "openid" not in query["scope"].split():
            raise ValueError("the redirect or scope is not registered")
        if self.user is None:
            return f"{self.redirect}?{urlencode({'error': 'access_denied', 'state': query['state']})}"
        code = secrets.token_urlsafe(16)
        self.codes[code] = query
        return f"{self.redirect}?{urlencode({'code': code, 'state': query['state']})}"

    def token(self, form: dict[str, str], authorization: str) -> dict[str, Any]:
        """The response to a code, which counts once."""
        if "client_secret_basic" in self.ways:
            name, _, secret = base64.b64decode(authorization.removeprefix("Basic ")).decode().partition(":")
            who = unquote(name), unquote(secret)
        else:
            who = form["client_id"], form["client_secret"]
        if who != (CLIENT, SECRET):
            raise ValueError("the client did not authenticate")
        query = self.codes.pop(form["code"], None)
        if query is None or form["redirect_uri"] != query["redirect_uri"]:
            raise ValueError("the code is unknown")
        challenge = base64.urlsafe_b64encode(hashlib.sha256(form["code_verifier"].encode()).digest())
        if (
            challenge.rstrip(b"=").decode() != query["code_challenge"]
            or form["grant_type"] != "authorization_code"
        ):
            raise ValueError("the verifier does not fit")
        if not 43 <= len(form["code_verifier"]) <= 128:
            raise ValueError("the verifier is too short or too long")
        if form["grant_type"] != "authorization_code":
            raise ValueError("the grant is of another type")
        now = int(time.time())
        claims = {
            "iss": self.issuer, "aud": CLIENT, "sub": self.user, "iat": now, "exp": now + 60,
            "nonce": query["nonce"], **self.changes,
        }  # fmt: skip
        claims = {name: value for name, value in claims.items() if value is not None}
        return {
            "token_type": "Bearer",
            "id_token": jwt.encode(claims, self.key, "ES256", headers={"kid": "one"}),
        }


class _Handler(BaseHTTPRequestHandler):
    server: IdentityProvider

    def do_GET(self) -> None:
        parts = urlsplit(self.path)
        if self.server.is_broken:
            self._json({"error": "server_error"}, 500)
        elif parts.path == "/.well-known/openid-configuration":
            self._json(self.server.discovery())
        elif parts.path == "/keys":
            self._json(self.server.keys())
        elif parts.path == "/authorize":
            try:
                back = self.server.authorize(dict(parse_qsl(parts.query)))
            except (ValueError, KeyError) as error:
                self._refuse(error)
                return
            self.send_response(302)
            self.send_header("Location", back)
            self.end_headers()
        else:
            self.send_error(404)

    def do_POST(self) -> None:
        form = parse_qs(self.rfile.read(int(self.headers["content-length"])).decode())
        try:
            answer = self.server.token(
                {name: values[0] for name, values in form.items()}, self.headers.get("authorization", "")
            )
        except (ValueError, KeyError) as error:
            self._refuse(error)
        else:
            self._json(answer)

    def _refuse(self, error: Exception) -> None:
        self.server.refused.append(str(error))
        self._json({"error": "invalid_request"}, 400)

    def _json(self, value: Any, status: int = 200) -> None:
        body = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: Any) -> None:
        pass


@contextmanager
def identity_provider(redirect: str) -> Iterator[IdentityProvider]:
    """Runs a provider that sends browsers back to an address."""
    with IdentityProvider(redirect) as provider:
        thread = threading.Thread(target=provider.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        try:
            yield provider
        finally:
            provider.shutdown()
            thread.join()
