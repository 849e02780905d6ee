"""Readings of words such as "my wife", "our garden" and "my asthma", wherever they stand."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from holdfast.core.claims import CURRENT, PAST, PLAN, Claim
from holdfast.language.claims.clause import ADVERBS, AUX, END_WORDS
from holdfast.language.claims.kin import STOP, of_kin
from holdfast.language.claims.lexicon import KIN, class_of_word, head_of
from holdfast.language.claims.making import claim_at, tidy
from holdfast.language.claims.verbs import english, pattern
from holdfast.language.claims.voice import COVER
from holdfast.language.claims.wordings import TONGUE

_MY = r"(?:my|our|mein(?:e[rmns]?)?|unser(?:e[rmns]?)?|unsre[rmn]?)"
_NOUN = re.compile(
    rf"(?<![\w'])(?P<my>{_MY}|(?<![\w'] )(?:the|die|der) (?=(?:wife|missus|kids|hubby|husband|kinder)\b))\s(?P<np>(?:(?:[\w'&-]|(?<=\d)\.(?=\d))+ ){{0,4}}?)(?P<head>[^\W\d_][\w&-]*)\b",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\W_][\w&'-]*")
_ATTRIBUTES: tuple[tuple[str, str], ...] = (
    ("name", r"(?:full |first |last |real |middle |given |voller )?(?:name|vorname|nachname) ?(?:is spelled|is|'s|ist|:) ?(?P<v>(?-i:[A-ZÄÖÜ])[\w'’-]+(?: (?-i:[A-ZÄÖÜ])[\w'’.-]+)*)"),
    ("called", r"(?:friends|mates|family|freunde|familie|colleagues|kollegen)(?: all| alle)? (?:call|calls|nennen|nennt) (?:me|mich) (?P<v>(?-i:[A-ZÄÖÜ])[\w'-]+)"), ("birthday", r"(?:date of birth|birthday|geburtstag|geburtsdatum)(?: is|'s| ist| falls)? (?:on |in |am |im )?(?P<v>.*\d.*|.*(?:january|february|march|april|may|june|july|august|september|october|november|december|januar|februar|märz|mai|juni|juli|oktober|dezember).*)"),
    ("age", r"(?:age|alter) (?:is|ist) (?P<v>\d+)"), ("pronouns", r"pronouns (?:are|:) ?(?P<v>.+)"), ("size", r"(?:shoe|dress|ring|schuh|kleider)[ -]?(?:size|größe) (?:is|ist) (?P<v>.+)"), ("height", r"(?:height|größe) (?:is|ist) (?P<v>.+)"), ("weight", r"(?:weight|gewicht) (?:is|ist) (?P<v>.+)"),
    ("speaks", r"(?:native|first|mother|second|mutter)[ -]?(?:language|tongue|sprache) (?:is|'s|ist) (?P<v>.+)"), ("from", r"(?:home ?town|home country|home village|heimatstadt|heimat)(?: is| ist)? (?P<v>(?-i:[A-ZÄÖÜ]).+)"),
    ("hobby", r"(?:main |biggest |new |größtes |neues )?(?:hobby|hobbies|hobbys|passion|leidenschaft) (?:is|are|ist|sind) (?P<v>.+)"), ("goal", r"(?:biggest |main |life |new year's |big |großes |größter )?(?:goal|dream|aim|resolution|ziel|traum|vorsatz)(?: for \w+)? (?:is|ist) (?:to )?(?P<v>.+)"),
    ("plan", r"plan (?:is|ist)(?: es)? to (?P<v>.+)"), ("favourite", r"(?:absolute |all-time |new )?favou?rite (?P<v>[\w' -]{2,40}? (?:is|are|has to be|will always be) (?!(?:in|on|at|not|when|from)\b|\d).+)"), ("favourite", r"(?P<v>lieblings\w+ (?:ist|sind|war) .+)"),
    ("favourite", r"(?:absolute |all-time |personal )?favou?rites? (?:is|are|has to be|will always be) (?P<v>(?!(?:in|on|at|not|when|from|the one|how|that)\b|\d).+)"),
    ("favourite", r"(?:go-to|comfort|usual) (?P<v>\w+ (?:is|are) .+)"), ("job", r"(?:day |new |current |main |side )*(?:job|role|position|beruf|work) (?:is|'s|involves|ist) (?P<v>(?:in |as |an? |to |teaching |at |in der |im |bei ).+)"),
    ("employer", r"(?:employer|arbeitgeber|company|firma) (?:is|ist|heißt) (?P<v>(?-i:[A-ZÄÖÜ]).+)"), ("works_as", r"(?:new |current |old |first |last )*(?:job|position|role|stelle) (?:as|als) (?P<v>[^,.;!?]+?)(?= (?:is|was|and|but|so|has|at|bei|ist)\b|[,.;!?]|$)"),
    ("employer", r"(?:new |current |old |day |neuer |alter )*(?:job|position|role|boss|manager|chef|chefin|colleagues|team|shift|internship|stelle|praktikum) (?:at|with|bei|beim|bei der)(?: der)? (?P<v>(?-i:[A-ZÄÖÜ])[\w&.-]+(?: (?-i:[A-ZÄÖÜ])[\w&.-]+)*)"),
    ("degree", r"(?:degree|major|background|thesis|dissertation|abschluss|phd|master'?s|studium)(?: is| was| ist)? (?:in|about|on|über) (?P<v>[^,.;!?]+)"), ("marital_status", r"(?P<v>divorce|scheidung|separation)\b"),
    ("speaks", r"(?P<v>\w+ (?:is|ist) (?:about |around |at |auf )?(?:level |niveau )?[abc][12])\b"),
    ("speaks", r"(?P<v>\w+) (?:is|'s|ist) (?!(?:not|nicht)\b)(?:\w+ ){0,3}(?:ok|okay|good|bad|rusty|terrible|fluent|basic|decent|gut|schlecht|fließend|eingerostet|around|about|at|getting|auf|not great|limited|non-existent|intermediate|[abc][12])\b.*"),
    ("commute", r"(?P<v>commute is .+)"), ("salary", r"(?:salary|income|gehalt|pension|wage) (?:is|ist|of) (?P<v>.+)"), ("condition", r"(?:blood type|diagnosis|diagnose|blutgruppe) (?:is|ist|:) ?(?P<v>.+)"),
    ("condition", r"(?P<v>(?:knee|hip|back|shoulder|heart|eye|\w+-)(?: ?op\b| ?operation| ?surgery| ?replacement)|op\b|operation|surgery|chemo\w*|physiotherapy|dialysis|pregnancy|schwangerschaft)\b"), ("diet", r"(?:diet|ernährung) (?:is|ist) (?P<v>.+)"),
    ("likes", r"(?:spotify|playlist|kindle|bookshelf|record collection) (?:is|'s|ist) (?P<v>.+)"), ("likes", r"(?P<v>.+?) (?:obsession|addiction)\b"), ("plan_family", r"(?P<v>wedding|hochzeit)(?= (?:is|ist) (?:in|on|next|im|am|nächste))"),
    ("studies", r"(?P<v>(?:[\w-]+ ){0,2}(?:apprenticeship|ausbildung|studium|phd|master'?s|bachelor'?s|a-levels|degree course|referendariat|doktorarbeit|dissertation|thesis|masterarbeit|bachelorarbeit)(?: (?:as|in|on|zum|zur|als) [^,.;!?]+?)?)(?= (?:ends|is|starts|finishes|in|ist|endet|beginnt|geht|fertig|this|next)\b|[,.;!?]|$)"),
    ("fears", r"(?P<v>(?:fear|phobia) of [^,.;!?]+|flugangst|höhenangst|arachnophobia)"), ("takes_medicine", r"(?:meds|medication|pills|medikamente) (?:are|is|sind) (?P<v>.+)"),
    ("does_regularly", r"(?P<v>(?:weekly |daily |morning |evening |sunday |saturday )+(?:run|swim|ride|walk|class|game|match|yoga|training|practice|choir|hike)\b)"),
)  # fmt: skip
_BODY_BAD = re.compile(
    r"(?: (?:is|are|'s|has been|have been|was|ist|sind|war))?(?: \w+){0,2}? ?(?:shot|bad|hurt\w*|aching|aches?|sore|killing|acting up|playing up|broken|gone|fucked|knackered|dodgy|weak|terrible|worse|swollen|numb|stiff|kaputt|hin|schlecht|macht nicht|machen nicht|tut weh|tun weh|schmerz\w*|zu hoch|high|low|schwach|steif|going|failing|not what|damaged|pretty bad)\b",
    re.IGNORECASE,
)
_BARE_KIN = re.compile(
    r"(?:^|[.!?;:,(–—\n]|\b(?:and|but|so|und|aber|because|weil))\s*(?P<kin>[Mm]um|[Mm]om|[Dd]ad|[Mm]ama|[Pp]apa|[Gg]ran|[Nn]an|[Oo]ma|[Oo]pa|[Hh]ubby|[Hh]usband|[Ww]ife|[Bb]oyfriend|[Gg]irlfriend|[Dd]aughter|[Ss]on|[Ss]ister|[Bb]rother|[Gg]randma|[Gg]randad|[Mm]other-in-law|[Ff]ather-in-law|(?:[Tt]he|[Dd]ie|[Dd]er) (?:kids|wife|missus|hubby|boys|girls|twins|kinder|kleine|große|in-laws|Kinder|Kleine|Große|Zwillinge|Jungs))\b(?=\s|'s)"
)
NOUN_WORDS_MAX = 6
"""Words of a noun phrase after which no further one is read."""
FAVOURITE_MAX = 90
"""Maximum number of characters of what somebody likes best."""
_BARE_ATTRIBUTES = frozenset("marital_status condition studies degree employer works_as fears".split())
"""What is said even in a sentence that asks or reports."""
_OF_HEALTH = {"allergy": "allergy", "intolerance": "intolerance", "med": "takes_medicine"}
_CLAUSE_END = re.compile(
    r"[.!?;:](?:\s|$)|\s[–—-]\s|"
    + COVER
    + r"|,\s(?=(?:so|but|and|which|who|because|though|i|we|my|what|how|can|do|aber|und|weil|da|also|ich|wir|was)\b)"
)
_OF_A_THING = re.compile(
    r"(?:'s)? (?:insurance|dealer|rental|keys|park|shop|app|company|file|code|number|screen)\b"
)
_WISHED = re.compile(r"\b(?:dream|next|future)\b")
_IS_WHAT = re.compile(
    r"(?:'s| is| ist)(?: just| nur)? (?P<v>an? .+|eine? .+|(?-i:[A-Z0-9])[\w-]+.*|from \d{4}.*|von \d{4}.*)",
    re.IGNORECASE,
)
_GONE = re.compile(
    r"(?: \w+)? (?:got|was|were|wurde) (?:stolen|sold|totalled|wrecked|scrapped|geklaut|gestohlen)"
)
_VISITED = re.compile(r"\b(?:hotel|restaurant|bar|pub|clinic|kiosk)$", re.IGNORECASE)
_OF_A_BUSINESS = re.compile(
    r"(?:'s)? (?:plan|card|partner|logo|model|idea|process|website|culture|policy|name|account)"
)
_OF_PLACE = re.compile(r"(?: (?:is|near|in|bei))* (?P<v>[A-ZÄÖÜ][\w-]+)")
_TALL = re.compile(r"(?:große|kleine)[nrms]?$", re.IGNORECASE)
"""Words that are a child alone and otherwise say which: "meine Kleine", "meinen großen Bruder"."""
_WHICH = re.compile(
    r"(?:oldest|eldest|youngest) (?:mates?|friends?|colleagues?|memor\w+|pal|client|customer|student|patient|team)\b",
    re.IGNORECASE,
)
"""Words that are a child alone and otherwise say which: "my oldest mate"."""
_GIVEN_AWAY = re.compile(r"\b(?:rid of|gave away|given away|donated|scrapped|traded in)\s+$", re.IGNORECASE)
_TOWARDS = re.compile(r"\b(?:in|into|on|at|over|to|from|near|behind|outside)\s+$", re.IGNORECASE)
_BEHIND = re.compile(r" (?P<v>[a-z][a-z-]+)\b")


_WHERE = re.compile(
    r"\b(?:in|into|onto|on|at|im|am|auf|aus|from|inside|outside|near|behind)\s+$", re.IGNORECASE
)
"""Matches a preposition before a thing: the thing then only says where, as in "no oven in my flat"."""
_OF_IT = re.compile(
    r"\b(?:(?:notice(?: period)?|rental|contract|lease|leasing|tenancy|landlord|landlady|rent|deposit"
    r"|bond)\s+of\s+(?:my|our)"
    r"|(?:\w*miete|\w*kündigungsfrist|\w*vertrag\w*|leasing\w*|\w*vermieter(?:in|s)?|\w*kaution"
    r"|\w*nebenkosten)\s+"
    r"(?:von\s+(?:mein\w*|unser\w*)|meine[sr]|unsere[sr]))\s+$",
    re.IGNORECASE,
)
"""Matches words of renting or sharing around a thing, which need not be the author's: "the rent of our flat"."""
_OF_ANOTHER = re.compile(
    r"(?<!\bone )(?<!\bmake )(?<!\bbrand )(?<!\bmodel )\bof\s+(?:my|our)\s+$"
    r"|(?<!\bmarke )(?<!\bmodell )\b(?:meines|unseres)\s+$",
    re.IGNORECASE,
)
"""Matches a thing behind a noun, of which the verb then speaks, unless that names what the thing is: "the insurer
of my car is Allianz"."""
_AGAINST = re.compile(
    r" (?:to|gegen|of|von) (?P<v>(?:[\w-]+ ){0,3}?[\w-]+)(?=[,.;!?\n]|$| (?:is|makes?|means|and|ist|macht|und|wird|so)\b)"
)
"""What an allergy is to."""
_STATIVE = frozenset(
    "stay stays go goes fall falls get gets lie lies turn turns look looks feel feels run runs".split()
)
"""Verbs after which a noun is no part of the phrase before: "my bread stays flat"."""


