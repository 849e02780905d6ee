"""Tombstones: imports, extraction and agents do not bring back what was forgotten; a person can."""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Collection, Iterable, Mapping
from functools import cached_property
from itertools import chain, islice

from holdfast.core.errors import InvalidInput
from holdfast.core.kinds import KINDS, Nature
from holdfast.core.record import Kept, Memory, Origin, Outcome
from holdfast.core.views import GONE, personal_view
from holdfast.features.memories.browse import pages
from holdfast.features.memories.marks import KEYS_MAX, mark_of, masked, own_key, taken_keys
from holdfast.features.service import Service
from holdfast.stores.base.ports import Reader, Writer

AUTOMATIC = frozenset({Origin.IMPORT, Origin.EXTRACTION, Origin.FILE, Origin.MODEL})
"""Origins of texts that nobody states: they never bring back what was forgotten."""
FORGOTTEN = (
    "it was forgotten: restore it, if it was not erased, or import with what was forgotten"
    " (`import --with-forgotten`)"
)
BATCH = 1_000


class BuriedReader:
    """The reader of what a principal has forgotten, in one snapshot or transaction."""

    def __init__(self, service: Service, reader: Reader) -> None:
        self._service = service
        self._reader = reader
        self._view = personal_view(service.principal)

    def kept_away(self, memories: Iterable[Memory]) -> dict[str, bool]:
        """Returns by id which of these memories an import brings back neither by id nor by text, each with
        whether a person forgot it."""
        digests = {memory.id: self._digests(memory) for memory in memories}
        stored = self._reader.tombstones(self._view, set(chain.from_iterable(digests.values())))
        return {
            id: any(stored[digest] for digest in every)
            for id, every in digests.items()
            if stored.keys() >= set(every)
        }

    @cached_property
    def _own_key(self) -> bytes:
        return own_key(self._service)

    @cached_property
    def _taken_keys(self) -> list[bytes]:
        return taken_keys(self._service, self._reader, self._view)

    @cached_property
    def _key(self) -> bytes:
        return self._service.store.digest_key

    def _both(self, memory: Memory, *, by_id: bool = False) -> list[str]:
        """Returns the digests by which a memory was forgotten, itself or with a project of this name."""
        purged = [] if memory.project is None else self._digests(memory, memory.project, by_id=by_id)
        foreign_marks = [mark for key in self._taken_keys for mark in _marks(key, memory)]
        return [*self._digests(memory, by_id=by_id), *purged, *foreign_marks]

    def _digests(self, memory: Memory, purged: str | None = None, *, by_id: bool = False) -> list[str]:
        """Returns the keyed digests of a memory: of its external id and, unless `by_id`, of its text, in its
        place, or in a project that was purged. A message is known by its text only with its time and speaker,
        for "ok" is said often; knowledge also as another kind, and in other case or with another full stop.
        """
        place, is_evidence = memory.place, KINDS[memory.kind].is_evidence
        session = memory.session if is_evidence else None
        scope = [place.scope.type, place.scope.id]
        project = place.project if purged is None else [purged]
        where = [place.owner, project, place.workspace, session, *scope, place.branch, memory.kind]
        attribution = [memory.at, memory.role] if is_evidence else []
        title = memory.title if session is None else None  # that of a conversation changes with its name
        marks: list[object] = []
        if not by_id:
            marks.append(["text", where, attribution, title, " ".join(memory.text.split())])
            if KINDS[memory.kind].nature is Nature.KNOWLEDGE and (words := folded_text(memory.text)):
                marks.append(["words", where[:-1], words])
        if memory.external_id is not None:
            marks.append(["id", where, memory.external_id])
        mark = mark_of(self._own_key, memory, purged)
        return [*map(self._digest, marks), *([] if mark is None else [mark])]

    def _digest(self, mark: object) -> str:
        content = json.dumps(mark, ensure_ascii=True).encode()
        return hmac.new(self._key, content, hashlib.sha256).hexdigest()


