"""Staleness: what is said of a file or a definition carries its hash, and is marked when that moves on."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from holdfast.domain.folders import ANCHORS, File, FileState, Folder, symbol_key
from holdfast.domain.kinds import KINDS
from holdfast.domain.memories import Memory
from holdfast.domain.places import Principal
from holdfast.domain.views import Context, Filter, View, compile_view
from holdfast.engine.ports import Reader

if TYPE_CHECKING:
    from holdfast.engine.admit import Admitted


def anchored(reader: Reader, principal: Principal, admitted: Admitted) -> Admitted:
    """The same with the hash that its file, and the definition it names, have now: as evidence, made here and
    never by a caller. Without, where no folder of its project has the file."""
    memory = admitted.memory
    if KINDS[memory.kind].is_evidence:
        return admitted
    path, project = memory.about_file, memory.place.project
    found: dict[str, str] = {}
    if path is not None and project is not None:
        view = compile_view(principal, Context(project=project))
        for folder in _shown(reader, view):
            if (file := _named(reader, view, folder, path)) is not None:
                found = _hashes(folder, file, memory)
                break
    if not found and not any(name in memory.evidence for name in ANCHORS):
        return admitted
    return admitted.with_anchor(found)


def _shown(reader: Reader, view: View) -> list[Folder]:
    """Folders that the view itself allows, not only their owner."""
    return [one for one in reader.folders(view) if view.allows(one.pool, one.numbers)]


def _named(reader: Reader, view: View, folder: Folder, path: str) -> File | None:
    inside = path.removeprefix(folder.root.rstrip("/") + "/")
    found = reader.named_files(view, folder.id, [inside]).get(inside)
    return found if found is not None and found.state is FileState.INDEXED else None


def _hashes(folder: Folder, file: File, memory: Memory) -> dict[str, str]:
    found = {"file_source": folder.id, "file_sha256": file.sha256 or ""}
    if (name := _symbol(memory)) is not None and (digest := file.symbols.get(symbol_key(name))) is not None:
        found["symbol_sha256"] = digest
    return found


def _symbol(memory: Memory) -> str | None:
    """The definition that it is about, as it is known: `Session.refresh` for `def Session.refresh()`."""
    name = memory.metadata.get("symbol")
    if not isinstance(name, str) or not name.strip():
        return None
    return name.strip().split("(")[0].split()[-1].replace("::", ".").replace("#", ".")


def marked(reader: Reader, view: View, memories: Iterable[Memory]) -> list[Memory]:
    """The same memories, those marked as stale whose file or definition is not what it was when they were
    written. What the view does not show has no say."""
    every = list(memories)
    asked: dict[str, set[str]] = {}
    for memory in every:
        source, path = memory.evidence.get("file_source"), memory.about_file
        if isinstance(source, str) and path is not None:
            asked.setdefault(source, set()).add(path)
    if not asked:
        return every
    plain = view.narrowed(Filter())
    states = {
        folder.id: _states(reader, plain, folder, asked[folder.id])
        for folder in _shown(reader, plain)
        if folder.id in asked
    }
    return [_marked(memory, states) for memory in every]


def _states(reader: Reader, view: View, folder: Folder, paths: Collection[str]) -> dict[str, File | None]:
    inside = {path: path.removeprefix(folder.root.rstrip("/") + "/") for path in paths}
    found = reader.named_files(view, folder.id, list(inside.values()))
    return {path: found.get(name) for path, name in inside.items()}


def _marked(memory: Memory, states: Mapping[str, Mapping[str, File | None]]) -> Memory:
    known = states.get(str(memory.evidence.get("file_source")))
    path = memory.about_file
    if known is None or path is None or path not in known:
        return memory
    return replace(memory, stale=_why(memory, path, known[path]))


def _why(memory: Memory, path: str, file: File | None) -> str | None:
    """What has changed since it was written, in words; None for nothing."""
    if file is None or file.state is not FileState.INDEXED:
        return f"{path} was removed"
    parts = [] if path.endswith(file.path) else [f"{path} was renamed to {file.path}"]
    symbol, before = _symbol(memory), memory.evidence.get("symbol_sha256")
    if symbol is not None and before is not None:
        now = file.symbols.get(symbol_key(symbol))
        if now is None:
            parts.append(f"{symbol} was removed from {file.path}")
        elif now != before:
            parts.append(f"{symbol} in {file.path} changed after this was written")
    elif file.sha256 != memory.evidence.get("file_sha256"):
        parts.append(f"{file.path} changed after this was written")
    return "; ".join(parts) or None


def former_paths(reader: Reader, view: View, paths: Collection[str]) -> dict[str, str]:
    """What files of the view were called before, with what they are called now: so that what was said of the
    old path is found for the new one."""
    found: dict[str, str] = {}
    for folder in _shown(reader, view.narrowed(Filter())) if paths else ():
        found |= reader.former_paths(view.narrowed(Filter()), folder.id, paths)
    return found


def is_outdated(memory: Memory) -> bool:
    """Whether what it speaks of is not what it was; one whose file was only renamed holds as before."""
    return memory.stale is not None and not all("renamed to" in part for part in memory.stale.split("; "))
