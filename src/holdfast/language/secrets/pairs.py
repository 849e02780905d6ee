"""Finds passwords by what is on both sides of them: an account before, a host or a word after."""

from __future__ import annotations

from functools import cache
from typing import Any

from holdfast.core.text import byte_pattern
from holdfast.language.secrets.harmless import Form, is_harmless, is_text
from holdfast.language.secrets.names import SPOKEN_NAMES
from holdfast.language.secrets.part import MAX_VALUE, WORD, Part, Spans, stripped
from holdfast.language.secrets.speech import is_argument
from holdfast.language.secrets.values import is_unlike_words

_NAME = r"[\"'`]?[\w.@+\\-]{2,64}[\"'`]?"
_HOST = r"[\w-]+(?:\.[\w-]+)+"
_ADDRESS = r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+"
_ENDS = r"[\"'`]?(?:[ \t]*[,.;!?)]|[ \t]*\r?(?:\n|$)|[ \t]+(?:please|bitte|again|now)\b)"
ADDRESSED = rf"\b{_ADDRESS}(?:[ \t]*/[ \t]*|:[ \t]?){WORD}"
"""lena@example.com / hunter2"""
_ACCOUNTS = (
    r"admin(?:istrator)?|root|guest|gast|sysadmin|superuser|postgres|mysql|mariadb|oracle|sa|pi|ubuntu|debian"
    r"|deploy|jenkins|backup|operator"
)
_SHORT = 6  # characters of a word beside an account
_PARTED = r"[ \t]+(?:/|//|\|)[ \t]+"
SLASHED = (
    rf"(?:^|[^\w/.@-])(?:{_ACCOUNTS}|[\w.+-]+@[\w.-]+){_PARTED}{WORD}"
    rf"|\b(?:log-?in|credentials|creds|zugang(?:sdaten)?|anmeldung)[ \t]*:[ \t]+"
    rf"[\pL\d_.@+-]{{2,64}}{_PARTED}{WORD}"
)
"""admin / hunter2; login: lena / hunter2"""
STROKED = rf"(?i)\b(?:{_ACCOUNTS}){_PARTED}|@[\w.-]+{_PARTED}"
"""Matches where such a pair may stand, beside those that a word for signing in begins."""
PAIRED = (
    rf"\b(?:try|use|with|take|versuche?|probiere?|nimm|mit|nutze?|benutze?)[ \t]+{_NAME}[ \t]+/[ \t]+{WORD}"
    rf"[ \t]+(?:on|at|for|to|in|auf|an|bei|f\x{{fc}}r|im|am)[ \t]+{_HOST}"
)
"""try lena / hunter2 on db.example.com"""

