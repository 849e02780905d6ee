"""Decodes bytes by the encoding they declare, and recognises binary data."""

from __future__ import annotations

import codecs
import re

_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # before UTF-16, whose mark it begins with
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_DECLARED = re.compile(
    rb"(?:coding|charset)\s*[:=]\s*[\"']?([-\w.]{2,30})|encoding\s*=\s*[\"']([-\w.]{2,30})"
)
_KNOWN = re.compile(
    r"iso8859-\d+|cp125\d|cp1006|cp43\d|cp85\d|cp86\d|cp866|cp932|cp949|cp950|koi8-[rut]|mac-[a-z]+"
    r"|shift_jis\w*|euc_\w+|gb2312|gbk|gb18030|big5\w*|iso2022_\w+|johab|latin-1|ascii"
)
"""Encodings of text; Python knows others, such as archives and escapes."""
_HEAD = 1 << 10
_CONTROL = bytes(code for code in range(32) if code not in (7, 8, 9, 10, 12, 13, 27)) + b"\x7f"
_SAMPLE = 1 << 16
_WESTERN = 0.15
"""Share of non-ASCII bytes up to which text counts as Western; other scripts use them for most letters."""


class Undecodable(Exception):
    """An error for bytes that are not text; `code` is `binary` or `encoding_unknown`."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


def decoded(data: bytes) -> tuple[str, tuple[str, ...]]:
    r"""Returns the text with `\n` line ends, and notes about its encoding. Raises Undecodable."""
    text, note = _decoded(data)
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return text, () if note is None else (note,)


def is_binary(data: bytes) -> bool:
    """Returns whether bytes contain a NUL, or more control characters than text has."""
    if b"\0" in data:
        return True
    sample = data[:_SAMPLE]
    return len(sample) - len(sample.translate(None, _CONTROL)) > len(sample) // 50


def _decoded(data: bytes) -> tuple[str, str | None]:
    """Returns the text of a file and its encoding if it is not UTF-8. Raises Undecodable."""
    for mark, encoding in _BOMS:
        if data.startswith(mark):
            try:
                text = data[len(mark) :].decode(encoding)
            except UnicodeDecodeError as error:
                raise Undecodable("binary" if b"\0" in data else "encoding_unknown") from error
            return text, None if encoding == "utf-8" else f"read as {encoding}"
    if is_binary(data):
        if (wide := _wide(data)) is None:
            raise Undecodable("binary")
        return wide
    try:
        return data.decode(), None
    except UnicodeDecodeError:
        pass
    if (declared := _declared(data[:_HEAD])) is not None:
        try:
            return data.decode(declared), f"read as {declared}, as it says"
        except UnicodeDecodeError:
            pass
    sample = data[:_SAMPLE]
    high = len(sample) - len(sample.decode("ascii", "ignore"))
    if high > _WESTERN * len(sample):
        raise Undecodable("encoding_unknown")
    try:
        return data.decode("cp1252"), "read as Windows-1252, since it is not UTF-8"
    except UnicodeDecodeError:
        return data.decode("latin-1"), "read as Latin-1, since it is not UTF-8"


def _declared(head: bytes) -> str | None:
    """Returns the text encoding that a first line, an XML declaration or a meta element declares, or None."""
    for match in _DECLARED.finditer(head):
        try:
            name = codecs.lookup((match[1] or match[2]).decode("ascii")).name
        except (LookupError, UnicodeDecodeError, ValueError):
            continue
        if _KNOWN.fullmatch(name):
            return name
    return None


def _wide(data: bytes) -> tuple[str, str] | None:
    """Decodes UTF-16 without a mark: every other byte of its first part is NUL, and never both of a pair."""
    head = data[:_SAMPLE]
    if len(data) % 2 or len(data) < 8:
        return None
    first, second = head[0::2].count(0), head[1::2].count(0)
    encoding = "utf-16-le" if second > first else "utf-16-be"
    if max(first, second) < len(head) * 0.35 or min(first, second):
        return None
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError:
        return None
    return None if "\0" in text else (text, f"read as {encoding}")
