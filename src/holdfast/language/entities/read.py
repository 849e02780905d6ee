"""Finds the entities that a message names, by context and by lists of names. Precise rather than complete."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache, lru_cache

from holdfast.language.claims.voice import COVER, own_text
from holdfast.language.entities.lexicon import (
    DOUBTFUL_NAMES,
    DOUBTFUL_ORGANIZATIONS,
    DOUBTFUL_TECHNOLOGIES,
    FIRST_NAMES,
    GENERIC,
    GERMAN_NOUNS,
    NO_NAMES,
    NO_PROJECTS,
    ORGANIZATIONS,
    TECHNOLOGIES,
)
from holdfast.language.entities.patterns import (
    CAP,
    KIN,
    ORG_END,
    ORGANIZATION,
    PERSON,
    PLACE,
    PLACE_BEFORE,
    PROJECT,
    RULES,
    TECHNOLOGY,
    TECHNOLOGY_BEFORE,
    TITLE,
)
from holdfast.language.places import DOUBTFUL_PLACES, PLACES

MESSAGE_MAX = 4_000
"""Characters; longer messages are pasted documents and are not read."""


@dataclass(frozen=True, slots=True)
class Mention:
    """An entity that a text names, and where: [start, end). It is introduced if the words around it say what
    it is; else it is known from the project or from a list of names."""

    name: str
    type: str
    start: int
    end: int
    is_introduced: bool = False


_ADDRESS = re.compile(r"https?://\S+|\S+@\S+")
_ARTICLE = re.compile(
    r"(?i)\b(?:an?|the|ein|eine|einen|einem|einer|der|die|das|dem|den|im|am|zum|zur|kein\w*) $"
)
_SPARED = DOUBTFUL_NAMES | {"Mr", "Mrs", "Ms", "Dr", "Prof", "Professor", "Herr", "Frau"}
_SPARED_ELSE = frozenset({"New", "Old", "First", "Great"})
"""Words that begin a name of several: Hope Adeyemi, Mr Hughes, New York."""
_NO_SURNAME = re.compile(
    r"Street|Road|Lane|Way|Drive|Square|Park|Place|Bridge|Airport|International|Station|Award|Prize|Cup"
    r"|Avenue|Bar|Cafe|Café|Hotel|House|Palace|Salon|Apartments|Centre|Center|Church|Tower|Museum|Theater"
    r"|Theatre|Festival|Show|Valley|Island|Inn|Tavern|Pub|Club|Hall|College|School|University|Library"
    r"|Hospital|Bank|Company|Office|Clinic|Practice|Gardens?"
)
_NOUN_END = re.compile(
    r"(?:ungs?|heit|keit|schaft|tion|ismus|tage?s?|zeit|stunden?|abend|morgen|arbeit|schule|nummer|karte|haus"
    r"|geld|ball|spiel|kuchen|essen|reise|termine?|prüfung|kleid|schlüssel|buch|brief)$"
)
_OF_A_PERSON = re.compile(
    r"(?:['’]s)? (?:[A-ZÄÖÜ][a-zäöüß]+ )?(?:Street|Road|Lane|Way|Drive|Square|Park|Place|Bridge|Airport"
    r"|International|Station|Award|Prize|Cup|Avenue|Day|Bar|Cafe|Café|Hotel|House|Hall|Straße|Platz|Weg|Allee"
    r"|Preis|Brücke|Ltd|Inc|GmbH|AG|& )"
)
_INITIAL = re.compile(r" [A-ZÄÖÜ]\.(?!\w)")
_THE = re.compile(r"\b(?:[Tt]he|[Aa]n?) $")
_ONE_OF = re.compile(
    r"(?i)\b(?:an?|my|your|our|eine?|einen|einem|mein\w*|unser\w*|used|second-hand|gebrauchte\w*) $"
)
_OF_A_MAKER = re.compile(
    r"[ -](?:employees?|engineers?|managers?|stores?|jobs?|offices?|teams?|contracts?|customers?|suppliers?"
    r"|shops?|subsidiar\w+|representatives?|reps?|branch\w*|interviews?|Mitarbeiter\w*|Filiale\w*|Werk"
    r"|Kunde\w*|Vertrag)\b"
)
"""What is the maker's own: a job, a shop, somebody of it."""
_DETERMINED = re.compile(
    r"\b(?:[Dd](?:er|ie|as|em|en|es)|[Dd]ies\w*|[Jj]ede\w*|[Kk]ein\w*|[Ee]ine?[rmns]?|[Mm]eine?[rmns]?"
    r"|[Uu]nse?re?[rmns]?|[Ss]eine?[rmns]?|[Ii]hre?[rmns]?|[Dd]eine?[rmns]?) $"
)
"""German articles: they precede a noun, not a name."""
_SAINT_BEFORE = re.compile(r"\b(?:St\.|Saint|Sankt) $")
_AFTER_SAINT = re.compile(r"\.? [A-ZÄÖÜ][\w-]+(?:['’]s)?(?: [A-ZÄÖÜ][\w-]+){0,2}")
_TITLED = re.compile(rf"\b{TITLE} $")
_BEFORE_A_PERSON = re.compile(rf"(?:{TITLE}|{KIN})$")


