"""Preparing: many files read and cut by another process, while this one does what is done with them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import IO, Any

from holdfast.extractors.chunking import Chunk, Symbol, cut
from holdfast.extractors.left import Left, left
from holdfast.extractors.reading import Extracted, read_file

_FEW = 16
"""Files for which no process is started."""
_AHEAD = 12
"""Files that are asked for before the first is answered: their longest paths still fit into a pipe, so
that nobody waits for the other for ever."""
_PIPE = 1 << 20
"""Bytes that are prepared ahead, where the system allows."""


@dataclass(frozen=True, slots=True)
class Prepared:
    """A file read and cut, or why not."""

    path: str
    read: Extracted | Left
    chunks: tuple[Chunk, ...] = ()
    symbols: tuple[Symbol, ...] = ()


def prepare(root: Path, path: str) -> Prepared:
    """Reads one file and cuts it, in this process; see `reading.read_file` and `chunking.cut`."""
    read = read_file(root, path)
    if isinstance(read, Left):
        return Prepared(path, read)
    chunks, symbols = cut(read.text, read.filetype, read.language)
    return Prepared(path, read, tuple(chunks), tuple(symbols))


def prepared(root: Path, paths: Iterable[str]) -> Iterator[Prepared]:
    """Each file prepared, in the order of `paths`, which may come one by one from a walk.

    After the first few another process does it, a little ahead, so that two cores are used. A file on which
    that process fails is left as "broken", and the next is read. Close the iterator to stop early.
    """
    waiting = iter(paths)
    for path in islice(waiting, _FEW):
        yield prepare(root, path)
    while True:
        first = next(waiting, None)
        if first is None:
            return
        yield from _apart(root, first, waiting)


def _apart(root: Path, first: str, waiting: Iterator[str]) -> Iterator[Prepared]:
    """Until all is done, or the process fails: what it had not yet begun is done here."""
    process = subprocess.Popen(
        # -P: no module is taken from the folder we happen to stand in
        [sys.executable, "-P", "-m", "holdfast.extractors.preparing", os.path.abspath(root)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, cwd="/",
    )  # fmt: skip
    assert process.stdin is not None
    assert process.stdout is not None
    _widen(process.stdout)
    asked: deque[str] = deque()
    has_failed = False
    try:
        _ask(process.stdin, first, asked)
        while asked:
            while len(asked) < _AHEAD and not has_failed and (path := next(waiting, None)) is not None:
                has_failed = not _ask(process.stdin, path, asked)
            answer = None if has_failed else _answer(process.stdout)
            if answer is None:
                yield Prepared(asked[0], left(asked.popleft(), "broken", "its reader failed on it"))
                yield from (prepare(root, asked.popleft()) for _ in range(len(asked)))
                return
            yield _built(asked.popleft(), answer)
    finally:
        process.kill()
        with suppress(OSError):
            process.stdin.close()
        process.stdout.close()
        process.wait()


def _ask(line: IO[bytes], path: str, asked: deque[str]) -> bool:
    asked.append(path)
    try:
        line.write(path.encode("utf-8", "surrogateescape") + b"\0")
        line.flush()
    except OSError:
        return False
    return True


def _answer(line: IO[bytes]) -> Any:
    head = line.read(8)
    if len(head) < 8:
        return None
    length = int.from_bytes(head, "big")
    body = line.read(length)
    return json.loads(body) if len(body) == length else None


def _built(path: str, answer: Any) -> Prepared:
    read, chunks, symbols = answer
    if len(read) == 2:
        return Prepared(path, left(path, *read))
    text, filetype, language, sha256, size, modified_at, notes = read
    return Prepared(
        path,
        Extracted(text, filetype, language, sha256, size, modified_at, tuple(notes)),
        tuple(
            Chunk(start, end, title, tuple(names), first, last)
            for start, end, title, names, first, last in chunks
        ),
        tuple(Symbol(*symbol) for symbol in symbols),
    )


def _plain(one: Prepared) -> Any:
    """What `_built` builds again on the other side."""
    read = one.read
    if isinstance(read, Left):
        return (read.reason_code, read.reason), (), ()
    return (
        (read.text, read.filetype, read.language, read.sha256, read.size, read.modified_at, read.notes),
        [(c.start, c.end, c.title, c.symbols, c.first_line, c.last_line) for c in one.chunks],
        [(s.name, s.kind, s.first_line, s.last_line, s.sha256) for s in one.symbols],
    )


def _widen(pipe: IO[bytes]) -> None:
    with suppress(ImportError, AttributeError, OSError):
        import fcntl

        fcntl.fcntl(pipe.fileno(), fcntl.F_SETPIPE_SZ, _PIPE)


def _serve(root: Path, asked: IO[bytes], answers: IO[bytes]) -> None:
    rest = b""
    while piece := os.read(asked.fileno(), 1 << 16):
        *paths, rest = (rest + piece).split(b"\0")
        for path in paths:
            one = prepare(root, path.decode("utf-8", "surrogateescape"))
            body = json.dumps(_plain(one)).encode()
            answers.write(len(body).to_bytes(8, "big") + body)
            answers.flush()


if __name__ == "__main__":
    _serve(Path(sys.argv[1]), sys.stdin.buffer, sys.stdout.buffer)
