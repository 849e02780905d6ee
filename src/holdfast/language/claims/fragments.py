"""Readings of parts without subject and verb: "Nurse, 34, two kids, Leeds", "not a coffee drinker"."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from holdfast.core.claims import Claim
from holdfast.language.claims.attributes import FUTURE, TIME
from holdfast.language.claims.being import complement, work_state
from holdfast.language.claims.clause import END_WORDS, Clause
from holdfast.language.claims.having import possessed
from holdfast.language.claims.lexicon import CLASS_OF, WORDS, class_of_word, head_of
from holdfast.language.claims.making import claim_at
from holdfast.language.places import PLACES

WORDS_MAX = 14
"""Maximum number of words of a part that is read."""
_COUNTED = re.compile(
    r"(?:with |mit )?(?:no|two|three|four|five|six|one|\d|keine?n?|zwei|drei|vier|fünf|eine?n?|a|only) ",
    re.IGNORECASE,
)
_LEAD = re.compile(
    r"^(?:(?:so|well|ok|okay|hi|hey|hello|yeah|yes|btw|fyi|and|but|also|plus|just|still|now|currently|recently|ich bin|bin|background|context|about me|for context|update|quick intro|intro|me|kurz zu mir|zu mir|zur info|übrigens|ich|hallo|moin|selbst|inzwischen|mittlerweile|aktuell|derzeit|momentan|trotzdem|außerdem|dazu|noch|frisch|former|formerly|ex)\b[,:]?\s*)+",
    re.IGNORECASE,
)
_OFTEN = re.compile(
    r"(?:(?:every|each) (?:single |other |second )?(?:day|morning|evening|night|week|weekend|month|mon|tues|wednes|thurs|fri|satur|sun)\w*|on (?:mon|tues|wednes|thurs|fri|satur|sun)days?|(?:mon|tues|wednes|thurs|fri|satur|sun)days|(?:once|twice|\w+ times|\d ?x) (?:a|per) (?:week|month|day)|weekly|daily|most (?:days|mornings|evenings)|jeden|jede|(?:mon|diens|donners|frei|sams|sonn)tags|mittwochs|(?:\w+mal|\d ?x) (?:die|pro|in der) woche|wöchentlich|täglich)",
    re.IGNORECASE,
)
_ACTIVITY = re.compile(
    r"(?:.*(?:\w+ing|choir|band|yoga|gym|football|tennis|practice|training|class|lessons|club|church|therapy|run|swim|walk|bible study|pub quiz|chor\w*|fußball|turnen|schwimmen|sport|verein|stammtisch|laufen|joggen|probe|sauna|pilates|kirche).*)",
    re.IGNORECASE,
)
_HERE = re.compile(r"\s(?:here|hier)$", re.IGNORECASE)
_NUMBER = re.compile(
    r"(?P<v>[1-9]\d)(?: ?(?:years? old|yo|y/o|jahre(?: alt)?|m|f|w|j\.?))?(?:[,/ ]+[mfwd])?$", re.IGNORECASE
)
_PLACE = re.compile(
    r"(?:(?:in|aus|from|near|nahe|bei|based in|currently in|currently|jetzt in|wohnhaft in) )?(?P<v>[A-ZÄÖÜ][\w-]+(?: [A-ZÄÖÜ][\w-]+)?)$"
)
_EXTRA = re.compile(
    r"\b(?:what|how|why|which|best|need|idea|ideas|tips|recipe|template|example|list|question|description|interview|salary|cv|resume|letter|email|help|please|bitte|job|course|guide|checklist|vs|versus)\b",
    re.IGNORECASE,
)


_FOND = re.compile(
    r"(?:(?P<no>not|never) )?(?:really |very |more |super |totally |completely )*(?:(?<=t )into|(?<=y )into|(?<=r )into|(?<=more )into|obsessed with|keen on|fond of|mad about|crazy about|a fan of|big on) (?P<v>[^,.;!?]{3,60})$",
    re.IGNORECASE,
)
_TRAITS = frozenset(
    "diet marital loneparent healthadj workstate handed smoker hobbyist drinkless sleeper".split()
)


_FINITE = re.compile(
    r"\b(?:is|are|was|were|has|does|did|can|could|will|would|should|reveal(?:ed|s)|says?|said|gives?|makes?|predicts?|helps?|ist|sind|war|waren|hat|haben|wird|werden|soll|sollen)\b",
    re.IGNORECASE,
)
_WORK_OF_OTHERS = re.compile(
    r"\b(?:arbeitet|arbeitete|jobbt|wurde|bleibt|lernt|macht|works|worked|becomes|became) ", re.IGNORECASE
)
"""Matches a verb by which a trade is somebody else's: "Clara arbeitet als Hebamme"."""
_ALONE = re.compile(
    r"(?:single|lone|alleinerziehend|working|stay-at-home) ?(?:dad|mum|mom|mother|father|parent|vater|mutter|mama|papa)?\w*\b",
    re.IGNORECASE,
)
_TITLE = re.compile(r"(?:[\w-]+ ){0,3}[\w-]+(?:$| (?:in|at|for|from|by|here|bei|im|aus)\b)")
_OF_OTHERS = re.compile(
    r"(?:the|this|that|your|any|other|these|der|die|das|my|dear|hello|sehr)\b", re.IGNORECASE
)
_SEVERE = re.compile(r"(?:chronic|severe|type|mild|starke|bad)\b", re.IGNORECASE)
_STATE = re.compile(
    r"(?:allergic|allergisch|diagnosed|born|geboren|gebürtig|originally from|based|wohnhaft|aufgewachsen|raised|terrified|scared|afraid|fluent|back in|not (?:a|an|keen|big|much|into|very|good)|married|engaged|divorced|widowed|separated|pregnant|expecting|due|new to|member of|part of|self-taught|on (?:the pill|medication|meds|keto|a \w+ diet)|in (?:remission|recovery|rente|elternzeit)|retired|between jobs|made redundant|laid off|out of work|off (?:work|meat|dairy|sugar|gluten|coffee)|big fan|huge fan|obsessed|addicted|into|hooked|schwanger|verheiratet|geschieden|mitglied|in my|from|aus|im \w+ semester|native)\b",
    re.IGNORECASE,
)
_GREETING = re.compile(
    r"(?:Hi|Hello|Hey|Thanks|Thank|Please|Hallo|Danke|Moin|Bitte|OK|PS|Sorry|I|Yes|No|Ja|Nein)\b"
)
_CALLED = frozenset("assistant richter model search".split())
"""Words for a trade by which somebody is called, and names that look like one."""


