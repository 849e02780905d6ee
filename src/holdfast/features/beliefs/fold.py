"""Makes beliefs of claims: repetitions strengthen one, later ones replace it, and conflicts are shown.

Nothing of this is stored. Claims are read in the order in which they were said, so that what is forgotten,
restored, moved or imported late has the effect that it should have.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from holdfast.core.claims import CURRENT, GROUP_OF, PAST, PLAN, STATEMENT, Belief, Claim, plain
from holdfast.core.kinds import KINDS
from holdfast.core.quotations import BeliefSource, OtherBelief
from holdfast.core.record import Memory, Status
from holdfast.features.beliefs.activities import ACTIVITIES, is_given_up
from holdfast.features.beliefs.corrections import CORRECTED, Corrected, corrected_by
from holdfast.features.beliefs.phrases import in_words
from holdfast.features.beliefs.plain_words import LEAVING, MEAT, STOP, WHEN
from holdfast.features.beliefs.plans import FULFILS, PLANS, is_only_done
from holdfast.features.beliefs.rivals import SAID_BEFORE, SAID_LATER
from holdfast.features.beliefs.when import dated

CHANGEABLE = frozenset({
    "lives_in", "employer", "works_as", "age", "diet", "marital_status", "partner", "weight", "job",
    "housing", "work_hours", "school", "called", "pronouns", "training",
})  # fmt: skip
"""Attributes with one value at a time, which changes in the course of a life."""
FIXED = frozenset({"name", "birthday", "height", "born_in", "nationality", "blood_type", "spouse"})
"""Attributes with one value, which seldom changes: another one contradicts it unless it is said to be new."""
_AXES = {
    "dislikes": "likes", "fears": "likes", "prefers": "likes", "favourite": "likes", "fan_of": "likes",
    "avoids": "eats", "works_in": "employer", "drives": "owns",
}  # fmt: skip
"""Attributes that speak of the same relation to a value."""
_ENDS = {
    "retired": ("employer", "works_as", "job", "work_hours"),
    "unemployed": ("employer", "works_as", "job", "work_hours"),
    "moved": ("lives_in",),
}
"""Attributes of which a claim ends those of others."""
_WORK = ("employer", "works_as", "job", "work_hours")
_HOMES = ("lives_in", "housing")
_LEFT = {"left": (*_WORK, "lives_in", "school", "member_of"), "moved_out": _HOMES}
"""Attributes of which one that says what somebody has left ends those with the same value."""
_APART = re.compile(r"\b(?:split|separat|divorc|broke|getrennt|geschieden|schluss|scheid)", re.IGNORECASE)
_ENDED_TOO = {"partner": ("spouse",), "spouse": ("partner",)}
"""Attributes of which another one may say that the same value is over."""
_ONE_HABIT = frozenset({"smokes", "alcohol"})
"""Attributes whose values all speak of the same, in whichever words."""
_BY_OTHERS = "somebody else says otherwise"
_REVERSE = {SAID_BEFORE: SAID_LATER, _BY_OTHERS: "a person says otherwise"}
"""The reason of the other side of a conflict."""
_PERSON, _REPEATED, _MOST = "person", 0.06, 0.99
_OTHERS_WORD = 0.75
"""Factor of the certainty of what somebody else says about the person."""


@dataclass(frozen=True, slots=True)
class SourcedClaim:
    """A claim with its source."""

    claim: Claim
    source: BeliefSource
    pinned: bool = False
    pending: str | None = None
    corrects: Corrected | None = None
    memory_confidence: float | None = None
    """The confidence of a memory that is the statement itself; None for a claim that was read from a text."""

    @property
    def certainty(self) -> float:
        """Returns how sure it is: a memory that states it says so itself, wherever it is shown."""
        if self.memory_confidence is not None:
            return self.memory_confidence
        return self.claim.certainty * (1.0 if self.source.said_by == _PERSON else _OTHERS_WORD)


def said_in(memory: Memory, claim: Claim) -> SourcedClaim:
    """Returns a claim with the memory that says it as its source."""
    quote = memory.text[claim.start : claim.end] if claim.end else memory.text
    pending = memory.status_reason or "waits for review" if memory.status is Status.PENDING else None
    stated = None if KINDS[memory.kind].is_evidence else memory.confidence
    return SourcedClaim(claim, source_of(memory, quote), memory.pinned, pending, corrected_by(memory), stated)


def source_of(memory: Memory, quote: str) -> BeliefSource:
    """Returns a quotation with where, when and by whom it was said."""
    return BeliefSource(memory.id, quote, memory.at, memory.said_by, memory.session, memory.project)


@dataclass(slots=True)
class _OpenBelief:
    """A belief while claims are read."""

    claim: Claim
    claims: list[SourcedClaim]
    status: str
    replaced: list[tuple[_OpenBelief, str]] = field(default_factory=list)
    contradicts: list[tuple[_OpenBelief, str]] = field(default_factory=list)
    is_gone: bool = False
    """Whether another belief lists it."""


def beliefs(claims: Iterable[SourcedClaim]) -> list[Belief]:
    """Returns the beliefs that claims add up to, those that hold first, newest first."""
    made = [_belief(entry) for entry in _entries(claims)]
    order = {CURRENT: 0, PLAN: 1, PAST: 2}
    return sorted(made, key=lambda belief: (order[belief.status], -belief.at))


def disputes(claims: Iterable[SourcedClaim]) -> dict[str, list[OtherBelief]]:
    """Returns what speaks against the claims of each memory, by its id: what a later claim has replaced is
    contradicted by that, and what is in conflict by each other."""
    opposing: dict[str, list[OtherBelief]] = {}

    def note(own: _OpenBelief, other: _OpenBelief, reason: str) -> None:
        (belief,) = _other_beliefs([(other, reason)])
        for id in {item.source.memory for item in own.claims} - {item.source.memory for item in other.claims}:
            opposing.setdefault(id, []).append(belief)

    for entry in _entries(claims):
        for old, reason in entry.replaced:
            if old.claim.status != PLAN:
                note(old, entry, reason)
        for other, reason in entry.contradicts:
            note(entry, other, reason)
            note(other, entry, _REVERSE[reason])
    return opposing


def rival_attributes(attributes: Iterable[str]) -> set[str]:
    """Returns the attributes whose claims may end or contradict claims of some attributes, these included."""
    axes = {_AXES.get(attribute, attribute) for attribute in attributes}
    same = {attribute for attribute, axis in _AXES.items() if axis in axes}
    enders = {attribute for attribute, ended in _ENDS.items() if axes.intersection(ended)}
    enders |= {attribute for attribute, ended in _LEFT.items() if axes.intersection(ended)}
    enders |= {"marital_status"} if axes & {"partner", "spouse"} else set()
    enders |= ACTIVITIES if axes & ACTIVITIES else set()
    return axes | same | enders | ({"eats"} if "diet" in axes else set())


def has_rival_values(attribute: str) -> bool:
    """Returns whether claims of an attribute with other values may contradict each other."""
    axis = _AXES.get(attribute, attribute)
    return axis in CHANGEABLE | FIXED | _ONE_HABIT | _ENDS.keys() or axis == "eats"


def _entries(claims: Iterable[SourcedClaim]) -> list[_OpenBelief]:
    """Returns what claims add up to, in the order in which each was said first."""
    by_axis: dict[tuple[str, str], list[_OpenBelief]] = {}
    for statement in claims:
        _take(by_axis, statement)
    return [entry for entries in by_axis.values() for entry in entries if not entry.is_gone]


def is_same_value(value: str, other: str) -> bool:
    """Returns whether two values name the same: equal words, or all of the shorter one in the longer."""
    first, second = words_of(value), words_of(other)
    if not first or not second:
        return plain(value) == plain(other)
    return first <= second or second <= first


def _is_same(one: Claim, other: Claim) -> bool:
    """Returns whether two claims of an attribute name the same; plans do so whenever they are for, and what
    has ended what was done in any words."""
    if other.status == PAST and {one.attribute, other.attribute} <= ACTIVITIES:
        return is_given_up(one.value, other.value)
    if one.attribute in PLANS and other.attribute in PLANS:
        first, second = (words_of(claim.value) - WHEN for claim in (one, other))
        if first and second:
            return first <= second or second <= first
    return is_same_value(one.value, other.value)


@lru_cache(8_192)
def words_of(value: str) -> frozenset[str]:
    """Returns the words of a value that matter."""
    words = re.findall(r"[^\W_]+", value.casefold())
    return frozenset(_stem(word) for word in words if word not in STOP)


def _stem(word: str) -> str:
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word


def axis_of(attribute: str) -> str:
    """Returns the name that attributes with the same meaning share, such as those of a home."""
    return _AXES.get(attribute, attribute)


def _axis(claim: Claim) -> tuple[str, str]:
    return plain(claim.subject), axis_of(claim.attribute)


def _given_up(by_axis: Mapping[tuple[str, str], list[_OpenBelief]], new: SourcedClaim) -> list[_OpenBelief]:
    """Returns what a correction takes back, which is believed no longer."""
    wrong = new.corrects
    if wrong is None:
        return []
    given_up = [
        entry
        for entry in by_axis.get((plain(wrong.subject), axis_of(wrong.attribute)), [])
        if not entry.is_gone
        and entry.claim.positive == wrong.positive
        and any(is_same_value(entry.claim.value, value) for value in wrong.values)
        and new.source.memory not in {item.source.memory for item in entry.claims}
        and not _outranks(entry.claims[-1], new)
    ]
    for entry in given_up:
        entry.is_gone = True
        for other, _ in entry.contradicts:  # nothing speaks against it any more
            other.is_gone = False
        entry.contradicts = []
    return given_up


def _take(by_axis: dict[tuple[str, str], list[_OpenBelief]], new: SourcedClaim) -> None:
    """Adds a claim: it strengthens a belief that says the same, or is a new one that replaces others or
    contradicts them."""
    claim, given_up = new.claim, _given_up(by_axis, new)
    axis = _axis(claim)
    entries = by_axis.setdefault(axis, [])
    _end_others(by_axis, claim)
    live = _live(by_axis, claim)
    same = [
        entry
        for entry in live
        if axis[1] in _ONE_HABIT or (entry.claim.verbatim == claim.verbatim and _is_same(entry.claim, claim))
    ]
    existing = next((entry for entry in same if _is_repeated(entry, claim)), None)
    if existing is not None:
        existing.claims.append(new)
        if _length(claim) > _length(existing.claim) or (claim.since and not existing.claim.wording):
            existing.claim = claim
    current = existing or _OpenBelief(claim, [new], claim.status)
    for wrong in given_up:
        _replace(current, wrong, CORRECTED)
    if existing is not None:
        return
    if claim.status != PLAN:
        rivals = same
        if _has_one_value(new):
            rivals = [entry for entry in live if _rivals(entry.claim, claim)]
        over = [*_come_true(by_axis, claim), *_own_plans(by_axis, claim)]
        _settle(current, new, [*rivals, *_left_by(by_axis, new), *over])
    if current.replaced or not is_only_done(claim):
        entries.append(current)


def _own_plans(by_axis: Mapping[tuple[str, str], list[_OpenBelief]], claim: Claim) -> list[_OpenBelief]:
    """Returns the plans in a person's own words that a claim says are dropped or done."""
    named = words_of(claim.value) - WHEN
    if claim.attribute not in PLANS or claim.status != PAST or not named:
        return []
    return [
        entry
        for entry in by_axis.get((plain(claim.subject), STATEMENT), [])
        if not entry.is_gone and entry.status == PLAN and named <= words_of(entry.claim.value)
    ]


