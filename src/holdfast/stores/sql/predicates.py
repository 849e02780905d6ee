"""Predicates in SQL: the filter rule, composed of named fragments in the store's dialect."""

from __future__ import annotations

from collections.abc import Mapping

from holdfast.core.predicates import All, Comparison, Either, Flag, IfSet, Is, Rule


class Dialect:
    """The fragments of a store's `predicates.sql`: one for each operator, for computed columns, and for
    single parameters.

    No value becomes part of the text: fragments are filled with names that the rule declares and with its
    own constants. `types` names the types of parameters for dialects that need them.
    """

    def __init__(self, pieces: Mapping[str, str], types: Mapping[type, str]) -> None:
        self._pieces = pieces
        self._types = types

    def condition(self, rule: Rule) -> str:
        """Returns the SQL condition that is true for rows where the rule holds."""
        match rule:
            case Comparison(column, op, parameter, holds):
                return self._filled(op, column=self._column(column), value=parameter, holds=holds)
            case Is(column, (value,)):
                return self._filled("is", column=self._column(column), value=value)
            case Is(column, values):
                return self._filled("is_one_of", column=self._column(column), value="', '".join(values))
            case Flag(column):
                return self._column(column)
            case All(tests):
                return "\n    AND ".join(map(self.condition, tests))
            case Either(tests):
                return f"({' OR '.join(map(self.condition, tests))})"
            case IfSet(parameter, holds, then, otherwise):
                parts = {"value": parameter, "then": self.condition(then)}
                if otherwise is None:
                    own = f"given_{parameter}"
                    return self._filled(own if own in self._pieces else "given", holds=holds, **parts)
                return self._filled("choice", holds=holds, otherwise=self.condition(otherwise), **parts)

    def _column(self, name: str) -> str:
        return self._pieces.get(f"column_{name}", self._pieces["column"]).format(name=name)

    def _filled(self, piece: str, *, holds: type = str, **parts: str) -> str:
        return self._pieces[piece].format(type=self._types.get(holds, ""), **parts)
