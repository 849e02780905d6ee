"""Members of a tenant, requests to share, and what scans found, in an SQL store."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from holdfast.core.places import Role, Visibility
from holdfast.stores.sql.decoding import decoding

if TYPE_CHECKING:
    from holdfast.core.members import Member
    from holdfast.core.scanning import Finding
    from holdfast.core.sharing import Request
    from holdfast.core.views import View


class SqlTeamReader(ABC):
    """The mixin of the reader for members, requests and findings."""

    @abstractmethod
    def _dicts(self, name: str, values: dict[str, Any]) -> list[dict[str, Any]]: ...
    @abstractmethod
    def _value(self, name: str, values: dict[str, Any]) -> Any: ...

    def member(self, view: View, user: str) -> Member | None:
        return next((member_of(row) for row in self._dicts("member", {"name": user})), None)

    def members(self, view: View) -> list[Member]:
        return [member_of(row) for row in self._dicts("members", {})]

    def has_members(self, view: View) -> bool:
        return bool(self._value("has_members", {}))

    def requests(self, view: View, id: str | None = None) -> list[Request]:
        return [_request(row) for row in self._dicts("requests", {"id": id})]

    def findings(
        self, view: View, *, id: str | None = None, after: str = "", limit: int = 1
    ) -> list[Finding]:
        values = {"owner": view.user, "id": id, "after": after, "limit": limit}
        return [_finding(row) for row in self._dicts("findings", values)]

    def owners(self, view: View) -> list[str]:
        return [row["owner"] for row in self._dicts("owners", {})]

    def signing_key(self, view: View) -> bytes:
        return _key_for_exports(self._value("secret", {}))


class SqlTeamWriter(SqlTeamReader):
    """The mixin of the writer for members, requests and findings."""

    @abstractmethod
    def _run(self, name: str, values: dict[str, Any]) -> None: ...
    @abstractmethod
    def _rows_of(self, name: str, values: dict[str, Any]) -> list[tuple[Any, ...]]: ...

    def put_member(self, member: Member) -> None:
        values = {**asdict(member), "name": member.user, "role": member.role.value}
        self._run("put_member", values)

    def put_request(self, request: Request) -> None:
        self._run("put_request", {**asdict(request), "visibility": request.visibility.value})

    def drop_request(self, id: str) -> bool:
        return bool(self._rows_of("drop_request", {"ids": json.dumps([id])}))

    def put_finding(self, finding: Finding) -> None:
        self._run("put_finding", asdict(finding))

    def drop_finding(self, id: str) -> bool:
        return bool(self._rows_of("drop_finding", {"ids": json.dumps([id])}))


@decoding
def member_of(row: dict[str, Any]) -> Member:
    """Returns a member from its row."""
    from holdfast.core.members import Member

    return Member(row["name"], Role(row["role"]), row["added_by"], row["added_at"], row["removed_at"])


@decoding
def _request(row: dict[str, Any]) -> Request:
    from holdfast.core.sharing import Request

    return Request(**{**row, "visibility": Visibility(row["visibility"])})


@decoding
def _finding(row: dict[str, Any]) -> Finding:
    from holdfast.core.scanning import Finding

    return Finding(**{**row, "personal": bool(row["personal"])})


def _key_for_exports(secret: str | None) -> bytes:
    """Returns the key that signs exports, made of the secret of a store; of one that lost it, a new one each
    time, so that nothing counts as signed."""
    import hmac
    import os

    return hmac.digest(bytes.fromhex(secret), b"exports", "sha256") if secret else os.urandom(32)