def _end_others(by_axis: Mapping[tuple[str, str], list[_OpenBelief]], claim: Claim) -> None:
    """Ends what a claim of another attribute ends, such as a job by retirement."""
    subject, attribute = _axis(claim)
    for other in _ended_by(claim):
        for entry in by_axis.get((subject, other), []):
            if entry.status == CURRENT and other != attribute:
                entry.status = PAST


def _live(by_axis: Mapping[tuple[str, str], list[_OpenBelief]], claim: Claim) -> list[_OpenBelief]:
    """Returns the beliefs of an attribute that hold; for a claim that something is over, also those of the
    attributes that it may mean."""
    subject, attribute = _axis(claim)
    attributes = [attribute, *(_also_ended_by(claim) if claim.status == PAST else ())]
    return [
        entry
        for name in attributes
        for entry in by_axis.get((subject, name), [])
        if not entry.is_gone and entry.status != PAST
    ]


def _is_repeated(entry: _OpenBelief, claim: Claim) -> bool:
    """Returns whether a claim says the same as a belief, of the same time."""
    return claim.status != PAST and entry.claim.positive == claim.positive and entry.status == claim.status


def _has_one_value(statement: SourcedClaim) -> bool:
    """Returns whether a claim excludes other values of its attribute."""
    claim, attribute = statement.claim, axis_of(statement.claim.attribute)
    if claim.status == PAST or attribute not in CHANGEABLE | FIXED:
        return False
    # own words may be of another kind, and take the place of what they correct only
    corrects_it = statement.corrects is not None and axis_of(statement.corrects.attribute) == attribute
    return not (claim.verbatim and corrects_it)


