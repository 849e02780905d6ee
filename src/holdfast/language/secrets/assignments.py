"""Finds values that are assigned to the name of a secret, in configuration, code, commands and sentences."""

from __future__ import annotations

from holdfast.core.text import byte_pattern
from holdfast.language.secrets.harmless import Form, is_text
from holdfast.language.secrets.heads import Head, head_of, name_pattern, precedes_no_value
from holdfast.language.secrets.names import PLAIN_PREFIXES
from holdfast.language.secrets.part import MAX_VALUE, Part, Spans, is_pair, is_secret
from holdfast.language.secrets.unquoted import unquoted_end
from holdfast.language.secrets.values import is_unlike_words
from holdfast.language.secrets.words import AMBIGUOUS

_MAX_LONG = 8_192  # bytes in which a quoted value has to end
_MAX_LABEL = 4  # words before a name in the cell that it ends
_MAX_PREFIX = 160  # bytes of a line before a name that are looked at
_OF_SUMS = (b"checksum/", b"hash/", b"digest/", b"fingerprint/", b"checksum.", b"sha256/", b"checksum-")


def assigned(text: Part) -> Spans:
    """Yields the secrets that follow their names: start, end and type."""
    named, data = name_pattern(), text.data
    position = text.begin
    while match := named.search(data, position, text.end):
        first, position = match.span()
        position -= 1  # the last character is the first of the value
        while data[position] & 0xC0 == 0x80:
            position -= 1
        head = head_of(data[first:position])
        for scheme in (b"bearer ", b"basic "):
            if data[position : position + len(scheme)].lower() == scheme:
                position += len(scheme)
        if head.is_dash and head.rule.type != "password":
            continue  # budget * CHARS_PER_TOKEN - used
        if head.is_arrow and (
            data[first - 1 : first].isalnum() or data[first - 1 : first] in (b"-", b"_", b".")
        ):
            continue  # one name leads to another: `cache-token -> index`
        if data[max(0, first - 16) : first].lower().endswith(_OF_SUMS):
            continue  # checksum/secret: …
        if (
            head.rule.type != "password"
            and not head.is_option
            and data[max(0, first - 16) : first].lower().rstrip(b"_- ").endswith(PLAIN_PREFIXES)
        ):
            continue
        if precedes_no_value(data, first, position, head):
            continue
        if head.is_verb and not (_is_of_sql(data, first) and head.rule.type == "password"):
            continue
        value_end = 0 if _is_logger(data, first, head) else _value_of(text, first, position, head)
        if value_end:
            start, position = position, value_end
            yield start, value_end, head.rule.type


def _is_logger(data: bytes, first: int, head: Head) -> bool:
    """Returns whether a name is that of a program in a log: `INFO reset_token: done`."""
    if head.has_equals or data[first - 1 : first] not in (b"_", b".", b"-"):
        return False
    words = data[max(0, first - 64) : first].split()
    return len(words) > 1 and words[-2].strip(b"[]:") in LOG_LEVELS


def _is_of_sql(data: bytes, first: int) -> bool:
    """Returns whether the name at `first` is part of an SQL statement: `IDENTIFIED BY`."""
    clause = data[first : first + 16].lower()
    line = data[max(0, first - _MAX_PREFIX) : first].rsplit(b"\n", 1)[-1].lower()
    return clause.startswith(b"iden") and (
        clause.startswith((b"identified with", b"identified via"))
        or data[first : first + 10].isupper()
        or any(map(line.__contains__, (b"user", b"grant", b"role")))
    )


def _value_of(text: Part, first: int, start: int, head: Head) -> int:
    """Returns the end of the secret at `start`, or 0 if there is none. `first` is where its name begins."""
    data = text.data
    if b'"""' in (head_text := data[first:start]) and b"\n" in head_text:
        return 0  # the documentation of a class
    if b"\n" in head_text and _is_defined(data, first):
        return 0  # the documentation of a function
    line = data.rfind(b"\n", max(0, first - _MAX_PREFIX), first) + 1 or max(0, first - _MAX_PREFIX)
    prefix = data[line:first]
    if head.is_cell and _ends_long_cell(prefix):
        return 0
    if head.quote and (end := _closing(data, start, head)):
        return end if _is_quoted_secret(text, first, start, end, head) else 0
    if head.is_element:
        return _element(data, first, start, head)
    if head.is_cell:
        return _cell(data, first, start, prefix, head)
    return unquoted_end(text, first, start, prefix, head)


def _element(data: bytes, first: int, start: int, head: Head) -> int:
    """Returns the end of a secret that is the content of an element of markup, or 0 if it is none."""
    window = data[start : start + MAX_VALUE]
    close = window.find(b"<")
    if close < 0 or window[close + 1 : close + 2] not in b"/!":
        return 0
    if data[first:start].lower().startswith(window[:close].strip().lower()):
        return 0  # the label of a field
    return start + close if _is_secret_or_phrase(window[:close], head, quoted=True) else 0


LOG_LEVELS = frozenset(b"TRACE DEBUG INFO NOTICE WARN WARNING ERROR FATAL CRITICAL".split())


