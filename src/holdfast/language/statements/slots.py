"""Finds changed values in the parts of a sentence that hold one value at a time (S4.25)."""

from __future__ import annotations

import re
from dataclasses import dataclass

from holdfast.language.statements.rivals import (
    ATTRIBUTES,
    BLOCKING,
    COUNTING,
    DATED,
    DEMONYMS,
    EVENTS,
    KEEPING,
    LAPSING,
    LEADING,
    MANY,
    MONTHS,
    OBJECTS,
    POINTING,
    ROLES,
    STATE_VERBS,
    STATES,
    TIMED,
    UNIQUE,
    UNOWNED,
    VALUES,
    VERSIONED,
)
from holdfast.language.statements.text import is_name, is_number
from holdfast.language.statements.values import (
    dated,
    equal_quantities,
    exact,
    is_exact,
    is_named_value,
    measure,
    one_rank,
    person,
    rival,
    sort_of,
)
from holdfast.language.statements.words import FUNCTION, PARTICLES, PRONOUNS, SCALES, words

_KEY = re.compile(r"=[A-Za-z]\w*([.-]\w+)*")
_LONGEST = 4
"""Tokens of a value."""
_SWAPS = (("over",), ("instead", "of"), ("rather", "than"), (",", "not"), ("not",))
_CHOOSING = words("prefer prefers use uses choose pick favour")
_LINKS: tuple[tuple[str, ...], ...] = (
    ("starts", "on"),
    ("lives", "in"),
    ("is", "called"),
    ("is", "named"),
    ("is", "on"),
    ("is", "at"),
    ("is", "in"),
    ("is",),
)
_OF = words("of for in on at by with to")
_JOINING = words("and or , ( ) not no never")
_PINNING = words("use uses require requires need needs is target targets")


@dataclass(frozen=True, slots=True)
class Sentence:
    """The tokens of one sentence and the articles before them."""

    tokens: list[str]
    articles: dict[int, str]


@dataclass(frozen=True, slots=True)
class _Slot:
    """The only place in which two sentences differ: the tokens around it and the two values."""

    before: list[str]
    was: list[str]
    now: list[str]
    after: list[str]
    articles: dict[int, str]
    """Of the older sentence."""

    @property
    def both(self) -> tuple[list[str], list[str]]:
        return self.was, self.now


def changed_value(x: Sentence, y: Sentence, english: bool) -> bool:
    """Returns whether the newer `y` changes a value of `x` of which there can be only one."""
    if _exchanged(x.tokens, y.tokens):
        return english
    slot = _slot(x, y)
    if not (slot.was and slot.now) or max(len(slot.was), len(slot.now)) > _LONGEST:
        return False
    for part in (slot.before, slot.was, slot.now, slot.after):
        if not BLOCKING.isdisjoint(part) or not _JOINING.isdisjoint(part):
            return False
    if x.articles.get(0) == "a" or y.articles.get(0) == "a" or equal_quantities(*slot.both):
        return False
    if [v.lower() for v in slot.was] == [v.lower() for v in slot.now]:
        return False
    if _keyed(slot):
        return True
    if not POINTING.isdisjoint(slot.after) or not POINTING.isdisjoint(slot.before[1:]):
        return False
    if "can" in slot.before or "to" in slot.before:
        return False  # there may be several possible or wanted things
    return english and any(rule(slot) for rule in (_attribute, _quantity, _rivals, _home, _keeper, _role))


def _exchanged(x: list[str], y: list[str]) -> bool:
    """Returns whether alternatives are exchanged: "prefer A over B" and "prefer B over A"."""
    start = 1 + next((n for n, token in enumerate(x[:2]) if token in _CHOOSING), 2)
    if start > 2 or len(x) != len(y) or x[:start] != y[:start]:
        return False
    for link in _SWAPS:
        size = len(link)
        for n in range(start + 1, min(start + 1 + _LONGEST, len(x) - size)):
            if tuple(x[n : n + size]) == link:
                first = x[start:n]
                for end in range(n + size + 1, min(n + size + 1 + _LONGEST, len(x) + 1)):
                    second = x[n + size : end]
                    if first != second and y[start:] == [*second, *link, *first, *x[end:]]:
                        return True
    return False


