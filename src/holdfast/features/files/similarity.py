"""Matches removed files to changed files at other paths by their shared text."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping

Pieces = Mapping[int, int]
"""The hash of each distinctive line or clause of a text, with its characters; valid in one process only."""

ALIKE = 0.5
"""Share of the larger of two texts that both must contain, as for `git diff -M`."""
SHARED_MIN, SHARED_LEAST = 60, 3
"""Fewest characters and pieces that two texts must share: a few short lines are equal by chance."""
SPREAD = 3
"""Most files of one side that contain a piece; a more frequent one does not distinguish files."""
CLAUSE = 80
"""Characters above which a line is cut into clauses: a paragraph of prose is one line."""
LETTERS_MIN = 4
"""Fewest letters and digits of a piece: brackets and the like are not distinctive."""

_COMMENT = ("#", "//", "/*", "<!--", "--", ";", "%")
_BLOCKS = {"/*": "*/", "<!--": "-->"}
_CLAUSES = re.compile(r"(?<=[.!?;:,])\s+")
_IMPORT = re.compile(r"(?:from|import|use|using|package|require|include|export \*|#include|@import)\b")


def pieces_of(text: str) -> dict[int, int]:
    """Returns the lines of a text, long ones as clauses, without what unrelated files share: a leading
    comment such as a licence, and imports."""
    pieces: dict[int, int] = {}
    for line in _lines(text):
        for piece in _CLAUSES.split(line) if len(line) > CLAUSE else (line,):
            if sum(map(str.isalnum, piece)) >= LETTERS_MIN:
                pieces[hash(piece)] = len(piece)
    return pieces


def _lines(text: str) -> Iterator[str]:
    """Yields the lines of a text, without the comment at its start and its imports."""
    is_head, end = True, ""
    for raw in text.split("\n"):
        line = " ".join(raw.split())
        if is_head:
            if end:
                end = "" if end in line else end
                continue
            if not line or line.startswith(_COMMENT):
                opened = next((sign for sign in _BLOCKS if line.startswith(sign)), None)
                end = _BLOCKS[opened] if opened is not None and _BLOCKS[opened] not in line else ""
                continue
            is_head = False
        if not _IMPORT.match(line):
            yield line


def stem_of(path: str) -> str:
    """Returns the name of a file up to its first dot: `auth` for `src/auth.test.ts`."""
    name = path.rpartition("/")[2].lower()
    return name.partition(".")[0] or name


def suffix_of(path: str) -> str:
    """Returns the part of the file name after its last dot: `ts` for `src/auth.test.ts`."""
    return path.rpartition("/")[2].lower().rpartition(".")[2]


def may_be(old: str, new: str) -> bool:
    """Returns whether the names permit a rename: the same type or the same stem."""
    return suffix_of(old) == suffix_of(new) or stem_of(old) == stem_of(new)


def paired(pairs: Iterable[tuple[float, str, str]]) -> dict[str, str]:
    """Returns the old path of each new one, from (similarity 0 to 1, old, new): the best first, each file
    once.

    Of equally similar pairs, those with the same name and a nearby folder come first.
    """

    def order(pair: tuple[float, str, str]) -> tuple[float, bool, bool, int, str, str]:
        alike, old, new = pair
        return (-round(alike, 2), _name(old) != _name(new), stem_of(old) != stem_of(new),
                -_steps_shared(old, new), old, new)  # fmt: skip

    by_new: dict[str, str] = {}
    used: set[str] = set()
    for _, old, new in sorted(pairs, key=order):
        if old not in used and new not in by_new:
            used.add(old)
            by_new[new] = old
    return by_new


def _name(path: str) -> str:
    return path.rpartition("/")[2]


def _steps_shared(old: str, new: str) -> int:
    """Returns how many folders two paths share, counted from the top."""
    old_parts, new_parts = old.split("/")[:-1], new.split("/")[:-1]
    return next(
        (at for at, (a, b) in enumerate(zip(old_parts, new_parts, strict=False)) if a != b),
        min(len(old_parts), len(new_parts)),
    )


def likely(
    removed: Mapping[str, Pieces], added: Mapping[str, Pieces], common: Collection[int] = ()
) -> dict[str, str]:
    """Returns the old path of each new file that is a changed version of a removed one.

    Two files are compared by rare pieces: one that occurs in more than `SPREAD` files of either side, or is
    `common` in other files of the folder, is not counted. Only two files whose name is unique on both sides
    are compared by everything. The work grows with the texts, not with the pairs of files.
    """
    often = _often(removed.values()) | _often(added.values())
    often.update(common)
    holders: dict[int, list[str]] = {}
    sizes: dict[str, int] = {}
    for path, pieces in removed.items():
        rare = [piece for piece in pieces if piece not in often]
        sizes[path] = sum(pieces[piece] for piece in rare)
        for piece in rare:
            holders.setdefault(piece, []).append(path)
    pairs: list[tuple[float, str, str]] = []
    for new, pieces in added.items():
        shared: Counter[str] = Counter()
        times: Counter[str] = Counter()
        size = 0
        for piece, weight in pieces.items():
            if piece in often:
                continue
            size += weight
            for old in holders.get(piece, ()):
                shared[old] += weight
                times[old] += 1
        pairs += [
            (alike, old, new)
            for old, weight in shared.items()
            if may_be(old, new) and (alike := _alike(weight, times[old], max(size, sizes[old]))) >= ALIKE
        ]
    names = _alone(removed), _alone(added)
    for name in names[0].keys() & names[1].keys():
        old, new = names[0][name], names[1][name]
        both = removed[old].keys() & added[new].keys()
        weight = sum(added[new][piece] for piece in both)
        alike = _alike(weight, len(both), max(sum(removed[old].values()), sum(added[new].values())))
        if alike >= ALIKE:
            pairs.append((alike, old, new))
    return paired(pairs)


def _alike(weight: int, times: int, size: int) -> float:
    return weight / size if times >= SHARED_LEAST and weight >= SHARED_MIN else 0.0


def _often(files: Iterable[Pieces]) -> set[int]:
    """Returns the pieces that occur in more than `SPREAD` of the files."""
    return {
        piece
        for piece, count in Counter(piece for pieces in files for piece in pieces).items()
        if count > SPREAD
    }


def shared_by(files: Iterable[Pieces], least: int = 2) -> set[int]:
    """Returns the pieces that occur in at least `least` of some files."""
    counted = Counter(piece for pieces in files for piece in pieces)
    return {piece for piece, count in counted.items() if count >= least}


def _alone(paths: Iterable[str]) -> dict[str, str]:
    """Returns the paths with a unique file name, by name."""
    by_name: dict[str, list[str]] = {}
    for path in paths:
        by_name.setdefault(_name(path), []).append(path)
    return {name: several[0] for name, several in by_name.items() if len(several) == 1}
