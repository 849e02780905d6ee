"""Parses the functions, classes and methods of a source file with tree-sitter, as units and as symbols."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING

from holdfast.features.reading import grammars
from holdfast.features.reading.chunk_packing import MAX_CHARS, Unit
from holdfast.features.reading.grammars import Grammar

if TYPE_CHECKING:
    from tree_sitter import Language, Node

MAX_PARSED = 300_000
"""Most bytes of source that are parsed: larger files are generated, and non-code parses a hundred times
slower."""
_LONGEST_LINE = 20_000
"""Most characters of a line in hand-written source; longer ones are minified."""
_DEEPEST = 6
"""Most levels of nested classes or modules."""
_HEAD = ("the head of a module",)
"""The group of a module's head: its purpose and imports do not belong to its first function."""
_MINOR = frozenset(("constant", "variable"))
_MINOR_CHARS = 500


@dataclass(slots=True)
class Item:
    """A definition: its rows (half-open, with its comments and decorators), name, kind and members.

    `label` is its title ("def refresh"); `qualified` its name with the names around it.
    """

    first: int
    last: int
    kind: str
    label: str
    qualified: str
    members: list[Item] = field(default_factory=list)


def is_known(language: str | None) -> bool:
    """Returns whether a language has a grammar and the packages for it are installed."""
    return language in grammars.GRAMMARS and _loaded(str(language)) is not None


def items(text: str, language: str) -> list[Item] | None:
    """Returns the definitions of a text, in order; None if it is too long to parse, or generated."""
    data = text.encode("utf-8", "surrogatepass")
    grammar = _loaded(language)
    if grammar is None or len(data) > MAX_PARSED or _has_long_line(text):
        return None
    from tree_sitter import Parser

    tree = Parser(grammar).parse(data)  # a parser of its own for each call: it keeps state
    return _members(tree.root_node, grammars.GRAMMARS[language], "", 0)


def units(text: str, definitions: list[Item], starts: list[int]) -> list[Unit]:
    """Returns the text as units without a gap; classes longer than a chunk as their methods.

    `found` are the text's items, `starts` the offsets of its lines.
    """
    begins = [*starts, len(text)]
    if len(begins) > 1 and begins[-1] == begins[-2]:
        begins.pop()
    units = [unit for unit in _laid_out(begins, definitions, 0, len(begins) - 1, ()) if unit.end > unit.start]
    if units and not units[0].path and not units[0].symbols:
        units[0] = Unit(units[0].start, units[0].end, (), _HEAD)
    return units


def _laid_out(
    begins: list[int], definitions: list[Item], first: int, last: int, path: tuple[str, ...]
) -> Iterator[Unit]:
    """Yields units for the rows from `first` to `last`: the items, and the text between them."""
    row = first
    for item in definitions:
        if item.first > row:
            yield Unit(begins[row], begins[item.first], path, path)
        row = max(row, item.first)
        end = min(item.last, last)
        if end <= row:
            continue
        own = (*path, item.label)
        if item.members and begins[end] - begins[row] > MAX_CHARS:
            for unit in _laid_out(begins, item.members, row, end, own):
                if unit.start == begins[row]:  # the first unit carries the name of the whole
                    unit = Unit(unit.start, unit.end, unit.path, unit.group, (item.qualified, *unit.symbols))
                yield unit
        else:
            # a small constant does not give its chunk the title
            is_minor = item.kind in _MINOR and begins[end] - begins[row] < _MINOR_CHARS
            yield Unit(begins[row], begins[end], path if is_minor else own, path, tuple(_names(item)))
        row = end
    if row < last:
        yield Unit(begins[row], begins[last], path, path)


def _names(item: Item) -> Iterator[str]:
    yield item.qualified
    for member in item.members:
        yield from _names(member)


def _members(container: Node, grammar: Grammar, prefix: str, depth: int) -> list[Item]:
    """Returns the definitions directly inside a node, each with the comments and attributes before it."""
    definitions: list[Item] = []
    attached: int | None = None  # the first row of comments that may belong to the next node
    expected = -1  # the row in which they end, at which that node would have to begin
    for node in container.children:
        kind = node.type
        if kind in grammar.leading:
            first, last = node.start_point[0], _end_row(node)
            if attached is None or first > expected:
                attached = first if first > (definitions[-1].last - 1 if definitions else -1) else None
            expected = last
            continue
        item = _item(node, grammar, prefix, depth)
        if item is not None:
            if attached is not None and item.first <= expected and attached < item.first:
                item.first = attached
            if definitions and item.first < definitions[-1].last:  # two definitions on one line are one unit
                _absorb(definitions[-1], item)
            else:
                definitions.append(item)
        attached = None
    return definitions


def _absorb(before: Item, item: Item) -> None:
    before.members.append(item)
    before.last = max(before.last, item.last)


def _item(node: Node, grammar: Grammar, prefix: str, depth: int) -> Item | None:
    """Returns the definition that a node of the syntax tree makes, None if it makes none."""
    inner = node
    for _ in range(4):  # export, decorators and the like wrap the definition
        around = grammar.wrappers.get(inner.type)
        if around is None:
            break
        within = inner.child_by_field_name(around) if around else None
        if within is None:
            within = next((child for child in inner.named_children if grammar.defines(child.type)), None)
        if within is None:
            return None
        inner = within
    rule = grammar.rules.get(inner.type)
    if rule is None:
        return None
    name = grammar.name_of(inner)
    if not name:
        return None
    qualified = f"{prefix}.{name}" if prefix else name
    kind, label = grammar.kind_of(inner, rule), f"{rule.keyword} {name}"
    item = Item(node.start_point[0], _end_row(node), kind, label, qualified)
    if rule.body is not None and depth < _DEEPEST:
        body = inner.child_by_field_name(rule.body)
        if body is not None:
            item.members = _members(body, grammar, qualified, depth + 1)
    return item


def _end_row(node: Node) -> int:
    row, column = node.end_point
    return row + 1 if column else max(row, node.start_point[0] + 1)


def _has_long_line(text: str) -> bool:
    """Returns whether a line is too long to be written by hand."""
    start = 0
    while len(text) - start > _LONGEST_LINE:
        end = text.rfind("\n", start, start + _LONGEST_LINE)
        if end < 0:
            return True
        start = end + 1
    return False


@cache
def _loaded(language: str) -> Language | None:
    """Returns the grammar of a language, or None without the extra."""
    try:
        return grammars.loaded(language)
    except ModuleNotFoundError:
        return None
