"""Finds numbers of payment cards, and those that are given with what is needed to pay by them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from holdfast.core.text import byte_pattern
from holdfast.language.national_ids import luhn

CARD, CODE = "payment_card", "card_code"
"""Types of what is found: the number of a card, and its security code."""

_GROUPS = ([14], [15], [16], [19], [4, 4, 4, 4], [4, 6, 5], [4, 6, 4], [4, 4, 4, 4, 3])
_NUMBER = r"\b[2-6](?:[ -]?\d){12,18}\b"
_NEAR = 100
"""Bytes before and after a number in which its code or expiry counts."""
_SAYS = r"[\"']?[ \t]{0,2}[:=#-]?[ \t\"']{0,3}"
_CODE_NAME = (
    r"(?:cvv2?|cvc2?|csc|(?:card )?security (?:code|number)|card verification (?:code|number|value)"
    r"|(?:karten)?pr\x{fc}f(?:nummer|ziffer)|sicherheitscode|c\x{f3}digo de seguridad|cryptogramme)"
)
_CODE = (
    rf"(?i)\b{_CODE_NAME}(?:[ /]{_CODE_NAME})?(?: (?:is|code|number|no\.?|ist|es|est))?{_SAYS}(\d{{3,4}})\b"
)
_PASTED = r"^[ ,;|]{1,3}(?:0[1-9]|1[0-2]) ?/ ?(?:20)?[2-9]\d[ ,;|]{1,3}(\d{3,4})\b"
"""The expiry and the code right after a number, as forms are copied: `04/27 123`."""
_PASTED_FIRST = (
    r"(?i)^[ ,;|]{1,3}(\d{3,4})[ ,;|]{1,3}(?:exp\w*\.?[ :]{0,2})?(?:0[1-9]|1[0-2]) ?/ ?(?:20)?[2-9]\d\b"
)
"""The code before the expiry: `123 04/27`."""
_EXPIRY = (
    r"(?i)\b(?:exp(?:ir(?:y|es|ation)|\.)?(?:[ _]date)?|valid (?:thru|through|until|to)|good thru"
    rf"|g\x{{fc}}ltig bis|ablaufdatum|caduca|vencimiento){_SAYS}(?:on |am )?"
    r"(?:0?[1-9]|1[0-2]) ?[/.-] ?(?:20)?[2-9]\d\b"
    r"|\b(?:0[1-9]|1[0-2]) ?/ ?(?:20)?[2-9]\d\b"
)
_OF_CARD = (
    r"(?i)\b(?:(?:credit|debit)?[ -]?cards?|visa|master ?card|amex|american express|\w*karte|tarjeta|carte)\b"
)
_OF_OTHERS = (
    r"(?i)\b(?:order|imei|tracking|invoice|serial|shipment|parcel|ticket|booking|reference|ref|sku|gift"
    r"|loyalty|membership|library|bestell\w*|rechnung\w*|sendung\w*)\b[^\d\n]{0,24}$"
)
"""What a number is that is no card's, right before it."""


def card_numbers(data: bytes) -> Iterator[tuple[int, int]]:
    """Yields numbers with the length, groups, first digits and check digit of a payment card."""
    for match in byte_pattern(_NUMBER).finditer(data):
        groups = match.group().replace(b"-", b" ").split(b" ")
        while groups and not _is_card(groups):
            groups.pop()  # the month of an expiry, or the code, after it
        if groups:
            yield match.start(), match.start() + sum(map(len, groups)) + len(groups) - 1


def may_hold_cards() -> Any:
    """Returns the pattern of which every text with a card has a match."""
    return byte_pattern(_NUMBER)


def payable_cards(data: bytes) -> Iterator[tuple[int, int, str]]:
    """Yields numbers of cards beside their security code, or beside their expiry where a card is named, and
    these codes. A number on its own is personal data, no secret; one that is called an order's or a parcel's
    is neither.
    """
    for start, end in card_numbers(data):
        first = max(0, start - _NEAR)
        before, after = data[first:start], data[end : end + _NEAR]
        if _has(_OF_OTHERS, before):
            continue
        codes = [
            (base + match.start(1), base + match.end(1))
            for base, part, pattern in (
                (first, before, _CODE),
                (end, after, _CODE),
                (end, after, _PASTED),
                (end, after, _PASTED_FIRST),
            )
            for match in byte_pattern(pattern).finditer(part)
        ]
        is_dated = _has(_EXPIRY, before) or _has(_EXPIRY, after)
        if codes or (is_dated and (_has(_OF_CARD, before) or _has(_OF_CARD, after))):
            yield start, end, CARD
            yield from ((low, high, CODE) for low, high in codes)


def _has(pattern: str, part: bytes) -> bool:
    return byte_pattern(pattern).search(part) is not None


def _is_card(groups: Sequence[bytes]) -> bool:
    """Returns whether the length, groups, first digits and check digit of a number are those of a card."""
    digits = b"".join(groups).decode()
    return [len(group) for group in groups] in _GROUPS and _is_issued(digits) and luhn(digits)


def _is_issued(digits: str) -> bool:
    """Returns whether a card network uses this prefix with this length."""
    two, three, four, length = int(digits[:2]), int(digits[:3]), int(digits[:4]), len(digits)
    if digits[0] == "4":
        return length == 16
    if 51 <= two <= 55 or 2221 <= four <= 2720:
        return length == 16
    if two in (34, 37):
        return length == 15
    if two in (36, 38, 39) or 300 <= three <= 305:
        return length == 14
    return length in (16, 19) and (
        four == 6011 or two in (65, 62, 35) or 644 <= three <= 649 or two in (50, 67)
    )
