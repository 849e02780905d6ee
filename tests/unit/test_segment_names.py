"""Names in the index: those of rows that are gone are let go."""

from __future__ import annotations

from holdfast.stores.index.row_filter import NEVER
from holdfast.stores.index.segments import NAMES_KEPT
from tests.unit.test_segments import FILTERS, answer, loaded, passages, question

STATE = {
    "kind": "note", "status": "approved", "current": 1, "deleted": 0, "pinned": 0, "session": 0,
    "assistant": 0, "manner": 0, "speaker": None, "scope_type": "paper", "scope_id": None, "branch": None,
    "owner": "ana",
    "at": 1, "holds_from": 1, "valid_until": NEVER, "expires_at": NEVER, "uses": 0, "last_used": 0,
}  # fmt: skip


def test_names_of_rows_that_are_gone_do_not_pile_up() -> None:
    """A file that is renamed again and again: as if the index had been read just now."""
    world = {1: passages(1, 1, STATE, ["alpha tick"])}
    index = loaded(world)
    most = 0
    for number in range(3 * NAMES_KEPT):
        world[1] = tuple(row._replace(scope_id=f"file {number}") for row in world[1])
        index.apply(world[1], [])
        for pool in (1, 2):
            if not index.has(pool):
                index.load(pool, [row for row in world[1] if row.pool == pool])
        most = max(most, index.names)
    assert most <= NAMES_KEPT + 10
    assert answer(index, FILTERS[0], question()) == answer(loaded(world), FILTERS[0], question())
