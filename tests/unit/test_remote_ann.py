"""What is near in a segment without codes: found whatever the index of the server leaves out."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from holdfast.stores.index.segment import Row, Segment
from holdfast.stores.postgres.remote_ann import Neighbours, cosines
from tests.profiles import examples
from tests.unit.test_segments import DIM, LIVE, passages


def segment(memories: dict[int, tuple[Row, ...]]) -> Segment:
    made = Segment(DIM, 1, is_remote=True)
    made.append([row for rows in memories.values() for row in rows], {})
    return made


@settings(max_examples=examples(200))
@given(
    st.integers(1, 400),
    st.floats(0, 1),
    st.integers(1, 30),
    st.integers(0, 400),
    st.randoms(use_true_random=False),
)
def test_the_nearest_of_those_allowed_are_among_what_is_found(
    size: int, share: float, wanted: int, gives_up: int, random: object
) -> None:
    """However few are allowed, and however early the index gives up."""
    rng = np.random.default_rng(random.randint(0, 1 << 30))  # type: ignore[attr-defined]
    here = segment({n: passages(n, 1, LIVE, ["alpha"]) for n in range(1, size + 1)})
    allowed = rng.random(size) < share
    values = rng.permutation(size) / size
    order = np.argsort(-values)
    compared: list[int] = []

    def nearest(count: int) -> Neighbours:
        chosen = order[: min(count, gives_up)]
        return list(zip(here.passage[chosen].tolist(), values[chosen].tolist(), strict=True))

    def among(some: np.ndarray) -> Neighbours:
        compared.extend(some.tolist())
        return list(zip(some.tolist(), values[here.places_of(some)].tolist(), strict=True))

    found = cosines(here, allowed, wanted, nearest, among)
    best = [row for row in order.tolist() if allowed[row]][:wanted]
    assert np.allclose(found[best], values[best])
    assert (found[~allowed] == -2).all()
    scan_batch = found > -2
    assert np.allclose(found[scan_batch], values[scan_batch])
    assert set(compared) <= set(here.passage[allowed].tolist())
    if size == 400 and share == 1 and gives_up == 400 and wanted <= 30:
        assert not compared  # a wide view leaves it to the index


def test_passages_are_found_where_they_stand_now() -> None:
    """Also when a memory was taken out, changed, and put back behind the others."""
    memories = {n: passages(n, 1, LIVE, ["alpha", "beta"]) for n in range(1, 8)}
    here = segment(memories)
    here.take_over(np.array([2, 3]), {}, {})
    here.take_over(np.array([3]), {3: memories[3]}, {})
    here.take_over(np.array([9]), {9: (added := passages(9, 1, LIVE, ["gamma"]))}, {})
    numbers = [row.passage for n in (1, 2, 3, 7) for row in memories[n]] + [added[0].passage, 10**9]
    places = here.places_of(np.array(numbers))
    assert places[[2, 3, -1]].tolist() == [-1, -1, -1]
    there = places >= 0
    assert here.passage[places[there]].tolist() == [
        n for n, is_there in zip(numbers, there, strict=True) if is_there
    ]
    assert here.alive[places[there]].all()
    assert there.sum() == len(numbers) - 3
    assert here.places_of(np.zeros(0, np.int64)).tolist() == []
    assert segment({}).places_of(np.array([1])).tolist() == [-1]
