"""Reads the claims of a message: by the grammar, and by what was learned from labelled chats."""

from __future__ import annotations

from holdfast.core.claims import Claim
from holdfast.language.claims.read import CLAIMS_MAX, claims_in


def claims_of_message(text: str) -> list[Claim]:
    """Returns what a message states about its author, in order. The grammar says what a statement is about; what a
    network finds beside it is a statement in the author's own words; a judge leaves the unlikely ones of both."""
    from holdfast.language.claims.learned.judge import judged  # here: it loads NumPy
    from holdfast.language.claims.learned.read import read_message

    reading, read = read_message(text), claims_in(text)
    if reading.chances is None:
        return list(read)
    claims = judged(text, reading.tokens, reading.chances, read, reading.claims)
    return sorted(claims[:CLAIMS_MAX], key=lambda claim: claim.start)
