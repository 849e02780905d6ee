"""Reads the claims of a message: by the grammar, and by a network that learned from labelled chats."""

from __future__ import annotations

from holdfast.core.claims import Claim
from holdfast.language.claims.read import CLAIMS_MAX, claims_in


def claims_of_message(text: str) -> list[Claim]:
    """Returns what a message states about its author, in order. The grammar says what a statement is about, and
    comes first; what only the network finds is a statement in the author's own words."""
    from holdfast.language.claims.learned.read import learned_claims  # here: it loads NumPy

    read = claims_in(text)
    further = [
        claim
        for claim in learned_claims(text)
        if not any(other.start < claim.end and claim.start < other.end for other in read)
    ]
    found = [*read, *further[: CLAIMS_MAX - len(read)]]
    return sorted(found, key=lambda claim: claim.start)
