"""One write transaction of an SQL store: memories, words, vectors, events and jobs together."""

from __future__ import annotations

import json
from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import asdict, replace
from itertools import groupby
from typing import TYPE_CHECKING, Any

from holdfast.core.errors import Conflict, NotFound
from holdfast.core.events import REQUEST_MARK, Event, Head, canonical, chained
from holdfast.core.record import Memory, content_hash, external_key, identity
from holdfast.core.usage import GROWS_FROM, GROWS_TO, growth
from holdfast.stores.base.replays import REQUEST
from holdfast.stores.index.pools import Pools
from holdfast.stores.sql.columns import memory_of, plain, values_of
from holdfast.stores.sql.described import SqlDescribedWriter
from holdfast.stores.sql.inserting import SqlInserter
from holdfast.stores.sql.jobs import SqlJobWriter
from holdfast.stores.sql.models import SqlModelWriter
from holdfast.stores.sql.projects import SqlProjectWriter
from holdfast.stores.sql.reader import ERASED_KEPT, EVIDENCE_JSON
from holdfast.stores.sql.rows import source_values
from holdfast.stores.sql.sessions import SqlSessionWriter
from holdfast.stores.sql.team import SqlTeamWriter
from holdfast.stores.sql.tombstones import SqlTombstoneWriter
from holdfast.stores.sql.usage import SqlUsageWriter

if TYPE_CHECKING:
    from holdfast.core.facts import Statement
    from holdfast.core.metrics import Metric
    from holdfast.core.places import Place, Pool
    from holdfast.core.projects import Session
    from holdfast.core.sources import Source
    from holdfast.core.views import View
    from holdfast.stores.base.admitted import Admitted
    from holdfast.stores.base.ports import Patch, Use, Vectors

_PATCHED = ("status_reason", "valid_until", "expires_at", "deleted_at", "deleted_reason", "supersedes",
            "superseded_by")  # fmt: skip
FIRST_CLAIM = 1_000_000
"""The part of the first claim of a memory: what is read later follows what was read at once."""


