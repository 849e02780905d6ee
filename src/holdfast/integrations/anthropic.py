"""`HoldfastMemoryTool`, Anthropic's memory tool over a memory: Claude's files below /memories, in a store."""

from __future__ import annotations

import asyncio
import posixpath
from typing import Any

from anthropic.lib.tools import BetaAbstractMemoryTool, BetaAsyncAbstractMemoryTool, ToolError

from holdfast.api.memory import Memory
from holdfast.core.errors import InvalidInput
from holdfast.core.record import Memory as Record
from holdfast.integrations.documents import Documents, text_of

ROOT = "/memories"
LINES_MAX = 999_999
_WIDTH = 6
_NEARBY = 2
"""Lines before and after a change that are shown with it."""
_LEVELS = 2
"""Levels below a directory that are listed."""


class HoldfastMemoryTool(BetaAbstractMemoryTool):
    """The commands of Claude's memory tool on documents of a memory instead of files on the disk.

    Pass it in `tools` of `client.beta.messages.run_tools`. Paths lead nowhere outside of /memories, and to no
    file system. Each version of a file is in its history, and what Claude deletes can be restored.
    """

    def __init__(self, memory: Memory, *, project: str | None = None, **options: Any) -> None:
        super().__init__(**options)
        self._files = Documents(memory, "memory-tool", project=project)

    def view(self, command: Any) -> str:
        """Returns the lines of a file, or what is in a directory, two levels deep."""
        path = _checked(command.path)
        record = self._files.get(path)
        if record is None:
            return self._listing(path, command.path)
        lines = text_of(record).split("\n")
        if len(lines) > LINES_MAX:
            raise ToolError(f"File {command.path} exceeds maximum line limit of {LINES_MAX:,} lines.")
        first, last = 1, len(lines)
        if command.view_range and len(command.view_range) == 2:
            first = max(1, command.view_range[0])
            last = last if command.view_range[1] == -1 else command.view_range[1]
        shown = _with_line_numbers(lines[first - 1 : last], first)
        return f"Here's the content of {command.path} with line numbers:\n{shown}"

    def create(self, command: Any) -> str:
        """Creates a file."""
        path = _checked(command.path)
        if self._exists(path):
            raise ToolError(f"File {command.path} already exists")
        self._check_parents(path)
        self._write(path, command.file_text)
        return f"File created successfully at: {command.path}"

    def str_replace(self, command: Any) -> str:
        """Replaces a text that occurs once in a file."""
        path = _checked(command.path)
        text, old = self._read(path, command.path), command.old_str
        lines = [text.count("\n", 0, at) + 1 for at in _occurrences(text, old)]
        if not lines:
            raise ToolError(
                f"No replacement was performed, old_str `{old}` did not appear verbatim in {command.path}."
            )
        if len(lines) > 1:
            raise ToolError(
                f"No replacement was performed. Multiple occurrences of old_str `{old}` in lines: "
                f"{', '.join(map(str, lines))}. Please ensure it is unique"
            )
        text = text.replace(old, command.new_str or "", 1)
        self._write(path, text)
        first = max(1, lines[0] - _NEARBY)
        snippet = _with_line_numbers(text.split("\n")[first - 1 : lines[0] + _NEARBY], first)
        return (
            "The memory file has been edited. Here is the snippet showing the change (with line numbers):\n"
            f"{snippet}"
        )

    def insert(self, command: Any) -> str:
        """Inserts lines after a line of a file; 0 is the beginning."""
        path = _checked(command.path)
        lines = self._read(path, command.path).split("\n")
        if lines[-1] == "":
            lines.pop()
        if not 0 <= command.insert_line <= len(lines):
            raise ToolError(
                f"Invalid `insert_line` parameter: {command.insert_line}. "
                f"It should be within the range [0, {len(lines)}]."
            )
        lines.insert(command.insert_line, command.insert_text.rstrip("\n"))
        self._write(path, "\n".join(lines) + "\n")
        return f"The file {command.path} has been edited."

    def delete(self, command: Any) -> str:
        """Deletes a file, or a directory with all that is in it."""
        path = _checked(command.path)
        if path == ROOT:
            raise ToolError("Cannot delete the /memories directory itself")
        within = self._within(path)
        if not within:
            raise ToolError(f"The path {command.path} does not exist")
        for name in within:
            self._files.delete(name)
        return f"Successfully deleted {command.path}"

    def rename(self, command: Any) -> str:
        """Renames or moves a file, or a directory with all that is in it."""
        old, new = _checked(command.old_path), _checked(command.new_path)
        if old == ROOT:
            raise ToolError("Cannot rename the /memories directory itself")
        if self._exists(new):
            raise ToolError(f"The destination {command.new_path} already exists")
        within = self._within(old)
        if not within:
            raise ToolError(f"The path {command.old_path} does not exist")
        if new.startswith(f"{old}/"):
            raise ToolError(f"Cannot move {command.old_path} into itself")
        self._check_parents(new)
        for name, record in within.items():
            self._write(new + name.removeprefix(old), text_of(record))
            self._files.delete(name)
        return f"Successfully renamed {command.old_path} to {command.new_path}"

    def clear_all_memory(self) -> str:
        """Deletes all files."""
        for name in self._within(ROOT):
            self._files.delete(name)
        return "All memory cleared"

    def _within(self, path: str) -> dict[str, Record]:
        """Returns the file with a path, or the files in the directory with this path, by their paths."""
        files = {str(record.metadata["path"]): record for record in self._files.all()}
        return {name: files[name] for name in sorted(files) if name == path or name.startswith(f"{path}/")}

    def _exists(self, path: str) -> bool:
        return path == ROOT or bool(self._within(path))

    def _check_parents(self, path: str) -> None:
        """Raises ToolError if a directory of a path is a file."""
        parent = posixpath.dirname(path)
        while parent != ROOT:
            if self._files.get(parent) is not None:
                raise ToolError(f"The path {parent} is not a directory.")
            parent = posixpath.dirname(parent)

    def _read(self, path: str, display_path: str) -> str:
        """Returns the content of a file. Raises ToolError in the words of the tool's specification."""
        record = self._files.get(path)
        if record is not None:
            return text_of(record)
        if self._exists(path):
            raise ToolError(f"The path {display_path} is not a file.")
        raise ToolError(f"The path {display_path} does not exist. Please provide a valid path.")

    def _write(self, path: str, text: str) -> None:
        try:
            self._files.put(path, text, {"path": path})
        except InvalidInput as error:
            raise ToolError(f"The file was not written: {error.in_full}") from None

    def _listing(self, path: str, display_path: str) -> str:
        """Returns the files below a folder with their sizes, as the tool's specification wants them."""
        within = self._within(path)
        if not within and path != ROOT:
            raise ToolError(f"The path {display_path} does not exist. Please provide a valid path.")
        sizes = {"": 0}
        for name, record in within.items():
            parts = name.removeprefix(f"{path}/").split("/")
            if any(part.startswith(".") for part in parts):
                continue
            size = len(text_of(record).encode())
            for depth in range(len(parts) + 1):
                key = "/".join(parts[:depth]) + ("/" if 0 < depth < len(parts) else "")
                if depth <= _LEVELS:
                    sizes[key] = sizes.get(key, 0) + size
        lines = [
            f"{_size(size)}\t{display_path}{'/' if key else ''}{key}" for key, size in sorted(sizes.items())
        ]
        header = (
            f"Here're the files and directories up to 2 levels deep in {display_path},"
            " excluding hidden items:"
        )
        return "\n".join((header, *lines))


