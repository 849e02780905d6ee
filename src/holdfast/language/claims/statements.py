"""Statements from readings of a verb, settled step by step: value, tense, denial, ability, taste."""

from __future__ import annotations

import re
from dataclasses import dataclass

from holdfast.core.claims import CURRENT, PAST, PLAN, Claim
from holdfast.language.claims.clause import Clause
from holdfast.language.claims.habits import LIKED
from holdfast.language.claims.lexicon import head_of
from holdfast.language.claims.making import NO_QUOTE, NO_VALUE, claim_at, make_claim, tidy
from holdfast.language.claims.verbs import Reading
from holdfast.language.claims.voice import COVER

_EVENTS_DE = frozenset(
    "age diet lives_in housing child grandchild works_as retired employer marital_status owns injury smokes degree job member_of studies school pet condition unemployed expecting licence".split()
)

_WHOM = re.compile(
    r"(?:(?:to|from|with|von|mit|after|nach|an?|eine?n?|my|our|mein\w*|unser\w*|the|die|den|der)\b|(?-i:[A-ZÄÖÜ])|\W*$|split|engaged|divorced|widowed|separated|married|single|getrennt|verlobt|verwitwet|geschieden|verheiratet|ledig)",
    re.IGNORECASE,
)
"""Whom somebody married or left; else the verb says more than what follows it."""
_HAVING_DONE = frozenset({"does_regularly", "uses", "plays"})  # it says little that they were never done
_FROM_WHOM = re.compile(r"(?:with|from|von|(?:mein|unser|ein)\w*|die|den)\b", re.IGNORECASE)
_JOINED = {"married": "to", "remarried": "to", "divorced": "from", "geheiratet": ""}
"""Verbs without which whom somebody married says little: who married Ana is married to her, and not Ana."""
_WHO = re.compile(r"(?:my|our|the|an?)\b|(?-i:[A-ZÄÖÜ])", re.IGNORECASE)
_ONGOING = frozenset(
    "expect|retrain|learn|train|study|go|adopt_now|settle|found_now|get|become|turn|grow up|take".split("|")
)

_REPEATED = frozenset(
    "take|eat|drink|like|hate|prefer|use|go|do|wear|sleep|wake|listen|watch|endure|avoid|drive|ride|need|speak|carry|sit|hear|stand|play|run|keep|learn|read|get up|tolerate".split(
        "|"
    )
)
_ENDS_STATE = frozenset("eats drinks alcohol diet likes dislikes".split())
"""Attributes of which it says something of the present that they have ended."""
_LEFT_BEHIND = frozenset("lives_in employer works_as works_in drives owns".split())
"""Attributes that "I have lived", without a since, says of the past."""
_LASTING_DE = frozenset("live work study drive own play be smoke".split())
"""German verbs whose perfect tense is no event."""
_SEVERAL = re.compile(r"(?:two|three|four|five|six|many|several|\d+|a lot of|different) ")
_AHEAD = frozenset("move buy join adopt open marry retire get become turn start".split())
"""Verbs whose present participle says what is planned."""
_PLANS = {"move": "move", "buy": "purchase", "marry": "family", "get": "job", "adopt": "family"}
_DENIED_ALONE = frozenset("eat drink smoke drive own speak know do".split())
"""Verbs that state something without a subject where they are denied: "don't drink"."""
_ONE_HELPING = re.compile(r"(?:another|from|any ?more|the (?:rest|last)|all|main)\b", re.IGNORECASE)
_DIETARY = re.compile(
    r"(?:meat|fish|pork|mostly|mainly|a lot|lots|only|plenty|everything|gluten|dairy|too much|black|decaf|tea|coffee|alcohol|milk|oat|beer|wine|nur|kaum|viel|meist\w*|fleisch|fisch|wenig|alles|eggs|vegetables|like)\b",
    re.IGNORECASE,
)


@dataclass(slots=True)
class _Saying:
    """A statement in the making: a reading of a clause, settled step by step."""

    clause: Clause
    reading: Reading
    rest: str
    attribute: str
    value: str
    negative: bool = False
    is_denied: bool = False
    """The value itself begins with a denial, as in "no meat"."""
    positive: bool = True
    status: str = CURRENT

    @property
    def verb(self) -> str:
        return self.clause.verb


