"""Reads likings and aversions told with a verb: "the NOUN I like best", "NOUN, das ich nicht mag"."""

from __future__ import annotations

import re

from holdfast.core.facts import Act, Statement
from holdfast.language.facts.heads import topic_named
from holdfast.language.facts.regions import in_lines, read
from holdfast.language.facts.stating import PLAIN, list_statements
from holdfast.language.facts.topics import Topic, Topics
from holdfast.language.facts.values import marks

_ADVERB = (
    r"(?:(?:really|absolutely|personally|truly|usually|always|just|simply|generally|particularly"
    r"|especially|tend to|try to|gar|überhaupt|absolut|wirklich|besonders|so|einfach|generell|echt"
    r"|immer) ){0,2}"
)
_BEST = (
    r"(?: (?:the )?(?:best|most)(?: of all)?| above all(?: others)?| more than any(?:thing|"
    r" other)[a-z ]{0,12}?| am (?:liebsten|meisten|besten|allerliebsten))"
)
_WORST = r"(?: (?:the )?(?:least|most|worst)(?: of all)?| am (?:wenigsten|meisten))"
_LIKE = r"(?:like|love|enjoy|prefer|favou?r|adore|rate|treasure)"
_HATE = (
    r"(?:hate|dislike|detest|despise|loathe|avoid|abhor|can't stand|cannot stand|can not stand"
    r"|can't bear|cannot bear|can't abide|couldn't care less for|can't tolerate"
    r"|don't (?:really )?(?:like|enjoy|care for|want to (?:eat|drink|see|watch|hear|visit))|do"
    r" not (?:like|enjoy)|never (?:eat|drink|watch|read|want|buy|touch|listen to)|refuse to"
    r" (?:eat|drink|watch|read|use|buy|touch)|won't (?:eat|drink|watch|touch|use|buy)|would"
    r" never (?:eat|drink|buy|use)|stay away from|steer clear of)"
)
_HASSE = (
    r"(?:hasse|verabscheue|meide|vermeide|verachte|kann (?=.*\b(?:leiden|ausstehen|ertragen)\b)|mag"
    r" (?=.*\b(?:nicht|wenigsten)\b))"
)
_NP = r"(?P<noun>[^\W\d][\w'’&+/-]*(?: [\w'’&+/-]+){0,6}?)"
_PLACE = r"(?P<place> (?:in|at|from|for|to|on|within|around|near) [\w' -]{1,40}?)?"
_LINK = (
    r"\s*(?:,? ?\b(?:are|is|include|sind|ist)\b(?: (?:now|currently|the following|jetzt|definitely|probably"
    r"|definitiv|vor allem|mainly))?:?\s*|[:=–—]\s*|\s-\s+|(?=\s*[(\[*]{0,2}(?:#?\d{1,2}[.):]\s?))"
    r"|$)"
)
_PRE = (
    r"^(?:(?:(?:here are|these are|those are|list of|my list of|das sind|hier sind|hier) )?(?:all"
    r" )?(?:the |die |der |das |den |my |some |few |alle |einige |only )?(?:(?:top |three |two "
    r"|four |five |\d{1,2} |drei |zwei )*))"
)
_RELATIVE = re.compile(
    rf"{_PRE}{_NP}(?:,? (?:that|which|who|whom|die|der|das|den|denen)| (?:at|to|in) which)?"
    rf" (?:i|ich) {_ADVERB}"
    rf"(?:(?P<hate>{_HATE}(?: (?:the )?most| the worst)?|{_LIKE}(?: the)? least|am wenigsten"
    rf" {_ADVERB}(?:mag|leiden kann)|am meisten hasse|(?:nicht|nie|niemals|kaum)"
    rf" {_ADVERB}(?:mag|leiden kann|ausstehen kann|ertrage|ertragen kann|esse|trinke|höre|lese"
    r"|schaue|kaufe|leiden mag|will|sehen will)|hasse|verabscheue|meide|vermeide)"
    rf"|(?P<like>{_LIKE}{_PLACE}{_BEST}|prefer|am (?:liebsten|meisten|besten|allerliebsten)(?:"
    r" (?:mag|habe|höre|esse|trinke|lese|spiele|schaue|sehe|finde|besuche|trage|nutze|benutze"
    r"|gehe|fahre|koche|reise))?))"
    rf"(?P<more> (?:in|at|from|for|im|am|aus|für|bei|auf) [\w' -]{{1,40}}?)?{_LINK}",
    re.IGNORECASE,
)
_THESE = re.compile(
    rf"^(?:i|ich) {_ADVERB}(?:(?P<hate>{_HATE}|{_HASSE})|(?P<like>{_LIKE}{_BEST}|{_LIKE}|mag"
    r"|liebe)) (?P<point>these|the following|those|diese|folgende[nrs]?|die folgenden)(?:"
    rf" (?:\d{{1,2}}|two|three|four|five|zwei|drei|vier|fünf))? {_NP}"
    rf"(?P<best>{_BEST}|{_WORST})?(?P<de> (?:gar |überhaupt )?nicht(?: leiden| ausstehen)?)?\s*:",
    re.IGNORECASE,
)
_FRAME = (
    r"(?:of all|out of all|out of|among(?:st)?|from all|from|of|for|when it comes to|as for|in"
    r" terms of|as far as|regarding|speaking of|talking about|concerning|with"
    r"|bei|unter|von|was|in sachen|im bereich|beim thema|an) (?:all )?(?:(?:the|my|of|these"
    r"|those|den|allen|meinen|die|der|das|dem) ){0,3}"
)
_FRAMED = re.compile(
    rf"(?:^|[.,;] |\b(?:and|und|but|aber) ){_FRAME}(?P<noun>[^\W\d][\w'’&+/-]*(?:"
    rf" [\w'’&+/-]+){{0,4}}?)(?: go(?:es)?| are concerned| i(?:'ve)? \w+| I know| angeht|"
    r" betrifft)?\s*,?\s*(?:ist|sind)?$",
    re.IGNORECASE,
)
_EATS = (
    r"(?:mag|esse|trinke|höre|lese|spiele|schaue|schau|sehe|seh|bevorzuge|habe|nutze|benutze|trage"
    r"|liebe|besuche|koche|fahre|hör|ess|hab)"
)
_CLAUSES = [
    # Of all programming languages I like Elixir best, then Rust
    re.compile(
        rf"^{_FRAME}{_NP}(?: go(?:es)?| are concerned| I know| i've \w+| angeht| betrifft)?,?"
        rf" (?:i|ich) {_ADVERB}(?:(?P<hate>{_HATE})|{_LIKE}) (?P<value>.+?)(?P<degree>{_BEST}"
        rf"|{_WORST})(?P<rest>(?:[,;.]|\s(?:and|then|followed|und|dann)\b).*)?$",
        re.IGNORECASE,
    ),
    # I like Elixir best of all programming languages
    re.compile(
        rf"^(?:i|ich) {_ADVERB}(?:(?P<hate>{_HATE})|{_LIKE}) (?P<value>.+?)(?P<degree>{_BEST}"
        rf"|{_WORST}) (?:of|among(?:st)?|out of|from) (?:all )?(?:the |my"
        rf" )?{_NP}(?P<rest>[,;.](?: .*)?| then .*| followed .*)?$",
        re.IGNORECASE,
    ),
    # Bei Brettspielen mag ich am liebsten Dune, an zweiter Stelle Agricola
    re.compile(
        rf"^(?:bei|unter|von|an|was)(?: den| die| allen| all den| meinen| all meinen)* {_NP}(?: angeht"
        rf"| betrifft)?,?"
        rf" (?:(?P<hate>hasse)|{_EATS}) ich {_ADVERB}(?P<degree>am (?:liebsten|meisten|besten"
        r"|wenigsten|allerliebsten)) (?P<value>.+)$",
        re.IGNORECASE,
    ),
    # Bei Tee ist mir Sencha am liebsten; unter den Käsen finde ich Comté am besten
    re.compile(
        rf"^(?:bei|unter|von|an)(?: den| allen| all den| meinen)* {_NP},? (?:ist mir|sind mir"
        rf"|gefällt mir|gefallen mir|schmeckt mir|schmecken mir|finde ich|{_EATS} ich)"
        r" (?P<value>.+?) (?P<degree>am (?:liebsten|meisten|besten|wenigsten"
        r"|allerliebsten))(?P<rest>[,;.].*)?$",
        re.IGNORECASE,
    ),
    # Am wenigsten mag ich von allen Sportarten Golf
    re.compile(
        r"^(?P<degree>am (?:liebsten|meisten|besten|wenigsten|allerliebsten))"
        rf" (?:(?P<hate>hasse)|{_EATS}) ich {_ADVERB}(?:von|unter|bei)(?: allen| den| all den|"
        r" meinen)* (?P<noun>[\w-]+)(?:,| sind| ist)? (?P<value>.+)$",
        re.IGNORECASE,
    ),
    # Ich mag von allen Sportarten Golf am wenigsten
    re.compile(
        rf"^ich (?:(?P<hate>hasse)|{_EATS}) (?:von|unter|bei)(?: allen| den| all den| meinen)*"
        r" (?P<noun>[\w-]+) (?P<value>.+?) (?P<degree>am (?:liebsten|meisten|besten|wenigsten"
        r"|allerliebsten))(?P<rest>[,;.].*)?$",
        re.IGNORECASE,
    ),
    # Elixir mag ich von allen Sprachen am liebsten
    re.compile(
        rf"^(?P<value>.+?) (?:(?P<hate>hasse)|{_EATS}) ich (?:von|unter|bei)(?: allen| den| all"
        r" den| meinen)* (?P<noun>[\w-]+) (?P<degree>am (?:liebsten|meisten|besten|wenigsten"
        r"|allerliebsten))(?P<rest>[,;.].*)?$",
        re.IGNORECASE,
    ),
    # Teal is the colour I like best
    re.compile(
        rf"^(?P<value>.+?) (?:is|are|ist|sind) (?:the|die|der|das) {_NP}(?: that| which|, die|,"
        rf" der|, das|, den)? (?:i|ich) {_ADVERB}(?:(?P<hate>{_HATE}(?: (?:the )?most)?|nicht"
        rf" mag|nicht leiden kann|hasse)|{_LIKE}(?P<degree>{_BEST}|{_WORST})|(?P<dede>am"
        r" (?:liebsten|meisten|besten|wenigsten)) (?:mag|esse|trinke|höre|lese|spiele"
        r"|schaue))$",
        re.IGNORECASE,
    ),
]
_IS = re.compile(r"\b(?:is|ist)\W*$", re.IGNORECASE)
_VALUE_STOPS = re.compile(r"\b(?:that|which|who|because|if|when|weil|dass|wenn|to)\b|\?", re.IGNORECASE)


