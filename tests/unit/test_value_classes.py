"""Value classes behave as frozen data classes with slots do."""

from __future__ import annotations

import copy
import pickle
from dataclasses import FrozenInstanceError, asdict, dataclass, field, fields, replace
from typing import Any

import pytest

from holdfast.core.value_classes import value_class


def _declared(decorator: Any) -> Any:
    class Point:
        """A class with every sort of field."""

        x: int
        y: int = 0
        tags: list[str] = field(default_factory=list, compare=False)
        note: str = field(default="", repr=False, hash=False)
        sum: int = field(init=False, default=0)

        def __post_init__(self) -> None:
            object.__setattr__(self, "sum", self.x + self.y)

    Point.__qualname__ = "Point"
    return decorator(Point)


Point = _declared(value_class)
Plain = _declared(dataclass(frozen=True, slots=True))
GIVEN: list[tuple[tuple[Any, ...], dict[str, Any]]] = [
    ((1,), {}), ((1, 2), {}), ((1,), {"y": 3, "tags": ["a"]}), ((1, 2, [], "n"), {}), ((), {}),
    ((1,), {"z": 2}), ((1, 2, [], "n", 9), {}),
]  # fmt: skip


def _all_of(kind: Any) -> list[Any]:
    made: list[Any] = []
    for args, given in GIVEN:
        try:
            one = kind(*args, **given)
            made.append((repr(one), hash(one), asdict(one), asdict(replace(one, y=7))))
        except TypeError as error:
            made.append(str(error).replace("_declared.<locals>.", ""))
    return made


def test_it_makes_what_a_frozen_data_class_makes() -> None:
    assert _all_of(Point) == _all_of(Plain)
    assert [one.name for one in fields(Point)] == [one.name for one in fields(Plain)]
    assert (Point.__slots__, Point.__match_args__) == (Plain.__slots__, Plain.__match_args__)
    points, plain = ([kind(*args) for args in ((1,), (1, 2), (2, 1))] for kind in (Point, Plain))
    assert [[a == b for a in points] for b in points] == [[a == b for a in plain] for b in plain]
    assert Point(1, tags=["a"]) == Point(1, tags=["b"]) != Plain(1)


def test_it_cannot_be_changed_but_copied_and_pickled() -> None:
    point = Point(1, 2)
    for name in ("x", "other"):
        with pytest.raises(FrozenInstanceError):
            setattr(point, name, 3)
    with pytest.raises(FrozenInstanceError):
        del point.x
    assert copy.deepcopy(point) == point == copy.copy(point)
    assert pickle.loads(pickle.dumps(point)) == point


def test_methods_that_a_class_writes_are_kept() -> None:
    @value_class
    class Own:
        name: str

        def __eq__(self, other: object) -> bool:
            return isinstance(other, Own)

        def __hash__(self) -> int:
            return 5

        def __repr__(self) -> str:
            return "own"

    assert Own("a") == Own("b")
    assert (hash(Own("a")), repr(Own("a"))) == (5, "own")


def test_one_inherits_from_another() -> None:
    @value_class
    class Far:
        x: int
        y: int = 0

    @value_class
    class Near(Far):
        z: int = 5

    near = Near(1, 2, z=4)
    assert (near.x, near.y, near.z) == (1, 2, 4)
    assert near != Far(1, 2)
    assert Far(1).y == 0
