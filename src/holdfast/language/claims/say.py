"""Readings of the verb of a clause: what it says of the one who speaks."""

from __future__ import annotations

import re
from collections.abc import Iterator

from holdfast.core.claims import CURRENT, PAST, PLAN, Claim
from holdfast.language.claims.attributes import FUTURE
from holdfast.language.claims.being import complement
from holdfast.language.claims.clause import Clause
from holdfast.language.claims.clauses import COVER
from holdfast.language.claims.habits import LIKED, habit, is_habit
from holdfast.language.claims.having import possessed
from holdfast.language.claims.lexicon import head_of
from holdfast.language.claims.making import NO_QUOTE, NO_VALUE, claim_at, made, tidy
from holdfast.language.claims.planning import planned
from holdfast.language.claims.verbs import DULL, FREQUENT_ONLY, HOBBIES, READINGS, Reading, pattern

_TRAVELS = frozenset("move emigrate fly travel".split())
_AWAY = re.compile(r"(?:to|into|out|in with|house|abroad|home|back)\b", re.IGNORECASE)
"""Matches the day of a journey, as in "we fly to Maui on the ninth"."""
_ON_DAY = re.compile(
    r"\bon the (?:\d{1,2}(?:st|nd|rd|th)|first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|\w+teenth|twent\w+|thirt\w+)\b"
    r"(?=\s*(?:of\b(?! every| each)|[,.;!?]|$))",
    re.IGNORECASE,
)
_EVENTS_DE = frozenset(
    "age diet lives_in housing child grandchild works_as retired employer marital_status owns injury smokes degree job member_of studies school pet condition unemployed expecting licence".split()
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
        return _stated(clause, one, value, rest)
    return None


_WHOM = re.compile(
    r"(?:(?:to|from|with|von|mit|after|nach|an?|eine?n?|my|our|mein\w*|unser\w*|the|die|den|der)\b|(?-i:[A-ZÄÖÜ])|\W*$|split|engaged|divorced|widowed|separated|married|single|getrennt|verlobt|verwitwet|geschieden|verheiratet|ledig)",
    re.IGNORECASE,
)
"""Whom somebody married or left; else the verb says more than what follows it."""
_HAVING_DONE = frozenset({"does_regularly", "uses", "plays"})  # it says little that they were never done
_FROM_WHOM = re.compile(r"(?:with|from|von)\b", re.IGNORECASE)
_ONGOING = frozenset(
    "expect|retrain|learn|train|study|go|adopt_now|settle|found_now|get|become|turn|grow up|take".split("|")
)

_REPEATED = frozenset(
    "take|eat|drink|like|hate|prefer|use|go|do|wear|sleep|wake|listen|watch|endure|avoid|drive|ride|need|speak|carry|sit|hear|stand|play|run|keep|learn|read|get up|tolerate".split(
        "|"
    )
)


def _stated(clause: Clause, one: Reading, value: str, rest: str) -> Claim | None:
    attribute, verb = one.attribute, clause.verb
    if attribute == "nothing" or (attribute in _HAVING_DONE and clause.negative and clause.done):
        return None
    is_name = clause.subject == "dropped" and not clause.when and "job" not in rest.lower()
    if attribute == "left" and clause.language == "en" and (not rest or is_name):
        return None  # "I quit" may be a game, "Left Bank" a street
    if clause.going and (
        verb == "come"
        or (verb == "play" and clause.subject == "dropped" and not (clause.since or clause.frequent))
    ):
        return None  # on a journey, or what a player plays
    attribute = "does_regularly" if attribute == "hobbyist" else attribute
    if not value:
        value = clause.word or rest or clause.tokens[-1].text
    elif attribute in ("left", "moved_out"):
        value = f"{value} {clause.word}" if clause.language == "de" else f"{clause.word} {value}"
    elif attribute == "housing" and verb == "move" and " " not in value:
        value = f"{clause.word} {value}"
    if attribute == "marital_status" and clause.word and _FROM_WHOM.match(value):
        value = f"{value} {clause.word}" if clause.language == "de" else f"{clause.word} {value}"
    elif attribute == "marital_status" and not _WHOM.match(value):
        value = clause.word or verb
    if NO_VALUE.match(value) or value.startswith(COVER):
        return None
    denied = NO_QUOTE.match(value) is not None
    negative = clause.negative or (clause.language == "en" and denied)
    positive = one.positive
    status = CURRENT
    past = clause.past or (clause.language == "de" and clause.done)
    if negative and not one.deny:
        return None
    if clause.used:
        status = PAST
    elif clause.ended or one.ends:
        if clause.ended and not one.ends and one.event and verb not in ("take", "learn", "go"):
            return None
        ends_state = attribute in ("eats", "drinks", "alcohol", "smokes", "diet", "likes", "dislikes")
        positive, status = (
            (not positive if attribute in ("dislikes",) else False),
            (CURRENT if ends_state and attribute != "smokes" else PAST),
        )
        if attribute == "dislikes":
            positive = True
        if verb in ("split up", "break up") or attribute in ("left", "moved_out"):
            positive, status = True, PAST
        negative = False
    elif past and not one.event:
        if (
            clause.language == "de"
            and clause.done
            and attribute in _EVENTS_DE
            and verb not in ("live", "work", "study", "drive", "own", "play", "be", "smoke")
        ) or attribute in ("from", "born_in", "birthday"):
            status = CURRENT
        elif verb in _REPEATED and not (
            clause.until or (clause.since or "").lower().startswith("for") or (attribute == "degree")
        ):
            if not (attribute in ("studies", "school") and verb in ("do", "go")):
                return None
            status = PAST
        else:
            status = PAST
    elif (
        clause.done
        and not one.event
        and not clause.since
        and not clause.going
        and not negative
        and attribute in ("lives_in", "employer", "works_as", "works_in", "drives", "owns")
        and clause.language == "en"
    ):
        status = PAST
    if attribute == "lives_in" and re.match(
        r"(?:two|three|four|five|six|many|several|\d+|a lot of|different) ", value
    ):
        return None
    if one.event and negative and not denied:
        return None
    if status == PAST and negative and clause.past:
        return None
    if (
        one.event
        and not clause.past
        and not clause.done
        and clause.language == "en"
        and not clause.going
        and verb not in _ONGOING
        and clause.subject != "dropped"
    ):
        return None
    if (
        one.event
        and clause.going
        and verb
        in ("move", "buy", "join", "adopt", "open", "marry", "retire", "get", "become", "turn", "start")
        and not clause.done
    ):
        if attribute == "age":
            return made(clause, "age", f"{clause.word} {value}")
        return claim_at(
            "plan_"
            + {"move": "move", "buy": "purchase", "marry": "family", "get": "job", "adopt": "family"}.get(
                verb, "event"
            ),
            tidy(f"{verb} {rest}"),
            clause.start,
            clause.end,
            status=PLAN,
        )
    if (
        clause.is_base
        and clause.subject == "dropped"
        and clause.language == "en"
        and not (
            verb in ("live", "hate", "suffer", "grow up")
            or (verb == "like" and clause.word.lower() != "like")
            or (negative and verb in ("eat", "drink", "smoke", "drive", "own", "speak", "know", "do"))
            or (verb == "work" and re.match(r"nights|shifts|from home|part|full|as an? ", rest))
        )
    ):
        return None
    if clause.can:
        if verb in ("endure",):
            if not negative:
                return None
        elif verb in ("eat", "drink"):
            pass
        elif verb == "tolerate":
            if not negative:
                return None
        elif verb == "work":
            if attribute != "work_hours":
                return None
        elif verb == "can":
            if not (attribute_of := _able(value)):
                return None
            attribute = attribute_of
        else:
            attribute, value = (
                ("speaks" if verb in ("speak", "understand") else "can"),
                (
                    value
                    if verb in ("speak", "understand")
                    else f"{value} {clause.word}".strip()
                    if clause.language == "de"
                    else f"{verb} {value}".strip()
                ),
            )
    elif verb in ("endure", "can"):
        return None
    if verb == "tolerate" and attribute == "intolerance":
        if not negative:
            return None
        positive, negative = True, False
        value = re.sub(r"^(?:keine?[nsmr]?|any) ", "", value)
    elif attribute == "intolerance":
        pass
    if negative:
        positive = not positive if verb not in ("endure",) else False
        value = (
            re.sub(r"^(?:keine?[nsmr]?|no|any|nix|nichts) ", "", value)
            if clause.language == "de" or denied
            else re.sub(r"^any ", "", value)
        )
    if attribute == "plays" and (head := head_of(value)) is not None and head[0] == "sport":
        attribute = "sport"
    if (
        attribute in ("eats", "drinks", "plays")
        and clause.language == "de"
        and LIKED.search(clause.whole)
        and not negative
    ):
        attribute = "likes"
    if attribute in ("likes", "fan_of") and not positive:
        attribute = "dislikes"
    if attribute == "dislikes" and positive and not clause.ended:
        if verb not in ("do", "endure"):
            return None
        if not clause.negative:
            return None
        positive = False
    if attribute == "dislikes" and verb == "do":
        positive = False
    if attribute in ("eats", "drinks") and re.match(
        r"(?:another|from|any ?more|the (?:rest|last)|all|main)\b", value, re.IGNORECASE
    ):
        return None
    if (
        attribute in ("eats", "drinks")
        and verb in ("eat", "drink")
        and not (
            negative
            or clause.ended
            or clause.can
            or clause.frequent
            or clause.changed
            or clause.begun
            or re.match(
                r"(?:meat|fish|pork|mostly|mainly|a lot|lots|only|plenty|everything|gluten|dairy|too much|black|decaf|tea|coffee|alcohol|milk|oat|beer|wine|nur|kaum|viel|meist\w*|fleisch|fisch|wenig|alles|eggs|vegetables|like)\b",
                value,
                re.IGNORECASE,
            )
        )
    ):
        return None
    if attribute == "smokes" and verb == "smoke":
        value = next(
            (
                token.text
                for token in clause.tokens
                if token.low.startswith(("smok", "vap", "rauch", "gerauch"))
            ),
            value,
        )
    if attribute == "weight" and not re.search(r"\d", value):
        return None
    return made(
        clause,
        attribute,
        value,
        positive=positive,
        status=status,
        changes=clause.changed or clause.ended or clause.begun or one.event or one.ends,
        event=one.event,
    )


def _able(value: str) -> str:
    head = head_of(value)
    if head is not None and head[0] == "lang":
        return "speaks"
    return (
        "can"
        if re.search(
            r"\b(?:schwimmen|autofahren|kochen|tanzen|singen|nähen|programmieren|radfahren|reiten|stricken|segeln|spielen|backen|excel|python|java|word|photoshop|sql|r|noten|mathe|gut|power)\b",
            value,
            re.IGNORECASE,
        )
        else ""
    )
