"""Finds what a clause speaks of: "my second favourite NOUN", "the NOUN I like best", "Lieblings-NOUN"."""

from __future__ import annotations

import re
from dataclasses import dataclass

from holdfast.language.facts.lexicon import COUNT, FAVOURITE, GERMAN_ORDINALS, LEAST, MY, ORDINAL, rank_named
from holdfast.language.facts.topics import Topic, Topics

_ADJECTIVE = (
    r"(?:(?:all[- ]time|absolute|current|new|old|personal|very|own|ever|latest|updated|present"
    r"|actual|real|definitive|final|full|complete"
    r"|absolute[nrs]?|aktuelle[nrs]?|neue[nrs]?|persönliche[nrs]?|ganz|große[nrs]?"
    r"|derzeitige[nrs]?|eigene[nrs]?|jetzige[nrs]?|top|five|three|two|four|ten|fünf|drei|zwei|beiden|both"
    r"|vier|zehn|\d{1,2}) )"
)
_RANK = rf"(?:(?P<rank>#\s?\d{{1,3}}|(?:number|no\.|nummer) {COUNT}|{ORDINAL})(?: most)?[ -])"
_GERMAN_RANK = rf"(?P<derank>{'|'.join(GERMAN_ORDINALS)})-?liebste[rsnm]?"
_MARKED = (
    rf"(?:(?P<least>{LEAST})|(?P<compound>lieblings-?(?=\w))|(?P<hated>hass-?(?=[a-zäöü]{{4}}))"
    rf"|{_GERMAN_RANK}|(?P<fav>{FAVOURITE}))"
)
_OF = (
    r"(?: (?:list|ranking|rankings|top|order|liste|rangliste|reihenfolge)(?: (?:of|von|für"
    r"|for))?(?: my| meine[rn]?)?)?"
)
HEAD = re.compile(
    rf"(?<![\w'’-])(?:(?P<own>{MY}|i have(?: got)?(?: a)?|i've got(?: a)?"
    rf"|ich habe?(?: eine?n?)?){_OF} {_ADJECTIVE}{{0,3}}{_RANK}?(?:{_MARKED})"
    rf"|{MY} {_ADJECTIVE}{{0,2}}(?P<top>top[ -]?(?:{COUNT})?(?: {FAVOURITE})?)(?= [^\W\d])"
    rf"|{MY} (?P<one>(?:#\s?1|number one|no\. ?1|nummer (?:eins|1)))(?= [^\W\d])"
    rf"|(?P<bare>^{_ADJECTIVE}{{0,2}}(?:(?:top {COUNT} )?(?:{LEAST}|(?:dis|un)liked|hated|lieblings-?(?=\w)"
    rf"|{FAVOURITE})|top(?: {COUNT})?(?= [\w ]{{2,40}} of mine\b))))(?!(?<=[Ff]avorite)n)",
    re.IGNORECASE,
)
"""The beginning of a topic of one's own; a bare one begins its sentence."""
LINK = re.compile(
    r"(?:^|\s*[,(]?\s*)(?P<verb>\b(?:(?:really |actually |currently |now |still |definitely "
    r"|right now |always |probably |also |auch |just |simply |today |at the moment |these days |of all time "
    r"|ever ){0,2}(?:(?<!\w)(?:is|are|r|'s|’s|isn't|aren't|isn’t|aren’t|ist|sind|lautet|lauten|heißt|heißen"
    r"|remains?|bleib(?:t|en)|include|includes|gehören|gehört|zählen|zählt|stehen|has"
    r" (?:always )?been|have (?:always )?been|has become|became|goes to|go to|would have to be|has to be"
    r"|have to be|will always be|gotta be|has got to be|have got to be)(?!\w))))"
    r"|\s*(?P<sign>[:=]|[–—]|\s-(?=\s)|->|→)|(?P<mark>\s*[(\[*_]{0,2}(?:#\d{1,3}(?=[\s.:)])"
    r"|\d{1,3}[.):]|[①-⑳]|\d\ufe0f?\u20e3))|(?P<ordinal>,\s*(?:first|erstens)\s*:)",
    re.IGNORECASE,
)
"""What joins a topic to its values: a verb, a sign, or the mark of a rank."""
_STOP = frozenset(
    "i you he she we they it me him them us is are was were be been being has have had do does did will would"
    " can could should may might must not and or but because if when while than then that which who whom"
    " whose this these those there my your his her our their its mine yours ich du er sie wir ihr es mich mir"
    " dir uns ihm ihnen ist sind war waren wäre hat habe haben hatte wird werden würde kann soll und oder"
    " aber weil dass wenn als mein meine meiner meinen meinem dein deine meines deines seines ihres unseres"
    " deiner sein seine seiner unser unsere unserer euer eure ihre ihrer ihren nicht kein keine keinen"
    " broke breaks died got gets went goes came comes just never always why how what where said"
    " says hates loves".split()
)
"""Words that no topic contains."""
_NEVER = frozenset(
    "recipe rezept witz joke setting settings thing things part parts bit way ways moment time times one ones"
    " kind kinds type types sort child son daughter kid"
    " stuff folder folders tab tabs bar button icon list lists ranking item items choice choices pick picks"
    " option options person people place position rank day favourite favorite ding dinge teil moment"
    " mensch menschen kind ort"
    " liste platz table priority goal concern issue issues problem problems rule question tip"
    " reason complaint advice".split()
)
"""Nouns that name no topic by themselves."""
_KINDS = frozenset("kind kinds type types sort sorts day place time art arten".split())
"""Those that a complement makes a topic: "kinds of tea", "day of the week"."""
_NEVER_ALONE = _NEVER - {"things", "people", "place", "day", "dinge", "menschen", "ort"}
_TRAIL = re.compile(
    r"(?:[ ,]+(?:of all[- ]time|of mine|of all|ever|so far|right now|currently|now|these days"
    r"|at the moment|at present|today|still|really|actually|list|ranking|rankings"
    r"|in (?:that |this )?order|in order of preference|best first|in no particular order|from"
    r" best to worst|by far|overall|aller zeiten|zurzeit|zur"
    r" zeit|momentan|derzeit|gerade|jetzt|bisher|der reihe nach|in (?:dieser|der) reihenfolge"
    r"|liste|rangliste|auch|also|nun|inzwischen|übrigens|of late|lately|anymore|again|nur noch"
    r"|aktuell|heute|as of now|as of today|(?:#|number )\d{1,2}))+$",
    re.IGNORECASE,
)
NOUN_MAX = 60
"""Most characters of the noun phrase of a topic."""
_WORD = re.compile(r"[\w'’&+/.-]+")


