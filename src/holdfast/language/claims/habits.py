"""Readings of verbs that tell what somebody does again and again."""

from __future__ import annotations

import re
from collections.abc import Iterator

from holdfast.core.claims import CURRENT, PAST, Claim
from holdfast.language.claims.clause import Clause
from holdfast.language.claims.making import make_claim
from holdfast.language.claims.verbs import BASE, FREQUENT_ONLY, HOBBIES, english

LIKED = re.compile(r"\b(?:gern|gerne|am liebsten|lieber)\b", re.IGNORECASE)


def is_habit(clause: Clause, name: str, rest: str) -> bool:
    """Returns whether a verb that no table has tells what somebody does: in the present, or for some time."""
    if (
        clause.past
        or clause.planned
        or clause.negative
        or clause.subject != "self"
        or name.endswith(("ed", "ly", "n't"))
        or english().get(rest.split(" ", 1)[0].lower(), ("", ""))[1] == BASE  # a modal in another spelling
        or len(name) < 3
        or (not clause.frequent and any(token.low == "we" for token in clause.tokens[:3]))
    ):
        return False
    if name.endswith("ing"):
        return clause.going and bool(clause.since or clause.frequent) and clause.done
    return clause.frequent or (
        not clause.done and not clause.going and bool(rest) and _OBJECT.match(rest) is not None
    )


_OBJECT = re.compile(
    r"(?:(?:an?|my|our|for|in|at|as|with) )?(?!(?:you|it|this|that|these|those|them|the|some|any|your|help|to|if|how|what|why|when|whether|i|we|more|all|about|up|out|down|not|also|through|from|on|a (?:lot|bit|few|little|way|good|better|simple|quick|short|list|table))\b)[\w'-]{3,}",
    re.IGNORECASE,
)


def habit(clause: Clause, name: str, rest: str) -> Iterator[Claim]:
    """Yields what somebody does again and again, or can do."""
    if (
        (name in FREQUENT_ONLY and not (clause.frequent or clause.can or LIKED.search(clause.whole)))
        or (clause.past and not (clause.used or clause.ended))
        or re.match(
            r"(?:this|that|it|your|up\b|the (?:code|text|article|docs|following|file)|dir|dich|das)\b",
            rest,
            re.IGNORECASE,
        )
    ):
        return
    if clause.negative and (clause.done or clause.subject == "dropped"):
        return  # "never read his work"
    if clause.going and not (clause.done or clause.frequent or clause.begun or clause.ended):
        return
    if clause.planned or (
        clause.is_base and not clause.frequent and clause.subject == "dropped" and name not in HOBBIES
    ):
        return
    word = clause.word or name
    if clause.can:
        value = f"{rest} {word}" if clause.language == "de" else f"{word} {rest}"
        yield make_claim(clause, "can", value.strip(), positive=not clause.negative)
        return
    liked = clause.language == "de" and LIKED.search(clause.whole) and not clause.frequent
    yield make_claim(
        clause,
        "likes" if liked and name == "putzen" else "does_regularly",
        f"{word} {rest}".strip(),
        positive=not clause.negative and not clause.ended,
        status=PAST if clause.used or clause.ended else CURRENT,
    )