# Whether a value has to look like none of the language, and a pattern with the value as its group.
_PATTERNS = (
    (False, PAIRED),
    (False, ADDRESSED),
    (True, SLASHED),
    # the password, hunter2, stopped working, and not an argument; the password [hunter2]
    (False, rf"[^\W\d_][ \t]+(?:{SPOKEN_NAMES}),[ \t]+{WORD},"),
    (False, rf"(?:{SPOKEN_NAMES})[ \t]+\[{WORD}\]"),
    # enter hunter2 when it asks for the password; als Passwort hunter2 eingeben
    (
        False,
        rf"\b(?:enter|type|use|try|tippe|gib|nimm)[ \t]+{WORD}[ \t]+(?:when|if|once|where|wenn|sobald"
        r"|falls)\b"
        rf"[^\n\0.]{{0,40}}(?:{SPOKEN_NAMES})",
    ),
    (
        False,
        rf"\bals[ \t]+(?:{SPOKEN_NAMES})[ \t]+{WORD}[ \t]+(?:(?:ein|an)(?:[ \t]*[.,;!]|[ \t]*$|geben|tippen"
        r"|gegeben)|nehmen|setzen|verwenden|nutzen)",
    ),
    # forget the password hunter2, please
    (
        False,
        r"\b(?:forget|remember|note|delete|vergiss|merke?|l\x{f6}sche?|notiere?)\b[ \t]+(?:dir[ \t]+)?"
        rf"(?:(?:that|the|my|our|dass|das|mein|unser|old|new|alte|neue)[ \t]+){{1,3}}(?:{SPOKEN_NAMES})"
        rf"(?:[ \t]+(?:is|was|ist|war|lautet))?[ \t]+{WORD}{_ENDS}",
    ),
    # sudo pass is hunter2
    (
        False,
        rf"\b(?:sudo|root|db|admin|wifi|wlan|mysql|ssh|ftp|my)[ \t]pass[ \t]+(?:is|was|ist)[ \t]+{WORD}"
        rf"{_ENDS}",
    ),
    # Zugang zum Server: root, hunter2; Login ist lena mit hunter2
    (
        False,
        r"\b(?:zugang(?:sdaten)?|anmeldedaten|log-?in|credentials|creds|access)\b[^\n\0:=]{0,30}"
        rf"(?::[ \t]+{_NAME}(?:,|[ \t]+(?:with|mit|und|and))|[ \t](?:is|ist)[ \t]+{_NAME}[ \t]+(?:with|mit))"
        rf"[ \t]+{WORD}{_ENDS}",
    ),
    # the db password (currently hunter2)
    (
        False,
        rf"(?:{SPOKEN_NAMES})[ \t]*\((?:(?:is|was|now|currently|current|old|new|still|formerly|ist|war|jetzt"
        rf"|aktuell|derzeit|zurzeit|momentan|bisher|neu|alt)[ \t:]+){{1,2}}{WORD}[\"'`]?\)",
    ),
    # login lena and password hunter2 should work; mit lena und dem Passwort hunter2 am NAS anmelden
    (
        False,
        rf"\b(?:log[ -]?in(?: as)?|user(?:name)?|account|konto|benutzer(?:name)?|with|mit|using|as|als|avec"
        rf"|con)[ \t]+{_NAME},?[ \t]+(?:and|und|with|mit|et|y)[ \t]+(?:(?:the|dem|das|le|la|my|our)[ \t]+)?"
        rf"(?:{SPOKEN_NAMES}|pass)[ \t]+{WORD}[\"'`]?(?:[ \t]+(?:should|works?|worked|on|at|in|to|for|from|am"
        rf"|an|im|auf|bei|f\x{{fc}}r|geht|funktioniert|sur|en)\b|[ \t]*[,.;!?)]|[ \t]*$)",
    ),
    # ich habe das Passwort auf 'correct horse' geändert
    (
        False,
        rf"(?:{SPOKEN_NAMES})[^\n\0.?!:=]{{0,40}}[ \t](?:auf|zu|in|to|as|op|na|en|a)[ \t]+"
        r"[\"'`\x{201e}\x{201c}]"
        r"([^\"'`\n\0\x{201c}\x{201d}]{3,120})[\"'`\x{201c}\x{201d}]",
    ),
    # Zugangsdaten NAS: lena hunter2 Passwort bitte ändern
    (
        False,
        rf"\b(?:zugangsdaten|anmeldedaten|credentials|creds|log-?in(?: data)?|access)[ \t]+[^\n\0:]{{2,30}}:"
        rf"[ \t]+{_NAME}[ \t]+{WORD}[ \t,;-]+(?:{SPOKEN_NAMES})",
    ),
    (
        True,
        rf"\b(?:zugangsdaten|anmeldedaten|credentials|creds|log-?in data)(?:[ \t]+[^\n\0:]{{2,30}})?:"
        rf"[ \t]+{_NAME}[ \t]+{WORD}",
    ),
    # token f3a9c1d2 expired for user lena
    (
        True,
        rf"\btoken[ \t]+{WORD}[ \t]+(?:has[ \t]+|is[ \t]+|was[ \t]+)?(?:expired|revoked|rejected|invalid"
        r"|issued|accepted|refreshed|used|for[ \t]+user|of[ \t]+user|belongs)\b",
    ),
)


@cache
def _patterns() -> tuple[tuple[bool, str, Any], ...]:
    return tuple((strict, pattern, byte_pattern(f"(?im){pattern}")) for strict, pattern in _PATTERNS)


def in_pairs(text: Part) -> Spans:
    """Yields passwords that are between an account, or their name, and what is said of them."""
    for is_strict, pattern, compiled in _patterns():
        for match in text.matches(compiled):
            group = next(at for at in (1, 2) if at > match.re.groups or match.group(at) is not None)
            value = stripped(match.group(group)[:MAX_VALUE], b".,:;)]}>!?\\/")
            spelled = value.decode("utf-8", "replace")
            if is_argument(spelled):
                continue  # of a call: `hash(pw, salt=salt, …)`
            if "password" in spelled.lower():
                continue  # the name of a program: 1Password
            if "@" in spelled[1:-1] and "." in spelled.rpartition("@")[2]:
                continue  # another address
            if pattern == SLASHED and text.data[match.end() : match.end() + 3].strip(b"\"'`").startswith(
                b" /"
            ):
                continue  # one of a list: `admin / editor2 / guest`
            if pattern == ADDRESSED and _is_address_of(text.data, match.start(), spelled):
                continue
            if len(spelled) < 3 or (is_strict and not (is_unlike_words(spelled) or _is_joined(spelled))):
                continue
            if pattern == SLASHED and len(spelled) < _SHORT:
                continue  # `root / ext4`
            is_plain = (
                is_text(spelled, quoted=True)
                if " " in spelled
                else is_harmless(spelled, Form.LOOSE, is_password=True)
            )
            if not is_plain:
                yield match.start(group), match.start(group) + len(value), "password"


def _is_joined(value: str) -> bool:
    """Returns whether a sign joins words in a way that no sentence does: `Harfe&Leier`, `Tinte_leer`."""
    parts = byte_pattern(r"[&_+=$!#*(]").split(value.encode("utf-8", "replace").rstrip(b")!"))
    return len(parts) > 1 and all(parts) and not (value.islower() and "_" in value)


def _is_address_of(data: bytes, start: int, value: str) -> bool:
    """Returns whether a value is the address of a repository, of a part of a URL, or of the person who is
    named after it."""
    is_part = data[max(0, start - 1) : start] in (b":", b"/", b"@") or data[start : start + 4] == b"git@"
    return is_part or "/" in value or value[:1] == "+" or (value.isalpha() and value.istitle())
