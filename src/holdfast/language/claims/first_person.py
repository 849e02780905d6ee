"""English clauses of the first person, and further verbs joined to them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from holdfast.core.claims import Claim
from holdfast.language.claims import english as en
from holdfast.language.claims.clauses import COVER
from holdfast.language.claims.values import WORD, VerbPhrase, end_of, forms
from holdfast.language.claims.verb_phrases import phrase

SUBJECT = re.compile(r"(?<![\w'])(?:I|i|We|we)(?=['\s])(?!')|(?<![\w'])(?:I|i|We|we)(?='(?:m|ve|ll|d|re)\b)")
LEFT = re.compile(
    r"(?:^|[,.;:!?()\n–—*•"
    + COVER
    + r"]|\s-|(?:^|\s)(?:and|but|so|because|since|as|that|though|although|while|plus|now|actually|also|well|btw|hi|hello|hey|yes|yeah|no|ok|okay|currently|honestly|personally|unfortunately|luckily|sadly|recently|lately|nowadays|after|once|then|usually|normally|sometimes|often|by the way|fyi|update|today|yesterday|tomorrow|ago|still|anyway|i think|whereas|even|where|when|before|why|too|weekend|week|month|year|morning|evening|night|days?|summer|winter|spring|autumn|fall|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|january|february|march|april|may|june|july|august|september|october|november|december|\d{4}|school|again|background|context|reference|record))\s*$",
    re.IGNORECASE,
)
FRONTED = re.compile(
    r"(?:^|[,.;:!?(–—]|\b(?:and|but|so))\s*(?:(?:well|so|and|but|also|ever|only|even|just) )*(?:since|after|during|in|at|on|for|every|last|next|this|until|as|with|thanks to|because of|despite|besides|apart from|between|around|by|before|outside|these|most|some|once|twice|three|from) [^,.;!?]{2,45}$",
    re.IGNORECASE,
)
LEFT_NO = re.compile(r"\b(?:when|before|where|why)\s*$", re.IGNORECASE)


def clauses_of(text: str, start: int, after: int) -> Iterator[Claim]:
    """Yields what a clause says whose subject is the speaker, and further verbs joined to it."""
    end = end_of(text, after)
    state = VerbPhrase()
    words = list(WORD.finditer(text, after, end))
    yield from phrase(text, start, words, 0, end, state)
    for joint in re.finditer(r"(?:,| and| but|, and|, but) (?=(?P<w>[a-z']+))", text[after:]):
        position = after + joint.end()
        if position >= len(text) or SUBJECT.match(text, position):
            break
        word = joint["w"]
        verb = forms().get(word)
        if word in (
            "have",
            "am",
            "don't",
            "never",
            "also",
            "no",
            "used",
            "can",
            "can't",
            "now",
            "recently",
            "really",
            "currently",
            "just",
            "still",
        ) or (verb and verb[1] in ("present", "past") and verb[0] in (*en.LEMMAS, *en.HOBBIES)):
            if state.planned or (word == "have" and state.can):
                break
            stop = end_of(text, position)
            yield from phrase(
                text, position, list(WORD.finditer(text, position, stop)), 0, stop, VerbPhrase()
            )
