"""Finds postal addresses: a street with its number and postcode, or one that is said to be an address."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

from holdfast.core.text import byte_pattern

_ENGLISH = (
    r"\d{1,5}[A-Za-z]?,? (?:[NSEW]\.? )?(?:[A-Z][\w'.-]* ){1,4}(?:Street|St|Road|Rd|Avenue|Ave|Lane|Ln|Drive"
    r"|Dr|Boulevard|Blvd|Court|Ct|Way|Place|Pl|Square|Sq|Terrace|Close|Crescent|Gardens|Parkway"
    r"|Pkwy|Highway|Hwy)\b\.?"
)
_GERMAN = (
    r"(?:[A-Z\x{c4}\x{d6}\x{dc}][\pL.-]*(?:stra\x{df}e|strasse|str\.|weg|allee|platz|gasse|ring|damm|ufer"
    r"|chaussee)|(?:[A-Z\x{c4}\x{d6}\x{dc}][\pL.-]+ ){1,3}(?:Stra\x{df}e|Strasse|Str\.|Weg|Allee|Platz|Gasse"
    r"|Ring|Damm|Ufer)) ?\d{1,4} ?[a-z]?\b"
)
_FRENCH = (
    r"\d{1,4}(?: ?(?:bis|ter))?,? (?:rue|avenue|boulevard|place|chemin|impasse|all\x{e9}e|quai|cours|route)"
    r" [^\n\0,\d]{2,50}"
)
_SPANISH = (
    r"\b(?:Calle|C/|Avenida|Avda\.?|Plaza|Paseo|Via|Viale|Piazza|Corso|Rua|Travessa|calle|avenida|via|rua)"
    r" [^\n\0,\d]{2,40},? ?(?:n\.?\x{ba}? ?)?\d{1,4}\b"
)
_DUTCH = r"[A-Z][\pL-]*(?:straat|laan|plein|gracht|kade|singel) \d{1,4} ?[a-zA-Z]?\b"
_ANY = f"(?:{_ENGLISH}|{_GERMAN}|{_FRENCH}|{_SPANISH}|{_DUTCH})"

_POSTCODE = (
    r"(?:[A-Z]{2},? \d{5}(?:-\d{4})?|(?:[A-Z]{1,2}-)?\d{4,5}(?:-\d{3})? [A-Z\x{c4}\x{d6}\x{dc}]\pL+"
    r"|\d{4} ?[A-Z]{2}\b|[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}\b)"
)
_SAID = (
    r"(?i:\b(?:address|adresse|anschrift|wohnhaft|direcci\x{f3}n|domicilio|indirizzo|endere\x{e7}o|adres)\b"
    r"[^\n\0\d]{0,30}?|\b(?:lives?|living|moved|wohne|wohnt|habite|vivo|vive|abito|woon|woont)\b"
    r"(?: (?:at|to|in|on|now|der|dem|die|am|au|en|la|a|aan|de|het|jetzt|nun))* )"
)


@cache
def street_pattern() -> Any:
    """Returns a pattern of the words that every address has one of."""
    return byte_pattern(
        r"(?i)\b(?:street|st|road|rd|avenue|ave|lane|ln|drive|dr|boulevard|blvd|court|ct|way|place|pl|square"
        r"|sq|terrace|close|crescent|gardens|parkway|pkwy|highway|hwy|rue|chemin|impasse"
        r"|all\x{e9}e|quai|cours|route"
        r"|calle|avenida|avda|plaza|paseo|via|viale|piazza|corso|rua|travessa)\b|\bc/"
        r"|stra\x{df}e|strasse|str\."
        r"|(?:weg|allee|platz|gasse|ring|damm|ufer|chaussee|straat|laan|plein|gracht|kade|singel) ?\d"
    )


@cache
def _patterns() -> tuple[Any, Any]:
    return (
        byte_pattern(rf"{_ANY}[,;]?\s(?:[^\n\0]{{0,50}}?[,;]? )??{_POSTCODE}"),
        byte_pattern(rf"{_SAID}({_ANY})"),
    )


def find_addresses(data: bytes) -> Iterator[tuple[int, int]]:
    """Yields start and end of each address in UTF-8 text, in linear time."""
    if street_pattern().search(data) is None:
        return
    whole, stated = _patterns()
    for match in whole.finditer(data):
        yield match.span()
    for match in stated.finditer(data):
        yield match.span(1)
