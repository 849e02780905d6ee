"""Naming one memory: by its id, by a short form of it, or by its external id with its place."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from holdfast.core.arguments import checked_names, safe_repr
from holdfast.core.errors import InvalidInput, NotFound
from holdfast.core.ids import ID_LENGTH, SHORT, last_block
from holdfast.core.places import NAME_MAX, Principal, scope_of, usable_name
from holdfast.core.record import Memory
from holdfast.core.views import ANY_STATE, Filter, personal_view
from holdfast.stores.base.ports import Reader

LISTED = 10
"""Maximum number of memories in the message about an ambiguous name."""
_KEYED_MAX = 1_000


def named_memory(
    reader: Reader, principal: Principal, id: str, place: Mapping[str, Any] | None = None, *,
    states: Filter = ANY_STATE,
) -> Memory | None:  # fmt: skip
    """Returns the memory that a name means, or None.

    A name is an id, else an external id, narrowed by a place, else the beginning of an id (at least
    `START_MIN` characters) or of its last block, which is the short form. Of several with an external id,
    those that are not forgotten come first, then those of the principal. Raises InvalidInput `id_ambiguous`.
    """
    view = personal_view(principal, states)
    memory = reader.get(view, checked_id(id))
    if memory is not None:
        return memory
    fits = _fits(place or {})
    keyed = [memory for memory in reader.keyed(view, id, limit=_KEYED_MAX, now=0) if fits(memory)]
    for is_better in (_is_live, lambda memory: memory.place.owner == principal.user):
        keyed = [memory for memory in keyed if is_better(memory)] or keyed
    if len(keyed) > 1:
        raise _ambiguous("have this external id", keyed, "name its place: project, scope, branch, kinds")
    if keyed:
        return keyed[0]
    if len(id) == ID_LENGTH or not SHORT.fullmatch(id):
        return None
    ids = reader.beginning(view, id.lower(), limit=LISTED + 1)
    if len(ids) > 1:
        several = reader.several(view, ids, now=0)
        raise _ambiguous("have ids that begin so", several, "use more characters")
    return reader.get(view, ids[0]) if ids else None


def checked_id(id: object) -> str:
    """Returns a string that may name a memory unchanged. Raises NotFound for anything else."""
    if not isinstance(id, str) or len(id) > NAME_MAX or not id.isprintable():
        raise memory_not_found(id if isinstance(id, str) else safe_repr(id, 60))
    return id


def memory_not_found(id: object) -> NotFound:
    """Builds the error for a memory that does not exist or is not visible."""
    return NotFound(
        f"there is no memory {safe_repr(id, 60)}",
        code="memory_not_found",
        hint="`holdfast list --include deleted` shows forgotten ones, `holdfast restore ID` restores one"
        " (`Memory.list`, `Memory.restore`)",
    )


def _fits(place: Mapping[str, Any]) -> Callable[[Memory], bool]:
    """Returns whether a memory is in a place, as far as it is stated."""
    stated = {name: value for name, value in place.items() if value is not None}
    scope = scope_of(stated.pop("scope")) if "scope" in stated else None
    kinds = frozenset(checked_names(stated.pop("kinds"), "kinds")) if "kinds" in stated else None
    for name, value in stated.items():
        usable_name(value, name)

    def fits(memory: Memory) -> bool:
        if scope not in (None, memory.scope) or (kinds is not None and memory.kind not in kinds):
            return False
        whole = {
            "project": memory.project, "session": memory.session, "workspace": memory.place.workspace,
            "branch": memory.place.branch, "visibility": memory.visibility.value,
        }  # fmt: skip
        return all(whole[name] == value for name, value in stated.items())

    return fits


def _is_live(memory: Memory) -> bool:
    return memory.deleted_at is None


def _ambiguous(id: str, memories: Sequence[Memory], hint: str) -> InvalidInput:
    """Returns the error for an id that fits several memories."""
    listed = ", ".join(
        f"memory {last_block(memory.id) or memory.id} ({_place_and_kind(memory)})"
        for memory in memories[:LISTED]
    )
    more = ", …" if len(memories) > LISTED else ""
    # the ids would be masked as passwords beside a name such as 'login', so it is not repeated, and behind
    # "begin so:" or "id:", so each has a word of its own
    return InvalidInput(f"several memories {id}: {listed}{more}", code="id_ambiguous", hint=hint)


def _place_and_kind(memory: Memory) -> str:
    return " / ".join(filter(None, (memory.project, memory.scope.id, memory.kind)))
