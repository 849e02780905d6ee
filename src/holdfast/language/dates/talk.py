"""Reads questions about what was said at a time: "what did we talk about in July?"."""

from __future__ import annotations

import re
from dataclasses import dataclass

from holdfast.language.dates.points import Period
from holdfast.language.dates.read import periods_in

_WHO_EN = r"(?:i|we|you and i|you)"
_ASKS_EN = (
    rf"(?:did|have|had) {_WHO_EN} (?:ever |also |both |last )?(?:talk(?:ed)?|chat(?:ted)?|sp[eo]ken?"
    r"|discuss(?:ed)?|sa(?:y|id)|t(?:ell|old) you|mention(?:ed)?|ask(?:ed)?(?: you)?|wr[io]te|written"
    r"|bring up|brought up|go over|gone over|cover(?:ed)?)"
    rf"|(?:was|were|have) {_WHO_EN} (?:been )?(?:talking|chatting|saying|asking|speaking|discussing|writing)"
    rf"|{_WHO_EN} (?:talked|chatted|spoke|discussed|said|told you|mentioned|asked|wrote|covered)"
    r"|(?:was|were) (?:said|discussed|mentioned|our (?:conversations?|chats?|talks?))"
)
_ASKS_DE = (
    r"(?:habe?|haben|hatte|hatten) (?:ich|wir)\b(?=.*\b(?:gesprochen|geredet|gesagt|erzählt|erwähnt|gefragt"
    r"|besprochen|geschrieben|unterhalten|diskutiert|gechattet|beredet)\b)|ging es\b|drehte es sich\b"
)
_TALK = re.compile(
    r"^\W*(?:(?:so|and|hey|ok|und|also|sag mal|(?:can|could) you (?:tell|remind) me|(?:tell|remind) me)"
    r"[, ]+)*"
    r"(?:(?:in|on|since|during|last|im|seit|am|letzten?|between)\b[^?]{2,30}?[, ]+)?"
    r"(?:what(?: else| all)?|(?:what|which) (?:topics|things|subjects)|about what"
    r"|worüber|über was|wovon|worum|was|welche themen)"
    rf"\s(?:{_ASKS_EN}|{_ASKS_DE})\b",
    re.IGNORECASE,
)
"""Matches how a question begins that asks what was said, and not what was so."""
_FRAME = re.compile(
    rf"\b(?:{_ASKS_EN}|what|else|all|which|topics|things|subjects|about|to you|with you|together"
    r"|worüber|über|wovon|worum|was|welche|themen|habe?|haben|hatten?|ich|wir|dir|mit|uns|gesprochen|geredet|gesagt|erzählt|erwähnt|gefragt"
    r"|besprochen|geschrieben|unterhalten|diskutiert|gechattet|beredet|ging|es|alles|denn|so|and|hey|ok|und|also|sag"
    r"|mal|can|could|you|tell|remind|me|i|we|last|this|the|past|previous|letzte[nmrs]?|diese[nmrs]?|vergangene[nmrs]?"
    r"|vorige[nmrs]?|in|on|at|since|during|from|to|until|till|between|of|before|ago|early|late|mid|end|start|beginning"
    r"|im|am|an|seit|von|vom|bis|zwischen|vor|während|ersten?|anfang|ende|mitte|der|die|das|dem|den|des|a|an|one|ein"
    r"|eine[rmn]?|two|three|four|five|six|few|couple|zwei|drei|vier|fünf|sechs|paar|days?|weeks?|weekends?|months?|years?"
    r"|tage?n?|wochen?|wochenendes?|monate?n?s?|jahre?n?s?|yesterday|today|tonight|recently|lately|gestern|vorgestern"
    r"|heute|neulich|kürzlich|morning|evening|afternoon|night|morgen|abend|januar[sy]?|january|jan|februar|february|feb"
    r"|märz|march|mar|april|apr|mai|may|juni?|june|juli?|july|aug(?:ust)?|sept?(?:ember)?|o[ck]t(?:ober)?|nov(?:ember)?"
    r"|de[cz](?:ember)?|spring|summer|autumn|fall|winter|frühling|frühjahr|sommer|herbst"
    r"|(?:mon|tues|wednes|thurs|fri|satur|sun)day|montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag"
    r"|please|bitte|\d+(?:st|nd|rd|th)?)\b",
    re.IGNORECASE,
)
"""Matches words that ask and words of time; what is left of a question is its matter."""

_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class AskedOfTalk:
    """A question about what was said in one of some periods, the latest first: of a matter, or all of it."""

    periods: tuple[Period, ...]
    matter: str
    """Words of the question that are neither about time nor about talking; empty if it asks for all."""


def asked_of_talk(text: str, now: int) -> AskedOfTalk | None:
    """Returns what a question asks that is about what was said at a time; None if it asks anything else."""
    if _TALK.search(text) is None:
        return None
    periods = sorted(periods_in(text, now), key=lambda period: -period.start)
    if not periods:
        return None
    return AskedOfTalk(tuple(periods), " ".join(_WORD.findall(_FRAME.sub(" ", text))))
