"""Finds passwords on the lines after a label, a heading or an account: `Password:`, `Logins:`."""

from __future__ import annotations

from holdfast.core.text import byte_pattern
from holdfast.language.secrets.harmless import Form, is_harmless
from holdfast.language.secrets.names import SPOKEN_NAMES
from holdfast.language.secrets.part import WORD, Part, Spans
from holdfast.language.secrets.values import has_number, is_distinctive

LISTED = (
    r"\b(?:log-?ins|credentials|creds|passwords|passw\x{f6}rter|zugangsdaten|accounts|identifiants"
    r"|mots de passe|credenciales|contrase\x{f1}as)\b"
)
"""Headings of lists of accounts with their passwords."""
_NEXT_LINE = (
    rf"(?im)^[ \t>*-]*(?:(?:[\pL\d'-]+[ \t]){{0,4}}|[^\n\0:=]{{0,160}},?[ \t]the[ \t])(?:{SPOKEN_NAMES})"
    rf"(?:[ \t]*:?|[^\n\0?:]{{0,60}}(?::|[ \t](?:is|ist|est|es|\x{{e8}}|to"
    rf"|lautet)))[ \t]*\r?\n(?:[ \t]*\r?\n)?"
    r"[ \t]*([^\s\0]{3,200})[ \t]*\r?(?:\n|$)"
)


_ABOVE = (
    rf"(?im)^[ \t>]*([^\s\0]{{3,200}})[ \t]*\r?\n(?:[ \t>]*\r?\n)?[ \t>]*(?:as|als|comme|como|come)[ \t]+"
    rf"(?:(?:the|your|our|das|dein|le|votre|la|tu)[ \t]+)?(?:{SPOKEN_NAMES})"
)
"""A word alone, and below it what it is: `as the password`."""


def in_following_lines(text: Part) -> Spans:
    if text.data.find(b"\n", text.begin, text.end) >= 0:
        for match in text.matches(byte_pattern(_ABOVE)):
            if not is_harmless(match.group(1).decode("utf-8", "replace"), Form.LOOSE, is_password=True):
                yield match.start(1), match.end(1), "password"
        yield from _below(text)
        yield from _listed_values(text)
        yield from _below_user(text)


def _below(text: Part) -> Spans:
    """Yields a word that stands alone on the line below a label: `Password:` and the value."""
    for match in text.matches(byte_pattern(_NEXT_LINE)):
        value = match.group(1)
        is_key = value.endswith((b":", b"=", b",", b"{", b";")) or value.startswith(
            (b"-", b"#", b"|", b"<", b"`", b"}")
        )
        spelled = value.decode("utf-8", "replace")
        is_label = b":" not in match.group() and not is_distinctive(spelled) and spelled[:1].isupper()
        if not is_key and not is_label and not is_harmless(spelled, Form.LOOSE, is_password=True):
            yield match.start(1), match.end(1), "password"


_LIST = (
    rf"(?im)^[ \t>*-]*(?:#+[ \t][^\n\0:]{{0,40}}{LISTED}[^\n\0:]{{0,40}}:?|#*(?:[\pL\d'-]+[ \t]){{0,4}}"
    rf"{LISTED}[^\n\0:]{{0,40}}:)[ \t*]*\r?\n(?:[ \t]*\r?\n)?"
    r"((?:[ \t]*(?:[-*\x{2022}]|\d{1,2}[.)])[ \t][^\n\0]+(?:\n|$))+)"
)


def _listed_values(text: Part) -> Spans:
    """Yields the last word of each item below a heading such as `Logins:`: `- shop: lena / hunter2`."""
    last = byte_pattern(rf"(?m)(?:[/|:,]|[ \t]-)[ \t]*{WORD}[\"'`*]*[ \t]*\r?$")
    for match in text.matches(byte_pattern(_LIST)):
        for item in last.finditer(match.group(1)):
            spelled = item.group(1).decode("utf-8", "replace")
            is_one = (
                is_distinctive(spelled) or has_number(spelled) or _is_paired(match.group(1), item.start())
            )
            if is_one and not is_harmless(spelled, Form.LOOSE, is_password=True):
                yield match.start(1) + item.start(1), match.start(1) + item.end(1), "password"


USER_LINE = (
    r"(?im)^[ \t>*-]*(?:user(?:name)?|log-?in|benutzer(?:name)?|account|konto)[ \t]*[:=]?[ \t]+[\w.@+-]{2,64}"
    r"(?:[ \t]*/[ \t]*(?:password|passwort|pw|pass))?[ \t]*\r?\n[ \t>*-]*([^\s\0:=]{4,64})[ \t]*\r?(?:\n|$)"
)
"""An account, and below it a word alone."""


def _below_user(text: Part) -> Spans:
    """Yields a word alone below an account, if it looks like a password or the two lines contain a slash, as
    in `user: lena / password`."""
    for match in text.matches(byte_pattern(USER_LINE)):
        spelled = match.group(1).decode("utf-8", "replace")
        is_one = is_distinctive(spelled) or has_number(spelled) or b"/" in match.group()
        if is_one and not is_harmless(spelled, Form.LOOSE, is_password=True):
            yield match.start(1), match.end(1), "password"


def _is_paired(items: bytes, start: int) -> bool:
    """Returns whether an account precedes a value: `shop: lena@example.com / hunter2`."""
    line = items[items.rfind(b"\n", 0, start) + 1 : start]
    return items[start : start + 1] == b"/" and bool(byte_pattern(r":[ \t]+[\w.@+-]+[ \t]*$").search(line))
