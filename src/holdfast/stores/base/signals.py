"""Raw signals about the candidates of a recall, as a store returns them, without ranking."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from holdfast.core.kinds import KINDS
from holdfast.core.value_classes import value_class

if TYPE_CHECKING:
    from numpy.typing import NDArray

KIND_NAMES = tuple(KINDS)
"""Kinds by their number in `Signals.kind`."""
KIND_NUMBERS = {name: number for number, name in enumerate(KIND_NAMES)}


@value_class
class Signals:
    """Raw signals of candidates, before ranking; one entry per memory in each array.

    `number` is the store's own; `words` a BM25 score from the view's own statistics, `cosine` in -1..1 (0
    without a vector), `refined` that to the question's vector as good documents moved it, where they did
    (`stores/index/feedback`), `passage` the best passage as start and end. `session` is 0 for none;
    `previous` and `following` are the indices in these arrays of a memory's neighbours in its session, -1
    for none. `opening`: nothing in the view comes before it in its session. `manner` holds bits of
    `Manner`. `named`: the question names the speaker. `user_wide`: knowledge of no project. `boost`
    multiplies the score. Times are epoch milliseconds, `last_used` 0 for never. `total` is the number of
    memories in the view, `most` what `words` is for a text that has all words of the question again and
    again.
    """

    number: NDArray[np.int64]
    words: NDArray[np.float32]
    cosine: NDArray[np.float32]
    refined: NDArray[np.float32]
    passage: NDArray[np.int64]
    kind: NDArray[np.int16]
    at: NDArray[np.int64]
    last_used: NDArray[np.int64]
    uses: NDArray[np.int64]
    pinned: NDArray[np.bool_]
    session: NDArray[np.int64]
    previous: NDArray[np.int64]
    following: NDArray[np.int64]
    opening: NDArray[np.bool_]
    assistant: NDArray[np.bool_]
    manner: NDArray[np.uint16]
    named: NDArray[np.bool_]
    user_wide: NDArray[np.bool_]
    boost: NDArray[np.float32]
    total: int
    most: float = 0.0

    @classmethod
    def none(cls, total: int = 0) -> Signals:
        """Returns signals without candidates."""
        integers = np.zeros(0, np.int64)
        floats = np.zeros(0, np.float32)
        flags = np.zeros(0, np.bool_)
        return cls(
            integers, floats, floats, floats, np.zeros((0, 2), np.int64), np.zeros(0, np.int16),
            integers, integers, integers, flags, integers, integers, integers, flags,
            flags, np.zeros(0, np.uint16), flags, flags, floats, total,
        )  # fmt: skip


def nearest_first(signals: Signals, least: float) -> list[tuple[int, float]]:
    """Returns the candidates from a cosine on, nearest first, each with its cosine."""
    order = np.lexsort((signals.number, -signals.cosine))
    indexes = [i for i in order.tolist() if signals.cosine[i] >= least]
    return [(int(signals.number[i]), float(signals.cosine[i])) for i in indexes]
