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

    def apply(self, entry: Stated, turn: int = 0) -> None:
        """Applies one statement; `turn` numbers the statements across topics."""
        statement = entry.statement
        if statement.act is Act.SINGLE:
            self.doubt = self.doubt if self.items else None
            self._prefer(entry)
            self._single_at = turn
            return
        self.ranked_at = turn
        if statement.act is Act.CLEAR or (statement.act is Act.LIST and statement.rank == 1):
            self.doubt = None
            self._clear(entry)
        if statement.act in (Act.LIST, Act.ADD):
            self._add(entry)
        elif statement.act is Act.CLEAR:
            if self.single is not None:
                self._changed(entry, self.single[0], None, None, None, "drop")
            self.single = None
        elif statement.act in (Act.REPLACE, Act.SWAP, Act.BEFORE, Act.AFTER):
            self._relate(entry)
        else:
            self._edit(entry)
        self._settle()
        tops = statement.act in (Act.LIST, Act.SET, Act.PLACE) and statement.rank == 1
        if tops or (self.items and self.items[0] is not None and self.items[0][1] is entry):
            self._first_at = turn

    def _prefer(self, entry: Stated) -> None:
        """Sets the single preference. It becomes rank 1 unless that has a ranked value."""
        value = entry.statement.value
        before = None if self.single is None else self.single[0]
        first = self.items[0] if self.items else None
        is_first = bool(self.items) and (first is None or first[1].statement.act is Act.SINGLE)
        if is_first:
            key = folded(value)
            for at in {0, self._keys.index(key) if key in self._known else 0}:
                self._lift(at)
            self._fill(0, value, entry)
        self.single = value, entry
        self._settle()
        if before is None or folded(before) != folded(value):
            self._changed(entry, value, None, 1 if is_first else None, before)

    def _clear(self, entry: Stated) -> None:
        for i in range(len(self.items)):
            if (value := self._lift(i)) is not None:
                self._changed(entry, value, i + 1, None, None, "drop")
        self.items, self._keys, self._is_list = [], [], False

    def _add(self, entry: Stated) -> None:
        """Appends a value, after the single preference if there is no list yet."""
        value = entry.statement.value
        if self.single is not None and not self.items and entry.statement.rank != 1:
            self._insert_shifting(0, *self.single)
        self._is_list = True
        # a new item must match exactly; only moves and removals may name a value loosely (S1.37)
        key = folded(value)
        if key in self._known:
            index = self._keys.index(key)
            self.notes.append(f"{self._value(index)} is already at #{index + 1}")
            return
        self._insert_shifting(len(self.items), value, entry)
        self._changed(entry, value, None, len(self.items), None)

    def _edit(self, entry: Stated) -> None:
        """Sets, moves, inserts or removes a value."""
        statement = entry.statement
        index = self._index(statement.value, exactly=statement.act is Act.SET)
        if statement.act is Act.SET and index is None:
            self._set(entry)
        elif statement.act is not Act.REMOVE and (index is not None or not position_named(statement.value)):
            self._place(entry, index)
        elif index is not None:
            self._changed(entry, self._lift(index) or statement.value, index + 1, None, None)
            del self.items[index], self._keys[index]
        elif self.single is not None and folded(self.single[0]) == folded(statement.value):
            self._changed(entry, self.single[0], None, None, None)
            self.single = None
        else:
            self.notes.append(f"{statement.value} is not in the list")

    def _relate(self, entry: Stated) -> None:
        """Replaces a value by another, swaps two, or puts one before or after another."""
        statement = entry.statement
        other = self._index(statement.other or "")
        if other is None:
            if statement.act is Act.REPLACE and self.single is not None and not self.items:
                self._replace_single(entry)
            else:
                self.notes.append(f"{statement.other} is not in the list")
            return
        index = self._index(statement.value)
        value = statement.value if index is None else self._value(index)
        if statement.act is Act.REPLACE:
            self._replace(entry, other, index)
        elif statement.act is not Act.SWAP:
            if index == other:
                self.notes.append(f"{value} is already at #{other + 1}")
                return
            goes_down = index is not None and index < other
            at = other + (statement.act is Act.AFTER) - goes_down
            if index is not None:
                del self.items[index], self._keys[index]
                self._known.discard(folded(value))
            self._insert(at, value, entry)
            self._changed(entry, value, None if index is None else index + 1, at + 1, None)
        elif index is None:
            self.notes.append(f"{statement.value} is not in the list")
        elif index != other:
            self.items[index], self.items[other] = self.items[other], self.items[index]
            self._keys[index], self._keys[other] = self._keys[other], self._keys[index]
            for before, after in ((index, other), (other, index)):
                self._changed(entry, self._value(after), before + 1, after + 1, None)

    def _replace(self, entry: Stated, at: int, index: int | None) -> None:
        """Puts a value in the place of another; one that is in the list already only takes its rank."""
        value = entry.statement.value
        if index is not None and index != at:
            value = self._lift(index) or value
        old = self._lift(at)
        self._fill(at, value, entry)
        if index is not None and index != at:
            del self.items[index], self._keys[index]
        if old != value:
            self._changed(entry, value, None if index is None else index + 1, at + 1, old)

    def _replace_single(self, entry: Stated) -> None:
        """Replaces the single preference if it is the value that is named."""
        statement = entry.statement
        assert self.single is not None
        if folded(self.single[0]) == folded(statement.other or ""):
            self._changed(entry, statement.value, None, None, self.single[0])
            self.single = statement.value, entry
        else:
            self.notes.append(f"{statement.other} is not in the list")

    def _insert(self, at: int, value: str, entry: Stated) -> None:
        self.items.insert(at, (value, entry))
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

    def _set(self, entry: Stated) -> None:
        """Sets the value of one rank."""
        value = entry.statement.value
        at = self._at(entry, len(self.items), value)
        old = self._lift(at) if at < len(self.items) else None
        self._insert_shifting(at, value, entry)
        if old != value:
            self._changed(entry, value, None, at + 1, old)

    def _place(self, entry: Stated, index: int | None) -> None:
        """Moves or inserts a value and shifts the others up to the first free rank."""
        value = entry.statement.value
        if index is None:
            at = self._at(entry, len(self.items), value)
            self._insert_shifting(at, value, entry)
        else:
            value = self._value(index)
            at = self._at(entry, len(self.items) - 1, value)
            if at == index:
                self.notes.append(f"{value} is already at #{index + 1}")
                return
            self._lift(index)
            self._insert_shifting(at, value, entry, is_down=at > index)
        self._changed(entry, value, None if index is None else index + 1, at + 1, None)

    def _at(self, entry: Stated, last: int, value: str) -> int:
        """Returns the index of a statement's rank, `last` for a rank beyond the end of a list."""
        at = last if entry.statement.rank == LAST else (entry.statement.rank or 1) - 1
        if at <= last or not self._is_list or None in self.items:
            return at
        self.notes.append(f"{value} is at #{last + 1}, the end of the list")
        return last

    def _insert_shifting(self, at: int, value: str, entry: Stated, *, is_down: bool = False) -> None:
        """Inserts a value at an index. The values from there shift to the nearest free index, upward if
        `is_down`."""
        if at < len(self.items):
            free = [i for i in range(at, -1, -1) if self.items[i] is None] if is_down else self._free(at)
            if free:
                del self.items[free[0]], self._keys[free[0]]
            self.items.insert(at, None)
            self._keys.insert(at, None)
        self._fill(at, value, entry)

    def _free(self, at: int) -> list[int]:
        return [self.items.index(None, at)] if None in self.items[at:] else []

    def _fill(self, at: int, value: str, entry: Stated) -> None:
        """Stores a value at a free index and extends the list if needed."""
        beyond = at + 1 - len(self.items)
        self.items += [None] * beyond
        self._keys += [None] * beyond
        self.items[at], self._keys[at] = (value, entry), folded(value)
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
        entry: Stated,
        value: str,
        before: int | None,
        after: int | None,
        replaced: str | None,
        act: str | None = None,
    ) -> None:
        """Records a change of the list."""
        name = act or entry.statement.act.value
        self.changes.append(FactChange(*_source(entry), self.topic, name, value, before, after, replaced))

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

    def _fact(self, value: str, rank: int | None, entry: Stated) -> Fact:
        doubt = None if self.doubt is None else self.doubt.memory
        return Fact(*_source(entry), self.topic, value, rank, entry.project, entry.session, doubt)


def _source(entry: Stated) -> tuple[str | None, str | None, str, str, int]:
    message, statement = (entry.memory, None) if entry.is_said else (None, entry.memory)
    return message, statement, entry.by, entry.origin, entry.at


def position_named(value: str) -> int | None:
    """Returns the position that `#2` names, `#-1` for the last; None for a value."""
    match = _POSITION.fullmatch(value)
    return int(match[1]) if match else None


_POSITION = re.compile(r"#(-?\d{1,3})")
