"""Finds passwords in sentences that speak of one, in any form: the words that are none of the language."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from holdfast.core.text import byte_pattern
from holdfast.language.secrets.harmless import Form, is_harmless
from holdfast.language.secrets.names import SPOKEN_NAMES
from holdfast.language.secrets.part import Part, Spans
from holdfast.language.secrets.values import is_distinctive, split_words
from holdfast.language.secrets.words import (
    COMPOUNDS,
    FILLERS,
    FUNCTION_WORDS,
    HEADS,
    SECRET_WORDS,
    STAND_INS,
    TYPES,
    UNITS,
    VARIABLES,
    is_state,
)

LINE_MAX = 400
"""Bytes of a line that is a sentence or an entry rather than data."""
_NAMED = (
    r"(?i)(?:^|[\s\"'`(\[{*,;:>\x{201e}\x{201c}]|(?-i:\b[A-Z\x{c4}\x{d6}\x{dc}]\w{1,20}-))"
    rf"(?:{SPOKEN_NAMES}|passwords\b|passw\x{{f6}}rter\b|kennw\x{{f6}}rter\b"
    r"|(?:sudo|root|db|admin)[ \t]pass\b"
    r"|contrase\x{f1}as\b|mots de passe\b)(?:[\s\"'`)\]}*,;.:!?=>/\x{201d}\x{201c}]|$)"
)
"""A name that is a word of its own, not a part of an identifier."""
ACCOUNTED = (
    r"\b(?:admin|root|administrator|deploy|postgres|guest|ubuntu|oracle|jenkins|backup|svc[\w-]*)"
    r":[^\s\0:\"'`,;]{6,64}(?:[\s,;.)]|$)"
)
"""The name of an account of many systems, and a word: `admin:hunter2`."""
_SIGNED_IN = (
    rf"(?i){ACCOUNTED}|\b(?:log-?ins?|creds|credentials|zugang(?:sdaten)?|anmeldedaten|identifiants"
    rf"|credenciales|wi-?fi|wlan"
    r"|ssh)\b"
)
_TOKEN = r"[^\s\0\"'`\x{201c}\x{201d}\x{201e},;<>]+"
_BEFORE_A_SECRET = re.compile(rb"(?:[/:,=>]|\b(?:with|mit|using|key|code))[ \t\"'`]*$", re.IGNORECASE)
_STATED = re.compile(
    rb"(?:[/:,=>(\[\"'`]|\b(?:is|was|are|be|it's|its|ist|war|lautet|to|auf|zu|with|mit|using|and|und|use"
    rb"|try|enter"
    rb"|type|now|then|dann|forget|vergiss|key|code|als|as|from|von|one))[ \t\"'`(\[]*$",
    re.IGNORECASE,
)
"""What precedes a password; a word with a number may be a product elsewhere."""
_NUMBERED = re.compile(
    rb"(?:\b(?:ports?|tickets?|issues?|errors?|status|http|ids?|versions?|lines?|pages?|pr|mr|order|build"
    rb"|since|until"
    rb"|in|session|commit|rev|request|room|code|user(?:name)?|account|host|server|order|phone|tel|konto"
    rb"|benutzer"
    rb"|ticketnummer|seit|bis|im jahr)|#)[ \t:#=]*$",
    re.IGNORECASE,
)
"""What precedes a number or an id."""
TECHNICAL = re.compile(
    r"0x[0-9a-f]+|(?:sha|md|aes|rsa|dsa|ecdsa|ed|pbkdf|bcrypt|b?crypt|argon|scrypt|base|utf|oauth|oidc|https?"
    r"|tls|ssl|ipv|wpa|wep|mfa|totp|hotp|rfc|cve|iso|nist|sp|owasp|http|php|py|python|java|node|es|vue|win"
    r"|windows|ios|android|ubuntu|debian|mysql|postgres(?:ql)?|oracle|mongo|redis|ec|k|s|x|h|p|ntlmv?|krb"
    r"|kerberos|saml|log4j|u|v|q|f|key|fritz!?box|user|test|admin|server|host|db|web|node|box|room"
    r"|raum)[-_.]?v?\d+(?:[-_./]?[a-z]?\d*){0,4}"
    r"|(?:[0-9a-f]{2}[:-]){5}[0-9a-f]{2}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[a-z]{2,10}-\d{1,6}"
    r"|\S*passwor[dt]\S*|\d+(?:fa|x|th|nd|rd|st|k|m|g|gb|mb|kb|ms|px|%)|[\d.,:/\\-]+|v?\d+(?:\.\w+)+"
    r"|fritz!box|\d{1,4}[-/.]\w{1,9}[-/.]\d{1,4}"
    r"(?:[t_]\S*)?|[\w.+-]+@[\w-]+(?:\.[\w-]+)+|[\w-]+(?:\.[\w-]+)*\.(?:com|org|net|io|de|local|internal|dev"
    r"|at|ch|fr|eu|uk|app|md|txt|py|js|ts|json|ya?ml|toml|env|cfg|conf|ini|sh|go|rs|rb|php|html?|css|sql|db"
    r"|pdf|docx?|xls[xm]?|pptx?|od[ts]|csv|7z|zip|rar|tar|t?gz|png|jpe?g|svg|mp[34]|mov|iso|exe|msi|apk|bak|log"
    r"|kdbx|pem|key|crt|lan|home)(?:[:/]\S*)?",
    re.IGNORECASE,
)
"""Names of algorithms and versions, measures, dates, hosts, addresses and files."""


def is_technical(value: str) -> bool:
    """Returns whether a value names algorithms: one that hashes, or several names and versions joined to each
    other or to words: `PBKDF2-HMAC-SHA256`."""
    if _HASHING.fullmatch(value):
        return True
    parts = value.split("-")
    return (
        len(parts) > 1
        and all(part.isalpha() or TECHNICAL.fullmatch(part) for part in parts)
        and any(_LETTER.search(part) and TECHNICAL.fullmatch(part) for part in parts)
    )


_CODE = re.compile(rb"[ \t]*(?:import|from|export|const|let|var|#include|using|use|package)\b.*['\"{;]")
_HASHING = re.compile(r"(?i)argon2(?:i?d?)|bcrypt|scrypt|yescrypt|pbkdf2|(?:sha|md)[-_]?\d{1,3}")
_LETTER, _DIGIT = re.compile(r"[^\W\d_]"), re.compile(r"\d")
_MARKS = re.compile(r"(?<=\w)[!$%*?^~|@](?=.)|[!$%&*?#^~+|@]{2}.")
_WORD_AND_NUMBER = re.compile(
    r"[^\W\d_]+[-_.]?\d{1,5}[^\W\d_]{0,3}|[0-9a-f]+|[A-Z]+(?:-?[A-Z]*\d+)+(?:-[A-Z0-9]+)*"
)
_WORDS = re.compile(r"[^\W\d_]{4,}([-._])[^\W\d_]{4,}(?:\1[^\W\d_]{4,})+")
_LONG = 6


def in_passing(text: Part) -> Spans:
    """Yields the words of a sentence about a password that have digits or marks among letters."""
    if text.is_code:
        return
    for line in text.matches(byte_pattern(r"[^\n\0]+")):
        begin, end = line.span()
        if end - begin > LINE_MAX or _CODE.match(text.data, begin, end):
            continue
        name = byte_pattern(_NAMED).search(text.data, begin, end)
        is_named = name is not None and not _is_compound(text.data[name.end() : end])
        if not is_named and byte_pattern(_SIGNED_IN).search(text.data, begin, end) is None:
            continue
        for match in _tokens().finditer(text.data, begin, end):
            yield from _judged(text, begin, match, is_named=is_named)


def _is_compound(after: bytes) -> bool:
    """Returns whether a word makes something else of "password": its manager, its rules."""
    words = after[:24].decode("utf-8", "replace").split()
    return bool(words) and words[0].strip(".,!?:").lower() in COMPOUNDS - {
        "of",
        "is",
        "was",
        "are",
        "for",
        "that",
    }


@cache
def _tokens() -> Any:
    return byte_pattern(_TOKEN)


def _judged(text: Part, begin: int, match: Any, *, is_named: bool) -> Spans:
    """Yields a word near the name of a secret if it can be its value."""
    value = match.group().lstrip(b"([{*_>").rstrip(b".:)]}>*_?-\\/").rstrip(b"!") or match.group()
    if match.group().rstrip(b".)").endswith(b"!") and _DIGIT.search(value.decode("utf-8", "replace")) is None:
        value = match.group().lstrip(b"([{")
    start = match.start() + match.group().find(value)
    name, colon, rest = value.partition(b":")
    if colon and rest and name.replace(b".", b"").replace(b"-", b"").replace(b"_", b"").isalpha():
        value, start = rest, start + len(name) + 1
    spelled = value.decode("utf-8", "replace")
    before = text.data[begin:start]
    is_stated = (_STATED if is_named else _BEFORE_A_SECRET).search(before) is not None
    needs_more = not is_named or _WORD_AND_NUMBER.fullmatch(spelled) or _WORDS.fullmatch(spelled)
    if needs_more and not is_stated:
        return
    is_one = _is_unlike_words(spelled) or (is_named and b"{" not in before and _is_phrase(spelled))
    if is_one and not _NUMBERED.search(before) and b"://" not in match.group():
        yield start, start + len(value), "password"


def _is_phrase(value: str) -> bool:
    """Returns whether one sign joins three or more words, none of which is said of passwords or in code."""
    return (
        _WORDS.fullmatch(value) is not None
        and TECHNICAL.fullmatch(value) is None
        and not any(word in _SAID or is_state(word) for word in split_words(value))
    )


_SAID = STAND_INS | FILLERS | FUNCTION_WORDS | COMPOUNDS | VARIABLES | HEADS | SECRET_WORDS | TYPES | UNITS


def _is_unlike_words(value: str) -> bool:
    """Returns whether a value cannot be a word, path or identifier."""
    if (
        len(value) < _LONG
        or all(map(TECHNICAL.fullmatch, value.split(":")))
        or value.startswith(("/", "~", ".", "$", "--", "@"))
    ):
        return False
    if not _LETTER.search(value) or not (_DIGIT.search(value) or _MARKS.search(value)):
        return False
    if any(mark in value for mark in "(=/{[") or (value.isupper() and "-" in value):
        return False
    parts = value.split("-")
    if len(parts) > 2 and all(part.isalpha() or part.isdigit() for part in parts):
        return False  # the name of a model or a resource
    return is_distinctive(value) and not is_harmless(value, Form.LOOSE, is_password=True)
