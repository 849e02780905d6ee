"""The checkers of histories find each anomaly in a history that has it, and none in one that has none."""

from __future__ import annotations

import random
from itertools import count

import pytest

from tests.reliability.histories.appends import Transaction, check
from tests.reliability.histories.operations import NEVER, Operation
from tests.reliability.histories.registers import is_linearizable

_PROCESSES = count(100)


def t(
    *steps: str, process: int | None = None, at: tuple[float, float] | None = None, outcome: str = "ok"
) -> Transaction:
    """A transaction written as "x+1" for an append and "x=1,2" for what was read."""
    parsed: list[tuple[str, str, object]] = []
    for step in steps:
        key, sign, value = step[0], step[1], step[2:]
        if sign == "+":
            parsed.append(("append", key, int(value)))
        else:
            parsed.append(("read", key, tuple(int(one) for one in value.split(",") if one)))
    start, end = at or (0.0, NEVER if outcome == "info" else 1_000.0)
    own = next(_PROCESSES) if process is None else process
    return Transaction(own, tuple(parsed), start, end, outcome)


ANOMALIES = {
    "G0": [t("x+1", "y+1"), t("x+2", "y+2"), t("x=1,2", "y=2,1")],
    "G1a": [t("x+1", outcome="fail"), t("x=1")],
    "G1b": [t("x+1", "x+2"), t("x=1")],
    "G1c": [t("x+1", "y=1"), t("y+1", "x=1")],
    "G-single": [t("x+1", "y+1"), t("x=1", "y="), t("y=1")],
    "G2": [t("x=", "y+1"), t("y=", "x+1"), t("x=1"), t("y=1")],
    "lost-update": [t("x=1", "x+2"), t("x=1", "x+3"), t("x+1"), t("x=1,2,3")],
    "dirty-update": [t("x+1", outcome="fail"), t("x+2"), t("x=1,2")],
    "duplicate": [t("x+1"), t("x=1,1")],
    "unwritten": [t("x+1"), t("x=1,7")],
    "incompatible-order": [t("x+1"), t("x+2"), t("x=1,2"), t("x=2,1")],
    "internal": [t("x+1", "x=")],
    "G0-session": [t("x+1", process=1, at=(0, 9)), t("x+2", process=1, at=(1, 9)), t("x=2,1")],
    "G-single-session": [t("x+1", process=1, at=(0, 9)), t("x=", process=1, at=(1, 9)), t("x=1")],
    "G0-realtime": [t("x+1", at=(0, 1)), t("x+2", at=(2, 3)), t("x=2,1")],
    "G1c-realtime": [t("x=1", at=(0, 1)), t("x+1", at=(2, 3))],
    "G-single-realtime": [t("x+1", at=(0, 1)), t("x=", at=(2, 3)), t("x=1", at=(4, 5))],
}  # fmt: skip


@pytest.mark.parametrize("name", ANOMALIES)
def test_each_anomaly_is_found(name: str) -> None:
    assert name in check(ANOMALIES[name])


def test_an_acknowledged_append_that_no_later_read_has_is_lost() -> None:
    history = [t("x+1", at=(0, 1)), t("x+2", at=(2, 3)), t("x=2", at=(4, 5))]
    assert "G-single-realtime" in check(history)


@pytest.mark.parametrize(
    "history",
    [
        [t("x+1"), t("x=1"), t("x=")],
        [t("x+1", outcome="info"), t("x=1", at=(5, 6))],  # it did happen
        [t("x+1", outcome="info"), t("x=", at=(5, 6))],  # it did not, or not yet
        [t("x+1", "x+2", "y+3"), t("x=1,2", "y=3"), t("x=1,2", "x+4", "x=1,2,4")],
        [t("x+1", at=(0, 3)), t("x=", at=(1, 2)), t("x=1", at=(1, 4))],
    ],
)
def test_what_an_order_explains_is_no_anomaly(history: list[Transaction]) -> None:
    assert check(history) == {}


