"""Normalisation of text: one canonical form for every text that is stored, without hidden characters."""

from __future__ import annotations

import math
import re
import unicodedata
from functools import cache
from typing import Any

from holdfast.core.value_classes import value_class

CHARS_PER_TOKEN = 4
"""Average number of characters of a token."""
HIDDEN_UNICODE = "hidden_unicode"
CONTROL_CHARACTERS = "control_characters"
LONE_SURROGATES = "lone_surrogates"
COMBINING_MARKS = "combining_marks"

_MAX_MARKS = 30  # Unicode's Stream-Safe limit; NFC takes quadratic time on longer runs
_UNMARKED_MARKS = "\u0f73\u0f75\u0f81\uff9e\uff9f"  # become marks when they are normalised
_FOLDABLE = re.compile("[^\ufdfa\ufdfb]+")  # these two become 18 and 8 characters, all others at most 6

LOOKALIKES = str.maketrans(
    "аесорхуіјѕԁһкмтнвгѵԛԝάαβεικνορτυχοӏⅼɑɡıᴀʙᴄᴅᴇɢʜɪᴊᴋʟᴍɴᴏᴘʀᴛᴜᴠᴡʏᴢàáâäãåèéêëìíîïòóôöõùúûüçñ’‘“”−–—",
    "aecopxyijsdhkmthbrvqwaabeiknoptuxollagiabcdeghijklmnoprtuvwyzaaaaaaeeeeiiiiooooouuuucn''\"\"---",
)
"""Small letters and signs that look like Latin ones, folded for matching only: one character for one."""

_BLANK = frozenset("\u2800\u115f\u1160\u3164\uffa0")  # letters and signs of no ink

_ZWNJ, _ZWJ = "\u200c", "\u200d"
_BLACK_FLAG = "\U0001f3f4"
_CANCEL_TAG = "\U000e007f"
_SUBDIVISION_FLAGS = tuple(  # the only tag sequences in general use: England, Scotland, Wales
    "".join(chr(0xE0000 + ord(letter)) for letter in code) + _CANCEL_TAG
    for code in ("gbeng", "gbsct", "gbwls")
)

# Unicode's Default_Ignorable_Code_Point set plus the interlinear annotation marks.
_HIDDEN_RANGES = (
    (0x00AD, 0x00AD),
    (0x034F, 0x034F),
    (0x061C, 0x061C),
    (0x115F, 0x1160),
    (0x17B4, 0x17B5),
    (0x180B, 0x180F),
    (0x200B, 0x200F),
    (0x202A, 0x202E),
    (0x2060, 0x206F),
    (0x3164, 0x3164),
    (0xFE00, 0xFE0F),
    (0xFEFF, 0xFEFF),
    (0xFFA0, 0xFFA0),
    (0xFFF0, 0xFFFB),
    (0x1BCA0, 0x1BCA3),
    (0x1D173, 0x1D17A),
    (0xE0000, 0xE0FFF),
)
# Scripts whose spelling needs ZWJ or ZWNJ: Arabic to Indic, South-East Asian, Mongolian.
_JOINING_RANGES = (
    (0x0600, 0x0DFF),
    (0x1000, 0x109F),
    (0x1780, 0x18AF),
    (0x1B00, 0x1CFF),
    (0xA800, 0xAAFF),
    (0xFB50, 0xFDFF),
    (0xFE70, 0xFEFC),
    (0x10A00, 0x11FFF),
    (0x1E900, 0x1E95F),
)
_EMOJI_RANGES = ((0x2190, 0x2BFF), (0x1F000, 0x1FAFF))
_HAN_RANGES = ((0x3400, 0x9FFF), (0xF900, 0xFAFF), (0x20000, 0x3FFFF))


@value_class
class Finding:
    """The type and the half-open character range of sensitive text; never the text itself."""

    type: str
    start: int
    end: int


@value_class
class Normalised:
    """Canonical text and the reason codes of what was removed, in a fixed order."""

    text: str
    removed: tuple[str, ...]


@cache
def byte_pattern(pattern: str) -> Any:
    """Returns an RE2 pattern over UTF-8 bytes, compiled once. RE2 matches a user's text in linear time.

    Raises re2.error for a bad pattern.
    """
    import re2

    options = re2.Options()
    options.log_errors = False  # they are raised; nothing is written to stderr
    return re2.compile(pattern.encode(), options)


def matching(data: bytes, patterns: tuple[str, ...]) -> set[str]:
    """Returns those of some patterns that match in UTF-8 bytes, by one scan for all of them: several times as
    fast as one search for each in a short text. In a long one, a search may end earlier."""
    return {patterns[index] for index in _pattern_set(patterns).Match(data) or ()}