def mentions_in(text: str, known_names: Mapping[str, str] | None = None) -> tuple[Mention, ...]:
    """Returns the entities that a message names, in order; what is in code, quotations and addresses, in
    texts of others or to work on, in stories and in roles that are played is left out. `known_names` are
    names of the same project with their types: a text needs not introduce them again."""
    if not text.strip() or len(text) > MESSAGE_MAX:
        return ()
    plain = _ADDRESS.sub(lambda match: COVER * len(match[0]), own_text(text))
    mentions: list[Mention] = []
    for candidate in _candidates(plain, known_names or {}):
        mention = _with_saint(plain, candidate)
        if mention is not None and all(
            mention.end <= other.start or other.end <= mention.start for other in mentions
        ):
            mentions.append(mention)
    return tuple(sorted(mentions, key=lambda mention: mention.start))


def _with_saint(plain: str, mention: Mention) -> Mention | None:
    """Returns a place or organisation with the "Saint" or "St." that begins its name; None for this alone."""
    start, end = mention.start, mention.end
    if mention.type not in (PLACE, ORGANIZATION):
        return mention
    if mention.name in ("St", "Saint", "Sankt"):
        rest = _AFTER_SAINT.match(plain, end)
        if rest is None:
            return None
        end = rest.end()
    elif before := _SAINT_BEFORE.search(plain[max(0, start - 8) : start]):
        start -= len(before[0])
    return (
        mention
        if (start, end) == (mention.start, mention.end)
        else replace(mention, name=plain[start:end], start=start, end=end)
    )


def known_in(mentions: Iterable[Mention]) -> dict[str, str]:
    """Returns the names that the messages of one project introduce, with their types, and the first names of
    people. A name that is introduced as two things is left out."""
    types: dict[str, set[str]] = {}
    for mention in mentions:
        if mention.is_introduced or " " in mention.name:
            types.setdefault(mention.name, set()).add(mention.type)
            first, _, rest = mention.name.partition(" ")
            if (
                mention.type == PERSON
                and rest
                and len(first) > 2
                and first[1:].islower()
                and first not in _SPARED
            ):
                types.setdefault(first, set()).add(PERSON)
            if mention.type == ORGANIZATION and ORG_END.fullmatch(rest) and _may_be_short(first):
                types.setdefault(first, set()).add(ORGANIZATION)
    return {name: min(of) for name, of in types.items() if len(of) == 1}


def _may_be_short(first: str) -> bool:
    """Returns whether the first word of an organisation may stand for it: Vortex Labs, not City Library."""
    return first not in GENERIC | NO_NAMES | PLACES | FIRST_NAMES and len(first) > 3


def _candidates(plain: str, known_names: Mapping[str, str]) -> Iterator[Mention]:
    """Yields what may be named, the surest first."""
    for type, pattern in _compiled():
        for match in pattern.finditer(plain):
            for group in match.groupdict():
                if match[group]:
                    yield from _trimmed_mention(type, plain, match.start(group), match.end(group))
    yield from _known_mentions(plain, known_names)
    for match in _pattern_of(TECHNOLOGIES).finditer(plain):
        yield Mention(match[0], TECHNOLOGY, match.start(), match.end())
    doubtful = "|".join(sorted(DOUBTFUL_TECHNOLOGIES))
    for match in re.finditer(rf"\b{TECHNOLOGY_BEFORE},? ({doubtful})\b(?! to\b)", plain):
        yield Mention(match[1], TECHNOLOGY, match.start(1), match.end(1))
    for match in _pattern_of(ORGANIZATIONS).finditer(plain):
        if not _is_inside_a_name(plain, match.start(), match.end()) and not _is_a_thing(plain, match):
            yield Mention(match[0], ORGANIZATION, match.start(), match.end())
    doubtful = "|".join(sorted(DOUBTFUL_ORGANIZATIONS))
    for match in re.finditer(rf"\b(?:from|at|for|with|bei|von) ({doubtful})\b", plain):
        yield Mention(match[1], ORGANIZATION, match.start(1), match.end(1))
    yield from _people(plain)
    for match in _pattern_of(PLACES).finditer(plain):
        before = plain[max(0, match.start() - 16) : match.start()]
        is_placed = re.search(rf"\b{PLACE_BEFORE} $", before)
        if _is_inside_a_name(plain, match.start(), match.end()):
            continue
        is_subject = re.match(r" (?:is|liegt|ist) in\b", plain[match.end() :])
        if match[0] not in DOUBTFUL_PLACES or is_placed or is_subject:
            yield Mention(match[0], PLACE, match.start(), match.end())


