"""Excerpts of documents that hold no secret: what the tagger would read of manuals and licences."""

from __future__ import annotations

import gzip
import random
from collections.abc import Iterator
from pathlib import Path
from zlib import crc32

from holdfast.language.secrets.find import proposals
from holdfast.language.secrets.part import PROSE
from holdfast.language.secrets.tagger.decide import is_read
from tools.secret_tagger.labelled import Labelled

_SUFFIXES = frozenset((".md", ".rst", ".txt", ".html", ".gz", ""))
_LARGEST = 400_000  # bytes of a file
_LONGEST = 1_200  # characters of an excerpt
_OF_A_FOLDER = 40  # excerpts of one package at most


def documents(folder: Path, count: int, *, part: int = 0, seed: int = 5) -> list[Labelled]:
    """Returns excerpts in which rules find no secret, of the documents below a folder: those of one half of
    the packages (folders in it), `part` 0 to learn from, 1 to measure."""
    rng = random.Random(seed)
    found: list[Labelled] = []
    for package in sorted(folder.iterdir()):
        if crc32(package.name.encode()) % 2 == part and package.is_dir() and not package.is_symlink():
            excerpts = [one for path in sorted(package.rglob("*")) for one in _excerpts(path)]
            found += rng.sample(excerpts, min(len(excerpts), _OF_A_FOLDER))
    return rng.sample(found, min(count, len(found)))


def _excerpts(path: Path) -> Iterator[Labelled]:
    if path.is_symlink() or not path.is_file() or path.suffix not in _SUFFIXES:
        return
    if path.stat().st_size > _LARGEST:
        return
    try:
        data = path.read_bytes()
        text = (gzip.decompress(data) if path.suffix == ".gz" else data).decode("utf-8")
    except (OSError, EOFError, UnicodeDecodeError):
        return
    lines, piece = text.split("\n"), ""
    for line in [*lines, None]:
        if line is None or len(piece) + len(line) > _LONGEST:
            if piece and is_read(piece) and all(kind == PROSE for _, _, kind in proposals(piece)[1]):
                yield Labelled(piece)
            piece = ""
        if line is not None:
            piece += line[:_LONGEST] + "\n"