def _is_last(phrase: str, word: str) -> bool:
    """Returns whether a word is the last one of a phrase, or of what precedes a preposition, mark or
    number."""
    return (
        re.search(
            rf"\b{re.escape(word)}(?:'s)?\b(?!\s+[A-Za-zÄÖÜäöüß]+(?<!in)(?<!with)(?<!at)(?<!and)(?<!from)(?<!for)(?<!who)(?<!since)(?<!because)(?<!mit)(?<!und)(?<!aus)(?<!im)(?<!seit)(?<!bei)(?<!to)(?<!on)(?<!by)(?<!named)(?<!called)(?<!type)(?<!or)(?<!of)(?<!as)(?<!sadly)(?<!after)(?<!till)(?<!twice)(?<!three)(?<!every)(?<!two)\b)",
            phrase,
        )
        is not None
    )


def is_bare_name(part: str) -> bool:
    """Returns whether a part of a sentence is nothing but a name, as that of a place."""
    return _PLACE.match(part) is not None and class_of_word(part.split()[-1]) is None


def fragment(
    text: str, start: int, end: int, language: str, *, is_listed: bool, places: bool = False
) -> Iterator[Claim]:
    """Yields what a part of a sentence without subject and verb says; `is_listed` where parts beside it tell of the
    speaker as well, which numbers and places need."""
    part = _part_of(text, start, end, language, is_listed=is_listed, places=places)
    if part is None:
        return
    for reading in _READINGS:
        claims = reading(part)
        if claims is not None:
            yield from claims
            return