def of_possessives(text: str, *, is_bare: bool = False) -> Iterator[Claim]:
    """Yields what possessives say; `is_bare` of sentences that ask or report, where only the bare relation counts."""
    for match in _NOUN.finditer(text):
        if (
            match["my"].istitle()
            and text[: match.start()].rstrip()[-1:].isalnum()
            and match["head"].istitle()
        ):
            continue  # a title
        yield from _of_noun(text, match.start(), match.end("my") + 1, is_bare)
    for match in _BARE_KIN.finditer(text):
        kin = match["kin"]
        claims = list(
            of_kin(
                text,
                match.start("kin"),
                match.start("kin"),
                match.end("kin"),
                is_bare,
                class_of_word(kin.split()[-1]) or "parent",
            )
        )
        yield from (
            claims
            if len(claims) > 1 or kin.lower().startswith(("the", "husband", "hubby", "wife", "boyf", "girlf"))
            else []
        )


def _of_noun(text: str, start: int, at: int, is_bare: bool) -> Iterator[Claim]:
    """Yields what the noun phrase after a possessive says."""
    words = _words(text, at)
    if not words:
        return
    first = words[0].start()
    clause = _CLAUSE_END.split(text[first:].split("\n", 1)[0], maxsplit=1)[0]
    worded = _by_wording(clause, start, first, is_bare)
    if worded is not None:
        yield worded
        return
    head = _head(text, words)
    if head is None:
        yield from _of_brand(text, start, words, clause)
        return
    number, kind = head
    if number and words[number - 1][0].lower() in _STATIVE:
        return
    end = words[number].end() - (2 if words[number][0].endswith("'s") else 0)
    if kind in KIN:
        yield from of_kin(text, start, first, end, is_bare, kind)
    elif kind in _READINGS:
        yield from _READINGS[kind](_Noun(text, clause, start, first, end, kind))


