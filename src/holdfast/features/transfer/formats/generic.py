"""Reader of any JSON with chat messages: known lists, prompt/response pairs, or a bounded scan (S2.21)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

from holdfast.features.transfer.formats.fields import (
    as_list,
    as_map,
    first,
    identifier,
    left_out,
    line_of,
    role_of,
    text_of,
    time_of,
)
from holdfast.features.transfer.formats.model import ITEM, Draft, Skip, Thread

MAX_NODES = 50_000
MAX_DEPTH = 10

_SAMPLED = 16
_LISTS = ("messages", "contents", "chat_history", "history")
_ROLES = ("role", "sender", "author", "from", "speaker")
_TEXTS = ("content", "text", "parts", "value", "message", "body")
_PAIRS = (("prompt", "response"), ("prompt", "completion"), ("question", "answer"), ("input", "output"))
_IDS = ("id", "uuid", "conversation_id", "message_id", "chat_id", "session_id")
_TITLES = ("title", "name", "subject")
_TIMES = ("at", "create_time", "created_at", "createdAt", "timestamp", "time", "date")


def threads(items: Iterator[object], skip: Skip) -> Iterator[Thread]:
    """Yields every conversation; messages outside of conversations become one."""
    scan = _Scan(skip)
    loose = Thread()
    for item in items:
        for unit in scan.units(item):
            if isinstance(unit, Thread):
                yield unit
            else:
                loose.drafts.append(unit)
    if loose.drafts:
        yield loose


class _Scan:
    """A walk over JSON of unknown structure, at most 50,000 nodes of one export and 10 levels deep."""

    def __init__(self, skip: Skip) -> None:
        self._skip = skip
        self._nodes = 0

    def units(self, item: object) -> Iterator[Thread | Draft]:
        """Yields the conversations and single messages of one item, in document order."""
        stack: list[tuple[object, int]] = [(item, 0)]
        has_messages = False
        while stack:
            node, depth = stack.pop()
            unit = self._thread(node) or _drafts(node)
            if unit:
                has_messages = True
                yield from [unit] if isinstance(unit, Thread) else unit
                continue
            children = _children(node)
            if not children or depth == MAX_DEPTH:
                continue
            self._nodes += len(children)
            if self._nodes > MAX_NODES:
                self._skip("scan", f"beyond the first {MAX_NODES} nodes", ITEM)
                break
            stack.extend((child, depth + 1) for child in reversed(children))
        if not has_messages:
            self._skip("scan", "no message in it", ITEM)

    def _thread(self, node: object) -> Thread | None:
        """Returns the conversation that an object or list represents, if any."""
        fields = as_map(node)
        lists = [as_list(fields.get(name)) for name in _LISTS]
        turns = next(filter(_holds_messages, [*lists, as_list(node)]), None)
        if turns is None:
            if _drafts(node):
                return None
            # under another name, if only one list qualifies
            candidates = list(filter(_holds_messages, map(as_list, fields.values())))
            if len(candidates) != 1:
                return None
            turns = candidates[0]
        thread = Thread(
            id=identifier(first(fields, _IDS)),
            title=line_of(first(fields, _TITLES)),
            created_at=_time(fields),
        )
        for turn in turns:
            drafts = _drafts(turn)
            thread.drafts.extend(drafts)
            if not drafts:
                self._skip(thread.label, "not a message")
        return thread


def _holds_messages(turns: list[Any]) -> bool:
    return any(_drafts(turn) for turn in islice(turns, _SAMPLED))


def _children(node: object) -> list[Any]:
    return [child for child in (as_list(node) or as_map(node).values()) if isinstance(child, dict | list)]


def _time(fields: dict[str, Any]) -> int | None:
    """Returns the first of the times that can be parsed."""
    return next((at for key in _TIMES if (at := time_of(fields.get(key))) is not None), None)


def _drafts(node: object) -> list[Draft]:
    """Returns the message, or the two of a pair, that an object represents; an empty list if it is
    neither."""
    fields = as_map(node)
    at, identity = _time(fields), identifier(first(fields, _IDS))
    author, body = first(fields, _ROLES), first(fields, _TEXTS)
    if isinstance(author, str | dict) and isinstance(body, str | list | dict):
        role, name = role_of(author)
        content = "" if fields.get("isThought") is True else text_of(body)
        speaker = line_of(fields.get("name")) or name
        return [Draft(role, content, speaker, at, identity, left_out=left_out(body))]
    for question, answer in _PAIRS:
        if isinstance(fields.get(question), str) and isinstance(fields.get(answer), str):
            # one id for two messages identifies neither
            return [
                Draft("user", text_of(fields[question]), at=at),
                Draft("assistant", text_of(fields[answer]), at=at),
            ]
    return []
