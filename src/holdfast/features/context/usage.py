"""Usage statistics of sessions and projects, and measured latencies (S4.60)."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from statistics import median
from typing import TYPE_CHECKING

from holdfast.core.arguments import checked_flag
from holdfast.core.kinds import EXCLUSION, KINDS, Nature
from holdfast.core.places import ANYWHERE, usable_name
from holdfast.core.sources import DISCOVERY, TRANSCRIPT
from holdfast.core.usage import Tally, session_key
from holdfast.core.usage_results import Discovery, Latencies, Stats, Storage, StoreStorage
from holdfast.core.views import Filter, personal_view
from holdfast.features.access.places import Selection, view_of
from holdfast.features.access.reach import administers, seen_map
from holdfast.features.access.scoped_store import ScopedStore
from holdfast.features.recall import uses
from holdfast.features.recall.search import search
from holdfast.features.service import Service
from holdfast.features.staleness.staleness import folders_shown
from holdfast.stores.base.ports import Reader

if TYPE_CHECKING:
    from holdfast.core.module_map import Module

KNOWLEDGE = frozenset(
    kind.name for kind in KINDS.values() if kind.nature in (Nature.KNOWLEDGE, Nature.DERIVED)
)
PROBE = "How are the tests of this project run?"
"""The text that is embedded and searched for to measure latencies."""
TIMES = 5
"""Number of measurements; the median counts."""


def stats(service: Service, project: str | None, session: str | None, *, measure: bool = False) -> Stats:
    """Returns figures of one session, of a project, or without either of everything the caller may read
    (S4.60).

    With `measure`, an embedding, a search and a durable write that changes nothing are timed. Raises
    InvalidInput, Conflict.
    """
    anywhere = project is session is None
    selection = Selection(ANYWHERE, workspace=ANYWHERE) if anywhere else Selection(project, session)
    key = None if session is None else session_key(usable_name(session, "session"))
    timed = checked_flag(measure, "measure")
    with service.store.read() as snap:
        view = view_of(snap, service.principal, selection)
        now = service.clock()
        knowledge = view.narrowed(replace(view.filter, kinds=KNOWLEDGE))
        parts = view.narrowed(replace(view.filter, kinds=frozenset({"passage"})))
        passages = snap.count(parts, now=now)
        number = view.context.project
        module_map = None if number is None else seen_map(snap, service, view, number)
        tallies = snap.tallies(view, number, key)
        outside = snap.tallies(view, number, uses.OUTSIDE) if key is None else []
        sessions = len(tallies) - len(outside)
        tallies += uses.unwritten(service, number) if key is None else []
        stats = Stats(
            project if project is not None or module_map is None else module_map.project,
            session,
            snap.count(view.without_kinds(EXCLUSION), now=now) - passages,
            snap.confidence(knowledge, now=now),
            None if module_map is None else module_map.coverage,
            sessions,
            sum(tallies, Tally()),
            passages=passages,
            discovery=_discovery(snap, service, number) if session is None else None,
            storage=_storage(snap, service) if anywhere else None,
        )
    return replace(stats, latencies=_measure_latencies(service, selection)) if timed else stats


def _discovery(snap: Reader, service: Service, project: int | None) -> Discovery | None:
    """Returns how far the caller's sessions had to look, by their logs; None for a credential that is limited
    to projects, which reads no sources."""
    if isinstance(service.store, ScopedStore):
        return None
    counts: dict[bool, list[int]] = {True: [], False: []}
    for source in snap.sources(personal_view(service.principal)):
        measured = source.metadata.get(DISCOVERY, {}) if source.platform == TRANSCRIPT else {}
        if "found" in measured and project in (None, measured["project"]):
            counts[measured["with_memory"]].append(measured["found"])
    given, none = counts[True], counts[False]
    return Discovery(len(given), median(given) if given else None, len(none), median(none) if none else None)


def _storage(snap: Reader, service: Service) -> Storage | None:
    """Returns what the caller keeps; None for a credential that is limited to projects."""
    if isinstance(service.store, ScopedStore):
        return None
    view, quotas = personal_view(service.principal), service.quotas
    usage, store = snap.storage(view), None
    may_see = administers(service)
    if quotas.of_store and may_see:  # without a quota that they share, nobody learns how much others keep
        total = snap.storage_of_all(view)
        store = StoreStorage(
            total.users, total.versions, total.bytes, quotas.store_versions, quotas.store_bytes
        )
    return Storage(usage.versions, usage.bytes, quotas.versions, quotas.bytes, store)


def _measure_latencies(service: Service, selection: Selection) -> Latencies:
    """Measures how long an embedding, a search and a write take."""

    def embed() -> None:
        service.embedder.embed([PROBE], query=True)

    def find() -> None:
        search(service, PROBE, selection, limit=10)

    def write() -> None:
        with service.store.write() as tx:
            tx.take_back(personal_view(service.principal), session=session_key(""))

    return Latencies(_median_duration(embed), _median_duration(find), _median_duration(write))


def _median_duration(action: Callable[[], None]) -> float | None:
    """Returns the median duration of several runs after a warm-up, in milliseconds; None if the action
    fails."""
    durations = []
    try:
        action()
        for _ in range(TIMES):
            start = time.perf_counter_ns()
            action()
            durations.append((time.perf_counter_ns() - start) / 1e6)
    except Exception:  # an embedder may raise anything
        return None
    return round(median(durations), 3)


def sizes_of(service: Service, selection: Selection, modules: Sequence[Module]) -> dict[str, int]:
    """Returns the sizes of the files of modules, as far as they are indexed."""
    paths = {path for module in modules for path in module.files}
    sizes: dict[str, int] = {}
    with service.store.read() as snap:
        view = view_of(snap, service.principal, selection).narrowed(Filter())
        for folder in folders_shown(snap, view):
            for path, file in snap.named_files(view, folder.id, paths).items():
                if file.digest is not None:
                    sizes.setdefault(path, file.size)
    return sizes
