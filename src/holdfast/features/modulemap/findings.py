"""The findings of a scan, ready to be merged into the map of a project (S4.4, S4.7)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Self

from holdfast.core.errors import InvalidInput
from holdfast.core.module_map import ENTRY_MAX, ModuleMap, record, several, text
from holdfast.core.wire import Plain, computed

FILES_MAX = 40_000
"""Most paths of one scan."""
RENAMED_MAX = 5_000
"""Most renamed files of one scan."""
SEEDS_MAX = 40
"""Most conventions that one scan proposes."""
SEED_MAX = 500
"""Most characters of a proposed convention, as for memories of agents (S4.40)."""


@dataclass(frozen=True, slots=True)
class Seed:
    """A convention that a file states, proposed for review (S4.7). `key` is stable across scans."""

    text: str
    file: str
    key: str


@dataclass(frozen=True, slots=True)
class Scan:
    """The result of scanning files.

    It has the map, all existing paths, the stated conventions, and the new paths of renamed files by their
    old path.
    """

    module_map: ModuleMap
    files: tuple[str, ...] = ()
    seeds: tuple[Seed, ...] = ()
    renamed: Mapping[str, str] = field(default_factory=dict)

    def as_dict(self) -> dict[str, Any]:
        """Returns plain JSON values."""
        return {
            "map": self.module_map.as_dict(),
            "files": list(self.files),
            "seeds": [{"text": seed.text, "file": seed.file, "key": seed.key} for seed in self.seeds],
            "renamed": dict(self.renamed),
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Reads the scan of `as_dict` from an untrusted source. Raises InvalidInput `map_invalid`."""
        seeds = [record(item, "seed") for item in several(data, "seeds", SEEDS_MAX)]
        return cls(
            ModuleMap.from_dict(record(data.get("map"), "map")),
            tuple(text(item, "file", ENTRY_MAX) for item in several(data, "files", FILES_MAX)),
            tuple(
                Seed(
                    text(item.get("text"), "text", SEED_MAX),
                    text(item.get("file"), "file", ENTRY_MAX),
                    text(item.get("key"), "key", ENTRY_MAX),
                )
                for item in seeds
            ),
            _renamed(data.get("renamed", {})),
        )


def _renamed(value: object) -> dict[str, str]:
    paths = record(value, "renamed")
    if len(paths) > RENAMED_MAX:
        raise InvalidInput(f"renamed has at most {RENAMED_MAX:,} paths", code="map_invalid")
    return {text(old, "path", ENTRY_MAX): text(new, "path", ENTRY_MAX) for old, new in paths.items()}


@dataclass(frozen=True, slots=True)
class Scanned(Plain):
    """The outcome of merging a scan.

    It has the map, the added and removed modules, and how many conventions were proposed for review, or
    already known or refused.
    """

    map: ModuleMap
    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    proposed: int = 0
    known: int = 0

    @property
    @computed
    def prompt(self) -> str | None:
        """Returns the question that asks a person to review the proposals, or None."""
        if not self.proposed:
            return None
        return f"I found {self.proposed} convention{'s' * (self.proposed != 1)}. Review?"