@dataclass(frozen=True, slots=True)
class Head:
    """A topic named in a clause: where it begins and where its noun phrase begins."""

    start: int
    end: int
    rank: int | None
    disliked: bool = False
    compound: bool = False
    is_bare: bool = False
    is_top: bool = False
    is_one: bool = False
    is_noun: bool = False
    """Whether it is a noun itself: "meine Favoriten"."""
    is_cased: bool = False
    """Whether it is a German noun with its capital letter."""


def heads_in(text: str) -> list[Head]:
    """Returns the topics of one's own that a sentence names, in order."""
    heads = []
    for match in HEAD.finditer(text):
        rank = match["rank"] or match["derank"]
        bare = match["bare"] or ""
        number = (
            None if rank is None else rank_named(rank) if match["rank"] else GERMAN_ORDINALS[rank.lower()]
        )
        heads.append(
            Head(
                match.start(),
                match.end(),
                1 if match["one"] else number,
                bool(
                    match["least"]
                    or match["hated"]
                    or re.search(rf"{LEAST}|liked|hated", bare, re.IGNORECASE)
                ),
                bool(match["compound"] or match["hated"] or bare.lower().rstrip("-").endswith("lieblings")),
                bool(bare),
                bool(match["top"]) or "top" in bare.lower(),
                bool(match["one"]),
                match[0].lower().endswith(("favoriten", "favorit")),
                match[0].rstrip("-").endswith("Lieblings"),
            )
        )
    return heads


def topic_named(phrase: str, topics: Topics, *, disliked: bool = False) -> Topic | None:
    """Returns the topic that a noun phrase names, None if the phrase is none."""
    plain = phrase.replace("’", "'").strip(' \t,;:–—-*_"()')
    plain = _TRAIL.sub("", plain)
    words = [word.lower().strip(".") for word in _WORD.findall(plain)]
    if not words or len(words) > 7 or len(plain) > NOUN_MAX or not _STOP.isdisjoint(words):
        return None
    if re.search(r"[^\w\s'&+/.-]", plain) or words[0] in _LEADING or words[-1] in _LEADING:
        return None
    if words[0] in _NEVER and (len(words) == 1 or (words[1] in _LEADING and words[0] not in _KINDS)):
        return None if words[0] in _NEVER_ALONE or len(words) > 1 else topics.about(plain, disliked=disliked)
    if len(words) == 1 and (len(plain) == 1 or any(char.isdigit() for char in plain)):
        return None
    return topics.about(plain, disliked=disliked)


_LEADING = frozenset(
    "of in on at for from to with by about a an the der die das den dem des ein eine einen"
    " einer von im in am bei mit für aus und and so as all".split()
)
