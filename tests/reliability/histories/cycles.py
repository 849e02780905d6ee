"""Cycles of dependencies between transactions, and the names of the anomalies that they are."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Collection, Iterable, Iterator, Mapping

WW, WR, RW, SESSION, TIME = "ww", "wr", "rw", "session", "time"
"""What makes a transaction come before another: it wrote what the other overwrote, or read; it read what the
other overwrote; the same client did it before; it had ended when the other began."""

ORDERS = (((), ""), ((SESSION,), "-session"), ((SESSION, TIME), "-realtime"))
"""Which orders beside those of the values are taken for granted, and what an anomaly against them is
called."""


class Graph:
    """Which transactions depend on which, and why."""

    def __init__(self) -> None:
        self._edges: dict[int, dict[int, set[str]]] = defaultdict(lambda: defaultdict(set))

    def add(self, before: int, after: int, why: str) -> None:
        """Notes that one comes before another."""
        if before != after:
            self._edges[before][after].add(why)

    def following(self, node: int, kinds: Collection[str]) -> Iterator[int]:
        """Yields what depends on a transaction in one of some ways."""
        for after, whys in self._edges[node].items():
            if not whys.isdisjoint(kinds):
                yield after

    def pairs(self, why: str) -> list[tuple[int, int]]:
        """Returns all edges of a kind."""
        return [
            (one, two) for one, after in self._edges.items() for two, whys in after.items() if why in whys
        ]

    def components(self, kinds: Collection[str]) -> list[set[int]]:
        """Returns the strongly connected components of more than one transaction (Tarjan)."""
        index: dict[int, int] = {}
        low: dict[int, int] = {}
        stack: list[int] = []
        on_stack: set[int] = set()
        found: list[set[int]] = []
        for root in list(self._edges):
            if root in index:
                continue
            work: list[tuple[int, Iterator[int]]] = []
            entered: int | None = root
            while entered is not None or work:
                if entered is not None:
                    index[entered] = low[entered] = len(index)
                    stack.append(entered)
                    on_stack.add(entered)
                    work.append((entered, iter(list(self.following(entered, kinds)))))
                node, rest = work[-1]
                entered = None
                for after in rest:
                    if after not in index:
                        entered = after
                        break
                    if after in on_stack:
                        low[node] = min(low[node], index[after])
                if entered is not None:
                    continue
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == index[node]:
                    component: set[int] = set()
                    while node not in component:
                        component.add(top := stack.pop())
                        on_stack.discard(top)
                    if len(component) > 1:
                        found.append(component)
        return found

    def path(
        self, start: int, goals: Collection[int], kinds: Collection[str], inside: Collection[int]
    ) -> list[int] | None:
        """Returns a shortest path from a transaction to one of others; None if there is none."""
        came: dict[int, int] = {}
        waiting = deque([start])
        while waiting:
            node = waiting.popleft()
            for after in self.following(node, kinds):
                if after not in inside or after in came or after == start:
                    continue
                came[after] = node
                if after in goals:
                    nodes = [after]
                    while nodes[-1] != start:
                        nodes.append(came[nodes[-1]])
                    return nodes[::-1]
                waiting.append(after)
        return None

    def why(self, before: int, after: int) -> str:
        """Returns why one comes before another."""
        return "+".join(sorted(self._edges[before][after]))


def anomalies(graph: Graph) -> Mapping[str, list[int]]:
    """Returns an example of each anomaly, as the transactions of a cycle, under the weakest order that shows
    it.

    G0: only writes overwrite each other in a circle. G1c: also reads. G-single: one read that missed what was
    written. G2: more than one.
    """
    found: dict[str, list[int]] = {}
    for more, suffix in ORDERS:
        for name, cycle in _named(graph, more):
            if not any(known.split("-session")[0].split("-realtime")[0] == name for known in found):
                found[name + suffix] = cycle
    return found


def _named(graph: Graph, more: tuple[str, ...]) -> Iterable[tuple[str, list[int]]]:
    for name, kinds, needed, back in (
        ("G0", (WW, *more), (WW, *more), (WW, *more)),
        ("G1c", (WW, WR, *more), (WR,), (WW, WR, *more)),
        ("G-single", (WW, WR, RW, *more), (RW,), (WW, WR, *more)),
        ("G2", (WW, WR, RW, *more), (RW,), (WW, WR, RW, *more)),
    ):
        cycle = _cycle(graph, kinds, needed, back)
        if cycle is not None:
            yield name, cycle
            if name == "G-single":
                return


def _cycle(
    graph: Graph, kinds: tuple[str, ...], needed: tuple[str, ...], back: tuple[str, ...]
) -> list[int] | None:
    """Returns a cycle of an edge of a needed kind and a path back of some kinds, among edges of `kinds`."""
    edges = [pair for kind in needed for pair in graph.pairs(kind)]
    for component in graph.components(kinds):
        # one search for all edges to the same transaction: to one that nobody saw, there are thousands
        before: dict[int, set[int]] = defaultdict(set)
        for one, two in edges:
            if one in component and two in component:
                before[two].add(one)
        for after, goals in before.items():
            nodes = graph.path(after, goals, back, component)
            if nodes is not None:
                return [nodes[-1], *nodes[:-1]]
    return None
