"""Symbols of maps compared with what tree-sitter finds: `python -m benchmarks.map_symbols FOLDER...`

Right is a symbol that tree-sitter has as a definition in the same file, at any depth. Found is a definition
at the top of a file that is a symbol; of JavaScript these include `const x = require(…)`, which is no symbol
on purpose.
"""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

from holdfast.features.modulemap.scan.code import SYMBOLS_MAX, read_code
from holdfast.features.modulemap.scan.files import READ_MAX, list_files
from holdfast.features.reading.syntax import Item, is_known, items


def main(folders: list[str]) -> None:
    counts: dict[str, Counter[str]] = {}
    for root in map(Path, folders):
        for source in list_files(root).sources:
            if source.language is None or not is_known(source.language):
                continue
            text = (root / source.path).read_text("utf-8", "replace")[:READ_MAX]
            definitions = items(text, source.language)
            if definitions is not None:
                count = _compared(read_code(text, source.language).symbols, definitions)
                counts.setdefault(source.language, Counter()).update(count)
    for language, one in sorted(counts.items()):
        right, found = one["right"] / max(1, one["symbols"]), one["found"] / max(1, one["top"])
        print(
            f"{language:<12} right {one['right']} of {one['symbols']} ({right:.2f}),"
            f" found {one['found']} of {one['top']} ({found:.2f})"
        )


def _compared(symbols: tuple[str, ...], definitions: list[Item]) -> Counter[str]:
    top = {name for name in map(_name, definitions) if len(name) > 2 and not name.startswith("__")}
    known, waiting = set(), [*definitions]
    while waiting:
        item = waiting.pop()
        known.add(_name(item))
        waiting += item.members
    count = Counter(symbols=len(symbols), right=sum(name in known for name in symbols))
    if len(symbols) < SYMBOLS_MAX:  # a longer list was cut
        count += Counter(top=len(top), found=len(top.intersection(symbols)))
    return count


def _name(item: Item) -> str:
    return item.qualified.rpartition(".")[2]


if __name__ == "__main__":
    main(sys.argv[1:])
