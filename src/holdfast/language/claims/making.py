"""Makes claims of what clauses say."""

from __future__ import annotations

import re

from holdfast.core.claims import CURRENT, PAST, Claim
from holdfast.language.claims.attributes import TYPE_OF
from holdfast.language.claims.clause import Clause
from holdfast.language.claims.voice import COVER

NO_VALUE = re.compile(
    r"(?:the|an?|der|die|das|den|dem|it|that|this|them|there|here|so|to|everywhere|one|something|anything|nothing|everything|much|things?|stuff|es|das|etwas|was|nichts|alles|dir|you|you all|me|mir|uns|us|him|her|well)\b[\s.!]*$",
    re.IGNORECASE,
)

NO_QUOTE = re.compile(r"(?:no|not any|zero|kein\w*|nothing|nix)\b", re.IGNORECASE)


def claim_at(attribute: str, value: str, start: int, end: int, **options: object) -> Claim:
    """Returns a claim of the type that its attribute belongs to."""
    return Claim(TYPE_OF.get(attribute, "other"), attribute, tidy(value), start=start, end=end, **options)  # type: ignore[arg-type]


_AROUND = " ,:'\"*_-–."


_NEXT = re.compile(
    r"\s(?:cos|cuz|coz|sodass|although|obwohl)\s|\sto save my life\b|\s(?:so|because|weil|but|aber)\s(?=\w)|,\s(?:so|but|because|since|which|aber|weil|also|da|deshalb|denn|sodass)\s|\sso (?=(?:give|please|can|could|i|we|you|don't|no|what|keep|my)\b)",
    re.IGNORECASE,
)


def tidy(value: str) -> str:
    """Returns a value without marks around it and without what follows a mark that covers."""
    return _NEXT.split(value.split(COVER, 1)[0], 1)[0].strip(_AROUND)[:200]


def make_claim(clause: Clause, attribute: str, value: str, **options: object) -> Claim:
    status = options.get("status", CURRENT)
    is_event = options.pop("event", False)
    since = clause.since or (clause.when if is_event else None)
    until = clause.until or (clause.when if status == PAST else None)
    options.setdefault("changes", clause.changed or clause.ended or clause.begun)
    return claim_at(attribute, value, clause.start, clause.end, since=since, until=until, **options)
