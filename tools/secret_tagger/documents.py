"""Excerpts of documents that hold no secret: what the tagger would read of manuals and licences.

`python -m tools.secret_tagger.documents FOLDER` counts the excerpts that lose something, of the packages
whose documents are not learned from.
"""

from __future__ import annotations

import gzip
import random
import sys
import zlib
from collections.abc import Iterator
from pathlib import Path
from zlib import crc32

from holdfast.language.secrets.find import proposals, redact_all
from holdfast.language.secrets.part import PROSE
from holdfast.language.secrets.tagger.decide import may_read
from tools.secret_tagger.labelled import Labelled

_SUFFIXES = frozenset((".md", ".rst", ".txt", ".html", ".gz", ""))
_LARGEST = 400_000  # bytes of a file
_LONGEST = 1_200  # characters of an excerpt
_OF_A_FOLDER = 40  # excerpts of one package at most
_LEARNED = 4_000  # excerpts that are learned from at most


def documents(folder: Path) -> list[Labelled]:
    """Returns the excerpts that are learned from, of one half of the packages (folders in it)."""
    found = _of_half(folder, 0)
    return random.Random(5).sample(found, min(_LEARNED, len(found)))


def _of_half(folder: Path, half: int) -> list[Labelled]:
    """Returns excerpts in which rules find no secret, of the packages of a half."""
    rng = random.Random(5)
    found: list[Labelled] = []
    for package in sorted(folder.iterdir()):
        if crc32(package.name.encode()) % 2 == half and package.is_dir() and not package.is_symlink():
            excerpts = [one for path in sorted(package.rglob("*")) for one in _excerpts(path)]
            found += rng.sample(excerpts, min(len(excerpts), _OF_A_FOLDER))
    return found


def text_of(path: Path) -> str:
    """Returns the text of a document, compressed or not; nothing of what is none or too large."""
    if path.is_symlink() or not path.is_file() or path.suffix not in _SUFFIXES:
        return ""
    if path.stat().st_size > _LARGEST:
        return ""
    try:
        data = path.read_bytes()
        return (gzip.decompress(data) if path.suffix == ".gz" else data).decode("utf-8")
    except (OSError, EOFError, UnicodeDecodeError, zlib.error):
        return ""


def _excerpts(path: Path) -> Iterator[Labelled]:
    lines, piece = text_of(path).split("\n"), ""
    for line in [*lines, None]:
        if line is None or len(piece) + len(line) > _LONGEST:
            if may_read(piece.encode()) and all(kind == PROSE for _, _, kind in proposals(piece)[1]):
                yield Labelled(piece)
            piece = ""
        if line is not None:
            piece += line[:_LONGEST] + "\n"


def main() -> None:
    """Counts the excerpts of the other half that lose something."""
    texts = [one.text for one in _of_half(Path(sys.argv[1]), 1)]
    lost = sum(bool(types) for _, types in redact_all(texts))
    sys.stdout.write(f"{lost} of {len(texts)} excerpts lose something\n")


if __name__ == "__main__":
    main()
