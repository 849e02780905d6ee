"""The JSON form of results, derived from the fields of their dataclasses, in both directions.

A field appears under its name unless its metadata says otherwise (`wire`). Times (`Millis`) are ISO 8601 in
JSON, enumerations their value, tuples lists. Properties marked with `computed` are written and never read.
"""

from __future__ import annotations

import ast
import inspect
import sys
import types
import typing
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import MISSING, fields, is_dataclass
from enum import Enum
from functools import cache
from operator import attrgetter
from typing import Annotated, Any, TypeVar

from holdfast.core.python_parser import syntax_tree
from holdfast.core.times import to_iso, to_millis
from holdfast.core.value_classes import value_class

T = TypeVar("T")

Millis = Annotated[int, "holdfast.time"]
"""UTC epoch milliseconds; ISO 8601 in JSON."""


@value_class
class Wire:
    """The JSON form of one field.

    `name` is its key if not the field's name. A `hidden` field is left out; when read it is `absent`, or its
    default. A `flat` field is a dataclass whose keys join those of its owner. `digits` rounds floats.
    `about` describes the key in schemas, `optional` says there that it may be missing.
    """

    name: str | None = None
    hidden: bool = False
    absent: Any = None
    flat: bool = False
    digits: int | None = None
    about: str | None = None
    optional: bool = False


_PLAIN = Wire()
_PLAIN_TYPES = frozenset({str, int, float, bool, types.NoneType})


def wire(**options: Any) -> dict[str, Any]:
    """Returns the metadata of a dataclass field that says how it appears in JSON. See `Wire`."""
    return {"wire": Wire(**options)}


def computed(getter: Callable[[Any], T]) -> Callable[[Any], T]:
    """Marks the getter of a property that appears in JSON beside the fields."""
    getter.__wire__ = _PLAIN  # type: ignore[attr-defined]
    return getter


def described(about: str | None = None, **options: Any) -> Callable[[Callable[[Any], T]], Callable[[Any], T]]:
    """Marks a getter as `computed` does, with a description and the options of `Wire`."""

    def mark(getter: Callable[[Any], T]) -> Callable[[Any], T]:
        getter.__wire__ = Wire(about=about, **options)  # type: ignore[attr-defined]
        return getter

    return mark


def shown_from(path: str, declared: Any) -> property:
    """Returns a property that shows an attribute of a part, such as "memory.status", as a key of its own."""
    get = attrgetter(path)

    def getter(self: Any) -> Any:
        return get(self)

    getter.__annotations__["return"] = declared
    return property(computed(getter))


class Plain:
    """A result that has a JSON form."""

    __slots__ = ()

    def as_dict(self) -> dict[str, Any]:
        """Returns the result as plain JSON: what `--json` prints and HTTP answers."""
        cls: Any = type(self)
        response = _encoded(self, cls)
        for name in _flat(cls):
            response |= getattr(self, name).as_dict()
        return response


def to_plain(value: Any) -> Any:
    """Returns a value as plain JSON: dataclasses as objects, enumerations as their value."""
    cls = type(value)
    if cls in _PLAIN_TYPES:
        return value
    if cls is tuple or cls is list:  # before the general rules, which take ten times as long
        return [to_plain(item) for item in value]
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, str | int | float):
        return value
    if (as_dict := getattr(value, "as_dict", None)) is not None:
        return as_dict()
    if isinstance(value, Mapping):
        return {str(key): to_plain(item) for key, item in value.items()}
    if isinstance(value, Sequence):
        return [to_plain(item) for item in value]
    if isinstance(value, Collection):
        return sorted(to_plain(item) for item in value)
    if is_dataclass(value) and not isinstance(value, type):
        return _encoded(value, cls)
    raise TypeError(f"{type(value).__name__} has no JSON form")


def _encoded(value: Any, cls: type) -> dict[str, Any]:
    """Returns an object as a dict of plain values."""
    response: dict[str, Any] = {}
    for key, name, encode in _encoders(cls):
        item = getattr(value, name)
        # most are plain: a call for each of them would take half of the time
        response[key] = item if encode is to_plain and type(item) in _PLAIN_TYPES else encode(item)
    return response


@value_class
class Key:
    """One key of a result in JSON: the attribute behind it, how it is declared, whether it is computed."""

    key: str
    attribute: str
    wire: Wire
    is_time: bool
    is_computed: bool
    default: Any


