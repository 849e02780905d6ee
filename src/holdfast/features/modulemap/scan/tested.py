"""Assigns test files to the modules that they test, by name, folder and imports."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace

from holdfast.features.modulemap.scan.files import Source
from holdfast.features.modulemap.scan.grouping import BESIDE, Group
from holdfast.features.modulemap.words import NAMES

_MARKS = re.compile(r"^(?:test|tests|spec)[_-]|[_-](?:test|tests|spec)$|(?:Tests?|TestCase|Spec|IT)$")
_WORDS = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z0-9]+|[A-Z]+")
_SAME_NAME, _SAME_MODULE, _SHARED, _SAME_FOLDER, _MIRRORED, _IMPORTED = 6.0, 6.0, 2.0, 1.5, 2.0, 4.0
_ENOUGH = 1.0


def tested(
    tests: Sequence[Source], groups: Sequence[Group], imports: Mapping[str, Sequence[str]]
) -> dict[str, str]:
    """Returns the name of the group that each test file tests; tests of none are omitted.

    What is beside the product, such as examples, and files that only declare types are tested by what
    imports them, or is beside the product as well, and not by their names.
    """
    outside = [source for source in tests if _is_beside(source)]
    product = [
        replace(group, files=[file for file in group.files if not _is_beside(file)]) for group in groups
    ]
    inside = [source for source in tests if not _is_beside(source)]
    homes = {source.path: group.name for group in groups for source in group.files}
    return {
        **_matched(outside, groups, homes, imports),
        **_matched(inside, [group for group in product if group.files], homes, imports),
    }


def _is_beside(source: Source) -> bool:
    return source.path.partition("/")[0] in BESIDE or source.path.endswith(".d.ts")


def _matched(
    tests: Sequence[Source], groups: Sequence[Group], homes: Mapping[str, str],
    imports: Mapping[str, Sequence[str]],
) -> dict[str, str]:  # fmt: skip
    """Returns the groups of tests by the names of `groups`, and by imports of files with their `homes`."""
    stems: dict[str, set[str]] = {}
    words: dict[str, set[str]] = {}
    folders: dict[str, set[str]] = {}
    for group in groups:
        for source in group.files:
            stems.setdefault(_key(source.stem), set()).add(group.name)
            folders.setdefault(source.folder, set()).add(group.name)
            for part in source.folder.lower().split("/"):
                words.setdefault(part, set()).add(group.name)
    names = {_key(group.name.rpartition("/")[2]): group.name for group in groups}
    users = Counter(
        homes[path] for source in tests for path in set(imports.get(source.path, ())) if path in homes
    )
    by_path: dict[str, str] = {}
    for source in tests:
        scores: dict[str, float] = defaultdict(float)
        key = _key(_MARKS.sub("", source.stem))
        for name in stems.get(key, ()):
            scores[name] += _SAME_NAME
        named = names.get(NAMES.get(key, key))
        if named is not None:
            scores[named] += _SAME_MODULE
        for part in dict.fromkeys(_parts(key)):
            candidates = {*stems.get(part, ()), *([names[part]] if part in names else [])}
            for name in candidates if len(part) > 2 else ():
                scores[name] += _SHARED / len(candidates)
        for name in folders.get(source.folder, ()):
            scores[name] += _SAME_FOLDER / len(folders[source.folder])
        for part in source.folder.lower().split("/"):
            for name in words.get(part, ()):
                scores[name] += _MIRRORED / len(words[part])
            folder = _key(_MARKS.sub("", part))
            for name in stems.get(folder, ()) if folder != part else ():
                scores[name] += _SAME_NAME / 2
        used = {homes[path] for path in imports.get(source.path, ()) if path in homes}
        for name in used:
            # a module that every test imports is no evidence
            scores[name] += _IMPORTED / (1 + users[name] ** 0.5) / len(used) ** 0.5
        if scores:
            best, score = max(scores.items(), key=lambda pair: (pair[1], pair[0]))
            if score >= _ENOUGH:
                by_path[source.path] = best
    return by_path


def _key(stem: str) -> str:
    return "_".join(word.lower() for word in _WORDS.findall(stem.strip("_"))) or stem.lower()


def _parts(key: str) -> list[str]:
    words = key.split("_")
    return ["_".join(words[: count + 1]) for count in range(len(words))] + words