def topic_framed(before: str, topics: Topics, *, disliked: bool = False) -> Topic | None:
    """Returns the topic that is named before a clause: "For podcasts …", "Bei Brettspielen …"."""
    match = _FRAMED.search(before.strip(" ,:"))
    return None if match is None else topic_named(match["noun"], topics, disliked=disliked)


def statements(text: str, lines: list[str], topics: Topics) -> list[Statement]:
    """Returns what a sentence, with the list below it, states of likings and aversions."""
    plain = re.sub(
        r"^(?:(?:well|ok|okay|so|and|but|also|actually|oh|hey|und|aber|also|note|fyi|remember"
        r"|bitte|please|by the way|btw|übrigens|for the record),? )+",
        "",
        text.lstrip("-*•#_> \t").rstrip(),
        flags=re.IGNORECASE,
    )
    for pattern in (_RELATIVE, _THESE):
        match = pattern.match(plain)
        if match is not None:
            return _of_relative(match, plain[match.end() :], lines, topics)
    if lines:
        return []
    for pattern in _CLAUSES:
        match = pattern.match(plain.rstrip(" .!"))
        if match is not None:
            stated = _of_clause(match, topics)
            if stated:
                return stated
    return []


def _of_relative(match: re.Match[str], region: str, lines: list[str], topics: Topics) -> list[Statement]:
    """Returns the list after "restaurants I like best in Leipzig" or "I hate these colors"."""
    groups = match.groupdict()
    disliked = bool(
        groups["hate"]
        or groups.get("de")
        or "wenigsten" in match[0].lower()
        or re.search(r"\bleast\b", match[0], re.IGNORECASE)
    )
    if (
        not disliked
        and match.re is _THESE
        and not groups.get("best")
        and not re.match(r".*\b(?:love|liebe|adore)\b", match[0], re.IGNORECASE)
    ):
        return []
    place = (groups.get("place") or groups.get("more") or "").rstrip()
    noun = re.sub(r"^(?:the|die|der|das|my)\s+", "", match["noun"], flags=re.IGNORECASE) + place
    topic = topic_named(noun, topics, disliked=disliked)
    if topic is None:
        return []
    if lines and not region.strip(" :.*"):
        return list_statements(topic, in_lines(lines, topic.category), PLAIN)
    if marks(region):
        return list_statements(topic, read(region, topic.category), PLAIN)
    if (
        not region.strip()
        or lines
        or not re.search(r"(?:are|is|sind|ist|[:=–—-])[\w ]*:?\s*$", match[0], re.IGNORECASE)
    ):
        return []
    lenient = match[0].rstrip()[-1:] in ":=–—-"
    return list_statements(
        topic, read(region, topic.category, lenient=lenient, is_single=bool(_IS.search(match[0]))), PLAIN
    )


def _of_clause(match: re.Match[str], topics: Topics) -> list[Statement]:
    """Returns the statements of a clause that says what somebody likes."""
    groups = match.groupdict()
    degree = (groups.get("degree") or groups.get("dede") or "").lower()
    disliked = bool(groups.get("hate")) or "least" in degree or "wenigsten" in degree or "worst" in degree
    topic = topic_named(match["noun"], topics, disliked=disliked)
    value = match["value"].strip(" ,:")
    if topic is None or _VALUE_STOPS.search(value):
        return []
    text = value + (groups.get("rest") or "")
    items = read(text, topic.category) or read(text, topic.category, is_single=True)
    if len(items) == 1:
        return [Statement(topic.key, Act.SINGLE, items[0][1])]
    return list_statements(topic, items, PLAIN)
