"""Nearness of a task to what was learned in earlier sessions, in other words than its own."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from holdfast.core.record import Memory
    from holdfast.core.views import View
    from holdfast.features.recall.recall import SearchResult
    from holdfast.stores.base.ports import Reader

LEARNED = "learned"
"""The tag of what was learned from the log of a session; its title says what was worked on."""
NEAR = 0.27
"""Minimum nearness of such a memory, tuned on the tasks of `make eval EVAL=learning` but the last part."""
OF_BEST = 0.7
"""Minimum share of the nearness of the best of them."""
SHARED, MODULE, MODULE_MAX, UNSHARED = 0.12, 0.02, 10.0, 0.5
"""What a shared word, and the match of the module of its file, add to the cosine; how much of the
latter counts for a memory that shares no word."""


def near_experience(
    snap: Reader,
    view: View,
    result: SearchResult,
    shared: Callable[[Memory], int],
    modules: Mapping[str, float],
    similar: Callable[[Sequence[str]], Sequence[float]] | None,
    *,
    now: int,
) -> dict[str, tuple[Memory, float]]:
    """Returns what was learned near a task, by id, each with its nearness.

    Recall leaves out a memory that shares no word with a question and little of its meaning. That is right
    for answers; but a lesson also says in its title what was worked on, which is compared with the task by
    itself (`similar` returns cosines of the task), and belongs to a module. `modules` are the scores of
    files, those of the modules that match the task; `shared` counts the words that a memory shares with it.
    A module says where and not what, so it adds at most as much as the words do, and half of that to what
    shares no word.
    """
    cosines = dict(zip(result.signals.number.tolist(), result.signals.cosine.tolist(), strict=True))
    learned = [
        (number, memory)
        for number, memory in snap.numbered(view, list(cosines), now=now)
        if LEARNED in memory.tags
    ]
    titles = [*dict.fromkeys(memory.title for _, memory in learned if memory.title)]
    as_task = dict(zip(titles, similar(titles), strict=True)) if similar is not None and titles else {}
    near: dict[str, tuple[Memory, float]] = {}
    for number, memory in learned:
        common = shared(memory)
        words = max(cosines[number], as_task.get(memory.title or "", 0.0), 0.0) + SHARED * common
        module = max((modules.get(path, 0.0) for path in memory.about_files), default=0.0)
        module *= 1.0 if common else UNSHARED
        near[memory.id] = memory, words + min(MODULE * min(module, MODULE_MAX), words)
    least = max(NEAR, OF_BEST * max((score for _, score in near.values()), default=0.0))
    return {id: pair for id, pair in near.items() if pair[1] >= least}