class AsyncHoldfastMemoryTool(BetaAsyncAbstractMemoryTool):
    """A `HoldfastMemoryTool` for `AsyncAnthropic`; each command runs in a thread."""

    def __init__(self, memory: Memory, *, project: str | None = None, **options: Any) -> None:
        super().__init__(**options)
        self._tool = HoldfastMemoryTool(memory, project=project)

    async def view(self, command: Any) -> str:
        return await asyncio.to_thread(self._tool.view, command)

    async def create(self, command: Any) -> str:
        return await asyncio.to_thread(self._tool.create, command)

    async def str_replace(self, command: Any) -> str:
        return await asyncio.to_thread(self._tool.str_replace, command)

    async def insert(self, command: Any) -> str:
        return await asyncio.to_thread(self._tool.insert, command)

    async def delete(self, command: Any) -> str:
        return await asyncio.to_thread(self._tool.delete, command)

    async def rename(self, command: Any) -> str:
        return await asyncio.to_thread(self._tool.rename, command)

    async def clear_all_memory(self) -> str:
        return await asyncio.to_thread(self._tool.clear_all_memory)


def _checked(path: str) -> str:
    """Returns the path in its shortest form. Raises ToolError for one that is not below /memories."""
    if path != ROOT and not path.startswith(f"{ROOT}/"):
        raise ToolError(f"Path must start with /memories, got: {path}")
    plain = posixpath.normpath(path)
    if plain != ROOT and not plain.startswith(f"{ROOT}/"):
        raise ToolError(f"Path {path} would escape /memories directory")
    if not plain.isprintable():
        raise ToolError(f"Path {path!r} has characters that cannot be shown")
    return plain


def _occurrences(text: str, part: str) -> list[int]:
    """Returns the positions of a part in a text, overlapping ones too; none for an empty part."""
    positions, at = [], text.find(part) if part else -1
    while at != -1:
        positions.append(at)
        at = text.find(part, at + 1)
    return positions


def _with_line_numbers(lines: list[str], first: int) -> str:
    return "\n".join(f"{number:>{_WIDTH}}\t{line}" for number, line in enumerate(lines, first))


def _size(size: float) -> str:
    unit = next(unit for unit in "BKM" if size < 1024 or unit == "M" or not (size := size / 1024))
    return f"{size:.1f}".removesuffix(".0") + unit
