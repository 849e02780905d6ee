"""The files and modules that a task is likely about, and which memories are about them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from holdfast.core.record import Memory
from holdfast.features.service import Service

if TYPE_CHECKING:
    from holdfast.core.module_map import ModuleMap
    from holdfast.core.views import View
    from holdfast.features.modulemap.match import Match

MATCHED_MAX = 60
"""Maximum number of modules whose scores count for what was learned about their files."""
CLOSE = 0.5
"""Minimum share of the best match's score at which a module belongs to the task."""

Similar = Callable[[Sequence[str]], Sequence[float]]
"""A function that returns the cosines of the task with texts, in their order."""


class MatchedFiles:
    """The files of the matched modules, and the modules of all other files."""

    def __init__(self, module_map: ModuleMap | None, matches: Sequence[Match]) -> None:
        self.project = module_map.project if module_map else None
        self._homes: dict[str, list[str]] = {}
        for module in module_map.modules.values() if module_map else ():
            for path in module.files:
                self._homes.setdefault(path, []).append(module.name)
        best = matches[0].score if matches else 1.0
        self._scores = {match.module.name: match.score / best for match in matches}
        self.paths = frozenset(path for match in matches for path in match.module.files)

    def rename(self, former: Mapping[str, str]) -> None:
        """Adds the former paths of files, each with its present one: memories about the former path count as
        well."""
        self.paths |= former.keys()
        for before, now in former.items():
            self._homes.setdefault(before, []).extend(self._homes.get(now, ()))

    def place(self, memory: Memory) -> tuple[str | None, float]:
        """Returns the best of the matched modules that a memory's file belongs to, and how well it
        matched."""
        own = [(self._scores[name], name) for name in self._modules_of(memory) if name in self._scores]
        score, name = max(own, default=(0.0, None))
        return name, score

    def is_elsewhere(self, memory: Memory) -> bool:
        """Returns whether a memory is about a file of other modules than the task's."""
        homes = self._modules_of(memory)
        return bool(self._scores and homes) and not any(name in self._scores for name in homes)

    def _modules_of(self, memory: Memory) -> Sequence[str]:
        paths = memory.about_files if _is_of_project(memory) else ()
        return [name for path in paths for name in self._homes.get(path, ())]


def _is_of_project(memory: Memory) -> bool:
    """Returns whether the files of a memory are those of its project: a path that was noted outside of all
    projects may be in any repository."""
    return memory.place.project is not None or memory.place.source is not None


def of_own_files(view: View, memories: list[Memory]) -> list[Memory]:
    """Returns those of memories about files that mean files of the view's project; all of them outside of
    projects."""
    return memories if view.context.project is None else list(filter(_is_of_project, memories))


def matching_modules(module_map: ModuleMap | None, task: str, similar: Similar | None) -> list[Match]:
    """Returns the modules that match the task, best first; none without a map."""
    if module_map is None:
        return []
    from holdfast.features.modulemap.match import match

    compare = None if similar is None else lambda _, texts: similar(texts)
    return match(module_map, task, limit=MATCHED_MAX, similar=compare)


def nearest_modules(
    module_map: ModuleMap | None, similar: Similar | None
) -> list[tuple[frozenset[str], float]]:
    """Returns the files of each module with the cosine of the task, the nearest first."""
    if module_map is None or similar is None:
        return []
    from holdfast.features.modulemap.match import about

    modules = [module for module in module_map.modules.values() if not module.is_gone]
    cosines = similar([about(module) for module in modules])
    pairs = [(frozenset(module.files), cosine) for module, cosine in zip(modules, cosines, strict=True)]
    return sorted(pairs, key=lambda pair: -pair[1])


def similar_to(service: Service, task: str) -> Similar | None:
    """Returns a function that compares texts with a task, each once; None for an embedder of another
    machine."""
    if not service.embedder.local:
        return None
    cache: dict[str, float] = {}

    def similar(texts: Sequence[str]) -> Sequence[float]:
        from holdfast.features.modulemap.module_maps import similar_by  # late: most prompts need none of it

        new = [text for text in dict.fromkeys(texts) if text not in cache]
        if new:
            compare = similar_by(service.embedder)
            cache.update(zip(new, [0.0] * len(new) if compare is None else compare(task, new), strict=True))
        return [cache[text] for text in texts]

    return similar


def is_close(match: Match, matches: Sequence[Match]) -> bool:
    """Returns whether a module belongs to the task, beside the best of the matches."""
    return match.score >= CLOSE * matches[0].score
