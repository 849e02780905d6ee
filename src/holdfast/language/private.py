"""Removes private blocks: text between `<private>` and `</private>` is never stored."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from holdfast.core.text import LOOKALIKES, byte_pattern, is_hidden

_BRAILLE_BLANK = "\u2800"
_SIGNS = str.maketrans(
    "⟨❮❬❰˂ᐸ⦑⧼⟪⟩❯❭❱˃ᐳ⦒⧽⟫∕⁄⧸νꓑꓣꓲꓦꓮꓔꓰᏢᎡᎥᏙᎪᎢᎬꮲꭱꭵꮩꭺꭲꭼ",
    "<<<<<<<<<>>>>>>>>>///vprivateprivateprivate",
)
# As a rule quotation marks, not brackets: a text decides which (`_reads_quotes_as_brackets`).
_QUOTES = str.maketrans("‹«〈《›»〉》", "\x02\x02\x02\x02\x03\x03\x03\x03")
_TO_BRACKETS = bytes.maketrans(b"\x02\x03", b"<>")
_TO_SIGNS = bytes.maketrans(b"\x02\x03", b"??")
_FULL_WIDTH = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}

# An escape of HTML, JSON, programs, URLs, quoted-printable or UTF-7, also one that was escaped again: `&lt;`,
# `&amp;#60;`, `\u003c`, `\x3c`, `\u{3c}`, `\74`, `%3C`, `%253C`, `=3C`, `+ADw-`.
_ESCAPE = re.compile(
    r"&(?:amp;)*(?:(#x[0-9a-f]{1,6}|#[0-9]{1,7}|[a-z]{2,8});|(lt|gt))"
    r"|(?:\\{1,4}(?:U000000|u00|u\{0{0,4}|x\{0{0,4}|x|0{1,4})|%(?:25){0,3}|=)([0-9a-f]{2})\}?"
    r"|\\{1,4}u([0-9a-f]{4})|\\{1,4}0?([0-7]{2,3})|\+AD([w4])-|\\N\{(less-than|greater-than) sign\}",
    re.IGNORECASE,
)
_BLANKS = bytes(0x20 if code <= 0x20 or code == 0x7F else code for code in range(256))

# Tags in a text normalized by `_plain_bytes`. A quoted value may contain brackets; both readings are tried,
# because text that is private under either is private.
_NAME = r"(?i)< *(\\*/)? *p *r *i *v *a *t *e"
_VALUE = r"= *\\*(?:\"[^\"]*\"|'[^']*')"
_BARE_TAG = rf"{_NAME}(?:[ /=?][^<>]*>?|>|\b)"
_QUOTED_TAG = rf"{_NAME}(?:(?:{_VALUE}|[ /=?])(?:{_VALUE}|[^<>])*>?|>|\b)"

# Matches part of every tag in a raw text: each character may be an escape, and a non-ASCII one may be read
# as any character or as none.
_FOREIGN = bytes(code if code < 0x80 else 1 for code in range(256))
_ESCAPED = (
    r"(?:&|\x01)(?:amp;)*(?:#[0-9]{1,7};|#x[0-9a-f]{1,6};|[a-z]{2,8};|lt|gt)|\\+[ux]?\{?[0-9a-f]{2,8}\}?|\\+[0-7]{2,4}"
    r"|%(?:25)*[0-9a-f]{2}|=[0-9a-f]{2}|\+AD[w4]-|\\N\{(?:less-than|greater-than) sign\}"
)
_BETWEEN = rf"(?:[\x00-\x20\x7f\\/]|{_ESCAPED})*"
_TRACE = "(?i)" + _BETWEEN.join(rf"(?:{char}|\x01|{_ESCAPED})" for char in "<private")

_PARAGRAPH_END = re.compile(r"\n[ \t\r]*(?=\n)")
_LINE_MAX = 1_000
"""Characters of a line on either side of a tag in which a code span is looked for."""
_FENCE = re.compile(r"^[ \t]{0,3}(`{3,}(?=[^`\n]*$)|~{3,})[ \t]*+(\S)?", re.MULTILINE)
"""A line that may begin a fenced block of code, and may end one if nothing else is on it."""

PRIVATE_TAG = "<private>"
"""The only form of the tag that can be mentioned."""

Cut = tuple[int, int, bool]
"""A range to remove, and whether it is a block rather than an unmatched closing tag."""


def strip_private(text: str) -> tuple[str, int]:
    """Returns `text` without its `<private>...</private>` blocks, and the number of blocks.

    Whatever a person reads as the tag is one: in any case, with spaces, attributes, invisible or blank
    characters, look-alike letters and brackets, or escaped as in `&lt;private&gt;`. Blocks may nest; an
    unclosed block reaches to the end of the text. The plain tag directly between quotation marks (`, ", ')
    with no closing tag after it is a mention and stays. The content of a block never survives, not even by
    joining the text around it. Linear in the length of `text`.
    """
    cuts = private_ranges(text)
    if not cuts:
        return text, 0
    remaining = _without(text, cuts, "")
    if private_ranges(remaining):  # the join created a tag from two harmless halves
        remaining = _without(text, cuts, "\N{HORIZONTAL ELLIPSIS}")
    return remaining.strip(), sum(is_block for _, _, is_block in cuts)


def _without(text: str, cuts: list[Cut], seam: str) -> str:
    """Returns a text without the cuts; `seam` is put where one was."""
    parts: list[str] = []
    position = 0
    for start, end, _ in (*cuts, (len(text), len(text), False)):
        piece = text[position:start]
        if parts and piece:
            if seam:
                parts.append(seam)
            elif parts[-1][-1].isspace() and piece[0] == " ":
                piece = piece[1:]
        if piece:
            parts.append(piece)
        position = end
    return "".join(parts)


def emptied(text: str) -> tuple[str, int]:
    """Returns `text` with every private block emptied, and the number of characters after an unclosed tag.

    For texts that are cut before validation: whichever part a block falls into, its content is gone, and
    validation still counts it.
    """
    cuts = private_ranges(text)
    if not cuts:
        return text, 0
    lost = unclosed(text)
    parts: list[str] = []
    position = 0
    for start, end, is_block in cuts:
        # left unclosed here too: a closing tag would turn an earlier mention into a real tag
        block = PRIVATE_TAG if lost and end == len(text) else f"{PRIVATE_TAG}</private>"
        parts += (text[position:start], block if is_block else "")
        position = end
    return "".join((*parts, text[position:])), lost


def unclosed(text: str) -> int:
    """Returns the number of characters from a private tag that is never closed, the tag included."""
    starts = [start for start, end, _ in _raw_ranges(text) if end > len(text)]
    return len(text) - min(starts) if starts else 0


def private_ranges(text: str) -> list[Cut]:
    """Returns the ranges of characters that `strip_private` removes, in order and without overlap."""
    return _merged(_raw_ranges(text), len(text))


def _merged(ranges: list[Cut], size: int) -> list[Cut]:
    """Returns ranges of a text of this size in order and without overlap."""
    cuts: list[Cut] = []
    for start, end, is_block in sorted((start, min(end, size), is_block) for start, end, is_block in ranges):
        if cuts and start < cuts[-1][1]:
            first, last, was_block = cuts[-1]
            cuts[-1] = (first, max(last, end), was_block or is_block)
        else:
            cuts.append((start, end, is_block))
    return cuts


def overwritten(text: str, spans: Iterable[tuple[int, int, str]]) -> str:
    """Returns the text with these ranges overwritten by a sign, except for line breaks."""
    pieces: list[str] = []
    position = 0
    for start, end, sign in spans:
        pieces.append(text[position:start])
        pieces += (char if char == "\n" else sign for char in text[start:end])
        position = end
    pieces.append(text[position:])
    return "".join(pieces)


@dataclass(frozen=True, slots=True)
class FilePrivacy:
    """The private parts of the text of a file.

    `cuts` are removed, `mentions` are tags that are only spoken of, with substitutes of the same length.
    `unclosed` counts the characters of blocks that are never closed.
    """

    cuts: list[Cut] = field(default_factory=list)
    mentions: list[tuple[int, int, str]] = field(default_factory=list)
    unclosed: int = 0


def privacy_of_file(text: str, *, is_page: bool = False) -> FilePrivacy:
    """Returns what is private in the text of a file, which speaks of tags more often than it uses them.

    A tag directly between equal quotation marks or backticks is only spoken of, unless a closing tag without
    a partner follows on a line of its own; an opening one that is never closed also in a code span or a
    fenced block. A block that is closed is private; another one that is not closed reaches to the end of its
    paragraph. A page of HTML (`is_page`) has neither paragraphs nor code in this form: there an opening tag
    reaches to the end, and any closing tag makes a block. Linear in the length of `text`.
    """
    if not _has_traces(text):
        return FilePrivacy()
    data = _plain_bytes(text)
    cuts: list[Cut] = []
    mentions: dict[int, int] = {}
    unclosed = last_close = 0
    patterns = (_BARE_TAG, _QUOTED_TAG) if b"'" in data or b'"' in data else (_BARE_TAG,)
    for pattern in patterns:
        stack: list[tuple[int, int]] = []
        quoted: int | None = None  # the first opening tag in quotation marks since the last block
        for start, end, closes in _tags(data, pattern):
            last_close = max(last_close, start if closes else 0)
            if _is_quoted(data, start, end):
                mentions[start] = end
                if not closes and quoted is None:
                    quoted = start
            elif not closes:
                stack.append((start, end))
            elif stack:
                cuts.append((stack.pop()[0], end, True))
                quoted = None
            elif quoted is not None and (is_page or _is_alone(text, start, end)):
                cuts.append((quoted, end, True))
                quoted = None
            else:
                cuts.append((start, end, False))
        is_code = _code_of(text) if stack and not is_page else None
        lost = stop = 0
        for start, end in stack:
            if start < stop:
                continue
            if is_code is not None and is_code(start):
                mentions[start] = end
                continue
            blank = None if is_page else _PARAGRAPH_END.search(text, end)
            stop = blank.start() if blank else len(text)
            cuts.append((start, stop, True))
            lost += stop - start
        unclosed = max(unclosed, lost)
    merged = _merged(cuts, len(text))
    inside = [(start, end) for start, end in sorted(mentions.items()) if not _is_within(start, merged)]
    spoken = [
        (start, end, _mention_of(text[start:end]))
        for start, end in inside
        if start < last_close or not _is_mention(data, start, end)
    ]
    return FilePrivacy(merged, spoken, unclosed)


def _mention_of(tag: str) -> str:
    """Returns what is in the place of a tag that is only spoken of: `[private]` for the plain one."""
    if "\n" in tag:
        return "".join(char if char == "\n" else " " for char in tag)
    name = "[/private]" if "/" in tag.partition("p")[0] else "[private]"
    return name.ljust(len(tag)) if len(name) <= len(tag) else " " * len(tag)


def _is_quoted(data: bytes, start: int, end: int) -> bool:
    """Returns whether a tag is directly between two equal quotation marks."""
    before = data[start - 1 : start]
    return before in (b"`", b'"', b"'") and data[end : end + 1] == before


def _is_alone(text: str, start: int, end: int) -> bool:
    """Returns whether nothing but signs, such as those of a comment, is on the line of a tag."""
    before = text[max(0, start - _LINE_MAX) : start].rpartition("\n")[2]
    after = text[end : end + _LINE_MAX].partition("\n")[0]
    return not any(map(str.isalnum, before + after))


def _is_within(position: int, cuts: list[Cut]) -> bool:
    place = bisect_right(cuts, (position, len(cuts) and cuts[-1][1], True)) - 1
    return place >= 0 and cuts[place][0] <= position < cuts[place][1]


def _code_of(text: str) -> Callable[[int], bool]:
    """Returns a check whether a position is in a code span or a fenced block of Markdown."""
    fenced = _fenced(text)

    def is_code(position: int) -> bool:
        if bisect_right(fenced, position) % 2:
            return True
        before = text[max(0, position - _LINE_MAX) : position].rpartition("\n")[2]
        after = text[position : position + _LINE_MAX].partition("\n")[0]
        return before.count("`") % 2 == 1 and "`" in after

    return is_code


def _fenced(text: str) -> list[int]:
    """Returns the start and the end of each fenced block in turn.

    The same sign, at least as often, closes a block. One that is never closed hides nothing, nor does what
    follows it.
    """
    places: list[int] = []
    opening = ""
    for match in _FENCE.finditer(text):
        fence, other = match.groups()
        if not opening:
            opening = fence
            places.append(match.start())
        elif other is None and fence.startswith(opening):
            opening = ""
            places.append(match.start())
    return places[:-1] if opening else places


def _raw_ranges(text: str) -> list[Cut]:
    """Returns what must be removed under either reading, unordered; an unclosed block ends after the text."""
    if not _has_traces(text):
        return []
    data = _plain_bytes(text)
    cuts = [*_blocks(data, _BARE_TAG)]
    if cuts and (b"'" in data or b'"' in data):
        cuts += _blocks(data, _QUOTED_TAG)
    return cuts


def _has_traces(text: str) -> bool:
    """Returns whether a text may contain a tag."""
    if text.isascii() and not any(map(text.__contains__, "<&\\%=+")):
        return False
    return byte_pattern(_TRACE).search(text.encode("utf-8", "surrogatepass").translate(_FOREIGN)) is not None


def _tags(data: bytes, pattern: str) -> Iterator[tuple[int, int, bool]]:
    """Yields start and end of each tag, and whether it closes."""
    for match in byte_pattern(pattern).finditer(data):
        start, end = match.span()
        if data[end - 1] in b"eE" and data[end : end + 1] not in (b"", b"<"):
            continue  # another tag, such as <private-note>
        yield start, end, match.group(1) is not None


def _blocks(data: bytes, pattern: str) -> Iterator[Cut]:
    """Yields the blocks between opening and closing tags; nested ones belong to the outer one."""
    depth = begin = 0
    tags = list(_tags(data, pattern))
    last_close = max((start for start, _, closes in tags if closes), default=-1)
    for start, end, closes in tags:
        if not closes:
            if start > last_close and _is_mention(data, start, end):
                continue
            if depth == 0:
                begin = start
            depth += 1
        elif depth:
            depth -= 1
            if depth == 0:
                yield begin, end, True
        else:
            yield start, end, False
    if depth:
        yield begin, len(data) + 1, True


def _is_mention(data: bytes, start: int, end: int) -> bool:
    """Returns whether a tag is only mentioned: the plain tag directly between two equal quotation marks."""
    return _is_quoted(data, start, end) and data[start:end].lower() == PRIVATE_TAG.encode()


def _plain_bytes(text: str) -> bytes:
    """Returns one ASCII byte per character: escapes resolved, blanks as spaces, look-alikes as letters."""
    if not text.isascii():
        text = text.translate(_FULL_WIDTH)
    if any(map(text.__contains__, "&\\%=+")):
        text = _ESCAPE.sub(_resolved, text)
    if text.isascii():
        return text.encode("ascii").translate(_BLANKS)
    text = text.translate(_QUOTES)
    text = text.translate({ord(char): _plain(char) for char in set(text) if not char.isascii()})
    data = text.encode("ascii")
    if b"\x02" in data or b"\x03" in data:
        data = data.translate(_TO_BRACKETS if _reads_quotes_as_brackets(data) else _TO_SIGNS)
    return data.translate(_BLANKS)


def _reads_quotes_as_brackets(data: bytes) -> bool:
    """Returns whether a tag consists only partly of quotation marks, or is a closing one: `‹private>`,
    `‹/private›`."""
    name = r"(?i) *p *r *i *v *a *t *e"
    return byte_pattern(rf"\x02[ \x00-\x1f]*(?:\\*/){name}|\x02{name} *>|< *\\*/{name} *\x03").search(
        data
    ) is not None or (b"\x02" in data and byte_pattern(rf"< *\\*/{name}").search(data) is not None)


def _resolved(match: re.Match[str]) -> str:
    """Returns the character that an escape denotes, padded with spaces to the length of the escape."""
    import html

    name, bare, byte, code, octal, wide, sign = match.groups()
    if byte or code:
        char = chr(int(byte or code, 16))
    elif octal:
        char = chr(int(octal, 8))
    elif wide or sign:
        char = "<" if (wide or sign).lower() in ("w", "less-than") else ">"
    else:
        char = html.unescape(f"&{name or bare};".lower())
    length = len(match.group())
    is_of_tag = name or bare or code or char in "<>/ &privatePRIVATE" or char.isspace() or is_hidden(char)
    if len(char) != 1 or not is_of_tag:
        return match.group()
    return char.rjust(length) if char == ">" else char.ljust(length)


def _plain(char: str) -> str:
    """Returns a character as ASCII in lower case: a space for invisible ones, `?` if it has no such form."""
    if unicodedata.category(char)[0] in "MCZ" or char == _BRAILLE_BLANK or is_hidden(char):
        return " "
    folded = char.translate(_SIGNS)
    if not folded.isascii():
        parts = unicodedata.normalize("NFKD", folded).lower()
        folded = "".join(part for part in parts if not unicodedata.combining(part))
        folded = folded.translate(_SIGNS).translate(LOOKALIKES)
    return folded if len(folded) == 1 and folded.isascii() else "?"
