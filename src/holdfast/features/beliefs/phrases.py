"""Claims in plain words: a table of phrases by attribute."""

from __future__ import annotations

import re

from holdfast.core.claims import CURRENT, PAST, PLAN, Belief, Claim
from holdfast.core.quotations import OtherBelief
from holdfast.core.shortening import shortened
from holdfast.core.times import to_iso
from holdfast.language.claims.lexicon import class_of_word
from holdfast.language.claims.verbs import DONE, german

TEXT_MAX, MARK_MAX = 480, 200
"""Most characters of a belief in one line, and of what is said beside it."""

_PHRASES: dict[str, tuple[str, str]] = {
    "name": ("Name: {}", "Is not called {}"),
    "called": ("Wants to be called {}", "Does not want to be called {}"),
    "age": ("Age: {}", "Is not {}"),
    "birthday": ("Born: {}", "Was not born {}"),
    "nationality": ("Is {}", "Is not {}"),
    "height": ("Height: {}", "Height is not {}"),
    "weight": ("Weight: {}", "Weight is not {}"),
    "lives_in": ("Lives in {}", "Does not live in {}"),
    "from": ("Comes from {}", "Does not come from {}"),
    "born_in": ("Born in {}", "Was not born in {}"),
    "housing": ("Lives: {}", "Does not live {}"),
    "employer": ("Works at {}", "Does not work at {}"),
    "left": ("{}", "{}"),
    "moved_out": ("{}", "{}"),
    "works_in": ("Works in {}", "Does not work in {}"),
    "works_as": ("Works as {}", "Does not work as {}"),
    "studies": ("Studies {}", "Does not study {}"),
    "degree": ("Degree: {}", "No degree: {}"),
    "child": ("Children: {}", "Has no {}"),
    "spouse": ("Married: {}", "Has no {}"),
    "partner": ("Partner: {}", "Has no {}"),
    "parent": ("Parent: {}", "Has no {}"),
    "sibling": ("Siblings: {}", "Has no {}"),
    "relative": ("Relative: {}", "Has no {}"),
    "friend": ("Friend: {}", "Has no {}"),
    "marital_status": ("Is {}", "Is not {}"),
    "pet": ("Pet: {}", "Has no {}"),
    "allergy": ("Is allergic to {}", "Is not allergic to {}"),
    "intolerance": ("Does not tolerate {}", "Tolerates {}"),
    "injury": ("Injured: {}", "Not injured: {}"),
    "condition": ("Has {}", "Does not have {}"),
    "takes_medicine": ("Takes {}", "Does not take {}"),
    "diet": ("Diet: {}", "Is not {}"),
    "eats": ("Eats {}", "Does not eat {}"),
    "drinks": ("Drinks {}", "Does not drink {}"),
    "alcohol": ("Drinks alcohol", "Does not drink alcohol"),
    "religion": ("Is {}", "Is not {}"),
    "handed": ("Is {}", "Is not {}"),
    "does_regularly": ("{}", "Does not {}"),
    "work_hours": ("{}", "Does not {}"),
    "fan_of": ("Fan of {}", "Not a fan of {}"),
    "grandchild": ("Grandchildren: {}", "Has no {}"),
    "smokes": ("Smokes", "Does not smoke"),
    "likes": ("Likes {}", "Does not like {}"),
    "dislikes": ("Likes {}", "Does not like {}"),
    "fears": ("Is not afraid of {}", "Is afraid of {}"),
    "avoids": ("Does not avoid {}", "Avoids {}"),
    "prefers": ("Prefers {}", "Does not prefer {}"),
    "favourite": ("Favourite: {}", "Not a favourite: {}"),
    "speaks": ("Speaks {}", "Does not speak {}"),
    "learning": ("Is learning {}", "Is not learning {}"),
    "plays": ("Plays {}", "Does not play {}"),
    "can": ("Can {}", "Cannot {}"),
    "owns": ("Has {}", "Has no {}"),
    "drives": ("Drives {}", "Does not drive {}"),
    "uses": ("Uses {}", "Does not use {}"),
    "instruction": ("{}", "{}"),
}
"""What is said of a value, and the same denied."""


ENDINGS = frozenset({"left", "moved_out"})
"""Attributes that say themselves that something has ended."""


