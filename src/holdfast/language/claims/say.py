"""Readings of the verb of a clause: what it says of the one who speaks."""

from __future__ import annotations

import re
from collections.abc import Iterator

from holdfast.core.claims import PLAN, Claim
from holdfast.language.claims.attributes import FUTURE, TODAY
from holdfast.language.claims.being import complement
from holdfast.language.claims.clause import Clause
from holdfast.language.claims.habits import LIKED, habit, is_habit
from holdfast.language.claims.having import possessed
from holdfast.language.claims.lexicon import head_of
from holdfast.language.claims.making import claim_at, make_claim, tidy
from holdfast.language.claims.planning import planned
from holdfast.language.claims.statements import claim_of_reading
from holdfast.language.claims.verbs import (
    DULL,
    FREQUENT_ONLY,
    HOBBIES,
    READINGS,
    Reading,
    gerund_of,
    pattern,
)

_TRAVELS = frozenset("move emigrate fly travel".split())
_AWAY = re.compile(r"(?:to|into|out|in with|house|abroad|home|back)\b", re.IGNORECASE)
"""Matches the day of a journey, as in "we fly to Maui on the ninth"."""
_ON_DAY = re.compile(
    r"\bon the (?:\d{1,2}(?:st|nd|rd|th)|first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|\w+teenth|twent\w+|thirt\w+)\b"
    r"(?=\s*(?:of\b(?! every| each)|[,.;!?]|$))",
    re.IGNORECASE,
)
_NOW_ONLY = frozenset(
    "eat drink have play take like hate drive use run buy sell get leave go do wear sit sleep wake".split()
)

_ABLE = (
    frozenset(
        "endure tolerate eat drink speak drive play swim ride cook see ski sing dance knit sew cycle wear read write code program paint draw climb sail surf understand manage can work spell type purl crochet whistle juggle".split()
    )
    | HOBBIES
)


def claims_of_clause(clause: Clause, text: str) -> Iterator[Claim]:
    """Yields what a clause says of its speaker."""
    verb, rest = clause.verb, clause.rest.strip()
    if _is_empty(clause, rest):
        return
    if verb == "to":
        yield from planned(clause, text)
    elif _is_plan(clause):
        yield from planned(clause, text, going=True)
    elif _is_journey(clause, rest):
        yield from _journey(clause, rest)
    elif verb == "be":
        if not (clause.planned == "will" and clause.language == "en"):
            yield from complement(clause, rest)
    elif verb == "have":
        yield from possessed(clause, rest)
    elif not _is_of_moment(clause, rest):
        yield from _of_verb(clause, rest, text)


def _is_empty(clause: Clause, rest: str) -> bool:
    """Returns whether a clause says nothing: "…, like get it over with", "I have found", or what is only
    tried."""
    verb, wish = clause.verb, clause.planned
    if verb == "like" and clause.tokens[0].low == "like" and clause.joint == ",":
        return True
    if verb == "found" and clause.word.lower() == "found":
        return True
    if wish in ("gone", "could", "need"):
        return True
    return (wish == "try" and not _TRYING.match(rest)) or (wish == "muse" and not _CONSIDERED.match(rest))


def _is_future(clause: Clause) -> bool:
    """Returns whether a clause names a time that is to come."""
    is_over = clause.done or clause.past or clause.ended
    return not is_over and FUTURE.search(clause.whole) is not None


def _is_plan(clause: Clause) -> bool:
    """Returns whether what a clause says is to come: "I'm starting at Bosch in May"."""
    if not _is_future(clause):
        return False
    if clause.language == "en":
        return clause.going and clause.verb not in _NO_PLANS
    return clause.language == "de" and clause.verb in _FUTURE_DE and not clause.negative


def _is_journey(clause: Clause, rest: str) -> bool:
    """Returns whether a clause names a journey or move to come: "we fly to Maui on the ninth"."""
    return (
        clause.verb.removeprefix("?") in _TRAVELS
        and clause.language == "en"
        and not (clause.done or clause.past or clause.ended or clause.frequent)
        and (_is_future(clause) or _ON_DAY.search(clause.whole) is not None)
        and _AWAY.match(rest) is not None
    )


def _journey(clause: Clause, rest: str) -> Iterator[Claim]:
    if not (clause.negative or clause.planned):
        verb = clause.verb.removeprefix("?")
        attribute = "plan_move" if verb in ("move", "emigrate") else "plan_travel"
        yield claim_at(attribute, f"{verb} {rest}", clause.start, clause.end, status=PLAN, since=clause.when)


def _is_of_moment(clause: Clause, rest: str) -> bool:
    """Returns whether a clause says what somebody could do, or does just now: "I'm eating an apple"."""
    verb = clause.verb
    if clause.can and verb not in _ABLE:
        return True
    lasts = clause.since or clause.begun or clause.ended or clause.frequent
    return (
        clause.going
        and verb in _NOW_ONLY
        and not lasts
        and not (verb == "take" and "med" in str(head_of(rest)))
        and not (verb == "do" and _IN_TRAINING.search(rest))
    )


