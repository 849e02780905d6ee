"""Detects renamed files, unchanged or changed, among added and removed files (S1.67)."""

from __future__ import annotations

import os
from bisect import bisect_left
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, product
from pathlib import Path
from typing import TypeVar

from holdfast.core.folders import File, FileState, Folder
from holdfast.core.views import View, personal_view
from holdfast.features.admission.digests import keyed_digest
from holdfast.features.files.file_ingest import Item
from holdfast.features.files.similarity import (
    Pieces,
    likely,
    paired,
    pieces_of,
    shared_by,
    stem_of,
    suffix_of,
)
from holdfast.features.service import Service
from holdfast.stores.base.ports import Reader

Candidate = TypeVar("Candidate")

FILES_MAX = 4_000
"""Most files of one side that are compared in one update."""
BYTES_MAX = 32 << 20
"""Most bytes of these files in total."""
FILE_BYTES_MAX = 4 << 20
"""Most bytes of a file that is compared."""
TIMES = 4
"""Highest ratio of the sizes of two files, unless they have the same name."""
AT_ONCE = 100
"""Most files whose passages are read together."""
OTHERS_MAX, ROWS_MAX = 40, 1_000
"""Most other files of a folder that show what is common there, and rows that are read to find them."""
SAME_MAX = 2_500
"""Most pairs of files with the same text that are compared."""
PLACES = 4
"""Most folders of removed files in which such files are looked for, in addition to the root."""


def renamed(
    service: Service, folder: Folder, removed: Sequence[File], added: Sequence[Item]
) -> dict[str, File]:
    """Returns the removed file at each new path that it was renamed to.

    Equal texts match first, then sufficiently similar ones (`similarity`): for a removed file by its stored
    passages, for a new one by its text on disk. Documents and files beyond the limits only match by equal
    text, which is handled elsewhere. Each file is paired once, and the same files give the same pairs.
    """
    before = {file.path: file for file in removed if file.digest is not None}
    if not before or not added:
        return {}
    contents = dict(_read(service, folder, _worth_reading(before.values(), added)))
    pairs = _same(before, contents)
    moved = {*pairs.values()}
    unmatched = {path: file for path, file in before.items() if path not in moved}
    pairs |= _changed(
        service, folder, unmatched, {path: content for path, content in contents.items() if path not in pairs}
    )
    return {new: before[old] for new, old in pairs.items()}


def _same(removed: Mapping[str, File], added: Mapping[str, _NewFile]) -> dict[str, str]:
    """Returns the old paths of new files that have the text of a removed one."""
    before: dict[str, list[str]] = {}
    now: dict[str, list[str]] = {}
    for path, file in sorted(removed.items()):
        before.setdefault(file.digest or "", []).append(path)
    for path, content in sorted(added.items()):
        if content.digest in before:
            now.setdefault(content.digest, []).append(path)
    pairs: list[tuple[float, str, str]] = []
    for digest, new in now.items():
        old = before[digest]
        # very many files of one text are paired by name order, which a renamed folder preserves
        every = product(old, new) if len(old) * len(new) <= SAME_MAX else zip(old, new, strict=False)
        pairs += ((1.0, content, new_path) for content, new_path in every)
    return paired(pairs)


def _worth_reading(removed: Collection[File], added: Sequence[Item]) -> list[Item]:
    """Returns the new files that may be a removed one; those of equal size first."""
    sizes = {file.size for file in removed}
    may_be = _likeness((file.path, file.size) for file in removed)
    candidates = [item for item in added if item.size in sizes or may_be(item.path, item.size)]
    return _within(
        sorted(candidates, key=lambda item: (item.size not in sizes, item.path)), lambda item: item.size
    )


def _likeness(files: Iterable[tuple[str, int]]) -> Callable[[str, int], bool]:
    """Returns a check whether a file of this path and size may be one of the files, by name, type and
    size."""
    stems: set[str] = set()
    sizes: dict[str, list[int]] = {}
    for path, size in files:
        stems.add(stem_of(path))
        sizes.setdefault(suffix_of(path), []).append(size)
    for group in sizes.values():
        group.sort()

    def may_be(path: str, size: int) -> bool:
        candidates = sizes.get(suffix_of(path), [])
        at = bisect_left(candidates, size / TIMES)
        return stem_of(path) in stems or (at < len(candidates) and candidates[at] <= size * TIMES)

    return may_be


