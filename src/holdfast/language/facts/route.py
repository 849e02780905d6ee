"""Decides which questions are answered from facts; everything doubtful goes to recall.

A text is read sentence by sentence. Each sentence is tried as a whole, then by the parts that "and" joins,
then after a comma, where a question often begins. Earlier sentences supply the topic: "I told you my favorite
color. What was it?"
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from holdfast.core.facts import QuestionType, Request
from holdfast.language.facts.clauses import adds_nothing, answers, cuts, ends, forgets, is_quoted, leads
from holdfast.language.facts.phrases import read_words
from holdfast.language.facts.question import read
from holdfast.language.facts.topics import Topics
from holdfast.language.facts.words import Word

TEXT_MAX = 600
"""Characters; longer texts are not plain questions and go to recall."""
PARTS_MAX = 20
"""Most commas, dashes and "and"s of one sentence, since every way to divide it there is tried."""

_HINT = re.compile(r"\b(?:m[ye]|mine|i|i've|fa\w{1,9}|number|position|spot|slot)\b|#\d")
"""What every question for facts has: oneself, a favourite or a rank."""
_SENTENCE = re.compile(r"(?<=[.!?])(?<!\bno\.)(?<!\bnr\.)\s+|\n+")
_ECHO = re.compile(
    r"[z,&]*(?:(?:su)?[cw][wz]*)?(?:q[en]?z*b[zwb]*(?:a[en]?)?|q[en]?[zw]*|qc|q[en]?D?i[vcuz]+[pa]*z*b?"
    r"|q[sD][zu]+[Dv]*[zb]*)?[.z,]*"
)
"""Questions that refer to something named earlier, as classes of words (`words` lists them): "what is it?",
"can you tell me?"."""
_THING = re.compile(r"(?<=m)[az]*(?:k?[odh]k?a*)?f[az]*[TPe]?|(?<=m)a*Pl?")
"""What such a question may refer to, after "my": "second favorite color", "books"."""
_FAVOURITE = re.compile(r"(?:k?[odh]k?a*)?f[az]*[TP]")
"""The same, where "I" was said instead of "my": "I told you a favorite color"."""
_PRONOUNS = frozenset("it that this those these they them".split())
_OTHERS = frozenset("him her them".split())
_OF = frozenset("of to than like by behind near with from".split())


def route(text: str, topics: Topics) -> tuple[Request, ...]:
    """Returns the requests for facts in a text, in order; empty if recall should answer.

    Ordinals need a ranked context, lists need a word for favourites or one's own topic, and every named topic
    must be in the registry. Linear in the text, of which at most 600 characters are read.
    """
    low = text.lower()
    if len(text) > TEXT_MAX or not _HINT.search(low):
        return ()
    requests: list[Request] = []
    before: list[Word] = []
    last: list[Word] = []
    for sentence in _SENTENCE.split(low):
        words = _pronouns(read_words(sentence, topics))
        if words and words[0].text in _SUPPOSING:
            return ()
        new = _requests_of(words, before)
        if last and not new:
            new = _the_same(_behind_and(words), last)
            if not new and answers(words, last):
                requests = []
        if new and (words[0].text in _CORRECTING or _goes_on(words, last, requests, new)):
            requests = []
        requests += new
        last = words if new else []
        before += words
    return tuple(dict.fromkeys(requests))


_SUPPOSING = frozenset("suppose supposing imagine pretend assume assuming".split())


def _goes_on(words: list[Word], last: list[Word], requests: list[Request], new: list[Request]) -> bool:
    """Returns whether a list was named only to ask about it: "Remember my list of books? What's third?"."""
    if (
        len(requests) != 1
        or requests[0].question_type is not QuestionType.LIST
        or new[0].topic != requests[0].topic
    ):
        return False
    if any(word.topic is not None for word in words) or not any(word.kind in "qcH" for word in words):
        return False
    return all(word.kind not in "qcH" or word.text in _KNOWING for word in last)


_KNOWING = frozenset("remember recall know".split()) | {
    f"{opening}{verb}" for opening in ("you ", "do you ") for verb in ("remember", "recall", "know", "have")
}


def _pronouns(words: list[Word]) -> list[Word]:
    """Reclassifies "her" and "they" at the end of a bare question: "can you tell her?", "who are they?"."""
    for i, word in enumerate(words):
        if i and (i + 1 == len(words) or words[i + 1].kind in ".,z"):
            if word.text in _OTHERS and words[i - 1].kind == "c":
                words[i] = replace(word, kind="w")
            elif word.text == "they" and words[i - 1].kind == "b":
                words[i] = replace(word, kind="z")
    return words


def _requests_of(words: list[Word], before: list[Word]) -> list[Request]:
    """Returns the requests of one sentence: as a whole, by parts, between clauses, or with earlier
    context."""
    if sum(word.kind in "&," for word in words) > PARTS_MAX:
        return []
    stops = ends(words)
    requests = _understood(words, before)
    for end in stops if not requests else ():
        if adds_nothing(words[:end], words[end:]) and (requests := _understood(words[:end], before)):
            return requests
    if requests:
        return requests
    for start in cuts(words):  # Wait a second, what is my favorite color?
        rest = words[start:]
        if not _begins(rest):
            continue
        for end in (len(words), *(stop for stop in stops if stop > start)):
            inner = words[start:end]
            if end < len(words) and not adds_nothing(inner, words[end:]):
                continue
            requests = _understood(inner, [*before, *words[:start]])
            if requests and leads(words[:start], inner):
                return requests
    return []


def _understood(words: list[Word], before: list[Word]) -> list[Request]:
    """Returns the requests of words as a whole or by parts; none if any word has no class."""
    if any(word.kind in "xy" for word in words):
        return []
    if _ANOTHER.search("".join(word.kind for word in words)) and (requests := _joined(words)):
        return requests
    return _parsed(words, before) or _joined(words)


_ANOTHER = re.compile("[a-zA-Z][,.]*&[&,z]*[qH]")
"""A second question: "and which is"."""


def _begins(words: Sequence[Word]) -> bool:
    """Returns whether a question may begin here: with a question word, a command or a rank."""
    kinds = "".join(word.kind for word in words).lstrip("z&,")
    return bool(re.match("[qclsHodhktfn]|a*[ohkLt]|p?a*q|m", kinds))


def _parsed(words: Sequence[Word], before: Sequence[Word]) -> list[Request]:
    """Returns the requests of words, alone or with a topic from the preceding words."""
    requests = read(words)
    named = {word.topic.key for word in words if word.topic is not None}
    if named or not before:
        return requests
    spoken = _mentioned_topics(before)
    if len(spoken) == 1:
        kinds = "".join(word.kind for word in before)
        owned = "m" in kinds or ("i" in kinds and ("v" in kinds or "f" in kinds))
        with_topic = read(words, topic=next(iter(spoken)), owned=owned)
        if with_topic:
            return with_topic
    return requests or _echoed(words, before)


def _mentioned_topics(before: Sequence[Word]) -> set[str]:
    """Returns the keys of the topics mentioned: one's own if there are any, never somebody else's."""
    mine: set[str] = set()
    others: set[str] = set()
    for i, word in enumerate(before):
        if word.topic is None:
            continue
        preceding = before[max(i - 4, 0) : i]
        if any(nearby.kind == "y" for nearby in preceding):
            continue
        (mine if any(nearby.kind in "mf" for nearby in preceding[-3:]) else others).add(word.topic.key)
    return mine or others


def _echoed(words: Sequence[Word], before: Sequence[Word]) -> list[Request]:
    """Returns the requests of "What is it?", which asks for something named earlier."""
    kinds = "".join(word.kind for word in words)
    texts = {word.text for word in words}
    if not re.search("[qc]", kinds) or not _ECHO.fullmatch(kinds) or not texts.isdisjoint(("will", "next")):
        return []
    if "what" in texts and not re.search("[iu]|qc|qD", kinds) and not texts & _PRONOUNS:
        return []
    if before and not leads(before, words):
        return []
    for start in range(max(len(before) - _ECHO_MAX, 0), len(before)):  # slot 4 of my list? What is it?
        if before[start].kind not in _STARTS or is_quoted(before[:start]):
            continue
        if texts & _WAS and not any(word.kind in _LISTED for word in before[start:]):
            continue  # my first two cars, what were they?
        starts = _stands_free(before, start) and _is_named(before, start)
        asks = starts and ("q" in kinds + before[start].kind or _is_requested(before, start))
        if asks and (requests := read(before[start:])):
            return requests
    if texts & _OTHERS or (
        "q" not in kinds and forgets(words) and any(word.kind in "xvcs" for word in before)
    ):
        return []
    spoken_kinds = "".join(word.kind for word in before)
    forms = _FAVOURITE if "i" in kinds + spoken_kinds else _THING
    things = [
        read([_MINE, *before[match.start() : match.end()]])
        for match in forms.finditer(spoken_kinds)
        if _stands_free(before, match.start())
        and _is_named(before, match.start(), match.end())
        and ("q" in kinds or _is_requested(before, match.start()))
    ]
    several = bool(texts & _SEVERAL) and len(things) > 1
    return [request for thing in things for request in thing] if several else things[-1] if things else []


def _stands_free(before: Sequence[Word], start: int) -> bool:
    """Returns whether the thing named is one's own and the thing itself: not "the price of my favorite
    book"."""
    if start and before[start].kind not in "mq" and before[start - 1].kind == "m":
        start -= 1
    prior = before[start - 1] if start else None
    if prior is None or prior.kind in ",.&":
        return True
    is_own = before[start].kind in "mq"
    if start > 1 and prior.text == "a" and before[start - 2].text in ("there", "have"):
        return True
    if prior.kind == "y" or (prior.kind in "xa" and not is_own):
        return False
    return prior.text not in _OF or start < 2 or before[start - 2].kind in "blzv,i"


