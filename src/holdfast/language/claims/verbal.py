"""Values that say too little without their verb: "run a vape shop", and not "a vape shop"."""

from __future__ import annotations

import re
from dataclasses import replace

from holdfast.core.claims import Claim
from holdfast.language.claims.verbs import english, german

_DOES = frozenset("job does_regularly sport hobby work_hours sleep routine member_of".split())
"""Attributes of what somebody does; what they do for a relative is a `kin_fact` without a subject."""
_WORD = re.compile(r"[^\W\d_][\w'’-]*")
_APART_MAX = 4
"""Most words between a verb and its value, such as "every day" or "for two years"."""
_PARTICLE = re.compile(r"\s(?:up|out|in|on|off|for|after)\s$", re.IGNORECASE)
_NO_VERBS = frozenset({"be", "have", "can", "want", "must", "will"})


def with_verb(claim: Claim, quote: str) -> Claim:
    """Returns a claim of what somebody does with the verb of its quotation in the value: before it, or after
    it where a German clause has it there."""
    is_deed = claim.attribute in _DOES or (claim.attribute == "kin_fact" and not claim.subject)
    if not is_deed or claim.verbatim or not claim.value:
        return claim
    first = _WORD.search(claim.value)
    if (
        first is not None
        and _is_verb(first[0])
        and not first[0].endswith("ing")
        and first[0].lower() != "like"
    ):
        return claim
    at = quote.find(claim.value if claim.value in quote else claim.value.split()[0])
    if at < 0:
        return claim
    for word in _WORD.finditer(quote):
        is_before = word.end() <= at
        if not is_before and word.start() < at + len(claim.value):
            continue
        if not _is_verb(word[0]):
            continue
        between = quote[word.end() : at] if is_before else quote[at + len(claim.value) : word.start()]
        if len(between.split()) > _APART_MAX or (not is_before and between.strip()):
            return claim
        if first is not None and first[0].endswith("ing") and between.strip():
            return claim
        if not is_before:
            return replace(claim, value=f"{claim.value} {word[0]}") if word[0].lower() in german() else claim
        particle = between if _PARTICLE.fullmatch(between) else " "
        return replace(claim, value=f"{word[0]}{particle}{claim.value}")
    return claim


def _is_verb(word: str) -> bool:
    form = english().get(word.lower()) or german().get(word.lower())
    return word.lower() == "look" or (form is not None and form[0] not in _NO_VERBS)
