"""Names that people sign with or introduce themselves by."""

from __future__ import annotations

import re
from collections.abc import Iterator

from holdfast.core.claims import Claim
from holdfast.language.claims.lexicon import class_of_word
from holdfast.language.claims.making import claim_at

_SIGNED = re.compile(
    r"(?:\n|[.!?] )\s*(?:(?:cheers|thanks|thank you|many thanks|best|regards|best regards|kind regards|yours|love|lg|vg|mfg|grüße|gruß|liebe grüße|viele grüße|danke|dank|beste grüße|xx?)\b[,!. ]*(?:\n\s*)?|[-–—]\s?)(?P<v>(?-i:[A-ZÄÖÜ])[a-zäöüßéè]{2,}(?: (?-i:[A-ZÄÖÜ])\.?[a-zäöüß]*)?)[.! ]*$",
    re.IGNORECASE,
)
"""A name at the end of a message."""


def signed(text: str) -> Iterator[Claim]:
    """Yields the name with which a message is signed."""
    match = _SIGNED.search(text)
    if (
        match is not None
        and not text.rstrip().endswith("!")  # who is thanked
        and class_of_word(match["v"]) is None
        and match["v"].lower()
        not in ("thanks", "you", "again", "danke", "much", "advance", "schön", "dir", "ihnen", "vorab")
    ):
        yield claim_at("name", match["v"], match.start("v"), match.end("v"), certainty=0.75)


_I_AM = re.compile(
    r"(?:^\W*|[.!,:] |\b(?:hi|hello|hey|hallo|moin),? )(?:I'?m|I am|ich bin(?: der| die)?|im) (?P<v>(?-i:[A-ZÄÖÜ])[a-zäöüßéèíóúãçñ'-]+(?: (?-i:[A-ZÄÖÜ])[a-zäöüß'-]+)?)(?=, (?:\d\d|an? |and |from |the |I|und |aus |ich|eine? |mum|mom|mother|father|born|living|studying|working|writing|calling|(?:doing|running|training|teaching) )|[.!]|$| and (?:I|im|ive|live|work|have|am)\b| und (?:ich|komme|wohne|arbeite) | from | aus | \(| by the way| btw|, by)",
    re.IGNORECASE,
)
_INTRODUCED_DE = re.compile(r"ich bin (?:der|die)|,? \(?\d\d|hallo|hi|moin|hey", re.IGNORECASE)
_ASIDE_AGE = re.compile(r",? \(?(?P<v>[1-9]\d)\)?(?=[,.) ])")


def introductions(text: str, language: str) -> Iterator[Claim]:
    """Yields the name, and the age beside it, of somebody who introduces themself."""

    match = _I_AM.search(text)
    if (
        match is None
        or class_of_word(match["v"].split()[-1]) is not None
        or re.match(
            r"(?:I|The|My|Not|Sorry|Not|Working|Looking|Trying|Going|Using|From|In|Back|Also|Currently)\b",
            match["v"],
        )
    ):
        return
    is_full = " " in match["v"] and all(class_of_word(word) is None for word in match["v"].split())
    if language == "de" and not (is_full or _INTRODUCED_DE.search(text)):
        return
    yield claim_at("name", match["v"], match.start(), match.end("v"), certainty=0.85)
    age = _ASIDE_AGE.match(text, match.end("v"))
    if age is not None:
        yield claim_at("age", age["v"], age.start("v"), age.end("v"))