def _words(text: str, at: int) -> list[re.Match[str]]:
    """Returns the words of a noun phrase, as far as it can be told where it ends."""
    words: list[re.Match[str]] = []
    for word in _WORD.finditer(text, at):
        if word[0].lower() in STOP or len(words) > NOUN_WORDS_MAX:
            break
        if not words and word.start() > at + 1:
            break
        if words and not text[words[-1].end() : word.start()].isspace():
            break
        if words and word[0] == "Frau" and words[-1][0][:1].isupper():
            break  # a title: "meine Klientin Frau Albrecht"
        words.append(word)
        if word[0].endswith("'s") and word[0].lower() not in ("master's", "bachelor's"):
            break
    return words


def _by_wording(clause: str, start: int, first: int, is_bare: bool) -> Claim | None:
    """Returns what a clause such as "(my) name is …" states in so many words."""
    for attribute, expression in _ATTRIBUTES:
        match = pattern(expression).match(clause)
        if match is None or (is_bare and attribute not in _BARE_ATTRIBUTES):
            continue
        if attribute == "speaks" and not (
            TONGUE.search(match[0]) or class_of_word(match["v"].split()[0]) == "lang"
        ):
            continue
        value = tidy(END_WORDS.sub("", match["v"]))
        if value and not (attribute == "favourite" and len(value) > FAVOURITE_MAX):
            status = PLAN if attribute.startswith("plan") else CURRENT
            return claim_at(attribute, value, start, first + match.end("v"), status=status)
    return None