def _of_verb(clause: Clause, rest: str, text: str) -> Iterator[Claim]:
    """Yields what the reading of a verb says, or that somebody does something often."""
    verb = clause.verb
    if verb == "can" and clause.language == "de" and clause.negative and (hated := _HATED.fullmatch(rest)):
        yield make_claim(clause, "dislikes", hated["v"], positive=False)
        return
    claim = _read(clause, READINGS.get(verb, ()), rest, text)
    if claim is not None and _is_of_today(clause, claim):
        return
    if claim is not None:
        place = _PLACE.search(rest) if claim.attribute == "housing" and verb == "live" else None
        if place is not None:
            yield make_claim(clause, "lives_in", place["v"], positive=claim.positive, status=claim.status)
        yield claim
        return
    name = verb.removeprefix("?")
    may_be_habit = verb.startswith("?") and clause.language == "en" and name not in DULL
    if name in HOBBIES or name in FREQUENT_ONLY or (may_be_habit and is_habit(clause, name, rest)):
        yield from (each for each in habit(clause, name, rest) if not _is_of_today(clause, each))
    elif verb == "call" and clause.language == "de":
        if match := _CALLED.match(rest):
            yield make_claim(clause, "name", match["v"])
    elif name in _BOOKS and not (clause.negative or clause.past) and _BOOKED.match(rest):
        attribute = "plan_travel" if name == "booked" else "plan_event"
        yield claim_at(attribute, rest, clause.start, clause.end, status=PLAN, since=clause.when)


def _is_of_today(clause: Clause, claim: Claim) -> bool:
    """Returns whether a deed is one of these hours and no habit: "ich gehe jetzt joggen", "I play at six"."""
    lasts = clause.since or clause.begun or clause.ended or clause.frequent or clause.past or clause.can
    return (
        not lasts
        and claim.positive
        and claim.attribute in _DEEDS
        and TODAY.search(clause.whole) is not None
        and LIKED.search(clause.whole) is None
    )


_DEEDS = frozenset("does_regularly sport plays hobby eats drinks routine".split())
_IN_TRAINING = pattern(
    r"\b(?:degree|phd|master'?s?|bachelor'?s?|apprenticeship|a-levels|mba|doctorate|pgce|diploma|bootcamp|residency|traineeship|internship|gcses?|(?:night|evening) class\w*)\b"
)
_PLACE = pattern(r"\b(?:in|near|im|bei|nahe) (?P<v>(?-i:[A-ZÄÖÜ])[\w-]+(?: (?-i:[A-ZÄÖÜ])[\w-]+)*)$")
"""A place at the end of what somebody lives with or in."""
_CALLED = pattern(r"(?P<v>(?-i:[A-ZÄÖÜ])[\w'-]+(?: (?-i:[A-ZÄÖÜ])[\w'-]+)?)")
_BOOKS = frozenset("booked signed enrolled applied registered entered scheduled".split())
_BOOKED = re.compile(
    r"(?!up for (?:the|your|a) (?:trial|newsletter|account|free))"
    r"(?:an?|an|our|my|two|the|flights?|tickets?|up for|in|for|into|on)\b"
)
_NO_PLANS = frozenset("learn study live suffer be wear take".split())
"""Verbs that with a time to come still say how things are: "I'm learning Greek for May"."""
_HATED = re.compile(r"(?P<v>.+?)\s+(?:ausstehen|leiden|ab|riechen|haben)", re.IGNORECASE)

_CONSIDERED = re.compile(
    r"(?:moving (?:out|in|to|away|back|abroad)|emigrating|relocating|getting (?:a (?:dog|cat|puppy|kitten)|married|divorced)"
    r"|quitting (?:my|the)|leaving my|changing (?:jobs|careers)|switching careers|retiring|going (?:back to (?:school|uni|work)|freelance|part[- ]time)|starting (?:a|my) (?:\w+ )?(?:business|company|family)|opening (?:a|my))\b",
    re.IGNORECASE,
)
"""Matches what is worth knowing of somebody who only thinks of it."""
_TRYING = re.compile(
    r"(?:conceive|get pregnant|have a baby|quit|stop|lose|cut (?:down|back|out)|give up|learn|for a baby|eat (?:less|more))\b",
    re.IGNORECASE,
)

_FUTURE_DE = frozenset(
    "move marry start do become buy get_(de) fly travel adopt open retire study sell join switch quit be".split()
) | {"get (de)"}


def _read(clause: Clause, readings: tuple[Reading, ...], rest: str, text: str) -> Claim | None:
    """Returns what the first reading that fits says, if any."""
    for reading in readings:
        match = pattern(reading.start).match(rest)
        if match is None:
            continue
        groups = match.groupdict()
        value = tidy(groups.get("v") or groups.get("w") or ("" if "v" in groups else rest[match.end() :]))
        if reading.classes:
            head = head_of(value) or head_of(gerund_of(value.split(" ")[0]) or "")
            if head is None or head[0] not in reading.classes.split():
                continue
        if reading.frequent and not (clause.frequent or _is_given_up(clause, text)):
            continue
        return claim_of_reading(clause, reading, value, rest)
    return None


def _is_given_up(clause: Clause, text: str) -> bool:
    """Returns whether a clause says that something is done no longer, whatever happens: what somebody gives up
    they did again and again. "I don't run anymore if it rains" gives up nothing."""
    return clause.ended and not clause.can and _ONLY_IF.match(text, clause.end) is None


_ONLY_IF = re.compile(
    r"[\s,]*(?:if|when|unless|while|on|at|today|wenn|falls|außer|solange|heute)\b", re.IGNORECASE
)