def _is_a_thing(plain: str, match: re.Match[str]) -> bool:
    """Returns whether the name of a maker stands for one of its things: a Tesla, but not a Tesla engineer."""
    if _ONE_OF.search(plain[: match.start()]) is None:
        return False
    return _OF_A_MAKER.match(plain, match.end()) is None


def _trimmed_mention(type: str, plain: str, start: int, end: int) -> Iterator[Mention]:
    """Yields a name without the words at its ends that belong to none."""
    words = list(re.finditer(r"\S+", plain[start:end]))
    several = len(words) > 1
    spared = (_SPARED if type == PERSON else _SPARED_ELSE) if several else frozenset[str]()
    while words and _stripped(words[0][0]) in NO_NAMES - spared:
        words.pop(0)
    for place, word in enumerate(words[1:], 1):  # "Rotterdam I'd": a name ends before such a word
        if _stripped(word[0]) in NO_NAMES:
            del words[place:]
            break
    while words and not words[-1][0][0].isupper() and words[-1][0] != "e.V.":
        words.pop()
    if not words or (several and type == PERSON and words[-1][0].strip(".") in _SPARED):
        return
    first, last = start + words[0].start(), start + words[-1].end()
    name = plain[first:last]
    if name.endswith(("'s", "’s")):
        name, last = name[:-2], last - 2
    if name.endswith(("Corp.", "Inc.", "Ltd.", "Co.")) or (name.endswith(".") and not plain[last:].strip()):
        name, last = name[:-1], last - 1
    if type == PERSON and (name in PLACES or name in TECHNOLOGIES) and name not in DOUBTFUL_PLACES:
        return
    if type in (ORGANIZATION, PROJECT) and (name in PLACES or name in FIRST_NAMES or name in TECHNOLOGIES):
        return
    if type == ORGANIZATION and (_is_generic(name) or _follows_a_name(plain, first, anywhere=True)):
        return
    if type == ORGANIZATION and plain[:first].endswith(("**", "# ")):  # a heading
        return
    if type == PLACE and (name in TECHNOLOGIES or name in ORGANIZATIONS or name.split()[0] in FIRST_NAMES):
        return
    if type == PERSON and _DETERMINED.search(plain[:first]):
        return
    if type == PERSON and (_is_none_of_a_person(name) or _THE.search(plain[:first])):
        return
    if type == PROJECT and name in NO_PROJECTS:
        return
    if type == PERSON and " " not in name and (title := _TITLED.search(plain[max(0, first - 30) : first])):
        first -= len(title[0])  # Dr. Weber is known by it
        name = plain[first:last]
    if len(name) > 1 and name not in NO_NAMES:
        yield Mention(name, type, first, last, is_introduced=True)


def _stripped(word: str) -> str:
    """Returns a word without the marks around it and what an apostrophe adds: I for I'll."""
    return re.split(r"['’]", word.strip(".,'’"))[0]


def _known_mentions(plain: str, known_names: Mapping[str, str]) -> Iterator[Mention]:
    """Yields the names that the project knows, longest first."""
    if not known_names:
        return
    for match in _pattern_of(frozenset(known_names)).finditer(plain):
        name, start = match[0], match.start()
        is_word = " " not in name
        if is_word and (_ARTICLE.search(plain[:start]) or name in NO_NAMES - DOUBTFUL_NAMES):
            continue
        if name in DOUBTFUL_NAMES and _is_first(plain, start):
            continue
        inside = _is_inside_a_name(plain, start, match.end()) or _follows_a_name(plain, start, anywhere=True)
        if is_word and (inside or _INITIAL.match(plain[match.end() :])):
            continue
        yield Mention(name, known_names[name], start, match.end())


