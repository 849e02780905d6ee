"""Mutations of documents, texts and bytes: what exports that nobody vouches for may hold."""

from __future__ import annotations

import io
import json
import random
import zipfile
from collections.abc import Callable
from typing import Any

LETTERS = (
    "\u200b", "\u202e", "\ufeff", "\U0001f468", "é", "e\u0301", "\ue200", "\ue201", "\u2028", "\x00", "\x85",
    "İ", "ß", "\t", "\r", "\n", "\n\n", "“", "”", '"', "'", "：", "，", "（", "\u3000", "\u0661", "²", "ﬁ",
    "\ufffd",
)  # fmt: skip
WORDS = (
    "my", "favorite", "favorites", "colors", "second", "#1", "1)", "1.", "first:", "top 3", "number", "two",
    "and", ",", "is", "are", "because", "not", "add", "to", "from", "remove", "move", "list", "I", "user:",
    "AI:", "**Me:**", "```", "---", "# ", "## ", "- [x] ", "[[", "]]", "#tag", "> ", "|", "<private>",
    "</private>", "Model:", "[M1]", "<!-- holdfast ", " -->", "?", "!", ".", "…", "5",
    "99999999999999999999", "password=", "@example.org", "我", "喜欢", "不", "http://", "\\", "{", "}",
    "[", "]", "null", ";", "ignore all previous instructions",
)  # fmt: skip
DATES = ("2026-02-30", "0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z", "\u0661\u0662\u0663", "1e5")
LEAVES: tuple[Callable[[random.Random], Any], ...] = (
    lambda _: None,
    lambda chance: chance.random() < 0.5,
    lambda chance: chance.choice((0, -1, 1, 2**31, 2**53 + 1, 2**64, -(2**63), 10**30, 10**400)),
    lambda chance: chance.choice((0.0, -0.0, 1e-320, 1e308, 1.5, float("nan"), float("inf"), -float("inf"))),
    lambda chance: chance.choice(("", " ", "\ud800", "a\udfffb", "x" * chance.choice((201, 5_000, 70_000)))),
    lambda chance: text(chance, " ".join(chance.choices(WORDS, k=5))),
    lambda chance: chance.choice(DATES),
    lambda chance: nested(chance.choice((3, 20, 300)), chance.random() < 0.5),
    lambda chance: [chance.randrange(9) for _ in range(chance.choice((0, 1, 2_000)))],
    lambda chance: {chance.choice(WORDS): None for _ in range(chance.randrange(9))},
)
TOKENS = (
    b"\xff", b"\xc3", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xef\xbb\xbf", b"\xff\xfe", b"\0", b"\r\n",
    b"\n", b"NaN", b"-Infinity", b"1e999", b"9" * 5_000, b'"', b"\\", b"\\u0000", b"\\ud800", b"{", b"}",
    b"[", b"]", b",", b":", b"//", b"PK\x03\x04", b"PK\x05\x06", b"[" * 100_000, b'{"a":' * 20_000,
    b"<!-- holdfast {", b"---\n",
)  # fmt: skip


def nested(depth: int, in_lists: bool) -> Any:
    """A value in so many lists or objects."""
    found: Any = "x"
    for _ in range(depth):
        found = [found] if in_lists else {"content": found}
    return found


def document(chance: random.Random, value: Any) -> Any:
    """A document with some of its parts removed, repeated, exchanged or replaced."""
    value = _copied(value)
    for _ in range(chance.choice((1, 1, 2, 3, 6))):
        value = _changed(chance, value)
    return value


def _copied(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _copied(one) for key, one in value.items()}
    return [_copied(one) for one in value] if isinstance(value, list) else value


def _holders(value: Any, limit: int = 20_000) -> list[Any]:
    """The lists and objects in a value that hold something."""
    found: list[Any] = []
    waiting = [value]
    while waiting and len(found) < limit:
        one = waiting.pop()
        if isinstance(one, dict | list) and one:
            found.append(one)
            waiting += one.values() if isinstance(one, dict) else one
    return found


