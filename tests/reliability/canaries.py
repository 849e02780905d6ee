"""Canaries: words planted in every field, and the search for their bytes in every file of a store."""

from __future__ import annotations

import random
from functools import cached_property
from pathlib import Path
from typing import Any

import re2

from holdfast.api.memory import Memory
from tests.reliability.workload import LONG, text_of

FIELDS = (
    "text", "title", "summary", "tag", "key", "value", "evidence", "external", "speaker", "role", "scope",
    "branch", "reason", "session", "sessionname", "sessionmeta", "revised", "revisedtitle",
)  # fmt: skip

_LETTERS = "bcdfghjklmnprstvz"
_VOWELS = "aeiou"
_CODINGS = ("utf-8", "utf-16-le", "utf-16-be")


class Canaries:
    """One word for each field, each found nowhere else."""

    def __init__(self, seed: int) -> None:
        rng = random.Random(seed)
        self.words = {
            field: "".join(rng.choice(_LETTERS) + rng.choice(_VOWELS) for _ in range(8)) for field in FIELDS
        }

    def __getitem__(self, field: str) -> str:
        return self.words[field]

    @cached_property
    def _any(self) -> Any:
        """Finds whether any word stands in a text at all, in one pass where a search for each takes 54."""
        options = re2.Options()
        options.encoding = re2.Options.Encoding.LATIN1
        words = (word.encode(coding) for word in self.words.values() for coding in _CODINGS)
        return re2.compile(b"|".join(map(re2.escape, words)), options)

    def found(self, folder: Path) -> list[str]:
        """Where a canary still stands, in any file of a folder, in UTF-8 or UTF-16."""
        places: list[str] = []
        for file in sorted(folder.rglob("*")):
            if not file.is_file():
                continue
            content = file.read_bytes().lower()
            if not self._any.search(content):
                continue
            for field, word in self.words.items():
                places += [
                    f"{field} in {file.name} as {coding}"
                    for coding in _CODINGS
                    if word.encode(coding) in content
                ]
        return places


def plant(memory: Memory, birds: Canaries, *, kind: str = "note", slot: int = 1, long: bool = False) -> str:
    """A memory with a canary in every field, recalled once in every mode; returns its id."""
    words = LONG if long else 12
    result = memory.remember(
        f"{text_of(slot, words=words)} {birds['text']} {text_of(slot, 2, words=words)} {birds['text']}",
        kind=kind,
        title=f"{birds['title']} and more",
        summary=f"about {birds['summary']}",
        tags=[birds["tag"]],
        metadata={birds["key"]: {"deep": [birds["value"]]}},
        evidence={"from": birds["evidence"]},
        external_id=birds["external"],
        name=birds["speaker"],
        role=birds["role"],
        scope=("paper", birds["scope"]),
        branch=birds["branch"],
    )
    assert result.memory is not None, result.reason
    look(memory, birds, branch=birds["branch"])
    return result.memory.id


def look(memory: Memory, birds: Canaries, **place: Any) -> None:
    """Recalls in every mode, so that every cache holds the words."""
    query = f"{birds['text']} {birds['title']}"
    memory.recall(query, mode="vectors", **place)
    assert memory.recall(query, mode="words", **place)
    assert memory.recall(query, mode="hybrid", **place)