def _people(plain: str) -> Iterator[Mention]:
    """Yields names that begin with a common first name."""
    for match in _first_names().finditer(plain):
        before = plain[: match.start()]
        if before.endswith(("Saint ", "St. ", "San ")) or re.match(r" \d", plain[match.end("first") :]):
            continue
        if _follows_a_name(plain, match.start(), anywhere=True) and not _BEFORE_A_PERSON.search(before[:-1]):
            continue
        end = match.end("first")
        for word in re.finditer(rf" (?:(?:de|van|von|der|la) ){{0,2}}{CAP}", match["last"] or ""):
            if _is_no_surname(word[0].strip()) or _is_noun(word[0].split()[-1]):
                break
            end = match.start("last") + word.end()
        if end == match.end("first") and (initial := _INITIAL.match(plain[end:])):
            end += initial.end()
        name = re.sub(r"['’]s$", "", plain[match.start() : end])
        if _is_cut(plain, match.start() + len(name)) or _is_none_of_a_person(name):
            continue
        yield Mention(name, PERSON, match.start(), match.start() + len(name))


def _is_cut(plain: str, end: int) -> bool:
    """Returns whether the name of a person goes on as that of something else: Charlotte Street."""
    return bool(_OF_A_PERSON.match(plain[end:]))


def _is_inside_a_name(plain: str, start: int, end: int) -> bool:
    """Returns whether a known name is a part of a longer one: Paris Agreement, Air China."""
    after = re.match(rf" ({CAP})", plain[end : end + 60])
    return _follows_a_name(plain, start) or (after is not None and after[1] not in NO_NAMES)


def _is_first(plain: str, start: int) -> bool:
    """Returns whether a place is at the begin of a sentence."""
    opening = plain[:start].rstrip(" \t(\"'*-")
    return not opening or opening[-1] in ".!?:\n"


def _follows_a_name(plain: str, start: int, *, anywhere: bool = False) -> bool:
    """Returns whether a word that belongs to the name stands directly before: Air China, Saint Helena; with
    `anywhere` also one at the begin of a sentence."""
    before = re.search(r"(\S+) $", plain[max(0, start - 45) : start])
    if before is None or not before[1][0].isupper() or before[1].strip("'’") in NO_NAMES:
        return False
    if before[1] in ("Saint", "St.", "San", "New", "Air", "Mount"):
        return True
    return before[1][-1].isalnum() and (anywhere or not _is_first(plain, start - len(before[0])))


def _is_no_surname(name: str) -> bool:
    return not {*re.sub(r"['’]s$", "", name).split()}.isdisjoint(NO_NAMES | PLACES | TECHNOLOGIES)


def _is_noun(word: str) -> bool:
    """Returns whether a word is an ordinary noun, which German writes with a capital letter."""
    return word in GERMAN_NOUNS or bool(_NOUN_END.search(word))


def _is_none_of_a_person(name: str) -> bool:
    """Returns whether the words of a name say that it is that of a place, or no name: Alexandra Palace."""
    first, *rest = name.split()
    if rest and first in _SPARED - DOUBTFUL_NAMES:
        return _is_noun(rest[0])
    if first in ("San", "Santa", "Saint", "Los", "Las", "Mount"):
        return True
    return bool(rest and _NO_SURNAME.fullmatch(rest[-1])) or _is_noun(first) or "Vs" in rest


def _is_generic(name: str) -> bool:
    """Returns whether the words of a name are ordinary ones: Basic Analytics, Hair & Nails."""
    first, *rest = re.split(r" (?:& |\+ )?", name)
    return (first in GENERIC and len(rest) <= 1) or ORG_END.fullmatch(name) is not None


@cache
def _first_names() -> re.Pattern[str]:
    names = "|".join(sorted(FIRST_NAMES, key=lambda name: (-len(name), name)))
    last = rf"(?: (?:(?:de|van|von|der|la) ){{0,2}}{CAP}){{1,2}}"
    return re.compile(rf"(?<![\w.\-/@#])(?=[A-ZÄÖÜ])(?P<first>{names})(?![\w\-/@#]|\.\w)(?P<last>{last})?")


@cache
def _compiled() -> tuple[tuple[str, re.Pattern[str]], ...]:
    return tuple((type, re.compile(pattern, re.MULTILINE)) for type, pattern in RULES)


@lru_cache(maxsize=64)
def _pattern_of(names: frozenset[str]) -> re.Pattern[str]:
    longest_first = sorted(names, key=lambda name: (-len(name), name))
    begins = "".join(sorted({re.escape(name[0]) for name in names}))
    any_of = "|".join(map(re.escape, longest_first))
    return re.compile(rf"(?<![\w.\-/@#])(?=[{begins}])(?:{any_of})(?![\w\-/@#]|\.\w)")
