"""Reader of one consistent snapshot of an SQL store, always through a view."""

from __future__ import annotations

import json
from abc import abstractmethod
from collections.abc import Collection, Iterator, Sequence
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from holdfast.core.cursors import bad_cursor, cursor_after, cursor_parts
from holdfast.core.facets import Facet
from holdfast.core.ids import START_MIN
from holdfast.core.kinds import EVIDENCE
from holdfast.core.values import changed
from holdfast.stores.base.ports import Names, Page, Question
from holdfast.stores.base.signals import Signals
from holdfast.stores.index.pools import Pools
from holdfast.stores.index.quantised import exact
from holdfast.stores.index.segment import Row, is_judged_here
from holdfast.stores.index.segments import Index
from holdfast.stores.sql.columns import memory_of, plain
from holdfast.stores.sql.described import SqlDescribedReader
from holdfast.stores.sql.folders import ALL
from holdfast.stores.sql.lookups import SqlLookupReader
from holdfast.stores.sql.models import SqlModelReader
from holdfast.stores.sql.nearest import SqlNearestReader
from holdfast.stores.sql.projects import SqlProjectReader
from holdfast.stores.sql.rows import (
    backlog_of,
    event_of,
    filter_values,
    job_of,
    json_names,
    metric_of,
    pool_of,
    said_of,
    source_of,
)
from holdfast.stores.sql.sessions import SqlSessionReader
from holdfast.stores.sql.storage import SqlStorageReader
from holdfast.stores.sql.team import SqlTeamReader
from holdfast.stores.sql.tombstones import SqlTombstoneReader
from holdfast.stores.sql.usage import SqlUsageReader

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from holdfast.core.events import Event, Head
    from holdfast.core.facts import Stated
    from holdfast.core.jobs import Backlog, Job, State
    from holdfast.core.metrics import Metric
    from holdfast.core.record import Change, Memory
    from holdfast.core.sources import Source
    from holdfast.core.views import View
    from holdfast.stores.index.candidates import Candidates, RemoteAnn

EVIDENCE_JSON = json.dumps(sorted(EVIDENCE))

ERASED_KEPT = 10_000
"""Changes for which the numbers of erased rows are kept: an index that is further behind is read anew."""

Models = dict[tuple[str, int], int | None]
"""Numbers of models by name and dimension; a number once given is never changed."""


