"""The `.sql` files of a database: named statements, with fragments filled in, and migrations."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from holdfast.core.filter_rule import RULE
from holdfast.stores.sql.columns import READ, WRITTEN
from holdfast.stores.sql.predicates import Dialect

_COMMON = Path(__file__).parent
_NAMED = re.compile(r"^-- (name|fragment): (\w+)$", re.MULTILINE)
_PLACE = re.compile(r"\{([a-z]+)\}")


class SqlFiles:
    """The files in the folder of a database, each read once.

    `binding` is how its statements name a parameter, as a format string; `types` are those of `Dialect`.
    """

    def __init__(self, folder: Path, *, binding: str, types: Mapping[type, str]) -> None:
        self._folder = folder
        self._binding = binding
        self._types = types
        self._parts = cache(self._read)

    def statements(self, file: str) -> dict[str, str]:
        """Returns the statements of a file by name. `{fragment}` is replaced by a fragment of `reading.sql`,
        or an earlier one of the same file; values and keys are always bound, never part of the text.
        """
        shared, _ = self._parts("reading.sql")
        own, named = self._parts(file)
        fragments = self._declared()

        def with_fragments(body: str) -> str:
            return _PLACE.sub(lambda match: fragments[match[1]], body)

        for name, body in (shared | own).items():
            fragments[name] = with_fragments(body)
        return {name: with_fragments(body) for name, body in named.items()}

    def migrations(self) -> list[tuple[int, str]]:
        """Returns all migrations as (schema version, script), in order."""
        files = (self._folder / "migrations").glob("*.sql")
        return sorted((int(file.name.split("_")[0]), file.read_text(encoding="utf-8")) for file in files)

    def _declared(self) -> dict[str, str]:
        """Returns the fragments that are made from declarations: the filter rule, the columns of the
        record.
        """
        pieces, _ = self._parts("predicates.sql")
        return {
            "rule": Dialect(pieces, self._types).condition(RULE),
            "columns": ", ".join(READ),
            "written": ", ".join(WRITTEN),
            "bindings": ", ".join(map(self._binding.format, WRITTEN)),
        }

    def _read(self, file: str) -> tuple[dict[str, str], dict[str, str]]:
        """Returns the fragments of a file, and its statements with the names of fragments in them; of both
        databases first, if the folder of this module has a file of that name.
        """
        paths = [folder / file for folder in (_COMMON, self._folder)]
        text = "\n".join(path.read_text(encoding="utf-8") for path in paths if path.exists())
        parts = _NAMED.split(text)[1:]
        fragments: dict[str, str] = {}
        named: dict[str, str] = {}
        for form, name, body in zip(parts[::3], parts[1::3], parts[2::3], strict=True):
            # what follows the last statement is a comment, which would be prepared every time
            (fragments if form == "fragment" else named)[name] = body[: body.rfind(";") + 1 or None].strip()
        return fragments, named
