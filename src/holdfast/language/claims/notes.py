"""Reads the memories of other assistants: lines about their user, in the third person and often without a subject.

"Is allergic to nuts", "User works at Bosch" and "Name is Ana" are put into the first person and read as if their
user had said so.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache

from holdfast.core.claims import Claim
from holdfast.language.claims.read import claims_in
from holdfast.language.claims.verbs import PRESENT, english, german, pattern

_USER = pattern(
    r"\W*(?:(?:the )?user(?P<owns>'s)?|(?:der |die )?(?:be)?nutzer(?:in)?|(?:the )?human(?P<has>'s)?) (?=\w)"
)
_MINE = pattern(
    r"\W*(?:(?:full |first |last |given )?name|nickname|age|birthday|date of birth|pronouns|job|occupation|profession"
    r"|employer|hometown|nationality|favou?rite [\w ]{2,30}|wife|husband|spouse|partner|girlfriend|boyfriend|son"
    r"|daughter|mother|father|brother|sister|dog|cat|diet|blood type|native language|mother tongue"
    r"|(?:vor|nach)?name|alter|geburtstag|beruf|arbeitgeber|muttersprache|lieblings\w+|frau|mann|partnerin|sohn"
    r"|tochter|mutter|vater|bruder|schwester|hund|katze)(?:'s name)? (?:is|are|was|ist|sind|heißt)\b"
)
"""Matches what belongs to the user: "Name is Ana"."""
_ADVERB = r"(?:also|currently|now|recently|usually|often|never|always|really|still|auch|derzeit|aktuell|oft|nie|immer|noch)"
_FIRST_WORD = pattern(rf"\W*(?:{_ADVERB} )?(?P<v>[^\W\d_]+(?:'t)?)\b")
_GOES_ON = pattern(rf"(?:,|;| and| but| und| aber) (?:{_ADVERB} )?(?P<v>[^\W\d_]+(?:'t)?)\b")
_OWNED = pattern(r"\b(?:his|her|their)\b")
_ENGLISH = {
    "is": "am", "has": "have", "does": "do", "was": "was", "isn't": "am not", "hasn't": "have not",
    "doesn't": "don't", "wasn't": "was not", "wants": "want", "needs": "need", "goes": "go", "can": "can",
    "can't": "can't", "cannot": "cannot", "would": "would", "will": "will", "used": "used", "had": "had",
}  # fmt: skip
_GERMAN = {
    "ist": "bin", "hat": "habe", "mag": "mag", "isst": "esse", "spricht": "spreche", "will": "will", "kann": "kann",
    "möchte": "möchte", "fährt": "fahre", "schläft": "schlafe", "liest": "lese", "trägt": "trage", "nimmt": "nehme",
    "hält": "halte", "läuft": "laufe", "war": "war", "wird": "werde", "lernt": "lerne", "plant": "plane",
}  # fmt: skip


def claims_of_notes(text: str) -> tuple[Claim, ...]:
    """Returns what memories that an assistant wrote of its user claim of them; each quotes its line."""
    lines = list(re.finditer(r"[^\n]+", text))
    worded = [(line, first_person(line[0])) for line in lines]
    if all(own is None for _, own in worded):
        return claims_in(text)
    return tuple(
        replace(claim, start=line.start(), end=line.end())
        for line, own in worded
        for claim in claims_in(own or line[0])
    )


def first_person(line: str) -> str | None:
    """Returns a line about the user as they would say it, or None if it begins in no such way."""
    plain = line.replace("’", "'").strip(" \t-*•")
    user = _USER.match(plain)
    rest = plain[user.end() :] if user else plain
    if (user and (user["owns"] or user["has"])) or (user is None and _MINE.match(rest)):
        return _OWNED.sub("my", f"My {rest[0].lower()}{rest[1:]}")
    first = _FIRST_WORD.match(rest)
    verb = first and _first_person(first["v"].lower())
    if first is None or (verb is None and user is None):
        return None
    subject = "ich" if first["v"].lower() in _GERMAN or first["v"].lower() in _third_german() else "I"
    own = f"{subject} {rest[: first.start('v')].lower()}{verb or first['v']}{_going_on(rest[first.end() :])}"
    return own if subject == "ich" else _OWNED.sub("my", own)


def _going_on(rest: str) -> str:
    """Returns the rest of a sentence with the verbs that go on about its subject in the first person."""

    def in_first_person(match: re.Match[str]) -> str:
        verb = _first_person(match["v"].lower())
        return match[0] if verb is None else match[0][: match.start("v") - match.start()] + verb

    return _GOES_ON.sub(in_first_person, rest)


def _first_person(verb: str) -> str | None:
    """Returns the form of the first person of a verb in the third, or None if it is none."""
    if (form := _ENGLISH.get(verb) or _GERMAN.get(verb) or _third_german().get(verb)) is not None:
        return form
    lemma, tense = english().get(verb, ("", ""))
    return lemma if tense == "third" else None


@cache
def _third_german() -> dict[str, str]:
    """Returns the first person of each regular German verb by its third person."""
    firsts = [form for form, (_, tense) in german().items() if tense == PRESENT and form.endswith("e")]
    return {f"{form[:-1]}{'et' if form.endswith(('te', 'de')) else 't'}": form for form in firsts}
