"""Groups code files into modules, by folders, by features that cross layers, and by size."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from holdfast.features.modulemap.scan.files import Role, Source
from holdfast.features.modulemap.words import NAMES, concerns_of

GROUPS_WANTED = 80
"""Most modules before a map is made coarser."""
SMALLEST, LARGEST = 1_200, 8_000
"""Bounds, in lines, of the size above which a module is split."""
SHARE = 40
"""A module is split above this fraction (1/n) of all lines."""
RELATIVES = 3
"""Fewest files of a folder with the same first word that form a family."""
PART = 8
"""A file above this fraction (1/n) of a module's largest size is a module of its own."""
FILES_TOGETHER = 14
"""Most files of a folder that form one module of `SMALLEST` lines; proportionally more for larger ones."""

_KEPT = 16_384
"""Most cached folders and words."""

LAYERS = frozenset(
    """route router controller service model component page handler middleware api view repository hook
    store schema resolver screen serializer endpoint entity dto usecase util helper form template
    widget slice reducer action presenter command query event listener job worker task policy
    request response lib feature module src app""".split()
)
"""Folders with one kind of file of many features, and words of file names for them; singular."""
_TECHNICAL = LAYERS - frozenset("lib feature module src app util helper".split())
_WRAPPERS = frozenset(
    "src lib app source python main java kotlin scala pkg internal crates packages apps".split()
)
_VAGUE = frozenset("get set use with make create parse base common test new old main".split())
BESIDE = frozenset(
    """example examples sample samples demo demos script scripts tool tools bench benches benchmark
    benchmarks docs doc build ci .github contrib integration misc""".split()
)
"""Top folders whose code is not part of the product: each is one module."""
_WORDS = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z0-9]+|[A-Z]+")
_FEATURES = frozenset({"authentication", "authorization", "payment", "search", "email", "admin"})
"""Concerns that join files of several layers into one feature even under different names."""


@dataclass
class Group:
    """The files of one module. `folders` are those whose new files belong to it."""

    name: str
    files: list[Source] = field(default_factory=list)
    folders: list[str] = field(default_factory=list)
    is_feature: bool = False


