"""Admitted texts, the only form of text that a store accepts: sealed, so that none can skip admission."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, Final

from holdfast.core.facts import Statement
from holdfast.core.kinds import KINDS
from holdfast.core.places import Place, Scope, Visibility
from holdfast.core.record import Memory, content_hash, identity
from holdfast.core.staleness import with_anchors
from holdfast.core.text import normalise
from holdfast.core.values import changed
from holdfast.language.terms import Terms


class _Seal(Enum):
    """A marker that only this module puts on a text; it is the same in every process."""

    PASSED = "passed"


SEAL: Final = _Seal.PASSED


@dataclass(frozen=True, slots=True)
class Admitted:
    """A validated and cleaned text, ready for the store. Only `Admission` can create one.

    `memory` is complete except for its place, which `placed` sets. `terms` and `spans` are its passages as
    words and as (start, end); `facts` are its statements about lists and preferences.
    """

    memory: Memory
    terms: tuple[Terms, ...]
    spans: tuple[tuple[int, int], ...]
    visibility: Visibility | None
    scope: Scope
    facts: tuple[Statement, ...]
    seal: object = field(repr=False, compare=False)

    def __post_init__(self) -> None:
        if self.seal is not SEAL:
            raise TypeError("Admitted is made by Admission only: no text skips validation")

    def in_place(self, place: Place, *, project: str | None, session: str | None) -> Admitted:
        """Returns a copy in a place, with the content hash over the whole place (S2.11)."""
        memory = self.memory
        digest = memory.content_hash  # that of evidence does not depend on its place
        if memory.about or not KINDS[memory.kind].is_evidence:
            digest = content_hash(place, memory.kind, identity(memory))
        return self._with(place=place, project=project, session=session, content_hash=digest)

    def with_memory(self, **changes: Any) -> Admitted:
        """Returns a copy with other metadata (version, supersession, expiry); the text cannot be changed."""
        if changes.keys() & {"text", "title", "summary", "tags", "metadata", "evidence"}:
            raise TypeError("text is changed by admitting it again")
        return self._with(**changes)

    def next_version_of(self, existing: Memory, now: int) -> Admitted:
        """Returns a copy as the next version of an existing memory: same id and use, new text."""
        new = self.memory
        return self.with_memory(
            id=existing.id,
            version=existing.version + 1,
            recorded_at=existing.recorded_at,
            updated_at=now,
            at=new.at if new.at != new.recorded_at else existing.at,
            pinned=existing.pinned,
            edited=existing.edited,
            use_count=existing.use_count,
            last_used_at=existing.last_used_at,
            supersedes=existing.supersedes,
            about=existing.about,
            fingerprint=new.fingerprint or existing.fingerprint,
        )

    def with_anchor(self, hashes: Mapping[str, str]) -> Admitted:
        """Returns a copy with these hashes as the only anchors of its evidence (`core/staleness.ANCHORS`)."""
        return self._with(evidence=with_anchors(self.memory.evidence, hashes))

    def in_file(
        self, names: CleanNames, path: str, language: str | None, symbols: Sequence[str],
        redactions: tuple[str, ...], *, external_id: str, lines: tuple[int, int] | None, **numbers: int,
    ) -> Admitted:  # fmt: skip
        """Returns a copy with its location in a file as metadata (S1.5, S1.46), and with the redactions
        made in the file before. `external_id` is made of hashes, so it needs no cleaning; `lines` are None
        for a document, which has none: its passages have titles that tell the page or sheet.
        """
        metadata: dict[str, Any] = {
            "path": names.as_on_disk(path),
            "language": language,
            "lines": lines and list(lines),
            "symbols": [names.clean[name] for name in symbols],
            **numbers,
        }
        redactions += self.memory.redactions
        return self._with(metadata=metadata, external_id=external_id, redactions=redactions)

    def _with(self, **changes: Any) -> Admitted:
        memory = changed(self.memory, **changes)
        # the constructor, for `replace` takes five times as long, and every message passes here
        return Admitted(memory, self.terms, self.spans, self.visibility, self.scope, self.facts, self.seal)

    @property
    def texts(self) -> list[str]:
        """Returns the texts to embed, one for each passage."""
        lead = self.memory.lead
        return [lead + self.memory.text[start:end] for start, end in self.spans]


@dataclass(frozen=True, slots=True)
class CleanNames:
    """Names with their clean forms; created by `Admission.clean_names` only."""

    clean: Mapping[str, str]
    seal: object = field(repr=False, compare=False)

    def as_on_disk(self, path: str) -> str:
        """Returns a path with the accents and spaces that open it, where cleaning changed nothing else."""
        form = normalise(path)
        return path if not form.removed and form.text == self.clean[path] else self.clean[path]

    def __post_init__(self) -> None:
        if self.seal is not SEAL:
            raise TypeError("CleanNames is made by Admission only: no text skips cleaning")
