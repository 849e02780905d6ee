"""Readings of "have": relatives, pets, illnesses, things, degrees."""

from __future__ import annotations

import re
from collections.abc import Iterator

from holdfast.core.claims import CURRENT, PAST, Claim
from holdfast.language.claims.clause import Clause
from holdfast.language.claims.lexicon import KIN, head_of
from holdfast.language.claims.making import NO_QUOTE, make_claim, tidy
from holdfast.language.claims.verbs import Reading, pattern

_HAVE_CLASS = {
    "child": "child", "sibling": "sibling", "grandchild": "grandchild", "relative": "relative", "partner": "partner", "spouse": "spouse", "pet": "pet", "allergy": "allergy",
    "intolerance": "intolerance", "ill": "condition", "degree": "degree", "licence": "licence", "thing": "owns", "business": "owns", "friend": "friend", "healthadj": "condition", "club": "member_of", "instrument": "owns",
}  # fmt: skip

_BAD = r"(?:bad|sore|dodgy|weak|trick\w*|herniated|slipped|replaced|new|artificial|prosthetic|frozen|broken|sprained|torn|fractured|chronic\w*|lower|high|low|underactive|overactive|sensitive|poor|heart|stiff|kaputt\w*|schwach\w*|schlecht\w*|empfindlich\w*|künstlich\w*|steif\w*|hoh\w*|schwer\w*)"

_HAVE: tuple[Reading, ...] = (
    Reading(
        "condition",
        r"(?P<v>(?:(?:an?|my|eine?n?|two|three|mit|probleme|ärger|trouble|issues|problems?) ){0,2}(?:[\w-]+ )?(?:\w*operation|\w*surgery|\w+-op|op am \w+|replacement|transplant|bypass|chemo\w*|radiotherapy|hysterectomy|c-section)\b.*)",
    ),
    Reading(
        "condition",
        rf"(?P<v>(?:an? |eine?n? |really |probleme mit |ärger mit |trouble with |issues with |problems? with |es (?:an|am|im) )*(?:(?:{_BAD}) )+(?:\w+ ){{0,1}}(?:back|knees?|hips?|shoulder|wrist|ankle|foot|neck|elbow|heart|stomach|skin|eyesight|eyes?|ears?|hearing|hand|leg|arm|spine|lungs?|bladder|thyroid|blood pressure|cholesterol|iron|meniscus|acl|ligament|rücken|knie|hüfte|schulter|herz|magen|augen|blutdruck|haut|rib|finger|toe|collarbone|disc)\b.*)",
    ),
    Reading(
        "condition",
        r"(?:(?:my|meine?n?|an?) )?(?P<v>(?:gall ?bladder|appendix|tonsils|wisdom teeth|spleen|thyroid|mandeln|weisheitszähne|blinddarm|gallenblase)\b.*)",
    ),
    Reading(
        "fears",
        r"(?:an? |große |panische |furchtbare |total )*(?P<v>(?:(?:irrational |terrible |huge )?(?:fear|phobia) of .*|angst vor .*|höhenangst|flugangst|platzangst|spinnenphobie|\w*phobia|arachnophobia|claustrophobia|vertigo|stage fright)\b.*)",
        positive=False,
    ),
    Reading(
        "experience",
        r"(?P<v>(?:(?:\w+|\d+\+?) years(?:'| of)? (?:of )?experience|(?:a lot of|no|little|some|zero) (?:\w+ )?experience|(?:\w+ )?(?:\d+|viele?|keine?|zehn|fünf) ?(?:jahre )?(?:berufs)?erfahrung)\b.*)",
    ),
    Reading("can", r"(?:von|with) (?P<v>.+?) (?:keine ahnung|no idea)", positive=False),
    Reading("can", r"(?P<v>.+ )?(?:keine|null|wenig) ahnung(?: von (?P<w>.+))?", positive=False),
    Reading(
        "can",
        r"(?:two left (?:feet|hands)|no sense of (?:direction|rhythm)|zwei linke hände)",
        positive=False,
    ),
    Reading(
        "glasses",
        r"(?P<v>(?:(?:blue|brown|green|grey|gray|hazel|red|blond\w*|curly|long|short|dark|black|blaue|braune|grüne|lange|kurze|rote|lockige) )+(?:eyes|hair|haare|augen)\b.*|a (?:tattoo|beard|pacemaker|stoma|prosthe\w+)\b.*)",
    ),
    Reading("takes_medicine", r"(?P<v>a prescription for .*)"),
    Reading("birthday", r"am (?P<v>.+) geburtstag"),
    Reading("birthday", r"(?:my )?birthday (?:on|in) (?P<v>.+)"),
    Reading(
        "job",
        r"(?P<v>(?:an?|my own|einen?|eine|zwei|two) (?:[\w-]+ ){0,2}(?:job|position|minijob|nebenjob|business|side hustle|practice|stelle)(?: (?:at|with|as|in|bei|als) .*)?)$",
    ),
    Reading("work_hours", r"(?P<v>(?:night |early |late )?shifts?\b.*)"),
    Reading(
        "does_regularly",
        r"(?P<v>(?:(?:an? )?[\w-]+ )?(?:choir|band|football|yoga|swimming|dance|training|chorprobe|chor|lessons|practice|rehearsal)\b.*)",
        frequent=True,
    ),
    Reading(
        "child",
        r"(?P<v>(?:another |our |my )?(?:one|baby|kid|twins|child|little one) (?:on the way|due)\b.*|custody of .*)",
    ),
    Reading("degree", r"(?P<v>(?:an?|my|two|no|mein\w*|einen?) (?:[\w-]+ ){0,3}(?:background)\b.*)"),
    Reading("degree", r"(?P<v>.+?) studiert$"),
    Reading("degree", r"(?P<v>.+ studiert .+)"),
    Reading("friend", r"(?P<v>(?:a|an old|a good|a close) friend (?:called|named) .*)"),
    Reading(
        "owns",
        r"(?:an?|my|our|eine?n?|zwei|two) (?:(?:old|new|little|second-hand|used|electric|\d{4}|battered|red|blue|alten|neuen|kleinen|gebrauchten) )*(?P<v>(?-i:[A-Z])[\w-]+ (?-i:[A-Z0-9])[\w-]+\b.*)",
    ),
)
"""What follows a form of "have", in order; then the class of the head decides."""

