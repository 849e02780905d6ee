"""Finds, redacts and rates personal data: e-mail, phone, card, account, IP, national ids, addresses."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import partial

from holdfast.core.text import Finding, byte_pattern, findings_at, replace_spans
from holdfast.language.addresses import find_addresses, street_pattern
from holdfast.language.batch_prescan import JoinedTexts, scan_batch
from holdfast.language.national_ids import NATIONAL_IDS, NationalId
from holdfast.language.payment_cards import card_numbers

__all__ = ["NATIONAL_IDS", "TYPES", "Finding", "find_pii", "pii_risk", "redact_pii", "risks_of_all"]

_Spans = Iterator[tuple[int, int]]

_REVIEW = frozenset({"email", "phone", "card", "iban", "national_id", "address"})
TYPES = _REVIEW | {"ip"}
"""The types of personal data that are found without a setting."""


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


# Seven digits with little between them, or the start of an IBAN or of an id that begins with letters.
_NUMBER = (
    r"(?:\d[ ./()\x{a0}\x{2011}-]{0,3}){6}\d|[A-Z]{2} ?\d\d ?[0-9A-Z]|[XYZ]-?\d{7}"
    r"|[CFGHJKLMNPRTVWXYZ][CFGHJKLMNPRTVWXYZ0-9]{8}\d"
)

_LETTER = r"A-Za-z0-9\p{Latin}\p{Cyrillic}\p{Greek}"
_EMAIL = (
    rf"[{_LETTER}._%+'-]+@[{_LETTER}-]+(?:\.[{_LETTER}-]+)*\."
    r"(?:[A-Za-z]{2,24}|xn--[A-Za-z0-9-]+|\p{Cyrillic}{2,})"
)
_NOT_DOMAINS = frozenset(
    b"png jpg jpeg gif webp svg css js ts tsx jsx json yml yaml txt html lock toml".split()
)
_CIPHER_HOSTS = (b"openssh.com", b"libssh.org")  # in names such as aes256-gcm@openssh.com

_IP = r"\b\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}\b"
_LONG_IP = r"\b[23][0-9a-fA-F]{3}:[0-9a-fA-F:]{2,34}"

# Words before four dotted numbers that are not an address.
_NUMBERED = frozenset(b"version release build ver section \xc2\xa7 oid clause chapter".split())

_GAP = r"[ .\x{2011}\x{a0}/()-]"
_PHONE_SHAPES = (
    rf"\+\(?[1-9]\d{{0,3}}\)?(?:{_GAP}{{0,3}}\d){{6,13}}"  # +49 (0)30 1234567
    rf"|\b00[1-9]\d{{0,2}}(?:{_GAP}{{1,3}}\d{{1,10}}){{2,5}}"  # 0049 30 1234567
    r"|(?:\b1[ .-])?(?:\(\d{3}\)|\b\d{3})[ .\x{2011}-]{1,2}\d{3}[ .\x{2011}-]\d{4}\b"  # (415) 555-0100
    r"|\(\d{2}\) ?9?\d{4}-\d{4}\b"  # (11) 98515-0280
    r"|(?:\(0\d{1,5}\)|\b0[1-9]\d{0,4})[ /.\x{2011}\x{a0}-]{1,3}\d{2,8}"  # 030/1234567
    r"(?:[ .\x{2011}\x{a0}/-]\d{2,6}){0,4}\b"
)
_ANNOUNCED_PHONE = (
    r"(?i)(?:\b(?:tel|telephone|telefon\w*|tel\x{e9}fono|telefono|t\x{e9}l\x{e9}phone|phone|mobile?|mobil\w*"
    r"|m\x{f3}vil|movil|cell|cellphone|call|fax|whats ?app|signal|sms|text|dial|ring|reach|contact(?:ing)?"
    r"|(?:my|your|his|her|its|our|their|contact) number|handy\w*|rufnummer|portable)"
    r"|\x{7535}\x{8bdd}|\x{624b}\x{673a}|\x{96fb}\x{8a71}|\x{643a}\x{5e2f}|\x{442}\x{435}\x{43b}\pL*)"
    r"(?:[ \t]+(?:the|my|his|her|our|a|an|le|la|el|den|die|das)[ \t]+\w+[ \t]+(?:at|on|under|au|en|unter))?"
    r"(?:[ \t]*(?:number|nummer|no\.?|nr\.?|me|us|him|her|them|you|is|at|on|under|:|\x{ff1a}|=|-|\.|#"
    r"|,)){0,4}[ \t]*(\+?\(?\d(?:[ .()/-]{0,2}\d){6,14})"
)
_DATE = (
    r"\(?(?:(?:19|20)\d\d[-./ ]\d{1,2}[-./ ]\d{1,2}|\d{1,2}[-./]\d{1,2}[-./](?:\d{4}|\d{2})"
    r"|(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01]))(?:[ T.-]*\d{1,2}(?:[.:-]?\d{2}){0,2})?|.*(?:19"
    r"|20)\d\d-\d\d-\d\d.*|1\d{9}(?:\d{3})?"  # seconds or milliseconds since 1970
)
_ID_WORDS = _set(
    "account asin batch bestellung booking build case code ean id ids invoice isbn issue item"
    " kundennummer lot no nr order part po rechnung ref reference serial sku ticket tracking upc version"
)
_IBAN_LENGTHS = {
    "AD": 24, "AE": 23, "AL": 28, "AT": 20, "AZ": 28, "BA": 20, "BE": 16, "BG": 22, "BH": 22, "BR": 29,
    "BY": 28, "CH": 21, "CR": 22, "CY": 28, "CZ": 24, "DE": 22, "DK": 18, "DO": 28, "EE": 20, "EG": 29,
    "ES": 24, "FI": 18, "FO": 18, "FR": 27, "GB": 22, "GE": 22, "GI": 23, "GL": 18, "GR": 27, "GT": 28,
    "HR": 21, "HU": 28, "IE": 22, "IL": 23, "IQ": 23, "IS": 26, "IT": 27, "JO": 30, "KW": 30, "KZ": 20,
    "LB": 28, "LC": 32, "LI": 21, "LT": 20, "LU": 20, "LV": 21, "MC": 27, "MD": 24, "ME": 22, "MK": 19,
    "MR": 27, "MT": 31, "MU": 30, "NL": 18, "NO": 15, "PK": 24, "PL": 28, "PS": 29, "PT": 25, "QA": 29,
    "RO": 24, "RS": 22, "SA": 24, "SC": 31, "SE": 24, "SI": 19, "SK": 24, "SM": 27, "ST": 25, "SV": 28,
    "TN": 24, "TR": 26, "UA": 29, "VA": 22, "VG": 24, "XK": 20,
}  # fmt: skip


def find_pii(
    text: str,
    *,
    national_ids: Collection[str] = tuple(NATIONAL_IDS),
    extra: Mapping[str, str] | None = None,
) -> list[Finding]:
    """Returns the personal data in `text`, in order and without overlap (S2.16).

    Types: email, phone, card (Luhn), iban (checksum), ip (public addresses only), national_id (the kinds in
    `national_ids`) and address (street, number and postcode, or a street said to be an address). Full-width
    forms and digits of any script count as plain ones. `extra` maps further types to RE2 patterns; names are
    not found. Offsets count characters. Raises re2.error for a bad pattern.
    """
    text = _plain(text)
    data = text.encode("utf-8", "surrogatepass")
    spans: list[tuple[int, int, str]] = []
    for type_, find in _FINDERS.items():
        spans += [(start, end, type_) for start, end in find(data)]
    if byte_pattern(_NUMBER).search(data):
        for type_, find in _NUMBER_FINDERS.items():
            spans += [(start, end, type_) for start, end in find(data)]
        lower = data.lower()
        for name in national_ids:
            spans += [
                (start, end, "national_id") for start, end in _national_ids(data, lower, NATIONAL_IDS[name])
            ]
        spans += [(start, end, "phone") for start, end in _phones(data)]
    spans += [(start, end, "address") for start, end in find_addresses(data)]
    for type_, pattern in (extra or {}).items():
        spans += [(*match.span(), type_) for match in byte_pattern(pattern).finditer(data) if match.group()]
    return findings_at(text, _disjoint(spans))


def _plain(text: str) -> str:
    """Returns a text with full-width and small signs and the digits of all scripts as ASCII, in place."""
    if text.isascii():
        return text
    table = {}
    for char in set(text):
        if char.isascii():
            continue
        digit = unicodedata.decimal(char, None)
        if digit is not None:
            table[ord(char)] = str(digit)
        elif "\ufe50" <= char <= "\ufe6b" or "\uff01" <= char <= "\uff5e" or char in "\u3002\uff61":
            folded = "." if char in "\u3002\uff61" else unicodedata.normalize("NFKC", char)
            if len(folded) == 1:
                table[ord(char)] = folded
    return text.translate(table) if table else text


def redact_pii(
    text: str,
    *,
    national_ids: Collection[str] = tuple(NATIONAL_IDS),
    extra: Mapping[str, str] | None = None,
) -> tuple[str, tuple[str, ...]]:
    """Returns `text` with `[REDACTED_EMAIL]`, `[REDACTED_PHONE]`, ... and the types found (S2.19)."""
    findings = find_pii(text, national_ids=national_ids, extra=extra)
    if not findings:
        return text, ()
    labelled = [Finding(finding.type.upper(), finding.start, finding.end) for finding in findings]
    return replace_spans(text, labelled, "[REDACTED_{}]"), tuple(finding.type for finding in findings)


def pii_risk(
    text: str,
    *,
    national_ids: Collection[str] = tuple(NATIONAL_IDS),
    extra: Mapping[str, str] | None = None,
) -> int:
    """Returns 0 (nothing), 1 (a redaction or an IP address) or 2: needs review by a person (S2.15, S2.16)."""
    types = {finding.type for finding in find_pii(text, national_ids=national_ids, extra=extra)}
    if types & _REVIEW or types & set(extra or ()):
        return 2
    return int(bool(types) or "[REDACTED_" in text or "[REDACTED:" in text)


def risks_of_all(texts: Sequence[str], *, extra: Mapping[str, str] | None = None) -> list[int]:
    """Returns the result of `pii_risk` for each text; texts without a number or address are skipped
    quickly."""
    rate, suspects = partial(pii_risk, extra=extra), partial(_suspects, extra=extra)
    return scan_batch(texts, rate, suspects, lambda _: 0)


def _suspects(texts: Sequence[str], *, extra: Mapping[str, str] | None) -> set[int]:
    """Returns the indexes of the texts that may contain personal data."""
    joined = JoinedTexts(_plain(text).encode("utf-8", "surrogatepass") for text in texts)
    indexes = joined.texts_matching(byte_pattern(rf"{_NUMBER}|{_EMAIL}|{_IP}|{_LONG_IP}|\[REDACTED[_:]"))
    indexes |= joined.texts_matching(street_pattern())
    if extra:  # an anchor of such a pattern means its own text
        plain = [_plain(text).encode("utf-8", "surrogatepass") for text in texts]
        for pattern in extra.values():
            indexes |= {index for index, data in enumerate(plain) if byte_pattern(pattern).search(data)}
    return indexes


def _disjoint(spans: list[tuple[int, int, str]]) -> list[tuple[int, int, str]]:
    """Returns the spans in order; of two that overlap, the one found first stays."""
    if len(spans) < 2:
        return spans
    ranked = sorted((start, order, end, type_) for order, (start, end, type_) in enumerate(spans))
    disjoint: list[tuple[int, int, int, str]] = []
    for start, order, end, type_ in ranked:
        if disjoint and start < disjoint[-1][1]:
            if order < disjoint[-1][2]:
                disjoint[-1] = (start, end, order, type_)
        else:
            disjoint.append((start, end, order, type_))
    return [(start, end, type_) for start, end, _, type_ in disjoint]


def _emails(data: bytes) -> _Spans:
    """Yields the email addresses of people; addresses of repositories and files are none."""
    if b"@" not in data:
        return
    for match in byte_pattern(_EMAIL).finditer(data):
        start, end = match.span()
        name, _, domain = match.group().partition(b"@")
        start += len(name) - len(name.lstrip(b".'-%+"))
        if data[start : start + 4] == b"git@" or data[max(0, start - 2) : start] == b"//":
            continue  # a remote, not a person
        if domain.rpartition(b".")[2].lower() in _NOT_DOMAINS or domain[:3] in (b"2x.", b"3x.", b"4x."):
            continue
        if data[start] != 0x40 and domain not in _CIPHER_HOSTS:
            yield start, end


def _ibans(data: bytes) -> _Spans:
    """Yields bank account numbers with a valid checksum."""
    for match in byte_pattern(r"\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?\b").finditer(data):
        country = match.group()[:2].decode()
        length = _IBAN_LENGTHS.get(country)
        if length is None:
            continue
        end = match.start()
        compact = ""
        while end < match.end() and len(compact) < length:
            char = chr(data[end])
            compact += "" if char == " " else char
            end += 1
        if len(compact) == length and not data[end : end + 1].isalnum() and _has_iban_checksum(compact):
            yield match.start(), end


def _has_iban_checksum(compact: str) -> bool:
    return int("".join(str(int(char, 36)) for char in compact[4:] + compact[:4])) % 97 == 1


def _cards(data: bytes) -> _Spans:
    return (span for span in card_numbers(data) if _is_isolated(data, *span))


def _ips(data: bytes) -> _Spans:
    """Yields public IPv4 addresses; version numbers and networks are none."""
    for match in byte_pattern(_IP).finditer(data):
        start, end = match.span()
        parts = [int(part) for part in match.group().split(b".")]
        words = data[max(0, start - 12) : start].lower().translate(_GAPS_TO_SPACE).split()
        if (
            max(parts) <= 255
            and _is_public(parts)
            and data[start - 1 : start] not in (b".", b"-", b"_", b"v", b"~", b"^")
            and (data[start - 1 : start] != b"=" or _is_address_of(data, start))
            and data[end : end + 1] not in (b"-", b"_", b"+")
            and not (data[end : end + 1] == b"." and data[end + 1 : end + 2].isdigit())
            and parts[3] != 0  # a network
            and not (words and words[-1] in _NUMBERED)
        ):
            yield start, end
    if b":" in data:
        for match in byte_pattern(_LONG_IP).finditer(data):
            address = match.group().rstrip(b":")
            groups = address.split(b":")
            if address.count(b"::") == (len(groups) < 8) and len(groups) <= 8 and max(map(len, groups)) <= 4:
                yield match.start(), match.start() + len(address)


def _is_address_of(data: bytes, start: int) -> bool:
    """Returns whether the name of an address precedes a sign: `remote_addr=…`, but not `version=…`."""
    name = data[max(0, start - 24) : start - 1].lower()
    return name.endswith(
        (b"addr", b"address", b"ip", b"host", b"peer", b"client", b"src", b"dst", b"from", b"rhost")
    )


def _is_public(parts: list[int]) -> bool:
    """Returns whether an IPv4 address is of no private or reserved network."""
    first, second = parts[:2]
    return not (
        first in (0, 10, 127)
        or first >= 224
        or (first == 192 and second == 168)
        or (first == 172 and 16 <= second <= 31)
        or (first == 169 and second == 254)
        or (first == 100 and 64 <= second <= 127)
    )


def _national_ids(data: bytes, lower: bytes, kind: NationalId) -> _Spans:
    """Yields valid identity numbers of one kind."""
    if kind.words and not any(word.encode() in lower for word in kind.words):
        return
    for match in byte_pattern(kind.pattern).finditer(data):
        start, end = match.span()
        if kind.words and not any(_is_announced(data, lower, start, word.encode()) for word in kind.words):
            continue
        value = "".join(filter(str.isalnum, match.group().decode()))
        if _is_isolated(data, start, end) and kind.is_valid(value):
            yield start, end


def _is_announced(data: bytes, lower: bytes, start: int, word: bytes) -> bool:
    """Returns whether a word occurs as a whole ("SIN", not "using") shortly before a position."""
    begin = max(0, start - 40)
    at = lower.find(word, begin, start)
    while at >= 0:
        end = at + len(word)
        is_plural = lower[end : end + 1] == b"s" and _is_between_words(data, end + 1)
        if _is_between_words(data, at) and (len(word) > 5 or is_plural or _is_between_words(data, end)):
            return True
        at = lower.find(word, at + 1, start)
    return False


def _is_between_words(data: bytes, at: int) -> bool:
    """Returns whether one word ends and another begins at a place, also in a name such as customerSSN."""
    before, after = data[at - 1 : at] if at else b"", data[at : at + 1]
    return not (before.isalpha() and after.isalpha()) or (before.islower() and after.isupper())


def _phones(data: bytes) -> _Spans:
    """Yields telephone numbers."""
    for match in byte_pattern(_PHONE_SHAPES).finditer(data):
        start, end = match.span()
        raw = match.group()
        is_number = _is_phone(raw) and not _is_date(raw) and not _is_after_id_word(data, start)
        if is_number and _is_isolated(data, start, end, beside_numbers=not raw.startswith(b"0")):
            yield start, end
    for match in byte_pattern(_ANNOUNCED_PHONE).finditer(data):
        start, end = match.span(1)
        if not data[end : end + 1].isalnum() and not _is_date(match.group(1)):
            yield start, end


def _is_phone(raw: bytes) -> bool:
    """Returns whether the digits and groups of a phone-like match fit a phone number."""
    digits = sum(48 <= code <= 57 for code in raw)
    if raw.startswith((b"+", b"00")):
        return 8 <= digits <= 15 and (
            b"." not in raw or raw.count(b".") > 1 or digits > 10
        )  # not +12345678.9
    groups = [len(group) for group in raw.translate(_GAPS_TO_SPACE).split()]
    if raw.lstrip(b"(").startswith(b"0"):
        return 9 <= digits <= 12 and groups not in ([4, 4, 4], [5, 4])  # a table of codes, an American ZIP+4
    return digits in (10, 11) and not (b"." in raw and b"-" in raw)


_GAPS_TO_SPACE = bytes.maketrans(b".-/():=", b" " * 7)


def _is_isolated(data: bytes, start: int, end: int, *, beside_numbers: bool = False) -> bool:
    """Returns whether the match is not part of a longer number, id or path.

    With `beside_numbers` a number may be next to it after a space, as after a complete phone number.
    """
    before, after = data[max(0, start - 1) : start], data[end : end + 2]
    if (
        before.isalnum()
        or (before and before in b"_#+/@$\\-")
        or (before == b"." and data[start - 2 : start - 1].isdigit())
    ):
        return False
    if after[:1].isalnum() or (after and after[:1] in b"_@%"):
        return False
    if after[1:2].isdigit() and after[:1] in (b"-./:" if beside_numbers else b"-./: "):
        return False
    if beside_numbers or before not in (b" ", b":"):
        return True
    return not data[max(0, start - 24) : start - 1].replace(b":", b" ").rpartition(b" ")[2].isdigit()


def _is_date(raw: bytes) -> bool:
    groups = raw.translate(_GAPS_TO_SPACE).split()
    if len(groups) == 5 and all(len(group) == 2 for group in groups) and len(set(raw[2::3])) == 1:
        return False  # a French number: 06.12.34.56.78
    return byte_pattern(_DATE).fullmatch(raw) is not None


def _is_after_id_word(data: bytes, start: int) -> bool:
    before = data[max(0, start - 24) : start].decode("utf-8", "ignore").lower().rstrip(" :#=-(\"'")
    return before.split(" ")[-1].rpartition("_")[2].rstrip(".") in _ID_WORDS or before.endswith(_ID_NUMBERS)


_ID_NUMBERS = ("order number", "id number", "invoice number", "serial number", "tracking number")

_FINDERS: dict[str, Callable[[bytes], _Spans]] = {"email": _emails, "ip": _ips}
_NUMBER_FINDERS: dict[str, Callable[[bytes], _Spans]] = {"iban": _ibans, "card": _cards}