def claim_of_reading(clause: Clause, reading: Reading, value: str, rest: str) -> Claim | None:
    """Returns what a reading says of the speaker; None if the clause says less than its words seem to."""
    if _says_nothing(clause, reading, rest):
        return None
    attribute = "does_regularly" if reading.attribute == "hobbyist" else reading.attribute
    saying = _Saying(clause, reading, rest, attribute, _whole_value(clause, attribute, value, rest))
    if NO_VALUE.match(saying.value) or saying.value.startswith(COVER):
        return None
    saying.is_denied = NO_QUOTE.match(saying.value) is not None
    saying.negative = clause.negative or (clause.language == "en" and saying.is_denied)
    saying.positive = reading.positive
    if saying.negative and not reading.deny:
        return None
    if not (_is_timed(saying) and _has_happened(saying)):
        return None
    if _is_ahead(saying):
        return _plan_of(saying)
    if _is_fragment(saying):
        return None
    if not all(settle(saying) for settle in (_is_able, _is_negated, _is_liked, _is_consumed)):
        return None
    if saying.attribute == "smokes" and saying.verb == "smoke":
        saying.value = _smoking(clause, saying.value)
    if saying.attribute == "weight" and not re.search(r"\d", saying.value):
        return None
    return make_claim(
        clause,
        saying.attribute,
        saying.value,
        positive=saying.positive,
        status=saying.status,
        changes=clause.changed or clause.ended or clause.begun or reading.event or reading.ends,
        event=reading.event,
    )


def _says_nothing(clause: Clause, reading: Reading, rest: str) -> bool:
    """Returns whether a clause is too short or too general for its reading."""
    attribute, verb = reading.attribute, clause.verb
    if attribute == "nothing" or (attribute in _HAVING_DONE and clause.negative and clause.done):
        return True
    is_name = clause.subject == "dropped" and not clause.when and "job" not in rest.lower()
    if attribute == "left" and clause.language == "en" and (not rest or is_name):
        return True  # "I quit" may be a game, "Left Bank" a street
    is_played = verb == "play" and clause.subject == "dropped" and not (clause.since or clause.frequent)
    return clause.going and (verb == "come" or is_played)  # on a journey, or what a player plays


def _whole_value(clause: Clause, attribute: str, value: str, rest: str) -> str:
    """Returns a value with its verb where it means little without: "moved out", "split from Anna"."""

    def with_verb(value: str) -> str:
        return f"{value} {clause.word}" if clause.language == "de" else f"{clause.word} {value}"

    if not value:
        value = clause.word or rest or clause.tokens[-1].text
    elif attribute in ("left", "moved_out"):
        value = with_verb(value)
    elif attribute == "housing" and clause.verb == "move" and " " not in value:
        value = f"{clause.word} {value}"
    if attribute == "marital_status" and clause.word and _FROM_WHOM.match(value):
        return with_verb(value)
    joins = _JOINED.get(clause.word.lower()) if attribute == "marital_status" else None
    if joins is not None and _WHO.match(value):
        return f"{clause.word} {joins} {value}" if joins else with_verb(value)
    if attribute == "marital_status" and not _WHOM.match(value):
        return clause.word or clause.verb
    return value


def _is_timed(saying: _Saying) -> bool:
    """Settles whether it holds now or held once; returns False if it says neither."""
    clause, reading, attribute, verb = saying.clause, saying.reading, saying.attribute, saying.verb
    if clause.used:
        saying.status = PAST
    elif clause.ended or reading.ends:
        if clause.ended and not reading.ends and reading.event and verb not in ("take", "learn", "go"):
            return False
        _end(saying)
    elif (clause.past or (clause.language == "de" and clause.done)) and not reading.event:
        if not _is_past(saying):
            return False
    elif (
        clause.done
        and not (reading.event or clause.since or clause.going or saying.negative)
        and attribute in _LEFT_BEHIND
        and clause.language == "en"
    ):
        saying.status = PAST
    if attribute == "lives_in" and _SEVERAL.match(saying.value):
        return False
    return not (saying.status == PAST and saying.negative and clause.past)


def _end(saying: _Saying) -> None:
    """Settles what holds after something has ended."""
    attribute = saying.attribute
    saying.positive = attribute == "dislikes"
    saying.status = CURRENT if attribute in _ENDS_STATE else PAST
    if saying.verb in ("split up", "break up") or attribute in ("left", "moved_out"):
        saying.positive, saying.status = True, PAST
    saying.negative = False


def _is_past(saying: _Saying) -> bool:
    """Settles what the past tense says of the present; returns False for what was done but once."""
    clause, attribute, verb = saying.clause, saying.attribute, saying.verb
    is_event = clause.language == "de" and clause.done and attribute in _EVENTS_DE and verb not in _LASTING_DE
    if is_event or attribute in ("from", "born_in", "birthday"):
        saying.status = CURRENT
        return True
    saying.status = PAST
    is_lasting = clause.until or (clause.since or "").lower().startswith("for") or attribute == "degree"
    is_schooling = attribute in ("studies", "school") and verb in ("do", "go")
    return verb not in _REPEATED or bool(is_lasting) or is_schooling


def _has_happened(saying: _Saying) -> bool:
    """Returns whether a claim of an event is one that has happened: neither denied nor a mere present
    tense."""
    clause = saying.clause
    if not saying.reading.event:
        return True
    if saying.negative and not saying.is_denied:
        return False
    return (
        clause.past
        or clause.done
        or clause.language != "en"
        or clause.going
        or saying.verb in _ONGOING
        or clause.subject == "dropped"
    )