def _settle(new: _OpenBelief, latest: SourcedClaim, rivals: Iterable[_OpenBelief]) -> None:
    """Lets a new belief replace its rivals or contradict them; what a person said outranks others."""
    claim = new.claim
    is_over = claim.status == PAST
    for entry in rivals:
        if entry.status == PLAN:
            is_dropped = is_over and not is_only_done(claim)
            _replace(new, entry, "it is no longer so" if is_dropped else "it was a plan")
        elif _outranks(entry.claims[-1], latest):
            entry.contradicts.append((new, _BY_OTHERS))
            new.is_gone = True
        elif is_over or claim.changes or axis_of(claim.attribute) in CHANGEABLE:
            _replace(new, entry, "it is no longer so" if is_over else SAID_LATER)
        else:
            _replace(new, entry, SAID_BEFORE, open_=True)


def _come_true(by_axis: Mapping[tuple[str, str], list[_OpenBelief]], claim: Claim) -> list[_OpenBelief]:
    """Returns the plans that a claim says are carried out, such as a move to where somebody now lives."""
    subject, attribute = _axis(claim)
    if not claim.positive or claim.status != CURRENT:
        return []
    named = words_of(claim.value)
    return [
        entry
        for plan in FULFILS.get(attribute, ())
        for entry in by_axis.get((subject, plan), [])
        if not entry.is_gone and entry.status == PLAN and named and named <= words_of(entry.claim.value)
    ]


