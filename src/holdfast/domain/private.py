"""Private blocks: what stands between `<private>` and `</private>` is taken out and never stored."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from holdfast.domain.text import LOOKALIKES, byte_pattern, is_hidden

_BRAILLE_BLANK = "\u2800"
_SIGNS = str.maketrans("⟨❮❬❰˂ᐸ⟩❯❭❱˃ᐳ∕⁄ν", "<<<<<<>>>>>>//v")
_OPENING_QUOTES = "‹«〈《"
_QUOTES = str.maketrans(f"{_OPENING_QUOTES}›»〉》", "<<<<>>>>")  # as a rule quotation marks, not brackets
_OPENERS = frozenset("<&\\＜﹤⟨❮❬❰˂ᐸ" + _OPENING_QUOTES)

# An escape of HTML or JSON, also one that was escaped again: `&lt;`, `&amp;#60;`, `\u003c`.
_ESCAPE = re.compile(
    r"&(?:amp;)*(?:(#x[0-9a-f]{1,6}|#[0-9]{1,7}|[a-z]{2,8});|(lt|gt))|\\u([0-9a-f]{4})", re.IGNORECASE
)
_BLANKS = bytes(0x20 if code <= 0x20 or code == 0x7F else code for code in range(256))

# Tags in a text that `_plain_bytes` has made plain. A quoted value may hold brackets; whether it does is read
# both ways, because what is private under either reading is private.
_NAME = r"(?i)< *(\\*/)? *p *r *i *v *a *t *e"
_VALUE = r"= *\\*(?:\"[^\"]*\"|'[^']*')"
_BARE_TAG = rf"{_NAME}(?:[ /=?][^<>]*>?|>|\b)"
_QUOTED_TAG = rf"{_NAME}(?:(?:{_VALUE}|[ /=?])(?:{_VALUE}|[^<>])*>?|>|\b)"

_Cut = tuple[int, int, bool]
"""A range to take out, and whether it is a block rather than a closing tag that closes nothing."""


def strip_private(text: str) -> tuple[str, int]:
    """Return `text` without its `<private>...</private>` blocks, and how many blocks there were.

    Whatever a person reads as the tag is one: in any case, with spaces, attributes, invisible or blank
    characters, look-alike letters and brackets, or escaped as in `&lt;private&gt;`. Blocks may nest; a block
    that is not closed reaches to the end of the text. What stood inside never survives, also not by joining
    the text around a block. Linear in the length of `text`.
    """
    cuts = _cuts(text)
    if not cuts:
        return text, 0
    kept = _without(text, cuts, "")
    if _cuts(kept):  # the join has assembled a tag out of two harmless halves
        kept = _without(text, cuts, "\N{HORIZONTAL ELLIPSIS}")
    return kept.strip(), sum(is_block for _, _, is_block in cuts)


def _without(text: str, cuts: list[_Cut], seam: str) -> str:
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


def _cuts(text: str) -> list[_Cut]:
    """Return what has to go, in order and without overlap."""
    if text.isascii():
        if "<" not in text and "&" not in text and "\\" not in text:
            return []
    elif _OPENERS.isdisjoint(text):
        return []
    data = _plain_bytes(text)
    found = [*_blocks(data, _BARE_TAG)]
    if found and (b"'" in data or b'"' in data):
        found += _blocks(data, _QUOTED_TAG)
    cuts: list[_Cut] = []
    for start, end, is_block in sorted(found):
        if cuts and start < cuts[-1][1]:
            first, last, was_block = cuts[-1]
            cuts[-1] = (first, max(last, end), was_block or is_block)
        else:
            cuts.append((start, end, is_block))
    return cuts


def _blocks(data: bytes, pattern: str) -> Iterator[_Cut]:
    depth = begin = 0
    for match in byte_pattern(pattern).finditer(data):
        start, end = match.span()
        if data[end - 1] in b"eE" and data[end : end + 1] not in (b"", b"<"):
            continue  # another tag, such as <private-note>
        if match.group(1) is None:
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
        yield begin, len(data), True


def _plain_bytes(text: str) -> bytes:
    """Return one ASCII byte a character: escapes resolved, blanks as spaces, look-alikes as letters."""
    if "&" in text or "\\" in text:
        text = _ESCAPE.sub(_resolved, text)
    if not text.isascii():
        signs = _SIGNS
        if _closes_with_quotes(text):
            signs = {**_SIGNS, **_QUOTES}
        text = text.translate({ord(char): _plain(char, signs) for char in set(text) if not char.isascii()})
    return text.encode("ascii").translate(_BLANKS)


def _closes_with_quotes(text: str) -> bool:
    """Tell whether `‹/private›` stands in the text: then its quotation marks are brackets of tags."""
    if not any(map(text.__contains__, _OPENING_QUOTES)):
        return False
    closing = byte_pattern(rf"[{_OPENING_QUOTES}][\s\pZ]*/")
    return closing.search(text.encode("utf-8", "surrogatepass")) is not None


def _resolved(match: re.Match[str]) -> str:
    """The character that an escape stands for, with spaces to the length of the escape."""
    import html

    name, bare, code = match.groups()
    if code:
        char = chr(int(code, 16))
    else:
        char = html.unescape(f"&{name or bare};".lower())
    length = len(match.group())
    if len(char) != 1:
        return match.group()
    return char.rjust(length) if char == ">" else char.ljust(length)


def _plain(char: str, signs: dict[int, int]) -> str:
    if unicodedata.category(char)[0] in "MCZ" or char == _BRAILLE_BLANK or is_hidden(char):
        return " "
    folded = unicodedata.normalize("NFKC", char).lower().translate(signs).translate(LOOKALIKES)
    return folded if len(folded) == 1 and folded.isascii() else "?"
