"""Records: taken apart, put together and copied as the standard library would."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, fields, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.core.places import Place, Visibility
from holdfast.core.record import Memory, Status
from holdfast.core.values import changed, record_of, values_of

MEMORY = Memory(
    "id", "note", "text", Place("ana", Visibility.PRIVATE), Status.APPROVED, 1, 2, 3, "user:ana",
    metadata={"file": "a.py"}, tags=("one",),
)  # fmt: skip


@given(
    st.dictionaries(
        st.sampled_from([field.name for field in fields(Memory)]), st.text(max_size=3), max_size=9
    )
)
def test_a_changed_record_is_what_replace_gives(changes: dict[str, str]) -> None:
    before = values_of(MEMORY)
    assert changed(MEMORY, **changes) == replace(MEMORY, **changes)  # type: ignore[arg-type]
    assert values_of(MEMORY) == before


def test_a_record_is_its_values() -> None:
    again = record_of(Memory, values_of(MEMORY))
    assert again == MEMORY
    assert again.metadata is MEMORY.metadata
    with pytest.raises(FrozenInstanceError):
        again.text = "other"  # type: ignore[misc]


def test_what_is_no_field_is_not_changed() -> None:
    with pytest.raises(KeyError):
        changed(MEMORY, colour="red")