def _head(text: str, words: list[re.Match[str]]) -> tuple[int, str] | None:
    """Returns which word the phrase is about, and its class: an empty one of "oldest friend", where "oldest" is no
    child."""
    best: tuple[int, str] | None = None
    for number, word in enumerate(words):
        kind = _class_at(text, words, number)
        if kind is None:
            continue
        best = (number, kind)
        if number + 1 == len(words):
            break
        behind = words[number + 1][0]
        if kind not in KIN:
            if head_of(behind) is None:
                break
            continue
        is_kin = class_of_word(behind) in KIN
        if not is_kin and _WHICH.match(text, word.start()):
            return number, ""
        if not (is_kin and (_TALL.match(word[0]) or kind == "child")):
            break
    return best


def _class_at(text: str, words: list[re.Match[str]], number: int) -> str | None:
    """Returns the class of a word, together with the one before it or alone."""
    for width in (2, 1):
        if number + 1 >= width:
            phrase = text[words[number + 1 - width].start() : words[number].end()].removesuffix("'s")
            head = head_of(phrase)
            if head is not None and head[1].lower() == phrase.split()[-1].lower():
                return head[0]
    return None


@dataclass(frozen=True, slots=True)
class _Noun:
    """A noun phrase after a possessive, with the clause that it begins."""

    text: str
    clause: str
    start: int
    """Where the possessive begins."""
    first: int
    """Where the phrase begins."""
    end: int
    kind: str

    @property
    def phrase(self) -> str:
        """Returns the phrase without its possessive."""
        return self.text[self.first : self.end]

    @property
    def before(self) -> str:
        """Returns what precedes the possessive."""
        return self.text[: self.start]

    @property
    def behind(self) -> str:
        """Returns what follows the phrase."""
        return self.text[self.end :]


