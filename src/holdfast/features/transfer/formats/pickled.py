"""Reads the data in a pickle without running anything that it names, in time and memory of its length."""

from __future__ import annotations

import struct
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

LENGTH_MAX = 1 << 20
"""Bytes of a pickle; what they stand for takes up to 80 times as many."""
NODES_MAX = 10_000
"""Values in what is read of one pickle; what is referred to again counts again."""
DEPTH_MAX = 50
TEXT_MAX = 4 << 20
"""Characters in what is read of one pickle."""


@dataclass(slots=True)
class Pickled:
    """An object of any class: `state` is what was saved of it, None if nothing was."""

    state: Any = None


def load(data: bytes) -> Any:
    """Returns the value in a pickle of protocol 2 to 5; objects of any class become `Pickled`. A value may be
    in it many times over, so look at it through `plain`. Raises ValueError for what is damaged, longer than
    LENGTH_MAX, or made of more than data and objects."""
    if len(data) > LENGTH_MAX:
        raise ValueError("too long a pickle")
    machine = _Machine(data)
    try:
        while (code := machine.data[machine.at]) != _STOP:
            machine.at += 1
            _STEPS[code](machine)
        return machine.stack[-1]
    except (IndexError, KeyError, TypeError, AttributeError, struct.error, UnicodeDecodeError) as error:
        raise ValueError(f"not a pickle that is read: {type(error).__name__}") from None


def plain(value: Any) -> Any:
    """Returns a value as dicts with text keys, lists, texts and numbers. Raises ValueError for what is too
    large, too deep or of no such type."""
    return _Copy().of(value, DEPTH_MAX)


@dataclass(slots=True)
class _Copy:
    nodes: int = 0
    characters: int = 0

    def of(self, value: Any, depth: int) -> Any:
        self.nodes += 1
        if isinstance(value, str):
            self.characters += len(value)
        if not depth or self.nodes > NODES_MAX or self.characters > TEXT_MAX:
            raise ValueError("too much data")
        if isinstance(value, dict):
            return {self._key(name): self.of(item, depth - 1) for name, item in value.items()}
        if isinstance(value, list | tuple):
            return [self.of(item, depth - 1) for item in value]
        if value is None or isinstance(value, str | bool | int | float):
            return value
        raise ValueError(f"a value of the type {type(value).__name__}")

    def _key(self, name: Any) -> str:
        if not isinstance(name, str):
            raise ValueError("a name that is no text")
        self.characters += len(name)
        return name


@dataclass(slots=True)
class _Machine:
    """The stack machine that a pickle is a program for."""

    data: bytes
    at: int = 0
    stack: list[Any] = field(default_factory=list)
    marks: list[int] = field(default_factory=list)
    memo: dict[int, Any] = field(default_factory=dict)

    def take(self, form: struct.Struct) -> Any:
        """Returns the number that comes next."""
        (number,) = form.unpack_from(self.data, self.at)
        self.at += form.size
        return number

    def piece(self, length: int) -> bytes:
        """Returns so many bytes that come next."""
        end = self.at + length
        if end > len(self.data):
            raise IndexError
        piece, self.at = self.data[self.at : end], end
        return piece

    def since_mark(self) -> list[Any]:
        """Takes what is on the stack above the last mark."""
        mark = self.marks.pop()
        values = self.stack[mark:]
        del self.stack[mark:]
        return values


_Step = Callable[[_Machine], None]
_STOP = ord(".")
_BYTE, _SHORT, _INT, _LENGTH, _LONG = map(struct.Struct, ("<B", "<H", "<i", "<I", "<Q"))
_FLOAT = struct.Struct(">d")


def _skip(form: struct.Struct) -> _Step:
    return lambda machine: machine.take(form)


def _push(value: Callable[[_Machine], Any]) -> _Step:
    return lambda machine: machine.stack.append(value(machine))


def _text(form: struct.Struct) -> _Step:
    return _push(lambda machine: machine.piece(machine.take(form)).decode("utf-8", "surrogatepass"))


def _bytes(form: struct.Struct) -> _Step:
    return _push(lambda machine: machine.piece(machine.take(form)))


def _remember(machine: _Machine) -> None:
    machine.memo[len(machine.memo)] = machine.stack[-1]


def _remember_at(form: struct.Struct) -> _Step:
    def step(machine: _Machine) -> None:
        machine.memo[machine.take(form)] = machine.stack[-1]

    return step


