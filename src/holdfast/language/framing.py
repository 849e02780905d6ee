"""The frame of a question: words about the conversation and not about its matter, such as "remind me what".

They are in other texts as well, and would draw these instead of what is asked for. English; a question in
another language is taken as it is.
"""

from __future__ import annotations

import re
from functools import cache

LEFT_MIN = 2
"""Minimum number of words that a question has without its frame; one that is all frame is taken whole."""

_SAID = (
    r"(?:mention(?:ed)?|bring up|brought up|discuss(?:ed)?|talk(?:ed)? about|told you|tell you|said|say"
    r"|ask(?:ed)? about|asked)"
)
_OF_TALK = (
    r"\(?\bmention(?:ing)? (?:only )?(?:and )?(?:only )?[\w-]+ (?:items?|points?|things?|topics?)\b"
    r"(?: in order)?\)?"
    r"|\b(?:can|could|would|will) you (?:please )?(?:help me )?(?:list|walk me through|give me|tell me"
    r"|remind me(?: of| about)?|recap|summari[sz]e|describe)\b"
    r"|\bthe order in which\b"
    rf"|\b(?:did I|did we|I|we)(?: first| ever)? {_SAID}\b"
    r"|\b(?:throughout|across|in|during|over) (?:all )?(?:of )?(?:our|my|the|these) (?:\w+ )?"
    r"(?:conversations?|chats?|discussions?|sessions?|messages|queries)\b"
)
"""What only a question about what was said has."""
_BESIDE = (
    r"\b(?:an? )?(?:\w+ )?(?:summary|overview|recap|list) of\b"
    r"|\bin (?:chronological )?order\b(?! (?:to|that|for)\b)"
    r"|\bdifferent (?:aspects|parts|concepts|topics)(?: of| related to)?\b"
    r"|\bover time\b"
)
"""What such a question has besides; elsewhere these may be its matter, as in "sort a list of tuples"."""


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    """Compiles a pattern on first use."""
    return re.compile(pattern, re.IGNORECASE)


def without_frame(question: str) -> str:
    """Returns a question about what was said without its frame, and any other as it is."""
    if not _compiled(_OF_TALK).search(question):
        return question
    left = _compiled(f"{_OF_TALK}|{_BESIDE}").sub(" ", question)
    left = " ".join(left.split()).strip(" ,.?")
    return left if len(left.split()) >= LEFT_MIN else question