@dataclass(frozen=True)
class _Part:
    """A part of a sentence: as it stands, its words, and `undated` without what says when and where."""

    clause: Clause
    text: str
    undated: str
    words: list[str]
    is_here: bool
    """It ends with "here"."""
    is_label: bool
    """A colon follows it."""
    is_listed: bool
    places: bool

    @cached_property
    def first_head(self) -> tuple[str, str] | None:
        """Returns the class of the first noun that has one, and the noun."""
        return head_of(self.undated)

    @cached_property
    def head(self) -> tuple[str, str] | None:
        """Returns the same of a noun that ends its phrase, or of a trade or subject."""
        head = self.first_head
        if head is not None and head[0] not in ("job", "study") and not _is_last(self.undated, head[1]):
            return None
        return head

    @property
    def kind(self) -> str:
        """Returns the class of the head, or an empty text."""
        return "" if self.head is None else self.head[0]

    @property
    def is_told(self) -> bool:
        """Returns whether something beside the part says that it is about the author."""
        return self.is_listed or self.is_here

    def claim(self, attribute: str, value: str, **further: Any) -> list[Claim]:
        """Returns one claim that the whole part makes."""
        return [claim_at(attribute, value, self.clause.start, self.clause.end, **further)]


def _part_of(
    text: str, start: int, end: int, language: str, *, is_listed: bool, places: bool
) -> _Part | None:
    """Returns the part of a sentence without what leads to it; None for one that is empty, too long or a comparison."""
    lead = _LEAD.match(text[start:end])
    begin = start + (lead.end() if lead else 0)
    part = text[begin:end].strip(" ,.!*•-")
    words = WORDS.findall(part)
    if not words or len(words) > WORDS_MAX or words[0].lower() in ("being", "as", "als", "like"):
        return None
    times = TIME.finditer(f" {part}")
    clause = Clause(
        begin,
        begin + len(text[begin:end].rstrip(" ,.!")),
        subject="dropped",
        verb="be",
        frequent=True,
        language=language,
        whole=part,
        since=next((m["since"] or m["when"] for m in times if m["since"] or m["when"]), None),
    )
    bare = END_WORDS.sub("", TIME.sub("", f" {part}")).strip(" ,")
    return _Part(
        clause,
        part,
        _HERE.sub("", bare),
        words,
        is_here=_HERE.search(bare) is not None,
        is_label=text[end : end + 1] == ":",
        is_listed=is_listed,
        places=places,
    )


# Each reading returns claims, none of a part that it knows to say nothing, or None of one that is for the next.


def _age(part: _Part) -> list[Claim] | None:
    match = _NUMBER.match(part.undated) if part.places else None
    return None if match is None else part.claim("age", match["v"])


def _claims_by_number(part: _Part) -> list[Claim] | None:
    """Reads "two kids", "no pets"."""
    bare, head = part.undated, part.first_head if _COUNTED.match(part.undated) else None
    if head is None or head[0] not in ("child", "pet", "sibling", "grandchild") or len(part.words) > 8:
        return None
    if _EXTRA.search(bare) or _FINITE.search(bare) or not _is_last(bare, head[1]):
        return None
    if not part.is_told and re.match(r"an? |one |\d |eine?n? ", bare):
        return None
    return list(possessed(part.clause, re.sub(r"^(?:with|mit|only) ", "", bare)))


def _nothing(part: _Part) -> list[Claim] | None:
    """Takes what asks for something, is to come, or has a verb that others have."""
    is_plan = FUTURE.search(part.text) and not re.match(r"(?:pregnant|due|engaged|schwanger)", part.undated)
    return [] if _EXTRA.search(part.undated) or is_plan or _FINITE.search(part.undated) else None


def _habit(part: _Part) -> list[Claim] | None:
    """Reads "choir on Tuesdays"."""
    is_habit = (
        part.kind in ("", "sport", "club", "instrument", "hobbyist")
        and len(part.words) <= 7
        and not part.text.endswith(":")
        and _OFTEN.search(part.text)
        and _ACTIVITY.match(part.text)
    )
    return part.claim("does_regularly", part.text) if is_habit else None


def _lone_parent(part: _Part) -> list[Claim] | None:
    """Reads "single mum"."""
    if part.kind not in ("parent", "loneparent", "marital") or not _ALONE.match(part.undated):
        return None
    return part.claim("marital_status" if part.kind == "marital" else "child", part.undated)


