"""Finds where a newer statement gives another value for the same thing, or denies it (S4.25)."""

from __future__ import annotations

import re
from dataclasses import dataclass

from holdfast.domain.sameness_reader import Statement
from holdfast.domain.sameness_rivals import (
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
    OUTER,
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
from holdfast.domain.sameness_text import adds_s, is_name, is_number
from holdfast.domain.sameness_values import (
    dated,
    equal_quantities,
    is_exact,
    measure,
    named,
    one_rank,
    person,
    rival,
    sort_of,
)
from holdfast.domain.sameness_words import FUNCTION, NEGATIONS, PARTICLES, PRONOUNS, SCALES, TWO_FACED, words

_KEY = re.compile(r"=[A-Za-z]\w*([.-]\w+)*")
_CODE_ENDS = (";", "{", ",", "(")
"""How a line of a program ends: it says nothing that lasts."""
_SUBJECT = 7
"""Tokens in which a subject and its negation must stand."""
_LONGEST = 4
"""Tokens of a value."""
_QUOTED = 60
"""Characters of a value that a reason shows."""
_AUXILIARIES = words("do is must should can will")
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


def contradiction(a: Statement, b: Statement, old: str, new: str) -> str:
    """Why the newer `b` replaces the older `a` in a sentence for people; empty if it does not.

    Texts of several sentences must agree in all but one.
    """
    pair = _only_difference(_sentences(a), _sentences(b))
    if pair is None:
        return ""
    if old.endswith(_CODE_ENDS) or new.endswith(_CODE_ENDS):
        return ""
    x, y = pair
    alone = "." not in a.tokens
    if alone and x.tokens[0] != "you" and x.tokens[0].lower() in POINTING:
        return ""
    known = a.english or b.english
    if known and not (NEGATIONS.isdisjoint(x.tokens) and NEGATIONS.isdisjoint(y.tokens)):
        denied = _denied(x, y)
        if denied:
            return denied
    if _changed_value(x, y, known):
        return _became(old, new)
    return ""


@dataclass(frozen=True, slots=True)
class _Sentence:
    tokens: list[str]
    articles: dict[int, str]


def _sentences(statement: Statement) -> list[_Sentence]:
    tokens, articles = statement.tokens, statement.articles
    if "." not in tokens:
        return [_Sentence(_lasting(tokens), articles)]
    found: list[_Sentence] = []
    start = 0
    own: dict[int, str] = {}
    for n, token in enumerate([*tokens, "."]):
        if n in articles:
            own[n - start] = articles[n]
        if token == ".":
            found.append(_Sentence(_lasting(tokens[start:n]), own))
            start, own = n + 1, {}
    return found


def _lasting(tokens: list[str]) -> list[str]:
    """ "I live in Lisbon now" without its "now"."""
    return tokens[:-1] if len(tokens) > 1 and tokens[-1] == "now" else tokens


def _only_difference(a: list[_Sentence], b: list[_Sentence]) -> tuple[_Sentence, _Sentence] | None:
    if len(a) != len(b):
        return None
    pairs = [(x, y) for x, y in zip(a, b, strict=True) if x.tokens != y.tokens]
    if len(pairs) != 1:
        return None
    x, y = pairs[0]
    if not x.tokens or not y.tokens:
        return None
    first = x.tokens[0].lower()
    if first == y.tokens[0].lower() and first not in TWO_FACED:
        return _Sentence([y.tokens[0], *x.tokens[1:]], x.articles), y
    return x, y


def _became(old: str, new: str) -> str:
    """ "'tabs' became 'spaces'", in the words of the two texts."""
    x, y = old.split(), new.split()
    start = 0
    while start < min(len(x), len(y)) and x[start] == y[start]:
        start += 1
    end = 0
    while end < min(len(x), len(y)) - start and x[-1 - end].strip(".,;!") == y[-1 - end].strip(".,;!"):
        end += 1
    was, now = (" ".join(words[start : len(words) - end]).strip(".,;!")[:_QUOTED] for words in (x, y))
    return f"'{was}' became '{now}'"


# --- one side denies what the other states


def _denied(x: _Sentence, y: _Sentence) -> str:
    if x.articles.get(0) == "a" or y.articles.get(0) == "a":
        return ""
    for one, other, told in (
        (x, y, "what was denied is now stated"),
        (y, x, "what was stated is now denied"),
    ):
        affirmed = _affirmed(one.tokens)
        if (
            len(affirmed) == len(other.tokens)
            and BLOCKING.isdisjoint(affirmed)
            and all(_agree(p, q) for p, q in zip(affirmed, other.tokens, strict=True))
        ):
            return told
    return _always_never(x.tokens, y.tokens)


def _affirmed(tokens: list[str]) -> list[str]:
    """The tokens without the negation of the whole sentence; empty if it has none.

    The negation belongs to the whole when nothing but a subject stands before it.
    """
    n = next((n for n, token in enumerate(tokens[:_SUBJECT]) if token in NEGATIONS), -1)
    if n < 0:
        return []
    earlier = tokens[n - 1] if n else ""
    following = tokens[n + 1] if n + 1 < len(tokens) else ""
    subject = n - (earlier in _AUXILIARIES or earlier == "have")
    start, end = n, n + 1
    if tokens[n] == "not":
        if earlier == "do":
            start = n - 1
        elif earlier not in _AUXILIARIES and not (n == 0 and following == "all"):
            return []
    elif tokens[n] == "no" and following == "longer":
        end = n + 2
    elif (tokens[n] == "no") != (earlier in ("have", "is")):
        return []
    if not OUTER.isdisjoint(tokens[:subject]):
        return []
    rest = tokens[end:-2] if tokens[-2:] == ["any", "more"] else tokens[end:]
    return tokens[:start] + rest


def _always_never(x: list[str], y: list[str]) -> str:
    if len(x) != len(y) or not BLOCKING.isdisjoint(x):
        return ""
    changed = [{p, q} for p, q in zip(x, y, strict=True) if p != q]
    first = next((n for n, token in enumerate(x) if token in ("always", "never")), _SUBJECT)
    if changed != [{"always", "never"}] or first >= _SUBJECT or not OUTER.isdisjoint(x[:first]):
        return ""
    return "'always' and 'never' changed places"


def _agree(p: str, q: str) -> bool:
    """One word, or one verb in two forms ("uses", "does not use")."""
    if p == q:
        return True
    if p.lower() == q.lower():
        return p.lower() not in TWO_FACED
    return p.isalpha() and q.isalpha() and (adds_s(p, q) or adds_s(q, p))


# --- one value stands where another stood


@dataclass(frozen=True, slots=True)
class _Slot:
    """What stands before and after the one place in which two sentences differ, and the two values."""

    before: list[str]
    was: list[str]
    now: list[str]
    after: list[str]
    articles: dict[int, str]
    """Of the older sentence."""

    @property
    def both(self) -> tuple[list[str], list[str]]:
        return self.was, self.now


def _changed_value(x: _Sentence, y: _Sentence, english: bool) -> bool:
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
    return english and any(rule(slot) for rule in (_attribute, _quantity, _rivals, _home, _keeper, _role))


def _exchanged(x: list[str], y: list[str]) -> bool:
    """ "prefer A over B" and "prefer B over A"."""
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


def _slot(x: _Sentence, y: _Sentence) -> _Slot:
    """Where two sentences differ, as one span; names are taken whole."""
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
    """ "MAX_RETRIES = 3", "log_level: debug", "the page size defaults to 20", in any language."""
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


def _attribute(slot: _Slot) -> bool:
    """ "The default branch is main": a named attribute has another value of the same sort."""
    before, tail = slot.before, slot.after
    was, now = slot.both
    while before and before[-1].lower() in MONTHS and len(before) > 2:
        before, was, now = before[:-1], [before[-1], *was], [before[-1], *now]
    if tail and (tail[0].lower() in MONTHS or is_number(tail[0])):
        was, now, tail = [*was, *tail], [*now, *tail], []
    link = next((link for link in _LINKS if before[-len(link) :] == list(link)), ())
    subject = before[: -len(link)] if link else []
    if tail or not subject or "is" in subject:
        return False
    end = next((n for n, token in enumerate(subject) if token in _OF), len(subject))
    head = subject[end - 1] if end else ""
    unique = not UNIQUE.isdisjoint(subject[:end])
    if head in UNOWNED and len(subject) < 2 + (subject[0] == "phone"):
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
    if named(was) and named(now):
        return fond or head == "language" or DEMONYMS.isdisjoint(token.lower() for token in (*was, *now))
    return fond and all(
        len(v) == 1 and v[0].isalpha() and not v[0].endswith(("ed", "ing")) for v in (was, now)
    )


def _quantity(slot: _Slot) -> bool:
    """ "Retry limit is 3", "listens on port 8080", "expires after 30 minutes": another number there."""
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
    if (before[0] in MANY and before[0] not in EVENTS) or (before[0] in PRONOUNS and "will" in before):
        return False
    if sort == "time":
        mine = before[0] in ("my", "our") and earlier in ("leaves", "departs")
        risen = before[-3:-1] in (["wake", "up"], ["wakes", "up"], ["get", "up"], ["gets", "up"])
        return last == "at" and (earlier in TIMED or mine or risen) and not after
    if last in ("need", "needs") and earlier in PRONOUNS:
        return False
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
    """ "use tabs", "the flag is on": the values are known to exclude each other."""
    was, now = slot.both
    if len(was) == len(now) == 2 and was[1] == now[1]:
        # Names are taken whole; here "British English" and "American English" part again.
        was, now = was[:1], now[:1]
    if len(was) != 1 or len(now) != 1 or not slot.before or "there" in slot.before:
        return False
    if slot.articles.get(len(slot.before)) == "a":
        return False
    if {was[0], now[0]} == {"single", "double"}:
        return slot.after[:1] in (["quotes"], ["quote"]) and not STATE_VERBS.isdisjoint(slot.before)
    if rival(was, now, STATES):
        return slot.before[-1] in ("is", "be") and (
            not slot.after or slot.after[0] in ("in", "on", "for", "by", "during")
        )
    return rival(was, now, OBJECTS) and not STATE_VERBS.isdisjoint(slot.before)


def _home(slot: _Slot) -> bool:
    """ "I live in Berlin", "I work at Acme"."""
    verb, last = [*slot.before[-2:], "", ""][:2]
    if slot.after or len(slot.before) < 3:
        return False
    if last == "in":
        return verb in ("live", "lives", "reside", "resides", "based") and one_rank(*slot.both)
    return last == "at" and verb in ("work", "works") and named(slot.was) and named(slot.now)


def _keeper(slot: _Slot) -> bool:
    """ "Lighthouse 5 is kept by Ada"."""
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
    """ "Ada is the tech lead", "Ada leads the team"."""
    after = slot.after
    if slot.before or len(after) < 2 or not (person(slot.was) and person(slot.now)):
        return False
    if after[0] in LEADING:
        return True
    definite = slot.articles.get(len(slot.was) + 1) == "the" or after[1] in ("our", "my")
    return after[0] == "is" and definite and not ROLES.isdisjoint(after[1:4])