def phrases_of(attribute: str) -> tuple[str, str]:
    """Returns the phrases of an attribute: what is said of a value, and the same denied."""
    return _PHRASES.get(attribute, ("{}", "Not: {}"))


def _phrases_for(claim: Claim) -> tuple[str, str]:
    """Returns the phrases for a claim: who is "blind" is so, and has no blind; a knee that hurts does so, and
    who has a nut allergy is not allergic to it."""
    if claim.attribute == "condition" and _STATE.search(claim.value):
        return "Is {}", "Is not {}"
    if claim.attribute == "condition" and _TROUBLE.search(claim.value):
        return "{}", "Not: {}"
    if claim.attribute == "allergy" and _ALLERGY.search(claim.value):
        return "Has {}", "Has no {}"
    if claim.attribute == "marital_status" and _takes_have(claim.value):
        return "Has {}", "Has not {}"
    return phrases_of(claim.attribute)


def _takes_have(value: str) -> bool:
    """Returns whether a value ends with a participle of what somebody has done ("geheiratet"), and that is no
    adjective for how they are ("geschieden")."""
    word = value.casefold().split(" ")[-1]
    _, form = german().get(word, ("", ""))
    return form == DONE and class_of_word(word) is None


_JOINS = (
    r"in|on|at|to|from|for|of|by|as|like|with|without|since|after|before|during|due|because|when|if"
    r"|until|and|or|but"
    r"|im|am|an|auf|aus|bei|beim|mit|ohne|seit|nach|vor|durch|wegen|und|oder|aber|wenn|wie"
)
_ILLNESS = (
    r"diseases?|disorders?|conditions?|syndromes?|seizures?|fits?|attacks?|episodes?|allerg(?:y|ies)"
    r"|reactions?|deficiency"
    r"|depression|mania|psychosis|coma|shock|symptoms?|traits?|tendencies|ulcers?|spots?|eyes?|ears?"
    r"|toes?|foot|feet"
    r"|\w+(?:itis|osis|opathy|emia)"
    r"|\w*(?:erkrankung(?:en)?|krankheit(?:en)?|störung(?:en)?|syndrome?|anfälle?n?|episoden?|schübe"
    r"|allergien?)"
)
"""Nouns for what is had, which say with the word before them which it is: "coeliac disease"."""
_STATE = re.compile(
    r"^(?:(?:an?|very|totally|legally|severely|partially|profoundly|type|typ|t|\d|eine?|\w+ly)[ -])*"
    r"(?:(?:colou?r-?)?blind|deaf|hard of hearing|\w+exic|\w*asthmatic|\w*autistic|\w*diabetic|epileptic"
    r"|ana?emic|anorexic|bulimic|arthritic|bipolar|disabled|bedridden|housebound|neurodivergent"
    r"|immunocompromised|(?:short|near|long)-?sighted|(?:sea|motion|car|air|chronically )[ -]?(?:sick|ill)"
    r"|in remission|coeliac|celiac|auf den rollstuhl(?: angewiesen)?|taub|gehörlos|schwerhörig|farbenblind"
    r"|kurzsichtig|weitsichtig|gelähmt|autistisch|seekrank|\w+behindert|\w*krank"
    r"|[\w-]*(?:diabetiker|epileptiker|asthmatiker|allergiker|autist|legastheniker)(?:in)?)\b"
    rf"(?!(?:[\s-](?!(?:{_JOINS})\b)[\w-]+){{0,2}}?[\s-](?:{_ILLNESS})\b)|^(?:an? )?[\w -]*\buser\b",
    re.IGNORECASE,
)
"""Matches the words for a condition that say how somebody is, and not what they have."""


_TROUBLE = re.compile(
    r"\w (?:hurts?|aches?|itch(?:es)?|schmerzt|schmerzen|tut weh|tun weh|(?:is|are|ist|sind) \w+)\b",
    re.IGNORECASE,
)
"""Matches a condition that is a statement itself: "left knee hurts"."""
_ALLERGY = re.compile(r"\w[ -]?allerg(?:y|ies|ien?)$", re.IGNORECASE)
"""Matches an allergy by its own noun: "a nut allergy"."""


def _unlabelled(phrase: str, value: str) -> str:
    """Returns a value without the word that its phrase begins with, as in "Partner: partner Jana"."""
    label, colon, _ = phrase.partition(": ")
    first, _, rest = value.partition(" ")
    return rest if colon and rest and first.lower() == label.lower() else value