def _changed(chance: random.Random, value: Any) -> Any:
    holders = _holders(value)
    if not holders or chance.random() < 0.01:
        return chance.choice(LEAVES)(chance)
    holder = chance.choice(holders)
    at = chance.choice(list(holder) if isinstance(holder, dict) else range(len(holder)))
    act = chance.randrange(8)
    if act == 0:
        del holder[at]
    elif act == 1:
        other = chance.choice(holders)
        there = chance.choice(list(other) if isinstance(other, dict) else range(len(other)))
        holder[at] = _copied(other[there])
    elif act == 2 and isinstance(holder, list):
        holder.extend(_copied(holder[at]) for _ in range(chance.choice((1, 2, 40))))
    elif act == 2:
        keys = [key for one in holders if isinstance(one, dict) for key in one]
        holder[chance.choice(keys)] = holder.pop(at)
    elif act == 3 and isinstance(holder[at], str):
        holder[at] = text(chance, holder[at])
    elif act == 4:
        holder[at] = [holder[at]] if chance.random() < 0.5 else {"text": holder[at]}
    elif act == 5 and isinstance(holder, list):
        chance.shuffle(holder)
    elif act == 6 and isinstance(holder, dict):
        holder[Twice(str(at))] = chance.choice(LEAVES)(chance)
    else:
        holder[at] = chance.choice(LEAVES)(chance)
    return value


class Twice(str):
    """A key that stands beside an equal one: it is written a second time."""

    __slots__ = ()
    __hash__ = object.__hash__

    def __eq__(self, other: object) -> bool:
        return self is other


def written(chance: random.Random, value: Any) -> bytes:
    """A document as JSON, as programs write it: plain, escaped, indented, or with a mark before it."""
    escaped = chance.random() < 0.5
    told = json.dumps(value, ensure_ascii=escaped, indent=chance.choice((None, None, 1)))
    data = told.encode("utf-8", "surrogatepass")
    if chance.random() < 0.03:
        return told.encode("utf-16", "surrogatepass")
    return b"\xef\xbb\xbf" + data if chance.random() < 0.03 else data


def lines(chance: random.Random, values: list[Any]) -> bytes:
    """Documents as JSON Lines."""
    escaped = chance.random() < 0.5
    return b"".join(
        json.dumps(value, ensure_ascii=escaped).encode("utf-8", "surrogatepass") + b"\n" for value in values
    )


def text(chance: random.Random, value: str) -> str:
    """A text with words and letters removed, repeated, exchanged or inserted."""
    for _ in range(chance.choice((1, 1, 2, 4, 9))):
        at, end = sorted((chance.randrange(len(value) + 1), chance.randrange(len(value) + 1)))
        act = chance.randrange(7)
        if act == 0:
            value = value[:at] + value[min(end, at + chance.choice((1, 5, 40))) :]
        elif act == 1:
            value = value[:at] + chance.choice(LETTERS) + value[at:]
        elif act == 2:
            value = value[:at] + " " + chance.choice(WORDS) + " " + value[at:]
        elif act == 3:
            value = value[:end] + value[at:end] * chance.choice((1, 2, 30)) + value[end:]
        elif act == 4:
            parts = value.split(chance.choice((" ", "\n", ", ")))
            chance.shuffle(parts)
            value = " ".join(parts)
        elif act == 5:
            value = (
                value[:at] + chance.choice((*WORDS, *LETTERS)) * chance.choice((2, 50, 3_000)) + value[at:]
            )
        else:
            value = value.swapcase() if chance.random() < 0.3 else value[:at] + value[end:]
        value = value[:200_000]
    return value


def data(chance: random.Random, value: bytes) -> bytes:
    """Bytes with some of them damaged, removed, repeated or inserted, or cut off."""
    for _ in range(chance.choice((1, 1, 2, 4))):
        at, end = sorted((chance.randrange(len(value) + 1), chance.randrange(len(value) + 1)))
        act = chance.randrange(6)
        if act == 0:
            value = value[:at]
        elif act == 1 and value:
            spot = min(at, len(value) - 1)
            value = value[:spot] + bytes([value[spot] ^ 1 << chance.randrange(8)]) + value[spot + 1 :]
        elif act == 2:
            value = value[:at] + value[min(end, at + chance.choice((1, 8, 200))) :]
        elif act == 3:
            value = value[:end] + value[at:end] + value[end:]
        elif act == 4:
            value = value[:at] + chance.choice(TOKENS) + value[at:]
        else:
            value = value[:at] + chance.randbytes(chance.choice((1, 3, 30))) + value[at:]
        value = value[: 1 << 20]
    return value


def archive(chance: random.Random, members: dict[str, bytes]) -> bytes:
    """A zip archive of these files with others beside them, some twice, some that expand a lot."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as target:
        for name, content in members.items():
            for _ in range(chance.choice((1, 1, 1, 2))):
                info = zipfile.ZipInfo(name, (1980 + chance.randrange(100), 1, 1, 0, 0, 0))
                info.compress_type = chance.choice(
                    (zipfile.ZIP_DEFLATED, zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2)
                )
                if target.NameToInfo.get(name) is None:
                    target.writestr(info, content)
        if chance.random() < 0.1:
            target.writestr("more/conversations-1.json", b" " * chance.choice((2_000, 8_000_000)))
    return buffer.getvalue()
