"""Gives what a sentence says of somebody whom it describes first to them: "Jonas, my brother, moved to Ulm"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from holdfast.core.claims import Claim
from holdfast.language.claims.clause import ADVERBS
from holdfast.language.claims.kin import TYPE_OF_KIN, said_of
from holdfast.language.claims.lexicon import KIN, class_of_word
from holdfast.language.claims.making import claim_at
from holdfast.language.claims.relatives import trimmed
from holdfast.language.claims.verbs import BASE, DONE, ING, english, german

_NAME = r"[A-ZÄÖÜ][\w'’-]+"
_MY = r"(?:[Mm]y|[Oo]ur|[Mm]ein\w{0,2}|[Uu]nser\w{0,2})"
_NOUN = r"(?:[\w'’-]+ ){0,3}?[\w'’-]+"
_NAMED_FIRST = re.compile(
    rf"(?:^|[.,;:!?–—-]\s|\b(?:and|und|but|aber|so)\s)\s*(?P<name>{_NAME}(?: {_NAME})?)(?:,\s|\s\()"
    rf"(?P<my>{_MY})\s(?P<noun>{_NOUN})(?:,|\)),?\s(?=[a-zäöü])"
)
"""Matches somebody with a name who is then said to be the author's: "Jonas, my brother, "."""
_NAMED_AFTER = re.compile(
    rf"\b(?P<my>{_MY})\s(?P<noun>{_NOUN})(?: (?P<name>{_NAME}(?: {_NAME})?))?(?:\s\(\d{{1,2}}\))?,\s"
)
"""Matches somebody behind whom something is said of them between commas, or behind the only comma."""
_PARTS_MAX, _PART_MAX = 3, 60
"""Parts between commas, and characters of each."""
_AUTHOR = re.compile(
    r"\b(?:i|i'm|i've|im|ive|me|we|we're|we've|us|my|our|mine|both|ich|mich|mir|wir|uns|mein\w*|unser\w*|beide)\b",
    re.IGNORECASE,
)
_OTHERS = frozenset(
    "boss manager colleague coworker co-worker neighbour neighbor landlord landlady teacher doctor coach supervisor"
    " friend mate client student chef chefin kollege kollegin kollegen nachbar nachbarin nachbarn vermieter vermieterin"
    " lehrer lehrerin arzt ärztin trainer trainerin kumpel schüler schülerin bekannter bekannte".split()
)
"""Words for others with whom somebody has to do, who are no relatives."""
_PERSONAL = frozenset(
    "who origin_and_home work education health diet relationship aversion preference skill habit other".split()
)
"""Types of what is said of one person: who lists their relatives, animals and things goes on to list."""


@dataclass(frozen=True, slots=True)
class _Described:
    """Somebody of whom a sentence speaks between two places, with what stands between commas, if anything."""

    my: int
    noun: str
    name: str
    start: int
    end: int
    said: tuple[int, int] | None = None

    @property
    def kind(self) -> str | None:
        """Returns the class of a relative; None of others."""
        kind = class_of_word(self.noun.split()[-1])
        return kind if kind in KIN else None

    @property
    def subject(self) -> str:
        """Returns the words that name them."""
        return f"{self.noun} {self.name}".strip()


def of_described(text: str, claims: list[Claim]) -> list[Claim]:
    """Returns the claims of a sentence, with what it says of somebody whom it describes first as said of them
    and not of the author: "my son, allergic to nuts, starts school", "Maria, my boss, moved to Berlin"."""
    if "," not in text and "(" not in text:
        return claims
    for person in _described(text):
        strange = [claim for claim in claims if _is_of(person, claim, text)]
        if strange:
            claims = [claim for claim in claims if claim not in strange]
            claims += [
                claim
                for claim in _said_of(person, strange, text)
                if not any(
                    claim.start < other.end and other.start < claim.end and other.subject for other in claims
                )
            ]
    return claims


def _described(text: str) -> Iterator[_Described]:
    """Yields those whom a sentence describes."""
    for match in _NAMED_FIRST.finditer(text):
        person = _Described(
            match.start("my"), match["noun"], match["name"], match.end(), _until_author(text, match.end())
        )
        if person.end > person.start and _is_person(person.noun):
            yield person
    for match in _NAMED_AFTER.finditer(text):
        if _is_person(match["noun"]) and (until := _end_of_aside(text, match.end())) is not None:
            end = _until_author(text, until)
            yield _Described(
                match.start("my"), match["noun"], match["name"] or "", match.end(), end, (match.end(), until)
            )


def _end_of_aside(text: str, at: int) -> int | None:
    """Returns where that ends which stands between commas, or behind the only one; None where something else
    stands there."""
    is_only = text.count(",") == 1
    start = at
    for part in text[at:].split(",")[:_PARTS_MAX]:
        end = start + len(part)
        if len(part) > _PART_MAX or _AUTHOR.search(part) or re.search("[;:!?()]", part.rstrip(" .!?")):
            return None
        if end == len(text):
            return end if is_only else None
        if _is_finite(text[end + 1 :]):
            return end
        start = end + 1
    return None


def _is_person(noun: str) -> bool:
    word = noun.split()[-1]
    return class_of_word(word) in KIN or word.lower() in _OTHERS


def _until_author(text: str, at: int) -> int:
    """Returns where the author comes in again behind a place."""
    author = _AUTHOR.search(text, at)
    return author.start() if author else len(text)


def _is_finite(text: str) -> bool:
    """Returns whether a text begins with a verb in the form for one other person, or in the past."""
    words = [word for word in _WORD.findall(text[:_PART_MAX]) if word.lower() not in ADVERBS][:1]
    for word in words:
        forms = (table[word][1] for table in (english(), german()) if word in table)
        return _VERB.fullmatch(word) is not None or any(form not in (BASE, ING, DONE) for form in forms)
    return False


_WORD = re.compile(r"[\w'’-]+")
_VERB = re.compile(
    r"(?:is|was|are|were|has|had|have|does|did|will|can|could|would|won't|can't|doesn't|didn't|isn't|wasn't|hasn't|got|met|fell|went|came|took|won|lost|left|broke"
    r"|[a-z]{3,}(?<!s)s|ist|war|sind|waren|hat|hatte|haben|wird|wurde|kann|darf|will|muss|mag"
    r"|[a-zäöü]{2,}t|zog|kam|ging|fing|bekam)"
)


def _is_of(person: _Described, claim: Claim, text: str) -> bool:
    """Returns whether a claim that was read of the author is of somebody else."""
    return (
        person.start <= claim.start < person.end
        and not claim.subject
        and claim.type in _PERSONAL
        and claim.attribute not in KIN
        and _AUTHOR.search(text[claim.start : claim.end]) is None
    )


def _said_of(person: _Described, claims: list[Claim], text: str) -> Iterator[Claim]:
    """Yields what was read of the author as said of a relative; of others nothing is kept."""
    kind = person.kind
    if kind is None:
        return
    begin = person.start if person.said is None else person.said[0]
    if person.said is not None and any(claim.start < person.said[1] for claim in claims):
        begin = person.said[1]
        yield _fact(person, kind, text[slice(*person.said)].rstrip(" .!?"), person.said[0])
    rest = said_of(text, person.my, begin)
    if rest is not None and rest[1] < person.end:
        words = trimmed(rest[0])
        yield _fact(person, kind, words, rest[1])


def _fact(person: _Described, kind: str, words: str, at: int) -> Claim:
    claim = claim_at("kin_fact", words, at, at + len(words), certainty=0.75)
    return replace(claim, type=TYPE_OF_KIN.get(kind, "family"), subject=person.subject)
