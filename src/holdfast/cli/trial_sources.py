"""Sources that `holdfast try` reads besides a chat: documents and history of the current checkout."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from holdfast.cli import output
from holdfast.language.masking import without_private

COMMITS_MAX = 1_000

_HEADING = re.compile(r"#{1,4} +(.+)")


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a document under one heading; `id` is stable while headings stay in their order."""

    id: str
    file: str
    heading: str
    text: str

    def as_item(self) -> dict[str, Any]:
        """Returns the arguments of `remember`."""
        return {
            "text": self.text,
            "kind": "passage",
            "title": f"{self.file}: {self.heading}"[:300],
            "external_id": self.id,
            "origin": "file",
            "metadata": {"file": self.file},
        }


@dataclass(frozen=True, slots=True)
class Commit:
    """A commit of the history; `at` is UTC epoch milliseconds."""

    hash: str
    at: int
    message: str

    def as_item(self) -> dict[str, Any]:
        """Returns the arguments of `remember`."""
        return {
            "text": self.message,
            "kind": "passage",
            "external_id": f"git:{self.hash}",
            "origin": "file",
            "at": self.at,
            "metadata": {"commit": self.hash},
        }


def examples_folder() -> Path:
    """Returns the folder of the example export: in the installed package, or in the checkout."""
    package = Path(__file__).parents[1]
    installed = package / "examples"
    return installed if installed.is_dir() else package.parents[1] / "examples"


def checkout() -> Path | None:
    """Returns the folder of the checkout that this package runs from, or None if it is installed."""
    root = Path(__file__).parents[3]
    return root if (root / "pyproject.toml").is_file() and (root / "README.md").is_file() else None


def documents(root: Path, skip: Callable[[str, str], None] = lambda *_: None) -> list[Section]:
    """Yields the sections of the documents of a checkout. Calls `skip` with each file where a private block
    is never closed, and the reason: as in a folder, it extends to the end of its paragraph.
    """
    files = sorted([*root.glob("*.md"), *root.glob("docs/**/*.md")])
    return [section for file in files for section in _sections(file, file.relative_to(root).as_posix(), skip)]


def commits(root: Path) -> list[Commit]:
    """Returns the last commits of a checkout, newest first; none without git or a repository."""
    git = shutil.which("git")
    if git is None or not (root / ".git").exists():
        return []
    command = [git, "-C", str(root), "log", f"--max-count={COMMITS_MAX}", "--format=%H%x1f%ct%x1f%B%x1e"]
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
    history = []
    for entry in done.stdout.split("\x1e"):
        parts = entry.strip().split("\x1f")
        if len(parts) == 3 and parts[2].strip():
            history.append(Commit(parts[0], int(parts[1]) * 1000, parts[2].strip()))
    return history


def _sections(file: Path, name: str, skip: Callable[[str, str], None]) -> Iterator[Section]:
    """Yields the sections of a document, without blocks of type `text`, which hold the output of programs."""
    # while the text is whole: none of its parts shows where a private block ends
    text, privacy = without_private(file.read_text(encoding="utf-8", errors="replace"))
    if privacy.unclosed:
        skip(name, output.unclosed(privacy.unclosed))
    heading, lines, number, fenced, printed = file.stem, list[str](), 0, False, False
    for line in [*text.splitlines(), "# end"]:
        if line.lstrip().startswith("```"):
            fenced = not fenced
            printed = fenced and line.strip() == "```text"
        match = None if fenced else _HEADING.match(line)
        if match is None:
            lines += [] if printed else [line]
            continue
        if text := "\n".join(lines).strip():
            number += 1
            yield Section(f"{name}#{number}", name, heading, text)
        heading, lines = match[1].rstrip("#").rstrip(" ") or match[1], []
