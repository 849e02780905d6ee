"""Readings of "as a nurse", "being vegetarian" and "as someone who stutters", wherever they stand."""

from __future__ import annotations

import re
from collections.abc import Iterator

from holdfast.core.claims import Claim
from holdfast.language.claims.being import complement
from holdfast.language.claims.clause import Clause
from holdfast.language.claims.having import possessed
from holdfast.language.claims.lexicon import head_of
from holdfast.language.claims.making import claim_at, tidy
from holdfast.language.claims.verbs import pattern

_APPOSED = re.compile(
    r"\b(?P<lead>[Aa]s|[Bb]eing|[Ss]peaking as|[Aa]ls|[Tt]hanks to being|because of being) (?P<v>(?:(?:an?|the) )?(?:[\w-]+ ){0,4}[\w-]+)(?P<tail>(?: (?:in|with|from|at|on|of|who) [^,.;!?]{2,50})?)(?=,? (?:I|i|my|we|ist|bin|habe|hab|muss|weiß|darf|kann|arbeite|kenne|sehe|möchte|brauche|würde)\b|[,.;!?]|$)"
)
_SOMEONE = pattern(
    r"\b(?:as|being|for|(?<!sound )(?<!look )(?<!seem )like) (?:some(?:one|body)|a person|jemand\w*) (?P<w>who|with|in|on|der|die|mit) (?P<v>[^,;!?]+?)(?=[,.;!?]|$)"
)
_NO_ROLES = frozenset("spouse parent thing pet child lang business home sport instrument med body".split())


_ENDED = re.compile(r"\b(?:up|stopped|quit|done with|tired of|than|no longer|not) $", re.IGNORECASE)
"""What stands before "being vegan" where it is over."""
_OF_BEING = re.compile(
    r"\b(?:i'm|from|despite|since|love|hate|enjoy|just|also|as well as|besides)\s+$",
    re.IGNORECASE,
)
"""What stands before "being vegan" where it is about the author."""
_OPEN = re.compile(
    r"(?:^|[.,;:!?(–—-])\s*(?:\b(?:and|but|so|hi|hey|hello|und|aber|also|hallo)\s+)?$|\b(?:me|myself|us|mich|mir|uns|speaking)\s+$",
    re.IGNORECASE,
)
"""What stands before "as a nurse" where it tells of the author."""


_ROLE_FOR = re.compile(
    r",? (?:please )?(?:create|write|act|give|explain|generate|provide|list|help|your|you|tell|suggest|make|analy[sz]e|review)\b",
    re.IGNORECASE,
)
"""What follows a part that the one who answers is to play: "As a lawyer, write …"."""


_NO_PARTS = frozenset("Kind Beispiel Nächstes Erstes Antwort".split())
"""Words after "als" that are no part which somebody has."""
_PARENT = re.compile(r"\b(?:mother|father|mum|mom|dad|parent|mutter|vater)\b")
_DOES = re.compile(
    r"(?:stutters|stammers|has \w+|can't \w+|hates [^,.]+|loves [^,.]+|works [^,.]+|lives [^,.]+|doesn't (?:drink|drive|eat \w+))\b.*"
)
"""What somebody "who …" does that says something of them."""


def apposed(text: str, language: str) -> Iterator[Claim]:
    """Yields what "as a nurse", "being vegetarian" and "as someone who stutters" say."""
    for match in _APPOSED.finditer(text):
        if _is_of_author(text, match, language):
            clause = _clause(match, match.end("tail"), language)
            yield from complement(clause, f"{match['v']}{match['tail']}")
    for match in _SOMEONE.finditer(text):
        yield from _of_someone(match, language)


def _clause(match: re.Match[str], end: int, language: str) -> Clause:
    return Clause(match.start(), end, subject="self", verb="be", language=language, whole=match[0])


def _is_of_author(text: str, match: re.Match[str], language: str) -> bool:
    """Returns whether a part such as "as a nurse" is the author's, and not played, over or about something
    else."""
    before, lead, value = text[: match.start()], match["lead"].lower(), match["v"]
    if lead in ("as", "als") and not _OPEN.search(before):
        return False
    if lead == "als" and (language != "de" or not value.split()[0][:1].isupper()):
        return False
    if lead == "as" and not value.startswith(("a ", "an ", "the ")):
        return False
    if lead == "being" and (_ENDED.search(before) or not (_OPEN.search(before) or _OF_BEING.search(before))):
        return False
    head = head_of(value)
    if head is None or (
        value.split()[-1].lower() != head[1].lower() and head[0] in ("job", "study", "nation")
    ):
        return False
    if head[0] in _NO_ROLES and not _PARENT.search(value):
        return False
    return value not in _NO_PARTS and not _ROLE_FOR.match(text, match.end())


def _of_someone(match: re.Match[str], language: str) -> list[Claim]:
    """Returns what "as someone who …" or "for a person with …" says."""
    predicate = match["v"]
    value = re.sub(r"^(?:is|has|has got|was|am|ist|hat) ", "", predicate)
    clause = _clause(match, match.end(), language)
    has = match["w"].lower() in ("with", "mit") or re.match(r"has\b|hat\b", predicate)
    claims = list(possessed(clause, value) if has else complement(clause, value))
    if claims or match["w"].lower() != "who" or (does := _DOES.match(predicate)) is None:
        return claims
    attribute = "other"
    if does[0].startswith(("st", "can")):
        attribute = "condition"
    elif does[0].startswith("loves"):
        attribute = "likes"
    return [claim_at(attribute, tidy(does[0]), match.start(), match.end())]
