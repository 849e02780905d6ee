"""The memories that the texts of a batch are compared with, looked up for many texts at once."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from holdfast.core.kinds import KINDS, Nature
from holdfast.core.places import Place, Pool, Visibility
from holdfast.core.record import Memory, Status, content_hash, external_key, identity
from holdfast.core.views import ANY_STATE, Filter, View, place_view
from holdfast.features.access.places import find_external, find_same, view_of_key
from holdfast.features.memories.fresh import Fresh
from holdfast.stores.base.ports import Question, Writer

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from holdfast.core.places import Principal
    from holdfast.features.admission.draft import Draft
    from holdfast.stores.base.admitted import Admitted

    Vectors = NDArray[np.float32] | None
    Neighbours = list[tuple[Memory, float]]
    Coming = tuple[Draft, Admitted, Vectors]

NEAR = 0.6
"""Minimum cosine of two statements in one place that are compared; the comparison decides, not the cosine
(S4.24)."""
NEIGHBOURS = 5
COMPARED = frozenset({Status.APPROVED, Status.PENDING})
"""Statuses in which the caller's own knowledge is compared with what is new."""
AHEAD = 500
"""Texts that are looked up together at most."""


@dataclass(frozen=True, slots=True)
class _Looked:
    """The memories near to a text in each view that it is compared in, if it goes to a place."""

    place: Place
    neighbours: Sequence[Neighbours]


