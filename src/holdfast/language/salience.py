"""Choice of the turns that summarise a conversation: what is rare, dated, named and stated in it."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence

from holdfast.language.terms import STOP_WORDS

DATED, NAMED, STATED, ASKED = 5.0, 2.0, 2.0, 3.0
"""Worth of a number or time, a name and a statement about oneself beside that of rare words, and the cost of
a question; chosen on conversations with questions whose evidence is known (docs/context.md)."""
WORDS_MIN = 3
"""Words that a turn needs to say anything."""
NOVELTY = 0.5
"""Share of its worth that a turn loses if it has the words of one that was chosen already."""
_WORD = re.compile(r"[^\W_]{2,}|[぀-ヿ一-鿿]")
_SENTENCE = re.compile(r"(?<=[.!?])\s+|(?<=[。！？])")
_DATED = re.compile(
    r"\d+|\b(?:yesterday|today|tonight|tomorrow|last|next|week|month|year|ago|since|(?:mon|tues|wednes|thurs|fri|satur"
    r"|sun)day|gestern|heute|morgen|letzte[nrs]?|nächste[nrs]?|woche|monat|jahr|seit|(?:mon|diens|donners|frei|sams"
    r"|sonn)tag|mittwoch)s?\b",
    re.IGNORECASE,
)
_NAMED = re.compile(r"(?<=[a-zà-ÿ,] )[A-ZÀ-Þ][a-zà-ÿ]+")
_OWN = re.compile(r"\b(?:I|I['’]m|I['’]ve|my|me|we|we['’]re|our|ich|mein\w*|mir|mich|wir|unser\w*)\b")


def salient(turns: Sequence[str], count: int) -> list[int]:
    """Returns the indexes of the turns that say most, at most `count`, in the order of the conversation."""
    words = [frozenset(_WORD.findall(turn.casefold())) - STOP_WORDS for turn in turns]
    frequencies = Counter(word for turn in words for word in turn)
    worth = [_worth(turn, words[i], frequencies, len(turns)) for i, turn in enumerate(turns)]
    likeness = [0.0] * len(turns)
    left = {i for i, turn in enumerate(words) if len(turn) >= WORDS_MIN}
    chosen: list[int] = []
    while left and len(chosen) < count:
        best = max(left, key=lambda i: (worth[i] * (1 - NOVELTY * likeness[i]), i))
        left = {i for i in left if words[i] != words[best]}
        chosen.append(best)
        for i in left:
            union = len(words[i] | words[best])
            likeness[i] = max(likeness[i], len(words[i] & words[best]) / union if union else 0.0)
    return sorted(chosen)


def _worth(turn: str, words: frozenset[str], frequencies: Counter[str], count: int) -> float:
    rare = math.fsum(math.log((count + 1) / frequencies[word]) for word in sorted(words))
    questions: int = sum(part.rstrip().endswith("?") for part in _SENTENCE.split(turn))
    dated, named, own = (len(pattern.findall(turn)) for pattern in (_DATED, _NAMED, _OWN))
    return rare + DATED * dated + NAMED * named + STATED * own - ASKED * questions
