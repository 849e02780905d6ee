"""Corrections: memories that say what is true in the place of a statement, which stays as evidence."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from holdfast.core.claims import CURRENT, PAST, PLAN, Belief, Claim
from holdfast.core.record import Memory
from holdfast.features.beliefs.phrases import phrases_of
from holdfast.language.claims.read import claims_in

CORRECTS = "corrects"
"""The key of the evidence of a correction that says what was wrong."""
CORRECTED = "corrected"
"""The reason why what a person corrected is no longer believed."""
SOURCES_MAX, VALUES_MAX = 20, 20
"""Most memories that a correction names as what it corrects, and most of their wordings."""
CERTAINTY = 0.95
"""Confidence of what a person states in place of something else."""
_FORMERLY, _PLANS = "formerly: ", "plans: "
_MARKS = " .!,;"
_OPENING = re.compile(r"^(?:(?:no|nein|nope|actually|eigentlich)\s*,\s*)+(?=\w)", re.IGNORECASE)
_SHORT = re.compile(r"\b(?:inc|ltd|co|corp|jr|sr|bros|st|nr|e\.\s?v|[A-Z])\.$", re.IGNORECASE)
"""Matches what opens a correction and adds nothing, and an abbreviation that ends in a dot."""
_ENDED = re.compile(
    r"\b(?:had|sold|quit|stopped|ended|left(?![ -]?hand)|lost|never|no|not|\w+n't"
    r"|kein\w*|nicht|nie|hatte|verkauft)\b",
    re.IGNORECASE,
)
"""Matches words by which a correction may deny something or end it."""
_FAVOURITE = re.compile(r"favou?rite (?P<kind>[\w' -]{2,40}): (?P<value>.+)", re.IGNORECASE)
"""Matches what is liked best, in the words in which beliefs are shown."""
_WRONG = frozenset(
    "nonsense rubbish garbage bullshit delete deleted remove removed erase dismiss discard forget wrong false"
    " untrue incorrect no nope not isn't wasn't aren't unsinn quatsch blödsinn löschen lösche lösch gelöscht"
    " entfernen entferne entfernt streichen vergessen vergiss falsch unwahr nein nee nicht".split()
)
_BESIDE = frozenset(
    "is it's that's was are be this that these it all an a please pls just at me of about mistake error drop"
    " ignore true right correct never weg raus fehler irrtum nie stimmt richtig wahr korrekt ist sind war das"
    " dies es bitte gar ein so alles einfach".split()
)
"""Words that say that something is wrong or is to go, and those that may be beside them."""


@dataclass(frozen=True, slots=True)
class Corrected:
    """The statement that a correction says is wrong: its attribute, subject and values, in each wording."""

    type: str
    attribute: str
    values: tuple[str, ...]
    positive: bool = True
    subject: str = ""


def evidence_of(belief: Belief, values: Sequence[str]) -> dict[str, Any]:
    """Returns the evidence of a correction of a belief. What it rests on is only related: it stays true when
    that is erased."""
    corrects = {
        "type": belief.type, "attribute": belief.attribute, "values": list(values[:VALUES_MAX]),
        "positive": belief.positive, "subject": belief.subject or "",
    }  # fmt: skip
    ids = list(dict.fromkeys(source.memory for source in belief.sources))[:SOURCES_MAX]
    return {"related_to": ids, CORRECTS: corrects}


def corrected_by(memory: Memory) -> Corrected | None:
    """Returns the statement that a memory corrects; None if it is no correction."""
    stated = memory.evidence.get(CORRECTS)
    if not isinstance(stated, Mapping):
        return None
    texts = [stated.get(name) for name in ("type", "attribute", "subject")]
    values = stated.get("values")
    if not all(isinstance(text, str) for text in texts) or not isinstance(values, list | tuple):
        return None
    type, attribute, subject = map(str, texts)
    wrong = tuple(value for value in values if isinstance(value, str))
    return Corrected(type, attribute, wrong, stated.get("positive") is not False, subject)


def claims_of(text: str, original: Corrected) -> list[Claim]:
    """Returns what a correction says: read in the words in which beliefs are shown, or in those of a person,
    else as it is written; it is always shown as it is written."""
    stripped = _OPENING.sub("", " ".join(text.split()))
    claim = _shaped(stripped, original)
    if claim is None:
        claim = _read(stripped, original)
    wording = "" if claim.verbatim else stripped if _SHORT.search(stripped) else stripped.rstrip(".")
    certainty = max(claim.certainty, CERTAINTY)
    return [replace(claim, changes=True, certainty=certainty, start=0, end=len(text), wording=wording)]


def _read(text: str, original: Corrected) -> Claim:
    """Returns the claim of a person's words: as it is read where that is all they say, else as it is written,
    under the attribute that it is read to speak of."""
    read = claims_in(text)
    # denials and side remarks are better shown as they were written than as a grammar reads them
    same = [claim for claim in read if claim.attribute == original.attribute]
    if len(read) == 1 and same and same[0].positive and not text[same[0].end :].strip(_MARKS):
        return same[0]
    speaks_of = {(claim.type, claim.attribute) for claim in read if claim.positive and not claim.subject}
    type, attribute = original.type, original.attribute
    if not same and len(speaks_of) == len(read) == 1 and not original.subject:
        ((type, attribute),) = speaks_of
    # no one can tell what it denies, so that it does not count for what holds
    holds = _ENDED.search(text) is None
    return Claim(type, attribute, text, holds, subject=original.subject, verbatim=True)


def states_nothing(text: str) -> bool:
    """Returns whether a correction only says that something is wrong, or is to go: "Nonsense, delete"."""
    words = set(re.findall(r"[^\W_]+(?:'\w+)?", text.casefold().replace("’", "'")))
    return bool(words & _WRONG) and words <= _WRONG | _BESIDE


def _shaped(text: str, original: Corrected) -> Claim | None:
    """Returns the claim of a text that is in the words in which beliefs of the same attribute are shown."""
    status = CURRENT
    for prefix, prefix_status in ((_FORMERLY, PAST), (_PLANS, PLAN)):
        if text.lower().startswith(prefix):
            text, status = text[len(prefix) :].strip(), prefix_status
    subject = original.subject
    if subject and text.lower().startswith(f"{subject.lower()}: "):
        text = text[len(subject) + 2 :].strip()
    if status == PLAN:
        return Claim(original.type, original.attribute, text, status=PLAN, subject=subject)
    if original.attribute == "favourite" and (best := _FAVOURITE.fullmatch(text)) is not None:
        value = f"{best['kind']} is {best['value']}"
        return Claim(original.type, original.attribute, value, status=status, subject=subject)
    yes, no = phrases_of(original.attribute)
    for phrase, positive in ((no, False), (yes, True)):
        before, _, after = phrase.partition("{}")
        pattern = f"{re.escape(before)}(.+){re.escape(after)}" if "{}" in phrase else f"{re.escape(phrase)}()"
        match = re.fullmatch(pattern, text.rstrip(".") if "{}" in phrase else text.rstrip(". "), re.I | re.S)
        if match is not None and (before or after or "{}" not in phrase):
            value = match[1].strip() or next(iter(original.values), text)
            return Claim(original.type, original.attribute, value, positive, status, subject=subject)
    return None