class SqlReader(
    SqlProjectReader, SqlTeamReader, SqlModelReader, SqlTombstoneReader, SqlLookupReader, SqlUsageReader,
    SqlSessionReader, SqlNearestReader, SqlDescribedReader, SqlStorageReader,
):  # fmt: skip
    """A snapshot of an SQL store. The backend runs the statements.

    `upto` bounds the changes that the index may apply; `last_pool` and `connections` tell whether all pools
    and the connections of folders are cached.
    """

    def __init__(
        self, index: Index, models: Models, *, upto: int, last_pool: int | None, connections: str
    ) -> None:
        self._index = index
        self._pools: Pools | None = None
        self._models = models
        self.loaded: list[int] = []
        self._upto, self._last_pool, self._connections = upto, last_pool, connections

    # how statements are run

    @abstractmethod
    def _all(self, name: str, values: dict[str, Any]) -> list[tuple[Any, ...]]: ...

    @abstractmethod
    def _row(self, name: str, values: dict[str, Any]) -> tuple[Any, ...]:
        """Returns the only row."""

    @abstractmethod
    def _value(self, name: str, values: dict[str, Any]) -> Any:
        """Returns the first column of the first row; None if there is none."""

    @abstractmethod
    def _dicts(self, name: str, values: dict[str, Any]) -> list[dict[str, Any]]: ...

    @abstractmethod
    def _indexed(self, name: str, values: dict[str, Any]) -> Iterator[Row]:
        """Yields rows for the index, as plain tuples in the order of `Row`."""

    @abstractmethod
    def _vectors(self, values: dict[str, Any]) -> list[tuple[int, bytes]]:
        """Returns passages and their vectors in float16, little-endian."""

    _is_committed = True
    """Whether all that it reads was committed, and may be kept in the index."""
    _remote_ann: RemoteAnn | None = None
    """Tells what is near in a segment without codes, where the backend has any."""

    @abstractmethod
    def head(self, view: View) -> Head: ...

    # memories

    def get(self, view: View, id: str) -> Memory | None:
        return self._memory("get", view, {"id": id})

    def page(self, view: View, *, limit: int, cursor: str | None, now: int) -> Page:
        return self._page("page", view, {}, limit, cursor, now)

    def _page(
        self, name: str, view: View, more: dict[str, Any], limit: int, cursor: str | None, now: int
    ) -> Page:
        """Returns a page of memories from a named statement."""
        before = None
        if cursor is not None:
            id, version = cursor_parts(cursor)
            values = {**self._readable(view), "id": id, "version": version}
            before = self._value("number_of_version", values)
            if before is None:
                raise bad_cursor(cursor)
        values = {**self._filter(view, now), "before": before, "limit": limit + 1, **more}
        memories = [memory_of(row) for row in self._all(name, values)]
        return Page(memories[:limit], cursor_after(memories, limit))

    def beginning(self, view: View, start: str, *, limit: int) -> list[str]:
        ends = {"start": start, "end": start + "\U0010ffff", "tail": start, "tail_end": start + "\U0010ffff"}
        if len(start) < START_MIN:
            ends["start"] = ends["end"]
        return [row[0] for row in self._all("beginning", {**self._filter(view, 0), **ends, "limit": limit})]

    def conversation(self, view: View, *, limit: int, cursor: str | None, now: int) -> Page:
        after, number = None, None
        if cursor is not None:
            id, version = cursor_parts(cursor)
            values = {**self._readable(view), "id": id, "version": version}
            spot = self._all("spot_of_version", values)
            if not spot:
                raise bad_cursor(cursor)
            after, number = spot[0]
        values = {**self._filter(view, now), "after": after, "after_number": number, "limit": limit + 1}
        memories = [memory_of(row) for row in self._all("conversation", values)]
        return Page(memories[:limit], cursor_after(memories, limit))

    def conversation_before(self, view: View, cursor: str, *, limit: int, now: int) -> list[Memory]:
        id, version = cursor_parts(cursor)
        spot = self._all("spot_of_version", {**self._readable(view), "id": id, "version": version})
        if not spot:
            raise bad_cursor(cursor)
        before, number = spot[0]
        values = {**self._filter(view, now), "before": before, "before_number": number, "limit": limit}
        return [memory_of(row) for row in self._all("conversation_before", values)]

    def facets(self, view: View, *, now: int) -> list[Facet]:
        return [Facet(*row) for row in self._all("facets", self._filter(view, now))]

    def count(self, view: View, *, now: int) -> int:
        return int(self._row("count", self._filter(view, now))[0])

    def numbered(self, view: View, numbers: Sequence[int], *, now: int) -> list[tuple[int, Memory]]:
        if not numbers:
            return []
        rows = self._all("numbered", {**self._filter(view, now), "numbers": json.dumps(list(numbers))})
        memories = {row[0]: memory_of(row) for row in rows}
        return [(number, memories[number]) for number in numbers if number in memories]

    def history(self, view: View, id: str) -> list[Change]:
        from holdfast.core.history import history_of

        values = {**self._readable(view), "id": id}
        versions = [memory_of(row) for row in self._all("versions", values)]
        if not versions:
            return []
        return history_of(versions, (event_of(row) for row in self._all("events_of", {"id": id})))

    def lacks_vectors(self, view: View, id: str, model: str) -> bool:
        return bool(self._row("lacks_vectors", {**self._filter(view, 0), "id": id, "model": model})[0])

    def unembedded(self, view: View, model: str, *, limit: int) -> list[Memory]:
        values = {**self._filter(view, 0), "model": model, "limit": limit}
        return [memory_of(row) for row in self._all("unembedded", values)]

    def agent_count(self, view: View, session: int, actor: str) -> int:
        values = {
            "pools": json.dumps(self._pool_numbers(view)),
            "in_session": session,
            "actor": actor,
            "evidence": EVIDENCE_JSON,
        }
        return int(self._row("agent_count", values)[0])

    # what a user owns

    def owned(self, view: View, *, after: int, limit: int) -> list[tuple[int, Memory]]:
        values = {**self._filter(view, 0), "owner": view.user, "after": after, "limit": limit}
        return [(row[0], memory_of(row)) for row in self._all("owned", values)]

    def versions(self, view: View, ids: Sequence[str]) -> list[Memory]:
        values = {**self._readable(view), "ids": json.dumps(list(ids))}
        return [memory_of(row) for row in self._all("versions_of", values)]

    def events_about(self, view: View, ids: Sequence[str]) -> list[Event]:
        values = {**self._readable(view), "ids": json.dumps(list(ids))}
        return [event_of(row) for row in self._all("events_about", values)]

    # the entity graph

    def entities(self, view: View, *, type: str | None, limit: int, cursor: str | None, now: int) -> Page:
        return self._page("entities", view, {"type": type}, limit, cursor, now)

    def entities_named(self, view: View, names: Sequence[str], *, now: int) -> list[Memory]:
        return self._memories("named", view, now, {"names": json.dumps(list(names))})

    def several(self, view: View, ids: Sequence[str], *, now: int) -> list[Memory]:
        return self._memories("several", view, now, {"ids": json.dumps(list(ids))})

    def links(self, view: View, ids: Sequence[str], *, limit: int | None, now: int) -> list[Memory]:
        return self._memories(
            "links", view, now, {"ids": json.dumps(list(ids)), "limit": ALL if limit is None else limit}
        )

    def related(self, view: View, ids: Sequence[str], *, now: int) -> list[Memory]:
        return self._memories("related", view, now, {"ids": json.dumps(list(ids))})

    def mentions(self, view: View, ids: Sequence[str], *, now: int) -> dict[str, tuple[int, int]]:
        values = {**self._filter(view, now), "ids": json.dumps(sorted(set(ids)))}
        return {id: (count, last) for id, count, last in self._all("mentions", values)}

    def facts(
        self, view: View, *, now: int, claims: str | None = None, memories: Names = None, topics: Names = None
    ) -> list[Stated]:
        narrowed = {"claims": claims, "memories": json_names(memories), "topics": json_names(topics)}
        values = {**self._filter(view, now), "owner": view.user, **narrowed}
        return [said_of(row) for row in self._all("facts", values)]

    # files, and what working sessions were given

    def about_files(self, view: View, files: Collection[str], *, limit: int, now: int) -> list[Memory]:
        return self._memories("about_files", view, now, {"about": json.dumps(sorted(files)), "limit": limit})

    def confidence(self, view: View, *, now: int) -> float | None:
        return cast("float | None", self._row("confidence", self._filter(view, now))[0])

    def candidates(self, view: View, question: Question) -> Signals:
        pools = self._pool_numbers(view)
        if not pools:
            return Signals.none()
        matching = None
        if not is_judged_here(view):
            values = self._filter(view, question.now)
            matching = np.array([row[0] for row in self._all("matching", values)], np.int64)
        with self._index.lock:
            self._bring_up(pools, question.model, question.dim)
            places, hidden = self._known_pools(), view.hidden_kinds
            narrowing, ann = places.without_archived(view).filter, self._remote_ann
            candidates = self._index.candidates(pools, narrowing, hidden, matching, question, ann, places)
            if candidates.vector is None:
                return candidates.signals
            vectors, available = self._index.exact(candidates)
            change = self._index.change
        cached = available.copy()
        self._read_lacking([(candidates.passages, vectors, available)], question.model)
        if self._is_committed and (read := available & ~cached).any():
            self._index.keep_exact(candidates, vectors, read, change=change)
        return _rescored(candidates, vectors, available)

    def _bring_up(self, pools: Sequence[int], model: str, dim: int) -> None:
        """Brings pools into the index, and the index to this snapshot."""
        self._refresh(model, dim)
        for pool in pools:
            if not self._index.has(pool):
                self._load(pool)
                self.loaded.append(pool)
        # what was loaded may be older than what another thread has seen: take changes over again
        self._index.change = min(self._index.change, self._upto)

    @abstractmethod
    def _load(self, pool: int) -> None:
        """Loads a pool into the index."""

    def _refresh(self, model: str, dim: int) -> None:
        """Updates the cached segments to this snapshot, unless another reader has done so."""
        index = self._index
        if dim:
            index.use_model(model, dim)
        if index.change >= self._upto:
            return
        if index.change < self._upto - ERASED_KEPT:
            index.drop(self._known_pools().by_number)
        if not index.is_empty:
            erased, rows = self._changes({"since": index.change, "upto": self._upto})
            index.apply(map(Row._make, rows), (number for (number,) in erased))
        index.change = self._upto

    def _changes(self, since: dict[str, Any]) -> tuple[list[tuple[Any, ...]], Iterator[Row]]:
        """Returns the numbers erased in a range of changes, and the rows changed in it."""
        return self._all("erased_since", since), self._indexed("index_since", since)

    # projects, sessions, audit, jobs

    def sources(self, view: View, *, removed: bool = False) -> list[Source]:
        rows = self._dicts("sources", {"owner": view.user, "removed": removed})
        return [source_of(row) for row in rows]

    def events(self, view: View, *, after: int = 0, limit: int | None = None) -> Iterator[Event]:
        values = {"after": after, "limit": ALL if limit is None else limit}
        return map(event_of, self._all("events", values))

    def metrics(self, view: View, name: str | None, *, limit: int) -> list[Metric]:
        return [metric_of(row) for row in self._all("metrics", {"name": name, "limit": limit})]

    def job(self, view: View, id: str) -> Job | None:
        rows = self._dicts("job", {"owner": view.user, "id": id})
        return job_of(rows[0]) if rows else None

    def jobs(
        self,
        view: View,
        *,
        states: Collection[State] | None = None,
        kind: str | None = None,
        subject: str | None = None,
        limit: int = 100,
    ) -> list[Job]:
        values = {
            "owner": view.user,
            "states": None if states is None else json.dumps(sorted(states)),
            "kind": kind,
            "subject": subject,
            "limit": limit,
        }
        if subject is None:
            del values["subject"]
        return [job_of(row) for row in self._dicts("jobs" if subject is None else "jobs_about", values)]

    def backlog(self, view: View, *, now: int) -> Backlog:
        return backlog_of(self._row("backlog", {"now": now}))

    def next_job_at(self, view: View) -> int | None:
        return cast("int | None", self._row("next_job_at", {})[0])

    def has_jobs_after(self, view: View, after: int, *, kinds: Collection[str]) -> bool:
        return bool(self._row("has_jobs_after", {"after": after, "kinds": json.dumps(sorted(kinds))})[0])

    def unfinished_jobs(self, view: View, kind: str) -> list[str]:
        return [id for (id,) in self._all("unfinished_jobs", {"kind": kind})]

    # helpers

    def _pool_numbers(self, view: View) -> list[int]:
        """Returns the numbers of the pools that a view reads; none if it names one that it may not read."""
        pools = self._known_pools()
        if view.only is not None:
            number = pools.numbers.get(view.only)
            # asked all the same: a view may allow less than the pool it names
            return [number] if number is not None and pools.allowed(view, view.only) else []
        return pools.seen_by(view)

    def _known_pools(self) -> Pools:
        """Returns all pools: the last number tells whether the cache is whole; their connections change."""
        if self._pools is None:
            shared = self._index.pools
            if (shared.last, shared.connections) != (self._last_pool, self._connections):
                pools = {row["number"]: pool_of(row) for row in self._dicts("pools", {})}
                shared = self._index.pools = Pools(pools, self._connections)
            self._pools = shared
        return self._pools

    def _model(self, name: str, dim: int) -> int | None:
        key = name, dim
        if self._models.get(key) is None:
            self._models[key] = self._value("model", {"name": name, "dim": dim})
        return self._models[key]

    def _filter(self, view: View, now: int) -> dict[str, Any]:
        return {**filter_values(self._known_pools().without_archived(view), now), **self._readable(view)}

    def _readable(self, view: View) -> dict[str, Any]:
        pools, reach = self._pool_numbers(view), self._known_pools().seen_by(view.everywhere())
        who = {"reader": view.user, "author": view.author, "reviews": view.reviews}
        return {"pools": plain(pools), "reach": plain(reach), **who}

    def _memory(self, name: str, view: View, values: dict[str, Any]) -> Memory | None:
        rows = self._all(name, {**self._filter(view, 0), **values})
        return memory_of(rows[0]) if rows else None

    def _memories(self, name: str, view: View, now: int, values: dict[str, Any]) -> list[Memory]:
        return [memory_of(row) for row in self._all(name, {**self._filter(view, now), **values})]


def _rescored(candidates: Candidates, vectors: NDArray[np.float16], is_stored: NDArray[np.bool_]) -> Signals:
    """Returns the candidates with cosines computed from their stored vectors instead of from codes."""
    signals = candidates.signals
    if candidates.vector is None or not is_stored.any():
        return signals

    def highest(vector: NDArray[np.float32]) -> NDArray[np.float32]:
        cosine = np.full(len(signals.number), -1.0, np.float32)
        np.maximum.at(cosine, candidates.groups[is_stored], exact(vector, vectors[is_stored]))
        return cosine

    cosine = highest(candidates.vector)
    refined = cosine if candidates.refined is None else highest(candidates.refined)
    return changed(signals, cosine=cosine, refined=refined)
