"""Reads a question about any topic: finds its nouns, registers them, and lets the router decide.

The router knows the words of questions and takes nouns from a registry. Here the registry gets the topics
that are stored, in the forms in which the question has them, and the noun after a word for favourites,
stored or not, so that a question about what is not stored is answered with that.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace

from holdfast.core.facts import QuestionType, Request
from holdfast.language.facts.german import in_english
from holdfast.language.facts.heads import topic_named
from holdfast.language.facts.lexicon import rank_named
from holdfast.language.facts.route import TEXT_MAX, route
from holdfast.language.facts.topics import DISLIKED, LIKED, Topic, Topics, stem_of

_WORD = re.compile(r"[^\W_]+(?:['’&.-][^\W_]+)*")
_MARKED = re.compile(
    r"\b(?:fav(?:ou?rite?s?|e?s?)|best[- ]loved|preferred)(?: (?:kind|type|sort|brand|piece)s?"
    r" of)? (?=[^\W\d])"
    r"|\b(?:my|top) (?:(?:list|ranking) of |top )?(?:\d{1,3}|two|three|four|five|six|seven"
    r"|eight|nine|ten) (?:favou?rite )?(?=[^\W\d])"
    r"|\bmy (?:list|ranking) of (?:favou?rite )?(?=[^\W\d])|\bmy top (?=[^\W\d])|\b(?:number"
    r"|no\.) (?:\d+|one|two|three|four|five) (?=[^\W\d])"
    r"|\b(?:which|what|whose) (?=[^\W\d]+(?: [^\W\d]+){0,3} (?:do|did) i (?:like|love|prefer"
    r"|enjoy|rank|put|rate|hate|dislike|avoid))"
)
_STOP = frozenset(
    "is are was were be do does did have has had i we you my me that which who what again please in on of for"
    " from at to by and or but if now then so far currently right list ranked ranking number one ones top"
    " first second third last ever with as it they them this these those there about than not can could would"
    " the a an s called named again best most least also today ist comes come goes according because since"
    " before after when".split()
)
_PREPOSITIONS = frozenset("in of for from at to on with im am aus von für".split())
_OWN = re.compile(r"\b(?:my|fav\w*)\b")
_GENERIC = frozenset({"things", "thing", "stuff", "favorites", "favourites", "ones"})
_AVERSIONS = [
    (re.compile(pattern), replacement)
    for pattern, replacement in (
        ((
            r"\b(?:my )?(?:most (?:hated|disliked)|least (?:liked|loved|preferred)|least"
            r" fav(?:ou?rite?s?|e?s?))\b"
        ), "my favorite"),
        ((
            r"\bi (?:dislike|hate|like|loathe|detest|despise|avoid|enjoy) (?:the )?(?:most|least"
            r"|worst)\b"
        ), "i like best"),
        ((
            r"\bi (?:really )?(?:dislike|hate|loathe|detest|despise|avoid|can't stand|cannot stand"
            r"|don't like|do not like)\b"
        ), "i like best"),
    )
]  # fmt: skip
_FOLLOW_UP = re.compile(
    r"^\W*(?:(?:and|ok|okay|so|then|what about|how about|now)[,:]? )*(?:(?:what|which|who)(?:'s"
    r"|’s| is| was| are| comes| one is| one was| one)? )?"
    r"(?:(?:in|at|on) )?(?:(?:the|my|is) )*(?P<rank>#\s?\d{1,3}|(?:number|no\.|spot|place"
    r"|position|rank) (?:\d{1,3}|one|two|three|four|five|six|seven|eight|nine|ten)"
    r"|first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|\d{1,3}(?:st|nd|rd|th)"
    r"|last)(?P<from_end> to last)?(?: (?:one|place|spot|on my list|on the list|in the list|of"
    r" them))*\W*$"
)
_ABOUT_LISTS = re.compile(r"\b(?:my|mine|fav\w*|i)\b")


@dataclass(frozen=True, slots=True)
class FactQuestion:
    """The requests of a question, and the registry with the topics that it names.

    A question that `refers` to a list without naming it, such as "and the third one?", is about facts only
    if the conversation is about one.
    """

    requests: tuple[Request, ...]
    topics: Topics
    refers: bool = False


_HINT = re.compile(
    r"\b(?:m[ye]|mine|i|fa\w{1,9}|number|position|spot|slot|place|top|mein\w*|ich|platz|rang"
    r"|nummer|liebling\w*|lieblings\w+|\w*liebste\w?"
    r"|first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|last|erste\w?|zweite\w?"
    r"|dritte\w?|vierte\w?|fünfte\w?|letzte\w?|\d{1,3}(?:st|nd|rd|th))\b|#\s?\d",
    re.IGNORECASE,
)


def may_ask(text: str) -> bool:
    """Returns whether a text may ask for a fact; fast, and never wrongly false."""
    return len(text) <= TEXT_MAX and bool(_HINT.search(text))


def requests_in(text: str, topics: Topics, stored_keys: Collection[str]) -> FactQuestion:
    """Returns the requests of a question. `stored_keys` are those of topics of which something is stored."""
    if len(text) > TEXT_MAX:
        return FactQuestion((), topics)
    english = in_english(text)
    low = (english or text.lower()).replace("’", "'")
    if english is not None and _SEVERAL.search(low):
        low = _several(low)
    rewritten = low
    for pattern, replacement in _AVERSIONS:
        rewritten = pattern.sub(replacement, rewritten)
    rewritten = re.sub(r"\bmy my\b", "my", rewritten)
    if rewritten != low:
        result = _routed(rewritten, topics, stored_keys, disliked=True)
        if english is not None and not re.search(r"\b(?:most|least|best)\b", low):
            result = replace(result, requests=tuple(map(_of_several, result.requests)))
        stems = {stem_of(key) for key in stored_keys}
        if result.requests and (
            "least" not in low or any(stem_of(request.topic or "_") in stems for request in result.requests)
        ):
            return result
    result = _routed(low, topics, stored_keys, disliked=False)
    if result.requests:
        is_bare = all(request.topic is None for request in result.requests)
        if is_bare and _SEVERAL_THINGS.search(low):
            result = replace(result, requests=tuple(map(_as_list_request, result.requests)))
        return replace(result, refers=is_bare and (not _ABOUT_LISTS.search(low) or _is_generic(low)))
    match = _FOLLOW_UP.match(low)
    if match is None:
        return result
    rank = rank_named(match["rank"]) or 1
    from_end = rank < 0 or bool(match["from_end"])
    request = Request(QuestionType.ORDINAL, None, abs(rank), from_end=from_end)
    return FactQuestion((request,), result.topics, refers=True)


_SEVERAL_THINGS = re.compile(r"\bfav\w* things\W*$")


def _as_list_request(request: Request) -> Request:
    """Returns the request for all that "my favorite things" are, in place of the first."""
    return (
        Request(QuestionType.LIST, request.topic) if request.question_type is QuestionType.BEST else request
    )


def _of_several(request: Request) -> Request:
    """Returns the request for a list where a German plural asks for several: "Welche Speisen hasse ich?"."""
    is_plural = request.question_type is QuestionType.BEST and (request.topic or "").endswith(("n", "s"))
    return Request(QuestionType.LIST, request.topic) if is_plural else request


_SEVERAL = re.compile(r"\b(?:list|are|how many|top|best (?:two|three|\d))\b")
_NOUN = re.compile(r"\b((?:favorite|top (?:\w+)|how many) )([^\W\d]{3,})\b")


def _several(low: str) -> str:
    """Returns a German question about several values with an English ending that says so."""
    return _NOUN.sub(lambda match: match[0] if match[2].endswith("s") else f"{match[0]}s", low)


def _is_generic(low: str) -> bool:
    return any(word in _GENERIC for word in _WORD.findall(low)[-3:]) and "rank" not in low


def _routed(low: str, topics: Topics, stored_keys: Collection[str], *, disliked: bool) -> FactQuestion:
    """Returns what the router makes of a question over the topics that it may name."""
    prefix = DISLIKED if disliked else LIKED
    registry = topics.known_with(_topics_named(low, topics, stored_keys, prefix))
    requests = route(low, registry)
    if not disliked:
        return FactQuestion(requests, registry)
    swapped = tuple(
        request
        if request.topic is None
        else replace(request, topic=DISLIKED + request.topic.removeprefix(LIKED))
        for request in requests
    )
    return FactQuestion(swapped, registry)


def _topics_named(low: str, topics: Topics, stored_keys: Collection[str], prefix: str) -> Iterable[Topic]:
    """Yields the topics that a question may name, in the words that it has for them."""
    words = [(match[0], match.start(), match.end()) for match in _WORD.finditer(low)]
    by_stem = {
        stem_of(LIKED + key.removeprefix(prefix)): key for key in stored_keys if key.startswith(prefix)
    }
    used: set[int] = set()
    for size in range(min(7, len(words)), 0, -1):
        for i in range(len(words) - size + 1):
            if used.intersection(range(i, i + size)):
                continue
            phrase = low[words[i][1] : words[i + size - 1][2]]
            is_noun = not (size == 1 and phrase in _STOP) and not _OWN.search(phrase)
            named = topics.about(phrase) if is_noun else None
            key = None if named is None else by_stem.get(stem_of(named.key))
            if key is None:
                continue
            used.update(range(i, i + size))
            topic = topics[LIKED + key.removeprefix(prefix)]
            if phrase not in topic.nouns:
                yield replace(topic, nouns=(phrase, *topic.nouns))
            else:
                yield topic
    for match in _MARKED.finditer(low):
        at = next((n for n, word in enumerate(words) if word[1] >= match.end()), None)
        if at is None or at in used:
            continue
        end = at
        while end < len(words) and end - at < 4 and words[end][0] not in _STOP and end not in used:
            if end > at and low[words[end - 1][2] : words[end][1]].strip():
                break
            end += 1
        if end == at or end in used:
            continue
        phrase = low[words[at][1] : words[end - 1][2]]
        marked_topic = None if phrase in _GENERIC else topic_named(phrase, topics)
        if marked_topic is not None:
            yield replace(marked_topic, nouns=tuple(dict.fromkeys((phrase, *marked_topic.nouns))))
