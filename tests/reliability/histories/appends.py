"""Transactions that append to lists and read them: their order is inferred from what was read, as Elle does.

Each value is appended once, so a list that was read shows in which order its values came. From that follow
the dependencies between transactions, and an order of time between those that did not overlap.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from tests.reliability.histories.cycles import RW, SESSION, TIME, WR, WW, Graph, anomalies
from tests.reliability.histories.operations import NEVER, Operation

Step = tuple[str, str, object]
"""`("append", key, value)`, or `("read", key, values)`."""


@dataclass(frozen=True, slots=True)
class Transaction:
    """Steps that were done at once; `ok`, `fail` or `info` as in `Operation`."""

    process: int
    steps: tuple[Step, ...]
    start: float = 0.0
    end: float = NEVER
    outcome: str = "ok"

    def appended(self, key: str) -> list[object]:
        """Returns what it appends to a list, in order."""
        return [value for kind, name, value in self.steps if kind == "append" and name == key]

    def reads(self) -> list[tuple[str, tuple[object, ...]]]:
        """Returns the lists that it read before it appended to them itself: what others had done."""
        written: set[str] = set()
        found = []
        for kind, key, value in self.steps:
            if kind == "append":
                written.add(key)
            elif key not in written and value is not None:
                assert isinstance(value, (list, tuple))
                found.append((key, tuple(value)))
        return found


def check(transactions: Sequence[Transaction]) -> Mapping[str, object]:
    """Returns an example of each anomaly by its name; empty if some order in time explains everything."""
    return _Check(transactions).found()


def of_operations(operations: Sequence[Operation]) -> list[Transaction]:
    """Returns the transactions of a history: `append` of pairs of key and value, `lists` as they were
    read."""
    transactions = []
    for op in operations:
        if op.kind == "append":
            steps: tuple[Step, ...] = tuple(("append", key, value) for key, value in op.given)
        elif op.kind == "lists" and op.outcome == "ok":
            steps = tuple(("read", key, tuple(op.result.get(key, ()))) for key in op.given)
        else:
            continue
        transactions.append(Transaction(op.process, steps, op.start, op.end, op.outcome))
    return transactions


class _Check:
    def __init__(self, transactions: Sequence[Transaction]) -> None:
        self._all = list(transactions)
        self._writer = {
            (key, value): number
            for number, one in enumerate(self._all)
            for kind, key, value in one.steps
            if kind == "append"
        }
        self._found: dict[str, object] = {}
        self._order: dict[str, tuple[object, ...]] = defaultdict(tuple)
        self._readers: list[tuple[int, str, tuple[object, ...]]] = [
            (number, key, values)
            for number, one in enumerate(self._all)
            if one.outcome == "ok"
            for key, values in one.reads()
        ]

    def found(self) -> Mapping[str, object]:
        self._within()
        self._values()
        self._orders()
        self._overwritten()
        self._cycles()
        return self._found

    def _note(self, name: str, example: object) -> None:
        self._found.setdefault(name, example)

    def _within(self) -> None:
        """A transaction sees what it has appended itself."""
        for one in self._all:
            known: dict[str, list[object]] = {}
            own: dict[str, list[object]] = defaultdict(list)
            for kind, key, value in one.steps:
                if kind == "append":
                    own[key].append(value)
                    if key in known:
                        known[key].append(value)
                elif one.outcome == "ok" and isinstance(value, (list, tuple)):
                    tail = list(value)[len(value) - len(own[key]) :]
                    if (key in known and list(value) != known[key]) or tail != own[key]:
                        self._note("internal", (key, value))
                    known[key] = list(value)

    def _values(self) -> None:
        for number, key, values in self._readers:
            twice = [value for value, count in Counter(values).items() if count > 1]
            if twice:
                self._note("duplicate", (key, twice[0]))
            for value in values:
                writer = self._writer.get((key, value))
                if writer is None:
                    self._note("unwritten", (key, value))
                elif self._all[writer].outcome == "fail":
                    self._note("G1a", (key, value))  # it read what never happened
            last = self._writer.get((key, values[-1])) if values else None
            if last not in (None, number) and self._all[last or 0].appended(key)[-1] != values[-1]:
                self._note("G1b", (key, values[-1]))  # it read what was not yet done

    def _orders(self) -> None:
        for _, key, values in sorted(self._readers, key=lambda one: len(one[2])):
            shorter = self._order[key]
            if values[: len(shorter)] != shorter:
                self._note("incompatible-order", (key, shorter, values))
            else:
                self._order[key] = values

    def _overwritten(self) -> None:
        for key, values in self._order.items():
            for before, after in pairwise(values):
                first, second = self._outcome(key, before), self._outcome(key, after)
                if first == "fail" != second:
                    self._note("dirty-update", (key, before, after))
        seen: dict[tuple[str, tuple[object, ...]], int] = {}
        for number, key, values in self._readers:
            if self._all[number].appended(key):
                other = seen.setdefault((key, values), number)
                if other != number:
                    self._note("lost-update", (key, self._all[other], self._all[number]))

    def _outcome(self, key: str, value: object) -> str | None:
        writer = self._writer.get((key, value))
        return None if writer is None else self._all[writer].outcome

    def _cycles(self) -> None:
        graph = Graph()
        observed = {
            self._writer[key, value]
            for key, values in self._order.items()
            for value in values
            if (key, value) in self._writer
        }
        there = [n for n, one in enumerate(self._all) if one.outcome == "ok" or n in observed]
        for key, values in self._order.items():
            writers = [self._writer.get((key, value)) for value in values]
            for before, after in pairwise(writers):
                self._edge(graph, before, after, WW)
        unread: dict[str, list[tuple[object, int]]] = defaultdict(list)
        for (key, value), writer in self._writer.items():
            if self._all[writer].outcome == "ok" and value not in self._order[key]:
                unread[key].append((value, writer))
        for number, key, values in self._readers:
            if values:
                self._edge(graph, self._writer.get((key, values[-1])), number, WR)
            order = self._order[key]
            following = (
                order[len(values)] if order[: len(values)] == values and len(order) > len(values) else None
            )
            if following is not None:
                self._edge(graph, number, self._writer.get((key, following)), RW)
            for _, writer in unread[key]:  # nothing leaves a list: who lacks a value came before it
                graph.add(number, writer, RW)
        self._in_time(graph, there)
        for name, cycle in anomalies(graph).items():
            pairs = zip(cycle, [*cycle[1:], cycle[0]], strict=True)
            self._note(name, [(self._all[one], graph.why(one, two)) for one, two in pairs])

    @staticmethod
    def _edge(graph: Graph, before: int | None, after: int | None, why: str) -> None:
        """Notes that one comes before the other; who wrote what nobody appended is None."""
        if before is not None and after is not None:
            graph.add(before, after, why)

    def _in_time(self, graph: Graph, there: list[int]) -> None:
        """Adds the order of each client, and that of time between transactions that did not overlap: only
        between neighbours, from which the rest follows."""
        last: dict[int, int] = {}
        for number in sorted(there, key=lambda n: self._all[n].start):
            process = self._all[number].process
            if process in last:
                graph.add(last[process], number, SESSION)
            last[process] = number
        moments = [(self._all[n].start, 1, n) for n in there] + [
            (self._all[n].end, 0, n) for n in there if self._all[n].end != NEVER
        ]
        ended: set[int] = set()
        before: dict[int, set[int]] = {}
        for _, begins, number in sorted(moments):
            if begins:
                before[number] = set(ended)
                for one in ended:
                    graph.add(one, number, TIME)
            else:
                ended -= before[number]
                ended.add(number)
