"""Comparison of a statement with the quotation that is to support it, by rules and without a model.

A statement is supported if it says what one whole clause of the quoted message says, word for word, but for
who speaks ("I live in Porto": "The user lives in Porto"). What a clause leaves open (questions, conditions,
hearsay, quotations), what goes on after it ("but not really"), and parts of a clause support nothing.
English and German.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import StrEnum
from itertools import zip_longest

from holdfast.language.statements.words import words

QUOTE_MIN, QUOTE_MAX = 6, 500
"""Characters of a quotation."""


class Unsupported(StrEnum):
    """The reasons for which a quotation does not support a statement."""

    QUOTATION = "quotation"
    """The source does not contain it."""
    SPEAKER = "speaker"
    """Somebody else says it, or says it of somebody else."""
    NUMBER = "number"
    """A number that the clause does not say."""
    NAME = "name"
    """A name that the clause does not say."""
    NEGATION = "negation"
    """The one denies what the other states."""
    CONTEXT = "context"
    """A question, a condition, hearsay, a quotation, or something taken back."""
    WORDS = "words"
    """Other words, or not the whole clause."""


_FIRST = words(
    """
    i me my mine myself we us our ours ourselves ich mich mir mein meine meinen meinem meiner wir uns unser
    unsere unseren unserem
    """
)
_THIRD = words(
    """
    he him his she her hers they them their theirs er ihn ihm sie ihr ihre ihren ihrem ihrer sein seine seinen
    seinem seiner
    """
)
_USER = words("user nutzer nutzerin user's nutzers speaker person")
_ASSISTANT = words("assistant assistant's assistent")
_ARTICLES = words("a an the")
_OF_USER = re.compile(r"\b(?:der|die|des|dem|den)\s+(?=nutzer)", re.IGNORECASE)
_NOT = words(
    "not no never neither nor none nobody nothing without nicht kein keine keinen keinem nie niemals ohne"
)
_SAME = {"am": "be", "is": "be", "are": "be", "bin": "ist", "sind": "ist", "have": "have", "has": "have",
         "habe": "hat", "haben": "hat", "do": "do", "does": "do", "was": "was", "were": "was"}  # fmt: skip
_SPELLED = (
    ("can't", "can not"), ("cannot", "can not"), ("won't", "will not"), ("n't", " not"), ("i'm", "i am"),
    ("'re", " are"), ("'ve", " have"), ("'ll", " will"),
)  # fmt: skip
_WORD = re.compile(r"[^\W_]+(?:[.,:/-][^\W_]+)*(?:'[^\W\d_]+)?|[%€$£]")
_SENTENCE_END = re.compile(r"(?<=[.!?。！？…])[\"')\]]*\s+|\n+")
_CLAUSE_END = re.compile(
    r"\s*[;–—]\s*|,?\s+(?:and|but|so|because|und|aber|weil|denn)\s+(?=(?:i|i'm|i've|we|my|our|ich|wir|mein\w*)\b)",
    re.IGNORECASE,
)
_ADDITION = r",?\s+(?:and|because|since|so|which|und|weil|denn|da)\b"
_MAY_FOLLOW = re.compile(rf"[\s.!)]*$|\s*[;–—]|{_ADDITION}", re.IGNORECASE)
_LEAD = re.compile(
    r"(?:[-*•]\s+|(?:hi|hello|hey|well|ok|okay|yes|yeah|so|also|and|actually|honestly|btw|by the way|fyi"
    r"|please note that|remember that|note that|hallo|ja|übrigens|und)\b[\s,:!.]*)+",
    re.IGNORECASE,
)
_OPEN = re.compile(
    r"\?|？|[\"“”„«»`]|\b(?:if|unless|whether|when|would|could|might|maybe|perhaps|suppose|imagine|pretend"
    r"|said|says|say|heard|told|tells|think|thinks|believe|guess|reportedly|apparently|allegedly|kidding"
    r"|joking|joke|wenn|falls|ob|würde|könnte|vielleicht|angeblich|sagt|sagte|meint|meinte|glaube|glaubt"
    r"|stell dir vor|scherz)\b",
    re.IGNORECASE,
)
_TAKEN_BACK = re.compile(
    r"[\s\"')\]]*(?:\(?(?:just |only )?(?:kidding|joking)|not!?(?:\W|$)|nope|no[,.! ]|wait|sike|lol|haha"
    r"|scherz|spaß|nein)",
    re.IGNORECASE,
)


def unsupported(
    statement: str, quote: str, source: str, *, role: str, speaker: str | None = None
) -> Unsupported | None:
    """Returns why a quotation of a message does not support a statement; None if it does.

    `role` is that of who wrote the message, `speaker` the name, by which the statement may call them.
    """
    quote, source = _plain(quote), _plain(source)
    places = [match.start() for match in re.finditer(re.escape(quote), source)] if quote.strip() else []
    if not QUOTE_MIN <= len(quote) <= QUOTE_MAX or not places:
        return Unsupported.QUOTATION
    for place in places:
        why = _why(statement, source, place, place + len(quote), role, speaker)
        if why is not None:
            return why
    return None


def _why(
    statement: str, source: str, start: int, end: int, role: str, speaker: str | None
) -> Unsupported | None:
    """Returns why a quotation at this place does not support a statement; None if a whole clause there says
    it. Of several clauses, the last gives the reason."""
    sentence_start, sentence_end = sentences_around(source, start, end)
    sentence = source[sentence_start:sentence_end]
    line = source[source.rfind("\n", 0, start) + 1 : start].lstrip()
    if _OPEN.search(sentence) or _TAKEN_BACK.match(source, sentence_end) or line.startswith(">"):
        return Unsupported.CONTEXT
    tokens = _tokens(statement)
    nearest = Unsupported.WORDS
    for first, last in _clauses(sentence):
        if sentence_start + last <= start or sentence_start + first >= end:
            continue
        clause = _tokens(sentence[first:last])
        why = _compare(tokens, clause, role, speaker)
        if why is None:
            return None if _may_follow(sentence, last) else Unsupported.CONTEXT
        nearest = why
    return nearest


def _may_follow(sentence: str, end: int) -> bool:
    """Returns whether what follows a clause leaves it as it is: nothing, an addition, or another clause that
    denies nothing."""
    if _MAY_FOLLOW.match(sentence, end):
        return True
    follows = _CLAUSE_END.match(sentence, end) is not None
    return follows and not _NOT.intersection(map(str.lower, _tokens(sentence[end:])))


def _plain(text: str) -> str:
    text = text.translate({0x2019: "'", 0x2018: "'", 0x00A0: " "})
    return re.sub(r"[ \t]+", " ", text).strip()


def sentences_around(source: str, start: int, end: int) -> tuple[int, int]:
    """Returns the range of the sentences that a quotation lies in."""
    cuts = [(0, 0), *((match.start(), match.end()) for match in _SENTENCE_END.finditer(source))]
    first = max(stop for _, stop in cuts if stop <= start)
    last = min((begin for begin, _ in cuts if begin >= end), default=len(source))
    return first, last


def _clauses(sentence: str) -> Iterator[tuple[int, int]]:
    """Yields the ranges of what may be a whole clause: from one end of a clause to a later one, or up to what
    only adds to it."""
    begins = [0, *(match.end() for match in _CLAUSE_END.finditer(sentence))]
    ends = {match.start() for match in _CLAUSE_END.finditer(sentence)} | {len(sentence)}
    ends |= {match.start() for match in re.finditer(_ADDITION, sentence)}
    for begin in begins:
        lead = _LEAD.match(sentence, begin)
        for start in {begin, lead.end() if lead else begin}:
            yield from ((start, end) for end in sorted(ends) if end > start)


def _tokens(text: str) -> list[str]:
    """Returns the words of a text in a comparable form, without articles. Numbers and names stay exact."""
    text = _OF_USER.sub("", _plain(text))
    for short, full in _SPELLED:
        text = re.sub(re.escape(short), full, text, flags=re.IGNORECASE)
    return [word for word in _WORD.findall(text) if word.lower() not in _ARTICLES]


def _compare(statement: list[str], clause: list[str], role: str, speaker: str | None) -> Unsupported | None:
    """Returns why a clause does not say what a statement says; None if it does. For the first person the
    statement may have the user, the assistant or the speaker's name, and then a pronoun."""
    own = frozenset((speaker or "").lower().split())
    is_named = False
    for ours, theirs in zip_longest(statement, clause, fillvalue=""):
        a, b = ours.lower(), theirs.lower()
        base = a.removesuffix("'s")
        if b in _FIRST:
            if role == "user" and (base in _USER or base in own):
                is_named = True
                continue
            if role == "assistant" and base in _ASSISTANT:
                is_named = True
                continue
            if a in _FIRST and role == "user" and not is_named:
                continue
            if a in _THIRD and is_named:
                continue
            return Unsupported.SPEAKER
        if base in _USER or base in _ASSISTANT:
            return Unsupported.SPEAKER
        if not _agree(ours, theirs):
            return _difference(statement, clause)
    return None if statement else Unsupported.WORDS


def _agree(ours: str, theirs: str) -> bool:
    """Returns whether a word is another one, at most in the form of another person ("live": "lives")."""
    a, b = ours.lower(), theirs.lower()
    if a == b or (a in _SAME and _SAME.get(a) == _SAME.get(b)):
        return True
    if not b or not b.isalpha() or theirs[:1].isupper():
        return False
    changed = {"y": f"{b[:-1]}ies", "e": f"{b[:-1]}t"}.get(b[-1])
    return a in (f"{b}s", f"{b}es", f"{b}t", changed)


def _difference(statement: list[str], clause: list[str]) -> Unsupported:
    """Returns what differs most seriously: a number that only the statement has, a negation that only one
    has, a name, else the words."""
    ours, theirs = {word.lower() for word in statement}, {word.lower() for word in clause}
    more = ours - theirs
    if any(char.isdigit() for word in more for char in word):
        return Unsupported.NUMBER
    if bool(ours & _NOT) != bool(theirs & _NOT):
        return Unsupported.NEGATION
    if any(word[:1].isupper() and word.lower() in more - _USER - _ASSISTANT for word in statement[1:]):
        return Unsupported.NAME
    return Unsupported.WORDS
