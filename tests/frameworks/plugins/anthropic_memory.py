"""Runs the tests of Anthropic's memory tool on files on `HoldfastMemoryTool`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import anthropic.lib.tools._beta_builtin_memory_tool as upstream
import pytest
from skipping import skipping

from holdfast import Memory
from holdfast.integrations.anthropic import AsyncHoldfastMemoryTool, HoldfastMemoryTool
from holdfast.integrations.documents import text_of

_TOOLS: dict[str, HoldfastMemoryTool] = {}


class Files:
    """What upstream's tests call on the folder of a tool."""

    def __init__(self, tool: HoldfastMemoryTool, path: str = "/memories") -> None:
        self._tool, self._path = tool, path

    def __truediv__(self, name: str) -> Any:
        return type(self)(self._tool, f"{self._path}/{name}")

    def write_bytes(self, data: bytes) -> None:
        self._tool._write(self._path, data.decode())

    def read_bytes(self) -> bytes:
        return self._tool._read(self._path, self._path).encode()

    def is_dir(self) -> bool:
        return self._path == "/memories"


class AsyncFiles(Files):
    """The same, awaited."""

    async def write_bytes(self, data: bytes) -> None:  # type: ignore[override]
        super().write_bytes(data)

    async def read_bytes(self) -> bytes:  # type: ignore[override]
        return super().read_bytes()

    async def is_dir(self) -> bool:  # type: ignore[override]
        return super().is_dir()


class Tool(HoldfastMemoryTool):
    """A tool over a store in the folder that a test passes."""

    def __init__(self, base_path: str) -> None:
        super().__init__(Memory(Path(base_path) / "memory.db", user="ana"))
        self.base_path = Path(base_path)
        self.memory_root = Files(self)
        _TOOLS[base_path] = self


class AsyncTool(AsyncHoldfastMemoryTool):
    """The same, awaited."""

    def __init__(self, base_path: str) -> None:
        super().__init__(Memory(Path(base_path) / "memory.db", user="ana"))
        self.base_path = Path(base_path)
        self.memory_root = AsyncFiles(self._tool)
        _TOOLS[base_path] = self._tool


def snapshot(base_path: str) -> dict[str, str]:
    """Returns all files of a tool, as the function of this purpose upstream does."""
    files = _TOOLS[base_path]._within("/memories")
    return {path.removeprefix("/"): text_of(record) for path, record in files.items()}


upstream.BetaLocalFilesystemMemoryTool = Tool
upstream.BetaAsyncLocalFilesystemMemoryTool = AsyncTool


def pytest_collection_finish(session: Any) -> None:
    """Puts our snapshot into the module of the tests."""
    for item in session.items:
        if hasattr(item.module, "get_directory_snapshot"):
            item.module.get_directory_snapshot = snapshot


@pytest.fixture(autouse=True)
def closes() -> Any:
    """Closes the stores of a test."""
    yield
    while _TOOLS:
        _TOOLS.popitem()[1]._files.memory.close()


_DISK = "about links and modes of files on the disk, of which there are none"
pytest_collection_modifyitems = skipping({
    "*symlink": _DISK,
    "*AsyncLocalFilesystemMemoryTool::test_view_preserves": _DISK,
    "*AsyncLocalFilesystemMemoryTool::test_str_replace_preserves": _DISK,
    "*AsyncLocalFilesystemMemoryTool::test_insert_preserves": _DISK,
    "test_mkdir_parents_not_world_writable_under_permissive_umask": _DISK,
    "test_view_error_for_files_with_too_many_lines": "a text may have a million characters",
})  # fmt: skip
