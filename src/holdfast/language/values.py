"""Values that a text says have changed, such as "has increased to 12", where a question asks for the value.

Rules over words, English and German. Only what is said outright to have changed counts: a later message with
another number of the same thing is mostly about something else.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache

from holdfast.core.text import byte_pattern
from holdfast.language.terms import STOP_WORDS, words_of

PROSE_MAX = 2_000
"""Maximum number of characters of a text that are looked at, code left out."""
BEFORE, AFTER = 24, 10
"""Number of words on each side of a change that may say what has changed."""
SHARE_MIN = 0.33
"""Least share of the topics of a question that are said beside the change."""
OLDER_SHARE_MIN = 0.3
"""Least share of the topics of a question in an earlier text that gives a value."""

_ASKS = (
    r"(?i)\W*(?:(?:so|and|but|ok|hey),? )?(?:how (?:many|much|long|often|old|big|fast|far|high)"
    r"|(?:what|which)(?:['’]s| is| are|\b(?=.{0,60} (?:do|am|should) i\b))|when (?:is|are|am|do|should)"
    r"|at what (?:time|age)|wie ?viele?|wie (?:hoch|lange|oft|alt|groß)|wann (?:ist|muss|habe|soll)"
    r"|(?:was|wie|welche\w*) (?:ist|sind))\b"
)
_WHAT = r"(?i)\W*(?:\w+,? )?(?:what|which|was|welche\w*|wie (?:ist|sind))\b"
_PAST = (
    r"(?i)\b(?:did|was|were|had|used|before|original(?:ly)?|initial(?:ly)?|at first|previous\w*"
    r"|former\w*|earlier|until|ever|between|ago|back then|war|waren|hatte\w*|früher\w*|vorher\w*"
    r"|damals|zuerst|ursprünglich\w*|anfangs)\b"
)
_COUNTED = r"(?i)\W*(?:\w+,? )?how (?:many|much|long|often)\b(?!.*\b(?:was|were|did|had|at first)\b)"
_PERFECT = r"(?i)\b(?:have|has) \w+ed\b"
_CODE = r"(?s)```.*?(?:```|\Z)"
_MONTH = (
    r"(?:jan(?:uary|uar)?|feb(?:ruary|ruar)?|mar(?:ch)?|märz|apr(?:il)?|may|mai|june?|juni|july?|juli|aug(?:ust)?"
    r"|sep(?:t(?:ember)?)?|o[ck]t(?:ober)?|nov(?:ember)?|de[cz](?:ember)?)"
)
_DAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day|(?:mon|diens|donners|frei|sams|sonn)tag|mittwoch"
_NUMBER = (
    rf"(?:(?:(?:about|around|over|nearly|almost|roughly|exactly|approximately|etwa|rund|fast|knapp|gut|the"
    rf"|den) )?(?:[$€£v]?\d[\d.,:/]*|{_MONTH}\b|{_DAY}|(?:one|two|three|four|five|six|seven|eight|nine|ten"
    rf"|eleven|twelve|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf)\b))"
)
_RISEN = (
    r"increased|decreased|improved|grown|grew|risen|rose|dropped|fallen|fell|gone (?:up|down)"
    r"|went (?:up|down)|raised|lowered|reduced|extended|shortened|expanded|adjusted|changed|updated"
    r"|upgraded|bumped|moved|pushed|postponed|rescheduled|shifted|boosted|climbed|cut|revised|doubled"
)
_CHANGES = (  # for RE2
    rf"(?i)\b(?:(?:{_RISEN})\b[^.!?;,]{{0,60}}? to {_NUMBER}"
    rf"|(?:has |have |['’]s |['’]ve |now |it |already |recently )reached {_NUMBER}"
    rf"|(?:is|are|am|['’]s|['’]m|['’]re|has|have) (?:now|currently)"
    rf" (?:at |up to |down to |done |got )?{_NUMBER}"
    rf"|(?:i['’]m|i am|we['’]re|we are|it['’]s|now) (?:up|down) to {_NUMBER}"
    rf"|now (?:have|has|at|own|spend|takes?|costs?|completed) {_NUMBER}"
    rf"|now (?:have|has) a total of {_NUMBER}"
    rf"|\bnew (?:[\w-]+ ){{1,3}}(?:of|is|:) {_NUMBER}"
    rf"|(?:jetzt|inzwischen|mittlerweile|nun) (?:schon |bei |auf )?{_NUMBER}"
    rf"|auf {_NUMBER}(?: [^\s.!?,]+){{0,3}} (?:gestiegen|gesunken|gewachsen|erhöht|gesenkt|verlängert"
    rf"|verkürzt|verschoben|angehoben|gefallen|geändert))"
)
_SUPPOSED = (
    r"(?i)\b(?:if|unless|would|could|should|might|(?-i:may)|want(?:s|ed)? to|plan(?:s|ned|ning)? to"
    r"|hop(?:e|es|ing) to|falls|wenn|würde|könnte|sollte)\b[^.!?;,]*$"
)
_SMALL = frozenset(
    """
    many mani much long often old do am com ich mein meine meiner meinem meinen wir unser habe haben hat ist
    sind wie viel viele was wann der die das den dem des ein eine einen in im auf für von zu und
    """.split()
)
"""Words of a question that say nothing of what it is about."""
_FIGURES = r"\b\d[\d.,:]*\b"
_SHARE, _MONEY = r" ?(?:%|per ?cent|prozent)", r" ?(?:[$€£]|dollars?|euros?|eur|usd)"
_UNIT = r" ?(?:ms|s|kb|mb|gb|tb|mbps|gbps|hz|mhz|ghz|px|km|cm|mm|kg|mg|ml)\b"
_DATED = rf"(?i)\b(?:{_MONTH}\b|{_DAY}|\d{{1,2}}(?::\d\d)? ?(?:am|pm|uhr)\b|\d{{4}}-\d\d|\d{{1,2}}:\d\d)"
_MEASURED = (
    r"(?i)\b(?:times?|rates?|scores?|numbers?|percent\w*|accuracy|speeds?|sizes?|deadlines?|dates?|budgets?"
    r"|thresholds?|limits?|versions?|targets?|goals?|prices?|costs?|counts?|amounts?|totals?|hours?|days?"
    r"|weights?|heights?|ages?|salary|rent|fees?|settings?|increase|decrease|temperatures?|coverage|latency|capacity|length|duration|intervals?|ports?|level|quota"
    r"|frist|termin|anzahl|zahl|preis|gehalt|miete|größe|gewicht|stand|uhrzeit|datum)\b"
)
"""Words for what has a value."""
_AIM = r"(?i)\b(?:target\w*|goals?|aim\w*|ziele?)\b"
_NAME = r"(?<=\S )(?!I\b)[A-Z][\w-]+"
_WANTS_COUNT = r"(?i)\W*(?:\w+,? )?(?:how many|wie ?viele)\b"
_WANTS_MONEY = (
    r"(?i)\bhow much (?:money |do (?:i|we) (?:spend|pay|earn|allocate|save|owe|make)"
    r"|(?:is|are) (?:my|the|our) (?:rent|salary|budget|price|fee|bill))"
    r"|\b(?:budget|price|salary|rent|cost|costs)\b"
)
_WANTS_SHARE = r"(?i)\b(?:percent\w*|accuracy|prozent\w*)\b"
_WANTS_DATE = r"(?i)\W*(?:\w+,? )?(?:when|wann)\b|\b(?:deadline|date|due|frist|termin)\b"
_ANY_NUMBER = rf"(?i)\b{_NUMBER}"


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    """Compiles a pattern on first use: a command that asks nothing needs none."""
    return re.compile(pattern)


def asks_value(question: str) -> bool:
    """Returns whether a question asks for a number, an amount or a date as it is now."""
    if _compiled(_ASKS).match(question) is None or _compiled(_PAST).search(question):
        return False
    if _compiled(_MEASURED).search(question) is None and _compiled(_WHAT).match(question):
        return False
    return _compiled(_COUNTED).match(question) is not None or _compiled(_PERFECT).search(question) is None


@lru_cache(256)
def topics_of(text: str) -> frozenset[str]:
    """Returns the stems of the content words of a question, numbers left out."""
    return frozenset(
        word
        for word in words_of(text)
        if len(word) > 1 and word not in STOP_WORDS and word not in _SMALL and not word[0].isdigit()
    )


def names_alike(question: str, earlier: str, later: str) -> bool:
    """Returns whether a later text has one of the names that a question and an earlier text both have."""
    names = {name for name in _compiled(_NAME).findall(question) if name in earlier}
    return len(names) < 2 or any(name in later for name in names)


def changed(question: str, text: str) -> bool:
    """Returns whether a text says that the value that a question asks for has changed."""
    topics = topics_of(question)
    if not topics:
        return False
    prose = _compiled(_CODE).sub(" ", text)[:PROSE_MAX]
    data = prose.encode("utf-8", "surrogatepass")
    changes = [match.span() for match in byte_pattern(_CHANGES).finditer(data)]
    if not changes:
        return False
    figures = {*_compiled(_FIGURES).findall(question)}
    if figures and not figures <= {*_compiled(_FIGURES).findall(prose)}:
        return False
    for span in changes:
        start, end = (len(data[:place].decode("utf-8", "surrogatepass")) for place in span)
        sentence = max(prose.rfind(mark, 0, start) for mark in (". ", "? ", "! ", "\n")) + 1
        before = prose[sentence:start]
        if _compiled(_SUPPOSED).search(before) or not _fits(
            question, prose[start:end], prose[end : end + 12]
        ):
            continue
        words, behind = before.split(), prose[end : end + 200].split()
        around = [*words[-BEFORE:], prose[start:end], *behind[:AFTER]]
        if _compiled(_AIM).search(question) and not any(map(_compiled(_AIM).search, around)):
            continue
        shared = topics & frozenset(words_of(" ".join(around)))
        if len(shared) >= min(2, len(topics)) and (
            len(shared) >= SHARE_MIN * len(topics) or (len(shared) > 1 and _head(question) & shared)
        ):
            return True
    return False


def _fits(question: str, value: str, behind: str) -> bool:
    """Returns whether a value, with what follows it, is of the sort that a question asks for."""
    has_money = bool(_compiled(r"[$€£]\S*$").search(value) or _compiled(rf"(?i){_MONEY}").match(behind))
    is_date = _compiled(_DATED).search(value[value.rfind(" to ") + 1 :] + behind) is not None
    if _compiled(_WANTS_DATE).search(question):
        return is_date
    if _compiled(_WANTS_COUNT).match(question):
        return not (is_date or has_money or _compiled(rf"(?i){_SHARE}|{_UNIT}").match(behind))
    if _compiled(_WANTS_SHARE).search(question):
        return _compiled(rf"(?i){_SHARE}|/\d").match(behind) is not None
    if _compiled(_WANTS_MONEY).search(question):
        return has_money
    return True


def gives_value(question: str, text: str) -> bool:
    """Returns whether a text gives a value and speaks of what a question is about."""
    topics = topics_of(question)
    prose = _compiled(_CODE).sub(" ", text)[:PROSE_MAX]
    return (
        bool(topics)
        and len(topics & frozenset(words_of(prose))) >= OLDER_SHARE_MIN * len(topics)
        and _compiled(_ANY_NUMBER).search(prose) is not None
    )


def _head(question: str) -> frozenset[str]:
    """Returns the first content word of a question: what it asks for."""
    return next(filter(None, map(topics_of, question.split())), frozenset())
