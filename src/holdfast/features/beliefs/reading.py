"""Reads what texts claim of their author, once they are written, and keeps it beside them."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence

from holdfast.core.claims import Claim, statement_of
from holdfast.core.episodes import USER, user_part
from holdfast.core.errors import StoreError
from holdfast.core.facts import Act, Statement
from holdfast.core.record import Memory, Origin
from holdfast.core.views import View
from holdfast.features.beliefs.corrections import claims_of, corrected_by
from holdfast.features.service import Service
from holdfast.language.claims.message import claims_of_message
from holdfast.language.claims.notes import claims_of_notes
from holdfast.language.claims.version import RULES

READ_AT_ONCE = 500
"""Most texts that one answer reads, the newest: a short one takes some milliseconds."""

NOTES = frozenset({"fact", "preference", "profile"})
"""Kinds of what another assistant wrote of its user, when it is imported."""


def statements_of(memory: Memory) -> list[Statement]:
    """Returns the claims of a text, and the note that these rules have read it."""
    return [Statement("", Act.READING, RULES), *map(statement_of, claims_of_memory(memory))]


def claims_of_memory(memory: Memory) -> list[Claim]:
    """Returns what a text claims of its author."""
    if (corrected := corrected_by(memory)) is not None:
        return claims_of(memory.text, corrected)
    if memory.origin is Origin.IMPORT and memory.kind in NOTES:
        return list(claims_of_notes(memory.text))
    is_episode = memory.kind == "episode"
    text = user_part(memory.text) if is_episode else memory.text
    offset = len(USER) if is_episode else 0
    return [claim.moved(offset) for claim in claims_of_message(text)]


class Reading:
    """The texts that an answer had to read, at most so many, and the number that it left."""

    def __init__(self, most: int) -> None:
        self.left_out = 0
        self._most = most
        self._read: list[tuple[Memory, Sequence[Statement]]] = []

    def statements(self, memory: Memory) -> Sequence[Statement]:
        """Returns what a text claims; nothing if it has to wait for the next answer."""
        if len(self._read) == self._most:
            self.left_out += 1
            return ()
        self._read.append((memory, statements_of(memory)))
        return self._read[-1][1]

    def keep(self, service: Service, view: View) -> None:
        """Stores what was read. Where nothing can be written it is read again the next time."""
        if self._read and service.may_write:
            with contextlib.suppress(StoreError), service.store.write() as tx:
                tx.put_claims(view, self._read)
