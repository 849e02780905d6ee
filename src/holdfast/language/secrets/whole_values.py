"""Finds values of several words or lines under the name of a password, up to where their form ends them.

`assignments` decides on words; here a value is what YAML, INI, JSON or Python reads: a block, what is in
quotation marks, or the rest of a line."""

from __future__ import annotations

from functools import cache
from typing import Any

from holdfast.core.text import byte_pattern
from holdfast.language.secrets.assignments import LOG_LEVELS
from holdfast.language.secrets.harmless import Form, is_text
from holdfast.language.secrets.names import NAME_RULES, SUFFIX, NameRule, family_of
from holdfast.language.secrets.part import Part, Spans, is_secret
from holdfast.language.secrets.unquoted import is_remark
from holdfast.language.secrets.words import (
    COMPOUNDS,
    FUNCTION_WORDS,
    POINTERS,
    SECRET_WORDS,
    STAND_INS,
    UNITS,
    is_state,
)

_NAMES = "|".join(rule.names for rule in NAME_RULES if rule.type != "token")
_LONG = 1_024  # bytes of a value of several lines
_WORDS = 12  # words of a value on one line
_LINES = 4  # lines that a value spans
_SIGN = (
    r"(?:[\"'`]|\*\*|__)?(?:[ \t]*(?::=|[:=|]|\x{ff1a})(?:\*\*|__)?"
    r"|[ \t]*\r?\n[ \t]*[\"']?value[\"']?[ \t]*:)[ \t]*"
)
"""What is between a name and its value, also as in `- name: PASSWORD` and below it `value:`."""


@cache
def _head() -> Any:
    """Returns the pattern of a line, or of a member of a mapping, up to its value."""
    return byte_pattern(
        rf"(?im)(^[ \t]*)(?:(?:[-*+>#|\x{{2022}}]+|//+|\d{{1,3}}[.)])[ \t]*)?(?:name:[ \t]*)?"
        r"([^\n\0\"'`]{0,80}[,{;(][ \t]*|(?:[\pL\d'-]+[ \t]+){0,4})(?:[\"'`]|\*\*|__)?"
        rf"[\w.-]*((?:{_NAMES}){SUFFIX}){_SIGN}"
    )


@cache
def _likely() -> Any:
    """Returns a pattern without groups, which takes a fraction of the time, that matches where one may be."""
    return byte_pattern(rf"(?i)(?:{_NAMES}){SUFFIX}{_SIGN}(?:[|>\"'\0]|[^\s]+(?:[ \t]+\S|\0))")


_BLOCK = r"[|>][-+\d]{0,2}[ \t]*(?:#[^\n]*)?\n"
_COMMENTS = (b" #", b" //", b" ;", b" --", b" (", b" |")
_STOPS = (b". ", b", ", b"; ", b"! ", b"? ")
_OF_COMMANDS = (b"=", b"://", b"&&", b"$(", b'"', b"'", b"`", b" -")
"""Signs of a command or of further pairs, in which a value ends at a space."""


_QUOTED_PAIR = (
    rf"(?i)[\"'`](?:export[ \t]+|set[ \t]+)?[\w.-]*((?:{_NAMES}){SUFFIX})"
    r"=([^\s\"'`\0]+[ \t][^\"'`\n\0]+)[\"'`]"
)
"""A pair in quotation marks, as service managers have them (`Environment="PASSWORD=blue sky"`), or as code in
a sentence."""


def in_whole_values(text: Part) -> Spans:
    if not (text.has(byte_pattern(r"[:=|\x{ff1a}]")) and text.has(_likely())):
        return
    for match in text.matches(byte_pattern(_QUOTED_PAIR)):
        rule, line = family_of(match.group(1).decode("utf-8", "replace").lower()), match.group(2)
        if length := _length_to_end_of_line(line, rule):
            yield match.start(2), match.start(2) + length, rule.type
    for match in text.matches(_head()):
        rule = family_of(match.group(3).decode("utf-8", "replace").lower())
        start, end = _span(text, match, rule)
        if end > start:
            yield start, end, rule.type


def _span(text: Part, match: Any, rule: NameRule) -> tuple[int, int]:
    """Returns where a value of several words begins and ends; an empty span where there is none."""
    data, start = text.data, match.end()
    window = data[start : start + _LONG]
    if block := byte_pattern(_BLOCK).match(window):
        return _span_of_block(data, start + block.end(), len(match.group(1)))
    quote = window[:3] if window[:3] in (b'"""', b"'''") else window[:1]
    if quote[:1] in (b'"', b"'"):
        start += len(quote)
        return start, start + _length_of_quoted(window[len(quote) :], quote)
    if match.group(2).strip() == b"case" or not LOG_LEVELS.isdisjoint(match.group(2).split()):
        return start, start  # a branch of code, or what a program logs
    line = window.split(b"\n", 1)[0].rstrip(b" \t\r")
    if rule.type == "secret" and is_remark(match.group(2), line):
        return start, start
    return start, start + _length_of_plain(text, line, match, rule)


def _is_one(value: bytes) -> bool:
    """Returns whether several words are no sentence, label or placeholder."""
    bare = value.replace(b"\0", b" ").decode("utf-8", "replace")
    return len(bare.split()) > 0 and not is_text(bare.strip(), quoted=False)


