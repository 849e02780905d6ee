"""Turns values that were read into statements: a single preference, a whole list, or single ranks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from holdfast.core.facts import RANK_MAX, Act, Statement
from holdfast.language.facts.heads import Head
from holdfast.language.facts.lists import folded
from holdfast.language.facts.regions import Item
from holdfast.language.facts.topics import Topic, Topics

PLAIN = Head(0, 0, None)
"""The head of a topic that is only spoken of."""


def single(head: Head, topic: Topic, items: Sequence[Item]) -> list[Statement]:
    """Returns the statement of a single value: of the rank that the head names, or the preference."""
    if len(items) != 1:
        return []
    value = items[0][1]
    if head.rank is None:
        return [Statement(topic.key, Act.SINGLE, value)]
    return [Statement(topic.key, Act.PLACE, value, head.rank)] if 1 <= head.rank <= RANK_MAX else []


def list_statements(
    topic: Topic,
    items: Iterable[Item],
    head: Head,
    *,
    adds: bool = False,
    only: bool = False,
    placed: bool = False,
) -> list[Statement]:
    """Returns statements of a whole list if its ranks are 1 to n or it has none, else of single ranks."""
    items = list(items)
    if head.rank is not None and len(items) == 1:
        return single(head, topic, items)
    once: dict[str, Item] = {}
    for rank, value in sorted(items, key=lambda item: item[0] or 0):
        once.setdefault(folded(value), (rank, value))
    ranks = [rank for rank, _ in once.values() if rank is not None]
    if not once:
        return []
    if placed:  # my favourite is A, second comes B
        first, *others = once.values()
        top = (
            [Statement(topic.key, Act.SINGLE, first[1])]
            if first[0] in (None, 1) and head.rank is None
            else [Statement(topic.key, Act.PLACE, first[1], first[0])]
        )
        return top + [Statement(topic.key, Act.PLACE, value, rank) for rank, value in others]
    if ranks and (len(items) > 1 or only) and ranks == list(range(1, len(once) + 1)):
        return [
            Statement(topic.key, Act.LIST, value, rank) for rank, (_, value) in enumerate(once.values(), 1)
        ]
    if ranks:
        return [
            Statement(topic.key, Act.SET, value, rank)
            for rank, value in once.values()
            if rank and rank <= RANK_MAX
        ]
    added = [Statement(topic.key, Act.ADD, value) for _, value in once.values()]
    return added if adds else [Statement(topic.key, Act.CLEAR), *added]


def topic_of_all(statements: Sequence[Statement], topics: Topics) -> Topic | None:
    """Returns the topic of the last of several statements, None if it has none."""
    key = statements[-1].topic if statements else ""
    return topics[key] if key else None