class Lookahead:
    """Look-ups in the place of a text. With the first text for a place, those of the batch that will go there
    as well are looked up; what the transaction changes meanwhile is looked up again."""

    def __init__(
        self, tx: Writer, principal: Principal, model: str, now: int, batch: Sequence[Coming]
    ) -> None:
        self._tx = tx
        self._principal = principal
        self._model = model
        self._now = now
        self._coming: defaultdict[object, list[Coming]] = defaultdict(list)
        """The texts of a batch that go to the same place but for scope and branch, the last first."""
        self._group_of: dict[str, object] = {}
        for coming in reversed(batch) if len(batch) > 1 else ():
            draft, admitted, _ = coming
            memory = admitted.memory
            key = draft.project, draft.session, admitted.visibility, memory.place.workspace, memory.kind
            if not draft.about:
                self._coming[key].append(coming)
                self._group_of[memory.id] = key
        self._lookups: dict[str, _Looked] = {}
        self._fresh: dict[tuple[Pool, str], Fresh] = {}
        self._looked_up: set[object] = set()
        """Hashes and keys, these with what they are unique in, that were looked up."""
        self._existing: set[object] = set()
        """Those that are there, or that the transaction has added since."""
        self._changed: set[str] = set()
        """Ids of memories that the transaction has changed."""
        self._added: dict[str, Memory] = {}
        """The knowledge that the transaction has added, as it is by now."""
        self._before: list[tuple[str, Memory | None]] = []
        """Entries of `_added` before the current text changed them, by id; None if there was none."""
        self._new_keys: set[str | None] = set()
        """Keys of evidence in sessions that the transaction has created."""

    def note_added(self, memory: Memory, vectors: Vectors = None) -> None:
        """Notes a memory that the transaction has added, or a new version of one."""
        self._existing.add(memory.content_hash)
        if memory.external_id is not None:
            self._existing.add(self._key_of(memory))
        if vectors is not None and KINDS[memory.kind].nature is Nature.KNOWLEDGE:
            self._fresh_beside(memory, vectors).add(memory.id, vectors[0])
            self._before.append((memory.id, None))
            self._added[memory.id] = memory

    def note_changed(self, memory: Memory) -> None:
        """Notes that the transaction has changed a memory."""
        self._changed.add(memory.id)
        if memory.id in self._added:
            self._before.append((memory.id, self._added[memory.id]))
            self._added[memory.id] = memory

    def next_text(self) -> None:
        """Begins another text: what the one before has changed stays."""
        self._before.clear()

    def forget_text(self) -> None:
        """Forgets what the current text has changed: it was refused, and rolled back."""
        for id, memory in reversed(self._before):
            if memory is None:
                del self._added[id]
            else:
                self._added[id] = memory
        self._before.clear()

    def external(self, memory: Memory, *, in_new_session: bool) -> Memory | None:
        """Returns the live memory with the same external id.

        A session that this transaction has created holds only what the transaction stored there, so a long
        import skips these look-ups.
        """
        if in_new_session and KINDS[memory.kind].is_evidence:
            key = external_key(memory.kind, memory.place, memory.external_id)
            if key not in self._new_keys:
                self._new_keys.add(key)
                return None
        if memory.external_id is None:
            return None
        self._look_ahead(memory)
        own_key = self._key_of(memory)
        if own_key in self._looked_up and own_key not in self._existing:
            return None
        return find_external(self._tx, self._principal, memory)

    def same(self, memory: Memory) -> Memory | None:
        """Returns the live memory in the same place that says exactly the same knowledge."""
        self._look_ahead(memory)
        if memory.content_hash in self._looked_up and memory.content_hash not in self._existing:
            return None
        return find_same(self._tx, memory)

    def nearest(self, admitted: Admitted, vectors: Vectors) -> Neighbours:
        """Returns memories of the same place and kind that are near in meaning or, without vectors, in words,
        the nearest first; also those that the transaction has added."""
        memory = admitted.memory
        nearest = {memory.id: (memory, likeness) for memory, likeness in self._near_stored(admitted, vectors)}
        if vectors is not None:
            fresh = self._fresh_beside(memory, vectors)
            for id, likeness in fresh.nearest(memory.id, vectors[0], limit=NEIGHBOURS, least=NEAR):
                current = self._added.get(id)
                if current is not None and current.status in COMPARED:
                    nearest[id] = current, likeness
        return sorted(nearest.values(), key=lambda pair: -pair[1])

    def _fresh_beside(self, memory: Memory, vectors: NDArray[np.float32]) -> Fresh:
        key = memory.place.pool(memory.kind), memory.kind
        if key not in self._fresh:
            self._fresh[key] = Fresh(vectors.shape[1])
        return self._fresh[key]

    def _near_stored(self, admitted: Admitted, vectors: Vectors) -> Neighbours:
        """Returns the stored ones as they were when the transaction began, with what it has changed in
        them."""
        memory = admitted.memory
        looked = self._lookups.pop(memory.id, None)
        if looked is not None and looked.place == memory.place:
            pairs = [pair for hits in looked.neighbours for pair in hits]
            if self._changed.isdisjoint(memory.id for memory, _ in pairs):
                return pairs
        if not admitted.terms:  # what recall does not find is compared with nothing
            return []
        return [pair for view in views_near(memory) for pair in self._nearest_stored(view, admitted, vectors)]

    def _nearest_stored(self, view: View, admitted: Admitted, vectors: Vectors) -> Neighbours:
        """Returns the stored memories nearest to a text, by vectors or else by words."""
        if vectors is not None:
            return self._nearest(view, vectors[:1])[0]
        terms = tuple(int(t) for t in admitted.terms[0].ids)
        question = Question(terms, None, self._model, 0, NEIGHBOURS, self._now, least=NEAR)
        signals = self._tx.candidates(view, question)
        order = np.lexsort((signals.number, -signals.words))[:NEIGHBOURS]
        cosine = {int(signals.number[i]): float(signals.cosine[i]) for i in order}
        stored = self._tx.numbered(view, list(cosine), now=self._now)
        return [(memory, cosine[number]) for number, memory in stored]

    def _nearest(self, view: View, vectors: NDArray[np.float32]) -> list[Neighbours]:
        """Returns the stored memories nearest to each vector."""
        nearest = self._tx.nearest(view, vectors, self._model, limit=NEIGHBOURS, least=NEAR, now=self._now)
        numbers = dict.fromkeys(number for hits in nearest for number, _ in hits)
        stored = dict(self._tx.numbered(view, list(numbers), now=self._now))
        return [
            [(stored[number], likeness) for number, likeness in hits if number in stored] for hits in nearest
        ]

    # ahead

    def _look_ahead(self, memory: Memory) -> None:
        """Looks up the next texts of the batch that go to the place of this one, the first of them."""
        key = self._group_of.pop(memory.id, None)
        if key is None:
            return
        coming = self._coming[key]
        batch = [coming.pop() for _ in range(min(AHEAD, len(coming)))]
        for _, admitted, _ in batch:
            self._group_of.pop(admitted.memory.id, None)
        if len(batch) < 2:
            return
        kind = KINDS[memory.kind]
        places = [
            replace(memory.place, scope=admitted.scope, branch=admitted.memory.place.branch)
            for _, admitted, _ in batch
        ]
        pool = memory.place.pool(kind.name)
        here = [
            (admitted, vectors, place)
            for (_, admitted, vectors), place in zip(batch, places, strict=True)
            if place.pool(kind.name) == pool
        ]
        keyed = (external_key(kind.name, place, admitted.memory.external_id) for admitted, _, place in here)
        if keys := {key for key in keyed if key is not None}:
            view = view_of_key(self._principal, memory)
            self._looked_up |= {(view.only, key) for key in keys}
            self._existing |= {(view.only, key) for key in self._tx.known_keys(view, keys)}
        if kind.is_evidence:
            return
        hashes = {content_hash(place, kind.name, identity(admitted.memory)) for admitted, _, place in here}
        self._looked_up |= hashes
        self._existing |= self._tx.known_hashes(place_view(memory.place, kind.name, ANY_STATE), hashes)
        compared = [
            (admitted.memory.id, place, vectors[0])
            for admitted, vectors, place in here
            if kind.nature is Nature.KNOWLEDGE and vectors is not None and admitted.terms
        ]
        if compared:
            rows = np.stack([vector for *_, vector in compared])
            self._fresh_beside(memory, rows).expect([id for id, *_ in compared], rows, NEAR)
            nearest = zip(*(self._nearest(view, rows) for view in views_near(memory)), strict=True)
            for (id, place, _), neighbours in zip(compared, nearest, strict=True):
                self._lookups[id] = _Looked(place, neighbours)

    def _key_of(self, memory: Memory) -> object:
        key = external_key(memory.kind, memory.place, memory.external_id)
        return view_of_key(self._principal, memory).only, key


def views_near(memory: Memory) -> list[View]:
    """Returns the views of what a memory is compared with: what its owner keeps there, and of what others
    keep what is approved."""
    kinds = frozenset({memory.kind})
    filters = [Filter(kinds=kinds, statuses=COMPARED, owner=memory.place.owner)]
    if memory.visibility is not Visibility.PRIVATE:  # what others keep, as far as the writer may see it
        filters.append(Filter(kinds=kinds, statuses=frozenset({Status.APPROVED})))
    return [place_view(memory.place, memory.kind, narrowing) for narrowing in filters]