def _is_enclosed(value: bytes) -> bool:
    """Returns whether the form of a value says where it ends: what is next to a known secret belongs to
    it."""
    return 0 < value.count(b"\n") + 1 <= _LINES and (_is_beside_known(value) or _is_one(value))


def _is_beside_known(value: bytes) -> bool:
    return b"\0" in value and any(word.strip(b"\0") for word in value.split())


def _is_row(match: Any) -> bool:
    """Returns whether a line is the row of a table: other cells are what `assignments` finds."""
    return bool(match.group().lstrip().startswith(b"|"))


def _is_joined(word: bytes) -> bool:
    """Returns whether a known secret is in one word with something else: `abc/TOKEN/def`."""
    return b"\0" in word and any(code >= 0x80 or chr(code).isalnum() for code in word)


def _span_of_block(data: bytes, start: int, indent: int) -> tuple[int, int]:
    """Returns the lines that are indented more than the name."""
    end = at = start
    while at < len(data) and at - start < _LONG:
        stop = data.find(b"\n", at)
        stop = len(data) if stop < 0 else stop
        line = data[at:stop]
        if line.strip() and len(line) - len(line.lstrip(b" \t")) <= indent:
            break
        end = at + len(line.rstrip()) if line.strip() else end
        at = stop + 1
    start += len(data[start:end]) - len(data[start:end].lstrip())
    return (start, end) if _is_enclosed(data[start:end]) else (start, start)


def _length_of_quoted(window: bytes, quote: bytes) -> int:
    """Returns the length of a value in quotation marks over lines or after a known secret, or 0."""
    close = window.find(quote)
    value = window[: max(0, close)]
    if b"\n" in value and len(quote) == 1:
        after = window[close + 1 : close + 64].split(b"\n", 1)[0].strip(b" \t\r,;)}]")
        if after or b":" in value or b"=" in value:
            return 0  # the mark of another value, or an apostrophe
    elif b"\n" not in value and value[:1] != b"\0":
        return 0
    return close if value and _is_enclosed(value) else 0


def _length_of_plain(text: Part, line: bytes, match: Any, rule: NameRule) -> int:
    """Returns the length of a value without quotation marks that is more than its first word, or 0."""
    sign, before = text.data[match.end(3) : match.end()], match.group(2)
    if sign.strip() == b"|":
        line = line.partition(b"|")[0] if _is_row(match) and line[:1] == b"\0" else b""
    for comment in _COMMENTS:
        line = line.partition(comment)[0]
    for opener, closer in ((b"{", b"}"), (b"(", b")")):
        if opener in before:
            line = line.partition(closer)[0]
    for stop in _STOPS:
        line = line.partition(stop)[0]
    if pair := byte_pattern(r"[ \t]+[\w.-]+:[ \t]").search(line + b" "):
        line = line[: pair.start()]
    line = line.rstrip(b" \t.,;:!?")
    words = line.split()
    has_known = b"\0" in line
    if text.is_code or len(words) > _WORDS or any(map(line.__contains__, _OF_COMMANDS)):
        return 0
    if not words or (len(words) == 1 and not _is_joined(words[0])):
        return 0
    if rule.type == "api_key" and not has_known:
        return 0  # a key is one word, unless a part of it was found before
    if sign.endswith(b"=") and len(words) > 1 and (not has_known or b"\0" in words[0]):
        is_setting = before.strip() in (b"", b"export", b"set")
        return _length_to_end_of_line(line, rule) if is_setting and not has_known else 0
    if not has_known and not is_secret(words[0], Form.BARE, rule):
        return len(line) if _is_drawn(words) else 0
    return len(line) if _is_one(line) or _is_drawn(words) else 0


def _length_to_end_of_line(line: bytes, rule: NameRule) -> int:
    """Returns the length of a value that goes to the end of its line, as files of settings have it; 0 if a
    command follows its first word: `PASSWORD=abc make`."""
    words = line.split()
    is_command = words[1:2] and words[1].lower() in _PROGRAMS
    first = words[0].decode("utf-8", "replace").lower()
    if (
        is_command
        or first in POINTERS
        or first in FUNCTION_WORDS
        or not all(byte_pattern(_PLAIN_WORD).fullmatch(word) for word in words)
    ):
        return 0
    return len(line) if is_secret(words[0], Form.BARE, rule) else 0


_PLAIN_WORD = r"[\pL\d][\pL\d.,!?&+'\x{2019}#@*-]*|[&+-]"
_PROGRAMS = frozenset(
    b"ansible awk aws bash borg bun bundle cargo cat cd cmake composer curl deno django docker dotnet"
    b" echo env exec flask gem git go gradle gunicorn helm java kubectl ls make mariadb mix mongo mongosh"
    b" mvn mysql mysqldump nice node nohup npm npx perl pg_dump pg_restore php pip pnpm podman poetry"
    b" psql pytest python python3 rails rake redis-cli restic rspec rsync ruby run sbt scp sh ssh sudo"
    b" swift terraform time tox uv uvicorn wget yarn zsh".split()
)


def _is_drawn(words: list[bytes]) -> bool:
    """Returns whether four words or more make no sentence; one of them may also describe a password."""
    spelled = [word.decode("utf-8", "replace") for word in words]
    return (
        len(words) > 3
        and all(word.isalpha() and word.islower() and word not in _SAID for word in spelled)
        and sum(map(is_state, spelled)) < 2
    )


_SAID = STAND_INS | FUNCTION_WORDS | COMPOUNDS | SECRET_WORDS | UNITS | POINTERS