_BARE_NUMBER = re.compile(
    r"(?:no|\d+|an?|two|three|four|five|six|seven|some|one|any|zwei|drei|vier|fünf|sechs|kein\w*|eine?n?|ne?n?|several|our|my|another|mehrere|ein paar|unser\w*|mein\w*|twin)\b",
    re.IGNORECASE,
)


_AND = re.compile(
    r",? (?:and|und) (?=(?:an?|one|two|three|four|\d+|eine?n?|zwei|drei|vier) )|, (?=(?:an?|one|two|three|four|\d+|eine?n?|zwei|drei|vier) )"
)
"""What stands between two things that somebody has."""


def possessed(clause: Clause, rest: str) -> Iterator[Claim]:
    """Yields what somebody has: relatives, pets, illnesses, things, degrees."""
    parts = _AND.split(rest)
    heads = [head_of(part) for part in parts]
    if len(parts) > 1 and len({head[0] if head else None for head in heads}) > 1:
        for part in parts:
            yield from _possessed(clause, part)
    else:
        yield from _possessed(clause, rest)


_LEADS = re.compile(r"^(?:got |also |still |just |only |recently |never |had |always |now )+")
_NO_THING = re.compile(
    r"(?:to|been|never|in mind|a (?:question|problem with (?:this|the|my (?:code|script|file))|look|feeling|hunch|meeting|deadline))\b"
)
"""Begins what is had, but not owned."""
_EXPECTED = re.compile(
    r"(?:our|a|my|twins|another) ?(?:\w+ )?(?:baby|child|girl|boy|second|third|first|twins)?"
)
"""Begins what "having" announces."""
_ANIMALS = re.compile(
    r"(?:cats|dogs|chickens|hens|horses|rabbits|guinea|goats|sheep|bees|katzen|hunde|hühner|pferde|meerschweinchen|kaninchen|bienen|ziegen|schafe)\b",
    re.IGNORECASE,
)
_AT_WORK = re.compile(r"\b(?:error|problem|question|issue|function|app|list|file|table|script|bug)\b")
"""Says that a thing is what is worked on, not what is owned."""