def _possession(noun: _Noun) -> Iterator[Claim]:
    """Yields "my bike", "our car is a 2012 Yaris", unless it says where something is, or is gone."""
    if _OF_A_THING.match(noun.behind) or _WISHED.search(noun.phrase):
        return
    if _WHERE.search(noun.before) or _OF_IT.search(noun.text[: noun.first]):
        return
    if _is_part(noun.text, noun.start, noun.end):
        return
    is_of_another = _OF_ANOTHER.search(noun.text[: noun.first])
    is_what = None if is_of_another else _IS_WHAT.match(noun.clause[noun.end - noun.first :])
    is_gone = _GONE.match(noun.behind) or _GIVEN_AWAY.search(noun.before)
    yield claim_at(
        "owns",
        noun.phrase if is_what is None else f"{noun.phrase} {is_what['v']}",
        noun.start,
        noun.end if is_what is None else noun.first + len(noun.clause.rstrip()),
        status=PAST if is_gone else CURRENT,
        certainty=0.75,
    )


def _illness(noun: _Noun) -> Iterator[Claim]:
    """Yields "my asthma", "my allergy to nuts", "my insulin"."""
    against = _AGAINST.match(noun.text, noun.end) if noun.kind in ("allergy", "intolerance") else None
    phrase, end = (noun.phrase, noun.end) if against is None else (against["v"], against.end("v"))
    yield claim_at(_OF_HEALTH.get(noun.kind, "condition"), phrase, noun.start, end, certainty=0.75)