def _closing(data: bytes, start: int, head: Head) -> int:
    """Returns the end of a quoted value, or 0 if nothing closes it on its line."""
    at = data.find(head.quote, start, start + _MAX_LONG)
    if at < 0:
        return 0
    if head.is_escaped:
        at -= data[start:at].endswith(b"\\")
    elif len(head.quote) == 1:
        while data[at - 1] == 0x5C and at - start > 1 and data[at - 2] != 0x5C:
            after = data.find(head.quote, at + 1, start + _MAX_LONG)
            if after < 0:
                break
            at = after
        if head.quote == b"'" and data[at + 1 : at + 2] == b"'" and data[at + 2 : at + 3].isalnum():
            at = max(at, data.find(head.quote, at + 2, start + _MAX_LONG))
    value = data[start:at]
    if b"\0" in value and not _is_beside_known(value):
        return 0
    return 0 if b"\n" in value else at


def _is_beside_known(value: bytes) -> bool:
    """Returns whether a value has words of its own beside a secret that was found in it before."""
    words = value.replace(b"\0", b" ").split()
    return any(any(map(_is_alphanumeric, word)) for word in words if word.lower() not in _SCHEMES)


def _is_alphanumeric(code: int) -> bool:
    return code >= 0x80 or chr(code).isalnum()


_SCHEMES = frozenset(b"basic bearer digest token apikey negotiate".split())
"""What a header names before its credential."""


def _is_quoted_secret(text: Part, first: int, start: int, end: int, head: Head) -> bool:
    """Returns whether a value in quotation marks is a secret: neither the next name of a mapping, what is
    looked up, nor text."""
    data = text.data
    value = data[start:end]
    if value[:1] in b",.;:)" and b" " in value:
        return False  # between two values in quotation marks
    if data[end + 1 : end + 2] == b":" and head.quote in (b'"', b"'"):
        return False  # the next name of a mapping
    if head.is_list and not is_pair(data, first, end):
        return False
    if head.quote == b"`" and data[start - 2 : start - 1] == b"=" and b" " in value:
        return False  # the output of a command
    if head.is_call and head.rule.type == "token" and value.isupper() and not _is_setter(data, first):
        return False  # a kind of token, as parsers name them
    if head.is_call and data[max(0, first - 8) : first].lower().rstrip(b"_").endswith(_LOOKUPS):
        return False  # what is looked up: `keyring.get_password("mail", user)`
    if head.is_call and data[end + 1 : end + 2] not in (b")", b",") and data[end + 1 : end + 3] != b" )":
        return False
    if head.is_alternative and head.rule.type != "password" and value.isalpha():
        return False
    if len(value) > 512 and b" " in value:
        return False
    return b"\0" in value or _is_secret_or_phrase(value, head, quoted=True)


def _is_defined(data: bytes, first: int) -> bool:
    """Returns whether a name is the one of a function or class: `def access_token(…):`."""
    line = data[max(0, first - _MAX_PREFIX) : first].rsplit(b"\n", 1)[-1].split()
    words = line if data[first - 1 : first] in b" \t" else line[:-1]
    return words[-1:] in ([b"def"], [b"class"], [b"fn"], [b"func"], [b"function"])


_LOOKUPS = (b"get", b"fetch", b"read", b"load", b"lookup", b"find", b"delete", b"has", b"check", b"require")


def _is_setter(data: bytes, first: int) -> bool:
    """Returns whether the name ends that of a call that sets something: `set_token("…")`."""
    before = data[max(0, first - 24) : first].lower()
    return before.endswith((b"set", b"with", b"set_", b"with_", b"setapi", b"setaccess", b"setauth"))


def _is_secret_or_phrase(value: bytes, head: Head, *, quoted: bool) -> bool:
    """Returns whether a value is a secret of one word, or a passphrase."""
    value = value.strip()
    if b" " not in value:
        return is_secret(value, Form.LITERAL, head.rule)
    text = value.decode("utf-8", "replace")
    return not is_text(text, quoted=quoted) and len(text) >= 5


def _ends_long_cell(prefix: bytes) -> bool:
    """Returns whether a name behind so much of its line is only mentioned at the end of a cell of a table."""
    is_row = b"|" in prefix or len(prefix) == _MAX_PREFIX
    return is_row and len(prefix.rpartition(b"|")[2].split()) > _MAX_LABEL


def _cell(data: bytes, first: int, start: int, prefix: bytes, head: Head) -> int:
    """Returns the end of a secret in the cell after that of its name, or 0 if it is none; `prefix` is the
    line before the name."""
    is_row = prefix.lstrip().startswith(b"|")
    is_file = b"." in data[first:start].partition(b"|")[0]  # `server.key | wg pubkey`
    is_amid = prefix.strip(b" \t\"'`*") and b" | " not in prefix
    if not is_row and (is_file or head.is_dense or is_amid):
        return 0
    name = data[first:start].partition(b"|")[0].strip(b" \t\"'`*").decode("utf-8", "replace").lower()
    end = _cell_end(data, start, head)
    is_odd = name in AMBIGUOUS and not is_unlike_words(data[start:end].decode("utf-8", "replace"))
    return 0 if is_odd else end


def _cell_end(data: bytes, start: int, head: Head) -> int:
    """Returns the end of the cell after that of a name, unless the row is the header of a table."""
    stop = data.find(b"\n", start, start + 1_024)
    row = data[start : stop if stop >= 0 else start + 1_024]
    if stop >= 0 and byte_pattern(r"[ \t]*\|?[ \t:]*-{2,}").match(data[stop + 1 : stop + 64]):
        return 0
    cell = row.split(b"|", 1)[0].rstrip()
    if b"\0" in cell:
        return start + len(cell) if _is_beside_known(cell) else 0
    unmarked = cell.strip(b"`*")
    return start + len(cell) if unmarked and _is_secret_or_phrase(unmarked, head, quoted=True) else 0