def _slot(x: Sentence, y: Sentence) -> _Slot:
    """Returns the difference of two sentences as one span; names are never divided."""
    p, q = x.tokens, y.tokens
    shortest = min(len(p), len(q))
    start = 0
    while start < shortest and p[start] == q[start]:
        start += 1
    end = 0
    while end < shortest - start and p[-1 - end] == q[-1 - end]:
        end += 1
    stop_p, stop_q = len(p) - end, len(q) - end
    if start < stop_p and start < stop_q and is_name(p[start]) and is_name(q[start]):
        while start and (p[start - 1][0].isupper() or p[start - 1] in PARTICLES):
            start -= 1
    if start < stop_p and start < stop_q and is_name(p[stop_p - 1]) and is_name(q[stop_q - 1]):
        while stop_p < len(p) and p[stop_p][0].isupper():
            stop_p, stop_q = stop_p + 1, stop_q + 1
    return _Slot(p[:start], p[start:stop_p], q[start:stop_q], p[stop_p:], x.articles)


def _keyed(slot: _Slot) -> bool:
    """Returns whether the slot is the value of a setting, in any language: "MAX_RETRIES = 3", "log_level:
    debug", "defaults to 20"."""
    if slot.after or len(slot.was) != 1 or len(slot.now) != 1 or len(slot.before) < 2:
        return False
    before = slot.before
    if len(before) == 2 and _KEY.fullmatch(before[0]):
        if before[1] == "=":
            return before[0].isupper() or all(
                sort_of(v) or v in ("true", "false") for v in (slot.was[0], slot.now[0])
            )
        return before[1] == ":" or (before[1] == "is" and is_exact(slot.was) and is_exact(slot.now))
    return before[-2:] == ["defaults", "to"] or before[-3:] == ["is", "set", "to"]


def _noun_phrase(subject: list[str]) -> list[str]:
    """Returns the tokens before the first preposition: "deadline" of "deadline for the beta"."""
    end = next((n for n, token in enumerate(subject) if token in _OF), len(subject))
    return subject[:end]


def _unowned(subject: list[str]) -> bool:
    """Returns whether the subject is an attribute of an unknown thing ("The address is ...")."""
    return subject[-1:] == subject[1 if subject[:1] == ["phone"] else 0 :] and not UNOWNED.isdisjoint(subject)


def _attribute(slot: _Slot) -> bool:
    """Returns whether a named attribute has another value: "The default branch is main"."""
    before, tail = slot.before, slot.after
    was, now = slot.both
    if len(before) > 2 and before[-1].lower() in MONTHS:
        before, was, now = before[:-1], [before[-1], *was], [before[-1], *now]
    if tail and (tail[0].lower() in MONTHS or is_number(tail[0])):
        was, now, tail = [*was, *tail], [*now, *tail], []
    link = next((link for link in _LINKS if before[-len(link) :] == list(link)), ())
    subject = before[: -len(link)] if link else []
    if tail or not subject or "is" in subject:
        return False
    phrase = _noun_phrase(subject)
    head = phrase[-1] if phrase else ""
    unique = not UNIQUE.isdisjoint(phrase) and not head.endswith("s")
    if _unowned(subject):
        return False
    own_date = head == "date" and not DATED.isdisjoint(subject)
    if not unique and not own_date and head not in ATTRIBUTES and head not in EVENTS:
        return False
    if link[-1] == "in":
        return one_rank(was, now) or (is_exact(was) and is_exact(now))
    if dated(was) or dated(now) or link[-1] in ("on", "at"):
        return dated(was) and dated(now)
    if (is_exact(was) and is_exact(now)) or rival(was, now, VALUES):
        return True
    fond = "favourite" in subject or "preferred" in subject
    if is_named_value(was) and is_named_value(now):
        return fond or head == "language" or DEMONYMS.isdisjoint(token.lower() for token in (*was, *now))
    return fond and all(
        len(v) == 1 and v[0].isalpha() and not v[0].endswith(("ed", "ing")) for v in (was, now)
    )


