"""Linearizability of one memory by its external id: whether some order of its operations explains them.

The search of Wing and Gong: of the operations that began before the first end of those not yet placed, one is
placed next if the state allows it. What was placed, with the state after it, is remembered (Lowe), so that no
point is searched twice.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from tests.reliability.histories.operations import NEVER, Operation


@dataclass(frozen=True, slots=True)
class State:
    """What is stored: nothing, at version 0, or a value."""

    version: int = 0
    value: int | None = None


def step(state: State, op: Operation) -> State | None:
    """Returns the state after an operation; None if it cannot have come to this.

    `put` stores a value under the external id, as the first version or the next. `set` stores one if the
    memory is at the version that it was given; its `result` None: nobody knows. `miss` was refused for being
    at another version. `read` found a version with its value, or nothing.
    """
    match op.kind:
        case "put":
            after = State(state.version + 1, op.given)
            return after if op.result in (None, after.version) else None
        case "set":
            expected, value = op.given
            after = State(expected + 1, value)
            return after if state.version == expected and op.result in (None, after.version) else None
        case "miss":
            return state if state.version not in (0, op.given[0]) else None
        case "read":
            found = None if state.version == 0 else [state.version, state.value]
            return state if op.result == found else None
    raise ValueError(op.kind)


def is_linearizable(operations: Sequence[Operation]) -> bool:
    """Returns whether the operations of one key have a linearization. Those that failed took no effect, reads
    of which nobody knows anything constrain nothing.

    Each write makes the next version, and somebody knows of most versions whose they are: a write of which
    nobody knows is tried only where that version may be its own. Of several that left no trace, the one that
    began first is tried: they can change places.
    """
    ops = sorted(
        (
            op
            for op in operations
            if op.outcome == "ok" or (op.outcome == "info" and op.kind in ("put", "set"))
        ),
        key=lambda op: op.start,
    )
    known: dict[int, int] = {}
    for op in ops:
        for version, value in _shown(op):
            if known.setdefault(version, value) != value:
                return False
    seen_values = set(known.values())
    everything = sum(1 << number for number, op in enumerate(ops) if op.end != NEVER)
    seen: set[tuple[int, State]] = set()
    waiting = [(0, State())]
    while waiting:
        placed, state = waiting.pop()
        if placed & everything == everything:
            return True
        first_end = NEVER
        candidates = []
        for number, op in enumerate(ops):
            if op.start > first_end:
                break
            if not placed >> number & 1:
                candidates.append(number)
                first_end = min(first_end, op.end)
        is_traceless_tried = False
        for number in candidates:
            op = ops[number]
            if op.start > first_end:
                continue
            after = step(state, op)
            if after is None:
                continue
            if op.outcome == "info":
                shown = known.get(after.version)
                if shown is not None and shown != after.value:
                    continue
                if shown is None and after.value in seen_values:
                    continue
                if shown is None and op.kind == "put":
                    if is_traceless_tried:
                        continue
                    is_traceless_tried = True
            point = (placed | 1 << number, after)
            if point not in seen:
                seen.add(point)
                waiting.append(point)
    return False


def _shown(op: Operation) -> list[tuple[int, int]]:
    """Returns the version with its value that an operation is known to have made or seen."""
    if op.outcome != "ok" or op.result is None or op.kind == "miss":
        return []
    if op.kind == "read":
        return [(op.result[0], op.result[1])]
    return [(op.result, op.given if op.kind == "put" else op.given[1])]


def of_reads(operations: Sequence[Operation]) -> list[Operation]:
    """Returns the operations of one register as clients note them in the form that is checked."""
    found = []
    for op in operations:
        kind, result = op.kind, op.result
        if op.outcome == "ok":
            if kind == "read":
                result = result[0] if result else None
            elif result == "miss":
                kind, result = "miss", None
            else:
                result = result[0]
        found.append(replace(op, kind=kind, result=result))
    return found