def _possessed(clause: Clause, rest: str) -> Iterator[Claim]:
    """Yields what the object of "have" or "own" says, by the readings of set phrases or else by its noun."""
    rest = _LEADS.sub("", rest)
    if clause.can or not rest or _NO_THING.match(rest) or (clause.going and not _EXPECTED.match(rest)):
        return
    negative = clause.negative or NO_QUOTE.match(rest) is not None
    for reading in _HAVE:
        match = pattern(reading.start).match(rest)
        if match is None or (reading.frequent and not clause.frequent):
            continue
        value = tidy(match.groupdict().get("v") or match.groupdict().get("w") or rest[match.end() :] or rest)
        yield from _have_claim(
            clause,
            reading.attribute,
            value,
            negative=negative and reading.positive,
            positive=reading.positive,
        )
        return
    yield from _by_noun(clause, rest, negative=negative)


def _by_noun(clause: Clause, rest: str, *, negative: bool) -> Iterator[Claim]:
    """Yields what the class of the noun says that somebody has."""
    if clause.language == "de":
        rest = _RECEIVED.sub("", rest)
        if _PARTICIPLE.search(rest):
            return
    head = head_of(rest)
    if head is None or head[0] not in _HAVE_CLASS:
        aged = _AGED.match(rest)
        if aged is not None and not negative and not clause.past:
            yield from _have_claim(clause, "child", aged["v"], negative=False)
        return
    kind, word = head
    if kind == "club" and word.lower() == "team":
        return
    if not _BARE_NUMBER.match(rest):
        is_definite = kind in KIN or kind in ("thing", "business", "club", "degree")
        if is_definite and kind not in ("child", "sibling", "pet"):
            return
        if kind == "pet" and not _ANIMALS.match(rest):
            return
    if kind in ("thing", "business") and _AT_WORK.search(rest):
        return
    value = re.sub(r"^(?:no|any|kein\w*) ", "", rest) if negative else rest
    yield from _have_claim(clause, _HAVE_CLASS[kind], value, negative=negative)


_RECEIVED = re.compile(r" (?:bekommen|gekriegt|geerbt|erhalten)$")
_PARTICIPLE = re.compile(r"[A-ZÄÖÜ][\w-]+ (?:.* )?(?:\w*ge|be|ver|er|ent|zer)[a-zäöüß]{2,}(?:t|en)$")
"""Matches a thing with the participle of another verb, of which "haben" is the auxiliary: "einen Hund gesehen"."""
_AGED = re.compile(
    r"(?P<v>(?:an? |\w+ )?(?:\d+|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|eighteen)[- ](?:day|week|month|year)s?[- ]olds?)\b",
    re.IGNORECASE,
)


def _have_claim(
    clause: Clause, attribute: str, value: str, *, negative: bool, positive: bool = True
) -> Iterator[Claim]:
    """Yields the claim that somebody has something, with its status."""
    status = CURRENT
    is_lasting = attribute in ("injury", "allergy", "degree", "glasses", "licence") or (
        attribute == "condition"
        and (clause.since is not None or (clause.done and clause.language == "en"))  # "I've had asthma"
    )
    if clause.ended:
        positive, status, negative = False, PAST, False
    elif clause.used or ((clause.past or (clause.language == "de" and clause.done)) and not is_lasting):
        if (
            attribute in ("job", "does_regularly", "work_hours", "experience", "fears", "can")
            and not clause.used
        ):
            return
        if negative and not clause.done:
            return  # what they did not have then says nothing of now
        status = CURRENT if negative else PAST
    yield make_claim(clause, attribute, tidy(value), positive=positive and not negative, status=status)