def _length(claim: Claim) -> tuple[bool, int, int]:
    return bool(claim.wording), len(words_of(claim.value)), len(claim.value)


def _left_by(by_axis: Mapping[tuple[str, str], list[_OpenBelief]], new: SourcedClaim) -> list[_OpenBelief]:
    """Returns the work or home that somebody says they left: the one they name, or else all."""
    claim, (subject, attribute) = new.claim, _axis(new.claim)
    if attribute not in _LEFT:
        return []
    named = words_of(claim.value) - LEAVING
    everything = _WORK if attribute == "left" else ("housing",)
    return [
        entry
        for other in _LEFT[attribute]
        for entry in by_axis.get((subject, other), [])
        if entry.status == CURRENT
        and not entry.is_gone
        and new.source.memory != entry.claims[-1].source.memory
        and (_is_named(entry.claim, named) if named else other in everything)
    ]


def _is_named(claim: Claim, names: frozenset[str]) -> bool:
    words = words_of(claim.value)
    return bool(words) and words <= names


def _ended_by(claim: Claim) -> tuple[str, ...]:
    """Returns the other attributes that a claim ends."""
    if claim.attribute == "marital_status" and (claim.status == PAST or _APART.search(claim.value)):
        return ("partner", "spouse")
    if claim.status == PAST:
        return ()
    if not claim.positive:
        return ()
    if claim.attribute == "eats" and claim.changes and words_of(claim.value) & MEAT:
        return ("diet",)
    return _ENDS.get(claim.attribute, ())


