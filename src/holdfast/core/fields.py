"""Fields of the record: what is stored, exported, compared after a transfer, and checked, declared once."""

from __future__ import annotations

from dataclasses import Field
from typing import Any

from holdfast.core.arguments import COUNT_MAX
from holdfast.core.value_classes import value_class


@value_class
class Declared:
    """Properties of one field: one that is not `stored` is computed on reading; one that is not `exported` is
    computed again on import; one that is not `compared` may differ between a memory and its copy in another
    store."""

    stored: bool = True
    exported: bool = True
    compared: bool = True
    limit: int | None = None
    """The maximum number of characters of an optional short text, which admission cleans like the text."""
    most: int | None = None
    """The highest value of an optional whole number from 0, which admission checks."""


_DEFAULT = Declared()

LOCAL = {"declared": Declared(compared=False)}
"""The metadata of a field that may differ between a memory and its copy in another store."""
COMPUTED = {"declared": Declared(exported=False, compared=False)}
"""The metadata of a field that an import computes again."""
FOUND = {"declared": Declared(stored=False, exported=False, compared=False)}
"""The metadata of a field that is computed on reading."""


def short_text(limit: int) -> dict[str, Any]:
    """Returns the metadata of an optional text of at most so many characters, beside the text itself."""
    return {"declared": Declared(limit=limit)}


def whole_number(most: int = COUNT_MAX) -> dict[str, Any]:
    """Returns the metadata of an optional whole number from 0 to `most`."""
    return {"declared": Declared(most=most)}


def declared_of(field: Field[Any]) -> Declared:
    """Returns the declaration of a field: by default it is stored, exported and compared."""
    declared = field.metadata.get("declared", _DEFAULT)
    assert isinstance(declared, Declared)
    return declared
