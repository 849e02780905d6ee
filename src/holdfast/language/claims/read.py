"""Claims of a message: its sentences, their clauses, and what each says of the one who wrote it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from holdfast.core.claims import CURRENT, Claim
from holdfast.language.claims.appositions import apposed
from holdfast.language.claims.asking import asks_of_own
from holdfast.language.claims.clause import (
    language_of,
)
from holdfast.language.claims.clauses import Span, asserted_spans, sentences
from holdfast.language.claims.described import of_described
from holdfast.language.claims.doubts import is_doubtful
from holdfast.language.claims.instructions import instruction_in
from holdfast.language.claims.kin import with_ages, with_brackets
from holdfast.language.claims.lexicon import KIN
from holdfast.language.claims.lists import with_lists
from holdfast.language.claims.medicines import is_no_change, of_medicines
from holdfast.language.claims.names import introductions, signed
from holdfast.language.claims.objects import with_object_only
from holdfast.language.claims.phrases import dismissed, phrases_in
from holdfast.language.claims.possessive import of_possessives
from holdfast.language.claims.reasons import of_reasons, of_tails
from holdfast.language.claims.relatives import Relative, further
from holdfast.language.claims.sequence import of_clauses
from holdfast.language.claims.verbal import with_verb
from holdfast.language.claims.verbs import BASE, english
from holdfast.language.claims.voice import MESSAGE_MAX, own_text
from holdfast.language.claims.wordings import of_wordings

CLAIMS_MAX = 40
"""Most claims of one message."""
_POINT = "\N{ONE DOT LEADER}"
"""Stands for the point of an abbreviation, which ends no sentence."""
_ABBREVIATION = re.compile(
    r"\b(?:Dr|Mr|Mrs|Ms|St|Prof|Hr|Fr|Ing|Nr|No|ca|evtl|bzw|approx|z\. ?B|u\. ?a|d\. ?h|e\.g|i\.e)\.(?= ?\w)"
    r"|\b[A-Z]+\.(?=\d)"  # of a name: "the ID.3"
)
_DOUBT = re.compile(
    r"\b(?:maybe|perhaps|possibly|probably|might|could(?! (?:you|u|i|we|someone|anyone)\b)|supposedly|vielleicht|eventuell"
    r"|evtl|womöglich|möglicherweise|wahrscheinlich|vermutlich|könnte[nt]?(?! (?:ihr|sie|ich|wir|mir)\b))\b[^,;:(–—]*$",
    re.IGNORECASE,
)


_DOUBT_WITHIN = 12
"""Characters within which a claim may begin with a doubt: "maybe I get …, not sure"."""


def claims_in(text: str) -> tuple[Claim, ...]:
    """Returns what a message states about its author, in order."""
    if len(text) > MESSAGE_MAX:
        return ()
    plain = _ABBREVIATION.sub(lambda match: match[0].replace(".", _POINT), with_lists(own_text(text)))
    language = language_of(plain)
    spans = sentences(plain)
    claims: list[Claim] = []
    spoken_of: Relative | None = None
    for i in range(len(spans)):
        for part in asserted_spans(spans, i):
            here = list(_in_sentence(part, language, bool(claims)))
            if not part.reported:
                here = of_described(part.text, with_brackets(part.text, here))
                here, spoken_of = _with_relatives(part.text, here, spoken_of)
            claims += [
                replace(claim, start=part.start + claim.start, end=part.start + claim.end)
                for claim in here
                if _DOUBT.search(part.text[: claim.end]) is None
                and _DOUBT.search(part.text[: claim.start + _DOUBT_WITHIN]) is None
                and not is_no_change(part.text, claim)
            ]
    claims += signed(plain)
    claims += dismissed(plain)
    claims = [replace(claim, value=str(claim.value).replace(_POINT, ".")) for claim in claims]
    firm = [each for claim in claims if (each := _with_plausible_object(claim, text)) is not None]
    described = {claim.subject.lower() for claim in firm if claim.subject}
    firm = [
        claim
        for claim in firm
        if claim.subject
        or claim.attribute not in KIN - {"spouse", "partner"}
        or claim.value.lower() not in described
    ]
    whole = [with_ages(_with_date(_with_quotes(claim, text), text), text) for claim in firm]
    return tuple(_once(whole)[:CLAIMS_MAX])


def _with_plausible_object(claim: Claim, text: str) -> Claim | None:
    """Returns a claim with its object as it should be, or None where it is none that somebody meant."""
    quote, goes_on = (
        text[claim.start : claim.end],
        _goes_on(text[: claim.start]),
    )
    result = None if is_doubtful(claim, quote, goes_on=goes_on) else with_object_only(claim)
    changed = result is not None and result is not claim
    return (
        None
        if result is None or (changed and is_doubtful(result, quote, goes_on=goes_on))
        else with_verb(result, quote)
    )


def _goes_on(before: str) -> bool:
    """Returns whether what follows a text goes on about its author, and about how things are: not about
    somebody whom it names, nor about what is wanted, as in "I want to retire and …"."""
    if _GOES_ON.search(before[-8:]) is None:
        return False
    clause = _MARK.split(before)[-1]
    if _FIRST_PERSON.search(clause) is None or _NO_STATEMENT.search(clause):
        return False
    verbs = english()
    return not any(verbs.get(word.lower(), ("", ""))[1] == BASE for word in _INFINITIVE.findall(clause))


_GOES_ON = re.compile(r"\w,? (?:and|und|but|aber) $", re.IGNORECASE)
_MARK = re.compile(r"[.!?;:\n]")
_NO_STATEMENT = re.compile(
    r"\b(?:can|could|will|would|should|must|might|may|shall|who|whose|let|make|help|if|whether|unless|wenn|falls|ob|kann|könnte|will|würde|möchte|soll|muss|darf)\b"
    r"|\b(?:couldn|wouldn|shouldn|won)'t\b|'ll\b|'d\b",
    re.IGNORECASE,
)
_INFINITIVE = re.compile(r"\bto ([a-z]+)\b")


def _with_relatives(
    text: str, claims: list[Claim], before: Relative | None
) -> tuple[list[Claim], Relative | None]:
    """Returns the claims of a sentence with what further clauses say of a relative whom it, or the sentence before,
    names; and the last relative that it names."""
    introductions = sorted(
        (claim for claim in claims if claim.attribute in KIN and _MINE.match(text, claim.start)),
        key=lambda claim: claim.start,
    )
    more = (
        []
        if before is None or (introductions and introductions[0].start < len(text) - len(text.lstrip()) + 3)
        else list(further(text, 0, before))
    )
    last = before if more else None
    for number, relative in enumerate(introductions):
        noun = _MINE.sub("", re.sub(r" \(.*$", "", text[relative.start : relative.end]), count=1)
        last = Relative(relative, re.split(r"[,(]", noun)[0].strip(), relative.end)
        until = introductions[number + 1].start if number + 1 < len(introductions) else len(text)
        facts = [each.end for each in claims if each.subject and relative.start <= each.start < until]
        more += further(text[:until], max([relative.end, *facts]), last)
    pets = [
        claim for claim in claims if claim.attribute == "pet" and claim.positive and claim.status == CURRENT
    ]
    if last is None and pets:  # "We have a dog. His name is Balu."
        last = Relative(pets[-1], pets[-1].value.split()[-1], pets[-1].end)
    return [
        *claims,
        *(
            each
            for each in more
            if not any(each.start < c.end and c.start < each.end and c.subject for c in claims)
        ),
    ], last


_MINE = re.compile(r"(?:my|our|mein\w*|unser\w*|the|die|der)\s+", re.IGNORECASE)


def _with_quotes(claim: Claim, text: str) -> Claim:
    """Returns an instruction with the words in quotation marks that belong to it."""
    if claim.attribute != "instruction":
        return claim
    excerpt = text[claim.start : claim.end]
    at = excerpt.find(claim.value)
    if at < 0:
        return replace(claim, value=excerpt.strip())
    quoted = _QUOTED.match(text, claim.start + at + len(claim.value))
    return claim if quoted is None else replace(claim, value=claim.value + quoted[0].rstrip(" .,!"))


def _with_date(claim: Claim, text: str) -> Claim:
    """Returns a claim with all of the date that it ends in: "heiraten am 12" goes on with ". September"."""
    date = _MONTH.match(text, claim.end) if text[claim.start : claim.end][-1:].isdigit() else None
    if date is None:
        return claim
    is_value = claim.value.endswith(text[: claim.end].split()[-1])
    return replace(claim, end=date.end(), value=f"{claim.value}{date[0]}" if is_value else claim.value)


_MONTH = re.compile(
    r"\. (?:Januar|Februar|März|April|Mai|Juni|Juli|August|September|Oktober|November|Dezember)\b(?: (?:19|20)\d\d)?"
)
_QUOTED = re.compile(
    r"\s*(?:,?\s*(?:(?:and|or|und|oder|nor)\s+)?(?:\"[^\"\n]{1,80}\"|“[^”\n]{1,80}”|„[^“”\n]{1,80}[“”]|«[^»\n]{1,80}»"
    r"|»[^«\n]{1,80}«|‘[^’\n]{1,80}’|'[^'\n]{1,80}'|`[^`\n]{1,80}`))+(?:\s(?!(?:i|we|because|so|but)\b)[\w' -]{1,40}(?=[.!\n]|$))?",
    re.IGNORECASE,
)
"""Matches the words in quotation marks that a wish is about, with what follows them in the sentence."""


def _once(claims: list[Claim]) -> list[Claim]:
    """Returns claims in order, without those that say the same at an overlapping place."""
    unique: list[Claim] = []
    for claim in claims:
        low = claim.value.lower()
        same = next(
            (
                other
                for other in unique
                if other.start < claim.end
                and claim.start < other.end
                and other.subject == claim.subject
                and (
                    other.attribute == claim.attribute
                    or other.type == claim.type
                    or other.value.lower() == low
                )
                and (low in other.value.lower() or other.value.lower() in low)
            ),
            None,
        )
        if same is None and claim.value.strip():
            unique.append(claim)
    return sorted(unique, key=lambda claim: claim.start)


def _in_sentence(span: Span, language: str, follows_claim: bool) -> Iterator[Claim]:
    """Yields the claims of one sentence."""
    text = span.text
    if not may_tell(text) or asks_of_own(text):
        return
    language = language_of(text, language)
    wishes = [] if span.reported else list(instruction_in(text))
    yield from wishes
    owned = of_possessives(text, is_bare=span.implied)
    if _OF_SOMEBODY.match(text) and not _FIRST_PERSON.search(text):
        yield from owned
        return
    further = (
        [claim for claim in owned if claim.start < REPORTER_MAX]
        if span.reported
        else [*owned, *apposed(text, language)]
    )
    if span.implied:
        if not span.reported:
            yield from of_reasons(text, language)
            yield from of_tails(text)
    else:
        worded = list(of_wordings(text))
        if wishes:
            yield from (claim for claim in worded if claim.type == "who")
            return
        yield from introductions(text, language)
        yield from worded
        yield from of_medicines(text)
        yield from of_clauses(text, language, follows_claim)
        yield from phrases_in(text)
    yield from further


def may_tell(sentence: str) -> bool:
    """Returns whether a sentence may tell of its author: it has a word for them, or is short."""
    return _TELLING.search(sentence) is not None or len(sentence) <= FRAGMENTS_MAX


REPORTER_MAX = 3
"""Characters within which a report names the one who reports: "My husband says …"."""
FRAGMENTS_MAX = 90
"""Characters of a sentence that may tell of its author without a word for them."""
_TELLING = re.compile(
    r"\b(?:i|i'm|im|ive|my|me|we|our|us|mine|ich|mich|mir|wir|uns|mein\w*|unser\w*|always|never|from now|whenever|going forward|from here|in future|answers?|repl(?:y|ies)|immer|nie|ab (?:jetzt|sofort)|künftig|duz\w*|antwort\w*|keine?)\b",
    re.IGNORECASE,
)


_OF_SOMEBODY = re.compile(
    r"\s*(?:(?i:my|our|mein\w*|unser\w*) \w+|[A-ZÄÖÜ][\w'-]+(?: [A-ZÄÖÜ][\w'-]+){0,2}), (?:also |auch )?"
    r"(?:known|called|named|nicknamed|born|raised|married|divorced|based|aged|bekannt|genannt|geboren|verheiratet"
    r"|aufgewachsen|wohnhaft)\b[^,;.!?]*, *\w"
)
"""Matches a sentence about somebody whom it describes first: "Anna, born in Graz, lives …"."""
_FIRST_PERSON = re.compile(r"\b(?:i|im|i'm|me|we|us|ich|mich|mir|wir|uns)\b", re.IGNORECASE)
