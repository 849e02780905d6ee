"""Passages of files: what the question names first; beside source code, tests, documents and data last."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from holdfast.core.value_classes import value_class

if TYPE_CHECKING:
    from holdfast.core.record import Memory
    from holdfast.features.recall.ranking import Ranked

Pair = tuple["Ranked", "Memory"]

NAMED = 1.5
"""Factor of what defines a name or holds a number in the question, of a file that it names, and of a title
that it is."""
ELSEWHERE = 0.75
"""Factor of what another folder has at the path of a file in the folder where somebody works."""
BESIDE = 0.75
"""Factor of a test or a document beside source code, unless the question asks for tests or documents."""
DATA = 0.5
"""Factor of a part of a data file beside source code, unless the question asks for data."""
FROM_ONE, FROM_DATA = 4, 2
"""Maximum numbers of hits from one file, and from one data file, before those from others."""
LARGE = 20_000
"""Minimum characters of a JSON file that counts as data, not as configuration."""
FEW = 3
"""Maximum number of words of a question in which an ordinary word may be a name."""

_TOKEN = re.compile(r"[\w./\\-]*\w")
_CODE = re.compile(r"\w_\w|^_+\w|[a-z0-9][A-Z]|\w\.\w|/")
_IDENTIFIER = re.compile(r"(?i)(?<![\w./-])[a-z]{1,12}(?:\d*[-_/]\d{2,}|\d{4,})(?:[-_/][a-z\d]+)*(?![\w/-])")
"""Matches an identifier with a number, such as GROU-0597, INV-2024/17 or KR88213."""
_TEST_PATH = re.compile(
    r"(?i)(?:^|/)(?:tests?|specs?|__tests__|testing)/|(?:^|/)(?:test_[^/]*|[^/]*[._-](?:test|spec)\.\w+)$"
)
_DOCUMENT_PATH = re.compile(
    r"(?i)\.(?:md|rst|adoc|txt|html?|pdf|doc[xm]|odt|rtf|ppt[xm]|odp|xls[xmb]?|ods|eml|msg|mbox|epub)$"
    r"|(?:^|/)(?:readme|changelog|license)[^/]*$"
)
_DATA_PATH = re.compile(
    r"(?i)\.(?:jsonl|ndjson|csv|tsv|geojson|lock|snap)$"
    r"|(?:^|/)(?:fixtures?|testdata|__snapshots__|cassettes)/"
    r"|(?:^|/)(?:package-lock\.json|npm-shrinkwrap\.json|pnpm-lock\.yaml|go\.sum)$"
)
_ASKS_DATA = re.compile(
    r"(?i)\b(?:data ?(?:sets?|files?)|fixtures?|snapshots?|lock ?files?|jsonl|ndjson|csv|tsv|geojson)\b"
    r"|\.lock\b"
)
_ASKS_TESTS = re.compile(r"(?i)\b(?:tests?|tested|testing|specs?|fixtures?|pytest|assert\w*)\b")
_ASKS_DOCUMENTS = re.compile(r"(?i)\b(?:docs?|document\w*|readme|guide|manual|changelog|tutorial)\b")


@value_class
class Sought:
    """The names in a question, and what it asks for besides sources."""

    text: str
    names: frozenset[str]
    identifiers: frozenset[str]
    tests: bool
    documents: bool
    data: bool

    @classmethod
    def read(cls, question: str, *, in_files: bool = False) -> Sought:
        """Reads a question; one `in_files` that were selected asks for data as well."""
        tokens = _TOKEN.findall(question)
        names = frozenset(token for token in tokens if len(tokens) <= FEW or _CODE.search(token))
        text = " ".join(question.casefold().split())
        patterns = (_ASKS_TESTS, _ASKS_DOCUMENTS, _ASKS_DATA)
        tests, documents, data = (bool(pattern.search(question)) for pattern in patterns)
        identifiers = frozenset(_IDENTIFIER.findall(text))
        return cls(text, names, identifiers, tests, documents, data or in_files)


def weighed(pairs: Sequence[Pair], sought: Sought) -> list[Pair]:
    """Returns the results with the scores of passages multiplied by their factors, in their order."""
    paths = [_path(memory) for _, memory in pairs]
    has_sources = any(path and _is_source(path) for path in paths)
    return [
        (_scaled(ranked, *_factor(memory, path, sought, has_sources=has_sources)), memory)
        for (ranked, memory), path in zip(pairs, paths, strict=True)
    ]


def spread(pairs: Sequence[Pair], sought: Sought) -> list[Pair]:
    """Returns the results, those beyond the maximum of their file after all others; a file that the question
    names has no maximum."""
    counts: Counter[tuple[str | None, str]] = Counter()
    first: list[Pair] = []
    more: list[Pair] = []
    for ranked, memory in pairs:
        path = _path(memory)
        if not path or _is_named(path, sought):
            first.append((ranked, memory))
            continue
        counts[memory.source, path] += 1
        most = FROM_DATA if is_data(memory, sought) else FROM_ONE
        (first if counts[memory.source, path] <= most else more).append((ranked, memory))
    return first + more


def of_checkouts(
    pairs: Sequence[Pair], folder: str | None, projects: Mapping[str, Collection[int]] | None
) -> list[Pair]:
    """Returns the results with the same passage of the same path once in a project, from `folder` if it is
    there too; what other folders have at a path of that folder loses rank. What a person pinned or edited
    stays. `projects` are those of each folder; None if all are in the same one."""
    sources: dict[tuple[object, str, str], str | None] = {}
    own: set[tuple[object, str]] = set()

    def homes(memory: Memory) -> Collection[object]:
        return (0,) if projects is None else projects.get(memory.source or "") or (memory.source,)

    for _, memory in pairs:
        if path := _path(memory):
            is_own = folder is not None and memory.source == folder
            for home in homes(memory):
                if is_own:
                    own.add((home, path))
                if is_own or (home, path, memory.text) not in sources:
                    sources[home, path, memory.text] = memory.source
    if not sources:
        return list(pairs)
    chosen: list[Pair] = []
    for ranked, memory in pairs:
        path = _path(memory)
        if path and not (memory.pinned or memory.edited):
            if all(sources[home, path, memory.text] != memory.source for home in homes(memory)):
                continue
            if memory.source != folder and any((home, path) in own for home in homes(memory)):
                ranked = _scaled(ranked, ELSEWHERE, "elsewhere")
        chosen.append((ranked, memory))
    return sorted(chosen, key=lambda pair: -pair[0].score) if own else chosen


def is_data(memory: Memory, sought: Sought) -> bool:
    """Returns whether a memory is part of a data file that the question does not ask for."""
    path = _path(memory)
    if not path or sought.data or _is_named(path, sought):
        return False
    end = memory.metadata.get("end")
    return bool(_DATA_PATH.search(path)) or (path.endswith(".json") and isinstance(end, int) and end > LARGE)


def _is_source(path: str) -> bool:
    """Returns whether a file is source code: of a programming language, and neither a test nor data."""
    from holdfast.features.reading.types import type_of

    is_code = type_of(path).language is not None
    return is_code and not any(kind.search(path) for kind in (_TEST_PATH, _DOCUMENT_PATH, _DATA_PATH))


def _is_named(path: str, sought: Sought) -> bool:
    return any(path == name or path.endswith(f"/{name}") for name in sought.names if "." in name)


def _path(memory: Memory) -> str:
    path = memory.metadata.get("path") if memory.kind == "passage" else None
    return path.replace("\\", "/") if isinstance(path, str) else ""


def _factor(memory: Memory, path: str, sought: Sought, *, has_sources: bool) -> tuple[float, str]:
    """Returns the factor of a memory, and the part of the score that the difference belongs to."""
    if memory.title and memory.title.casefold() == sought.text:
        return NAMED, "title"
    if not path:
        return 1.0, ""
    if _is_named(path, sought):
        return NAMED, "path"
    if sought.identifiers and not sought.identifiers.isdisjoint(
        _IDENTIFIER.findall(f"{memory.title or ''}\n{memory.text}".casefold())
    ):
        return NAMED, "identifier"
    if has_sources and is_data(memory, sought):
        return DATA, "kind"
    symbols = memory.metadata.get("symbols")
    if isinstance(symbols, list | tuple) and not sought.names.isdisjoint(_names_of(symbols)):
        return NAMED, "symbol"
    unasked = (_TEST_PATH, sought.tests), (_DOCUMENT_PATH, sought.documents)
    if has_sources and any(pattern.search(path) and not requested for pattern, requested in unasked):
        return BESIDE, "kind"
    return 1.0, ""


def _names_of(symbols: Sequence[object]) -> set[str]:
    """Returns symbols with and without what they are in: `Client.send` and `send`."""
    whole = {symbol for symbol in symbols if isinstance(symbol, str)}
    return whole | {symbol.rpartition(".")[2] for symbol in whole}


def _scaled(ranked: Ranked, factor: float, part: str) -> Ranked:
    if factor == 1.0:
        return ranked
    gain = ranked.score * (factor - 1)
    return replace(ranked, score=ranked.score + gain, why={**ranked.why, part: gain})