def _is_requested(before: Sequence[Word], start: int) -> bool:
    """Returns whether a thing was mentioned as wanted, so that "can you tell me?" refers to it."""
    while start and before[start - 1].kind in "maz":
        start -= 1
    if start and before[start - 1].text == "for":
        start -= 1
    prior = before[start - 1] if start else None
    return prior is None or prior.kind in ",.&uzcD" or prior.text in _WANTING


_WANTING = frozenset(
    "need needs needed want wants wanted ask asks asked asking mentioned wondering about".split()
)


def _is_named(before: Sequence[Word], start: int, end: int | None = None) -> bool:
    """Returns whether a thing is only mentioned in its sentence, and nothing is said or asked about it."""
    first = max((i + 1 for i in range(start) if before[i].kind == "."), default=0)
    opening = before[first:start]
    is_yes_or_no = bool(opening) and opening[0].kind == "b" and "there" not in [word.text for word in opening]
    if is_yes_or_no or any(word.kind in "qH" or word.text in _ABOUT for word in opening):
        return False
    if end is None:
        return True
    after = before[end : end + 2]
    return (
        not after
        or after[0].kind not in "xyTPbDs"
        or (after[0].kind == "b" and (len(after) < 2 or after[1].kind in ",."))
    )


_WAS = frozenset({"was", "were"})
_LISTED = frozenset("fFlkthei")
_ABOUT = frozenset("where how why".split())
_ECHO_MAX = 20
"""Most words before "what is it?" that are searched for the thing."""
_STARTS = frozenset("qmkohdtfL")
_SEVERAL = frozenset("those them these they".split())
_MINE = Word("my", "m", 0, 0)


