"""Reads claims from a message: sentences, then the frames of both languages."""

from __future__ import annotations

import re

from holdfast.core.claims import Claim
from holdfast.language.claims.clauses import MESSAGE_MAX, sentences

_TRIGGER = re.compile(r"\b(?:i|i'm|i've|my|we|our|ich|mein\w*|mir|mich|wir|unser\w*)\b", re.IGNORECASE)

_VALUE = (
    r"(?P<v>[^\W_][^,.;!?()\n\ue000]{0,80}?)(?=[,.;!?()\n]|$| (?:and|but|because|so|since|und|aber|weil) )"
)
_FRAMES = tuple(
    (type, attribute, re.compile(f"(?:{pattern}){_VALUE}", re.IGNORECASE))
    for type, attribute, pattern in (
        ("who", "name", r"\b(?:my name is|ich heiße|mein name ist) "),
        ("origin_and_home", "lives_in", r"\b(?:i|we) (?:now )?live in |\b(?:i|we)(?:'ve| have)? moved to "),
        ("origin_and_home", "lives_in", r"\bich (?:wohne|lebe) (?:jetzt )?in "),
        ("health", "allergy", r"\bi'?\s?a?m allergic to |\bich bin allergisch gegen "),
        ("work", "employer", r"\bi work (?:at|for) |\bich arbeite (?:bei|für) "),
    )
)


def claims_in(text: str) -> tuple[Claim, ...]:
    """Returns what a message states about its author, in order."""
    if len(text) > MESSAGE_MAX or _TRIGGER.search(text) is None:
        return ()
    found = []
    for span in sentences(text):
        for type, attribute, pattern in _FRAMES:
            for match in pattern.finditer(span.text):
                start, end = span.start + match.start(), span.start + match.end()
                found.append(
                    Claim(
                        type, attribute, match["v"].strip(), start=start, end=end,
                        changes="moved" in match[0],
                    )
                )  # fmt: skip
    return tuple(found)
