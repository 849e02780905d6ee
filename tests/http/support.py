"""Helpers of the HTTP tests: a service in this process with its keys, and calls as one principal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
from fastapi import FastAPI

from holdfast import Memory, config
from holdfast.api.remote import Remote
from holdfast.api.transport import Transport
from holdfast.bootstrap import open_service
from holdfast.features.access.access import Grant
from holdfast.features.access.keys import create_key
from holdfast.features.service import Service
from holdfast.http.app import create_app
from holdfast.http.gate import Limits
from holdfast.http.oidc import Client, Oidc
from holdfast.http.rates import Rates
from holdfast.http.signin import Entrance
from holdfast.http.tokens import Tokens
from holdfast.stores.base.clock import wall_clock
from holdfast.stores.base.ports import Clock
from tests.http.direct import DirectClient, answered

URL = "http://127.0.0.1:5858"


@dataclass(slots=True)
class Site:
    """A running service: `call` sends one request, as whoever has the credential `key`, and so does `ask` in
    the event loop of the caller."""

    app: FastAPI
    http: DirectClient
    service: Service

    def call(self, method: str, path: str, body: Any = None, *, key: str | None = None, **more: Any) -> Any:
        """The response."""
        headers = {**({"Authorization": f"Bearer {key}"} if key else {}), **more.get("headers", {})}
        sent = {} if body is None else {"json": body}
        return self.http.request(method, path, **{**more, "headers": headers, **sent})

    async def ask(
        self,
        method: str,
        path: str,
        body: Any = None,
        *,
        key: str,
        query: Mapping[str, Any],
        headers: Mapping[str, str],
    ) -> httpx.Response:
        """The response, of an application whose lifespan the caller has entered."""
        headers = {"Authorization": f"Bearer {key}", **headers}
        return await answered(self.app, method, path, query=query, headers=headers, body=body)

    def key(self, user: str, **options: Any) -> str:
        """The text of a new key."""
        return create_key(self.service, user=user, **options)[1]

    def browser(self, url: str = URL, **options: Any) -> DirectClient:
        """One more client of this service, with cookies of its own."""
        client = DirectClient(self.app, base_url=url, **options)
        client.portal = self.http.portal
        return client

    def client(self, key: str | None = None) -> Memory:
        """A memory behind this service."""
        transport = Transport(URL, key, 30.0, http=self.http)  # type: ignore[arg-type]  # the same calls
        return Memory.on(Remote(transport))

    def operations(self) -> list[tuple[str, str, dict[str, Any]]]:
        """Method, path and description of every documented route."""
        return [
            (method.upper(), path, told)
            for path, methods in self.app.openapi()["paths"].items()
            for method, told in methods.items()
        ]


@contextmanager
def site(
    folder: Path,
    *,
    local: bool = True,
    limits: Limits | None = None,
    tokens: Tokens | None = None,
    client: Client | None = None,
    rates: Rates | None = None,
    store: str | None = None,
    clock: Clock = wall_clock,
) -> Iterator[Site]:
    """A service over a new store of ana, a file unless another is named; with `local` ana comes in without a
    credential."""
    service = open_service(config.load(store=store or folder / "team.db", user="ana"), clock=clock)
    oidc = Oidc(client, service.store.digest_key) if client is not None else None
    entrance = Entrance(service, service.keys, tokens, oidc, Grant(service.principal) if local else None)
    app = create_app(entrance, limits=limits, rates=rates)
    with DirectClient(app, base_url=URL) as http:
        yield Site(app, http, service)


def message(n: int = 1) -> dict[str, Any]:
    """A message of a conversation."""
    return {"role": "user", "content": f"Is cart number {n} done?", "id": f"m{n}"}