def _trade(part: _Part) -> list[Claim] | None:
    """Reads "nurse", "Lehrer in Kassel", "second-year law student": a trade or subject says this or nothing."""
    if part.head is None or part.kind not in ("job", "study"):
        return None
    bare, noun = part.undated, part.head[1].lower()
    is_post = len(part.words) <= 6 or re.search(r" (?:at|in|for|bei|im|in der|beim|here)\b", bare)
    is_own = part.is_told or (bare[:1].isupper() and _TITLE.match(bare))
    is_known = noun in CLASS_OF or noun.removesuffix("s") in CLASS_OF or "-" in noun
    is_whole = noun == part.words[-1].lower() or re.search(r" (?:in|at|for|from|by|bei|im|aus|with)\b", bare)
    if not (
        is_post
        and is_own
        and (part.is_told or len(part.words) > 1)
        and part.text[:1].isalpha()
        and noun not in _CALLED
        and (part.is_here or part.places or is_known)
        and is_whole
        and not _OF_OTHERS.match(bare)
        and not _WORK_OF_OTHERS.search(bare)
    ):
        return []
    value = re.sub(r"^(?:an?|eine?) ", "", bare)
    return part.claim("works_as" if part.kind == "job" else "studies", value, since=part.clause.since)


def _illness(part: _Part) -> list[Claim] | None:
    """Reads "nut allergy", "chronic migraine"."""
    if part.kind not in ("allergy", "ill", "intolerance") or len(part.words) > 5:
        return None
    if not part.is_told and part.kind == "ill" and not _SEVERE.match(part.undated):
        return None
    return list(possessed(part.clause, part.undated))


def _trait(part: _Part) -> list[Claim] | None:
    """Reads "vegetarian", "left-handed", "between jobs"."""
    if part.head is None or part.kind not in _TRAITS or len(part.words) > 9:
        return None
    if not re.search(rf"\b{re.escape(part.head[1])}\b", " ".join(part.words[:4])):
        return None
    if (
        not part.is_told
        and part.kind in ("diet", "hobbyist")
        and (part.kind != "diet" or len(part.words) > 2)
    ):
        return None
    if part.kind == "workstate":
        return part.claim(work_state(part.head[1], part.undated), part.undated, since=part.clause.since)
    return list(complement(part.clause, part.undated))


def _state(part: _Part) -> list[Claim] | None:
    """Reads "married", "originally from Cork", "scared of heights"."""
    if not _STATE.match(part.undated) or re.match(r"based on", part.undated, re.IGNORECASE):
        return None
    is_open = re.match(r"(?:from|aus|into|due|back in)\b", part.undated, re.IGNORECASE)
    if is_open and not part.is_listed and not re.match(r"(?:from|aus|back in) [A-ZÄÖÜ]", part.undated):
        return None
    return list(complement(part.clause, part.undated, strict=True))


def _fondness(part: _Part) -> list[Claim] | None:
    """Reads "obsessed with plants", "not big on seafood"."""
    fond = _FOND.match(part.undated)
    if fond is None or re.match(r"(?:it|this|that|these|those|them|you|the)\b", fond["v"]):
        return None
    is_bad = fond["no"] is not None
    return part.claim("dislikes" if is_bad else "likes", fond["v"], positive=not is_bad)


def _place(part: _Part) -> list[Claim] | None:
    """Reads "Leeds" in a list about somebody."""
    match = _PLACE.match(part.undated) if part.places and not part.is_label else None
    if match is None or class_of_word(match["v"]) is not None or _GREETING.match(part.undated):
        return None
    if part.clause.language == "de" and match["v"] == match[0] and not _is_german_place(match["v"]):
        return None  # any noun has a capital there
    return part.claim("lives_in", match["v"], certainty=0.7)


def _is_german_place(name: str) -> bool:
    """Returns whether a noun is known as a place, or ends like the name of a German town."""
    return name in PLACES or _TOWN.search(name) is not None


_TOWN = re.compile(
    r"\w(?:burg|hausen|dorf|furt|brück|brücken|ingen|hafen|kirchen|stedt|rode|itz|ow|weiler|münster|büttel|hagen"
    r"|(?<!alten)(?<!pflege)(?<!wohn)(?<!senioren)(?<!kinder)(?<!tier)heim)$"
)
"""Matches how names of German towns end, and few other nouns."""


_READINGS: tuple[Callable[[_Part], list[Claim] | None], ...] = (
    _age, _claims_by_number, _nothing, _habit, _lone_parent, _trade, _illness, _trait, _state, _fondness, _place,
)  # fmt: skip
