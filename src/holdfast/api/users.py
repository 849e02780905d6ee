"""Services of many users over one opened store."""

from __future__ import annotations

import threading
from collections import OrderedDict

from holdfast.core.errors import AccessDenied
from holdfast.core.places import Principal
from holdfast.features.access.access import Grant
from holdfast.features.access.keys import service_for
from holdfast.features.admission.names import checked_name
from holdfast.features.recall import uses
from holdfast.features.service import Service

USERS_MAX = 1_000
"""Services that are retained; the counts of those beyond it are written before they are dropped."""


class Users:
    """Services of users who share the store, embedder, caches and clock of one service."""

    def __init__(self, service: Service) -> None:
        self._service = service
        self._services: OrderedDict[Principal, Service] = OrderedDict()
        self._lock = threading.Lock()

    def service(self, user: str, agent: str | None) -> Service:
        """Returns the service of a user, or of an agent that acts for that user, the same one each time while
        it is in use. Raises InvalidInput for a name that cannot be used, AccessDenied `not_permitted` if a
        credential determines who acts."""
        if self._service.by_credential:
            raise AccessDenied("a credential acts only as its own user", code="not_permitted")
        principal = Principal(
            checked_name(user, "user"), agent=None if agent is None else checked_name(agent, "agent")
        )
        grant = Grant(principal, is_apart=self._service.sharing == "off")
        with self._lock:
            service = self._services.pop(principal, None) or service_for(self._service, grant)
            self._services[principal] = service
            dropped = self._services.popitem(last=False)[1] if len(self._services) > USERS_MAX else None
        if dropped is not None:
            uses.flush(dropped)
        return service

    def flush(self) -> None:
        """Writes the pending counts of all users."""
        with self._lock:
            services = list(self._services.values())
        for service in services:
            uses.flush(service)
