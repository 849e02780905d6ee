"""Finds secrets that are told: in frames of sentences, in conversations and in lists of codes."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator
from functools import cache
from itertools import islice
from typing import Any

from holdfast.core.text import byte_pattern
from holdfast.language.secrets.handover.code_lists import in_code_lists
from holdfast.language.secrets.handover.dialogue import in_dialogue, may_answer
from holdfast.language.secrets.handover.frame import Frame
from holdfast.language.secrets.handover.frames import GROUPS, WAYS_IN
from holdfast.language.secrets.handover.lexicon import LEXICON, PUBLIC_USES, alternatives, class_pattern
from holdfast.language.secrets.handover.nearness import is_spoken_of
from holdfast.language.secrets.handover.notes import in_notes
from holdfast.language.secrets.handover.slots import SLOTS
from holdfast.language.secrets.handover.telling import Value
from holdfast.language.secrets.part import PROSE, Spans, Text
from holdfast.language.secrets.surroundings import is_something_else

_CLOSE = 160  # bytes between the beginning of a frame and its value
_SCANNER_BYTES = 16 << 20  # of the automaton of a group at most
_MAX_REPEATED = 16  # values that are looked for elsewhere
_COMMON = 8  # times that a text says a word which is one of its own, such as `import`, rather than a secret
_MAX_VALUE = 90  # characters
_SLOT = re.compile("|".join(SLOTS))
_CLASS = re.compile(r"\{(" + "|".join(LEXICON) + r")\}")
_GOES_ON = re.compile(
    r"\s+(?:and|et|und|y|e)\s+(?:press|hit|valid|confirm|enter|dr\u00fcck|best\u00e4tig|pulsa|premi|that"
    r"|then)\w*.*|\s+(?:with|mit|avec|con)\s+(?:a|the|one|two|small|les|den|gli|los)\b.*"
)


def handed_over(data: bytes) -> Spans:
    """Yields (start, end, `PROSE`) in bytes of each secret that is told in a text that speaks of secrets."""
    for start, end, kind in _told(data):
        if not is_something_else(data, start, end):
            yield start, end, kind


def _told(data: bytes) -> Spans:
    if Text(data).is_code:
        return  # a program tells nothing: its comments are read by the rules for what is written
    data = _without_public_uses(data)
    for group, frames in enumerate(GROUPS):
        for index in _scanner(group).Match(data) or ():
            yield from _in_frame(data, frames[index])
    yield from in_notes(data)
    yield from in_dialogue(data)
    yield from in_code_lists(data)


def said_again(data: bytes, values: Iterable[bytes]) -> Iterator[tuple[int, int]]:
    """Yields where in a text values stand that were found to be secrets."""
    for value in islice(dict.fromkeys(values), _MAX_REPEATED):
        if value.replace(b"-", b"").isalpha() and data.count(value) > _COMMON:
            continue
        at = data.find(value)
        while at >= 0:
            end = at + len(value)
            if not (data[at - 1 : at].isalnum() and at) and not data[end : end + 1].isalnum():
                yield at, end
            at = data.find(value, end)


def is_public(data: bytes, start: int) -> bool:
    """Returns whether a code that opens nothing is at `start`, by the words before it in its line."""
    line = data[max(0, start - _CLOSE) : start].rpartition(b"\n")[2]
    return byte_pattern(PUBLIC_USES).search(line) is not None


def speaks_of_secrets(data: bytes, absent: Collection[Any] = ()) -> bool:
    """Returns whether a text has a word of those who hand over secrets; without one nothing is handed
    over. `absent` are patterns that do not match."""
    return any(pattern.search(data) for pattern in _ways_in() if pattern not in absent)


_NAMED = (
    r"(?i)\b(?:api|tokens?|jetons?|secret\w*|geheim\w*|segret\w*|chiavi?e?|claves?|cl(?:\x{e9}|ef)s?|\pL*schl(?:\x{fc}|ue)ssel"
    r"|keys?|pass|pw|ww|mdp|pin|pins|puk|log-?ins?|inlog\pL*|creds?|credenti\w*|auth\w*|combina\pL*|vpn|cookie|sessionid|seed"
    r"|recovery|acc|zugang\pL*|kennwort|has\x{142}o|l\x{f6}sen\pL*|passwrod|passwor|pass?wort|pasword|pwrd|pword"
    r"|phrases?|admin|sudo|einge(?:ben|tippt|geben)|eintippen|unlocks?|(?:opens?|open up|decrypts?) with)\b"
    r"|\b(?:hesl|has\x{142}|passord|adgangskod|kodeord|salasan|tunnussan|jelsz|lozink"
    r"|k[oó]d(?:u|em|y|owi|et|en|er|ja|ot|i)?\b|koodi|cod(?:ul|ului)\b|szyfr|kłódk|sejf"
    r"|domofon|zámek|trezor|dörr|kassaskåp|lås|kassakaap|riaszt|lacăt|kilit"
    r"|cadeado|fechadura|serratur|cerradura|antifurt|nøkkel|nøgle|nyckel|sleutel|kluis|hangslot"
    r"|klucz|klíč|avain|kulcs|cheie|anahtar)"
    # a boundary of words is one of ASCII
    r"|парол|şifre|συνθηματικ|\bкод|[ \n]код|κωδικ|шифр|домофон|замок|замк|сейф|сигнализац|συναγερμ"
    r"|ключ|логин"
)
"""Words that may name a secret but often mean something else (key, login): enough for the tagger to read a
text, not for a rule to apply."""


def names_secrets(data: bytes) -> bool:
    """Returns whether a text has a word that may name a secret: then the tagger looks at it."""
    return byte_pattern(_NAMED).search(data) is not None or speaks_of_secrets(data)


@cache
def handover_patterns() -> tuple[Any, ...]:
    """Returns patterns of which one matches in every text in which a secret may be told."""
    return (*_ways_in(), byte_pattern(_NAMED))


@cache
def _ways_in() -> tuple[Any, ...]:
    return tuple(byte_pattern("(?i)" + "|".join(map(alternatives, names))) for names in WAYS_IN)


def may_hand_over(data: bytes) -> bool:
    """Returns whether a frame, a question or a list is in a text that one of `handover_patterns` matches."""
    return (
        any(_scanner(group).Match(data) for group in range(len(GROUPS)))
        or class_pattern("note").search(data) is not None
        or may_answer(data)
        or class_pattern("lists").search(data) is not None
    )


@cache
def _scanner(group: int) -> Any:
    """Returns what finds all frames of a group that match in a text, by one scan of it."""
    import re2

    options = re2.Options()
    options.log_errors = False
    options.max_mem = _SCANNER_BYTES
    scanner = re2.Set.SearchSet(options)
    for frame in GROUPS[group]:
        scanner.Add(_compiled(frame)[0])
    scanner.Compile()
    return scanner


def _without_public_uses(data: bytes) -> bytes:
    """Returns the text with codes that open nothing, and what is made of passwords, overwritten."""
    if not byte_pattern(PUBLIC_USES).search(data):
        return data
    masked = bytearray(data)
    for match in byte_pattern(PUBLIC_USES).finditer(data):
        masked[match.start() : match.end()] = bytes(len(match.group()))
    return bytes(masked)


@cache
def _compiled(frame: Frame) -> tuple[str, Callable[[Value], bool]]:
    """Returns a frame as a pattern, and what decides on its value."""
    slot = _SLOT.search(frame.pattern)
    assert slot is not None
    value, is_told = SLOTS[slot.group()]
    pattern = _CLASS.sub(lambda match: alternatives(match.group(1)), frame.pattern)
    return f"(?im){pattern.replace(slot.group(), value)}", is_told


def _in_frame(data: bytes, frame: Frame) -> Spans:
    """Yields the values that a frame hands over."""
    pattern, is_told = _compiled(frame)
    for match in byte_pattern(pattern).finditer(data):
        text = match.group(1).decode("utf-8", "replace")
        skipped, text = _trimmed(text)
        start = match.start(1) + len(skipped.encode())
        end = start + len(text.encode())
        if start - match.start() > _CLOSE or not 2 < len(text) <= _MAX_VALUE:
            continue
        before = data[max(0, start - 60) : start].decode("utf-8", "replace")
        after = data[end : end + 60].decode("utf-8", "replace")
        if is_told(Value(text, before, after)) and is_spoken_of(data, frame.near, frame.within, start, end):
            yield start, end, PROSE


def _trimmed(text: str) -> tuple[str, str]:
    """Returns what precedes a value inside its slot, and the value without what goes on after it."""
    skipped = ""
    if " " in text and not text[0].isdigit():
        text = _GOES_ON.sub("", text)
        for lead in byte_pattern(_lead()).finditer(text.encode()):
            skipped = text.encode()[: lead.end()].decode()
        text = text.removeprefix(skipped)
    return skipped, text.rstrip(_TRAILING if text[-2:-1].isdigit() else _TRAILING + "*")


_TRAILING = " .,:;!?)\u2026'\u2019`_"


@cache
def _lead() -> str:
    """Returns a pattern of words after which a value begins."""
    return rf"(?i)(?:^|\s)(?:{alternatives('types')}|{alternatives('with')}|so|also)\s+"
