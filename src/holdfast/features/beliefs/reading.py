"""Reads what texts claim of their author, once they are written, and keeps it beside them."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence

from holdfast.core.claims import statement_of
from holdfast.core.episodes import USER, user_part
from holdfast.core.errors import StoreError
from holdfast.core.facts import Act, Statement
from holdfast.core.record import Memory
from holdfast.core.views import View
from holdfast.features.service import Service
from holdfast.language.claims.read import RULES, claims_in

KEPT_AT_ONCE = 500
"""Texts of one transaction."""


def statements_of(memory: Memory) -> list[Statement]:
    """Returns the claims of a text, and the note that these rules have read it."""
    is_episode = memory.kind == "episode"
    said = user_part(memory.text) if is_episode else memory.text
    offset = len(USER) if is_episode else 0
    claims = [statement_of(claim.moved(offset)) for claim in claims_in(said)]
    return [Statement("", Act.READING, RULES), *claims]


def keep(service: Service, view: View, read: Sequence[tuple[Memory, Sequence[Statement]]]) -> None:
    """Stores what was read. Where nothing can be written it is read again the next time."""
    if not service.may_write:
        return
    with contextlib.suppress(StoreError):
        for start in range(0, len(read), KEPT_AT_ONCE):
            with service.store.write() as tx:
                tx.put_claims(view, read[start : start + KEPT_AT_ONCE])
