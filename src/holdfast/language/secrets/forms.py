"""Finds the values of secrets by how they are written: assignments, options, tables, speech (S4.20).

A form is recognised by its syntax and the meaning of its name (`names`). The value is a secret unless it is
known to be harmless (`harmless`). Only lines that mention a secret, and a few after them, are looked at.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import cache
from typing import Any

from holdfast.core.text import byte_pattern
from holdfast.language.secrets.assignments import assigned
from holdfast.language.secrets.calls import CALL, SIGNED, in_calls
from holdfast.language.secrets.commands import PROGRAM, in_commands
from holdfast.language.secrets.following import LISTED, USER_LINE, in_following_lines
from holdfast.language.secrets.headers import in_headers
from holdfast.language.secrets.known_calls import in_known_calls, known_call
from holdfast.language.secrets.known_commands import in_known_commands, known_command
from holdfast.language.secrets.known_lines import in_known_lines, known_lines
from holdfast.language.secrets.names import CODES, MENTIONED_NAMES
from holdfast.language.secrets.nearby import ACCOUNTED, in_passing
from holdfast.language.secrets.pairs import ADDRESSED, PAIRED, STROKED, in_pairs
from holdfast.language.secrets.part import PROSE, Part, Spans, Text
from holdfast.language.secrets.speech import ACCOUNT, ENTRY, SIGN_IN, in_speech
from holdfast.language.secrets.surroundings import is_something_else
from holdfast.language.secrets.tables import in_rows, in_tables
from holdfast.language.secrets.whole_values import in_whole_values

_LINES = 5  # lines after a name in which its value may be
_BEFORE = 64  # bytes before a value in which the name of a password manager is
# What keeps or makes passwords, and the name of such a program: "my password manager is KeePass".
_PROGRAM_NAMED = (
    r"(?i)(?:password|passwort|passphrase|kennwort|wachtwoord)[ \t-]?(?:manager|generator|keeper|hasher"
    r"|checker|library|app|tool|verwaltung)(?:[ \t]+(?:is|was|ist|war|called|named|now|jetzt)|[ \t]*[:=])+"
    r"[ \t]*[\"'`*]*$"
)
_PRODUCT = r"^\d?[A-Za-z]+[\"'`*.,;!?)]*$"


_FORMS = (
    assigned, in_whole_values, in_commands, in_known_commands, in_known_lines, in_calls, in_known_calls,
    in_headers, in_tables, in_rows, in_speech, in_pairs, in_following_lines,
    in_passing,
)  # fmt: skip
_OF_PROSE = {in_speech, in_following_lines, in_passing}


@cache
def mention_patterns() -> tuple[Any, ...]:
    """Returns patterns of which one matches in the first line of whatever has one of the forms.

    They are several, because the states of a single one would exceed what RE2 keeps.
    """
    spoken = (
        rf"authorization|\bx-[\w-]*(?:key|auth|zugang|schl(?:\x{{fc}}|ue)ssel)\b|{PROGRAM}",
        rf"{SIGN_IN}|{ACCOUNT}[ \t]+[^\s/]+[ \t]+/"
        rf"|{ENTRY}[^\n\0]*[ \t](?:with|using|use|by|mit|con|avec|met|z)[ \t]|{CODES}"
        rf"|\bcode\b[^\n\0]*\d{{4}}"
        r"|\bkey (?:for|to|is)\b|\bPIN\b|\b(?:use|enter|type|punch in) (?:the )?(?:code|pin)\b"
        rf"|{LISTED}[^\n\0:]*:|(?-s:^|\n)[ \t]*#{{1,6}}[^\n\0]*{LISTED}",
        rf"{PAIRED}|{ADDRESSED}|\bwi-?fi\b|\bwlan\b|{ACCOUNTED}"
        r"|\blog-?in (?:code|to)\b|\bbasic[ -]auth",
        rf"{CALL}|{SIGNED}",
    )
    return (
        byte_pattern(f"(?i){MENTIONED_NAMES}"),
        *(byte_pattern(f"(?i){words}") for words in spoken),
        byte_pattern(USER_LINE),
        byte_pattern(STROKED),
        byte_pattern(f"(?im){known_command()}"),
        byte_pattern(f"(?i){known_call()}"),
        *known_lines(),
    )


def written_secrets(data: bytes, absent: Collection[Any] = ()) -> Spans:
    """Yields (start, end, type) in bytes of each value that is written as that of a secret; the type of a
    password in a sentence is `PROSE`. `absent` are patterns that do not match."""
    searched = [(pattern, pattern.search(data)) for pattern in mention_patterns() if pattern not in absent]
    text, position = Text(data, {*absent, *(pattern for pattern, match in searched if not match)}), 0
    mentions = [(pattern, match) for pattern, match in searched if match]
    while mentions:
        first = min((match for _, match in mentions), key=lambda match: match.start())
        begin = data.rfind(b"\n", position, first.start()) + 1 or position
        position = _end_of_lines(data, first.end(), _LINES)
        part = Part(text, begin, position)
        for find in _FORMS:
            for start, end, type_ in find(part):
                if not (names_program(data, start, end) or is_something_else(data, start, end)):
                    yield start, end, PROSE if type_ == "password" and find in _OF_PROSE else type_
        if position == len(data):
            return
        mentions = [
            (pattern, next_match)
            for pattern, match in mentions
            if (next_match := match if match.start() >= position else pattern.search(data, position))
        ]


def names_program(data: bytes, start: int, end: int) -> bool:
    """Returns whether the name of a password manager takes the place of a password."""
    before = data[max(0, start - _BEFORE) : start]
    return bool(
        byte_pattern(_PRODUCT).search(data[start:end]) and byte_pattern(_PROGRAM_NAMED).search(before)
    )


def _end_of_lines(data: bytes, at: int, count: int) -> int:
    """Returns where the line of a position and `count` more lines end, or where a long line is cut."""
    for _ in range(count + 1):
        end = data.find(b"\n", at)
        if end < 0:
            return len(data)
        at = end + 1
    return at - 1