def _tuple(length: int) -> _Step:
    """Returns the step that replaces the top `length` values of the stack by a tuple of them."""

    def step(machine: _Machine) -> None:
        values = machine.stack[-length:]
        if len(values) < length:
            raise IndexError
        machine.stack[-length:] = [tuple(values)]

    return step


def _set_items(machine: _Machine) -> None:
    values = machine.since_mark()
    for name, value in zip(values[::2], values[1::2], strict=True):
        _set(machine, name, value)


def _set_item(machine: _Machine) -> None:
    value, name = machine.stack.pop(), machine.stack.pop()
    _set(machine, name, value)


def _set(machine: _Machine, name: Any, value: Any) -> None:
    # a tuple may take more stack than there is to be looked for, and numbers can be chosen to collide
    if not isinstance(name, str):
        raise TypeError
    machine.stack[-1][name] = value


def _append(machine: _Machine) -> None:
    value = machine.stack.pop()
    machine.stack[-1].append(value)


def _called(arguments: int) -> _Step:
    """Returns the step that makes an object of a class, or calls a function, which are not looked up."""

    def step(machine: _Machine) -> None:
        for _ in range(arguments + 1):
            machine.stack.pop()
        machine.stack.append(Pickled())

    return step


def _build(machine: _Machine) -> None:
    state = machine.stack.pop()
    machine.stack[-1].state = state


def _global(machine: _Machine) -> None:
    for _ in range(2):  # the module and the name, each on a line
        machine.at = machine.data.index(b"\n", machine.at) + 1
    machine.stack.append(Pickled())


def _small_integer(machine: _Machine) -> int:
    return int.from_bytes(machine.piece(machine.take(_BYTE)), "little", signed=True)


_STEPS: dict[int, _Step] = {
    ord(code): step
    for code, step in {
        "\x80": _skip(_BYTE),  # the protocol
        "\x95": _skip(_LONG),  # a frame
        "(": lambda machine: machine.marks.append(len(machine.stack)),
        "0": lambda machine: machine.stack.pop() and None,
        "1": lambda machine: machine.since_mark() and None,
        "2": lambda machine: machine.stack.append(machine.stack[-1]),
        "N": _push(lambda _: None),
        "\x88": _push(lambda _: True),
        "\x89": _push(lambda _: False),
        "K": _push(lambda machine: machine.take(_BYTE)),
        "M": _push(lambda machine: machine.take(_SHORT)),
        "J": _push(lambda machine: machine.take(_INT)),
        "\x8a": _push(_small_integer),
        "G": _push(lambda machine: machine.take(_FLOAT)),
        "\x8c": _text(_BYTE),
        "X": _text(_LENGTH),
        "\x8d": _text(_LONG),
        "C": _bytes(_BYTE),
        "B": _bytes(_LENGTH),
        "\x8e": _bytes(_LONG),
        "\x96": _bytes(_LONG),  # that may be changed
        "U": _bytes(_BYTE),
        "}": _push(lambda _: {}),
        "]": _push(lambda _: []),
        ")": _push(lambda _: ()),
        "\x8f": _push(lambda _: []),  # a set, whose members need not be hashable here
        "s": _set_item,
        "u": _set_items,
        "a": _append,
        "e": lambda machine: machine.stack[machine.marks[-1] - 1].extend(machine.since_mark()),
        "\x90": lambda machine: machine.stack[machine.marks[-1] - 1].extend(machine.since_mark()),
        "t": _push(lambda machine: tuple(machine.since_mark())),
        "l": _push(lambda machine: machine.since_mark()),
        "\x91": _push(lambda machine: machine.since_mark()),  # a frozen set
        "\x85": _tuple(1),
        "\x86": _tuple(2),
        "\x87": _tuple(3),
        "\x94": _remember,
        "q": _remember_at(_BYTE),
        "r": _remember_at(_LENGTH),
        "h": _push(lambda machine: machine.memo[machine.take(_BYTE)]),
        "j": _push(lambda machine: machine.memo[machine.take(_LENGTH)]),
        "c": _global,
        "\x93": _called(1),  # a name on the stack: module and name
        "\x81": _called(1),  # a new object: class and arguments
        "\x92": _called(2),  # with named arguments
        "R": _called(1),  # a call: function and arguments
        "b": _build,
    }.items()
}
