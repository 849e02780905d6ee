"""Lists of facts: edited by statements in the order in which they were said; ranks are 1 to n (S1.35)."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from holdfast.domain.facts import Act, Fact, FactChange, Said

NEAR = 0.85
"""Share of the words of one value that must stand in the other for both to be the same (S1.37)."""
COMMON = 2
"""Words that they share at least: "blue" is not "light blue"."""

_QUOTES = str.maketrans({"\u2018": "'", "\u2019": "'", "\u201c": '"', "\u201d": '"', "\u201e": '"', "`": "'"})
_EDGE = " .,!?;:\"'"


def folded(value: str) -> str:
    """A value for comparing: NFKC, plain quotes, single spaces, no quotes or marks at its ends, lower
    case."""
    plain = unicodedata.normalize("NFKC", value).translate(_QUOTES)
    return " ".join(plain.split()).strip(_EDGE).lower()


def position_of(values: Sequence[str], value: str) -> int | None:
    """Where a value stands in a list: the same when folded, else the one that shares nearly all its words
    with it, the nearest by Jaccard (S1.37)."""
    return _nearest([folded(one) for one in values], folded(value))


def _nearest(keys: Sequence[str], wanted: str) -> int | None:
    """The same over folded values."""
    if wanted in keys:
        return keys.index(wanted)
    words = _words(wanted)
    best: tuple[float, int] | None = None
    for i, one in enumerate(keys):
        theirs = _words(one)
        common = len(words & theirs)
        if common >= COMMON and common / min(len(words), len(theirs)) >= NEAR:
            nearness = common / len(words | theirs)
            if best is None or nearness > best[0]:
                best = nearness, i
    return None if best is None else best[1]


def _words(value: str) -> set[str]:
    return set(re.findall(r"\w+", value))


@dataclass(slots=True)
class Board:
    """What holds of one topic after some statements. Apply them with `apply`, oldest first. `keys` are the
    folded values of `items`."""

    topic: str
    items: list[tuple[str, Said]] = field(default_factory=list)
    single: tuple[str, Said] | None = None
    changes: list[FactChange] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    ranked_at: int = -1
    single_at: int = -1
    """The turns of the last statement about ranks and of the last about the single preference."""
    keys: list[str] = field(default_factory=list)
    _known: set[str] = field(default_factory=set)

    def apply(self, said: Said, turn: int = 0) -> None:
        """Takes over one statement; `turn` counts them across topics."""
        one = said.statement
        if one.act is Act.SINGLE:
            before = None if self.single is None else self.single[0]
            self.single, self.single_at = (one.value, said), turn
            if before is None or folded(before) != folded(one.value):
                self._note(said, None, None, before)
            return
        self.ranked_at = turn
        if one.act is Act.LIST and one.rank == 1:
            for i, (old, _) in enumerate(self.items, 1):
                self._changed(said, old, i, None, None, "drop")
            self.items, self.keys, self._known = [], [], set()
        # a new item of a list is known by its words; only moves and removals may be told loosely (S1.37)
        key = folded(one.value)
        known = self.keys.index(key) if key in self._known else None
        if known is None and one.act in (Act.PLACE, Act.REMOVE):
            known = _nearest(self.keys, key)
        if one.act in (Act.LIST, Act.ADD):
            if known is None:
                self._put(len(self.items), one.value, said)
                self._note(said, None, len(self.items), None)
            else:
                self.notes.append(f"{self.items[known][0]} is already at #{known + 1}")
        elif one.act is Act.REMOVE:
            if known is None:
                self.notes.append(f"{one.value} is not in the list")
            else:
                value = self._take(known)
                self._changed(said, value, known + 1, None, None)
        elif one.act is Act.SET and known is None:
            self._set(said)
        else:
            self._place(said, known)

    def _set(self, said: Said) -> None:
        """The value of one rank; beyond the end it is appended, so that ranks stay contiguous."""
        at = min((said.statement.rank or 1) - 1, len(self.items))
        old = self._take(at) if at < len(self.items) else None
        self._put(at, said.statement.value, said)
        if old != said.statement.value:
            self._note(said, None, at + 1, old)

    def _place(self, said: Said, known: int | None) -> None:
        """Moves or inserts, shifting the others."""
        value = said.statement.value
        if known is not None:
            value = self.items[known][0]
            at = min((said.statement.rank or 1) - 1, len(self.items) - 1)
            if at == known:
                self.notes.append(f"{value} is already at #{known + 1}")
                return
            self._take(known)
        else:
            at = min((said.statement.rank or 1) - 1, len(self.items))
        self._put(at, value, said)
        self._changed(said, value, None if known is None else known + 1, at + 1, None)

    def _put(self, at: int, value: str, said: Said) -> None:
        self.items.insert(at, (value, said))
        self.keys.insert(at, folded(value))
        self._known.add(self.keys[at])

    def _take(self, at: int) -> str:
        self._known.discard(self.keys.pop(at))
        return self.items.pop(at)[0]

    def _note(self, said: Said, before: int | None, after: int | None, replaced: str | None) -> None:
        self._changed(said, said.statement.value, before, after, replaced)

    def _changed(
        self, said: Said, value: str, before: int | None, after: int | None, replaced: str | None,
        act: str | None = None,
    ) -> None:  # fmt: skip
        name = act or said.statement.act.value
        self.changes.append(
            FactChange(self.topic, name, value, before, after, replaced, said.message, said.at)
        )

    # what holds

    @property
    def ranked(self) -> list[Fact]:
        """The list, by rank."""
        return [_fact(self.topic, value, i, said) for i, (value, said) in enumerate(self.items, 1)]

    @property
    def preference(self) -> Fact | None:
        """The single preference."""
        return None if self.single is None else _fact(self.topic, self.single[0], None, self.single[1])

    @property
    def first(self) -> Fact | None:
        """What is liked best: the first of the list or the single preference, whichever was said last."""
        alone = self.preference
        if not self.items:
            return alone
        return alone if alone is not None and self.single_at > self.ranked_at else self.ranked[0]


def _fact(topic: str, value: str, rank: int | None, said: Said) -> Fact:
    return Fact(topic, value, rank, said.message, said.at, said.project, said.session)


def boards(said: Iterable[Said]) -> dict[str, Board]:
    """What holds of each topic after these statements, which are given oldest first."""
    found: dict[str, Board] = {}
    for turn, one in enumerate(said):
        found.setdefault(one.statement.topic, Board(one.statement.topic)).apply(one, turn)
    return found
