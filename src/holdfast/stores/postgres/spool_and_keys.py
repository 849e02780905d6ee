"""Spool, API keys and answers as rows of the tenant, which an embedded store keeps in files next to it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from holdfast.core.errors import NotFound
from holdfast.stores.base.keys import Key, key_of
from holdfast.stores.base.replays import BROKEN_OFF_MS, QUOTA, Replay
from holdfast.stores.postgres.sql import statements
from holdfast.stores.postgres.tenant import Tenant


class PostgresSpool:
    """One row for each job, so that whichever server claims it finds it."""

    def __init__(self, tenant: Tenant) -> None:
        self.tenant = tenant

    def put(self, id: str, content: bytes) -> None:
        """Stores a payload under an id. Raises StoreError."""
        _write(self.tenant, "lay_aside", {"id": id, "content": content})

    def read(self, id: str) -> bytes:
        """Returns a payload. Raises NotFound `job_payload_gone`, or StoreError."""
        rows = _read(self.tenant, "laid_aside", {"id": id})
        if not rows:
            raise NotFound(
                "the payload of the job no longer exists", code="job_payload_gone", hint="send it again"
            )
        return bytes(rows[0][0])

    def drop(self, id: str) -> None:
        """Removes a payload, if there is one. Raises StoreError."""
        _write(self.tenant, "drop_laid_aside", {"id": id})

    def entries(self) -> list[tuple[str, int]]:
        """Returns ids and when each was stored (UTC epoch milliseconds, by the server's clock)."""
        return [(id, at) for id, at in _read(self.tenant, "all_laid_aside", {})]


class PostgresKeys:
    """Digests of a tenant's keys. Read for every request, so that a revoked key ends everywhere at once."""

    def __init__(self, tenant: Tenant) -> None:
        self._tenant = tenant

    def all(self) -> Sequence[Key]:
        """Returns all keys, oldest first. Raises StoreError."""
        return tuple(key_of(json.loads(content)) for (content,) in _read(self._tenant, "keys", {}))

    def put(self, key: Key) -> None:
        """Adds a key or replaces the one with its id. Raises StoreError."""
        values = {"id": key.id, "created_at": key.created_at, "content": json.dumps(asdict(key))}
        _write(self._tenant, "put_key", values)

    def drop(self, id: str) -> None:
        """Removes a key, if there is one. Raises StoreError."""
        _write(self._tenant, "drop_key", {"id": id})


class PostgresReplays:
    """One row for each request with an idempotency key, so that any server repeats the answer of another."""

    def __init__(self, tenant: Tenant) -> None:
        self._tenant = tenant

    def reserve(self, caller: str, key: str, replay: Replay, *, now: int) -> Replay | None:
        """Notes a request that begins; returns the known one with its key instead. Raises StoreError."""
        sql, slot = statements("spool_and_keys.sql"), {"who": caller, "key": key}
        with self._tenant.transaction("begin_writing") as (connection, _):
            old = {"now": now, "broken_off": BROKEN_OFF_MS}
            connection.execute(sql["drop_old_replays"].query, old)
            reserved = connection.execute(sql["reserve_replay"].query, {**slot, **asdict(replay)}).fetchone()
            existing = None if reserved else _stored_replay(connection, slot)
            connection.execute(sql["keep_quota_of_replays"].query, {"who": caller, "quota": QUOTA})
            self._tenant.commit(connection)
        return existing

    def take_over(self, caller: str, key: str, previous: Replay, replay: Replay) -> Replay | None:
        """Begins a request that was broken off again; returns another that is known by now. Raises
        StoreError."""
        slot = {"who": caller, "key": key}
        values = {**slot, "until": replay.until, "head": replay.head, "was_until": previous.until}
        with self._tenant.transaction("begin_writing") as (connection, _):
            query = statements("spool_and_keys.sql")["take_over_replay"].query
            present = (
                None if connection.execute(query, values).fetchone() else _stored_replay(connection, slot)
            )
            self._tenant.commit(connection)
        return present

    def answer(self, caller: str, key: str, replay: Replay) -> None:
        """Stores the answer of a request. Raises StoreError."""
        _write(self._tenant, "answer_replay", {"who": caller, "key": key, **asdict(replay)})

    def release(self, caller: str, key: str) -> None:
        """Drops a request, so that it may be made again. Raises StoreError."""
        _write(self._tenant, "release_replay", {"who": caller, "key": key})

    def drop_old(self, now: int) -> None:
        """Drops the requests that are over. Raises StoreError."""
        _write(self._tenant, "drop_old_replays", {"now": now, "broken_off": BROKEN_OFF_MS})

    def blank(self) -> None:
        """Drops the bodies of all answers. Raises StoreError."""
        _write(self._tenant, "blank_replays", {})


def _stored_replay(connection: Any, slot: dict[str, Any]) -> Replay | None:
    """Returns the request that is noted under a key, with its answer if it has one; None if there is none."""
    row = connection.execute(statements("spool_and_keys.sql")["known_replay"].query, slot).fetchone()
    if row is None:
        return None
    fingerprint, until, status, headers, body, head = row
    return Replay(fingerprint, until, status, headers, None if body is None else bytes(body), head)


def _read(tenant: Tenant, name: str, values: dict[str, Any]) -> list[tuple[Any, ...]]:
    with tenant.transaction("begin_reading") as (connection, _):
        return connection.execute(statements("spool_and_keys.sql")[name].query, values).fetchall()


def _write(tenant: Tenant, name: str, values: dict[str, Any]) -> None:
    with tenant.transaction("begin_writing") as (connection, _):
        connection.execute(statements("spool_and_keys.sql")[name].query, values)
        tenant.commit(connection)