def test_histories_of_transactions_one_after_another_have_no_anomaly_and_a_hidden_one_is_found() -> None:
    """Random histories of a store in memory, whose clients are told later than it is done."""
    rng = random.Random(7)
    for _ in range(30):
        lists: dict[str, list[int]] = {"x": [], "y": [], "z": []}
        history = []
        for number in range(60):
            start = number - rng.random() * 3
            end = number + rng.random() * 3
            keys = rng.sample(list(lists), rng.randint(1, 2))
            steps: list[tuple[str, str, object]] = []
            for key in keys:
                if rng.random() < 0.5:
                    lists[key].append(number)
                    steps.append(("append", key, number))
                else:
                    steps.append(("read", key, tuple(lists[key])))
            history.append(Transaction(number, tuple(steps), start, end))
        history.append(
            Transaction(99, tuple(("read", key, tuple(v)) for key, v in lists.items()), 90.0, 91.0)
        )
        assert check(history) == {}
        writer = next(one for one in history if any(kind == "append" for kind, *_ in one.steps))
        key = next(key for kind, key, _ in writer.steps if kind == "append")
        stale = Transaction(98, (("read", key, ()),), 95.0, 96.0)
        assert "G-single-realtime" in check([*history, stale])


def op(
    kind: str, given: object, start: float, end: float, result: object = None, outcome: str = "ok"
) -> Operation:
    return Operation(0, kind, "k", given, start, end, outcome, result)


LINEARIZABLE = [
    [],
    [op("read", None, 0, 1), op("put", 5, 2, 3, 1), op("read", None, 4, 5, [1, 5])],
    [op("put", 5, 0, 9, 1), op("read", None, 1, 2), op("read", None, 3, 4, [1, 5])],
    [op("put", 5, 0, 1, 1), op("set", [1, 6], 2, 3, 2), op("miss", [1, 7], 4, 5),
     op("read", None, 6, 7, [2, 6])],
    [op("put", 5, 0, NEVER, outcome="info"), op("read", None, 5, 6), op("read", None, 7, 8, [1, 5])],
    [op("put", 5, 0, NEVER, outcome="info"), op("put", 6, 5, 6, 1), op("read", None, 7, 8, [1, 6])],
    [op("put", 5, 0, 9, 2), op("put", 6, 1, 8, 1), op("miss", [3, 7], 2, 9)],
    [op("put", 5, 0, 1, 1), op("set", [1, 6], 2, 3, outcome="fail"), op("read", None, 4, 5, [1, 5])],
]  # fmt: skip
NOT_LINEARIZABLE = {
    "a stale read": [op("put", 5, 0, 1, 1), op("read", None, 2, 3)],
    "an older value again": [
        op("put", 5, 0, 1, 1), op("put", 6, 2, 9, 2), op("read", None, 3, 4, [2, 6]),
        op("read", None, 5, 6, [1, 5]),
    ],
    "two first versions": [op("put", 5, 0, 9, 1), op("put", 6, 1, 9, 1)],
    "two updates of one version": [
        op("put", 5, 0, 1, 1), op("set", [1, 6], 2, 9, 2), op("set", [1, 7], 3, 9, 2),
    ],
    "a write that was refused": [
        op("put", 5, 0, 1, 1), op("set", [1, 6], 2, 3, outcome="fail"), op("read", None, 4, 5, [2, 6]),
    ],
    "a refusal at the version that it was": [op("put", 5, 0, 1, 1), op("miss", [1, 6], 2, 3)],
    "an acknowledged write that is lost": [
        op("put", 5, 0, 1, 1), op("put", 6, 2, 3, 2), op("put", 7, 4, 5, 2),
    ],
}  # fmt: skip


@pytest.mark.parametrize("history", LINEARIZABLE)
def test_registers_that_an_order_explains(history: list[Operation]) -> None:
    assert is_linearizable(history)


@pytest.mark.parametrize("name", NOT_LINEARIZABLE)
def test_registers_that_none_explains(name: str) -> None:
    assert not is_linearizable(NOT_LINEARIZABLE[name])


def test_a_busy_register_of_hundreds_of_operations_is_decided() -> None:
    """Eight clients at once, and of many writes nobody knows whether they were done; then the same with one
    read that is too old."""
    rng = random.Random(3)
    version, value, ops = 0, None, []
    for number in range(400):
        start, end = number - rng.random() * 8, number + rng.random() * 8
        if rng.random() < 0.3:
            if rng.random() < 0.5:
                version, value = version + 1, number
            ops.append(op("put", number, start, NEVER, outcome="info"))
        elif rng.random() < 0.5:
            version, value = version + 1, number
            ops.append(op("put", number, start, end, version))
        else:
            ops.append(op("read", None, start, end, None if value is None else [version, value]))
    assert is_linearizable(ops)
    assert not is_linearizable([*ops, op("read", None, 500, 501, [version - 1, 12_345])])
    assert not is_linearizable([*ops, op("put", 12_346, 500, 501, version + 200)])