class SqlWriter(
    SqlInserter, SqlProjectWriter, SqlTeamWriter, SqlModelWriter, SqlTombstoneWriter, SqlSessionWriter,
    SqlUsageWriter, SqlDescribedWriter, SqlJobWriter,
):  # fmt: skip
    """A transaction. Its candidates are those of the moment it began.

    `_change` is its number, `_last` the end of the event chain in it.
    """

    _is_committed = False

    # how statements are run

    @abstractmethod
    def _returned(self, name: str, values: dict[str, Any]) -> Any:
        """Returns the first column of the only row."""

    @abstractmethod
    def _written(self, name: str, values: dict[str, Any]) -> list[dict[str, Any]]: ...

    @abstractmethod
    def _run_if_unique(self, name: str, values: dict[str, Any]) -> bool:
        """Runs a statement; returns false, with nothing changed, if a unique index refuses it."""

    # memories

    def insert_version(self, view: View, admitted: Admitted, vectors: Vectors | None, model: str) -> Memory:
        self._retire(view, [admitted.memory])
        return self.insert(admitted, vectors, model)

    def insert_versions(
        self, view: View, versions: Sequence[tuple[Admitted, Vectors | None]], model: str
    ) -> None:
        self._retire(view, [admitted.memory for admitted, _ in versions])
        self.insert_all(versions, model)

    def _retire(self, view: View, newer: Sequence[Memory]) -> None:
        """Ends the present versions of memories where newer ones begin."""
        pools = json.dumps(self._pool_numbers(view))
        for until, same in groupby(newer, key=lambda memory: memory.holds_from):
            ids = [memory.id for memory in same]
            values = {"ids": json.dumps(ids), "pools": pools, "until": until, "change": self._change}
            retired = {id for (id,) in self._rows_of("retire_versions", values)}
            if unseen := set(ids) - retired:
                raise NotFound(f"there is no memory {min(unseen)!r}", code="memory_not_found")

    def patch(self, view: View, id: str, patch: Patch, *, now: int) -> Memory:
        self._required(view, id)
        values: dict[str, Any] = {
            "id": id,
            "change": self._change,
            "status": None if patch.status is None else patch.status.value,
            "status_reason": patch.status_reason,
            "pinned": patch.pinned,
            "fingerprint": patch.fingerprint,
            "confidence": patch.confidence,
            "valid_until": patch.valid_until,
            "expires_at": patch.expires_at,
            "deleted_at": patch.deleted_at,
            "deleted_reason": patch.deleted_reason,
            "supersedes": patch.supersedes,
            "superseded_by": patch.superseded_by,
            "evidence": None,
            "updated_at": None,
        }
        if patch.anchors is not None:
            from holdfast.core.staleness import with_anchors

            evidence = with_anchors(self._current(id).evidence, patch.anchors)
            values |= {"evidence": json.dumps(evidence, ensure_ascii=False), "updated_at": now}
        if patch.evidence is not None:
            values["evidence"] = json.dumps(dict(patch.evidence), ensure_ascii=False)
        values |= {f"clear_{name}": name in patch.clear for name in _PATCHED}
        self._run("patch_current", values)
        if patch.deleted_at is not None or patch.clear & {"deleted_at"} or values["status"] == "rejected":
            self._run("patch_versions", values)
        return self._current(id)

    def move(self, view: View, id: str, place: Place, *, external_id: str | None = None) -> Memory:
        self._required(view, id)
        memory = self._current(id)
        memory = replace(memory, external_id=external_id or memory.external_id)
        home = replace(place, owner=memory.place.owner, session=memory.place.session)
        if not self._relocate(memory, home):
            raise Conflict("the same is stored there already", code="duplicate_text")
        return self._current(id)

    def erase(self, view: View, ids: Sequence[str]) -> int:
        numbers = self._numbers_of(ids, self._pool_numbers(view))
        everywhere = list(self._known_pools().by_number)
        links = list(numbers)
        while links:  # what speaks of something holds its name
            linked = [link for (link,) in self._rows_of("ids_of_links", {"ids": json.dumps(links)})]
            more = self._numbers_of([link for link in linked if link not in numbers], everywhere)
            numbers |= more
            links = list(more)
        if not numbers:
            return 0
        self._check_not_held(list(numbers))
        params = {"ids": json.dumps(list(numbers))}
        self._run("erase_summaries", params)
        versions = [number for of_one in numbers.values() for number in of_one]
        self._erase_versions(versions)
        for step in ("erase_jobs", "erase_given", "erase_cited", "unlink"):
            self._run(step, params)
        for step in ("drop_request", "drop_finding"):
            self._rows_of(step, params)
        self._prune_erased()
        return len(versions)

    def _numbers_of(self, ids: Sequence[str], pools: Sequence[int]) -> dict[str, list[int]]:
        """Returns the versions of memories in some pools, by the ids of the memories that are there."""
        numbers: dict[str, list[int]] = {}
        values = {"ids": json.dumps(list(ids)), "pools": json.dumps(list(pools))}
        for id, number in self._rows_of("numbers_of", values) if ids else ():
            numbers.setdefault(id, []).append(number)
        return numbers

    def retitle(self, view: View, titled: Sequence[tuple[Admitted, Vectors | None]], model: str) -> None:
        pools = json.dumps(self._pool_numbers(view))
        for admitted, vectors in titled:
            memory = admitted.memory
            values: dict[str, Any] = {"id": memory.id, "pools": pools, "change": self._change}
            values |= {
                "title": memory.title, "flags": plain(memory.flags), "pii_risk": memory.pii_risk,
            }  # fmt: skip
            rows = self._rows_of("retitle", values)
            if not rows:
                raise NotFound(f"there is no memory {memory.id!r}", code="memory_not_found")
            ((number, pool),) = rows
            # passages are numbered anew: a segment takes the words of those that it knows as unchanged
            for step in ("erase_vectors", "erase_passages"):
                self._run(step, {"memories": json.dumps([number])})
            self._add_passages(number, pool, admitted, vectors, model)

    def redact(self, view: View, admitted: Admitted, vectors: Vectors | None, model: str) -> None:
        memory = admitted.memory
        version = {"id": memory.id, "version": memory.version, "pools": json.dumps(self._pool_numbers(view))}
        numbers = [row[0] for row in self._rows_of("version_number", version)]
        if not numbers:
            raise NotFound(f"there is no memory {memory.id!r}", code="memory_not_found")
        self._check_not_held([memory.id])
        present = self._current(memory.id)
        self._run("erase_summaries", {"ids": json.dumps([memory.id])})
        self._erase_versions(numbers[:1])
        self._prune_erased()
        self.drop_request(memory.id)
        home = None if present.version == memory.version else present.place
        self._add(admitted, vectors, model, home, numbers[0])  # messages of one time are in their order
        self._flush()

    def _erase_versions(self, numbers: Sequence[int]) -> None:
        """Erases versions with everything derived from them."""
        versions = {"memories": json.dumps(list(numbers))}
        for step in ("erase_vectors", "erase_passages", "erase_facts"):
            self._run(step, versions)
        sizes: dict[str, list[int]] = {}
        for owner, size in self._rows_of("erase_memory", versions):
            sizes.setdefault(owner, []).append(size)
        for owner, of_one in sizes.items():
            self._count(owner, -len(of_one), -sum(of_one))
        self._run("note_erased", {**versions, "change": self._change})

    def settle_links(self, view: View, ids: Sequence[str], *, now: int) -> list[str]:
        from holdfast.core.graph import ENTITY_GONE, End, is_in_sight

        seen = list(self._numbers_of(ids, self._pool_numbers(view)))
        hidden, shown, moved = [], [], []
        for link in self._rows_of("links_and_ends", {"ids": json.dumps(seen)}):
            id, number, deleted_at, reason, has_target, *ends = link
            pool = self._known_pools().by_number[number]
            pairs = [End(ends[0], bool(ends[1])), End(ends[2], bool(ends[3]))][: 1 + has_target]
            if not is_in_sight(pairs):
                hidden += [id] if deleted_at is None else []
                continue
            if pool.project != ends[0]:
                moved += [id] if self._move_memory(id, ends[0]) else []
            shown += [id] if reason == ENTITY_GONE else []
        values = {"gone": ENTITY_GONE, "now": now, "change": self._change}
        self._run("hide_links", {**values, "ids": json.dumps(hidden)})
        self._run("show_links", {**values, "ids": json.dumps(shown)})
        return sorted({*hidden, *shown, *moved})

    def put_vectors(self, view: View, id: str, vectors: Vectors, model: str) -> None:
        pools = json.dumps(self._pool_numbers(view))
        current = self.get(view, id)
        if current is None:
            return
        version = {"id": id, "version": current.version, "pools": pools}
        ((number,),) = self._rows_of("version_number", version)
        passages = self._rows_of("passages_of", {"memory": number})
        if len(passages) != len(vectors):
            return
        pool = self._pool_number(current.place.pool(current.kind))
        self._add_vectors([passage for passage, _, _ in passages], pool, vectors, model)
        self._run("touch", {"memory": number, "change": self._change})

    def put_claims(self, view: View, read: Sequence[tuple[Memory, Sequence[Statement]]]) -> None:
        pools = json.dumps(self._pool_numbers(view))
        for memory, statements in read:
            version = {"id": memory.id, "version": memory.version, "pools": pools}
            for (number,) in self._rows_of("version_number", version):
                self._run("erase_claims", {"memory": number})
                for part, statement in enumerate(statements, FIRST_CLAIM):
                    self._add_fact(number, part, memory.place.owner, statement)

    def use(self, view: View, uses: Sequence[Use]) -> None:
        used = json.dumps([(use.id, use.count, use.at, growth(use.count)) for use in uses])
        moves = {"lowest": GROWS_FROM, "highest": GROWS_TO, "evidence": EVIDENCE_JSON}
        pools = json.dumps(self._pool_numbers(view))
        self._run("use", {"uses": used, "change": self._change, "pools": pools, **moves})

    # projects and sessions

    def put_session(self, session: Session) -> Session:
        values = {
            "external_id": session.external_id,
            "owner": session.owner,
            "name": session.name,
            "project": session.project_number,
            "metadata": json.dumps(session.metadata, ensure_ascii=False),
            "archived": session.archived,
            "created_at": session.created_at,
            "updated_at": session.updated_at,
            "number": session.number,
        }
        if not session.number:
            session = replace(session, number=int(self._returned("insert_session", values)))
            if session.archived:
                self._reconnected()
            return session
        self._run("update_session", values)
        if session.archived != (session.number in self._known_pools().archived):
            self._reconnected()
        self._move_evidence(session.number, session.owner, session.project_number)
        return session

    def put_source(self, source: Source) -> Source:
        values = source_values(source)
        if self._rows_of("source_with_id", values):
            raise Conflict("another source has this id", code="duplicate_text")
        stored = replace(source, id=self._returned("insert_source", values))
        if source.visibility is not None:
            self._reconnected()
        return stored

    def drop_source(self, view: View, id: str, *, now: int, hard: bool) -> list[str]:
        values = {"id": id, "owner": view.user, "hard": hard, "evidence": EVIDENCE_JSON}
        if not self._rows_of("source_of", values):
            raise NotFound(f"there is no source {id!r}", code="source_not_found")
        ids = [row[0] for row in self._rows_of("evidence_of_source", values)]
        if hard:
            self.erase(view, ids)
            self._run("detach_source", {"id": id, "change": self._change})
            self._run("delete_source", {"id": id})
        else:
            self._run("forget_of_source", {"ids": json.dumps(ids), "now": now, "change": self._change})
            self._run("hide_source", {"id": id, "now": now})
        return ids

    def drop_session(self, view: View, number: int) -> list[str]:
        values = {"number": number, "owner": view.user, "evidence": EVIDENCE_JSON}
        ids = [row[0] for row in self._rows_of("evidence_in_session", values)]
        self.erase(view, ids)
        self._drop_empty_session(number, view.user)
        return ids

    def _drop_empty_session(self, number: int, owner: str) -> None:
        """Deletes a session without evidence; knowledge that was kept in it stays."""
        for memory, row in [(row[0], memory_of(row)) for row in self._all("in_session", {"number": number})]:
            home = replace(row.place, session=None)
            named: dict[str, Any] = {"memory": memory, "change": self._change}
            named["external_id"] = row.external_id
            named["external_key"] = external_key(row.kind, home, row.external_id)
            if not self._run_if_unique("detach_session", named):  # the id names another memory there
                self._run("detach_session", {**named, "external_id": None, "external_key": None})
        self._run("drop_summaries", {"session": number, "owner": owner, "start": 0})
        self._run("delete_session", {"number": number, "owner": owner})

    def retag(self, view: View, kinds: frozenset[str], source: int, target: int) -> int:
        moved = 0
        for number in self._pool_numbers(view):
            pool = self._known_pools().by_number[number]
            if pool.project != source:
                continue
            values = {"pool": number, "owner": view.user, "kinds": json.dumps(sorted(kinds))}
            for (id,) in self._rows_of("ids_in_pool_of_kinds", values):
                moved += self._move_memory(id, target)
        return moved

    def _move_memory(self, id: str, project: int | None) -> bool:
        """Moves a memory, unless the same text exists at the target: then it stays (S2.35)."""
        memory = self._current(id)
        return self._relocate(memory, replace(memory.place, project=project))

    def _relocate(self, memory: Memory, home: Place) -> bool:
        """Moves the present version of a memory; the earlier ones come along, and stay written elsewhere."""
        if home.project != memory.place.project:
            self._check_may_leave(memory.place.owner, memory.place.project)
        pool = self._pool_number(home.pool(memory.kind))
        moved = replace(memory, place=home, content_hash=content_hash(home, memory.kind, identity(memory)))
        values = values_of(moved, pool=pool, written_in=pool, change=self._change)
        if not self._run_if_unique("relocate_memory", values):
            return False
        self._run("move_earlier", values)
        return True

    def _move_evidence(self, session: int, owner: str, project: int | None) -> None:
        """Moves the messages of a session to the pool of another project."""
        for (number,) in self._rows_of("pools_of_session", {"number": session, "evidence": EVIDENCE_JSON}):
            pool = self._known_pools().by_number[number]
            home = pool.moved(project, owner)
            if home != pool:
                self._check_may_leave(owner, pool.project)
                values = {
                    "number": session,
                    "source": number,
                    "target": self._pool_number(home),
                    "change": self._change,
                    "evidence": EVIDENCE_JSON,
                }
                self._run("move_evidence", values)

    # audit and jobs

    def add_event(
        self, *, at: int, actor: str, action: str, subject: str | None, detail: dict[str, Any]
    ) -> Event:
        mark = REQUEST.get()
        if mark is not None and action != "use":  # uses are written when their time has come
            detail = {**detail, REQUEST_MARK: mark}
        event = chained(self._last, at, actor, action, subject, detail)
        stored = canonical(detail)
        row = (event.sequence, self._change, at, actor, action, subject, stored, event.hash)
        self._waiting.events.append(row)
        self._last = Head(event.sequence, event.hash)
        return event

    def add_metrics(self, metrics: Sequence[Metric]) -> None:
        for metric in metrics:
            self._run("put_metric", asdict(metric))

    # helpers

    def _prune_erased(self) -> None:
        self._run("prune_erased", {"before": self._change - ERASED_KEPT})

    def _required(self, view: View, id: str) -> None:
        if not self._numbers_of([id], self._pool_numbers(view)):
            raise NotFound(f"there is no memory {id!r}", code="memory_not_found")

    def _current(self, id: str) -> Memory:
        return memory_of(self._all("current", {"id": id})[0])

    def _model_number(self, name: str, dim: int) -> int:
        number = self._model(name, dim) or int(self._returned("insert_model", {"name": name, "dim": dim}))
        self._models[name, dim] = number
        return number

    def _pool_number(self, pool: Pool) -> int:
        existing = self._known_pools().numbers.get(pool)
        if existing is not None:
            return existing
        values = {
            "visibility": pool.visibility.value, "owner": pool.owner, "workspace": pool.workspace,
            "reach": pool.reach.value, "project": pool.project, "source": pool.source,
        }  # fmt: skip
        number = int(self._returned("add_pool", values))
        # its own copy: the transaction may be rolled back
        self._pools = Pools({**self._known_pools().by_number, number: pool}, self._known_pools().connections)
        return number

    def _reconnected(self) -> None:
        self._pools = Pools(self._known_pools().by_number, self._value("connections", {}))
