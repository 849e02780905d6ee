"""Cuts off what runs on after the object of a claim without a mark, and words that only lead to it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from holdfast.language.claims.lexicon import KIN, class_of_word

_FINITE = (
    r"(?:is|are|isn't|aren't|was|were|has|have|had|does|do|don't|won't|can't|cant|r|ist|sind|war|hat|haben|hats|wird|will|wollen|kann"
    r"|muss|lädt|legen)"
)
_NEW_SUBJECT = re.compile(
    r",?\s(?:and|und|but|aber)\s(?:"
    rf"(?:(?:my|our|his|her|their|the|der|das|den|die|mein\w*|unser\w*)\s)?\w+\s{_FINITE}\b"
    r"|die\s(?:\w+\s)?\w+(?:en|t)\b(?!\s?\w+(?:en|t)\b)"
    r"|(?:(?:my|our|mein\w*|unser\w*)\s)?\w+\s\w+\s(?:at\s|to\s|on\s)?(?:me|us|mich|uns)\b"
    r"|my\s\w+\s\w+s\b|(?:want|ought|would|need)\b).*",
    re.IGNORECASE | re.DOTALL,
)
"""Matches another clause that goes on with its own subject: "and my shins are killing me"."""
_QUESTION = re.compile(
    r"[\s,]+(?:i think what|was tun|what (?:do|can|should|would)|whats?(?:'s)? (?:the|a)|how (?:do|can|should|to)|should i|can i|do i|any (?:ideas|tips)|just (?:like )?(?:knowing|curious))\b.*",
    re.IGNORECASE | re.DOTALL,
)
"""Matches a question that follows without a mark."""
_LEADING = re.compile(
    r"(?:(?:eh|schon|halt|ja|nämlich|übrigens|grad|gerade|actually|wegen (?:mein\w*|unser\w*)|wegen)\s+)+(?=\S)"
    r"|(?:19|20)\d\d (?=eine?n? )|like (?=(?:a|an|\d+|one|two|three|four|five|six|seven|eight|nine|ten|twelve)\b)",
    re.IGNORECASE,
)
"""Matches words of talk before an object: "eh schon Tinnitus", "like six a day"."""
_DANGLING = re.compile(
    r"[\s,]+(?:since|til|till|until|und|oder|and|or|of|from|about|with|mit|von|für|seit|wherever|whenever|than|as|eh kein\w*|long story|sorry|wie die pest)$",
    re.IGNORECASE,
)
"""Matches a word at the end that nothing follows any more."""
_JOINS_NAMES = r"(?:of|on|de|del|la|le|el|upon|by|near|in|an|am|im|bei|ob|der|den|dem|vor|the|and|und|zu|outside|auf|von|da|do|sur|saint|st)"
_PLACE_NAME = re.compile(
    rf"(?P<v>(?:[a-zäöüß][\w'-]*\s){{0,6}}?[A-ZÄÖÜ][\w.'’-]*(?:(?:,?\s{_JOINS_NAMES})*,?\s[A-ZÄÖÜ][\w.'’-]*)*+)\s+(?P<next>[a-zäöüß][\w'’-]*)\b.*",
    re.DOTALL,
)
"""Matches the name of a place that words in small letters follow."""
_GOES_WITH = re.compile(
    r"area|county|city|region|suburbs?|cent(?:re|er)|side|district|town|valley|coast|bay|island|\w{2,3}ge\w+(?:t|en)"
)
"""Matches a word that belongs to the name before it, or a participle with which it names no place."""
_SHORT_HAS = re.compile(r"^s (?=(?:got|had|been|gone|moved)\b)")
_SHORT_IS = re.compile(r"^s (?=\w)")
"""Match what is left of "my brother's", where it stands for "is" or "has"."""
_PURPOSE = re.compile(
    r"\sto (?:pay|get|make|help|keep|save|be|buy|afford|cover|fund|do|avoid|reduce)\b.*",
    re.IGNORECASE | re.DOTALL,
)
_SEASON = re.compile(
    r"\s(?:in|im) (?:the |early |late )?(?:spring|summer|autumn|winter|frühling|sommer|herbst|winter)$",
    re.IGNORECASE,
)
_AMOUNT = re.compile(
    r"(?P<v>\D{0,12}\d[\d.,'/ ]*\s?(?:kg|kilos?|kilogramm?s?|pounds|lbs?|stones?|st|cm|m|ft|feet|foot|inches|in)?\b(?: ?\d+(?: ?(?:cm|in|inches|lbs?|pounds)?\b)?)?)\s.*",
    re.IGNORECASE,
)
_HELD = frozenset({"owns", "drives", "condition", "pet", "injury", "marital_status"})
_OF_PLACES = frozenset({"lives_in", "from", "born_in"})


_NAME = r"[A-ZÄÖÜ][\w-]*[a-zäöüß]"
_NEXT_CLAUSE = re.compile(
    r"(?P<joint>,?\s(?:and|but|while|whereas|und|aber|während)\s)"
    rf"(?:(?P<name>{_NAME})|(?:my|our|his|her|their|mein\w*|unser\w*|sein\w*"
    rf"|ihre?)\s(?P<noun>[\w-]+)(?:\s{_NAME})?)\s"
    r"(?P<verb>[a-zäöüß]+(?:['’]t)?)(?![\w'’-])(?:\s(?P<behind>\w+))?"
)
"""Matches a conjunction with a subject of its own behind it, its possible verb, and the next word."""
_OF_ONE = re.compile(
    r"(?:is|has|was|does|had|did|could|would|should|cannot"
    r"|(?:is|has|was|does|had|did|ca|could|wo|would|must|should)n['’]t|can['’]t"
    r"|speaks|teaches|sings|writes|knows|thinks|says|goes|comes|becomes|prefers|enjoys|owns|learns"
    r"|suffers|belongs)"
)
"""Matches English verbs in the form for one person or thing that are no nouns as well."""
_OF_SOMEBODY = re.compile(r"lives|hates")
"""Matches such verbs that are nouns behind other words than a name or a relative: "our daily lives"."""
_OF_ONE_DE = re.compile(
    r"ist|hat|war|hatte|wird|mag|kann|darf|muss|will|soll|weiß|konnte|wollte|musste|durfte|möchte|isst"
    r"|trinkt|lebt|wohnt"
    r"|arbeitet|spielt|liebt|hasst|fährt|spricht|geht|kommt|heißt|nimmt|verträgt|bekommt|braucht|lernt"
    r"|liest|schreibt"
    r"|singt|schwimmt|reitet|läuft|tanzt|malt|kocht|raucht|leidet|macht|zieht|schläft|steht|sitzt|trägt"
)
"""Matches German verbs in the form for one person or thing that are neither participles nor other words."""
_ENDS_IN_VERB = re.compile(
    r"und|oder|aber|seit|als|weil|wenn|obwohl|bis|während|dass|damit|wie|and|or|but", re.IGNORECASE
)
"""Matches words behind a German verb that may end its clause: "die Klavier und Geige spielt, seit …"."""


def further_clauses(text: str) -> Iterator[tuple[int, int]]:
    """Yields where a conjunction begins that leads to another clause with a subject and verb of its own, and
    where that clause begins: "… and Jonas doesn't eat fish". Words that may be nouns are no verbs."""
    for match in _NEXT_CLAUSE.finditer(text):
        verb, behind = match["verb"], match["behind"]
        goes_on = behind is not None and _ENDS_IN_VERB.fullmatch(behind) is None
        if (
            _OF_ONE.fullmatch(verb)
            or (_OF_SOMEBODY.fullmatch(verb) and (match["name"] or class_of_word(match["noun"]) in KIN))
            or (verb == "eats" and goes_on and behind not in _PLACING)
            or (goes_on and _OF_ONE_DE.fullmatch(verb))
        ):
            yield match.start(), match.end("joint")


_PLACING = frozenset("in at on from with for by of to near around".split())
"""Words behind "eats" where it may be a noun: "Korean eats in Leeds"."""


def cut(attribute: str, value: str) -> str:
    """Returns the value of an attribute up to where something else begins, without words that only lead to it."""
    value = value[: next((at for at, _ in further_clauses(value) if at), len(value))]
    value = _QUESTION.sub("", _NEW_SUBJECT.sub("", value))
    value = _LEADING.sub("", value, count=1) if _LEADING.match(value) else value
    if (
        attribute in _OF_PLACES
        and (name := _PLACE_NAME.fullmatch(value))
        and not _GOES_WITH.fullmatch(name["next"])
    ):
        value = name["v"]
    if attribute == "kin_fact":
        value = _SHORT_IS.sub("is ", _SHORT_HAS.sub("has ", value))
    if attribute in ("owns", "drives"):
        value = _PURPOSE.sub("", value)
    if attribute in ("weight", "height") and (amount := _AMOUNT.fullmatch(value)):
        value = amount["v"].strip()
    if attribute == "marital_status":
        value = re.sub(r"\s(?:in|at|on) an? .*", "", value)
    if attribute in _HELD:
        value = _SEASON.sub("", value)
    while (shorter := _DANGLING.sub("", value)) != value:
        value = shorter
    return value
