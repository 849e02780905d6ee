"""Reader of the chats that messengers export as text, such as WhatsApp: a time, a name, a message a line."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import PurePath

from holdfast.core.times import to_millis
from holdfast.features.transfer.formats.fields import clean, line_of, stable_id
from holdfast.features.transfer.formats.model import ATTACHMENT, Draft, Skip, Thread

_MARKS = re.compile("[\u200e\u200f\u202a-\u202e\ufeff]")
"""Matches the signs for the direction of writing that phones put before names and files."""
_LINE = re.compile(
    r"\[?(?P<a>\d{1,4})(?P<sep>[./-])(?P<b>\d{1,2})[./-](?P<c>\d{2,4}),? ?"
    r"(?P<hour>\d{1,2})[:.](?P<minute>\d\d)(?:[:.](?P<second>\d\d))?(?:\s?(?P<half>[ap])\.?\s?m\.?)?(?: Uhr)?"
    r"(?:\] ?| - |: )(?P<rest>.*)",
    re.IGNORECASE | re.DOTALL,
)
_SAID = re.compile(r"(?P<name>[^:\n]{1,80}): ?(?P<text>.*)", re.DOTALL)
_NO_FILE = re.compile(
    r"<(?:media omitted|medien ausgeschlossen|[^<>\n]{0,80}(?:omitted|ausgeschlossen|weggelassen))>"
    r"|<(?:attached|anhang): [^<>\n]{1,200}>|(?:image|video|audio|sticker|GIF|document|contact card|bild"
    r"|dokument|kontaktkarte) (?:omitted|weggelassen)|[^\n]{1,200}\((?:file attached|datei angehängt)\)",
    re.IGNORECASE,
)
"""Matches the placeholder of a picture, recording or file."""
_DELETED = re.compile(
    r"(?:this message was deleted|you deleted this message|diese nachricht wurde gelöscht"
    r"|du hast diese nachricht gelöscht)\.?",
    re.IGNORECASE,
)
_EDITED = re.compile(r"<(?:this message was edited|diese nachricht wurde bearbeitet)>\s*$", re.IGNORECASE)
_CHAT_WITH = re.compile(r"(?:chat|chatverlauf) (?:with|mit|-) (?P<name>.+)", re.IGNORECASE)
"""Matches the name of the file of a chat with one other person, who is named in it."""
_ENOUGH = 2
_LOOKED_AT = 20


def recognises(text: str) -> bool:
    """Returns whether a text begins like the chat of a messenger, in its first line."""
    lines = [line for line in text.split("\n", _LOOKED_AT)[:_LOOKED_AT] if line.strip()]
    matches = [_LINE.match(_MARKS.sub("", line)) for line in lines]
    if not matches or matches[0] is None:
        return False
    return sum(match is not None and _SAID.match(match["rest"]) is not None for match in matches) >= _ENOUGH


def thread(text: str, file: str, skip: Skip) -> Thread:
    """Returns the conversation in a text, named after its file.

    Who exported it is not in it. Where the file is named after one of two people, the other one is the user;
    else everybody is somebody else (role `unknown`), so that nothing that friends say of themselves is taken
    for the user's.
    """
    title = line_of(PurePath(file).stem)
    turns = list(_turns(text))
    names = {name for _, name, _ in turns if name is not None}
    user = _user_of(names, title)
    is_month_first = _is_month_first(turns)
    drafts = []
    same: Counter[str] = Counter()
    for stamp, name, body in turns:
        if name is None:
            skip(title or file, "a notice of the program")
            continue
        if _DELETED.fullmatch(body):
            skip(title or file, "deleted in the chat")
            continue
        at = _time_of(stamp, is_month_first)
        content, files = _NO_FILE.subn("", body)
        # not the time: only later messages may show which of its numbers is the month
        key = stable_id(name, *stamp.groups()[:-1], body)
        same[key] += 1
        drafts.append(
            Draft(
                "user" if name == user else "unknown",
                clean(content),
                name,
                at,
                key if same[key] == 1 else stable_id(key, same[key]),
                left_out=((ATTACHMENT, "a file without its text"),) * files,
            )
        )
    return Thread(title=title, drafts=drafts)


def _turns(text: str) -> Iterator[tuple[re.Match[str], str | None, str]]:
    """Yields the time, name and text of each message, with the lines that go on; a notice has no name."""
    opening: re.Match[str] | None = None
    more: list[str] = []
    for line in _MARKS.sub("", text).splitlines():
        if (match := _LINE.fullmatch(line)) is None:
            more.append(line)
            continue
        if opening is not None:
            yield _turn(opening, more)
        opening, more = match, []
    if opening is not None:
        yield _turn(opening, more)


def _turn(opening: re.Match[str], more: Sequence[str]) -> tuple[re.Match[str], str | None, str]:
    match = _SAID.fullmatch("\n".join([opening["rest"], *more]))
    if match is None:
        return opening, None, opening["rest"]
    return opening, line_of(match["name"].removeprefix("~")), clean(_EDITED.sub("", match["text"]))


def _user_of(names: set[str], title: str | None) -> str | None:
    """Returns who exported the chat, if its file names the other one of two."""
    named = _CHAT_WITH.search(title or "")
    others = names if named is None else {name for name in names if name != named["name"]}
    return others.pop() if len(names) == 2 and len(others) == 1 else None


def _is_month_first(turns: Sequence[tuple[re.Match[str], str | None, str]]) -> bool:
    """Returns whether the month comes first in dates: where one says so, else with twelve hours."""
    dates = [stamp for stamp, _, _ in turns if stamp["sep"] == "/"]
    if any(int(stamp["a"]) > 12 for stamp in dates):
        return False
    return any(int(stamp["b"]) > 12 or stamp["half"] for stamp in dates)


def _time_of(stamp: re.Match[str], is_month_first: bool) -> int | None:
    """Returns the time of a message in milliseconds since 1970, None if it is no valid time."""
    first, second, third = stamp["a"], stamp["b"], stamp["c"]
    if len(first) == 4:
        year, month, day = first, second, third
    elif is_month_first:
        month, day, year = first, second, third
    else:
        day, month, year = first, second, third
    hour = int(stamp["hour"])
    if stamp["half"]:
        hour = hour % 12 + (12 if stamp["half"].casefold() == "p" else 0)
    try:
        moment = datetime(  # the time of the phone, whose zone nobody wrote down
            int(year) + (2000 if len(year) == 2 else 0), int(month), int(day),
            hour, int(stamp["minute"]), int(stamp["second"] or 0), tzinfo=UTC,
        )  # fmt: skip
    except ValueError:
        return None
    return to_millis(moment)