@cache
def _pattern_set(patterns: tuple[str, ...]) -> Any:
    """Returns the RE2 set of some patterns, compiled once."""
    import re2

    options = re2.Options()
    options.log_errors = False
    scanner = re2.Set.SearchSet(options)
    for pattern in patterns:
        scanner.Add(pattern)
    scanner.Compile()
    return scanner


def replace_spans(text: str, findings: list[Finding], label: str) -> str:
    """Returns `text` with each finding replaced by `label.format(type)`; findings are ordered and
    disjoint."""
    parts: list[str] = []
    position = 0
    for finding in findings:
        parts.append(text[position : finding.start])
        parts.append(label.format(finding.type))
        position = finding.end
    parts.append(text[position:])
    return "".join(parts)


def findings_at(text: str, spans: list[tuple[int, int, str]]) -> list[Finding]:
    """Converts ordered, disjoint (start, end, type) ranges of UTF-8 bytes to findings by character.

    A range that cuts through a character takes all of it.
    """
    if text.isascii():
        return [Finding(type_, start, end) for start, end, type_ in spans]
    data = text.encode("utf-8", "surrogatepass")
    findings: list[Finding] = []
    byte = char = 0
    for start, end, type_ in spans:
        start, end = _character_start(data, start), _character_end(data, end)
        char += len(data[byte:start].decode("utf-8", "surrogatepass"))
        length = len(data[start:end].decode("utf-8", "surrogatepass"))
        findings.append(Finding(type_, char, char + length))
        byte, char = end, char + length
    return findings


def _character_start(data: bytes, at: int) -> int:
    while at < len(data) and data[at] & 0xC0 == 0x80:
        at -= 1
    return at


def _character_end(data: bytes, at: int) -> int:
    while at < len(data) and data[at] & 0xC0 == 0x80:
        at += 1
    return at


def normalise(text: str) -> Normalised:
    """Returns the canonical form that is stored: NFC, `\\n` line ends, nothing hidden, trimmed (S4.19).

    The user's own characters stay (NFC, not NFKC). ZWJ, ZWNJ and variation selectors stay where emoji and
    scripts such as Persian or Malayalam need them; everywhere else invisible characters can carry
    instructions that a person does not see, and are removed. Idempotent; linear in the length of `text`.
    """
    if text.isascii() and text.replace("\n", "").replace("\t", "").isprintable():
        return Normalised(text.strip(), ())
    text, had_lone = _repair_surrogates(text)
    had_hidden = had_controls = False
    if not _unwanted().isdisjoint(text):
        unified = text.replace("\r\n", "\n").translate(_line_ends())
        visible_controls = _drop_controls(unified)
        had_controls, unified = visible_controls != unified, visible_controls
        text = _drop_hidden(unified)
        had_hidden = text != unified
    capped = _cap_combining_marks(text)
    reasons = (
        (HIDDEN_UNICODE, had_hidden),
        (CONTROL_CHARACTERS, had_controls),
        (LONE_SURROGATES, had_lone),
        (COMBINING_MARKS, capped != text),
    )
    removed = tuple(code for code, is_found in reasons if is_found)
    return Normalised(unicodedata.normalize("NFC", capped).strip(), removed)


def visible(text: str) -> str:
    """Returns `text` without any invisible character, for matching only: emoji and some scripts fall
    apart."""
    hidden = _hidden()
    if text.isascii() or hidden.isdisjoint(text):
        return text
    return "".join(char for char in text if char not in hidden)


def has_ink(text: str) -> bool:
    """Returns whether any character of `text` is visible to a person."""
    return any(unicodedata.category(char)[0] in "LNPS" and char not in _BLANK for char in text)


def is_hidden(char: str) -> bool:
    """Returns whether a character is invisible in every context."""
    return char in _hidden()


def compatible(text: str) -> str:
    """Returns `text` in NFKC for matching: full-width, ligatures and mathematical letters as plain ones.

    Linear in the length of `text`, and at most six times as long: the two characters that NFKC turns into
    whole phrases stay as they are, and runs of combining marks are cut to 30.
    """
    if text.isascii():
        return text
    return _FOLDABLE.sub(_nfkc, _cap_combining_marks(text))


def _nfkc(match: re.Match[str]) -> str:
    return unicodedata.normalize("NFKC", match.group())


@cache
def _controls() -> dict[int, None]:
    return dict.fromkeys(
        code for code in (*range(0x20), *range(0x7F, 0xA0), 0xFFFE, 0xFFFF) if chr(code) not in "\n\t"
    )