def _quantity(slot: _Slot) -> bool:
    """Returns whether a number has changed: "Retry limit is 3", "listens on port 8080", "expires after 30
    minutes"."""
    (was, now), before, after = slot.both, slot.before, slot.after
    sort = sort_of(was[0])
    if not before or not sort or sort != sort_of(now[0]):
        return False
    if after and (after[0] == "of" or (after[0][0].isupper() and after[0] not in SCALES)):
        return False
    if len(was) + len(now) > 2 and (measure(was) is None or measure(now) is None):
        return False
    unit = was[1] if len(was) == 2 else after[0] if after else ""
    timed = SCALES.get(unit, ("", 0.0))[0] == "time" or unit in ("month", "year")
    last, earlier = before[-1], before[-2] if len(before) > 1 else ""
    if before[0] in MANY or (before[0] in PRONOUNS and "will" in before):
        return False
    if sort == "time":
        mine = before[0] in ("my", "our") and earlier in ("leaves", "departs")
        risen = before[-3:-1] in (["wake", "up"], ["wakes", "up"], ["get", "up"], ["gets", "up"])
        return last == "at" and (earlier in TIMED or mine or risen) and not after
    if last in ("need", "needs") and earlier in PRONOUNS:
        return False
    if last == "is" and not unit:
        head = (_noun_phrase(before[:-1]) or [""])[-1]
        return (head in ATTRIBUTES or before[0] in ("my", "our") or exact(before[0])) and not _unowned(
            before[:-1]
        )
    if last in COUNTING and not (after and after[0] in FUNCTION):
        return timed if last in ("take", "takes", "last", "lasts") else last == "is" or bool(after or unit)
    if last == "port":
        return earlier == "on" and before[-3:-2] in (["listens"], ["listen"], ["runs"], ["is"])
    if last == "on":
        return earlier in ("listens", "listen")
    if last.lower() in VERSIONED:
        on = earlier == "on" and before[-3:-2] in (["runs"], ["run"], ["is"])
        return on or earlier in _PINNING
    if last in ("after", "every"):
        return timed and earlier in LAPSING
    return last in ("above", "below", "under", "over") and "must" in before and unit != ""


def _rivals(slot: _Slot) -> bool:
    """Returns whether the values are known to exclude each other: "use tabs", "the flag is on"."""
    was, now = slot.both
    if len(was) == len(now) == 2 and was[1] == now[1]:
        # Names are kept whole, so "British English" and "American English" are separated again here.
        was, now = was[:1], now[:1]
    if len(was) != 1 or len(now) != 1 or not slot.before or "there" in slot.before or slot.before[0] in MANY:
        return False
    if slot.articles.get(len(slot.before)) == "a":
        return False
    if {was[0], now[0]} == {"single", "double"}:
        return slot.after[:1] in (["quotes"], ["quote"]) and not STATE_VERBS.isdisjoint(slot.before)
    if rival(was, now, STATES):
        if _unowned(slot.before[:-1]):
            return False
        return slot.before[-1] in ("is", "be") and (
            not slot.after or slot.after[0] in ("in", "on", "for", "by", "during")
        )
    return rival(was, now, OBJECTS) and not STATE_VERBS.isdisjoint(slot.before)


def _home(slot: _Slot) -> bool:
    """Returns whether a residence or employer has changed: "I live in Berlin", "I work at Acme"."""
    verb, last = [*slot.before[-2:], "", ""][:2]
    if slot.after or len(slot.before) < 3:
        return False
    if last == "in":
        return verb in ("live", "lives", "reside", "resides", "based") and one_rank(*slot.both)
    return (
        last == "at" and verb in ("work", "works") and is_named_value(slot.was) and is_named_value(slot.now)
    )


def _keeper(slot: _Slot) -> bool:
    """Returns whether another person is in charge: "Lighthouse 5 is kept by Ada"."""
    before = slot.before
    return (
        len(before) > 3
        and before[-1] == "by"
        and before[-2] in KEEPING
        and before[-3] == "is"
        and person(slot.was)
        and person(slot.now)
    )


def _role(slot: _Slot) -> bool:
    """Returns whether a role has another holder: "Ada is the tech lead", "Ada leads the team"."""
    after = slot.after
    if slot.before or len(after) < 2 or not (person(slot.was) and person(slot.now)):
        return False
    if after[0] in LEADING:
        return True
    definite = slot.articles.get(len(slot.was) + 1) == "the" or after[1] in ("our", "my")
    return after[0] == "is" and definite and not ROLES.isdisjoint(after[1:4])