def _joined(words: Sequence[Word]) -> list[Request]:
    """Returns the requests of joined parts: "my top 3 colors and my favorite candies".

    All parts must be understood. A part that is only a noun asks the same about another topic. Corrected
    parts are dropped.
    """
    requests: list[Request] = []
    part: list[Word] = []
    last: list[Word] = []
    corrects = False
    kinds = "".join(word.kind for word in words)
    words = [word for i, word in enumerate(words) if kinds[i : i + 2] != ",&"]
    for word in [*words, _END]:
        if word.kind not in "&,":
            part.append(word)
            continue
        corrects = corrects or any(p.text in _CORRECTING for p in part[:2])
        if not part or (requests and all(p.kind in "z.k" for p in part)):
            part = []
            continue
        is_mine = "m" in kinds and not any(p.kind in "mi" for p in part)
        own = read([_MINE, *part] if is_mine and (requests or part[0].kind == "f") else part)
        is_noun = bool(last) and all(p.kind in "azTP." for p in part)
        if own and all(request.topic is None for request in own):
            own = _of_it(part, requests) or own
        again = _the_same(part, last) if is_noun or not own else []
        own = [] if again else own
        new = again or own or _of_it(part, requests)
        if new:
            is_header = not own and bool(last) and requests[-1].topic is None  # my favorites: color and food
            requests = new if corrects or is_header else [*requests, *new]
            last, part, corrects = (part if own else last), [], False
        elif word is _END:
            return []
        else:
            part.append(word)
    return [] if part else requests


def _of_it(part: Sequence[Word], requests: Sequence[Request]) -> list[Request]:
    """Returns the requests of a question that continues another: "how many are there, and which is
    first?"."""
    asks = any(word.kind in "qcH" for word in part) and not any(word.topic is not None for word in part)
    return (
        read(part, topic=requests[-1].topic, owned=True) if asks and requests and requests[-1].topic else []
    )


_END = Word("", "&", 0, 0)
_CORRECTING = frozenset({"sorry", "no", "rather", "i mean"})


def _behind_and(words: Sequence[Word]) -> Sequence[Word]:
    """Returns the words after an opening "and" or "what about"."""
    texts = [word.text for word in words[:3]]
    start = 1 if texts[:1] == ["and"] else 0
    if texts[start : start + 2] in (["what", "about"], ["how", "about"]):
        start += 2
    return words[start:] if start else ()


def _the_same(part: Sequence[Word], last: Sequence[Word]) -> list[Request]:
    """Returns the requests of a bare noun after a question: "my favorite color, food and animal"."""
    nouns = [word for word in part if word.topic is not None]
    if len(nouns) != 1 or any(word.kind not in "aTPz.f" for word in part):
        return []
    if nouns[0].kind == "T" and "F" in {word.kind for word in last}:
        return read([_MINE, Word("favorite", "f", 0, 0), nouns[0]])
    return read([replace(nouns[0], kind=word.kind) if word.topic is not None else word for word in last])
