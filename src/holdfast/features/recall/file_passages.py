"""Passages of files: what the question names comes first, sources come before tests and documentation."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from holdfast.core.record import Memory
    from holdfast.features.recall.ranking import Ranked

Pair = tuple["Ranked", "Memory"]

NAMED = 1.5
"""Factor of what defines a name in the question, of a file that it names, and of a title that it is."""
BESIDE = 0.75
"""Factor of a test or a document beside sources, unless the question asks for tests or documents."""
FEW = 3
"""Maximum number of words of a question in which an ordinary word may be a name."""

_TOKEN = re.compile(r"[\w./\\-]*\w")
_CODE = re.compile(r"\w_\w|^_+\w|[a-z0-9][A-Z]|\w\.\w|/")
_TEST_PATH = re.compile(
    r"(?i)(?:^|/)(?:tests?|specs?|__tests__|testing)/|(?:^|/)(?:test_[^/]*|[^/]*[._-](?:test|spec)\.\w+)$"
)
_DOCUMENT_PATH = re.compile(r"(?i)\.(?:md|rst|adoc|txt|html?)$|(?:^|/)(?:readme|changelog|license)[^/]*$")
_ASKS_TESTS = re.compile(r"(?i)\b(?:tests?|tested|testing|specs?|fixtures?|pytest|assert\w*)\b")
_ASKS_DOCUMENTS = re.compile(r"(?i)\b(?:docs?|document\w*|readme|guide|manual|changelog|tutorial)\b")


@dataclass(frozen=True, slots=True)
class Sought:
    """The names in a question, and what it asks for besides sources."""

    text: str
    names: frozenset[str]
    tests: bool
    documents: bool

    @classmethod
    def read(cls, question: str) -> Sought:
        """Reads a question."""
        tokens = _TOKEN.findall(question)
        names = frozenset(one for one in tokens if len(tokens) <= FEW or _CODE.search(one))
        text = " ".join(question.casefold().split())
        return cls(text, names, bool(_ASKS_TESTS.search(question)), bool(_ASKS_DOCUMENTS.search(question)))


def weighed(pairs: Sequence[Pair], sought: Sought) -> list[Pair]:
    """Returns the results with the scores of passages multiplied by their factors, in their order."""
    paths = [_path(memory) for _, memory in pairs]
    has_sources = any(
        path and not _TEST_PATH.search(path) and not _DOCUMENT_PATH.search(path) for path in paths
    )
    return [
        (_scaled(ranked, *_factor(memory, path, sought, has_sources=has_sources)), memory)
        for (ranked, memory), path in zip(pairs, paths, strict=True)
    ]


def _path(memory: Memory) -> str:
    path = memory.metadata.get("path") if memory.kind == "passage" else None
    return path.replace("\\", "/") if isinstance(path, str) else ""


def _factor(memory: Memory, path: str, sought: Sought, *, has_sources: bool) -> tuple[float, str]:
    """Returns the factor of a memory, and the part of the score that the difference belongs to."""
    if memory.title and memory.title.casefold() == sought.text:
        return NAMED, "title"
    if not path:
        return 1.0, ""
    if any(path == name or path.endswith(f"/{name}") for name in sought.names if "." in name):
        return NAMED, "path"
    symbols = memory.metadata.get("symbols")
    if isinstance(symbols, list | tuple) and not sought.names.isdisjoint(_names_of(symbols)):
        return NAMED, "symbol"
    unasked = (_TEST_PATH, sought.tests), (_DOCUMENT_PATH, sought.documents)
    if has_sources and any(pattern.search(path) and not asked for pattern, asked in unasked):
        return BESIDE, "kind"
    return 1.0, ""


def _names_of(symbols: Sequence[object]) -> set[str]:
    """Returns symbols with and without what they are in: `Client.send` and `send`."""
    whole = {one for one in symbols if isinstance(one, str)}
    return whole | {one.rpartition(".")[2] for one in whole}


def _scaled(ranked: Ranked, factor: float, part: str) -> Ranked:
    if factor == 1.0:
        return ranked
    gain = ranked.score * (factor - 1)
    return replace(ranked, score=ranked.score + gain, why={**ranked.why, part: gain})
