"""Words and vectors that the index should have, computed again for the check of a store."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from holdfast.core.value_classes import value_class

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from holdfast.core.record import Memory


@value_class
class Derived:
    """The index entries of one memory: its passages as (start, end), the packed terms of each, and their
    vectors of `model`, unless it is a remote one.
    """

    spans: Sequence[tuple[int, int]]
    terms: Sequence[bytes]
    vectors: NDArray[np.float32] | None
    model: str


class Derive(Protocol):
    """Computes what the index should have of each memory."""

    def __call__(self, memories: Sequence[Memory]) -> list[Derived]: ...
