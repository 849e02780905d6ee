"""Readings of the verb of a clause: what it says of the one who speaks."""

from __future__ import annotations

import re
from collections.abc import Iterator

from holdfast.core.claims import PLAN, Claim
from holdfast.language.claims.attributes import FUTURE
from holdfast.language.claims.being import complement
from holdfast.language.claims.clause import Clause
from holdfast.language.claims.habits import habit, is_habit
from holdfast.language.claims.having import possessed
from holdfast.language.claims.lexicon import head_of
from holdfast.language.claims.making import claim_at, made, tidy
from holdfast.language.claims.planning import planned
from holdfast.language.claims.statements import stated
from holdfast.language.claims.verbs import DULL, FREQUENT_ONLY, HOBBIES, READINGS, Reading, pattern

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


def said(clause: Clause, text: str) -> Iterator[Claim]:
    """Yields what a clause says of its speaker."""
    verb, rest = clause.verb, clause.rest.strip()
    if (verb == "like" and clause.tokens[0].low == "like" and clause.joint == ",") or (
        verb == "found" and clause.word.lower() == "found"
    ):
        return  # "…, like get it over with", "I have found"
    if clause.planned in ("gone", "could", "need") or (
        (clause.planned == "try" and not _TRYING.match(rest))
        or (clause.planned == "muse" and not _CONSIDERED.match(rest))
    ):
        return
    if verb == "to":
        yield from planned(clause, text)
        return
    future = not (clause.done or clause.past or clause.ended) and FUTURE.search(clause.whole) is not None
    if future and (
        (
            clause.going
            and clause.language == "en"
            and verb not in ("learn", "study", "live", "suffer", "be", "wear", "take")
        )
        or (clause.language == "de" and verb in _FUTURE_DE and not clause.negative)
    ):
        yield from planned(clause, text, at=clause.start)
        return
    if (
        verb.removeprefix("?") in _TRAVELS
        and (future or _ON_DAY.search(clause.whole))
        and clause.language == "en"
        and not (clause.done or clause.past or clause.ended)
        and _AWAY.match(rest)
        and not clause.frequent
    ):
        if not (clause.negative or clause.planned):
            attribute = "plan_move" if verb in ("move", "emigrate") else "plan_travel"
            value = f"{verb.removeprefix('?')} {rest}"
            yield claim_at(attribute, value, clause.start, clause.end, status=PLAN, since=clause.when)
        return
    if verb == "be" and clause.planned == "will" and clause.language == "en":
        return
    if verb == "be":
        yield from complement(clause, rest)
        return
    if verb == "have":
        yield from possessed(clause, rest)
        return
    if clause.can and verb not in _ABLE:
        return
    if (
        clause.going
        and verb in _NOW_ONLY
        and not (
            clause.since
            or clause.begun
            or clause.ended
            or clause.frequent
            or (verb == "take" and "med" in str(head_of(rest)))
            or (verb == "do" and _IN_TRAINING.search(rest))
        )
    ):
        return
    if verb == "can" and clause.language == "de" and clause.negative and (hated := _HATED.fullmatch(rest)):
        yield made(clause, "dislikes", hated["v"], positive=False)
        return
    found = _read(clause, READINGS.get(verb, ()), rest)
    if found is not None:
        place = _PLACE.search(rest) if found.attribute == "housing" and verb == "live" else None
        if place is not None:
            yield made(clause, "lives_in", place["v"], positive=found.positive, status=found.status)
        yield found
        return
    name = verb.removeprefix("?")
    if (
        name in HOBBIES
        or name in FREQUENT_ONLY
        or (
            verb.startswith("?")
            and clause.language == "en"
            and name not in DULL
            and is_habit(clause, name, rest)
        )
    ):
        yield from habit(clause, name, rest)
    elif verb == "call" and clause.language == "de":
        match = pattern(r"(?P<v>(?-i:[A-ZÄÖÜ])[\w'-]+(?: (?-i:[A-ZÄÖÜ])[\w'-]+)?)").match(rest)
        if match:
            yield made(clause, "name", match["v"])
    elif (
        (
            name in ("booked", "signed", "enrolled", "applied", "registered", "entered", "scheduled")
            and not clause.negative
            and not clause.past
        )
        and re.match(r"(?:an?|an|our|my|two|the|flights?|tickets?|up for|in|for|into|on)\b", rest)
        and not re.match(r"(?:up for (?:the|your|a) (?:trial|newsletter|account|free))", rest)
    ):
        yield claim_at(
            "plan_travel" if name == "booked" else "plan_event",
            rest,
            clause.start,
            clause.end,
            status=PLAN,
            since=clause.when,
        )


_IN_TRAINING = pattern(
    r"\b(?:degree|phd|master'?s?|bachelor'?s?|apprenticeship|a-levels|mba|doctorate|pgce|diploma|bootcamp|residency|traineeship|internship|gcses?|(?:night|evening) class\w*)\b"
)
_PLACE = pattern(r"\b(?:in|near|im|bei|nahe) (?P<v>(?-i:[A-ZÄÖÜ])[\w-]+(?: (?-i:[A-ZÄÖÜ])[\w-]+)*)$")
"""A place at the end of what somebody lives with or in."""
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


def _read(clause: Clause, readings: tuple[Reading, ...], rest: str) -> Claim | None:
    """Returns what the first reading that fits says, if any."""
    for one in readings:
        match = pattern(one.start).match(rest)
        if match is None:
            continue
        groups = match.groupdict()
        value = tidy(groups.get("v") or groups.get("w") or ("" if "v" in groups else rest[match.end() :]))
        if one.classes:
            head = head_of(value)
            if head is None or head[0] not in one.classes.split():
                continue
        if one.frequent and not clause.frequent:
            continue
        return stated(clause, one, value, rest)
    return None
