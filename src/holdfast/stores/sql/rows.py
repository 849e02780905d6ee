"""Row mapping between the database and the records beside memories, and the bindings of a view.

A process that recalls once, as a hook does, waits for all imports: records that no recall returns are
imported where they are created.
"""

from __future__ import annotations

import json
from dataclasses import fields
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from holdfast.core.filter_rule import parameters
from holdfast.core.kinds import STATEMENT
from holdfast.core.places import Pool, Reach, Role, Visibility
from holdfast.core.projects import Project, ProjectState, Session
from holdfast.stores.sql.columns import plain
from holdfast.stores.sql.decoding import decoding, object_of

if TYPE_CHECKING:
    from holdfast.core.events import Event
    from holdfast.core.facts import Stated
    from holdfast.core.jobs import Backlog, Job
    from holdfast.core.metrics import Metric
    from holdfast.core.sources import Source
    from holdfast.core.views import View
    from holdfast.stores.base.ports import Names


def json_names(names: Names) -> str | None:
    """Returns the binding of names that narrow a reading."""
    return None if names is None else json.dumps(sorted(names))


@decoding
def pool_of(row: dict[str, Any]) -> Pool:
    """Returns a pool from its row."""
    return Pool(
        Visibility(row["visibility"]), row["owner"], row["workspace"], Reach(row["reach"]), row["project"],
        row["source"],
    )  # fmt: skip


@decoding
def project_of(row: dict[str, Any]) -> Project:
    """Returns a project from its row."""
    names = ("name", "created_at", "updated_at", "number", "id", "description", "colour", "icon", "notes",
             "space")  # fmt: skip
    return Project(
        **{name: row[name] for name in names},
        system_prompt=row["system_prompt"],
        visibility=None if row["visibility"] is None else Visibility(row["visibility"]),
        state=ProjectState(row["state"]),
        purge_at=row["purge_at"],
        listed=row["deleted_at"] is None,
        owner=row["owner"],
    )


@decoding
def session_of(row: dict[str, Any]) -> Session:
    """Returns a session from its joined row."""
    return Session(
        external_id=row["external_id"],
        owner=row["owner"],
        created_at=row["created_at"],
        updated_at=row["updated_at"],
        number=row["number"],
        name=row["name"],
        project_number=row["project"],
        project=row["project_name"],
        metadata=object_of(row["metadata"]),
        message_count=row["messages"],
        archived=bool(row["archived"]),
    )


def filter_values(view: View, now: int) -> dict[str, Any]:
    """Returns the bindings of the filter rule for a view."""
    return {
        name: _names(value) if isinstance(value, frozenset) else value
        for name, value in parameters(view.filter, view.hidden_kinds, now).items()
    }


@lru_cache(256)
def _names(values: frozenset[Any]) -> str:
    return plain(sorted(value or "" for value in values))


@decoding
def job_of(row: dict[str, Any]) -> Job:
    """Returns a job from its row."""
    from holdfast.core.jobs import Job, State

    converted = {
        "role": Role(row["role"]), "apart": bool(row["apart"]), "state": State(row["state"]),
        "result": object_of(row["result"]),
    }  # fmt: skip
    return Job(**{**row, **converted})


def job_values(job: Job) -> dict[str, Any]:
    """Returns the column values of a job."""
    values = {
        attribute.name: getattr(job, attribute.name)
        for attribute in fields(job)
        if attribute.name != "remaining_seconds"
    }
    converted = {"role": job.role.value, "state": job.state.value, "result": json.dumps(job.result)}
    return {**values, **converted}


def backlog_of(row: tuple[Any, ...]) -> Backlog:
    """Returns the backlog from its row of counts."""
    from holdfast.core.jobs import Backlog

    return Backlog(*row)


@decoding
def event_of(row: tuple[Any, ...]) -> Event:
    """Returns an audit event from its row."""
    from holdfast.core.events import Event

    sequence, at, actor, action, subject, detail, digest = row
    return Event(sequence, at, actor, action, subject, object_of(detail), digest)


@decoding
def said_of(row: tuple[Any, ...]) -> Stated:
    """Returns a statement about the user and its memory from their joined row."""
    from holdfast.core.facts import Act, Stated, Statement

    topic, act, value, rank, other, id, at, project, session, by, origin, kind = row
    statement = Statement(topic, Act(act), value, rank, other)
    return Stated(statement, id, at, project, session, by, origin, kind != STATEMENT)


@decoding
def source_of(row: dict[str, Any]) -> Source:
    """Returns a source from its row."""
    from holdfast.core.sources import Source

    visibility, members = row["visibility"], row["members"]
    values = {
        "metadata": object_of(row["metadata"]),
        "visibility": None if visibility is None else Visibility(visibility),
        "members": None if members is None else tuple(json.loads(members)),
    }
    return Source(**{**row, **values})


def source_values(source: Source) -> dict[str, Any]:
    """Returns the column values of a source."""
    members = None if source.members is None else plain(source.members)
    visibility = None if source.visibility is None else source.visibility.value
    values = {"metadata": plain(source.metadata), "visibility": visibility, "members": members}
    return {**{attribute.name: getattr(source, attribute.name) for attribute in fields(source)}, **values}


@decoding
def metric_of(row: tuple[Any, ...]) -> Metric:
    """Returns a metric from its row."""
    from holdfast.core.metrics import TARGETS, Metric

    if row[0] not in TARGETS:
        raise LookupError(row[0])
    return Metric(*row)
