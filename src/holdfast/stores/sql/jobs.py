"""The queue of jobs, in an SQL store."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Collection
from typing import TYPE_CHECKING, Any

from holdfast.stores.sql.rows import job_of, job_values

if TYPE_CHECKING:
    from holdfast.core.jobs import Job
    from holdfast.core.views import View


class SqlJobWriter(ABC):
    """The mixin of the writer for the queue."""

    @abstractmethod
    def _dicts(self, name: str, values: dict[str, Any]) -> list[dict[str, Any]]: ...

    @abstractmethod
    def _run(self, name: str, values: dict[str, Any]) -> None: ...

    @abstractmethod
    def _rows_of(self, name: str, values: dict[str, Any]) -> list[tuple[Any, ...]]: ...

    @abstractmethod
    def _returned(self, name: str, values: dict[str, Any]) -> Any: ...

    @abstractmethod
    def _written(self, name: str, values: dict[str, Any]) -> list[dict[str, Any]]: ...

    def add_job(self, job: Job) -> Job:
        values = job_values(job)
        existing = self._rows_of("job_to_take_up", values) if job.subject is not None else []
        if not existing:
            self._run("insert_job", values)
            return job
        id = existing[0][0]
        self._rows_of("update_job", {**values, "id": id, "held": None})
        return job_of(self._dicts("job", {"id": id, "owner": job.owner})[0])

    def plan_job(self, job: Job, *, enough: int | None = None) -> None:
        values = job_values(job)
        if not self._rows_of("plan_job", {**values, "enough": enough}):
            self._run("insert_job", values)

    def count_changes(self, view: View, project: int, changes: int, *, enough: int) -> bool:
        values = {"owner": view.user, "project": project, "changes": changes, "enough": enough}
        return int(self._returned("count_changes", values)) == 0

    def put_job(self, view: View, job: Job, *, token: str | None = None) -> bool:
        return bool(self._rows_of("update_job", {**job_values(job), "owner": view.user, "held": token}))

    def claim_job(self, *, kinds: Collection[str], now: int, until: int, token: str) -> Job | None:
        values = {"kinds": json.dumps(sorted(kinds)), "now": now, "until": until, "token": token}
        rows = self._written("claim_job", values)
        return job_of(rows[0]) if rows else None

    def hasten_jobs(self, *, kinds: Collection[str], after: int, now: int) -> None:
        self._run("hasten_jobs", {"kinds": json.dumps(sorted(kinds)), "after": after, "now": now})

    def prune_jobs(self, view: View, *, keep: int) -> None:
        self._run("prune_jobs", {"owner": view.user, "keep": keep})