def _is_ahead(saying: _Saying) -> bool:
    """Returns whether an event is still to come: "we are moving to Leeds"."""
    clause = saying.clause
    is_present = clause.language == "de" and saying.verb == "marry" and not (clause.past or clause.ended)
    is_going = clause.going or (is_present and not saying.negative)
    return saying.reading.event and is_going and saying.verb in _AHEAD and not clause.done


def _plan_of(saying: _Saying) -> Claim | None:
    """Returns the plan that an event still to come is; "turning 40" remains a claim of an age."""
    clause, verb = saying.clause, saying.verb
    if saying.attribute == "age":
        return make_claim(clause, "age", f"{clause.word} {saying.value}")
    plan = tidy(f"{clause.word if clause.language == 'de' else verb} {saying.rest}")
    return claim_at(
        f"plan_{_PLANS.get(verb, 'event')}", plan, clause.start, clause.end, status=PLAN, since=clause.when
    )


def _is_fragment(saying: _Saying) -> bool:
    """Returns whether a base form without a subject is no statement, but a heading or a request."""
    clause, verb = saying.clause, saying.verb
    if not (clause.is_base and clause.subject == "dropped" and clause.language == "en"):
        return False
    return not (
        verb in ("live", "hate", "suffer", "grow up")
        or (verb == "like" and clause.word.lower() != "like")
        or (saying.negative and verb in _DENIED_ALONE)
        or (verb == "work" and re.match(r"nights|shifts|from home|part|full|as an? ", saying.rest))
    )


def _is_able(saying: _Saying) -> bool:
    """Settles what somebody can do; returns False if "can" says nothing with this verb."""
    clause, verb = saying.clause, saying.verb
    if not clause.can:
        return verb not in ("endure", "can")
    if verb in ("endure", "tolerate"):
        return saying.negative
    if verb in ("eat", "drink"):
        return True
    if verb == "work":
        return saying.attribute == "work_hours"
    if verb == "can":
        saying.attribute = _able(saying.value)
        return bool(saying.attribute)
    if verb in ("speak", "understand"):
        saying.attribute = "speaks"
        return True
    words = (saying.value, clause.word) if clause.language == "de" else (verb, saying.value)
    saying.attribute, saying.value = "can", " ".join(words).strip()
    return True


def _is_negated(saying: _Saying) -> bool:
    """Settles what a denial says; returns False where only a denial would say something."""
    value, is_german = saying.value, saying.clause.language == "de"
    if saying.verb == "tolerate" and saying.attribute == "intolerance":
        if not saying.negative:
            return False
        saying.positive, saying.negative = True, False
        saying.value = re.sub(r"^(?:keine?[nsmr]?|any) ", "", value)
    elif saying.negative:
        saying.positive = not saying.positive and saying.verb != "endure"
        denial = r"^(?:keine?[nsmr]?|no|any|nix|nichts) " if is_german or saying.is_denied else r"^any "
        saying.value = re.sub(denial, "", value)
    return True


def _is_liked(saying: _Saying) -> bool:
    """Settles likes and dislikes; returns False for a dislike that is only half denied."""
    clause, verb = saying.clause, saying.verb
    if saying.attribute == "plays" and (head := head_of(saying.value)) is not None and head[0] == "sport":
        saying.attribute = "sport"
    if (
        saying.attribute in ("eats", "drinks", "plays")
        and clause.language == "de"
        and LIKED.search(clause.whole)
        and not saying.negative
    ):
        saying.attribute = "likes"
    if saying.attribute in ("likes", "fan_of") and not saying.positive:
        saying.attribute = "dislikes"
    if saying.attribute != "dislikes":
        return True
    if saying.positive and not clause.ended:
        saying.positive = False
        return verb in ("do", "endure") and clause.negative
    saying.positive = saying.positive and verb != "do"
    return True


def _is_consumed(saying: _Saying) -> bool:
    """Returns whether food or drink is a habit or a rule, and not what somebody had once."""
    clause, value = saying.clause, saying.value
    if saying.attribute not in ("eats", "drinks"):
        return True
    if _ONE_HELPING.match(value):
        return False
    return bool(
        saying.verb not in ("eat", "drink")
        or saying.negative
        or clause.ended
        or clause.can
        or clause.frequent
        or clause.changed
        or clause.begun
        or _DIETARY.match(value)
    )


def _smoking(clause: Clause, value: str) -> str:
    """Returns the word of a clause that names smoking, or a value without one."""
    stems = ("smok", "vap", "rauch", "gerauch")
    return next((token.text for token in clause.tokens if token.low.startswith(stems)), value)


def _able(value: str) -> str:
    """Returns the attribute for something that somebody can do, empty if it is none."""
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
