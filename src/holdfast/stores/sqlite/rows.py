"""Rows: between the columns of the database and the records of the domain."""

from __future__ import annotations

import json
from typing import Any

from holdfast.domain.kinds import KINDS
from holdfast.domain.memories import Memory, Origin, Status, external_key
from holdfast.domain.places import Place, Pool, Reach, Scope, Visibility
from holdfast.domain.projects import Project, Session
from holdfast.domain.views import View


def memory_of(row: dict[str, Any]) -> Memory:
    """A memory from a row of the joined columns."""
    return Memory(
        id=row["id"],
        kind=row["kind"],
        text=row["text"],
        place=Place(
            owner=row["owner"],
            visibility=Visibility(row["visibility"]),
            workspace=row["workspace"],
            project=row["project_number"],
            session=row["session"],
            scope=Scope(row["scope_type"], row["scope_id"]),
            branch=row["branch"],
        ),
        status=Status(row["status"]),
        recorded_at=row["recorded_at"],
        updated_at=row["updated_at"],
        at=row["at"],
        created_by=row["created_by"],
        version=row["version"],
        title=row["title"],
        summary=row["summary"],
        project=row["project_name"],
        session=row["session_name"],
        external_id=row["external_id"],
        role=row["role"],
        name=row["name"],
        position=row["position"],
        origin=Origin(row["origin"]),
        confidence=row["confidence"],
        tags=tuple(json.loads(row["tags"])),
        metadata=json.loads(row["metadata"]),
        evidence=json.loads(row["evidence"]),
        flags=tuple(json.loads(row["flags"])),
        redactions=tuple(json.loads(row["redactions"])),
        pii_risk=row["pii_risk"],
        content_hash=row["content_hash"],
        status_reason=row["status_reason"],
        pinned=bool(row["pinned"]),
        edited=bool(row["edited"]),
        valid_from=row["valid_from"],
        valid_until=row["valid_until"],
        expires_at=row["expires_at"],
        deleted_at=row["deleted_at"],
        deleted_reason=row["deleted_reason"],
        supersedes=row["supersedes"],
        superseded_by=row["superseded_by"],
        use_count=row["use_count"],
        last_used_at=row["last_used_at"],
    )


def values_of(memory: Memory, *, pool: int, change: int) -> dict[str, Any]:
    """The bindings that store a memory."""
    place = memory.place
    is_evidence = KINDS[memory.kind].is_evidence
    return {
        "id": memory.id,
        "version": memory.version,
        "pool": pool,
        "change": change,
        "kind": memory.kind,
        "status": memory.status.value,
        "pinned": memory.pinned,
        "edited": memory.edited,
        "session": place.session,
        "scope_type": place.scope.type,
        "scope_id": place.scope.id,
        "branch": place.branch,
        "at": memory.at,
        "holds_from": memory.holds_from,
        "valid_from": memory.valid_from,
        "valid_until": memory.valid_until,
        "expires_at": memory.expires_at,
        "recorded_at": memory.recorded_at,
        "updated_at": memory.updated_at,
        "use_count": memory.use_count,
        "last_used_at": memory.last_used_at,
        "owner": place.owner,
        "external_id": memory.external_id,
        "external_key": external_key(memory.kind, place.session, memory.external_id),
        "content_hash": memory.content_hash,
        "unique_hash": None if is_evidence else memory.content_hash,
        "created_by": memory.created_by,
        "origin": memory.origin.value,
        "role": memory.role,
        "name": memory.name,
        "position": memory.position,
        "confidence": memory.confidence,
        "pii_risk": memory.pii_risk,
        "status_reason": memory.status_reason,
        "supersedes": memory.supersedes,
        "superseded_by": memory.superseded_by,
        "title": memory.title,
        "summary": memory.summary,
        "tags": _json(memory.tags),
        "metadata": _json(memory.metadata),
        "evidence": _json(memory.evidence),
        "flags": _json(memory.flags),
        "redactions": _json(memory.redactions),
        "text": memory.text,
    }


def pool_of(row: dict[str, Any]) -> Pool:
    """A pool from its row."""
    return Pool(
        Visibility(row["visibility"]), row["owner"], row["workspace"], Reach(row["reach"]), row["project"]
    )


def project_of(row: dict[str, Any]) -> Project:
    """A project from its row."""
    names = ("name", "created_at", "updated_at", "number", "id", "description", "colour", "icon", "notes")
    return Project(**{name: row[name] for name in names}, system_prompt=row["system_prompt"])


def session_of(row: dict[str, Any]) -> Session:
    """A session from its joined row."""
    return Session(
        external_id=row["external_id"],
        owner=row["owner"],
        created_at=row["created_at"],
        updated_at=row["updated_at"],
        number=row["number"],
        name=row["name"],
        project_number=row["project"],
        project=row["project_name"],
        metadata=json.loads(row["metadata"]),
        message_count=row["messages"],
    )


def filter_values(view: View, pools: list[int], now: int) -> dict[str, Any]:
    """The bindings of the `visible` fragment for a view whose pools are known by number."""
    narrowing = view.filter

    def names(values: Any) -> str | None:
        return None if values is None else _json(sorted(values))

    return {
        "pools": _json(pools),
        "hidden": _json(sorted(view.hidden_kinds)),
        "kinds": names(narrowing.kinds),
        "scope_type": narrowing.scope_type,
        "scope_id": narrowing.scope_id,
        "branches": None if narrowing.branches is None else names(b or "" for b in narrowing.branches),
        "tags": names(narrowing.tags) if narrowing.tags else None,
        "session": narrowing.session,
        "since": narrowing.since,
        "until": narrowing.until,
        "as_of": narrowing.as_of,
        "statuses": None if narrowing.statuses is None else names(s.value for s in narrowing.statuses),
        "deleted": narrowing.deleted,
        "pinned": narrowing.pinned,
        "now": now,
    }


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