def grouped(sources: Sequence[Source], lines: Mapping[str, int], services: Iterable[str]) -> list[Group]:
    """Returns the code files of a repository in groups, in a fixed order; every file is in exactly one.

    `lines` are the line counts of the files, `services` the folders with a manifest of their own.
    """
    roots = sorted({*services, ""}, key=len, reverse=True)
    by_root: dict[str, list[Source]] = {}
    for source in sources:
        home = next(root for root in roots if not root or source.path.startswith(root + "/"))
        by_root.setdefault(home, []).append(source)
    total = sum(lines.get(source.path, 0) for source in sources)
    largest = max(SMALLEST, min(LARGEST, total // SHARE))
    while True:
        groups = [
            group for root in sorted(by_root) for group in _of_service(root, by_root[root], lines, largest)
        ]
        if len(groups) <= GROUPS_WANTED or largest > max(total, SMALLEST * len(sources)):
            break
        largest *= 2
    return _with_distinct_names(_merged(groups))


def _of_service(root: str, sources: list[Source], lines: Mapping[str, int], largest: int) -> Iterator[Group]:
    """Yields the groups of the files of one service."""
    inner: list[Source] = []
    auxiliary: dict[str, Group] = {}
    for source in sources:
        top = source.path[len(root) + 1 if root else 0 :].split("/")
        if len(top) > 1 and top[0].lower() in BESIDE:
            folder = f"{root}/{top[0]}" if root else top[0]
            auxiliary.setdefault(folder, Group(top[0], folders=[folder])).files.append(source)
        else:
            inner.append(source)
    features, rest = _features(inner)
    yield from features
    if rest:
        yield from _split(root, rest, lines, largest, root)
    yield from auxiliary.values()


# features across layers


def _features(sources: list[Source]) -> tuple[list[Group], list[Source]]:
    """Returns groups of files that are one feature in several layers, and the other files."""
    layered: dict[str, list[tuple[str, Source]]] = {}
    layers: set[str] = set()
    for source in sources:
        layer = _layer_of(source)
        if layer is None:
            continue
        layers.add(layer)
        key = _feature_key(source)
        if key:
            layered.setdefault(key, []).append((layer, source))
    if len(layers) < 2:
        return [], sources
    groups = []
    assigned: set[str] = set()
    for key in sorted(layered):
        members = layered[key]
        own = [source for source in sources if _owns(key, source) and _layer_of(source) is None]
        if len({layer for layer, _ in members}) + bool(own) < 2:
            continue
        files = [source for _, source in members] + own
        files = [source for source in files if source.path not in assigned]
        assigned |= {source.path for source in files}
        folders = sorted(
            {source.folder for source in own if _canonical(source.folder.rpartition("/")[2]) == key}
        )
        groups.append(Group(key, sorted(files, key=lambda source: source.path), folders, is_feature=True))
    return groups, [source for source in sources if source.path not in assigned]


def _layer_of(source: Source) -> str | None:
    """Returns the layer of a file: the nearest folder that is a layer. Folders of a feature have none."""
    return _layer_in(source.folder)


@lru_cache(_KEPT)
def _layer_in(folder: str) -> str | None:
    """Returns the technical layer that a folder is named after, None if none."""
    for part in reversed(folder.split("/")):
        single = _single(part.lower())
        if single in _TECHNICAL:
            return single
        if _canonical(part) in _FEATURES:
            return None
    return None


def _feature_key(source: Source) -> str:
    """Returns the feature of a file in a layer: by the folder below the layer, else by its name without the
    words for layers."""
    folder = source.folder.rpartition("/")[2]
    if _single(folder.lower()) not in LAYERS and _layer_of(source) is not None:
        return _canonical(folder)
    words = [_single(word.lower()) for word in _WORDS.findall(source.stem)]
    telling = [
        word for word in words if word not in LAYERS and word not in ("use", "index", "base", "init", "test")
    ]
    for word in telling:
        feature = _canonical(word)
        if feature in _FEATURES:
            return feature
    return _canonical("_".join(telling)) if telling else ""


def _owns(key: str, source: Source) -> bool:
    """Returns whether a file is in a folder of this feature."""
    return any(_canonical(part) == key for part in source.folder.split("/"))


@lru_cache(_KEPT)
def _canonical(word: str) -> str:
    """Returns the usual name of a feature: "auth", "login" and "jwt" are authentication."""
    plain = _single(word.lower())
    if plain in NAMES:
        return NAMES[plain]
    concerns = concerns_of(plain) & _FEATURES
    if len(concerns) == 1 and plain not in (
        "token",
        "price",
        "index",
        "query",
        "filter",
        "key",
        "user",
        "mail",
    ):
        return next(iter(concerns))
    return plain


def _single(word: str) -> str:
    """Returns the approximate singular of a word in folder and file names."""
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("sses", "xes", "ches", "shes")):
        return word[:-2]
    return (
        word[:-1] if word.endswith("s") and not word.endswith(("ss", "us", "is")) and len(word) > 3 else word
    )


# folders, split where they are large


def _split(
    folder: str,
    sources: list[Source],
    lines: Mapping[str, int],
    largest: int,
    service: str,
    *,
    is_top: bool = True,
) -> Iterator[Group]:
    """Yields a folder as one group, or its subfolders and large files as groups and the small ones as one."""
    direct = [source for source in sources if source.folder == folder]
    below: dict[str, list[Source]] = {}
    skip = len(folder) + 1 if folder else 0
    for source in sources:
        if source.folder != folder:
            part = source.path[skip:].split("/")[0]
            below.setdefault(f"{folder}/{part}" if folder else part, []).append(source)
    if len(below) == 1 and not direct and folder.rpartition("/")[2].lower() in _WRAPPERS:
        (only,) = below  # `apps` with nothing but `api` in it is called `api`
        yield from _split(only, sources, lines, largest, service, is_top=is_top)
        return
    size = sum(lines.get(source.path, 0) for source in sources)
    is_small = size <= largest and len(sources) <= FILES_TOGETHER * largest // SMALLEST
    if (is_small and not (is_top and below)) or len(sources) == 1:
        yield Group(_name_of(folder, service), sources, [folder])
        return
    for path in sorted(below):
        # a folder that only wraps the rest, such as src or the package inside it, counts as its parent
        wraps = path.rpartition("/")[2].lower() in _WRAPPERS or (len(below) == 1 and not direct)
        yield from _split(path, below[path], lines, largest, service, is_top=is_top and wraps)
    families: dict[str, list[Source]] = {}
    firsts = Counter(_first(source.stem) for source in direct)
    for source in direct:
        first = _first(source.stem)
        families.setdefault(
            first if first and firsts[first] >= RELATIVES else _family(source.stem), []
        ).append(source)
    rest: list[Source] = []
    big = largest // PART
    for key in sorted(families):
        files = families[key]
        alone = sum(lines.get(source.path, 0) for source in files) >= big and not _is_head(files[0])
        if alone and len(direct) > 1:
            yield Group(_family_name(key, [source.stem for source in files]), files)
        else:
            rest += files
    if rest:
        yield Group(_name_of(folder, service), rest, [folder])


def _family(stem: str) -> str:
    """Returns the common name of related files: `_auth`, `auth_utils` and `authUtils` are one family."""
    words = [word.lower() for word in _WORDS.findall(stem)]
    while len(words) > 1 and words[-1] in (
        "util",
        "utils",
        "impl",
        "types",
        "helpers",
        "internal",
        "base",
        "test",
    ):
        words.pop()
    return "_".join(words) or stem


def _family_name(key: str, stems: Sequence[str]) -> str:
    """Returns the name of a family: its word as a file writes it, else the shortest file name."""
    bare = sorted({stem.strip("_") for stem in stems}, key=lambda stem: (len(stem), stem))
    return key if len(bare) >= RELATIVES and _single(bare[0].lower()) != key else bare[0]


def _first(stem: str) -> str:
    """Returns the first word of a name if it is meaningful; empty for verbs and the like."""
    words = [_single(word.lower()) for word in _WORDS.findall(stem)]
    return words[0] if words and len(words[0]) > 2 and words[0] not in _VAGUE else ""


def _is_head(source: Source) -> bool:
    """Returns whether a file represents its whole folder."""
    return source.stem.lower() in ("__init__", "index", "mod", "lib", "main", "__main__", "package", "doc")


def _name_of(folder: str, service: str) -> str:
    """Returns a folder's own name; wrappers such as "src" are named after the folder around them."""
    parts = folder.split("/") if folder else []
    while len(parts) > 1 and parts[-1].lower() in _WRAPPERS and "/".join(parts) != service:
        parts.pop()
    if not parts or (len(parts) == 1 and parts[0].lower() in _WRAPPERS):
        return service.rpartition("/")[2] or (parts[0] if parts else "main")
    return parts[-1]


# names


def _merged(groups: list[Group]) -> list[Group]:
    """Returns the groups with the same feature of several services joined, if one is a frontend."""
    first: dict[str, Group] = {}
    merged: list[Group] = []
    for group in groups:
        key = _canonical(group.name)
        existing = first.get(key)
        has_feature = key in _FEATURES or group.is_feature
        if existing is None or not has_feature or not (_is_frontend(group) or _is_frontend(existing)):
            merged.append(group)
            if has_feature and existing is None:
                first[key] = group
            continue
        existing.files += group.files
        existing.folders += group.folders
    return merged


def _is_frontend(group: Group) -> bool:
    return any(source.role is Role.FRONTEND for source in group.files)


def _with_distinct_names(groups: list[Group]) -> list[Group]:
    """Gives groups distinct names: short if possible, with folders in front if two are the same."""
    for group in groups:
        clean = group.name.strip("._-") or group.name
        group.name = NAMES.get(clean.lower(), clean)
    by_name: dict[str, list[Group]] = {}
    for group in groups:
        by_name.setdefault(group.name.lower(), []).append(group)
    used = {name for name, same in by_name.items() if len(same) == 1}
    for name in sorted(by_name):
        same = by_name[name]
        for group in same if len(same) > 1 else ():
            group.name = _longer(group, used)
            used.add(group.name.lower())
    return groups


def _longer(group: Group, used_names: set[str]) -> str:
    """Returns a name of a group with more of its path, so that it is not used yet."""
    path = group.folders[0] if group.folders else f"{group.files[0].folder}/{group.name}"
    parts = [part for part in path.split("/") if part.lower() not in ("src", "lib", "main")] or [group.name]
    for count in range(2, len(parts) + 1):
        name = "/".join(parts[-count:])
        if name.lower() not in used_names:
            return name
    number = 2
    while f"{group.name} {number}".lower() in used_names:
        number += 1
    return group.name if group.name.lower() not in used_names else f"{group.name} {number}"
