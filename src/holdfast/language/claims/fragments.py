"""Readings of parts without subject and verb: "Nurse, 34, two kids, Leeds", "as a vet", "not a coffee drinker"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from holdfast.core.claims import Claim
from holdfast.language.claims.attributes import FUTURE, TIME
from holdfast.language.claims.being import complement, work_state
from holdfast.language.claims.clause import END_WORDS, Clause
from holdfast.language.claims.having import possessed
from holdfast.language.claims.lexicon import CLASS_OF, WORDS, class_of_word, head_of
from holdfast.language.claims.making import claim_at, tidy
from holdfast.language.claims.possessive import _APPOSED, _SOMEONE

_COUNT = re.compile(
    r"(?:no|two|three|four|five|six|seven|one|\d|a couple of|keine?n?|zwei|drei|vier|fünf|eine?n?|an?|nur|only|just|with|mit) ",
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
_CALLED = frozenset("assistant richter model search".split())
"""Words for a trade by which somebody is called, and names that look like one."""


def _is_last(phrase: str, word: str) -> bool:
    """Checks whether a word is the last one of a phrase, or of what stands before a preposition, mark or number."""
    return (
        re.search(
            rf"\b{re.escape(word)}(?:'s)?\b(?!\s+[A-Za-zÄÖÜäöüß]+(?<!in)(?<!with)(?<!at)(?<!and)(?<!from)(?<!for)(?<!who)(?<!since)(?<!because)(?<!mit)(?<!und)(?<!aus)(?<!im)(?<!seit)(?<!bei)(?<!to)(?<!on)(?<!by)(?<!named)(?<!called)(?<!type)(?<!or)(?<!of)(?<!as)(?<!sadly)(?<!after)(?<!till)(?<!twice)(?<!three)(?<!every)(?<!two)\b)",
            phrase,
        )
        is not None
    )


def is_bare_name(part: str) -> bool:
    """Checks whether a part of a sentence is nothing but a name, as that of a place."""
    return _PLACE.match(part) is not None and class_of_word(part.split()[-1]) is None


def fragment(
    text: str, start: int, end: int, language: str, *, listed: bool, places: bool = False
) -> Iterator[Claim]:
    """Yields what a part of a sentence without subject and verb says; `listed` where parts beside it tell of the
    speaker as well, which numbers and places need."""
    raw = text[start:end]
    lead = _LEAD.match(raw)
    begin = start + (lead.end() if lead else 0)
    part = text[begin:end].strip(" ,.!*•-")
    words = WORDS.findall(part)
    if not words or len(words) > 14:
        return
    since = next(
        (m["since"] or m["when"] for m in TIME.finditer(f" {part}") if m["since"] or m["when"]), None
    )
    bare = END_WORDS.sub("", TIME.sub("", f" {part}")).strip(" ,")
    is_here = _HERE.search(bare) is not None
    bare = _HERE.sub("", bare)
    clause = Clause(
        begin,
        begin + len(text[begin:end].rstrip(" ,.!")),
        subject="dropped",
        verb="be",
        language=language,
        whole=part,
        since=since,
    )
    clause.frequent = True
    if words[0].lower() in ("being", "as", "als", "like"):
        return
    if places and (match := _NUMBER.match(bare)):
        yield claim_at("age", match["v"], clause.start, clause.end)
        return
    if re.match(
        r"(?:with |mit )?(?:no|two|three|four|five|six|one|\d|keine?n?|zwei|drei|vier|fünf|eine?n?|a|only) ",
        bare,
        re.IGNORECASE,
    ) and not _EXTRA.search(bare):
        head = head_of(bare)
        if (
            head is not None
            and _is_last(bare, head[1])
            and not _FINITE.search(bare)
            and head[0] in ("child", "pet", "sibling", "grandchild")
            and len(words) <= 8
            and (listed or not re.match(r"an? |one |\d |eine?n? ", bare) or is_here)
        ):
            yield from possessed(clause, re.sub(r"^(?:with|mit|only) ", "", bare))
            return
    if _EXTRA.search(bare) or (
        FUTURE.search(part) and not re.match(r"(?:pregnant|due|engaged|schwanger)", bare)
    ):
        return
    if _FINITE.search(bare):
        return
    head = head_of(bare)
    if head is not None and head[0] not in ("job", "study") and not _is_last(bare, head[1]):
        head = None
    if (
        _OFTEN.search(part)
        and len(words) <= 7
        and (head is None or head[0] in ("sport", "club", "instrument", "hobbyist"))
        and not part.endswith(":")
        and _ACTIVITY.match(part)
    ):
        yield claim_at("does_regularly", part, clause.start, clause.end)
        return
    if (
        re.match(
            r"(?:single|lone|alleinerziehend|working|stay-at-home) ?(?:dad|mum|mom|mother|father|parent|vater|mutter|mama|papa)?\w*\b",
            bare,
            re.IGNORECASE,
        )
        and head is not None
        and head[0] in ("parent", "loneparent", "marital")
    ):
        yield claim_at("child" if head[0] != "marital" else "marital_status", bare, clause.start, clause.end)
        return
    if head is not None and head[0] in ("job", "study"):
        is_post = (len(words) <= 6 or re.search(r" (?:at|in|for|bei|im|in der|beim|here)\b", bare)) and (
            listed
            or is_here
            or (
                bare[:1].isupper()
                and re.match(r"(?:[\w-]+ ){0,3}[\w-]+(?:$| (?:in|at|for|from|by|here|bei|im|aus)\b)", bare)
            )
        )
        is_known = (
            head[1].lower() in CLASS_OF or head[1].lower().removesuffix("s") in CLASS_OF or "-" in head[1]
        )
        if (
            is_post
            and (listed or is_here or len(words) > 1)
            and part[:1].isalpha()
            and head[1].lower() not in _CALLED
            and (is_here or places or is_known)
            and (
                head[1].lower() == words[-1].lower()
                or re.search(r" (?:in|at|for|from|by|bei|im|aus|with)\b", bare)
            )
            and not re.match(
                r"(?:the|this|that|your|any|other|these|der|die|das|my|dear|hello|sehr)\b",
                bare,
                re.IGNORECASE,
            )
        ):
            value = re.sub(r"^(?:an?|eine?) ", "", bare)
            yield claim_at(
                "works_as" if head[0] == "job" else "studies", value, clause.start, clause.end, since=since
            )
        return
    if (
        head is not None
        and head[0] in ("allergy", "ill", "intolerance")
        and len(words) <= 5
        and (
            listed
            or is_here
            or head[0] != "ill"
            or re.match(r"(?:chronic|severe|type|mild|starke|bad)\b", bare, re.IGNORECASE)
        )
    ):
        yield from possessed(clause, bare)
        return
    if (
        head is not None
        and head[0] in _TRAITS
        and len(words) <= 9
        and (re.search(rf"\b{re.escape(head[1])}\b", " ".join(words[:4])))
        and (
            listed
            or is_here
            or head[0] not in ("diet", "hobbyist")
            or (head[0] == "diet" and len(words) <= 2)
        )
    ):
        if head[0] == "workstate":
            yield claim_at(work_state(head[1], bare), bare, clause.start, clause.end, since=since)
            return
        yield from complement(clause, bare)
        return
    if re.match(
        r"(?:allergic|allergisch|diagnosed|born|geboren|gebürtig|originally from|based|wohnhaft|aufgewachsen|raised|terrified|scared|afraid|fluent|back in|not (?:a|an|keen|big|much|into|very|good)|married|engaged|divorced|widowed|separated|pregnant|expecting|due|new to|member of|part of|self-taught|on (?:the pill|medication|meds|keto|a \w+ diet)|in (?:remission|recovery|rente|elternzeit)|retired|between jobs|made redundant|laid off|out of work|off (?:work|meat|dairy|sugar|gluten|coffee)|big fan|huge fan|obsessed|addicted|into|hooked|schwanger|verheiratet|geschieden|mitglied|in my|from|aus|im \w+ semester|native)\b",
        bare,
        re.IGNORECASE,
    ) and not (
        (
            re.match(r"(?:from|aus|into|due|back in|based on)\b", bare, re.IGNORECASE)
            and not listed
            and not re.match(r"(?:from|aus|back in) [A-ZÄÖÜ]", bare)
        )
        or re.match(r"based on", bare, re.IGNORECASE)
    ):
        yield from complement(clause, bare, strict=True)
        return
    fond = _FOND.match(bare)
    if fond is not None and not re.match(r"(?:it|this|that|these|those|them|you|the)\b", fond["v"]):
        is_bad = fond["no"] is not None
        yield claim_at(
            "dislikes" if is_bad else "likes", fond["v"], clause.start, clause.end, positive=not is_bad
        )
        return
    if (
        places
        and text[end : end + 1] != ":"  # a label
        and (match := _PLACE.match(bare))
        and class_of_word(match["v"]) is None
        and not re.match(
            r"(?:Hi|Hello|Hey|Thanks|Thank|Please|Hallo|Danke|Moin|Bitte|OK|PS|Sorry|I|Yes|No|Ja|Nein)\b",
            bare,
        )
    ):
        yield claim_at("lives_in", match["v"], clause.start, clause.end, certainty=0.7)


_NO_ROLES = frozenset("spouse parent thing pet child lang business home sport instrument med body".split())


_ENDED = re.compile(r"\b(?:up|stopped|quit|done with|tired of|than|no longer|not) $", re.IGNORECASE)
"""What stands before "being vegan" where it is over."""
_OF_BEING = re.compile(
    r"\b(?:i'm|from|despite|since|love|hate|enjoy|just|also|as well as|besides)\s+$",
    re.IGNORECASE,
)
"""What stands before "being vegan" where it is about the author."""
_OPEN = re.compile(
    r"(?:^|[.,;:!?(–—-])\s*(?:\b(?:and|but|so|hi|hey|hello|und|aber|also|hallo)\s+)?$|\b(?:me|myself|us|mich|mir|uns|speaking)\s+$",
    re.IGNORECASE,
)
"""What stands before "as a nurse" where it tells of the author."""


_ROLE_FOR = re.compile(
    r",? (?:please )?(?:create|write|act|give|explain|generate|provide|list|help|your|you|tell|suggest|make|analy[sz]e|review)\b",
    re.IGNORECASE,
)
"""What follows a part that the one who answers is to play: "As a lawyer, write …"."""


def apposed(text: str, language: str) -> Iterator[Claim]:
    """Yields what "as a nurse", "being vegetarian" and "as someone who stutters" say."""
    for match in _APPOSED.finditer(text):
        value, lead = match["v"], match["lead"].lower()
        if lead in ("as", "als") and not _OPEN.search(text[: match.start()]):
            continue
        if lead == "als" and (language != "de" or not value.split()[0][:1].isupper()):
            continue
        if lead == "being" and (
            _ENDED.search(before := text[: match.start()])
            or not (_OPEN.search(before) or _OF_BEING.search(before))
        ):
            continue
        if lead == "as" and not value.startswith(("a ", "an ", "the ")):
            continue
        head = head_of(value)
        if head is None or (
            value.split()[-1].lower() != head[1].lower() and head[0] in ("job", "study", "nation")
        ):
            continue
        if head[0] in _NO_ROLES and not re.search(
            r"\b(?:mother|father|mum|mom|dad|parent|mutter|vater)\b", value
        ):
            continue
        end = match.end("tail")
        clause = Clause(match.start(), end, subject="self", verb="be", language=language, whole=match[0])
        if _ROLE_FOR.match(text, match.end()):
            continue
        if value in ("Kind", "Beispiel", "Nächstes", "Erstes", "Antwort"):
            continue
        yield from complement(clause, f"{value}{match['tail']}")
    for match in _SOMEONE.finditer(text):
        value = re.sub(r"^(?:is|has|has got|was|am|ist|hat) ", "", match["v"])
        clause = Clause(
            match.start(), match.end(), subject="self", verb="be", language=language, whole=match[0]
        )
        if match["w"].lower() in ("with", "mit") or re.match(r"has\b|hat\b", match["v"]):
            found = list(possessed(clause, value))
        else:
            found = list(complement(clause, value))
        if (
            not found
            and match["w"].lower() == "who"
            and (
                word := re.match(
                    r"(?:stutters|stammers|has \w+|can't \w+|hates [^,.]+|loves [^,.]+|works [^,.]+|lives [^,.]+|doesn't (?:drink|drive|eat \w+))\b.*",
                    match["v"],
                )
            )
        ):
            found = [
                claim_at(
                    "condition"
                    if word[0].startswith(("st", "can"))
                    else "likes"
                    if word[0].startswith("loves")
                    else "other",
                    tidy(word[0]),
                    match.start(),
                    match.end(),
                )
            ]
        yield from found
