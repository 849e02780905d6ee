"""Staleness: what is said of a file or a definition carries its hash, and is marked when that moves on."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from holdfast.domain.folders import ANCHORS, File, Folder, symbol_key, with_anchors
from holdfast.domain.kinds import KINDS
from holdfast.domain.memories import Memory
from holdfast.domain.places import Principal
from holdfast.domain.views import Context, Filter, View, compile_view
from holdfast.engine.ports import Reader

if TYPE_CHECKING:
    from holdfast.engine.admit import Admitted


OUTDATED = 0.6
"""What remains of the worth of a memory whose definition changed, or whose file is gone."""
DOUBTED = 0.85
"""The same where something in its file changed."""


def anchored(reader: Reader, principal: Principal, admitted: Admitted) -> Admitted:
    """The same with the hash that its file, and the definition it names, have now: as evidence, made here and
    never by a caller. Without, where no folder of its project has the file."""
    memory = admitted.memory
    if KINDS[memory.kind].is_evidence:
        return admitted
    found = anchors_of(reader, principal, memory)
    if not found and not any(name in memory.evidence for name in ANCHORS):
        return admitted
    return admitted.with_anchor(found)


def anchors_of(reader: Reader, principal: Principal, memory: Memory) -> dict[str, str]:
    """The hashes that its file, and the definition it names, have now; none where no folder of its project
    has the file."""
    path, project = memory.about_file, memory.place.project
    if path is not None and project is not None:
        view = compile_view(principal, Context(project=project))
        for folder in folders_shown(reader, view):
            if (file := file_at(reader, view, folder, path)) is not None:
                return _hashes(folder, file, memory)
    return {}


def renewed(reader: Reader, principal: Principal, memory: Memory) -> dict[str, str] | None:
    """The same if they are not those that it carries, None if there is nothing to renew: said again, it is
    said of the file as it is now."""
    found = {} if KINDS[memory.kind].is_evidence else anchors_of(reader, principal, memory)
    return found if found and with_anchors(memory.evidence, found) != memory.evidence else None


def folders_shown(reader: Reader, view: View) -> list[Folder]:
    """Folders that the view itself allows, not only their owner."""
    return [one for one in reader.folders(view) if view.allows(one.pool, one.numbers)]


def file_at(reader: Reader, view: View, folder: Folder, path: str) -> File | None:
    """The indexed file of a folder that a path names, whole or from its root on, or named before."""
    inside = path.removeprefix(folder.root.rstrip("/") + "/")
    found = reader.named_files(view, folder.id, [inside]).get(inside)
    return found if found is not None and found.sha256 is not None else None


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
    written, and passages that a person keeps of a text that is gone. What the view does not show has no say,
    and nobody is told the hashes of its files."""
    every = list(memories)
    asked: dict[str, set[str]] = {}
    for memory in every:
        source, path = _file_of(memory)
        if source is not None:
            asked.setdefault(source, set()).update(() if path is None else (path,))
    if not asked:
        return every
    plain = view.narrowed(Filter())
    states = {
        folder.id: _states(reader, plain, folder, asked[folder.id])
        for folder in folders_shown(reader, plain)
        if folder.id in asked
    }
    return [_marked(memory, states) for memory in every]


def _file_of(memory: Memory) -> tuple[str | None, str | None]:
    """The folder and path of the file that a memory speaks of, or is from and may have outlived."""
    if memory.kind != "passage":
        source, path = memory.evidence.get("file_source"), memory.about_file
    elif memory.pinned or memory.edited:
        source, path = memory.source, memory.metadata.get("path")
    else:
        return None, None
    return (source if isinstance(source, str) else None), (path if isinstance(path, str) else None)


def _states(reader: Reader, view: View, folder: Folder, paths: Collection[str]) -> dict[str, File | None]:
    inside = {path: path.removeprefix(folder.root.rstrip("/") + "/") for path in paths}
    found = reader.named_files(view, folder.id, list(inside.values()))
    return {path: found.get(name) for path, name in inside.items()}


def _marked(memory: Memory, states: Mapping[str, Mapping[str, File | None]]) -> Memory:
    source, path = _file_of(memory)
    known = states.get(source or "")
    if known is None:
        seen = with_anchors(memory.evidence, {})
        return memory if seen == memory.evidence else replace(memory, evidence=seen)
    if path is None or path not in known:
        return memory
    file = known[path]
    if memory.kind == "passage":
        return _kept(memory, path, file)
    why = _why(memory, path, file)
    if file is None or not why or not why.startswith(f"{path} was renamed to "):
        return replace(memory, stale=why)
    # what reads it is to look where the file is now
    return replace(memory, stale=why, metadata={**memory.metadata, "file": file.path})


def _kept(memory: Memory, path: str, file: File | None) -> Memory:
    """A passage that a person pinned or edited, with what became of its file since."""
    if memory.place.file is None:  # its text stands in no file any more
        if file is None or file.sha256 is None:
            return replace(memory, stale=f"{path} was removed")
        changed = f"{file.path} changed after this was kept"
        why = changed if file.path == path else f"{path} was renamed to {file.path}; {changed}"
        return replace(memory, stale=why, metadata={**memory.metadata, "path": file.path})
    if file is None or (file.number, file.path) == (memory.place.file, path):
        return memory
    now = file.path if file.number == memory.place.file else None
    why = f"{path} was renamed to {now or 'another name'}"
    metadata = memory.metadata if now is None else {**memory.metadata, "path": now}
    return replace(memory, stale=why, metadata=metadata)


def _why(memory: Memory, path: str, file: File | None) -> str | None:
    """What has changed since it was written, in words; None for nothing."""
    if file is None or file.sha256 is None:  # one that only cannot be read now has the hash of before
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
    for folder in folders_shown(reader, view.narrowed(Filter())) if paths else ():
        found |= reader.former_paths(view.narrowed(Filter()), folder.id, paths)
    return found


def holds(memory: Memory) -> float:
    """What remains of its worth: all, if what it speaks of is what it was, or only has another name; most, if
    its file changed and it names no definition, since nobody knows whether the change concerns it."""
    parts = [part for part in (memory.stale or "").split("; ") if part and "renamed to" not in part]
    if not parts:
        return 1.0
    is_certain = "symbol_sha256" in memory.evidence or any("was removed" in part for part in parts)
    return OUTDATED if is_certain else DOUBTED