def _within(candidates: Iterable[Candidate], size_of: Callable[[Candidate], int]) -> list[Candidate]:
    """Returns the first candidates that together stay within the limit of bytes."""
    selected: list[Candidate] = []
    remaining = BYTES_MAX
    for candidate in candidates:
        size = size_of(candidate)
        if size <= min(remaining, FILE_BYTES_MAX) and len(selected) < FILES_MAX:
            selected.append(candidate)
            remaining -= size
    return selected


@dataclass(frozen=True, slots=True)
class _NewFile:
    """The content of a new file on disk."""

    size: int
    digest: str
    pieces: Pieces


def _read(service: Service, folder: Folder, items: Iterable[Item]) -> Iterator[tuple[str, _NewFile]]:
    """Yields each text file by its path."""
    from holdfast.features.reading.file_reader import read_file
    from holdfast.features.reading.skip_reasons import Skipped
    from holdfast.features.reading.types import type_of

    key = service.store.digest_key
    for item in items:
        if type_of(item.path).form != "text":  # reading a document takes up to 20 seconds
            continue
        try:
            extracted = read_file(Path(folder.root), item.path)
        except Exception:  # said where the file is prepared
            continue
        if not isinstance(extracted, Skipped):
            digest = keyed_digest(key, extracted.sha256)
            yield item.path, _NewFile(extracted.size, digest, pieces_of(extracted.text))


def _changed(
    service: Service, folder: Folder, removed: Mapping[str, File], added: Mapping[str, _NewFile]
) -> dict[str, str]:
    """Returns the old paths of new files that are changed versions of removed ones.

    A file that is merely excluded from now on is still on disk and was not renamed.
    """
    may_be = _likeness((path, content.size) for path, content in added.items())
    candidates = [
        file
        for path, file in sorted(removed.items())
        if may_be(path, file.size) and not os.path.lexists(os.path.join(folder.root, path))
    ]
    if not candidates:
        return {}
    compared = _within(candidates, lambda file: file.size)
    view = personal_view(service.principal)
    with service.store.read() as snap:
        old = _stored_pieces(snap, view, folder, compared)
        common = shared_by(
            _stored_pieces(snap, view, folder, _other_files(snap, view, folder, compared)).values()
        )
    return likely(old, {path: content.pieces for path, content in added.items()}, common)


def _stored_pieces(reader: Reader, view: View, folder: Folder, files: Sequence[File]) -> dict[str, Pieces]:
    """Returns the pieces of files by path, from their stored passages."""
    by_path: dict[str, Pieces] = {}
    for first in range(0, len(files), AT_ONCE):
        part = {file.number: file.path for file in files[first : first + AT_ONCE]}
        texts: dict[int | None, list[tuple[int, str]]] = {}
        for memory in reader.chunks(view, folder.id, part):
            texts.setdefault(memory.place.file, []).append(
                (int(memory.metadata.get("start", 0)), memory.text)
            )
        for number, passages in texts.items():
            if number in part:
                by_path[part[number]] = pieces_of("\n".join(text for _, text in sorted(passages)))
    return by_path


def _other_files(reader: Reader, view: View, folder: Folder, removed: Sequence[File]) -> list[File]:
    """Returns other files of the same types, from the same folders and the whole: they show what is common
    here, such as a licence or generated code."""
    types = {suffix_of(file.path) for file in removed}
    numbers = {file.number for file in removed}
    places = dict.fromkeys(["", *(f"{file.path.rpartition('/')[0]}/".lstrip("/") for file in removed)])
    by_number: dict[int, File] = {}
    for place in list(places)[: PLACES + 1]:
        neighbours = (
            file
            for file in reader.files(view, folder.id, states={FileState.INDEXED}, after=place, limit=ROWS_MAX)
            if file.number not in numbers and suffix_of(file.path) in types and file.size <= FILE_BYTES_MAX
        )
        by_number |= {file.number: file for file in islice(neighbours, OTHERS_MAX)}
    return list(by_number.values())
