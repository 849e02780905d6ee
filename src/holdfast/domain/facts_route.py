"""The router: which questions facts answer. What it is not sure of goes to recall (S1.24–S1.30).

A sentence is read as a string of word classes (`facts_words`). A route is a frame that asks for a value
("what is", "can you list"), a noun phrase that names it ("my second favorite color"), and a tail that adds
nothing ("again, please"). A word that is in no class stops every pattern, so an unknown noun, another person
or another request in the sentence sends it to recall.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import Any

from holdfast.domain.facts_loose import read_loosely
from holdfast.domain.facts_topics import Topics
from holdfast.domain.facts_words import Word, rank_of, words_of
from holdfast.domain.text import byte_pattern

TEXT_MAX = 600
"""Longer texts are no plain question and go to recall."""
PARTS_MAX = 20
"""Commas, dashes and "and"s of one sentence: each may divide it, and all ways to divide it are tried."""


class Asked(StrEnum):
    """What a question asks of a list."""

    ORDINAL = "ordinal"
    """The value of one rank."""
    BEST = "best"
    """The favourite: rank 1, or the single preference."""
    LIST = "list"
    """The whole list, or its first ranks."""


@dataclass(frozen=True, slots=True)
class Request:
    """One thing that is asked of facts. `topic` is a key, None if the question names none. `rank` belongs to
    an ordinal; `limit` to a slice, as in "top three" (S1.28)."""

    asked: Asked
    topic: str | None = None
    rank: int | None = None
    limit: int | None = None


_HINTS = ("favo", "fave", "fav ", "favs", "top", " my ", "my ", "rank", "#", "number", " did i ", " do i ")
_PHRASES = (
    (
        re.compile(
            r"\b(?:i(?:'d| would) (?:like|love) (?:you )?to|i (?:want|need) (?:you )?to|i wanna|let me"
            r"|lemme|let's"
            r"|do me a favou?r and|go ahead and|would you mind|will you|are you able to|is it possible to"
            r"|would you be able to)\b"
        ),
        "please",
    ),
    (
        re.compile(
            r"\bi(?:'ve)? (?:have )?(?:forgot|forgotten|(?:can't|cannot|don't) (?:remember|recall))\b(?! to)"
        ),
        "tell me",
    ),
    (
        re.compile(
            r"\b(?:do|can) you (?:still |also )?(?:remember|recall|know|have"
            r"|happen to (?:know|remember|recall))\b"
        ),
        "tell me",
    ),
    (re.compile(r"\b(?:can|could|may) i (?:know|ask|hear)\b"), "tell me"),
    (re.compile(r"\b(?:kind|sort|type|flavou?r)s? of (?=\w)"), ""),
    (
        re.compile(
            r"\b(?:help me (?:remember|recall)|refresh my memory(?: on| about| of)?:?|jog my memory:?"
            r"|(?:look|dig|pull|bring)"
            r" up|i(?:'m| am) (?:trying to (?:remember|recall)|blanking on)|i keep forgetting|(?:write"
            r"|type|lay|read) out)\b"
        ),
        "tell me",
    ),
    (
        re.compile(
            r"\b(?:from|in|on|off) my (?:profile|notes|history)\b|\baccording to (?:me|you"
            r"|your notes|my (?:notes|list))\b"
        ),
        "please",
    ),
    (
        re.compile(
            r"\b(?:that )?we (?:talked about|discussed)\b|\bas far as you (?:know|remember)\b|\byou know of\b"
        ),
        "please",
    ),
    (re.compile(r"\b(?:can|could|may) i (?:get|have|see)\b|\bget me\b"), "show me"),
    (
        re.compile(r"\b(?:i(?:'d| would) like|i want|i need)(?= (?:my top|my list|a list|the list))"),
        "show me",
    ),
    (
        re.compile(r"\bi(?:'m| am) (?:just )?(?:wondering|curious|not sure|unsure)\b|\bi (?:wonder|mean)\b"),
        "tell me",
    ),
    (re.compile(r"\b(?:how|what) about(?= my)"), "tell me"),
    (re.compile(r"(?<=[a-rt-z] )do i like (?:the )?(?:best|most)\b"), "is my favorite"),
    (re.compile(r"\bdid i (?:say|tell you|mention)(?: that)? (?:was|is|were|are)(?= my)"), "is"),
    (
        re.compile(
            r"\bwhat(?:'s| is| do you have| did you have) (?:stored|saved|listed|down|noted|recorded)?"
            r" ?(?:as|for|under)(?= my)"
        ),
        "tell me",
    ),
    (
        re.compile(
            r"\b(?:one more time|once again|real quick|for a second|one by one|best first|in full"
            r"|as a list|if you (?:can|remember|know)"
            r"|if possible|if you don't mind|if you would)\b"
        ),
        "please",
    ),
    (
        re.compile(
            r"\b(?:what|which) (?:did|have) i (?:say|said|tell you|told you|mention|mentioned|list|listed"
            r"|name|named"
            r"|give you|given you)(?: that| as| was| is| were| are)?\b(?= my)"
        ),
        "tell me",
    ),
    (re.compile(r"\b(?:no|nr)\. ?(?=\d)"), "number "),
    (re.compile(r"\b(?:any idea|wondering|curious)\b(?= (?:what|which))"), "tell me"),
    (re.compile(r"\bi(?:'m| am) (?=tell me)"), ""),
    (
        re.compile(
            r"\b(?:that |which )?(?:you )?(?:have|had|got|keep|kept)? ?(?:on (?:file|record)"
            r"|in (?:your )?memory)\b"
        ),
        "please",
    ),
    (
        re.compile(
            r"\b(?:that |which )?(?:i|i've|i have|i had|i'd) (?:already |just |previously |once )?"
            r"(?:told|gave|given|shared|mentioned|listed|said|stated|ranked|saved|stored)(?: to"
            r"| with)?(?: you)?"
            r"(?: about)?(?: earlier| before| already| yesterday| last time| last week| so far)?(?=$|[?.!,])"
        ),
        "please",
    ),
    (
        re.compile(
            r"\b(?:that )?you (?:have|had|'ve)? ?(?:stored|saved|remembered|recorded|noted)(?: for me)?\b"
        ),
        "please",
    ),
    (
        re.compile(
            r"\bfrom (?:what i (?:told|said to|gave) you|memory|best to worst|worst to best|first to last"
            r"|top to bottom)\b"
        ),
        "please",
    ),
    (re.compile(r"\b(?:in|from) (?:this|our|the) (?:chat|conversation|thread|session|project)\b"), "please"),
    (
        re.compile(
            r"\bin (?:order(?: of (?:rank|preference))?|ranked order)\b|\bby rank\b|\bin rank order\b"
        ),
        "please",
    ),
    (
        re.compile(
            r"\b(?:of all time|at the moment|as of (?:now|today)|these days|for me|to me|by the way"
            r"|quick question)\b"
        ),
        "please",
    ),
    (re.compile(r"\ball[ -]time\b"), "all-time"),
    (re.compile(r"\b(?:wait|just|hold on|hang on|give me|one|half) a (?:second|sec|minute|moment)\b"), "ok"),
    (re.compile(r"\b(?:one|just a|a quick|half a) (?:second|sec|minute|moment)\b(?=\s*[,.!-])"), "ok"),
    (re.compile(r"\bremind me (?:again )?of\b"), "remind me"),
    (
        re.compile(
            r"\bruns? (?:through|down)\b|\bgo (?:through|over)\b|\bpull up\b|\bbring up\b|\bspell out\b"
            r"|\blist (?:out|down)\b"
        ),
        "list",
    ),
)
"""Phrases that say nothing of their own here, each with the word that stands for it. All are linear."""

_R = "(?:k[dn]|kh|ok?|h)"
_RANK = rf"(?P<rank>{_R}(?:[,&]+{_R})*)"
_MY = "a*m[az]*"
_HEAD = "[TPen]?"
_LAST = f"p?a*(?:{_MY}f?[TP]?l|{_MY}Fl?|{_MY}[Pf][TPen]?|{_MY}l[pa]*f?[TPF]|a*l[pa]*{_MY}(?:f?[TP]|F))"
"""on my list, in my favorites, of my favorite colors."""
_NOUN_PHRASES = {
    "ordinal": (
        rf"(?:{_MY})?a*{_RANK}a*f(?:p?a*[TPen]|)",  # my second favorite color
        rf"(?:{_MY}|a*)f[TP][,]?p?a*{_RANK}",  # my favorite color #2
        rf"{_MY}F[,]?p?a*{_RANK}",
        rf"{_MY}{_RANK}a*[TP]l?",  # my third color
        rf"{_MY}(?P<rank2>k[dn]|kh|h)",  # my #2
        rf"a*{_RANK}a*{_HEAD}p?{_LAST}",  # the third color on my list
        rf"[TP]{_RANK}p{_LAST}",  # color #2 on my list
    ),
    "best": (rf"{_MY}f[Ten]?", rf"{_MY}tT", rf"{_MY}tf[Ten]?"),
    "slice": (
        rf"{_MY}(?:t|(?P<from>o))(?P<limit>[dn])a*f?(?:p?a*[TPenF]|)",  # my top three
        rf"{_MY}(?P<limit5>d)a*f(?:P|[Ten])",  # my three favorite colors
        r"a*t(?P<limit2>[dn])a*(?:f(?:[TPen]|)|F)",  # top 3 favorite colors
        rf"a*(?:t|(?P<from2>o))(?P<limit3>[dn])a*{_HEAD}p?{_LAST}",  # top 3 of my colors
        r"a*(?P<from3>o)(?P<limit4>[dn])f[TP]",
    ),
    "list": (
        rf"(?:{_MY}|a*)f(?:P|Tl|Pl)",  # my favorite colors
        rf"{_MY}F(?:p?a*[TP])?",
        rf"{_MY}t(?:f?P|F)",
        rf"{_MY}(?:P|f?[TP]l)l?",  # my colors, my crypto list
        rf"a*t?Pp{_MY}(?:f?[TP]?l|F)",  # the colors on my list
        rf"{_MY}l[pa]*(?:{_MY})?(?:f?[TP]|F)",
        rf"a*P(?:i[vcD]+u?)?b{_MY}F",  # the colors I told you are my favorites
        rf"a*l[pa]*(?:{_MY})?(?:f[TP]|F)",  # the list of my favorite colors
        rf"a*l[pa]*{_MY}(?:t?[TP]|t)",
    ),
}
_FRAME = r"(?:(?:[zw,&]|su?)*(?:c[wzua&p]*|l[w,a]*|q[az]*b?(?:su)?[az]*)+b?[az,]*)"
_TAIL = r"(?:(?:,?bq|,?qbz*|v)?[ba]?[,z.&w]*(?:sc?u?c?[z,.]*)?(?:p?z[z,.]*)?(?:cwz*)?[.,z]*)"
_WHOLE = {
    # which color is my second favorite; which crypto is number two on my list
    "ordinal": (
        rf"q[TPen]b(?:{_MY}|a*){_RANK}a*f[TPen]?",
        rf"q[TP]b{_MY}{_RANK}[en]?",
        rf"[pz]*a*p?{_MY}f?[TPF]l?,?q[TPen]*ba*{_RANK}[en]?",  # of my favorite colors, which is third
        rf"qa*[TPen]?bp?a*(?:v?p?)a*{_RANK}p{_LAST}",
        rf"q[pan]*{_MY}f?[TPF]b(?:v?p?)a*{_RANK}",  # which of my colors is third
        rf"q[TP][Ds]i[vclk]*[pa]*{_RANK}(?:p{_LAST})?",  # which color did I rank second
        rf"q[Ds]i[vclk]*[pa]*{_RANK}p{_LAST}",  # what did I rank second in my favorite colors
    ),
    "slice": (rf"q[dn]?[Pen]?b?p?{_MY}t(?P<limit6>[dn])f?[TPenF]?",),  # which colors are in my top three
    "best": (rf"q[Ten](?:cwp|b){_MY}f[Ten]?", rf"q[TP]b{_MY}f"),
    "list": (
        rf"q[Pen]b{_MY}(?:F|f[Pen]?)",
        rf"q[Pen]bp{_MY}(?:f?[TP]?l|F)",  # what colors are on my list
        rf"qb?pa*{_MY}(?:F|l[pa]*(?:{_MY})?f?[TPF]|f?[TP]l)",  # what is on my list of favorite colors
        r"q[az]*fP(?:[Ds]i?[vcD]?u?)",  # what favorite colors have I told you
    ),
}


@cache
def _forms() -> dict[str, list[Any]]:
    """The patterns of each thing that can be asked, on RE2: linear whatever the classes are."""
    made = {
        asked: [byte_pattern(f"(?P<frame>{_FRAME})?(?:{form}){_TAIL}") for form in forms]
        for asked, forms in _NOUN_PHRASES.items()
    }
    for asked, whole in _WHOLE.items():
        made[asked] += [byte_pattern(f"(?P<frame>[z,&uscw]*{form}){_TAIL}") for form in whole]
    return made


def route(text: str, topics: Topics) -> tuple[Request, ...]:
    """What a text asks of facts, in its order; nothing if it is a question for recall.

    Ordinals need a ranked context, lists a favourites word or a topic noun of one's own, and what is named
    must be a topic of the registry (S1.25–S1.28). Linear in the text, of which at most 600 characters are
    read.
    """
    low = text.lower()
    if len(text) > TEXT_MAX or not any(hint in low for hint in _HINTS):
        return ()
    low = low.replace("\u2019", "'").replace("\u2018", "'")
    for phrase, word in _PHRASES:
        low = phrase.sub(word, low)
    found: list[Request] = []
    for sentence in re.split(r"(?<=[.!?])\s+|\n+", low):
        words = words_of(sentence, topics)
        found += _asked(words)
    return tuple(dict.fromkeys(found))


def _asked(words: list[Word]) -> list[Request]:
    """What one sentence asks: as a whole, behind a comma, or by parts that are joined by "and"."""
    if sum(word.kind in "&," for word in words) > PARTS_MAX:
        return []
    whole = _parsed(words, bare=True)
    if whole:
        return whole
    several = _joined(words, bare=True)
    if several:
        return several
    for i, word in enumerate(words):  # Wait a second, what is my favorite color?
        if word.kind == ",":
            rest = _parsed(words[i + 1 :], bare=False) or _joined(words[i + 1 :], bare=False)
            if rest:
                return rest
    return _loosely(words)


def _loosely(words: list[Word]) -> list[Request]:
    """By the words alone, of the sentence or of what stands behind a comma."""
    for i in range(len(words)):
        if i == 0 or words[i - 1].kind == ",":
            read = read_loosely(words[i:])
            if read is not None and (i == 0 or words[i].kind in "qcl" or read[0] == "ordinal"):
                asked, topic, numbers = read
                if asked == "ordinal":
                    return [Request(Asked.ORDINAL, topic, rank) for rank in numbers]
                if asked == "best":
                    return [Request(Asked.BEST, topic, 1)]
                return [Request(Asked.LIST, topic, limit=numbers[0] if numbers else None)]
    return []


def _joined(words: list[Word], *, bare: bool) -> list[Request]:
    """Several requests: "my top 3 colors and my favorite candies". All parts must be understood."""
    found: list[Request] = []
    part: list[Word] = []
    kinds = "".join(word.kind for word in words)
    words = [word for i, word in enumerate(words) if kinds[i : i + 2] != ",&"]
    for word in [*words, Word("and", "&", 0, 0)]:
        if word.kind not in "&,":
            part.append(word)
            continue
        if part:
            one = _parsed(part, bare=bare or bool(found))
            if one:
                found += one
                part = []
            elif word.kind == "&" and word.start == word.end == 0:
                return []
            else:
                part.append(word)
    return [] if part else found


def _parsed(words: list[Word], *, bare: bool) -> list[Request]:
    kinds = "".join(word.kind for word in words).encode()
    for asked, forms in _forms().items():
        for form in forms:
            found = form.fullmatch(kinds)
            if found is not None and (bare or found.groupdict()[b"frame"]):
                made = list(_requests(asked, found, words))
                if made:
                    return made
    return []


def _requests(asked: str, found: Any, words: list[Word]) -> Iterator[Request]:
    index = found.re.groupindex.items()
    groups = {name.decode().rstrip("23456"): found.span(i) for name, i in index if found.group(i) is not None}
    named = [word.topic for word in words if word.topic is not None]
    longest = max((word for word in words if word.topic is not None), key=lambda w: len(w.text), default=None)
    topic = longest.topic.key if longest is not None and longest.topic is not None and named else None
    if asked == "ordinal":
        start, end = groups["rank"]
        for word in words[start:end]:
            rank = rank_of(word.text) if word.kind in "ohdn" else None
            if rank is not None:
                yield Request(Asked.ORDINAL, topic, rank)
    elif asked == "slice":
        if "from" in groups and words[groups["from"][0]].text not in ("first", "1st"):
            return
        limit = rank_of(words[groups["limit"][0]].text)
        if limit:
            yield Request(Asked.LIST, topic, limit=limit)
    elif asked == "best":
        yield Request(Asked.BEST, topic, 1)
    else:
        yield Request(Asked.LIST, topic)
