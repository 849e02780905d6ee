"""Staleness: ties memories about files to hashes of these files, and marks them when the files change."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from holdfast.core.arguments import LIMIT_MAX
from holdfast.core.cursors import cursor_after
from holdfast.core.kinds import EVIDENCE, KINDS
from holdfast.core.places import Principal
from holdfast.core.record import Memory
from holdfast.core.staleness import ANCHORS, FileChange, Staleness, remaining, symbol_key, with_anchors
from holdfast.core.views import Context, Filter, View, compile_view
from holdfast.features.access.places import Selection, listed_view
from holdfast.features.service import Service
from holdfast.stores.base.ports import Page, Reader

if TYPE_CHECKING:
    from holdfast.core.folders import File, Folder
    from holdfast.stores.base.admitted import Admitted


def anchored(reader: Reader, principal: Principal, admitted: Admitted) -> Admitted:
    """Returns the text with the present hashes of its file and the definition it names, as evidence that no
    caller can set; without any if no folder of its project has the file."""
    memory = admitted.memory
    if KINDS[memory.kind].is_evidence:
        return admitted
    anchors = anchors_of(reader, principal, memory)
    if not anchors and not any(name in memory.evidence for name in ANCHORS):
        return admitted
    return admitted.with_anchor(anchors)


def anchors_of(reader: Reader, principal: Principal, memory: Memory) -> dict[str, str]:
    """Returns the present hashes of a memory's file and the definition it names; none if no folder of its
    project has the file."""
    path, project = memory.about_file, memory.place.project
    if path is not None and project is not None:
        view = compile_view(principal, Context(project=project))
        for folder in folders_shown(reader, view):
            if (file := file_at(reader, view, folder, path)) is not None:
                return _anchor_hashes(folder, file, memory)
    return {}


def renewed(reader: Reader, principal: Principal, memory: Memory) -> dict[str, str] | None:
    """Returns the present hashes if they differ from those of the memory, else None: the memory was stated
    again, so it is about the file as it is now."""
    anchors = {} if KINDS[memory.kind].is_evidence else anchors_of(reader, principal, memory)
    return anchors if anchors and with_anchors(memory.evidence, anchors) != memory.evidence else None


def folders_shown(reader: Reader, view: View) -> list[Folder]:
    """Returns the folders that the view itself allows, not only their owner."""
    return [folder for folder in reader.folders(view) if view.allows(folder.pool, folder.numbers)]


def file_at(reader: Reader, view: View, folder: Folder, path: str) -> File | None:
    """Returns the indexed file of a folder at a path: absolute, relative to the root, or a former path."""
    inside = path.removeprefix(folder.root.rstrip("/") + "/")
    file = reader.named_files(view, folder.id, [inside]).get(inside)
    return file if file is not None and file.digest is not None else None


def _anchor_hashes(folder: Folder, file: File, memory: Memory) -> dict[str, str]:
    hashes = {"file_source": folder.id, "file_sha256": file.digest or ""}
    if (name := _symbol(memory)) is not None and (digest := file.symbols.get(symbol_key(name))) is not None:
        hashes["symbol_sha256"] = digest
    return hashes


def _symbol(memory: Memory) -> str | None:
    """Returns the name of the definition that a memory is about: `Session.refresh` for `def
    Session.refresh()`."""
    name = memory.metadata.get("symbol")
    if not isinstance(name, str) or not name.strip():
        return None
    return name.strip().split("(")[0].split()[-1].replace("::", ".").replace("#", ".")


def with_staleness(reader: Reader, view: View, memories: Iterable[Memory]) -> list[Memory]:
    """Returns the memories, those marked as stale whose file or definition has changed since, and passages
    that a person keeps of a deleted text. Only files that the view shows count, and no caller gets their
    hashes."""
    return [memory for memory, _ in compared(reader, view, memories)]


def compared(reader: Reader, view: View, memories: Iterable[Memory]) -> list[tuple[Memory, Staleness | None]]:
    """Returns the memories as `marked` does, each with the change of its file; None if there is none."""
    every = list(memories)
    paths_by_source: dict[str, set[str]] = {}
    for memory in every:
        source, path = _file_of(memory)
        if source is not None:
            paths_by_source.setdefault(source, set()).update(() if path is None else (path,))
    if not paths_by_source:
        return [(memory, None) for memory in every]
    plain = view.narrowed(Filter())
    states = {
        folder.id: _files_by_path(reader, plain, folder, paths_by_source[folder.id])
        for folder in folders_shown(reader, plain)
        if folder.id in paths_by_source
    }
    return [_compare(memory, states) for memory in every]


def _file_of(memory: Memory) -> tuple[str | None, str | None]:
    """Returns folder and path of the file that a memory is about, or that a kept passage comes from."""
    if memory.kind != "passage":
        source, path = memory.evidence.get("file_source"), memory.about_file
    elif memory.pinned or memory.edited:
        source, path = memory.source, memory.metadata.get("path")
    else:
        return None, None
    return (source if isinstance(source, str) else None), (path if isinstance(path, str) else None)


def _files_by_path(
    reader: Reader, view: View, folder: Folder, paths: Collection[str]
) -> dict[str, tuple[str, File | None]]:
    """Returns each path relative to the root, with the file that has or had it."""
    inside = {path: path.removeprefix(folder.root.rstrip("/") + "/") for path in paths}
    files = reader.named_files(view, folder.id, list(inside.values()))
    return {path: (name, files.get(name)) for path, name in inside.items()}


def _compare(
    memory: Memory, states: Mapping[str, Mapping[str, tuple[str, File | None]]]
) -> tuple[Memory, Staleness | None]:
    """Returns a memory with what its file has become, and the change of the file, None without one."""
    source, path = _file_of(memory)
    files = states.get(source or "")
    if files is None:
        evidence = with_anchors(memory.evidence, {})
        return (memory if evidence == memory.evidence else replace(memory, evidence=evidence)), None
    if path is None or path not in files:
        return memory, None
    inside, file = files[path]
    is_passage = memory.kind == "passage"
    is_renamed = file is not None and file.path != inside
    staleness = (
        _change_of_kept_passage(memory, path, file)
        if is_passage
        else _change_of_file(memory, path, file, is_renamed)
    )
    if staleness is None:
        return memory, None
    metadata = memory.metadata
    if staleness.is_renamed and staleness.now is not None:  # readers should look at the present path
        metadata = {**metadata, "path" if is_passage else "file": staleness.now}
    stale = str(staleness) if remaining(staleness) < 1 else None  # a rename alone leaves nothing to look at
    return replace(memory, stale=stale, metadata=metadata), staleness


def _change_of_kept_passage(memory: Memory, path: str, file: File | None) -> Staleness | None:
    """Returns the change of the file of a passage that a person pinned or edited."""
    if memory.place.file is None:  # its text is in no file any more
        if file is None or file.digest is None:
            return Staleness(FileChange.REMOVED, path, is_kept=True)
        return Staleness(FileChange.FILE_CHANGED, path, file.path, is_renamed=file.path != path, is_kept=True)
    if file is None or (file.number, file.path) == (memory.place.file, path):
        return None
    now = file.path if file.number == memory.place.file else None
    return Staleness(FileChange.RENAMED, path, now, is_renamed=True, is_kept=True)


def _change_of_file(memory: Memory, path: str, file: File | None, is_renamed: bool) -> Staleness | None:
    """Returns the change of a memory's file since the memory was written."""
    if file is None or file.digest is None:  # a file that is only unreadable keeps its hash
        return Staleness(FileChange.REMOVED, path)
    symbol, before = _symbol(memory), memory.evidence.get("symbol_sha256")
    change = FileChange.RENAMED if is_renamed else None
    if symbol is not None and before is not None:
        now = file.symbols.get(symbol_key(symbol))
        if now is None:
            change = FileChange.SYMBOL_REMOVED
        elif now != before:
            change = FileChange.SYMBOL_CHANGED
    elif file.digest != memory.evidence.get("file_sha256"):
        change = FileChange.FILE_CHANGED
    return None if change is None else Staleness(change, path, file.path, symbol, is_renamed)


def former_paths(reader: Reader, view: View, paths: Collection[str]) -> dict[str, str]:
    """Returns the former paths of files of the view, each with the present one, so that memories about the
    former path are found as well."""
    paths_now: dict[str, str] = {}
    for folder in folders_shown(reader, view.narrowed(Filter())) if paths else ():
        paths_now |= reader.former_paths(view.narrowed(Filter()), folder.id, paths)
    return paths_now


def stale_page(service: Service, selection: Selection, *, limit: int, cursor: str | None) -> Page:
    """Returns a page of the memories of one view about files that have changed since, most recently recorded
    first; renamed files do not count."""
    now = service.clock()
    kinds = tuple(KINDS.keys() - EVIDENCE) if selection.kinds is None else selection.kinds
    stale: list[Memory] = []
    with service.store.read() as snap:
        view = listed_view(snap, service.principal, replace(selection, kinds=kinds))
        while True:
            page = snap.page(view, limit=LIMIT_MAX, cursor=cursor, now=now)
            stale += [
                memory for memory, change in compared(snap, view, page.memories) if remaining(change) < 1
            ]
            cursor = page.cursor
            if cursor is None or len(stale) > limit:
                break
    return Page(stale[:limit], cursor_after(stale, limit))