def _also_ended_by(claim: Claim) -> tuple[str, ...]:
    """Returns the other attributes of which a claim of what is over ends the same value."""
    for alike in (PLANS, ACTIVITIES):
        if claim.attribute in alike:
            return tuple(other for other in alike if other != claim.attribute)
    return _ENDED_TOO.get(claim.attribute, ())


def _rivals(old: Claim, new: Claim) -> bool:
    """Returns whether two claims of an attribute with one value cannot both hold."""
    if old.positive and new.positive:
        return True
    return is_same_value(old.value, new.value)


def _outranks(old: SourcedClaim, new: SourcedClaim) -> bool:
    """Returns whether a person said the one in person, or pinned it, and an agent or an import the other."""
    in_person = old.source.said_by == _PERSON or old.pinned
    return in_person and new.source.said_by != _PERSON


def _replace(new: _OpenBelief, old: _OpenBelief, reason: str, *, open_: bool = False) -> None:
    old.is_gone = True
    (new.contradicts if open_ else new.replaced).append((old, reason))
    new.replaced += old.replaced
    new.contradicts += old.contradicts
    old.replaced, old.contradicts = [], []


def _belief(entry: _OpenBelief) -> Belief:
    """Returns the belief that statements of the same amount to."""
    claim, last = entry.claim, entry.claims[-1]
    newest = sorted((item.source for item in entry.claims), key=lambda source: -source.at)
    certainty = max(item.certainty for item in entry.claims)
    repeated = len({item.source.memory for item in entry.claims}) - 1
    return Belief(
        id=newest[0].memory,
        text=in_words(claim, entry.status),
        type=claim.type,
        attribute=claim.attribute,
        value=claim.value,
        positive=claim.positive,
        status=entry.status,
        since=next((_since(item, entry.status) for item in reversed(entry.claims) if item.claim.since), None),
        until=next(
            (dated(item.claim.until, item.source.at) for item in reversed(entry.claims) if item.claim.until),
            None,
        ),
        at=newest[0].at,
        confidence=min(_MOST, certainty + _REPEATED * repeated),
        subject=claim.subject or None,
        sources=tuple(newest),
        replaced=_other_beliefs(entry.replaced),
        contradicts=_other_beliefs(entry.contradicts),
        pinned=any(item.pinned for item in entry.claims),
        pending=last.pending,
    )


def _since(statement: SourcedClaim, status: str) -> str | None:
    return dated(statement.claim.since, statement.source.at, ahead=status == PLAN)


def _other_beliefs(entries: Iterable[tuple[_OpenBelief, str]]) -> tuple[OtherBelief, ...]:
    others = [OtherBelief(in_words(old.claim, CURRENT), old.claims[-1].source, why) for old, why in entries]
    return tuple(sorted(others, key=lambda other: -other.source.at))


def group_of(belief: Belief) -> str:
    """Returns the name of the group that a belief belongs to."""
    return GROUP_OF.get(belief.type, "other")
