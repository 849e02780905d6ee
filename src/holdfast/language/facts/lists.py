"""Applies statements about lists of facts, oldest first, and returns the resulting facts."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field

from holdfast.core.facts import LAST, Act, Fact, FactChange, Stated

NEAR = 0.85
"""Share of the words of one value that the other must contain for both to be the same (S1.37)."""
COMMON = 2
"""Fewest words that two values must share: "blue" is not "light blue"."""

_QUOTES = str.maketrans({"\u2018": "'", "\u2019": "'", "\u201c": '"', "\u201d": '"', "\u201e": '"', "`": "'"})
_EDGE = " .,!?;:\"'"


def folded(value: str) -> str:
    """Returns a value in a form for comparison: NFKC, plain quotes, single spaces, lower case, trimmed."""
    plain = unicodedata.normalize("NFKC", value).translate(_QUOTES)
    return " ".join(plain.split()).strip(_EDGE).lower()


def nearest(keys: Sequence[str | None], target: str) -> int | None:
    """Returns the index of the key nearest to `target`. None among the keys is a rank without a value."""
    if target in keys:
        return keys.index(target)
    bare = [None if key is None else _ARTICLE.sub("", key) for key in keys]
    if (plain := _ARTICLE.sub("", target)) in bare:
        return bare.index(plain)
    words = _words(target)
    best: tuple[float, int] | None = None
    for i, key in enumerate(keys):
        theirs = _words(key or "")
        common = len(words & theirs)
        if common >= COMMON and common / min(len(words), len(theirs)) >= NEAR:
            nearness = common / len(words | theirs)
            if best is None or nearness > best[0]:
                best = nearness, i
    return None if best is None else best[1]


_ARTICLE = re.compile(r"^(?:the|an?|der|die|das|den|dem|eine?n?) (?=.)")
"""A value is found with and without its article."""


def _words(value: str) -> set[str]:
    return set(re.findall(r"\w+", value))


@dataclass(slots=True)
class Board:
    """The state of one topic while statements are applied with `apply`, oldest first.

    `items` are the values by rank from 1 on, None for a rank without a value; the last one is a value. A list
    that was stated as a whole, or appended to, has an end, and a rank beyond it appends. Ranks that were
    stated one by one stay at their ranks. The single preference is rank 1 if no other value is.
    """

    topic: str
    items: list[tuple[str, Stated] | None] = field(default_factory=list)
    single: tuple[str, Stated] | None = None
    changes: list[FactChange] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    ranked_at: int = -1
    """The turn of the last statement about ranks."""
    doubt: Stated | None = None
    """The sentence that may have changed the list and was not understood, until the list is stated anew."""
    _first_at: int = -1
    _single_at: int = -1
    """The turns in which rank 1 and the single preference were stated."""
    _keys: list[str | None] = field(default_factory=list)
    """The folded values of `items`."""
    _known: set[str] = field(default_factory=set)
    _is_list: bool = False

    def apply(self, stated: Stated, turn: int = 0) -> None:
        """Applies one statement; `turn` numbers the statements across topics."""
        statement = stated.statement
        if statement.act is Act.SINGLE:
            self.doubt = self.doubt if self.items else None
            self._prefer(stated)
            self._single_at = turn
            return
        self.ranked_at = turn
        if statement.act is Act.CLEAR or (statement.act is Act.LIST and statement.rank == 1):
            self.doubt = None
            self._clear(stated)
        if statement.act in (Act.LIST, Act.ADD):
            self._add(stated)
        elif statement.act is Act.CLEAR:
            if self.single is not None:
                self._changed(stated, self.single[0], None, None, None, "drop")
            self.single = None
        elif statement.act in (Act.REPLACE, Act.SWAP, Act.BEFORE, Act.AFTER):
            self._relate(stated)
        else:
            self._edit(stated)
        self._settle()
        tops = statement.act in (Act.LIST, Act.SET, Act.PLACE) and statement.rank == 1
        if tops or (self.items and self.items[0] is not None and self.items[0][1] is stated):
            self._first_at = turn

    def _prefer(self, stated: Stated) -> None:
        """Sets the single preference. It becomes rank 1 unless that has a ranked value."""
        value = stated.statement.value
        before = None if self.single is None else self.single[0]
        first = self.items[0] if self.items else None
        is_first = bool(self.items) and (first is None or first[1].statement.act is Act.SINGLE)
        if is_first:
            key = folded(value)
            for at in {0, self._keys.index(key) if key in self._known else 0}:
                self._lift(at)
            self._fill(0, value, stated)
        self.single = value, stated
        self._settle()
        if before is None or folded(before) != folded(value):
            self._changed(stated, value, None, 1 if is_first else None, before)

    def _clear(self, stated: Stated) -> None:
        for i in range(len(self.items)):
            if (value := self._lift(i)) is not None:
                self._changed(stated, value, i + 1, None, None, "drop")
        self.items, self._keys, self._is_list = [], [], False

    def _add(self, stated: Stated) -> None:
        """Appends a value, after the single preference if there is no list yet."""
        value = stated.statement.value
        if self.single is not None and not self.items and stated.statement.rank != 1:
            self._put(0, *self.single)
        self._is_list = True
        # a new item must match exactly; only moves and removals may name a value loosely (S1.37)
        key = folded(value)
        if key in self._known:
            index = self._keys.index(key)
            self.notes.append(f"{self._value(index)} is already at #{index + 1}")
            return
        self._put(len(self.items), value, stated)
        self._changed(stated, value, None, len(self.items), None)

    def _edit(self, stated: Stated) -> None:
        """Sets, moves, inserts or removes a value."""
        statement = stated.statement
        index = self._index(statement.value, exactly=statement.act is Act.SET)
        if statement.act is Act.SET and index is None:
            self._set(stated)
        elif statement.act is not Act.REMOVE and (index is not None or not position_named(statement.value)):
            self._place(stated, index)
        elif index is not None:
            self._changed(stated, self._lift(index) or statement.value, index + 1, None, None)
            del self.items[index], self._keys[index]
        elif self.single is not None and folded(self.single[0]) == folded(statement.value):
            self._changed(stated, self.single[0], None, None, None)
            self.single = None
        else:
            self.notes.append(f"{statement.value} is not in the list")

    def _relate(self, stated: Stated) -> None:
        """Replaces a value by another, swaps two, or puts one before or after another."""
        statement = stated.statement
        other = self._index(statement.other or "")
        if other is None:
            if statement.act is Act.REPLACE and self.single is not None and not self.items:
                self._replace_single(stated)
            else:
                self.notes.append(f"{statement.other} is not in the list")
            return
        index = self._index(statement.value)
        value = statement.value if index is None else self._value(index)
        if statement.act is Act.REPLACE:
            self._replace(stated, other, index)
        elif statement.act is not Act.SWAP:
            if index == other:
                self.notes.append(f"{value} is already at #{other + 1}")
                return
            goes_down = index is not None and index < other
            at = other + (statement.act is Act.AFTER) - goes_down
            if index is not None:
                del self.items[index], self._keys[index]
                self._known.discard(folded(value))
            self._insert(at, value, stated)
            self._changed(stated, value, None if index is None else index + 1, at + 1, None)
        elif index is None:
            self.notes.append(f"{statement.value} is not in the list")
        elif index != other:
            self.items[index], self.items[other] = self.items[other], self.items[index]
            self._keys[index], self._keys[other] = self._keys[other], self._keys[index]
            for before, after in ((index, other), (other, index)):
                self._changed(stated, self._value(after), before + 1, after + 1, None)

    def _replace(self, stated: Stated, at: int, known: int | None) -> None:
        """Puts a value in the place of another; one that is in the list already only takes its rank."""
        value = stated.statement.value
        if known is not None and known != at:
            value = self._lift(known) or value
        old = self._lift(at)
        self._fill(at, value, stated)
        if known is not None and known != at:
            del self.items[known], self._keys[known]
        if old != value:
            self._changed(stated, value, None if known is None else known + 1, at + 1, old)

    def _replace_single(self, stated: Stated) -> None:
        """Replaces the single preference if it is the value that is named."""
        statement = stated.statement
        assert self.single is not None
        if folded(self.single[0]) == folded(statement.other or ""):
            self._changed(stated, statement.value, None, None, self.single[0])
            self.single = statement.value, stated
        else:
            self.notes.append(f"{statement.other} is not in the list")

    def _insert(self, at: int, value: str, stated: Stated) -> None:
        self.items.insert(at, (value, stated))
        self._keys.insert(at, folded(value))
        self._known.add(folded(value))

    def _index(self, value: str, *, exactly: bool = False) -> int | None:
        """Returns the index of a value or of a position such as `#2`; None if there is nothing."""
        if (position := position_named(value)) is not None:
            at = position - 1 if position > 0 else len(self.items) + position
            return at if 0 <= at < len(self.items) and self.items[at] is not None else None
        key = folded(value)
        if key in self._known:
            return self._keys.index(key)
        return None if exactly else nearest(self._keys, key)

    def has(self, value: str) -> bool:
        """Returns whether the list has a value or a position such as `#2`."""
        is_single = self.single is not None and folded(self.single[0]) == folded(value)
        return is_single or self._index(value) is not None

    def _set(self, stated: Stated) -> None:
        """Sets the value of one rank."""
        value = stated.statement.value
        at = self._at(stated, len(self.items), value)
        old = self._lift(at) if at < len(self.items) else None
        self._put(at, value, stated)
        if old != value:
            self._changed(stated, value, None, at + 1, old)

    def _place(self, stated: Stated, known: int | None) -> None:
        """Moves or inserts a value and shifts the others up to the first free rank."""
        value = stated.statement.value
        if known is None:
            at = self._at(stated, len(self.items), value)
            self._put(at, value, stated)
        else:
            value = self._value(known)
            at = self._at(stated, len(self.items) - 1, value)
            if at == known:
                self.notes.append(f"{value} is already at #{known + 1}")
                return
            self._lift(known)
            self._put(at, value, stated, is_down=at > known)
        self._changed(stated, value, None if known is None else known + 1, at + 1, None)

    def _at(self, stated: Stated, last: int, value: str) -> int:
        """Returns the index of a statement's rank, `last` for a rank beyond the end of a list."""
        at = last if stated.statement.rank == LAST else (stated.statement.rank or 1) - 1
        if at <= last or not self._is_list or None in self.items:
            return at
        self.notes.append(f"{value} is at #{last + 1}, the end of the list")
        return last

    def _put(self, at: int, value: str, stated: Stated, *, is_down: bool = False) -> None:
        """Inserts a value at an index. The values from there shift to the nearest free index, upward if
        `is_down`."""
        if at < len(self.items):
            free = [i for i in range(at, -1, -1) if self.items[i] is None] if is_down else self._free(at)
            if free:
                del self.items[free[0]], self._keys[free[0]]
            self.items.insert(at, None)
            self._keys.insert(at, None)
        self._fill(at, value, stated)

    def _free(self, at: int) -> list[int]:
        return [self.items.index(None, at)] if None in self.items[at:] else []

    def _fill(self, at: int, value: str, stated: Stated) -> None:
        """Stores a value at a free index and extends the list if needed."""
        beyond = at + 1 - len(self.items)
        self.items += [None] * beyond
        self._keys += [None] * beyond
        self.items[at], self._keys[at] = (value, stated), folded(value)
        self._known.add(folded(value))

    def _lift(self, at: int) -> str | None:
        """Takes the value from an index and frees it. The single preference is cleared if it was there."""
        item, key = self.items[at], self._keys[at]
        if item is None or key is None:
            return None
        self.items[at] = self._keys[at] = None
        self._known.discard(key)
        if self.single is not None and self.single[1] is item[1]:
            self.single = None
        return item[0]

    def _settle(self) -> None:
        """Drops free indexes at the end and fills a free first one with the single preference."""
        while self.items and self.items[-1] is None:
            del self.items[-1], self._keys[-1]
        self._is_list = self._is_list and bool(self.items)
        if self.single is not None and self.items and self.items[0] is None:
            if folded(self.single[0]) in self._known:
                self.single = None  # a later statement gave it a lower rank
            else:
                self._fill(0, *self.single)

    def _value(self, at: int) -> str:
        item = self.items[at]
        assert item is not None
        return item[0]

    def _changed(
        self,
        stated: Stated,
        value: str,
        before: int | None,
        after: int | None,
        replaced: str | None,
        act: str | None = None,
    ) -> None:
        """Records a change of the list."""
        name = act or stated.statement.act.value
        self.changes.append(FactChange(*_source(stated), self.topic, name, value, before, after, replaced))

    # what holds

    def at(self, rank: int) -> Fact | None:
        """Returns the fact at a rank, or None."""
        item = self.items[rank - 1] if rank <= len(self.items) else None
        return None if item is None else self._fact(item[0], rank, item[1])

    @property
    def ranked(self) -> list[Fact]:
        """Returns the ranked facts in order."""
        return [fact for rank in range(1, len(self.items) + 1) if (fact := self.at(rank)) is not None]

    @property
    def facts(self) -> list[Fact]:
        """Returns the ranked facts and, unless it is one of them, the single preference."""
        alone = self.single
        counts = alone is not None and any(item is not None and item[1] is alone[1] for item in self.items)
        return [*self.ranked, *filter(None, [None if counts else self.preference])]

    @property
    def is_ranked(self) -> bool:
        """Returns whether the last of several values was given by rank."""
        last = self.items[-1] if len(self.items) > 1 and None not in self.items else None
        return self._is_list and last is not None and last[1].statement.act not in (Act.ADD, Act.SINGLE)

    @property
    def preference(self) -> Fact | None:
        """Returns the single preference, or None."""
        return None if self.single is None else self._fact(self.single[0], None, self.single[1])

    @property
    def first(self) -> Fact | None:
        """Returns the fact liked best: the first of the list or the single preference, whichever is newer."""
        alone = self.preference
        top = self.at(1)
        return alone if top is None or (alone is not None and self._single_at > self._first_at) else top

    def _fact(self, value: str, rank: int | None, stated: Stated) -> Fact:
        doubt = None if self.doubt is None else self.doubt.memory
        return Fact(*_source(stated), self.topic, value, rank, stated.project, stated.session, doubt)


def _source(stated: Stated) -> tuple[str | None, str | None, str, str, int]:
    message, statement = (stated.memory, None) if stated.is_said else (None, stated.memory)
    return message, statement, stated.by, stated.origin, stated.at


def position_named(value: str) -> int | None:
    """Returns the position that `#2` names, `#-1` for the last; None for a value."""
    match = _POSITION.fullmatch(value)
    return int(match[1]) if match else None


_POSITION = re.compile(r"#(-?\d{1,3})")