class Tombstones(BuriedReader):
    """The tombstones of a principal within one transaction."""

    def __init__(self, service: Service, tx: Writer) -> None:
        super().__init__(service, tx)
        self._tx = tx
        self._here: tuple[tuple[bytes, ...], set[str]] | None = None

    def bury(self, memories: Iterable[Memory], *, by_person: bool | None = None) -> None:
        """Records that memories of the principal were forgotten, by digests of their places and texts; by the
        principal unless `by_person` says who did."""
        if by_person is None:
            by_person = self._service.principal.agreed or not self._service.principal.is_machine
        rest = (memory for memory in memories if memory.place.owner == self._service.principal.user)
        while batch := list(islice(rest, BATCH)):
            digests = set(chain.from_iterable(map(self._digests, batch)))
            self._tx.bury(self._view, digests, by_person=by_person)

    def bury_purged(self, memories: Iterable[Memory]) -> None:
        """Records that memories went with their project, by its name: one of the same name is another one."""
        rest = (memory for memory in memories if memory.place.owner == self._service.principal.user)
        while batch := list(islice(rest, BATCH)):
            digests = {digest for memory in batch for digest in self._digests(memory, memory.project)}
            self._tx.bury(self._view, digests, by_person=True)

    def carry(self, digests: Mapping[str, bool], visible_memories: Iterable[Memory]) -> None:
        """Records the tombstones of another store with the same key, each with whether a person forgot; but
        not those of memories that are shown here."""
        visible = {digest for memory in visible_memories for digest in self._both(memory)}
        for by_person in (False, True):
            selected = {digest for digest, origin in digests.items() if origin is by_person}
            self._tx.bury(self._view, selected - visible, by_person=by_person)

    def carry_marks(self, keys: Collection[bytes], marks: Mapping[str, bool]) -> bool:
        """Records marks of other stores and their keys, but not marks of what is here. Returns whether any is
        new. Raises InvalidInput if there are too many keys."""
        others = {key for key in keys if key != self._own_key} - set(self._taken_keys)
        if len(self._taken_keys) + len(others) > KEYS_MAX:
            raise InvalidInput(f"marks of more than {KEYS_MAX} stores were taken", code="record_invalid")
        here = self._marks_here(tuple(sorted(keys)))
        stored = self._tx.tombstones(self._view, marks)
        new = {
            mark: by_person
            for mark, by_person in marks.items()
            if mark not in here and (mark not in stored or (by_person and not stored[mark]))
        }
        for by_person in (False, True):
            selected = {mark for mark, origin in new.items() if origin is by_person}
            self._tx.bury(self._view, selected, by_person=by_person)
        self._tx.bury(self._view, {masked(self._service, key) for key in others}, by_person=True)
        self.__dict__.pop("_taken_keys")
        return bool(new)

    def _marks_here(self, keys: tuple[bytes, ...]) -> set[str]:
        """Returns the marks of what is here, computed once for the records of one export."""
        if self._here is None or self._here[0] != keys:
            everything = personal_view(self._service.principal, GONE, closed=True)
            own = (memory for memory in pages(self._tx, everything) if memory.deleted_at is None)
            self._here = keys, {mark for memory in own for key in keys for mark in _marks(key, memory)}
        return self._here[1]

    def lift(self, memory: Memory) -> None:
        """Records that a memory is no longer forgotten."""
        self._tx.lift(self._view, self._both(memory))

    def outcome_if_forgotten(self, memory: Memory, *, anew: bool, imported: bool = False) -> Kept | None:
        """Returns the outcome `forgotten` for a new memory that was forgotten; None if it may be stored.

        With `anew`, or if a person states it, it is no longer forgotten. An agent may state again what no
        person forgot, and messages without an id are said, not imported. What is sent with the id under which
        it was forgotten is sent again, as by a program that sends whole conversations, whoever it acts for;
        but a document under a key is written, and another may be written there.
        """
        if not self._has_any:
            return None
        is_automatic = imported or memory.source is not None or memory.origin in AUTOMATIC
        named_by_program = KINDS[memory.kind].is_evidence and memory.external_id is not None
        is_document = named_by_program and not is_automatic and memory.kind == "passage"
        named_by_program &= not is_document
        is_person = not self._service.principal.is_machine and not is_automatic
        if anew or is_person:
            by_id = self._both(memory, by_id=True) if named_by_program and not anew else []
            if by_id and self._tx.tombstones(self._view, by_id):
                return Kept(Outcome.FORGOTTEN, None, FORGOTTEN)
            self.lift(memory)
            return None
        if KINDS[memory.kind].is_evidence and not (is_automatic or named_by_program or is_document):
            return None
        digests = set(self._both(memory))
        if is_document:
            digests.difference_update(self._both(memory, by_id=True))
        stored = self._tx.tombstones(self._view, digests)
        if any(stored.values()) or (stored and (is_automatic or named_by_program)):
            return Kept(Outcome.FORGOTTEN, None, FORGOTTEN)
        return None

    @cached_property
    def _has_any(self) -> bool:
        return self._tx.has_tombstones(self._view)


def _marks(key: bytes, memory: Memory) -> set[str]:
    """Returns the marks by which a memory was forgotten, itself or with a project of this name."""
    return {mark for name in (None, memory.project) if (mark := mark_of(key, memory, name)) is not None}


def folded_text(text: str) -> str:
    """Returns a statement without what changes nothing: case, white space, and marks around it."""
    return " ".join(text.casefold().split()).strip(" .!,;:'\"`*_-–—…„“”‚‘’«»")
