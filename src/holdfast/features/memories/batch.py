"""Batches of items from a caller, each stored or refused on its own (S2.20)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import Any

from holdfast.core.arguments import checked_items, safe_repr
from holdfast.core.errors import InvalidInput
from holdfast.core.record import Kept, Outcome
from holdfast.features.admission.draft import Draft
from holdfast.features.memories.remember import remember_many
from holdfast.features.service import Service


def remember_items(service: Service, items: Sequence[str | Mapping[str, Any]]) -> list[Kept]:
    """Stores many texts in one transaction and returns one outcome for each, in order.

    An item is a text or an object with the fields of a draft. Raises InvalidInput if the items are no list.
    """
    checked_items(items)
    drafts: list[Draft] = []
    invalid: dict[int, InvalidInput] = {}
    for index, item in enumerate(items):
        try:
            drafts.append(_draft_of(item))
        except InvalidInput as error:
            invalid[index] = error
    outcomes = iter(remember_many(service, drafts))
    return [
        Kept(Outcome.REFUSED, None, str(invalid[i]), code=invalid[i].code) if i in invalid else next(outcomes)
        for i in range(len(drafts) + len(invalid))
    ]


_OF_OPERATIONS = frozenset({"anew", "changed_at", "taken_from"})
"""Fields of a draft that only operations set."""
_ARGUMENTS = frozenset(field.name for field in fields(Draft)) - _OF_OPERATIONS


def _draft_of(item: str | Mapping[str, Any]) -> Draft:
    """Returns an item of a batch as a draft. Raises InvalidInput."""
    if isinstance(item, str):
        return Draft(item)
    if not isinstance(item, Mapping) or "text" not in item:
        raise InvalidInput("an item must be a text, or an object with a text", code="argument_invalid")
    unknown = item.keys() - _ARGUMENTS
    if unknown:
        raise InvalidInput(
            f"remember has no argument {sorted(map(safe_repr, unknown))[0]}", code="argument_invalid"
        )
    return Draft(**item)