def _trouble(noun: _Noun) -> Iterator[Claim]:
    """Yields "my knee is shot"."""
    if trouble := _BODY_BAD.match(noun.behind):
        end = noun.end + trouble.end()
        yield claim_at("condition", noun.text[noun.first : end], noun.start, end)


def _business(noun: _Noun) -> Iterator[Claim]:
    """Yields "my flower shop"."""
    is_own = (
        " " in noun.phrase
        and not _VISITED.search(noun.phrase)
        and not _TOWARDS.search(noun.before)
        and not _is_part(noun.text, noun.start, noun.end)
        and not _OF_A_BUSINESS.match(noun.behind)
    )
    if is_own:
        yield claim_at("job", noun.phrase, noun.start, noun.end, certainty=0.7)


def _home(noun: _Noun) -> Iterator[Claim]:
    """Yields the place of "my flat in Leeds"."""
    if place := _OF_PLACE.match(noun.behind):
        yield claim_at("lives_in", place["v"], noun.start, noun.end + place.end())


_READINGS: dict[str, Callable[[_Noun], Iterator[Claim]]] = {
    "thing": _possession,
    **dict.fromkeys(("ill", "allergy", "intolerance", "med", "healthadj"), _illness),
    "body": _trouble,
    "business": _business,
    "home": _home,
}
"""What reads a phrase, by the class of its noun; relatives are read by `of_kin`."""


def _of_brand(text: str, start: int, words: list[re.Match[str]], clause: str) -> Iterator[Claim]:
    """Yields things that are named by their make: "my 2012 Yaris"."""
    phrase = text[words[0].start() : words[-1].end()]
    if re.match(r"(?:old |trusty |new )?(?:(?:19|20)\d\d )[A-Z]", phrase):
        value = re.match(r"(?:\w+ )?\d{4} [A-Z][\w-]+(?: [A-Z0-9][\w-]*)*", phrase)
        if value:
            yield claim_at("owns", value[0], start, words[0].start() + value.end(), certainty=0.75)
    match = re.match(
        r"(?:handy|phone|laptop|car|bike|auto|rechner|camera) (?:is|ist|'s) (?P<v>.+)", clause, re.IGNORECASE
    )
    if match:
        yield claim_at("owns", match["v"], start, words[0].start() + match.end())


def _is_part(text: str, start: int, end: int) -> bool:
    """Returns whether an English noun is only the first part of another, or is wanted: "my car keys", "my
    flat must"."""
    behind = _BEHIND.match(text, end) if text[start : start + 2].lower() in ("my", "ou") else None
    if behind is None:
        return False
    low = behind["v"]
    is_other = low in STOP or low in AUX or low in ADVERBS or low in english() or low.endswith(("ed", "ing"))
    return low in ("must", "should") or not is_other