def _affirmed(phrase: str, claim: Claim) -> str:
    """Returns what is so: "Favourite film: Paterson" of "film is Paterson"."""
    best = _BEST.fullmatch(claim.value) if claim.attribute == "favourite" else None
    if best is None:
        return phrase.format(_unlabelled(phrase, claim.value))
    kind = best["kind"]
    return f"{kind if kind.lower().startswith('liebling') else f'Favourite {kind}'}: {best['value']}"


_BEST = re.compile(
    r"(?P<kind>[\w' -]{2,40}?)(?: (?:is|are|has to be|will always be|ist|sind)|:) (?P<value>.+)",
    re.IGNORECASE | re.DOTALL,
)
"""Matches what is liked best, behind of which kind it is."""


def _denied(phrase: str, value: str) -> str:
    """Returns what is not, without the article of a thing that is not had: "Has no dog"."""
    if phrase.endswith("allergic to {}") and value.casefold() in ("allergies", "allergy", "allergien"):
        phrase = "Has no {}"
    return phrase.format(_ARTICLE.sub("", value) if phrase.startswith("Has no ") else value)


_ARTICLE = re.compile(r"^(?:an?|any|einen?)\s+", re.IGNORECASE)


def in_words(claim: Claim, status: str = CURRENT) -> str:
    """Returns a claim as a statement in plain words, with its status and time."""
    if claim.wording:
        is_over = status == PAST and claim.status != PAST
        return f"Formerly: {claim.wording}" if is_over else claim.wording[:1].upper() + claim.wording[1:]
    yes, no = ("{}", "{}") if claim.verbatim else _phrases_for(claim)
    if claim.verbatim:
        text = claim.value
    else:
        text = _affirmed(yes, claim) if claim.positive else _denied(no, claim.value)
    if claim.subject and not claim.verbatim:
        text = f"{claim.subject[:1].upper()}{claim.subject[1:]}: {text[:1].lower()}{text[1:]}"
    if claim.verbatim and status == claim.status:  # the words say so themselves
        return text[:1].upper() + text[1:]
    if status == PLAN:
        text = f"Plans: {claim.value}"
    elif claim.status == PAST and not claim.positive and claim.type == "plan" and not claim.verbatim:
        text = f"No longer plans: {claim.value}"
    elif (status == PAST or claim.status == PAST) and claim.attribute not in ENDINGS:
        statement = text if claim.verbatim or claim.subject else _affirmed(yes, claim)
        is_had = statement.startswith("Has ") and not claim.verbatim and not claim.subject
        shown = statement if claim.verbatim else statement[:1].lower() + statement[1:]
        text = f"Had {statement[4:]}" if is_had else f"Formerly: {shown}"
    return text[:1].upper() + text[1:]


def in_one_line(belief: Belief) -> str:
    """Returns a belief in one line with its time, what it replaced, and what contradicts it."""
    marks = [time_in_words(belief)] if belief.since and not _holds_time(belief.text, belief.since) else []
    marks += [f"until {belief.until}"] if belief.until else []
    marks += [f"before: {_other(other)}" for other in belief.replaced[:1]]
    marks += [f"contradicted by: {_other(other)}" for other in belief.contradicts[:2]]
    text = _folded(belief.text, TEXT_MAX)
    return f"{text} ({'; '.join(_folded(mark, MARK_MAX) for mark in marks)})" if marks else text


def _holds_time(text: str, since: str) -> bool:
    """Returns whether the words for something say already since when it is so."""
    return re.search(rf"(?<!\w){re.escape(since)}(?!\w)", text, re.IGNORECASE) is not None


def time_in_words(belief: Belief) -> str:
    """Returns since when something is so, or for how long ("since 2025-01-09", "for years"), and when what is
    planned is to be ("April 2027"); an empty text where no time is known."""
    since = belief.since or ""
    is_whole = not since or belief.status == PLAN or _LASTING.match(since)
    return since if is_whole else f"since {since}"


_LASTING = re.compile(r"(?:for|over|about|all|schon)\s(?!\d)", re.IGNORECASE)


def _folded(text: str, limit: int) -> str:
    return shortened(" ".join(text.split()), limit)


def _other(other: OtherBelief) -> str:
    return f"{other.text} ({other.source.said_by}, {to_iso(other.source.at)[:10]})"
