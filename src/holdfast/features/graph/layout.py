"""Positions of entities for a drawing: the same for the same graph, however it was read.

Entities are grouped by their relations. The groups lie on a spiral, the largest in the middle, and in each
one springs pull related entities together while all push each other away.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Points = NDArray[np.float64]
    Edges = Sequence[tuple[int, int]]

ROUNDS = 12
"""Rounds in which entities join the group of most of their neighbours."""
STEPS = 60
EXACT_MAX = 300
"""Entities of a group up to which all pairs push each other; of larger groups, a sample does."""
SAMPLE = 48
DISTANCE = 40.0
"""Between two related entities."""
GOLDEN_ANGLE = np.pi * (3 - np.sqrt(5))


def positions(count: int, edges: Edges) -> tuple[Points, list[int]]:
    """Returns a position for each of `count` nodes, which are in a fixed order, and its group: 0 for the
    largest."""
    groups = _groups(count, edges)
    parts = _parts(count, edges, groups)
    points = np.zeros((count, 2))
    inside: dict[int, list[tuple[int, int]]] = {}
    for a, b in edges:
        if parts[a] == parts[b] and a != b:
            inside.setdefault(parts[a], []).append((a, b))
    members: dict[int, list[int]] = {}
    for node, part in enumerate(parts):
        members.setdefault(part, []).append(node)
    area = 0.0
    for number, group in enumerate(sorted(members)):
        nodes = members[group]
        place = {node: i for i, node in enumerate(nodes)}
        own = _sprung(len(nodes), [(place[a], place[b]) for a, b in inside.get(group, ())])
        radius = float(np.sqrt((own**2).sum(axis=1).max())) + DISTANCE
        away = 0.0 if number == 0 else float(np.sqrt(area)) + radius
        area = max(area, 0.0) + 1.6 * radius**2 if number else (radius * 1.05) ** 2
        angle = number * GOLDEN_ANGLE
        points[nodes] = own + away * np.array([np.cos(angle), np.sin(angle)])
    return points, groups


def _parts(count: int, edges: Edges, groups: Sequence[int]) -> list[int]:
    """Returns what each node is placed with: all that it is connected with, or its group where that is too
    much; numbered by size."""
    root = list(range(count))

    def find(node: int) -> int:
        while root[node] != node:
            root[node] = node = root[root[node]]
        return node

    for a, b in edges:
        low, high = sorted((find(a), find(b)))
        root[high] = low
    whole = [find(node) for node in range(count)]
    sizes = Counter(whole)
    names = [
        (0, whole[node]) if sizes[whole[node]] <= EXACT_MAX else (1, groups[node]) for node in range(count)
    ]
    return _number_by_frequency(names)


def _number_by_frequency(names: Sequence[Any]) -> list[int]:
    """Returns a number for each name, 0 for the most frequent; of equally many the smaller one first."""
    sizes = Counter(names)
    number = {node: i for i, node in enumerate(sorted(sizes, key=lambda node: (-sizes[node], node)))}
    return [number[name] for name in names]


def _groups(count: int, edges: Edges) -> list[int]:
    """Returns the group of each node by label propagation, numbered by size."""
    neighbours: list[list[int]] = [[] for _ in range(count)]
    for a, b in edges:
        if a != b:
            neighbours[a].append(b)
            neighbours[b].append(a)
    label = list(range(count))
    order = sorted(range(count), key=lambda node: (-len(neighbours[node]), node))
    for _ in range(ROUNDS):
        moved = False
        for node in order:
            if not neighbours[node]:
                continue
            votes = Counter(label[other] for other in neighbours[node])
            most = max(votes.values())
            best = min(group for group, number in votes.items() if number == most)
            if votes.get(label[node], 0) < most:
                label[node], moved = best, True
        if not moved:
            break
    return _number_by_frequency(label)


def _sprung(count: int, edges: Edges) -> Points:
    """Returns positions around the origin, by springs (Fruchterman and Reingold)."""
    spots = np.arange(count)
    spread = DISTANCE * np.sqrt(spots + 0.3)[:, None]
    points = spread * np.stack([np.cos(spots * GOLDEN_ANGLE), np.sin(spots * GOLDEN_ANGLE)], axis=1)
    if count < 3:
        small: Points = points - points.mean(axis=0)
        return small
    ends = np.array(edges, np.int64).reshape(-1, 2)
    rng = np.random.default_rng(count)
    for step in range(STEPS):
        others = spots if count <= EXACT_MAX else rng.choice(count, SAMPLE, replace=False)
        apart = points[:, None, :] - points[None, others, :]
        squared = (apart**2).sum(axis=2) + 1.0
        weight = DISTANCE**2 / squared * (count / len(others))
        force = (apart * weight[:, :, None]).sum(axis=1)
        pull = points[ends[:, 0]] - points[ends[:, 1]]
        pull *= np.sqrt((pull**2).sum(axis=1, keepdims=True)) / DISTANCE
        np.add.at(force, ends[:, 0], -pull)
        np.add.at(force, ends[:, 1], pull)
        force -= 0.02 * points * np.sqrt(count)  # nothing drifts away
        length = np.sqrt((force**2).sum(axis=1, keepdims=True)) + 1e-9
        points += force / length * np.minimum(length, DISTANCE * (1 - step / STEPS))
    centred: Points = points - points.mean(axis=0)
    return centred
