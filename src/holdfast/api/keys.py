"""API keys for the HTTP service: the operations of `Memory.keys`."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from holdfast.api.operation import Area, operation
from holdfast.core.times import When
from holdfast.features.access import keys
from holdfast.features.access.access import Need
from holdfast.features.access.keys import NewKey
from holdfast.stores.base.keys import Key


class Keys(Area):
    """API keys: credentials of people and programs who use the service. Only owners and admins in person
    manage them."""

    @operation("POST /keys", Need.MANAGE, command="keys create", status=201, secret=True)
    def create(
        self,
        user: str | None = None,
        *,
        role: str | None = None,
        name: str | None = None,
        agent: str | None = None,
        projects: Collection[str] | None = None,
        write: bool = True,
        expires_at: When | None = None,
    ) -> NewKey:
        """Creates a key for a user, by default the caller, with a role, by default that of the user in the
        team, and returns it with its text, which is not shown again.

        Whoever uses a credential creates keys for themselves only, with no more than their own role: a key of
        somebody else would read what is private to them. Raises InvalidInput, AccessDenied, Refusal
        `person_needed`.
        """
        return keys.create(
            self._service, user, role=role, name=name, agent=agent, projects=projects, write=write,
            expires_at=expires_at,
        )  # fmt: skip

    @operation("GET /keys", Need.MANAGE, command="keys list", changes=False, key="keys")
    def list(self) -> Sequence[Key]:
        """Returns all keys without their texts, oldest first, revoked ones included."""
        return keys.list_keys(self._service)

    @operation("DELETE /keys/{id}", Need.MANAGE, command="keys revoke")
    def revoke(self, id: str) -> Key:
        """Revokes a key at once, in every running service. Revoking twice does no harm. Raises NotFound
        `key_not_found`, Refusal `person_needed`.
        """
        return keys.revoke(self._service, id)
