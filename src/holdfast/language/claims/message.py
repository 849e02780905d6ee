"""Reads the claims of a message: by the grammar, and by a network that learned from labelled chats."""

from __future__ import annotations

from holdfast.core.claims import PAST, Claim
from holdfast.language.claims.kin import has_names
from holdfast.language.claims.read import CLAIMS_MAX, claims_in

_LOOSE = frozenset("works_as does_regularly owns sleep fears can pet plays experience instruction".split())
"""Attributes that the grammar reads in many wordings, and often wrongly: "as a photo filler", "no ghost". They are
left where the network finds them most unlikely. Others are not, since it misses plain news ("I moved to Porto
yesterday") more often than the grammar is wrong."""


def claims_of_message(text: str) -> list[Claim]:
    """Returns what a message states about its author, in order. The grammar says what a statement is about, and
    comes first, but for what the network finds most unlikely; what only the network finds is a statement in
    the author's own words."""
    from holdfast.language.claims.learned.read import read_message  # here: it loads NumPy

    reading = read_message(text)
    read = [
        claim
        for claim in claims_in(text)
        if claim.attribute not in _LOOSE or _is_plain(claim) or not reading.doubts(claim)
    ]
    further = [
        claim
        for claim in reading.claims
        if not any(other.start < claim.end and claim.start < other.end for other in read)
    ]
    claims = [*read, *further[: CLAIMS_MAX - len(read)]]
    return sorted(claims, key=lambda claim: claim.start)


def _is_plain(claim: Claim) -> bool:
    """Returns whether a claim only says that something is over, or names a pet in brackets: the network seldom
    finds these."""
    return (claim.status == PAST and not claim.positive) or (
        claim.attribute == "pet" and has_names(claim.value)
    )
