"""Claims of a message: sentences, then the frames of both languages."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache

from holdfast.core.claims import CURRENT, PLAN, Claim
from holdfast.language.claims import english as en
from holdfast.language.claims import german as de
from holdfast.language.claims import german_frames as de_frames
from holdfast.language.claims.attributes import DIETS, JOBS, MARITAL, NATIONALITIES
from holdfast.language.claims.clauses import MESSAGE_MAX, Span, covered, is_of_others, meant, sentences
from holdfast.language.claims.first_person import FRONTED, LEFT, LEFT_NO, SUBJECT, clauses_of
from holdfast.language.claims.implied import SINCE, of_relatives, of_things
from holdfast.language.claims.values import claim_at, cut
from holdfast.language.claims.without_subject import without_subject

_TRIGGER = re.compile(
    r"\b(?:i|i'm|i’m|my|we|our|ich|mein|mir|wir|uns|from now|always|never|bitte|ab (?:jetzt|sofort)|nie|immer|künftig|duz|nenn|antworte"
    r"|mein\w+|unser\w*|moved|live|lived|living|work|worked|been|got|have|used to|don't|don’t|can't|can’t|hate|love|quit|bought|sold|married|divorced|allergic|vegan|vegetarian|diabetic|born|kids|cats?|dogs?|kinder|hunde?|katzen?|wohne|arbeite|bin|habe|hab|mag|esse|trinke|verheiratet|vegetarier\w*|allergisch|spreche|studiere|komme|war|hatte|heiße|retired|turned|expecting|learning|studying|training|pregnant|adopted|joined)\b",
    re.IGNORECASE,
)
_INSTRUCTING = (
    "always", "never", "from now", "from today", "future", "forward", "don't", "do not", "stop", "answer", "repl", "respon",
    "keep ", "rule", "henceforth", "bitte", "immer", "nie", "antwort", "ab jetzt", "ab sofort", "künftig", "duz", "kurz", "keine", "grundsätzlich",
    "von nun", "von jetzt", "zukunft", "siez", "sprich", "verzicht", "hör auf", "prefer", "generell",
)  # fmt: skip
_OWNING = (
    "my ",
    "our ",
    "mein",
    "unser",
    "as a",
    "als ",
    "here ",
    "back home",
    "bei uns",
    "bei mir",
    "hier ",
)
_NAMING = (
    "name",
    "call",
    "i'm ",
    "i am",
    "ich bin",
    "heiß",
    "nenn",
    "go by",
    "this is",
    "known as",
    "hi ",
    "hallo",
    "hey",
    "hello",
    "moin",
)
RULES = "1"
"""The version of these rules, kept with what they found: what other rules have read is read again."""
CLAIMS_MAX = 40
"""Most claims of one message."""
_I_AM = re.compile(
    r"(?:^\W*|[.!,] |\b(?:hi|hello|hey),? )(?:I'm|I am|ich bin(?: der| die)?) (?P<v>(?-i:[A-ZÄÖÜ])[a-zäöüß'-]+(?: (?-i:[A-ZÄÖÜ])[a-zäöüß'-]+)?)(?=, (?:\d\d|an? |and |from |the |I|und |aus |ich|eine? |mum|mom|mother|father|born|living)|[.!]|$| and I| und | from | aus | by the way| btw|, by)(?:, (?P<age>\d\d)\b)?",
    re.IGNORECASE,
)
_BELIEVER = re.compile(
    r"(?:Catholic|Protestant|Christian|Muslim|Jewish|Hindu|Buddhist|Sikh|Anglican|Orthodox|European|Rentner|Single|Student|Vater|Mutter|Mama|Papa)",
    re.IGNORECASE,
)
_NO_NAME = re.compile(r"(?:I|The|My|A|An|Is|Es|Das|Der|Die|Ein|Sorry|Not|German|English|Maybe)\b")


def claims_in(text: str) -> tuple[Claim, ...]:
    """Returns what a message states about its author, in order."""
    if len(text) > MESSAGE_MAX or _TRIGGER.search(text) is None:
        return ()
    plain = covered(text)
    found: list[Claim] = []
    spans = sentences(plain)
    for i, span in enumerate(spans):
        # what is meant is asked only of what says something: most sentences do not
        if _in_sentence(span) or _in_sentence(replace(span, implied=True)):
            for part in meant(spans, i):
                found += [
                    replace(one, start=part.start + one.start, end=part.start + one.end)
                    for one in _in_sentence(part)
                ]
    if found and is_of_others(plain):
        return ()
    return tuple(_once(found)[:CLAIMS_MAX])


def _has(low: str, hints: tuple[str, ...]) -> bool:
    """Checks whether a text in lower case has one of some words: patterns cost more."""
    return any(hint in low for hint in hints)


def _once(claims: list[Claim]) -> list[Claim]:
    """Returns claims in order, without those that say the same at an overlapping place."""
    kept: list[Claim] = []
    for claim in claims:
        covers = [
            one
            for one in kept
            if one.start < claim.end and claim.start < one.end
            and (one.attribute == claim.attribute or one.value == claim.value)
            and (claim.value in one.value or one.value in claim.value)
        ]  # fmt: skip
        if not covers and claim.value.strip():
            kept.append(claim)
    return sorted(kept, key=lambda one: one.start)


def _in_sentence(span: Span) -> list[Claim]:
    text = span.text
    low = text.lower()
    instruction = _instruction(text) if _has(low, _INSTRUCTING) else None
    if instruction is not None:
        return [instruction, *_named(text)]
    found: list[Claim] = []
    if _has(low, _OWNING):
        found += [*of_relatives(text, bare=span.implied), *of_things(text)]
    if span.implied:
        return found + [
            claim
            for since in SINCE.finditer(text)
            for claim in clauses_of(text, since.start("i"), since.end("i"))
        ]
    if _has(low, _NAMING):
        found += _named(text)
    if de.is_german(text):
        return found + de.claims(text)
    if "my " in low or "our " in low:
        found += _of_my(text)
    found += without_subject(text)
    for match in SUBJECT.finditer(text):
        left = text[: match.start()]
        if LEFT_NO.search(left) or not (LEFT.search(left) or FRONTED.search(left)):
            continue
        found += clauses_of(text, match.start(), match.end())
    return found


def _instruction(text: str) -> Claim | None:
    for pattern in (*en.INSTRUCT, *de_frames.INSTRUCT):
        match = re.compile(
            r"\W*(?:(?:ok|okay|also|and|oh|hi|hello|hey|so|well|one more thing|by the way|btw|ach ja|und|übrigens)[,:]? )*"
        ).match(text)
        start = match.end() if match else 0
        found = pattern.match(text, start)
        if found is not None and len(found["v"]) > 5:
            value = found["v"].strip(" .!,")
            negative = bool(
                re.match(
                    r"(?:please |bitte )?(?:never|don't|do not|stop|no\b|nie\b|keine?\b)|.*\b(?:keine?n?|nicht|nie)\b",
                    value,
                    re.IGNORECASE,
                )
            )
            return claim_at(
                "instruction",
                value,
                found.start(),
                found.start() + len(found[0].rstrip()),
                positive=not negative,
            )
    return None


def _named(text: str) -> Iterator[Claim]:
    match = _I_AM.search(text)
    if match is not None and not _is_no_name(match["v"], text):
        if "ich bin " not in match[0].lower() or match["age"] or re.search(r"ich bin (?:der|die)", match[0]):
            yield claim_at("name", match["v"], match.start(), match.end("v"), certainty=0.85)
        if match["age"]:
            yield claim_at("age", match["age"], match.start("age"), match.end("age"))
    for attribute, pattern in (
        ("name", en.NAME),
        ("called", en.CALLED),
        ("name", de_frames.NAME),
        ("called", de_frames.CALLED),
    ):
        match = pattern.search(text)
        if match is not None and not _NO_NAME.match(match["v"]):
            yield claim_at(attribute, match["v"].strip(" .,'"), match.start(), match.end(), certainty=0.9)


def _is_no_name(word: str, text: str) -> bool:
    others = (NATIONALITIES.fullmatch(word), _BELIEVER.match(word), _NO_NAME.match(word))
    states = (re.fullmatch(pattern, word, re.IGNORECASE) for pattern in (DIETS, MARITAL))
    return any(others) or any(states) or (de.is_german(text) and JOBS.search(word) is not None)


def _of_my(text: str) -> Iterator[Claim]:
    for attribute, pattern in _my():
        match = pattern.search(text)
        if match is not None and LEFT.search(text[: match.start()]):
            value = cut(match["v"])
            if value:
                end = match.start("v") + len(value)
                yield claim_at(
                    attribute, value, match.start(), end, status=PLAN if attribute == "plan" else CURRENT
                )


@cache
def _my() -> tuple[tuple[str, re.Pattern[str]], ...]:
    return tuple((attribute, re.compile(rf"\b{pattern}", re.IGNORECASE)) for attribute, pattern in en.MY)
