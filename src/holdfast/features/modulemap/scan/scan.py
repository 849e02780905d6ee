"""Builds a module map from a repository's files, imports, manifests and history (S4.4, S4.6)."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path

from holdfast.core.module_map import ENTRY_MAX, LIST_MAX, Module, ModuleMap, union
from holdfast.features.modulemap.findings import FILES_MAX, RENAMED_MAX, Scan
from holdfast.features.modulemap.scan.code import Code, read_code, sentence, summary_of
from holdfast.features.modulemap.scan.files import Listing, Reader, Role, Source, list_files
from holdfast.features.modulemap.scan.grouping import Group, grouped
from holdfast.features.modulemap.scan.history import History, history_of
from holdfast.features.modulemap.scan.infrastructure import infrastructure_of
from holdfast.features.modulemap.scan.manifests import Project, project_of
from holdfast.features.modulemap.scan.resolving import Resolver
from holdfast.features.modulemap.scan.seeds import seeds_of
from holdfast.features.modulemap.scan.tested import tested
from holdfast.language.terms import STOP_WORDS

SYMBOLS, KEYWORDS, DEPENDENCIES, RELATED = 100, 40, 20, 6
"""Most of each that a module lists."""
ROOT, TESTS, DOCS = "project", "tests", "docs"
"""Modules for files that belong to no other: manifests and CI, test support, documents."""
SYMBOLS_TOLD = 4
"""Definitions that stand for a description where the files have none."""
PROGRESS_EVERY = 500
"""Files between two reports of progress."""

Progress = Callable[[int, int], None]
"""A callback with the number of files read and the total."""


def scan(root: Path, project: str, *, progress: Progress | None = None) -> Scan:
    """Scans a repository into a map, from its files and its history, without a model (S4.4).

    The same files give the same map. Nothing of the repository is run and no link is followed; large, broken
    or unreadable files are noted. Raises InvalidInput for a root that is not a folder, `extra_missing`.
    """
    root = root.resolve()
    reader = Reader(root)
    listing = list_files(root)
    manifests = project_of(reader, listing.paths, root.name)
    return _Scan(root, project, reader, listing, manifests, progress).result()


class _Scan:
    """One scan; each step prepares the next."""

    def __init__(
        self,
        root: Path,
        project: str,
        reader: Reader,
        listing: Listing,
        manifests: Project,
        progress: Progress | None,
    ) -> None:
        self._project = project
        self._reader = reader
        self._listing = listing
        self._manifests = manifests
        self._sources = {source.path: source for source in listing.sources}
        self._codes = self._read(progress)
        self._imports, self._packages = self._resolve()
        self._history: History = history_of(root, listing.paths)
        self._used = Counter(path for files in self._imports.values() for path in files)

    def result(self) -> Scan:
        code = [
            source
            for source in self._listing.sources
            if source.is_code and source.role not in (Role.TEST, Role.CONFIG)
        ]
        front = [
            source for source in self._listing.sources if source.role is Role.FRONTEND and not source.is_code
        ]
        tests = [source for source in self._listing.sources if source.role is Role.TEST]
        roots = [service.path for service in self._manifests.services if service.path != "."]
        groups = grouped([*code, *front], {path: source.lines for path, source in self._codes.items()}, roots)
        groups = [group for group in groups if group.files]
        homes = {source.path: group.name for group in groups for source in group.files}
        homes |= tested([source for source in tests if source.is_code], groups, self._imports)
        self._place_rest(groups, homes)
        modules = self._modules(groups, homes)
        scanned_map = ModuleMap(
            self._project,
            modules,
            build_system=self._manifests.build_system,
            test_framework=self._manifests.test_framework,
            services=self._manifests.services,
            infrastructure=infrastructure_of(self._listing.paths, self._reader),
            conventions=self._manifests.conventions,
            monorepo=self._manifests.monorepo,
            notes=union((*self._listing.notes, *self._manifests.notes)),
        )
        files = tuple(sorted(path for path in self._listing.paths if len(path) <= ENTRY_MAX))
        seeds = seeds_of(
            self._reader, self._listing.paths, scanned_map.build_system, scanned_map.test_framework
        )
        renamed = {
            old: new
            for old, new in self._history.renamed.items()
            if len(old) <= ENTRY_MAX and len(new) <= ENTRY_MAX
        }
        return Scan(scanned_map, files[:FILES_MAX], tuple(seeds), dict(islice(renamed.items(), RENAMED_MAX)))

    def _read(self, progress: Progress | None) -> dict[str, Code]:
        """Reads the code of all source files, by path."""
        code_paths = [source.path for source in self._listing.sources if source.is_code]
        codes: dict[str, Code] = {}
        for count, (path, text) in enumerate(self._reader.texts(code_paths), 1):
            codes[path] = read_code(text, self._sources[path].language)
            if progress is not None and (count % PROGRESS_EVERY == 0 or count == len(code_paths)):
                progress(count, len(code_paths))
        return codes

    def _resolve(self) -> tuple[dict[str, list[str]], dict[str, list[str]]]:
        """Returns the imported files and the external packages of each source file."""
        resolver = Resolver(self._listing.paths, self._manifests.names)
        inside: dict[str, list[str]] = {}
        outside: dict[str, list[str]] = {}
        for path, code in self._codes.items():
            inside[path], outside[path] = resolver.resolved(path, self._sources[path].language, code.imports)
        return inside, outside

    def _place_rest(self, groups: list[Group], homes: dict[str, str]) -> None:
        """Assigns tests that test no module, configuration and documents to modules."""
        folders: dict[str, str] = {}
        for group in groups:
            for folder in group.folders:
                folders.setdefault(folder, group.name)
        extra: dict[str, Group] = {}
        for source in self._listing.sources:
            if source.path in homes:
                continue
            name = self._place_of(source, folders)
            if name is None:
                continue
            homes[source.path] = name
            if name not in {group.name for group in groups} and name not in extra:
                extra[name] = Group(name)
        groups += extra.values()

    def _place_of(self, source: Source, folders: Mapping[str, str]) -> str | None:
        """Returns the name of the module that a file outside of all groups belongs to, None if to none."""
        if source.role is Role.TEST:
            return TESTS
        if source.role is Role.OTHER:
            return None
        top = source.path.partition("/")[0].lower()
        if source.role is Role.DOC and top in ("doc", "docs", "documentation"):
            return DOCS
        folder = source.folder
        while folder:
            if folder in folders:
                return folders[folder]
            folder = folder.rpartition("/")[0]
        return ROOT

    def _modules(self, groups: Sequence[Group], homes: Mapping[str, str]) -> dict[str, Module]:
        """Returns the modules by name."""
        members: dict[str, list[Source]] = defaultdict(list)
        for path in sorted(homes):
            members[homes[path]].append(self._sources[path])
        related = self._related(homes)
        keywords = self._keywords(members)
        return {
            group.name: self._module(group, members[group.name], related[group.name], keywords[group.name])
            for group in groups
            if members[group.name]
        }

    def _module(self, group: Group, members: list[Source], related: list[str], keywords: list[str]) -> Module:
        """Returns a module with its files by role."""
        ordered = sorted(members, key=lambda source: (-self._weight(source), source.path))
        lists: dict[str, list[str]] = defaultdict(list)
        for source in ordered:
            role = (
                Role.ENTRY
                if source.path in self._manifests.entry_points and source.role is Role.CORE
                else source.role
            )
            if role is not Role.OTHER and len(source.path) <= ENTRY_MAX:
                lists[role.value].append(source.path)
        code = [
            source.path for source in ordered if source.path in self._codes and source.role is not Role.TEST
        ]
        module = Module(
            group.name,
            self._description(group, code, lists[Role.DOC.value]),
            folders=tuple(dict.fromkeys(group.folders)),
            dependencies=_most(
                Counter(source for path in code for source in self._packages[path]), DEPENDENCIES
            ),
            related_modules=tuple(related[:RELATED]),
            symbols=_spread([self._codes[path].symbols for path in code], SYMBOLS),
            keywords=tuple(keywords[:KEYWORDS]),
        )
        return replace(module, **{name: tuple(paths[:LIST_MAX]) for name, paths in lists.items()})  # type: ignore[arg-type]

    def _weight(self, source: Source) -> float:
        """Returns how central a file is: by its importers, its size, and its changes."""
        code = self._codes.get(source.path)
        lines = 0 if code is None else code.lines
        changes = self._history.changes[source.path]
        return round(
            2 * math.log1p(self._used[source.path]) + math.log1p(lines) + 0.5 * math.log1p(changes), 6
        )

    def _description(self, group: Group, code: Sequence[str], docs: Sequence[str]) -> str:
        """Returns the description of a module from its code, manifests or documents; empty without."""
        heads = [path for path in code if path.rpartition("/")[0] in group.folders and _is_head(path)]
        for path in (*heads, *code[:3]):
            if self._codes[path].summary:
                return self._codes[path].summary
        for folder in group.folders:
            if folder in self._manifests.descriptions:
                return sentence(self._manifests.descriptions[folder])
        for path in docs:
            if (
                path.rpartition("/")[2].lower().startswith("readme")
                and path.rpartition("/")[0] in group.folders
            ):
                lines = [
                    line
                    for line in self._reader.text(path, 4_000).split("\n")
                    if not line.startswith(("#", "!", "<", "=", "["))
                ]
                return summary_of('"""' + "\n".join(lines).strip(), "python")
        names = _spread([self._codes[path].symbols for path in code], SYMBOLS_TOLD)
        return f"Defines {', '.join(names)}." if names else ""

    def _related(self, homes: Mapping[str, str]) -> dict[str, list[str]]:
        """Returns the modules that a module uses, is used by, or is changed with, the closest first."""
        links: dict[str, dict[str, float]] = defaultdict(lambda: defaultdict(float))

        def link(first: str | None, second: str | None, weight: float) -> None:
            if first is not None and second is not None and first != second:
                links[first][second] += weight
                links[second][first] += weight

        for path, files in self._imports.items():
            if self._sources[path].role is Role.TEST:
                continue
            for file in files:
                link(homes.get(path), homes.get(file), 1.0)
        for (first, second), count in self._history.together.items():
            if count > 1 and first in self._codes and second in self._codes:
                link(homes.get(first), homes.get(second), min(count, 10) / 5)
        sizes = {name: sum(peers.values()) for name, peers in links.items()}
        # modules that are related to everything count less
        return defaultdict(
            list,
            {
                name: sorted(peers, key=lambda second: (-peers[second] / (1 + sizes[second]) ** 0.5, second))
                for name, peers in links.items()
            },
        )

    def _keywords(self, members: Mapping[str, Sequence[Source]]) -> dict[str, list[str]]:
        """Returns words that a module uses more than the others do, by tf-idf."""
        counts: dict[str, Counter[str]] = {}
        for name, files in members.items():
            counts[name] = Counter()
            for source in files:
                code = self._codes.get(source.path)
                if code is not None and source.role is not Role.TEST:
                    counts[name].update(code.words)
        spread = Counter(word for words in counts.values() for word in words)
        by_module: dict[str, list[str]] = {}
        for name, words in counts.items():
            weights = {
                word: (1 + math.log(count)) * math.log((1 + len(counts)) / spread[word])
                for word, count in words.items()
                if count > 1 and word not in STOP_WORDS
            }
            by_module[name] = sorted(weights, key=lambda word: (-round(weights[word], 6), word))
        return by_module


def _is_head(path: str) -> bool:
    return path.rpartition("/")[2].partition(".")[0] in ("__init__", "index", "mod", "lib", "main", "doc")


def _most(counts: Counter[str], limit: int) -> tuple[str, ...]:
    return tuple(sorted(counts, key=lambda name: (-counts[name], name))[:limit])


def _spread(lists: Iterable[Sequence[str]], limit: int) -> tuple[str, ...]:
    """Returns entries of several lists in turn, so that the first ones of each list are among them."""
    waiting = [list(entries) for entries in lists if entries]
    selected: dict[str, None] = {}
    spot = 0
    while waiting and len(selected) < limit:
        waiting = [entries for entries in waiting if len(entries) > spot]
        for entries in waiting:
            selected.setdefault(entries[spot])
        spot += 1
    return tuple(selected)[:limit]
