"""What is read of pickles of other programs: plain data, within bounds, and nothing is run."""

from __future__ import annotations

import pickle
import struct
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.features.transfer.formats.pickled import NODES_MAX, Pickled, load, plain
from tests.cases import each

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**40), 10**40) | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=8) | st.dictionaries(st.text(), inner, max_size=8),
    max_leaves=40,
)


@dataclass
class Point:
    """An object as another program may keep it."""

    id: str
    payload: dict[str, Any]


@given(VALUES, st.integers(2, 5))
def test_data_is_read_as_it_was_written(value: Any, protocol: int) -> None:
    assert plain(load(pickle.dumps(value, protocol))) == value


@each("protocol", [2, 3, 4, 5])
def test_of_an_object_its_state_is_read(protocol: int) -> None:
    payload = {"data": "Likes green tea", "n": 300, "tags": ("a", "b"), "vector": [0.5] * 2_000}
    found = load(pickle.dumps(Point("7", payload), protocol))
    assert isinstance(found, Pickled)
    assert found.state["id"] == "7"
    assert plain(found.state["payload"]) == payload | {"tags": ["a", "b"]}


def doubled(levels: int) -> bytes:
    """Returns a pickle of a list that holds the same list twice, and so on."""
    steps = b"".join(b"](h" + bytes([n]) + b"h" + bytes([n]) + b"eq" + bytes([n + 1]) for n in range(levels))
    return b"\x80\x02]q\x00" + steps + b"."


@each(
    "data",
    [
        doubled(60),
        b"\x80\x04" + b"](" * 100_000 + b"e" * 100_000 + b".",
        pickle.dumps([0] * (NODES_MAX + 1)),
        pickle.dumps({("a", 1): 2}),
        pickle.dumps({7: 2}),
        pickle.dumps("x" * 2_000_000),
        pickle.dumps(b"bytes"),
        pickle.dumps(Point("7", {})),
        b"\x80\x02]q\x00h\x00a.",  # a list that holds itself
    ],
)
def test_what_is_too_large_or_no_plain_data_is_refused(data: bytes) -> None:
    with pytest.raises(ValueError, match=r"data|value|name|pickle"):
        plain(load(data))


def test_the_number_of_a_reference_takes_no_memory() -> None:
    assert load(b"\x80\x02Nr" + struct.pack("<I", 2**32 - 1) + b".") is None


@given(
    st.binary(max_size=200)
    | st.lists(st.sampled_from(b"(0N]})tlesuqhrjcbRK\x8c\x94\x93\x81."), max_size=60).map(bytes)
)
def test_what_is_damaged_is_refused_by_one_error(data: bytes) -> None:
    with suppress(ValueError):
        plain(load(data))
