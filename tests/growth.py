"""How the time of a computation grows with its input, on a machine that has other work to do."""

from __future__ import annotations

from collections.abc import Callable
from time import thread_time

ROUNDS = 8


def grows_at_most(
    act: Callable[[int], object], small: int, large: int, *, factor: float, floor: float
) -> bool:
    """Whether `act(large)` costs at most `factor` times what `act(small)` or `floor` seconds cost.

    Counted is the time of this thread alone, and of runs in turn the least: what else the machine does only
    adds to it. Several rounds are tried, since growth that is too fast shows in every one of them.
    """
    act(small)
    least = {small: 1e9, large: 1e9}
    for _ in range(ROUNDS):
        for size in least:
            begun = thread_time()
            act(size)
            least[size] = min(least[size], thread_time() - begun)
        if least[large] <= factor * max(least[small], floor):
            return True
    return False