@cache
def _line_ends() -> dict[int, str]:
    return dict.fromkeys((0x0B, 0x0C, 0x0D, 0x85, 0x2028, 0x2029), "\n")


@cache
def _hidden() -> frozenset[str]:
    """Returns the invisible characters that are dropped from texts."""
    return frozenset(chr(code) for low, high in _HIDDEN_RANGES for code in range(low, high + 1))


@cache
def _unwanted() -> frozenset[str]:
    return _hidden() | frozenset(map(chr, (*_controls(), *_line_ends())))


_TERMINAL_ESCAPE = r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b\n]*(?:\x07|\x1b\\)?)"


def _in_ranges(char: str, ranges: tuple[tuple[int, int], ...]) -> bool:
    code = ord(char)
    return any(low <= code <= high for low, high in ranges)


def _repair_surrogates(text: str) -> tuple[str, bool]:
    """Joins surrogate pairs into their character and replaces lone halves by U+FFFD."""
    try:
        text.encode()
    except UnicodeEncodeError:
        repaired = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
        return repaired, repaired.count("\ufffd") > text.count("\ufffd")
    return text, False


def _drop_controls(text: str) -> str:
    """Removes C0 and C1 controls, with the whole of a terminal colour or title sequence."""
    if "\x1b" in text:
        text = byte_pattern(_TERMINAL_ESCAPE).sub(b"", text.encode()).decode()
    return text.translate(_controls())


def _drop_hidden(text: str) -> str:
    """Returns a text without invisible characters, except those inside emoji and flags."""
    hidden = _hidden()
    if hidden.isdisjoint(text):
        return text
    visible_chars: list[str] = []
    skip_to = 0
    for index, char in enumerate(text):
        if char not in hidden or index < skip_to:
            visible_chars.append(char)
        elif char == "\U000e0067" and visible_chars and visible_chars[-1] == _BLACK_FLAG:
            for flag in _SUBDIVISION_FLAGS:
                if text.startswith(flag, index):
                    skip_to = index + len(flag)
                    visible_chars.append(char)
        elif visible_chars and _has_meaning(visible_chars[-1], char, text[index + 1 : index + 2]):
            visible_chars.append(char)
    return "".join(visible_chars)


def _has_meaning(before: str, char: str, after: str) -> bool:
    """Returns whether an invisible character does visible work between its neighbours."""
    if char in (_ZWJ, _ZWNJ):
        if _in_ranges(before, _JOINING_RANGES):
            return unicodedata.category(before)[0] in "LM"
        return (
            char == _ZWJ
            and (before == "\ufe0f" or _in_ranges(before, _EMOJI_RANGES))
            and after != ""
            and _in_ranges(after, _EMOJI_RANGES)
        )
    if "\ufe00" <= char <= "\ufe0d":
        return ord(before) >= 0x1000 and before not in _hidden() and not before.isspace()
    if char in "\ufe0e\ufe0f":
        if before in "0123456789#*":
            return after == "\u20e3"  # a keycap; elsewhere it would split a number or a key unseen
        return before in "\u00a9\u00ae" or (
            ord(before) >= 0x203C and before not in _hidden() and not before.isspace()
        )
    if "\U000e0100" <= char <= "\U000e01ef":
        return _in_ranges(before, _HAN_RANGES)
    if "\u180b" <= char <= "\u180f":
        return "\u1820" <= before <= "\u18aa"
    return False


def _is_mark(char: str) -> bool:
    return unicodedata.combining(char) != 0 or char in _UNMARKED_MARKS


def _cap_combining_marks(text: str) -> str:
    """Cuts runs of combining marks to 30: more is noise, and makes NFC quadratic."""
    if text.isascii() or sum(map(text.count, filter(_is_mark, set(text)))) <= _MAX_MARKS:
        return text
    capped: list[str] = []
    run = 0
    for char in text:
        run = run + 1 if _is_mark(char) else 0
        if run <= _MAX_MARKS:
            capped.append(char)
    return "".join(capped)


def count_words(text: str) -> int:
    """Returns the number of words; two characters of Chinese or Japanese count as one."""
    return max(len(text.split()), 0 if text.isascii() else len(_unspaced().findall(text)) // 2)


@cache
def _unspaced() -> re.Pattern[str]:
    return re.compile("[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]")


def count_tokens(text: str) -> int:
    """Returns the approximate number of tokens of a text: a quarter of its characters."""
    return math.ceil(len(text) / CHARS_PER_TOKEN)