@cache
def keys_of(cls: type) -> tuple[Key, ...]:
    """Returns the keys of a dataclass in JSON, hidden and flat ones included, in their order."""
    keys = []
    for field in fields(cls):
        declared = field.metadata.get("wire", _PLAIN)
        default = field.default_factory() if field.default_factory is not MISSING else field.default
        is_time = _is_time(field.type)
        keys.append(Key(declared.name or field.name, field.name, declared, is_time, False, default))
    for base in reversed(cls.__mro__):
        for name, member in vars(base).items():
            if isinstance(member, property) and (declared := getattr(member.fget, "__wire__", None)):
                is_time = _is_time(inspect.get_annotations(member.fget).get("return"))  # type: ignore[arg-type]
                keys.append(Key(declared.name or name, name, declared, is_time, True, MISSING))
    return tuple(keys)


def _is_time(annotation: Any) -> bool:
    return annotation is Millis or str(annotation).startswith("Millis")


@cache
def _encoders(cls: type) -> tuple[tuple[str, str, Callable[[Any], Any]], ...]:
    """Returns key, attribute and encoder of each attribute of a class that is sent."""
    return tuple(
        (key.key, key.attribute, _encoder(key))
        for key in keys_of(cls)
        if not key.wire.hidden and not key.wire.flat
    )


@cache
def _flat(cls: type) -> tuple[str, ...]:
    return tuple(key.attribute for key in keys_of(cls) if key.wire.flat)


def _encoder(key: Key) -> Callable[[Any], Any]:
    """Returns the function that makes the value of a key plain."""
    if key.is_time:
        return _iso
    if key.wire.digits is not None:
        digits = key.wire.digits
        return lambda value: _rounded(value, digits)
    return to_plain


def _iso(value: int | None) -> str | None:
    return None if value is None else to_iso(value)


def _rounded(value: Any, digits: int) -> Any:
    if isinstance(value, Mapping):
        return {key: _rounded(item, digits) for key, item in value.items()}
    return round(value, digits) if isinstance(value, float) else value


# reading


def hints_of(declared: Any, within: type | None = None) -> dict[str, Any]:
    """Returns the resolved annotations of a class or function, those imported for type checkers included; of
    a getter as the module of its class reads them."""
    module = sys.modules[(within or declared).__module__]
    space = {**vars(module), **_imported_for_types(module)}
    return typing.get_type_hints(declared, space, space, include_extras=True)


@cache
def _imported_for_types(module: types.ModuleType) -> dict[str, Any]:
    """Returns what a module imports `if TYPE_CHECKING`."""
    space: dict[str, Any] = {}
    for node in syntax_tree(inspect.getsource(module)).body:
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            exec(compile(ast.Module(node.body, []), module.__name__, "exec"), space)
    return space


def from_plain(declared: Any, value: Any) -> Any:
    """Returns a value of a declared type from plain JSON. Raises KeyError, TypeError, ValueError."""
    origin, arguments = typing.get_origin(declared), typing.get_args(declared)
    if declared is Millis or (origin is Annotated and "holdfast.time" in arguments):
        return to_millis(value)
    if origin is Annotated:
        return from_plain(arguments[0], value)
    if origin in (typing.Union, types.UnionType):
        if value is None:
            return None
        return from_plain(next(argument for argument in arguments if argument is not type(None)), value)
    if origin is not None:
        return _container(origin, arguments, value)
    if isinstance(declared, type):
        if issubclass(declared, Enum):
            return declared(value)
        if is_dataclass(declared):
            own = getattr(declared, "from_dict", None)
            return read_record(declared, value) if own is None else own(value)
        if declared in (int, float, str, bool) and value is not None:
            return declared(value)
    return value


def _container(origin: Any, arguments: tuple[Any, ...], value: Any) -> Any:
    """Returns a collection of a given type, its items decoded."""
    if issubclass(origin, Mapping):
        return {key: from_plain(arguments[1], item) for key, item in value.items()}
    if issubclass(origin, tuple) and Ellipsis not in arguments:
        return tuple(map(from_plain, arguments, value))
    items = [from_plain(arguments[0], item) for item in value]
    if issubclass(origin, frozenset):
        return frozenset(items)
    return tuple(items) if issubclass(origin, tuple) else items


def read_record(cls: type[T], value: Mapping[str, Any]) -> T:
    """Returns a dataclass from its keys in JSON; what is not in JSON is absent or its default."""
    declared: Any = cls
    hints = _hints(declared)
    values: dict[str, Any] = {}
    for key in keys_of(declared):
        if key.is_computed:
            continue
        if key.wire.flat:
            values[key.attribute] = from_plain(hints[key.attribute], value)
        elif key.wire.hidden:
            values[key.attribute] = key.wire.absent if key.default is MISSING else key.default
        else:
            values[key.attribute] = from_plain(hints[key.attribute], value[key.key])
    return cls(**values)


@cache
def _hints(cls: type) -> dict[str, Any]:
    return hints_of(cls)
